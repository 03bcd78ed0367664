//! Arrays and launches on an adapter, and what it refuses.

use crate::device::adapter;
use kernel_ir::back::wgsl;
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::Type;
use kernel_ir::text;
use kernel_ir::verify::verify;
use kernel_rt::prelude::*;
use kernel_rt::{DeviceError, LaunchError, LoadedText};

/// Where `x` is above a bound, and the number of that.
#[kernel(family = "test")]
fn mark(bound: f32, x: &[f32], above: &mut [bool], bytes: &mut [u8], count: &mut [u32]) {
    let i = tid();
    above[i] = x[i] > bound;
    if above[i] {
        bytes[i] += 200;
        atomic_add(&mut count[0], 1);
    }
}

/// A number of 32 and one of 64 bits.
#[device]
#[derive(Clone, Copy, Default)]
struct Mixed {
    count: u32,
    sum: f64,
}

/// A kernel that the writer refuses.
#[kernel]
fn add_up(x: &[f64], out: &mut [Mixed]) {
    let i = tid();
    atomic_add(&mut out[i / 2].sum, x[i]);
}

/// Twice a product, in 16 bits.
#[kernel]
fn halves(#[domain(-4.0..4.0)] a: f16, #[domain(-4.0..4.0)] x: &[f16], y: &mut [bf16]) {
    let i = tid();
    y[i] = bf16::from_f32((a * x[i]).to_f32() * 2.0);
}

#[test]
fn floats_of_16_bits_lie_beside_each_other() {
    let Some(device) = adapter() else { return };
    let (half, whole) = (|x| f16::from_f32(x), |x| bf16::from_f32(x));
    let (x, y) =
        (device.array_from(vec![half(0.5), half(3.0), half(-1.25)]).unwrap(), device.zeros::<bf16>(3).unwrap());
    halves::launch(&device, 3, (half(0.75), &x, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0.75, 4.5, -1.875].map(whole));
}

#[test]
fn arrays_of_any_length_keep_their_elements() {
    let Some(device) = adapter() else { return };
    for len in [0, 1, 2, 3, 4, 5, 63, 64, 65, 1000] {
        let bytes: Vec<u8> = (0..len).map(|k| k as u8).collect();
        let array = device.array_from(&bytes).unwrap();
        assert_eq!(array.to_vec().unwrap(), bytes);
        let copy = device.zeros::<u8>(len).unwrap();
        copy.copy_from(&array).unwrap();
        array.fill(9).unwrap();
        assert_eq!((copy.to_vec().unwrap(), array.to_vec().unwrap()), (bytes, vec![9; len]));
    }
}

#[test]
fn threads_store_bytes_of_one_word() {
    let Some(device) = adapter() else { return };
    for len in [1, 63, 1001] {
        let x: Vec<f32> = (0..len).map(|k| (k % 7) as f32).collect();
        let (above, bytes) = (device.zeros::<bool>(len).unwrap(), device.array_from(vec![5u8; len]).unwrap());
        let count = device.zeros::<u32>(1).unwrap();
        mark::launch(&device, len, (3.0, &device.array_from(&x).unwrap(), &above, &bytes, &count)).unwrap();
        let expected: Vec<bool> = x.iter().map(|x| *x > 3.0).collect();
        assert_eq!(above.to_vec().unwrap(), expected);
        assert_eq!(bytes.to_vec().unwrap(), expected.iter().map(|is| if *is { 205 } else { 5 }).collect::<Vec<u8>>());
        assert_eq!(count.to_vec().unwrap(), [expected.iter().filter(|is| **is).count() as u32]);
    }
}

#[test]
fn errors_say_what_is_missing_and_a_way_out() {
    let Some(device) = adapter() else { return };
    let (x, out) = (device.zeros::<f64>(3).unwrap(), device.zeros::<Mixed>(2).unwrap());
    let error = add_up::launch(&device, 3, (&x, &out)).unwrap_err().to_string();
    assert!(
        error.contains("`add_up`") && error.contains("`f64` in structs of several") && error.contains("help:"),
        "{error}"
    );

    let limit = "an array over the limit";
    let error = device.zeros::<f32>(1 << 40).map(drop).expect_err(limit);
    assert!(
        matches!(error, DeviceError::Limit { needed, limit, .. } if needed == 1 << 42 && limit < needed),
        "{error}"
    );
    assert!(matches!(Device::wgpu(99), Err(DeviceError::NoSuchDevice { ordinal: 99, .. })));
}

#[test]
fn a_loaded_text_stays_itself_when_it_moves() {
    let Some(device) = adapter() else { return };
    let load = |term: &str| {
        let source = format!(
            "#[kernel(family = \"f\", dim = 1)]\nfn k(y: &mut [f32; dim(0)],) {{\n    let i.0: usize = tid(0);\n    \
             y[i.0] = {term}f32;\n}}\n"
        );
        let kernel = verify(text::parse(&source).unwrap()).unwrap();
        let shader = wgsl::write(&kernel).unwrap();
        device.load("k", kernel, shader).unwrap()
    };
    let run = |loaded: &LoadedText| {
        let mut args = [Arg { ty: Type::F32, shape: vec![1], data: Data::F32(vec![0.0]) }];
        loaded.run(&[1], &mut args).unwrap();
        args[0].data.clone()
    };
    let mut loaded = Vec::new();
    for number in 1..9 {
        // The next text takes the place on the stack that this one leaves.
        let text = load(&format!("{number}.0"));
        assert_eq!(run(&text), Data::F32(vec![number as f32]));
        loaded.push(text);
    }
    for (number, text) in (1..9).zip(&loaded) {
        assert_eq!(run(text), Data::F32(vec![number as f32]));
    }
}

/// The neighbours of an element, where there are any, by `if` expressions and a function.
#[kernel]
fn neighbours(x: &[f32], #[domain(0..4)] far: usize, y: &mut [f32]) {
    let i = tid();
    let left = if i > 0 { element(x, i - 1) } else { 0.0 };
    let right = if i + far < x.len() || x[0] > 1e9 { x[i + far] } else { 0.0 };
    y[i] = left - right;
}

#[device]
fn element(x: &[f32], i: usize) -> f32 {
    x[i]
}

#[test]
fn checks_report_what_an_if_expression_chooses_and_nothing_else() {
    let Some(device) = adapter() else { return };
    let checked = device.bounds_checked();
    let y = device.zeros::<f32>(3).unwrap();
    let x = device.array_from(vec![1.0f32, 2.0, 3.0]).unwrap();
    neighbours::launch(&checked, 3, (&x, 1, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [-2.0, -2.0, 2.0]);

    let x = device.array_from(vec![2e9f32, 0.0, 0.0]).unwrap();
    let beyond = neighbours::launch(&checked, 3, (&x, 2, &y)).unwrap_err();
    let LaunchError::Failed { array, thread, message, .. } = &beyond else { panic!("{beyond}") };
    assert!(array.as_deref() == Some("x") && (thread == &[1] || thread == &[2]), "{beyond}");
    assert!(message.contains("whose extent is 3"), "{beyond}");

    let x = device.array_from(vec![f32::NAN, 0.0, 0.0]).unwrap();
    let nan = neighbours::launch(&checked, 3, (&x, 1, &y)).unwrap_err();
    assert!(nan.to_string().contains("a NaN is stored"), "{nan}");
}

/// How often each thread runs.
#[kernel(family = "test", no_grad)]
fn visit(times: &mut [u8]) {
    let i = tid();
    times[i] += 1;
}

#[test]
fn a_launch_of_several_rows_of_workgroups_reaches_every_thread() {
    let Some(device) = adapter() else { return };
    // More than 65,535 workgroups of 64 threads.
    let len = 65_535 * 64 + 1000;
    let times = device.zeros::<u8>(len).unwrap();
    visit::launch(&device, len, (&times,)).unwrap();
    assert!(times.to_vec().unwrap().iter().all(|times| *times == 1));
}

/// The sum of all elements, and the place of each one.
#[kernel(family = "test", no_grad)]
fn total(x: &Array2<f32>, sum: &mut [f32], place: &mut Array2<u32>) {
    let (i, j) = tid2();
    atomic_add(&mut sum[0], x[[i, j]]);
    place[[i, j]] += (i * 1000 + j) as u32;
}

/// Kernels with sums over the launch are dispatched with fewer threads than the launch has.
#[test]
fn threads_that_stride_over_a_launch_reach_every_element_once() {
    let Some(device) = adapter() else { return };
    let len = 1_000_001;
    let x = device.array_from(vec![1.0f32; len]).unwrap();
    let (above, bytes) = (device.zeros::<bool>(len).unwrap(), device.zeros::<u8>(len).unwrap());
    let count = device.zeros::<u32>(1).unwrap();
    mark::launch(&device, len, (0.5, &x, &above, &bytes, &count)).unwrap();
    assert_eq!(count.to_vec().unwrap(), [len as u32]);
    assert!(above.to_vec().unwrap().iter().all(|is| *is));
    assert!(bytes.to_vec().unwrap().iter().all(|byte| *byte == 200));

    let (rows, columns) = (701, 601);
    let x = device.array_from_nd(Array2::from_vec([rows, columns], vec![1.0f32; rows * columns]).unwrap()).unwrap();
    let (sum, place) = (device.zeros::<f32>(1).unwrap(), device.zeros_nd::<u32, 2>([rows, columns]).unwrap());
    total::launch(&device, (rows, columns), (&x, &sum, &place)).unwrap();
    assert_eq!(sum.to_vec().unwrap(), [(rows * columns) as f32]);
    let places = (0..rows * columns).map(|at| (at / columns * 1000 + at % columns) as u32);
    assert_eq!(place.to_vec().unwrap(), places.collect::<Vec<u32>>());
}
