//! Kernels with many cases: tax brackets, regimes, state machines, piecewise formulas.

use kernel_rt::prelude::*;

/// Progressive income tax with four brackets; income and tax in the same currency.
#[kernel(family = "multi_conditional")]
pub fn income_tax(#[domain(0.0..250000.0)] income: &[f64], tax: &mut [f64]) {
    let i = tid();
    let amount = income[i];
    tax[i] = if amount <= 10_000.0 {
        0.0
    } else if amount <= 40_000.0 {
        0.15 * (amount - 10_000.0)
    } else if amount <= 120_000.0 {
        4_500.0 + 0.30 * (amount - 40_000.0)
    } else {
        28_500.0 + 0.45 * (amount - 120_000.0)
    };
}

/// Colour from hue, saturation and value (x, y, z, each 0 to 1) to red, green and blue.
#[kernel(family = "multi_conditional")]
pub fn hsv_to_rgb(#[domain(0.0..1.0)] hsv: &[Vec3], rgb: &mut [Vec3]) {
    let i = tid();
    let scaled = hsv[i].x * 6.0;
    let sector = scaled as i32;
    let along = scaled - sector as f32;
    let value = hsv[i].z;
    let low = value * (1.0 - hsv[i].y);
    let falling = value * (1.0 - hsv[i].y * along);
    let rising = value * (1.0 - hsv[i].y * (1.0 - along));
    rgb[i] = if sector == 0 {
        Vec3::new(value, rising, low)
    } else if sector == 1 {
        Vec3::new(falling, value, low)
    } else if sector == 2 {
        Vec3::new(low, value, rising)
    } else if sector == 3 {
        Vec3::new(low, falling, value)
    } else if sector == 4 {
        Vec3::new(rising, low, value)
    } else {
        Vec3::new(value, low, falling)
    };
}

/// Hue of a colour in turns, 0 to 1; grey has hue 0.
#[kernel(family = "multi_conditional")]
pub fn rgb_to_hue(#[domain(0.0..1.0)] rgb: &[Vec3], hue: &mut [f32]) {
    let i = tid();
    let color = rgb[i];
    let largest = color.max_element();
    let chroma = largest - color.min_element();
    if chroma < 1e-4 {
        hue[i] = 0.0;
        return;
    }
    let sixths = if largest == color.x {
        (color.y - color.z) / chroma
    } else if largest == color.y {
        2.0 + (color.z - color.x) / chroma
    } else {
        4.0 + (color.x - color.y) / chroma
    };
    hue[i] = (if sixths < 0.0 { sixths + 6.0 } else { sixths }) / 6.0;
}

/// Grade of an exam from 0 (fail) to 4 (best), and how many exams got each grade.
#[kernel(family = "multi_conditional")]
pub fn exam_grades(#[domain(0..101)] points: &[i32], grade: &mut [i32], #[shape(5)] count: &mut [u32]) {
    let i = tid();
    let score = points[i];
    let bucket = if score >= 90 {
        4
    } else if score >= 80 {
        3
    } else if score >= 65 {
        2
    } else if score >= 50 {
        1
    } else {
        0
    };
    grade[i] = bucket;
    atomic_add(&mut count[bucket as usize], 1);
}

/// Quadrant of a point: 1 to 4 anticlockwise from the upper right, 0 on an axis.
#[kernel(family = "multi_conditional")]
pub fn quadrant(#[domain(-3..4)] point: &[IVec2], number: &mut [i32]) {
    let i = tid();
    let x = point[i].x;
    let y = point[i].y;
    number[i] = if x == 0 || y == 0 {
        0
    } else if y > 0 {
        if x > 0 { 1 } else { 2 }
    } else if x < 0 {
        3
    } else {
        4
    };
}

/// One generation of Conway's Game of Life on a torus; `alive` holds 1 for live cells and 0 for dead ones.
#[kernel(family = "multi_conditional")]
pub fn game_of_life(#[domain(0..2)] alive: &Array2<i32>, next: &mut Array2<i32>) {
    let (row, col) = tid2();
    let rows = alive.shape()[0];
    let cols = alive.shape()[1];
    let mut around = -alive[[row, col]];
    for down in 0..3 {
        for right in 0..3 {
            around += alive[[(row + rows + down - 1) % rows, (col + cols + right - 1) % cols]];
        }
    }
    next[[row, col]] = if around == 3 {
        1
    } else if around == 2 {
        alive[[row, col]]
    } else {
        0
    };
}

/// One second of a traffic light: 0 green, 1 yellow, 2 red. Green ends when cars wait across and have
/// waited long enough, yellow after 3 seconds, red after 10.
#[kernel(family = "multi_conditional")]
pub fn traffic_light(
    #[domain(5..15)] shortest_green: i32,
    #[domain(0..4)] waiting: &[i32],
    #[domain(0..3)] light: &mut [i32],
    #[domain(0..20)] seconds: &mut [i32],
) {
    let i = tid();
    let elapsed = seconds[i] + 1;
    let next = match light[i] {
        0 if waiting[i] > 0 && elapsed >= shortest_green => 1,
        1 if elapsed >= 3 => 2,
        2 if elapsed >= 10 => 0,
        same => same,
    };
    seconds[i] = if next == light[i] { elapsed } else { 0 };
    light[i] = next;
}

/// Tone mapping of linear light in three regimes: a lifted toe, a straight middle, a shoulder that tends to 1.
#[kernel(family = "multi_conditional")]
pub fn tone_curve(#[domain(0.25..4.0)] exposure: f32, #[domain(0.0..8.0)] light: &[Vec3], display: &mut [Vec3]) {
    let i = tid();
    let exposed = light[i] * exposure;
    let mut mapped = Vec3::ZERO;
    for channel in 0..3 {
        let level = exposed[channel];
        if level < 0.1 {
            mapped[channel] = 0.05 + 0.5 * level;
        } else if level < 0.6 {
            mapped[channel] = level;
        } else {
            let above = level - 0.6;
            mapped[channel] = 0.6 + 0.4 * above / (above + 0.4);
        }
    }
    display[i] = mapped;
}

/// Drag force in newtons on a sphere by the regime of its Reynolds number Re = ρ·v·d/μ:
/// Stokes below 1, Schiller and Naumann below 1000, Newton's constant coefficient 0.44 beyond.
#[kernel(family = "multi_conditional")]
pub fn sphere_drag(
    #[domain(800.0..1200.0)] density: f64,
    #[domain(0.001..0.1)] viscosity: f64,
    #[domain(0.0001..0.05)] diameter: &[f64],
    #[domain(0.0..5.0)] speed: &[f64],
    force: &mut [f64],
) {
    const PI: f64 = std::f64::consts::PI;
    let i = tid();
    let reynolds = density * speed[i] * diameter[i] / viscosity;
    let stokes = 3.0 * PI * viscosity * diameter[i] * speed[i];
    if reynolds < 1.0 {
        force[i] = stokes;
    } else if reynolds < 1000.0 {
        force[i] = stokes * (1.0 + 0.15 * reynolds.powf(0.687));
    } else {
        let area = 0.25 * PI * diameter[i] * diameter[i];
        force[i] = 0.44 * area * 0.5 * density * speed[i] * speed[i];
    }
}

/// Cubic spline kernel of smoothed particle hydrodynamics in three dimensions, with support 2·h.
#[kernel(family = "multi_conditional")]
pub fn cubic_spline_kernel(#[domain(0.5..2.0)] h: f32, #[domain(0.0..4.0)] distance: &[f32], weight: &mut [f32]) {
    let i = tid();
    let q = distance[i] / h;
    let scale = 1.0 / (std::f32::consts::PI * h * h * h);
    let shape = if q < 1.0 {
        1.0 - 1.5 * q * q + 0.75 * q * q * q
    } else if q < 2.0 {
        let rest = 2.0 - q;
        0.25 * rest * rest * rest
    } else {
        0.0
    };
    weight[i] = scale * shape;
}

/// Blue–cyan–yellow–red colour map of values clamped to low … low + span.
#[kernel(family = "multi_conditional")]
pub fn heat_color(
    #[domain(-1.0..0.0)] low: f32,
    #[domain(0.5..2.0)] span: f32,
    #[domain(-2.0..3.0)] values: &[f32],
    color: &mut [Vec3],
) {
    let i = tid();
    let t = ((values[i] - low) / span).clamp(0.0, 1.0);
    if t < 0.25 {
        color[i] = Vec3::new(0.0, 4.0 * t, 1.0);
    } else if t < 0.5 {
        color[i] = Vec3::new(0.0, 1.0, 2.0 - 4.0 * t);
    } else if t < 0.75 {
        color[i] = Vec3::new(4.0 * t - 2.0, 1.0, 0.0);
    } else {
        color[i] = Vec3::new(1.0, 4.0 - 4.0 * t, 0.0);
    }
}

/// Bounce of discs off the walls of a box: positions are pushed back inside, velocities reversed and damped.
#[kernel(family = "multi_conditional")]
pub fn bounce_in_box(
    #[domain(2.0..4.0)] width: f32,
    #[domain(2.0..4.0)] height: f32,
    #[domain(0.0..1.0)] restitution: f32,
    #[domain(-1.0..5.0)] position: &mut [Vec2],
    #[domain(-2.0..2.0)] velocity: &mut [Vec2],
) {
    let i = tid();
    let mut p = position[i];
    let mut v = velocity[i];
    if p.x < 0.0 {
        p.x = 0.0;
        v.x = restitution * v.x.abs();
    } else if p.x > width {
        p.x = width;
        v.x = -restitution * v.x.abs();
    }
    if p.y < 0.0 {
        p.y = 0.0;
        v.y = restitution * v.y.abs();
    } else if p.y > height {
        p.y = height;
        v.y = -restitution * v.y.abs();
    }
    position[i] = p;
    velocity[i] = v;
}

/// Outcode of Cohen and Sutherland's line clipping: bits 1 left, 2 right, 4 below, 8 above of the window ±1.
#[kernel(family = "multi_conditional")]
pub fn clip_outcode(#[domain(-2.0..2.0)] point: &[DVec2], outcode: &mut [u32]) {
    let i = tid();
    let mut code = 0;
    if point[i].x < -1.0 {
        code |= 1;
    } else if point[i].x > 1.0 {
        code |= 2;
    }
    if point[i].y < -1.0 {
        code |= 4;
    } else if point[i].y > 1.0 {
        code |= 8;
    }
    outcode[i] = code;
}

/// Temperature in °C of a kilogram of water from its enthalpy in kJ, 0 being ice at its melting point:
/// ice, melting, water, boiling, steam.
#[kernel(family = "multi_conditional")]
pub fn water_temperature(#[domain(-200.0..4000.0)] enthalpy: &[f64], temperature: &mut [f64]) {
    const MELTING: f64 = 334.0;
    const HEATING: f64 = 418.6;
    const BOILING: f64 = 2257.0;
    let i = tid();
    let h = enthalpy[i];
    temperature[i] = if h < 0.0 {
        h / 2.09
    } else if h < MELTING {
        0.0
    } else if h < MELTING + HEATING {
        (h - MELTING) / 4.186
    } else if h < MELTING + HEATING + BOILING {
        100.0
    } else {
        100.0 + (h - MELTING - HEATING - BOILING) / 2.01
    };
}

/// Days of a month (1 to 12) of the Gregorian calendar, leap years included.
#[kernel(family = "multi_conditional")]
pub fn days_in_month(#[domain(1800..2200)] year: &[i32], #[domain(1..13)] month: &[i32], days: &mut [i32]) {
    let i = tid();
    let y = year[i];
    let leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    days[i] = match month[i] {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
}

/// Real roots of x² + p·x + q, smaller first; `count` says how many there are, missing ones are zero.
#[kernel(family = "multi_conditional")]
pub fn quadratic_roots(
    #[domain(-4.0..4.0)] p: &[f64],
    #[domain(-4.0..4.0)] q: &[f64],
    roots: &mut [DVec2],
    count: &mut [i32],
) {
    let i = tid();
    let half = -0.5 * p[i];
    let discriminant = half * half - q[i];
    if discriminant > 0.0 {
        let spread = discriminant.sqrt();
        roots[i] = DVec2::new(half - spread, half + spread);
        count[i] = 2;
    } else if discriminant < 0.0 {
        roots[i] = DVec2::ZERO;
        count[i] = 0;
    } else {
        roots[i] = DVec2::new(half, 0.0);
        count[i] = 1;
    }
}

/// Slope of each cell of a finite-volume scheme, limited by minmod; zero at extrema and at both ends.
#[kernel(family = "multi_conditional")]
pub fn minmod_slope(#[domain(-1.0..1.0)] cells: &[f32], slope: &mut [f32]) {
    let i = tid();
    if i == 0 || i + 1 == cells.len() {
        slope[i] = 0.0;
        return;
    }
    let left = cells[i] - cells[i - 1];
    let right = cells[i + 1] - cells[i];
    slope[i] = if left > 0.0 && right > 0.0 {
        left.min(right)
    } else if left < 0.0 && right < 0.0 {
        left.max(right)
    } else {
        0.0
    };
}

/// A film's response: a toe below 0.2 (smooth), a straight part to 0.6, a shoulder that nears 1.
#[device]
fn filmic(x: f32) -> f32 {
    if x < 0.2 {
        // Smooth from the origin to the straight part, with slope 1 at the end.
        let t = x / 0.2;
        0.2 * t * t * (2.0 - t)
    } else if x < 0.6 {
        x
    } else {
        0.6 + 0.4 * (1.0 - (-(x - 0.6) / 0.4).exp())
    }
}

/// Tone mapping of linear colours by the response of a film, channel by channel.
#[kernel(family = "multi_conditional")]
pub fn filmic_tone_map(#[domain(0.5..4.0)] exposure: f32, #[domain(0.0..1.0)] image: &[Vec3], mapped: &mut [Vec3]) {
    let i = tid();
    let light = image[i] * exposure;
    mapped[i] = Vec3::new(filmic(light.x), filmic(light.y), filmic(light.z));
}

/// One Jacobi step of the heat equation on a plate. Fixed nodes keep their temperature, and no heat passes the edges.
#[kernel(family = "multi_conditional")]
pub fn heat_with_fixed_nodes(
    fixed: &Array2<bool>,
    #[domain(0.0..100.0)] temperature: &Array2<f64>,
    relaxed: &mut Array2<f64>,
) {
    let (i, j) = tid2();
    let here = temperature[[i, j]];
    if fixed[[i, j]] {
        relaxed[[i, j]] = here;
        return;
    }
    let above = if i > 0 { temperature[[i - 1, j]] } else { here };
    let below = if i + 1 < temperature.shape()[0] { temperature[[i + 1, j]] } else { here };
    let left = if j > 0 { temperature[[i, j - 1]] } else { here };
    let right = if j + 1 < temperature.shape()[1] { temperature[[i, j + 1]] } else { here };
    relaxed[[i, j]] = 0.25 * (above + below + left + right);
}

/// Activation of neurons of several kinds: 0 identity, 1 ReLU, 2 tanh, 3 softplus, others SiLU.
#[kernel(family = "multi_conditional")]
pub fn activations(#[domain(0..6)] kind: &[u32], #[domain(-3.0..3.0)] input: &[f32], output: &mut [f32]) {
    let i = tid();
    let x = input[i];
    output[i] = match kind[i] {
        0 => x,
        1 => x.max(0.0),
        2 => x.tanh(),
        3 => (1.0 + x.exp()).ln(),
        _ => x / (1.0 + (-x).exp()),
    };
}

/// Runs a program of twelve instructions on one register for each thread: 0 adds a constant, 1 multiplies by it, 2 takes
/// the sine, 3 to 5 halve the register, others do nothing.
#[kernel(family = "multi_conditional")]
pub fn register_machine(
    #[shape(12)]
    #[domain(0..8)]
    program: &[u32],
    #[shape(12)]
    #[domain(-1.5..1.5)]
    constants: &[f64],
    #[domain(-2.0..2.0)] start: &[f64],
    result: &mut [f64],
) {
    let i = tid();
    let mut register = start[i];
    for step in 0..program.len() {
        match program[step] {
            0 => register += constants[step],
            1 => register *= constants[step],
            2 => register = register.sin(),
            3..=5 => register *= 0.5,
            _ => continue,
        }
    }
    result[i] = register;
}
