#[allow(unexpected_cfgs, reason = "rust-analyzer sets it")]
const _: () = {
    #[cfg(rust_analyzer)]
    rt::author! {
        fn bad(a : f32, x : & [Vec3], y : & mut Array2 < f32 >) { sin(a); }
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
struct bad {}
#[cfg(unix)]
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unreachable_pub,
    clippy::too_many_arguments,
    reason = "its error explains a call of a kernel"
)]
fn bad(
    _: impl rt::ArgumentOfCall<bad>,
    _: impl rt::Sized,
    _: impl rt::Sized,
) {}
rt::compile_error! {
    "the array `y` has 2 axes, and the launch has 1: its extents are not known\n\nnote: a kernel with a `family` needs all extents, because datasets draw its arguments\nhelp: give the extents, for example `#[shape(dim0, 16)]`"
}
rt::compile_error! {
    "the function `sin` is not in the kernel language\n\nnote: a function of your own may not have the name of a method\nhelp: it is a method: `x.sin(…)`"
}
#[cfg(unix)]
#[allow(
    dead_code,
    deprecated,
    unreachable_pub,
    clippy::missing_errors_doc,
    clippy::too_many_arguments,
    clippy::used_underscore_binding,
    reason = "the macro writes the same for every kernel"
)]
impl bad {
    const NAME: &'static rt::str = "bad";
    const FAMILY: &'static rt::str = …;
    const RUST_SOURCE: &'static rt::str = …;
    const IR: &'static rt::str = …;
    const CPP_FORWARD: &'static rt::str = …;
    const CUDA_FORWARD: &'static rt::str = …;
    const PYTHON: &'static rt::str = …;
    const IR_BACKWARD: &'static rt::str = …;
    const CPP_BACKWARD: &'static rt::str = …;
    const CUDA_BACKWARD: &'static rt::str = …;
    fn launch<On: rt::Launcher>(
        _: &On,
        _: impl rt::Sized,
        _: (
            f32,
            &rt::DeviceArray<Vec3, 1usize>,
            &rt::DeviceArray<f32, 2usize>,
        ),
    ) -> rt::Result<
        On::Launched,
        rt::LaunchError,
    > {
        const { rt::unreachable!() }
    }
    fn cpu(
        _: impl rt::Sized,
        _: f32,
        _: &[Vec3],
        _: &mut Array2<f32>,
    ) -> rt::Result<(), rt::LaunchError> {
        const { rt::unreachable!() }
    }
}
