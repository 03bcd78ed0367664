//! The functions of `prelude.py`, and which of them a module needs.

use crate::ir::Type;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// One function of the prelude.
#[derive(Debug)]
struct Function {
    name: &'static str,
    /// The annotation of its first parameter.
    first: &'static str,
    /// Its source, decorator included.
    source: &'static str,
}

static FUNCTIONS: LazyLock<Vec<Function>> =
    LazyLock::new(|| include_str!("prelude.py").split("\n\n\n").filter_map(Function::parse).collect());

impl Function {
    /// Reads one top-level definition; `None` for what stands above the first one.
    fn parse(source: &'static str) -> Option<Function> {
        let (_, signature) = source.split_once("\ndef ")?;
        let (name, params) = signature.split_once('(')?;
        let (_, annotation) = params.split_once(": ")?;
        let first = annotation.split([',', ')']).next()?;
        Some(Function { name, first, source: source.trim_end() })
    }

    /// Whether it is for operands of which the first has type `ty`.
    fn accepts(&self, ty: Type) -> bool {
        self.first == "Any" || self.first == super::writer::type_name(ty) || self.first == super::writer::short_name(ty)
    }

    fn calls(&self, name: &str) -> bool {
        self.source.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').any(|word| word == name)
    }
}

/// The functions that a module calls.
#[derive(Debug, Default)]
pub(super) struct Needed(BTreeSet<usize>);

impl Needed {
    /// Adds the function `name` for operands of which the first has type `first`, with all that it calls.
    pub(super) fn add(&mut self, name: &str, first: Type) {
        for (place, function) in FUNCTIONS.iter().enumerate() {
            if function.name == name && function.accepts(first) {
                self.add_function(place);
            }
        }
    }

    fn add_function(&mut self, place: usize) {
        if self.0.insert(place) {
            for (other, function) in FUNCTIONS.iter().enumerate() {
                if other != place && FUNCTIONS[place].calls(function.name) && function.name != FUNCTIONS[place].name {
                    self.add_function(other);
                }
            }
        }
    }

    /// Whether one of them has that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|&place| FUNCTIONS[place].name == name)
    }

    /// The sources, in the order of the prelude.
    pub(super) fn sources(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|&place| FUNCTIONS[place].source)
    }
}
