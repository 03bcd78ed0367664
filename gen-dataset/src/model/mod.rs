//! Plain data that every module above may use: the record with its parts, the settings of a run, and launches.

pub(crate) mod agreement;
pub(crate) mod columns;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod decode;
pub(crate) mod device;
pub(crate) mod example;
pub(crate) mod facts;
pub(crate) mod gradients;
pub(crate) mod judge;
pub(crate) mod kernel;
pub(crate) mod launch;
pub(crate) mod options;
pub(crate) mod outcome;
pub(crate) mod reason;
pub(crate) mod record;
pub(crate) mod settings;
pub(crate) mod split;
pub(crate) mod target_texts;
pub(crate) mod targets;
