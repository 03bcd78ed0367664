//! The front end in-process: the source of a kernel in, IR text or messages out.

mod arrays;
mod branches;
mod evaluation;
mod inference;
mod literals;
mod loops;
mod mistakes;
mod names;
mod operations;
mod signature;
mod wrapped;

use kernel_ir::front::compile;
use kernel_ir::text;
use proc_macro2::TokenStream;

/// The text form of the kernel `source`.
fn text_of(source: &str) -> String {
    let item: TokenStream = source.parse().expect("the source is Rust tokens");
    let attr: TokenStream = "family = \"test\"".parse().expect("the attribute is Rust tokens");
    match compile(attr, item).kernel {
        Ok(kernel) => {
            let text = text::print(&kernel);
            assert_eq!(text::parse(&text).as_ref(), Ok(&*kernel), "the text form does not come back:\n{text}");
            text
        }
        Err(diagnostics) => panic!("{diagnostics:#?}"),
    }
}

/// The statements of a kernel with the parameters `params` and the body `body`, without the indent.
fn lowered(params: &str, body: &str) -> String {
    let text = text_of(&format!("fn k({params}) {{ {body} }}"));
    let inside = text.lines().skip_while(|line| *line != ") {" && !line.ends_with("() {")).skip(1);
    let lines: Vec<&str> = inside.map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    lines.split_last().map(|(_, lines)| lines.iter().map(|line| format!("{line}\n")).collect()).unwrap_or_default()
}

/// Every mistake in the kernel `source`: the tokens it points at, the message, and note and help below.
fn mistakes_of(source: &str) -> String {
    let item: TokenStream = source.parse().expect("the source is Rust tokens");
    let compiled = compile(TokenStream::new(), item);
    let Err(diagnostics) = compiled.kernel else { panic!("{source}\nhas no mistake") };
    let mut shown = String::new();
    for diagnostic in diagnostics {
        let at = compiled.spans.get(diagnostic.span).source_text().unwrap_or_default();
        shown += &format!("{at}\n  {}\n", diagnostic.message);
        if let Some((span, label)) = diagnostic.related {
            shown += &format!("  {label}: {}\n", compiled.spans.get(span).source_text().unwrap_or_default());
        }
        for (kind, line) in [("note", diagnostic.note), ("help", diagnostic.help)] {
            shown += &line.map(|line| format!("  {kind}: {line}\n")).unwrap_or_default();
        }
    }
    shown
}

/// Every mistake in a kernel with these parameters and this body.
fn mistakes(params: &str, body: &str) -> String {
    mistakes_of(&format!("fn k({params}) {{ {body} }}"))
}
