//! The pages of the documentation, and the code in them. Shared with `tests/documented/`, which runs it.

use std::fs;
use std::path::{Path, PathBuf};

/// A page of the documentation.
pub(super) struct Page {
    pub(super) path: String,
    text: String,
}

/// A fenced block.
pub(super) struct Block {
    pub(super) language: String,
    pub(super) text: String,
}

/// The folder of the workspace.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a workspace").to_owned()
}

/// README, CONTRIBUTING, `docs/` and the guide in it, sorted by path.
pub(super) fn pages() -> Vec<Page> {
    let folders = ["docs", "docs/guide"].map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let docs = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut paths: Vec<PathBuf> = docs.chain(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name))).collect();
    paths.sort();
    let page = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        Page { path: path.strip_prefix(root()).unwrap().display().to_string(), text }
    };
    paths.into_iter().map(page).collect()
}

impl Page {
    /// The fenced blocks. The part of an info string after a comma tells a doc test how to run the block.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let inside = self.text.split("```").skip(1).step_by(2);
        let parts = inside.map(|part| part.split_once('\n').expect("a fence ends its line"));
        let language = |info: &str| info.split(',').next().unwrap_or_default().to_owned();
        parts.map(|(info, text)| Block { language: language(info), text: text.to_owned() }).collect()
    }

    /// The code spans outside of blocks, each on one line.
    pub(super) fn spans(&self) -> Vec<String> {
        let paragraphs = self.text.split("```").step_by(2).flat_map(|part| part.split("\n\n"));
        let spans = paragraphs.flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2));
        spans.map(|span| span.replace('\n', " ")).collect()
    }
}

impl Block {
    /// The lines. A line that ends with a backslash is joined with the next one.
    pub(super) fn lines(&self) -> Vec<String> {
        self.text.replace("\\\n", " ").lines().map(str::to_owned).collect()
    }
}
