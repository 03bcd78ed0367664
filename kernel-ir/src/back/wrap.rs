//! Line breaking for all writers.
//!
//! A writer makes one line per statement. A line that is too long is broken as by a formatter: before the operators of
//! lowest precedence, or else between the arguments of the longest call. Parts that are still too long are broken
//! recursively.
//!
//! The breaker knows no grammar. It relies on three conventions: a binary operator has a space on both sides, a comma
//! or semicolon has a space after it, and brackets are paired. A [`Style`] describes the rest of the language.

/// The line-breaking rules of a language.
#[derive(Debug)]
pub(super) struct Style {
    /// The maximum number of columns.
    pub(super) width: usize,
    /// The binary operators by precedence, lowest first.
    pub(super) operators: &'static [&'static [&'static str]],
    /// The keywords before a condition that a block follows.
    pub(super) block_keywords: &'static [&'static str],
    /// Whether a statement may continue on the next line without brackets around it, as in C and unlike Python.
    pub(super) is_free_form: bool,
    /// Whether chains of method calls are broken before each call.
    pub(super) has_method_chains: bool,
    /// Whether the last argument of a broken call has a trailing comma.
    pub(super) has_trailing_comma: bool,
}

/// The assignment operators.
pub(super) const ASSIGNMENTS: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

/// The indentation of a nesting level, and of a continued line.
const INDENT: usize = 4;

/// Appends `line` to `out`, indented by `depth` levels, and broken if it is too long. Comments and lines with string
/// literals are never broken.
pub(super) fn push_line(out: &mut String, depth: usize, line: &str, style: &Style) {
    let indent = INDENT * depth;
    push_indent(out, indent);
    // A text has at most as many columns as bytes, so the comparison of bytes is enough for most lines.
    let fits = indent + line.len() <= style.width || indent + columns(line) <= style.width;
    let is_comment = || line.starts_with("//") || line.starts_with('#');
    let (statement, end) = split_end(line);
    match if fits || is_comment() { None } else { marks(statement) } {
        Some(marks) => Wrapper { style, line: statement, end, marks, out }.statement(indent),
        None => out.push_str(line),
    }
    out.push('\n');
}

/// Appends `indent` spaces.
pub(super) fn push_indent(out: &mut String, mut indent: usize) {
    const SPACES: &str = "                                                                ";
    while indent > SPACES.len() {
        out.push_str(SPACES);
        indent -= SPACES.len();
    }
    out.push_str(&SPACES[..indent]);
}

fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// The space that is available for a part of a line.
#[derive(Clone, Copy)]
struct Room {
    /// The indentation of the line that contains the part.
    indent: usize,
    /// The column at which the part begins.
    column: usize,
    /// The columns of the text that must follow the part on the same line.
    tail: usize,
    /// The extra indentation of lines that begin with an operator of the part.
    hang: usize,
}

/// A part of the line, as a range of bytes.
#[derive(Clone, Copy)]
struct Part {
    begin: usize,
    end: usize,
}

/// A bracket, or another character at which a line may be broken.
struct Mark {
    at: usize,
    sign: u8,
    /// For an opening bracket, the number of the closing mark; for any other mark, its own number.
    last: usize,
}

/// A pair of brackets.
#[derive(Clone, Copy)]
struct Group {
    open: usize,
    close: usize,
}

struct Wrapper<'a> {
    style: &'a Style,
    /// The statement, without its end.
    line: &'a str,
    end: &'a str,
    /// The possible breaks, found once. The marks of a part are a contiguous range of this list.
    marks: Vec<Mark>,
    out: &'a mut String,
}

impl<'a> Wrapper<'a> {
    /// A statement: `place = value;`, `return value;`, `if condition {`, or a call.
    fn statement(mut self, indent: usize) {
        let (line, end) = (self.line, self.end);
        let is_block = end == " {" || end == ":";
        let assigned = self.words(Part { begin: 0, end: line.len() }).find(|(_, word)| ASSIGNMENTS.contains(word));
        let value = &line[assigned.map_or(0, |(at, word)| at + word.len() + 1)..];
        let keywords = if is_block { self.style.block_keywords } else { &["return"] };
        let value = keywords.iter().find_map(|keyword| value.strip_prefix(keyword)?.strip_prefix(' ')).unwrap_or(value);
        let head = &line[..line.len() - value.len()];
        let value = Part { begin: head.len(), end: line.len() };
        self.out.push_str(head);
        let tail = columns(end);
        let room = Room { indent, column: indent + columns(head), tail, hang: INDENT };
        let next = indent + INDENT;
        if self.style.is_free_form
            && !is_block
            && !head.is_empty()
            && next + columns(self.text(value)) + tail <= self.style.width
        {
            self.out.truncate(self.out.trim_end().len());
            self.line_break(next);
            self.push(value);
        } else if !self.style.is_free_form && !self.operators(value).is_empty() {
            self.out.push('(');
            self.line_break(next);
            self.expr(value, Room { indent: next, column: next, tail: 0, hang: 0 });
            self.line_break(indent);
            self.out.push(')');
        } else {
            self.expr(value, room);
            // If a condition takes several lines, the brace goes to a line of its own, so that the block stands out
            // from the condition.
            if self.style.is_free_form && end == " {" && !self.operators(value).is_empty() {
                self.line_break(indent);
                self.out.push('{');
                return;
            }
        }
        self.out.push_str(end);
    }

    /// An expression, or any other text with paired brackets.
    fn expr(&mut self, part: Part, room: Room) {
        if room.column + columns(self.text(part)) + room.tail <= self.style.width {
            return self.push(part);
        }
        match self.operators(part) {
            operators if operators.is_empty() => self.group(part, room),
            operators => self.operands(part, operators, room),
        }
    }

    /// The positions of the operators of lowest precedence outside of brackets.
    fn operators(&self, part: Part) -> Vec<usize> {
        let mut places = Vec::new();
        // In an `if` expression, conditions and blocks alternate, so no operator is outside of them.
        if self.has_blocks(part) {
            return places;
        }
        let mut levels = self.style.operators;
        for (at, word) in self.words(part).filter(|(_, word)| may_be_operator(word)) {
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

    /// Writes each operand on a line that begins with the operator before it. `operators` are the positions of the
    /// operators.
    fn operands(&mut self, part: Part, operators: Vec<usize>, room: Room) {
        let indent = room.indent + room.hang;
        let mut begin = part.begin;
        for end in operators.into_iter().chain([part.end]) {
            let operand = self.trimmed(Part { begin, end });
            let tail = if end == part.end { room.tail } else { 0 };
            if begin == part.begin {
                self.expr(operand, Room { tail, ..room });
            } else {
                self.line_break(indent);
                let text = self.text(operand);
                let operator = text.split_once(' ').map_or(text, |(operator, _)| operator);
                self.out.push_str(operator);
                self.out.push(' ');
                let operand = Part { begin: operand.end.min(operand.begin + operator.len() + 1), end: operand.end };
                self.expr(operand, Room { indent, column: indent + columns(operator) + 1, tail, hang: INDENT });
            }
            begin = end;
        }
    }

    /// Writes a call, or another part with brackets: the contents of the longest pair go to lines of their own.
    fn group(&mut self, part: Part, room: Room) {
        if self.has_blocks(part) {
            return self.blocks(part, room);
        }
        let Some(Group { open, close }) = self.groups(part).max_by_key(|group| group.close - group.open) else {
            return self.push(part);
        };
        if self.style.has_method_chains {
            let links = self.links(part);
            if links.len() > usize::from(open > part.begin) {
                return self.chain(part, links, room);
            }
        }
        let head = self.text(Part { begin: part.begin, end: open + 1 });
        self.out.push_str(head);
        let items = self.items(self.trimmed(Part { begin: open + 1, end: close }));
        let indent = room.indent + INDENT;
        let hang = if items.len() == 1 { 0 } else { INDENT };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let is_call = head.strip_suffix('(').is_some_and(|name| name.ends_with(is_name));
        for (place, item) in items.iter().enumerate() {
            self.line_break(indent);
            self.expr(*item, Room { indent, column: indent, tail: 1, hang });
            let is_last = place + 1 == items.len();
            if is_last && is_call && self.style.has_trailing_comma {
                self.out.push(',');
            }
        }
        self.line_break(room.indent);
        self.push(Part { begin: close, end: close + 1 });
        self.expr(Part { begin: close + 1, end: part.end }, Room { column: room.indent + 1, ..room });
    }

    /// Writes a chain of method calls, each on a line of its own.
    fn chain(&mut self, part: Part, links: Vec<usize>, room: Room) {
        let indent = room.indent + INDENT;
        let mut begin = part.begin;
        for end in links.into_iter().chain([part.end]) {
            let tail = if end == part.end { room.tail } else { 0 };
            if begin == part.begin {
                self.expr(Part { begin, end }, Room { tail, ..room });
            } else {
                self.line_break(indent);
                self.expr(Part { begin, end }, Room { indent, column: indent, tail, hang: INDENT });
            }
            begin = end;
        }
    }

    /// Writes an `if` expression, each block on lines of its own.
    fn blocks(&mut self, part: Part, room: Room) {
        let indent = room.indent + INDENT;
        let mut begin = part.begin;
        let blocks: Vec<Group> = self.groups(part).filter(|group| self.is_block(*group)).collect();
        for Group { open, close } in blocks {
            self.push(Part { begin, end: open + 1 });
            self.line_break(indent);
            let inside = self.trimmed(Part { begin: open + 1, end: close });
            self.expr(inside, Room { indent, column: indent, tail: 0, hang: INDENT });
            self.line_break(room.indent);
            begin = close;
        }
        self.push(Part { begin, end: part.end });
    }

    fn line_break(&mut self, indent: usize) {
        self.out.push('\n');
        push_indent(self.out, indent);
    }

    fn push(&mut self, part: Part) {
        self.out.push_str(self.text(part));
    }

    fn text(&self, part: Part) -> &'a str {
        &self.line[part.begin..part.end]
    }

    /// The part without surrounding spaces.
    fn trimmed(&self, part: Part) -> Part {
        let text = self.text(part).trim_end();
        let end = part.begin + text.len();
        Part { begin: end - text.trim_start().len(), end }
    }

    /// The marks of a part outside of its brackets. A pair of brackets is represented by its opening mark.
    fn outside(&self, part: Part) -> impl Iterator<Item = &Mark> {
        let mut next = self.marks.partition_point(|mark| mark.at < part.begin);
        std::iter::from_fn(move || {
            let mark = self.marks.get(next).filter(|mark| mark.at < part.end)?;
            next = mark.last + 1;
            Some(mark)
        })
    }

    /// The outermost pairs of brackets of the part.
    fn groups(&self, part: Part) -> impl Iterator<Item = Group> {
        let brackets = self.outside(part).filter(|mark| matches!(mark.sign, b'(' | b'[' | b'{'));
        brackets.map(|mark| Group { open: mark.at, close: self.marks[mark.last].at })
    }

    /// The words between spaces outside of brackets, with their positions. The first and the last word are left out,
    /// because no line is broken there.
    fn words(&self, part: Part) -> impl Iterator<Item = (usize, &'a str)> {
        let mut begin = None;
        self.outside(part).filter(|mark| mark.sign == b' ').filter_map(move |space| {
            let word = begin.map(|begin| (begin, &self.line[begin..space.at]));
            begin = Some(space.at + 1);
            word
        })
    }

    fn is_block(&self, group: Group) -> bool {
        self.line.as_bytes()[group.open] == b'{'
    }

    /// Whether the part is an `if` expression with blocks, as in Rust.
    fn has_blocks(&self, part: Part) -> bool {
        self.text(part).starts_with("if ") && self.groups(part).any(|group| self.is_block(group))
    }

    /// The positions before method calls on the result of a call or on a parenthesised expression.
    fn links(&self, part: Part) -> Vec<usize> {
        let behind = self.groups(part).map(|group| group.close + 1);
        behind.filter(|behind| *behind < part.end && self.line.as_bytes()[*behind] == b'.').collect()
    }

    /// The arguments in `inside`, or the clauses in the head of a C loop, each with its comma or semicolon.
    fn items(&self, inside: Part) -> Vec<Part> {
        // Only the heads of C loops have semicolons.
        let end = if self.outside(inside).any(|mark| mark.sign == b';') { b';' } else { b',' };
        let mut items = Vec::new();
        let mut begin = inside.begin;
        let ends = self.outside(inside).filter(|mark| mark.sign == end).map(|mark| mark.at + 1);
        for end in ends.chain([inside.end]) {
            if end > begin {
                items.push(self.trimmed(Part { begin, end }));
            }
            begin = end;
        }
        items
    }
}

/// The possible breaks of a line, in order; `None` if it has string literals or line breaks.
fn marks(line: &str) -> Option<Vec<Mark>> {
    const IS_ASKED_FOR: [bool; 256] = {
        let (signs, mut asked, mut place) = (b"([{}]) ,;\"\n", [false; 256], 0);
        while place < signs.len() {
            asked[signs[place] as usize] = true;
            place += 1;
        }
        asked
    };
    let mut marks: Vec<Mark> = Vec::with_capacity(line.len() / 3);
    let mut open: Vec<usize> = Vec::with_capacity(16);
    for (at, &sign) in line.as_bytes().iter().enumerate() {
        if !IS_ASKED_FOR[usize::from(sign)] {
            continue;
        }
        let last = marks.len();
        match sign {
            b'(' | b'[' | b'{' => open.push(last),
            b')' | b']' | b'}' => match open.pop() {
                Some(opening) => marks[opening].last = last,
                None => continue,
            },
            b'"' | b'\n' => return None,
            _ => {}
        }
        marks.push(Mark { at, sign, last });
    }
    // An unclosed bracket is ignored.
    open.into_iter().for_each(|opening| marks[opening].sign = 0);
    Some(marks)
}

/// Splits a statement into its text and its end: ` {`, `;` or `:`.
fn split_end(line: &str) -> (&str, &str) {
    let end = [" {", ";", ":"].into_iter().find(|end| line.ends_with(end)).unwrap_or("");
    line.split_at(line.len() - end.len())
}

/// Whether the word may be an operator, by its length and its first byte. Most operands fail this cheap test.
fn may_be_operator(word: &str) -> bool {
    let is_sign = |byte: &u8| byte.is_ascii_punctuation() && !matches!(byte, b'(' | b'_');
    word.len() <= 4 && word.as_bytes().first().is_some_and(|byte| byte.is_ascii_lowercase() || is_sign(byte))
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
        is_free_form: true,
        has_method_chains: false,
        has_trailing_comma: false,
    };

    const METHODS: Style = Style { has_method_chains: true, has_trailing_comma: true, ..FREE };

    const IN_BRACKETS: Style = Style { is_free_form: false, has_trailing_comma: true, ..FREE };

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
