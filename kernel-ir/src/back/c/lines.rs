//! Indented lines.

use crate::back::wrap::{self, Style};

/// The columns of the head of a function, and of a table of numbers.
pub(super) const WIDTH: usize = 100;

/// How C++ is broken into lines.
const STYLE: Style = Style {
    // The loop over a launch of three axes fits.
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
    is_free: true,
    has_methods: false,
    has_trailing_comma: false,
};

/// A text that grows line by line.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    /// Adds a line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        match line.as_ref() {
            "" => self.text.push('\n'),
            line => self.parts(&[line]),
        }
    }

    /// Adds a line that is made of these parts.
    pub(super) fn parts(&mut self, parts: &[&str]) {
        self.ended(parts, "");
    }

    /// The same, with `end` behind it.
    fn ended(&mut self, parts: &[&str], end: &str) {
        let length = 4 * self.depth + parts.iter().map(|part| part.len()).sum::<usize>() + end.len();
        if length > STYLE.width {
            return wrap::push_line(&mut self.text, self.depth, &[&parts.concat(), end].concat(), &STYLE);
        }
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        parts.iter().for_each(|part| self.text.push_str(part));
        self.text.push_str(end);
        self.text.push('\n');
    }

    /// Adds `head {`; what follows is inside the block.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        self.open_parts(&[head.as_ref()]);
    }

    /// The same, for a head that is made of these parts.
    pub(super) fn open_parts(&mut self, head: &[&str]) {
        self.ended(head, " {");
        self.depth += 1;
    }

    /// Ends a block and begins the next one on the same line: `} else {`.
    pub(super) fn reopen(&mut self, head: impl AsRef<str>) {
        self.depth -= 1;
        self.open_parts(&["} ", head.as_ref()]);
    }

    /// Ends a block.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}
