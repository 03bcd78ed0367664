//! Indented lines.

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
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        parts.iter().for_each(|part| self.text.push_str(part));
        self.text.push('\n');
    }

    /// Adds `head {`; what follows is inside the block.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        self.open_parts(&[head.as_ref()]);
    }

    /// The same, for a head that is made of these parts.
    pub(super) fn open_parts(&mut self, head: &[&str]) {
        self.parts(head);
        self.text.pop();
        self.text.push_str(" {\n");
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
