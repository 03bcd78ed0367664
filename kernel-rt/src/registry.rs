//! The registry of all kernels that are linked into the program.

use crate::error::LaunchError;
use kernel_ir::adjoint::Source;
use kernel_ir::analysis::{Promise, TileExtent};
use kernel_ir::data::Arg;

/// Declares a non-exhaustive struct, with a constructor for the code that `#[kernel]` emits.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[doc = $doc:literal])* pub $field:ident: $ty:ty,)* }) => {
        $(#[$meta])*
        #[non_exhaustive]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $ty,)*
        }

        impl $name {
            /// The fields in the order of their declaration. For emitted code only; it changes with the fields.
            #[doc(hidden)]
            #[allow(clippy::too_many_arguments, reason = "one argument a field")]
            pub const fn new($($field: $ty),*) -> $name {
                $name { $($field),* }
            }
        }
    };
}

record! {
    /// A kernel, as `#[kernel]` registers it.
    #[derive(Clone, Debug)]
    pub struct KernelInfo {
        /// The name of the function.
        pub name: &'static str,
        /// The path of the module that defines it.
        pub module: &'static str,
        /// The family.
        pub family: &'static str,
        /// The annotated function as the author wrote it, formatted.
        pub rust_source: &'static str,
        /// The IR in text form; `kernel_ir::text::parse` parses it.
        pub ir: &'static str,
        /// The kernel in the language of each target: pairs of target id and text, in the order of
        /// [`kernel_ir::target::TARGETS`].
        pub texts: &'static [(&'static str, &'static str)],
        /// The kernel as a Warp Python module.
        pub python: &'static str,
        /// The CPU version, which takes arguments as data.
        pub cpu: CpuVersion,
        /// A sentence that says whether the CPU version runs on all cores or on one, and why.
        pub execution: &'static str,
        /// The adjoint. `None` for a kernel with `no_grad`, or without a float that depends on another.
        pub backward: Option<BackwardInfo>,
        /// What the domains of arrays say and the adjoint rests on. Every launch checks it.
        pub promises: &'static [Promise],
        /// What its tiles need of the extents of arrays. Every launch checks it.
        pub tiles: &'static [TileExtent],
    }
}

record! {
    /// The adjoint of a kernel, as `#[kernel]` registers it.
    #[derive(Clone, Copy, Debug)]
    pub struct BackwardInfo {
        /// The IR in text form.
        pub ir: &'static str,
        /// The adjoint in the language of each target, as in [`KernelInfo::texts`].
        pub texts: &'static [(&'static str, &'static str)],
        /// The CPU version, which takes arguments as data.
        pub cpu: CpuVersion,
        /// A sentence that says whether the CPU version runs on all cores or on one, and why.
        pub execution: &'static str,
        /// The source of each argument. If one is [`Source::Counting`], the adjoint is launched twice.
        pub sources: &'static [Source],
    }
}

fn text_of(texts: &[(&str, &'static str)], target: &str) -> Option<&'static str> {
    texts.iter().find(|(id, _)| *id == target).map(|(_, text)| *text)
}

impl BackwardInfo {
    /// The text of the adjoint for the target with this id; `None` for an unknown id.
    pub fn text(&self, target: &str) -> Option<&'static str> {
        text_of(self.texts, target)
    }
}

impl KernelInfo {
    /// The text of the kernel for the target with this id, as in `info.text("cuda")`; `None` for an unknown id.
    pub fn text(&self, target: &str) -> Option<&'static str> {
        text_of(self.texts, target)
    }

    /// The adjoint.
    ///
    /// # Errors
    /// [`LaunchError::NoAdjoint`] if the kernel has no adjoint.
    pub fn adjoint(&self) -> Result<&BackwardInfo, LaunchError> {
        self.backward.as_ref().ok_or(LaunchError::NoAdjoint { kernel: self.name })
    }
}

/// Runs a launch of the size `dim` on the CPU. `dim` has one extent for each launch axis, `args` one argument for each
/// parameter.
pub type CpuVersion = fn(dim: &[usize], args: &mut [Arg]) -> Result<(), LaunchError>;

/// A kernel, or its adjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// The kernel.
    Forward,
    /// Its adjoint. [`BackwardInfo::sources`] describes its arguments.
    Backward,
}

inventory::collect!(KernelInfo);

/// All kernels that are linked into the program, sorted by family, name and module.
pub fn registered_kernels() -> Vec<&'static KernelInfo> {
    let mut kernels: Vec<&KernelInfo> = inventory::iter::<KernelInfo>.into_iter().collect();
    kernels.sort_by_key(|kernel| (kernel.family, kernel.name, kernel.module));
    kernels
}
