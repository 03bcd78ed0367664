//! Views of rows, on the CPU and on a device.

use super::on_each;
use kernel_rt::prelude::*;
use kernel_rt::{LaunchError, Seed, TapeError};

/// y = a·x + y.
#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}

/// out = mᵀ.
#[kernel]
fn transpose(#[shape(dim1, dim0)] m: &Array2<f32>, out: &mut Array2<f32>) {
    let (i, j) = tid2();
    out[[i, j]] = m[[j, i]];
}

#[test]
fn views_on_the_cpu() {
    check(&Device::cpu());
}

#[test]
fn views_on_a_device() {
    on_each(|device| {
        check(&device);
        check(&device.bounds_checked());
        check_graph(&device);
    });
}

fn check(device: &Device) {
    let (x, y) = (device.array_from(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap(), device.zeros::<f32>(5).unwrap());
    let (from, to) = (x.rows(1..3).unwrap(), y.rows(3..5).unwrap());
    saxpy::launch(device, 2, (2.0, &from, &to)).unwrap();
    assert_eq!((y.to_vec().unwrap(), to.to_vec().unwrap()), (vec![0.0, 0.0, 0.0, 4.0, 6.0], vec![4.0, 6.0]));
    assert_eq!((x.version(), y.version(), to.version()), (0, 1, 1));
    // A launch must not go beyond its view.
    assert!(saxpy::launch(device, 3, (2.0, &from, &to)).is_err());
    y.fill(7.0).unwrap();
    to.rows(1..2).unwrap().assign(&[8.0]).unwrap();
    assert_eq!(to.to_vec().unwrap(), [7.0, 8.0]);
    to.copy_from(&from).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.0, 7.0, 7.0, 2.0, 3.0]);

    let m = device.array_from_nd(Array2::from_vec([3, 2], (0..6).map(|k| k as f32).collect()).unwrap()).unwrap();
    let out = device.zeros_nd::<f32, 2>([4, 2]).unwrap();
    transpose::launch(device, [2, 2], (&m.rows(1..3).unwrap(), &out.rows(2..4).unwrap())).unwrap();
    assert_eq!(out.to_vec().unwrap(), [0.0, 0.0, 0.0, 0.0, 2.0, 4.0, 3.0, 5.0]);
    let nothing = m.rows(3..3).unwrap();
    transpose::launch(device, [2, 0], (&nothing, &device.zeros_nd([2, 0]).unwrap())).unwrap();

    let (lower, upper) = (x.rows(0..2).unwrap(), x.rows(2..4).unwrap());
    let aliased = LaunchError::Aliased { kernel: "saxpy", writes: "y", other: "x" };
    assert_eq!(saxpy::launch(device, 2, (1.0, &lower, &upper)).unwrap_err(), aliased);
    let tape = Tape::new(device);
    let refused = LaunchError::ViewOnTape { kernel: "saxpy", param: "y" };
    assert_eq!(saxpy::launch(&tape, 2, (1.0, &device.zeros(2).unwrap(), &to)).unwrap_err(), refused);
    saxpy::launch(&tape, 5, (3.0, &x, &y)).unwrap();
    assert_eq!(tape.backward(&y.rows(0..1).unwrap()).unwrap_err(), TapeError::SeedView);
    let seed = Seed::new(&y, &x).unwrap();
    tape.backward_from(&[seed]).unwrap();
    assert_eq!(tape.gradient(&from).unwrap().to_vec().unwrap(), [6.0, 9.0]);
}

fn check_graph(device: &Device) {
    let (x, y) = (device.array_from(&[1.0, 2.0, 3.0]).unwrap(), device.zeros::<f32>(3).unwrap());
    let graph = Graph::new(device).unwrap();
    saxpy::launch(&graph, 2, (1.0, &x.rows(1..3).unwrap(), &y.rows(0..2).unwrap())).unwrap();
    graph.replay().unwrap();
    let kept = device.zeros::<f32>(3).unwrap();
    kept.copy_from(&y).unwrap();
    graph.replay().unwrap();
    assert_eq!((kept.to_vec().unwrap(), y.to_vec().unwrap()), (vec![2.0, 3.0, 0.0], vec![4.0, 6.0, 0.0]));
}
