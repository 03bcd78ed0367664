//! The derived configs `sft`, `chat`, `rl` and `contrast`: tasks, prompts and rows.

mod prompts;
mod recoverable;
pub(crate) mod rows;
mod task;
