//! Graphics: images by rays and splats, surfaces, light and colour.

pub mod cameras;
pub mod light;
pub mod procedural;
pub mod ray_tracing;
pub mod splats;
pub mod surfaces;
pub mod trees;
