//! The cost of an adjoint: `cargo bench -p tests --bench adjoint`.
//!
//! Goals: the adjoint of a kernel with nothing to record takes at most 3 times as long as the kernel, and that of
//! `saxpy` takes at most 10 % longer than a loop written by hand. The ratios are printed first. Both sides of a ratio
//! alternate, so that other load on the machine affects both.
//!
//! `saxpy` has a gradient with respect to a by-value parameter, which is a sum over all threads. The loop by hand adds
//! one term after the other; the CPU version keeps many partial sums (`kernel_ir::analysis::Execution`).

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use kernel_rt::prelude::*;
use std::time::{Duration, Instant};

const LEN: usize = 1 << 16;
/// The number of rounds of a ratio. The fastest counts.
const ROUNDS: usize = 200;

/// y = a·x + y.
#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}

/// out = x·y.
#[kernel]
fn product(x: &[f32], y: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = x[i] * y[i];
}

/// out = sin(x)·exp(−x²) + √(1 + x²): straight-line code, nothing to record.
#[kernel]
fn wave(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let v = x[i];
    out[i] = v.sin() * (-v * v).exp() + (1.0 + v * v).sqrt();
}

/// out = ∑ 1 / (1 + (x − j)²) over a window: a linear accumulation, nothing to record.
#[kernel]
fn window(n: i32, x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut sum = 0.0;
    for j in 0..n {
        let d = x[i] - j as f32;
        sum += 1.0 / (1.0 + d * d);
    }
    out[i] = sum;
}

/// The adjoint of `saxpy` by hand.
fn saxpy_backward_by_hand(a: f32, x: &[f32], adj_a: &mut f32, adj_x: &mut [f32], adj_y: &[f32]) {
    for i in 0..x.len() {
        adj_x[i] += a * adj_y[i];
        *adj_a += x[i] * adj_y[i];
    }
}

type Run = fn(&mut Arrays);

/// The arguments of all kernels here.
struct Arrays {
    x: Vec<f32>,
    y: Vec<f32>,
    out: Vec<f32>,
    adj_a: [f32; 1],
    adj_x: Vec<f32>,
    adj_y: Vec<f32>,
    adj_out: Vec<f32>,
}

impl Arrays {
    fn new() -> Arrays {
        let x: Vec<f32> = (0..LEN).map(|i| (i % 97) as f32 * 0.01).collect();
        let zeros = || vec![0.0; LEN];
        let y = x.clone();
        Arrays { x, y, out: zeros(), adj_a: [0.0], adj_x: zeros(), adj_y: zeros(), adj_out: vec![1.0; LEN] }
    }

    fn saxpy(&mut self) {
        saxpy::cpu(LEN, black_box(2.0), &self.x, &mut self.out).unwrap();
    }

    fn saxpy_backward(&mut self) {
        let Arrays { x, adj_a, adj_x, adj_out, .. } = self;
        saxpy::cpu_backward(LEN, black_box(2.0), x, adj_a, adj_x, adj_out).unwrap();
    }

    fn saxpy_backward_by_hand(&mut self) {
        let Arrays { x, adj_a: [adj_a], adj_x, adj_out, .. } = self;
        saxpy_backward_by_hand(black_box(2.0), x, adj_a, adj_x, adj_out);
    }

    fn product(&mut self) {
        product::cpu(LEN, &self.x, &self.y, &mut self.out).unwrap();
    }

    fn product_backward(&mut self) {
        let Arrays { x, y, adj_x, adj_y, adj_out, .. } = self;
        product::cpu_backward(LEN, x, y, adj_x, adj_y, adj_out).unwrap();
    }

    fn wave(&mut self) {
        wave::cpu(LEN, &self.x, &mut self.out).unwrap();
    }

    fn wave_backward(&mut self) {
        wave::cpu_backward(LEN, &self.x, &mut self.adj_x, &mut self.adj_out).unwrap();
    }

    fn window(&mut self) {
        window::cpu(LEN, black_box(16), &self.x, &mut self.out).unwrap();
    }

    fn window_backward(&mut self) {
        window::cpu_backward(LEN, black_box(16), &self.x, &mut self.adj_x, &mut self.adj_out).unwrap();
    }
}

/// The time of `one` divided by that of `other`.
fn ratio(arrays: &mut Arrays, one: Run, other: Run) -> f64 {
    let mut time = |run: Run| {
        let start = Instant::now();
        run(arrays);
        start.elapsed()
    };
    let (mut fastest_one, mut fastest_other) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        fastest_one = fastest_one.min(time(one));
        fastest_other = fastest_other.min(time(other));
    }
    fastest_one.as_secs_f64() / fastest_other.as_secs_f64()
}

#[expect(clippy::print_stdout, reason = "that is what a benchmark is for")]
fn main() {
    let mut arrays = Arrays::new();
    let by_hand = ratio(&mut arrays, Arrays::saxpy_backward, Arrays::saxpy_backward_by_hand);
    println!("saxpy: backward takes {by_hand:.2} times a loop by hand (goal: at most 1.1)");
    let forward = ratio(&mut arrays, Arrays::saxpy_backward, Arrays::saxpy);
    println!("saxpy: backward takes {forward:.2} times forward (goal: at most 3)");
    let kernels: [(_, Run, Run); 3] = [
        ("product", Arrays::product_backward, Arrays::product),
        ("wave", Arrays::wave_backward, Arrays::wave),
        ("window", Arrays::window_backward, Arrays::window),
    ];
    for (name, backward, forward) in kernels {
        let ratio = ratio(&mut arrays, backward, forward);
        println!("{name}: backward takes {ratio:.2} times forward (goal: at most 3)");
    }
    divan::main();
}

fn bench(bencher: Bencher, run: Run) {
    let mut arrays = Arrays::new();
    bencher.counter(ItemsCount::new(LEN)).bench_local(|| run(&mut arrays));
}

#[divan::bench]
fn saxpy_forward(bencher: Bencher) {
    bench(bencher, Arrays::saxpy);
}

#[divan::bench]
fn saxpy_backward(bencher: Bencher) {
    bench(bencher, Arrays::saxpy_backward);
}

#[divan::bench]
fn saxpy_by_hand(bencher: Bencher) {
    bench(bencher, Arrays::saxpy_backward_by_hand);
}

#[divan::bench]
fn product_forward(bencher: Bencher) {
    bench(bencher, Arrays::product);
}

#[divan::bench]
fn product_backward(bencher: Bencher) {
    bench(bencher, Arrays::product_backward);
}

#[divan::bench]
fn wave_forward(bencher: Bencher) {
    bench(bencher, Arrays::wave);
}

#[divan::bench]
fn wave_backward(bencher: Bencher) {
    bench(bencher, Arrays::wave_backward);
}

#[divan::bench]
fn window_forward(bencher: Bencher) {
    bench(bencher, Arrays::window);
}

#[divan::bench]
fn window_backward(bencher: Bencher) {
    bench(bencher, Arrays::window_backward);
}
