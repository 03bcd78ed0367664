//! `completions`: prints the completions of a shell.

use super::term;
use crate::cli::{Cli, CompletionsArgs};
use crate::error::Error;
use clap::CommandFactory;

/// Prints the completions of the shell that `args` names.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<(), Error> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    // `generate` panics on a closed pipe, so it does not write to standard output itself.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, &name, &mut text);
    // clap_complete 4.6 takes the hyphen in the name of a program for the start of a subcommand in one of two places, so
    // that bash offers nothing after a subcommand (clap issue 6421).
    let (wrong, right) = (name.replace('-', "__subcmd__"), name.replace('-', "__"));
    term::print(&String::from_utf8_lossy(&text).replace(&wrong, &right))
}
