//! Twelve programs to look at: simulation, rendering, optimisation and finance, each in about a page of Rust.
//!
//! Every example is a module with its kernels and a function `run`, which returns a picture and the numbers that say
//! how good the result is. `docs/guide/examples.md` shows them all.
//!
//! | module | what it has |
//! |---|---|
//! | `report`, `plot`, `surface` | results of examples, pictures and plots, pictures of meshes |
//! | `descent` | minimisation of a loss by gradients of the tape |
//! | all others | one example each |

pub mod cloth;
pub mod deconvolution;
pub mod descent;
pub mod heat;
pub mod lbm;
pub mod mlp;
pub mod options;
pub mod pendulum;
pub mod plot;
pub mod raymarch;
pub mod report;
pub mod rigid;
pub mod smoothing;
pub mod sph;
pub mod splats;
pub mod surface;

use kernel_rt::Device;
use report::{Report, Result};
use std::ops::RangeInclusive;

/// An example, as the program lists it.
pub struct Example {
    /// The name of its module.
    pub name: &'static str,
    /// What it computes.
    pub about: &'static str,
    /// What its size counts.
    pub unit: &'static str,
    /// The size of the picture in the guide.
    pub size: usize,
    /// The sizes with which it runs.
    pub sizes: RangeInclusive<usize>,
    /// Computes it at one of these sizes.
    pub run: fn(&Device, usize) -> Result<Report>,
}

impl Example {
    const fn new(
        name: &'static str,
        about: &'static str,
        unit: &'static str,
        size: usize,
        sizes: RangeInclusive<usize>,
        run: fn(&Device, usize) -> Result<Report>,
    ) -> Example {
        Example { name, about, unit, size, sizes, run }
    }
}

/// All examples.
pub const EXAMPLES: [Example; 12] = [
    Example::new("cloth", "a cloth falls on a ball", "masses along an edge", 65, 9..=300, cloth::run),
    Example::new("sph", "a column of water collapses", "rows of particles", 64, 8..=300, sph::run),
    Example::new("rigid", "bodies tumble freely", "steps", 12_000, 9_000..=1_000_000, rigid::run),
    Example::new("lbm", "a cylinder sheds vortices", "cells across the cylinder", 20, 6..=100, lbm::run),
    Example::new("raymarch", "rays meet a scene", "rows of pixels", 280, 16..=2_000, raymarch::run),
    Example::new("splats", "splats are fitted to a picture", "rows of splats", 14, 2..=64, splats::run),
    Example::new("heat", "a source of heat is found", "cells along an edge", 96, 12..=500, heat::run),
    Example::new("pendulum", "weak motors swing up pendulums", "steps", 500, 50..=5_000, pendulum::run),
    Example::new("smoothing", "a rough mesh becomes smooth", "vertices around a tube", 48, 8..=500, smoothing::run),
    Example::new(
        "deconvolution",
        "a blurred picture becomes sharp",
        "rows of pixels",
        128,
        12..=1_000,
        deconvolution::run,
    ),
    Example::new("options", "calls and their Greeks are priced", "paths", 20_000, 100..=10_000_000, options::run),
    Example::new("mlp", "a network tells two spirals apart", "neurons in a layer", 16, 2..=128, mlp::run),
];
