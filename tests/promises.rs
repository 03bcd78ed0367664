//! Promises of domains on which an adjoint rests: every launch checks them, on every path, before anything runs.

use kernel_rt::prelude::*;

use crate::torture::rows::permuted;

const BROKEN: &str = "kernel `permuted`: the domain of `p` says `permutation`, but p[0] and p[2] are both 2";

#[test]
fn a_call_with_slices_checks() {
    let mut y = [1.0, 1.0, 1.0];
    let error = permuted::cpu(3, &[2, 1, 2], &[1.0, 2.0, 3.0], &mut y).unwrap_err();
    assert_eq!((error.to_string(), y), (BROKEN.to_owned(), [1.0, 1.0, 1.0]));
    permuted::cpu(3, &[2, 1, 0], &[1.0, 2.0, 3.0], &mut y).unwrap();
    assert_eq!(y, [9.0, 4.0, 1.0].map(|factor: f64| factor * 1.0f64.sin()));
}

#[test]
fn a_device_and_a_tape_check() {
    let device = Device::cpu();
    let (p, x) = (device.array_from(&[2, 1, 2_u32]).unwrap(), device.array_from(&[1.0, 2.0, 3.0]).unwrap());
    let y = device.array_from(&[1.0; 3]).unwrap();
    assert_eq!(permuted::launch(&device, 3, (&p, &x, &y)).unwrap_err().to_string(), BROKEN);
    let tape = Tape::new(&device);
    assert_eq!(permuted::launch(&tape, 3, (&p, &x, &y)).unwrap_err().to_string(), BROKEN);
    assert_eq!(y.to_vec().unwrap(), [1.0; 3]);
    // An array whose elements have changed is checked again.
    p.assign(&[2, 1, 0]).unwrap();
    permuted::launch(&tape, 3, (&p, &x, &y)).unwrap();
    p.assign(&[2, 2, 0]).unwrap();
    assert!(matches!(permuted::launch(&device, 3, (&p, &x, &y)), Err(LaunchError::Promise { param: "p", .. })));
}

#[test]
fn a_graph_checks_each_replay() {
    let device = Device::cpu();
    let (p, x) = (device.array_from(&[2, 1, 0_u32]).unwrap(), device.array_from(&[1.0, 2.0, 3.0]).unwrap());
    let y = device.array_from(&[1.0; 3]).unwrap();
    let graph = Graph::new(&device).unwrap();
    permuted::launch(&graph, 3, (&p, &x, &y)).unwrap();
    graph.replay().unwrap();
    p.assign(&[2, 1, 2]).unwrap();
    assert_eq!(graph.replay().unwrap_err().to_string(), BROKEN);
}
