//! The integration tests, in one program.

mod hygiene;
mod user_kernel;
