//! Numerical methods: dense algebra, fits, statistics, arithmetic of other kinds of numbers.

pub mod chance;
pub mod dense;
pub mod fits;
pub mod geodesy;
pub mod jets;
pub mod shapes;
pub mod splines;
pub mod statistics;
