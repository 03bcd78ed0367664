//! The integration tests, as one binary.

use kernels as _;

mod adjoint;
mod array_structs;
mod blocks;
mod cpu;
mod debugging;
mod device;
mod enums;
mod functions;
mod fuzz;
mod generics;
mod goldens;
mod guide;
mod half;
mod hostile;
mod hygiene;
mod judges;
mod library;
mod library_page;
mod local_arrays;
mod messages;
mod methods;
mod mutation;
mod narrow;
mod optional_arrays;
mod parity;
mod procedures;
mod promises;
mod random;
mod random_numbers;
mod readme;
mod rng;
mod rust_text;
mod sizes;
mod struct_arrays;
mod structs;
mod tables;
mod tape;
/// The kernels of the crate that `gen-dataset new` writes. Every test of registered kernels covers them.
#[path = "../gen-dataset/template/src/kernels.rs"]
mod template;
mod ties;
mod tiles;
mod torture;
mod traps;
mod user_kernel;
mod views;
mod warp_gradients;
mod wgsl;
mod wrapped;
