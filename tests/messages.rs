//! How mistakes are worded, over all failing cases of `tests/ui`.

use kernel_ir::diag::Diagnostic;

/// Names of the compiler's inside that no author knows.
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

/// What is wrong with the wording of a mistake.
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
        (part.split('`').count() % 2 == 0, "an odd number of backticks"),
        (!starts_well, "a capital at the start"),
        (part.ends_with('.'), "a full stop at the end"),
        (part.contains("  ") || part.trim() != part, "stray spaces"),
        (part.is_empty(), "nothing said"),
    ];
    faults.iter().find(|(found, _)| *found).map(|(_, what)| format!("{what}: {part}"))
}
