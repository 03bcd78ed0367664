//! Finds the conductivity of a plate from how heat spreads in it: gradient descent through 200 steps of the heat
//! equation on 256×256 cells.
//!
//! `cargo run --release -p examples --example plate -- [--device cuda] [FOLDER]` writes `heat_loss.svg` and `heat_field.png`
//! to FOLDER, which is `target/heat` if it is not given. `--device cuda` runs it on the first CUDA device; that takes a build
//! with `--features cuda`.

mod plot;
mod simulation;
#[cfg(test)]
mod tests;

use kernel_rt::Device;
use simulation::{Descent, Experiment, Plate};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const ITERATIONS: usize = 120;

/// Where the simulation runs, and the folder for the pictures.
fn arguments() -> Result<(Device, PathBuf), Box<dyn Error>> {
    let (mut device, mut folder) = (Device::cpu(), PathBuf::from("target/heat"));
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        if arg != "--device" {
            folder = PathBuf::from(arg);
            continue;
        }
        device = match args.next().unwrap_or_default().to_str() {
            Some("cpu") => Device::cpu(),
            Some("cuda") => Device::cuda(0)?,
            _ => return Err("--device is `cpu` or `cuda`".into()),
        };
    }
    Ok((device, folder))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "an example that takes a minute says how far it is")]
fn run() -> Result<(), Box<dyn Error>> {
    let (device, folder) = arguments()?;
    std::fs::create_dir_all(&folder)?;
    let plate = Plate { cells: 256, steps: 200, every: 25 };

    println!("{0}x{0} cells, {1} steps, observed every {2}", plate.cells, plate.steps, plate.every);
    println!("on {}", device.name());
    let experiment = Experiment::new(&device, plate)?;
    let mut descent = Descent::new(experiment)?;
    let start = Instant::now();
    let mut losses = Vec::new();
    for iteration in 0..ITERATIONS {
        losses.push(descent.step()?);
        if iteration % 10 == 0 || iteration + 1 == ITERATIONS {
            let (loss, error) = (losses[iteration], descent.error()?);
            println!(
                "{:5.1} s  iteration {iteration:3}  loss {loss:.3e}  mean error of the conductivity {:.1} %",
                start.elapsed().as_secs_f64(),
                100.0 * error
            );
        }
    }

    let fields = [descent.truth()?, descent.found()?];
    plot::field(&folder.join("heat_field.png"), &fields, simulation::CONDUCTIVITY)?;
    plot::curve(&folder.join("heat_loss.svg"), "mean squared misfit of the temperature", &losses)?;
    println!("wrote heat_loss.svg and heat_field.png (left: the plate, right: what was found) to {}", folder.display());
    Ok(())
}
