//! Builds the IR's parameters from the signature: shapes and domains become [`SizeExpr`]s and numbers.

use super::attributes::DomainSyntax;
use super::consts::{self, Const};
use super::signature::{FunctionKind, Param, ParamKind, Signature};
use super::syntax::{axes, plain_name, ungrouped};
use crate::diag::Diagnostic;
use crate::ir::{self, Domain, Literal, ParamId, SizeExpr, Span, SpanTable, Structure, Type, ValueRange};
use quote::ToTokens;

/// Builds the parameters of a kernel with `dim` launch axes, or of a device function. Parameters whose type is not in the language are left out,
/// because a mistake was reported for them.
pub(super) fn build(
    signature: &Signature,
    dim: u8,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ir::Param> {
    let mut sizes = Sizes { signature, dim, earlier: 0, spans, diagnostics };
    let mut params = Vec::new();
    for (position, param) in signature.params.iter().enumerate() {
        sizes.earlier = position;
        let kind = match param.kind {
            ParamKind::Value(ty) => ty.map(ir::ParamKind::Value),
            ParamKind::Array { elem, rank, len, mutable, optional } => {
                let shape = match len {
                    Some(len) => vec![SizeExpr::Literal(len.into())],
                    None => sizes.shape(param, rank),
                };
                elem.map(|elem| ir::ParamKind::Array { elem, mutable, optional, shape })
            }
        };
        if let (ParamKind::Value(_), Some((_, span))) = (param.kind, &param.attributes.shape) {
            sizes.diagnostics.push(
                Diagnostic::new(*span, format!("`{}` is not an array and has no shape", param.name))
                    .help("remove the attribute"),
            );
        }
        let Some(kind) = kind else { continue };
        let mut built = ir::Param { name: param.name.clone(), kind, domain: None, span: param.span };
        built.domain = param.attributes.domain.as_ref().and_then(|domain| sizes.domain(domain, &built));
        params.push(built);
    }
    params
}

/// The default extent along an axis that the launch does not have, for a kernel outside of datasets.
const FURTHER_EXTENT: SizeExpr = SizeExpr::Literal(16);

/// The components of sizes besides numbers and launch axes, for messages.
const EARLIER: &str = "integer parameters and lengths of arrays that are declared earlier, and `+ - * /`";

struct Sizes<'a> {
    signature: &'a Signature,
    dim: u8,
    /// The position of the current parameter. Only earlier parameters may be named.
    earlier: usize,
    spans: &'a mut SpanTable,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Sizes<'a> {
    fn report(&mut self, at: &impl ToTokens, message: impl Into<String>, help: impl Into<String>) {
        let span = self.spans.insert_tokens(at);
        self.diagnostics.push(Diagnostic::new(span, message).help(help));
    }

    /// The extents from `#[shape]`, else the launch size. A kernel of a family must give extents for axes that the
    /// launch does not have, because datasets sample its arguments.
    fn shape(&mut self, param: &Param, rank: u8) -> Vec<SizeExpr> {
        let (given, span): (&[syn::Expr], Span) = match &param.attributes.shape {
            _ if self.signature.kind == FunctionKind::Device => return vec![ir::Param::NO_EXTENT; rank.into()],
            Some((extents, span)) => (extents, *span),
            None if rank <= self.dim || !self.signature.is_of_a_family() => {
                let extent = |axis| if axis < self.dim { SizeExpr::Dim(axis) } else { FURTHER_EXTENT };
                return (0..rank).map(extent).collect();
            }
            None => {
                self.diagnostics.push(
                    Diagnostic::new(
                        param.span,
                        format!(
                            "the array `{}` has {}, and the launch has {}: its extents are not known",
                            param.name,
                            axes(rank.into()),
                            self.dim
                        ),
                    )
                    .note("a kernel with a `family` needs all extents, because datasets draw its arguments")
                    .help("give the extents, for example `#[shape(dim0, 16)]`"),
                );
                (&[], param.span)
            }
        };
        if param.attributes.shape.is_some() && given.len() != usize::from(rank) {
            self.diagnostics.push(
                Diagnostic::new(
                    span,
                    format!("`{}` has {}, and its shape has {}", param.name, axes(rank.into()), given.len()),
                )
                .help("give one extent for each axis"),
            );
        }
        let mut shape: Vec<SizeExpr> = given.iter().filter_map(|extent| self.size(extent)).collect();
        shape.resize(usize::from(rank), SizeExpr::Literal(0));
        shape
    }

    fn domain(&mut self, domain: &DomainSyntax, param: &ir::Param) -> Option<Domain> {
        if param.elem().is_struct() && (domain.structure.is_some() || !param.elem().is_float()) {
            let of = if param.elem().as_enum().is_some() {
                "an enum: it has all variants"
            } else {
                "structs: its domain is the range of their floats"
            };
            let message = format!("`{}` consists of {of}", param.name);
            let help = match param.elem().is_float() {
                true => "write for example `#[domain(-1.0..1.0)]`",
                false => "remove `#[domain]`, which is for floats in structs",
            };
            self.diagnostics.push(Diagnostic::new(domain.span, message).help(help));
            return None;
        }
        let Some(structure) = domain.structure else {
            return self.range(domain.range.as_ref()?, param.elem(), &param.name);
        };
        let (word, name) = (structure.name(), &param.name);
        let mut report = |message: String, help: String| {
            self.diagnostics.push(Diagnostic::new(domain.span, message).help(help));
        };
        if !structure.fits(&param.kind) {
            report(
                format!("`{name}` cannot be `{word}`, which is for {}", structure.subject()),
                format!("remove `{word}`, or change the type"),
            );
            return None;
        }
        if structure == Structure::PositiveDefinite
            && let ir::ParamKind::Array { elem, shape, .. } = &param.kind
            && let [.., rows, columns] = shape.as_slice()
            && elem.is_scalar()
            && rows != columns
        {
            let help = "give the last two extents as one size, for example `#[shape(dim0, dim0)]`".to_owned();
            report(format!("`{name}` is `{word}`, and its last two axes have different extents"), help);
        }
        match (&domain.range, structure.own_range(&param.kind)) {
            (None, Some(range)) => Some(Domain { range, structure: Some(structure) }),
            (Some(_), Some(_)) => {
                let message = format!("`{word}` takes no range");
                report(message, format!("write `#[domain({word})]`"));
                None
            }
            (None, None) => {
                let range = if param.elem().is_float() { "0.5..2.0" } else { "0..10" };
                let message = format!("`{word}` needs a range before it");
                report(message, format!("write for example `#[domain({range}, {word})]`"));
                None
            }
            (Some(range), None) => {
                let found = self.range(range, param.elem(), name)?;
                let is_positive = matches!(found.range, ValueRange::Float { low, .. } if f64::from_bits(low) > 0.0);
                if structure == Structure::PositiveDefinite && !is_positive {
                    let help = "start the range above 0, for example `0.5..2.0`";
                    self.report(range, "the eigenvalues of a positive definite matrix are positive", help);
                }
                Some(found.with(structure))
            }
        }
    }

    fn range(&mut self, range: &syn::ExprRange, elem: Type, name: &str) -> Option<Domain> {
        let (Some(low), Some(high)) = (&range.start, &range.end) else {
            self.report(range, "a domain needs both ends", "write `#[domain(-1.0..1.0)]`");
            return None;
        };
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        if elem.is_float() {
            if inclusive {
                self.report(range, "a domain of floats does not include its upper end", "write `..` instead of `..=`");
            }
            let (low, high) = (self.float(low, name)?, self.float(high, name)?);
            if !(low < high && low.is_finite() && high.is_finite()) {
                self.report(range, "this domain holds no values to draw", "write two finite ends, the lower one first");
            }
            return Some(Domain::floats(low, high));
        }
        if elem == Type::BOOL {
            if inclusive && is_bool(low, false) && is_bool(high, true) {
                return Some(Domain::bools());
            }
            let help = "write `#[domain(false..=true)]`, which only a writable array needs";
            self.report(range, "the domain of `bool` has both values", help);
            return None;
        }
        let (low, high) = (self.size(low), self.size(high));
        let (low, mut high) = (low?, high?);
        if inclusive {
            high = match high {
                SizeExpr::Literal(high) => SizeExpr::Literal(high.saturating_add(1)),
                high @ (SizeExpr::Dim(_)
                | SizeExpr::Param(_)
                | SizeExpr::Extent(..)
                | SizeExpr::Add(..)
                | SizeExpr::Sub(..)
                | SizeExpr::Mul(..)
                | SizeExpr::Div(..)) => SizeExpr::Add(Box::new(high), Box::new(SizeExpr::Literal(1))),
            };
        }
        self.check_int_domain(range, elem, &low, &high);
        Some(Domain::sizes(low, high))
    }

    /// Checks the ends of a domain, as far as they are constant.
    fn check_int_domain(&mut self, range: &syn::ExprRange, elem: Type, low: &SizeExpr, high: &SizeExpr) {
        if let (SizeExpr::Literal(low), SizeExpr::Literal(high)) = (low, high)
            && low >= high
        {
            self.report(
                range,
                "this domain holds no values to draw",
                "write the lower end first; the upper end is not included",
            );
        }
        let scalar = Type::of(elem.scalar());
        let fits = |value: i64| Literal::int(value.into(), scalar).is_some();
        let low_fits = !matches!(low, SizeExpr::Literal(low) if !fits(*low));
        let high_fits = !matches!(high, SizeExpr::Literal(high) if high.checked_sub(1).is_some_and(|last| !fits(last)));
        if !low_fits || !high_fits {
            let message = format!("this domain has values that do not fit `{}`", scalar.rust_name());
            self.report(range, message, "narrow the domain, or use a wider type");
        }
    }

    /// Evaluates a constant float expression: literals, constants of `std`, and arithmetic on them.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn float(&mut self, expr: &syn::Expr, name: &str) -> Option<f64> {
        let value = match expr {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(literal), .. }) => literal.base10_parse().ok(),
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => {
                return Some(-self.float(expr, name)?);
            }
            syn::Expr::Paren(paren) => return self.float(&paren.expr, name),
            syn::Expr::Group(group) => return self.float(&group.expr, name),
            syn::Expr::Path(path) => {
                path.path.segments.last().and_then(|last| match consts::mathematical(&last.ident.to_string()) {
                    Some(Const::Float(_, value)) => Some(value),
                    _ => None,
                })
            }
            syn::Expr::Binary(binary) => {
                let (a, b) = (self.float(&binary.left, name)?, self.float(&binary.right, name)?);
                match binary.op {
                    syn::BinOp::Add(_) => Some(a + b),
                    syn::BinOp::Sub(_) => Some(a - b),
                    syn::BinOp::Mul(_) => Some(a * b),
                    syn::BinOp::Div(_) => Some(a / b),
                    _ => None,
                }
            }
            _ => None,
        };
        if value.is_none() {
            self.report(
                expr,
                format!("`{name}` holds floats, and this is not a constant float"),
                "write a number with a decimal point, such as `1.0`",
            );
        }
        value
    }

    /// Reads an integer that is known at the launch; reports a mistake for any other expression.
    fn size(&mut self, expr: &syn::Expr) -> Option<SizeExpr> {
        let wrong = match self.read_size(expr) {
            Ok(size) => return Some(size),
            Err(wrong) => wrong,
        };
        if let Some(array) = self.optional_array(wrong) {
            let message = format!("the array `{}` may be absent, so its extents are not known", array.name);
            self.report(
                wrong,
                message,
                format!("use `dim0`, or pass the extent as a parameter before `{}`", array.name),
            );
            return None;
        }
        let help = match (wrong, self.dim) {
            (syn::Expr::Lit(_), _) => "write a whole number below 2⁶³".to_owned(),
            (_, 1) => format!("use numbers, `dim0`, {EARLIER}"),
            (_, dim) => format!("use numbers, `dim0` to `dim{}`, {EARLIER}", dim - 1),
        };
        self.report(wrong, "this is not an integer that is known at the launch", help);
        None
    }

    /// Reads a size. The error is the sub-expression that is not a size.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn read_size<'e>(&self, expr: &'e syn::Expr) -> Result<SizeExpr, &'e syn::Expr> {
        let found = match expr {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(literal), .. }) => {
                literal.base10_parse().ok().map(SizeExpr::Literal)
            }
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match self.read_size(expr)? {
                SizeExpr::Literal(value) => value.checked_neg().map(SizeExpr::Literal),
                other @ (SizeExpr::Dim(_)
                | SizeExpr::Param(_)
                | SizeExpr::Extent(..)
                | SizeExpr::Add(..)
                | SizeExpr::Sub(..)
                | SizeExpr::Mul(..)
                | SizeExpr::Div(..)) => Some(SizeExpr::Sub(Box::new(SizeExpr::Literal(0)), Box::new(other))),
            },
            syn::Expr::Paren(paren) => return self.read_size(&paren.expr),
            syn::Expr::Group(group) => return self.read_size(&group.expr),
            syn::Expr::Path(path) => path.path.get_ident().and_then(|ident| self.named_size(&plain_name(ident))),
            syn::Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
                self.array(&call.receiver, Some(1)).map(|array| SizeExpr::Extent(array, 0))
            }
            syn::Expr::Index(index) => self.extent(index),
            syn::Expr::Binary(binary) => {
                let make = match binary.op {
                    syn::BinOp::Add(_) => SizeExpr::Add,
                    syn::BinOp::Sub(_) => SizeExpr::Sub,
                    syn::BinOp::Mul(_) => SizeExpr::Mul,
                    syn::BinOp::Div(_) => SizeExpr::Div,
                    _ => return Err(expr),
                };
                let (left, right) = (self.read_size(&binary.left)?, self.read_size(&binary.right)?);
                Some(make(Box::new(left), Box::new(right)))
            }
            _ => None,
        };
        found.ok_or(expr)
    }

    fn named_size(&self, name: &str) -> Option<SizeExpr> {
        let axis = name.strip_prefix("dim").and_then(|axis| axis.parse::<u8>().ok());
        if let Some(axis) = axis.filter(|axis| *axis < self.dim) {
            return Some(SizeExpr::Dim(axis));
        }
        let (position, param) = self.find(name)?;
        match param.kind {
            ParamKind::Value(Some(ty)) if ty.is_scalar() && ty.scalar().is_integer() => Some(SizeExpr::Param(position)),
            ParamKind::Value(_) | ParamKind::Array { .. } => None,
        }
    }

    /// `m.shape()[1]`.
    fn extent(&self, index: &syn::ExprIndex) -> Option<SizeExpr> {
        let syn::Expr::MethodCall(call) = &*index.expr else { return None };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(axis), .. }) = &*index.index else { return None };
        let axis: u8 = axis.base10_parse().ok()?;
        let array = self.array(&call.receiver, None).filter(|_| call.method == "shape")?;
        let ParamKind::Array { rank, .. } = self.signature.params[array.0 as usize].kind else { return None };
        (axis < rank).then_some(SizeExpr::Extent(array, axis))
    }

    /// The optional array of which `wrong` is an extent.
    fn optional_array(&self, wrong: &syn::Expr) -> Option<&'a Param> {
        let call = if let syn::Expr::Index(index) = wrong { &*index.expr } else { wrong };
        let syn::Expr::MethodCall(call) = call else { return None };
        let syn::Expr::Path(path) = ungrouped(&call.receiver) else { return None };
        let name = plain_name(path.path.get_ident()?);
        let is_optional = |param: &&Param| matches!(param.kind, ParamKind::Array { optional: true, .. });
        self.signature.params.iter().find(|param| param.name == name).filter(is_optional)
    }

    fn array(&self, expr: &syn::Expr, wanted_rank: Option<u8>) -> Option<ParamId> {
        let syn::Expr::Path(path) = ungrouped(expr) else { return None };
        let (position, param) = self.find(&plain_name(path.path.get_ident()?))?;
        match param.kind {
            // The extents of an optional array are not known at every launch.
            ParamKind::Array { rank, optional: false, .. } if wanted_rank.is_none_or(|wanted| wanted == rank) => {
                Some(position)
            }
            ParamKind::Value(_) | ParamKind::Array { .. } => None,
        }
    }

    fn find(&self, name: &str) -> Option<(ParamId, &Param)> {
        let params = self.signature.params[..self.earlier].iter();
        (0..).map(ParamId).zip(params).find(|(_, param)| param.name == name)
    }
}

/// Whether the expression is this literal.
fn is_bool(expr: &syn::Expr, wanted: bool) -> bool {
    matches!(ungrouped(expr), syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(found), .. }) if found.value == wanted)
}
