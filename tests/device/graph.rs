//! Graphs: recorded launches that the device replays.

use super::on_each;
use kernel_rt::LaunchError;
use kernel_rt::prelude::*;

/// y = a·x + y.
#[kernel]
fn saxpy(a: f64, x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] += a * x[i];
}

/// out = x².
#[kernel]
fn square(x: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = x[i] * x[i];
}

#[test]
fn a_replay_runs_the_launches_in_their_order() {
    on_each(|device| {
        let (x, y) = (device.array_from(&[1.0, 2.0]).unwrap(), device.zeros::<f64>(2).unwrap());
        let graph = Graph::new(&device).unwrap();
        saxpy::launch(&graph, 2, (3.0, &x, &y)).unwrap();
        square::launch(&graph, 2, (&y, &x)).unwrap();
        assert_eq!((graph.len(), y.to_vec().unwrap(), y.version()), (2, vec![0.0, 0.0], 0));
        graph.replay().unwrap();
        assert_eq!((y.to_vec().unwrap(), x.to_vec().unwrap()), (vec![3.0, 6.0], vec![9.0, 36.0]));
        graph.replay().unwrap();
        assert_eq!((y.to_vec().unwrap(), x.to_vec().unwrap()), (vec![30.0, 114.0], vec![900.0, 12996.0]));
        assert_eq!((x.version(), y.version()), (2, 2));
    });
}

#[test]
fn a_replay_follows_an_array_that_was_replaced() {
    on_each(|device| {
        let (x, y) = (device.array_from(&[1.0]).unwrap(), device.zeros::<f64>(1).unwrap());
        let graph = Graph::new(&device).unwrap();
        saxpy::launch(&graph, 1, (1.0, &x, &y)).unwrap();
        graph.replay().unwrap();
        let before = device.zeros::<f64>(1).unwrap();
        before.copy_from(&y).unwrap();
        x.assign(&[10.0]).unwrap();
        graph.replay().unwrap();
        assert_eq!((y.to_vec().unwrap(), before.to_vec().unwrap()), (vec![11.0], vec![1.0]));
    });
}

#[test]
fn two_launches_may_write_one_array() {
    on_each(|device| {
        let (x, y) = (device.array_from(&[2.0]).unwrap(), device.array_from(&[1.0]).unwrap());
        let graph = Graph::new(&device).unwrap();
        saxpy::launch(&graph, 1, (1.0, &x, &y)).unwrap();
        saxpy::launch(&graph, 1, (10.0, &x, &y)).unwrap();
        graph.replay().unwrap();
        assert_eq!(y.to_vec().unwrap(), [23.0]);
    });
}

#[test]
fn a_launch_is_checked_when_it_is_recorded() {
    on_each(|device| {
        let x = device.zeros::<f64>(1).unwrap();
        let graph = Graph::new(&device).unwrap();
        let error = saxpy::launch(&graph, 1, (1.0, &x, &x)).unwrap_err();
        assert!(matches!(error, LaunchError::Aliased { .. }), "{error}");
        assert!(graph.is_empty());
        graph.replay().unwrap();
    });
}

#[test]
fn a_replayed_write_is_seen_by_a_tape() {
    on_each(|device| {
        let (x, y) = (device.array_from(&[2.0]).unwrap(), device.zeros::<f64>(1).unwrap());
        let graph = Graph::new(&device).unwrap();
        square::launch(&graph, 1, (&y, &x)).unwrap();
        let tape = Tape::new(&device);
        square::launch(&tape, 1, (&x, &y)).unwrap();
        graph.replay().unwrap();
        let error = tape.backward(&y).unwrap_err();
        assert!(error.to_string().contains("was changed after the recorded launch"), "{error}");
    });
}
