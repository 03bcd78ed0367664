//! Vectors and quaternions: geometry, mechanics and shading, with one particle, triangle or ray per thread.

use crate::functions::smooth_min;
use kernel_rt::prelude::*;

/// Unit vectors along the given ones; a zero vector stays zero.
#[kernel(family = "vector")]
pub fn normalize_all(#[domain(-4.0..4.0)] vectors: &mut [Vec3]) {
    let i = tid();
    vectors[i] = vectors[i].normalize_or_zero();
}

/// Torque of forces (N) that act on a body at points (m) about its centre of mass: τ = (p − c) × F, in N·m.
#[kernel(family = "vector")]
pub fn torque(
    #[domain(-1.0..1.0)] center: Vec3,
    #[domain(-2.0..2.0)] points: &[Vec3],
    #[domain(-10.0..10.0)] forces: &[Vec3],
    torques: &mut [Vec3],
) {
    let i = tid();
    let arm = points[i] - center;
    torques[i] = arm.cross(forces[i]);
}

/// Springs between pairs of particles, damped along their axis: F = (k·(|d| − rest) + c·(v·d̂))·d̂, the force in N on
/// the first particle of each pair. `ends[i]` holds the two particle numbers of spring i.
#[kernel(family = "vector")]
pub fn spring_forces(
    #[domain(1.0..50.0)] stiffness: f32,
    #[domain(0.0..2.0)] damping: f32,
    #[domain(-3.0..3.0)] position: &[Vec3],
    #[domain(-1.0..1.0)] velocity: &[Vec3],
    #[domain(0..dim0)] ends: &[UVec2],
    #[domain(0.5..1.5)] rest_length: &[f32],
    force: &mut [Vec3],
) {
    let spring = tid();
    let a = ends[spring].x as usize;
    let b = ends[spring].y as usize;
    let offset = position[b] - position[a];
    let direction = offset.normalize_or_zero();
    let stretch = offset.length() - rest_length[spring];
    let closing_speed = (velocity[b] - velocity[a]).dot(direction);
    force[spring] = direction * (stiffness * stretch + damping * closing_speed);
}

/// Mirror reflection of light directions at surfaces: r = d − 2(d·n)n. Normals are made unit length first.
#[kernel(family = "vector")]
pub fn mirror_reflect(
    #[domain(-1.0..1.0)] incoming: &[Vec3],
    #[domain(0.1..1.0)] normals: &[Vec3],
    reflected: &mut [Vec3],
) {
    let i = tid();
    reflected[i] = incoming[i].reflect(normals[i].normalize());
}

/// Refraction by Snell's law at a surface whose normal is (0, 0, 1), of light that comes from above; `eta` is the ratio
/// of refractive indices (outside over inside). Total internal reflection gives the zero vector.
#[kernel(family = "vector")]
pub fn snell_refract(#[domain(0.5..1.6)] eta: f32, #[domain(0.1..1.0)] toward_light: &[Vec3], refracted: &mut [Vec3]) {
    let i = tid();
    let incoming = -toward_light[i].normalize();
    let cosine = -incoming.z;
    let squared = 1.0 - eta * eta * (1.0 - cosine * cosine);
    refracted[i] = if squared < 0.0 { Vec3::ZERO } else { incoming * eta + Vec3::Z * (eta * cosine - squared.sqrt()) };
}

/// Barycentric coordinates of points in one triangle of the plane: (u, v, w) with p = u·a + v·b + w·c, u + v + w = 1.
/// The domains keep the corners apart, a at the lower left, b at the lower right, c at the top.
#[kernel(family = "vector")]
pub fn barycentric(
    #[domain(-2.0..-1.0)] a: Vec2,
    #[domain(1.0..2.0)] width: f32,
    #[domain(1.0..2.0)] height: f32,
    #[domain(-2.0..2.0)] points: &[Vec2],
    coordinates: &mut [Vec3],
) {
    let i = tid();
    let to_b = Vec2::new(width, 0.0);
    let to_c = Vec2::new(0.5 * width, height);
    let to_point = points[i] - a;
    let double_area = to_b.perp_dot(to_c);
    let v = to_point.perp_dot(to_c) / double_area;
    let w = to_b.perp_dot(to_point) / double_area;
    coordinates[i] = Vec3::new(1.0 - v - w, v, w);
}

/// Unit normals and areas of the triangles of a mesh; `corners[i]` holds the three vertex numbers of triangle i. A
/// triangle without area gets the zero normal.
#[kernel(family = "vector")]
pub fn triangle_normals(
    #[domain(-1.0..1.0)] vertices: &[Vec3],
    #[domain(0..dim0)] corners: &[UVec3],
    normals: &mut [Vec3],
    areas: &mut [f32],
) {
    let triangle = tid();
    let corner = corners[triangle];
    let a = vertices[corner.x as usize];
    let b = vertices[corner.y as usize];
    let c = vertices[corner.z as usize];
    let cross = (b - a).cross(c - a);
    areas[triangle] = 0.5 * cross.length();
    normals[triangle] = cross.normalize_or_zero();
}

/// Rigid motion of a point cloud: p' = q·p·q⁻¹ + t, the quaternion made unit length first.
#[kernel(family = "vector")]
pub fn rigid_transform(
    #[domain(0.1..1.0)] rotation: Quat,
    #[domain(-5.0..5.0)] translation: Vec3,
    #[domain(-2.0..2.0)] points: &[Vec3],
    moved: &mut [Vec3],
) {
    let i = tid();
    moved[i] = rotation.normalize() * points[i] + translation;
}

/// First hit of rays from a common eye with a sphere at the origin: the distance along each ray, or −1 for a miss. The
/// eye lies outside of the sphere.
#[kernel(family = "vector")]
pub fn ray_sphere(
    #[domain(1.5..2.0)] eye: Vec3,
    #[domain(0.5..1.5)] radius: f32,
    #[domain(-1.0..-0.5)] directions: &[Vec3],
    distance: &mut [f32],
) {
    let i = tid();
    let direction = directions[i].normalize();
    let half_b = eye.dot(direction);
    let c = eye.length_squared() - radius * radius;
    let discriminant = half_b * half_b - c;
    distance[i] = -1.0;
    if discriminant >= 0.0 {
        distance[i] = -half_b - discriminant.sqrt();
    }
}

/// Blinn-Phong shading of surface points seen and lit from fixed directions: ambient + diffuse·max(n·l, 0)
/// + specular·max(n·h, 0)^shininess, with h halfway between light and eye.
#[kernel(family = "vector")]
pub fn blinn_phong(
    #[domain(0.1..1.0)] toward_light: Vec3,
    #[domain(0.1..1.0)] toward_eye: Vec3,
    #[domain(1.0..32.0)] shininess: f32,
    #[domain(-1.0..1.0)] normals: &[Vec3],
    #[domain(0.0..1.0)] albedo: &[Vec3],
    color: &mut [Vec3],
) {
    let i = tid();
    let light = toward_light.normalize();
    let halfway = (light + toward_eye.normalize()).normalize();
    let normal = normals[i].normalize_or_zero();
    let diffuse = normal.dot(light).max(0.0);
    let specular = normal.dot(halfway).max(0.0).powf(shininess);
    color[i] = albedo[i] * (0.1 + 0.7 * diffuse) + Vec3::splat(0.2 * specular);
}

/// Rotation of plane points about a pivot, counter-clockwise by an angle in degrees.
#[kernel(family = "vector")]
pub fn rotate_about_pivot(
    #[domain(-180.0..180.0)] degrees: f32,
    #[domain(-1.0..1.0)] pivot: Vec2,
    #[domain(-4.0..4.0)] points: &mut [Vec2],
) {
    let i = tid();
    let angle = degrees.to_radians();
    let arm = points[i] - pivot;
    let turned = Vec2::new(arm.x * angle.cos() - arm.y * angle.sin(), arm.x * angle.sin() + arm.y * angle.cos());
    points[i] = pivot + turned;
}

/// Newtonian gravity of one star on planets, in double precision: a = −GM·r/|r|³, G·M in AU³/day² and r in AU.
#[kernel(family = "vector")]
pub fn gravity_acceleration(
    #[domain(0.0001..0.001)] gm: f64,
    #[domain(0.3..30.0)] position: &[DVec3],
    acceleration: &mut [DVec3],
) {
    let i = tid();
    let r = position[i];
    let distance = r.length();
    acceleration[i] = -r * (gm / (distance * distance * distance));
}

/// Manhattan and Chebyshev distances of integer grid cells from one cell: (|dx| + |dy| + |dz|, max of the three).
#[kernel(family = "vector")]
pub fn grid_distances(
    #[domain(-500..500)] origin: IVec3,
    #[domain(-1000..1000)] cells: &[IVec3],
    distances: &mut [IVec2],
) {
    let i = tid();
    let offset = (cells[i] - origin).abs();
    distances[i] = IVec2::new(offset.element_sum(), offset.max_element());
}

/// Distance in metres from points to the line segment between two ends.
#[kernel(family = "vector")]
pub fn segment_distance(
    #[domain(-2.0..0.0)] start: Vec3,
    #[domain(1.0..2.0)] end: Vec3,
    #[domain(-4.0..4.0)] points: &[Vec3],
    distance: &mut [f32],
) {
    let i = tid();
    let axis = end - start;
    let along = (points[i] - start).dot(axis) / axis.length_squared();
    let nearest = start + axis * along.clamp(0.0, 1.0);
    distance[i] = points[i].distance(nearest);
}

/// Orientation of a spinning body after a step: q' = normalize(q + (dt/2)·(ω, 0)·q), ω in rad/s, dt in s.
#[kernel(family = "vector")]
pub fn integrate_orientation(
    #[domain(0.001..0.02)] dt: f32,
    #[domain(-6.0..6.0)] angular_velocity: &[Vec3],
    #[domain(0.1..1.0)] orientation: &mut [Quat],
) {
    let i = tid();
    let q = orientation[i].normalize();
    let omega = angular_velocity[i];
    let spin = Quat::from_xyzw(omega.x, omega.y, omega.z, 0.0);
    orientation[i] = (q + spin * q * (0.5 * dt)).normalize();
}

/// Axis-aligned bounding boxes of spheres, grown to hold the sphere at both ends of a linear motion.
#[kernel(family = "vector")]
pub fn swept_sphere_bounds(
    #[domain(-5.0..5.0)] centers: &[Vec3],
    #[domain(-1.0..1.0)] displacements: &[Vec3],
    #[domain(0.1..0.5)] radii: &[f32],
    lower: &mut [Vec3],
    upper: &mut [Vec3],
) {
    let i = tid();
    let start = centers[i];
    let end = start + displacements[i];
    let margin = Vec3::splat(radii[i]);
    lower[i] = start.min(end) - margin;
    upper[i] = start.max(end) + margin;
}

/// Cell-centred velocity on a grid turned into its speed and heading (radians from the x axis).
#[kernel(family = "vector")]
pub fn wind_speed_heading(#[domain(-20.0..20.0)] wind: &Array2<DVec2>, speed_heading: &mut Array2<DVec2>) {
    let (row, column) = tid2();
    let velocity = wind[[row, column]];
    let heading = velocity.y.atan2(velocity.x);
    speed_heading[[row, column]] = DVec2::new(velocity.length(), heading);
}

/// Accelerometer readings (m/s²) from the body's frame to the world's, gravity taken off: a = q·f·q⁻¹ + (0, 0, −g), in
/// double precision. Attitudes are made unit length first.
#[kernel(family = "vector")]
pub fn world_acceleration(
    #[domain(9.7..9.9)] gravity: f64,
    #[domain(0.1..1.0)] attitude: &[DQuat],
    #[domain(-20.0..20.0)] specific_force: &[DVec3],
    acceleration: &mut [DVec3],
) {
    let i = tid();
    let world_force = attitude[i].normalize() * specific_force[i];
    acceleration[i] = world_force - DVec3::Z * gravity;
}

/// Distance to a ball around the origin.
#[device]
fn ball_distance(point: Vec3, radius: f32) -> f32 {
    point.length() - radius
}

/// Distance to a box around the origin, by the half lengths of its edges.
#[device]
fn box_distance(point: Vec3, half: Vec3) -> f32 {
    let beyond = point.abs() - half;
    let outside = beyond.max(Vec3::ZERO).length();
    outside + beyond.max_element().min(0.0)
}

/// Distance of points to a ball that melts into a box: the smooth minimum of the two distances.
#[kernel(family = "vector")]
pub fn blended_distance(
    #[domain(0.05..0.5)] blend: f32,
    #[domain(0.2..1.0)] radius: f32,
    #[domain(-2.0..2.0)] points: &[Vec3],
    distance: &mut [f32],
) {
    let i = tid();
    let ball = ball_distance(points[i] - Vec3::new(0.8, 0.3, 0.0), radius);
    let cuboid = box_distance(points[i], Vec3::new(0.6, 0.4, 0.5));
    distance[i] = smooth_min(ball, cuboid, blend);
}

/// The direction of a vector; zero for the zero vector, with derivative zero there.
#[device(grad(v = direction_dv))]
fn direction(v: Vec3) -> Vec3 {
    let length = v.length();
    if length == 0.0 { Vec3::ZERO } else { v / length }
}

/// The adjoint of `v`: what of `adj` is at right angles to the direction, by the length.
#[device]
fn direction_dv(v: Vec3, adj: Vec3) -> Vec3 {
    let length = v.length();
    if length == 0.0 {
        return Vec3::ZERO;
    }
    let unit = v / length;
    (adj - unit * unit.dot(adj)) / length
}

/// Diffuse light on a surface with a normal map: ⟨n/|n|, light/|light|⟩ where that is positive, else dark.
#[kernel(family = "vector")]
pub fn shade_normal_map(
    #[domain(-1.0..1.0)] light: Vec3,
    #[domain(-1.0..1.0)] normals: &Array2<Vec3>,
    brightness: &mut Array2<f32>,
) {
    let (row, column) = tid2();
    let cosine = direction(normals[[row, column]]).dot(direction(light));
    // Not `max`: of the two zeros it may give either.
    brightness[[row, column]] = if cosine > 0.0 { cosine } else { 0.0 };
}

/// The height at a place of a field, or at the nearest one inside of it.
#[device]
fn height_near(heights: &Array2<f32>, row: i32, column: i32) -> f32 {
    let i = row.clamp(0, heights.shape()[0] as i32 - 1);
    let j = column.clamp(0, heights.shape()[1] as i32 - 1);
    heights[[i as usize, j as usize]]
}

/// The slopes of a field of heights, by central differences.
#[device]
fn slopes(heights: &Array2<f32>, row: i32, column: i32) -> Vec2 {
    Vec2::new(
        height_near(heights, row, column + 1) - height_near(heights, row, column - 1),
        height_near(heights, row + 1, column) - height_near(heights, row - 1, column),
    ) * 0.5
}

/// Unit normals of a terrain, from its heights.
#[kernel(family = "vector")]
pub fn terrain_normals(
    #[domain(0.1..4.0)] steepness: f32,
    #[domain(-1.0..1.0)] heights: &Array2<f32>,
    normals: &mut Array2<Vec3>,
) {
    let (i, j) = tid2();
    let slope = slopes(heights, i as i32, j as i32) * steepness;
    normals[[i, j]] = Vec3::new(-slope.x, -slope.y, 1.0).normalize();
}

/// A grain of sand.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// Its place.
    pub place: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
    /// Its radius.
    pub radius: f32,
    /// Whether it lies still.
    pub rests: bool,
}

/// A plane that grains bounce off, with a normal of any length.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// The normal, which need not have length 1.
    pub normal: Vec3,
    /// The distance of the plane from the origin, along the normal.
    pub height: f32,
    /// The part of the speed that a grain keeps.
    pub restitution: f32,
}

/// A step of grains that fall and bounce off a plane. Grains at rest stay where they are.
#[kernel(family = "vector")]
pub fn bounce_grains(
    floor: Floor,
    #[domain(0.01..0.1)] dt: f32,
    gravity: Vec3,
    #[domain(-2.0..2.0)] grains: &mut [Grain],
) {
    let i = tid();
    let grain = grains[i];
    if grain.rests {
        return;
    }
    let up = direction(floor.normal);
    grains[i].velocity += gravity * dt;
    grains[i].place += grains[i].velocity * dt;
    let depth = grain.radius.abs() - (grains[i].place.dot(up) - floor.height);
    let speed = grains[i].velocity.dot(up);
    if depth > 0.0 && speed < 0.0 {
        grains[i].place += up * depth;
        grains[i].velocity -= up * ((1.0 + floor.restitution) * speed);
    }
}
