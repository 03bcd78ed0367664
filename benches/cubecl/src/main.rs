//! Weft's `wgpu` runtime beside CubeCL's, on one adapter in one process: `cargo run --release [ROUNDS]` in this folder.
//!
//! The same kernels are written in both languages. First the results of both are compared. Then the launches alternate, so
//! that other load on the machine affects both. A ratio is the median of the ratios of all rounds.
//!
//! Both runtimes execute on the same version of the crate `wgpu` if their requirements allow it. The gradients have no
//! peer, because CubeCL has none: they are compared with the forward launches of Weft.

mod cube;
mod kernels;

use kernel_rt::prelude::*;
use kernels::{Case, Kernel, Run};
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
    let client = cube::open()?;
    println!("Weft:   {}", device.name());
    println!("CubeCL: {}", client.name);
    if client.name != device.name() {
        return Err("the two runtimes have chosen different adapters".into());
    }

    println!("\nmedians of {rounds} rounds; above 1, Weft is faster; errors are relative to Weft's CPU version");
    println!("kernel       Weft       CubeCL     CubeCL/Weft  error of Weft  of CubeCL");
    for kernel in Kernel::ALL {
        let (mut weft, mut cubecl, mut cpu) = (kernel.on(&device)?, client.case(kernel)?, kernel.on(&Device::cpu())?);
        let [weft_error, cubecl_error] = compare(kernel, [&mut weft, &mut cubecl, &mut cpu])?;
        let Medians { one, other, ratio } = alternate(rounds, &mut weft.run, &mut cubecl.run)?;
        let [one, other] = [one, other].map(|time| time * 1e3);
        let name = kernel.name();
        println!("{name:9} {one:8.2} ms {other:8.2} ms {ratio:11.2} {weft_error:14.1e} {cubecl_error:10.1e}");
    }
    let times = alternate(rounds, &mut kernels::launches(&device, LAUNCHES)?, &mut client.launches(LAUNCHES)?)?;
    let [weft, cubecl] = [times.one, times.other].map(|time| time / LAUNCHES as f64 * 1e6);
    println!("a launch  {weft:8.2} us {cubecl:8.2} us {:11.2}", times.ratio);

    println!("\ngradient/forward of Weft, the gradient by a tape");
    println!("kernel    adapter    CPU");
    for kernel in Kernel::ALL {
        let mut ratios = [0.0; 2];
        for (ratio, device) in ratios.iter_mut().zip([&device, &Device::cpu()]) {
            let (mut forward, mut gradient) = (kernel.on(device)?.run, kernel.gradient_on(device)?);
            *ratio = alternate(rounds, &mut forward, &mut gradient)?.ratio;
        }
        println!("{:9} {:7.2} {:6.2}", kernel.name(), ratios[0], ratios[1]);
    }
    Ok(())
}

/// Compares what one launch of Weft, of CubeCL and of Weft's CPU version has written. Returns the errors of the first two.
fn compare(kernel: Kernel, cases: [&mut Case; 3]) -> Result<[f32; 2], Box<dyn Error>> {
    let mut outputs = Vec::new();
    for case in cases {
        (case.run)()?;
        outputs.push((case.output)()?);
    }
    let [weft, cubecl, cpu] = &outputs[..] else { unreachable!("there are three cases") };
    let difference = difference(weft, cubecl);
    if difference.is_nan() || difference > TOLERANCE {
        return Err(format!("{}: the results differ by {difference:.1e} of their values", kernel.name()).into());
    }
    Ok([self::difference(weft, cpu), self::difference(cubecl, cpu)])
}

/// The largest difference of two elements by their size. An element counts as at least a thousandth of the largest one.
fn difference(one: &[f32], other: &[f32]) -> f32 {
    assert_eq!(one.len(), other.len());
    let least = one.iter().fold(0.0_f32, |most, x| most.max(x.abs())) * 1e-3;
    // `max` would pass over a NaN.
    let worse = |most: f32, error: f32| if error > most || error.is_nan() { error } else { most };
    one.iter().zip(other).map(|(x, y)| (x - y).abs() / x.abs().max(y.abs()).max(least)).fold(0.0, worse)
}

/// The median times of two runs in seconds, and the median of the ratios of `other` to `one`.
struct Medians {
    one: f64,
    other: f64,
    ratio: f64,
}

/// Times two runs in turns.
fn alternate(rounds: usize, one: &mut Run, other: &mut Run) -> Result<Medians, Box<dyn Error>> {
    let (mut of_one, mut of_other, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..WARM_UP + rounds {
        let times = [time(one)?, time(other)?];
        if round >= WARM_UP {
            of_one.push(times[0]);
            of_other.push(times[1]);
            ratios.push(times[1] / times[0]);
        }
    }
    Ok(Medians { one: median(of_one), other: median(of_other), ratio: median(ratios) })
}

fn time(run: &mut Run) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
