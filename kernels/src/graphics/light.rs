//! Light: how surfaces reflect it, and how colours differ.

use kernel_rt::prelude::*;

/// A surface.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// The colour: what is reflected in all directions, or the tint of a metal.
    pub colour: Vec3,
    /// 0 for a mirror, 1 for chalk.
    pub roughness: f32,
    /// 0 for plastic, 1 for metal.
    pub metallic: f32,
    /// The strength of a second, clear layer.
    pub coat: f32,
}

/// The distribution of normals of Trowbridge and Reitz, "GGX".
#[device]
fn ggx(cosine: f32, alpha: f32) -> f32 {
    let squared = alpha * alpha;
    let bottom = cosine * cosine * (squared - 1.0) + 1.0;
    squared / (std::f32::consts::PI * bottom * bottom)
}

/// Smith's shadowing of light and view for GGX, by 4·cos·cos: the form of Heitz (2014).
#[device]
fn visibility(to_light: f32, to_eye: f32, alpha: f32) -> f32 {
    let squared = alpha * alpha;
    let over_light = to_eye * (to_light * to_light * (1.0 - squared) + squared).sqrt();
    let over_eye = to_light * (to_eye * to_eye * (1.0 - squared) + squared).sqrt();
    0.5 / (over_light + over_eye)
}

/// Light that surfaces send to the eye from a lamp, by the model of Burley (2012) that most renderers share: diffuse light that
/// grows towards grazing angles on rough surfaces, GGX reflection with Schlick's Fresnel term, and a clear coat. Directions
/// need not have length 1.
#[kernel(family = "math")]
pub fn reflected_light(
    #[domain(0.5..3.0)] lamp: Vec3,
    #[domain(0.1..0.9)] surfaces: &[Surface],
    #[domain(-1.0..1.0)] normals: &[Vec3],
    #[domain(-1.0..1.0)] to_lamp: &[Vec3],
    #[domain(-1.0..1.0)] to_eye: &[Vec3],
    light: &mut [Vec3],
) {
    let i = tid();
    let surface = surfaces[i];
    let l = to_lamp[i].normalize_or_zero();
    let v = to_eye[i].normalize_or_zero();
    let front = normals[i].normalize_or_zero();
    // Both sides of a surface look the same.
    let n = if front.dot(v) < 0.0 { -front } else { front };
    let cos_light = n.dot(l);
    let cos_eye = n.dot(v);
    if cos_light < 0.01 || cos_eye < 0.01 {
        return;
    }
    let half = (l + v).normalize();
    let cos_half = n.dot(half).clamp(0.0, 1.0);
    let cos_between = l.dot(half).clamp(0.0, 1.0);
    let alpha = surface.roughness * surface.roughness;

    let grazing = 0.5 + 2.0 * surface.roughness * cos_between * cos_between;
    let by_light = 1.0 + (grazing - 1.0) * (1.0 - cos_light).powi(5);
    let by_eye = 1.0 + (grazing - 1.0) * (1.0 - cos_eye).powi(5);
    let matt = surface.colour * ((1.0 - surface.metallic) * by_light * by_eye / std::f32::consts::PI);

    let facing = Vec3::splat(0.04).lerp(surface.colour, surface.metallic);
    let fresnel = facing + (Vec3::ONE - facing) * (1.0 - cos_between).powi(5);
    let shiny = fresnel * (ggx(cos_half, alpha) * visibility(cos_light, cos_eye, alpha));

    let coat_fresnel = 0.04 + 0.96 * (1.0 - cos_between).powi(5);
    let layer = 0.25 * surface.coat * coat_fresnel * ggx(cos_half, 0.1) * visibility(cos_light, cos_eye, 0.25);
    light[i] = (matt + shiny + Vec3::splat(layer)) * lamp * cos_light;
}

/// Lightness and the two colour axes of CIE L*a*b* of a colour in linear sRGB, for daylight D65.
#[device]
fn to_lab(rgb: DVec3) -> DVec3 {
    let x = (0.4124 * rgb.x + 0.3576 * rgb.y + 0.1805 * rgb.z) / 0.95047;
    let y = 0.2126 * rgb.x + 0.7152 * rgb.y + 0.0722 * rgb.z;
    let z = (0.0193 * rgb.x + 0.1192 * rgb.y + 0.9505 * rgb.z) / 1.08883;
    let (a, b, c) = (lab_curve(x), lab_curve(y), lab_curve(z));
    DVec3::new(116.0 * b - 16.0, 500.0 * (a - b), 200.0 * (b - c))
}

/// The cube root, and a straight line near 0.
#[device]
fn lab_curve(t: f64) -> f64 {
    if t > 0.008856451679 { t.cbrt() } else { 7.787037037 * t + 0.137931034 }
}

/// An angle of a hue, in degrees from 0 to 360.
#[device]
fn hue_angle(a: f64, b: f64) -> f64 {
    let degrees = b.atan2(a).to_degrees();
    if degrees < 0.0 { degrees + 360.0 } else { degrees }
}

/// How different two colours of linear sRGB look: CIEDE2000, by the formula of Sharma, Wu and Dalal (2005). A difference of 1 can
/// just be seen.
/// It has kinks at greys and at equal colours, where a gradient would be infinite or NaN.
#[kernel(family = "math", no_grad)]
pub fn colour_difference(
    #[domain(0.0..1.0)] first: &[DVec3],
    #[domain(0.0..1.0)] second: &[DVec3],
    difference: &mut [f64],
) {
    let i = tid();
    let p = to_lab(first[i]);
    let q = to_lab(second[i]);
    // The red-green axis is stretched where colours are greyish.
    let mean_chroma = 0.5 * (p.y.hypot(p.z) + q.y.hypot(q.z));
    let seventh = mean_chroma.powi(7);
    let stretch = 1.5 - 0.5 * (seventh / (seventh + 6103515625.0)).sqrt();
    let (a1, a2) = (p.y * stretch, q.y * stretch);
    let (c1, c2) = (a1.hypot(p.z), a2.hypot(q.z));
    let (h1, h2) = (hue_angle(a1, p.z), hue_angle(a2, q.z));

    let mut turn = h2 - h1;
    let mut hue = 0.5 * (h1 + h2);
    if turn > 180.0 {
        turn -= 360.0;
        hue += 180.0;
    } else if turn < -180.0 {
        turn += 360.0;
        hue += 180.0;
    }
    let d_light = q.x - p.x;
    let d_chroma = c2 - c1;
    let d_hue = 2.0 * (c1 * c2).sqrt() * (0.5 * turn).to_radians().sin();

    let light = 0.5 * (p.x + q.x) - 50.0;
    let chroma = 0.5 * (c1 + c2);
    let t = 1.0 - 0.17 * (hue - 30.0).to_radians().cos()
        + 0.24 * (2.0 * hue).to_radians().cos()
        + 0.32 * (3.0 * hue + 6.0).to_radians().cos()
        - 0.20 * (4.0 * hue - 63.0).to_radians().cos();
    let weight_light = 1.0 + 0.015 * light * light / (20.0 + light * light).sqrt();
    let weight_chroma = 1.0 + 0.045 * chroma;
    let weight_hue = 1.0 + 0.015 * chroma * t;
    let blue = (hue - 275.0) / 25.0;
    let chroma_seventh = chroma.powi(7);
    let rotation = 2.0 * (chroma_seventh / (chroma_seventh + 6103515625.0)).sqrt();
    let coupling = -(60.0 * (-blue * blue).exp()).to_radians().sin() * rotation;
    let (x, y, z) = (d_light / weight_light, d_chroma / weight_chroma, d_hue / weight_hue);
    difference[i] = (x * x + y * y + z * z + coupling * y * z).max(0.0).sqrt();
}
