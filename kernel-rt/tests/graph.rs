//! Graphs on the CPU.

use kernel_rt::prelude::*;

/// y = a·x + y.
#[kernel]
fn saxpy(a: f64, x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] += a * x[i];
}

/// b = aᵀ.
#[kernel]
fn transpose(#[shape(dim1, dim0)] a: &Array2<f64>, b: &mut Array2<f64>) {
    let (i, j) = tid2();
    b[[i, j]] = a[[j, i]];
}

#[test]
fn a_replay_runs_the_launches_in_their_order() {
    let device = Device::cpu();
    let (x, y) = (device.array_from(&[1.0, 2.0]).unwrap(), device.zeros::<f64>(2).unwrap());
    let graph = Graph::new(&device).unwrap();
    saxpy::launch(&graph, 2, (3.0, &x, &y)).unwrap();
    saxpy::launch(&graph, 2, (1.0, &y, &x)).unwrap();
    assert_eq!((graph.len(), y.to_vec().unwrap(), y.version()), (2, vec![0.0, 0.0], 0));
    graph.replay().unwrap();
    assert_eq!((y.to_vec().unwrap(), x.to_vec().unwrap()), (vec![3.0, 6.0], vec![4.0, 8.0]));
    // The arrays are those of the replay.
    x.assign(&[10.0, 0.0]).unwrap();
    graph.replay().unwrap();
    assert_eq!((y.to_vec().unwrap(), x.to_vec().unwrap()), (vec![33.0, 6.0], vec![43.0, 6.0]));
    assert_eq!(y.version(), 2);
}

#[test]
fn a_graph_keeps_the_arrays_of_its_launches() {
    let device = Device::cpu();
    let b = device.zeros_nd::<f64, 2>([2, 1]).unwrap();
    let graph = Graph::new(&device).unwrap();
    assert!(graph.is_empty());
    {
        let a = device.array_from_nd(Array2::from_vec([1, 2], vec![1.0, 2.0]).unwrap()).unwrap();
        transpose::launch(&graph, [2, 1], (&a, &b)).unwrap();
    }
    graph.replay().unwrap();
    assert_eq!(b.to_vec().unwrap(), [1.0, 2.0]);
}

#[test]
fn a_launch_that_fails_ends_the_replay() {
    let device = Device::cpu();
    let (x, y) = (device.array_from(&[1.0, 2.0]).unwrap(), device.zeros::<f64>(2).unwrap());
    let graph = Graph::new(&device).unwrap();
    saxpy::launch(&graph, 3, (1.0, &x, &y)).unwrap();
    saxpy::launch(&graph, 2, (1.0, &x, &y)).unwrap();
    let error = graph.replay().unwrap_err().to_string();
    assert!(error.starts_with("kernel `saxpy`, thread [2], array `"), "{error}");
    assert_eq!(y.to_vec().unwrap(), [1.0, 2.0]);
    let aliased = saxpy::launch(&graph, 2, (1.0, &x, &x)).unwrap_err();
    assert!(matches!(aliased, LaunchError::Aliased { .. }) && graph.len() == 2);
}
