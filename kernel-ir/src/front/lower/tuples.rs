//! Lowers tuples and structs. A tuple is split into its values. Only the result of a function is a tuple in the IR.

use super::parts::{Part, part_of};
use super::{Lower, Target, is_tuple};
use crate::analysis::Mutations;
use crate::front::hir;
use crate::ir::{Block, Expr, ExprKind, Literal, LocalId, Span, Stmt, StmtKind, Struct, StructId, Type};

impl Lower<'_> {
    /// Lowers the declaration of a local for each value of a tuple.
    pub(super) fn let_tuple(&mut self, locals: &[Option<LocalId>], init: &hir::Expr, span: Span) {
        let targets = locals.iter().map(|local| local.map(Target::Declare)).collect();
        self.store(&Target::Tuple(targets), init, span);
    }

    /// Lowers the assignment of the values of a tuple. All values are computed before the first assignment, and the
    /// indices of a place behind the assignments of the places before it.
    pub(super) fn assign_tuple(&mut self, places: &[Option<hir::Expr>], value: &hir::Expr, span: Span) {
        let values = if let hir::ExprKind::Tuple(values) = &value.kind {
            let values: Vec<&hir::Expr> = values.iter().collect();
            self.operands(&values)
        } else {
            self.tuple_values(value)
        };
        let (mut assignments, mut saved) = (Block::new(), Block::new());
        for (place, mut value) in places.iter().zip(values) {
            let Some(place) = place else { continue };
            let (effects, place) = self.nested(|lower| lower.place(place));
            assignments.extend(effects);
            // A value that an earlier assignment changes, or an index, is saved before all of them.
            if !Mutations::of(&assignments).keep(&value) {
                let (before, name) = self.nested(|lower| lower.save(value));
                saved.extend(before);
                value = name;
            }
            assignments.push(Stmt { kind: StmtKind::Assign { place, value }, span });
        }
        self.out.extend(saved);
        self.out.extend(assignments);
    }

    /// The values of a tuple that is no list of values: a call, or branches that end with tuples.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is left are branches")]
    fn tuple_values(&mut self, value: &hir::Expr) -> Vec<Expr> {
        match &value.kind {
            hir::ExprKind::Call { callee, .. } => {
                let ty = callee.function.ret;
                let local = self.new_local("result", ty, false, value.span);
                let call = self.call(value, ty);
                self.push(StmtKind::Let { local, init: Some(call) }, value.span);
                let result = Expr { kind: ExprKind::Local(local), ty, span: value.span };
                (0..ty.fields().len() as u8).map(|number| field(result.clone(), number, value.span)).collect()
            }
            hir::ExprKind::Insert { .. } => match self.insert(value) {
                Some(Expr { kind: ExprKind::Struct(values), .. }) => values,
                _ => Vec::new(),
            },
            hir::ExprKind::Block(block) => {
                self.stmts(&block.stmts);
                block.tail.as_ref().map(|tail| self.tuple_values(tail)).unwrap_or_default()
            }
            _ => {
                let types = self.tuple_types(value);
                let new =
                    |(number, ty): (usize, &Type)| self.new_local(&format!("value_{number}"), *ty, false, value.span);
                let locals: Vec<LocalId> = types.iter().enumerate().map(new).collect();
                let targets = locals.iter().map(|local| Some(Target::Declare(*local))).collect();
                self.store(&Target::Tuple(targets), value, value.span);
                let read = |(local, ty)| Expr { kind: ExprKind::Local(local), ty, span: value.span };
                locals.into_iter().zip(types).map(read).collect()
            }
        }
    }

    /// The types of the values of a tuple.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a tuple")]
    fn tuple_types(&mut self, value: &hir::Expr) -> Vec<Type> {
        match &value.kind {
            hir::ExprKind::Tuple(values) => values.iter().map(|value| self.ty_of(value)).collect(),
            hir::ExprKind::Call { callee, .. } => callee.function.ret.fields().iter().map(|field| field.ty).collect(),
            hir::ExprKind::Insert { code, .. } => {
                code.ret().into_iter().flat_map(Type::fields).map(|field| field.ty).collect()
            }
            hir::ExprKind::Block(block) => block.tail.as_ref().map(|tail| self.tuple_types(tail)).unwrap_or_default(),
            hir::ExprKind::If { then, other, .. } => match (&then.tail, other) {
                (Some(tail), _) if tail.ty.is_some() => self.tuple_types(tail),
                (_, Some(other)) => self.tuple_types(other),
                (_, None) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Lowers `target = value`, where `value` is a tuple that is no block and no branch.
    pub(super) fn store_tuple(&mut self, target: &Target, value: &hir::Expr, span: Span) {
        let values = if let hir::ExprKind::Tuple(values) = &value.kind {
            let values: Vec<&hir::Expr> = values.iter().collect();
            self.operands(&values)
        } else {
            self.tuple_values(value)
        };
        match target {
            Target::Tuple(targets) => {
                for (target, value) in targets.iter().zip(values) {
                    if let Some(target) = target {
                        self.finish(target, value, span);
                    }
                }
            }
            Target::Return => {
                let ty = Type::of_struct(Struct::tuple(values.iter().map(|value| value.ty)));
                self.push(StmtKind::Return(Some(Expr { kind: ExprKind::Struct(values), ty, span })), span);
            }
            Target::Declare(_) | Target::Assign(_) => {}
        }
    }

    /// Lowers a component, column or field, by the type of the value that it is a part of.
    pub(super) fn named_part(&mut self, base: &hir::Expr, name: &str, span: Span) -> Expr {
        if is_tuple(base) {
            let number: usize = name.parse().unwrap_or_default();
            return self.tuple_values(base).swap_remove(number);
        }
        let base = self.expr(base);
        match part_of(base.ty, name) {
            Part::Field(number) => field(base, number, span),
            Part::Column(index) => {
                let ty = base.ty.part();
                let index = Box::new(Literal::Index(index).into());
                Expr { kind: ExprKind::Column(Box::new(base), index), ty, span }
            }
            Part::Component(index) => {
                let ty = base.ty.part();
                let index = Box::new(Literal::Index(index).into());
                Expr { kind: ExprKind::Component(Box::new(base), index), ty, span }
            }
        }
    }

    /// Lowers a struct literal. Its fields are evaluated in the order in which they are written, then the value of the
    /// other fields.
    pub(super) fn struct_literal(
        &mut self,
        of: StructId,
        fields: &[(u8, hir::Expr)],
        base: Option<&hir::Expr>,
        span: Span,
    ) -> Expr {
        let written: Vec<&hir::Expr> = fields.iter().map(|(_, value)| value).chain(base).collect();
        let mut values = self.operands(&written);
        let is_name = |rest: &Expr| matches!(rest.kind, ExprKind::Local(_) | ExprKind::Param(_));
        let rest = base.and_then(|_| values.pop()).map(|rest| if is_name(&rest) { rest } else { self.save(rest) });
        let mut given: Vec<(u8, Expr)> = fields.iter().map(|(number, _)| *number).zip(values).collect();
        let mut value_of = |number: u8| match given.iter().position(|(other, _)| *other == number) {
            Some(place) => given.swap_remove(place).1,
            None => match &rest {
                Some(rest) => field(rest.clone(), number, span),
                None => Literal::Bool(false).into(),
            },
        };
        let fields = (0..of.fields.len() as u8).map(&mut value_of).collect();
        Expr { kind: ExprKind::Struct(fields), ty: Type::of_struct(of), span }
    }
}

/// The field of a struct with this number. A field of a struct literal is its value.
fn field(base: Expr, number: u8, span: Span) -> Expr {
    Expr { span, ..base.field(number) }
}
