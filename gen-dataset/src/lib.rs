//! Writes datasets of kernel pairs.
//!
//! # Layers
//!
//! The modules, lowest first. A module imports only from modules before it in this list, and the files of a module import
//! each other in one direction. `fixtures` serves the tests of all of them.
//!
//! 1. `error`, `panics`: errors with their exit statuses, and panics as values.
//! 2. `files`: staged writes, locks, hashes and JSON on disk.
//! 3. `model`: plain data: the record with its parts, settings, columns, launches, outcomes.
//! 4. `synth`: random kernels, made in the IR.
//! 5. `source`: the kernels of the registry, and the hashes that identify a kernel.
//! 6. `split`: near-duplicates, decontamination, and splits without leakage.
//! 7. `judges`: independent programs that check texts, and the validator set that records must pass.
//! 8. `cli`: the arguments as typed.
//! 9. `prove`: one record, made with its evidence, and checked again.
//! 10. `mutants`: kernels with one injected mistake.
//! 11. `pipeline`: the specification of a dataset, and the generator that yields its records in order.
//! 12. `out`: a dataset on disk, with its derived configs, card and counts.
//! 13. `distributed`: a planned run in partitions: partition map, journal, store, workers.
//! 14. `stats`: what a dataset is made of, as figures, plots and a page.
//! 15. `score`: verdicts on answers of models, in a sandbox. It exists on Linux on x86-64 only.
//! 16. `commands`: the subcommands, one file each.

mod cli;
mod commands;
mod distributed;
mod error;
mod files;
#[cfg(test)]
mod fixtures;
pub mod judges;
mod model;
mod mutants;
mod out;
mod panics;
mod pipeline;
mod prove;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod score;
mod source;
mod split;
mod stats;
mod synth;

use clap::Parser;
use clap::error::ErrorKind;
use cli::{Cli, Command};
use commands::generate::Request;
use error::Error;
pub use model::targets::ExtraTarget;
pub use source::warp_gradients;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the process received Ctrl-C or SIGTERM.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Keeps Mesa's Vulkan layer for the choice of a device from printing to stderr where there is no desktop. The tool needs no
/// layer: it ranks the devices itself.
#[cfg(all(feature = "wgpu", target_os = "linux"))]
fn silence_vulkan() {
    const SWITCH: &str = "NODEVICE_SELECT";
    let is_only_thread = std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1);
    if is_only_thread && std::env::var_os(SWITCH).is_none() {
        // SAFETY: no other thread uses the environment, because there is none.
        unsafe { std::env::set_var(SWITCH, "1") };
    }
}

#[cfg(not(all(feature = "wgpu", target_os = "linux")))]
fn silence_vulkan() {}

/// Runs the tool: parses the arguments of the process and returns its exit status.
pub fn main() -> ExitCode {
    silence_vulkan();
    panics::silence();
    let outcome = panics::caught(run).unwrap_or_else(|words| Err(Error::Internal(words)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = error.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ");
            eprintln!("{} {text}", console::style("error:").for_stderr().red().bold());
            ExitCode::from(error.exit_code())
        }
    }
}

fn run() -> Result<(), Error> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(help) if matches!(help.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return help.print().map_err(Error::io("write", "stdout".as_ref()));
        }
        Err(mistake) => return Err(Error::Config(cli::one_line(&mistake))),
    };
    kernels::link();
    let kernels = kernel_rt::registered_kernels();
    let interrupted = || INTERRUPTED.load(Ordering::Relaxed);
    match cli.command.unwrap_or(Command::Generate(cli.generate)) {
        Command::Generate(args) => {
            let request = Request::new(&args, &kernels)?;
            listen_for_interrupts()?;
            commands::generate::run(&request, &interrupted)
        }
        Command::New(args) => commands::new::new(&args),
        Command::Doctor(args) => commands::doctor::doctor(&args),
        Command::Completions(args) => commands::completions::completions(&args),
        Command::Man(args) => commands::man::man(&args),
        Command::Audit(args) => commands::audit::audit(&args),
        Command::Stats(args) => commands::stats::stats(&args),
        Command::Report(args) => commands::report::report(&args),
        Command::Schema(args) => commands::schema::schema(&args),
        Command::Plan(args) => commands::plan::plan(&args, &kernels),
        Command::Run(args) => {
            listen_for_interrupts()?;
            commands::run::run(&args, &kernels, &interrupted)
        }
        Command::Worker(args) => {
            listen_for_interrupts()?;
            commands::worker::worker(&args, &kernels, std::io::stdin().lock(), &interrupted)
        }
        Command::Status(args) => commands::status::status(&args),
        Command::Finalize(args) => {
            listen_for_interrupts()?;
            commands::finalize::finalize(&args, &interrupted)
        }
        Command::List(args) => commands::list::list(&args, &kernels),
        Command::Show(args) => commands::show::show(&args, &kernels),
        Command::Validate(args) => commands::validate::validate(&args, &kernels),
        Command::Export(args) => commands::export::export(&args),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        Command::Score(args) => {
            // With `--ndjson` nothing is lost when the process ends, and a read cannot be interrupted.
            if !args.ndjson {
                listen_for_interrupts()?;
            }
            commands::score::score(&args, std::io::stdin().lock(), &interrupted)
        }
        #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
        Command::Score(_) => {
            let why = "answers are scored only on Linux on x86-64: the sandbox and the count of work are made for it";
            Err(Error::Config(why.to_owned()))
        }
    }
}

/// Makes the first Ctrl-C or SIGTERM a request to stop at the next safe point. The second one ends the process at once.
fn listen_for_interrupts() -> Result<(), Error> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(error::INTERRUPTED));
        }
    })
    .map_err(|error| Error::Internal(error.to_string()))
}
