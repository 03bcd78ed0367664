//! The kernel families.
