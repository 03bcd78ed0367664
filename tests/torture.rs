//! The torture suite of reverse mode: one or two kernels for each construct that other systems differentiate wrongly.
//!
//! Every gradient is compared, element by element and in several launches, with dual numbers and central differences;
//! or the kernel is refused, with both places and a way out. `scripts/torture.sh` computes the same gradients with
//! other systems, but for the constructs that most of them lack. For that, `WEFT_TORTURE=FILE` makes the test [`figures_for_the_others`] write the expected values.

mod arrays;
mod constructs;
mod elements;
mod exits;
mod hostile;
mod long;
mod loops;
mod reductions;
mod refusals;
pub(crate) mod rows;
mod state;

use elements::{Figures, elements_hold};
use kernel_ir::adjoint::backward;
use kernel_ir::data::{Arg, Data};
use kernel_ir::gradcheck::Launch;
use kernel_ir::verify::VerifiedKernel;
use kernel_ir::{sample, text};
use kernel_rt::registered_kernels;
use serde_json::{Value, json};
use tests::{as_data, report};

/// The number of launches of each kernel.
const SEEDS: std::ops::Range<u64> = 0..5;

/// The limit on the loop trips of a launch.
const TRIPS: u64 = 1 << 24;

/// The same kernels in other systems.
const PEERS: [(&str, &str); 5] = [
    ("in_warp.py", include_str!("../judges/peers/in_warp.py")),
    ("in_taichi.py", include_str!("../judges/peers/in_taichi.py")),
    ("in_drjit.py", include_str!("../judges/peers/in_drjit.py")),
    ("in_jax.py", include_str!("../judges/peers/in_jax.py")),
    ("in_torch.py", include_str!("../judges/peers/in_torch.py")),
];

/// The same for the cases with infinity and NaN.
const HOSTILE_PEERS: [(&str, &str); 5] = [
    ("hostile_in_warp.py", include_str!("../judges/peers/hostile_in_warp.py")),
    ("hostile_in_taichi.py", include_str!("../judges/peers/hostile_in_taichi.py")),
    ("hostile_in_drjit.py", include_str!("../judges/peers/hostile_in_drjit.py")),
    ("hostile_in_jax.py", include_str!("../judges/peers/hostile_in_jax.py")),
    ("hostile_in_torch.py", include_str!("../judges/peers/hostile_in_torch.py")),
];

/// A kernel to differentiate, with its launches.
struct Case {
    name: &'static str,
    /// The description in the table.
    about: &'static str,
    kernel: VerifiedKernel,
    threads: usize,
    /// By-value integers with fixed values.
    fixed: Vec<(&'static str, i32)>,
    seeds: std::ops::Range<u64>,
}

/// The kernel `name` of the family `torture`.
fn case(name: &'static str, about: &'static str) -> Case {
    let found = registered_kernels().into_iter().find(|info| info.family == "torture" && info.name == name);
    let info = found.unwrap_or_else(|| panic!("no kernel `{name}`"));
    Case { name, about: about.trim(), kernel: as_data(info), threads: 3, fixed: Vec::new(), seeds: SEEDS }
}

impl Case {
    /// Sets the by-value parameter `param` to `value`.
    fn set(mut self, param: &'static str, value: i32) -> Case {
        self.fixed.push((param, value));
        self
    }

    /// Launches over this number of threads.
    fn over(self, threads: usize) -> Case {
        Case { threads, ..self }
    }

    /// Makes only this number of launches, for a slow kernel.
    fn launches(self, launches: u64) -> Case {
        Case { seeds: 0..launches, ..self }
    }

    fn args(&self, seed: u64) -> Vec<Arg> {
        let mut args =
            sample::args(&self.kernel, &[self.threads], seed).unwrap_or_else(|why| panic!("{}: {why}", self.name));
        for (name, value) in &self.fixed {
            let place = self.kernel.params.iter().position(|param| param.name == *name).expect("a parameter");
            args[place].data = Data::I32(vec![*value]);
        }
        args
    }

    /// The gradient and the results of the launch with this seed.
    fn figures(&self, seed: u64) -> Result<Figures, String> {
        let backward = backward(&self.kernel).map_err(|mistakes| format!("{mistakes:?}"))?;
        let args = self.args(seed);
        let launch = Launch { dim: &[self.threads], args: &args, trips: TRIPS, seed };
        elements_hold(&self.kernel, &backward, launch).map_err(|failure| {
            format!("seed {seed}: {failure}\n{}\n{}", text::print(&self.kernel), text::print(&backward.kernel))
        })
    }

    /// Asserts that every gradient is right, and that some are not zero.
    fn holds(&self) {
        let mut moves = false;
        let mut error = 0.0f64;
        for seed in self.seeds.clone() {
            let figures = self.figures(seed).unwrap_or_else(|why| panic!("{}, {why}", self.name));
            moves |= figures.gradient.iter().flatten().any(|value| *value != 0.0);
            error = error.max(figures.error);
        }
        assert!(moves, "{}: nothing has a derivative", self.name);
        report(&format!("torture: {} within {error:.1e} of dual numbers", self.name));
    }

    /// A launch for the other systems, with the gradient or the reason for the refusal.
    fn to_json(&self) -> Value {
        let seed = self.seeds.start;
        let (args, refusal) = (self.args(seed), backward(&self.kernel).err());
        let figures =
            refusal.is_none().then(|| self.figures(seed).unwrap_or_else(|why| panic!("{}, {why}", self.name)));
        let param = |(place, (param, arg)): (usize, (&kernel_ir::ir::Param, &Arg))| {
            let floats =
                |values: fn(&Figures) -> &Vec<Vec<f64>>| figures.as_ref().map(|found| values(found)[place].clone());
            json!({
                "name": param.name, "type": param.elem().rust_name(), "components": param.elem().components(),
                "array": param.rank() > 0, "mutable": param.is_mutable(), "data": numbers(&arg.data),
                "result": floats(|found| &found.results), "weights": floats(|found| &found.weights),
                "gradient": floats(|found| &found.gradient),
            })
        };
        json!({
            "name": self.name, "kernel": self.kernel.name, "about": self.about, "threads": self.threads,
            "refused": refusal.map(|mistakes| mistakes[0].message.clone()),
            "params": self.kernel.params.iter().zip(&args).enumerate().map(param).collect::<Vec<_>>(),
        })
    }
}

fn numbers(data: &Data) -> Value {
    match data {
        Data::Bool(v) => json!(v),
        Data::I8(v) => json!(v),
        Data::U8(v) => json!(v),
        Data::I16(v) => json!(v),
        Data::U16(v) => json!(v),
        Data::I32(v) => json!(v),
        Data::U32(v) => json!(v),
        Data::I64(v) => json!(v),
        Data::U64(v) => json!(v),
        Data::Index(v) => json!(v),
        Data::F16(v) | Data::BF16(v) | Data::F32(v) => json!(v),
        Data::F64(v) => json!(v),
    }
}

/// Defines a test for each case, and a list of all cases. The doc comment of a case is its description in the table.
macro_rules! torture {
    ($($(#[doc = $about:literal])+ $name:ident $(= $kernel:ident)? $(.$how:ident($($with:expr),*))*;)+) => {
        /// The cases of this module.
        pub(super) fn cases() -> Vec<super::Case> {
            vec![$(super::torture!(case $name $($kernel)?; concat!($($about),+)) $(.$how($($with),*))*),+]
        }

        mod gradients {
            $(
                $(#[doc = $about])+
                #[test]
                fn $name() {
                    let cases = super::cases();
                    cases.iter().find(|case| case.name == stringify!($name)).expect("a case").holds();
                }
            )+
        }
    };
    (case $name:ident; $about:expr) => { super::case(stringify!($name), $about) };
    (case $name:ident $kernel:ident; $about:expr) => { super::Case { name: stringify!($name), ..super::case(stringify!($kernel), $about) } };
}
use torture;

/// All cases, for the other systems.
fn cases() -> Vec<Case> {
    [
        loops::cases(),
        long::cases(),
        exits::cases(),
        reductions::cases(),
        state::cases(),
        arrays::cases(),
        rows::cases(),
        refusals::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Checks that `judges/peers` has every kernel. With `WEFT_TORTURE=FILE`, writes the expected values to the file.
#[test]
fn figures_for_the_others() {
    let (cases, hostile) = (cases(), hostile::cases());
    assert_named(&PEERS, cases.iter().map(|case| case.kernel.name.as_str()));
    assert_named(&HOSTILE_PEERS, hostile.iter().flat_map(hostile::Hostile::kernels));
    if let Some(file) = std::env::var_os("WEFT_TORTURE") {
        let figures = cases.iter().map(Case::to_json).chain(hostile.iter().map(hostile::Hostile::to_json));
        let figures: Vec<Value> = figures.collect();
        std::fs::write(&file, json!(figures).to_string()).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

/// Asserts that each of the other systems has each of these kernels, or says why not.
fn assert_named<'a>(peers: &[(&str, &str)], kernels: impl Iterator<Item = &'a str>) {
    for name in kernels {
        for (file, peer) in peers {
            let has = peer.contains(&format!("def {name}(")) || peer.contains(&format!("\"{name}\""));
            assert!(has, "judges/peers/{file} says nothing of `{name}`");
        }
    }
}
