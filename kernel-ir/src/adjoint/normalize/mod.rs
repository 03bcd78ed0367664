//! Normalisation before differentiation. Afterwards the kernel has no call through which a derivative goes (except
//! calls of functions whose author gives the derivative), no `return`, no local array, no array element that is both read and written,
//! and no `if` expression with a derivative.

pub(super) mod lower_selects;
pub(super) mod scalar_promotion;
pub(super) mod split_arrays;
