//! Opaque source positions. The IR stores a [`Span`]; only the front end and the macro know what it stands for.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// A source position: a key into the [`SpanTable`] of the compilation that made it.
///
/// Two nodes that differ only in their span are the same program, so all spans compare equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span(u32);

impl Span {
    /// The position of nodes that no author wrote.
    pub const NONE: Span = Span(0);

    /// Whether both are the same position, which `==` does not say.
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

/// What the spans of one compilation stand for: the first and the last token of a place. A proc macro cannot join the
/// two into one on a stable compiler, but it can give the first token of an error the one and the last the other.
#[derive(Debug, Default)]
pub struct SpanTable {
    places: Vec<(proc_macro2::Span, proc_macro2::Span)>,
    forgets: bool,
}

impl SpanTable {
    /// A table that keeps nothing: every key is [`Span::NONE`].
    pub(crate) fn forgetful() -> SpanTable {
        SpanTable { places: Vec::new(), forgets: true }
    }

    /// Stores `span` and returns its key.
    pub fn insert(&mut self, span: proc_macro2::Span) -> Span {
        self.insert_ends(span, span)
    }

    /// Stores the place of `tokens` and returns its key.
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

    /// The first and the last token behind `span`; the macro's call site for [`Span::NONE`].
    pub fn ends(&self, span: Span) -> (proc_macro2::Span, proc_macro2::Span) {
        match span.0.checked_sub(1) {
            Some(key) => self.places[key as usize],
            None => (proc_macro2::Span::call_site(), proc_macro2::Span::call_site()),
        }
    }

    /// The source position behind `span`; of its first token where the compiler cannot join the two ends.
    pub fn get(&self, span: Span) -> proc_macro2::Span {
        let (first, last) = self.ends(span);
        first.join(last).unwrap_or(first)
    }
}

/// The first and the last token. The brackets of `macro_rules!` fragments are invisible and have no place.
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
