//! Runs an example: writes its picture, and prints its numbers.

use clap::Parser;
use clap::builder::PossibleValuesParser;
use examples::report::Result;
use examples::{EXAMPLES, Example};
use kernel_rt::Device;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLES_OF_USE: &str = "\
Examples:
  cargo run --release -p examples -- list
  cargo run --release -p examples -- cloth
  cargo run --release -p examples -- splats --size 20 --output pictures
  cargo run --release -p examples --features cuda -- all --device cuda";

/// Runs an example: writes its picture, and prints its numbers.
#[derive(Parser)]
#[command(name = "examples", after_help = EXAMPLES_OF_USE)]
struct Arguments {
    /// The example; `all` runs all of them, and `list` says what there is
    #[arg(value_parser = names(), hide_possible_values = true)]
    name: String,
    /// The folder of the picture, which is called NAME.png
    #[arg(long, default_value = "target/pictures")]
    output: PathBuf,
    /// How large the example is; `list` says what is counted
    #[arg(long)]
    size: Option<usize>,
    /// Where the kernels run; `cuda` is the first CUDA device, and needs `--features cuda`; `wgpu` is a GPU of any maker, and
    /// needs `--features wgpu`
    #[arg(long, default_value = "cpu", value_parser = ["cpu", "cuda", "wgpu"])]
    device: String,
}

fn names() -> PossibleValuesParser {
    EXAMPLES.iter().map(|example| example.name).chain(["all", "list"]).collect::<Vec<_>>().into()
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    if arguments.name == "list" {
        list();
        return Ok(());
    }
    let device = match arguments.device.as_str() {
        "cuda" => Device::cuda(0)?,
        "wgpu" => Device::gpu()?,
        _ => Device::cpu(),
    };
    let chosen: Vec<&Example> =
        EXAMPLES.iter().filter(|example| ["all", example.name].contains(&&*arguments.name)).collect();
    // All sizes are checked before the first example runs.
    for example in &chosen {
        let size = arguments.size.unwrap_or(example.size);
        if !example.sizes.contains(&size) {
            let (low, high) = (example.sizes.start(), example.sizes.end());
            return Err(
                format!("`{}` takes --size {low} to {high} ({}), not {size}", example.name, example.unit).into()
            );
        }
    }
    std::fs::create_dir_all(&arguments.output)
        .map_err(|error| format!("the folder {} cannot be made: {error}", arguments.output.display()))?;
    chosen.into_iter().try_for_each(|example| show(example, arguments, &device))
}

#[expect(clippy::print_stdout, reason = "the list is what was asked for")]
fn list() {
    for example in &EXAMPLES {
        println!("{:14} {:34} --size {} ({})", example.name, example.about, example.size, example.unit);
    }
}

#[expect(clippy::print_stdout, reason = "the numbers are what was asked for")]
fn show(example: &Example, arguments: &Arguments, device: &Device) -> Result<()> {
    let size = arguments.size.unwrap_or(example.size);
    println!("{}: {}, {size} {}, on {}", example.name, example.about, example.unit, device.name());
    let start = Instant::now();
    let report = (example.run)(device, size)?;
    print!("{report}");
    let path = arguments.output.join(format!("{}.png", example.name));
    std::fs::write(&path, report.picture.to_png()?)
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    println!("{:.1} s, {}", start.elapsed().as_secs_f64(), path.display());
    Ok(())
}
