//! All names that a module of kernels needs: `use kernel_rt::prelude::*;`.

pub use crate::messages::{kernel_assert, kernel_print};
pub use crate::value::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, I64Vec2, I64Vec3, I64Vec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4,
    Matrix, Quat, Quaternion, U64Vec2, U64Vec3, U64Vec4, UVec2, UVec3, UVec4, Vec2, Vec3, Vec4, Vector,
};
pub use crate::{
    Array, Array2, Array3, Array4, Block, Cast, Col, Device, DeviceArray, DeviceError, Element, Float, Graph,
    IndexBelow, Integer, LaunchDim, LaunchError, LaunchId, Launcher, MatMul, Number, PerThread, Row, Seed, Shared,
    SignedNumber, StrongCross, StrongDiv, StrongDot, StrongMul, Tape, TapeError, Tile, TileGrid, TileGridSums,
    TileSlice, TileSliceSums, UniformElement, Value, atomic_add, atomic_and, atomic_cas, atomic_exch, atomic_max,
    atomic_min, atomic_or, atomic_sub, atomic_xor, block, device, kernel, rand_init, rand_seed, randf, randf_range,
    randi, randi_range, randn, randu, randu_range, registered_kernels, shared, tid, tid2, tid3, tid4,
};
pub use half::{bf16, f16};
