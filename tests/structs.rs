//! Structs and tuples as variables, parameters and results of device functions, through every stage: the CPU and its
//! adjoint against the interpreter and dual numbers, the emitted C++ and CUDA, and Warp.

use kernel_rt::prelude::*;

/// A half-line.
#[device]
#[derive(Clone, Copy)]
struct Ray {
    from: Vec3,
    to: Vec3,
}

/// What a ray meets first.
#[device]
#[derive(Clone, Copy)]
struct Hit {
    ray: Ray,
    distance: f32,
    sphere: u32,
    found: bool,
}

/// The point of a ray at a distance.
#[device]
fn at(ray: Ray, distance: f32) -> Vec3 {
    ray.from + ray.to * distance
}

/// The distances at which a ray enters and leaves a sphere; whether it does.
#[device]
fn through(ray: Ray, centre: Vec3, radius: f32) -> (bool, f32, f32) {
    let offset = ray.from - centre;
    let (b, c) = (offset.dot(ray.to), offset.dot(offset) - radius * radius);
    let discriminant = b * b - c;
    if discriminant < 0.0 {
        return (false, 0.0, 0.0);
    }
    let root = (discriminant + 0.01).sqrt();
    (true, -b - root, -b + root)
}

/// The nearer of two hits.
#[device]
fn nearer(a: Hit, b: Hit) -> Hit {
    if b.found && (!a.found || b.distance < a.distance) { b } else { a }
}

/// The nearest of some spheres along each ray, and a shade of the place.
#[kernel(family = "test")]
fn first_hit(
    #[domain(-1.0..1.0)] start: &[Vec3],
    #[domain(unit)] direction: &[Vec3],
    #[domain(-2.0..2.0)]
    #[shape(5)]
    centre: &[Vec3],
    #[domain(0.5..1.5)]
    #[shape(5)]
    radius: &[f32],
    light: Vec3,
    shade: &mut [f32],
    sphere: &mut [u32],
) {
    let i = tid();
    let ray = Ray { from: start[i], to: direction[i] };
    let mut best = Hit { ray, distance: 1e6, sphere: 0, found: false };
    for k in 0..centre.len() {
        let (meets, enters, leaves) = through(ray, centre[k], radius[k]);
        if meets && leaves > 0.0 {
            let distance = if enters > 0.0 { enters } else { leaves };
            best = nearer(best, Hit { distance, sphere: k as u32, found: true, ..best });
        }
    }
    sphere[i] = best.sphere;
    if best.found {
        let Hit { ray, distance, .. } = best;
        let place = at(ray, distance);
        shade[i] = (place - centre[best.sphere as usize]).dot(light) + best.ray.to.x;
    } else {
        shade[i] = -1.0;
    }
}

/// A body that moves along a line.
#[device]
#[derive(Clone, Copy)]
struct Body {
    x: f64,
    velocity: DVec2,
    steps: i64,
}

/// A body after a step of time.
#[device]
fn step(body: Body, stiffness: f64) -> Body {
    let mut next = body;
    next.velocity.x -= 0.1 * stiffness * body.x.sin();
    next.velocity.y = next.velocity.y * 0.9 + next.velocity.x * next.velocity.x;
    next.x += 0.1 * next.velocity.x;
    next.steps += 1;
    next
}

/// A struct as the state of a loop, whose fields change by themselves and together.
#[kernel(family = "test")]
fn driven(
    #[domain(-1.0..1.0)] start: &[f64],
    #[domain(0.5..2.0)] stiffness: f64,
    #[domain(0..20)] steps: i32,
    end: &mut [f64],
    count: &mut [i64],
) {
    let i = tid();
    let mut body = Body { velocity: DVec2::new(0.5, 0.0), x: start[i], steps: 0 };
    for k in 0..steps {
        if k % 3 == 2 {
            body.velocity *= 0.5;
            continue;
        }
        body = step(body, stiffness);
        if body.x > 2.0 {
            body = Body { x: body.velocity.x, velocity: DVec2::new(body.x, body.velocity.y), ..body };
            break;
        }
    }
    end[i] = body.x * body.velocity.y + body.velocity.x;
    count[i] = body.steps;
}

/// The constants of a damped oscillator.
#[device]
const DAMPING: f64 = 0.25;

#[device]
const STIFFNESS: DVec2 = DVec2::new(1.5, 2.5 - DAMPING);

/// Oscillators along two axes, with constants from outside.
#[kernel(family = "test")]
fn damped(#[domain(-1.0..1.0)] start: &[DVec2], #[domain(1..10)] steps: u32, energy: &mut [f64]) {
    let i = tid();
    let (mut place, mut velocity) = (start[i], DVec2::ZERO);
    for _ in 0..steps {
        velocity = velocity * (1.0 - 0.1 * DAMPING) - STIFFNESS * place * 0.1;
        place += velocity * 0.1;
    }
    energy[i] = 0.5 * velocity.dot(velocity) + 0.5 * (STIFFNESS * place).dot(place);
}

/// The greatest common divisor and a factor, as results of a loop.
#[device]
fn bezout(a: i32, b: i32) -> (i32, i32) {
    let mut r = (a, b);
    let mut s = (1, 0);
    while r.1 != 0 {
        let q = r.0 / r.1;
        r = (r.1, r.0 - q * r.1);
        s = (s.1, s.0 - q * s.1);
    }
    (r.0, s.0)
}

/// Both roots of `x² + p·x + q`, the smaller first.
#[device]
fn roots(p: f32, q: f32) -> (f32, f32) {
    let d = (p * p * 0.25 - q).abs().sqrt();
    let (a, b) = (-0.5 * p - d, -0.5 * p + d);
    if a < b { (a, b) } else { (b, a) }
}

/// The roots of the shifted polynomial, as the result of another function.
#[device]
fn shifted_roots(p: f32, q: f32, shift: f32) -> (f32, f32) {
    let found = roots(p, q + 0.25);
    if shift > 0.5 {
        return roots(p + shift, q);
    }
    (found.0 - shift, found.1 + shift)
}

/// Tuples that are bound, swapped, changed and returned.
#[kernel(family = "test")]
fn tuples(
    #[domain(0.5..2.0)] p: &[f32],
    #[domain(-2.0..-0.5)] q: &[f32],
    #[domain(1..100)] m: &[i32],
    y: &mut [f32],
    z: &mut [i32],
) {
    let i = tid();
    let (mut low, mut high) = roots(p[i], q[i]);
    if low.abs() > high.abs() {
        (low, high) = (high, low);
    }
    let (mut a, mut b, _) = (low, high * 2.0, 0);
    for _ in 0..3 {
        (a, b) = (b * 0.5, a + b);
    }
    let ends = shifted_roots(a, q[i], low);
    let mut sum = ends;
    sum.0 += b;
    let (x, w) = if sum.0 > sum.1 { ends } else { (sum.1, sum.0 * 0.5) };
    (y[i], _) = (x * w, 0);
    let (divisor, factor): (i32, i32) = bezout(m[i], 36);
    z[i] = divisor * 100 + factor;
}
