//! The input of a judge: a kernel, its texts, and the launches that they must reproduce.

use crate::model::all_registered;
use crate::model::{Launch, agreement, read_kernel, same};
use kernel_ir::adjoint::Backward;
use kernel_ir::columns;
use kernel_ir::data::Arg;
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::{KernelInfo, Pass};
use std::collections::BTreeMap;

/// A kernel, the texts that claim to be it, and the launches that they must reproduce.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name in messages.
    pub name: String,
    /// The kernel that the texts must implement, with the [columns](kernel_ir::columns) that the launches have.
    pub kernel: VerifiedKernel,
    /// The same kernel with the parameters that the texts have.
    pub in_memory: VerifiedKernel,
    /// The texts, by target id.
    pub texts: BTreeMap<&'static str, String>,
    /// The Warp module, if there is one.
    pub python: Option<String>,
    /// The launches to reproduce.
    pub launches: Vec<Launch>,
}

/// Why the arguments after a launch differ from the expected ones.
#[derive(Clone, Debug)]
pub enum Difference {
    /// They differ by more than the tolerance.
    Found(String),
    /// They differ, but the launch is ill-conditioned in this order of threads, so the right result is unknown.
    Undecided(String),
}

/// The share of cases that judges check more thoroughly, in 256ths: one in twenty.
const THOROUGH: u8 = 13;

impl Case {
    /// Whether judges check the case more thoroughly, at ten times the cost. The hash of its texts decides.
    pub(super) fn is_checked_thoroughly(&self) -> bool {
        let texts: String = self.texts.values().map(String::as_str).collect();
        blake3::hash(texts.as_bytes()).as_bytes()[0] < THOROUGH
    }

    /// The case of a registered kernel, without launches.
    ///
    /// # Errors
    /// The mistake in its IR text.
    pub fn registered(info: &KernelInfo) -> Result<Case, String> {
        let in_memory = read_kernel(info.ir)?;
        Ok(Case {
            name: info.name.to_owned(),
            kernel: columns::of_kernel(&in_memory).into_owned(),
            in_memory,
            texts: all_registered(info, Pass::Forward).map(|(id, text)| (id, text.to_owned())).collect(),
            python: Some(info.python.to_owned()),
            launches: Vec::new(),
        })
    }

    /// The case of the adjoint of this kernel, with its `texts` and the launches that follow those of the kernel.
    /// `adjoints` gives the adjoint of each output in each launch.
    ///
    /// # Errors
    /// Why the adjoint does not run.
    pub fn backward(
        &self,
        backward: &Backward,
        texts: BTreeMap<&'static str, String>,
        adjoints: impl Fn(&Launch, ParamId) -> Option<Arg>,
    ) -> Result<Case, String> {
        let in_columns = columns::of_backward(&self.in_memory, backward);
        let launch = |launch: &Launch| launch.backward(&self.kernel, &in_columns, |id| adjoints(launch, id));
        Ok(Case {
            name: format!("{} (backward)", self.name),
            kernel: in_columns.kernel.clone(),
            in_memory: backward.kernel.clone(),
            texts,
            python: None,
            launches: self.launches.iter().map(launch).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect(),
        })
    }

    /// The text for the target with this id.
    pub fn text(&self, target: &str) -> Option<&str> {
        self.texts.get(target).map(String::as_str)
    }

    /// Compares the arguments after a launch with the expected ones. `allowed` gives the tolerances.
    ///
    /// # Errors
    /// The first argument that differs, or why the comparison is undecided.
    pub fn compare(
        &self,
        expected: &[Arg],
        found: &[Arg],
        allowed: impl FnOnce() -> Result<Vec<Arg>, String>,
    ) -> Result<(), Difference> {
        let names = || self.kernel.params.iter().map(|param| param.name.as_str());
        // Nearly all launches give the same bits, and tolerances are expensive.
        if same(names(), found, expected).is_ok() {
            return Ok(());
        }
        let allowed = allowed().map_err(Difference::Undecided)?;
        agreement(names(), found, expected, &allowed).map(drop).map_err(Difference::Found)
    }
}
