//! Triangle meshes, and pictures of them.

use crate::plot::{Color, Picture};
use kernel_rt::prelude::*;

/// The triangles of a surface with vertices in `rows` rows of `columns`; `wraps` says along which axes it is closed.
pub fn grid(rows: usize, columns: usize, wraps: [bool; 2]) -> Vec<UVec3> {
    let cells = |count: usize, wraps: bool| if wraps { count } else { count.saturating_sub(1) };
    let cells = (0..cells(rows, wraps[0])).flat_map(|i| (0..cells(columns, wraps[1])).map(move |j| (i, j)));
    let index = |i: usize, j: usize| (i % rows * columns + j % columns) as u32;
    let halves = |(i, j)| {
        let (a, b, c, d) = (index(i, j), index(i, j + 1), index(i + 1, j + 1), index(i + 1, j));
        [UVec3::new(a, b, c), UVec3::new(a, c, d)]
    };
    cells.flat_map(halves).collect()
}

/// A sphere.
pub fn sphere(center: DVec3, radius: f64) -> (Vec<DVec3>, Vec<UVec3>) {
    const ROWS: usize = 49;
    const COLUMNS: usize = 96;
    use std::f64::consts::{PI, TAU};
    let vertex = |i: usize, j: usize| {
        let (polar, around) = (PI * i as f64 / (ROWS - 1) as f64, TAU * j as f64 / COLUMNS as f64);
        center + radius * DVec3::new(polar.sin() * around.cos(), polar.cos(), polar.sin() * around.sin())
    };
    let vertices = (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| vertex(i, j))).collect();
    (vertices, grid(ROWS, COLUMNS, [false, true]))
}

/// Where a picture is taken from; y is up.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// The place of the eye.
    pub eye: DVec3,
    /// The point in the middle of the picture.
    pub target: DVec3,
    /// The height of the picture at a distance of 1.
    pub zoom: f64,
}

/// A picture with depth, to which surfaces are added.
pub struct Scene {
    camera: Camera,
    picture: Picture,
    depth: Vec<f64>,
}

impl Scene {
    /// An empty scene.
    pub fn new(camera: Camera, background: Picture) -> Scene {
        let (width, height) = background.size();
        Scene { camera, picture: background, depth: vec![f64::INFINITY; width * height] }
    }

    /// The column, row and depth of a point.
    fn project(&self, point: DVec3) -> DVec3 {
        let (width, height) = self.picture.size();
        let forward = (self.camera.target - self.camera.eye).normalize();
        let right = forward.cross(DVec3::Y).normalize();
        let (arm, up) = (point - self.camera.eye, right.cross(forward));
        let (depth, scale) = (arm.dot(forward), height as f64 / self.camera.zoom);
        let (x, y) = (arm.dot(right) / depth * scale, arm.dot(up) / depth * scale);
        DVec3::new(0.5 * width as f64 + x, 0.5 * height as f64 - y, depth)
    }

    /// Draws triangles with smooth shading, lit from both sides. `color` is that of a triangle, and of its front or
    /// back.
    pub fn add(&mut self, vertices: &[DVec3], faces: &[UVec3], color: impl Fn(usize, bool) -> Color) {
        let light = DVec3::new(0.5, 0.8, 0.35).normalize();
        let mut normals = vec![DVec3::ZERO; vertices.len()];
        for face in faces {
            let [a, b, c] = face.to_array().map(|vertex| vertices[vertex as usize]);
            face.to_array().iter().for_each(|vertex| normals[*vertex as usize] += (b - a).cross(c - a));
        }
        let seen: Vec<DVec3> = vertices.iter().map(|vertex| self.project(*vertex)).collect();
        let eye = self.camera.eye;
        for (number, face) in faces.iter().enumerate() {
            let corners = face.to_array().map(|vertex| vertex as usize);
            let [a, b, c] = corners.map(|corner| seen[corner]);
            self.triangle([a, b, c], |weights| {
                let mix = |of: &[DVec3]| -> DVec3 { corners.iter().zip(weights).map(|(at, w)| w * of[*at]).sum() };
                let view = (eye - mix(vertices)).normalize();
                let normal = mix(&normals).normalize_or_zero();
                let is_front = normal.dot(view) > 0.0;
                let normal = if is_front { normal } else { -normal };
                let diffuse = normal.dot(light).max(0.0);
                let shine = normal.dot((light + view).normalize()).max(0.0).powi(40);
                color(number, is_front) * (0.32 + 0.18 * normal.y + 0.6 * diffuse) as f32
                    + Vec3::splat(0.18 * shine as f32)
            });
        }
    }

    /// Fills a triangle; `color` takes barycentric weights.
    fn triangle(&mut self, [a, b, c]: [DVec3; 3], color: impl Fn([f64; 3]) -> Color) {
        let (width, height) = self.picture.size();
        let area = |p: DVec3, q: DVec3, r: DVec3| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
        let whole = area(a, b, c);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let columns = low.x.max(0.0) as usize..(high.x.max(0.0) as usize + 1).min(width);
        let rows = low.y.max(0.0) as usize..(high.y.max(0.0) as usize + 1).min(height);
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let p = DVec3::new(x as f64 + 0.5, y as f64 + 0.5, 0.0);
            let weights = [area(b, c, p) / whole, area(c, a, p) / whole, area(a, b, p) / whole];
            let depth = weights[0] * a.z + weights[1] * b.z + weights[2] * c.z;
            if weights.iter().all(|w| *w >= 0.0) && depth < self.depth[y * width + x] {
                self.depth[y * width + x] = depth;
                self.picture.set(x, y, color(weights));
            }
        }
    }

    /// The picture.
    pub fn into_picture(self) -> Picture {
        self.picture
    }
}
