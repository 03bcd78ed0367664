//! The functions of `prelude.py` and `narrow.py`, and the dependencies between them.

use super::types::{short_name, type_name};
use crate::ir::Type;
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

/// One function of the prelude.
#[derive(Debug)]
struct Function {
    name: &'static str,
    /// The type of the first parameter, as written in the signature.
    first: &'static str,
    /// The source, with its decorator.
    source: &'static str,
    /// The other functions that it calls, by position in [`FUNCTIONS`].
    calls: Vec<usize>,
}

static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let files = [include_str!("prelude.py"), include_str!("narrow.py")];
    let sources = files.into_iter().flat_map(|file| file.split("\n\n\n"));
    let mut functions: Vec<Function> = sources.filter_map(Function::parse).collect();
    let names: Vec<&str> = functions.iter().map(|function| function.name).collect();
    for function in &mut functions {
        let words = function.words();
        let is_called = |name: &str| name != function.name && words.contains(name);
        function.calls = (0..names.len()).filter(|&other| is_called(names[other])).collect();
    }
    functions
});

impl Function {
    /// Parses one top-level definition; `None` for the text above the first one.
    fn parse(source: &'static str) -> Option<Function> {
        let (_, signature) = source.split_once("\ndef ")?;
        let (name, params) = signature.split_once('(')?;
        let (_, annotation) = params.split_once(": ")?;
        let first = annotation.split([',', ')']).next()?;
        Some(Function { name, first, source: source.trim_end(), calls: Vec::new() })
    }

    /// Whether the function takes a first operand of type `ty`.
    fn accepts(&self, ty: Type) -> bool {
        self.first == "Any" || self.first == type_name(ty) || self.first == short_name(ty)
    }

    /// Every name in the source.
    fn words(&self) -> HashSet<&'static str> {
        self.source.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').collect()
    }
}

/// The functions that a module uses, by position in [`FUNCTIONS`].
#[derive(Debug, Default)]
pub(super) struct Helpers(BTreeSet<usize>);

impl Helpers {
    /// Adds the overloads of `name` that take a first operand of type `first`, with their dependencies.
    pub(super) fn add(&mut self, name: &str, first: Type) {
        for (place, function) in FUNCTIONS.iter().enumerate() {
            if function.name == name && function.accepts(first) {
                self.add_function(place);
            }
        }
    }

    fn add_function(&mut self, place: usize) {
        if self.0.insert(place) {
            for &other in &FUNCTIONS[place].calls {
                self.add_function(other);
            }
        }
    }

    /// Whether one of the functions has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|&place| FUNCTIONS[place].name == name)
    }

    /// The sources, in the order of the prelude, which puts callees first.
    pub(super) fn sources(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|&place| FUNCTIONS[place].source)
    }
}
