//! Smooths a rough mesh: the surface moves along the gradient of its own area, and keeps its volume.
//!
//! The gradient of the area by a vertex is the formula of cotangents, a discrete mean curvature (Desbrun, Meyer,
//! Schröder and Barr, "Implicit fairing of irregular meshes using diffusion and curvature flow", 1999). Here nobody
//! derives it: it is the adjoint of the area.

use crate::plot::{Picture, rgb};
use crate::report::{Report, Result, noise};
use crate::surface::{Camera, Scene, grid};
use kernel_rt::prelude::*;
use std::f64::consts::TAU;

/// The area of the triangles.
#[kernel]
fn measure_area(x: &[DVec3], faces: &[UVec3], area: &mut [f64]) {
    let i = tid();
    let a = x[faces[i].x as usize];
    let b = x[faces[i].y as usize];
    let c = x[faces[i].z as usize];
    atomic_add(&mut area[0], 0.5 * (b - a).cross(c - a).length());
}

/// The volume inside the triangles, as the sum of tetrahedra that meet at the origin.
#[kernel]
fn measure_volume(x: &[DVec3], faces: &[UVec3], volume: &mut [f64]) {
    let i = tid();
    let a = x[faces[i].x as usize];
    let b = x[faces[i].y as usize];
    let c = x[faces[i].z as usize];
    atomic_add(&mut volume[0], a.dot(b.cross(c)) / 6.0);
}

/// Moves the vertices against the gradient of the area, without its part along the gradient of the volume.
#[kernel(no_grad)]
fn relax(rate: f64, pressure: f64, area: &[DVec3], volume: &[DVec3], x: &mut [DVec3]) {
    let i = tid();
    x[i] -= rate * (area[i] - pressure * volume[i]);
}

/// A closed surface.
pub struct Mesh {
    device: Device,
    tape: Tape,
    /// The vertices.
    pub x: DeviceArray<DVec3>,
    /// The vertices of each triangle, in such an order that normals point outwards.
    pub faces: DeviceArray<UVec3>,
}

impl Mesh {
    /// The mesh of these vertices and triangles.
    pub fn new(device: &Device, x: &[DVec3], faces: &[UVec3]) -> Result<Mesh> {
        let (x, faces) = (device.array_from(x)?, device.array_from(faces)?);
        Ok(Mesh { device: device.clone(), tape: Tape::new(device), x, faces })
    }

    /// The area with its gradient, and the volume with its gradient.
    pub fn gradients(&self) -> Result<[(f64, DeviceArray<DVec3>); 2]> {
        let (area, volume) = (self.device.zeros(1)?, self.device.zeros(1)?);
        measure_area::launch(&self.tape, self.faces.len(), (&self.x, &self.faces, &area))?;
        measure_volume::launch(&self.tape, self.faces.len(), (&self.x, &self.faces, &volume))?;
        self.tape.backward(&area)?;
        let by_area = (area.to_vec()?[0], self.tape.gradient(&self.x)?);
        self.tape.zero_gradients();
        self.tape.backward(&volume)?;
        let by_volume = (volume.to_vec()?[0], self.tape.gradient(&self.x)?);
        self.tape.clear();
        Ok([by_area, by_volume])
    }

    /// One step of the flow; returns area and volume before it.
    pub fn relax(&self, rate: f64) -> Result<[f64; 2]> {
        let [(area, by_area), (volume, by_volume)] = self.gradients()?;
        let product = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let (a, v) = (by_area.to_vec()?, by_volume.to_vec()?);
        let pressure = product(&a, &v) / product(&v, &v);
        relax::launch(&self.device, self.x.len(), (rate, pressure, &by_area, &by_volume, &self.x))?;
        Ok([area, volume])
    }
}

/// The torus of radii 1 and 0.42 with `n` vertices around its tube, and how far a point is from it.
fn torus(n: usize) -> (Vec<DVec3>, Vec<UVec3>) {
    let vertex = |i: usize, j: usize| {
        let (around, tube) = (TAU * i as f64 / (2 * n) as f64, TAU * j as f64 / n as f64);
        let radius = 1.0 + 0.42 * tube.cos();
        DVec3::new(radius * around.cos(), 0.42 * tube.sin(), radius * around.sin())
    };
    let vertices = (0..2 * n).flat_map(|i| (0..n).map(move |j| vertex(i, j))).collect();
    (vertices, grid(2 * n, n, [true, true]))
}

/// The root mean square of the distances from the torus.
fn roughness(x: &[DVec3]) -> f64 {
    let distance = |x: &DVec3| DVec2::new(DVec2::new(x.x, x.z).length() - 1.0, x.y).length() - 0.42;
    (x.iter().map(|x| distance(x).powi(2)).sum::<f64>() / x.len() as f64).sqrt()
}

/// Smooths a rough torus with `n` vertices around its tube.
pub fn run(device: &Device, n: usize) -> Result<Report> {
    let (mut x, faces) = torus(n);
    for (i, x) in x.iter_mut().enumerate() {
        *x += 1.5 / n as f64 * DVec3::new(noise(3 * i), noise(3 * i + 1), noise(3 * i + 2));
    }
    let mesh = Mesh::new(device, &x, &faces)?;
    let (before, mut measures) = (mesh.x.to_vec()?, Vec::new());
    for _ in 0..20 {
        measures.push(mesh.relax(0.12)?);
    }
    let after = mesh.x.to_vec()?;
    let last = mesh.relax(0.0)?;
    Ok(Report {
        picture: Picture::beside(&[draw(&before, &faces), draw(&after, &faces)]),
        numbers: vec![
            ("distance from the torus before", roughness(&before)),
            ("distance from the torus after", roughness(&after)),
            ("area before", measures[0][0]),
            ("area after", last[0]),
            ("relative change of the volume", last[1] / measures[0][1] - 1.0),
        ],
    })
}

fn draw(x: &[DVec3], faces: &[UVec3]) -> Picture {
    let camera = Camera { eye: DVec3::new(0.6, 3.0, 3.6), target: DVec3::new(0.0, -0.05, 0.0), zoom: 0.62 };
    let mut scene = Scene::new(camera, Picture::new(640, 480, rgb(0xf4f6f8)));
    scene.add(x, faces, |_, _| rgb(0xe0a458));
    scene.into_picture().reduced(2)
}
