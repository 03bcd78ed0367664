//! The integration tests, in one program.

use kernels as _;

mod cxx;
mod hygiene;
mod judges;
mod mutation;
mod parity;
mod user_kernel;
