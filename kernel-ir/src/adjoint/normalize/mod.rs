//! Normalisation before differentiation. Afterwards the kernel has no call through which a derivative goes (except
//! calls of functions whose author gives the derivative), no `return`, no local array, and no `if` expression with a derivative.
//! What it reads of an array that it writes is from before the launch or from after it.

pub(super) mod lower_selects;
pub(super) mod moments;
pub(super) mod scalar_promotion;
pub(super) mod split_arrays;
