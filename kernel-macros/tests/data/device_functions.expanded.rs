#[allow(unexpected_cfgs, reason = "rust-analyzer sets it")]
const _: () = {
    #[cfg(rust_analyzer)]
    rt::author! {
        fn calls(x : & mut [f32]) { let i = tid(); x[i] = other::step(x[i])
        .max(f32::sqrt(step(1.0))); }
    }
};
#[cfg(unix)]
#[derive(
    rt::Clone,
    rt::Copy,
    rt::Debug
)]
#[allow(
    dead_code,
    non_camel_case_types,
    rustdoc::broken_intra_doc_links,
    reason = "a kernel keeps the name of its function, and its doc has formulas with brackets"
)]
struct calls {}
#[cfg(unix)]
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unreachable_pub,
    clippy::too_many_arguments,
    reason = "its error explains a call of a kernel"
)]
fn calls(_: impl rt::ArgumentOfCall<calls>) {}
#[cfg(unix)]
#[allow(non_local_definitions, reason = "the type of the kernel stands outside")]
const _: () = {
    #[allow(unused_imports, reason = "for items that have no macro")]
    use rt::resume as __weft_device_function;
    const _: () = {
        #[allow(
            deprecated,
            unused_imports,
            reason = "rustc says so where the author names it"
        )]
        use step as __weft_device_function;
        const _: () = {
            __weft_device_function! {
                { kernel } { family = "test" } { #[cfg(unix)] fn calls(x : & mut [f32]) {
                let i = tid(); x[i] = other::step(x[i]).max(f32::sqrt(step(1.0))); } } {
                other::step } {} {} { step }
            }
        };
    };
};
