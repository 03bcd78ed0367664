//! Weft's CPU version beside NVIDIA Warp's CPU device and loops by hand: `cargo bench -p tests --bench cpu [ROUNDS]`.
//!
//! All do the same work on arrays of the same size, and alternate, so that other load on the machine affects all of
//! them. The fastest round of each counts. `docs/performance.md` has the goals and the results. Warp is that of the
//! judges (`scripts/install-judges.sh`); without it, the ratios to Warp are left out.

mod beside;

use beside::{BODIES, ELEMENTS, SIDE, Warp, matmul, nbody, numbers, points, saxpy, square, wave};
use kernel_rt::prelude::*;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// Next to nothing.
#[kernel]
fn touch(x: &mut [f32]) {
    let i = tid();
    x[i] = 1.0;
}

/// A kernel to measure, with the code to compare it with.
struct Case<'a> {
    name: &'static str,
    /// The operations of one launch, in millions.
    millions: f64,
    forward: Box<dyn FnMut() + 'a>,
    backward: Box<dyn FnMut() + 'a>,
    /// The same loop by hand, with rayon.
    by_hand: Option<[Box<dyn FnMut() + 'a>; 2]>,
}

/// The fastest times so far, in seconds.
#[derive(Clone, Copy)]
struct Best {
    weft: f64,
    by_hand: f64,
    warp: f64,
}

impl Case<'_> {
    fn measure(&mut self, warp: &mut Option<Warp>, rounds: usize) -> [Best; 2] {
        let mut best = [Best { weft: f64::MAX, by_hand: f64::MAX, warp: f64::MAX }; 2];
        for _ in 0..rounds {
            for (place, direction) in ["forward", "backward"].into_iter().enumerate() {
                let best = &mut best[place];
                best.weft = best.weft.min(time(if place == 0 { &mut *self.forward } else { &mut *self.backward }));
                if let Some(by_hand) = &mut self.by_hand {
                    best.by_hand = best.by_hand.min(time(&mut *by_hand[place]));
                }
                if let Some(warp) = warp {
                    best.warp = best.warp.min(warp.time(self.name, direction));
                }
            }
        }
        best
    }

    #[expect(clippy::print_stdout, reason = "that is what a benchmark is for")]
    fn report(&self, best: [Best; 2]) {
        for (direction, best) in ["forward", "backward"].into_iter().zip(best) {
            let mut line = format!("{:7}{direction:9}", self.name);
            line += &format!("{:8.2} ms {:6.0} M/s", best.weft * 1e3, self.millions / best.weft);
            if best.warp < f64::MAX {
                line += &format!(
                    "  Warp {:6.0} M/s, {:5.2} times as fast",
                    self.millions / best.warp,
                    best.warp / best.weft
                );
            }
            if best.by_hand < f64::MAX {
                line += &format!(
                    "  by hand {:6.0} M/s, {:4.2} times the time",
                    self.millions / best.by_hand,
                    best.weft / best.by_hand
                );
            }
            println!("{line}");
        }
    }
}

fn time(run: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// The number of elements in a task of the loops by hand.
const TASK: usize = 1 << 14;

fn measure_lines(warp: &mut Option<Warp>, rounds: usize) {
    let x = numbers(ELEMENTS);
    let [mut y, mut y_hand] = [numbers(ELEMENTS), numbers(ELEMENTS)];
    let [mut adj_x, mut adj_x_hand, mut adj_y] = [numbers(ELEMENTS), numbers(ELEMENTS), numbers(ELEMENTS)];
    let mut adj_a = [0.0];
    let adj_y_hand = adj_y.clone();
    let a = black_box(2.0);
    let mut case = Case {
        name: "saxpy",
        millions: ELEMENTS as f64 / 1e6,
        forward: Box::new(|| saxpy::cpu(ELEMENTS, a, &x, &mut y).expect("it runs")),
        backward: Box::new(|| {
            saxpy::cpu_backward(ELEMENTS, a, &x, &mut adj_a, &mut adj_x, &adj_y_hand).expect("it runs")
        }),
        by_hand: Some([
            Box::new(|| {
                y_hand.par_chunks_mut(TASK).zip(x.par_chunks(TASK)).for_each(|(y, x)| {
                    for (y, x) in y.iter_mut().zip(x) {
                        *y += a * x;
                    }
                });
            }),
            Box::new(|| {
                let tasks = adj_x_hand.par_chunks_mut(TASK).zip(x.par_chunks(TASK)).zip(adj_y_hand.par_chunks(TASK));
                let sums = tasks.map(|((adj_x, x), adj_y)| {
                    let mut sums = [0.0; 64];
                    let groups = adj_x.chunks_exact_mut(64).zip(x.chunks_exact(64)).zip(adj_y.chunks_exact(64));
                    for ((adj_x, x), adj_y) in groups {
                        for k in 0..64 {
                            adj_x[k] += a * adj_y[k];
                            sums[k] += x[k] * adj_y[k];
                        }
                    }
                    sums.iter().sum::<f32>()
                });
                black_box(sums.sum::<f32>());
            }),
        ]),
    };
    let best = case.measure(warp, rounds);
    case.report(best);
    drop(case);

    let mut adj_out = adj_y_hand.clone();
    let mut case = Case {
        name: "wave",
        millions: ELEMENTS as f64 / 1e6,
        forward: Box::new(|| wave::cpu(ELEMENTS, &x, &mut y).expect("it runs")),
        backward: Box::new(|| wave::cpu_backward(ELEMENTS, &x, &mut adj_x, &mut adj_y).expect("it runs")),
        by_hand: Some([
            Box::new(|| {
                y_hand.par_chunks_mut(TASK).zip(x.par_chunks(TASK)).for_each(|(y, x)| {
                    for (y, &v) in y.iter_mut().zip(x) {
                        *y = v.sin() * (-v * v).exp() + (1.0 + v * v).sqrt();
                    }
                });
            }),
            Box::new(|| {
                let tasks = adj_x_hand.par_chunks_mut(TASK).zip(x.par_chunks(TASK)).zip(adj_out.par_chunks_mut(TASK));
                tasks.for_each(|((adj_x, x), adj_out)| {
                    for ((adj_x, &v), adj_out) in adj_x.iter_mut().zip(x).zip(adj_out) {
                        let e = (-v * v).exp();
                        let slope = v.cos() * e - 2.0 * v * v.sin() * e + v / (1.0 + v * v).sqrt();
                        *adj_x += *adj_out * slope;
                        *adj_out = 0.0;
                    }
                });
            }),
        ]),
    };
    let best = case.measure(warp, rounds);
    case.report(best);
}

fn measure_nbody(warp: &mut Option<Warp>, rounds: usize) {
    let (at, mass) = (points(BODIES), numbers(BODIES));
    let mut pull = at.clone();
    let (mut adj_at, mut adj_mass, mut adj_pull) = (at.clone(), mass.clone(), at.clone());
    let mut adj_softening = [0.0];
    let softening = black_box(0.01);
    let mut case = Case {
        name: "nbody",
        millions: (BODIES * BODIES) as f64 / 1e6,
        forward: Box::new(|| nbody::cpu(BODIES, softening, &at, &mass, &mut pull).expect("it runs")),
        backward: Box::new(|| {
            // A launch of the adjoint consumes the adjoint of its output.
            adj_pull.copy_from_slice(&at);
            nbody::cpu_backward(
                BODIES,
                softening,
                &at,
                &mass,
                &mut adj_softening,
                &mut adj_at,
                &mut adj_mass,
                &mut adj_pull,
            )
            .expect("it runs");
        }),
        by_hand: None,
    };
    let best = case.measure(warp, rounds);
    case.report(best);
}

fn measure_matmul(warp: &mut Option<Warp>, rounds: usize) {
    let (a, b) = (square(), square());
    let (mut c, mut adj_a, mut adj_b, mut adj_c) = (square(), square(), square(), square());
    let mut case = Case {
        name: "matmul",
        millions: (SIDE * SIDE * SIDE) as f64 / 1e6,
        forward: Box::new(|| matmul::cpu([SIDE, SIDE], &a, &b, &mut c).expect("it runs")),
        backward: Box::new(|| {
            adj_c.as_mut_slice().copy_from_slice(a.as_slice());
            matmul::cpu_backward([SIDE, SIDE], &a, &b, &mut adj_a, &mut adj_b, &mut adj_c).expect("it runs");
        }),
        by_hand: None,
    };
    let best = case.measure(warp, rounds);
    case.report(best);
}

/// The cost of a launch that does next to nothing.
#[expect(clippy::print_stdout, reason = "that is what a benchmark is for")]
fn measure_overhead(warp: &mut Option<Warp>) {
    const LAUNCHES: u32 = 1000;
    let mut x = [0.0];
    let device = Device::cpu();
    let on_device = device.zeros::<f32>(1).expect("there is memory");
    let (mut slices, mut arrays, mut by_warp) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..20 {
        let each = |run: &mut dyn FnMut()| time(&mut || (0..LAUNCHES).for_each(|_| run())) / f64::from(LAUNCHES);
        slices = slices.min(each(&mut || touch::cpu(1, black_box(&mut x)).expect("it runs")));
        arrays = arrays.min(each(&mut || touch::launch(&device, 1, (black_box(&on_device),)).expect("it runs")));
        if let Some(warp) = warp {
            by_warp = by_warp.min((0..50).map(|_| warp.time("touch", "forward")).fold(f64::MAX, f64::min));
        }
    }
    print!("a launch: {:.0} ns on slices, {:.0} ns on a device", slices * 1e9, arrays * 1e9);
    println!("{}", if by_warp < f64::MAX { format!("; {:.0} ns by Warp", by_warp * 1e9) } else { String::new() });
}

#[expect(clippy::print_stdout, reason = "that is what a benchmark is for")]
fn main() {
    // Cargo passes `--bench`.
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(15);
    let mut warp = Warp::open("cpu");
    match &warp {
        Some(warp) => println!("{}; {} cores, best of {rounds} rounds", warp.version, rayon::current_num_threads()),
        None => println!("SKIPPED: no Warp; `scripts/install-judges.sh` installs it"),
    }
    measure_overhead(&mut warp);
    measure_lines(&mut warp, rounds);
    measure_nbody(&mut warp, rounds);
    measure_matmul(&mut warp, rounds);
}
