//! Texts of expressions, with the precedence of the outermost operator.

/// The precedence of the outermost operator of a text, in Rust, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    If,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Prefix,
    Postfix,
}

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) text: String,
    level: Level,
    /// Whether the text ends with a type. A `<` after it would open its generic arguments.
    ends_in_type: bool,
}

impl Code {
    fn new(text: String, level: Level) -> Code {
        Code { text, level, ends_in_type: false }
    }

    /// A text that never needs parentheses.
    pub(super) fn atom(text: impl Into<String>) -> Code {
        Code::new(text.into(), Level::Postfix)
    }

    /// A struct literal. In a condition, its brace would open the block.
    pub(super) fn braced(text: String) -> Code {
        Code::new(text, Level::If)
    }

    /// A name. It has spare capacity, because an expression reuses the buffer of its first operand.
    pub(super) fn name(name: &str) -> Code {
        let mut text = String::with_capacity(name.len() + 56);
        text.push_str(name);
        Code::atom(text)
    }

    /// A number. Its sign is an operator.
    pub(super) fn number(text: String) -> Code {
        let level = if text.starts_with('-') { Level::Prefix } else { Level::Postfix };
        Code::new(text, level)
    }

    /// The text, in parentheses unless it binds at least as tightly as `level`.
    pub(super) fn at(self, level: Level) -> String {
        if self.level < level { self.parenthesized().text } else { self.text }
    }

    /// `left sign right`.
    pub(super) fn infix(sign: &str, left: Code, right: Code) -> Code {
        let level = infix_level(sign);
        let ambiguous = left.ends_in_type && matches!(sign, "<" | "<<");
        let left = if ambiguous || !fits(left.level, level, false) { left.parenthesized() } else { left };
        let right = if fits(right.level, level, true) { right } else { right.parenthesized() };
        let ends_in_type = right.ends_in_type;
        Code { text: grown(left.text, &[" ", sign, " ", &right.text]), level, ends_in_type }
    }

    /// `sign operand`.
    pub(super) fn prefix(sign: &str, operand: Code) -> Code {
        Code::new([sign, &operand.at(Level::Prefix)].concat(), Level::Prefix)
    }

    /// `operand as ty`.
    pub(super) fn cast(self, ty: &str) -> Code {
        Code { text: grown(self.at(Level::Cast), &[" as ", ty]), level: Level::Cast, ends_in_type: true }
    }

    /// `if cond { then } else { other }`.
    pub(super) fn conditional(cond: Code, then: Code, other: Code) -> Code {
        // A struct literal also has the lowest level.
        let is_chain = other.level == Level::If && other.text.starts_with("if ");
        let (open, close) = if is_chain { ("", "") } else { ("{ ", " }") };
        let parts = ["if ", &cond.at(Level::Or), " { ", &then.text, " } else ", open, &other.text, close];
        Code::new(parts.concat(), Level::If)
    }

    /// `self.name`.
    pub(super) fn field(self, name: &str) -> Code {
        Code::atom(grown(self.at(Level::Postfix), &[".", name]))
    }

    /// `self.name(args)`.
    pub(super) fn method(self, name: &str, args: &str) -> Code {
        Code::atom(grown(self.at(Level::Postfix), &[".", name, "(", args, ")"]))
    }

    /// `self[index]`.
    pub(super) fn element(self, index: &str) -> Code {
        Code::atom(grown(self.at(Level::Postfix), &["[", index, "]"]))
    }

    fn parenthesized(self) -> Code {
        Code::atom(["(", &self.text, ")"].concat())
    }
}

/// The text with these parts appended, in the buffer of the first operand.
fn grown(mut text: String, parts: &[&str]) -> String {
    parts.iter().for_each(|part| text.push_str(part));
    text
}

fn infix_level(sign: &str) -> Level {
    match sign {
        "*" | "/" | "%" => Level::Product,
        "+" | "-" => Level::Sum,
        "<<" | ">>" => Level::Shift,
        "&" => Level::BitAnd,
        "^" => Level::BitXor,
        "|" => Level::BitOr,
        "&&" => Level::And,
        "||" => Level::Or,
        _ => Level::Compare,
    }
}

/// Whether an operand needs no parentheses next to an operator of `level`. Bit operators get more parentheses than Rust
/// needs, because few readers know their precedence.
fn fits(operand: Level, level: Level, is_right: bool) -> bool {
    let same = operand == level && !is_right;
    match level {
        Level::Shift | Level::BitAnd | Level::BitXor | Level::BitOr => operand >= Level::Cast || same,
        Level::Compare => operand > Level::Shift,
        Level::If
        | Level::Or
        | Level::And
        | Level::Sum
        | Level::Product
        | Level::Cast
        | Level::Prefix
        | Level::Postfix => operand > level || same,
    }
}
