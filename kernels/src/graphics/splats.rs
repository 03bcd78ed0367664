//! Gaussian splats: images of scenes that are clouds of soft ellipsoids (Kerbl and others, 2023).

use kernel_rt::library::quat_to_matrix;
use kernel_rt::prelude::*;

/// A soft ellipsoid.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Splat {
    /// The centre.
    pub centre: Vec3,
    /// The logarithms of the standard deviations along the axes.
    pub log_scale: Vec3,
    /// The rotation of the axes; it need not have length 1.
    pub rotation: Quat,
    /// The logit of the opacity at the centre.
    pub logit: f32,
}

/// A camera at a place, which looks along its z axis.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pinhole {
    /// The place of the camera.
    pub place: Vec3,
    /// From the world to the camera; it need not have length 1.
    pub rotation: Quat,
    /// The focal length in pixels, where the image is 16 pixels wide.
    pub focal: f32,
}

/// A splat on the image: a soft ellipse.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// The centre, in pixels.
    pub centre: Vec2,
    /// The inverse of the covariance (xx, xy, yy), in 1/pixels².
    pub conic: Vec3,
    /// The opacity at the centre.
    pub opacity: f32,
    /// The distance in front of the camera.
    pub depth: f32,
    /// How far the ellipse reaches, in pixels: three standard deviations; 0 if it cannot be seen.
    pub reach: f32,
}

/// Projects splats on the image: the covariance Σ = R·S·Sᵀ·Rᵀ becomes J·W·Σ·Wᵀ·Jᵀ, where J is the slope of the projection at
/// the centre (Zwicker and others, 2001), and is widened by 0.3 pixels². `colours` are those of spherical harmonics of degree 1,
/// by the direction from the camera.
#[kernel(family = "matrix")]
pub fn project_splats(
    #[domain(0.5..1.0)] camera: Pinhole,
    #[domain(-0.5..0.5)] splats: &[Splat],
    #[shape(dim0, 4)]
    #[domain(-0.3..0.3)]
    harmonics: &Array2<Vec3>,
    ellipses: &mut [Ellipse],
    colours: &mut [Vec3],
) {
    const NEAR: f32 = 0.2;
    const WIDTH: f32 = 16.0;
    let i = tid();
    let splat = splats[i];
    // The camera stands behind the splats.
    let offset = splat.centre + Vec3::Z * 2.0 - camera.place;
    let view = quat_to_matrix((camera.rotation + Quat::IDENTITY * 2.0).normalize());
    let place = view * offset;
    let size = splat.rotation.length();
    if place.z < NEAR || size < 0.1 {
        return;
    }
    let focal = camera.focal * WIDTH;
    let axes = quat_to_matrix(splat.rotation / size);
    let scale =
        Vec3::new((splat.log_scale.x - 1.0).exp(), (splat.log_scale.y - 1.0).exp(), (splat.log_scale.z - 1.0).exp());
    let spread = axes * Mat3::from_diagonal(scale);
    let covariance = spread * spread.transpose();
    let inverse_depth = 1.0 / place.z;
    let slope = Mat3::from_cols(
        Vec3::new(focal * inverse_depth, 0.0, 0.0),
        Vec3::new(0.0, focal * inverse_depth, 0.0),
        Vec3::new(
            -focal * place.x * inverse_depth * inverse_depth,
            -focal * place.y * inverse_depth * inverse_depth,
            0.0,
        ),
    );
    let to_image = slope * view;
    let flat = to_image * covariance * to_image.transpose();
    let a = flat.x_axis.x + 0.3;
    let b = flat.x_axis.y;
    let c = flat.y_axis.y + 0.3;
    let determinant = a * c - b * b;
    // The larger eigenvalue of the covariance is the square of the larger standard deviation.
    let middle = 0.5 * (a + c);
    let largest = middle + (middle * middle - determinant).max(0.1).sqrt();
    let image = Vec2::new(place.x, place.y) * (focal * inverse_depth) + Vec2::splat(0.5 * WIDTH);
    let opacity = 1.0 / (1.0 + (-splat.logit).exp());
    let conic = Vec3::new(c, -b, a) / determinant;
    ellipses[i] = Ellipse { centre: image, conic, opacity, depth: place.z, reach: 3.0 * largest.sqrt() };

    let to = offset.normalize();
    let shade = harmonics[[i, 0]] * 0.28209479
        + (harmonics[[i, 2]] * to.z - harmonics[[i, 1]] * to.y - harmonics[[i, 3]] * to.x) * 0.4886025;
    colours[i] = (shade + Vec3::splat(0.5)).max(Vec3::ZERO);
}

/// The opacity of an ellipse at a pixel.
#[device]
fn opacity_at(ellipse: Ellipse, pixel: Vec2) -> f32 {
    let d = pixel - ellipse.centre;
    let power = -0.5 * (ellipse.conic.x * d.x * d.x + ellipse.conic.z * d.y * d.y) - ellipse.conic.y * d.x * d.y;
    if power > 0.0 { 0.0 } else { (ellipse.opacity * power.exp()).min(0.99) }
}

/// Blends the ellipses of splats, nearest first, into an image, one pixel a thread: Σ cᵢ·αᵢ·∏(1 − αⱼ) over those before it. A pixel
/// is done when less than 1/10000 of the light behind is left. `left` is that light, `last` the number of ellipses that count.
///
#[kernel(family = "combined")]
pub fn blend_splats(
    #[domain(0.0..1.0)] background: Vec3,
    #[shape(24)]
    #[domain(0.1..0.9)]
    ellipses: &[Ellipse],
    #[shape(24)]
    #[domain(0.0..1.0)]
    colours: &[Vec3],
    image: &mut Array2<Vec3>,
    depth: &mut Array2<f32>,
    left: &mut Array2<f32>,
    last: &mut Array2<u32>,
) {
    let (row, column) = tid2();
    let (rows, columns) = (image.shape()[0], image.shape()[1]);
    let pixel = Vec2::new((column as f32 + 0.5) / columns as f32, (row as f32 + 0.5) / rows as f32);
    let mut light = 1.0;
    let mut colour = Vec3::ZERO;
    let mut mean_depth = 0.0;
    let mut counted = 0;
    for k in 0..ellipses.len() {
        let ellipse = ellipses[k];
        let offset = pixel - ellipse.centre;
        if offset.length_squared() > ellipse.reach * ellipse.reach {
            continue;
        }
        let alpha = opacity_at(ellipse, pixel);
        if alpha < 1.0 / 255.0 {
            continue;
        }
        let behind = light * (1.0 - alpha);
        if behind < 0.0001 {
            break;
        }
        colour += colours[k] * (alpha * light);
        mean_depth += ellipse.depth * alpha * light;
        light = behind;
        counted = k as u32 + 1;
    }
    image[[row, column]] = colour + background * light;
    depth[[row, column]] = mean_depth;
    left[[row, column]] = light;
    last[[row, column]] = counted;
}
