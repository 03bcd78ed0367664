//! The derived configs: `sft`, `chat`, `rl` and `contrast`, made of the records.

pub(crate) mod prompts;
pub(crate) mod recoverable;
pub(crate) mod rows;
