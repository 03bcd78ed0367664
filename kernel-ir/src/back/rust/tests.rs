//! Kernels of the front end, and back.
