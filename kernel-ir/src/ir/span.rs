//! Opaque source positions. The IR stores a [`Span`]; only the front end and the macro know what it stands for.

/// A source position: a key into the [`SpanTable`] of the compilation that made it.
///
/// Two nodes that differ only in their span are the same program, so all spans compare equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span(u32);

impl Span {
    /// The position of nodes that no author wrote.
    pub const NONE: Span = Span(0);
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

/// What the spans of one compilation stand for.
#[derive(Debug, Default)]
pub struct SpanTable(Vec<proc_macro2::Span>);

impl SpanTable {
    /// Stores `span` and returns its key.
    pub fn insert(&mut self, span: proc_macro2::Span) -> Span {
        self.0.push(span);
        Span(u32::try_from(self.0.len()).expect("a kernel has fewer than 2^32 tokens"))
    }

    /// The source position behind `span`; the macro's call site for [`Span::NONE`].
    pub fn get(&self, span: Span) -> proc_macro2::Span {
        match span.0.checked_sub(1) {
            Some(key) => self.0[key as usize],
            None => proc_macro2::Span::call_site(),
        }
    }
}
