//! The table of targets, which are the languages that a kernel is compiled to.
//!
//! A target is a folder below [`back`](crate::back) and a row of [`TARGETS`]. The macro's constants, the columns of a
//! record, the options of the command line, the derived configs and the schema are generated from the rows, so a new
//! target needs no edit there. Warp Python and `#[kernel]` Rust are not targets: they are the source side of a record.
//!
//! A row of [`ON_REQUEST`] is a target whose texts are written when they are asked for: the macro makes no constant of them,
//! so that they cost a build nothing.

use crate::back::c::{self, Dialect};
use crate::back::wgsl;
use crate::ir::{Kernel, Scalar, Type};
use crate::verify::VerifiedKernel;
use std::fmt;

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Target {
    /// The id in lower case: the value of `show --only`. In capitals, it is the prefix of the macro's constants
    /// (`CUDA_FORWARD`).
    pub id: &'static str,
    /// The device that runs the text: the value of `--device`, and the prefix of a record's columns (`cuda_forward`).
    pub device: &'static str,
    /// The short name, for titles.
    pub name: &'static str,
    /// The name of the language, for sentences.
    pub language: &'static str,
    /// The descriptions of a record's columns `*_forward` and `*_backward`.
    pub columns: [&'static str; 2],
    /// The extension of a source file, without the dot.
    pub extension: &'static str,
    /// The features that the target has.
    pub capabilities: Capabilities,
    /// The writer of the text.
    pub writer: Writer,
    /// The names of the judges that check its texts.
    pub judges: &'static [&'static str],
    /// The tasks that the derived configs have for it.
    pub tasks: Tasks,
    /// Whether `--device all` includes it. Other targets are named.
    pub is_default: bool,
}

/// The tasks of a target in the derived configs of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tasks {
    /// None.
    None,
    /// Translations. A text is a shader with one entry point, and its prompts state how the entry point is launched.
    Shaders,
    /// Translations, and answers that test programs score. A text is a CUDA kernel, and its prompts state how the kernel
    /// is launched.
    Kernels,
}

/// A writer of a kernel, or an adjoint, as self-contained source text.
#[derive(Clone, Copy)]
pub enum Writer {
    /// The C++ writer, which has several dialects.
    C(Dialect),
    /// A writer for one target.
    Own(fn(&VerifiedKernel) -> String),
    /// A writer for one target that refuses some kernels, with a reason.
    Refusing(fn(&VerifiedKernel) -> Result<String, String>),
}

/// The features of a target. A kernel that needs a missing one is refused for that target, with the feature's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Arithmetic in `f64`.
    pub f64: bool,
    /// Arithmetic in `i64` and `u64`.
    pub i64: bool,
    /// Atomic operations on floats.
    pub float_atomics: bool,
}

impl Capabilities {
    /// All features that the kernel language uses.
    pub const ALL: Capabilities = Capabilities { f64: true, i64: true, float_atomics: true };

    /// The features that `kernel` needs.
    pub fn needed_by(kernel: &Kernel) -> Capabilities {
        let mut needs = Capabilities { f64: false, i64: false, float_atomics: false };
        let mut types: Vec<Type> = kernel.params.iter().map(|param| param.elem()).collect();
        types.extend(kernel.locals.iter().map(|local| local.ty));
        kernel.walk_stmts(&mut |stmt| {
            stmt.walk_exprs(&mut |expr| types.push(expr.ty));
            if let Some((_, place)) = stmt.atomic() {
                needs.float_atomics |= place.ty.is_float();
            }
        });
        for ty in types {
            needs.f64 |= ty.scalar() == Scalar::F64;
            needs.i64 |= matches!(ty.scalar(), Scalar::I64 | Scalar::U64);
        }
        needs
    }

    /// The names of the missing features among `needs`, for messages.
    pub fn lacks(self, needs: Capabilities) -> Vec<&'static str> {
        let each = [
            ("f64", self.f64, needs.f64),
            ("64-bit integers", self.i64, needs.i64),
            ("atomic operations on floats", self.float_atomics, needs.float_atomics),
        ];
        each.into_iter().filter(|(_, has, needs)| *needs && !has).map(|(name, ..)| name).collect()
    }
}

impl Target {
    /// The names of the features that `kernel` needs and the target lacks; empty if the target can run the kernel.
    pub fn lacks(&self, kernel: &Kernel) -> Vec<&'static str> {
        match self.capabilities == Capabilities::ALL {
            true => Vec::new(),
            false => self.capabilities.lacks(Capabilities::needed_by(kernel)),
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Target").field(&self.id).finish()
    }
}

/// The targets whose texts are constants of the macro, in the order of a record's columns.
pub static TARGETS: [Target; 2] = [
    Target {
        id: "cpp",
        device: "cpu",
        name: "C++",
        language: "host C++",
        columns: [
            "the kernel in C++17 for the host, complete in itself",
            "its adjoint (reverse mode) in C++17, complete in itself; null if it has none",
        ],
        extension: "cpp",
        capabilities: Capabilities::ALL,
        writer: Writer::C(Dialect::Cpp),
        judges: &["cxx"],
        tasks: Tasks::None,
        is_default: true,
    },
    Target {
        id: "cuda",
        device: "cuda",
        name: "CUDA",
        language: "CUDA C++",
        columns: [
            "the kernel in CUDA C++, complete in itself",
            "its adjoint in CUDA C++, complete in itself; null if it has none",
        ],
        extension: "cu",
        capabilities: Capabilities::ALL,
        writer: Writer::C(Dialect::Cuda),
        judges: &["nvrtc", "cxx"],
        tasks: Tasks::Kernels,
        is_default: true,
    },
];

/// The targets that have no constants of the macro. Their columns stand behind those of [`TARGETS`].
pub static ON_REQUEST: [Target; 2] = [
    Target {
        id: "wgsl",
        device: "wgsl",
        name: "WGSL",
        language: "WGSL",
        columns: [
            "the kernel in WGSL, complete in itself; null if WGSL lacks what it needs, such as some atomic operations",
            "its adjoint in WGSL, complete in itself; null if it has none, or if WGSL lacks what it needs",
        ],
        extension: "wgsl",
        capabilities: Capabilities::ALL,
        writer: Writer::Refusing(wgsl::write),
        judges: &["vulkan"],
        tasks: Tasks::Shaders,
        is_default: true,
    },
    Target {
        id: "hip",
        device: "hip",
        name: "HIP",
        language: "HIP",
        columns: [
            "the kernel in HIP for AMD GPUs, complete in itself but for HIP's headers; null unless `--device` names `hip`",
            "its adjoint in HIP; null if it has none, or unless `--device` names `hip`",
        ],
        extension: "hip",
        capabilities: Capabilities::ALL,
        writer: Writer::C(Dialect::Hip),
        judges: &["hip"],
        tasks: Tasks::None,
        is_default: false,
    },
];

/// The text of `kernel` for each of `targets`; `None` for a target that lacks what the kernel needs.
pub fn write(targets: &[&Target], kernel: &VerifiedKernel) -> Vec<Option<String>> {
    let wants = |dialect| targets.iter().any(|target| matches!(target.writer, Writer::C(wanted) if wanted == dialect));
    // Most lines of the two dialects are equal, so one pass writes both.
    let mut both = (wants(Dialect::Cuda) && wants(Dialect::Cpp)).then(|| c::write_both(kernel));
    let mut text = |target: &Target| match (target.writer, &mut both) {
        (Writer::C(Dialect::Cuda), Some((cuda, _))) => Some(std::mem::take(cuda)),
        (Writer::C(Dialect::Cpp), Some((_, host))) => Some(std::mem::take(host)),
        (Writer::C(dialect), _) => Some(c::write(kernel, dialect)),
        (Writer::Own(write), _) => Some(write(kernel)),
        (Writer::Refusing(write), _) => write(kernel).ok(),
    };
    targets.iter().map(|target| if target.lacks(kernel).is_empty() { text(target) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut ids: Vec<&str> =
            TARGETS.iter().chain(&ON_REQUEST).flat_map(|target| [target.id, target.device]).collect();
        ids.sort_unstable();
        ids.dedup();
        // `cuda`, `wgsl` and `hip` are ids of targets and names of their devices.
        assert_eq!(ids, ["cpp", "cpu", "cuda", "hip", "wgsl"]);
    }
}
