//! The index of the running thread. `#[kernel]` replaces these functions inside a kernel. The definitions here provide
//! the types, and the message for a call outside.

/// The index of this thread in a 1-D launch.
///
/// # Panics
/// Outside a kernel.
pub fn tid() -> usize {
    outside("tid")
}

/// The index of this thread in a 2-D launch, outermost axis first.
///
/// # Panics
/// Outside a kernel.
pub fn tid2() -> (usize, usize) {
    outside("tid2")
}

/// The index of this thread in a 3-D launch, outermost axis first.
///
/// # Panics
/// Outside a kernel.
pub fn tid3() -> (usize, usize, usize) {
    outside("tid3")
}

/// The index of this thread in a 4-D launch, outermost axis first.
///
/// # Panics
/// Outside a kernel.
pub fn tid4() -> (usize, usize, usize, usize) {
    outside("tid4")
}

fn outside(function: &str) -> ! {
    panic!("`{function}()` is the index of a thread, and only a function under `#[kernel]` runs in one")
}
