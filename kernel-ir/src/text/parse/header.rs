//! The parser of the heads of kernels and device functions: doc comment, attribute and parameters.

use super::{Parser, Result};
use crate::ir::{
    Block, Domain, Field, Function, Gradient, Kernel, Literal, Local, Param, ParamId, ParamKind, SizeExpr, Span,
    Struct, StructId, Structure, Type, ValueRange,
};
use crate::text::lex::TokenKind;
use crate::text::syntax::{precedence, unmarked};
use std::sync::Arc;

/// The arguments of `#[kernel(…)]`.
struct Attribute {
    family: String,
    dim: u8,
    block: Option<u32>,
    in_order: bool,
    no_grad: bool,
    slots: Option<u32>,
}

/// The arguments of `#[device(…)]`.
#[derive(Default)]
struct DeviceAttribute<'a> {
    /// Pairs of parameter and derivative.
    parts: Vec<(&'a str, &'a str)>,
    /// Whether the derivatives are surrogates.
    surrogate: bool,
    /// The name in Warp.
    warp: Option<&'a str>,
}

impl<'a> Parser<'a> {
    /// Any number of structs, enums and device functions, then a kernel.
    pub(super) fn text(&mut self) -> Result<Kernel> {
        loop {
            let doc = self.doc();
            // Both heads start with `#` `[`, so the third token decides.
            let is_device = self.peek_after(2) == TokenKind::Word("device");
            if self.at_word("enum") {
                let id = self.enumeration(doc)?;
                self.structs.push(id);
                continue;
            }
            if !is_device && !self.at_word("struct") {
                return self.kernel(doc);
            }
            let attribute = if is_device { self.device_attribute()? } else { DeviceAttribute::default() };
            if self.at_word("struct") {
                let id = self.structure(doc, attribute)?;
                self.structs.push(id);
                continue;
            }
            let function = self.function(doc, attribute)?;
            if self.find_function(function.name()).is_some() {
                return self.error(format!("two functions are called `{}`", function.name()));
            }
            self.functions.push(Arc::new(function));
        }
    }

    /// `struct Ray { from: vec3, to: vec3, }`.
    fn structure(&mut self, doc: Vec<String>, attribute: DeviceAttribute<'_>) -> Result<StructId> {
        self.expect_word("struct")?;
        let name = self.new_type("the name of the struct")?;
        self.expect("{")?;
        let fields = self.commas("}", |parser| {
            let name = parser.word("a field")?.to_owned();
            parser.expect(":")?;
            Ok(Field { name, ty: parser.ty()? })
        })?;
        if fields.is_empty() || fields.len() > Struct::MOST_FIELDS {
            return self.error(format!("`{name}` has {} fields; a struct has 1 to 255", fields.len()));
        }
        Ok(Struct { name, doc, fields, variants: Vec::new(), warp: attribute.warp.map(str::to_owned) }.intern())
    }

    /// `enum Shape: i32 { Sphere = 0, Box = 1, }`.
    fn enumeration(&mut self, doc: Vec<String>) -> Result<StructId> {
        self.expect_word("enum")?;
        let name = self.new_type("the name of the enum")?;
        self.expect(":")?;
        let repr = self.ty()?;
        if !repr.is_scalar() || !repr.scalar().is_integer() || repr.layout().is_none() {
            return self.error(format!("`{name}` has numbers of type {repr}"));
        }
        self.expect("{")?;
        let variants = self.commas("}", |parser| {
            let name = parser.word("a variant")?.to_owned();
            parser.expect("=")?;
            let value = parser.integer();
            match value.filter(|value| {
                repr.scalar().limits().is_some_and(|(low, high)| (low..=high).contains(&i128::from(*value)))
            }) {
                Some(value) => Ok((name, value)),
                None => parser.expected("the number of the variant"),
            }
        })?;
        if variants.is_empty() {
            return self.error(format!("`{name}` has no variants"));
        }
        Ok(Struct::of_variants(name, doc, repr.scalar(), variants).intern())
    }

    /// The name of a type that the text defines.
    fn new_type(&mut self, what: &str) -> Result<String> {
        let name = self.word(what)?.to_owned();
        match self.find_struct(&name).is_some() || Type::from_name(&name).is_some() {
            true => self.error(format!("two types are called `{name}`")),
            false => Ok(name),
        }
    }

    /// An integer without a suffix, perhaps negative; `None` if something else is next.
    fn integer(&mut self) -> Option<i64> {
        let sign = if self.eat("-") { "-" } else { "" };
        let TokenKind::Number(number, "") = self.peek() else { return None };
        let value = format!("{sign}{number}").parse().ok()?;
        self.advance();
        Some(value)
    }

    fn kernel(&mut self, doc: Vec<String>) -> Result<Kernel> {
        let Attribute { family, dim, block, in_order, no_grad, slots } = self.attribute()?;
        let name = self.name_and_params("the name of the kernel", Self::extent)?;
        let (params, locals, body) = self.body()?;
        if self.peek() != TokenKind::End {
            return self.expected("the end of the text");
        }
        Ok(Kernel { name, family, doc, dim, block, in_order, no_grad, slots, params, locals, body })
    }

    fn function(&mut self, doc: Vec<String>, attribute: DeviceAttribute<'a>) -> Result<Function> {
        let DeviceAttribute { parts, surrogate, warp } = attribute;
        let name = self.name_and_params("the name of the function", Self::no_extent)?;
        self.expect("-")?;
        self.expect(">")?;
        let ret = self.ty()?;
        let mut gradient = (!parts.is_empty()).then(|| Gradient { parts: Vec::new(), surrogate });
        for (param, function) in parts {
            let param = self.known_param(param)?;
            let Some(function) = self.find_function(function).cloned() else {
                return self.error(format!("there is no function `{function}` above"));
            };
            gradient.iter_mut().for_each(|gradient| gradient.parts.push((param, Arc::clone(&function))));
        }
        let (params, locals, body) = self.body()?;
        let code = Kernel { name, doc, params, locals, body, ..Kernel::of_function() };
        Ok(Function { code, ret, gradient, warp: warp.map(str::to_owned) })
    }

    /// `fn name(a: f32, …)`, where `extent` parses the extents of arrays.
    fn name_and_params(&mut self, what: &str, extent: fn(&mut Self) -> Result<SizeExpr>) -> Result<String> {
        self.expect_word("fn")?;
        let name = self.word(what)?.to_owned();
        self.expect("(")?;
        while !self.eat(")") {
            let param = self.param(extent)?;
            self.params.push(param);
            self.expect(",")?;
        }
        Ok(name)
    }

    /// The body, with the parsed parameters and the locals that the body declares.
    fn body(&mut self) -> Result<(Vec<Param>, Vec<Local>, Block)> {
        let body = self.block()?;
        let locals = self.take_locals()?;
        Ok((std::mem::take(&mut self.params), locals, body))
    }

    /// `#[device]`, or `#[device(grad(a = f_da), surrogate, warp = f)]` with some of these arguments.
    fn device_attribute(&mut self) -> Result<DeviceAttribute<'a>> {
        let mut attribute = DeviceAttribute::default();
        self.expect("#")?;
        self.expect("[")?;
        self.expect_word("device")?;
        if self.eat("(") {
            self.commas(")", |parser| parser.device_argument(&mut attribute))?;
        }
        self.expect("]")?;
        Ok(attribute)
    }

    fn device_argument(&mut self, attribute: &mut DeviceAttribute<'a>) -> Result<()> {
        match self.word("an argument of `#[device]`")? {
            "surrogate" => attribute.surrogate = true,
            "warp" => {
                self.expect("=")?;
                attribute.warp = Some(self.word("a name in Warp")?);
            }
            "grad" => {
                self.expect("(")?;
                attribute.parts = self.commas(")", |parser| {
                    let param = parser.word("a parameter")?;
                    parser.expect("=")?;
                    Ok((param, parser.word("a function")?))
                })?;
            }
            other => return self.error(format!("`{other}` is no argument of `#[device]`")),
        }
        Ok(())
    }

    fn doc(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let TokenKind::Doc(line) = self.peek() {
            lines.push(line.to_owned());
            self.advance();
        }
        lines
    }

    /// A text in quotes.
    pub(super) fn quoted(&mut self, what: &str) -> Result<String> {
        let TokenKind::Text(text) = self.peek() else { return self.expected(what) };
        let Some(plain) = unescape(text) else { return self.error(format!("`\"{text}\"` has an unknown escape")) };
        self.advance();
        Ok(plain)
    }

    /// `#[kernel(family = "…", dim = 1)]`, with an optional `block = 256`, `in_order`, `no_grad` and `slots = 8`.
    fn attribute(&mut self) -> Result<Attribute> {
        self.expect("#")?;
        self.expect("[")?;
        self.expect_word("kernel")?;
        self.expect("(")?;
        self.expect_word("family")?;
        self.expect("=")?;
        let family = self.quoted("the family in quotes")?;
        self.expect(",")?;
        self.expect_word("dim")?;
        self.expect("=")?;
        let dim = self.small("the number of launch axes")?;
        let (mut block, mut in_order, mut no_grad, mut slots) = (None, false, false, None);
        while self.eat(",") {
            match self.word("`block`, `in_order`, `no_grad` or `slots`")? {
                "block" if block.is_none() => {
                    self.expect("=")?;
                    block = Some(self.small("the number of threads of a block")?);
                }
                "in_order" if !in_order => in_order = true,
                "no_grad" if !no_grad => no_grad = true,
                "slots" if slots.is_none() => {
                    self.expect("=")?;
                    slots = Some(self.small("the number of slots")?);
                }
                _ => return self.expected("`block`, `in_order`, `no_grad` or `slots`, each once"),
            }
        }
        self.expect(")")?;
        self.expect("]")?;
        Ok(Attribute { family, dim, block, in_order, no_grad, slots })
    }

    fn param(&mut self, extent: fn(&mut Self) -> Result<SizeExpr>) -> Result<Param> {
        let name = unmarked(self.word("a parameter or `)`")?).to_owned();
        if self.find_param(&name).is_some() {
            return self.error(format!("two parameters are called `{name}`"));
        }
        self.expect(":")?;
        let kind = if self.at_sign("&") {
            self.array(extent, false)?
        } else if self.at_word("Option") && self.find_struct("Option").is_none() {
            self.advance();
            self.expect("<")?;
            let array = self.array(extent, true)?;
            self.expect(">")?;
            array
        } else {
            ParamKind::Value(self.ty()?)
        };
        let domain = if self.eat_word("in") { Some(self.domain()?) } else { None };
        Ok(Param { name, kind, domain, span: Span::NONE })
    }

    /// The type of an array: `&mut [f32; 3]`.
    fn array(&mut self, extent: fn(&mut Self) -> Result<SizeExpr>, optional: bool) -> Result<ParamKind> {
        self.expect("&")?;
        let mutable = self.eat_word("mut");
        self.expect("[")?;
        let elem = self.ty()?;
        self.expect(";")?;
        Ok(ParamKind::Array { elem, mutable, optional, shape: self.commas("]", extent)? })
    }

    fn domain(&mut self) -> Result<Domain> {
        let range = self.value_range()?;
        if !self.eat_word("as") {
            return Ok(Domain { range, structure: None });
        }
        let TokenKind::Word(name) = self.peek() else { return self.expected("a structure, such as `sorted`") };
        let Some(structure) = Structure::of_name(name) else {
            return self.error(format!("`{name}` is not a structure that a domain can have"));
        };
        self.advance();
        Ok(Domain { range, structure: Some(structure) })
    }

    fn value_range(&mut self) -> Result<ValueRange> {
        if self.eat_word("false") {
            self.expect("..=")?;
            return match self.eat_word("true") {
                true => Ok(ValueRange::Bool),
                false => self.expected("`true`"),
            };
        }
        if let Some(Literal::F64(low)) = self.opt_literal()? {
            self.expect("..")?;
            let Some(Literal::F64(high)) = self.opt_literal()? else { return self.expected("an `f64` constant") };
            return Ok(ValueRange::Float { low, high });
        }
        let low = self.size(precedence::LOOSEST)?;
        self.expect("..")?;
        Ok(ValueRange::Int { low, high: self.size(precedence::LOOSEST)? })
    }

    fn extent(&mut self) -> Result<SizeExpr> {
        self.size(precedence::LOOSEST)
    }

    /// `_`, the extent of an array of a function.
    fn no_extent(&mut self) -> Result<SizeExpr> {
        self.expect_word("_")?;
        Ok(Param::NO_EXTENT)
    }

    /// A size expression whose outermost operation has at least the precedence `around`.
    fn size(&mut self, around: u8) -> Result<SizeExpr> {
        self.nested(|parser| {
            let mut left = parser.size_atom()?;
            loop {
                let (sign, build): (_, fn(_, _) -> _) = match parser.peek() {
                    TokenKind::Sign("+") => ("+", SizeExpr::Add),
                    TokenKind::Sign("-") => ("-", SizeExpr::Sub),
                    TokenKind::Sign("*") => ("*", SizeExpr::Mul),
                    TokenKind::Sign("/") => ("/", SizeExpr::Div),
                    TokenKind::Word(_)
                    | TokenKind::Local(..)
                    | TokenKind::Number(..)
                    | TokenKind::Text(_)
                    | TokenKind::Doc(_)
                    | TokenKind::Sign(_)
                    | TokenKind::End => return Ok(left),
                };
                let own = precedence::infix(sign);
                if own < around {
                    return Ok(left);
                }
                parser.deeper()?;
                parser.advance();
                left = build(Box::new(left), Box::new(parser.size(own + 1)?));
            }
        })
    }

    fn size_atom(&mut self) -> Result<SizeExpr> {
        if self.eat("(") {
            let inner = self.size(precedence::LOOSEST)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let sign = if self.eat("-") { "-" } else { "" };
        match self.peek() {
            TokenKind::Number(number, "") if let Ok(value) = format!("{sign}{number}").parse() => {
                self.advance();
                Ok(SizeExpr::Literal(value))
            }
            _ if sign == "-" => self.expected("an integer"),
            TokenKind::Word("dim") if self.peek_after(1) == TokenKind::Sign("(") => {
                self.advance();
                self.expect("(")?;
                let axis = self.small("a launch axis")?;
                self.expect(")")?;
                Ok(SizeExpr::Dim(axis))
            }
            TokenKind::Word(name) => {
                let param = self.known_param(name)?;
                self.advance();
                match self.opt_extent()? {
                    Some(axis) => Ok(SizeExpr::Extent(param, axis)),
                    None => Ok(SizeExpr::Param(param)),
                }
            }
            TokenKind::Local(..)
            | TokenKind::Number(..)
            | TokenKind::Text(_)
            | TokenKind::Doc(_)
            | TokenKind::Sign(_)
            | TokenKind::End => self.expected("a size"),
        }
    }

    pub(super) fn known_param(&self, name: &str) -> Result<ParamId> {
        match self.find_param(name) {
            Some((id, _)) => Ok(id),
            None => self.error(format!("there is no parameter `{name}`")),
        }
    }

    /// `.extent(axis)`, if it is next.
    pub(super) fn opt_extent(&mut self) -> Result<Option<u8>> {
        if !(self.at_sign(".") && self.peek_after(1) == TokenKind::Word("extent")) {
            return Ok(None);
        }
        self.expect(".")?;
        self.expect_word("extent")?;
        self.expect("(")?;
        let axis = self.small("an axis")?;
        self.expect(")")?;
        Ok(Some(axis))
    }

    /// The locals in the order of their ids, which must have no gap.
    fn take_locals(&mut self) -> Result<Vec<Local>> {
        let locals = std::mem::take(&mut self.locals);
        match (0..).zip(locals.keys()).find(|(place, id)| place != *id) {
            Some((place, _)) => self.error(format!("no local has the number {place}, but a higher one is declared")),
            None => Ok(locals.into_values().collect()),
        }
    }
}

/// Resolves the escapes that `{:?}` of a string produces.
fn unescape(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let c = match c {
            '\\' => match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let code = chars.as_str().strip_prefix('{')?.split_once('}')?.0;
                    chars = chars.as_str()[code.len() + 2..].chars();
                    char::from_u32(u32::from_str_radix(code, 16).ok()?)?
                }
                itself @ ('"' | '\'' | '\\') => itself,
                _ => return None,
            },
            c => c,
        };
        plain.push(c);
    }
    Some(plain)
}
