//! The integration tests, in one program.

use kernels as _;

mod cxx;
mod front;
mod fuzz;
mod hygiene;
mod messages;
mod parity;
mod ui;
mod user_kernel;
