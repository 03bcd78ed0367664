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
        let line = line.as_ref();
        if !line.is_empty() {
            for _ in 0..self.depth {
                self.text.push_str("    ");
            }
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Adds `head {`; what follows is inside the block.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        self.line(format!("{} {{", head.as_ref()));
        self.depth += 1;
    }

    /// Ends a block and begins the next one on the same line: `} else {`.
    pub(super) fn reopen(&mut self, head: impl AsRef<str>) {
        self.depth -= 1;
        self.open(format!("}} {}", head.as_ref()));
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
