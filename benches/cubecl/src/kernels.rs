//! The kernels in Weft, and the inputs of both.

use kernel_rt::Seed;
use kernel_rt::prelude::*;
use std::error::Error;

/// The elements of `saxpy`.
pub(crate) const LONG: usize = 1 << 22;
/// The elements of `wave`.
pub(crate) const ELEMENTS: usize = 1 << 20;
pub(crate) const BODIES: usize = 2048;
/// The rows and columns of the stencil.
pub(crate) const SIDE: usize = 2048;
/// The threads of a launch that does almost nothing.
pub(crate) const FEW: usize = 64;

pub(crate) const FACTOR: f32 = 0.5;
pub(crate) const SOFTENING: f32 = 0.01;

/// y = a·x + y.
#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += a * x[i];
}

/// out = sin(x)·exp(x) + √|x|.
#[kernel]
fn wave(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let v = x[i];
    out[i] = v.sin() * v.exp() + v.abs().sqrt();
}

/// The pull of all bodies on each: ∑ m·d / (|d|² + ε)^1.5.
#[kernel]
fn nbody(softening: f32, at: &[Vec3], mass: &[f32], pull: &mut [Vec3]) {
    let i = tid();
    let here = at[i];
    let mut sum = Vec3::ZERO;
    for j in 0..at.len() {
        let d = at[j] - here;
        let r2 = d.dot(d) + softening;
        sum += d * (mass[j] / (r2 * r2.sqrt()));
    }
    pull[i] = sum;
}

/// out = 5-point Laplacian of u, which is zero at the border.
#[kernel]
fn laplacian(u: &Array2<f32>, out: &mut Array2<f32>) {
    let (i, j) = tid2();
    if i > 0 && j > 0 && i + 1 < u.shape()[0] && j + 1 < u.shape()[1] {
        out[[i, j]] = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - 4.0 * u[[i, j]];
    }
}

/// Almost nothing.
#[kernel]
fn bump(x: &mut [f32]) {
    let i = tid();
    x[i] += 1.0;
}

/// Work, from its start until the device is done.
pub(crate) type Run = Box<dyn FnMut() -> Result<(), Box<dyn Error>>>;

/// Reads what launches have written.
type Read = Box<dyn Fn() -> Result<Vec<f32>, Box<dyn Error>>>;

/// A launch with its arrays.
pub(crate) struct Case {
    pub(crate) run: Run,
    pub(crate) output: Read,
}

impl Case {
    /// What the first launch writes.
    pub(crate) fn first(&mut self) -> Result<Vec<f32>, Box<dyn Error>> {
        (self.run)()?;
        (self.output)()
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Kernel {
    Saxpy,
    Wave,
    NBody,
    Laplacian,
}

impl Kernel {
    pub(crate) const ALL: [Kernel; 4] = [Kernel::Saxpy, Kernel::Wave, Kernel::NBody, Kernel::Laplacian];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kernel::Saxpy => "saxpy",
            Kernel::Wave => "wave",
            Kernel::NBody => "nbody",
            Kernel::Laplacian => "laplacian",
        }
    }

    /// A launch on a device.
    pub(crate) fn on(self, device: &Device) -> Result<Case, Box<dyn Error>> {
        let on = device.clone();
        Ok(match self {
            Kernel::Saxpy => {
                let (x, y) = (device.array_from(numbers(LONG))?, device.array_from(numbers(LONG))?);
                let out = y.clone();
                Case {
                    run: Box::new(move || {
                        saxpy::launch(&on, LONG, (FACTOR, &x, &y))?;
                        Ok(on.synchronize()?)
                    }),
                    output: Box::new(move || Ok(out.to_vec()?)),
                }
            }
            Kernel::Wave => {
                let (x, out) = (device.array_from(numbers(ELEMENTS))?, device.zeros(ELEMENTS)?);
                let written = out.clone();
                Case {
                    run: Box::new(move || {
                        wave::launch(&on, ELEMENTS, (&x, &out))?;
                        Ok(on.synchronize()?)
                    }),
                    output: Box::new(move || Ok(written.to_vec()?)),
                }
            }
            Kernel::NBody => {
                let (at, mass) = (device.array_from(points())?, device.array_from(masses())?);
                let pull = device.zeros::<Vec3>(BODIES)?;
                let written = pull.clone();
                Case {
                    run: Box::new(move || {
                        nbody::launch(&on, BODIES, (SOFTENING, &at, &mass, &pull))?;
                        Ok(on.synchronize()?)
                    }),
                    output: Box::new(move || Ok(written.to_vec()?.into_iter().flat_map(|v| [v.x, v.y, v.z]).collect())),
                }
            }
            Kernel::Laplacian => {
                let (u, out) = (device.array_from_nd(plane())?, device.zeros_nd([SIDE, SIDE])?);
                let written = out.clone();
                Case {
                    run: Box::new(move || {
                        laplacian::launch(&on, (SIDE, SIDE), (&u, &out))?;
                        Ok(on.synchronize()?)
                    }),
                    output: Box::new(move || Ok(written.to_vec()?)),
                }
            }
        })
    }

    /// The gradient of a launch that a tape has recorded.
    pub(crate) fn gradient_on(self, device: &Device) -> Result<Run, Box<dyn Error>> {
        let tape = Tape::new(device);
        let seed = match self {
            Kernel::Saxpy => {
                let (x, y) = (device.array_from(numbers(LONG))?, device.array_from(numbers(LONG))?);
                saxpy::launch(&tape, LONG, (FACTOR, &x, &y))?;
                Seed::new(&y, &x)?
            }
            Kernel::Wave => {
                let (x, out) = (device.array_from(numbers(ELEMENTS))?, device.zeros(ELEMENTS)?);
                wave::launch(&tape, ELEMENTS, (&x, &out))?;
                Seed::new(&out, &x)?
            }
            Kernel::NBody => {
                let (at, mass) = (device.array_from(points())?, device.array_from(masses())?);
                let pull = device.zeros::<Vec3>(BODIES)?;
                nbody::launch(&tape, BODIES, (SOFTENING, &at, &mass, &pull))?;
                Seed::new(&pull, &at)?
            }
            Kernel::Laplacian => {
                let (u, out) = (device.array_from_nd(plane())?, device.zeros_nd([SIDE, SIDE])?);
                laplacian::launch(&tape, (SIDE, SIDE), (&u, &out))?;
                Seed::new(&out, &u)?
            }
        };
        let device = device.clone();
        Ok(Box::new(move || {
            tape.zero_gradients();
            tape.backward_from(std::slice::from_ref(&seed))?;
            Ok(device.synchronize()?)
        }))
    }
}

/// Many launches of few threads, and one wait.
pub(crate) fn launches(device: &Device, count: usize) -> Result<Run, Box<dyn Error>> {
    let (device, x) = (device.clone(), device.zeros::<f32>(FEW)?);
    Ok(Box::new(move || {
        for _ in 0..count {
            bump::launch(&device, FEW, (&x,))?;
        }
        Ok(device.synchronize()?)
    }))
}

/// Numbers from −3 to 3.
pub(crate) fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| (i % 601) as f32 * 0.01 - 3.0).collect()
}

pub(crate) fn masses() -> Vec<f32> {
    (0..BODIES).map(|i| 0.5 + (i % 97) as f32 * 0.01).collect()
}

pub(crate) fn points() -> Vec<Vec3> {
    let at = |i: usize, by: f32| (i as f32 * by).sin();
    (0..BODIES).map(|i| Vec3::new(at(i, 0.37), at(i, 0.71), at(i, 0.11))).collect()
}

fn plane() -> Array2<f32> {
    Array2::from_vec([SIDE, SIDE], numbers(SIDE * SIDE)).expect("the shape fits")
}
