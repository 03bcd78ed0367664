//! The Earth and the sky.

use kernel_rt::prelude::*;

/// An angle in degrees from 0 to 360.
#[device]
fn full_turn(degrees: f64) -> f64 {
    degrees.rem_euclid(360.0)
}

/// Where the sun stands at places on Earth: azimuth from the north and elevation, in degrees, with refraction by the air, and
/// the equation of time in minutes. Formulas are those of Meeus, "Astronomical Algorithms", chapters 25 and 28, as the solar
/// calculator of NOAA has them; good to 0.01 degrees in 1950 to 2050. Days are counted from noon of 1 January 2000 in universal
/// time; places are (latitude, longitude) in degrees, east positive.
#[kernel(family = "math")]
pub fn solar_position(
    #[domain(-18000.0..18000.0)] day: f64,
    #[domain(0.0..1.0)] hours: &[f64],
    #[domain(-60.0..60.0)] places: &[DVec2],
    azimuth: &mut [f64],
    elevation: &mut [f64],
    minutes: &mut [f64],
) {
    let i = tid();
    let days = day.floor() + hours[i];
    let t = days / 36525.0;
    // The orbit: mean longitude, mean anomaly, eccentricity.
    let longitude = full_turn(280.46646 + t * (36000.76983 + 0.0003032 * t));
    let anomaly = (357.52911 + t * (35999.05029 - 0.0001537 * t)).rem_euclid(360.0).to_radians();
    let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t);
    let centre = anomaly.sin() * (1.914602 - t * (0.004817 + 0.000014 * t))
        + (2.0 * anomaly).sin() * (0.019993 - 0.000101 * t)
        + (3.0 * anomaly).sin() * 0.000289;
    // The moon turns the axis of the Earth a little.
    let node = (125.04 - 1934.136 * t).rem_euclid(360.0).to_radians();
    let apparent = (longitude + centre - 0.00569 - 0.00478 * node.sin()).to_radians();
    let tilt = (23.43929111 - t * (0.013004167 + 0.000000164 * t) + 0.00256 * node.cos()).to_radians();
    let declination = (tilt.sin() * apparent.sin()).asin();

    // The difference between the time of a sundial and that of a clock.
    let y = (0.5 * tilt).tan() * (0.5 * tilt).tan();
    let l = longitude.to_radians();
    let equation = y * (2.0 * l).sin() - 2.0 * eccentricity * anomaly.sin()
        + 4.0 * eccentricity * y * anomaly.sin() * (2.0 * l).cos()
        - 0.5 * y * y * (4.0 * l).sin()
        - 1.25 * eccentricity * eccentricity * (2.0 * anomaly).sin();
    let late = 4.0 * equation.to_degrees();
    minutes[i] = late;

    let hour_angle = (360.0 * hours[i] + 0.25 * late + places[i].y).to_radians();
    let latitude = places[i].x.to_radians();
    let up = latitude.sin() * declination.sin() + latitude.cos() * declination.cos() * hour_angle.cos();
    let east = -declination.cos() * hour_angle.sin();
    let north = declination.sin() * latitude.cos() - declination.cos() * hour_angle.cos() * latitude.sin();
    let height = up.clamp(-0.9999, 0.9999).asin().to_degrees();
    // Refraction, after Saemundsson (1986); below the horizon there is none.
    let mut lift = 0.0;
    if height > -0.575 {
        lift = 1.02 / (60.0 * (height + 10.3 / (height + 5.11)).to_radians().tan());
    }
    elevation[i] = height + lift;
    azimuth[i] = full_turn(east.atan2(north).to_degrees());
}
