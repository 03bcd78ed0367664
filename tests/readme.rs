//! The emitted texts in the README are what the compiler writes.

use crate::guide;
use kernel_ir::adjoint::differentiate;
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::front;

/// The blocks of the README in `language`.
fn blocks<'a>(readme: &'a str, language: &str) -> Vec<&'a str> {
    guide::blocks(readme).into_iter().filter(|(info, _)| *info == language).map(|(_, text)| text).collect()
}

#[test]
fn the_cuda_in_it_is_that_of_the_kernel_in_it() {
    let readme = include_str!("../README.md");
    let source = blocks(readme, "rust").remove(0);
    let kernel = &source[source.find("///").unwrap()..source.find("fn main").unwrap()];
    let kernel = front::compile_file(kernel.parse().unwrap()).unwrap();
    let backward = differentiate(&kernel).unwrap().unwrap().kernel;
    let shown = blocks(readme, "cuda");
    assert_eq!(shown[0], c::write(&kernel, Dialect::Cuda));
    // The README leaves out the lines before the kernel.
    assert!(c::write(&backward, Dialect::Cuda).ends_with(&format!("\n{}", shown[1])));
}
