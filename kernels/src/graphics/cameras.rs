//! Cameras: where points of the world appear.

use kernel_rt::prelude::*;

/// Where points appear through a lens, by the model of Brown and Conrady, as in calibration programs: six radial coefficients as
/// a fraction, two tangential ones, two of a thin prism. Pixels are (u, v); `slope` holds du/d(x, y, z) and dv/d(x, y, z), in
/// pixels by m, as the rows of a matrix of which the third is 0. Points behind the camera appear nowhere.
#[kernel(family = "scalar_param")]
pub fn distorted_pixels(
    #[domain(300.0..600.0)] focal_x: f64,
    #[domain(300.0..600.0)] focal_y: f64,
    #[domain(200.0..400.0)] centre_x: f64,
    #[domain(150.0..300.0)] centre_y: f64,
    #[domain(-2.0..2.0)] skew: f64,
    #[domain(-0.3..0.3)] k1: f64,
    #[domain(-0.1..0.1)] k2: f64,
    #[domain(-0.02..0.02)] k3: f64,
    #[domain(-0.1..0.1)] k4: f64,
    #[domain(-0.05..0.05)] k5: f64,
    #[domain(-0.01..0.01)] k6: f64,
    #[domain(-0.01..0.01)] p1: f64,
    #[domain(-0.01..0.01)] p2: f64,
    #[domain(-0.01..0.01)] s1: f64,
    #[domain(-0.01..0.01)] s2: f64,
    #[domain(-2.0..2.0)] points: &[DVec3],
    pixels: &mut [DVec2],
    slopes: &mut [DMat3],
) {
    const NEAR: f64 = 0.1;
    let i = tid();
    // The camera stands 2 m behind the origin.
    let depth = points[i].z + 2.0;
    if depth < NEAR {
        return;
    }
    let x = points[i].x / depth;
    let y = points[i].y / depth;
    let r2 = x * x + y * y;
    if r2 > 1.0 {
        return;
    }
    let top = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3));
    let bottom = 1.0 + r2 * (k4 + r2 * (k5 + r2 * k6));
    let radial = top / bottom;
    let bent_x = x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x) + s1 * r2;
    let bent_y = y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y + s2 * r2;
    pixels[i] = DVec2::new(focal_x * bent_x + skew * bent_y + centre_x, focal_y * bent_y + centre_y);

    // The slopes of the bent coordinates by x and y.
    let top_slope = k1 + r2 * (2.0 * k2 + r2 * 3.0 * k3);
    let bottom_slope = k4 + r2 * (2.0 * k5 + r2 * 3.0 * k6);
    let radial_slope = (top_slope - radial * bottom_slope) / bottom;
    let cross = 2.0 * x * y * radial_slope + 2.0 * p1 * x + 2.0 * p2 * y;
    let xx = radial + 2.0 * x * x * radial_slope + 2.0 * p1 * y + 6.0 * p2 * x + 2.0 * s1 * x;
    let xy = cross + 2.0 * s1 * y;
    let yx = cross + 2.0 * s2 * x;
    let yy = radial + 2.0 * y * y * radial_slope + 6.0 * p1 * y + 2.0 * p2 * x + 2.0 * s2 * y;
    let ux = focal_x * xx + skew * yx;
    let uy = focal_x * xy + skew * yy;
    let vx = focal_y * yx;
    let vy = focal_y * yy;
    // Columns by x, y and z.
    slopes[i] = DMat3::from_cols(
        DVec3::new(ux, vx, 0.0) / depth,
        DVec3::new(uy, vy, 0.0) / depth,
        -DVec3::new(ux * x + uy * y, vx * x + vy * y, 0.0) / depth,
    );
}
