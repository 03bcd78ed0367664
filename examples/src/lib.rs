//! t
pub mod cloth; pub mod descent; pub mod plot; pub mod report; pub mod surface; pub mod sph; pub mod rigid; pub mod lbm;
pub mod heat; pub mod pendulum; pub mod options; pub mod mlp;
pub mod smoothing; pub mod deconvolution;
pub mod raymarch; 
pub mod splats; 
