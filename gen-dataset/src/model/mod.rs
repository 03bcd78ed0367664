//! Plain data that every other module may use.

pub(crate) mod columns;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod example;
pub(crate) mod facts;
pub(crate) mod record;
pub(crate) mod targets;
