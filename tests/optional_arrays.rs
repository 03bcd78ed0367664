//! Optional arrays through every stage: the CPU and its adjoint against the interpreter and dual numbers, the emitted C++
//! and CUDA, and Warp. The samples of a kernel have each optional array, and leave it out.

use kernel_rt::prelude::*;

/// The mean of two values by a weight.
#[device]
fn mixed(weight: &[f32], i: usize, a: f32, b: f32) -> f32 {
    weight[i] * a + (1.0 - weight[i]) * b
}

/// A weighted mean, halves without weights, and the number of large values by atomics, if somebody counts.
#[kernel(family = "test")]
fn optional_inputs(
    #[domain(-1.0..1.0)] a: &[f32],
    #[domain(-1.0..1.0)] b: &[f32],
    #[domain(0.0..1.0)] weight: Option<&[f32]>,
    #[shape(1)] count: Option<&mut [u32]>,
    mean: &mut [f32],
) {
    let i = tid();
    mean[i] = if let Some(weight) = weight { mixed(weight, i, a[i], b[i]) } else { 0.5 * (a[i] + b[i]) };
    if let Some(count) = count
        && mean[i] > 0.25
    {
        atomic_add(&mut count[0], 1);
    }
}

/// Two outputs, each of which may be left out, and is written in a loop.
#[kernel(family = "test")]
fn optional_outputs(
    #[domain(-1.0..1.0)] x: &[f32],
    #[shape(dim0, 4)] mut powers: Option<&mut Array2<f32>>,
    #[domain(-1.0..1.0)] mut sum: Option<&mut [f32]>,
) {
    let i = tid();
    let mut power = 1.0;
    for k in 0..4 {
        power *= x[i];
        if let Some(powers) = &mut powers {
            powers[[i, k]] = power;
        }
        if let Some(sum) = sum.as_deref_mut() {
            sum[i] += power;
        }
    }
}

/// What is absent ends the thread; a loss by all threads, and the largest square.
#[kernel(family = "test")]
fn optional_losses(
    #[domain(-1.0..1.0)] x: &[f32],
    #[domain(-1.0..1.0)] target: Option<&[f32]>,
    #[shape(1)] loss: Option<&mut [f32]>,
    #[shape(1)] worst: Option<&mut [f32]>,
) {
    let i = tid();
    let Some(target) = target else { return };
    let r = x[i] - target[i];
    if let Some(loss) = loss {
        atomic_add(&mut loss[0], r * r);
    }
    let Some(worst) = worst else {
        return;
    };
    atomic_max(&mut worst[0], r * r);
}

/// Tests that unwrap nothing.
#[kernel(family = "test")]
fn presence(a: Option<&[f32]>, b: Option<&[i32]>, #[domain(-1.0..1.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    let both = a.is_some() && b.is_some();
    let same = a.is_some() == b.is_some();
    let scale = if both {
        2.0
    } else if a.is_none() && x[i] > 0.0 {
        3.0
    } else {
        1.0
    };
    y[i] = if same { scale * x[i] } else { -scale * x[i] };
}

/// Updates in place that read their own array, under other names than those of the parameters.
#[kernel(family = "test")]
fn optional_in_place(
    #[domain(-1.0..1.0)] a: f32,
    #[domain(-1.0..1.0)] v: Option<&mut [Vec3]>,
    #[domain(-1.0..1.0)] s: Option<&mut [f64]>,
    #[domain(0..100)] n: Option<&mut [i32]>,
) {
    let i = tid();
    if let Some(own) = v {
        own[i] += own[i] * a;
        own[i].x *= own[i].y;
    }
    if let Some(numbers) = s {
        numbers[i] += numbers[i] * numbers[i];
    }
    let Some(counts) = n else { return };
    counts[counts.len() - 1 - i] += counts[counts.len() - 1 - i] + 1;
}

/// Adds to an element.
#[device]
fn add_to(y: &mut [f32], i: usize, term: f32) {
    y[i] += term;
}

/// Optional arrays that a device function changes, or reads while they change.
#[kernel(family = "test")]
fn optional_and_lent(
    #[domain(-1.0..1.0)] x: Option<&[f32]>,
    #[domain(-1.0..1.0)] mut y: Option<&mut [f32]>,
    #[domain(-1.0..1.0)] z: Option<&mut [f32]>,
) {
    let i = tid();
    for _ in 0..2 {
        if let Some(sums) = &mut y
            && let Some(x) = x
        {
            add_to(sums, i, mixed(x, i, 1.0, 2.0));
        }
    }
    if let Some(z) = z {
        add_to(z, i, 0.5);
        z[i] = mixed(z, i, 3.0, 4.0);
    }
}

/// A particle.
#[device]
#[derive(Clone, Copy)]
struct Mote {
    x: Vec3,
    kind: u32,
}

/// Structs that may be absent.
#[kernel(family = "test")]
fn optional_structs(
    #[domain(-1.0..1.0)] wind: Option<&[Mote]>,
    #[domain(0.0..1.0)] dt: f32,
    #[domain(-1.0..1.0)] motes: Option<&mut [Mote]>,
    #[domain(-1.0..1.0)] out: &mut [Vec3],
) {
    let i = tid();
    if let Some(motes) = motes {
        if let Some(wind) = wind {
            motes[i].x += wind[i].x * dt;
            motes[i].kind = wind[i].kind;
        }
        out[i] += motes[i].x;
    }
}

#[test]
fn the_cpu_takes_options() {
    let x = [1.0, 2.0];
    let mut mean = [0.0; 2];
    optional_inputs::cpu(2, &x, &[3.0, 4.0], None, None, &mut mean).unwrap();
    assert_eq!(mean, [2.0, 3.0]);
    let mut count = [0];
    optional_inputs::cpu(2, &x, &[3.0, 4.0], Some(&[1.0, 0.0]), Some(&mut count), &mut mean).unwrap();
    assert_eq!((mean, count), ([1.0, 4.0], [2]));
    let mut powers = Array2::zeros([2, 4]);
    optional_outputs::cpu(2, &x, Some(&mut powers), None).unwrap();
    let mut sum = [0.0; 2];
    optional_outputs::cpu(2, &x, None, Some(&mut sum)).unwrap();
    assert_eq!(sum, [4.0, 30.0]);
}

/// An array without elements is an absent one, on every path.
#[test]
fn an_empty_array_is_absent() {
    let mut mean = [0.0; 2];
    optional_inputs::cpu(2, &[1.0, 2.0], &[3.0, 4.0], Some(&[]), Some(&mut []), &mut mean).unwrap();
    assert_eq!(mean, [2.0, 3.0]);
}

/// A present array that is too short is an error, as for every array.
#[test]
fn a_short_array_is_not_absent() {
    let error = optional_inputs::cpu(2, &[1.0, 2.0], &[3.0, 4.0], Some(&[1.0]), None, &mut [0.0; 2]).unwrap_err();
    assert!(error.to_string().contains("the len is 1 but the index is 1"), "{error}");
}

/// An error names the array as the signature does.
#[test]
fn an_error_names_the_parameter() {
    let error = optional_in_place::cpu(3, 1.0, None, Some(&mut [1.0; 2]), None).unwrap_err();
    let LaunchError::Failed { array, thread, .. } = error else { panic!("{error}") };
    assert_eq!((array.as_deref(), thread), (Some("s"), vec![2]));
}

#[test]
fn devices_graphs_and_tapes_take_options() {
    for device in [Device::cpu(), Device::cpu().bounds_checked()] {
        let x = device.array_from(&[1.0, 2.0]).unwrap();
        let target = device.array_from(&[0.0, 4.0]).unwrap();
        let loss = device.zeros(1).unwrap();
        optional_losses::launch(&device, 2, (&x, None, Some(&loss), None)).unwrap();
        assert_eq!(loss.to_vec().unwrap(), [0.0]);
        let graph = Graph::new(&device).unwrap();
        optional_losses::launch(&graph, 2, (&x, Some(&target), Some(&loss), None)).unwrap();
        graph.replay().unwrap();
        graph.replay().unwrap();
        assert_eq!(loss.to_vec().unwrap(), [10.0]);

        let tape = Tape::new(&device);
        optional_losses::launch(&tape, 2, (&x, Some(&target), Some(&loss), None)).unwrap();
        tape.backward(&loss).unwrap();
        assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [2.0, -4.0]);
        assert_eq!(tape.gradient(&target).unwrap().to_vec().unwrap(), [-2.0, 4.0]);

        let worst = device.zeros(1).unwrap();
        let tape = Tape::new(&device);
        optional_losses::launch(&tape, 2, (&x, Some(&target), None, Some(&worst))).unwrap();
        tape.backward(&worst).unwrap();
        assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [0.0, -4.0]);
    }
}

/// The adjoint of an absent array is absent.
#[test]
fn adjoints_take_options() {
    let (mut adj_x, mut adj_target) = ([0.0; 2], [0.0; 2]);
    let (x, target) = ([1.0, 2.0], [0.0, 4.0]);
    let mut adj_worst = [0.0];
    optional_losses::cpu_backward(
        2,
        &x,
        Some(&target),
        Some(&[4.0]),
        Some(&[0.0]),
        &mut adj_x,
        Some(&mut adj_target),
        Some(&[1.0]),
        Some(&mut adj_worst),
    )
    .unwrap();
    assert_eq!((adj_x, adj_target), ([2.0, -4.0], [-2.0, 4.0]));
    optional_losses::cpu_backward(2, &x, None, None, None, &mut adj_x, None, None, None).unwrap();
    assert_eq!(adj_x, [2.0, -4.0]);
}
