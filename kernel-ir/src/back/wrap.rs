//! Long lines, broken.
//!
//! A writer makes one line of a statement. Where that is too long it is broken here, as formatters break it: before the
//! operators that bind least, else between the arguments of the longest call; what is too long even then is broken again,
//! inside. That needs to know little of a language: binary operators have a space on both sides, commas and semicolons one
//! behind them, brackets come in pairs. The rest is in a [`Style`].

/// How a language is broken into lines.
#[derive(Debug)]
pub(super) struct Style {
    /// The columns of a line.
    pub(super) width: usize,
    /// The words between two parts of an expression, those that bind least first.
    pub(super) operators: &'static [&'static [&'static str]],
    /// The words between which and a block stands a condition.
    pub(super) block_keywords: &'static [&'static str],
    /// Whether a statement goes on in the next line without brackets around.
    pub(super) is_free: bool,
    /// Whether operations are methods, which make chains.
    pub(super) has_methods: bool,
    /// Whether a comma stands behind the last argument of a call that is broken.
    pub(super) has_trailing_comma: bool,
}

/// The signs that stand between a place and what is assigned to it.
pub(super) const ASSIGNMENTS: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

/// What a line is farther in than the one that it goes on from.
const STEP: usize = 4;

/// Adds `line`, `depth` levels in, to `out`, as several if it is too long. Comments, and lines with texts in them, stay as
/// they are.
pub(super) fn push_line(out: &mut String, depth: usize, line: &str, style: &Style) {
    let indent = STEP * depth;
    push_indent(out, indent);
    let is_fixed =
        || line.starts_with("//") || line.starts_with('#') || line.bytes().any(|byte| matches!(byte, b'"' | b'\n'));
    // No text has more columns than bytes.
    if indent + line.len() <= style.width || indent + columns(line) <= style.width || is_fixed() {
        out.push_str(line);
    } else {
        Wrapper { style, out }.statement(line, indent);
    }
    out.push('\n');
}

fn push_indent(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n("    ", indent / STEP));
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Where a part of a line goes.
#[derive(Clone, Copy)]
struct Room {
    /// The columns in front of the line that the part is on.
    indent: usize,
    /// The column at which the part begins.
    column: usize,
    /// The columns of what must stand behind it on the same line.
    tail: usize,
    /// How much farther in the lines are that begin with one of its operators.
    hang: usize,
}

struct Wrapper<'a> {
    style: &'a Style,
    out: &'a mut String,
}

impl Wrapper<'_> {
    /// A statement: `place = value;`, `return value;`, `if condition {`, or a call.
    fn statement(&mut self, line: &str, indent: usize) {
        let (line, end) = split_end(line);
        let is_block = end == " {" || end == ":";
        let assigned = words(line).find(|(_, word)| ASSIGNMENTS.contains(word));
        let value = &line[assigned.map_or(0, |(at, word)| at + word.len() + 1)..];
        let keywords = if is_block { self.style.block_keywords } else { &["return"] };
        let value = keywords.iter().find_map(|keyword| value.strip_prefix(keyword)?.strip_prefix(' ')).unwrap_or(value);
        let head = &line[..line.len() - value.len()];
        self.out.push_str(head);
        let tail = columns(end);
        let room = Room { indent, column: indent + columns(head), tail, hang: STEP };
        let next = indent + STEP;
        if self.style.is_free && !is_block && !head.is_empty() && next + columns(value) + tail <= self.style.width {
            self.out.truncate(self.out.trim_end().len());
            self.line_break(next);
            self.out.push_str(value);
        } else if !self.style.is_free && !self.operators(value).is_empty() {
            self.out.push('(');
            self.line_break(next);
            self.expr(value, Room { indent: next, column: next, tail: 0, hang: 0 });
            self.line_break(indent);
            self.out.push(')');
        } else {
            self.expr(value, room);
            // Where a condition took several lines, what depends on it does not begin on its last one.
            if self.style.is_free && end == " {" && !self.operators(value).is_empty() {
                self.line_break(indent);
                self.out.push('{');
                return;
            }
        }
        self.out.push_str(end);
    }

    /// An expression, or anything else with brackets in pairs.
    fn expr(&mut self, text: &str, room: Room) {
        if room.column + columns(text) + room.tail <= self.style.width {
            return self.out.push_str(text);
        }
        match self.operators(text) {
            operators if operators.is_empty() => self.group(text, room),
            operators => self.operands(text, operators, room),
        }
    }

    /// The places of the operators outside of brackets that bind least.
    fn operators(&self, text: &str) -> Vec<usize> {
        let mut places = Vec::new();
        // Conditions and blocks alternate: no place for a break is outside of them.
        if has_blocks(text) {
            return places;
        }
        let mut levels = self.style.operators;
        for (at, word) in words(text).filter(|(_, word)| may_be_operator(word)) {
            if let Some(level) = levels.iter().position(|level| level.contains(&word)) {
                if level + 1 < levels.len() {
                    levels = &levels[..=level];
                    places.clear();
                }
                places.push(at);
            }
        }
        places
    }

    /// Operands, each on a line that begins with the operator in front of it, which stand at the places `operators`.
    fn operands(&mut self, text: &str, operators: Vec<usize>, room: Room) {
        let indent = room.indent + room.hang;
        let mut begin = 0;
        for end in operators.into_iter().chain([text.len()]) {
            let part = text[begin..end].trim_end();
            let tail = if end == text.len() { room.tail } else { 0 };
            if begin == 0 {
                self.expr(part, Room { tail, ..room });
            } else {
                self.line_break(indent);
                let (operator, operand) = part.split_once(' ').unwrap_or((part, ""));
                self.out.push_str(operator);
                self.out.push(' ');
                self.expr(operand, Room { indent, column: indent + columns(operator) + 1, tail, hang: STEP });
            }
            begin = end;
        }
    }

    /// A call, or what else has brackets: what is in the largest of them gets lines of its own.
    fn group(&mut self, text: &str, room: Room) {
        if has_blocks(text) {
            return self.blocks(text, room);
        }
        let Some((open, close)) = groups(text).max_by_key(|(open, close)| close - open) else {
            return self.out.push_str(text);
        };
        let (head, inside, behind) = (&text[..=open], text[open + 1..close].trim(), &text[close..]);
        if self.style.has_methods {
            let links = links(text);
            if links.len() > usize::from(open > 0) {
                return self.chain(text, links, room);
            }
        }
        self.out.push_str(head);
        let items: Vec<&str> = items(inside).collect();
        let indent = room.indent + STEP;
        let hang = if items.len() == 1 { 0 } else { STEP };
        let is_call = head.ends_with('(') && head[..open].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        for (place, item) in items.iter().enumerate() {
            self.line_break(indent);
            self.expr(item, Room { indent, column: indent, tail: 1, hang });
            let is_last = place + 1 == items.len();
            if is_last && is_call && self.style.has_trailing_comma {
                self.out.push(',');
            }
        }
        self.line_break(room.indent);
        self.out.push_str(&behind[..1]);
        self.expr(&behind[1..], Room { column: room.indent + 1, ..room });
    }

    /// A chain of method calls: each on a line of its own.
    fn chain(&mut self, text: &str, links: Vec<usize>, room: Room) {
        let indent = room.indent + STEP;
        let last = text.len();
        let mut begin = 0;
        for end in links.into_iter().chain([last]) {
            let tail = if end == last { room.tail } else { 0 };
            if begin == 0 {
                self.expr(&text[..end], Room { tail, ..room });
            } else {
                self.line_break(indent);
                self.expr(&text[begin..end], Room { indent, column: indent, tail, hang: STEP });
            }
            begin = end;
        }
    }

    /// A choice between blocks, each on lines of its own.
    fn blocks(&mut self, text: &str, room: Room) {
        let indent = room.indent + STEP;
        let mut begin = 0;
        for (open, close) in groups(text).filter(|(open, _)| text[*open..].starts_with('{')) {
            self.out.push_str(&text[begin..=open]);
            self.line_break(indent);
            self.expr(text[open + 1..close].trim(), Room { indent, column: indent, tail: 0, hang: STEP });
            self.line_break(room.indent);
            begin = close;
        }
        self.out.push_str(&text[begin..]);
    }

    fn line_break(&mut self, indent: usize) {
        self.out.push('\n');
        push_indent(self.out, indent);
    }
}

/// Whether `text` is a choice between blocks, as Rust has it.
fn has_blocks(text: &str) -> bool {
    text.starts_with("if ") && groups(text).any(|(open, _)| text[open..].starts_with('{'))
}

/// The places before calls of methods on the results of calls, or of what stands in parentheses.
fn links(text: &str) -> Vec<usize> {
    let behind = |close: usize| text[close + 1..].starts_with('.').then_some(close + 1);
    groups(text).filter_map(|(_, close)| behind(close)).collect()
}

/// A statement without what ends it, and that.
fn split_end(line: &str) -> (&str, &str) {
    let end = [" {", ";", ":"].into_iter().find(|end| line.ends_with(end)).unwrap_or("");
    line.split_at(line.len() - end.len())
}

/// The words between spaces that are outside of all brackets, with their places. The first and the last are none: nothing
/// can be broken there.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut depth = 0_i32;
    let mut begin = None;
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b' ' if depth == 0 => {
                let word = begin.map(|begin| (begin, &text[begin..at]));
                begin = Some(at + 1);
                return word;
            }
            _ => {}
        }
        None
    })
}

/// Whether the word may be an operator, as far as a glance tells: most operands begin otherwise, or are longer.
fn may_be_operator(word: &str) -> bool {
    let is_sign = |byte: &u8| byte.is_ascii_punctuation() && !matches!(byte, b'(' | b'_');
    word.len() <= 4 && word.as_bytes().first().is_some_and(|byte| byte.is_ascii_lowercase() || is_sign(byte))
}

/// The places of brackets that are outside of other brackets, in pairs.
fn groups(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let (mut depth, mut open) = (0_i32, 0);
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth == 1 {
                    open = at;
                }
            }
            b')' | b']' | b'}' => {
                depth -= 1;
                return (depth == 0).then_some((open, at));
            }
            _ => {}
        }
        None
    })
}

/// The parts of a loop's head, or the arguments in `inside`, with the semicolon or comma behind each but the last.
fn items(inside: &str) -> impl Iterator<Item = &str> {
    // Only heads of loops have semicolons at all.
    let end = if inside.contains(';') && inside.chars().any(outside(';')) { ';' } else { ',' };
    inside.split_inclusive(outside(end)).map(str::trim)
}

/// Whether the next character of a text is `wanted`, and outside of brackets.
fn outside(wanted: char) -> impl FnMut(char) -> bool {
    let mut depth = 0_i32;
    move |c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && c == wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    const OPERATORS: &[&[&str]] = &[&["?", ":", "if", "else"], &["&&", "and"], &["==", "<"], &["+", "-"], &["*", "/"]];

    const FREE: Style = Style {
        width: 40,
        operators: OPERATORS,
        block_keywords: &["if", "} else if"],
        is_free: true,
        has_methods: false,
        has_trailing_comma: false,
    };

    const METHODS: Style = Style { has_methods: true, has_trailing_comma: true, ..FREE };

    const IN_BRACKETS: Style = Style { is_free: false, has_trailing_comma: true, ..FREE };

    fn check(style: &Style, line: &str, expect: Expect) {
        let mut text = String::new();
        push_line(&mut text, 0, line, style);
        let words = |text: &str| text.replace(|c: char| c.is_whitespace() || "(),".contains(c), "");
        assert_eq!(words(&text), words(line), "nothing but space, brackets and commas is added");
        expect.assert_eq(&text);
    }

    #[test]
    fn short_lines_and_comments_stay() {
        check(
            &FREE,
            "x = y;",
            expect![[r#"
                    x = y;
            "#]],
        );
        check(
            &FREE,
            "// The end is far, and nobody breaks a comment.",
            expect![[r#"
                    // The end is far, and nobody breaks a comment.
            "#]],
        );
    }

    #[test]
    fn an_assigned_value_goes_to_the_next_line() {
        check(
            &FREE,
            "const float distance = hypot(north, east);",
            expect![[r#"
                    const float distance =
                        hypot(north, east);
            "#]],
        );
    }

    #[test]
    fn operators_that_bind_least_begin_lines() {
        check(
            &FREE,
            "sum += first_factor * second + third_factor * fourth - offset;",
            expect![[r#"
                    sum += first_factor * second
                        + third_factor * fourth
                        - offset;
            "#]],
        );
        check(
            &FREE,
            "y[i] = is_near ? weight * (one + another + yet_another_number) : 0;",
            expect![[r#"
                    y[i] = is_near
                        ? weight
                            * (
                                one
                                + another
                                + yet_another_number
                            )
                        : 0;
            "#]],
        );
        check(
            &IN_BRACKETS,
            "sum += first_factor * second + third_factor * fourth - offset",
            expect![[r#"
                    sum += (
                        first_factor * second
                        + third_factor * fourth
                        - offset
                    )
            "#]],
        );
        check(
            &IN_BRACKETS,
            "return weight if is_near and is_known else another_weight",
            expect![[r#"
                    return (
                        weight
                        if is_near and is_known
                        else another_weight
                    )
            "#]],
        );
    }

    #[test]
    fn arguments_get_lines_of_their_own() {
        check(
            &FREE,
            "y[i] = clamp(first + second + third_of_them, f(low), high).x;",
            expect![[r#"
                    y[i] = clamp(
                        first + second + third_of_them,
                        f(low),
                        high
                    ).x;
            "#]],
        );
        check(
            &IN_BRACKETS,
            "y[i] = clamp(first + second + third_of_them, f(low), high).x",
            expect![[r#"
                    y[i] = clamp(
                        first + second + third_of_them,
                        f(low),
                        high,
                    ).x
            "#]],
        );
        check(
            &FREE,
            "for (int step = 0; step < count_of_steps; ++step) {",
            expect![[r#"
                    for (
                        int step = 0;
                        step < count_of_steps;
                        ++step
                    ) {
            "#]],
        );
    }

    #[test]
    fn chains_are_broken_before_their_calls() {
        check(
            &METHODS,
            "y[i] = (first * second + third).max(0.0).min(limit_of_all).sqrt();",
            expect![[r#"
                    y[i] = (first * second + third)
                        .max(0.0)
                        .min(limit_of_all)
                        .sqrt();
            "#]],
        );
        check(
            &METHODS,
            "y[i] = first_factor.clamp(smallest_of_all, largest_of_all);",
            expect![[r#"
                    y[i] = first_factor.clamp(
                        smallest_of_all,
                        largest_of_all,
                    );
            "#]],
        );
    }

    #[test]
    fn conditions_are_broken_in_front_of_their_block() {
        check(
            &FREE,
            "if (first_condition == 0 && second_condition) {",
            expect![[r#"
                    if (
                        first_condition == 0
                        && second_condition
                    ) {
            "#]],
        );
        check(
            &FREE,
            "} else if first_condition == 0 && second_condition {",
            expect![[r#"
                    } else if first_condition == 0
                        && second_condition
                    {
            "#]],
        );
        check(
            &IN_BRACKETS,
            "if first_condition == 0 and second_condition:",
            expect![[r#"
                    if (
                        first_condition == 0
                        and second_condition
                    ):
            "#]],
        );
        check(
            &FREE,
            "let x = (if is_near { first + second } else { third }) + fourth;",
            expect![[r#"
                    let x = (
                        if is_near {
                            first + second
                        } else {
                            third
                        }
                    )
                        + fourth;
            "#]],
        );
    }
}
