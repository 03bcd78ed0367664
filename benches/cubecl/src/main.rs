//! Weft's `wgpu` runtime beside CubeCL's, on one adapter in one process: `cargo run --release [ROUNDS]` in this folder.
//!
//! The same kernels are written in both languages. First the results are compared. Then the launches alternate, so that
//! other load on the machine affects both. A time ends when the device is done. A ratio is the median of the ratios of all
//! rounds; above 1, Weft is faster.
//!
//! The gradients have no peer, because CubeCL has none. They are compared with the forward launches of Weft.

mod cube;
mod kernels;

use cube::{Checks, Cube};
use kernel_rt::prelude::*;
use kernels::{Kernel, Run};
use std::error::Error;
use std::time::Instant;

/// The number of rounds before those that count. The first one compiles the kernels.
const WARM_UP: usize = 3;
/// The largest relative difference of results.
const TOLERANCE: f32 = 1e-4;
/// The number of launches in a row whose cost is measured.
const LAUNCHES: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(21), |rounds| rounds.parse())?;
    let device = Device::gpu()?;
    let cube = cube::open(&device.name())?;
    println!("Weft:   {}", device.name());
    println!("CubeCL: {}", cube.name);
    if cube.name != device.name() {
        return Err("the two runtimes have chosen different adapters".into());
    }
    println!("{rounds} rounds");
    beside_cubecl(&device, &cube, rounds)?;
    gradients(&device, rounds)
}

/// Prints the times of launches beside those of CubeCL.
fn beside_cubecl(device: &Device, cube: &Cube, rounds: usize) -> Result<(), Box<dyn Error>> {
    println!("\n                       CubeCL, unchecked     CubeCL, checked       largest error");
    println!("kernel          Weft      time  by Weft's       time  by Weft's     Weft    CubeCL");
    for kernel in Kernel::ALL {
        let [mut weft, mut cpu] = [kernel.on(device)?, kernel.on(&Device::cpu())?];
        let [mut unchecked, mut checked] = [Checks::Off, Checks::On].map(|checks| cube.case(kernel, checks));
        let outputs = [weft.first()?, unchecked.first()?, checked.first()?, cpu.first()?];
        for output in &outputs[1..3] {
            let difference = difference(&outputs[0], output);
            if difference.is_nan() || difference > TOLERANCE {
                return Err(format!("{}: the results differ by {difference:.1e}", kernel.name()).into());
            }
        }
        let times = alternate(rounds, [&mut weft.run, &mut unchecked.run, &mut checked.run])?;
        let errors = [0, 1].map(|place| difference(&outputs[place], &outputs[3]));
        println!("{} {:10.1e} {:8.1e}", row(kernel.name(), "ms", times, 1e3), errors[0], errors[1]);
    }
    let mut weft = kernels::launches(device, LAUNCHES)?;
    let [mut unchecked, mut checked] = [Checks::Off, Checks::On].map(|checks| cube.launches(LAUNCHES, checks));
    let times = alternate(rounds, [&mut weft, &mut unchecked, &mut checked])?;
    println!("{}", row("launch", "us", times, 1e6 / LAUNCHES as f64));
    Ok(())
}

/// Prints the times of gradients by those of forward launches.
fn gradients(device: &Device, rounds: usize) -> Result<(), Box<dyn Error>> {
    println!("\n           on the adapter                     on the CPU");
    println!("kernel      forward   gradient   ratio        forward   gradient   ratio");
    for kernel in Kernel::ALL {
        let mut line = format!("{:9}", kernel.name());
        for device in [device, &Device::cpu()] {
            let (mut forward, mut gradient) = (kernel.on(device)?.run, kernel.gradient_on(device)?);
            let [forward, gradient] = alternate(rounds, [&mut forward, &mut gradient])?;
            let ratio = ratio(&gradient, &forward);
            line += &format!("{:7.2} ms {:7.2} ms {ratio:7.2}     ", median(&forward) * 1e3, median(&gradient) * 1e3);
        }
        println!("{}", line.trim_end());
    }
    Ok(())
}

/// A line with the times of Weft, of unchecked and of checked launches.
fn row(name: &str, unit: &str, [weft, unchecked, checked]: [Vec<f64>; 3], scale: f64) -> String {
    let mut line = format!("{name:9} {:8.2} {unit}", median(&weft) * scale);
    for times in [unchecked, checked] {
        line += &format!(" {:8.2} {unit} {:9.2}", median(&times) * scale, ratio(&times, &weft));
    }
    line
}

/// The largest difference of two elements by their size. An element counts as at least a thousandth of the largest one.
fn difference(one: &[f32], other: &[f32]) -> f32 {
    assert_eq!(one.len(), other.len());
    let least = one.iter().fold(0.0_f32, |most, x| most.max(x.abs())) * 1e-3;
    // `max` would pass over a NaN.
    let worse = |most: f32, error: f32| if error > most || error.is_nan() { error } else { most };
    one.iter().zip(other).map(|(x, y)| (x - y).abs() / x.abs().max(y.abs()).max(least)).fold(0.0, worse)
}

/// The seconds that each run takes in each round. The runs take turns.
fn alternate<const N: usize>(rounds: usize, mut runs: [&mut Run; N]) -> Result<[Vec<f64>; N], Box<dyn Error>> {
    let mut times = [(); N].map(|()| Vec::new());
    for round in 0..WARM_UP + rounds {
        for (run, times) in runs.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run()?;
            if round >= WARM_UP {
                times.push(start.elapsed().as_secs_f64());
            }
        }
    }
    Ok(times)
}

/// The median of the ratios of the rounds.
fn ratio(one: &[f64], other: &[f64]) -> f64 {
    median(&one.iter().zip(other).map(|(one, other)| one / other).collect::<Vec<f64>>())
}

fn median(numbers: &[f64]) -> f64 {
    let mut numbers = numbers.to_vec();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
