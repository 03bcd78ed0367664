//! The targets of the tool: the rows of [`kernel_ir::target`], and those that other crates submit.

use kernel_ir::target::{ON_REQUEST, TARGETS, Target};
use std::sync::LazyLock;

/// A target outside [`kernel_ir::target`]. `inventory::submit! { ExtraTarget(Target { … }) }` adds it to the tool.
#[derive(Debug)]
pub struct ExtraTarget(pub Target);

inventory::collect!(ExtraTarget);

static ALL: LazyLock<Vec<&'static Target>> = LazyLock::new(|| {
    let mut extra: Vec<&Target> = inventory::iter::<ExtraTarget>.into_iter().map(|extra| &extra.0).collect();
    // `inventory` gives no order, and the order of linking must not reach an output.
    extra.sort_by_key(|target| target.id);
    TARGETS.iter().chain(&ON_REQUEST).chain(extra).collect()
});

/// The names of the columns of each target, forward and backward.
static COLUMNS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
    let names = |target: &&Target| ["forward", "backward"].map(|pass| format!("{}_{pass}", target.device));
    targets().iter().map(names).collect()
});

/// Every target, in the order of a record's columns.
pub(crate) fn targets() -> &'static [&'static Target] {
    &ALL
}

/// Every target with the names of its columns, forward and backward.
pub(crate) fn columns() -> impl Iterator<Item = (&'static Target, [&'static str; 2])> {
    targets().iter().zip(COLUMNS.iter()).map(|(target, names)| (*target, names.each_ref().map(String::as_str)))
}
