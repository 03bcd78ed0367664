//! The texts of a kernel in every language.

use kernel_ir::adjoint::Backward;
use kernel_ir::back::python;
use kernel_ir::target::{self, TARGETS, Target};
use kernel_ir::text;
use kernel_ir::verify::VerifiedKernel;

/// The texts of a kernel in every language.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) rust: String,
    pub(super) python: String,
    pub(super) forward: PassTexts,
    pub(super) backward: Option<PassTexts>,
}

/// The texts of a kernel or its adjoint: the IR, and the language of each target.
#[derive(Default)]
pub(super) struct PassTexts {
    pub(super) ir: String,
    pub(super) targets: Vec<(&'static Target, String)>,
}

impl Texts {
    /// The texts of `kernel`, whose source is `rust`, and of its adjoint.
    pub(super) fn new(kernel: &VerifiedKernel, backward: Option<&Backward>, rust: String) -> Texts {
        Texts {
            rust,
            python: python::write(kernel),
            forward: PassTexts::new(kernel),
            backward: backward.map(|backward| PassTexts::new(&backward.kernel)),
        }
    }

    /// The texts with their stage names.
    pub(super) fn into_stages(self) -> Vec<(String, String)> {
        let Texts { rust, python, forward, backward } = self;
        let sources = [("rust".to_owned(), rust), ("python".to_owned(), python)];
        let backward = backward.into_iter().flat_map(|texts| texts.into_stages("_backward"));
        sources.into_iter().chain(forward.into_stages("")).chain(backward).collect()
    }
}

impl PassTexts {
    /// An empty text for each target.
    pub(super) fn empty() -> PassTexts {
        PassTexts { ir: String::new(), targets: TARGETS.iter().map(|target| (target, String::new())).collect() }
    }

    fn new(kernel: &VerifiedKernel) -> PassTexts {
        let written = target::write(&TARGETS.each_ref(), kernel);
        let targets = TARGETS.iter().zip(written).filter_map(|(target, text)| Some((target, text?)));
        PassTexts { ir: text::print(kernel.with_tiles()), targets: targets.collect() }
    }

    fn into_stages(self, suffix: &str) -> impl Iterator<Item = (String, String)> {
        let targets = self.targets.into_iter().map(move |(target, text)| (format!("{}{suffix}", target.id), text));
        [(format!("ir{suffix}"), self.ir)].into_iter().chain(targets)
    }
}
