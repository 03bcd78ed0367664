//! Statements that read an array beside the element of it that they change compile, and keep Rust's order.

use kernel_rt::prelude::*;

/// The last element for the first thread, and so on.
#[kernel]
fn from_the_end(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[y.len() - 1 - i] = x[i];
}

/// Numbers and vectors times the length.
#[kernel]
fn times_length(y: &mut [f32], v: &mut [Vec3], m: &mut [Mat2]) {
    let i = tid();
    y[i] *= y.len() as f32;
    v[i] *= v.len() as f32;
    v[i].x += v.len() as f32;
    v[i][1] -= v[i][2] + v.len() as f32;
    m[i].x_axis *= m[i].y_axis.x;
}

/// Every thread has an element of its own, so the array is a view.
#[kernel]
fn grow(v: &mut [Vec3]) {
    let i = tid();
    v[i] *= v.len() as f32;
}

/// A vector and a matrix by itself.
#[kernel]
fn squared(v: &mut [Vec3], #[shape(dim0, 2)] w: &mut Array2<Vec3>) {
    let i = tid();
    v[v.len() - 1 - i] += v[v.len() - 1 - i] * 2.0;
    w[[i, 0]] -= w[[i, 1]] * 0.5;
}

/// Columns by a number that is known at run time, and parts of elements by others of the same array.
#[kernel]
fn sheared(k: usize, m: &mut [Mat3], p: &mut [Vec3]) {
    let i = tid();
    *m[i].col_mut(k) += m[i].col(1 - k) * 2.0;
    m[i].col_mut(k)[2] *= m[i].x_axis.x;
    p[i].x += p[i].y * 0.5;
    p[i] -= p[i].cross(Vec3::ONE) * p[i].z;
}

/// The last column of each row.
#[kernel]
fn last_column(#[shape(dim0, 3)] w: &mut Array2<f32>) {
    let i = tid();
    w[[i, w.shape()[1] - 1]] = 1.0;
}

/// Atomic updates at an index by the length.
#[kernel]
fn count_last(#[shape(4)] counts: &mut [u32]) {
    let i = tid();
    atomic_add(&mut counts[counts.len() - 1 - i % 2], 1);
}

/// Threads that go through the loop in step.
#[kernel]
fn sum_up(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += x[k] * x[i];
    }
    y[i] += sum * y.len() as f32;
}

/// Fails at the element if it is not there, and else at the division.
#[kernel(no_grad)]
fn fails(k: usize, d: u32, v: &mut [UVec2]) {
    let i = tid();
    v[i + k] /= v[0].x / d;
}

#[test]
fn updates_of_own_elements_run_on_all_cores() {
    for info in [times_length::INFO, grow::INFO, squared::INFO, sheared::INFO] {
        assert!(info.execution.starts_with("all cores"), "{}: {}", info.name, info.execution);
    }
    let (mut m, mut p) = ([Mat3::IDENTITY], [Vec3::new(1.0, 2.0, 3.0)]);
    sheared::cpu(1, 0, &mut m, &mut p).unwrap();
    assert_eq!(m[0].x_axis, Vec3::new(1.0, 2.0, 0.0));
    let moved = Vec3::new(2.0, 2.0, 3.0);
    assert_eq!(p[0], moved - moved.cross(Vec3::ONE) * 3.0);
}

#[test]
fn an_index_may_read_the_array() {
    let mut y = [0.0; 3];
    from_the_end::cpu(3, &[1.0, 2.0, 3.0], &mut y).unwrap();
    assert_eq!(y, [3.0, 2.0, 1.0]);
    let mut counts = [0; 4];
    count_last::cpu(5, &mut counts).unwrap();
    assert_eq!(counts, [0, 0, 2, 3]);
    let mut w = Array2::zeros([2, 3]);
    last_column::cpu(2, &mut w).unwrap();
    assert_eq!(w.as_slice(), [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_right_hand_side_may_read_the_array() {
    let (mut y, mut v) = ([1.0, 2.0], [Vec3::ONE, Vec3::X]);
    let mut m = [Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]), Mat2::IDENTITY];
    times_length::cpu(2, &mut y, &mut v, &mut m).unwrap();
    assert_eq!((y, v), ([2.0, 4.0], [Vec3::new(4.0, -2.0, 2.0), Vec3::new(4.0, -2.0, 0.0)]));
    assert_eq!(m[0], Mat2::from_cols_array(&[3.0, 6.0, 3.0, 4.0]));

    grow::cpu(2, &mut v).unwrap();
    assert_eq!(v, [Vec3::new(8.0, -4.0, 4.0), Vec3::new(8.0, -4.0, 0.0)]);
    let info =
        kernel_rt::registered_kernels().into_iter().find(|kernel| kernel.name == "grow").expect("it is registered");
    assert!(info.execution.starts_with("all cores; each thread has its own elements of `v`"), "{}", info.execution);

    let (mut v, mut w) = ([Vec3::X, Vec3::Y], Array2::zeros([2, 2]));
    w[[1, 1]] = Vec3::Z;
    squared::cpu(2, &mut v, &mut w).unwrap();
    assert_eq!((v, w[[1, 0]]), ([Vec3::X * 3.0, Vec3::Y * 3.0], Vec3::Z * -0.5));

    let mut y = vec![1.0; 128];
    sum_up::cpu(128, &[1.0; 128], &mut y).unwrap();
    assert_eq!(y, vec![1.0 + 128.0 * 128.0; 128]);
}

#[test]
fn the_element_is_found_before_the_right_hand_side_is_computed() {
    let message = |k, d| fails::cpu(1, k, d, &mut [UVec2::ONE]).unwrap_err().to_string();
    assert!(message(1, 0).contains("index out of bounds"), "{}", message(1, 0));
    assert!(message(0, 0).contains("attempt to divide by zero"), "{}", message(0, 0));
}
