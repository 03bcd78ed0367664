//! The errors of a tape.

use super::*;
use kernel_rt::{Seed, TapeError, Writer};

#[track_caller]
fn assert_changed(result: Result<(), TapeError>, kernel: &'static str, param: &'static str, writer: Writer) {
    assert_eq!(result, Err(TapeError::Changed { kernel, param, writer }));
}

#[test]
fn an_input_changed_between_launch_and_backward() {
    let (x, y, loss) = (floats(&[2.0]), floats(&[3.0]), zeros(1));
    let tape = Tape::new(&chosen());
    product::launch(&tape, 1, (&x, &y, &loss)).unwrap();
    square::launch(&chosen(), 1, (&x,)).unwrap();
    let error = tape.backward(&loss).unwrap_err();
    assert_eq!(error, TapeError::Changed { kernel: "product", param: "x", writer: Writer::Launch("square") });
    assert_eq!(
        error.to_string(),
        "`x` of kernel `product` was changed after the recorded launch by a launch of `square`, which is not on the tape\n\
         help: record that change on the tape too, or make it after `clear`"
    );
    assert_eq!(tape.gradient(&x).unwrap_err(), TapeError::NoBackward);

    y.assign(&[7.0]).unwrap();
    let tape = Tape::new(&chosen());
    product::launch(&tape, 1, (&x, &y, &loss)).unwrap();
    y.assign(&[7.0]).unwrap();
    assert_changed(tape.backward(&loss), "product", "y", Writer::Host);
}

#[test]
fn an_array_changed_between_two_launches() {
    let (x, y, loss) = (floats(&[2.0]), zeros(1), zeros(1));
    let tape = Tape::new(&chosen());
    sine::launch(&tape, 1, (&x, &y)).unwrap();
    square::launch(&chosen(), 1, (&y,)).unwrap();
    sum::launch(&tape, 1, (&y, &loss)).unwrap();
    assert_changed(tape.backward(&loss), "sine", "out", Writer::Launch("square"));
}

#[test]
fn a_result_changed_before_backward() {
    let (x, loss) = (floats(&[2.0]), zeros(1));
    let tape = Tape::new(&chosen());
    sum::launch(&tape, 1, (&x, &loss)).unwrap();
    loss.assign(&[0.0]).unwrap();
    assert_changed(tape.backward(&loss), "sum", "out", Writer::Host);
}

#[test]
fn indices_changed_before_backward() {
    let (x, out) = (floats(&[1.0, 2.0]), zeros(1));
    let at = chosen().array_from(&[1]).unwrap();
    let tape = Tape::new(&chosen());
    gather::launch(&tape, 1, (&at, &x, &out)).unwrap();
    at.assign(&[0]).unwrap();
    assert_changed(tape.backward(&out), "gather", "at", Writer::Host);
}

#[test]
fn a_change_before_a_second_backward() {
    let (x, y, loss) = (floats(&[2.0]), floats(&[3.0]), zeros(1));
    let tape = Tape::new(&chosen());
    product::launch(&tape, 1, (&x, &y, &loss)).unwrap();
    tape.backward(&loss).unwrap();
    x.assign(&[1.0]).unwrap();
    assert_changed(tape.backward(&loss), "product", "x", Writer::Host);
    assert_eq!(gradient(&tape, &x), [3.0], "of the first");
}

#[test]
fn another_tape_is_not_this_tape() {
    let (x, y) = (floats(&[2.0]), zeros(1));
    let (tape, other) = (Tape::new(&chosen()), Tape::new(&chosen()));
    saxpy::launch(&tape, 1, (2.0, &x, &y)).unwrap();
    square::launch(&other, 1, (&x,)).unwrap();
    assert_changed(tape.backward(&y), "saxpy", "x", Writer::Launch("square"));
}

/// out\[i\] = x\[i + shift\].
#[kernel]
fn shifted(#[domain(0..1)] shift: usize, x: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = x[i + shift];
}

#[test]
fn a_launch_that_failed_is_a_change_from_outside() {
    let (x, y, loss) = (floats(&[2.0, 3.0]), zeros(2), zeros(1));
    // A GPU notices a bad index only with bounds checks.
    let tape = Tape::new(&chosen().bounds_checked());
    sine::launch(&tape, 2, (&x, &y)).unwrap();
    shifted::launch(&tape, 2, (1, &x, &y)).unwrap_err();
    assert_eq!(tape.len(), 1);
    sum::launch(&tape, 2, (&y, &loss)).unwrap();
    assert_changed(tape.backward(&loss), "sine", "out", Writer::Launch("shifted"));
}

#[test]
fn a_gradient_through_a_kernel_without_one() {
    let (x, y, loss) = (floats(&[1.0]), zeros(1), zeros(1));
    let tape = Tape::new(&chosen());
    sum::launch(&tape, 1, (&x, &loss)).unwrap();
    detached::launch(&tape, 1, (&x, &y)).unwrap();
    sum::launch(&tape, 1, (&y, &loss)).unwrap();
    let error = tape.backward(&loss).unwrap_err();
    assert_eq!(error, TapeError::NoGrad { kernel: "detached", param: "out" });
    assert_eq!(
        error.to_string(),
        "the gradient goes through the array that the kernel `detached` took as `out` and wrote, and `detached` is marked `no_grad`"
    );
    assert_eq!(tape.gradient(&x).unwrap_err(), TapeError::NoBackward, "after an error the gradients are as they were");
}

#[test]
fn a_gradient_that_there_is_not() {
    let (x, y, other) = (floats(&[1.0, 2.0]), zeros(2), zeros(2));
    let tape = Tape::new(&chosen());
    assert_eq!(tape.gradient(&x).unwrap_err(), TapeError::NotRecorded);
    let launch = saxpy::launch(&tape, 2, (2.0, &x, &y)).unwrap();
    assert_eq!(tape.gradient(&x).unwrap_err(), TapeError::NoBackward);
    assert_eq!(tape.value_gradient::<f64>(launch, "a"), Err(TapeError::NoBackward));
    tape.backward_from(&[Seed::new(&y, &zeros(2)).unwrap()]).unwrap();
    assert_eq!(gradient(&tape, &x), [0.0, 0.0]);
    assert_eq!(tape.value_gradient::<f64>(launch, "a"), Ok(0.0));
    assert_eq!(tape.gradient(&other).unwrap_err(), TapeError::NotRecorded);
    tape.zero_gradients();
    assert_eq!(gradient(&tape, &x), [0.0, 0.0]);
    tape.clear();
    assert_eq!(tape.gradient(&x).unwrap_err(), TapeError::NotRecorded);
}

#[test]
fn what_backward_cannot_start_from() {
    let (x, y) = (floats(&[1.0, 2.0]), zeros(2));
    let tape = Tape::new(&chosen());
    saxpy::launch(&tape, 2, (2.0, &x, &y)).unwrap();
    assert_eq!(tape.backward(&y), Err(TapeError::NotScalar { shape: vec![2] }));
    assert_eq!(tape.backward(&zeros(1)), Err(TapeError::NotRecorded));
    assert_eq!(Seed::new(&y, &zeros(3)).unwrap_err(), TapeError::SeedShape { expected: vec![2], found: vec![3] });
}

/// y = a·y.
#[kernel(no_grad)]
fn scale(a: f64, y: &mut [f64]) {
    let i = tid();
    y[i] *= a;
}

#[test]
fn gradients_of_values_that_are_not_there() {
    let (x, y) = (floats(&[1.0]), zeros(1));
    let tape = Tape::new(&chosen());
    let launch = saxpy::launch(&tape, 1, (2.0, &x, &y)).unwrap();
    let kernel = "saxpy";
    assert_eq!(tape.value_gradient::<f64>(launch, "x"), Err(TapeError::NoSuchValue { kernel, param: "x".to_owned() }));
    let error = tape.value_gradient::<f32>(launch, "a").unwrap_err();
    assert_eq!(error.to_string(), "kernel `saxpy`: `a` is a `f64`, not a `f32`");
    assert_eq!(Tape::new(&chosen()).value_gradient::<f64>(launch, "a"), Err(TapeError::NoSuchLaunch));
    tape.clear();
    assert_eq!(tape.value_gradient::<f64>(launch, "a"), Err(TapeError::NoSuchLaunch));
    let launch = scale::launch(&tape, 1, (2.0, &y)).unwrap();
    assert_eq!(tape.value_gradient::<f64>(launch, "a"), Err(TapeError::NoGrad { kernel: "scale", param: "a" }));
}
