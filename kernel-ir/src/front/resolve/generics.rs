//! Calls of generic device functions: their arguments decide the instance.

use super::super::generics::{Generic, GenericArg, GenericKind, parameters, read_arg};
use super::super::hir::{self, ViewRoot};
use super::super::infer::{Infer, TypeVar};
use super::super::items::{InstanceArgs, Missing};
use super::super::links::{DeviceCode, link_name, without_arguments};
use super::super::signature::ParamKind;
use super::super::syntax::{plain_name, ungrouped, ungrouped_type};
use super::super::type_syntax;
use super::arguments::Argument;
use super::{Binding, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{Shape, Span, Type};
use quote::ToTokens;

/// What is known of the arguments for the generic parameters of a call.
struct Known {
    /// The type variable of a type, in the place of a type parameter.
    types: Vec<TypeVar>,
    /// The value of a constant.
    constants: Vec<Option<GenericArg>>,
}

impl Known {
    /// Nothing is known yet.
    fn of(generic: &Generic, infer: &mut Infer) -> Known {
        Known {
            types: generic.params.iter().map(|_| infer.any()).collect(),
            constants: vec![None; generic.params.len()],
        }
    }
}

impl Resolver<'_> {
    /// The call of a generic function; `None` if the path is that of something else.
    pub(super) fn generic_call(&mut self, path: &syn::ExprPath, call: &syn::ExprCall, span: Span) -> Option<hir::Expr> {
        let written = link_name(&without_arguments(&path.path));
        let generic = match self.known.generic(&written, self.spans)? {
            Ok(generic) => generic,
            Err(missing) => {
                self.operands(call.args.iter());
                return Some(self.missing(missing, &written, span));
            }
        };
        let params = param_types(&generic);
        if params.len() != call.args.len() {
            return Some(self.wrong_arity(&written, params.len(), call.args.len(), span));
        }
        let mut known = Known::of(&generic, &mut self.infer);
        if !self.given(&generic, path, &mut known) {
            self.operands(call.args.iter());
            return Some(self.failed(span));
        }
        let mut args = Vec::new();
        // A type such as `Vector<T, N>` is taken apart when the arguments are known.
        let mut composite: Vec<(&syn::Type, TypeVar, Span)> = Vec::new();
        let mut functions = Vec::new();
        for (place, (ty, arg)) in params.iter().zip(&call.args).enumerate() {
            if let Some(param) = generic.functions.iter().find(|param| param.position == place) {
                match self.function_argument(arg) {
                    Ok(code) => functions.push((param.name.clone(), code)),
                    Err(mistake) => return Some(mistake),
                }
                continue;
            }
            let (ty, found, at) = match lent(ty) {
                Some(Lent { elem, len }) => {
                    let at = self.span(arg);
                    let Some((found, given)) = self.lent_type(arg) else {
                        let mistake = Diagnostic::new(at, format!("expected an array, `{}`", written_type(ty)));
                        let help = format!("pass an array parameter of {} by its name", self.signature.kind.noun());
                        return Some(self.error(mistake.help(help)));
                    };
                    if let Some(place) = len.and_then(|len| generic.position(len.path.get_ident()?)) {
                        let given = given.map(|given| GenericArg::Int(given.into()));
                        known.constants[place] = known.constants[place].or(given);
                    }
                    args.push(Argument::Written(arg));
                    (elem, found, at)
                }
                None => {
                    let value = self.expr(arg);
                    let (found, at) = (self.value(&value), value.span);
                    args.push(Argument::Resolved { value, written: arg });
                    (*ty, found, at)
                }
            };
            match position(&generic, ty) {
                Some(place) => self.equate(known.types[place], found, at),
                None => composite.push((ty, found, at)),
            }
        }
        for (ty, found, at) in composite {
            self.take_apart(&generic, ty, found, at, &mut known);
        }
        let Some(decided) = self.decided(&generic, &written, &known, span) else {
            return Some(self.failed(span));
        };
        let decided = InstanceArgs { values: decided, functions };
        let callee = match self.known.instance(&written, &generic, &decided, self.spans) {
            Ok(code) => Ok(code),
            Err((missing, mistakes)) => {
                self.report_instance(&generic, &written, &decided, mistakes, span);
                Err(missing)
            }
        };
        Some(self.device_call(&written, callee, args, span))
    }

    /// The type of the elements of the array that an argument lends, or of the variable, and the length of a local array.
    #[expect(clippy::wildcard_enum_match_arm, reason = "syn's enums are open: what is not listed lends nothing")]
    fn lent_type(&mut self, arg: &syn::Expr) -> Option<(TypeVar, Option<u32>)> {
        match ungrouped(arg) {
            syn::Expr::Reference(syn::ExprReference { expr, .. })
            | syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => self.lent_type(expr),
            syn::Expr::Index(index) => self.lent_type(&index.expr).map(|(elem, _)| (elem, None)),
            syn::Expr::MethodCall(call) if self.is_array(arg) => {
                self.lent_type(&call.receiver).map(|(elem, _)| (elem, None))
            }
            syn::Expr::Path(path) => match self.lookup(&plain_name(path.path.get_ident()?))? {
                Binding::Local(local) => Some((self.locals[local.0 as usize].ty, self.length_of(local))),
                Binding::Array(array) => self.elem_of(ViewRoot::Array(array)),
                Binding::Part(number) => {
                    let (elem, _) = self.elem_of(self.parts[number].borrowed.view.root)?;
                    Some((elem, None))
                }
                Binding::Value(_)
                | Binding::Optional(_)
                | Binding::Tuple(_)
                | Binding::Block
                | Binding::TileIndex(..) => None,
            },
            _ => None,
        }
    }

    fn elem_of(&mut self, root: ViewRoot) -> Option<(TypeVar, Option<u32>)> {
        match root {
            ViewRoot::Array(array) => match self.param(array).kind {
                ParamKind::Array { elem, len, .. } => Some((self.infer.known(elem?), len)),
                ParamKind::Value(_) => None,
            },
            ViewRoot::LocalArray(local) | ViewRoot::Variable(local) => {
                Some((self.locals[local.0 as usize].ty, self.length_of(local)))
            }
        }
    }

    /// The device function that an argument names, or the place of one with a reported mistake.
    fn function_argument(&mut self, arg: &syn::Expr) -> Result<DeviceCode, hir::Expr> {
        let span = self.span(arg);
        let mistake = Diagnostic::new(span, "expected the name of a device function");
        let syn::Expr::Path(path) = ungrouped(arg) else {
            return Err(self.error(mistake.help("write the code as a function under `#[device]`, and pass its name")));
        };
        let written = link_name(&without_arguments(&path.path));
        let code = match self.known.generic(&written, self.spans) {
            Some(Ok(generic)) if generic.functions.is_empty() => {
                self.passed_instance(&generic, &written, path, span)?
            }
            Some(Ok(_)) => return Err(self.error(mistake.help("a function that takes functions cannot be passed"))),
            Some(Err(missing)) => Err(missing),
            None => match self.known.function(&written, self.spans) {
                Some(code) => code,
                None => return Err(self.error(mistake.help("write `#[device]` before the function"))),
            },
        };
        code.map_err(|missing| self.missing(missing, &written, span))
    }

    /// The instance of a generic function that is passed, such as `square::<f32>`.
    fn passed_instance(
        &mut self,
        generic: &Generic,
        written: &str,
        path: &syn::ExprPath,
        span: Span,
    ) -> Result<Result<DeviceCode, Missing>, hir::Expr> {
        let mut known = Known::of(generic, &mut self.infer);
        let is_right = self.given(generic, path, &mut known);
        let decided = if is_right { self.decided(generic, written, &known, span) } else { None };
        let Some(values) = decided else { return Err(self.failed(span)) };
        let args = InstanceArgs { values, functions: Vec::new() };
        Ok(self.known.instance(written, generic, &args, self.spans).map_err(|(missing, mistakes)| {
            self.report_instance(generic, written, &args, mistakes, span);
            missing
        }))
    }

    /// An expression with a reported mistake.
    fn failed(&mut self, span: Span) -> hir::Expr {
        hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span }
    }

    /// Reads the arguments behind the name, as in `lerp::<f64>`. Returns whether they have no mistake.
    fn given(&mut self, generic: &Generic, path: &syn::ExprPath, known: &mut Known) -> bool {
        let last = path.path.segments.last().map(|last| &last.arguments);
        let Some(syn::PathArguments::AngleBracketed(given)) = last else { return true };
        if given.args.len() != generic.params.len() {
            let (span, wanted) = (self.span(given), generic.params.len());
            let name = plain_name(&generic.item.sig.ident);
            self.report(
                Diagnostic::new(span, format!("`{name}` has {}, found {}", parameters(wanted), given.args.len()))
                    .help("give all of them, with `_` for one that the arguments decide, or none"),
            );
            return false;
        }
        for (place, arg) in given.args.iter().enumerate() {
            if let syn::GenericArgument::Type(syn::Type::Infer(_)) = arg {
                continue;
            }
            let span = self.span(arg);
            let read = self.constant_argument(arg).map_or_else(|| read_arg(arg, self.spans), Ok);
            let checked = read.and_then(|arg| match generic.check(place, arg, span) {
                Some(mistake) => Err(mistake),
                None => Ok(arg),
            });
            match checked {
                Ok(GenericArg::Type(ty)) => known.types[place] = self.infer.known(ty),
                Ok(constant) => known.constants[place] = Some(constant),
                Err(mistake) => {
                    self.report(mistake);
                    return false;
                }
            }
        }
        true
    }

    /// The value of a constant of the body that stands as an argument: `f::<N>`.
    fn constant_argument(&self, arg: &syn::GenericArgument) -> Option<GenericArg> {
        let syn::GenericArgument::Type(syn::Type::Path(path)) = arg else { return None };
        let Some(Binding::Local(local)) = self.lookup(&plain_name(path.path.get_ident()?)) else { return None };
        self.constant_integers.get(local).copied().map(GenericArg::Int)
    }

    /// Finds the arguments in the type of a value: `T` and `N` of a parameter of type `Vector<T, N>`.
    fn take_apart(&mut self, generic: &Generic, ty: &syn::Type, found: TypeVar, at: Span, known: &mut Known) {
        let Some((name, parts)) = composite_parts(ty) else { return };
        if parts.iter().all(|part| generic_position(generic, part).is_none()) {
            return;
        }
        // If nothing else decides the arguments, that is reported.
        let Some(given) = self.settled(found) else { return };
        let scalar = GenericArg::Type(Type::of(given.scalar));
        let args = match (given.shape, name.as_str()) {
            (Shape::Vector(n), "Vector") => vec![scalar, GenericArg::Int(n.into())],
            (Shape::Matrix(rows, columns), "Matrix") => {
                vec![scalar, GenericArg::Int(rows.into()), GenericArg::Int(columns.into())]
            }
            (Shape::Quat, "Quaternion") => vec![scalar],
            (
                Shape::Scalar | Shape::Vector(_) | Shape::Matrix(..) | Shape::Quat | Shape::Struct(_) | Shape::Tile(..),
                _,
            ) => {
                let (wanted, found) = (written_type(ty), given.rust_name());
                self.report(
                    Diagnostic::new(at, format!("mismatched types: expected `{wanted}`, found `{found}`"))
                        .help("pass a value of that form"),
                );
                return;
            }
        };
        for (part, arg) in parts.iter().zip(args) {
            let Some(place) = generic_position(generic, part) else { continue };
            match arg {
                GenericArg::Type(ty) => {
                    let found = self.infer.known(ty);
                    self.equate(known.types[place], found, at);
                }
                // Of two different sizes the second does not fit the instance of the first, and is reported there.
                constant @ (GenericArg::Int(_) | GenericArg::Bool(_)) => {
                    known.constants[place] = known.constants[place].or(Some(constant));
                }
            }
        }
    }

    /// The arguments of the call, if the code above it decides all of them.
    fn decided(&mut self, generic: &Generic, written: &str, known: &Known, span: Span) -> Option<Vec<GenericArg>> {
        let mut args = Vec::new();
        for (place, param) in generic.params.iter().enumerate() {
            let arg = match param.kind {
                GenericKind::Type(_) => {
                    let var = known.types[place];
                    if self.infer.is_broken(var) {
                        return None;
                    }
                    self.settled(var).map(GenericArg::Type)
                }
                GenericKind::Const(_) => known.constants[place],
            };
            let Some(arg) = arg else {
                let holes = vec!["…"; generic.params.len()].join(", ");
                self.report(
                    Diagnostic::new(span, format!("`{}` of `{written}` is not known here", param.name))
                        .note("the arguments of a generic function, and the code above it, decide its instance")
                        .help(format!("write `{written}::<{holes}>(…)`")),
                );
                return None;
            };
            if let Some(mistake) = generic.check(place, arg, span) {
                self.report(mistake);
                return None;
            }
            args.push(arg);
        }
        Some(args)
    }

    /// Reports the mistakes of an instance, unless the definition reports them.
    fn report_instance(
        &mut self,
        generic: &Generic,
        written: &str,
        args: &InstanceArgs,
        mistakes: Vec<Diagnostic>,
        span: Span,
    ) {
        let Some(first) = mistakes.into_iter().next() else { return };
        if !self.known.is_sound(written, generic, self.spans) {
            return;
        }
        self.report(
            Diagnostic::new(span, format!("there is no `{written}{args}`"))
                .note(first.message)
                .help("use other arguments, or change the function"),
        );
    }
}

/// The type as the author writes it.
fn written_type(ty: &syn::Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "").replace(',', ", ")
}

/// The types of the parameters.
fn param_types(generic: &Generic) -> Vec<&syn::Type> {
    let inputs = generic.item.sig.inputs.iter();
    inputs.filter_map(|input| if let syn::FnArg::Typed(typed) = input { Some(&*typed.ty) } else { None }).collect()
}

/// What a parameter borrows.
struct Lent<'t> {
    /// The type of the elements, or of the variable.
    elem: &'t syn::Type,
    /// The length of an array, if it has a name.
    len: Option<&'t syn::ExprPath>,
}

fn lent(ty: &syn::Type) -> Option<Lent<'_>> {
    let syn::Type::Reference(reference) = ungrouped_type(ty) else { return None };
    if let syn::Type::Array(array) = ungrouped_type(&reference.elem) {
        let len = if let syn::Expr::Path(len) = &array.len { Some(len) } else { None };
        return Some(Lent { elem: &array.elem, len });
    }
    let elem = type_syntax::array_of(&reference.elem).map_or(&*reference.elem, |(elem, _)| elem);
    Some(Lent { elem, len: None })
}

/// The position of the generic parameter that the type is.
fn position(generic: &Generic, ty: &syn::Type) -> Option<usize> {
    let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ungrouped_type(ty) else { return None };
    generic.position(path.get_ident()?)
}

/// The name and the arguments of a type such as `Vector<T, N>`.
fn composite_parts(ty: &syn::Type) -> Option<(String, Vec<&syn::GenericArgument>)> {
    let syn::Type::Path(path) = ungrouped_type(ty) else { return None };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    Some((plain_name(&last.ident), args.args.iter().collect()))
}

/// The position of the generic parameter that stands as an argument of a type.
fn generic_position(generic: &Generic, arg: &syn::GenericArgument) -> Option<usize> {
    if let syn::GenericArgument::Type(ty) = arg { position(generic, ty) } else { None }
}
