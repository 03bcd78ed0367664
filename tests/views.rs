//! Rows, ranges, local arrays and variables as arguments of device functions, through every stage.

use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_ir::ir::Type;
use kernel_rt::KernelInfo;
use kernel_rt::prelude::*;
use kernel_rt::registered_kernels;
use tests::as_data;

/// The largest number of a row.
#[device]
fn largest(x: &[f32]) -> f32 {
    let mut most = x[0];
    for k in 1..x.len() {
        most = most.max(x[k]);
    }
    most
}

/// The sum of exp(x - shift).
#[device]
fn sum_of_exponentials(x: &[f32], shift: f32) -> f32 {
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += (x[k] - shift).exp();
    }
    sum
}

/// The softmax of rows.
#[kernel(family = "test")]
fn softmax_by_rows(
    #[shape(dim0, 5)]
    #[domain(-2.0..2.0)]
    x: &Array2<f32>,
    #[shape(dim0, 5)] y: &mut Array2<f32>,
) {
    let i = tid();
    let row = x.row(i);
    let most = largest(row);
    let sum = sum_of_exponentials(x.row(i), most);
    for k in 0..row.len() {
        y[[i, k]] = (row[k] - most).exp() / sum;
    }
}

/// The dot product of the entries of a sparse row with a vector.
#[device]
fn sparse_dot(values: &[f32], columns: &[u32], x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for k in 0..values.len() {
        sum += values[k] * x[columns[k] as usize];
    }
    sum
}

/// A sparse matrix times a vector, by ranges of its entries.
#[kernel(family = "test")]
fn sparse_by_ranges(
    #[shape(dim0 + 1)]
    #[domain(0..=3 * dim0, offsets)]
    starts: &[u32],
    #[shape(3 * dim0)]
    #[domain(0..dim0)]
    columns: &[u32],
    #[shape(3 * dim0)]
    #[domain(-1.0..1.0)]
    values: &[f32],
    #[domain(-1.0..1.0)] x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let (start, end) = (starts[i] as usize, starts[i + 1] as usize);
    y[i] = sparse_dot(&values[start..end], &columns[start..end], x);
}

/// Divides a row by its length, into another one.
#[device]
fn to_length_one(x: &[f32], y: &mut [f32]) {
    let mut squares = 0.25;
    for k in 0..x.len() {
        squares += x[k] * x[k];
    }
    let length = squares.sqrt();
    for k in 0..y.len() {
        y[k] = x[k] / length;
    }
}

/// Rows of length one.
#[kernel(family = "test")]
fn rows_of_length_one(
    #[shape(dim0, 6)]
    #[domain(-1.0..1.0)]
    x: &Array2<f32>,
    #[shape(dim0, 6)] y: &mut Array2<f32>,
) {
    let i = tid();
    to_length_one(x.row(i), y.row_mut(i));
}

/// Divides numbers by their sum, in place.
#[device]
fn to_sum_one(x: &mut [f32]) {
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += x[k];
    }
    for k in 0..x.len() {
        x[k] /= sum;
    }
}

/// Halves of rows that are changed in place, by parts that have names and by functions.
#[kernel(family = "test", no_grad)]
fn halves_in_place(
    #[shape(dim0, 8)]
    #[domain(0.5..1.0)]
    m: &mut Array2<f32>,
    #[shape(2 * dim0)]
    #[domain(0.5..1.0)]
    pairs: &mut [f32],
) {
    let i = tid();
    to_sum_one(&mut m.row_mut(i)[..4]);
    let right = &mut m.row_mut(i)[4..];
    right[0] += right[3];
    to_sum_one(&mut right[1..]);
    right[1] *= right.len() as f32;
    to_sum_one(&mut pairs[2 * i..=2 * i + 1]);
}

/// Windows of a row: ranges of ranges, and functions that pass parts of theirs on.
#[device]
fn wave(x: &[f64]) -> f64 {
    rise(&x[1..], x[0]) * rise(&x[..x.len() - 1], x[x.len() - 1])
}

#[device]
fn rise(x: &[f64], from: f64) -> f64 {
    let mut most = from;
    let mut k = 0;
    while k < x.len() && squared(x, k) < 0.8 {
        most += x[k] * x[k];
        k += 1;
    }
    most
}

#[device]
fn squared(x: &[f64], k: usize) -> f64 {
    x[k] * x[k]
}

#[kernel(family = "test")]
fn waves_in_windows(
    #[shape(dim0, dim1 + 6, 2)]
    #[domain(-1.0..1.0)]
    x: &Array3<f64>,
    #[shape(dim0 * dim1 + 8)]
    #[domain(-1.0..1.0)]
    line: &[f64],
    y: &mut Array2<f64>,
) {
    let (i, j) = tid2();
    let window = &line[i * y.shape()[1] + j..][..7];
    y[[i, j]] = wave(&window[2..6]) + rise(x.row(i, j), 0.5) + window[window.len() - 1] * wave(&window[..3]);
}

/// Sorts numbers by insertion, and their places with them.
#[device]
fn sort(numbers: &mut [f32; 6], places: &mut [usize]) {
    for i in 1..numbers.len() {
        let mut j = i;
        while j > 0 && numbers[j - 1] > numbers[j] {
            (numbers[j - 1], numbers[j]) = (numbers[j], numbers[j - 1]);
            (places[j - 1], places[j]) = (places[j], places[j - 1]);
            j -= 1;
        }
    }
}

/// The mean of numbers.
#[device]
fn mean(numbers: &[f32]) -> f32 {
    let mut sum = 0.0;
    for k in 0..numbers.len() {
        sum += numbers[k];
    }
    sum / numbers.len() as f32
}

/// The mean without the extremes, and the place of the largest number.
#[kernel(family = "test")]
fn trimmed_means(
    #[shape(dim0, 6)]
    #[domain(-1.0..1.0)]
    x: &Array2<f32>,
    y: &mut [f32],
    place: &mut [u32],
) {
    let i = tid();
    let mut numbers = [0.0f32; 6];
    for k in 0..numbers.len() {
        numbers[k] = x[[i, k]];
    }
    let mut places = [0usize, 1, 2, 3, 4, 5];
    sort(&mut numbers, &mut places);
    y[i] = mean(&numbers[1..5]) + 0.125 * mean(&numbers);
    place[i] = places[5] as u32;
}

/// The roots of x² + 2bx + c, if they are real.
#[device]
fn quadratic(b: f32, c: f32, low: &mut f32, high: &mut f32) -> bool {
    let discriminant = b * b - c;
    if discriminant < 0.01 {
        return false;
    }
    let root = discriminant.sqrt();
    *low = -b - root;
    *high = -b;
    *high += root;
    true
}

/// The distances at which a ray meets a sphere, in variables and in elements.
#[kernel(family = "test")]
fn ray_and_sphere(
    #[domain(-2.0..2.0)] b: &[f32],
    #[domain(-1.0..2.0)] c: &[f32],
    near: &mut [f32],
    far: &mut [f32],
    path: &mut [f32],
) {
    let i = tid();
    let (mut low, mut high) = (0.0, 0.25);
    let meets = quadratic(b[i], c[i], &mut low, &mut high);
    near[i] = 0.5;
    far[i] = 0.5;
    if !quadratic(low, high, &mut low, &mut high) && meets {
        quadratic(b[i], c[i], &mut near[i], &mut far[i]);
    }
    path[i] = high - low * b[i];
}

/// The Cholesky factor of a symmetric matrix of nine numbers, in place.
#[device]
fn cholesky(a: &mut [f32; 9]) {
    for j in 0..3 {
        for k in 0..j {
            a[3 * j + j] -= a[3 * j + k] * a[3 * j + k];
        }
        a[3 * j + j] = a[3 * j + j].sqrt();
        for i in j + 1..3 {
            for k in 0..j {
                a[3 * i + j] -= a[3 * i + k] * a[3 * j + k];
            }
            a[3 * i + j] /= a[3 * j + j];
        }
    }
}

/// The solution of a triangular system, and of that with the transpose.
#[device]
fn solve_factored(l: &[f32; 9], x: &mut [f32; 3]) {
    for i in 0..3 {
        for k in 0..i {
            x[i] -= l[3 * i + k] * x[k];
        }
        x[i] /= l[3 * i + i];
    }
    for i in (0..3).rev() {
        for k in i + 1..3 {
            x[i] -= l[3 * k + i] * x[k];
        }
        x[i] /= l[3 * i + i];
    }
}

/// Solves small systems with a positive definite matrix.
#[kernel(family = "test")]
fn small_systems(
    #[shape(dim0, 6)]
    #[domain(-0.5..0.5)]
    entries: &Array2<f32>,
    #[domain(-1.0..1.0)] b: &[Vec3],
    x: &mut [Vec3],
) {
    let i = tid();
    let e = entries.row(i);
    let mut a = [2.0 + e[0], e[1], e[2], e[1], 2.0 + e[3], e[4], e[2], e[4], 2.0 + e[5]];
    let mut v = [b[i].x, b[i].y, b[i].z];
    cholesky(&mut a);
    solve_factored(&a, &mut v);
    x[i] = Vec3::new(v[0], v[1], v[2]);
}

/// A body.
#[device]
#[derive(Clone, Copy)]
struct Ball {
    at: Vec3,
    speed: Vec3,
    bounces: u32,
}

/// Moves a ball, and turns it at the ground. Returns whether it met the ground.
#[device]
fn step(ball: &mut Ball, seconds: f32) -> bool {
    fall(&mut *ball, seconds);
    ball.at += ball.speed * seconds;
    if ball.at.y >= 0.0 {
        return false;
    }
    ball.at.y *= -1.0;
    ball.speed = Vec3::new(ball.speed.x, -0.5 * ball.speed.y, ball.speed.z);
    ball.bounces += 1;
    true
}

#[device]
fn fall(ball: &mut Ball, seconds: f32) {
    ball.speed.y -= 9.81 * seconds;
}

/// Balls, in an array and in a variable.
#[kernel(family = "test")]
fn bouncing_balls(
    #[domain(-1.0..1.0)] seconds: f32,
    #[domain(-1.0..1.0)] balls: &[Ball],
    #[domain(-1.0..1.0)] moved: &mut [Ball],
) {
    let i = tid();
    let mut ball = balls[i];
    let mut met = 0;
    for _ in 0..3 {
        if step(&mut ball, seconds * 0.1) {
            met += 1;
        }
    }
    moved[i] = ball;
    moved[i].bounces += met;
    step(&mut moved[i], seconds);
}

/// Reads what lies behind a part of an array, or makes a part that the array does not have.
#[kernel(family = "test_parts", no_grad)]
fn beyond(x: &[f32], #[domain(9..10)] place: &[u32], #[domain(1..2)] end: &[u32], y: &mut [f32]) {
    let i = tid();
    let part = &x[1..end[i] as usize];
    if place[i] < 9 {
        y[i] = part[place[i] as usize];
    }
}

fn info(name: &str) -> &'static KernelInfo {
    registered_kernels().into_iter().find(|info| info.name == name).unwrap_or_else(|| panic!("`{name}` is registered"))
}

/// Where an index is beyond a part, the array has another element, which no path reads.
#[test]
fn an_index_beyond_a_part_is_an_error() {
    let x = [1.0, 2.0, 3.0, 4.0];
    let mut y = [0.0; 2];
    beyond::cpu(2, &x, &[0, 1], &[3, 3], &mut y).unwrap();
    assert_eq!(y, [2.0, 3.0]);
    let cases = [
        (
            [0, 2],
            [3, 3],
            "index out of bounds: the index is 2, but it must be below 2",
            "the len is 2 but the index is 2",
        ),
        (
            [0, 9],
            [3, 5],
            "index out of bounds: the index is 5, but it must be below 5",
            "range end index 5 out of range",
        ),
        (
            [0, 9],
            [3, 0],
            "index out of bounds: the index is 1, but it must be below 1",
            "slice index starts at 1 but ends at 0",
        ),
    ];
    for (place, end, of_interpreter, of_cpu) in cases {
        let found = beyond::cpu(2, &x, &place, &end, &mut y).unwrap_err().to_string();
        assert!(found.contains(of_cpu) && found.contains("thread [1]"), "{found}");
        let u32s = |values: [u32; 2]| Arg { ty: Type::U32, shape: vec![2], data: Data::U32(values.to_vec()) };
        let x = Arg { ty: Type::F32, shape: vec![4], data: Data::F32(x.to_vec()) };
        let mut args = [x, u32s(place), u32s(end), Arg::zeros(Type::F32, &[2])];
        let fault = interp::run(&as_data(info("beyond")), &[2], &mut args).unwrap_err();
        assert_eq!((fault.message.as_str(), fault.thread), (of_interpreter, vec![1]));
    }
}

#[test]
fn parts_of_arrays_that_nobody_writes_keep_all_cores() {
    for name in
        ["softmax_by_rows", "sparse_by_ranges", "trimmed_means", "ray_and_sphere", "small_systems", "bouncing_balls"]
    {
        assert!(info(name).execution.starts_with("all cores"), "{name}: {}", info(name).execution);
    }
    for name in ["rows_of_length_one", "halves_in_place"] {
        assert!(info(name).execution.starts_with("one core"), "{name}: {}", info(name).execution);
    }
}

#[test]
fn functions_over_parts_give_what_plain_code_gives() {
    let x = Array2::from_vec([2, 5], vec![0.5, 1.0, -1.0, 0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0]).unwrap();
    let mut y = Array2::zeros([2, 5]);
    softmax_by_rows::cpu(2, &x, &mut y).unwrap();
    assert_eq!(y.row(1), [0.2; 5]);
    assert!((y.row(0).iter().sum::<f32>() - 1.0).abs() < 1e-6);

    let rows = Array2::from_vec([1, 6], vec![3.0, -1.0, 2.0, 7.0, 0.0, 5.0]).unwrap();
    let (mut means, mut place) = ([0.0], [0]);
    trimmed_means::cpu(1, &rows, &mut means, &mut place).unwrap();
    assert_eq!((means, place), ([2.5 + 0.125 * (16.0 / 6.0)], [3]));

    let entries = Array2::zeros([1, 6]);
    let mut solution = [Vec3::ZERO];
    small_systems::cpu(1, &entries, &[Vec3::new(2.0, -4.0, 1.0)], &mut solution).unwrap();
    assert!((solution[0] - Vec3::new(1.0, -2.0, 0.5)).length() < 1e-5);
}
