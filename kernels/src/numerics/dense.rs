//! Dense linear algebra, for several types.

use kernel_rt::prelude::*;

/// D = α·A·B + β·C for matrices of any size, as in BLAS: each thread computes a tile of 4 × 4 elements in local arrays, so that it
/// reads each element of A and B once for four products. Tiles at the edges are smaller. `largest` is that of the absolute
/// values in each tile, for scales.
#[kernel(family = "matrix", no_grad, instances(f32, f64))]
pub fn tiled_product<T: Float>(
    #[domain(-1.0..1.0)] alpha: T,
    #[domain(-1.0..1.0)] beta: T,
    #[domain(1..12)] inner: usize,
    #[shape(3 * dim0, inner)]
    #[domain(-1.0..1.0)]
    a: &Array2<T>,
    #[shape(inner, 3 * dim1)]
    #[domain(-1.0..1.0)]
    b: &Array2<T>,
    #[shape(3 * dim0, 3 * dim1)]
    #[domain(-1.0..1.0)]
    c: &Array2<T>,
    #[shape(3 * dim0, 3 * dim1)] d: &mut Array2<T>,
    largest: &mut Array2<T>,
) {
    const TILE: usize = 4;
    let (tile_row, tile_column) = tid2();
    let first_row = TILE * tile_row;
    let first_column = TILE * tile_column;
    if first_row >= d.shape()[0] || first_column >= d.shape()[1] {
        return;
    }
    let rows = (d.shape()[0] - first_row).min(TILE);
    let columns = (d.shape()[1] - first_column).min(TILE);
    let mut most = T::ZERO;
    let mut sums = [T::ZERO; 16];
    let mut left = [T::ZERO; 4];
    let mut right = [T::ZERO; 4];
    for k in 0..inner {
        for i in 0..rows {
            left[i] = a[[first_row + i, k]];
        }
        for j in 0..columns {
            right[j] = b[[k, first_column + j]];
        }
        for i in 0..TILE {
            for j in 0..TILE {
                sums[TILE * i + j] += left[i] * right[j];
            }
        }
    }
    for i in 0..rows {
        for j in 0..columns {
            let (row, column) = (first_row + i, first_column + j);
            let value = alpha * sums[TILE * i + j] + beta * c[[row, column]];
            d[[row, column]] = value;
            most = most.max(value.abs());
        }
    }
    largest[[tile_row, tile_column]] = most;
}

/// Solutions of symmetric, positive definite systems A·x = b, one a thread: the factor of Cholesky, A = L·Lᵀ, in a local array,
/// then two substitutions. A is MᵀM + 1. `log_determinant` is that of A; `half_energy` is ½·bᵀ·x.
#[kernel(family = "matrix", instances(f32, f64))]
pub fn cholesky_solve<T: Float>(
    #[shape(dim0, 4, 4)]
    #[domain(-1.0..1.0)]
    factor: &Array3<T>,
    #[shape(dim0, 4)]
    #[domain(-1.0..1.0)]
    right: &Array2<T>,
    #[shape(dim0, 4)] solution: &mut Array2<T>,
    log_determinant: &mut [T],
    half_energy: &mut [T],
) {
    const N: usize = 4;
    let i = tid();
    let mut matrix = [T::ZERO; 16];
    for r in 0..N {
        for c in 0..N {
            let mut sum = if r == c { T::ONE } else { T::ZERO };
            for k in 0..N {
                sum += factor[[i, k, r]] * factor[[i, k, c]];
            }
            matrix[N * r + c] = sum;
        }
    }
    // The lower triangle, column by column; the diagonal holds reciprocals.
    let mut lower = [T::ZERO; 16];
    let mut log_sum = T::ZERO;
    for c in 0..N {
        let mut pivot = matrix[N * c + c];
        for k in 0..c {
            pivot -= lower[N * c + k] * lower[N * c + k];
        }
        log_sum += pivot.ln();
        lower[N * c + c] = pivot.sqrt().recip();
        for r in c + 1..N {
            let mut sum = matrix[N * r + c];
            for k in 0..c {
                sum -= lower[N * r + k] * lower[N * c + k];
            }
            lower[N * r + c] = sum * lower[N * c + c];
        }
    }
    let mut x = [T::ZERO; 4];
    for r in 0..N {
        let mut sum = right[[i, r]];
        for k in 0..r {
            sum -= lower[N * r + k] * x[k];
        }
        x[r] = sum * lower[N * r + r];
    }
    for r in (0..N).rev() {
        let mut sum = x[r];
        for k in r + 1..N {
            sum -= lower[N * k + r] * x[k];
        }
        x[r] = sum * lower[N * r + r];
        solution[[i, r]] = x[r];
    }
    log_determinant[i] = log_sum;
    let mut energy = T::ZERO;
    for r in 0..N {
        energy += T::lit(0.5) * right[[i, r]] * x[r];
    }
    half_energy[i] = energy;
}
