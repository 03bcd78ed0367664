//! Judges: programs of others that say whether a kernel's texts are what they claim to be. None needs a GPU.
//!
//! A judge takes [`Case`]s, many at once, and gives an [`Outcome`] for each. `docs/judges.md` says what each one proves.
//! `scripts/install-judges.sh` installs them; [`open`] finds what is installed.

pub mod cxx;
pub mod nvrtc;

mod bisect;
pub(crate) mod validators;
pub mod warp;

use crate::model::compare::{agreement, same};
pub use crate::prove::check::Outcome;
use crate::prove::make::run_interpreter;
use crate::source::registry::read_kernel;
use clap::ValueEnum;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_ir::ir::ParamId;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::KernelInfo;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A kernel, the texts that claim to be it, and what they must compute.
#[derive(Clone, Debug)]
pub struct Case {
    /// What messages call it.
    pub name: String,
    /// What the texts must mean.
    pub kernel: VerifiedKernel,
    /// Host C++, if there is any.
    pub cpp: Option<String>,
    /// CUDA C++, if there is any.
    pub cuda: Option<String>,
    /// A Warp module, if there is any.
    pub python: Option<String>,
    /// What was computed by others.
    pub launches: Vec<Launch>,
}

/// A launch with its result.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The launch size.
    pub dim: Vec<usize>,
    /// The arguments before it.
    pub before: Vec<Arg>,
    /// The arguments after it.
    pub after: Vec<Arg>,
}

impl Launch {
    /// The launch of the adjoint that follows this launch of `kernel`; `adjoints` gives the adjoint of each output.
    ///
    /// # Errors
    /// The adjoint does not run: a sentence.
    pub fn backward(
        &self,
        kernel: &VerifiedKernel,
        backward: &Backward,
        adjoints: impl FnMut(ParamId) -> Option<Arg>,
    ) -> Result<Launch, String> {
        let before = adjoint::arguments(kernel, &backward.sources, &self.before, &self.after, adjoints);
        let mut after = before.clone();
        run_interpreter(&backward.kernel, &self.dim, &mut after)?;
        Ok(Launch { dim: self.dim.clone(), before, after })
    }

    /// How far each number after the launch of `kernel` may be from what another machine makes of it; 0 asks for the same
    /// bits.
    ///
    /// # Errors
    /// The launch is ill-conditioned: a sentence.
    pub fn tolerances(&self, kernel: &VerifiedKernel) -> Result<Vec<Arg>, String> {
        interp::tolerances(kernel, &self.dim, &self.before, &self.after, || interp::row_major(&self.dim).collect())
    }

    /// The same for what somebody else wrote: a kernel that computes the same in real numbers, and rounds where it pleases.
    ///
    /// # Errors
    /// The launch is ill-conditioned for such kernels: a sentence.
    pub fn tolerances_when_reassociated(&self, kernel: &VerifiedKernel) -> Result<Vec<Arg>, String> {
        interp::tolerances_when_reassociated(kernel, &self.dim, &self.before, &self.after)
    }

    /// The same launch with something in the arrays that are written to, where the sampler puts zeros: a kernel that
    /// leaves out a zero gives itself away. None if the kernel takes what it finds there for something else.
    pub fn stained(&self, kernel: &VerifiedKernel) -> Option<Launch> {
        let mut before = self.before.clone();
        for (param, arg) in kernel.params.iter().zip(&mut before) {
            if param.is_mutable() && param.domain.is_none() {
                stain(&mut arg.data);
            }
        }
        let mut after = before.clone();
        interp::run(kernel, &self.dim, &mut after).ok()?;
        Some(Launch { dim: self.dim.clone(), before, after })
    }
}

/// Puts something in the place of all values.
fn stain(data: &mut Data) {
    match data {
        Data::Bool(v) => v.fill(true),
        Data::I32(v) => v.fill(7),
        Data::U32(v) => v.fill(7),
        Data::I64(v) => v.fill(7),
        Data::U64(v) => v.fill(7),
        Data::Index(v) => v.fill(7),
        Data::F32(v) => v.fill(0.7),
        Data::F64(v) => v.fill(0.7),
    }
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
            cpp: Some(info.cpp_forward.to_owned()),
            cuda: Some(info.cuda_forward.to_owned()),
            python: Some(info.python.to_owned()),
            launches: Vec::new(),
        })
    }

    /// The adjoint of this kernel, printed as `cpp` and `cuda`, with the launches that follow those of the kernel;
    /// `adjoints` gives the adjoint of each output in one of them.
    ///
    /// # Errors
    /// The adjoint does not run.
    pub fn backward(
        &self,
        backward: &Backward,
        cpp: Option<String>,
        cuda: Option<String>,
        adjoints: impl Fn(&Launch, ParamId) -> Option<Arg>,
    ) -> Result<Case, String> {
        let launch = |launch: &Launch| launch.backward(&self.kernel, backward, |id| adjoints(launch, id));
        Ok(Case {
            name: format!("{} (backward)", self.name),
            kernel: backward.kernel.clone(),
            cpp,
            cuda,
            python: None,
            launches: self.launches.iter().map(launch).collect::<Result<_, _>>()?,
        })
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

/// Why the arguments that a launch left are not those that it should have left: a sentence.
#[derive(Clone, Debug)]
pub enum Difference {
    /// They are farther apart than any correct machine's.
    Found(String),
    /// They differ, and the launch is ill-conditioned with its threads in that order, so that nobody can say what is right.
    Undecided(String),
}

/// Something that judges kernels.
pub trait Judge: Send {
    /// Which judge it is.
    fn kind(&self) -> Kind;

    /// The versions of the programs that judge, for people.
    fn version(&self) -> String;

    /// Judges `cases`; the outcomes are in their order. A case without a text for this judge is skipped.
    ///
    /// # Errors
    /// The judge itself does not work, for example because no temporary file can be written.
    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String>;

    /// How many launches so far ended without a fault, and with numbers of which nobody can say whether they are right.
    fn undecided(&self) -> usize {
        0
    }
}

/// The judges that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// NVRTC compiles the CUDA text to PTX.
    Nvrtc,
    /// C++ compilers make host programs of the C++ and the CUDA text, which run on the recorded inputs.
    Cxx,
    /// Warp imports the Python text and runs it on the recorded inputs.
    Warp,
}

impl Kind {
    /// Every judge.
    pub const ALL: [Kind; 3] = [Kind::Nvrtc, Kind::Cxx, Kind::Warp];

    /// The name, as typed.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Starts a judge.
///
/// # Errors
/// It is not installed; the sentence says what is missing.
pub fn open(kind: Kind) -> Result<Box<dyn Judge>, String> {
    match kind {
        Kind::Nvrtc => nvrtc::Nvrtc::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        Kind::Cxx => cxx::Cxx::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
        Kind::Warp => warp::Warp::open().map(|judge| Box::new(judge) as Box<dyn Judge>),
    }
}

/// The folder that `scripts/install-judges.sh` fills: `WEFT_JUDGES`, or `.judges` in the working folder or above it.
///
/// # Errors
/// There is none.
pub fn folder() -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os("WEFT_JUDGES") {
        return Ok(PathBuf::from(folder));
    }
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let found = here.ancestors().map(|folder| folder.join(".judges")).find(|folder| folder.is_dir());
    found.ok_or_else(|| "there is no `.judges`; `scripts/install-judges.sh` makes it".to_owned())
}
