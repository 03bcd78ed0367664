//! Writes datasets of kernel pairs.
//!
//! `cli` is what was typed, `settings` what it means. Kernels come from the registry (`source`) or are synthesised
//! (`synth`). A record (`record`) is made of them by `make` or `make_synth` and proven again by `check`; all of these
//! execute its example, and `trials` more launches; `maker` makes one after the other. `dedup` keeps out what is there
//! already, `contamination` what is in a benchmark, and `splits` divides the rest. `judges` are the checks by programs
//! of others. `out` knows the files of a dataset. `partitions` are how many machines share the work: `owners` says
//! which kernel is whose, `journal` what is written already, `shards` which worker this is, `store` where
//! everything lies, and `lock` who is at work there. `survey` is what a dataset is made of, `plot` draws it, and `report` makes a page of it. `verbs` is
//! what the tool can do.

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

/// Whether the user pressed Ctrl-C, or the system asked to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The tool, from the arguments of the process to its exit status.
pub fn main() -> ExitCode {
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
    }
}

/// Makes Ctrl-C and SIGTERM a wish to end; again, an order.
fn listen_for_interrupts() -> Result<(), Error> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Error::Interrupted.exit_code()));
        }
    })
    .map_err(|error| Error::Internal(error.to_string()))
}
