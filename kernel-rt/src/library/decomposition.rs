//! Decompositions of 2×2 and 3×3 matrices, and linear systems of any size.
//!
//! Rotations of Jacobi diagonalize symmetric matrices, and make the columns of other ones orthogonal. The derivatives of
//! the factors are stated, so no adjoint goes through the iterations.
//!
//! Where two eigenvalues or singular values are equal, their vectors have no derivative: it is NaN there, unless nothing
//! depends on those vectors. Values count as equal if they differ by at most 64 units in the last place of the largest one.
//! The derivatives of [`polar3`], [`polar2`] and of the values themselves do not have this exception.
//!
//! Sources: J. Demmel and K. Veselić, "Jacobi's method is more accurate than QR", 1992; J. Townsend, "Differentiating the
//! singular value decomposition", 2016.

use crate::prelude::*;

/// The cosine and sine of the rotation that diagonalizes the symmetric matrix with the rows `p`, `off` and `off`, `q`.
#[device]
fn jacobi<T: Float>(p: T, q: T, off: T) -> Vector<T, 2> {
    if off == T::ZERO {
        return Vector::<T, 2>::new(T::ONE, T::ZERO);
    }
    let cot = (q - p) / (off + off);
    let root = (T::ONE + cot * cot).sqrt();
    let tan = if cot < T::ZERO { T::ONE / (cot - root) } else { T::ONE / (cot + root) };
    let cos = T::ONE / (T::ONE + tan * tan).sqrt();
    Vector::<T, 2>::new(cos, tan * cos)
}

/// The eigenvectors of a symmetric 3×3 matrix, then its eigenvalues, as columns.
#[device]
fn jacobi_eig3<T: Float>(a: Matrix<T, 3, 3>) -> Matrix<T, 3, 4> {
    let half = T::lit(0.5);
    let (mut p, mut q, mut r) = (a.x_axis.x, a.y_axis.y, a.z_axis.z);
    let mut pq = (a.x_axis.y + a.y_axis.x) * half;
    let mut qr = (a.y_axis.z + a.z_axis.y) * half;
    let mut rp = (a.z_axis.x + a.x_axis.z) * half;
    let mut x = Vector::<T, 3>::new(T::ONE, T::ZERO, T::ZERO);
    let mut y = Vector::<T, 3>::new(T::ZERO, T::ONE, T::ZERO);
    let mut z = Vector::<T, 3>::new(T::ZERO, T::ZERO, T::ONE);
    // Eight rounds of three rotations. The roles of the axes change after each one.
    for _ in 0..24 {
        if pq.abs() <= T::EPSILON * T::lit(0.125) * p.abs().max(q.abs()) {
            pq = T::ZERO;
        }
        if pq == T::ZERO && qr == T::ZERO && rp == T::ZERO {
            break;
        }
        let turn = jacobi(p, q, pq);
        let (c, s) = (turn.x, turn.y);
        let change = pq * (s / c);
        (p, q, r) = (q + change, r, p - change);
        (pq, qr, rp) = (rp * s + qr * c, rp * c - qr * s, T::ZERO);
        (x, y, z) = (x * s + y * c, z, x * c - y * s);
    }
    if p < q {
        (p, q) = (q, p);
        (x, y) = (y, -x);
    }
    if p < r {
        (p, r) = (r, p);
        (x, z) = (z, -x);
    }
    if q < r {
        (q, r) = (r, q);
        (y, z) = (z, -y);
    }
    Matrix::<T, 3, 4>::from_cols(x, y, z, Vector::<T, 3>::new(p, q, r))
}

/// The quotient; NaN if the divisor is at most `least`, where two values count as equal.
#[device]
fn over_gap<T: Float>(dividend: T, gap: T, least: T) -> T {
    if gap.abs() <= least { T::NAN } else { dividend / gap }
}

/// The largest distance of values that count as equal, beside the value `largest`.
#[device]
fn least_gap<T: Float>(largest: T) -> T {
    T::EPSILON * T::lit(64) * largest
}

/// Zero if all numbers are, otherwise not.
#[device]
fn extent<T: Float>(a: Vector<T, 3>) -> T {
    a.x.abs() + a.y.abs() + a.z.abs()
}

/// `jacobi_eig3` with its derivative.
#[device(grad(a = eig3_da))]
fn eig3_columns<T: Float>(a: Matrix<T, 3, 3>) -> Matrix<T, 3, 4> {
    jacobi_eig3(a)
}

/// The adjoints of two entries of QᵀAQ beside the diagonal, by that of the rotation of the eigenvectors in their plane.
#[device]
fn eig_pair<T: Float>(turn: T, gap: T, used: T, least: T) -> T {
    if used == T::ZERO { T::ZERO } else { over_gap(turn * T::lit(0.5), gap, least) }
}

#[device]
fn eig3_da<T: Float>(a: Matrix<T, 3, 3>, adj: Matrix<T, 3, 4>) -> Matrix<T, 3, 3> {
    let found = jacobi_eig3(a);
    let (x, y, z, d) = (found.col(0), found.col(1), found.col(2), found.col(3));
    let (gx, gy, gz, g) = (adj.col(0), adj.col(1), adj.col(2), adj.col(3));
    let least = least_gap(d.x.abs().max(d.z.abs()));
    let xy = eig_pair(x.dot(gy) - y.dot(gx), d.y - d.x, extent(gx) + extent(gy), least);
    let yz = eig_pair(y.dot(gz) - z.dot(gy), d.z - d.y, extent(gy) + extent(gz), least);
    let zx = eig_pair(z.dot(gx) - x.dot(gz), d.x - d.z, extent(gz) + extent(gx), least);
    let q = Matrix::<T, 3, 3>::from_cols(x, y, z);
    let inner = Matrix::<T, 3, 3>::from_cols(
        Vector::<T, 3>::new(g.x, xy, zx),
        Vector::<T, 3>::new(xy, g.y, yz),
        Vector::<T, 3>::new(zx, yz, g.z),
    );
    q * inner * q.transpose()
}

/// The eigenvectors, as the columns of a rotation, and the eigenvalues of the symmetric part of `a`, the largest one first.
/// The values are exact to 3 units and the product of the factors to 6, of finite matrices of every scale and rank.
#[device]
pub fn eig3<T: Float>(a: Matrix<T, 3, 3>) -> (Matrix<T, 3, 3>, Vector<T, 3>) {
    let found = eig3_columns(a);
    (Matrix::<T, 3, 3>::from_cols(found.col(0), found.col(1), found.col(2)), found.col(3))
}

/// The eigenvectors of a symmetric 2×2 matrix, then its eigenvalues, as columns.
#[device]
fn jacobi_eig2<T: Float>(a: Matrix<T, 2, 2>) -> Matrix<T, 2, 3> {
    let off = (a.x_axis.y + a.y_axis.x) * T::lit(0.5);
    let turn = jacobi(a.x_axis.x, a.y_axis.y, off);
    let (c, s) = (turn.x, turn.y);
    let change = off * (s / c);
    let (p, q) = (a.x_axis.x - change, a.y_axis.y + change);
    let (x, y) = (Vector::<T, 2>::new(c, -s), Vector::<T, 2>::new(s, c));
    if p < q {
        Matrix::<T, 2, 3>::from_cols(y, -x, Vector::<T, 2>::new(q, p))
    } else {
        Matrix::<T, 2, 3>::from_cols(x, y, Vector::<T, 2>::new(p, q))
    }
}

/// `jacobi_eig2` with its derivative.
#[device(grad(a = eig2_da))]
fn eig2_columns<T: Float>(a: Matrix<T, 2, 2>) -> Matrix<T, 2, 3> {
    jacobi_eig2(a)
}

#[device]
fn eig2_da<T: Float>(a: Matrix<T, 2, 2>, adj: Matrix<T, 2, 3>) -> Matrix<T, 2, 2> {
    let found = jacobi_eig2(a);
    let (x, y, d) = (found.col(0), found.col(1), found.col(2));
    let (gx, gy, g) = (adj.col(0), adj.col(1), adj.col(2));
    let used = gx.x.abs() + gx.y.abs() + gy.x.abs() + gy.y.abs();
    let xy = eig_pair(x.dot(gy) - y.dot(gx), d.y - d.x, used, least_gap(d.x.abs().max(d.y.abs())));
    let q = Matrix::<T, 2, 2>::from_cols(x, y);
    q * Matrix::<T, 2, 2>::from_cols(Vector::<T, 2>::new(g.x, xy), Vector::<T, 2>::new(xy, g.y)) * q.transpose()
}

/// The eigenvectors, as the columns of a rotation, and the eigenvalues of the symmetric part of `a`, the larger one first.
/// The values are exact to 3 units and the product of the factors to 4.
#[device]
pub fn eig2<T: Float>(a: Matrix<T, 2, 2>) -> (Matrix<T, 2, 2>, Vector<T, 2>) {
    let found = eig2_columns(a);
    (Matrix::<T, 2, 2>::from_cols(found.col(0), found.col(1)), found.col(2))
}

/// A vector of length 1 at right angles to `a`, which has length 1.
#[device]
fn perpendicular<T: Float>(a: Vector<T, 3>) -> Vector<T, 3> {
    let (x, y, z) = (a.x.abs(), a.y.abs(), a.z.abs());
    let other = if x <= y && x <= z {
        Vector::<T, 3>::new(T::ZERO, -a.z, a.y)
    } else if y <= z {
        Vector::<T, 3>::new(a.z, T::ZERO, -a.x)
    } else {
        Vector::<T, 3>::new(-a.y, a.x, T::ZERO)
    };
    other / other.length()
}

/// The rotation U, the singular values and the rotation V of a 3×3 matrix, as columns.
#[device]
fn jacobi_svd3<T: Float>(a: Matrix<T, 3, 3>) -> Matrix<T, 3, 7> {
    // Squares of the entries neither overflow nor vanish beside those of the largest one.
    let (p, q, r) = (a.x_axis.abs(), a.y_axis.abs(), a.z_axis.abs());
    let largest = p.max_element().max(q.max_element()).max(r.max_element());
    let scale = if largest == T::ZERO { T::ONE } else { largest };
    let (mut x, mut y, mut z) = (a.x_axis / scale, a.y_axis / scale, a.z_axis / scale);
    let mut u = Vector::<T, 3>::new(T::ONE, T::ZERO, T::ZERO);
    let mut v = Vector::<T, 3>::new(T::ZERO, T::ONE, T::ZERO);
    let mut w = Vector::<T, 3>::new(T::ZERO, T::ZERO, T::ONE);
    // Eight rounds of three rotations, which make two columns orthogonal. The roles of the columns change after each one.
    let mut orthogonal = 0;
    for _ in 0..24 {
        let (p, q, pq) = (x.length_squared(), y.length_squared(), x.dot(y));
        let mut turn = Vector::<T, 2>::new(T::ONE, T::ZERO);
        if pq.abs() > T::EPSILON * T::lit(2) * (p.sqrt() * q.sqrt()) {
            turn = jacobi(p, q, pq);
            orthogonal = 0;
        }
        let (c, s) = (turn.x, turn.y);
        (x, y, z) = (x * s + y * c, z, x * c - y * s);
        (u, v, w) = (u * s + v * c, w, u * c - v * s);
        orthogonal += 1;
        if orthogonal == 3 {
            break;
        }
    }
    if x.length_squared() < y.length_squared() {
        (x, y) = (y, -x);
        (u, v) = (v, -u);
    }
    if x.length_squared() < z.length_squared() {
        (x, z) = (z, -x);
        (u, w) = (w, -u);
    }
    if y.length_squared() < z.length_squared() {
        (y, z) = (z, -y);
        (v, w) = (w, -v);
    }
    let first = x.length();
    let left = if first == T::ZERO { Vector::<T, 3>::new(T::ONE, T::ZERO, T::ZERO) } else { x / first };
    let rest = y - left * left.dot(y);
    let second = rest.length();
    let middle = if second == T::ZERO { perpendicular(left) } else { rest / second };
    let right = left.cross(middle);
    // The values fall, whatever rounding says.
    let second = if second > first { first } else { second };
    let third = right.dot(z);
    let third = if third.abs() > second { second.copysign(third) } else { third };
    let values = Vector::<T, 3>::new(first, second, third) * scale;
    Matrix::<T, 3, 7>::from_cols(left, middle, right, values, u, v, w)
}

/// `jacobi_svd3` with its derivative.
#[device(grad(a = svd3_da))]
fn svd3_columns<T: Float>(a: Matrix<T, 3, 3>) -> Matrix<T, 3, 7> {
    jacobi_svd3(a)
}

/// The adjoints of the entries `i`, `j` and `j`, `i` of UᵀAV by those of the rotations of U and V in the plane `i`, `j`.
#[device]
fn svd_pair<T: Float>(u: T, v: T, si: T, sj: T, used: T, least: T) -> Vector<T, 2> {
    if used == T::ZERO {
        return Vector::<T, 2>::new(T::ZERO, T::ZERO);
    }
    let same = over_gap((u + v) * T::lit(0.5), sj - si, least);
    let opposite = over_gap((u - v) * T::lit(0.5), sj + si, least);
    Vector::<T, 2>::new(same + opposite, same - opposite)
}

#[device]
fn svd3_da<T: Float>(a: Matrix<T, 3, 3>, adj: Matrix<T, 3, 7>) -> Matrix<T, 3, 3> {
    let f = jacobi_svd3(a);
    let (s, g) = (f.col(3), adj.col(3));
    let u = Matrix::<T, 3, 3>::from_cols(f.col(0), f.col(1), f.col(2));
    let v = Matrix::<T, 3, 3>::from_cols(f.col(4), f.col(5), f.col(6));
    let (x, y, z) = (adj.col(0), adj.col(1), adj.col(2));
    let (p, q, r) = (adj.col(4), adj.col(5), adj.col(6));
    let (ex, ey, ez) = (extent(x) + extent(p), extent(y) + extent(q), extent(z) + extent(r));
    let least = least_gap(s.x);
    let xy = svd_pair(f.col(0).dot(y) - f.col(1).dot(x), f.col(4).dot(q) - f.col(5).dot(p), s.x, s.y, ex + ey, least);
    let yz = svd_pair(f.col(1).dot(z) - f.col(2).dot(y), f.col(5).dot(r) - f.col(6).dot(q), s.y, s.z, ey + ez, least);
    let zx = svd_pair(f.col(2).dot(x) - f.col(0).dot(z), f.col(6).dot(p) - f.col(4).dot(r), s.z, s.x, ez + ex, least);
    let inner = Matrix::<T, 3, 3>::from_cols(
        Vector::<T, 3>::new(g.x, xy.y, zx.x),
        Vector::<T, 3>::new(xy.x, g.y, yz.y),
        Vector::<T, 3>::new(zx.y, yz.x, g.z),
    );
    u * inner * v.transpose()
}

/// The singular value decomposition `a` = U·diag(s)·Vᵀ: the rotation U, the values s and the rotation V. The values fall, and
/// the last one has the sign of the determinant. The values are exact to 4 units and the product of the factors to 6, of
/// finite matrices of every scale and rank.
#[device]
pub fn svd3<T: Float>(a: Matrix<T, 3, 3>) -> (Matrix<T, 3, 3>, Vector<T, 3>, Matrix<T, 3, 3>) {
    let f = svd3_columns(a);
    (
        Matrix::<T, 3, 3>::from_cols(f.col(0), f.col(1), f.col(2)),
        f.col(3),
        Matrix::<T, 3, 3>::from_cols(f.col(4), f.col(5), f.col(6)),
    )
}

/// The orthogonal matrix U, the singular values and the rotation V of a 2×2 matrix, as columns.
#[device]
fn jacobi_svd2<T: Float>(a: Matrix<T, 2, 2>) -> Matrix<T, 2, 5> {
    let largest = a.x_axis.abs().max_element().max(a.y_axis.abs().max_element());
    let scale = if largest == T::ZERO { T::ONE } else { largest };
    let (mut x, mut y) = (a.x_axis / scale, a.y_axis / scale);
    let (mut v, mut w) = (Vector::<T, 2>::new(T::ONE, T::ZERO), Vector::<T, 2>::new(T::ZERO, T::ONE));
    // The second rotation takes away what the first one leaves by rounding.
    for _ in 0..2 {
        let turn = jacobi(x.length_squared(), y.length_squared(), x.dot(y));
        let (c, s) = (turn.x, turn.y);
        (x, y) = (x * c - y * s, x * s + y * c);
        (v, w) = (v * c - w * s, v * s + w * c);
    }
    if x.length_squared() < y.length_squared() {
        (x, y) = (y, -x);
        (v, w) = (w, -v);
    }
    let first = x.length();
    let left = if first == T::ZERO { Vector::<T, 2>::new(T::ONE, T::ZERO) } else { x / first };
    let right = Vector::<T, 2>::new(-left.y, left.x);
    let second = right.dot(y);
    let smaller = if second.abs() > first { first } else { second.abs() };
    let values = Vector::<T, 2>::new(first, smaller) * scale;
    Matrix::<T, 2, 5>::from_cols(left, if second < T::ZERO { -right } else { right }, values, v, w)
}

/// `jacobi_svd2` with its derivative.
#[device(grad(a = svd2_da))]
fn svd2_columns<T: Float>(a: Matrix<T, 2, 2>) -> Matrix<T, 2, 5> {
    jacobi_svd2(a)
}

#[device]
fn svd2_da<T: Float>(a: Matrix<T, 2, 2>, adj: Matrix<T, 2, 5>) -> Matrix<T, 2, 2> {
    let f = jacobi_svd2(a);
    let (s, g) = (f.col(2), adj.col(2));
    let (x, y, p, q) = (adj.col(0), adj.col(1), adj.col(3), adj.col(4));
    let left = x.x.abs() + x.y.abs() + y.x.abs() + y.y.abs();
    let right = p.x.abs() + p.y.abs() + q.x.abs() + q.y.abs();
    let turns = Vector::<T, 2>::new(f.col(0).dot(y) - f.col(1).dot(x), f.col(3).dot(q) - f.col(4).dot(p));
    let xy = svd_pair(turns.x, turns.y, s.x, s.y, left + right, least_gap(s.x));
    let u = Matrix::<T, 2, 2>::from_cols(f.col(0), f.col(1));
    let inner = Matrix::<T, 2, 2>::from_cols(Vector::<T, 2>::new(g.x, xy.y), Vector::<T, 2>::new(xy.x, g.y));
    u * inner * Matrix::<T, 2, 2>::from_cols(f.col(3), f.col(4)).transpose()
}

/// The singular value decomposition `a` = U·diag(s)·Vᵀ: the orthogonal matrix U, the values s, which fall and are not
/// negative, and the rotation V. The values and the product of the factors are exact to 3 units.
#[device]
pub fn svd2<T: Float>(a: Matrix<T, 2, 2>) -> (Matrix<T, 2, 2>, Vector<T, 2>, Matrix<T, 2, 2>) {
    let f = svd2_columns(a);
    (Matrix::<T, 2, 2>::from_cols(f.col(0), f.col(1)), f.col(2), Matrix::<T, 2, 2>::from_cols(f.col(3), f.col(4)))
}

/// The rotation that is nearest to a 3×3 matrix.
#[device(grad(a = rotation3_da))]
fn rotation3<T: Float>(a: Matrix<T, 3, 3>) -> Matrix<T, 3, 3> {
    let f = jacobi_svd3(a);
    let u = Matrix::<T, 3, 3>::from_cols(f.col(0), f.col(1), f.col(2));
    u * Matrix::<T, 3, 3>::from_cols(f.col(4), f.col(5), f.col(6)).transpose()
}

/// A rotation in a plane depends on the sum of the singular values there, so equal ones do no harm.
#[device]
fn rotation3_da<T: Float>(a: Matrix<T, 3, 3>, adj: Matrix<T, 3, 3>) -> Matrix<T, 3, 3> {
    let f = jacobi_svd3(a);
    let s = f.col(3);
    let u = Matrix::<T, 3, 3>::from_cols(f.col(0), f.col(1), f.col(2));
    let v = Matrix::<T, 3, 3>::from_cols(f.col(4), f.col(5), f.col(6));
    let inner = u.transpose() * adj * v;
    let least = least_gap(s.x);
    let xy = over_gap(inner.y_axis.x - inner.x_axis.y, s.x + s.y, least);
    let yz = over_gap(inner.z_axis.y - inner.y_axis.z, s.y + s.z, least);
    let zx = over_gap(inner.x_axis.z - inner.z_axis.x, s.z + s.x, least);
    let turn = Matrix::<T, 3, 3>::from_cols(
        Vector::<T, 3>::new(T::ZERO, -xy, zx),
        Vector::<T, 3>::new(xy, T::ZERO, -yz),
        Vector::<T, 3>::new(-zx, yz, T::ZERO),
    );
    u * turn * v.transpose()
}

/// The polar decomposition `a` = R·S: the rotation R that is nearest to `a`, and the symmetric matrix S. The product is exact to
/// 6 units. The derivative is NaN only where the nearest rotation jumps: where the second singular value and the last one,
/// with the sign of the determinant, have the sum 0.
#[device]
pub fn polar3<T: Float>(a: Matrix<T, 3, 3>) -> (Matrix<T, 3, 3>, Matrix<T, 3, 3>) {
    let r = rotation3(a);
    let s = r.transpose() * a;
    (r, (s + s.transpose()) * T::lit(0.5))
}

/// The polar decomposition `a` = R·S: the rotation R that is nearest to `a`, and the symmetric matrix S, to 3 units. The
/// entries are between 1e-18 and 1e18. It is NaN for a reflection that stretches all directions alike.
#[device]
pub fn polar2<T: Float>(a: Matrix<T, 2, 2>) -> (Matrix<T, 2, 2>, Matrix<T, 2, 2>) {
    let turn = Vector::<T, 2>::new(a.x_axis.x + a.y_axis.y, a.x_axis.y - a.y_axis.x);
    let (c, s) = (turn.x / turn.length(), turn.y / turn.length());
    let r = Matrix::<T, 2, 2>::from_cols(Vector::<T, 2>::new(c, s), Vector::<T, 2>::new(-s, c));
    let stretch = r.transpose() * a;
    (r, (stretch + stretch.transpose()) * T::lit(0.5))
}

/// The vector of length 1 along `a`, or `other` if `a` is not longer than `least`.
#[device(grad(a = direction_da))]
fn direction<T: Float>(a: Vector<T, 3>, least: T, other: Vector<T, 3>) -> Vector<T, 3> {
    let length = a.length();
    if length <= least { other } else { a / length }
}

#[device]
fn direction_da<T: Float>(a: Vector<T, 3>, least: T, _other: Vector<T, 3>, adj: Vector<T, 3>) -> Vector<T, 3> {
    let length = a.length();
    if length <= least {
        return Vector::<T, 3>::splat(T::NAN);
    }
    let along = a / length;
    (adj - along * along.dot(adj)) / length
}

/// The decomposition `a` = Q·R: the rotation Q, and the upper triangular matrix R, whose first two numbers on the diagonal
/// are not negative. The product is exact to 3 units, of entries between 1e-18 and 1e18. The derivative is NaN where the first
/// two columns depend on each other.
#[device]
pub fn qr3<T: Float>(a: Matrix<T, 3, 3>) -> (Matrix<T, 3, 3>, Matrix<T, 3, 3>) {
    let x = direction(a.x_axis, T::ZERO, Vector::<T, 3>::new(T::ONE, T::ZERO, T::ZERO));
    // Where the first two columns are nearly parallel, rounding leaves a part along the first one, and less each time.
    let rest = a.y_axis - x * x.dot(a.y_axis);
    let rest = rest - x * x.dot(rest);
    let rest = rest - x * x.dot(rest);
    let y = direction(rest, T::EPSILON * T::lit(4) * a.y_axis.length(), perpendicular(x));
    let z = x.cross(y);
    let r = Matrix::<T, 3, 3>::from_cols(
        Vector::<T, 3>::new(x.dot(a.x_axis), T::ZERO, T::ZERO),
        Vector::<T, 3>::new(x.dot(a.y_axis), rest.length(), T::ZERO),
        Vector::<T, 3>::new(x.dot(a.z_axis), y.dot(a.z_axis), z.dot(a.z_axis)),
    );
    (Matrix::<T, 3, 3>::from_cols(x, y, z), r)
}

/// The lower triangular matrix L with L·Lᵀ = `a`, where the symmetric part of `a` is taken, which is positive definite.
/// Otherwise numbers of L are infinite or NaN. The product is exact to 2 units.
#[device]
pub fn cholesky<T: Float, const N: usize>(a: Matrix<T, N, N>) -> Matrix<T, N, N> {
    let mut l = (a + a.transpose()) * T::lit(0.5);
    for j in 0..N {
        let mut pivot = l.col(j)[j];
        for k in 0..j {
            pivot -= l.col(k)[j] * l.col(k)[j];
        }
        let root = pivot.sqrt();
        for i in 0..N {
            let mut entry = l.col(j)[i];
            for k in 0..j {
                entry -= l.col(k)[i] * l.col(k)[j];
            }
            l.col_mut(j)[i] = if i < j { T::ZERO } else { entry / root };
        }
    }
    l
}

/// The solution by the factor of Cholesky.
#[device]
fn by_cholesky<T: Float, const N: usize>(a: Matrix<T, N, N>, b: Vector<T, N>) -> Vector<T, N> {
    let l = cholesky(a);
    let mut x = b;
    for i in 0..N {
        let mut sum = x[i];
        for k in 0..i {
            sum -= l.col(k)[i] * x[k];
        }
        x[i] = sum / l.col(i)[i];
    }
    for back in 0..N {
        let i = N - 1 - back;
        let mut sum = x[i];
        for k in i + 1..N {
            sum -= l.col(i)[k] * x[k];
        }
        x[i] = sum / l.col(i)[i];
    }
    x
}

/// The solution x of `a`·x = `b`, where the symmetric part of `a` is taken, which is positive definite. The product `a`·x is
/// exact to 2 units of the product of their lengths.
#[device(grad(a = cholesky_solve_da, b = cholesky_solve_db))]
pub fn cholesky_solve<T: Float, const N: usize>(a: Matrix<T, N, N>, b: Vector<T, N>) -> Vector<T, N> {
    by_cholesky(a, b)
}

#[device]
fn cholesky_solve_da<T: Float, const N: usize>(
    a: Matrix<T, N, N>,
    b: Vector<T, N>,
    adj: Vector<T, N>,
) -> Matrix<T, N, N> {
    let product = by_cholesky(a, adj).outer(by_cholesky(a, b));
    (product + product.transpose()) * T::lit(-0.5)
}

#[device]
fn cholesky_solve_db<T: Float, const N: usize>(
    a: Matrix<T, N, N>,
    _b: Vector<T, N>,
    adj: Vector<T, N>,
) -> Vector<T, N> {
    by_cholesky(a, adj)
}

/// The solution by elimination.
#[device]
fn lu<T: Float, const N: usize>(a: Matrix<T, N, N>, b: Vector<T, N>) -> Vector<T, N> {
    let t = a.transpose();
    let mut rows = [b; N];
    for i in 0..N {
        rows[i] = t.col(i);
    }
    let mut x = b;
    for k in 0..N {
        let mut best = k;
        for i in k + 1..N {
            if rows[i][k].abs() > rows[best][k].abs() {
                best = i;
            }
        }
        let (row, value) = (rows[best], x[best]);
        rows[best] = rows[k];
        x[best] = x[k];
        rows[k] = row;
        x[k] = value;
        for i in k + 1..N {
            let factor = rows[i][k] / row[k];
            rows[i] -= row * factor;
            x[i] -= factor * value;
        }
    }
    for back in 0..N {
        let k = N - 1 - back;
        let mut sum = x[k];
        for j in k + 1..N {
            sum -= rows[k][j] * x[j];
        }
        x[k] = sum / rows[k][k];
    }
    x
}

/// The solution x of `a`·x = `b`, by elimination with exchange of rows. The product `a`·x is exact to 2 units of the product of
/// their lengths. Where `a` is singular, numbers of x are infinite or NaN.
#[device(grad(a = lu_solve_da, b = lu_solve_db))]
pub fn lu_solve<T: Float, const N: usize>(a: Matrix<T, N, N>, b: Vector<T, N>) -> Vector<T, N> {
    lu(a, b)
}

#[device]
fn lu_solve_da<T: Float, const N: usize>(a: Matrix<T, N, N>, b: Vector<T, N>, adj: Vector<T, N>) -> Matrix<T, N, N> {
    -lu(a.transpose(), adj).outer(lu(a, b))
}

#[device]
fn lu_solve_db<T: Float, const N: usize>(a: Matrix<T, N, N>, _b: Vector<T, N>, adj: Vector<T, N>) -> Vector<T, N> {
    lu(a.transpose(), adj)
}
