//! The subcommands, one file each.

pub(crate) mod audit;
pub(crate) mod completions;
pub(crate) mod doctor;
mod estimate;
pub(crate) mod export;
pub(crate) mod finalize;
pub(crate) mod generate;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod schema;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) mod score;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod status;
pub(crate) mod term;
pub(crate) mod validate;
pub(crate) mod worker;
