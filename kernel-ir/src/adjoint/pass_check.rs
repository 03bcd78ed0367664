//! Verification after every pass, in debug builds. A diagnostic names the pass that broke the IR.
//!
//! Between passes the checks are weaker in two ways. First, definite assignment of locals that are declared without a
//! value is checked only on the finished adjoint. Second, a kernel may have locals that nothing declares; they count as
//! declared at the start of the body. Such locals are those that a pass has made superfluous (the signature drops
//! them), the sums of by-value parameters before `parameter_sums`, and the results of atomic operations that the
//! reverse sweep cannot have (`unavailable_results` refuses them).
//!
//! An adjoint has no signature before the last pass. The check gives it one: the parameters of the source, then an
//! adjoint and winner counts for each, then the parameter `counting`.

use super::transform::context::Adjoint;
use crate::diag::Diagnostic;
use crate::ir::{Block, Kernel, Local, LocalId, LocalSet, Param, ParamKind, Scalar, SizeExpr, Span, StmtKind, Type};
use crate::rewrite::build::{declare, stmt, zero};
use crate::verify::verify;

/// Checks the IR after the pass `name`.
pub(super) fn check(name: &str, purpose: &str, source: &Kernel, adjoint: &Adjoint) -> Result<(), Vec<Diagnostic>> {
    let mut kernel = if adjoint.body.is_empty() { source.clone() } else { with_signature(source, adjoint) };
    let mut declarations = undeclared(&kernel, adjoint);
    declarations.append(&mut kernel.body);
    kernel.body = declarations;
    give_deferred_locals_values(&mut kernel);
    match verify(kernel) {
        Ok(_) => Ok(()),
        Err(mistakes) => {
            let message = format!("the adjoint pass `{name}` ({purpose}) has broken a rule of the IR");
            let header = Diagnostic::new(Span::NONE, message).help("this is a bug of Weft: please report it");
            Err([header].into_iter().chain(mistakes).collect())
        }
    }
}

/// Initialises every `let` without a value with zero. Where a flag stands for a `return`, the code after it is guarded
/// by the flag, and the paths around it assign no value. The rule of definite assignment does not read flags, so it
/// would reject correct code. The check of the finished adjoint does without this.
fn give_deferred_locals_values(kernel: &mut Kernel) {
    let Kernel { body, locals, .. } = kernel;
    for stmt in body {
        stmt.walk_mut(&mut |stmt| {
            if let StmtKind::Let { local, init: init @ None } = &mut stmt.kind
                && let Local { len: None, ty, mutable, .. } = &mut locals[local.0 as usize]
            {
                *init = Some(zero(*ty));
                *mutable = true;
            }
        });
    }
}

/// The adjoint as a complete kernel. Its parameters are in the order that `adjoint_param`, `winners_param` and
/// `counting_param` assume.
fn with_signature(source: &Kernel, adjoint: &Adjoint) -> Kernel {
    let adjoint_of = |param: &Param| {
        let shape = match &param.kind {
            ParamKind::Value(_) => vec![SizeExpr::Literal(1)],
            ParamKind::Array { shape, .. } => shape.clone(),
        };
        // Parameters of integers have no adjoint, but need a place so that the numbering stays regular.
        let elem = if param.elem().is_float() { param.elem() } else { Type::F32 };
        let kind = ParamKind::Array { elem, mutable: true, optional: param.is_optional(), shape };
        Param { name: format!("adjoint of {}", param.name), kind, domain: None, span: param.span }
    };
    let winners_of = |param: &Param| {
        let Param { mut name, mut kind, span, .. } = adjoint_of(param);
        name.insert_str(0, "winners, ");
        if let ParamKind::Array { elem, .. } = &mut kind {
            elem.scalar = Scalar::U32;
        }
        Param { name, kind, domain: None, span }
    };
    let counting = Param {
        name: "whether winners are counted".to_owned(),
        kind: ParamKind::Value(Type::BOOL),
        domain: None,
        span: Span::NONE,
    };
    let of_source = &source.params;
    let params =
        of_source.iter().cloned().chain(of_source.iter().map(adjoint_of)).chain(of_source.iter().map(winners_of));
    Kernel {
        no_grad: true,
        in_order: false,
        slots: None,
        params: params.chain([counting]).collect(),
        locals: adjoint.locals.clone(),
        body: adjoint.body.clone(),
        ..source.clone()
    }
}

/// Declarations for the locals that may lack one, as the module doc lists them.
fn undeclared(kernel: &Kernel, adjoint: &Adjoint) -> Block {
    let (mut declared, mut named) = (LocalSet::default(), LocalSet::default());
    kernel.walk_stmts(&mut |stmt| {
        declared.extend(stmt.declared_local());
        named.extend(stmt.assigned_local());
        stmt.walk_exprs(&mut |expr| named.extend(expr.local_read()));
    });
    let is_sum = |local: LocalId| adjoint.sums.values().any(|sum| *sum == local);
    let missing = (0..).map(LocalId).zip(&kernel.locals).filter(|(local, _)| !declared.contains(*local));
    missing
        .filter(|(local, _)| !named.contains(*local) || is_sum(*local) || adjoint.unavailable.get(*local).is_some())
        .map(|(local, of)| match of.len {
            None => declare(local, zero(of.ty)),
            Some(_) => stmt(StmtKind::Let { local, init: None }),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    #[test]
    fn a_mistake_names_its_pass() {
        let text = "#[kernel(family = \"f\", dim = 1)]\nfn k(y: &mut [f32; dim(0)],) { y[tid(0)] = 1.0f32; }\n";
        let mut kernel = parse(text).unwrap();
        assert!(check("first", "nothing", &kernel, &Adjoint::default()).is_ok());
        kernel.body.push(crate::rewrite::build::assign(
            crate::rewrite::build::local_place(LocalId(7), Type::F32),
            zero(Type::F32),
        ));
        let mistakes = check("second", "harm", &kernel, &Adjoint::default()).unwrap_err();
        assert!(mistakes[0].message.contains("`second` (harm)"), "{mistakes:?}");
    }
}
