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

mod check;
mod cli;
mod compare;
mod contamination;
mod dedup;
mod error;
mod example;
mod facts;
#[cfg(test)]
mod fixtures;
mod gradient;
mod journal;
pub mod judges;
mod lock;
mod make;
mod make_synth;
mod maker;
mod markup;
mod mutants;
mod out;
mod owners;
mod panel;
mod panics;
mod partitions;
mod plot;
mod program;
mod record;
#[cfg(feature = "object-store")]
mod remote;
mod report;
mod settings;
mod shards;
mod source;
mod splits;
mod store;
mod survey;
mod synth;
mod term;
mod trials;
mod verbs;
pub mod warp_gradients;

use clap::Parser;
use clap::error::ErrorKind;
use cli::{Cli, Verb};
use error::Error;
use settings::Plan;
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
    match cli.verb.unwrap_or(Verb::Generate(cli.generate)) {
        Verb::Generate(args) => {
            let plan = Plan::new(&args, &kernels)?;
            listen_for_interrupts()?;
            verbs::generate::run(&plan, &interrupted)
        }
        Verb::Audit(args) => verbs::audit::audit(&args),
        Verb::Stats(args) => verbs::stats::stats(&args),
        Verb::Report(args) => verbs::report::report(&args),
        Verb::Schema(args) => verbs::schema::schema(&args),
        Verb::Plan(args) => verbs::plan::plan(&args, &kernels),
        Verb::Run(args) => {
            listen_for_interrupts()?;
            verbs::run::run(&args, &kernels, &interrupted)
        }
        Verb::Worker(args) => {
            listen_for_interrupts()?;
            verbs::worker::worker(&args, &kernels, std::io::stdin().lock(), &interrupted)
        }
        Verb::Status(args) => verbs::status::status(&args),
        Verb::Finalize(args) => {
            listen_for_interrupts()?;
            verbs::finalize::finalize(&args, &interrupted)
        }
        Verb::List(args) => verbs::list::list(&args, &kernels),
        Verb::Show(args) => verbs::show::show(&args, &kernels),
        Verb::Validate(args) => verbs::validate::validate(&args, &kernels),
        Verb::Export(args) => verbs::export::export(&args),
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
