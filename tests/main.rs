//! The integration tests, in one program.

use kernels as _;

mod cxx;
mod hygiene;
mod judges;
mod parity;
mod user_kernel;
