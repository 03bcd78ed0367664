//! What rustc shows for broken kernels, and that the ways out compile.
//!
//! `TRYBUILD=overwrite` writes the expected messages anew.

// Apart from the ways out, because trybuild checks broken programs in one call of cargo if all of them are to fail, and one
// by one otherwise.
#[test]
fn broken_kernels_are_explained() {
    trybuild::TestCases::new().compile_fail("*/fail/*.rs");
}

#[test]
fn the_ways_out_compile() {
    trybuild::TestCases::new().pass("*/pass/*.rs");
}
