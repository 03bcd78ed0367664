//! The module graph of every crate: no cycle of imports between files, and no import against the order of layers.
//!
//! A file imports an item of another file by a `use` or by a path in its code. A `mod` or a `pub use` is no import:
//! whoever uses a re-exported item imports it from the file that defines it. A `mod.rs` that calls its children while a
//! child imports an item of the `mod.rs` is a cycle.

mod graph;
mod modules;

use modules::Modules;
use std::path::Path;

/// The crates with their layers, lowest first; see [`graph::against_the_order`]. A crate without an order is only
/// checked for cycles.
const CRATES: [(&str, &str); 6] = [
    (
        "kernel-ir",
        "operations < ir < data diag ops < verify < analysis sample text < rewrite < adjoint back front interp < columns gradcheck target",
    ),
    ("kernel-macros", "dump expand"),
    (
        "kernel-rt",
        "value error index_below < array atomic messages block random strong thread < registry < backend < device < tile device_array < gradient interop < launch < graph tape \
         < __private prelude < library",
    ),
    ("kernels", ""),
    (
        "examples",
        "plot < report surface < descent < raymarch < cloth deconvolution heat lbm mlp options pendulum rigid smoothing \
         sph splats",
    ),
    (
        "gen-dataset",
        "error panics < files model < cli judges synth < mutants source < split < prove < out pipeline \
         < distributed score stats < commands",
    ),
];

#[test]
fn imports_have_no_circles_and_follow_the_layers() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut mistakes = Vec::new();
    for (name, order) in CRATES {
        let folder = workspace.join(name).join("src");
        let read_file = |file: &str| std::fs::read_to_string(folder.join(file)).ok();
        for features in [true, false] {
            let found = check(&Modules::read(&read_file, features), order);
            let found = found.into_iter().map(|mistake| format!("{name}: {mistake}"));
            // A fault that occurs with and without features is reported once.
            mistakes.extend(found.filter(|mistake| !mistakes.contains(mistake)).collect::<Vec<_>>());
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.concat());
}

/// The faults in the imports of a crate.
fn check(modules: &Modules, order: &str) -> Vec<String> {
    let imports = modules.imports();
    let mut mistakes: Vec<String> =
        modules.unresolved().into_iter().map(|path| format!("{path} leads nowhere\n")).collect();
    mistakes.extend(graph::circles(&imports));
    if !order.is_empty() {
        mistakes.extend(graph::against_the_order(order, &modules.files(), &imports));
    }
    mistakes
}

/// The faults of a made-up crate.
fn check_files(files: &[(&str, &str)], order: &str) -> String {
    let read_file = |file: &str| files.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
    check(&Modules::read(&read_file, true), order).concat()
}

#[test]
fn a_circle_is_found() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use crate::b::Back; pub struct Forth(Back);"),
        ("b.rs", "pub enum Back { Forth } fn f() { super::a::Forth::new(); }"),
    ];
    assert_eq!(check_files(&files, ""), "a circle of 2 files\n    a.rs → b.rs: Back\n    b.rs → a.rs: Forth\n");
}

#[test]
fn a_longer_circle_is_found_in_macros_and_bodies() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c; pub use a::A;"),
        ("a.rs", "pub struct A; fn f() { format!(\"{}\", crate::b::f(1)); }"),
        ("b.rs", "pub fn f(x: i32) { use crate::c::{self, C}; C.g() }"),
        ("c.rs", "pub struct C; impl C { pub fn g(self) -> crate::A { loop {} } }"),
    ];
    let expected = "a circle of 3 files\n    a.rs → b.rs: f\n    b.rs → c.rs: C\n    c.rs → a.rs: A\n";
    assert_eq!(check_files(&files, ""), expected);
}

#[test]
fn a_circle_through_a_re_export_is_found() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "mod part; pub use part::*;"),
        ("a/part.rs", "use crate::b::{helper as help}; pub struct Part; fn f() { help() }"),
        ("b.rs", "use crate::a; pub fn helper() { a::Part; }"),
    ];
    let expected = "a circle of 2 files\n    a/part.rs → b.rs: helper\n    b.rs → a/part.rs: Part\n";
    assert_eq!(check_files(&files, ""), expected);
}

#[test]
fn a_parent_that_calls_a_child_which_uses_it_is_a_circle() {
    let files = [
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod child; pub struct Shared; pub fn f() { child::f(&Shared) }"),
        ("a/child.rs", "use super::*; pub(super) fn f(shared: &Shared) {}"),
    ];
    let expected = "a circle of 2 files\n    a/child.rs → a/mod.rs: Shared\n    a/mod.rs → a/child.rs: f\n";
    assert_eq!(check_files(&files, ""), expected);
}

#[test]
fn re_exports_declarations_and_tests_are_no_imports() {
    let files = [
        ("lib.rs", "mod a; pub use a::A; pub const LIMIT: usize = 3;"),
        (
            "a/mod.rs",
            "mod child; #[cfg(test)] mod tests { use crate::a::child::B; fn f(b: B) {} } pub use child::B; pub struct A;",
        ),
        ("a/child.rs", "use super::A; pub struct B(A, [u8; crate::LIMIT]); fn f(launch: B) { launch.child() }"),
    ];
    assert_eq!(check_files(&files, ""), "");
}

#[test]
fn an_import_against_the_order_is_found() {
    let files = [
        ("lib.rs", "mod model; mod out; mod judges; mod extra; fn main() { judges::run() }"),
        ("model.rs", "pub struct Record; pub fn f(o: crate::out::Out) {}"),
        ("out/mod.rs", "pub mod parquet; pub struct Out;"),
        ("out/parquet.rs", "use crate::model::Record; use crate::out::Out; fn f(j: crate::judges::Judge) {}"),
        ("judges.rs", "use crate::model::Record; pub struct Judge; pub fn run() {}"),
        ("extra.rs", ""),
    ];
    let expected = "extra.rs belongs to no layer\n\
        imports against the order model < out judges\n    \
        model.rs → out/mod.rs: Out\n    \
        out/parquet.rs → judges.rs: Judge\n";
    assert_eq!(check_files(&files, "model < out judges"), expected);
}
