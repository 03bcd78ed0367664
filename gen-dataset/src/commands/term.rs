//! Terminal output: tables, columns and progress, fitted to the width of the terminal.

use crate::error::Error;
use console::Term;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// The width of columns if standard output is not a terminal.
const WIDTH: usize = 160;

/// Prints `text`. A closed pipe (`| head`) is not an error.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::io("write", Path::new("stdout"))(error)),
        _ => Ok(()),
    }
}

/// Prints a warning to standard error.
pub(crate) fn warn(text: &str) {
    // A closed standard error must not end the run.
    let _ = writeln!(io::stderr(), "{} {text}", console::style("warning:").for_stderr().yellow().bold());
}

/// Prints a note to standard error.
pub(crate) fn note(text: &str) {
    // A closed standard error must not end the run.
    let _ = writeln!(io::stderr(), "{} {text}", console::style("note:").for_stderr().bold());
}

/// The width of the terminal on standard output. `None` if it is not a terminal.
pub(crate) fn terminal_width() -> Option<usize> {
    Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}

/// The width for text in columns.
pub(crate) fn column_width() -> usize {
    terminal_width().unwrap_or(WIDTH)
}

/// A table with bold headings. Each column is as wide as its widest cell. On a terminal, only the last column may take
/// more than two fifths of the width, and lines are cut at its edge.
pub(crate) fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let terminal = terminal_width();
    let most = terminal.map_or(usize::MAX, |width| width * 2 / 5);
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| {
            let cells = rows.iter().map(|row| console::measure_text_width(&row[column]));
            let widest = cells.chain([console::measure_text_width(headings[column])]).max().unwrap_or(0);
            if column + 1 < headings.len() { widest.min(most) } else { widest }
        })
        .collect();
    let line = |cells: &[String]| {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| console::pad_str(cell, *width, console::Alignment::Left, Some("…")));
        let text = padded.collect::<Vec<_>>().join("  ");
        match terminal {
            Some(width) => console::truncate_str(text.trim_end(), width, "…").into_owned(),
            None => text.trim_end().to_owned(),
        }
    };
    let headings: Vec<String> = headings.iter().map(|&heading| heading.to_owned()).collect();
    let mut text = format!("{}\n", console::style(line(&headings)).bold());
    for row in rows {
        text += &line(row);
        text.push('\n');
    }
    text
}

/// Two texts side by side in `width` columns, under their headings. One below the other if the width is too small.
pub(crate) fn side_by_side(left: (&str, &str), right: (&str, &str), width: usize) -> String {
    const BETWEEN: &str = " │ ";
    const NARROWEST: usize = 40;
    let column = width.saturating_sub(BETWEEN.chars().count()) / 2;
    if column < NARROWEST {
        return format!(
            "{}\n{}\n\n{}\n{}\n",
            console::style(left.0).bold(),
            left.1.trim_end(),
            console::style(right.0).bold(),
            right.1.trim_end()
        );
    }
    let (left_lines, right_lines) = (wrap(left.1, column), wrap(right.1, column));
    let pad = |text: &str| console::pad_str(text, column, console::Alignment::Left, None).into_owned();
    let mut text = format!("{}{BETWEEN}{}\n", console::style(pad(left.0)).bold(), console::style(right.0).bold());
    for row in 0..left_lines.len().max(right_lines.len()) {
        let cell = |lines: &[String]| lines.get(row).cloned().unwrap_or_default();
        let line = format!("{}{BETWEEN}{}", pad(&cell(&left_lines)), cell(&right_lines));
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// The lines of `text`, with lines above `width` broken.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.trim_end().lines() {
        let mut rest = line.replace('\t', "    ");
        while console::measure_text_width(&rest) > width {
            let head = console::truncate_str(&rest, width, "").into_owned();
            let tail = rest.split_off(head.len());
            lines.push(head);
            rest = tail;
        }
        lines.push(rest);
    }
    lines
}

/// The progress of a run: a bar on a terminal, otherwise a line for every tenth.
pub(crate) struct Progress {
    verb: &'static str,
    total: Option<usize>,
    done: usize,
    /// `None` if plain lines are printed.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts the progress of `total` steps, if their number is known. `verb` says what happens to each.
    pub(crate) fn new(verb: &'static str, total: Option<usize>) -> Progress {
        let bar = Term::stderr().is_term().then(|| {
            let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len} {rate} {eta}");
            let style = style.map(|style| {
                style.with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
                    // A progress bar that cannot be drawn must not end the run.
                    let _ = text.write_str(&rate(state.per_sec()));
                })
            });
            let bar = match total {
                Some(total) => ProgressBar::new(total as u64),
                None => ProgressBar::no_length(),
            };
            let bar = bar.with_message(verb);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
            bar
        });
        Progress { verb, total, done: 0, bar }
    }

    /// Adds `steps` steps.
    pub(crate) fn advance(&mut self, steps: usize) {
        self.done += steps;
        match &self.bar {
            Some(bar) => bar.inc(steps as u64),
            None => {
                let tenths = |done: usize| self.total.and_then(|total| (10 * done).checked_div(total));
                if self.total.is_none() || tenths(self.done) != tenths(self.done - steps) {
                    // A progress line that cannot be printed must not end the run.
                    drop(writeln!(io::stderr(), "{} {}{}", self.verb, self.done, of(self.total)));
                }
            }
        }
    }
}

/// ` of N`, or nothing if the total is unknown.
fn of(total: Option<usize>) -> String {
    total.map_or_else(String::new, |total| format!(" of {total}"))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A number with its noun: `1 config`, `2 configs`.
pub(crate) fn number(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// A rate, with at most three digits if it is a fraction.
fn rate(per_second: f64) -> String {
    match per_second {
        10.0.. => format!("{per_second:.0}/s"),
        1.0.. => format!("{per_second:.1}/s"),
        _ => format!("{per_second:.2}/s"),
    }
}

/// `seconds` in words.
pub(crate) fn duration(seconds: f64) -> String {
    indicatif::HumanDuration(std::time::Duration::try_from_secs_f64(seconds).unwrap_or(std::time::Duration::MAX))
        .to_string()
}

/// `bytes` with a unit.
pub(crate) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_keep_their_width_and_lose_no_text() {
        let text = side_by_side(("A", "one\ntwo"), ("B", &"x".repeat(50)), 83);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1], format!("one{} │ {}", " ".repeat(37), "x".repeat(40)));
        assert_eq!(lines[2], format!("two{} │ {}", " ".repeat(37), "x".repeat(10)));
    }

    #[test]
    fn narrow_terminals_get_one_text_after_the_other() {
        assert_eq!(side_by_side(("A", "one\n"), ("B", "two"), 60), "A\none\n\nB\ntwo\n");
    }

    #[test]
    fn rates_have_no_more_digits_than_they_are_worth() {
        assert_eq!([89.5236, 1234.5, 1.46, 0.062, 0.0].map(rate), ["90/s", "1234/s", "1.5/s", "0.06/s", "0.00/s"]);
    }

    #[test]
    fn wide_characters_are_not_cut() {
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
    }
}
