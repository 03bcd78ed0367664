use kernel_rt::prelude::*;

#[kernel]
fn before_its_function(x: &mut [f32]) {
    let i = tid();
    x[i] = shapes::round::area(x[i]) + shapes::area(x[i]) + twice(x[i], 3);
}

#[device]
fn twice(mut x: f32, times: i32) -> f32 {
    for _ in 0..times {
        x += x;
    }
    x
}

#[device]
const LEAST: f32 = 0.5;

/// The adjoint reads the constant, too.
#[device]
fn scaled(x: f32) -> f32 {
    x.max(LEAST) * LEAST
}

#[kernel]
fn by_a_constant(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = scaled(x[i]);
}

mod shapes {
    use super::twice;
    use kernel_rt::prelude::*;

    pub mod round {
        use kernel_rt::prelude::*;

        /// The area of a circle.
        #[device]
        pub fn area(radius: f32) -> f32 {
            std::f32::consts::PI * super::square(radius)
        }
    }

    #[device]
    fn square(x: f32) -> f32 {
        x * x
    }

    /// The area of a square.
    #[device]
    pub(super) fn area(side: f32) -> f32 {
        square(twice(0.5 * side, 1))
    }
}

mod elsewhere {
    use super::shapes::round::*;
    use super::twice as doubled;
    use kernel_rt::prelude::*;

    #[kernel]
    pub fn by_other_names(x: &mut [f32]) {
        let i = tid();
        if area(x[i]) > 1.0 && doubled(x[i], 2) > 1.0 {
            x[i] = 0.0;
        }
    }
}

macro_rules! of_both {
    ($($name:ident $kernel:ident $float:ident)*) => {$(
        #[device]
        fn $name(x: $float) -> $float {
            if x < 0.0 { 0.0 } else { x }
        }

        #[kernel]
        fn $kernel(x: &mut [$float]) {
            let i = tid();
            x[i] = $name(x[i]);
        }
    )*};
}

of_both! { ramp_f32 ramps_f32 f32 ramp_f64 ramps_f64 f64 }

#[cfg(any())]
#[device]
fn absent(x: f32) -> f32 {
    nowhere(x)
}

#[cfg(any())]
#[kernel]
fn absent_too(x: &mut [f32]) {
    let i = tid();
    x[i] = absent(x[i]);
}

fn main() {
    #[device]
    fn local(v: Vec3) -> Vec3 {
        v.cross(Vec3::X)
    }

    #[kernel]
    fn of_a_function(v: &mut [Vec3]) {
        let i = tid();
        v[i] = local(v[i]);
    }

    let mut v = [Vec3::Y];
    of_a_function::cpu(1, &mut v).unwrap();
    assert_eq!(v, [-Vec3::Z]);

    let mut adj_x = [0.0];
    by_a_constant::cpu_backward(1, &[2.0], &mut adj_x, &mut [1.0]).unwrap();
    assert_eq!(adj_x, [0.5]);

    let mut x = [1.0];
    before_its_function::cpu(1, &mut x).unwrap();
    assert_eq!(x, [std::f32::consts::PI + 1.0 + 8.0]);
    elsewhere::by_other_names::cpu(1, &mut x).unwrap();
    ramps_f32::cpu(1, &mut x).unwrap();
    ramps_f64::cpu(1, &mut [-1.0]).unwrap();
    assert_eq!(x, [0.0]);
}
