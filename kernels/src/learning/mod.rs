//! Machine learning: layers of networks, forwards.

pub mod layers;
