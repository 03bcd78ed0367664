//! The lexer.

use super::error::ParseError;
use std::fmt;

/// A token and its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'a> {
    /// A name or a keyword.
    Word(&'a str),
    /// A local: its name and id.
    Local(&'a str, u32),
    /// An unsigned number and its type suffix.
    Number(&'a str, &'a str),
    /// The text between double quotes, with its escapes.
    Text(&'a str),
    /// The text after `///`.
    Doc(&'a str),
    Sign(&'static str),
    End,
}

impl fmt::Display for TokenKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenKind::Word(word) => write!(f, "`{word}`"),
            TokenKind::Local(name, id) => write!(f, "`{name}.{id}`"),
            TokenKind::Number(number, ty) => write!(f, "`{number}{ty}`"),
            TokenKind::Text(text) => write!(f, "`\"{text}\"`"),
            TokenKind::Doc(_) => f.write_str("a doc line"),
            TokenKind::Sign(sign) => write!(f, "`{sign}`"),
            TokenKind::End => f.write_str("the end of the text"),
        }
    }
}

/// The signs. A longer sign precedes its prefixes, because the first match wins.
const SIGNS: [&str; 44] = [
    "..=", "<<=", ">>=", "..", "::", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "(", ")", "[", "]", "{", "}", ",",
    ";", ":", "#", ".",
];

/// Splits `source` into tokens, with `End` as the last.
pub(super) fn tokens(source: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut found = Vec::new();
    let mut line = 0;
    for text in source.split('\n') {
        line += 1;
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (kind, len) = token(rest).map_err(|message| ParseError { line, message })?;
            found.extend(kind.map(|kind| Token { kind, line }));
            rest = rest[len..].trim_start();
        }
    }
    found.push(Token { kind: TokenKind::End, line });
    Ok(found)
}

/// The token at the start of `rest`, `None` for a comment, and its length.
fn token(rest: &str) -> Result<(Option<TokenKind<'_>>, usize), String> {
    if let Some(doc) = rest.strip_prefix("///") {
        return Ok((Some(TokenKind::Doc(doc.strip_prefix(' ').unwrap_or(doc))), rest.len()));
    }
    if rest.starts_with("//") {
        return Ok((None, rest.len()));
    }
    let (kind, len) = match rest.chars().next() {
        Some('"') => text(rest)?,
        Some('0'..='9') => number(rest),
        Some(c) if is_word(c) => word(rest)?,
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| format!("unexpected character {:?}", rest.chars().next().unwrap_or(' ')))?;
            (TokenKind::Sign(sign), sign.len())
        }
    };
    Ok((Some(kind), len))
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of the longest prefix of `rest` whose characters all satisfy `keep`.
fn span(rest: &str, keep: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !keep(c)).unwrap_or(rest.len())
}

fn digits(rest: &str) -> usize {
    span(rest, |c| c.is_ascii_digit())
}

fn text(rest: &str) -> Result<(TokenKind<'_>, usize), String> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Ok((TokenKind::Text(&rest[1..at]), at + 1)),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    Err("the text in quotes does not end on its line".to_owned())
}

/// A name or `r#name`, with or without the id of a local.
fn word(rest: &str) -> Result<(TokenKind<'_>, usize), String> {
    let raw = if rest.starts_with("r#") { 2 } else { 0 };
    let end = raw + span(&rest[raw..], is_word);
    let name = &rest[..end];
    let id = rest[end..].strip_prefix('.').map_or("", |after| &after[..digits(after)]);
    if id.is_empty() {
        return Ok((TokenKind::Word(name), end));
    }
    let number = id.parse().map_err(|_| format!("`{name}.{id}` has too large a number"))?;
    Ok((TokenKind::Local(name, number), end + 1 + id.len()))
}

/// Digits, an optional fraction and an optional exponent, then an optional type suffix.
fn number(rest: &str) -> (TokenKind<'_>, usize) {
    if rest.starts_with("0x") {
        let end = span(rest, is_word);
        return (TokenKind::Number(&rest[..end], ""), end);
    }
    let mut end = digits(rest);
    if let Some(after) = rest[end..].strip_prefix('.') {
        let fraction = digits(after);
        end += if fraction > 0 { 1 + fraction } else { 0 };
    }
    if let Some(after) = rest[end..].strip_prefix('e') {
        let sign = if after.starts_with('-') { 1 } else { 0 };
        let exponent = digits(&after[sign..]);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    let suffix = span(&rest[end..], is_word);
    (TokenKind::Number(&rest[..end], &rest[end..end + suffix]), end + suffix)
}
