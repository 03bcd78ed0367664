//! The integration tests, in one program.

mod cxx;
mod hygiene;
mod parity;
mod user_kernel;
