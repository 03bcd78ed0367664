//! Gradients in doubt: the findings of a tape on a bounds-checked device.

use super::{floats, gradient, product, sum, zeros};
use crate::device::chosen;
use kernel_rt::TapeError;
use kernel_rt::prelude::*;

/// out = √x.
#[kernel]
fn root(#[domain(0.5..1.5)] x: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = x[i].sqrt();
}

/// out = √x · √x.
#[kernel]
fn root_squared(#[domain(0.5..1.5)] x: &[f64], out: &mut [f64]) {
    let i = tid();
    let s = x[i].sqrt();
    out[i] = s * s;
}

/// out = x where that is above 1, else y.
#[kernel]
fn small_or(x: &[f64], y: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = if x[i] > 1.0 { x[i] } else { y[i] };
}

fn checked() -> Tape {
    Tape::new(&chosen().bounds_checked())
}

#[test]
fn a_computed_zero_is_reported_with_operation_and_thread() {
    let (x, y, loss) = (floats(&[4.0, 0.0, 0.0]), zeros(3), zeros(1));
    let tape = checked();
    root_squared::launch(&tape, 3, (&x, &y)).unwrap();
    sum::launch(&tape, 3, (&y, &loss)).unwrap();
    let error = tape.backward(&loss).unwrap_err();
    let TapeError::ComputedZero { kernel, site } = &error else { panic!("{error}") };
    assert_eq!((*kernel, site.thread.as_slice()), ("root_squared", [1].as_slice()));
    assert!(site.operation.starts_with("strong_div("), "{error}");
    assert!(error.to_string().contains("gives 0 by convention\nhelp: "), "{error}");
    assert_eq!(tape.gradient(&x).unwrap_err(), TapeError::NoBackward, "after an error the gradients are as they were");
}

#[test]
fn a_computed_zero_is_followed_from_launch_to_launch() {
    // The second launch multiplies by a result of the first one, which is 0 at 0.
    let (x, s, y, loss) = (floats(&[4.0, 0.0]), zeros(2), zeros(2), zeros(1));
    let tape = checked();
    root::launch(&tape, 2, (&x, &s)).unwrap();
    product::launch(&tape, 2, (&s, &s, &y)).unwrap();
    sum::launch(&tape, 2, (&y, &loss)).unwrap();
    let error = tape.backward(&loss).unwrap_err();
    let TapeError::ComputedZero { kernel: "root", site } = error else { panic!("{error}") };
    assert_eq!(site.thread, [1]);
}

#[test]
fn a_structural_zero_of_a_later_launch_is_not() {
    let (x, s, y, loss) = (floats(&[4.0, 0.0]), zeros(2), zeros(2), zeros(1));
    let tape = checked();
    root::launch(&tape, 2, (&x, &s)).unwrap();
    small_or::launch(&tape, 2, (&s, &floats(&[5.0, 7.0]), &y)).unwrap();
    sum::launch(&tape, 2, (&y, &loss)).unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(gradient(&tape, &x), [0.25, 0.0]);
}

#[test]
fn an_adjoint_that_becomes_infinite_is_reported() {
    let (x, s, loss) = (floats(&[4.0, 0.0]), zeros(2), zeros(1));
    let tape = checked();
    root::launch(&tape, 2, (&x, &s)).unwrap();
    sum::launch(&tape, 2, (&s, &loss)).unwrap();
    let error = tape.backward(&loss).unwrap_err();
    let TapeError::NotFinite { kernel: "root", site } = error else { panic!("{error}") };
    assert_eq!(site.thread, [1]);
}

#[test]
fn without_checks_there_are_no_reports() {
    let (x, y, loss) = (floats(&[4.0, 0.0]), zeros(2), zeros(1));
    let tape = Tape::new(&chosen());
    root_squared::launch(&tape, 2, (&x, &y)).unwrap();
    sum::launch(&tape, 2, (&y, &loss)).unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(gradient(&tape, &x), [1.0, 0.0]);
}
