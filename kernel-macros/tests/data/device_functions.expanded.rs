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
step! {
    { kernel } { family = "test" } { #[cfg(unix)] fn calls(x : & mut [f32]) { let i =
    tid(); x[i] = other::step(x[i]).max(f32::sqrt(step(1.0))); } } { other::step } {} {}
    { step }
}
