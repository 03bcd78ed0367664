//! Whole modules, and the table against the prelude.
