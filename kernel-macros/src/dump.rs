//! Prints the stages that `WEFT_DUMP` names.

/// Prints those of `stages`, each a name and a text, that the environment variable names.
pub(crate) fn print(stages: &[(String, String)]) {
    let wanted = std::env::var("WEFT_DUMP").unwrap_or_default();
    for wanted in wanted.split(',').map(str::trim) {
        for (name, text) in stages.iter().filter(|(name, _)| name == wanted) {
            eprintln!("--- {name}\n{text}");
        }
    }
}
