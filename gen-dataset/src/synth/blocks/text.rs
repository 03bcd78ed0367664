//! The text of a block kernel, from its parts.

use kernel_ir::back::rust;
use kernel_ir::ir::Kernel;
use kernel_ir::verify;
use std::collections::HashSet;

/// The longest line that takes the whole of a phase.
const WIDTH: usize = 100;

/// Statements of the block.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) lines: Vec<String>,
    /// The name that they declare and do nothing else, if it is so. Without a reader they are dropped.
    pub(super) declares: Option<String>,
    /// What the block does in them, for the doc comment.
    pub(super) told: Vec<String>,
    /// What each thread does in them.
    pub(super) of_threads: Vec<String>,
    /// The suffix for the name of the kernel.
    pub(super) tag: Option<&'static str>,
}

/// A block kernel as Rust text.
#[derive(Debug)]
pub(in super::super) struct Text {
    /// Name, family, doc comment and parameters; the body is that of `lines`.
    pub(super) head: Kernel,
    pub(super) lines: Vec<String>,
}

impl Text {
    /// The kernel without its body.
    pub(in super::super) fn head(&self) -> &Kernel {
        &self.head
    }

    /// The whole text.
    pub(in super::super) fn source(&self, no_grad: bool) -> Option<String> {
        let written = rust::write(&verify::verify(Kernel { no_grad, ..self.head.clone() }).ok()?);
        let opens = |line: &str| line.ends_with('{') && !line.starts_with([' ', '/', '#']);
        let count = written.lines().position(opens)? + 1;
        let head = written.lines().take(count).map(str::to_owned);
        let body = self.lines.iter().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
        Some(head.chain(body).chain(["}".to_owned()]).map(|line| line + "\n").collect())
    }
}

/// The pieces without those that declare what nothing reads.
pub(super) fn live(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let is_dead = |piece: &Piece, pieces: &[Piece]| {
        let uses = |name: &String| pieces.iter().map(|piece| mentions(&piece.lines, name)).sum::<usize>();
        piece.declares.as_ref().is_some_and(|name| uses(name) <= mentions(&piece.lines, name))
    };
    while let Some(place) = pieces.iter().position(|piece| is_dead(piece, &pieces)) {
        pieces.remove(place);
    }
    pieces
}

/// How often the lines name something.
pub(super) fn mentions(lines: &[String], name: &str) -> usize {
    lines.iter().flat_map(|line| words(line)).filter(|word| *word == name).count()
}

/// The names in a line. What stands behind a point is a method or a component.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut before = ' ';
    let mut start = 0;
    let mut words = Vec::new();
    for (place, c) in line.char_indices().chain([(line.len(), ' ')]) {
        if is_of_word(c) {
            continue;
        }
        if place > start && before != '.' {
            words.push(&line[start..place]);
        }
        // In a range of a loop, a name stands behind two points.
        before = if before == '.' && place == start { ' ' } else { c };
        start = place + c.len_utf8();
    }
    words.into_iter()
}

/// All names in the lines.
pub(super) fn names(lines: &[String]) -> HashSet<&str> {
    lines.iter().flat_map(|line| words(line)).collect()
}

/// Replaces a name, wherever it stands.
pub(super) fn renamed(line: &str, name: &str, new: &str) -> String {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(place) = rest.find(name) {
        let (before, after) = (&rest[..place], &rest[place + name.len()..]);
        let is_whole = !before.ends_with(is_of_word) && !after.starts_with(is_of_word);
        text += before;
        text += if is_whole { new } else { name };
        rest = after;
    }
    text + rest
}

/// `head` with the lines in braces behind it, and `end`.
pub(super) fn braces(head: &str, lines: Vec<String>, end: &str) -> Vec<String> {
    let inside = lines.into_iter().map(|line| format!("    {line}"));
    [format!("{head} {{")].into_iter().chain(inside).chain([format!("}}{end}")]).collect()
}

/// `let name = block.phase(|t| …);`, or without a name. A lone line stands behind the bar.
pub(super) fn phase(name: Option<&str>, thread: &str, lines: Vec<String>) -> Vec<String> {
    let head = match name {
        Some(name) => format!("let {name} = block.phase(|{thread}|"),
        None => format!("block.phase(|{thread}|"),
    };
    if let [line] = &lines[..]
        && head.len() + line.len() < WIDTH
    {
        return vec![format!("{head} {});", line.trim_end_matches(';'))];
    }
    braces(&head, lines, ");")
}
