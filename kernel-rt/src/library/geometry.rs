//! Distances between parts of shapes.

use crate::prelude::*;

/// The nearest points of the edges from `p1` to `q1` and from `p2` to `q2`: their places from 0 to 1 on both, and their
/// distance. An edge whose squared length is at most `epsilon` counts as its first point. Of parallel edges, which may have many
/// pairs of nearest points, the result is one. Of edges of length 1 the distance is exact to 1e-6, and the places to 1e-4 where
/// the edges are not nearly parallel. Warp's numbers are rounded otherwise.
///
/// Source: C. Ericson, "Real-Time Collision Detection", section 5.1.9; with Lagrange's identity, so that no difference of products
/// loses its digits.
#[device]
pub fn closest_point_edge_edge(p1: Vec3, q1: Vec3, p2: Vec3, q2: Vec3, epsilon: f32) -> Vec3 {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e) = (d1.dot(d1), d2.dot(d2));
    let (b, c, f) = (d1.dot(d2), d1.dot(r), d2.dot(r));
    let (mut s, mut t) = (0.0, 0.0);
    if a > epsilon && e > epsilon {
        let normal = d1.cross(d2);
        let square = normal.dot(normal);
        // The place of the nearest point of the first line, limited to the edge; then that of the second edge to it.
        s = if square > 0.0 { (normal.dot(d2.cross(r)) / square).clamp(0.0, 1.0) } else { 0.0 };
        t = (b * s + f) / e;
        if t < 0.0 {
            t = 0.0;
            s = (-c / a).clamp(0.0, 1.0);
        } else if t > 1.0 {
            t = 1.0;
            s = ((b - c) / a).clamp(0.0, 1.0);
        }
    } else if e > epsilon {
        t = (f / e).clamp(0.0, 1.0);
    } else if a > epsilon {
        s = (-c / a).clamp(0.0, 1.0);
    }
    Vec3::new(s, t, (r + d1 * s - d2 * t).length())
}
