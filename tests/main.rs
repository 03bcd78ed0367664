//! The integration tests, in one program.

use kernels as _;

mod cxx;
mod goldens;
mod hygiene;
mod parity;
mod traps;
mod user_kernel;
