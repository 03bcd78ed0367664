//! Output buffers: indented lines, appended to one text or to the texts of several dialects at once.

use crate::back::wrap::{self, Style};
use std::ops::Range;

/// The maximum width of function heads and of tables of numbers.
pub(super) const WIDTH: usize = 100;

/// The initial capacity of a text, which suffices for most texts.
const ROOM: usize = 4096;

/// The line-breaking rules of C++.
const STYLE: Style = Style {
    // The loop head over a launch of three axes fits into this width.
    width: 120,
    operators: &[
        &["?", ":"],
        &["||"],
        &["&&"],
        &["|"],
        &["^"],
        &["&"],
        &["==", "!="],
        &["<", "<=", ">", ">="],
        &["<<", ">>"],
        &["+", "-"],
        &["*", "/", "%"],
    ],
    block_keywords: &["} else if"],
    is_free_form: true,
    has_method_chains: false,
    has_trailing_comma: false,
};

/// Texts that grow line by line, one for each dialect.
#[derive(Debug, Default)]
pub(super) struct Lines {
    texts: Vec<String>,
    /// The texts to which lines are appended.
    chosen: Range<usize>,
    /// The number of open blocks.
    pub(super) depth: usize,
}

impl Lines {
    /// `count` empty texts.
    pub(super) fn new(count: usize) -> Lines {
        let texts = (0..count).map(|_| String::with_capacity(ROOM)).collect();
        Lines { texts, chosen: 0..count, depth: 0 }
    }

    /// Selects the texts to which lines are appended from here on.
    pub(super) fn choose(&mut self, texts: Range<usize>) {
        self.chosen = texts;
    }

    /// Appends a line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.parts(&[line.as_ref()]);
    }

    /// Appends a line that consists of these parts.
    pub(super) fn parts(&mut self, parts: &[&str]) {
        self.ended(parts, "");
    }

    /// Appends a line that consists of these parts and `end`.
    fn ended(&mut self, parts: &[&str], end: &str) {
        let Some((text, others)) = self.texts[self.chosen.clone()].split_first_mut() else { return };
        let before = text.len();
        let length = parts.iter().map(|part| part.len()).sum::<usize>() + end.len();
        if 4 * self.depth + length > STYLE.width {
            wrap::push_line(text, self.depth, &[&parts.concat(), end].concat(), &STYLE);
        } else {
            if length > 0 {
                wrap::push_indent(text, 4 * self.depth);
            }
            parts.iter().for_each(|part| text.push_str(part));
            text.push_str(end);
            text.push('\n');
        }
        others.iter_mut().for_each(|other| other.push_str(&text[before..]));
    }

    /// Appends `head {` and opens a block.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        self.open_parts(&[head.as_ref()]);
    }

    /// As `open`, for a head that consists of these parts.
    pub(super) fn open_parts(&mut self, head: &[&str]) {
        self.ended(head, " {");
        self.depth += 1;
    }

    /// Closes a block and opens the next one on the same line, as in `} else {`.
    pub(super) fn reopen(&mut self, head: impl AsRef<str>) {
        self.depth -= 1;
        self.open_parts(&["} ", head.as_ref()]);
    }

    /// Closes a block.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// The finished texts.
    pub(super) fn finish(self) -> Vec<String> {
        self.texts
    }
}
