//! The rules that a kernel must keep, and the type that says that it does.
//!
//! **Numbers**: every parameter and local that the body names exists, and so does every array and launch axis.
//!
//! **Parameters**
//! - There are 1 to 4 launch axes. No two parameters have the same name.
//! - The elements of an array are neither `bool` nor `usize`; an array has 1 to 4 axes.
//! - Shapes and domains refer only to launch axes, integer parameters and arrays that stand earlier.
//! - A domain fits the type: integers for integers, floats for floats, none for `bool`. The bounds of a domain of floats
//!   are finite and in order.
//!
//! **Types**
//! - Every expression has the type that its parts give it; an operation has a row in the [table](crate::ops) for its
//!   operands and its result. A cast is one that Rust allows.
//! - A local array is used by element only.
//! - Indices are `usize`, as many as the array has axes. Conditions are `bool`.
//! - A number of a component, column or row that is a literal is below the size; for the components of quaternions
//!   and for rows it is a literal.
//! - An assigned value has the type of its place; an update is an operation that gives the place's type.
//! - The bounds of a `for` have the type of its variable, an integer type; its step is a `usize` and not a literal 0.
//!
//! **Effects**
//! - Only arrays declared `&mut` are written.
//! - Atomics work on numbers of a fixed width: elements, or parts of elements; their result goes to a local of the same type.
//!
//! **Flow**
//! - A local array is declared by a `Let` without a value; its elements have values from there on.
//! - A local is declared exactly once, and used only after that, to the end of the block.
//! - It has a value on every path to a read. One that is not mutable gets it once on each path; the variable of a `for`
//!   is not assigned.
//! - `break` and `continue` stand in loops.
//!
//! **Functions**
//! - A call gives each parameter of the function a value of its type, and has the type of its result.
//! - The body of a function keeps these rules, too. Its parameters are values, it has no launch axes, and every path
//!   through it ends in a `return` with a value of the type of the result; a kernel returns no value.
//! - Functions of one kernel have names of their own, which neither it nor an operation has.
//! - A derivative is by a parameter of floats, each at most once, of a result of floats; there is one at least. It takes
//!   the arguments and the adjoint of the result, and gives the type of the parameter.

mod flow;
mod functions;
mod numbers;
mod params;
mod places;
#[cfg(test)]
mod tests;
mod types;

use crate::diag::Diagnostic;
use crate::interp::{Lowered, Program};
use crate::ir::{AbiArg, Function, Kernel, ParamId, Type};
use numbers::Numbers;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A kernel that keeps every rule of this module. Everything behind the front end takes this type.
#[derive(Clone)]
pub struct VerifiedKernel {
    kernel: Kernel,
    /// The functions that it names, of which most kernels have none.
    functions: Vec<Arc<Function>>,
    /// The extents that its body asks for.
    extents: Vec<(ParamId, u8)>,
    lowered: Lowered,
}

impl VerifiedKernel {
    /// See [`Kernel::functions`].
    pub fn functions(&self) -> Vec<Arc<Function>> {
        self.functions.clone()
    }

    /// See [`Kernel::called`].
    pub fn called(&self) -> Vec<Arc<Function>> {
        if self.functions.is_empty() { Vec::new() } else { self.kernel.called() }
    }

    /// See [`Kernel::abi`].
    pub fn abi(&self) -> Vec<AbiArg> {
        self.kernel.abi_for(&self.extents)
    }

    /// The kernel as the interpreter runs it.
    pub(crate) fn program(&self) -> &Program {
        self.lowered.of(&self.kernel)
    }
}

impl fmt::Debug for VerifiedKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VerifiedKernel").field(&self.kernel).finish()
    }
}

impl PartialEq for VerifiedKernel {
    fn eq(&self, other: &VerifiedKernel) -> bool {
        self.kernel == other.kernel
    }
}

impl Eq for VerifiedKernel {}

impl Hash for VerifiedKernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kernel.hash(state);
    }
}

impl Deref for VerifiedKernel {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}

/// Checks `kernel`.
///
/// # Errors
/// Every rule that it breaks.
pub fn verify(kernel: Kernel) -> Result<VerifiedKernel, Vec<Diagnostic>> {
    let mut of_code = Vec::new();
    let Found { calls, extents } = check_code(&kernel, None, &mut of_code);
    let functions = if calls { kernel.functions() } else { Vec::new() };
    let mut mistakes = functions::check(&kernel, &functions);
    params::check_head(&kernel, &mut mistakes);
    mistakes.append(&mut of_code);
    if mistakes.is_empty() {
        Ok(VerifiedKernel { kernel, functions, extents, lowered: Lowered::default() })
    } else {
        Err(mistakes)
    }
}

/// Checks `function`, but not those that it names. Returns every rule that it breaks.
pub(crate) fn verify_function(function: &Function) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    functions::check_form(function, &mut mistakes);
    check_code(&function.code, Some(function.ret), &mut mistakes);
    mistakes
}

/// What the walk through a body finds besides mistakes.
struct Found {
    /// Whether functions are called.
    calls: bool,
    /// The extents that are asked for.
    extents: Vec<(ParamId, u8)>,
}

/// Checks what kernels and functions have in common; `ret` is the type of the result of a function.
fn check_code(code: &Kernel, ret: Option<Type>, mistakes: &mut Vec<Diagnostic>) -> Found {
    let (mut numbers, mut of_body) = (Numbers::new(code), Vec::new());
    // The other rules look up what the numbers name.
    code.walk_stmts(&mut |stmt| {
        stmt.walk_exprs(&mut |expr| {
            if numbers.check_expr(expr) {
                types::check_expr(code, expr, &mut of_body);
            }
        });
        if numbers.check_stmt(stmt) {
            types::check(stmt, ret, &mut of_body);
            places::check(code, stmt, &mut of_body);
        }
    });
    if numbers.mistakes.is_empty() {
        params::check(code, mistakes);
        mistakes.append(&mut of_body);
        flow::check(code, ret, mistakes);
    }
    mistakes.append(&mut numbers.mistakes);
    Found { calls: numbers.calls, extents: numbers.extents }
}
