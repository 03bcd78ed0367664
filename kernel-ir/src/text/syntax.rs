//! What the printer and the parser share: words, names of components, precedence.

/// The words that start a statement or an expression of their own. A parameter of that name is written `r#if`.
pub(super) const RESERVED: [&str; 9] = ["break", "continue", "false", "for", "if", "let", "return", "true", "while"];

/// The name behind a word that is marked as one.
pub(super) fn unmarked(word: &str) -> &str {
    word.strip_prefix("r#").filter(|name| RESERVED.contains(name)).unwrap_or(word)
}

/// The names of the components of a vector or quaternion.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// How tightly the signs of Rust bind; more is tighter.
pub(super) mod precedence {
    /// An `if … else …`.
    pub(in crate::text) const LOOSEST: u8 = 0;
    /// A cast.
    pub(in crate::text) const CAST: u8 = 10;
    /// `-a`, `!a`.
    pub(in crate::text) const PREFIX: u8 = 11;
    /// Everything that carries its own brackets.
    pub(in crate::text) const ATOM: u8 = 12;

    /// An operation between its operands.
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

    /// Whether Rust has an assignment with that sign: `+=` but not `<=`.
    pub(in crate::text) fn has_assignment(sign: &str) -> bool {
        infix(sign) > 3
    }
}
