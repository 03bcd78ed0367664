//! Passes that bring a kernel into a form in which the order of what happens is plain: no calls that are differentiated,
//! no `return`, no array element that is read and written, no `if` expression with a derivative.

pub(super) mod early_exits;
pub(super) mod eliminate_returns;
pub(super) mod inline;
pub(super) mod lower_selects;
pub(super) mod scalar_promotion;
