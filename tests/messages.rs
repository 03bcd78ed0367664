//! The wording of diagnostics, in all failing cases of `tests/ui`.

use kernel_ir::adjoint::differentiate;
use kernel_ir::diag::Diagnostic;
use kernel_ir::front::{
    DeviceItem, Devices, as_function, compile, compile_alias, compile_device, compile_enum, compile_file,
    compile_struct,
};
use kernel_ir::ir::Span;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::path::{Path, PathBuf};

/// Internal names of the compiler, which no message may show.
const INTERNAL: [&str; 24] = [
    "Span",
    "LocalId",
    "ParamId",
    "TypeVar",
    "TypeSet",
    "Constraint",
    "SizeExpr",
    "ExprKind",
    "StmtKind",
    "ParamKind",
    "PlaceRoot",
    "Projection",
    "Literal::",
    "Scalar",
    "Type::",
    "Op::",
    "hir",
    "syn",
    "proc_macro",
    "Some(",
    "None",
    "Ok(",
    "Err(",
    "unwrap",
];

/// The first fault in the wording of a diagnostic.
pub(crate) fn fault(diagnostic: &Diagnostic) -> Option<String> {
    let Some(help) = &diagnostic.help else { return Some(format!("no help: {}", diagnostic.message)) };
    let related = diagnostic.related.as_ref().map(|(_, label)| label);
    let parts = [Some(&diagnostic.message), diagnostic.note.as_ref(), Some(help), related];
    parts.into_iter().flatten().find_map(|part| fault_of(part))
}

fn fault_of(part: &str) -> Option<String> {
    let outside: String = part.split('`').step_by(2).collect();
    if let Some(name) = INTERNAL.iter().find(|name| outside.contains(**name)) {
        return Some(format!("`{name}` in: {part}"));
    }
    let starts_well = part.starts_with(|c: char| c.is_lowercase() || c == '`' || c == '-' || c.is_ascii_digit());
    let faults = [
        (part.matches('`').count() % 2 == 1, "an odd number of backticks"),
        (!starts_well, "a capital at the start"),
        (part.ends_with('.'), "a full stop at the end"),
        (part.contains("  ") || part.trim() != part, "stray spaces"),
        (part.is_empty(), "nothing said"),
    ];
    faults.iter().find(|(found, _)| *found).map(|(_, what)| format!("{what}: {part}"))
}

/// The failing cases of the topics in `tests/ui` for which `of` holds: paths and sources.
fn cases(of: impl Fn(&Path) -> bool) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let mut files: Vec<PathBuf> = folder(&root)
        .into_iter()
        .filter(|topic| topic.is_dir() && of(topic))
        .flat_map(|topic| folder(&topic.join("fail")))
        .filter(|file| file.extension().is_some_and(|end| end == "rs"))
        .collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), std::fs::read_to_string(file).expect("a case is text"))).collect()
}

fn folder(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    entries.map(|entry| entry.expect("a folder can be read").path()).collect()
}

/// The items with this attribute in a source, each with the attribute's arguments. Items in an `impl` count.
fn annotated(attribute: &str, source: TokenStream) -> Vec<(TokenStream, TokenStream)> {
    let mut found = Vec::new();
    let mut tokens = source.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let TokenTree::Group(group) = token else { continue };
        let mut inside = group.stream().into_iter();
        let is_kernel = matches!(inside.next(), Some(TokenTree::Ident(name)) if name == attribute);
        if !is_kernel || group.delimiter() != Delimiter::Bracket {
            found.extend(annotated(attribute, group.stream()));
            continue;
        }
        let attr = match inside.next() {
            Some(TokenTree::Group(args)) => args.stream(),
            _ => TokenStream::new(),
        };
        let mut item = TokenStream::new();
        for token in tokens.by_ref() {
            let ends = match &token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(punct) => punct.as_char() == ';',
                _ => false,
            };
            item.extend([token]);
            if ends {
                break;
            }
        }
        found.push((attr, item));
    }
    found
}

#[test]
fn messages_are_well_worded_and_point_into_the_kernel() {
    let mut faults = String::new();
    // In `calls` and `tape`, rustc finds the mistakes, in the use of valid kernels. `device`, `structs` and `enums` have a test
    // of their own. `array_structs`, `methods` and `generics` need the expansion of structs, of modules and of instances.
    let others = ["calls", "tape", "device", "structs", "enums", "array_structs", "methods", "generics"];
    let cases = cases(|topic| !others.iter().any(|name| topic.ends_with(name)));
    assert!(cases.len() >= 48, "only {} cases", cases.len());
    for (file, source) in cases {
        let kernels = annotated("kernel", source.parse().expect("a case is Rust tokens"));
        assert!(!kernels.is_empty(), "{} has no kernel", file.display());
        for (attr, item) in kernels {
            let lines = lines_of(attr.clone()).chain(lines_of(item.clone())).collect::<Vec<_>>();
            let compiled = compile(attr, item);
            let differentiated = compiled.kernel.and_then(|kernel| differentiate(&kernel));
            let Err(diagnostics) = differentiated else { panic!("{} has no mistake", file.display()) };
            let single = !file.components().any(|part| part.as_os_str() == "several");
            if single && diagnostics.len() != 1 {
                faults += &format!("{}: {} mistakes\n", file.display(), diagnostics.len());
            }
            for diagnostic in &diagnostics {
                faults += &fault(diagnostic).map(|fault| format!("{}: {fault}\n", file.display())).unwrap_or_default();
                let line = compiled.spans.get(diagnostic.span).start().line;
                if !lines.contains(&line) {
                    faults += &format!("{}: points at line {line}\n", file.display());
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn messages_about_device_items_are_well_worded() {
    let mut faults = String::new();
    let mut count = 0;
    let topics = ["device", "structs", "enums"];
    for (file, source) in cases(|topic| topics.iter().any(|name| topic.ends_with(name))) {
        let tokens: TokenStream = source.parse().expect("a case is Rust tokens");
        let mut mistakes = Vec::new();
        for (attr, item) in annotated("device", tokens.clone()) {
            mistakes.extend(match DeviceItem::parse(item.clone()) {
                Some(DeviceItem::Struct(of)) => compile_struct(attr, &of, &Devices::default()).0.err(),
                Some(DeviceItem::Enum(of)) => compile_enum(attr, &of).0.err(),
                Some(DeviceItem::Const(of)) => {
                    compile_device(attr, as_function(&of).into_token_stream(), &Devices::default()).function.err()
                }
                Some(DeviceItem::Alias(of)) => compile_alias(&of, &Devices::default()).0.err(),
                Some(DeviceItem::Function(_)) | None => compile_device(attr, item, &Devices::default()).function.err(),
                // Modules have cases of their own, in `tests/ui`.
                Some(DeviceItem::Method(_) | DeviceItem::Module(_)) => None,
            });
        }
        if !annotated("kernel", tokens.clone()).is_empty() {
            // rustc itself reports what is no Rust.
            let is_ours = |found: &Diagnostic| !found.message.starts_with("this is not valid Rust");
            let found = compile_file(tokens).err();
            mistakes.extend(found.map(|found| found.into_iter().filter(is_ours).collect()));
        }
        count += mistakes.iter().flatten().count();
        for mistake in mistakes.iter().flatten() {
            faults += &fault(mistake).map(|fault| format!("{}: {fault}\n", file.display())).unwrap_or_default();
        }
    }
    assert!(count >= 60, "only {count} mistakes");
    assert!(faults.is_empty(), "{faults}");
}

/// The lines of the tokens.
fn lines_of(tokens: TokenStream) -> impl Iterator<Item = usize> {
    tokens.into_iter().flat_map(|token| token.span().start().line..=token.span().end().line)
}

#[test]
fn bad_wording_is_found() {
    let good = Diagnostic::new(Span::NONE, "`y` is wrong").help("write `x`");
    assert_eq!(fault(&good), None);
    let bad = [
        Diagnostic::new(Span::NONE, "`y` is wrong"),
        Diagnostic::new(Span::NONE, "`y is wrong").help("write `x`"),
        Diagnostic::new(Span::NONE, "Wrong").help("write `x`"),
        Diagnostic::new(Span::NONE, "wrong").help("write `x`."),
        Diagnostic::new(Span::NONE, "wrong LocalId(3)").help("write `x`"),
        Diagnostic::new(Span::NONE, "wrong").note("").help("write `x`"),
    ];
    for diagnostic in bad {
        assert!(fault(&diagnostic).is_some(), "{diagnostic:?}");
    }
}
