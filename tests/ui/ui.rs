//! What rustc shows for broken kernels, and that the ways out compile.
//!
//! `TRYBUILD=overwrite` writes the expected messages anew.

#[test]
fn broken_kernels_are_explained() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("*/fail/*.rs");
    cases.pass("*/pass/*.rs");
}
