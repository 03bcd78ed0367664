//! Every kernel that is linked into the program.

use crate::error::LaunchError;
use kernel_ir::adjoint::Source;
use kernel_ir::data::Arg;

/// Declares a struct that can gain fields, with a constructor for the code that `#[kernel]` emits.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[doc = $doc:literal])* pub $field:ident: $ty:ty,)* }) => {
        $(#[$meta])*
        #[non_exhaustive]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $ty,)*
        }

        impl $name {
            /// The fields in the order of their declaration. Emitted code calls it; it changes with the fields.
            #[doc(hidden)]
            #[allow(clippy::too_many_arguments, reason = "one argument a field")]
            pub const fn new($($field: $ty),*) -> $name {
                $name { $($field),* }
            }
        }
    };
}

record! {
    /// What `#[kernel]` records of a kernel.
    #[derive(Clone, Debug)]
    pub struct KernelInfo {
        /// The function's name.
        pub name: &'static str,
        /// The module that defines it.
        pub module: &'static str,
        /// The family that it belongs to.
        pub family: &'static str,
        /// The annotated function as the author wrote it, formatted.
        pub rust_source: &'static str,
        /// The IR in text form; `kernel_ir::text::parse` reads it.
        pub ir: &'static str,
        /// The kernel in the language of each target: the target's id and the text, in the order of
        /// [`kernel_ir::target::TARGETS`].
        pub texts: &'static [(&'static str, &'static str)],
        /// The kernel as a Warp Python module.
        pub python: &'static str,
        /// The CPU version, on arguments as data.
        pub cpu: CpuVersion,
        /// How the CPU version runs and why: on all cores, or on one.
        pub execution: &'static str,
        /// The adjoint; `None` for a kernel under `no_grad`, and for one in which no float depends on another.
        pub backward: Option<BackwardInfo>,
    }
}

record! {
    /// What `#[kernel]` records of the adjoint of a kernel.
    #[derive(Clone, Copy, Debug)]
    pub struct BackwardInfo {
        /// The IR in text form.
        pub ir: &'static str,
        /// The adjoint in the language of each target, as [`KernelInfo::texts`].
        pub texts: &'static [(&'static str, &'static str)],
        /// The CPU version, on arguments as data.
        pub cpu: CpuVersion,
        /// How the CPU version runs and why: on all cores, or on one.
        pub execution: &'static str,
        /// What each parameter takes. Where one of them is [`Source::Counting`], the adjoint is launched twice.
        pub sources: &'static [Source],
    }
}

fn text_of(texts: &[(&str, &'static str)], target: &str) -> Option<&'static str> {
    texts.iter().find(|(id, _)| *id == target).map(|(_, text)| *text)
}

impl BackwardInfo {
    /// The adjoint's text for the target of that id; `None` if there is none.
    pub fn text(&self, target: &str) -> Option<&'static str> {
        text_of(self.texts, target)
    }
}

impl KernelInfo {
    /// The kernel's text for the target of that id, as in `info.text("cuda")`; `None` if there is none.
    pub fn text(&self, target: &str) -> Option<&'static str> {
        text_of(self.texts, target)
    }

    /// The adjoint.
    ///
    /// # Errors
    /// `NoAdjoint` if the kernel has no adjoint.
    pub fn adjoint(&self) -> Result<&BackwardInfo, LaunchError> {
        self.backward.as_ref().ok_or(LaunchError::NoAdjoint { kernel: self.name })
    }
}

/// Runs a launch of the size `dim` on the CPU.
pub type CpuVersion = fn(dim: &[usize], args: &mut [Arg]) -> Result<(), LaunchError>;

/// A kernel, or its adjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// The kernel.
    Forward,
    /// Its adjoint. [`BackwardInfo::sources`] says what its arguments are.
    Backward,
}

inventory::collect!(KernelInfo);

/// Every kernel that is linked into the program, by family, then name.
pub fn registered_kernels() -> Vec<&'static KernelInfo> {
    let mut kernels: Vec<&KernelInfo> = inventory::iter::<KernelInfo>.into_iter().collect();
    kernels.sort_by_key(|kernel| (kernel.family, kernel.name, kernel.module));
    kernels
}
