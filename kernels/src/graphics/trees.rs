//! Walks through trees and grids of space.

use kernel_rt::prelude::*;

/// The nearest of many points to each query, by a walk through a k-d tree: its number, and the square of the distance. Points
/// are in the order of a heap, so the children of node n are 2·n + 1 and 2·n + 2; levels split space along x, y, z in turn.
/// A stack holds the sides that are farther away, which are skipped if the plane of the split is farther than the best point.
/// `second` is the square of the distance to the second best point, of those that were visited.
#[kernel(family = "control_flow")]
pub fn nearest_in_tree(
    #[shape(dim0 + 7)]
    #[domain(-1.0..1.0)]
    points: &[Vec3],
    #[domain(-1.0..1.0)] queries: &[Vec3],
    nearest: &mut [u32],
    distance: &mut [f32],
    second: &mut [f32],
    visited: &mut [u32],
) {
    const DEPTH: usize = 16;
    const FAR: f32 = 100.0;
    let i = tid();
    let query = queries[i];
    let mut stack = [0u32; DEPTH];
    let mut stack_bound = [0.0f32; DEPTH];
    let mut height = 1;
    let mut best = 0;
    let mut best_distance = FAR;
    let mut second_distance = FAR;
    let mut seen = 0;
    while height > 0 {
        height -= 1;
        // The square of the distance to the plane behind which this part of the tree lies.
        if stack_bound[height] >= best_distance {
            continue;
        }
        let mut node = stack[height] as usize;
        let mut level = 31 - (node as u32 + 1).leading_zeros();
        while node < points.len() {
            let point = points[node];
            seen += 1;
            let there = query.distance_squared(point);
            if there < best_distance {
                second_distance = best_distance;
                best_distance = there;
                best = node;
            } else if there < second_distance {
                second_distance = there;
            }
            let axis = (level % 3) as usize;
            let side = query[axis] - point[axis];
            let (near, far) = if side < 0.0 { (2 * node + 1, 2 * node + 2) } else { (2 * node + 2, 2 * node + 1) };
            if far < points.len() && side * side < best_distance && height < DEPTH {
                stack[height] = far as u32;
                stack_bound[height] = side * side;
                height += 1;
            }
            node = near;
            level += 1;
        }
    }
    nearest[i] = best as u32;
    distance[i] = best_distance;
    second[i] = second_distance;
    visited[i] = seen;
}

/// A ray with the reciprocals of the components of its direction.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlabRay {
    /// Where the ray starts.
    pub from: Vec3,
    /// Its direction.
    pub to: Vec3,
    /// One by each component of the direction.
    pub inverse: Vec3,
}

/// Whether a ray meets a box before a distance: the intervals in which it is between each pair of sides have a part in common.
#[device]
fn meets_box(ray: SlabRay, low: Vec3, high: Vec3, limit: f32) -> bool {
    let a = (low - ray.from) * ray.inverse;
    let b = (high - ray.from) * ray.inverse;
    let enters = a.min(b).max_element().max(0.0);
    let leaves = a.max(b).min_element().min(limit);
    enters <= leaves
}

/// The distance to a triangle, or `limit` (Möller and Trumbore, 1997).
#[device]
fn to_triangle(ray: SlabRay, a: Vec3, b: Vec3, c: Vec3, limit: f32) -> f32 {
    let (side, other) = (b - a, c - a);
    let p = ray.to.cross(other);
    let determinant = side.dot(p);
    if determinant.abs() < 1e-3 {
        return limit;
    }
    let offset = ray.from - a;
    let u = offset.dot(p) / determinant;
    let q = offset.cross(side);
    let v = ray.to.dot(q) / determinant;
    let t = other.dot(q) / determinant;
    if u < 0.0 || v < 0.0 || u + v > 1.0 || t <= 0.0 { limit } else { t.min(limit) }
}

/// First hits of rays with the triangles of a hierarchy of boxes, walked in order without a stack: behind node n comes n + 1
/// if the ray meets its box, else the node behind its part of the tree, n + `size`. Nodes of size 1 are leaves with a triangle.
/// The distance is 10 where a ray hits nothing.
#[kernel(family = "control_flow")]
pub fn walk_boxes(
    #[domain(1..6)] size: &[u32],
    #[shape(size.len())]
    #[domain(-1.0..1.0)]
    centre: &[Vec3],
    #[shape(size.len())]
    #[domain(0.2..0.8)]
    extent: &[Vec3],
    #[shape(size.len(), 3)]
    #[domain(-1.0..1.0)]
    corners: &Array2<Vec3>,
    #[domain(-2.0..2.0)] from: &[Vec3],
    #[domain(-1.0..1.0)] to: &[Vec3],
    distance: &mut [f32],
    hit: &mut [i32],
    tests: &mut [u32],
) {
    const FAR: f32 = 10.0;
    let i = tid();
    let direction = to[i];
    if direction.abs().min_element() < 0.01 {
        distance[i] = FAR;
        hit[i] = -1;
        return;
    }
    let ray = SlabRay { from: from[i], to: direction, inverse: Vec3::ONE / direction };
    let mut nearest = FAR;
    let mut triangle = -1;
    let mut count = 0;
    let mut node = 0;
    while node < size.len() {
        if !meets_box(ray, centre[node] - extent[node], centre[node] + extent[node], nearest) {
            node += size[node] as usize;
            continue;
        }
        if size[node] == 1 {
            let there = to_triangle(ray, corners[[node, 0]], corners[[node, 1]], corners[[node, 2]], nearest);
            if there < nearest {
                nearest = there;
                triangle = node as i32;
            }
            count += 1;
        }
        node += 1;
    }
    distance[i] = nearest;
    hit[i] = triangle;
    tests[i] = count;
}

/// Light along rays through a fog on a grid of 8 × 8 × 8 cells of width 1: exp(−∫density). Rays go from cell to cell by the
/// method of Amanatides and Woo (1987), and end where less than a thousandth of the light is left. `solid` cells stop them.
#[kernel(family = "control_flow")]
pub fn march_fog(
    #[shape(8, 8, 8)] solid: &Array3<bool>,
    #[shape(8, 8, 8)]
    #[domain(0.0..0.8)]
    density: &Array3<f32>,
    #[domain(1.0..7.0)] from: &[Vec3],
    #[domain(-1.0..1.0)] to: &[Vec3],
    light: &mut [f32],
    cells: &mut [u32],
) {
    const SIDE: i32 = 8;
    let i = tid();
    let direction = to[i];
    if direction.abs().min_element() < 0.05 {
        light[i] = 1.0;
        return;
    }
    let length = direction.length();
    let mut cell = IVec3::new(from[i].x as i32, from[i].y as i32, from[i].z as i32);
    let mut step = IVec3::ONE;
    // How far the ray goes to the next plane along each axis, and between two planes, by lengths of `direction`.
    let mut next = Vec3::ZERO;
    let mut between = Vec3::ZERO;
    for axis in 0..3 {
        let plane = if direction[axis] > 0.0 { cell[axis] + 1 } else { cell[axis] };
        step[axis] = if direction[axis] > 0.0 { 1 } else { -1 };
        next[axis] = (plane as f32 - from[i][axis]) / direction[axis];
        between[axis] = 1.0 / direction[axis].abs();
    }
    let mut depth = 0.0;
    let mut travelled = 0.0;
    let mut count = 0;
    loop {
        if solid[[cell.x as usize, cell.y as usize, cell.z as usize]] {
            break;
        }
        let mut axis = 0;
        if next.y < next.x {
            axis = 1;
        }
        if next.z < next[axis] {
            axis = 2;
        }
        depth += density[[cell.x as usize, cell.y as usize, cell.z as usize]] * (next[axis] - travelled) * length;
        travelled = next[axis];
        next[axis] += between[axis];
        cell[axis] += step[axis];
        count += 1;
        if cell[axis] < 0 || cell[axis] >= SIDE || depth > 6.9 {
            break;
        }
    }
    light[i] = (-depth).exp();
    cells[i] = count;
}
