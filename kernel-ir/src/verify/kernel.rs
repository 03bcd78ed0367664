//! The type of verified kernels.

use super::code::{Found, check_code, verify_function};
use super::{params, tile_phases};
use crate::diag::Diagnostic;
use crate::ir::{AbiArg, ExprKind, Function, Kernel, ParamId, PlaceRoot, Span, TileOp};
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A kernel that keeps every [rule](super). All stages after the front end take this type, and only [`verify`] makes
/// one.
#[derive(Clone)]
pub struct VerifiedKernel {
    kernel: Kernel,
    /// The functions that the kernel names, cached. Most kernels have none.
    functions: Vec<Arc<Function>>,
    /// The extents that the body reads, cached for [`VerifiedKernel::abi`].
    extents: Vec<(ParamId, u8)>,
    /// The kernel as its author wrote it, if it has tiles. They are phases in `kernel`.
    tiles: Option<Arc<Kernel>>,
    attached: Attached,
}

impl VerifiedKernel {
    /// The kernel with its tiles, if it has some. The kernel itself has phases in their place.
    pub fn with_tiles(&self) -> &Kernel {
        self.tiles.as_deref().unwrap_or(&self.kernel)
    }

    /// Whether the author's kernel has tiles.
    pub fn has_tiles(&self) -> bool {
        self.tiles.is_some()
    }

    /// Whether blocks add floats in an order that other systems do not have: sums of tiles, products of matrices, and atomic sums
    /// in arrays that the threads of a block share.
    pub fn sums_in_blocks(&self) -> bool {
        let mut sums = false;
        if let Some(kernel) = &self.tiles {
            kernel.walk_exprs(&mut |expr| {
                let op = if let ExprKind::Tile(op, _) = &expr.kind { Some(op) } else { None };
                let adds = matches!(op, Some(TileOp::Sum | TileOp::Matmul | TileOp::StrongMatmul(_) | TileOp::Scan(_)));
                sums |= adds && expr.ty.is_float();
            });
        }
        self.kernel.walk_stmts(&mut |stmt| {
            sums |= stmt.atomic().is_some_and(|(op, place)| {
                op.is_sum() && place.ty.is_float() && matches!(place.root, PlaceRoot::LocalElement { .. })
            });
        });
        sums
    }

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

    /// The value that a later stage attaches to the kernel. `make` computes it on first use.
    ///
    /// # Panics
    /// If a value of another type is attached already. Only the interpreter attaches one.
    pub(crate) fn attached<T: Any + Send + Sync>(&self, make: impl FnOnce(&VerifiedKernel) -> T) -> &T {
        let attached = self.attached.get_or_init(|| Arc::new(make(self)));
        attached.downcast_ref().expect("one stage attaches one value")
    }
}

/// A value derived from the kernel by a later stage. Equality, hash and debug output ignore it.
type Attached = OnceLock<Arc<dyn Any + Send + Sync>>;

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

/// Checks the rules of the IR. Tiles become phases.
///
/// # Errors
/// A diagnostic for each rule that `kernel` breaks.
pub fn verify(kernel: Kernel) -> Result<VerifiedKernel, Vec<Diagnostic>> {
    if !tile_phases::has_tiles(&kernel) {
        return verify_phases(kernel);
    }
    let mut mistakes = Vec::new();
    check_code(&kernel, None, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let lowered = verify_phases(tile_phases::as_phases(&kernel))?;
    Ok(VerifiedKernel { tiles: Some(Arc::new(kernel)), ..lowered })
}

/// As [`verify`], for a kernel without tiles.
fn verify_phases(kernel: Kernel) -> Result<VerifiedKernel, Vec<Diagnostic>> {
    let mut of_code = Vec::new();
    let Found { calls, extents } = check_code(&kernel, None, &mut of_code);
    let functions = if calls { kernel.functions() } else { Vec::new() };
    let mut mistakes = check_functions(&kernel, &functions);
    params::check_head(&kernel, &mut mistakes);
    mistakes.append(&mut of_code);
    if mistakes.is_empty() {
        Ok(VerifiedKernel { kernel, functions, extents, tiles: None, attached: Attached::default() })
    } else {
        Err(mistakes)
    }
}

/// The mistakes in `functions`, which are all functions that `kernel` names.
fn check_functions(kernel: &Kernel, functions: &[Arc<Function>]) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    for (place, function) in functions.iter().enumerate() {
        let name = function.name();
        if name == kernel.name || functions[..place].iter().any(|other| other.name() == name) {
            mistakes.push(Diagnostic::new(Span::NONE, format!("two functions are called `{name}`")));
        }
        mistakes.extend(verify_function(function));
    }
    mistakes
}
