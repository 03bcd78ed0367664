//! Several streams of a device. The results must be those of the order of the calls.
//!
//! The stand-in delays the work of a stream as long as it may. So a stream that fails to wait for another one finds old
//! contents.

use super::on_each;
use kernel_rt::Seed;
use kernel_rt::prelude::*;

/// y = a·x + y.
#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}

/// y = x².
#[kernel]
fn square(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * x[i];
}

#[test]
fn streams_of_the_cpu() {
    check(&Device::cpu());
}

#[test]
fn streams_of_a_device() {
    on_each(|device| {
        check(&device);
        check(&device.bounds_checked());
        check_graph(&device);
    });
}

#[test]
fn copies_to_the_host_are_of_the_time_when_they_start() {
    check_downloads(&Device::cpu());
    on_each(|device| check_downloads(&device));
}

fn check_downloads(device: &Device) {
    let x = device.array_from(&[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let y = device.zeros::<f32>(4).unwrap();
    saxpy::launch(device, 4, (2.0, &x, &y)).unwrap();
    let (first, unread) = (y.download().unwrap(), y.download().unwrap());
    // Later changes, by a launch and by the host.
    saxpy::launch(device, 4, (1.0, &x, &y)).unwrap();
    let second = y.rows(1..3).unwrap().download().unwrap();
    y.fill(0.0).unwrap();
    drop(unread);
    // In any order, on any thread, and without the array.
    assert_eq!(second.wait().unwrap(), [6.0, 9.0]);
    drop(y);
    assert_eq!(std::thread::spawn(|| first.wait().unwrap()).join().unwrap(), [2.0, 4.0, 6.0, 8.0]);
    assert!(device.zeros::<f64>(0).unwrap().download().unwrap().wait().unwrap().is_empty());
    // Parts of a word.
    let flags = device.array_from(&[true, false, true, true, false]).unwrap();
    let part = flags.rows(1..4).unwrap().download().unwrap();
    assert_eq!(part.wait().unwrap(), [false, true, true]);
}

fn check(device: &Device) {
    let side = device.stream().unwrap();
    assert_eq!(&side, device);
    let x = device.array_from(&[1.0, 2.0]).unwrap();
    let (y, z) = (device.zeros::<f32>(2).unwrap(), side.array_from(&[10.0, 20.0]).unwrap());
    // `side` reads what the first stream wrote, and the first stream reads what `side` wrote.
    saxpy::launch(device, 2, (2.0, &x, &y)).unwrap();
    saxpy::launch(&side, 2, (1.0, &y, &z)).unwrap();
    saxpy::launch(device, 2, (1.0, &z, &x)).unwrap();
    // `side` must read `x` before the first stream overwrites it, and write `y` before it is read.
    saxpy::launch(&side, 2, (1.0, &x, &y)).unwrap();
    x.fill(0.0).unwrap();
    assert_eq!((y.to_vec().unwrap(), z.to_vec().unwrap()), (vec![15.0, 30.0], vec![12.0, 24.0]));
    // Copies, in both directions.
    x.copy_from(&z).unwrap();
    saxpy::launch(&side, 2, (1.0, &y, &z)).unwrap();
    y.copy_from(&z).unwrap();
    z.fill(1.0).unwrap();
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![12.0, 24.0], vec![27.0, 54.0]));
    // Memory that is freed while the other stream still has to read it.
    let passing = device.array_from(&[3.0, 4.0]).unwrap();
    saxpy::launch(&side, 2, (1.0, &passing, &z)).unwrap();
    drop(passing);
    let _next = device.array_from(&[7.0, 7.0]).unwrap();
    assert_eq!(z.to_vec().unwrap(), [4.0, 5.0]);

    // A tape on one stream over arrays of the other.
    let (from, to) = (device.array_from(&[3.0, 5.0]).unwrap(), side.zeros::<f32>(2).unwrap());
    let tape = Tape::new(&side);
    square::launch(&tape, 2, (&from, &to)).unwrap();
    let ones = device.array_from(&[1.0, 1.0]).unwrap();
    tape.backward_from(&[Seed::new(&to, &ones).unwrap()]).unwrap();
    assert_eq!(tape.gradient(&from).unwrap().to_vec().unwrap(), [6.0, 10.0]);
}

fn check_graph(device: &Device) {
    let side = device.stream().unwrap();
    let (x, y) = (device.array_from(&[1.0, 2.0]).unwrap(), side.zeros::<f32>(2).unwrap());
    let graph = Graph::new(&side).unwrap();
    saxpy::launch(&graph, 2, (1.0, &x, &y)).unwrap();
    graph.replay().unwrap();
    x.fill(10.0).unwrap();
    graph.replay().unwrap();
    x.fill(0.0).unwrap();
    assert_eq!(y.to_vec().unwrap(), [11.0, 12.0]);
}
