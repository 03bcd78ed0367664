//! `man`: prints the manual page, or writes the pages of all commands to a folder.

use super::term;
use crate::cli::{Cli, ManArgs};
use crate::error::Error;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::fs;
use std::io;

/// Prints the page of the program, or writes all pages to the folder in `args`.
pub(crate) fn man(args: &ManArgs) -> Result<(), Error> {
    let program = program();
    let Some(folder) = &args.output else {
        return term::print(&page(&program)?.1);
    };
    fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
    let commands: Vec<&Command> = std::iter::once(&program).chain(program.get_subcommands()).collect();
    for command in &commands {
        let (name, text) = page(command)?;
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::io("write", &path))?;
    }
    let pages = term::number(commands.len(), "page");
    term::print(&format!("wrote {pages} to `{}`: `man gen-dataset` shows the first\n", folder.display()))
}

/// The program with the full names of its commands.
fn program() -> Command {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    program
}

/// The name of the file and the text of the page of a command.
fn page(command: &Command) -> Result<(String, String), Error> {
    let program = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(program).manual("Weft");
    let text = render(&man, command).map_err(|error| Error::Internal(error.to_string()))?;
    Ok((man.get_filename(), String::from_utf8_lossy(&text).into_owned()))
}

/// The sections of a page. clap's own rendering would fill the lines of the examples, as in a paragraph.
fn render(man: &Man, command: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    if let Some(help) = command.get_after_help() {
        let mut examples = Roff::new();
        examples.control("SH", ["EXAMPLES"]).control("nf", []);
        let help = help.to_string();
        for line in help.lines().filter(|line| *line != "Examples:") {
            examples.text([roman(line)]);
        }
        examples.control("fi", []).to_writer(&mut text)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_examples() {
        let program = program();
        let commands: Vec<&Command> = program.get_subcommands().collect();
        assert!(commands.len() > 15);
        for command in commands {
            let (name, text) = page(command).unwrap();
            assert_eq!(name, format!("gen-dataset-{}.1", command.get_name()));
            assert!(text.contains(".SH SYNOPSIS\n"), "{text}");
            let (_, examples) = text.split_once(".SH EXAMPLES\n.nf\n").unwrap();
            assert!(examples.contains(&format!("gen\\-dataset {}", command.get_name())), "{examples}");
        }
    }

    #[test]
    fn the_page_of_the_program_names_every_command() {
        let program = program();
        let (name, text) = page(&program).unwrap();
        assert_eq!(name, "gen-dataset.1");
        for command in program.get_subcommands() {
            let page = format!("gen\\-dataset\\-{}(1)", command.get_name());
            assert!(text.contains(&page), "{page}: {text}");
        }
    }
}
