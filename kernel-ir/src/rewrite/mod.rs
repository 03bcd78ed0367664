//! Rewrites of code that several stages need: calls become the code of their functions, `return` becomes branches, and
//! structs become their fields.

pub(crate) mod build;
pub(crate) mod early_exits;
pub(crate) mod eliminate_returns;
pub(crate) mod inline;
pub(crate) mod split_structs;
