//! Random kernels.

mod dice;
mod generate;

#[test]
fn random_kernels() {
    for seed in 0..2000 {
        let kernel = generate::kernel(seed, 12);
        if seed < 3 {
            tests::report(&kernel_ir::text::print(&kernel));
        }
        let checked = kernel_ir::check::check(kernel.clone())
            .unwrap_or_else(|m| panic!("{m:?}\n{}", kernel_ir::text::print(&kernel)));
        assert_eq!(kernel_ir::text::parse(&kernel_ir::text::print(&kernel)).unwrap(), kernel);
        let dim: &[usize] = if kernel.dim == 1 { &[5] } else { &[3, 2] };
        let mut args: Vec<_> = kernel_ir::sample::args(&kernel, dim, seed)
            .unwrap()
            .iter()
            .map(|a| a.map_floats(|x| f64::from(*x), |x| *x))
            .collect();
        if let Err(f) = kernel_ir::interp::run_with::<f64, f64>(&checked, dim, &mut args, 100000) {
            panic!("{f:?}\n{}", kernel_ir::text::print(&kernel))
        }
    }
}
