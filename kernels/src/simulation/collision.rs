//! Collision: where shapes are closest.

use kernel_rt::prelude::*;

/// The point of a triangle that is closest to a point, by the weights of its corners. Six tests tell whether that is a corner, a
/// point of a side, or one inside (Ericson, "Real-Time Collision Detection", 5.1.5).
#[device]
fn closest_weights(point: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (side, other) = (b - a, c - a);
    let from_a = point - a;
    let (d1, d2) = (side.dot(from_a), other.dot(from_a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return Vec3::X;
    }
    let from_b = point - b;
    let (d3, d4) = (side.dot(from_b), other.dot(from_b));
    if d3 >= 0.0 && d4 <= d3 {
        return Vec3::Y;
    }
    let by_c = d1 * d4 - d3 * d2;
    if by_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let part = d1 / (d1 - d3);
        return Vec3::new(1.0 - part, part, 0.0);
    }
    let from_c = point - c;
    let (d5, d6) = (side.dot(from_c), other.dot(from_c));
    if d6 >= 0.0 && d5 <= d6 {
        return Vec3::Z;
    }
    let by_b = d5 * d2 - d1 * d6;
    if by_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let part = d2 / (d2 - d6);
        return Vec3::new(1.0 - part, 0.0, part);
    }
    let by_a = d3 * d6 - d5 * d4;
    if by_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        let part = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return Vec3::new(0.0, 1.0 - part, part);
    }
    Vec3::new(by_a, by_b, by_c) / (by_a + by_b + by_c)
}

/// Balls against moving triangles, one pair a thread: the closest point, how deep the ball is in (m), and the impulse (N·s) that
/// takes the ball off the triangle with a bounce and friction. Triangles have no mass that the ball could move. SI units.
#[kernel(family = "vector")]
pub fn balls_on_triangles(
    #[domain(0.0..0.8)] bounce: f32,
    #[domain(0.1..0.6)] friction: f32,
    #[domain(0.2..0.9)] radius: &[f32],
    #[domain(0.5..2.0)] mass: &[f32],
    #[domain(-1.0..1.0)] centre: &[Vec3],
    #[domain(-1.0..1.0)] velocity: &[Vec3],
    #[shape(dim0, 3)]
    #[domain(-1.0..1.0)]
    corners: &Array2<Vec3>,
    #[shape(dim0, 3)]
    #[domain(-1.0..1.0)]
    corner_velocity: &Array2<Vec3>,
    closest: &mut [Vec3],
    depth: &mut [f32],
    impulse: &mut [Vec3],
) {
    let i = tid();
    let (a, b, c) = (corners[[i, 0]], corners[[i, 1]], corners[[i, 2]]);
    if (b - a).cross(c - a).length() < 0.05 {
        return;
    }
    let weights = closest_weights(centre[i], a, b, c);
    let nearest = a * weights.x + b * weights.y + c * weights.z;
    let offset = centre[i] - nearest;
    let distance = offset.length();
    closest[i] = nearest;
    depth[i] = radius[i] - distance;
    if distance >= radius[i] || distance < 0.01 {
        return;
    }
    let normal = offset / distance;
    let surface =
        corner_velocity[[i, 0]] * weights.x + corner_velocity[[i, 1]] * weights.y + corner_velocity[[i, 2]] * weights.z;
    let slip = velocity[i] - surface;
    let approach = slip.dot(normal);
    if approach >= 0.0 {
        return;
    }
    let push = -(1.0 + bounce) * approach * mass[i];
    let sliding = slip - normal * approach;
    let speed = sliding.length().max(0.001);
    let rub = (friction * push).min(mass[i] * speed);
    impulse[i] = normal * push - sliding * (rub / speed);
}

/// The form of an obstacle, in its own axes.
#[device]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The half of space below z = 0.
    Ground,
    /// A ball of the radius `size.x`.
    Ball,
    /// A box, `size` from its centre to its sides.
    Block,
    /// A rod with round ends along z: of the radius `size.x`, and `size.z` from its centre to those of its ends.
    Capsule,
}

/// An obstacle, which does not move.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Its form.
    pub form: Form,
    /// The centre, in m.
    pub centre: Vec3,
    /// The rotation of its axes; of any length.
    pub turn: Quat,
    /// The lengths of the form, in m.
    pub size: Vec3,
    /// The force against a depth, in N/m.
    pub stiffness: f32,
}

/// The distance of a point from the surface of a form, below 0 inside, and the direction away from it.
#[device]
fn distance_from(form: Form, size: Vec3, at: Vec3) -> (f32, Vec3) {
    match form {
        Form::Ground => (at.z, Vec3::Z),
        Form::Block => {
            let off = at - at.min(size).max(-size);
            let outside = off.length();
            let depths = at.abs() - size;
            let deepest = depths.max_element();
            if outside > 0.0 {
                (outside, off / outside)
            } else if deepest == depths.x {
                (deepest, if at.x < 0.0 { Vec3::NEG_X } else { Vec3::X })
            } else if deepest == depths.y {
                (deepest, if at.y < 0.0 { Vec3::NEG_Y } else { Vec3::Y })
            } else {
                (deepest, if at.z < 0.0 { Vec3::NEG_Z } else { Vec3::Z })
            }
        }
        Form::Ball | Form::Capsule => {
            let along = if form == Form::Capsule { at.z.min(size.z).max(-size.z) } else { 0.0 };
            let off = at - Vec3::Z * along;
            let length = off.length().max(0.001);
            (length - size.x, off / length)
        }
    }
}

/// Grains among obstacles, one grain a thread: the distance (m) to the nearest obstacle and its form, and the force (N) of springs
/// and dampers between the grain and all obstacles that it touches. The ground also rubs. SI units.
#[kernel(family = "multi_conditional")]
pub fn grains_among_obstacles(
    #[domain(0.1..0.6)] friction: f32,
    #[domain(0.1..0.4)] damping: f32,
    #[shape(6)]
    #[domain(0.1..0.7)]
    obstacles: &[Obstacle],
    #[domain(0.1..0.3)] radius: &[f32],
    #[domain(-1.0..1.0)] centre: &[Vec3],
    #[domain(-1.0..1.0)] velocity: &[Vec3],
    distance: &mut [f32],
    nearest: &mut [Form],
    force: &mut [Vec3],
) {
    let i = tid();
    let mut least = 1000.0;
    let mut form = Form::Ground;
    let mut sum = Vec3::ZERO;
    for k in 0..obstacles.len() {
        let obstacle = obstacles[k];
        let turn = obstacle.turn.normalize();
        let at = turn.conjugate() * (centre[i] - obstacle.centre);
        let (gap, away) = distance_from(obstacle.form, obstacle.size, at);
        if gap < least {
            least = gap;
            form = obstacle.form;
        }
        let depth = radius[i] - gap;
        if depth <= 0.0 {
            continue;
        }
        let normal = turn * away;
        let speed = velocity[i].dot(normal);
        let push = (obstacle.stiffness * depth - damping * speed).max(0.0);
        sum += normal * push;
        if obstacle.form == Form::Ground {
            let sliding = velocity[i] - normal * speed;
            sum -= sliding * (friction * push / (sliding.length() + 0.1));
        }
    }
    distance[i] = least - radius[i];
    nearest[i] = form;
    force[i] = sum;
}
