//! The parser.
//!
//! It is a recursive-descent parser with precedence climbing for expressions. It never panics: unexpected tokens are
//! errors, and so is nesting deeper than [`DEPTH`].

mod expr;
mod header;
mod stmt;

use super::error::ParseError;
use super::lex::{Token, TokenKind, tokens};
use crate::ir::{Expr, Function, Kernel, Local, LocalId, Param, ParamId, Span, Struct, StructId, Type};
use crate::text::syntax::unmarked;
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

/// The largest nesting depth of statements and expressions. It bounds the stack.
const DEPTH: usize = 640;

/// Parses a kernel in the text form.
///
/// # Errors
/// The first position where `source` does not have the form that [`print`](super::print) produces.
pub fn parse(source: &str) -> Result<Kernel, ParseError> {
    let tokens = tokens(source)?;
    let mut parser = Parser {
        tokens,
        next: 0,
        depth: 0,
        structs: Vec::new(),
        functions: Vec::new(),
        params: Vec::new(),
        locals: BTreeMap::new(),
    };
    parser.text()
}

type Result<T, E = ParseError> = std::result::Result<T, E>;

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    depth: usize,
    /// The structs parsed so far.
    structs: Vec<StructId>,
    /// The device functions parsed so far.
    functions: Vec<Arc<Function>>,
    params: Vec<Param>,
    /// The locals declared so far, by id.
    locals: BTreeMap<u32, Local>,
}

/// A use of a local.
struct LocalUse {
    local: LocalId,
    /// The type of the local, or of its elements.
    ty: Type,
    /// The element index, if the local is an array.
    index: Option<Expr>,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token<'a> {
        self.tokens[self.next]
    }

    fn peek(&self) -> TokenKind<'a> {
        self.token().kind
    }

    /// The token `distance` places after the next one.
    fn peek_after(&self, distance: usize) -> TokenKind<'a> {
        self.tokens.get(self.next + distance).map_or(TokenKind::End, |token| token.kind)
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        // The `End` token may lie on a line of its own; the last real token is a better position.
        let at = if self.peek() == TokenKind::End { self.next.saturating_sub(1) } else { self.next };
        Err(ParseError { line: self.tokens[at].line, message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        self.error(format!("expected {what}, found {}", self.peek()))
    }

    fn at_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), TokenKind::Sign(next) if next == sign)
    }

    /// Consumes `sign` if it is next.
    fn eat(&mut self, sign: &str) -> bool {
        let found = self.at_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.eat(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn at_word(&self, word: &str) -> bool {
        self.peek() == TokenKind::Word(word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        let TokenKind::Word(word) = self.peek() else { return self.expected(what) };
        self.advance();
        Ok(word)
    }

    /// A number without a type suffix: an axis, a launch dimension.
    fn small<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let TokenKind::Number(number, "") = self.peek() else { return self.expected(what) };
        let Ok(value) = number.parse() else { return self.expected(what) };
        self.advance();
        Ok(value)
    }

    fn ty(&mut self) -> Result<Type> {
        if self.eat("(") {
            let types = self.commas(")", Self::ty)?;
            return Ok(Type::of_struct(Struct::tuple(types)));
        }
        let TokenKind::Word(name) = self.peek() else { return self.expected("a type") };
        let of_struct = || self.find_struct(name).map(Type::of_struct);
        let Some(ty) = Type::from_name(name).or_else(of_struct) else { return self.expected("a type") };
        self.advance();
        Ok(ty)
    }

    /// Parses one nesting level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outside = self.depth;
        self.deeper()?;
        let result = parse(self);
        self.depth = outside;
        result
    }

    fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH { self.error(format!("nested more than {DEPTH} levels deep")) } else { Ok(()) }
    }

    /// Items separated by commas up to `end`, which is consumed. A trailing comma is allowed.
    fn commas<T>(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(end) {
            items.push(item(self)?);
            if !self.eat(",") {
                self.expect(end)?;
                break;
            }
        }
        Ok(items)
    }

    fn find_struct(&self, name: &str) -> Option<StructId> {
        self.structs.iter().copied().find(|id| id.name == name)
    }

    fn find_function(&self, name: &str) -> Option<&Arc<Function>> {
        self.functions.iter().find(|function| function.name() == name)
    }

    fn find_param(&self, name: &str) -> Option<(ParamId, &Param)> {
        let name = unmarked(name);
        (0..).map(ParamId).zip(&self.params).find(|(_, param)| param.name == name)
    }

    /// The declaration of a local.
    fn declaration(&mut self) -> Result<LocalId> {
        let mutable = self.eat_word("mut");
        let TokenKind::Local(name, id) = self.peek() else { return self.expected("a local such as `x.0`") };
        self.advance();
        self.expect(":")?;
        let is_array = self.eat("[");
        let ty = self.ty()?;
        let len = match is_array {
            false => None,
            true => {
                self.expect(";")?;
                let len = self.small("a length")?;
                self.expect("]")?;
                Some(len)
            }
        };
        let local = Local { name: name.to_owned(), ty, mutable, len, span: Span::NONE };
        if self.locals.get(&id).is_some_and(|known| *known != local) {
            return self.error(format!("two different locals have the number {id}"));
        }
        self.locals.insert(id, local);
        Ok(LocalId(id))
    }

    /// A use of a declared local, or of an element of a local array.
    fn local_use(&mut self) -> Result<LocalUse> {
        let (local, ty) = self.local()?;
        if self.locals[&local.0].len.is_none() {
            return Ok(LocalUse { local, ty, index: None });
        }
        self.expect("[")?;
        let index = self.expr()?;
        self.expect("]")?;
        Ok(LocalUse { local, ty, index: Some(index) })
    }

    /// A declared local.
    fn local(&mut self) -> Result<(LocalId, Type)> {
        let TokenKind::Local(name, id) = self.peek() else { return self.expected("a local such as `x.0`") };
        match self.locals.get(&id) {
            Some(local) if local.name == name => {
                let ty = local.ty;
                self.advance();
                Ok((LocalId(id), ty))
            }
            _ => self.error(format!("`{name}.{id}` is not declared above")),
        }
    }
}
