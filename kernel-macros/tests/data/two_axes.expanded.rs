#[allow(unexpected_cfgs, reason = "rust-analyzer sets it")]
const _: () = {
    #[cfg(rust_analyzer)]
    rt::author! {
        pub fn add_scaled(#[domain(- 1.0..1.0)] mut scale : f64, a : & Array2 < f64 >, b
        : & mut Array2 < f64 >) { let (i, j) = kernel_rt::tid2(); scale += 1.0; b[[i, j]]
        += scale * a[[i, j]]; }
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
pub struct add_scaled {}
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unreachable_pub,
    clippy::too_many_arguments,
    reason = "its error explains a call of a kernel"
)]
pub fn add_scaled(
    _: impl rt::ArgumentOfCall<add_scaled>,
    _: impl rt::Sized,
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
impl add_scaled {
    pub const NAME: &'static rt::str = "add_scaled";
    pub const FAMILY: &'static rt::str = …;
    pub const RUST_SOURCE: &'static rt::str = …;
    pub const IR: &'static rt::str = …;
    pub const CPP_FORWARD: &'static rt::str = …;
    pub const CUDA_FORWARD: &'static rt::str = …;
    pub const PYTHON: &'static rt::str = …;
    pub const IR_BACKWARD: &'static rt::str = …;
    pub const CPP_BACKWARD: &'static rt::str = …;
    pub const CUDA_BACKWARD: &'static rt::str = …;
    pub fn launch<On: rt::Launcher>(
        on: &On,
        dim: impl rt::LaunchDim<2usize>,
        (
            scale,
            a,
            b,
        ): (
            rt::types::f64,
            &rt::DeviceArray<
                rt::types::f64,
                2usize,
            >,
            &rt::DeviceArray<
                rt::types::f64,
                2usize,
            >,
        ),
    ) -> rt::Result<
        On::Launched,
        rt::LaunchError,
    > {
        let dim = rt::LaunchDim::extents(dim);
        let forward = move |
            scale: rt::types::f64,
            a: &rt::DeviceArray<
                rt::types::f64,
                2usize,
            >,
            b: &rt::DeviceArray<
                rt::types::f64,
                2usize,
            >|
        {
            let a = rt::read(a);
            let mut b = rt::write(Self::NAME, b);
            Self::cpu(dim, scale, &a, b.array())
        };
        rt::Launcher::launch(
            on,
            rt::Launch {
                kernel: &Self::INFO,
                dim: &dim,
                args: &[
                    rt::Passed::Value {
                        param: "scale",
                        value: &scale,
                    },
                    rt::Passed::Array(rt::Access {
                        param: "a",
                        array: a,
                        writes: false,
                        needed: true,
                    }),
                    rt::Passed::Array(rt::Access {
                        param: "b",
                        array: b,
                        writes: true,
                        needed: false,
                    }),
                ],
            },
            || (rt::read(a),),
            || forward(scale, a, b),
            || {
                let a = rt::Clone::clone(a);
                let b = rt::Clone::clone(b);
                rt::Replay::new(move || forward(scale, &a, &b))
            },
            |(a_before,)| {
                let a = rt::Clone::clone(a);
                let b = rt::Clone::clone(b);
                rt::Pullback::run(move |launch, adjoints| {
                    let mut adj_scale = [
                        <rt::types::f64 as rt::Element>::zero(),
                    ];
                    let mut adj_a = adjoints.take(&a);
                    let adj_b = adjoints.take(&b);
                    Self::cpu_backward(
                        dim,
                        scale,
                        &a_before,
                        &mut adj_scale,
                        &mut adj_a,
                        &adj_b,
                    )?;
                    adjoints.put_value(launch, "scale", adj_scale[0]);
                    adjoints.put(&a, adj_a);
                    adjoints.put(&b, adj_b);
                    rt::Ok(())
                })
            },
        )
    }
    pub fn cpu(
        dim: impl rt::LaunchDim<2usize>,
        scale: f64,
        a: &Array2<f64>,
        b: &mut Array2<f64>,
    ) -> rt::Result<(), rt::LaunchError> {
        fn __weft_all(
            dim: [rt::usize; 2usize],
            scale: f64,
            a: &Array2<f64>,
            b: &mut Array2<f64>,
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
                index: [rt::usize; 2usize],
                mut scale: f64,
                a: &Array2<f64>,
                b: &mut rt::View<
                    '_,
                    rt::types::f64,
                    2usize,
                >,
            ) {
                let _: fn() -> (
                    rt::usize,
                    rt::usize,
                ) = kernel_rt::tid2;
                let tid2 = move || (index[0usize], index[1usize]);
                let (i, j) = tid2();
                scale += 1.0;
                b[[i, j]] += scale * a[[i, j]];
            }
            #[allow(
                clippy::too_many_arguments,
                clippy::if_same_then_else,
                reason = "the macro writes the same for every kernel"
            )]
            #[inline(never)]
            fn __weft_threads(
                chunk: &rt::Chunk<'_, 2usize>,
                scale: f64,
                a: &Array2<f64>,
                b: &mut rt::View<
                    '_,
                    rt::types::f64,
                    2usize,
                >,
            ) {
                if chunk.dim[0usize] <= a.shape()[0usize]
                    && chunk.dim[1usize] <= a.shape()[1usize]
                    && chunk.dim[0usize] <= b.shape()[0usize]
                    && chunk.dim[1usize] <= b.shape()[1usize]
                {
                    chunk.each(|index| __weft_thread(index, scale, a, b))
                } else {
                    chunk.each(|index| __weft_thread(index, scale, a, b))
                }
            }
            const __WEFT_SCHEDULE: rt::Schedule = rt::Schedule {
                work: 7usize,
                scattered: 0usize,
                stride: 1usize,
            };
            let plan = __WEFT_SCHEDULE.plan(&dim, 0);
            let b = rt::View::of_array(b);
            rt::run(
                rt::Body {
                    kernel: add_scaled::NAME,
                    file: rt::file!(),
                    indexed: &[(5, 5, "b"), (5, 6, "b"), (5, 26, "a"), (5, 27, "a")],
                },
                dim,
                &plan,
                &|chunk| __weft_threads(chunk, scale, a, &mut unsafe { b.share() }),
            )
        }
        __weft_all(rt::LaunchDim::extents(dim), scale, a, b)
    }
    pub fn cpu_backward(
        dim: impl rt::LaunchDim<2usize>,
        scale: rt::types::f64,
        a: &rt::Array<rt::types::f64, 2usize>,
        adj_scale: &mut [rt::types::f64],
        adj_a: &mut rt::Array<
            rt::types::f64,
            2usize,
        >,
        adj_b: &rt::Array<rt::types::f64, 2usize>,
    ) -> rt::Result<(), rt::LaunchError> {
        fn __weft_all(
            dim: [rt::usize; 2usize],
            scale: rt::types::f64,
            a: &rt::Array<
                rt::types::f64,
                2usize,
            >,
            adj_scale: &mut [rt::types::f64],
            adj_a: &mut rt::Array<
                rt::types::f64,
                2usize,
            >,
            adj_b: &rt::Array<
                rt::types::f64,
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
                index: [rt::usize; 2usize],
                scale: rt::types::f64,
                a: &rt::Array<
                    rt::types::f64,
                    2usize,
                >,
                adj_scale: &mut [rt::types::f64],
                adj_a: &mut rt::View<
                    '_,
                    rt::types::f64,
                    2usize,
                >,
                adj_b: &rt::Array<
                    rt::types::f64,
                    2usize,
                >,
            ) {
                use ::kernel_rt::prelude::*;
                let tid2 = move || (index[0usize], index[1usize]);
                let scale = scale;
                let (i, j) = tid2();
                let scale = scale + 1.0;
                let g = adj_b[[i, j]];
                let adj_scale_1 = g.strong_mul(a[[i, j]]);
                adj_a[[i, j]] += g.strong_mul(scale);
                atomic_add(&mut adj_scale[0], adj_scale_1);
            }
            #[allow(
                clippy::too_many_arguments,
                clippy::if_same_then_else,
                reason = "the macro writes the same for every kernel"
            )]
            #[inline(never)]
            fn __weft_threads(
                chunk: &rt::Chunk<'_, 2usize>,
                scale: rt::types::f64,
                a: &rt::Array<
                    rt::types::f64,
                    2usize,
                >,
                adj_scale: (
                    &mut rt::Lanes<
                        rt::types::f64,
                        1usize,
                    >,
                    rt::usize,
                ),
                adj_a: &mut rt::View<
                    '_,
                    rt::types::f64,
                    2usize,
                >,
                adj_b: &rt::Array<
                    rt::types::f64,
                    2usize,
                >,
            ) {
                if chunk.dim[0usize] <= a.shape()[0usize]
                    && chunk.dim[1usize] <= a.shape()[1usize]
                    && chunk.dim[0usize] <= adj_a.shape()[0usize]
                    && chunk.dim[1usize] <= adj_a.shape()[1usize]
                    && chunk.dim[0usize] <= adj_b.shape()[0usize]
                    && chunk.dim[1usize] <= adj_b.shape()[1usize]
                {
                    chunk
                        .each_in_lanes(|index, lane| __weft_thread(
                            index,
                            scale,
                            a,
                            adj_scale.0.lane(lane, adj_scale.1),
                            adj_a,
                            adj_b,
                        ))
                } else {
                    chunk
                        .each_in_lanes(|index, lane| __weft_thread(
                            index,
                            scale,
                            a,
                            adj_scale.0.lane(lane, adj_scale.1),
                            adj_a,
                            adj_b,
                        ))
                }
            }
            const __WEFT_SCHEDULE: rt::Schedule = rt::Schedule {
                work: 13usize,
                scattered: 0usize,
                stride: 1usize,
            };
            let plan = __WEFT_SCHEDULE.plan(&dim, 0);
            let adj_a = rt::View::of_array(adj_a);
            let parts = rt::Parts::new(&plan);
            let result = rt::run(
                rt::Body {
                    kernel: "add_scaled_backward",
                    file: rt::file!(),
                    indexed: &[],
                },
                dim,
                &plan,
                &|chunk| {
                    let mut adj_scale_part = rt::Lanes::zeros();
                    __weft_threads(
                        chunk,
                        scale,
                        a,
                        (&mut adj_scale_part, adj_scale.len()),
                        &mut unsafe { adj_a.share() },
                        adj_b,
                    );
                    parts.put(chunk, (adj_scale_part.total(),));
                },
            );
            if result.is_ok() {
                for (adj_scale_part,) in parts.into_ordered() {
                    rt::add(adj_scale, &adj_scale_part);
                }
            }
            result
        }
        __weft_all(
            rt::LaunchDim::extents(dim),
            scale,
            a,
            adj_scale,
            adj_a,
            adj_b,
        )
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
        let dim = rt::launch_dim::<2usize>(add_scaled::NAME, dim)?;
        let [scale_0, a_0, b_0] = rt::each_arg::<
            3usize,
        >(add_scaled::NAME, args)?;
        let scale = rt::value::<
            rt::types::f64,
            _,
        >(add_scaled::NAME, "scale", [&*scale_0])?;
        let a_host = rt::array::<
            rt::types::f64,
            2usize,
            _,
        >(add_scaled::NAME, "a", [&*a_0])?;
        let mut b_host = rt::array::<
            rt::types::f64,
            2usize,
            _,
        >(add_scaled::NAME, "b", [&*b_0])?;
        let result = add_scaled::cpu(dim, scale, &a_host, &mut b_host);
        rt::store([b_0], &b_host);
        result
    }
    fn cpu_backward(
        dim: &[rt::usize],
        args: &mut [rt::Arg],
    ) -> rt::Result<(), rt::LaunchError> {
        let dim = rt::launch_dim::<
            2usize,
        >("add_scaled_backward", dim)?;
        let [scale_0, a_0, adj_scale_0, adj_a_0, adj_b_0] = rt::each_arg::<
            5usize,
        >("add_scaled_backward", args)?;
        let scale = rt::value::<
            rt::types::f64,
            _,
        >("add_scaled_backward", "scale", [&*scale_0])?;
        let a_host = rt::array::<
            rt::types::f64,
            2usize,
            _,
        >("add_scaled_backward", "a", [&*a_0])?;
        let adj_scale = rt::slice_mut::<
            rt::types::f64,
        >("add_scaled_backward", "adj_scale", adj_scale_0)?;
        let mut adj_a_host = rt::array::<
            rt::types::f64,
            2usize,
            _,
        >("add_scaled_backward", "adj_a", [&*adj_a_0])?;
        let adj_b_host = rt::array::<
            rt::types::f64,
            2usize,
            _,
        >("add_scaled_backward", "adj_b", [&*adj_b_0])?;
        let result = add_scaled::cpu_backward(
            dim,
            scale,
            &a_host,
            adj_scale,
            &mut adj_a_host,
            &adj_b_host,
        );
        rt::store([adj_a_0], &adj_a_host);
        result
    }
    impl add_scaled {
        const INFO: rt::KernelInfo = …;
            add_scaled::NAME,
            rt::module_path!(),
            add_scaled::FAMILY,
            add_scaled::RUST_SOURCE,
            add_scaled::IR,
            &[("cpp", add_scaled::CPP_FORWARD), ("cuda", add_scaled::CUDA_FORWARD)],
            add_scaled::PYTHON,
            cpu,
            "all cores; each thread has its own elements of `b`",
            rt::Some(
                rt::BackwardInfo::new(
                    add_scaled::IR_BACKWARD,
                    &[
                        ("cpp", add_scaled::CPP_BACKWARD),
                        ("cuda", add_scaled::CUDA_BACKWARD),
                    ],
                    cpu_backward,
                    "all cores; each thread has its own elements of `adj_a`; chunks of threads sum up `adj_scale`",
                    &[
                        rt::Source::Primal(
                            rt::ParamId(0u32),
                        ),
                        rt::Source::Primal(
                            rt::ParamId(1u32),
                        ),
                        rt::Source::Adjoint(
                            rt::ParamId(0u32),
                        ),
                        rt::Source::Adjoint(
                            rt::ParamId(1u32),
                        ),
                        rt::Source::Adjoint(
                            rt::ParamId(2u32),
                        ),
                    ],
                ),
            ),
            &[],
            &[],
        );
    }
    rt::submit!(add_scaled::INFO);
};
