//! Definitions that the printer and the parser share: keywords, component names, precedence.

/// The keywords that start a statement or an expression. A parameter with such a name is written `r#if`.
pub(super) const RESERVED: [&str; 9] = ["break", "continue", "false", "for", "if", "let", "return", "true", "while"];

/// The name of a raw identifier.
pub(super) fn unmarked(word: &str) -> &str {
    word.strip_prefix("r#").filter(|name| RESERVED.contains(name)).unwrap_or(word)
}

/// The names of the components of a vector or quaternion.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// Rust's operator precedence; a larger number binds more tightly.
pub(super) mod precedence {
    /// An `if … else …`.
    pub(in crate::text) const LOOSEST: u8 = 0;
    /// A cast.
    pub(in crate::text) const CAST: u8 = 10;
    /// `-a`, `!a`.
    pub(in crate::text) const PREFIX: u8 = 11;
    /// Literals, names, calls and everything in parentheses.
    pub(in crate::text) const ATOM: u8 = 12;

    /// The precedence of a binary operator.
    pub(in crate::text) fn infix(sign: &str) -> u8 {
        match sign {
            "||" => 1,
            "&&" => 2,
            "==" | "!=" | "<" | "<=" | ">" | ">=" => 3,
            "|" => 4,
            "^" => 5,
            "&" => 6,
            "<<" | ">>" => 7,
            "+" | "-" => 8,
            _ => 9,
        }
    }

    /// Whether Rust has a compound assignment with the operator: `+=`, but not `<=`.
    pub(in crate::text) fn has_assignment(sign: &str) -> bool {
        infix(sign) > 3
    }
}
