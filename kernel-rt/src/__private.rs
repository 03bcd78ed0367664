//! Names for the code that `#[kernel]` emits. Emitted code uses the absolute path `::kernel_rt::__private`, so it does
//! not depend on the names in the user's scope. Not part of the public interface.

pub use crate::array::structure::{
    DeviceEnum, add_structs, are_zero_structs, enum_type, struct_bits, struct_memory, struct_type, struct_zero,
    structs_in_memory, variant,
};
pub use crate::array::{Array, Bits, Columns, ColumnsMut, Element, FloatElement, Value, sealed};
pub use crate::backend::cpu::args::{array, each_arg, launch_dim, slice, slice_mut, store, value};
pub use crate::backend::cpu::run::{Body, Chunk, Group, Lanes, Part, Parts, add, run, run_in_order, zeros};
pub use crate::backend::cpu::view::{Atomics, View};
pub use crate::block::Block;
pub use crate::device_array::DeviceArray;
pub use crate::error::{DeviceError, LaunchError};
pub use crate::gradient::Pullback;
pub use crate::gradient::winners::{Extremum, share_of_before};
pub use crate::launch::arguments::{Access, Launch, Passed, read, write};
pub use crate::launch::launcher::absent;
pub use crate::launch::promises::keep;
pub use crate::launch::tiles::cover;
pub use crate::launch::{LaunchDim, Launcher, Replay};
pub use crate::registry::{BackwardInfo, KernelInfo};
pub use crate::tile::{MatMul, TileGrid, TileGridSums, TileSlice, TileSliceSums};
pub use core::clone::Clone;
pub use core::fmt::Debug;
pub use core::marker::{Copy, Sized};
pub use core::ops::FnOnce;
pub use core::option::Option::{self, None, Some};
pub use core::primitive::{str, u8, usize};
pub use core::result::Result::{self, Ok};
pub use core::{compile_error, file, module_path, unreachable};
pub use inventory::submit;
pub use kernel_ir::adjoint::Source;
pub use kernel_ir::analysis::{Promise, Schedule, TileExtent, TileFit};
pub use kernel_ir::data::Arg;
pub use kernel_ir::ir::{ParamId, Structure, Type};
pub use kernel_macros::{kernel, resume};
pub use std::borrow::Cow;
pub use std::sync::OnceLock;
pub use std::vec::Vec;

/// The tokens themselves.
#[doc(hidden)]
#[macro_export]
macro_rules! __weft_author {
    ($($tokens:tt)*) => { $($tokens)* };
}
pub use __weft_author as author;

/// Implemented by no type: a kernel's call of a function without `#[device]` becomes an unsatisfied bound with this
/// message.
#[diagnostic::on_unimplemented(
    message = "a kernel can call only device functions, and this is not one",
    label = "without `#[device]`",
    note = "write `#[device]` before the function, and write its body in the kernel language"
)]
pub trait DeviceFunction {}

/// Rejects `function` at compile time.
pub const fn expect_device_function<F: DeviceFunction>(_function: &F) {}

/// Implemented by no type: a kernel's use of a type without `#[device]` becomes an unsatisfied bound with this message.
#[diagnostic::on_unimplemented(
    message = "the type `{Self}` is not in the kernel language",
    label = "without `#[device]`",
    note = "write `#[device]` before the struct or enum; fields of structs are numbers, vectors, matrices, quaternions, device structs and enums, and variants have none"
)]
pub trait DeviceStruct {}

/// Rejects `S` at compile time.
pub const fn expect_device_struct<S: DeviceStruct>() {}

/// The bound of a device struct or enum, with our message.
#[diagnostic::on_unimplemented(
    message = "`{Self}`, which is under `#[device]`, is not `Copy`",
    label = "kernels copy values where they use them",
    note = "write `#[derive(Clone, Copy)]` below `#[device]`"
)]
pub trait DeviceValue {}

impl<S: Copy> DeviceValue for S {}

/// Requires that a device struct or enum is `Copy`.
pub const fn expect_copy<S: DeviceValue>() {}

/// The bound of a call of the kernel `K` as a function. No type satisfies it, so the call becomes an error with this
/// message.
#[diagnostic::on_unimplemented(
    message = "`{K}` is a kernel and cannot be called as a function",
    label = "the arguments of a kernel are passed by a launch",
    note = "write `{K}::cpu(n, …)` to run it with n threads on the CPU, `{K}::launch(&device, n, (…))` on a device"
)]
pub trait ArgumentOfCall<K> {}

/// The arguments of a launch of the generic kernel `K`, which choose its instance.
#[diagnostic::on_unimplemented(
    message = "the kernel `{K}` has no instance for these arguments",
    label = "no instance for `{Self}`",
    note = "add the types to `#[kernel(instances(…))]`, or launch an instance by its name, such as `{K}_f32::launch(…)`"
)]
pub trait ArgumentsOf<K, const AXES: usize> {
    /// Runs the instance.
    ///
    /// # Errors
    /// Those of the launch.
    fn launch_on<On: Launcher>(self, on: &On, dim: [usize; AXES]) -> Result<On::Launched, LaunchError>;
}

/// The types of values, by [`kernel_ir::ir::Type::rust_name`].
pub mod types {
    pub use crate::value::{
        DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, I64Vec2, I64Vec3, I64Vec4, IVec2, IVec3, IVec4, Mat2, Mat3,
        Mat4, Matrix, Quat, Quaternion, U64Vec2, U64Vec3, U64Vec4, UVec2, UVec3, UVec4, Vec2, Vec3, Vec4, Vector,
    };
    pub use core::primitive::{bool, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, usize};
    pub use half::{bf16, f16};
}
