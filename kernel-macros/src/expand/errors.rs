//! Diagnostics as `compile_error!`s.

use super::names::runtime;
use kernel_ir::diag::Diagnostic;
use kernel_ir::ir::SpanTable;
use proc_macro2::TokenStream;
use quote::quote_spanned;

/// One `compile_error!` for each diagnostic, at its span.
pub(super) fn render(diagnostics: &[Diagnostic], spans: &SpanTable) -> TokenStream {
    diagnostics
        .iter()
        .map(|diagnostic| {
            let (first, last) = spans.ends(diagnostic.span);
            let message = message(diagnostic, spans);
            // rustc reports the error from the first token to the last. The path has no other name with the author's
            // position: rust-analyzer would take the name for what the author means there.
            let rt = runtime().into_iter().skip(2);
            let mut call = quote_spanned!(first=> ::);
            call.extend(rt);
            call.extend(quote_spanned!(first=> ::compile_error!));
            call.extend(quote_spanned!(last=> { #message }));
            call
        })
        .collect()
}

/// The message, then one line each for the related position, the note and the help. The related position is given as a
/// line number, because a second `compile_error!` would look like a second error.
fn message(diagnostic: &Diagnostic, spans: &SpanTable) -> String {
    let mut message = diagnostic.message.clone();
    let mut parts = Vec::new();
    if let Some((span, label)) = &diagnostic.related {
        let (here, there) = (spans.get(diagnostic.span).file(), spans.get(*span).file());
        // A device function may be in another file than the kernel.
        let file = if here == there { String::new() } else { format!("{there}, ") };
        parts.push(format!("{file}line {}: {label}", spans.get(*span).start().line));
    }
    parts.extend(diagnostic.note.as_ref().map(|note| format!("note: {note}")));
    parts.extend(diagnostic.help.as_ref().map(|help| format!("help: {help}")));
    if !parts.is_empty() {
        message.push_str("\n\n");
        message.push_str(&parts.join("\n"));
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_ir::ir::Span;

    #[test]
    fn a_message_tells_everything_that_is_known() {
        let diagnostic = Diagnostic::new(Span::NONE, "`y` is written twice")
            .related(Span::NONE, "first here")
            .note("threads run in no order")
            .help("use `atomic_add`");
        let text = message(&diagnostic, &SpanTable::default());
        assert!(text.starts_with("`y` is written twice\n\nline "), "{text}");
        assert!(text.ends_with(": first here\nnote: threads run in no order\nhelp: use `atomic_add`"), "{text}");
        assert_eq!(message(&Diagnostic::new(Span::NONE, "no"), &SpanTable::default()), "no");
    }
}
