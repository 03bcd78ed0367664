//! Generic functions, their parameters, and arguments for them.

use super::functions::{FunctionParam, function_params, signature_in};
use crate::diag::Diagnostic;
use crate::front::syntax::{plain_name, ungrouped};
use crate::front::type_syntax;
use crate::ir::{Scalar, ScalarSet, Span, SpanTable, Type};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::{self, Display, Formatter};

/// A bound of a type parameter: a trait of `kernel_rt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::front) enum Bound {
    /// `Float`.
    Float,
    /// `Integer`.
    Integer,
    /// `SignedNumber`.
    SignedNumber,
    /// `Number`.
    Number,
    /// `Value`.
    Value,
}

impl Bound {
    const ALL: [Bound; 5] = [Bound::Float, Bound::Integer, Bound::SignedNumber, Bound::Number, Bound::Value];

    fn name(self) -> &'static str {
        match self {
            Bound::Float => "Float",
            Bound::Integer => "Integer",
            Bound::SignedNumber => "SignedNumber",
            Bound::Number => "Number",
            Bound::Value => "Value",
        }
    }

    /// The scalars that satisfy the bound.
    fn scalars(self) -> ScalarSet {
        match self {
            Bound::Float => ScalarSet::FLOATS,
            Bound::Integer => ScalarSet::FIXED_INTEGERS,
            Bound::SignedNumber => ScalarSet::SIGNED_INTEGERS | ScalarSet::FLOATS,
            Bound::Number => ScalarSet::FIXED_INTEGERS | ScalarSet::FLOATS,
            Bound::Value => ScalarSet::ALL,
        }
    }

    fn admits(self, ty: Type) -> bool {
        let fits = self.scalars().contains(ty.scalar);
        if self == Bound::Value { fits && !ty.is_struct() } else { fits && ty.is_scalar() }
    }

    /// The types with which a function is checked where it is defined: scalars, and a value of each shape. A function of
    /// vectors has no instance for integers of 8 and 16 bits, so these are checked where an instance is used.
    fn samples(self) -> Vec<Type> {
        let scalars = Scalar::ALL.into_iter().filter(|scalar| !scalar.is_narrow());
        let scalars = scalars.map(Type::of).filter(|ty| self.admits(*ty));
        let shapes = [Type::vector(Scalar::F32, 3), Type::matrix(Scalar::F32, 3, 3), Type::quat(Scalar::F32)];
        scalars.chain(shapes.into_iter().filter(|ty| self.admits(*ty))).collect()
    }

    /// The types of the bound, for messages.
    fn listed(self) -> String {
        if self == Bound::Value {
            return "the types of the language".to_owned();
        }
        let scalars = Scalar::ALL.into_iter().map(Type::of).filter(|ty| self.admits(*ty));
        let names: Vec<String> = scalars.map(|ty| format!("`{}`", ty.rust_name())).collect();
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => names.concat(),
        }
    }
}

/// The kind of a generic parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::front) enum GenericKind {
    Type(Bound),
    /// A constant of this type: an integer or `bool`.
    Const(Scalar),
}

/// A parameter of a generic function.
#[derive(Clone, Debug)]
pub(in crate::front) struct GenericParam {
    pub(in crate::front) name: String,
    pub(in crate::front) kind: GenericKind,
}

/// What takes the place of a generic parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::front) enum GenericArg {
    Type(Type),
    Int(i128),
    Bool(bool),
}

impl Display for GenericArg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            GenericArg::Type(ty) => f.write_str(&ty.rust_name()),
            GenericArg::Int(value) => value.fmt(f),
            GenericArg::Bool(value) => value.fmt(f),
        }
    }
}

/// The arguments as they stand behind a function's name: `<f32, 4>`.
pub(in crate::front) fn listed(args: &[GenericArg]) -> String {
    let args: Vec<String> = args.iter().map(GenericArg::to_string).collect();
    format!("<{}>", args.join(", "))
}

impl GenericArg {
    /// The argument as a part of a name.
    pub(in crate::front) fn word(&self) -> String {
        match self {
            GenericArg::Type(ty) => ty.name().to_owned(),
            GenericArg::Int(value) if *value < 0 => format!("minus{}", value.unsigned_abs()),
            GenericArg::Int(_) | GenericArg::Bool(_) => self.to_string(),
        }
    }
}

/// A generic function.
#[derive(Clone, Debug)]
pub(in crate::front) struct Generic {
    pub(in crate::front) item: syn::ItemFn,
    pub(in crate::front) params: Vec<GenericParam>,
    /// The parameters that are functions.
    pub(in crate::front) functions: Vec<FunctionParam>,
}

/// Arguments for a generic function, as they stand behind its name: `::<f32, 4>`; `None` if the function is not generic.
pub fn sample_arguments(item: &syn::ItemFn) -> Option<TokenStream> {
    let generic = Generic::read(item, &mut SpanTable::default()).ok().filter(|_| is_generic(item))?;
    format!("::{}", listed(generic.samples().first()?.first()?)).parse().ok()
}

/// Whether the function has generic parameters.
pub(in crate::front) fn is_generic(item: &syn::ItemFn) -> bool {
    !item.sig.generics.params.is_empty() || !function_params(item).is_empty()
}

impl Generic {
    /// Reads the parameters of a generic function.
    pub(in crate::front) fn read(item: &syn::ItemFn, spans: &mut SpanTable) -> Result<Generic, Vec<Diagnostic>> {
        let mut mistakes = Vec::new();
        let is_function = |param: &&syn::GenericParam| match param {
            syn::GenericParam::Type(of) => signature_in(of.bounds.iter()).is_some(),
            syn::GenericParam::Const(_) | syn::GenericParam::Lifetime(_) => false,
        };
        let params = item.sig.generics.params.iter().filter(|param| !is_function(param)).filter_map(|param| {
            match read_param(param, spans) {
                Ok(param) => Some(param),
                Err(mistake) => {
                    mistakes.push(mistake);
                    None
                }
            }
        });
        let params: Vec<GenericParam> = params.collect();
        if let Some(clause) = &item.sig.generics.where_clause {
            let span = spans.insert_tokens(clause);
            mistakes.push(
                Diagnostic::new(span, "a generic function of the language has no `where` clause")
                    .help("write the bound at the parameter: `<T: Float>`"),
            );
        }
        if mistakes.is_empty() {
            Ok(Generic { item: item.clone(), params, functions: function_params(item) })
        } else {
            Err(mistakes)
        }
    }

    /// The arguments with which the function is checked where it is defined: every type that the bounds name is among
    /// them. Each entry has the same types with several numbers, of which one must do: a size and an axis have different
    /// limits.
    pub(in crate::front) fn samples(&self) -> Vec<Vec<Vec<GenericArg>>> {
        const NUMBERS: [i128; 6] = [3, 1, 2, 4, 8, 0];
        let of_param = |param: &GenericParam| match param.kind {
            GenericKind::Type(bound) => bound.samples().into_iter().map(GenericArg::Type).collect(),
            GenericKind::Const(Scalar::Bool) => vec![GenericArg::Bool(false), GenericArg::Bool(true)],
            GenericKind::Const(_) => vec![GenericArg::Int(NUMBERS[0])],
        };
        let each: Vec<Vec<GenericArg>> = self.params.iter().map(of_param).collect();
        // Without such parameters there is one instance.
        let most = each.iter().map(Vec::len).max().unwrap_or(1);
        let types = (0..most).map(|number| each.iter().map(|args| args[number % args.len()]).collect());
        let with_number = |args: &Vec<GenericArg>, number: i128| -> Vec<GenericArg> {
            let is_number = |arg: &GenericArg| matches!(arg, GenericArg::Int(_));
            args.iter().map(|arg| if is_number(arg) { GenericArg::Int(number) } else { *arg }).collect()
        };
        let alternatives = |args: Vec<GenericArg>| {
            let mut all: Vec<Vec<GenericArg>> = NUMBERS.iter().map(|number| with_number(&args, *number)).collect();
            all.dedup();
            all
        };
        types.map(alternatives).collect()
    }

    /// The position of the parameter that is called `name`.
    pub(in crate::front) fn position(&self, name: &syn::Ident) -> Option<usize> {
        let name = plain_name(name);
        self.params.iter().position(|param| param.name == name)
    }

    /// The mistake in an argument for the parameter at `place`, if there is one.
    pub(in crate::front) fn check(&self, place: usize, arg: GenericArg, span: Span) -> Option<Diagnostic> {
        let GenericParam { name, kind } = self.params.get(place)?;
        let function = plain_name(&self.item.sig.ident);
        let message = format!("`{arg}` cannot be the `{name}` of `{function}`");
        match (*kind, arg) {
            (GenericKind::Type(bound), GenericArg::Type(ty)) if !bound.admits(ty) => {
                let help = format!("`{name}` is a `{}`: {}", bound.name(), bound.listed());
                Some(Diagnostic::new(span, message).help(help))
            }
            (GenericKind::Const(Scalar::Bool), GenericArg::Bool(_)) | (GenericKind::Type(_), GenericArg::Type(_)) => {
                None
            }
            (GenericKind::Const(scalar), GenericArg::Int(value)) if holds(scalar, value) => None,
            (GenericKind::Const(scalar), _) => {
                Some(Diagnostic::new(span, message).help(format!("`{name}` is a constant of type `{}`", scalar.name())))
            }
            (GenericKind::Type(_), _) => {
                Some(Diagnostic::new(span, message).help(format!("`{name}` is a type, such as `f32`")))
            }
        }
    }
}

/// Whether a constant of this type can be `value`.
fn holds(scalar: Scalar, value: i128) -> bool {
    // The index type has 32 bits in some texts.
    let scalar = if scalar == Scalar::Index { Scalar::U32 } else { scalar };
    scalar.limits().is_some_and(|(min, max)| (min..=max).contains(&value))
}

const BOUNDS: &str = "write one of `Float`, `Integer`, `SignedNumber`, `Number` and `Value`, as in `<T: Float>`; a function is \
                      `<F: Fn(f32) -> f32>`";

fn read_param(param: &syn::GenericParam, spans: &mut SpanTable) -> Result<GenericParam, Diagnostic> {
    match param {
        syn::GenericParam::Type(of) => {
            let name = plain_name(&of.ident);
            let bound = match of.bounds.iter().collect::<Vec<_>>().as_slice() {
                [syn::TypeParamBound::Trait(bound)] => {
                    let last = bound.path.segments.last().map(|last| plain_name(&last.ident)).unwrap_or_default();
                    Bound::ALL.into_iter().find(|bound| bound.name() == last)
                }
                [] => {
                    let span = spans.insert_tokens(of);
                    return Err(Diagnostic::new(span, format!("the type parameter `{name}` has no bound")).help(BOUNDS));
                }
                _ => None,
            };
            let kind = bound.map(GenericKind::Type);
            kind.map(|kind| GenericParam { name, kind }).ok_or_else(|| {
                let span = spans.insert_tokens(&of.bounds);
                Diagnostic::new(span, "a type parameter has one bound, which is a trait of the language").help(BOUNDS)
            })
        }
        syn::GenericParam::Const(of) => {
            let scalar = type_syntax::known(&of.ty).filter(|ty| ty.is_scalar() && !ty.is_float()).map(|ty| ty.scalar);
            let kind = scalar.map(GenericKind::Const);
            kind.map(|kind| GenericParam { name: plain_name(&of.ident), kind }).ok_or_else(|| {
                let span = spans.insert_tokens(&of.ty);
                Diagnostic::new(span, "a constant parameter is an integer or a `bool`")
                    .help("write `const N: usize`, or pass the value as a parameter of the function")
            })
        }
        syn::GenericParam::Lifetime(of) => {
            let span = spans.insert_tokens(of);
            Err(Diagnostic::new(span, "a function of the language has no lifetimes")
                .help("remove it: an array is `&[T]`, and lives as long as the call"))
        }
    }
}

/// Reads an argument that stands as syntax: a type, a number or a `bool`.
#[expect(clippy::wildcard_enum_match_arm, reason = "syn's enums are open: what is not listed is no argument")]
pub(in crate::front) fn read_arg(arg: &syn::GenericArgument, spans: &mut SpanTable) -> Result<GenericArg, Diagnostic> {
    let found = match arg {
        syn::GenericArgument::Type(ty) => type_syntax::known(ty).map(GenericArg::Type),
        syn::GenericArgument::Const(value) => read_const(value),
        _ => None,
    };
    found.ok_or_else(|| {
        let span = span_of(arg, spans);
        Diagnostic::new(span, format!("`{}` is not a type of the language or a constant", written(arg)))
            .help("write a type such as `f32`, a number, `true` or `false`")
    })
}

/// The position of an argument. As tokens a constant may have braces of its own.
pub(in crate::front) fn span_of(arg: &syn::GenericArgument, spans: &mut SpanTable) -> Span {
    if let syn::GenericArgument::Const(value) = arg { spans.insert_tokens(value) } else { spans.insert_tokens(arg) }
}

/// The number of generic parameters, in words.
pub(in crate::front) fn parameters(count: usize) -> String {
    if count == 1 { "1 generic parameter".to_owned() } else { format!("{count} generic parameters") }
}

fn written(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// The value of a literal, with its sign.
#[expect(clippy::wildcard_enum_match_arm, reason = "syn's enums are open: what is not listed is no constant")]
fn read_const(value: &syn::Expr) -> Option<GenericArg> {
    match ungrouped(value) {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => {
            number.base10_parse().ok().map(GenericArg::Int)
        }
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(value), .. }) => Some(GenericArg::Bool(value.value)),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match read_const(expr)? {
            GenericArg::Int(value) => Some(GenericArg::Int(-value)),
            GenericArg::Bool(_) | GenericArg::Type(_) => None,
        },
        syn::Expr::Block(block) => match block.block.stmts.as_slice() {
            [syn::Stmt::Expr(value, None)] => read_const(value),
            _ => None,
        },
        _ => None,
    }
}
