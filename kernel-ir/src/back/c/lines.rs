//! Output buffers: indented lines, written to one text or to the texts of several dialects at once.

use crate::back::wrap::{self, Style};
use std::ops::Range;

/// The columns of the head of a function, and of a table of numbers.
pub(super) const WIDTH: usize = 100;

/// As many bytes as most texts need.
const ROOM: usize = 4096;

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
    is_free_form: true,
    has_method_chains: false,
    has_trailing_comma: false,
};

/// Texts that grow line by line, one a dialect.
#[derive(Debug, Default)]
pub(super) struct Lines {
    texts: Vec<String>,
    /// Those that a line goes to.
    chosen: Range<usize>,
    /// How many blocks are open.
    pub(super) depth: usize,
}

impl Lines {
    /// So many texts without lines.
    pub(super) fn new(count: usize) -> Lines {
        let texts = (0..count).map(|_| String::with_capacity(ROOM)).collect();
        Lines { texts, chosen: 0..count, depth: 0 }
    }

    /// Adds lines to these texts from here on.
    pub(super) fn choose(&mut self, texts: Range<usize>) {
        self.chosen = texts;
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.parts(&[line.as_ref()]);
    }

    /// Adds a line that is made of these parts.
    pub(super) fn parts(&mut self, parts: &[&str]) {
        self.ended(parts, "");
    }

    /// The same, with `end` behind it.
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

    /// The texts.
    pub(super) fn finish(self) -> Vec<String> {
        self.texts
    }
}
