//! Checks on the tokens before parsing: the depth of nesting, and attributes.

use crate::diag::Diagnostic;
use crate::ir::SpanTable;
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use syn::visit::Visit;

/// The limit on the cost around and before a token in its statement. It bounds the depth of the recursion in syn's
/// parser and in every later stage, so that deep nesting gives a diagnostic and not a stack overflow. The text form can
/// read back any kernel within it.
const LIMIT: usize = 600;

/// The cost of a bracket or `<`; any other token costs 1.
const BRACKET: usize = 6;

/// Attributes that do not change the meaning of the function.
const HARMLESS: [&str; 10] =
    ["domain", "shape", "doc", "allow", "expect", "warn", "deny", "forbid", "rustfmt", "clippy"];

/// Refuses code that is nested too deeply to be parsed.
pub(super) fn check_nesting(item: &TokenStream, spans: &mut SpanTable) -> Result<(), Diagnostic> {
    too_deep(item.clone(), 0).map_or(Ok(()), |at| {
        Err(Diagnostic::new(spans.insert(at), "this statement is too long or nested too deeply")
            .help("split it: give parts of it a name with `let`"))
    })
}

/// The first token beyond the limit; `around` is the cost of the surrounding tokens.
fn too_deep(tokens: TokenStream, mut around: usize) -> Option<Span> {
    let mut before = 0;
    let mut lists = Lists::default();
    let mut after_block = false;
    for token in tokens {
        let separates = match &token {
            TokenTree::Punct(punct) => match punct.as_char() {
                ';' => true,
                ',' => !lists.are_open(),
                '#' => after_block,
                _ => false,
            },
            // A block that continues an expression: `{ x } as f32`, `if c { x } else { y }`, `for S { a } in x`.
            TokenTree::Ident(word) => after_block && word != "as" && word != "else" && word != "in",
            TokenTree::Literal(_) => after_block,
            // Groups continue an expression, too: `if { c } { x }`, `{ f }(x)`.
            TokenTree::Group(_) => false,
        };
        if separates {
            before = 0;
            lists = Lists::default();
        }
        after_block = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        // Each arm of a `match` becomes a branch inside the `else` of the arm before it.
        let ends_pattern = lists.after_equals && matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '>');
        around += if ends_pattern { BRACKET } else { 0 };
        before += if lists.enter(&token) { BRACKET } else { 1 };
        if around + before > LIMIT {
            return Some(token.span());
        }
        if let TokenTree::Group(group) = token {
            let inside = around + before + BRACKET;
            let deep = if inside > LIMIT { Some(group.span_open()) } else { too_deep(group.stream(), inside) };
            if deep.is_some() {
                return deep;
            }
        }
    }
    None
}

/// The open lists whose brackets are not token groups: `<A, B>` and `|a, b|`. A comma in such a list does not end a
/// statement, so it does not reset the cost. A comparison looks like an opening `<`, and counts as one until its
/// statement ends.
#[derive(Default)]
struct Lists {
    angles: usize,
    bars: bool,
    after_arrow: bool,
    /// Whether the token before is the `=` of `=>`.
    after_equals: bool,
}

impl Lists {
    fn are_open(&self) -> bool {
        self.angles > 0 || self.bars
    }

    /// Processes the next token; returns whether it is a `<`.
    fn enter(&mut self, token: &TokenTree) -> bool {
        let TokenTree::Punct(punct) = token else {
            (self.after_arrow, self.after_equals) = (false, false);
            return false;
        };
        let sign = punct.as_char();
        match sign {
            '<' => self.angles += 1,
            // The `>` of `->` and `=>` closes nothing.
            '>' if !self.after_arrow => self.angles = self.angles.saturating_sub(1),
            '|' => self.bars = !self.bars,
            _ => {}
        }
        self.after_arrow = matches!(sign, '-' | '=') && punct.spacing() == Spacing::Joint;
        self.after_equals = self.after_arrow && sign == '=';
        sign == '<'
    }
}

/// Refuses attributes inside the function that could change its meaning, such as `#[cfg(…)]`: rustc applies them after
/// `#[kernel]` has read the function. Attributes before the function are left to rustc.
pub(super) fn check_attributes(item: &syn::ItemFn, spans: &mut SpanTable, diagnostics: &mut Vec<Diagnostic>) {
    let mut attributes = Attributes { spans, diagnostics };
    attributes.visit_signature(&item.sig);
    attributes.visit_block(&item.block);
}

struct Attributes<'a> {
    spans: &'a mut SpanTable,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Visit<'_> for Attributes<'_> {
    fn visit_attribute(&mut self, attribute: &syn::Attribute) {
        let Some(name) = attribute.path().segments.first().map(|first| &first.ident) else { return };
        if !HARMLESS.iter().any(|harmless| name == harmless) {
            self.diagnostics.push(
                Diagnostic::new(
                    self.spans.insert(name.span()),
                    format!("the attribute `{name}` is not allowed inside a kernel"),
                )
                .note("it would be applied after `#[kernel]` has read the function")
                .help("put it before the whole function, or remove it"),
            );
        }
    }
}
