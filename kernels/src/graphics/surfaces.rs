//! Surfaces from fields of numbers, and distances to shapes.

use kernel_rt::prelude::*;

/// A corner of a cell of a grid, 0 to 7, as steps along the three axes: anticlockwise below, then above.
#[device]
fn corner_step(corner: usize) -> (usize, usize, usize) {
    let x = match corner {
        1 | 2 | 5 | 6 => 1,
        _ => 0,
    };
    let y = match corner {
        2 | 3 | 6 | 7 => 1,
        _ => 0,
    };
    let z = if corner >= 4 { 1 } else { 0 };
    (x, y, z)
}

/// The two corners of an edge of a cell, 0 to 11: four around the bottom, four around the top, four upright.
#[device]
fn edge_ends(edge: usize) -> (usize, usize) {
    match edge {
        0..=3 => (edge, (edge + 1) % 4),
        4..=7 => (edge, 4 + (edge + 1) % 4),
        _ => (edge - 8, edge - 4),
    }
}

/// A cell of a surface by marching cubes (Lorensen and Cline, 1987), one cell a thread: which corners are inside of the surface
/// chooses a row of `table`, whose triples of edges are triangles, until −1. The corners of triangles lie on the edges, where
/// the field has the value `level` by linear interpolation. `area` is that of the surface in the cell, of width 1.
#[kernel(family = "multi_conditional")]
pub fn marching_cubes(
    #[domain(-0.3..0.3)] level: f32,
    #[shape(256, 16)]
    #[domain(-1..12)]
    table: &Array2<i8>,
    #[shape(dim0 + 1, dim1 + 1, dim2 + 1)]
    #[domain(-1.0..1.0)]
    field: &Array3<f32>,
    #[shape(dim0, dim1, dim2, 15)] vertices: &mut Array4<Vec3>,
    count: &mut Array3<u32>,
    area: &mut Array3<f32>,
) {
    let (i, j, k) = tid3();
    let mut values = [0.0f32; 8];
    let mut case = 0u32;
    for corner in 0..8 {
        let (x, y, z) = corner_step(corner);
        values[corner] = field[[i + x, j + y, k + z]];
        if values[corner] < level {
            case |= 1 << corner;
        }
    }
    let mut points = [Vec3::ZERO; 12];
    for edge in 0..12 {
        let (a, b) = edge_ends(edge);
        let crosses = (values[a] < level) != (values[b] < level);
        let part = if crosses { (level - values[a]) / (values[b] - values[a]) } else { 0.5 };
        let (ax, ay, az) = corner_step(a);
        let (bx, by, bz) = corner_step(b);
        let start = Vec3::new((i + ax) as f32, (j + ay) as f32, (k + az) as f32);
        let end = Vec3::new((i + bx) as f32, (j + by) as f32, (k + bz) as f32);
        points[edge] = start.lerp(end, part);
    }
    let mut used = 0;
    let mut total = 0.0;
    while used < 15 && table[[case as usize, used]] >= 0 {
        let a = points[table[[case as usize, used]] as usize];
        let b = points[table[[case as usize, used + 1]].max(0) as usize];
        let c = points[table[[case as usize, used + 2]].max(0) as usize];
        vertices[[i, j, k, used]] = a;
        vertices[[i, j, k, used + 1]] = b;
        vertices[[i, j, k, used + 2]] = c;
        total += 0.5 * (b - a).cross(c - a).length();
        used += 3;
    }
    count[[i, j, k]] = used as u32;
    area[[i, j, k]] = total;
}

/// A solid of one of several kinds.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// The place of its middle.
    pub place: Vec3,
    /// Its sizes along the axes: half lengths, or radii.
    pub size: Vec3,
    /// How much it is rounded.
    pub rounding: f32,
}

/// The signed distance from a point to a box around the origin.
#[device]
fn to_box(point: Vec3, half: Vec3) -> f32 {
    let out = point.abs() - half;
    out.max(Vec3::ZERO).length() + out.max_element().min(0.0)
}

/// The signed distance from a point to the solid of a kind: 0 ball, 1 box, 2 capsule along y, 3 cylinder, 4 ring, others the
/// half of space below. (Formulas as collected by Quilez, "Distance functions".)
#[device]
fn to_solid(kind: u32, solid: Solid, point: Vec3) -> f32 {
    let p = point - solid.place;
    let flat = Vec2::new(p.x, p.z);
    match kind {
        0 => p.length() - solid.size.x,
        1 => to_box(p, solid.size) - solid.rounding,
        2 => {
            let along = p.y.clamp(-solid.size.y, solid.size.y);
            (p - Vec3::Y * along).length() - solid.size.x
        }
        3 => {
            let out = Vec2::new(flat.length() - solid.size.x, p.y.abs() - solid.size.y);
            out.max(Vec2::ZERO).length() + out.max_element().min(0.0) - solid.rounding
        }
        4 => Vec2::new(flat.length() - solid.size.x, p.y).length() - 0.3 * solid.size.z,
        _ => p.y,
    }
}

/// Distances from points to a scene of six solids, and unit normals by four more samples. Solids are joined one after the other
/// by an operation: 0 union, 1 smooth union, 2 what is left without the solid, others what both have in common.
#[kernel(family = "multi_conditional")]
pub fn scene_distance(
    #[domain(0.1..0.5)] blend: f32,
    #[shape(6)]
    #[domain(0..6)]
    kinds: &[u32],
    #[shape(6)]
    #[domain(0..4)]
    operations: &[u32],
    #[shape(6)]
    #[domain(0.1..0.8)]
    solids: &[Solid],
    #[domain(-1.5..1.5)] points: &[Vec3],
    distance: &mut [f32],
    normal: &mut [Vec3],
) {
    const STEP: f32 = 0.01;
    const FAR: f32 = 10.0;
    let i = tid();
    let mut slope = Vec3::ZERO;
    // The middle, then the corners of a tetrahedron around it, whose differences give the slope.
    for sample in 0..5u32 {
        let x = if sample == 1 || sample == 4 { 1.0 } else { -1.0 };
        let y = if sample == 3 || sample == 4 { 1.0 } else { -1.0 };
        let z = if sample == 2 || sample == 4 { 1.0 } else { -1.0 };
        let way = if sample == 0 { Vec3::ZERO } else { Vec3::new(x, y, z) };
        let point = points[i] + way * STEP;
        let mut nearest = FAR;
        for k in 0..kinds.len() {
            let other = to_solid(kinds[k], solids[k], point);
            nearest = match operations[k] {
                0 => nearest.min(other),
                1 => {
                    let h = (blend - (nearest - other).abs()).max(0.0) / blend;
                    nearest.min(other) - 0.25 * blend * h * h
                }
                2 => nearest.max(-other),
                _ => nearest.max(other),
            };
        }
        slope += way * nearest;
        if sample == 0 {
            distance[i] = nearest;
        }
    }
    normal[i] = slope / slope.length().max(0.001);
}
