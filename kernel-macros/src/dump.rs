//! `WEFT_DUMP`: prints the requested stages.

/// Prints those of `stages` (pairs of name and text) that `WEFT_DUMP` lists, or all for `all`.
pub(crate) fn print(stages: &[(String, String)]) {
    let wanted = std::env::var("WEFT_DUMP").unwrap_or_default();
    for wanted in wanted.split(',').map(str::trim) {
        for (name, text) in stages.iter().filter(|(name, _)| name == wanted || wanted == "all") {
            eprintln!("--- {name}\n{text}");
        }
    }
}
