//! Kernels in a user's crate: they are registered, and run on the CPU and on a device.

use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::Type;
use kernel_rt::prelude::*;
use kernel_rt::registered_kernels;

/// y = a·x + y.
#[kernel(family = "arithmetic")]
fn saxpy(#[domain(-2.0..2.0)] a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}

/// The transpose of a matrix that need not be square.
#[kernel(family = "matrix")]
fn transpose(a: &Array2<f64>, #[shape(dim1, dim0)] out: &mut Array2<f64>) {
    let (i, j) = tid2();
    out[[j, i]] = a[[i, j]];
}

/// How often each digit occurs.
#[kernel(family = "atomic")]
fn count_digits(#[domain(0..10)] digit: &[u32], #[shape(10)] count: &mut [i32]) {
    let i = tid();
    atomic_add(&mut count[digit[i] as usize], 1);
}

/// Square roots of the positive numbers; the others stay.
#[kernel(family = "control_flow")]
fn positive_roots(x: &mut [f32]) {
    let i = tid();
    if x[i] <= 0.0 {
        return;
    }
    x[i] = x[i].sqrt();
}

/// The unit vectors along some vectors.
#[kernel(family = "vector")]
fn directions(v: &[Vec3], out: &mut [Vec3]) {
    let i = tid();
    out[i] = v[i].normalize_or_zero();
}

/// Squares of the selected numbers, and which of them are above a limit; the others stay.
#[kernel(family = "control_flow")]
fn select_squares(
    limit: f64,
    selected: &[bool],
    #[shape(dim0, 2)] seen: &mut Array2<bool>,
    #[domain(false..=true)] large: &mut [bool],
    x: &mut [f64],
) {
    let i = tid();
    seen[[i, 1]] = selected[i] != large[i];
    if !selected[i] {
        return;
    }
    x[i] *= x[i];
    large[i] |= x[i] > limit;
}

const SHIFTED: u32 = line!() + 6;

/// x\[i\] = x\[i + shift\].
#[kernel]
fn shifted(#[domain(0..1)] shift: usize, x: &[i32], out: &mut [i32]) {
    let i = tid();
    out[i] = x[i + shift];
}

/// Steps of the logistic map, for an adjoint that keeps four states of it.
#[kernel(family = "nested_loop", slots = 4)]
fn logistic(#[domain(0..40)] steps: u32, #[domain(0.1..0.9)] x: &[f64], y: &mut [f64]) {
    let mut s = x[tid()];
    for _ in 0..steps {
        s = 2.5 * s * (1.0 - s);
    }
    y[tid()] = s;
}

fn grid() -> Array2<f64> {
    Array2::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap()
}

#[test]
fn kernels_of_this_crate_are_registered() {
    let mine: Vec<_> = registered_kernels().into_iter().filter(|kernel| kernel.module == module_path!()).collect();
    let names: Vec<_> = mine.iter().map(|kernel| (kernel.family, kernel.name)).collect();
    assert_eq!(
        names,
        [
            ("arithmetic", "saxpy"),
            ("atomic", "count_digits"),
            ("control_flow", "positive_roots"),
            ("control_flow", "select_squares"),
            ("custom", "shifted"),
            ("matrix", "transpose"),
            ("nested_loop", "logistic"),
            ("vector", "directions"),
        ]
    );
}

#[test]
fn the_source_is_kept_as_it_was_written() {
    let expected = "\
/// y = a·x + y.
#[kernel(family = \"arithmetic\")]
fn saxpy(#[domain(-2.0..2.0)] a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}
";
    assert_eq!(saxpy::RUST_SOURCE, expected);
    assert_eq!((saxpy::NAME, saxpy::FAMILY), ("saxpy", "arithmetic"));
}

#[test]
fn the_ir_reads_back() {
    let kernel = kernel_ir::text::parse(transpose::IR).unwrap();
    assert_eq!((kernel.name.as_str(), kernel.dim, kernel.params.len()), ("transpose", 2, 2));
}

#[test]
fn the_author_says_how_many_states_an_adjoint_keeps() {
    assert!(logistic::IR.contains("slots = 4"), "{}", logistic::IR);
    assert!(logistic::CUDA_BACKWARD.contains("double s_kept[4] ="), "{}", logistic::CUDA_BACKWARD);
}

#[test]
fn a_launch_over_one_axis() {
    let mut y = vec![1.0, 1.0, 1.0];
    saxpy::cpu(2, 2.0, &[1.0, 2.0, 3.0], &mut y).unwrap();
    assert_eq!(y, [3.0, 5.0, 1.0]);

    let device = Device::cpu();
    let (x, y) = (device.array_from(&[1.0, 2.0, 3.0]).unwrap(), device.zeros::<f32>(3).unwrap());
    saxpy::launch(&device, 3, (2.0, &x, &y)).unwrap();
    saxpy::launch(&device, [1], (0.5, &x, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2.5, 4.0, 6.0]);
    assert_eq!((x.version(), y.version()), (0, 2));
}

#[test]
fn a_launch_over_two_axes() {
    let expected = Array2::from_vec([3, 2], vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]).unwrap();

    let mut out = Array2::zeros([3, 2]);
    transpose::cpu((2, 3), &grid(), &mut out).unwrap();
    assert_eq!(out, expected);

    let device = Device::cpu();
    let (a, out) = (device.array_from_nd(grid()).unwrap(), device.zeros_nd([3, 2]).unwrap());
    transpose::launch(&device, [2, 3], (&a, &out)).unwrap();
    assert_eq!(out.to_array().unwrap(), expected);
}

#[test]
fn atomics_add_up() {
    let mut count = [0; 10];
    count_digits::cpu(5, &[3, 1, 3, 3, 9], &mut count).unwrap();
    assert_eq!(count, [0, 1, 0, 3, 0, 0, 0, 0, 0, 1]);
}

#[test]
fn masks_are_arrays_of_bool() {
    let (selected, x) = ([true, false, true, true], [1.0, 2.0, 3.0, 0.5]);
    let before = [false, true, false, true];
    let (mut seen, mut large, mut squares) = (Array2::zeros([4, 2]), before, x);
    select_squares::cpu(4, 2.0, &selected, &mut seen, &mut large, &mut squares).unwrap();
    assert_eq!((large, squares), ([false, true, true, true], [1.0, 2.0, 9.0, 0.25]));
    assert_eq!(seen.as_slice(), [false, true, false, true, false, true, false, false]);

    let device = Device::cpu();
    let (chosen, large) = (device.array_from(&selected).unwrap(), device.array_from(&before).unwrap());
    let (seen, squares) = (device.zeros_nd::<bool, 2>([4, 2]).unwrap(), device.array_from(&x).unwrap());
    let tape = Tape::new(&device);
    select_squares::launch(&tape, 4, (2.0, &chosen, &seen, &large, &squares)).unwrap();
    assert_eq!(large.to_vec().unwrap(), [false, true, true, true]);
    assert!(!seen.to_array().unwrap()[[3, 1]]);
    let ones = device.array_from(&[1.0; 4]).unwrap();
    tape.backward_from(&[Seed::new(&squares, &ones).unwrap()]).unwrap();
    assert_eq!(tape.gradient(&squares).unwrap().to_vec().unwrap(), [2.0, 1.0, 6.0, 1.0]);
}

#[test]
fn an_early_return_ends_one_thread() {
    let mut x = [4.0, -4.0, 9.0];
    positive_roots::cpu(3, &mut x).unwrap();
    assert_eq!(x, [2.0, -4.0, 3.0]);
}

#[test]
fn vectors_are_elements() {
    let mut out = [Vec3::ONE; 2];
    directions::cpu(2, &[Vec3::new(0.0, 3.0, 4.0), Vec3::ZERO], &mut out).unwrap();
    assert_eq!(out, [Vec3::new(0.0, 3.0, 4.0) * (1.0 / 5.0), Vec3::ZERO]);
}

#[test]
fn one_array_for_two_parameters_is_refused_if_it_is_written() {
    let device = Device::cpu();
    let x = device.array_from(&[1.0, 2.0]).unwrap();
    let error = saxpy::launch(&device, 2, (2.0, &x, &x.clone())).unwrap_err();
    assert_eq!(error, LaunchError::Aliased { kernel: "saxpy", writes: "y", other: "x" });
    assert_eq!(
        error.to_string(),
        "kernel `saxpy`: `y` and `x` are the same array, or views of one, and the kernel writes to `y`; pass \
         different arrays"
    );
    assert_eq!((x.to_vec().unwrap(), x.version()), (vec![1.0, 2.0], 0));
}

#[test]
fn an_index_out_of_bounds_names_kernel_and_thread() {
    let expected = LaunchError::Failed {
        kernel: "shifted",
        thread: vec![2],
        array: Some("x".to_owned()),
        message: "index out of bounds: the len is 3 but the index is 3".to_owned(),
        location: Some(format!("{}:{SHIFTED}:14", file!())),
    };
    let mut out = [0; 3];
    assert_eq!(shifted::cpu(3, 1, &[5, 6, 7], &mut out), Err(expected.clone()));
    assert_eq!(out, [6, 7, 0]);

    let device = Device::cpu();
    let (x, out) = (device.array_from(&[5, 6, 7]).unwrap(), device.zeros(3).unwrap());
    assert_eq!(shifted::launch(&device, 3, (1, &x, &out)), Err(expected));
    assert_eq!(out.to_vec().unwrap(), [6, 7, 0]);
    assert_eq!(shifted::launch(&device, 3, (0, &x, &out)), Ok(()), "the device still works");
}

#[test]
fn launches_from_several_threads_do_not_wait_for_each_other_forever() {
    let device = Device::cpu();
    let (x, y) = (device.array_from(&[0, 0]).unwrap(), device.array_from(&[0, 0]).unwrap());
    std::thread::scope(|scope| {
        for (from, to) in [(&x, &y), (&y, &x)] {
            scope.spawn(|| (0..200).try_for_each(|_| shifted::launch(&device, 2, (0, from, to))).unwrap());
        }
    });
    assert_eq!((x.version(), y.version()), (200, 200));
}

/// Runs a kernel of this crate through its entry in the registry.
fn run_registered(name: &str, dim: &[usize], args: &mut [Arg]) -> Result<(), LaunchError> {
    let all = registered_kernels();
    let kernel = all.iter().find(|kernel| kernel.module == module_path!() && kernel.name == name).unwrap();
    (kernel.cpu)(dim, args)
}

#[test]
fn registered_kernels_run_on_data() {
    let floats = |shape: &[usize], scalars: &[f32]| Arg {
        ty: Type::F32,
        shape: shape.to_vec(),
        data: Data::F32(scalars.to_vec()),
    };
    let mut args = [floats(&[], &[2.0]), floats(&[2], &[1.0, 2.0]), floats(&[2], &[0.0, 1.0])];
    run_registered("saxpy", &[2], &mut args).unwrap();
    assert_eq!(args[2], floats(&[2], &[2.0, 5.0]));

    let a = Arg { ty: Type::F64, shape: vec![2, 3], data: Data::F64(grid().into_vec()) };
    let mut args = [a, Arg::zeros(Type::F64, &[3, 2])];
    run_registered("transpose", &[2, 3], &mut args).unwrap();
    assert_eq!(args[1].data, Data::F64(vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
}

#[test]
fn data_that_does_not_fit_the_kernel_is_refused() {
    let kernel = "saxpy";
    let args = || [Arg::zeros(Type::F32, &[]), Arg::zeros(Type::F32, &[2]), Arg::zeros(Type::F32, &[2])];
    assert_eq!(run_registered(kernel, &[2], &mut args()), Ok(()));
    assert_eq!(
        run_registered(kernel, &[2, 2], &mut args()),
        Err(LaunchError::DimCount { kernel, expected: 1, found: 2 })
    );
    assert_eq!(
        run_registered(kernel, &[2], &mut args()[..2]),
        Err(LaunchError::ArgCount { kernel, expected: 3, found: 2 })
    );
    let mut wrong_type = args();
    wrong_type[1] = Arg::zeros(Type::F64, &[2]);
    assert_eq!(
        run_registered(kernel, &[2], &mut wrong_type),
        Err(LaunchError::ArgType { kernel, param: "x", expected: Type::F32, found: Type::F64 })
    );
    let mut wrong_rank = args();
    wrong_rank[2] = Arg::zeros(Type::F32, &[1, 2]);
    assert_eq!(
        run_registered(kernel, &[2], &mut wrong_rank),
        Err(LaunchError::ArgRank { kernel, param: "y", expected: 1, found: 2 })
    );
}
