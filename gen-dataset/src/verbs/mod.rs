//! The verbs, one file each.

pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod list;
pub(crate) mod show;
pub(crate) mod validate;
