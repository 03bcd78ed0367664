//! Ray tracing: rays through a scene of balls above a floor, with materials.

use kernel_rt::prelude::*;

/// A ball of a scene.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The centre.
    pub centre: Vec3,
    /// The radius.
    pub radius: f32,
    /// The share of red, green and blue light that the ball sends back.
    pub colour: Vec3,
}

#[device]
mod ray {
    use super::Ball;
    use kernel_rt::prelude::*;

    /// A half-line in a direction of length 1.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Ray {
        /// Where the ray starts.
        pub from: Vec3,
        /// Its direction.
        pub to: Vec3,
    }

    impl Ray {
        /// The longest way that a ray goes.
        pub const FAR: f32 = 100.0;

        /// The point at a distance.
        pub fn at(self, distance: f32) -> Vec3 {
            self.from + self.to * distance
        }

        /// The ray from a point in a direction, a little ahead, so that it does not hit the surface that it leaves.
        pub fn leaving(point: Vec3, to: Vec3) -> Ray {
            Ray { from: point + to * 0.01, to }
        }

        /// The distance to the first hit with a ball, or `FAR`.
        pub fn to_ball(self, ball: Ball) -> f32 {
            let offset = self.from - ball.centre;
            let b = offset.dot(self.to);
            let inside = b * b - offset.length_squared() + ball.radius * ball.radius;
            if inside <= 0.0 {
                return Ray::FAR;
            }
            let root = inside.sqrt();
            if -b - root > 0.0 {
                -b - root
            } else if -b + root > 0.0 {
                -b + root
            } else {
                Ray::FAR
            }
        }
    }
}

pub use ray::Ray;

/// The first ball that a ray hits and the distance to it; the number of balls if it hits none.
#[device]
fn nearest_ball(balls: &[Ball], ray: Ray) -> (usize, f32) {
    let mut nearest = balls.len();
    let mut distance = Ray::FAR;
    for k in 0..balls.len() {
        let there = ray.to_ball(balls[k]);
        if there < distance {
            distance = there;
            nearest = k;
        }
    }
    (nearest, distance)
}

/// The direction after a surface between two media, by Snell's law; the mirrored one at total reflection. `ratio` is the index
/// of refraction before the surface by that behind it.
#[device]
fn refracted(to: Vec3, normal: Vec3, ratio: f32) -> Vec3 {
    let cosine = -to.dot(normal);
    let k = 1.0 - ratio * ratio * (1.0 - cosine * cosine);
    if k < 0.0 { to.reflect(normal) } else { to * ratio + normal * (ratio * cosine - k.sqrt()) }
}

/// The share of light that a surface of glass mirrors, by Schlick's approximation (1994).
#[device]
fn mirrored_share(cosine: f32, index: f32) -> f32 {
    let base = (1.0 - index) / (1.0 + index);
    let facing = base * base;
    facing + (1.0 - facing) * (1.0 - cosine).powi(5)
}

/// An image of balls above a floor, one pixel a thread: up to four surfaces along a ray. Materials are 0 matt, with light from
/// a lamp and shadows; 1 metal, which mirrors in its colour; others glass of index 1.5. The camera looks along −z.
#[kernel(family = "combined")]
pub fn trace_materials(
    #[domain(-3.0..3.0)] lamp: Vec3,
    #[domain(0.0..0.3)] ambient: f32,
    #[domain(0.2..0.9)] sky: Vec3,
    #[shape(5)]
    #[domain(0.2..0.9)]
    balls: &[Ball],
    #[shape(5)]
    #[domain(0..3)]
    material: &[u32],
    image: &mut Array2<Vec3>,
) {
    let (row, column) = tid2();
    let right = (column as f32 + 0.5) / image.shape()[1] as f32 - 0.5;
    let up = 0.5 - (row as f32 + 0.5) / image.shape()[0] as f32;
    let mut ray = Ray { from: Vec3::new(0.5, 0.6, 3.0), to: Vec3::new(right, up, -1.0).normalize() };
    let mut light = Vec3::ZERO;
    let mut weight = Vec3::ONE;
    for _ in 0..4 {
        let (ball, distance) = nearest_ball(balls, ray);
        let to_floor = if ray.to.y < -0.01 { -ray.from.y / ray.to.y } else { Ray::FAR };
        if distance >= Ray::FAR && to_floor >= Ray::FAR {
            light += weight * sky * (0.5 + 0.5 * ray.to.y);
            break;
        }
        let mut normal = Vec3::Y;
        let mut colour = Vec3::splat(0.7);
        let mut kind = 0;
        let point = ray.at(distance.min(to_floor));
        if distance < to_floor {
            normal = (point - balls[ball].centre) / balls[ball].radius;
            colour = balls[ball].colour;
            kind = material[ball];
        }
        match kind {
            0 => {
                let to_lamp = (lamp - point).normalize();
                let (hidden_by, _) = nearest_ball(balls, Ray::leaving(point, to_lamp));
                let shine = if hidden_by == balls.len() { normal.dot(to_lamp).max(0.0) } else { 0.0 };
                light += weight * colour * (ambient + (1.0 - ambient) * shine);
                break;
            }
            1 => {
                weight *= colour;
                ray = Ray::leaving(point, ray.to.reflect(normal));
            }
            _ => {
                let leaves = ray.to.dot(normal) > 0.0;
                let facing = if leaves { -normal } else { normal };
                let share = mirrored_share(-ray.to.dot(facing), 1.5);
                light += weight * sky * share;
                weight *= 1.0 - share;
                ray = Ray::leaving(point, refracted(ray.to, facing, if leaves { 1.5 } else { 1.0 / 1.5 }));
            }
        }
    }
    image[[row, column]] = light;
}

/// A direction around a normal, with a probability that falls with the cosine of the angle: a point of the unit sphere plus the
/// normal. The point is made from two random numbers from 0 to 1.
#[device]
fn scattered(normal: Vec3, first: f32, second: f32) -> Vec3 {
    let turn = std::f32::consts::TAU * first;
    let height = 1.98 * second - 0.99;
    let radius = (1.0 - height * height).sqrt();
    (normal + Vec3::new(radius * turn.cos(), radius * turn.sin(), height)).normalize()
}

/// An image by path tracing: for each pixel the mean of `samples` random paths. A path ends in the sky, whose light comes from
/// above, or after four surfaces. A ball is rough metal if a draw is below `metal`, else matt; the floor is matt.
#[kernel(family = "random_math")]
pub fn trace_paths(
    #[domain(0..1000000)] seed: i32,
    #[domain(1..4)] samples: u32,
    #[domain(0.1..0.9)] metal: f32,
    #[domain(0.0..0.5)] roughness: f32,
    #[domain(0.2..0.9)] floor: Vec3,
    #[domain(0.3..1.5)] eye: Vec3,
    #[shape(3)]
    #[domain(0.3..0.8)]
    balls: &[Ball],
    image: &mut Array2<Vec3>,
) {
    let (row, column) = tid2();
    let (height, width) = (image.shape()[0], image.shape()[1]);
    let mut rng = rand_init(seed, (row * width + column) as i32);
    let mut sum = Vec3::ZERO;
    for _ in 0..samples {
        let right = (column as f32 + randf(&mut rng)) / width as f32 - 0.5;
        let up = 0.5 - (row as f32 + randf(&mut rng)) / height as f32;
        let mut ray = Ray { from: eye + Vec3::Z, to: Vec3::new(right, up, -1.0).normalize() };
        let mut weight = Vec3::ONE;
        for _ in 0..4 {
            let (ball, distance) = nearest_ball(balls, ray);
            let to_floor = if ray.to.y < -0.01 { -ray.from.y / ray.to.y } else { Ray::FAR };
            if distance >= Ray::FAR && to_floor >= Ray::FAR {
                sum += weight * (0.2 + 0.8 * ray.to.y.max(0.0));
                break;
            }
            if to_floor <= distance {
                weight *= floor;
                ray = Ray::leaving(ray.at(to_floor), scattered(Vec3::Y, randf(&mut rng), randf(&mut rng)));
                continue;
            }
            let point = ray.at(distance);
            let normal = (point - balls[ball].centre) / balls[ball].radius;
            weight *= balls[ball].colour;
            let other = scattered(normal, randf(&mut rng), randf(&mut rng));
            let to =
                if randf(&mut rng) < metal { (ray.to.reflect(normal) + other * roughness).normalize() } else { other };
            ray = Ray::leaving(point, to);
        }
    }
    image[[row, column]] = sum / samples as f32;
}
