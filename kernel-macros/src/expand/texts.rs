//! A kernel as text, in every language.

use kernel_ir::adjoint::Backward;
use kernel_ir::back::{c, python};
use kernel_ir::text;
use kernel_ir::verify::VerifiedKernel;

/// A kernel in every language.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) rust: String,
    pub(super) ir: String,
    pub(super) cuda: String,
    pub(super) cpp: String,
    pub(super) python: String,
    pub(super) backward: Option<AdjointTexts>,
}

/// The adjoint of a kernel in every language.
#[derive(Default)]
pub(super) struct AdjointTexts {
    pub(super) ir: String,
    pub(super) cuda: String,
    pub(super) cpp: String,
}

impl Texts {
    /// The texts of `kernel`, whose source is `rust`, and of its adjoint.
    pub(super) fn new(kernel: &VerifiedKernel, backward: Option<&Backward>, rust: String) -> Texts {
        let (cuda, cpp) = c::write_both(kernel);
        Texts {
            rust,
            ir: text::print(kernel),
            cuda,
            cpp,
            python: python::write(kernel),
            backward: backward.map(|backward| AdjointTexts::new(&backward.kernel)),
        }
    }

    /// The texts by name.
    pub(super) fn into_stages(self) -> Vec<(&'static str, String)> {
        let Texts { rust, ir, cuda, cpp, python, backward } = self;
        let mut stages = vec![("rust", rust), ("ir", ir), ("cuda", cuda), ("cpp", cpp), ("python", python)];
        if let Some(AdjointTexts { ir, cuda, cpp }) = backward {
            stages.extend([("ir_backward", ir), ("cuda_backward", cuda), ("cpp_backward", cpp)]);
        }
        stages
    }
}

impl AdjointTexts {
    fn new(kernel: &VerifiedKernel) -> AdjointTexts {
        let (cuda, cpp) = c::write_both(kernel);
        AdjointTexts { ir: text::print(kernel), cuda, cpp }
    }
}
