//! Random sequences of launches over a few arrays, in place or not, compared with central differences.

use super::*;
use kernel_rt::Launcher;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The number of sequences.
const SEQUENCES: u64 = 300;
const ARRAYS: usize = 4;
const LEN: usize = 3;

/// x = 0.5·x·(y + x), in place, in x alone.
#[kernel]
fn mix(y: &[f64], x: &mut [f64]) {
    let i = tid();
    x[i] *= 0.5 * (y[i] + x[i]);
}

/// out = c, overwriting.
#[kernel]
fn fill(c: f64, out: &mut [f64]) {
    let i = tid();
    out[i] = c;
}

/// out\[i\] = x\[i\] + 0.5·x\[i + 1\], round the end.
#[kernel]
fn blur(x: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = x[i] + 0.5 * x[(i + 1) % x.len()];
}

/// low\[0\] = min(low\[0\], 0.7·x\[i\] − 0.1·i). The factor keeps ties of different inputs away, where differences have no limit.
/// Ties of one input with itself occur, where such launches follow each other.
#[kernel]
fn lowest(x: &[f64], low: &mut [f64]) {
    let i = tid();
    atomic_min(&mut low[0], 0.7 * x[i] - 0.1 * i as f64);
}

/// One launch of a sequence: the kernel, and its arrays.
#[derive(Clone, Copy, Debug)]
struct Step {
    kernel: u32,
    from: usize,
    other: usize,
    to: usize,
}

fn draw(random: &mut ChaCha8Rng) -> Vec<Step> {
    let mut below = |n: u32| random.next_u32() % n;
    let step = |below: &mut dyn FnMut(u32) -> u32| {
        let to = below(ARRAYS as u32) as usize;
        // An array that is written must not be read through another parameter.
        let mut read = || (to + 1 + below(ARRAYS as u32 - 1) as usize) % ARRAYS;
        let (from, other) = (read(), read());
        let kernel = below(8);
        Step { kernel, from, other, to }
    };
    (0..2 + below(9)).map(|_| step(&mut below)).collect()
}

/// Runs the steps and sums all results. Returns the sum, and the launches that read `a` with the name of that
/// parameter.
fn run<L: Launcher>(
    on: &L,
    steps: &[Step],
    arrays: &[DeviceArray<f64>],
    a: f64,
) -> (DeviceArray<f64>, Vec<(L::Launched, &'static str)>) {
    let mut takers = Vec::new();
    for &Step { kernel, from, other, to } in steps {
        let (from, other, to) = (&arrays[from], &arrays[other], &arrays[to]);
        match kernel {
            0 => drop(square::launch(on, LEN, (to,)).unwrap()),
            1 => drop(product::launch(on, LEN, (from, other, to)).unwrap()),
            2 => drop(sine::launch(on, LEN, (from, to)).unwrap()),
            3 => drop(mix::launch(on, LEN, (from, to)).unwrap()),
            4 => drop(blur::launch(on, LEN, (from, to)).unwrap()),
            5 => takers.push((fill::launch(on, LEN - 1, (a, to)).unwrap(), "c")),
            6 => takers.push((saxpy::launch(on, LEN, (a, from, to)).unwrap(), "a")),
            _ => drop(lowest::launch(on, LEN, (from, to)).unwrap()),
        }
    }
    let loss = zeros(1);
    for array in arrays {
        sum::launch(on, LEN, (array, &loss)).unwrap();
    }
    (loss, takers)
}

#[test]
fn sequences_of_launches_have_the_gradient_of_central_differences() {
    for seed in 0..SEQUENCES {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let steps = draw(&mut random);
        let mut number = || f64::from(random.next_u32()) / f64::from(u32::MAX) * 1.5 + 0.2;
        // The elements of all arrays, then `a`.
        let host: Vec<f64> = (0..=ARRAYS * LEN).map(|_| number()).collect();
        let arrays = |host: &[f64]| host[..ARRAYS * LEN].chunks(LEN).map(floats).collect::<Vec<_>>();
        let a = host[ARRAYS * LEN];

        let tape = Tape::new(&chosen());
        let on_tape = arrays(&host);
        let (loss, takers) = run(&tape, &steps, &on_tape, a);
        tape.backward(&loss).unwrap();
        let mut found: Vec<f64> = on_tape.iter().flat_map(|array| gradient(&tape, array)).collect();
        found.push(takers.iter().map(|(launch, param)| tape.value_gradient::<f64>(*launch, param).unwrap()).sum());

        let value = |host: &[f64]| {
            let (loss, _) = run(&chosen(), &steps, &arrays(host), host[ARRAYS * LEN]);
            loss.to_vec().unwrap()[0]
        };
        let expected = differences(&host, value);
        let scale = expected.iter().fold(1.0, |max: f64, d| max.max(d.abs()));
        let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst <= 1e-6 * scale, "seed {seed}: found {found:?}, expected {expected:?}\n{steps:#?}");
    }
}
