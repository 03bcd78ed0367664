//! The output: indented lines.

use crate::back::wrap::{self, Style};

/// The line-breaking rules of WGSL.
const STYLE: Style = Style {
    width: 120,
    operators: &[
        &["||"],
        &["&&"],
        &["|"],
        &["^"],
        &["&"],
        &["==", "!=", "<", "<=", ">", ">="],
        &["<<", ">>"],
        &["+", "-"],
        &["*", "/", "%"],
    ],
    block_keywords: &["} else if"],
    is_free_form: true,
    has_method_chains: false,
    has_trailing_comma: true,
};

/// A text that grows line by line.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) text: String,
    /// The number of open blocks.
    depth: usize,
}

impl Lines {
    /// Lines for the same block of another text.
    pub(super) fn beside(&self) -> Lines {
        Lines { text: String::new(), depth: self.depth }
    }

    /// Appends a line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        match line.as_ref() {
            "" => self.text.push('\n'),
            line => wrap::push_line(&mut self.text, self.depth, line, &STYLE),
        }
    }

    /// Appends lines that are indented already, and breaks those that are too long.
    pub(super) fn whole(&mut self, text: &str) {
        for line in text.lines() {
            let inner = line.trim_start();
            match inner {
                "" => self.text.push('\n'),
                _ => wrap::push_line(&mut self.text, (line.len() - inner.len()) / 4, inner, &STYLE),
            }
        }
    }

    /// Appends `head {` and opens a block.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        self.line([head.as_ref(), " {"].concat());
        self.depth += 1;
    }

    /// Opens a block that only limits the scope of what it declares.
    pub(super) fn open_block(&mut self) {
        self.line("{");
        self.depth += 1;
    }

    /// Closes a block and opens the next one on the same line, as in `} else {`.
    pub(super) fn reopen(&mut self, head: impl AsRef<str>) {
        self.depth -= 1;
        self.open(["} ", head.as_ref()].concat());
    }

    /// Closes a block.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }
}
