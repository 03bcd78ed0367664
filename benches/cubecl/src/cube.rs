//! The kernels in CubeCL.
//!
//! The kernels compare the number of a thread with the length, and launches have cubes of the size that CubeCL proposes for
//! elementwise work, as in CubeCL's own examples. The stencil has threads along two axes.

use crate::kernels::{
    BODIES, Case, ELEMENTS, FACTOR, FEW, Kernel, LONG, Run, SIDE, SOFTENING, masses, numbers, points,
};
use cubecl::client::Client;
use cubecl::future::block_on;
use cubecl::prelude::*;
use cubecl::server::Handle;
use cubecl::wgpu::{AutoGraphicsApi, RuntimeOptions, WgpuBackend, WgpuDevice, WgpuDeviceKind, try_init_setup};
use cubecl::{CubeCount, Device, calculate_cube_count_elemwise};
use std::error::Error;

/// The side of the cubes of the stencil.
const TILE: u32 = 16;

#[cube(launch, launch_unchecked)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    if ABSOLUTE_POS < y.len() {
        y[ABSOLUTE_POS] += a * x[ABSOLUTE_POS];
    }
}

#[cube(launch, launch_unchecked)]
fn wave(x: &[f32], out: &mut [f32]) {
    if ABSOLUTE_POS < out.len() {
        let v = x[ABSOLUTE_POS];
        out[ABSOLUTE_POS] = v.sin() * v.exp() + v.abs().sqrt();
    }
}

/// The vectors are three numbers each, as in memory of Weft.
#[cube(launch, launch_unchecked)]
fn nbody(softening: f32, at: &[f32], mass: &[f32], pull: &mut [f32]) {
    let i = ABSOLUTE_POS;
    if i < mass.len() {
        let (x, y, z) = (at[3 * i], at[3 * i + 1], at[3 * i + 2]);
        let mut sum_x = 0.0f32;
        let mut sum_y = 0.0f32;
        let mut sum_z = 0.0f32;
        for j in 0..mass.len() {
            let dx = at[3 * j] - x;
            let dy = at[3 * j + 1] - y;
            let dz = at[3 * j + 2] - z;
            let r2 = dx * dx + dy * dy + dz * dz + softening;
            let weight = mass[j] / (r2 * r2.sqrt());
            sum_x += dx * weight;
            sum_y += dy * weight;
            sum_z += dz * weight;
        }
        pull[3 * i] = sum_x;
        pull[3 * i + 1] = sum_y;
        pull[3 * i + 2] = sum_z;
    }
}

#[cube(launch, launch_unchecked)]
fn laplacian(rows: usize, columns: usize, u: &[f32], out: &mut [f32]) {
    let i = ABSOLUTE_POS_Y as usize;
    let j = ABSOLUTE_POS_X as usize;
    if i > 0 && j > 0 && i + 1 < rows && j + 1 < columns {
        let at = i * columns + j;
        out[at] = u[at - columns] + u[at + columns] + u[at - 1] + u[at + 1] - 4.0 * u[at];
    }
}

#[cube(launch, launch_unchecked)]
fn bump(x: &mut [f32]) {
    if ABSOLUTE_POS < x.len() {
        x[ABSOLUTE_POS] += 1.0;
    }
}

/// An open adapter.
pub(crate) struct Cube {
    client: Client,
    /// The name of the adapter, as Weft writes it.
    pub(crate) name: String,
}

/// Opens the adapter that is likely the fastest, on the interface of Weft's. The order of kinds is that of
/// `kernel_rt::Device::gpu`.
pub(crate) fn open(weft: &str) -> Result<Cube, Box<dyn Error>> {
    let backends = [("Vulkan", WgpuBackend::Vulkan), ("Metal", WgpuBackend::Metal), ("Dx12", WgpuBackend::Dx12)];
    let backend = backends.into_iter().find(|(name, _)| weft.contains(name)).ok_or("Weft's interface is not known")?.1;
    let kinds = [
        WgpuDeviceKind::DiscreteGpu(0),
        WgpuDeviceKind::IntegratedGpu(0),
        WgpuDeviceKind::VirtualGpu(0),
        WgpuDeviceKind::Other(0),
        WgpuDeviceKind::Cpu,
    ];
    for kind in kinds {
        let is_cpu = kind == WgpuDeviceKind::Cpu;
        let device = WgpuDevice::new(kind).on(backend);
        if let Ok(setup) = try_init_setup::<AutoGraphicsApi>(&device, RuntimeOptions::default()) {
            let software = if is_cpu { ", in software" } else { "" };
            let name = format!("{} ({:?}{software})", setup.adapter.get_info().name, setup.backend);
            return Ok(Cube { client: Device::Wgpu(device).client(), name });
        }
    }
    Err("there is no adapter".into())
}

/// Whether CubeCL keeps indices within the bounds of arrays.
#[derive(Clone, Copy)]
pub(crate) enum Checks {
    Off,
    On,
}

/// Launches a kernel with checks or without.
macro_rules! launch {
    ($kernel:ident, $checks:expr, $($argument:expr),+ $(,)?) => {
        match $checks {
            Checks::On => $kernel::launch($($argument),+),
            // SAFETY: the arrays have the lengths of their arguments, and the kernels stay within these.
            Checks::Off => unsafe { $kernel::launch_unchecked($($argument),+) },
        }
    };
}

impl Cube {
    /// A launch of a kernel.
    pub(crate) fn case(&self, kernel: Kernel, checks: Checks) -> Case {
        match kernel {
            Kernel::Saxpy => {
                let [x, y] = [(); 2].map(|()| self.array(&numbers(LONG)));
                let (count, dim) = self.line(LONG);
                self.run(y.clone(), move |client| {
                    let [x, y] = [&x, &y].map(|array| argument(array, LONG));
                    launch!(saxpy, checks, client, count.clone(), dim, FACTOR, x, y);
                })
            }
            Kernel::Wave => {
                let (x, out) = (self.array(&numbers(ELEMENTS)), self.array(&vec![0.0; ELEMENTS]));
                let (count, dim) = self.line(ELEMENTS);
                self.run(out.clone(), move |client| {
                    let [x, out] = [&x, &out].map(|array| argument(array, ELEMENTS));
                    launch!(wave, checks, client, count.clone(), dim, x, out);
                })
            }
            Kernel::NBody => {
                let at: Vec<f32> = points().into_iter().flat_map(|v| [v.x, v.y, v.z]).collect();
                let (pull, mass) = (self.array(&vec![0.0; at.len()]), self.array(&masses()));
                let at = self.array(&at);
                let (count, dim) = self.line(BODIES);
                self.run(pull.clone(), move |client| {
                    let [at, pull] = [&at, &pull].map(|array| argument(array, 3 * BODIES));
                    let mass = argument(&mass, BODIES);
                    launch!(nbody, checks, client, count.clone(), dim, SOFTENING, at, mass, pull);
                })
            }
            Kernel::Laplacian => {
                let (u, out) = (self.array(&numbers(SIDE * SIDE)), self.array(&vec![0.0; SIDE * SIDE]));
                let cubes = SIDE.div_ceil(TILE as usize) as u32;
                let (count, dim) = (CubeCount::Static(cubes, cubes, 1), CubeDim::new_2d(TILE, TILE));
                self.run(out.clone(), move |client| {
                    let [u, out] = [&u, &out].map(|array| argument(array, SIDE * SIDE));
                    launch!(laplacian, checks, client, count.clone(), dim, SIDE, SIDE, u, out);
                })
            }
        }
    }

    /// Many launches of few threads, and one wait.
    pub(crate) fn launches(&self, count: usize, checks: Checks) -> Run {
        let (client, x) = (self.client.clone(), self.array(&[0.0; FEW]));
        let (cubes, dim) = (CubeCount::Static(1, 1, 1), CubeDim::new_1d(FEW as u32));
        Box::new(move || {
            for _ in 0..count {
                launch!(bump, checks, &client, cubes.clone(), dim, argument(&x, FEW));
            }
            Ok(block_on(client.sync())?)
        })
    }

    fn run(&self, output: Handle, launch: impl Fn(&Client) + 'static) -> Case {
        let (client, reader) = (self.client.clone(), self.client.clone());
        Case {
            run: Box::new(move || {
                launch(&client);
                Ok(block_on(client.sync())?)
            }),
            output: Box::new(move || Ok(f32::from_bytes(&reader.read_one(output.clone())?).to_vec())),
        }
    }

    fn array(&self, elements: &[f32]) -> Handle {
        self.client.create_from_slice(f32::as_bytes(elements))
    }

    /// The cubes of a launch of one axis.
    fn line(&self, threads: usize) -> (CubeCount, CubeDim) {
        let dim = CubeDim::new(&self.client, threads);
        (calculate_cube_count_elemwise(&self.client, threads, dim), dim)
    }
}

/// An array of so many elements as an argument.
fn argument(array: &Handle, len: usize) -> BufferArg {
    // SAFETY: all callers pass the length with which the array was made.
    unsafe { BufferArg::from_raw_parts(array.clone(), len) }
}
