//! A dataset on disk: its files, and how they come into being and are read again.

pub(crate) mod arrays;
pub(crate) mod card;
pub(crate) mod dataset;
pub(crate) mod derived;
pub(crate) mod folders;
pub(crate) mod jsonl;
pub(crate) mod layout;
pub(crate) mod manifest;
pub(crate) mod parquet;
pub(crate) mod prepare;
pub(crate) mod reader;
pub(crate) mod schema;
pub(crate) mod shards;
pub(crate) mod stats;
pub(crate) mod tables;
pub(crate) mod writer;
