//! Floats of 16 bits through every stage: the CPU and its adjoint against the interpreter and dual numbers, the emitted
//! C++ and CUDA, and Warp.

use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_ir::ir::{FloatFormat, Type};
use kernel_rt::prelude::*;
use kernel_rt::registered_kernels;
use tests::{checked, compare};

/// Half of each number.
#[kernel(family = "test")]
fn halve(#[domain(-4.0..4.0)] x: &[f16], y: &mut [f16]) {
    let i = tid();
    y[i] = f16::from_f32(0.5 * x[i].to_f32());
}

/// Both types as storage for each other.
#[kernel(family = "test")]
fn convert(#[domain(-4.0..4.0)] x: &[f32], short: &mut [f16], brain: &mut [bf16], back: &mut [f64]) {
    let i = tid();
    short[i] = f16::from_f32(x[i]);
    brain[i] = bf16::from_f32(x[i]);
    back[i] = f16::from_f32(x[i]).to_f64() - bf16::from_f32(x[i]).to_f64();
}

/// `a * x + y`, rounded after each operation.
#[kernel(family = "test")]
fn saxpy_half(#[domain(-2.0..2.0)] a: f16, #[domain(-2.0..2.0)] x: &[f16], #[domain(-2.0..2.0)] y: &mut [f16]) {
    let i = tid();
    y[i] += a * x[i];
}

/// Operators, comparisons and constants of both types.
#[kernel(family = "test")]
fn half_operators(
    #[domain(0.5..2.0)] a: &[f16],
    #[domain(-2.0..2.0)] b: &[f16],
    #[domain(0.5..2.0)] c: &[bf16],
    sums: &mut [f16],
    ratios: &mut [bf16],
    signs: &mut [i32],
) {
    let i = tid();
    let mut sum = a[i] + b[i] - f16::ONE;
    sum *= a[i];
    sum -= -b[i] / a[i];
    sums[i] = if b[i] < f16::ZERO || sum.is_nan() { -sum } else { sum };
    let mut ratio = c[i];
    for _ in 0..3 {
        ratio = ratio / (c[i] + bf16::ONE) + bf16::from_f32(b[i].to_f32());
    }
    ratios[i] = ratio;
    signs[i] = (a[i] >= b[i]) as i32 + (a[i] == b[i]) as i32 * 2 + (c[i] > ratio && ratio.is_finite()) as i32 * 4;
}

/// The dot product of each row with a vector: products of halves, a sum in `f32`.
#[kernel(family = "test")]
fn row_dots(
    #[domain(-1.0..1.0)]
    #[shape(dim0, 7)]
    rows: &Array2<f16>,
    #[domain(-1.0..1.0)]
    #[shape(7)]
    x: &[bf16],
    y: &mut [f32],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..7 {
        sum += rows[[i, k]].to_f32() * x[k].to_f32();
    }
    y[i] = sum;
}

/// Layer normalisation of rows in `bf16`, computed in `f32`. Gradients go to the rows, the gain and the shift.
#[kernel(family = "test")]
fn layer_norm_bf16(
    #[domain(-1.0..1.0)]
    #[shape(dim0, 6)]
    x: &Array2<bf16>,
    #[domain(0.5..1.5)]
    #[shape(6)]
    gain: &[bf16],
    #[domain(-0.5..0.5)]
    #[shape(6)]
    shift: &[bf16],
    #[shape(dim0, 6)] y: &mut Array2<bf16>,
) {
    let i = tid();
    let mut mean = 0.0;
    for k in 0..6 {
        mean += x[[i, k]].to_f32();
    }
    mean /= 6.0;
    let mut variance = 0.0;
    for k in 0..6 {
        let off = x[[i, k]].to_f32() - mean;
        variance += off * off;
    }
    let scale = 1.0 / (variance / 6.0 + 1e-2).sqrt();
    for k in 0..6 {
        let normal = (x[[i, k]].to_f32() - mean) * scale;
        y[[i, k]] = bf16::from_f32(normal * gain[k].to_f32() + shift[k].to_f32());
    }
}

/// Weights of 8 bits with a scale in `f16`: quantised, and dequantised again.
#[kernel(family = "test")]
fn quantise_half(
    #[domain(-2.0..2.0)]
    #[shape(dim0, 5)]
    x: &Array2<f16>,
    scale: &mut [f16],
    #[shape(dim0, 5)] bytes: &mut Array2<i8>,
    #[shape(dim0, 5)] back: &mut Array2<f16>,
) {
    let i = tid();
    let mut largest = 1e-3f32;
    for k in 0..5 {
        largest = largest.max(x[[i, k]].to_f32().abs());
    }
    let step = f16::from_f32(largest / 127.0);
    scale[i] = step;
    for k in 0..5 {
        let byte = (x[[i, k]].to_f32() / step.to_f32()).round().clamp(-127.0, 127.0) as i8;
        bytes[[i, k]] = byte;
        back[[i, k]] = f16::from_f32(byte as f32) * step;
    }
}

/// Sums that all threads add to.
#[kernel(family = "test")]
fn half_sums(#[domain(0.0..1.0)] x: &[f16], #[shape(3)] sums: &mut [f16], #[shape(1)] left: &mut [bf16]) {
    let i = tid();
    atomic_add(&mut sums[i % 3], x[i]);
    atomic_sub(&mut left[0], bf16::from_f32(x[i].to_f32()));
}

/// A product in halves.
#[device]
fn weighted(x: f16, weight: f16) -> f16 {
    x * weight
}

/// A particle whose speed is stored in half the space.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mote {
    place: f32,
    speed: f16,
    charge: bf16,
}

/// Structs, functions, local arrays and states of loops with halves in them.
#[kernel(family = "test")]
fn motes(
    #[domain(-1.0..1.0)] motes: &[Mote],
    #[domain(0.5..1.5)] weight: f16,
    #[domain(-1.0..1.0)] moved: &mut [Mote],
) {
    let i = tid();
    let mote = motes[i];
    let mut speeds = [mote.speed, f16::ZERO, weight];
    for k in 0..4 {
        speeds[1] = weighted(speeds[k % 3] + speeds[1], weight) - mote.speed * speeds[1];
    }
    moved[i].place += mote.place * 0.5 + speeds[1].to_f32();
    moved[i].speed = speeds[1];
    moved[i].charge = if mote.place > 0.0 { -mote.charge } else { bf16::from_f32(0.5) * mote.charge };
}

#[test]
fn the_cpu_rounds_after_each_operation() {
    let half = f16::from_f32;
    let mut y = [half(1.0)];
    // 2049 is halfway between two numbers of 11 digits.
    saxpy_half::cpu(1, half(2048.0), &[half(1.0)], &mut y).unwrap();
    assert_eq!(y, [half(2048.0)]);
    let mut found = [f16::ZERO; 3];
    halve::cpu(3, &[half(1.0), f16::MAX, half(-3.0)], &mut found).unwrap();
    assert_eq!(found.map(f16::to_f32), [0.5, 32752.0, -1.5]);
}

/// The rounding of the interpreter is that of the crate `half`, which is the CPU's.
#[test]
fn all_numbers_convert_alike() {
    for bits in 0..=u16::MAX {
        let (short, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        let (here, there) = (FloatFormat::F16.from_bits(bits), short.to_f32());
        assert!(here.to_bits() == there.to_bits() || (here.is_nan() && there.is_nan()), "{bits:#06x}");
        let (here, there) = (FloatFormat::BF16.from_bits(bits), brain.to_f32());
        assert!(here.to_bits() == there.to_bits() || (here.is_nan() && there.is_nan()), "{bits:#06x}");
        // Around the number, and around the middle to the next one.
        for value in [short.to_f32(), brain.to_f32()].into_iter().filter(|value| value.is_finite()) {
            let next = if value == short.to_f32() { f16::from_bits(bits + 1).to_f32() } else { f32::INFINITY };
            let middle = value + (next - value) / 2.0;
            for value in [value, value.next_up(), value.next_down(), middle, middle.next_up(), middle.next_down()] {
                let same = |here: f64, there: f32| here.to_bits() == f64::from(there).to_bits() || here.is_nan();
                assert!(same(FloatFormat::F16.round(value.into()), f16::from_f32(value).to_f32()), "{value}");
                assert!(same(FloatFormat::BF16.round(value.into()), bf16::from_f32(value).to_f32()), "{value}");
            }
        }
    }
}

/// Every product and sum of the interpreter is that of the crate `half`.
#[test]
fn the_interpreter_computes_as_the_cpu() {
    let info = registered_kernels().into_iter().find(|info| info.name == "half_operators").unwrap();
    let kernel = checked(info);
    let bits = |step: u32, k: u32| f16::from_bits((k.wrapping_mul(step) >> 8) as u16).to_f32();
    let numbers = |ty, step| {
        let data: Vec<f32> = (0..5000).map(|k| bits(step, k)).collect();
        Arg { ty, shape: vec![5000], data: Data::rounded(ty.scalar(), data) }
    };
    let zeros = |ty| Arg::zeros(ty, &[5000]);
    let mut args = vec![
        numbers(Type::F16, 0x9e37_79b1),
        numbers(Type::F16, 0x85eb_ca77),
        numbers(Type::BF16, 0xc2b2_ae3d),
        zeros(Type::F16),
        zeros(Type::BF16),
        zeros(Type::I32),
    ];
    let mut on_cpu = args.clone();
    interp::run(&kernel, &[5000], &mut args).unwrap();
    (info.cpu)(&[5000], &mut on_cpu).unwrap();
    // NaNs count as one value.
    compare(&kernel, &args, &on_cpu).unwrap();
}

#[test]
fn gradients_have_the_type_of_their_array() {
    let device = Device::cpu();
    let rows = Array2::from_vec([1, 7], [1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.5].map(f16::from_f32).to_vec()).unwrap();
    let rows = device.array_from_nd(rows).unwrap();
    let x = device.array_from(&[0.5, 0.25, 1.0, -1.0, 1.0, 1.0, 8.0].map(bf16::from_f32)).unwrap();
    let y = device.zeros(1).unwrap();
    let tape = Tape::new(&device);
    row_dots::launch(&tape, 1, (&rows, &x, &y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [4.0]);
    tape.backward(&y).unwrap();
    let by_x: Vec<bf16> = tape.gradient(&x).unwrap().to_vec().unwrap();
    assert_eq!(by_x.iter().map(|x| x.to_f32()).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.5]);
    let by_rows: Array2<f16> = tape.gradient(&rows).unwrap().to_array().unwrap();
    assert_eq!(by_rows[[0, 6]], f16::from_f32(8.0));
}

#[test]
fn structs_have_the_layout_of_c() {
    let layout = Mote::ir_type().layout().unwrap();
    assert_eq!((layout.size, layout.align), (8, 4));
    assert_eq!(size_of::<Mote>(), 8);
}
