//! Diagnostics: the errors in a kernel, as data. The macro renders them.

use crate::ir::Span;

/// An error in a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong: lower case, no full stop, names of the source in backticks.
    pub message: String,
    /// The position of the error.
    pub span: Span,
    /// A second position, with a label.
    pub related: Option<(Span, String)>,
    /// The reason.
    pub note: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), span, related: None, note: None, help: None }
    }

    /// Adds a second position.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related = Some((span, label.into()));
        self
    }

    /// Adds the reason.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.note = Some(note.into());
        self
    }

    /// Adds a suggestion.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// The known name that is closest to a mistyped one, if one is close enough; the first in alphabetical order on a tie.
/// A name of one letter has no close name.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    // A third of the letters may differ, as in rustc's suggestions, but never all.
    let limit = length.div_ceil(3).min(length.saturating_sub(1));
    let near = known.map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate));
    near.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}
