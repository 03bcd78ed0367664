//! Opaque source positions. The IR stores [`Span`]s; only the front end and the macro resolve them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// A source position: a key into the [`SpanTable`] of the compilation that made it.
///
/// All spans compare equal, so that two nodes are equal if they are the same program, wherever it was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span(u32);

impl Span {
    /// The position of nodes that are not from the source.
    pub const NONE: Span = Span(0);

    /// Whether both are the same position. `==` does not tell.
    pub fn is(self, other: Span) -> bool {
        self.0 == other.0
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl std::hash::Hash for Span {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// Maps the spans of one compilation to source positions: the first and the last token of a range. A proc macro on a
/// stable compiler cannot join the two into one span. It can give the first token of an emitted `compile_error!` the
/// first span and the last token the last span, and rustc then marks the range.
#[derive(Debug, Default)]
pub struct SpanTable {
    places: Vec<(proc_macro2::Span, proc_macro2::Span)>,
    forgets: bool,
}

impl SpanTable {
    /// A table that stores nothing: every key is [`Span::NONE`].
    pub(crate) fn forgetful() -> SpanTable {
        SpanTable { places: Vec::new(), forgets: true }
    }

    /// Stores `span` and returns its key.
    pub fn insert(&mut self, span: proc_macro2::Span) -> Span {
        self.insert_ends(span, span)
    }

    /// Stores the position of `tokens` and returns its key.
    pub fn insert_tokens(&mut self, tokens: &dyn ToTokens) -> Span {
        if self.forgets {
            return Span::NONE;
        }
        match ends(tokens.to_token_stream()) {
            Some((first, last)) => self.insert_ends(first, last),
            None => Span::NONE,
        }
    }

    fn insert_ends(&mut self, first: proc_macro2::Span, last: proc_macro2::Span) -> Span {
        if self.forgets {
            return Span::NONE;
        }
        self.places.push((first, last));
        Span(u32::try_from(self.places.len()).expect("a kernel has fewer than 2^32 tokens"))
    }

    /// The first and the last token of `span`; the macro's call site for [`Span::NONE`].
    pub fn ends(&self, span: Span) -> (proc_macro2::Span, proc_macro2::Span) {
        match span.0.checked_sub(1) {
            Some(key) => self.places[key as usize],
            None => (proc_macro2::Span::call_site(), proc_macro2::Span::call_site()),
        }
    }

    /// The position of `span`, or of its first token if the compiler cannot join the two.
    pub fn get(&self, span: Span) -> proc_macro2::Span {
        let (first, last) = self.ends(span);
        first.join(last).unwrap_or(first)
    }
}

/// The spans of the first and the last token. The invisible groups of `macro_rules!` fragments have no position, so
/// their contents count.
fn ends(tokens: TokenStream) -> Option<(proc_macro2::Span, proc_macro2::Span)> {
    let mut ends = None;
    for token in tokens {
        let (first, last) = match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => match self::ends(group.stream()) {
                Some(inside) => inside,
                None => continue,
            },
            TokenTree::Group(group) => (group.span_open(), group.span_close()),
            token => (token.span(), token.span()),
        };
        ends = Some((ends.map_or(first, |(first, _)| first), last));
    }
    ends
}
