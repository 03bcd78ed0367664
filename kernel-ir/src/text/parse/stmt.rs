//! The parser of statements.

use super::expr::infix;
use super::{LocalUse, Parser, Result};
use crate::ir::{
    AtomicOp, Block, Direction, ForRange, Message, Place, PlaceRoot, Projection, Shape, Span, Stmt, StmtKind, Type,
};
use crate::ops::Op;
use crate::text::lex::TokenKind;
use crate::text::syntax::precedence;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Result<Block> {
        self.nested(|parser| {
            parser.expect("{")?;
            let mut block = Vec::new();
            while !parser.eat("}") {
                parser.stmt(&mut block)?;
            }
            Ok(block)
        })
    }

    /// The next statement, put into its block here: were it returned, each level of nesting would hold copies of it.
    fn stmt(&mut self, block: &mut Block) -> Result<()> {
        match self.peek() {
            TokenKind::Word("if") => self.branch(block),
            TokenKind::Word("for") => self.for_loop(block),
            TokenKind::Word("while") => self.while_loop(block),
            TokenKind::Word(_)
            | TokenKind::Local(..)
            | TokenKind::Number(..)
            | TokenKind::Text(_)
            | TokenKind::Doc(_)
            | TokenKind::Sign(_)
            | TokenKind::End => self.simple_with_semicolon(block),
        }
    }

    /// A statement that contains no others. Inlined, its values would be on the stack of every level of nesting.
    #[inline(never)]
    fn simple_with_semicolon(&mut self, block: &mut Block) -> Result<()> {
        let kind = self.simple()?;
        self.expect(";")?;
        block.push(unplaced(kind));
        Ok(())
    }

    /// A statement that contains no others, up to its semicolon.
    fn simple(&mut self) -> Result<StmtKind> {
        match self.peek() {
            TokenKind::Word("let") => {
                self.advance();
                let local = self.declaration()?;
                let init = if self.eat("=") { Some(self.expr()?) } else { None };
                Ok(StmtKind::Let { local, init })
            }
            TokenKind::Word("break") => self.single(StmtKind::Break),
            TokenKind::Word("continue") => self.single(StmtKind::Continue),
            TokenKind::Word("return") => {
                self.advance();
                let result = if self.at_sign(";") { None } else { Some(self.expr()?) };
                Ok(StmtKind::Return(result))
            }
            TokenKind::Word(name @ ("print" | "fail")) if self.peek_after(1) == TokenKind::Sign("(") => {
                self.message(name == "fail")
            }
            TokenKind::Word(name) if self.peek_after(1) == TokenKind::Sign("(") => match atomic(name) {
                Some(op) => self.atomic(op, false),
                None => self.expected("a statement"),
            },
            TokenKind::Word(_) | TokenKind::Local(..) => self.assignment(),
            TokenKind::Number(..) | TokenKind::Text(_) | TokenKind::Doc(_) | TokenKind::Sign(_) | TokenKind::End => {
                self.expected("a statement or `}`")
            }
        }
    }

    fn single(&mut self, kind: StmtKind) -> Result<StmtKind> {
        self.advance();
        Ok(kind)
    }

    fn assignment(&mut self) -> Result<StmtKind> {
        // `old.2 = atomic_add(…)`: an atomic is a statement, so this is not an assignment of an expression.
        if let (TokenKind::Local(..), TokenKind::Sign("="), TokenKind::Word(name), TokenKind::Sign("(")) =
            (self.peek(), self.peek_after(1), self.peek_after(2), self.peek_after(3))
            && let Some(op) = atomic(name)
        {
            return self.atomic(op, true);
        }
        let place = self.place()?;
        if self.eat("=") {
            let value = self.expr()?;
            return Ok(StmtKind::Assign { place: place.over(&value), value });
        }
        let op = if let TokenKind::Sign(sign) = self.peek() {
            sign.strip_suffix('=').and_then(assigning)
        } else if self.peek_after(1) == TokenKind::Sign("=")
            && let TokenKind::Word(name) = self.peek()
        {
            Op::from_name(name)
        } else {
            None
        };
        let Some(op) = op else { return self.expected("an assignment") };
        if let TokenKind::Word(_) = self.peek() {
            self.advance();
        }
        self.advance();
        let value = self.expr()?;
        Ok(StmtKind::Update { place: place.over(&value), op, value })
    }

    /// `atomic_add(place, value)` or `atomic_cas(place, compare, value)`, after `local =` if `result`.
    fn atomic(&mut self, op: AtomicOp, result: bool) -> Result<StmtKind> {
        let result = if result {
            let (local, _) = self.local()?;
            self.expect("=")?;
            Some(local)
        } else {
            None
        };
        self.advance();
        self.expect("(")?;
        let place = self.place()?;
        self.expect(",")?;
        let mut compare = None;
        if op == AtomicOp::Cas {
            compare = Some(self.expr()?);
            self.expect(",")?;
        }
        let value = self.expr()?;
        self.expect(")")?;
        let place = place.over(&value);
        Ok(StmtKind::Atomic { op, place, compare, value, result })
    }

    /// `print("…", a, b)` or `fail("…")`.
    fn message(&mut self, fails: bool) -> Result<StmtKind> {
        self.advance();
        self.expect("(")?;
        let text = self.quoted("a text in quotes")?;
        let mut args = Vec::new();
        while self.eat(",") {
            args.push(self.expr()?);
        }
        self.expect(")")?;
        Ok(StmtKind::Print(Message { text, args, fails }))
    }

    fn branch(&mut self, block: &mut Block) -> Result<()> {
        self.expect_word("if")?;
        let cond = self.expr()?;
        let then = self.block()?;
        let mut other = Vec::new();
        match (self.eat_word("else"), self.at_word("if")) {
            (false, _) => {}
            (true, true) => self.nested(|parser| parser.branch(&mut other))?,
            (true, false) => other = self.block()?,
        }
        block.push(unplaced(StmtKind::If { cond, then, other }));
        Ok(())
    }

    fn for_loop(&mut self, block: &mut Block) -> Result<()> {
        self.expect_word("for")?;
        let local = self.declaration()?;
        self.expect_word("in")?;
        let range = self.range()?;
        let body = self.block()?;
        block.push(unplaced(StmtKind::For { local, range, body }));
        Ok(())
    }

    fn while_loop(&mut self, block: &mut Block) -> Result<()> {
        self.expect_word("while")?;
        let cond = self.expr()?;
        let body = self.block()?;
        block.push(unplaced(StmtKind::While { cond, body }));
        Ok(())
    }

    fn range(&mut self) -> Result<ForRange> {
        self.expect("(")?;
        let start = self.expr()?;
        let inclusive = self.eat("..=");
        if !inclusive {
            self.expect("..")?;
        }
        let end = self.expr()?;
        self.expect(")")?;
        let named = [("rev", Direction::Down), ("phase", Direction::Phase)];
        let named =
            named.into_iter().find(|(word, _)| self.at_sign(".") && self.peek_after(1) == TokenKind::Word(word));
        let direction = named.map_or(Direction::Up, |(_, direction)| direction);
        if named.is_some() {
            self.advance();
            self.advance();
            self.expect("(")?;
            self.expect(")")?;
        }
        let mut step = None;
        if self.eat(".") {
            self.expect_word("step_by")?;
            self.expect("(")?;
            step = Some(self.expr()?);
            self.expect(")")?;
        }
        Ok(ForRange { start, end, inclusive, direction, step })
    }

    fn place(&mut self) -> Result<Place> {
        let (root, mut ty) = match self.peek() {
            TokenKind::Local(..) => {
                let LocalUse { local, ty, index } = self.local_use()?;
                match index {
                    None => (PlaceRoot::Local(local), ty),
                    Some(index) => (PlaceRoot::LocalElement { local, index }, ty),
                }
            }
            TokenKind::Word(name) => {
                let Some((array, param)) = self.find_param(name) else {
                    return self.error(format!("there is no parameter `{name}`"));
                };
                let ty = param.elem();
                self.advance();
                self.expect("[")?;
                (PlaceRoot::Element { array, index: self.commas("]", Self::expr)? }, ty)
            }
            TokenKind::Number(..) | TokenKind::Text(_) | TokenKind::Doc(_) | TokenKind::Sign(_) | TokenKind::End => {
                return self.expected("a local or an array element");
            }
        };
        let mut path = Vec::new();
        while let Some((step, part)) = self.opt_projection(ty)? {
            path.push(step);
            ty = part;
        }
        Ok(Place { root, path, ty, span: Span::NONE })
    }

    /// The projection to a part of a value of type `ty`, with the part's type, if one is next.
    pub(super) fn opt_projection(&mut self, ty: Type) -> Result<Option<(Projection, Type)>> {
        if self.at_sign(".") && self.peek_after(1) == TokenKind::Word("col") {
            if !ty.is_matrix() {
                return self.error(format!("a value of type {ty} has no columns"));
            }
            self.advance();
            self.advance();
            self.expect("(")?;
            let index = self.expr()?;
            self.expect(")")?;
            return Ok(Some((Projection::Column(index), ty.part())));
        }
        if ty.is_struct() {
            return self.opt_field(ty);
        }
        let Some(index) = self.opt_component()? else { return Ok(None) };
        match ty.shape {
            Shape::Vector(_) | Shape::Quat => Ok(Some((Projection::Component(index), ty.part()))),
            Shape::Scalar | Shape::Matrix(..) | Shape::Struct(_) | Shape::Tile(..) => {
                self.error(format!("a value of type {ty} has no components"))
            }
        }
    }

    /// The projection to a field of a struct of type `ty`, with the field's type, if one is next.
    fn opt_field(&mut self, ty: Type) -> Result<Option<(Projection, Type)>> {
        if !self.eat(".") {
            return Ok(None);
        }
        let (TokenKind::Word(name) | TokenKind::Number(name, "")) = self.peek() else {
            return self.expected("a field");
        };
        let Some((number, field)) = ty.as_struct().and_then(|id| Some((id.field(name)?.0, id.field(name)?.1.ty)))
        else {
            return self.error(format!("a value of type {ty} has no field `{name}`"));
        };
        self.advance();
        Ok(Some((Projection::Field(number), field)))
    }
}

fn atomic(name: &str) -> Option<AtomicOp> {
    AtomicOp::ALL.into_iter().find(|op| op.name() == name)
}

/// The operation of a compound assignment such as `+=`.
fn assigning(sign: &str) -> Option<Op> {
    infix(sign).filter(|_| precedence::has_assignment(sign))
}

/// A statement of a text without positions.
fn unplaced(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NONE }
}
