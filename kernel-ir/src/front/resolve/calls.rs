//! Resolution of calls: thread indices, atomics, device functions, and operations in method and function form.

use super::super::hir::{View, ViewRoot};
use super::super::infer::{About, Candidate, TypeVar, of_table};
use super::super::items::Missing;
use super::super::links::{DeviceCode, link_name, prototype};
use super::super::named;
use super::super::signature::{FunctionKind, ParamKind};
use super::super::syntax::{axes, plain_name, ungrouped};
use super::super::{foreign, hir, types};
use super::arguments::Argument;
use super::operators::written;
use super::{Binding, Resolver, random};
use crate::diag::{Diagnostic, nearest};
use crate::ir::{AtomicOp, Callee, Param, ParamId, Scalar, ScalarSet, ShapePattern, Span, StructId, Type, TypeFamily};
use crate::ops::{Pat, Syntax, TABLE};
use syn::visit::{Visit, visit_expr};

impl Resolver<'_> {
    /// The last segment of the function's path, if the expression is a call by path.
    pub(super) fn called_name(expr: &syn::Expr) -> Option<String> {
        let syn::Expr::Call(call) = ungrouped(expr) else { return None };
        let syn::Expr::Path(path) = ungrouped(&call.func) else { return None };
        path.path.segments.last().map(|last| plain_name(&last.ident))
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall) -> hir::Expr {
        let span = self.span(call);
        let syn::Expr::Path(path) = ungrouped(&call.func) else {
            return self.error(
                Diagnostic::new(span, "only named functions can be called").help("call a function by its name"),
            );
        };
        if let Some(tile) = self.constructor(call, None) {
            return tile;
        }
        if let Some(call) = self.generic_call(path, call, span) {
            return call;
        }
        let written = link_name(&path.path);
        let callee = self.known.function(&written, self.spans).or_else(|| self.of_owner(path));
        if let Some(callee) = callee {
            let args = call.args.iter().map(Argument::Written).collect();
            return self.device_call(&written, callee, args, span);
        }
        let segments = self.names(path);
        let name = segments.last().cloned().unwrap_or_default();
        let owner = segments.len().checked_sub(2).map(|place| segments[place].as_str());
        if let Some(ty) = owner.and_then(Type::from_rust_name) {
            return self.associated_call(ty, &name, call, span);
        }
        if let Some(def) = random::called(&name) {
            return self.random(def, call, span);
        }
        if let Some(op) = AtomicOp::ALL.into_iter().find(|op| op.name() == name) {
            return self.atomic(op, call, span);
        }
        if let (FunctionKind::Device, "tid" | "tid2" | "tid3" | "tid4") = (self.signature.kind, name.as_str()) {
            return self.error(
                Diagnostic::new(span, "a device function has no thread index")
                    .help("pass it as a parameter, for example `i: usize`"),
            );
        }
        match name.as_str() {
            "block" => self.error(
                Diagnostic::new(span, "the block of a kernel is bound to a name")
                    .help("write `let block = block::<256>();` at the start of the kernel"),
            ),
            "shared" => self.error(
                Diagnostic::new(span, "an array of the block is bound to a name")
                    .help("write `let mut tile = shared::<f32, 256>();`"),
            ),
            "tid" => self.thread_index(call, span),
            "tid2" => self.thread_indices(2, "(i, j)", span),
            "tid3" => self.thread_indices(3, "(i, j, k)", span),
            "tid4" => self.thread_indices(4, "(i, j, k, l)", span),
            _ => {
                let of_struct = named::owner(path).and_then(|owner| self.known.structure(&link_name(&owner))).flatten();
                self.unknown_function(&segments.join("::"), &name, owner, of_struct, span)
            }
        }
    }

    /// The method or constant of a device struct that a path such as `Ray::at` names.
    pub(super) fn of_owner(&mut self, path: &syn::ExprPath) -> Option<Result<DeviceCode, Missing>> {
        let owner = self.known.structure(&link_name(&named::owner(path)?))??;
        let name = plain_name(&path.path.segments.last()?.ident);
        self.known.method(Type::of_struct(owner), &name, self.spans)
    }

    /// The place of an item without code, which is named as `written`.
    pub(super) fn missing(&mut self, missing: Missing, written: &str, span: Span) -> hir::Expr {
        match missing {
            // The mistakes are reported at the definition.
            Missing::HasMistakes => hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span },
            Missing::NamesItself => self.error(
                Diagnostic::new(span, format!("`{written}` needs itself"))
                    .note("the kernel language has no recursion")
                    .help("write a loop"),
            ),
        }
    }

    /// A call of a device function, such as `smoothstep(t)`, or of a method, whose receiver comes first.
    pub(super) fn device_call(
        &mut self,
        written: &str,
        callee: Result<DeviceCode, Missing>,
        given: Vec<Argument<'_>>,
        span: Span,
    ) -> hir::Expr {
        let function = match callee {
            Ok(function) => function,
            Err(missing) => {
                // The parameters are not known here.
                for arg in given {
                    if let Argument::Written(arg) = arg
                        && !self.is_array(arg)
                        && self.lent_place(arg).is_none()
                    {
                        self.operands(std::iter::once(arg));
                    }
                }
                return self.missing(missing, written, span);
            }
        };
        let params = &function.code().params;
        if params.len() != given.len() {
            let receivers =
                given.iter().filter(|arg| matches!(arg, Argument::Receiver(_) | Argument::Place(_))).count();
            let wanted = params.len().saturating_sub(receivers);
            return self.wrong_arity(written, wanted, given.len() - receivers, span);
        }
        let (mut passed, mut args, mut stmts) = (Vec::new(), Vec::new(), Vec::new());
        let written: Vec<Option<&syn::Expr>> = given.iter().map(Argument::written).collect();
        for (position, (param, arg)) in params.iter().zip(given).enumerate() {
            let arg = match arg {
                Argument::Place(place) if param.is_array() => {
                    passed.extend(self.pass_receiver(&function, place, &mut stmts));
                    continue;
                }
                Argument::Written(arg) if param.is_array() => {
                    let before = stmts.len();
                    passed.extend(self.pass(&function, position, arg, &mut stmts));
                    if stmts.len() > before {
                        self.hold(&mut args, &mut stmts, before);
                    }
                    continue;
                }
                Argument::Written(arg) => self.expr(arg),
                Argument::Resolved { value, .. } | Argument::Receiver(value) | Argument::Place(value) => value,
            };
            if self.shape_of(&arg).is_some() {
                let message = format!("`{}` takes no tiles, and no elements of them", function.code().name);
                let help = "write its code in the closure, or call it for single values in a phase";
                return self.error(Diagnostic::new(arg.span, message).help(help));
            }
            let (wanted, found) = (self.infer.known(param.elem()), self.value(&arg));
            if let Some(mistake) = self.infer.equate(wanted, found, arg.span) {
                self.report(mistake.note(format!("it is `{}`", prototype(&function))));
            }
            args.push(arg);
        }
        let ty = function.ret().map(|ret| self.known_type(ret));
        self.check_aliases(&passed, &written);
        // A view of several cores lends an element, and no slice.
        let lends = passed.iter().any(|passed| self.rank(&passed.view) > 0 && self.may_be_lent(&passed.view));
        self.lends |= lends;
        let restored: Vec<_> =
            passed.iter_mut().filter_map(|passed| Some((passed.restored.take()?, passed.view.root))).collect();
        let whole: Option<Vec<ParamId>> = passed.iter().map(|passed| passed.view.as_param()).collect();
        let kind = match (function, whole) {
            (DeviceCode::Function(function), Some(arrays)) if !lends => {
                hir::ExprKind::Call { callee: Box::new(Callee { function, arrays }), args }
            }
            (code, _) => {
                let arrays = passed.into_iter().map(|passed| passed.view).collect();
                hir::ExprKind::Insert { code, arrays, args }
            }
        };
        let call = hir::Expr { kind, ty, span };
        let call = self.restore(restored, call, &mut stmts);
        if stmts.is_empty() {
            return call;
        }
        hir::Expr { kind: hir::ExprKind::Block(hir::Block { stmts, tail: Some(Box::new(call)) }), ty, span }
    }

    /// Reports a call of a function that is not known. `of_struct` is the device struct before its name.
    fn unknown_function(
        &mut self,
        written: &str,
        name: &str,
        owner: Option<&str>,
        of_struct: Option<StructId>,
        span: Span,
    ) -> hir::Expr {
        if self.signature.kind == FunctionKind::Device && written == self.signature.name {
            return self.error(
                Diagnostic::new(span, format!("`{name}` calls itself"))
                    .note("the kernel language has no recursion")
                    .help("write a loop"),
            );
        }
        if let Some(Binding::Local(local)) = self.lookup(written)
            && let ty = self.locals[local.0 as usize].ty
            && self.infer.is_broken(ty)
        {
            // The local is a closure, which is reported at its definition.
            return hir::Expr { kind: hir::ExprKind::Error, ty: Some(ty), span };
        }
        let diagnostic = Diagnostic::new(span, format!("the function `{written}` is not in the kernel language"));
        if let Some(of) = of_struct {
            let help = format!("write it in an `impl` block beside `{}`, in a module under `#[device]`", of.name);
            return self.error(diagnostic.help(help));
        }
        if let Some(help) = foreign::instead_of(name).or_else(|| types::substitute(owner?)) {
            return self.error(diagnostic.help(help));
        }
        let is_method = TABLE.iter().any(|def| def.rust == Syntax::Method(def.name) && def.name == name);
        let vector = Type::from_name(name).filter(|ty| ty.is_vector());
        let diagnostic = match (is_method, vector) {
            (true, _) => diagnostic
                .note("a function of your own may not have the name of a method")
                .help(format!("it is a method: `x.{name}(…)`")),
            (false, Some(ty)) => diagnostic.help(format!("write `{}::new(…)`", ty.rust_path())),
            (false, None) => diagnostic
                .note(format!(
                    "{} may call the methods of the language and device functions",
                    self.signature.kind.noun()
                ))
                .help("write `#[device]` before the function"),
        };
        self.error(diagnostic)
    }

    fn thread_index(&mut self, call: &syn::ExprCall, span: Span) -> hir::Expr {
        if !call.args.is_empty() {
            return self.error(Diagnostic::new(span, "`tid` takes no arguments").help("write `tid()`"));
        }
        self.launch_axes(1, span);
        hir::Expr { kind: hir::ExprKind::Tid(0), ty: Some(self.infer.known(Type::INDEX)), span }
    }

    /// Reports a call that returns several indices where one value is needed.
    fn thread_indices(&mut self, dim: u8, names: &str, span: Span) -> hir::Expr {
        self.launch_axes(dim, span);
        self.error(
            Diagnostic::new(span, format!("`tid{dim}()` gives several indices at once"))
                .help(format!("bind them with `let {names} = tid{dim}();`")),
        )
    }

    /// Records that the kernel is launched with `dim` axes; reports a conflict with an earlier call.
    pub(super) fn launch_axes(&mut self, dim: u8, span: Span) {
        if self.block.is_some() {
            return self.report(
                Diagnostic::new(span, "a kernel that is launched over blocks has no `tid()`")
                    .help("`block.index` is the index of the block, and the argument of a phase is the thread"),
            );
        }
        match self.launch {
            None => self.launch = Some((dim, span)),
            Some((known, first)) if known != dim => {
                let form = |dim: u8| if dim == 1 { "tid()".to_owned() } else { format!("tid{dim}()") };
                self.report(
                    Diagnostic::new(
                        span,
                        format!("`{}` cannot be called in a kernel that calls `{}`", form(dim), form(known)),
                    )
                    .related(first, "first called here")
                    .help("a kernel has one launch dimension: call the same function everywhere"),
                );
            }
            Some(_) => {}
        }
    }

    /// `Vec3::new(x, y, z)`, or a method in function form, such as `f32::max(a, b)`.
    fn associated_call(&mut self, ty: Type, name: &str, call: &syn::ExprCall, span: Span) -> hir::Expr {
        let rust_name = ty.rust_name();
        if let ("cast", true, [value]) =
            (name, ty.is_scalar() && !ty.scalar().is_half(), call.args.iter().collect::<Vec<_>>().as_slice())
        {
            return self.cast_to(ty, value, span);
        }
        if let ("lit", true) = (name, ty.is_scalar()) {
            return self.error(
                Diagnostic::new(span, format!("`{rust_name}::lit` takes a literal that `{rust_name}` has"))
                    .help(format!("write a number, or convert a value with `{rust_name}::cast(…)`")),
            );
        }
        if ty.is_scalar() && ty.scalar().is_half() {
            match (name, call.args.iter().collect::<Vec<_>>().as_slice()) {
                ("from_f32", [value]) => return self.rounding(ty, value, span),
                ("from_f32", others) => {
                    return self.wrong_arity(&format!("{rust_name}::from_f32"), 1, others.len(), span);
                }
                ("from_f64", _) => {
                    return self.error(
                        Diagnostic::new(span, format!("`{rust_name}::from_f64` is not in the kernel language"))
                            .note("it rounds once on some processors, and twice on others")
                            .help(format!("write `{rust_name}::from_f32(x as f32)`, which rounds twice")),
                    );
                }
                _ => {}
            }
        }
        let operands = self.operands(call.args.iter());
        let constructors = TABLE.iter().filter(|def| matches!(def.rust, Syntax::Assoc(function) if function == name));
        // The result of a constructor has the type of the row.
        let rows = constructors.clone().flat_map(|def| def.overloads);
        let arity = rows.filter(|row| row.class.contains(ty)).map(|row| row.args.len()).next();
        if let (Some(def), Some(arity)) = (constructors.into_iter().next(), arity) {
            if arity != operands.len() {
                return self.wrong_arity(&format!("{rust_name}::{name}"), arity, operands.len(), span);
            }
            let result = self.infer.known(ty);
            return self.op_giving(result, def.rust, About::Assoc(format!("{rust_name}::{name}")), operands, span);
        }
        if let Some(def) = TABLE.iter().find(|def| matches!(def.rust, Syntax::Method(method) if method == name)) {
            if let Some((receiver, receiver_ty)) = operands.first() {
                let (receiver_ty, at) = (*receiver_ty, receiver.span);
                let wanted = self.infer.known(ty);
                self.equate(wanted, receiver_ty, at);
            }
            return self.method(def.rust, name, operands, span);
        }
        let all = TABLE.iter().map(|def| def.rust.word());
        let help = match nearest(name, all.filter(|near| *near != name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "docs/operations.md lists all operations".to_owned(),
        };
        self.error(Diagnostic::new(span, format!("`{rust_name}::{name}` is not in the kernel language")).help(help))
    }

    /// `f16::from_f32(value)`, for `to` = `f16`.
    fn rounding(&mut self, to: Type, value: &syn::Expr, span: Span) -> hir::Expr {
        let operand = self.expr(value);
        let (wanted, found) = (self.infer.known(Type::F32), self.value(&operand));
        self.equate(wanted, found, operand.span);
        hir::Expr { kind: hir::ExprKind::Cast(Box::new(operand)), ty: Some(self.infer.known(to)), span }
    }

    /// `x.to_f32()` or `x.to_f64()`, for a float of 16 bits.
    fn widening(&mut self, name: &str, operands: Vec<(hir::Expr, TypeVar)>, span: Span) -> hir::Expr {
        let single = self.infer.known(Type::F32);
        let Some((value, ty)) = operands.into_iter().next() else { return self.wrong_arity(name, 0, 0, span) };
        let about = About::Method(name.to_owned());
        self.infer.constrain(vec![ty, single], vec![Candidate::widening(Type::F32)], about, span);
        let widened = hir::Expr { kind: hir::ExprKind::Cast(Box::new(value)), ty: Some(single), span };
        match name {
            "to_f32" => widened,
            _ => {
                hir::Expr { kind: hir::ExprKind::Cast(Box::new(widened)), ty: Some(self.infer.known(Type::F64)), span }
            }
        }
    }

    pub(super) fn operands<'a>(&mut self, args: impl Iterator<Item = &'a syn::Expr>) -> Vec<(hir::Expr, TypeVar)> {
        let mut operands = Vec::new();
        for arg in args {
            let arg = self.expr(arg);
            let ty = self.value(&arg);
            operands.push((arg, ty));
        }
        operands
    }

    pub(super) fn method_call(&mut self, call: &syn::ExprMethodCall) -> hir::Expr {
        let span = self.span(call);
        let name = plain_name(&call.method);
        if let Some((array, rank)) = self.named_array(&call.receiver) {
            if let Some(tile) = self.array_tile(array, rank, call, None) {
                return tile;
            }
            return self.array_method(array, rank, &name, call, span);
        }
        if let Some(block) = self.named_block(&call.receiver) {
            return self.block_method(block, call, span);
        }
        if let Some(local) = self.named_local_array(&call.receiver) {
            return self.local_array_method(local, call, span);
        }
        if let Some(part) = self.named_part(&call.receiver) {
            return self.part_method(part, call, span);
        }
        if self.is_array(&call.receiver) {
            return self.part_as_value(&call.receiver);
        }
        if let Some(test) = self.presence_method(&name, call, span) {
            return test;
        }
        let receiver = self.expr(&call.receiver);
        if let Some(result) = self.tile_method(&receiver, call, span) {
            return result;
        }
        if let Some(callee) = self.method_of(&receiver, &name) {
            let own = match changes_first(&callee) {
                true if self.lent_value(&call.receiver).is_some() => Argument::Place(receiver),
                true => Argument::Place(self.place(&call.receiver)),
                false => Argument::Receiver(receiver),
            };
            let args = std::iter::once(own).chain(call.args.iter().map(Argument::Written)).collect();
            return self.device_call(&name, callee, args, span);
        }
        let ty = self.value(&receiver);
        if self.known.has_method(&name) && self.infer.is_broken(ty) {
            return hir::Expr { kind: hir::ExprKind::Error, ty: Some(ty), span };
        }
        let mut operands = vec![(receiver, ty)];
        operands.extend(self.operands(call.args.iter()));
        if name == "col_mut" {
            return self.error(
                Diagnostic::new(span, "`col_mut` is only for assignments to a column")
                    .help("read a column with `col`; assign one with `*m.col_mut(k) = …`"),
            );
        }
        if name == "col" && operands.len() == 2 {
            let (index, base) = (operands.pop().expect("two"), operands.pop().expect("two"));
            return self.column(base, index, span);
        }
        if let ("to_f32" | "to_f64", 1) = (name.as_str(), operands.len()) {
            return self.widening(&name, operands, span);
        }
        if let Some(def) = TABLE.iter().find(|def| matches!(def.rust, Syntax::Method(method) if method == name)) {
            return self.method(def.rust, &name, operands, span);
        }
        if let Some((_, receiver)) = operands.first()
            && self.infer.is_broken(*receiver)
        {
            return hir::Expr { kind: hir::ExprKind::Error, ty: Some(*receiver), span };
        }
        let methods = TABLE.iter().filter(|def| matches!(def.rust, Syntax::Method(_)));
        let near = nearest(&name, methods.map(|def| def.rust.word()));
        let of_struct = operands.first().and_then(|(_, ty)| self.infer.ty(*ty)).and_then(Type::as_struct);
        if let Some(of) = of_struct {
            let at = self.span(&call.method);
            return self.error(
                Diagnostic::new(at, format!("`{}` has no method `{name}` in the kernel language", of.name))
                    .help(format!("write it in an `impl` block beside `{}`, in a module under `#[device]`", of.name)),
            );
        }
        let help = match (near, name.as_str()) {
            (_, "clone" | "to_owned") => "values are copied: use the value itself".to_owned(),
            (_, "iter" | "iter_mut" | "into_iter") => "loop over indices: `for j in 0..x.len()`".to_owned(),
            (_, "len") => "only arrays have a length: `for j in 0..x.len()`".to_owned(),
            (_, "rev" | "step_by") => "it belongs to the range of a `for`: `for j in (0..n).rev()`".to_owned(),
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, _) => "docs/operations.md lists all operations".to_owned(),
        };
        let at = self.span(&call.method);
        self.error(Diagnostic::new(at, format!("the method `{name}` is not in the kernel language")).help(help))
    }

    /// The method `name` of the device struct that `receiver` is.
    fn method_of(&mut self, receiver: &hir::Expr, name: &str) -> Option<Result<DeviceCode, Missing>> {
        if !self.known.has_method(name) {
            return None;
        }
        let ty = self.settled(receiver.ty?)?;
        self.known.method(ty, name, self.spans)
    }

    /// The type of a variable, as far as the code before it decides.
    pub(super) fn settled(&mut self, var: TypeVar) -> Option<Type> {
        let mistakes = self.infer.settle();
        self.diagnostics.extend(mistakes);
        self.infer.ty(var)
    }

    fn method(&mut self, syntax: Syntax, name: &str, operands: Vec<(hir::Expr, TypeVar)>, span: Span) -> hir::Expr {
        if of_table(syntax, operands.len()).is_empty() {
            let wanted = written(syntax).flat_map(|def| def.overloads).map(|row| row.args.len()).next();
            return self.wrong_arity(name, wanted.unwrap_or(1) - 1, operands.len().saturating_sub(1), span);
        }
        self.op(syntax, About::Method(name.to_owned()), operands, span)
    }

    pub(super) fn wrong_arity(&mut self, name: &str, wanted: usize, found: usize, span: Span) -> hir::Expr {
        let arguments = match wanted {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            _ => format!("{wanted} arguments"),
        };
        self.error(
            Diagnostic::new(span, format!("`{name}` takes {arguments}, found {found}"))
                .help(format!("give it {arguments}")),
        )
    }

    /// `m.col(j)`, or `m.col_mut(j)` in a place.
    pub(super) fn column(&mut self, base: (hir::Expr, TypeVar), index: (hir::Expr, TypeVar), span: Span) -> hir::Expr {
        let matrices = TypeFamily { scalars: ScalarSet::ALL, shape: ShapePattern::Matrix(None, None) };
        let rows = vec![Candidate::of(matrices, &[Pat::T, Pat::Is(Type::INDEX), Pat::Col])];
        let part = self.infer.any();
        let vars = vec![base.1, index.1, part];
        self.infer.constrain(vars, rows, About::Method("col".to_owned()), span);
        let kind = hir::ExprKind::Column { base: Box::new(base.0), index: Box::new(index.0) };
        hir::Expr { kind, ty: Some(part), span }
    }

    fn array_method(
        &mut self,
        array: ParamId,
        rank: u8,
        name: &str,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> hir::Expr {
        let array_name = self.param(array).name.clone();
        match name {
            "row" | "row_mut" if rank > 1 => self.part_as_value(&syn::Expr::MethodCall(call.clone())),
            "len" if rank == 1 && call.args.is_empty() => self.extent_of(&View::whole(ViewRoot::Array(array)), 0, span),
            "len" => self.error(
                Diagnostic::new(span, format!("`{array_name}` has {} and no `len`", axes(rank.into())))
                    .help(format!("write `{array_name}.shape()[0]`")),
            ),
            "shape" => self.error(
                Diagnostic::new(span, "a shape is not a value")
                    .help(format!("take one extent: `{array_name}.shape()[0]`")),
            ),
            _ => self.error(
                Diagnostic::new(span, format!("arrays have no method `{name}` in the kernel language")).help(
                    match name {
                        "iter" | "iter_mut" => format!("loop over indices: `for j in 0..{array_name}.len()`"),
                        _ => format!("slices have `{array_name}.len()`, other arrays have `{array_name}.shape()[0]`"),
                    },
                ),
            ),
        }
    }

    /// The first sub-expression of `expr` that names `root`, or a part of it.
    pub(super) fn mention<'e>(&self, root: ViewRoot, expr: &'e syn::Expr) -> Option<&'e syn::Expr> {
        let mut mention = Mention { resolver: self, root, found: None };
        mention.visit_expr(expr);
        mention.found
    }

    /// `atomic_add(&mut out[k], v)`.
    fn atomic(&mut self, op: AtomicOp, call: &syn::ExprCall, span: Span) -> hir::Expr {
        let name = op.name();
        let (form, takes, count) = match op == AtomicOp::Cas {
            true => ("compare, v", "an array element, the value that it must have, and the new value", 2),
            false => ("v", "an array element and a value", 1),
        };
        let form = format!("write `{name}(&mut out[k], {form})`");
        let mut args = call.args.iter();
        let (Some(target), true) = (args.next(), call.args.len() == 1 + count) else {
            return self.error(Diagnostic::new(span, format!("`{name}` takes {takes}")).help(form));
        };
        let syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr: target, .. }) = target else {
            let span = self.span(target);
            return self.error(Diagnostic::new(span, format!("`{name}` takes an array element by `&mut`")).help(form));
        };
        let place = Box::new(self.place(target));
        let place_ty = self.value(&place);
        let may_meet = |root: &ViewRoot| match root {
            ViewRoot::Array(array) => !matches!(self.param(*array).kind, ParamKind::Array { rank: 0, .. }),
            ViewRoot::LocalArray(array) => self.shared.contains(array),
            ViewRoot::Variable(_) => false,
        };
        let Some(root) = element_root(&place).filter(may_meet) else {
            if self.infer.is_broken(place_ty) {
                return hir::Expr { kind: hir::ExprKind::Error, ty: Some(place_ty), span };
            }
            return self.error(
                Diagnostic::new(place.span, format!("`{name}` works on an array element"))
                    .note("a thread's own variables need no atomics")
                    .help(form),
            );
        };
        if let Some(of) = self.infer.ty(place_ty).and_then(Type::as_enum) {
            let help =
                format!("keep the numbers in an array of `{}`", if of.repr() == Type::U32 { "u32" } else { "i32" });
            return self.error(Diagnostic::new(place.span, format!("`{name}` does not work on an enum")).help(help));
        }
        if let Some(of) = self.infer.ty(place_ty).and_then(Type::as_struct) {
            let fields = of.fields.iter().find(|field| field.ty.is_float()).or(of.fields.first());
            let (array, field) = (self.root_name(root), fields.map_or("x", |field| &field.name));
            let help = format!("update its fields, for example `{name}(&mut {array}[i].{field}, v)`");
            let message = format!("`{name}` does not work on a whole struct");
            return self.error(Diagnostic::new(place.span, message).help(help));
        }
        let is_part = !matches!(place.kind, hir::ExprKind::Element { .. } | hir::ExprKind::LocalElement { .. });
        if is_part && !op.is_sum() {
            return self.error(
                Diagnostic::new(place.span, format!("`{name}` works on a whole array element"))
                    .help("keep each component in an array of its own"),
            );
        }
        let mut operands = Vec::new();
        for operand in args.clone() {
            let operand = self.expr(operand);
            let ty = self.value(&operand);
            self.equate(place_ty, ty, operand.span);
            operands.push(operand);
        }
        let scalar = self.infer.ty(place_ty).map(Type::scalar);
        let types = self.infer.var(op.types(!is_part || self.is_field(&place)));
        if self.infer.equate(types, place_ty, place.span).is_some() {
            let (only, help) = operands_of(op, is_part, scalar);
            return self.error(Diagnostic::new(place.span, format!("`{name}` works on {only}")).help(help));
        }
        // rustc would refuse the conflicting borrow in the emitted code; here the message can name the array.
        let is_broken = operands.iter().any(|operand| operand.ty.is_some_and(|ty| self.infer.is_broken(ty)));
        if !is_broken && let Some(mention) = args.find_map(|arg| self.mention(root, arg)) {
            let (at, array) = (self.span(mention), self.root_name(root));
            return self.error(
                Diagnostic::new(at, format!("`{name}` changes `{array}`, and its value reads `{array}` too"))
                    .note(format!("`{name}` borrows `{array}` before the value is computed"))
                    .help("compute the value first: `let v = …;`"),
            );
        }
        // Warp has no old value for a part.
        let ty = (!is_part).then_some(place_ty);
        hir::Expr { kind: hir::ExprKind::Atomic { op, place, operands }, ty, span }
    }
}

impl Resolver<'_> {
    /// Whether a place is a field of an element, or of a struct in it.
    fn is_field(&self, place: &hir::Expr) -> bool {
        let hir::ExprKind::Field { base, .. } = &place.kind else { return false };
        let is_struct = base.ty.and_then(|ty| self.infer.ty(ty)).is_some_and(Type::is_struct);
        is_struct && (matches!(base.kind, hir::ExprKind::Element { .. }) || self.is_field(base))
    }
}

/// What an atomic operation works on, and a way out for what it does not work on.
fn operands_of(op: AtomicOp, is_part: bool, scalar: Option<Scalar>) -> (&'static str, &'static str) {
    match op {
        _ if scalar == Some(Scalar::Bool) => {
            ("single numbers", "use an array of `u32`: `atomic_or(&mut out[k], 1)` sets a flag, whatever the order")
        }
        _ if scalar.is_some_and(Scalar::is_narrow) => {
            ("numbers of 32 and 64 bits", "use `u32` or `i32`: devices have no atomic operations on 8 and 16 bits")
        }
        _ if scalar.is_some_and(Scalar::is_half) => {
            ("numbers of 32 and 64 bits", "of floats of 16 bits there are only sums: use an array of `f32`")
        }
        _ if is_part => ("single numbers", "update the whole element, or each number by itself"),
        AtomicOp::Add | AtomicOp::Sub => ("numbers of a fixed width", "use `u32` or `i32`"),
        AtomicOp::Min | AtomicOp::Max | AtomicOp::Exch => {
            ("single numbers", "keep each component in an array of its own")
        }
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => {
            ("single integers of a fixed width", "keep the bits in an array of `u32` or `i32`")
        }
        AtomicOp::Cas => {
            ("single integers of a fixed width", "compare the bits: keep `x.to_bits()` in an array of `u32`")
        }
    }
}

/// Whether a method or an operator changes the value that is its first argument.
pub(super) fn changes_first(callee: &Result<DeviceCode, Missing>) -> bool {
    callee.as_ref().is_ok_and(|code| code.code().params.first().is_some_and(Param::is_array))
}

/// The array of the element that a place is, or is a part of. `None` for other places.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a place in an array")]
fn element_root(place: &hir::Expr) -> Option<ViewRoot> {
    match &place.kind {
        hir::ExprKind::Element { array, .. } => Some(ViewRoot::Array(*array)),
        hir::ExprKind::LocalElement { local, .. } => Some(ViewRoot::LocalArray(*local)),
        hir::ExprKind::Component { base, .. }
        | hir::ExprKind::Column { base, .. }
        | hir::ExprKind::Field { base, .. } => element_root(base),
        _ => None,
    }
}

/// A visitor that finds the first sub-expression that names an array or a variable.
struct Mention<'r, 'e> {
    resolver: &'r Resolver<'r>,
    root: ViewRoot,
    found: Option<&'e syn::Expr>,
}

impl<'e> Visit<'e> for Mention<'_, 'e> {
    fn visit_expr(&mut self, expr: &'e syn::Expr) {
        let syn::Expr::Path(path) = expr else { return visit_expr(self, expr) };
        let Some(name) = path.path.get_ident() else { return };
        let resolver = self.resolver;
        let named = match resolver.lookup(&plain_name(name)) {
            Some(Binding::Array(array)) => ViewRoot::Array(array),
            Some(Binding::Part(number)) => resolver.parts[number].borrowed.view.root,
            Some(Binding::Local(local)) if resolver.length_of(local).is_some() => ViewRoot::LocalArray(local),
            Some(Binding::Local(local)) => ViewRoot::Variable(local),
            Some(
                Binding::Value(_) | Binding::Optional(_) | Binding::Tuple(_) | Binding::Block | Binding::TileIndex(..),
            )
            | None => return,
        };
        if named == self.root {
            self.found = self.found.or(Some(expr));
        }
    }
}
