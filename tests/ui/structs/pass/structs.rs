use kernel_rt::prelude::*;

mod geo {
    use kernel_rt::prelude::*;

    /// A half-line.
    #[device]
    #[derive(Clone, Copy, Debug)]
    pub struct Ray {
        pub from: Vec3,
        pub to: Vec3,
    }

    pub mod scene {
        use super::Ray;
        use kernel_rt::prelude::*;

        #[device]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct Camera {
            pub ray: Ray,
            pub zoom: f32,
            pub r#type: u32,
            pub place: usize,
            pub on: bool,
        }

        #[device]
        pub fn camera(from: Vec3) -> Camera {
            Camera { ray: Ray { from, to: -from }, zoom: 2.0, r#type: 1, place: 2, on: true }
        }
    }
}

/// A result whose type the kernel does not name.
#[kernel]
fn unnamed(x: &[Vec3], y: &mut [f32]) {
    let i = tid();
    let camera = geo::scene::camera(x[i]);
    y[i] = camera.ray.to.x * camera.zoom + camera.r#type as f32 + camera.place as f32;
}

/// A type of the name of a function, by several paths.
#[kernel]
fn by_path(x: &[Vec3], y: &mut [f32]) {
    use_nothing();
    let i = tid();
    let mut ray: geo::Ray = geo::Ray { to: x[0], from: x[i] };
    ray.from[i % 3] += 1.0;
    ray.to *= 2.0;
    let crate::geo::Ray { from: start, .. } = ray;
    let again = geo::Ray { from: start, ..ray };
    y[i] = again.from.dot(again.to);
}

#[device]
fn use_nothing() -> f32 {
    0.0
}

/// Tuples in all places.
#[kernel]
fn tuples(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let (a, mut b) = (x[i], 1.0);
    let pair: (f32, f32) = halves(a);
    let mut sum = (pair.1, pair.0);
    sum.0 += b;
    (b, _) = halves(sum.0);
    (sum.1, y[i]) = (b, sum.1);
    let (low, high) = if sum.0 < sum.1 { sum } else { (sum.1, sum.0) };
    y[i] += halves(high).1 - low;
}

#[device]
fn halves(x: f32) -> (f32, f32) {
    let whole = x.floor();
    match x > 100.0 {
        true => (0.0, 0.0),
        false => (whole, x - whole),
    }
}

fn main() {
    let mut y = [0.0];
    unnamed::cpu(1, &[Vec3::new(1.0, 2.0, 3.0)], &mut y).unwrap();
    assert_eq!(y, [1.0]);
    by_path::cpu(1, &[Vec3::new(1.0, 2.0, 3.0)], &mut y).unwrap();
    assert_eq!(y, [2.0 * 2.0 + 4.0 * 2.0 + 6.0 * 3.0]);
    tuples::cpu(1, &[1.75], &mut y).unwrap();
    // sum = (0.75 + 1, 1), then b = 1 and sum = (1.75, 1), y = 1; low = 1, high = 1.75
    assert_eq!(y, [1.0 + 0.75 - 1.0]);
}
