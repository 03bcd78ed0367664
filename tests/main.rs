//! The integration tests, in one program.

mod front;
mod fuzz;
mod hygiene;
mod messages;
mod user_kernel;
