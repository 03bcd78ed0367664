//! The parser of expressions. Types are inferred bottom-up from the operation table.

use super::{LocalUse, Parser, Result};
use crate::ir::{Callee, Expr, ExprKind, Literal, Param, ParamKind, Projection, Scalar, Span, Struct, TileOp, Type};
use crate::ops::{Op, Syntax, TABLE};
use crate::text::lex::TokenKind;
use crate::text::syntax::{COMPONENTS, precedence};

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Result<Expr> {
        self.expr_within(precedence::LOOSEST)
    }

    /// An expression whose outermost operation has at least the precedence `around`.
    fn expr_within(&mut self, around: u8) -> Result<Expr> {
        self.nested(|parser| {
            let mut left = parser.prefixed()?;
            loop {
                left = if parser.at_word("as") && precedence::CAST >= around {
                    parser.deeper()?;
                    parser.advance();
                    node(parser.ty()?, ExprKind::Cast(Box::new(left)))
                } else {
                    let TokenKind::Sign(sign) = parser.peek() else { return Ok(left) };
                    let own = precedence::infix(sign);
                    let Some(op) = infix(sign).filter(|_| own >= around) else { return Ok(left) };
                    parser.deeper()?;
                    parser.advance();
                    let right = parser.expr_within(own + 1)?;
                    parser.operation(op, vec![left, right], None)?
                };
            }
        })
    }

    fn prefixed(&mut self) -> Result<Expr> {
        if let Some(value) = self.opt_literal()? {
            return Ok(Expr::literal(value));
        }
        let op = match self.peek() {
            TokenKind::Sign(sign) => TABLE.iter().find(|def| def.rust == Syntax::Prefix(sign)).map(|def| def.op),
            TokenKind::Word(_)
            | TokenKind::Local(..)
            | TokenKind::Number(..)
            | TokenKind::Text(_)
            | TokenKind::Doc(_)
            | TokenKind::End => None,
        };
        match op {
            Some(op) => {
                self.advance();
                let inner = self.nested(Self::prefixed)?;
                self.operation(op, vec![inner], None)
            }
            None => self.postfixed(),
        }
    }

    fn postfixed(&mut self) -> Result<Expr> {
        let mut base = self.atom()?;
        while let Some((step, ty)) = self.opt_projection(base.ty)? {
            self.deeper()?;
            base = match step {
                Projection::Component(index) => node(ty, ExprKind::Component(Box::new(base), Box::new(index))),
                Projection::Column(index) => node(ty, ExprKind::Column(Box::new(base), Box::new(index))),
                Projection::Field(number) => node(ty, ExprKind::Field(Box::new(base), number)),
            };
        }
        Ok(base)
    }

    /// The index of a component, if `.x` or `[index]` is next.
    pub(super) fn opt_component(&mut self) -> Result<Option<Expr>> {
        if self.eat("[") {
            let index = self.expr()?;
            self.expect("]")?;
            return Ok(Some(index));
        }
        if !self.at_sign(".") {
            return Ok(None);
        }
        let TokenKind::Word(name) = self.peek_after(1) else { return Ok(None) };
        let Some((number, _)) = (0..).zip(COMPONENTS).find(|(_, component)| *component == name) else {
            return Ok(None);
        };
        self.advance();
        self.advance();
        Ok(Some(Expr::literal(Literal::Index(number))))
    }

    fn atom(&mut self) -> Result<Expr> {
        match self.peek() {
            TokenKind::Sign("(") => {
                self.advance();
                let first = self.expr()?;
                if !self.eat(",") {
                    self.expect(")")?;
                    return Ok(first);
                }
                let mut fields = vec![first];
                fields.extend(self.commas(")", Self::expr)?);
                let id = Struct::tuple(fields.iter().map(|field| field.ty));
                Ok(node(Type::of_struct(id), ExprKind::Struct(fields)))
            }
            TokenKind::Word("if") => self.select(),
            TokenKind::Local(..) => {
                let LocalUse { local, ty, index } = self.local_use()?;
                Ok(match index {
                    None => node(ty, ExprKind::Local(local)),
                    Some(index) => node(ty, ExprKind::LocalElement { local, index: Box::new(index) }),
                })
            }
            TokenKind::Word(name) if self.at_call() => self.call(name),
            TokenKind::Word(name) => self.param_use(name),
            TokenKind::Number(..) | TokenKind::Text(_) | TokenKind::Doc(_) | TokenKind::Sign(_) | TokenKind::End => {
                self.expected("an expression")
            }
        }
    }

    fn select(&mut self) -> Result<Expr> {
        self.expect_word("if")?;
        let cond = Box::new(self.expr()?);
        self.expect("{")?;
        let then = Box::new(self.expr()?);
        self.expect("}")?;
        self.expect_word("else")?;
        self.expect("{")?;
        let other = Box::new(self.expr()?);
        self.expect("}")?;
        let ty = then.ty.element().over([cond.ty, then.ty, other.ty]);
        Ok(node(ty, ExprKind::Select { cond, then, other }))
    }

    /// Whether a call is next: `name(` or `name<type>(`.
    fn at_call(&self) -> bool {
        let next = [1, 2, 3, 4].map(|distance| self.peek_after(distance));
        matches!(next, [TokenKind::Sign("("), ..])
            || matches!(next, [TokenKind::Sign("<"), TokenKind::Word(_), TokenKind::Sign(">"), TokenKind::Sign("(")])
    }

    fn call(&mut self, name: &str) -> Result<Expr> {
        if name == "tid" {
            self.advance();
            self.expect("(")?;
            let axis = self.small("a launch axis")?;
            self.expect(")")?;
            return Ok(node(Type::INDEX, ExprKind::Tid(axis)));
        }
        if let Some(id) = self.find_struct(name) {
            self.advance();
            self.expect("(")?;
            let fields = self.commas(")", Self::expr)?;
            return Ok(node(Type::of_struct(id), ExprKind::Struct(fields)));
        }
        if let Some(function) = self.find_function(name).cloned() {
            self.advance();
            self.expect("(")?;
            let mut params = function.code.params.iter();
            let (mut arrays, mut values) = (Vec::new(), Vec::new());
            self.commas(")", |parser| {
                match params.next() {
                    Some(Param { kind: ParamKind::Array { .. }, .. }) => {
                        let name = parser.word("an array")?;
                        arrays.push(parser.known_param(name)?);
                    }
                    Some(_) | None => values.push(parser.expr()?),
                }
                Ok(())
            })?;
            let ret = function.ret;
            return Ok(node(ret, ExprKind::Call(Box::new(Callee { function, arrays }), values)));
        }
        if name == TileOp::LOAD || TileOp::from_name(name).is_some() {
            return self.tile(name);
        }
        let Some(op) = Op::from_name(name) else { return self.error(format!("there is no operation `{name}`")) };
        self.advance();
        let mut ty = None;
        if self.eat("<") {
            ty = Some(self.ty()?);
            self.expect(">")?;
        }
        self.expect("(")?;
        let args = self.commas(")", Self::expr)?;
        self.operation(op, args, ty)
    }

    /// `tile_sum<tile1x8_f32>(…)` and the like.
    fn tile(&mut self, name: &str) -> Result<Expr> {
        self.advance();
        self.expect("<")?;
        let ty = self.ty()?;
        self.expect(">")?;
        self.expect("(")?;
        let mut args = self.commas(")", Self::expr)?;
        match TileOp::from_name(name) {
            Some(op) => Ok(node(ty, ExprKind::Tile(op, args))),
            None => match args.pop() {
                Some(load @ Expr { kind: ExprKind::Load { .. }, .. }) if args.is_empty() => Ok(Expr { ty, ..load }),
                _ => self.error("`tile_load` takes an element of an array"),
            },
        }
    }

    /// An operation of type `ty`, or of the only type that the table gives for its operands.
    fn operation(&self, op: Op, args: Vec<Expr>, ty: Option<Type>) -> Result<Expr> {
        let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
        let found = op.results(&types);
        match (ty, found.as_slice()) {
            (None, [only]) => Ok(node(*only, ExprKind::Op(op, args))),
            (Some(ty), _) if op.row(&types, ty).is_some() => Ok(node(ty, ExprKind::Op(op, args))),
            (None, [_, _, ..]) => self.error(format!("`{}` needs its result type here: {}", op.name(), list(&found))),
            _ => self.error(format!("there is no `{}` for operands of the types {}", op.name(), list(&types))),
        }
    }

    fn param_use(&mut self, name: &str) -> Result<Expr> {
        let Some((id, param)) = self.find_param(name) else { return self.expected("an expression") };
        let (ty, is_array) = (param.elem(), matches!(param.kind, ParamKind::Array { .. }));
        self.advance();
        if !is_array {
            return Ok(node(ty, ExprKind::Param(id)));
        }
        if let Some(axis) = self.opt_extent()? {
            return Ok(node(Type::INDEX, ExprKind::Extent { array: id, axis }));
        }
        if self.eat(".") {
            self.expect_word("is_some")?;
            self.expect("(")?;
            self.expect(")")?;
            return Ok(node(Type::BOOL, ExprKind::Present(id)));
        }
        self.expect("[")?;
        Ok(node(ty, ExprKind::Load { array: id, index: self.commas("]", Self::expr)? }))
    }

    /// A literal, if one is next.
    pub(super) fn opt_literal(&mut self) -> Result<Option<Literal>> {
        if let TokenKind::Word(word) = self.peek() {
            return match (word, self.peek_after(1)) {
                ("true" | "false", _) => {
                    self.advance();
                    Ok(Some(Literal::Bool(word == "true")))
                }
                ("f16" | "bf16" | "f32" | "f64", TokenKind::Sign("::")) => self.named_float().map(Some),
                _ => Ok(None),
            };
        }
        let (sign, number) = match (self.peek(), self.peek_after(1)) {
            (TokenKind::Sign("-"), number) => ("-", number),
            (number, _) => ("", number),
        };
        // A number without a suffix is part of a size expression.
        let TokenKind::Number(digits, ty) = number else { return Ok(None) };
        let Some(scalar) = Scalar::ALL.into_iter().find(|scalar| scalar.name() == ty && *scalar != Scalar::Bool) else {
            return Ok(None);
        };
        let text = format!("{sign}{digits}");
        let Some(value) = value_of(&text, scalar) else {
            return self.error(format!("`{text}` is not a value of type {ty}"));
        };
        if !sign.is_empty() {
            self.advance();
        }
        self.advance();
        Ok(Some(value))
    }

    /// `f32::INFINITY` and the other named floats.
    fn named_float(&mut self) -> Result<Literal> {
        let half = [Scalar::F16, Scalar::BF16].into_iter().find(|scalar| self.at_word(scalar.name()));
        let wide = self.at_word("f64");
        self.advance();
        self.expect("::")?;
        let literal = |narrow: f32, value: f64| {
            let literal = if wide { Literal::f64(value) } else { Literal::f32(narrow) };
            half.and_then(|half| Literal::float(value, half)).unwrap_or(literal)
        };
        match self.word("a constant")? {
            "INFINITY" => Ok(literal(f32::INFINITY, f64::INFINITY)),
            "NEG_INFINITY" => Ok(literal(f32::NEG_INFINITY, f64::NEG_INFINITY)),
            "NAN" => Ok(literal(f32::NAN, f64::NAN)),
            "from_bits" if half.is_none() => {
                self.expect("(")?;
                let bits = match self.peek() {
                    TokenKind::Number(text, "") => text.strip_prefix("0x"),
                    TokenKind::Word(_)
                    | TokenKind::Local(..)
                    | TokenKind::Number(..)
                    | TokenKind::Text(_)
                    | TokenKind::Doc(_)
                    | TokenKind::Sign(_)
                    | TokenKind::End => None,
                };
                let value = bits.and_then(|bits| match wide {
                    true => u64::from_str_radix(bits, 16).ok().map(Literal::F64),
                    false => u32::from_str_radix(bits, 16).ok().map(Literal::F32),
                });
                let Some(value) = value else { return self.expected("the bits of a float, such as `0x7fc00001`") };
                self.advance();
                self.expect(")")?;
                Ok(value)
            }
            _ => self.error("expected `INFINITY`, `NEG_INFINITY`, `NAN` or `from_bits`"),
        }
    }
}

/// The literal of type `scalar` with these digits, if there is one.
fn value_of(text: &str, scalar: Scalar) -> Option<Literal> {
    if scalar == Scalar::F32 {
        text.parse().ok().map(Literal::f32)
    } else if scalar.is_float() {
        // A number with more digits than 16 bits have is another one.
        let value = text.parse().ok()?;
        Literal::float(value, scalar).filter(|found| found.as_float() == Some(value))
    } else {
        Literal::int(text.parse().ok()?, scalar.into())
    }
}

/// The operation that Rust writes with `sign` between its operands.
pub(super) fn infix(sign: &str) -> Option<Op> {
    TABLE.iter().find(|def| matches!(def.rust, Syntax::Infix(own) if own == sign)).map(|def| def.op)
}

fn node(ty: Type, kind: ExprKind) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}
