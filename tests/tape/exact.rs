//! Exact gradients of a tape.

use super::*;
use kernel_rt::{Launcher, Seed};

#[test]
fn one_launch_has_gradients_of_its_arrays_and_values() {
    let (x, y) = (floats(&[1.0, 2.0, 3.0]), floats(&[10.0, 20.0, 30.0]));
    let tape = Tape::new(&chosen());
    let launch = saxpy::launch(&tape, 3, (2.0, &x, &y)).unwrap();
    tape.backward_from(&[Seed::new(&y, &floats(&[1.0, 10.0, 100.0])).unwrap()]).unwrap();

    assert_eq!(y.to_vec().unwrap(), [12.0, 24.0, 36.0]);
    assert_eq!(gradient(&tape, &x), [2.0, 20.0, 200.0]);
    assert_eq!(gradient(&tape, &y), [1.0, 10.0, 100.0], "by what `y` held before");
    assert_eq!(tape.value_gradient(launch, "a"), Ok(321.0));
    assert_eq!((tape.len(), x.version(), y.version()), (1, 0, 1));
}

#[test]
fn the_same_code_runs_on_a_device_and_on_a_tape() {
    fn norm<L: Launcher>(on: &L, x: &DeviceArray<f64>, loss: &DeviceArray<f64>) -> L::Launched {
        let squares = zeros(x.len());
        product::launch(on, x.len(), (x, x, &squares)).unwrap();
        sum::launch(on, x.len(), (&squares, loss)).unwrap()
    }
    let (x, loss) = (floats(&[3.0, 4.0]), zeros(1));
    norm(&chosen(), &x, &loss);
    assert_eq!(loss.to_vec().unwrap(), [25.0]);
    let tape = Tape::new(&chosen());
    norm(&tape, &x, &loss);
    assert_eq!(loss.to_vec().unwrap(), [50.0]);
    tape.backward(&loss).unwrap();
    assert_eq!(gradient(&tape, &x), [6.0, 8.0]);
}

#[test]
fn an_array_gets_its_gradient_from_every_launch_that_reads_it() {
    let run = |tape: &Tape, host: &[f64]| {
        let (x, s, out, loss) = (floats(host), zeros(3), zeros(3), zeros(1));
        sine::launch(tape, 3, (&x, &s)).unwrap();
        product::launch(tape, 3, (&s, &x, &out)).unwrap();
        sum::launch(tape, 3, (&out, &loss)).unwrap();
        sum::launch(tape, 2, (&x, &loss)).unwrap();
        (x, loss)
    };
    let host = [0.3, -1.2, 2.0];
    let tape = Tape::new(&chosen());
    let (x, loss) = run(&tape, &host);
    tape.backward(&loss).unwrap();
    let analytic: Vec<f64> = host.iter().enumerate().map(|(i, x)| x.sin() + x * x.cos() + f64::from(i < 2)).collect();
    assert_close(&gradient(&tape, &x), &analytic);
    let value = |host: &[f64]| run(&Tape::new(&chosen()), host).1.to_vec().unwrap()[0];
    assert_close(&gradient(&tape, &x), &differences(&host, value));
}

#[test]
fn two_handles_of_one_array_in_one_launch_add_up() {
    let (x, out, loss) = (floats(&[3.0, -5.0]), zeros(2), zeros(1));
    let tape = Tape::new(&chosen());
    product::launch(&tape, 2, (&x, &x.clone(), &out)).unwrap();
    sum::launch(&tape, 2, (&out, &loss)).unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(gradient(&tape, &x), [6.0, -10.0]);
}

#[test]
fn launches_in_place_keep_what_they_overwrite() {
    let (x, loss) = (floats(&[1.5, -0.5]), zeros(1));
    let tape = Tape::new(&chosen());
    for _ in 0..3 {
        square::launch(&tape, 2, (&x,)).unwrap();
    }
    sum::launch(&tape, 2, (&x, &loss)).unwrap();
    tape.backward(&loss).unwrap();
    // The loss is the sum of the eighth powers.
    assert_close(&gradient(&tape, &x), &[8.0 * 1.5f64.powi(7), 8.0 * (-0.5f64).powi(7)]);
}

#[test]
fn a_later_launch_may_overwrite_what_an_earlier_one_read() {
    let (x, y, p, loss) = (floats(&[2.0, 3.0]), floats(&[5.0, 7.0]), zeros(2), zeros(1));
    let tape = Tape::new(&chosen());
    product::launch(&tape, 2, (&x, &y, &p)).unwrap();
    square::launch(&tape, 2, (&x,)).unwrap();
    product::launch(&tape, 2, (&p, &x, &y)).unwrap();
    sum::launch(&tape, 2, (&y, &loss)).unwrap();
    tape.backward(&loss).unwrap();
    // The loss is the sum of (x·y)·x².
    assert_close(&gradient(&tape, &x), &[3.0 * 4.0 * 5.0, 3.0 * 9.0 * 7.0]);
    assert_close(&gradient(&tape, &y), &[8.0, 27.0]);
    assert_eq!(gradient(&tape, &p), [0.0, 0.0], "what `p` held before does not matter");
}

#[test]
fn indices_may_change_from_launch_to_launch() {
    let (x, out, loss) = (floats(&[1.0, 10.0, 100.0]), zeros(2), zeros(1));
    let at = chosen().array_from(&[0, 0]).unwrap();
    let tape = Tape::new(&chosen());
    for _ in 0..3 {
        gather::launch(&tape, 2, (&at, &x, &out)).unwrap();
        sum::launch(&tape, 2, (&out, &loss)).unwrap();
        advance::launch(&tape, 1, (&at,)).unwrap();
    }
    tape.backward(&loss).unwrap();
    // `at[0]` was 0, 1 and 2; `at[1]` was always 0.
    assert_eq!(gradient(&tape, &x), [2.0 * 4.0, 20.0, 200.0]);
}

#[test]
fn the_winner_of_an_atomic_minimum_gets_the_gradient() {
    let tape = Tape::new(&chosen());
    let (x, out) = (floats(&[4.0, 2.0, 3.0]), floats(&[9.0]));
    least::launch(&tape, 3, (&x, &out)).unwrap();
    tape.backward(&out).unwrap();
    assert_eq!((gradient(&tape, &x), gradient(&tape, &out)), (vec![0.0, 1.0, 0.0], vec![0.0]));

    tape.clear();
    let out = floats(&[1.0]);
    least::launch(&tape, 3, (&x, &out)).unwrap();
    tape.backward(&out).unwrap();
    assert_eq!((gradient(&tape, &x), gradient(&tape, &out)), (vec![0.0; 3], vec![1.0]), "what was there won");
}

#[test]
fn winners_share_the_gradient() {
    let tape = Tape::new(&chosen());
    for threads in [1, 8, 256] {
        tape.clear();
        let out = zeros(1);
        let launch = largest::launch(&tape, threads, (1.5, &out)).unwrap();
        tape.backward(&out).unwrap();
        assert_eq!(tape.value_gradient::<f64>(launch, "a").unwrap(), 3.0, "{threads} threads");
        assert_eq!(gradient(&tape, &out), [0.0]);
    }
    tape.clear();
    let (x, out) = (floats(&[2.0, 3.0, 2.0]), floats(&[2.0]));
    least::launch(&tape, 3, (&x, &out)).unwrap();
    tape.backward(&out).unwrap();
    let third = 1.0 / 3.0;
    assert_eq!((gradient(&tape, &x), gradient(&tape, &out)), (vec![third, 0.0, third], vec![third]));
}

#[test]
fn a_launch_that_is_repeated_does_not_count_its_winner_again() {
    let tape = Tape::new(&chosen());
    let (x, out) = (floats(&[4.0, 2.0, 3.0]), floats(&[9.0]));
    for _ in 0..3 {
        least::launch(&tape, 3, (&x, &out)).unwrap();
    }
    tape.backward(&out).unwrap();
    assert_eq!((gradient(&tape, &x), gradient(&tape, &out)), (vec![0.0, 1.0, 0.0], vec![0.0]));
    // A second pass counts again.
    tape.backward(&out).unwrap();
    assert_eq!(gradient(&tape, &x), [0.0, 2.0, 0.0]);

    tape.clear();
    let out = zeros(1);
    let launches: Vec<_> = (0..4).map(|_| largest::launch(&tape, 4, (1.5, &out)).unwrap()).collect();
    tape.backward(&out).unwrap();
    let by_a = launches.into_iter().map(|launch| tape.value_gradient::<f64>(launch, "a").unwrap());
    assert!((by_a.sum::<f64>() - 3.0).abs() < 1e-14);
}

#[test]
fn one_index_twice_and_arrays_counted_apart() {
    let device = chosen();
    let at = device.array_from(&[2, 0, 2, 1]).unwrap();
    let x = device.array_from(&[1.0f32, 5.0, 7.0]).unwrap();
    let low = device.array_from(&[1.0f32]).unwrap();
    let high = device.zeros_nd::<f32, 2>([1, 2]).unwrap();
    let tape = Tape::new(&device);
    extremes::launch(&tape, 4, (&at, &x, &low, &high)).unwrap();
    let by_low = device.array_from(&[3.0f32]).unwrap();
    let by_high = device.array_from_nd(Array::from_vec([1, 2], vec![5.0f32, 10.0]).unwrap()).unwrap();
    tape.backward_from(&[Seed::new(&low, &by_low).unwrap(), Seed::new(&high, &by_high).unwrap()]).unwrap();
    assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [1.5, 0.0, 10.0]);
    assert_eq!(tape.gradient(&low).unwrap().to_vec().unwrap(), [1.5]);
    assert_eq!(tape.gradient(&high).unwrap().to_vec().unwrap(), [5.0, 0.0], "the other element stays as it was");
}

#[test]
fn a_minimum_in_the_middle_of_a_sequence() {
    let host = [0.9, 0.4, 0.7];
    let run = |tape: &Tape, host: &[f64]| {
        let (x, s, low) = (floats(host), zeros(3), floats(&[8.0]));
        sine::launch(tape, 3, (&x, &s)).unwrap();
        least::launch(tape, 3, (&s, &low)).unwrap();
        square::launch(tape, 1, (&low,)).unwrap();
        (x, low)
    };
    let tape = Tape::new(&chosen());
    let (x, low) = run(&tape, &host);
    tape.backward(&low).unwrap();
    let value = |host: &[f64]| run(&Tape::new(&chosen()), host).1.to_vec().unwrap()[0];
    assert_close(&gradient(&tape, &x), &differences(&host, value));
}

#[test]
fn gradients_add_up_until_they_are_set_to_zero() {
    let (x, first, second) = (floats(&[1.0, 2.0]), zeros(1), zeros(1));
    let tape = Tape::new(&chosen());
    let launch = saxpy::launch(&tape, 1, (3.0, &x, &first)).unwrap();
    sum::launch(&tape, 2, (&x, &second)).unwrap();
    tape.backward(&first).unwrap();
    assert_eq!(gradient(&tape, &x), [3.0, 0.0]);
    tape.backward(&second).unwrap();
    assert_eq!(gradient(&tape, &x), [4.0, 1.0]);
    tape.backward(&first).unwrap();
    assert_eq!((gradient(&tape, &x), tape.value_gradient(launch, "a")), (vec![7.0, 1.0], Ok(2.0)));

    tape.zero_gradients();
    assert_eq!((gradient(&tape, &x), tape.value_gradient(launch, "a")), (vec![0.0, 0.0], Ok(0.0)));
    tape.backward(&first).unwrap();
    assert_eq!((gradient(&tape, &x), tape.value_gradient(launch, "a")), (vec![3.0, 0.0], Ok(1.0)));

    saxpy::launch(&tape, 1, (5.0, &x, &first)).unwrap();
    tape.zero_gradients();
    tape.backward(&first).unwrap();
    assert_eq!(gradient(&tape, &x), [8.0, 0.0], "a tape grows after a backward pass");
}

#[test]
fn a_value_has_a_gradient_for_each_launch() {
    let (x, y, loss) = (floats(&[1.0, 2.0]), zeros(2), zeros(1));
    let tape = Tape::new(&chosen());
    let first = saxpy::launch(&tape, 2, (2.0, &x, &y)).unwrap();
    square::launch(&tape, 2, (&y,)).unwrap();
    let second = saxpy::launch(&tape, 2, (0.5, &x, &y)).unwrap();
    let unused = saxpy::launch(&tape, 2, (4.0, &x, &zeros(2))).unwrap();
    sum::launch(&tape, 2, (&y, &loss)).unwrap();
    tape.backward(&loss).unwrap();
    // The loss is the sum of (a·x)² + b·x, whose derivatives are 2·a·x² and x.
    assert_eq!(tape.value_gradient(first, "a"), Ok(2.0 * 2.0 * 5.0));
    assert_eq!(tape.value_gradient(second, "a"), Ok(3.0));
    assert_eq!(tape.value_gradient(unused, "a"), Ok(0.0));
}

/// dist\[i, j\] = |p\[i, j\] − center|².
#[kernel]
fn distances(center: Vec3, p: &Array2<Vec3>, dist: &mut Array2<f32>) {
    let (i, j) = tid2();
    let d = p[[i, j]] - center;
    dist[[i, j]] = d.dot(d);
}

#[test]
fn vectors_and_arrays_of_two_axes_have_gradients() {
    let device = chosen();
    let p = Array2::from_vec([1, 2], vec![Vec3::X, Vec3::new(0.0, 2.0, 3.0)]).unwrap();
    let p = device.array_from_nd(&p).unwrap();
    let dist = device.zeros_nd::<f32, 2>([1, 2]).unwrap();
    let seed = device.array_from_nd(Array2::from_vec([1, 2], vec![1.0, 10.0]).unwrap()).unwrap();
    let tape = Tape::new(&device);
    let launch = distances::launch(&tape, [1, 2], (Vec3::ONE, &p, &dist)).unwrap();
    tape.backward_from(&[Seed::new(&dist, &seed).unwrap()]).unwrap();
    let found = tape.gradient(&p).unwrap().to_array().unwrap();
    assert_eq!(found.as_slice(), [Vec3::new(0.0, -2.0, -2.0), Vec3::new(-20.0, 20.0, 40.0)]);
    assert_eq!(tape.value_gradient(launch, "center"), Ok(Vec3::new(20.0, -18.0, -38.0)));
}

#[test]
fn seeds_of_several_types_make_one_pass() {
    let device = chosen();
    let p = device.array_from_nd(Array2::from_vec([1, 1], vec![Vec3::X]).unwrap()).unwrap();
    let dist = device.zeros_nd::<f32, 2>([1, 1]).unwrap();
    let tape = Tape::new(&device);
    distances::launch(&tape, (1, 1), (Vec3::ZERO, &p, &dist)).unwrap();
    let of_p = device.array_from_nd(Array2::from_vec([1, 1], vec![Vec3::Z]).unwrap()).unwrap();
    let of_dist = device.array_from_nd(Array2::from_vec([1, 1], vec![3.0]).unwrap()).unwrap();
    let seeds = [(); 2].map(|()| Seed::new(&dist, &of_dist).unwrap());
    let [first, second] = seeds;
    tape.backward_from(&[first, Seed::new(&p, &of_p).unwrap(), second]).unwrap();
    let found = tape.gradient(&p).unwrap().to_array().unwrap();
    assert_eq!(found.as_slice(), [Vec3::new(12.0, 0.0, 1.0)]);
}

/// Counts the positive elements: no float depends on another.
#[kernel]
fn count_positive(x: &[f64], #[shape(1)] count: &mut [u32]) {
    let i = tid();
    if x[i] > 0.0 {
        atomic_add(&mut count[0], 1);
    }
}

#[test]
fn kernels_without_an_adjoint_may_be_recorded() {
    let (x, y, copy, loss) = (floats(&[1.0, 2.0]), zeros(2), zeros(2), zeros(1));
    let count = chosen().zeros::<u32>(1).unwrap();
    let tape = Tape::new(&chosen());
    count_positive::launch(&tape, 2, (&x, &count)).unwrap();
    detached::launch(&tape, 2, (&x, &copy)).unwrap();
    // `y` is overwritten, so the gradient does not pass through the kernel without an adjoint.
    detached::launch(&tape, 2, (&x, &y)).unwrap();
    product::launch(&tape, 2, (&x, &x, &y)).unwrap();
    sum::launch(&tape, 2, (&y, &loss)).unwrap();
    // No adjoint reads these numbers, so the host may change them.
    count.assign(&[0]).unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(gradient(&tape, &x), [2.0, 4.0]);
}

#[test]
fn an_empty_launch_changes_no_gradient() {
    let (x, loss) = (floats(&[1.0]), zeros(1));
    let tape = Tape::new(&chosen());
    sum::launch(&tape, 1, (&x, &loss)).unwrap();
    saxpy::launch(&tape, 0, (2.0, &zeros(0), &loss)).unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(gradient(&tape, &x), [1.0]);
}

#[test]
fn a_cleared_tape_lets_go_of_its_arrays() {
    let (x, y, loss) = (floats(&[1.0]), zeros(1), zeros(1));
    let tape = Tape::new(&chosen());
    saxpy::launch(&tape, 1, (2.0, &x, &y)).unwrap();
    sum::launch(&tape, 1, (&y, &loss)).unwrap();
    tape.clear();
    assert!(tape.is_empty());
    x.assign(&[5.0]).unwrap();
    saxpy::launch(&tape, 1, (2.0, &x, &y)).unwrap();
    tape.backward(&y).unwrap();
    assert_eq!(gradient(&tape, &x), [2.0]);
}

#[test]
fn a_tape_goes_from_thread_to_thread() {
    let (x, y) = (floats(&[1.0]), zeros(1));
    let tape = Tape::new(&chosen());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| saxpy::launch(&tape, 1, (2.0, &x, &y)).unwrap());
        }
    });
    tape.backward(&y).unwrap();
    assert_eq!(gradient(&tape, &x), [8.0]);
}
