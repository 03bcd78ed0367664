//! A thread that fails: what the error tells, and that nothing is printed.

use kernel_rt::__private::{Body, Schedule, run};
use kernel_rt::prelude::*;
use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const LINE: u32 = line!() + 6;

/// Every access is to a two-dimensional array, at another column.
#[kernel]
fn pick(from: usize, to: usize, #[shape(dim0, 4)] a: &Array2<f32>, #[shape(dim0, 4)] b: &mut Array2<f32>) {
    let i = tid();
    b[[i, to]] = a[[i, from]];
}

const TALLY: u32 = line!() + 6;

/// Atomic additions to an array of two axes.
#[kernel]
fn tally(at: usize, #[shape(4, 4)] counts: &mut Array2<u32>) {
    let i = tid();
    atomic_add(&mut counts[[i % 4, at]], 1);
}

/// Overflows in the second thread.
#[kernel]
fn next(x: &[i32], y: &mut [i32]) {
    let i = tid();
    y[i] = x[i] + 1;
}

#[test]
fn an_index_out_of_bounds_of_an_array_names_the_line_of_the_author() {
    let _turn = turn();
    let (a, mut b) = (Array2::zeros([3, 4]), Array2::zeros([3, 4]));
    let error = |result: Result<(), LaunchError>| result.unwrap_err().to_string();
    let expected = |kernel, array, index, line, column| {
        format!(
            "kernel `{kernel}`, thread [0], array `{array}`: index out of bounds: \
             the index is {index} along axis 1, whose extent is 4 ({}:{line}:{column})",
            file!()
        )
    };
    assert_eq!(error(pick::cpu(3, 7, 1, &a, &mut b)), expected("pick", "a", 7, LINE, 19));
    assert_eq!(error(pick::cpu(3, 1, 5, &a, &mut b)), expected("pick", "b", 5, LINE, 6));
    let mut counts = Array2::zeros([4, 4]);
    assert_eq!(error(tally::cpu(3, 9, &mut counts)), expected("tally", "counts", 9, TALLY, 27));
}

#[test]
fn an_index_out_of_bounds_on_the_host_names_the_line_of_the_caller() {
    let _turn = turn();
    static FOUND: Mutex<Option<(String, u32)>> = Mutex::new(None);
    let hook = take_hook();
    set_hook(Box::new(|info| {
        if let Some(place) = info.location() {
            *FOUND.lock().unwrap() = Some((place.file().to_owned(), place.line()));
        }
    }));
    let result = std::thread::spawn(|| Array2::<f32>::zeros([2, 2])[[0, 2]]).join();
    let line = line!() - 1;
    set_hook(hook);
    assert!(result.is_err());
    assert_eq!(*FOUND.lock().unwrap(), Some((file!().to_owned(), line)));
}

/// One test at a time has a hook of its own.
fn turn() -> std::sync::MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn an_error_prints_nothing_and_other_panics_are_reported() {
    let _turn = turn();
    static REPORTS: AtomicUsize = AtomicUsize::new(0);
    let reports = || REPORTS.swap(0, Ordering::Relaxed);
    let hook = take_hook();
    set_hook(Box::new(|_| {
        REPORTS.fetch_add(1, Ordering::Relaxed);
    }));
    let mut results = Vec::new();

    // In order, on all cores, and of the language itself.
    let threads = 100_000;
    let short = next::cpu(threads, &vec![0; threads], &mut vec![0; threads - 1]);
    let overflow = next::cpu(2, &[0, i32::MAX], &mut [0; 2]);
    results.push((reports(), 0));

    // A panic elsewhere during a launch.
    let plan = Schedule { work: 1, scattered: 0, stride: 1 }.plan(&[1], 0);
    let body = Body { kernel: "waits", file: file!(), indexed: &[] };
    let waits = run(body, [1], &plan, &|_| assert!(std::thread::spawn(|| panic!("elsewhere")).join().is_err()));
    results.push((reports(), 1));

    // After the launches it is the hook of the test again.
    let after = std::thread::spawn(|| panic!("afterwards")).join();
    results.push((reports(), 1));

    // A hook that is set during a launch stays.
    let replaced = run(body, [1], &plan, &|_| {
        set_hook(Box::new(|_| {
            REPORTS.fetch_add(10, Ordering::Relaxed);
        }));
    });
    let with_other = std::thread::spawn(|| panic!("afterwards")).join();
    results.push((reports(), 10));
    set_hook(hook);

    let LaunchError::Failed { thread, array, .. } = short.unwrap_err() else { panic!("a thread fails") };
    assert_eq!((thread, array.as_deref()), (vec![threads - 1], Some("y")));
    let overflow = overflow.unwrap_err().to_string();
    assert!(overflow.starts_with("kernel `next`, thread [1]: attempt to add with overflow ("), "{overflow}");
    assert!(waits.is_ok() && after.is_err() && replaced.is_ok() && with_other.is_err());
    assert!(results.iter().all(|(found, expected)| found == expected), "{results:?}");
}
