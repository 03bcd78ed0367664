//! Mistakes in a kernel, as data. The macro renders them.

use crate::ir::Span;

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong: lower case, no full stop, the author's own names in backticks.
    pub message: String,
    /// Where.
    pub span: Span,
    /// A second place that belongs to it, with what is to be seen there.
    pub related: Option<(Span, String)>,
    /// Why it is wrong.
    pub note: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake at `span`.
    pub fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), span, related: None, note: None, help: None }
    }

    /// Adds a second place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related = Some((span, label.into()));
        self
    }

    /// Adds the reason.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.note = Some(note.into());
        self
    }

    /// Adds the way out.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// The known name that is closest to a mistyped one, if one is close; the first in alphabetical order of several. To a
/// single letter none is.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = length.div_ceil(3).min(length.saturating_sub(1));
    let near = known.map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate));
    near.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}
