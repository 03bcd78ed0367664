//! What a judge is asked: a kernel, its texts, and what they must compute.

use crate::model::all_registered;
use crate::model::{Launch, agreement, read_kernel, same};
use kernel_ir::adjoint::Backward;
use kernel_ir::data::Arg;
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::{KernelInfo, Pass};
use std::collections::BTreeMap;

/// A kernel, the texts that claim to be it, and what they must compute.
#[derive(Clone, Debug)]
pub struct Case {
    /// What messages call it.
    pub name: String,
    /// What the texts must mean.
    pub kernel: VerifiedKernel,
    /// The text for each target that there is one for, by the target's id.
    pub texts: BTreeMap<&'static str, String>,
    /// A Warp module, if there is any.
    pub python: Option<String>,
    /// What was computed by others.
    pub launches: Vec<Launch>,
}

/// Why the arguments that a launch left are not those that it should have left: a sentence.
#[derive(Clone, Debug)]
pub enum Difference {
    /// They are farther apart than any correct machine's.
    Found(String),
    /// They differ, and the launch is ill-conditioned with its threads in that order, so that nobody can say what is right.
    Undecided(String),
}

impl Case {
    /// A kernel of the registry, without launches.
    ///
    /// # Errors
    /// Its IR cannot be read.
    pub fn registered(info: &KernelInfo) -> Result<Case, String> {
        Ok(Case {
            name: info.name.to_owned(),
            kernel: read_kernel(info.ir)?,
            texts: all_registered(info, Pass::Forward).map(|(id, text)| (id, text.to_owned())).collect(),
            python: Some(info.python.to_owned()),
            launches: Vec::new(),
        })
    }

    /// The adjoint of this kernel, with its `texts` and the launches that follow those of the kernel;
    /// `adjoints` gives the adjoint of each output in one of them.
    ///
    /// # Errors
    /// The adjoint does not run.
    pub fn backward(
        &self,
        backward: &Backward,
        texts: BTreeMap<&'static str, String>,
        adjoints: impl Fn(&Launch, ParamId) -> Option<Arg>,
    ) -> Result<Case, String> {
        let launch = |launch: &Launch| launch.backward(&self.kernel, backward, |id| adjoints(launch, id));
        Ok(Case {
            name: format!("{} (backward)", self.name),
            kernel: backward.kernel.clone(),
            texts,
            python: None,
            launches: self.launches.iter().map(launch).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect(),
        })
    }

    /// The text for the target of that id, if there is one.
    pub fn text(&self, target: &str) -> Option<&str> {
        self.texts.get(target).map(String::as_str)
    }

    /// Compares the arguments that a launch left with those that it should have left; `allowed` says how far they may be
    /// apart.
    ///
    /// # Errors
    /// The argument that differs, and where; or nobody can say.
    pub fn compare(
        &self,
        expected: &[Arg],
        found: &[Arg],
        allowed: impl FnOnce() -> Result<Vec<Arg>, String>,
    ) -> Result<(), Difference> {
        let names = || self.kernel.params.iter().map(|param| param.name.as_str());
        // Nearly all launches end here.
        if same(names(), found, expected).is_ok() {
            return Ok(());
        }
        let allowed = allowed().map_err(Difference::Undecided)?;
        agreement(names(), found, expected, &allowed).map(drop).map_err(Difference::Found)
    }
}
