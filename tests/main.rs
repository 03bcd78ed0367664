//! The integration tests, in one program.

mod cxx;
mod parity;
mod user_kernel;
