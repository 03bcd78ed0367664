#[allow(unexpected_cfgs, reason = "rust-analyzer sets it")]
const _: () = {
    #[cfg(rust_analyzer)]
    rt::author! {
        fn extremes(a : f32, x : & [f32], low : & mut [f32], #[shape(2, dim0)] high : &
        mut Array2 < f32 >) { let i = tid(); atomic_min(& mut low[0], a * x[i]);
        atomic_max(& mut high[[0, i]], x[i]); }
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
struct extremes {}
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unreachable_pub,
    clippy::too_many_arguments,
    reason = "its error explains a call of a kernel"
)]
fn extremes(
    _: impl rt::ArgumentOfCall<extremes>,
    _: impl rt::Sized,
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
impl extremes {
    const NAME: &'static rt::str = "extremes";
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
            a,
            x,
            low,
            high,
        ): (
            rt::types::f32,
            &rt::DeviceArray<rt::types::f32>,
            &rt::DeviceArray<rt::types::f32>,
            &rt::DeviceArray<
                rt::types::f32,
                2usize,
            >,
        ),
    ) -> rt::Result<
        On::Launched,
        rt::LaunchError,
    > {
        let dim = rt::LaunchDim::extents(dim);
        let forward = move |
            a: rt::types::f32,
            x: &rt::DeviceArray<rt::types::f32>,
            low: &rt::DeviceArray<
                rt::types::f32,
            >,
            high: &rt::DeviceArray<
                rt::types::f32,
                2usize,
            >|
        {
            let x = rt::read(x);
            let mut low = rt::write(Self::NAME, low);
            let mut high = rt::write(Self::NAME, high);
            Self::cpu(dim, a, x.as_slice(), low.array().as_mut_slice(), high.array())
        };
        rt::Launcher::launch(
            on,
            rt::Launch {
                kernel: &Self::INFO,
                dim: &dim,
                args: &[
                    rt::Passed::Value {
                        param: "a",
                        value: &a,
                    },
                    rt::Passed::Array(rt::Access {
                        param: "x",
                        array: x,
                        writes: false,
                        needed: true,
                    }),
                    rt::Passed::Array(rt::Access {
                        param: "low",
                        array: low,
                        writes: true,
                        needed: true,
                    }),
                    rt::Passed::Array(rt::Access {
                        param: "high",
                        array: high,
                        writes: true,
                        needed: true,
                    }),
                ],
            },
            || (
                rt::read(x),
                rt::read(low),
                rt::read(high),
            ),
            || forward(a, x, low, high),
            || {
                let x = rt::Clone::clone(x);
                let low = rt::Clone::clone(low);
                let high = rt::Clone::clone(high);
                rt::Replay::new(move || forward(a, &x, &low, &high))
            },
            |(x_before, low_before, high_before)| {
                let low_after = rt::read(low);
                let high_after = rt::read(high);
                let x = rt::Clone::clone(x);
                let low = rt::Clone::clone(low);
                let high = rt::Clone::clone(high);
                rt::Pullback::run(move |launch, adjoints| {
                    let mut adj_a = [
                        <rt::types::f32 as rt::Element>::zero(),
                    ];
                    let mut adj_x = adjoints.take(&x);
                    let mut adj_low = adjoints.take(&low);
                    let mut adj_high = adjoints.take(&high);
                    Self::cpu_backward(
                        dim,
                        a,
                        x_before.as_slice(),
                        low_after.as_slice(),
                        &high_after,
                        low_before.as_slice(),
                        &high_before,
                        &mut adj_a,
                        adj_x.as_mut_slice(),
                        adj_low.as_mut_slice(),
                        &mut adj_high,
                    )?;
                    adjoints.put_value(launch, "a", adj_a[0]);
                    adjoints.put(&x, adj_x);
                    adjoints.put(&low, adj_low);
                    adjoints.put(&high, adj_high);
                    rt::Ok(())
                })
            },
        )
    }
    fn cpu(
        dim: impl rt::LaunchDim<1usize>,
        a: f32,
        x: &[f32],
        low: &mut [f32],
        high: &mut Array2<f32>,
    ) -> rt::Result<(), rt::LaunchError> {
        fn __weft_all(
            dim: [rt::usize; 1usize],
            a: f32,
            x: &[f32],
            low: &mut [f32],
            high: &mut Array2<f32>,
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
                a: f32,
                x: &[f32],
                low: &mut [f32],
                high: &mut Array2<f32>,
            ) {
                let _: fn() -> rt::usize = tid;
                let tid = move || index[0];
                let i = tid();
                atomic_min(&mut low[0], a * x[i]);
                atomic_max(&mut high[[0, i]], x[i]);
            }
            #[allow(
                clippy::too_many_arguments,
                clippy::if_same_then_else,
                reason = "the macro writes the same for every kernel"
            )]
            #[inline(never)]
            fn __weft_threads(
                chunk: &rt::Chunk<'_, 1usize>,
                a: f32,
                x: &[f32],
                low: &mut [f32],
                high: &mut Array2<f32>,
            ) {
                chunk.each(|index| __weft_thread(index, a, x, low, high))
            }
            const __WEFT_SCHEDULE: rt::Schedule = rt::Schedule {
                work: 6usize,
                scattered: 0usize,
                stride: 0usize,
            };
            let plan = __WEFT_SCHEDULE.plan(&dim, 0);
            rt::run_in_order(
                rt::Body {
                    kernel: extremes::NAME,
                    file: rt::file!(),
                    indexed: &[
                        (3, 21, "low"),
                        (3, 24, "low"),
                        (3, 33, "x"),
                        (3, 34, "x"),
                        (4, 21, "high"),
                        (4, 25, "high"),
                        (4, 35, "x"),
                        (4, 36, "x"),
                    ],
                },
                dim,
                &plan,
                &mut |chunk| __weft_threads(chunk, a, x, low, high),
            )
        }
        __weft_all(rt::LaunchDim::extents(dim), a, x, low, high)
    }
    fn cpu_backward_phase(
        dim: impl rt::LaunchDim<1usize>,
        a: rt::types::f32,
        x: &[rt::types::f32],
        low: &[rt::types::f32],
        high: &rt::Array<rt::types::f32, 2usize>,
        counting: rt::types::bool,
        low_winners: &mut [rt::types::u32],
        high_winners: &mut rt::Array<
            rt::types::u32,
            2usize,
        >,
        adj_a: &mut [rt::types::f32],
        adj_x: &mut [rt::types::f32],
        adj_low: &[rt::types::f32],
        adj_high: &rt::Array<
            rt::types::f32,
            2usize,
        >,
    ) -> rt::Result<(), rt::LaunchError> {
        fn __weft_all(
            dim: [rt::usize; 1usize],
            a: rt::types::f32,
            x: &[rt::types::f32],
            low: &[rt::types::f32],
            high: &rt::Array<
                rt::types::f32,
                2usize,
            >,
            counting: rt::types::bool,
            low_winners: &mut [rt::types::u32],
            high_winners: &mut rt::Array<
                rt::types::u32,
                2usize,
            >,
            adj_a: &mut [rt::types::f32],
            adj_x: &mut [rt::types::f32],
            adj_low: &[rt::types::f32],
            adj_high: &rt::Array<
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
                a: rt::types::f32,
                x: &[rt::types::f32],
                low: &[rt::types::f32],
                high: &rt::Array<
                    rt::types::f32,
                    2usize,
                >,
                counting: rt::types::bool,
                low_winners: &mut rt::View<
                    '_,
                    rt::types::u32,
                    1usize,
                >,
                high_winners: &mut rt::View<
                    '_,
                    rt::types::u32,
                    2usize,
                >,
                adj_a: &mut [rt::types::f32],
                adj_x: &mut rt::View<
                    '_,
                    rt::types::f32,
                    1usize,
                >,
                adj_low: &[rt::types::f32],
                adj_high: &rt::Array<
                    rt::types::f32,
                    2usize,
                >,
            ) {
                use ::kernel_rt::prelude::*;
                let tid = move || index[0];
                if counting {
                    let i = tid();
                    if a * x[i] == low[0] {
                        atomic_add(&mut low_winners[0], 1);
                    }
                    if x[i] == high[[0, i]] {
                        atomic_add(&mut high_winners[[0, i]], 1);
                    }
                } else {
                    let i = tid();
                    let t = a * x[i];
                    if x[i] == high[[0, i]] {
                        adj_x[i] += adj_high[[0, i]] / high_winners[[0, i]] as f32;
                    }
                    if t == low[0] {
                        let g = adj_low[0] / low_winners[0] as f32;
                        let a_sum = g.strong_mul(x[i]);
                        atomic_add(&mut adj_a[0], a_sum);
                        adj_x[i] += g.strong_mul(a);
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
                a: rt::types::f32,
                x: &[rt::types::f32],
                low: &[rt::types::f32],
                high: &rt::Array<
                    rt::types::f32,
                    2usize,
                >,
                counting: rt::types::bool,
                low_winners: &mut rt::View<
                    '_,
                    rt::types::u32,
                    1usize,
                >,
                high_winners: &mut rt::View<
                    '_,
                    rt::types::u32,
                    2usize,
                >,
                adj_a: (
                    &mut rt::Lanes<
                        rt::types::f32,
                        1usize,
                    >,
                    rt::usize,
                ),
                adj_x: &mut rt::View<
                    '_,
                    rt::types::f32,
                    1usize,
                >,
                adj_low: &[rt::types::f32],
                adj_high: &rt::Array<
                    rt::types::f32,
                    2usize,
                >,
            ) {
                if chunk.dim[0usize] <= x.len()
                    && chunk.dim[0usize] <= high.shape()[1usize]
                    && chunk.dim[0usize] <= high_winners.shape()[1usize]
                    && chunk.dim[0usize] <= adj_x.len()
                    && chunk.dim[0usize] <= adj_high.shape()[1usize]
                {
                    chunk
                        .each_in_lanes(|index, lane| __weft_thread(
                            index,
                            a,
                            x,
                            low,
                            high,
                            counting,
                            low_winners,
                            high_winners,
                            adj_a.0.lane(lane, adj_a.1),
                            adj_x,
                            adj_low,
                            adj_high,
                        ))
                } else {
                    chunk
                        .each_in_lanes(|index, lane| __weft_thread(
                            index,
                            a,
                            x,
                            low,
                            high,
                            counting,
                            low_winners,
                            high_winners,
                            adj_a.0.lane(lane, adj_a.1),
                            adj_x,
                            adj_low,
                            adj_high,
                        ))
                }
            }
            const __WEFT_SCHEDULE: rt::Schedule = rt::Schedule {
                work: 38usize,
                scattered: 0usize,
                stride: 1usize,
            };
            let plan = __WEFT_SCHEDULE.plan(&dim, 0).serial_if(counting);
            let low_winners = rt::View::of_slice(low_winners);
            let high_winners = rt::View::of_array(high_winners);
            let adj_x = rt::View::of_slice(adj_x);
            let parts = rt::Parts::new(&plan);
            let result = rt::run(
                rt::Body {
                    kernel: "extremes_backward",
                    file: rt::file!(),
                    indexed: &[],
                },
                dim,
                &plan,
                &|chunk| {
                    let mut adj_a_part = rt::Lanes::zeros();
                    __weft_threads(
                        chunk,
                        a,
                        x,
                        low,
                        high,
                        counting,
                        &mut unsafe { low_winners.share() },
                        &mut unsafe { high_winners.share() },
                        (&mut adj_a_part, adj_a.len()),
                        &mut unsafe { adj_x.share() },
                        adj_low,
                        adj_high,
                    );
                    parts.put(chunk, (adj_a_part.total(),));
                },
            );
            if result.is_ok() {
                for (adj_a_part,) in parts.into_ordered() {
                    rt::add(adj_a, &adj_a_part);
                }
            }
            result
        }
        __weft_all(
            rt::LaunchDim::extents(dim),
            a,
            x,
            low,
            high,
            counting,
            low_winners,
            high_winners,
            adj_a,
            adj_x,
            adj_low,
            adj_high,
        )
    }
    fn cpu_backward(
        dim: impl rt::LaunchDim<1usize>,
        a: rt::types::f32,
        x: &[rt::types::f32],
        low: &[rt::types::f32],
        high: &rt::Array<rt::types::f32, 2usize>,
        low_before: &[rt::types::f32],
        high_before: &rt::Array<
            rt::types::f32,
            2usize,
        >,
        adj_a: &mut [rt::types::f32],
        adj_x: &mut [rt::types::f32],
        adj_low: &mut [rt::types::f32],
        adj_high: &mut rt::Array<
            rt::types::f32,
            2usize,
        >,
    ) -> rt::Result<(), rt::LaunchError> {
        let dim = rt::LaunchDim::extents(dim);
        let mut low_winners = rt::Extremum {
            kernel: "extremes_backward",
            after: ([low.len()], low),
            before: ([low_before.len()], low_before),
            before_place: 4usize,
            adjoint: [adj_low.len()],
            adjoint_place: 8usize,
        }
            .first_winners()?;
        let mut high_winners = rt::Extremum {
            kernel: "extremes_backward",
            after: (high.shape(), high.as_slice()),
            before: (high_before.shape(), high_before.as_slice()),
            before_place: 5usize,
            adjoint: adj_high.shape(),
            adjoint_place: 9usize,
        }
            .first_winners()?;
        Self::cpu_backward_phase(
            dim,
            a,
            x,
            low,
            high,
            true,
            low_winners.as_mut_slice(),
            &mut high_winners,
            adj_a,
            adj_x,
            adj_low,
            adj_high,
        )?;
        Self::cpu_backward_phase(
            dim,
            a,
            x,
            low,
            high,
            false,
            low_winners.as_mut_slice(),
            &mut high_winners,
            adj_a,
            adj_x,
            adj_low,
            adj_high,
        )?;
        rt::share_of_before(
            low_before,
            low,
            low_winners.as_slice(),
            adj_low,
        );
        rt::share_of_before(
            high_before.as_slice(),
            high.as_slice(),
            high_winners.as_slice(),
            adj_high.as_mut_slice(),
        );
        rt::Ok(())
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
        let dim = rt::launch_dim::<1usize>(extremes::NAME, dim)?;
        let [a_0, x_0, low_0, high_0] = rt::each_arg::<
            4usize,
        >(extremes::NAME, args)?;
        let a = rt::value::<
            rt::types::f32,
            _,
        >(extremes::NAME, "a", [&*a_0])?;
        let x = rt::slice::<
            rt::types::f32,
        >(extremes::NAME, "x", x_0)?;
        let low = rt::slice_mut::<
            rt::types::f32,
        >(extremes::NAME, "low", low_0)?;
        let mut high_host = rt::array::<
            rt::types::f32,
            2usize,
            _,
        >(extremes::NAME, "high", [&*high_0])?;
        let result = extremes::cpu(dim, a, x, low, &mut high_host);
        rt::store([high_0], &high_host);
        result
    }
    fn cpu_backward_phase(
        dim: &[rt::usize],
        args: &mut [rt::Arg],
    ) -> rt::Result<(), rt::LaunchError> {
        let dim = rt::launch_dim::<
            1usize,
        >("extremes_backward", dim)?;
        let [a_0, x_0, low_0, high_0, counting_0, low_winners_0, high_winners_0, adj_a_0,
        adj_x_0, adj_low_0, adj_high_0] = rt::each_arg::<
            11usize,
        >("extremes_backward", args)?;
        let a = rt::value::<
            rt::types::f32,
            _,
        >("extremes_backward", "a", [&*a_0])?;
        let x = rt::slice::<
            rt::types::f32,
        >("extremes_backward", "x", x_0)?;
        let low = rt::slice::<
            rt::types::f32,
        >("extremes_backward", "low", low_0)?;
        let high_host = rt::array::<
            rt::types::f32,
            2usize,
            _,
        >("extremes_backward", "high", [&*high_0])?;
        let counting = rt::value::<
            rt::types::bool,
            _,
        >("extremes_backward", "counting", [&*counting_0])?;
        let low_winners = rt::slice_mut::<
            rt::types::u32,
        >("extremes_backward", "low_winners", low_winners_0)?;
        let mut high_winners_host = rt::array::<
            rt::types::u32,
            2usize,
            _,
        >("extremes_backward", "high_winners", [&*high_winners_0])?;
        let adj_a = rt::slice_mut::<
            rt::types::f32,
        >("extremes_backward", "adj_a", adj_a_0)?;
        let adj_x = rt::slice_mut::<
            rt::types::f32,
        >("extremes_backward", "adj_x", adj_x_0)?;
        let adj_low = rt::slice::<
            rt::types::f32,
        >("extremes_backward", "adj_low", adj_low_0)?;
        let adj_high_host = rt::array::<
            rt::types::f32,
            2usize,
            _,
        >("extremes_backward", "adj_high", [&*adj_high_0])?;
        let result = extremes::cpu_backward_phase(
            dim,
            a,
            x,
            low,
            &high_host,
            counting,
            low_winners,
            &mut high_winners_host,
            adj_a,
            adj_x,
            adj_low,
            &adj_high_host,
        );
        rt::store([high_winners_0], &high_winners_host);
        result
    }
    impl extremes {
        const INFO: rt::KernelInfo = …;
            extremes::NAME,
            rt::module_path!(),
            extremes::FAMILY,
            extremes::RUST_SOURCE,
            extremes::IR,
            &[("cpp", extremes::CPP_FORWARD), ("cuda", extremes::CUDA_FORWARD)],
            extremes::PYTHON,
            cpu,
            "one core, in launch order: which one of equal floats `low` keeps depends on the order of the threads",
            rt::Some(
                rt::BackwardInfo::new(
                    extremes::IR_BACKWARD,
                    &[
                        ("cpp", extremes::CPP_BACKWARD),
                        ("cuda", extremes::CUDA_BACKWARD),
                    ],
                    cpu_backward_phase,
                    "all cores; each thread has its own elements of `high_winners`, `adj_x`; launches on one core update `low_winners`; chunks of threads sum up `adj_a`",
                    &[
                        rt::Source::Primal(
                            rt::ParamId(0u32),
                        ),
                        rt::Source::Primal(
                            rt::ParamId(1u32),
                        ),
                        rt::Source::Result(
                            rt::ParamId(2u32),
                        ),
                        rt::Source::Result(
                            rt::ParamId(3u32),
                        ),
                        rt::Source::Counting,
                        rt::Source::Winners(
                            rt::ParamId(2u32),
                        ),
                        rt::Source::Winners(
                            rt::ParamId(3u32),
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
                        rt::Source::Adjoint(
                            rt::ParamId(3u32),
                        ),
                    ],
                ),
            ),
            &[],
            &[],
        );
    }
    rt::submit!(extremes::INFO);
};
