//! Texts of expressions, with the parentheses that WGSL needs and no others.

/// The precedence of the outermost operator of a text, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) level: Level,
}

impl Text {
    /// A text that never needs parentheses.
    pub(super) fn primary(text: impl Into<String>) -> Text {
        Text { text: text.into(), level: Level::Primary }
    }

    /// A call of `function`.
    pub(super) fn call(function: &str, args: impl IntoIterator<Item = Text>) -> Text {
        let args: Vec<String> = args.into_iter().map(Text::listed).collect();
        Text::primary([function, "(", &args.join(", "), ")"].concat())
    }

    /// `left symbol right`.
    pub(super) fn infix(left: Text, symbol: &str, right: Text) -> Text {
        let level = infix_level(symbol);
        let (left, right) = (left.operand(level, false), right.operand(level, true));
        Text { text: [&left, " ", symbol, " ", &right].concat(), level }
    }

    /// `symbol operand`.
    pub(super) fn prefix(symbol: &str, operand: Text) -> Text {
        // `- -x` must not become `--x`.
        let again = operand.text.starts_with(symbol);
        let operand = if again { operand.parenthesized() } else { operand.at(Level::Unary) };
        Text { text: [symbol, &operand].concat(), level: Level::Unary }
    }

    /// `base.field`.
    pub(super) fn field(self, name: &str) -> Text {
        Text::primary([&self.at(Level::Primary), ".", name].concat())
    }

    /// `base[index]`.
    pub(super) fn subscript(self, index: Text) -> Text {
        Text::primary([&self.at(Level::Primary), "[", &index.listed(), "]"].concat())
    }

    /// The text, in parentheses unless it binds at least as tightly as `level`.
    pub(super) fn at(self, level: Level) -> String {
        if self.level < level { self.parenthesized() } else { self.text }
    }

    /// The text as a member of a list. There, `a < b, c > d` would be a template.
    fn listed(self) -> String {
        if self.level <= Level::Relation && self.text.contains('<') { self.parenthesized() } else { self.text }
    }

    fn parenthesized(self) -> String {
        ["(", &self.text, ")"].concat()
    }

    fn operand(self, level: Level, is_right: bool) -> String {
        if fits(self.level, level, is_right) { self.text } else { self.parenthesized() }
    }
}

/// The precedence of an infix operator.
fn infix_level(symbol: &str) -> Level {
    match symbol {
        "*" | "/" | "%" => Level::Product,
        "+" | "-" => Level::Sum,
        "<<" | ">>" => Level::Shift,
        "&" => Level::BitAnd,
        "^" => Level::BitXor,
        "|" => Level::BitOr,
        "&&" => Level::And,
        "||" => Level::Or,
        _ => Level::Relation,
    }
}

/// Whether an operand needs no parentheses next to an operator of `level`.
fn fits(operand: Level, level: Level, is_right: bool) -> bool {
    let same = operand == level && !is_right;
    match level {
        Level::Sum | Level::Product => operand > level || same,
        Level::Relation => operand > Level::Shift,
        // `a && (b && c)` equals `a && b && c`.
        Level::And | Level::Or => operand >= Level::Relation || operand == level,
        Level::BitOr | Level::BitXor | Level::BitAnd => operand >= Level::Unary || same,
        // A shift is no operand of another one.
        Level::Shift | Level::Unary | Level::Primary => operand >= Level::Unary,
    }
}
