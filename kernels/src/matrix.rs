//! Matrices: dense algebra on 2-D and 3-D arrays, and batches of small square matrices.

use kernel_rt::prelude::*;

/// Dense matrix times vector, one row a thread: y = A·x.
#[kernel(family = "matrix")]
pub fn matvec(
    #[domain(1..12)] columns: usize,
    #[shape(dim0, columns)]
    #[domain(-1.0..1.0)]
    a: &Array2<f32>,
    #[shape(columns)]
    #[domain(-1.0..1.0)]
    x: &[f32],
    y: &mut [f32],
) {
    let row = tid();
    let mut sum = 0.0;
    for k in 0..columns {
        sum += a[[row, k]] * x[k];
    }
    y[row] = sum;
}

/// Matrix product, one element a thread: C = A·B.
#[kernel(family = "matrix")]
pub fn matmul(
    #[domain(1..12)] inner: usize,
    #[shape(dim0, inner)]
    #[domain(-1.0..1.0)]
    a: &Array2<f32>,
    #[shape(inner, dim1)]
    #[domain(-1.0..1.0)]
    b: &Array2<f32>,
    c: &mut Array2<f32>,
) {
    let (row, column) = tid2();
    let mut sum = 0.0;
    for k in 0..inner {
        sum += a[[row, k]] * b[[k, column]];
    }
    c[[row, column]] = sum;
}

/// General matrix product of a batch, in double precision: C = alpha·A·B + beta·C for each pair in the batch.
#[kernel(family = "matrix")]
pub fn batched_gemm(
    #[domain(-2.0..2.0)] alpha: f64,
    #[domain(-1.0..1.0)] beta: f64,
    #[domain(1..8)] inner: usize,
    #[shape(dim0, dim1, inner)]
    #[domain(-1.0..1.0)]
    a: &Array3<f64>,
    #[shape(dim0, inner, dim2)]
    #[domain(-1.0..1.0)]
    b: &Array3<f64>,
    #[domain(-1.0..1.0)] c: &mut Array3<f64>,
) {
    let (batch, row, column) = tid3();
    let mut sum = 0.0;
    for k in 0..inner {
        sum += a[[batch, row, k]] * b[[batch, k, column]];
    }
    c[[batch, row, column]] = alpha * sum + beta * c[[batch, row, column]];
}

/// Transpose: B = Aᵀ.
#[kernel(family = "matrix")]
pub fn transpose_array(#[domain(-10.0..10.0)] a: &Array2<f32>, #[shape(dim1, dim0)] b: &mut Array2<f32>) {
    let (row, column) = tid2();
    b[[column, row]] = a[[row, column]];
}

/// Outer product: A = x·yᵀ.
#[kernel(family = "matrix")]
pub fn outer_product(
    #[domain(-3.0..3.0)] x: &[f32],
    #[shape(dim1)]
    #[domain(-3.0..3.0)]
    y: &[f32],
    a: &mut Array2<f32>,
) {
    let (row, column) = tid2();
    a[[row, column]] = x[row] * y[column];
}

/// Symmetric rank-1 update of a lower triangle: A = A + alpha·x·xᵀ; what lies above the diagonal stays.
#[kernel(family = "matrix")]
pub fn symmetric_rank_one_update(
    #[domain(-2.0..2.0)] alpha: f32,
    #[domain(-1.0..1.0)] x: &[f32],
    #[domain(-1.0..1.0)] a: &mut Array2<f32>,
) {
    let (row, column) = tid2();
    if column <= row {
        a[[row, column]] += alpha * x[row] * x[column];
    }
}

/// Kronecker product with the all-integer 2×2 block (p, q; r, s): each element of A becomes that block times it.
#[kernel(family = "matrix")]
pub fn kronecker_two_by_two(
    #[domain(-9..10)] block: IVec4,
    #[domain(-100..100)] a: &Array2<i32>,
    #[shape(2 * dim0, 2 * dim1)] product: &mut Array2<i32>,
) {
    let (row, column) = tid2();
    let factor = a[[row, column]];
    product[[2 * row, 2 * column]] = factor * block.x;
    product[[2 * row, 2 * column + 1]] = factor * block.y;
    product[[2 * row + 1, 2 * column]] = factor * block.z;
    product[[2 * row + 1, 2 * column + 1]] = factor * block.w;
}

/// Euclidean norm of each row of a matrix, the rows then scaled to length 1; a row of zeros stays.
#[kernel(family = "matrix")]
pub fn normalize_rows(
    #[domain(1..10)] columns: usize,
    #[shape(dim0, columns)]
    #[domain(-1.0..1.0)]
    a: &mut Array2<f32>,
    norms: &mut [f32],
) {
    let row = tid();
    let mut square_sum = 0.0;
    for k in 0..columns {
        square_sum += a[[row, k]] * a[[row, k]];
    }
    let norm = square_sum.sqrt();
    norms[row] = norm;
    if norm > 0.0 {
        for k in 0..columns {
            a[[row, k]] /= norm;
        }
    }
}

/// Frobenius norms of a batch of 3×3 matrices: the root of the sum of all squared elements.
#[kernel(family = "matrix")]
pub fn frobenius_norm(#[domain(-2.0..2.0)] matrices: &[Mat3], norms: &mut [f32]) {
    let i = tid();
    let m = matrices[i];
    let square_sum = m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared();
    norms[i] = square_sum.sqrt();
}

/// Inverses and determinants of 3×3 matrices, made invertible by adding 4 to the diagonal.
#[kernel(family = "matrix")]
pub fn invert_shifted(#[domain(-1.0..1.0)] matrices: &[Mat3], inverses: &mut [Mat3], determinants: &mut [f32]) {
    let i = tid();
    let shifted = matrices[i] + Mat3::IDENTITY * 4.0;
    inverses[i] = shifted.inverse();
    determinants[i] = shifted.determinant();
}

/// Solution of 2×2 linear systems by Cramer's rule in double precision; a system with |det| below 10⁻³ gives zero.
#[kernel(family = "matrix")]
pub fn cramer_solve(
    #[domain(-2.0..2.0)] systems: &[DMat2],
    #[domain(-1.0..1.0)] rhs: &[DVec2],
    solutions: &mut [DVec2],
) {
    let i = tid();
    let m = systems[i];
    let b = rhs[i];
    let det = m.determinant();
    if det.abs() < 1e-3 {
        solutions[i] = DVec2::ZERO;
    } else {
        solutions[i] = DVec2::new(b.perp_dot(m.y_axis), m.x_axis.perp_dot(b)) / det;
    }
}

/// Eigenvalues of 2×2 covariance matrices, the larger first: mean ± √(((xx − yy)/2)² + xy²), from the variances
/// (xx, yy) and the correlation, xy = correlation·√(xx·yy).
#[kernel(family = "matrix")]
pub fn covariance_eigenvalues(
    #[domain(0.1..4.0)] variances: &[Vec2],
    #[domain(-0.95..0.95)] correlation: &[f32],
    eigenvalues: &mut [Vec2],
) {
    let i = tid();
    let xx = variances[i].x;
    let yy = variances[i].y;
    let xy = correlation[i] * (xx * yy).sqrt();
    let mean = 0.5 * (xx + yy);
    let radius = (0.5 * (xx - yy)).hypot(xy);
    eigenvalues[i] = Vec2::new(mean + radius, mean - radius);
}

/// Points through an affine model-view matrix whose last row is set to (0, 0, 0, 1).
#[kernel(family = "matrix")]
pub fn transform_points(
    #[domain(-1.0..1.0)] model_view: Mat4,
    #[domain(-5.0..5.0)] points: &[Vec3],
    transformed: &mut [Vec3],
) {
    let i = tid();
    let mut affine = model_view;
    affine.x_axis.w = 0.0;
    affine.y_axis.w = 0.0;
    affine.z_axis.w = 0.0;
    affine.w_axis.w = 1.0;
    transformed[i] = (affine * points[i].extend(1.0)).truncate();
}

/// Perspective projection of camera-space points to normalised device coordinates; the camera looks along −z with a
/// field of view in radians from top to bottom, near plane at 0.1 and far plane at 100.
#[kernel(family = "matrix")]
pub fn perspective_project(
    #[domain(0.5..1.5)] field_of_view: f32,
    #[domain(0.5..2.0)] aspect: f32,
    #[domain(-40.0..-0.5)] points: &[Vec3],
    projected: &mut [Vec3],
) {
    let i = tid();
    let near = 0.1;
    let far = 100.0;
    let focal = 1.0 / (0.5 * field_of_view).tan();
    let projection = Mat4::from_cols(
        Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
        Vec4::new(0.0, focal, 0.0, 0.0),
        Vec4::new(0.0, 0.0, (near + far) / (near - far), -1.0),
        Vec4::new(0.0, 0.0, 2.0 * near * far / (near - far), 0.0),
    );
    let clip = projection * points[i].extend(1.0);
    projected[i] = clip.truncate() / clip.w;
}

/// Rotation matrices from axis and angle by Rodrigues' formula: R = cos·I + sin·[k]ₓ + (1 − cos)·k·kᵀ, angle in rad.
#[kernel(family = "matrix")]
pub fn rodrigues_rotation(
    #[domain(0.1..1.0)] axes: &[Vec3],
    #[domain(-3.0..3.0)] angles: &[f32],
    rotations: &mut [Mat3],
) {
    let i = tid();
    let k = axes[i].normalize();
    let cosine = angles[i].cos();
    let sine = angles[i].sin();
    let cross = Mat3::from_cols(Vec3::new(0.0, k.z, -k.y), Vec3::new(-k.z, 0.0, k.x), Vec3::new(k.y, -k.x, 0.0));
    let outer = Mat3::from_cols(k * k.x, k * k.y, k * k.z);
    rotations[i] = Mat3::IDENTITY * cosine + cross * sine + outer * (1.0 - cosine);
}

/// Polar rotation of plane deformations: the rotation nearest to F, by its angle atan2(F₁₀ − F₀₁, F₀₀ + F₁₁), and the
/// stretch S = Rᵀ·F that remains.
#[kernel(family = "matrix")]
pub fn polar_rotation(#[domain(0.2..1.5)] deformation: &[Mat2], rotation: &mut [Mat2], stretch: &mut [Mat2]) {
    let i = tid();
    let f = deformation[i];
    let angle = (f.x_axis.y - f.y_axis.x).atan2(f.x_axis.x + f.y_axis.y);
    let r = Mat2::from_cols(Vec2::new(angle.cos(), angle.sin()), Vec2::new(-angle.sin(), angle.cos()));
    rotation[i] = r;
    stretch[i] = r.transpose() * f;
}

/// Green-Lagrange strain of deformation gradients: E = (Fᵀ·F − I)/2.
#[kernel(family = "matrix")]
pub fn green_strain(#[domain(-1.0..1.0)] deformation: &[Mat3], strain: &mut [Mat3]) {
    let i = tid();
    let f = deformation[i];
    strain[i] = (f.transpose() * f - Mat3::IDENTITY) * 0.5;
}

/// One Jacobi sweep for a diagonally dominant system: x'ᵢ = (bᵢ − Σⱼ≠ᵢ aᵢⱼ·xⱼ)/aᵢᵢ, the diagonal given apart.
#[kernel(family = "matrix")]
pub fn jacobi_sweep(
    #[shape(dim0, dim0)]
    #[domain(-0.5..0.5)]
    a: &Array2<f64>,
    #[domain(4.0..8.0)] diagonal: &[f64],
    #[domain(-1.0..1.0)] b: &[f64],
    #[domain(-1.0..1.0)] x: &[f64],
    next: &mut [f64],
) {
    let row = tid();
    let mut rest = b[row];
    for column in 0..x.len() {
        if column != row {
            rest -= a[[row, column]] * x[column];
        }
    }
    next[row] = rest / diagonal[row];
}

/// Trace and determinant of 4×4 matrices in double precision, as (trace, determinant).
#[kernel(family = "matrix")]
pub fn trace_determinant(#[domain(-2.0..2.0)] matrices: &[DMat4], invariants: &mut [DVec2]) {
    let i = tid();
    let m = matrices[i];
    let mut trace = 0.0;
    for k in 0..4 {
        trace += m.col(k)[k];
    }
    invariants[i] = DVec2::new(trace, m.determinant());
}

/// Stress tensors in axes turned about z by an angle in degrees: σ' = R·σ·Rᵀ, σ in MPa, made symmetric first.
#[kernel(family = "matrix")]
pub fn rotate_stress(
    #[domain(-90.0..90.0)] degrees: f64,
    #[domain(-200.0..200.0)] stress: &[DMat3],
    rotated: &mut [DMat3],
) {
    let i = tid();
    let cosine = degrees.to_radians().cos();
    let sine = degrees.to_radians().sin();
    let axes = DMat3::from_cols(DVec3::new(cosine, -sine, 0.0), DVec3::new(sine, cosine, 0.0), DVec3::Z);
    let symmetric = (stress[i] + stress[i].transpose()) * 0.5;
    rotated[i] = axes * symmetric * axes.transpose();
}

/// Product of a matrix of signed bytes with a vector. Each row of the matrix has a scale, by which its bytes are multiplied.
#[kernel(family = "matrix")]
pub fn quantized_matvec(
    #[domain(1..16)] columns: usize,
    #[domain(-127..128)]
    #[shape(dim0, columns)]
    weights: &Array2<i8>,
    #[domain(0.002..0.02)] scales: &[f32],
    #[domain(-1.0..1.0)]
    #[shape(columns)]
    x: &[f32],
    product: &mut [f32],
) {
    let row = tid();
    let mut sum = 0.0;
    for column in 0..columns {
        sum += weights[[row, column]] as f32 * x[column];
    }
    product[row] = scales[row] * sum;
}

/// The rotation about x, then y, then z.
#[device]
fn euler_matrix(angles: Vec3) -> Mat3 {
    let about_x = Mat3::from_cols(
        Vec3::X,
        Vec3::new(0.0, angles.x.cos(), angles.x.sin()),
        Vec3::new(0.0, -angles.x.sin(), angles.x.cos()),
    );
    let about_y = Mat3::from_cols(
        Vec3::new(angles.y.cos(), 0.0, -angles.y.sin()),
        Vec3::Y,
        Vec3::new(angles.y.sin(), 0.0, angles.y.cos()),
    );
    let about_z = Mat3::from_cols(
        Vec3::new(angles.z.cos(), angles.z.sin(), 0.0),
        Vec3::new(-angles.z.sin(), angles.z.cos(), 0.0),
        Vec3::Z,
    );
    about_z * about_y * about_x
}

/// Points turned by Euler angles of their own, about the x, the y and the z axis in this order.
#[kernel(family = "matrix")]
pub fn euler_rotation(#[domain(-3.0..3.0)] angles: &[Vec3], #[domain(-1.0..1.0)] points: &mut [Vec3]) {
    let i = tid();
    points[i] = euler_matrix(angles[i]) * points[i];
}
