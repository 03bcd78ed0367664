//! The integration tests, in one program.

mod user_kernel;
