//! The texts of messages that a kernel prints.

use super::{Expr, Message};
use std::iter::Peekable;
use std::str::Chars;

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it is printed.
    Text(String),
    /// A value.
    Value {
        /// The variable that the text names; `None` for the next argument.
        name: Option<String>,
        /// The number of digits behind the point.
        digits: Option<usize>,
    },
}

impl Message {
    /// The parts, with the argument of each value.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Option<&Expr>)> {
        let mut args = self.args.iter();
        pieces(&self.text).unwrap_or_default().into_iter().map(move |piece| {
            let arg = if let Piece::Value { .. } = piece { args.next() } else { None };
            (piece, arg)
        })
    }
}

/// The parts of a text in the syntax of Rust's `format!`.
///
/// # Errors
/// What is not understood. Values are `{}`, `{name}`, and these with digits: `{:.3}`.
pub fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '{' | '}' if chars.next_if_eq(&char).is_some() => plain.push(char),
            '{' => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(value(&mut chars)?);
            }
            '}' => return Err("`}` stands alone".to_owned()),
            _ => plain.push(char),
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

/// The value whose opening brace was read.
fn value(chars: &mut Peekable<Chars<'_>>) -> Result<Piece, String> {
    let mut inside = String::new();
    loop {
        match chars.next() {
            Some('}') => break,
            Some(char) => inside.push(char),
            None => return Err("`{` is not closed".to_owned()),
        }
    }
    let (name, format) = inside.split_once(':').unwrap_or((&inside, ""));
    let digits = match format.trim_end() {
        "" | "?" => None,
        format => {
            let digits = format.strip_prefix('.').and_then(|digits| digits.parse().ok()).filter(|digits| *digits <= 17);
            Some(digits.ok_or_else(|| format!("the format `{{:{format}}}` is not known"))?)
        }
    };
    let name = name.trim();
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(format!("the number in `{{{name}}}` is not known"));
    }
    Ok(Piece::Value { name: Some(name.to_owned()).filter(|name| !name.is_empty()), digits })
}

/// The text of parts, with `{}` for each value.
pub fn text_of(pieces: &[Piece]) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => text.replace('{', "{{").replace('}', "}}"),
        Piece::Value { digits: Some(digits), .. } => format!("{{:.{digits}}}"),
        Piece::Value { digits: None, .. } => "{}".to_owned(),
    };
    pieces.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_text_are_found() {
        let value = |name: Option<&str>, digits| Piece::Value { name: name.map(str::to_owned), digits };
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(
            pieces("a {{{}}} = {x:.3}, {:?}"),
            Ok(vec![
                text("a {"),
                value(None, None),
                text("} = "),
                value(Some("x"), Some(3)),
                text(", "),
                value(None, None)
            ])
        );
        assert_eq!(text_of(&pieces("a {{{}}} = {x:.3}").unwrap()), "a {{{}}} = {:.3}");
        assert_eq!(pieces(""), Ok(Vec::new()));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        assert_eq!(pieces("a {"), Err("`{` is not closed".to_owned()));
        assert_eq!(pieces("a } b"), Err("`}` stands alone".to_owned()));
        assert_eq!(pieces("{:>8}"), Err("the format `{:>8}` is not known".to_owned()));
        assert_eq!(pieces("{0}"), Err("the number in `{0}` is not known".to_owned()));
    }
}
