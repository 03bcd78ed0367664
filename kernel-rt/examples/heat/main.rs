//! Finds the conductivity of a plate from how heat spreads in it: gradient descent through 200 steps of the heat
//! equation on 256×256 cells.
//!
//! `cargo run --release -p kernel-rt --example heat [-- FOLDER]` writes `heat_loss.svg` and `heat_field.png` to FOLDER,
//! which is `target/heat` if it is not given.

mod plate;
mod plot;
#[cfg(test)]
mod tests;

use plate::{Descent, Experiment, Plate};
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

const ITERATIONS: usize = 120;

#[expect(clippy::print_stdout, reason = "an example that takes a minute says how far it is")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("target/heat"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let plate = Plate { cells: 256, steps: 200, every: 25 };

    println!("{0}x{0} cells, {1} steps, observed every {2}", plate.cells, plate.steps, plate.every);
    let experiment = Experiment::new(plate)?;
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
    plot::field(&folder.join("heat_field.png"), &fields, plate::CONDUCTIVITY)?;
    plot::curve(&folder.join("heat_loss.svg"), "mean squared misfit of the temperature", &losses)?;
    println!("wrote heat_loss.svg and heat_field.png (left: the plate, right: what was found) to {}", folder.display());
    Ok(())
}
