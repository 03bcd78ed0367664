//! Resolution of names and paths: variables and constants.

use super::super::consts::{self, Const};
use super::super::hir::{Origin, View, ViewRoot};
use super::super::infer::About;
use super::super::links::link_name;
use super::super::named::owner;
use super::super::signature::ParamKind;
use super::super::syntax::plain_name;
use super::super::type_syntax::path_names;
use super::super::{foreign, hir};
use super::{Binding, Resolver};
use crate::diag::{Diagnostic, nearest};
use crate::ir::{ParamId, Scalar, Shape, Span, Type};
use crate::ops::{Syntax, TABLE};

impl Resolver<'_> {
    pub(super) fn path(&mut self, path: &syn::ExprPath) -> hir::Expr {
        let span = self.span(path);
        if let Some(constant) = self.device_constant(path, span) {
            return constant;
        }
        if let Some(variant) = self.variant(path, span) {
            return variant;
        }
        if let (Some(ident), None) = (path.path.get_ident(), &path.qself) {
            return self.variable(&plain_name(ident), span);
        }
        let segments = self.names(path);
        let found = match segments.as_slice() {
            [.., scalar, consts, name] if consts == "consts" => Type::from_rust_name(scalar)
                .filter(|ty| ty.is_scalar() && ty.is_float())
                .and_then(|ty| Some((ty, consts::mathematical(name)?))),
            [.., ty, name] => Type::from_rust_name(ty).and_then(|ty| match ty {
                Type { scalar, shape: Shape::Scalar } => Some((ty, consts::associated(scalar, name)?)),
                _ => None,
            }),
            _ => None,
        };
        if let Some((ty, value)) = found {
            return self.constant(ty, value, span);
        }
        if let [.., ty, name] = segments.as_slice()
            && let Some(ty) = Type::from_rust_name(ty)
            && let Some(constant) = self.aggregate_constant(ty, name, span)
        {
            return constant;
        }
        let written = segments.join("::");
        // A function as a value, such as the `f32::max` of `fold(0.0, f32::max)`.
        if let [.., ty, name] = segments.as_slice()
            && Type::from_rust_name(ty).is_some()
            && TABLE.iter().any(|def| def.name == name && matches!(def.rust, Syntax::Method(_) | Syntax::Assoc(_)))
        {
            return self.error(
                Diagnostic::new(span, format!("the function `{written}` is not a value in the kernel language"))
                    .help("call it, in a loop if there are many values"),
            );
        }
        let diagnostic = Diagnostic::new(span, format!("the constant `{written}` is not in the kernel language"));
        if let Some(Some(of)) = owner(path).and_then(|owner| self.known.structure(&link_name(&owner))) {
            let help = format!("write it in an `impl` block beside `{}`, in a module under `#[device]`", of.name);
            return self.error(diagnostic.help(help));
        }
        self.error(match segments.as_slice() {
            [.., owner, _] if owner == "usize" => diagnostic
                .note("`usize` has 32 or 64 bits, depending on the target")
                .help("use a constant of `u32`, or the length of an array"),
            _ => diagnostic.note("`#[kernel]` sees only the function, not the items around it").help(
                "write `#[device]` before the constant, define it inside the kernel, or pass the value as a parameter",
            ),
        })
    }

    /// A device constant: a local with its value, which is declared at the start of the body.
    fn device_constant(&mut self, path: &syn::ExprPath, span: Span) -> Option<hir::Expr> {
        let written = link_name(&path.path);
        let code = match self.known.constant(&written, self.spans) {
            Some(code) => Some(code).filter(|_| path.qself.is_none())?,
            None => self.of_owner(path)?,
        };
        let code = match code {
            Ok(code) if code.code().params.is_empty() => code,
            Ok(_) => return None,
            Err(missing) => return Some(self.missing(missing, &written, span)),
        };
        if code.ret().is_some_and(Type::is_tuple) {
            let diagnostic = Diagnostic::new(span, format!("the constant `{written}` is a tuple"));
            return Some(self.error(diagnostic.help("write one constant for each value, or use a device struct")));
        }
        let local = match self.constants.get(&written) {
            Some(local) => *local,
            None => {
                let (name, ty) = (code.code().name.clone(), code.ret().map(|ret| self.known_type(ret)));
                let local = self.new_local(name, ty?, false, Origin::Const, span);
                let kind = hir::ExprKind::Insert { code, arrays: Vec::new(), args: Vec::new() };
                let init = Some(hir::Expr { kind, ty, span });
                self.values.push(hir::Stmt { kind: hir::StmtKind::Let { local, init }, span });
                self.constants.insert(written, local);
                local
            }
        };
        let ty = Some(self.locals[local.0 as usize].ty);
        Some(hir::Expr { kind: hir::ExprKind::Local(local), ty, span })
    }

    /// The names in a path, with the type itself in the place of an alias: `Vector<f32, 6>` and `new` for `Spatial::new`.
    pub(super) fn names(&self, path: &syn::ExprPath) -> Vec<String> {
        let alias = |path: &syn::Path| self.known.named_type(&link_name(path)).flatten();
        let names = path_names(path, &alias);
        match (owner(path).and_then(|owner| alias(&owner)), names.last()) {
            (Some(owner), Some(name)) => vec![owner.rust_name(), name.clone()],
            _ => names,
        }
    }

    pub(super) fn variable(&mut self, name: &str, span: Span) -> hir::Expr {
        match self.lookup(name) {
            Some(Binding::Local(local)) if self.unset_consts.contains(&local) => {
                let declared = self.locals[local.0 as usize].span;
                let diagnostic = Diagnostic::new(span, format!("the constant `{name}` is used above its definition"))
                    .related(declared, "defined here")
                    .note("the constants of a block are evaluated in source order")
                    .help(format!("define `{name}` first"));
                self.error(diagnostic)
            }
            Some(Binding::Local(local)) if self.length_of(local).is_some() => self.whole_array(local, span),
            Some(Binding::Local(local)) => {
                self.check_element(name, local, span);
                let ty = self.locals[local.0 as usize].ty;
                hir::Expr { kind: hir::ExprKind::Local(local), ty: Some(ty), span }
            }
            Some(Binding::TileIndex(axis, shape)) => self.tile_number(axis, shape, span),
            Some(Binding::Value(param)) => self.param_value(param, span),
            Some(Binding::Optional(array)) => self.may_be_absent(array, span),
            Some(Binding::Tuple(number)) => self.tuple_variable(number, span),
            Some(Binding::Part(number)) => {
                let (defined, name) = (self.parts[number].span, &self.parts[number].name);
                let diagnostic = Diagnostic::new(span, format!("the part `{name}` of an array is not a value"))
                    .related(defined, "defined here")
                    .help(format!("read an element: `{name}[k]`"));
                self.error(diagnostic)
            }
            Some(Binding::Array(array)) if matches!(self.param(array).kind, ParamKind::Array { rank: 0, .. }) => {
                self.element_of(&View::whole(ViewRoot::Array(array)), Vec::new(), span)
            }
            Some(Binding::Array(array)) => {
                let param = self.param(array);
                let index = match param.kind {
                    ParamKind::Array { rank: 2, .. } => "[[i, j]]",
                    ParamKind::Array { rank: 3, .. } => "[[i, j, k]]",
                    ParamKind::Array { rank: 4, .. } => "[[i, j, k, l]]",
                    ParamKind::Value(_) | ParamKind::Array { .. } => "[i]",
                };
                let diagnostic = Diagnostic::new(span, format!("the array `{name}` is not a value"))
                    .related(param.span, "declared here")
                    .help(format!("read an element: `{name}{index}`"));
                self.error(diagnostic)
            }
            Some(Binding::Block) => self.error(
                Diagnostic::new(span, format!("the block `{name}` is not a value"))
                    .help(format!("write `{name}.index`, `{name}.size` or `{name}.phase(|t| {{ … }})`")),
            ),
            None => self.unknown_name(name, span),
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span) -> hir::Expr {
        let diagnostic = Diagnostic::new(span, format!("there is no `{name}` in this kernel"));
        if let Some(help) = foreign::instead_of(name) {
            return self.error(diagnostic.help(help));
        }
        let known = self.scopes.iter().flat_map(|scope| scope.keys());
        if let Some(near) = nearest(name, known.map(String::as_str)) {
            let help = format!("did you mean `{near}`?");
            return self.error(diagnostic.help(help));
        }
        if consts::mathematical(name).is_some() {
            return self.error(
                diagnostic
                    .help(format!("write the whole path: `std::f32::consts::{name}`, or `std::f64::consts::{name}`")),
            );
        }
        self.error(diagnostic.note("`#[kernel]` sees only the function, not the items around it").help(
            "write `#[device]` before the constant, define it inside the kernel, or pass the value as a parameter",
        ))
    }

    pub(super) fn param_value(&mut self, id: ParamId, span: Span) -> hir::Expr {
        let ty = match self.param(id).kind {
            ParamKind::Value(Some(ty)) => self.infer.known(ty),
            ParamKind::Value(_) | ParamKind::Array { .. } => self.infer.broken(),
        };
        hir::Expr { kind: hir::ExprKind::Param(id), ty: Some(ty), span }
    }

    fn constant(&mut self, ty: Type, value: Const, span: Span) -> hir::Expr {
        let kind = match value {
            Const::Int(value) => hir::ExprKind::Int(value),
            Const::Float(single, double) => hir::ExprKind::FloatConst(single, double),
        };
        hir::Expr { kind, ty: Some(self.infer.known(ty)), span }
    }

    /// A constant of a vector, matrix or quaternion type, such as `Vec3::ZERO` or `Mat3::IDENTITY`, as the operation
    /// that makes it.
    fn aggregate_constant(&mut self, ty: Type, name: &str, span: Span) -> Option<hir::Expr> {
        match (ty, name) {
            (Type { shape: Shape::Vector(_), .. }, "ZERO") => Some(self.splat(ty, 0, span)),
            (Type { shape: Shape::Vector(_), .. }, "ONE") => Some(self.splat(ty, 1, span)),
            (Type { scalar: s, shape: Shape::Vector(_) }, "NEG_ONE") if s != Scalar::U32 => {
                Some(self.splat(ty, -1, span))
            }
            (Type { scalar: s, shape: Shape::Vector(n) }, _) => {
                let (axis, sign) = match name.strip_prefix("NEG_") {
                    Some(axis) if s != Scalar::U32 => (axis, -1),
                    _ => (name, 1),
                };
                let position = ["X", "Y", "Z", "W"].iter().position(|known| *known == axis)?;
                // Longer vectors have no named axes.
                (position < usize::from(n) && n <= 4).then(|| {
                    let parts = (0..usize::from(n)).map(|k| if k == position { sign } else { 0 }).collect();
                    self.construct(ty, "new", parts, span)
                })
            }
            (Type { scalar: s, shape: Shape::Matrix(n, columns) }, "ZERO" | "IDENTITY") if n == columns => {
                let diagonal = self.splat(Type::vector(s, n), if name == "ZERO" { 0 } else { 1 }, span);
                let diagonal_ty = diagonal.ty.expect("a vector is a value");
                let result = self.infer.known(ty);
                let about = About::Assoc(format!("{}::from_diagonal", ty.rust_name()));
                let operands = vec![(diagonal, diagonal_ty)];
                Some(self.op_giving(result, Syntax::Assoc("from_diagonal"), about, operands, span))
            }
            (Type { scalar: s, shape: Shape::Matrix(rows, columns) }, "ZERO") => {
                let columns = (0..columns).map(|_| {
                    let column = self.splat(Type::vector(s, rows), 0, span);
                    let ty = column.ty.expect("a vector is a value");
                    (column, ty)
                });
                let (columns, result) = (columns.collect(), self.infer.known(ty));
                let about = About::Assoc(format!("{}::from_cols", ty.rust_name()));
                Some(self.op_giving(result, Syntax::Assoc("from_cols"), about, columns, span))
            }
            (Type { shape: Shape::Quat, .. }, "IDENTITY") => {
                Some(self.construct(ty, "from_xyzw", vec![0, 0, 0, 1], span))
            }
            _ => None,
        }
    }

    fn splat(&mut self, ty: Type, value: i8, span: Span) -> hir::Expr {
        self.construct(ty, "splat", vec![value], span)
    }

    /// The call `ty::function(parts…)`.
    fn construct(&mut self, ty: Type, function: &'static str, parts: Vec<i8>, span: Span) -> hir::Expr {
        let scalar = Type::of(ty.scalar());
        let operands = parts.into_iter().map(|value| {
            let constant = match ty.is_float() {
                true => Const::Float(value.into(), value.into()),
                false => Const::Int(value.into()),
            };
            let part = self.constant(scalar, constant, span);
            let part_ty = part.ty.expect("a constant is a value");
            (part, part_ty)
        });
        let operands = operands.collect();
        let result = self.infer.known(ty);
        let about = About::Assoc(format!("{}::{function}", ty.rust_name()));
        self.op_giving(result, Syntax::Assoc(function), about, operands, span)
    }
}
