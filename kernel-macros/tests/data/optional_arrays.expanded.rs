#[allow(unexpected_cfgs, reason = "rust-analyzer sets it")]
const _: () = {
    #[cfg(rust_analyzer)]
    rt::author! {
        fn halved(#[domain(- 1.0..1.0)] x : Option <& [f32] >, #[shape(dim0, 2)] mut out
        : Option <& mut Array2 < f32 >>) { let i = tid(); for k in 0..2 { if let
        Some(half) = & mut out && let Some(x) = x { half[[i, k]] = 0.5 * x[i]; } } }
    }
};
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
struct halved {}
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unreachable_pub,
    clippy::too_many_arguments,
    reason = "its error explains a call of a kernel"
)]
fn halved(
    _: impl rt::ArgumentOfCall<halved>,
    _: impl rt::Sized,
) {}
#[allow(
    dead_code,
    deprecated,
    unreachable_pub,
    clippy::missing_errors_doc,
    clippy::too_many_arguments,
    clippy::used_underscore_binding,
    reason = "the macro writes the same for every kernel"
)]
impl halved {
    const NAME: &'static rt::str = "halved";
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
        on: &On,
        dim: impl rt::LaunchDim<1usize>,
        (
            x,
            out,
        ): (
            rt::Option<
                &rt::DeviceArray<rt::types::f32>,
            >,
            rt::Option<
                &rt::DeviceArray<
                    rt::types::f32,
                    2usize,
                >,
            >,
        ),
    ) -> rt::Result<
        On::Launched,
        rt::LaunchError,
    > {
        let dim = rt::LaunchDim::extents(dim);
        let x_absent;
        let x = match x {
            rt::Some(array) => array,
            rt::None => {
                x_absent = rt::absent(Self::NAME, on)?;
                &x_absent
            }
        };
        let out_absent;
        let out = match out {
            rt::Some(array) => array,
            rt::None => {
                out_absent = rt::absent(Self::NAME, on)?;
                &out_absent
            }
        };
        let forward = move |
            x: &rt::DeviceArray<rt::types::f32>,
            out: &rt::DeviceArray<
                rt::types::f32,
                2usize,
            >|
        {
            let x = rt::read(x);
            let mut out = rt::write(Self::NAME, out);
            Self::cpu(
                dim,
                rt::Some(x.as_slice()),
                rt::Some(out.array()),
            )
        };
        rt::Launcher::launch(
            on,
            rt::Launch {
                kernel: &Self::INFO,
                dim: &dim,
                args: &[
                    rt::Passed::Array(rt::Access {
                        param: "x",
                        array: x,
                        writes: false,
                        needed: false,
                    }),
                    rt::Passed::Array(rt::Access {
                        param: "out",
                        array: out,
                        writes: true,
                        needed: false,
                    }),
                ],
            },
            || (),
            || forward(x, out),
            || {
                let x = rt::Clone::clone(x);
                let out = rt::Clone::clone(out);
                rt::Replay::new(move || forward(&x, &out))
            },
            |()| {
                let x = rt::Clone::clone(x);
                let out = rt::Clone::clone(out);
                rt::Pullback::run(move |launch, adjoints| {
                    let mut adj_x = adjoints.take(&x);
                    let mut adj_out = adjoints.take(&out);
                    Self::cpu_backward(
                        dim,
                        rt::Some(adj_x.as_mut_slice()),
                        rt::Some(&mut adj_out),
                    )?;
                    adjoints.put(&x, adj_x);
                    adjoints.put(&out, adj_out);
                    rt::Ok(())
                })
            },
        )
    }
    fn cpu(
        dim: impl rt::LaunchDim<1usize>,
        x: Option<&[f32]>,
        out: Option<&mut Array2<f32>>,
    ) -> rt::Result<(), rt::LaunchError> {
        fn __weft_all(
            dim: [rt::usize; 1usize],
            x: &[f32],
            out: &mut Array2<f32>,
        ) -> rt::Result<(), rt::LaunchError> {
            #[allow(
                clippy::manual_div_ceil,
                clippy::manual_is_multiple_of,
                clippy::manual_memcpy,
                clippy::manual_range_contains,
                clippy::manual_swap,
                clippy::needless_range_loop,
                clippy::too_many_arguments,
                reason = "the kernel language does not have what these lints ask for"
            )]
            #[inline(always)]
            fn __weft_thread(
                index: [rt::usize; 1usize],
                x: &[f32],
                out: &mut rt::View<
                    '_,
                    rt::types::f32,
                    2usize,
                >,
            ) {
                let x = if x.is_empty() {
                    rt::None
                } else {
                    rt::Some(x)
                };
                let mut out = if out.shape().contains(&0) {
                    rt::None
                } else {
                    rt::Some(out)
                };
                let _: fn() -> rt::usize = tid;
                let tid = move || index[0];
                let i = tid();
                for k in 0..2 {
                    if let Some(half) = &mut out && let Some(x) = x {
                        half[[i, k]] = 0.5 * x[i];
                    }
                }
            }
            #[allow(
                clippy::too_many_arguments,
                clippy::if_same_then_else,
                reason = "the macro writes the same for every kernel"
            )]
            #[inline(never)]
            fn __weft_threads(
                chunk: &rt::Chunk<'_, 1usize>,
                x: &[f32],
                out: &mut rt::View<
                    '_,
                    rt::types::f32,
                    2usize,
                >,
            ) {
                chunk.each(|index| __weft_thread(index, x, out))
            }
            const __WEFT_SCHEDULE: rt::Schedule = rt::Schedule {
                work: 12usize,
                scattered: 0usize,
                stride: 1usize,
            };
            let plan = __WEFT_SCHEDULE.plan(&dim, 0);
            let out = rt::View::of_array(out);
            rt::run(
                rt::Body {
                    kernel: halved::NAME,
                    file: rt::file!(),
                    indexed: &[
                        (7, 13, "out"),
                        (7, 17, "out"),
                        (7, 34, "x"),
                        (7, 35, "x"),
                    ],
                },
                dim,
                &plan,
                &|chunk| __weft_threads(chunk, x, &mut unsafe { out.share() }),
            )
        }
        let x = rt::Option::unwrap_or_default(x);
        let mut out_absent = rt::Array::zeros([0; 2usize]);
        let out = rt::Option::unwrap_or(out, &mut out_absent);
        __weft_all(rt::LaunchDim::extents(dim), x, out)
    }
    fn cpu_backward(
        dim: impl rt::LaunchDim<1usize>,
        adj_x: rt::Option<&mut [rt::types::f32]>,
        adj_out: rt::Option<
            &mut rt::Array<
                rt::types::f32,
                2usize,
            >,
        >,
    ) -> rt::Result<(), rt::LaunchError> {
        fn __weft_all(
            dim: [rt::usize; 1usize],
            adj_x: &mut [rt::types::f32],
            adj_out: &mut rt::Array<
                rt::types::f32,
                2usize,
            >,
        ) -> rt::Result<(), rt::LaunchError> {
            #[allow(
                unused,
                non_snake_case,
                unconditional_panic,
                arithmetic_overflow,
                double_negations,
                clippy::all,
                clippy::pedantic,
                reason = "code for the compiler alone"
            )]
            #[inline(always)]
            fn __weft_thread(
                index: [rt::usize; 1usize],
                adj_x: &mut rt::View<
                    '_,
                    rt::types::f32,
                    1usize,
                >,
                adj_out: &mut rt::View<
                    '_,
                    rt::types::f32,
                    2usize,
                >,
            ) {
                use ::kernel_rt::prelude::*;
                let tid = move || index[0];
                let i = tid();
                for k in (0..2).rev() {
                    if !adj_out.shape().contains(&0) && !adj_x.is_empty() {
                        let g = adj_out[[i, k]];
                        adj_out[[i, k]] = 0.0;
                        adj_x[i] += g * 0.5;
                    }
                }
            }
            #[allow(
                clippy::too_many_arguments,
                clippy::if_same_then_else,
                reason = "the macro writes the same for every kernel"
            )]
            #[inline(never)]
            fn __weft_threads(
                chunk: &rt::Chunk<'_, 1usize>,
                adj_x: &mut rt::View<
                    '_,
                    rt::types::f32,
                    1usize,
                >,
                adj_out: &mut rt::View<
                    '_,
                    rt::types::f32,
                    2usize,
                >,
            ) {
                chunk.each(|index| __weft_thread(index, adj_x, adj_out))
            }
            const __WEFT_SCHEDULE: rt::Schedule = rt::Schedule {
                work: 16usize,
                scattered: 0usize,
                stride: 1usize,
            };
            let plan = __WEFT_SCHEDULE.plan(&dim, 0);
            let adj_x = rt::View::of_slice(adj_x);
            let adj_out = rt::View::of_array(adj_out);
            rt::run(
                rt::Body {
                    kernel: "halved_backward",
                    file: rt::file!(),
                    indexed: &[],
                },
                dim,
                &plan,
                &|chunk| __weft_threads(
                    chunk,
                    &mut unsafe { adj_x.share() },
                    &mut unsafe { adj_out.share() },
                ),
            )
        }
        let adj_x = rt::Option::unwrap_or_default(adj_x);
        let mut adj_out_absent = rt::Array::zeros([0; 2usize]);
        let adj_out = rt::Option::unwrap_or(
            adj_out,
            &mut adj_out_absent,
        );
        __weft_all(rt::LaunchDim::extents(dim), adj_x, adj_out)
    }
}
#[allow(
    deprecated,
    clippy::used_underscore_binding,
    reason = "the macro writes the same for every kernel"
)]
const _: () = {
    fn cpu(
        dim: &[rt::usize],
        args: &mut [rt::Arg],
    ) -> rt::Result<(), rt::LaunchError> {
        let dim = rt::launch_dim::<1usize>(halved::NAME, dim)?;
        let [x_0, out_0] = rt::each_arg::<
            2usize,
        >(halved::NAME, args)?;
        let x = rt::slice::<
            rt::types::f32,
        >(halved::NAME, "x", x_0)?;
        let mut out_host = rt::array::<
            rt::types::f32,
            2usize,
            _,
        >(halved::NAME, "out", [&*out_0])?;
        let result = halved::cpu(
            dim,
            rt::Some(x),
            rt::Some(&mut out_host),
        );
        rt::store([out_0], &out_host);
        result
    }
    fn cpu_backward(
        dim: &[rt::usize],
        args: &mut [rt::Arg],
    ) -> rt::Result<(), rt::LaunchError> {
        let dim = rt::launch_dim::<1usize>("halved_backward", dim)?;
        let [adj_x_0, adj_out_0] = rt::each_arg::<
            2usize,
        >("halved_backward", args)?;
        let adj_x = rt::slice_mut::<
            rt::types::f32,
        >("halved_backward", "adj_x", adj_x_0)?;
        let mut adj_out_host = rt::array::<
            rt::types::f32,
            2usize,
            _,
        >("halved_backward", "adj_out", [&*adj_out_0])?;
        let result = halved::cpu_backward(
            dim,
            rt::Some(adj_x),
            rt::Some(&mut adj_out_host),
        );
        rt::store([adj_out_0], &adj_out_host);
        result
    }
    impl halved {
        const INFO: rt::KernelInfo = …;
            halved::NAME,
            rt::module_path!(),
            halved::FAMILY,
            halved::RUST_SOURCE,
            halved::IR,
            &[("cpp", halved::CPP_FORWARD), ("cuda", halved::CUDA_FORWARD)],
            halved::PYTHON,
            cpu,
            "all cores; each thread has its own elements of `out`",
            rt::Some(
                rt::BackwardInfo::new(
                    halved::IR_BACKWARD,
                    &[("cpp", halved::CPP_BACKWARD), ("cuda", halved::CUDA_BACKWARD)],
                    cpu_backward,
                    "all cores; each thread has its own elements of `adj_x`, `adj_out`",
                    &[
                        rt::Source::Adjoint(
                            rt::ParamId(0u32),
                        ),
                        rt::Source::Adjoint(
                            rt::ParamId(1u32),
                        ),
                    ],
                ),
            ),
            &[],
            &[],
        );
    }
    rt::submit!(halved::INFO);
};
