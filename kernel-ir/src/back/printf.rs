//! Messages as C's `printf` takes them, which CUDA and Warp have, too.

use crate::ir::{Expr, Literal, Message, Piece, Scalar, Type};
use crate::rewrite::build;

/// The language of a call of `printf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caller {
    C,
    /// Warp makes a text in C of the Python text, in which it escapes everything but quotes. It has no words for truth values.
    Warp,
}

/// A message as C's `printf` takes it: the format in quotes, and the values. A value has the type that `printf` expects, except
/// that a truth value stays one in C, where `%s` prints it.
pub(super) fn printed(message: &Message, caller: Caller) -> (String, Vec<Expr>) {
    let (mut format, mut args) = (String::from("\""), Vec::new());
    for (piece, arg) in message.pieces() {
        match (piece, arg) {
            (Piece::Value { digits, .. }, Some(arg)) => {
                let (place, ty) = match arg.ty.scalar() {
                    Scalar::Bool if caller == Caller::C => ("s".to_owned(), Type::BOOL),
                    Scalar::Bool | Scalar::I8 | Scalar::I16 | Scalar::I32 => ("d".to_owned(), Type::I32),
                    Scalar::U8 | Scalar::U16 | Scalar::U32 => ("u".to_owned(), Type::U32),
                    Scalar::I64 => ("lld".to_owned(), Type::I64),
                    Scalar::U64 | Scalar::Index => ("llu".to_owned(), Type::U64),
                    Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => {
                        (digits.map_or_else(|| "g".to_owned(), |digits| format!(".{digits}f")), Type::F64)
                    }
                };
                format.extend(["%", &place]);
                let arg = if arg.ty.scalar().is_half() { build::cast(arg.clone(), Type::F32) } else { arg.clone() };
                args.push(if arg.ty == ty { arg } else { build::cast(arg, ty) });
            }
            (Piece::Text(text), _) => {
                for char in text.chars() {
                    if (char, caller) == ('"', Caller::Warp) {
                        format.push_str("%c");
                        args.push(Literal::I32(i32::from(b'"')).into());
                    } else {
                        escape(char, &mut format);
                    }
                }
            }
            (Piece::Value { .. }, None) => {}
        }
    }
    format.push_str("\\n\"");
    (format, args)
}

fn escape(char: char, out: &mut String) {
    match char {
        '%' => out.push_str("%%"),
        '"' | '\\' => out.extend(['\\', char]),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        // Other control characters have no meaning in a line of text.
        char if char.is_control() => out.push(' '),
        char => out.push(char),
    }
}
