//! The physics and the gradients of the examples at small sizes: conservation laws, closed forms, central differences.

use examples::report::array2;
use examples::{
    EXAMPLES, cloth, deconvolution, heat, lbm, mlp, options, pendulum, raymarch, rigid, smoothing, sph, splats,
};
use kernel_rt::prelude::*;

/// The numbers of an example.
fn numbers(name: &str, size: usize) -> impl Fn(&str) -> f64 {
    let example = EXAMPLES.iter().find(|example| example.name == name).expect("there is such an example");
    let report = (example.run)(&Device::cpu(), size).expect("it runs");
    move |number| report.number(number).unwrap_or_else(|| panic!("there is no number `{number}`"))
}

/// Compares the gradient of a loss, recorded on a tape, with central differences at some elements of `p`.
fn check_gradient(p: &DeviceArray<f64, 2>, places: &[[usize; 2]], loss: impl Fn(&Tape) -> DeviceArray<f64>) {
    let tape = Tape::new(&Device::cpu());
    tape.backward(&loss(&tape)).unwrap();
    let gradient = tape.gradient(p).unwrap().to_array().unwrap();
    let largest = gradient.as_slice().iter().fold(0.0, |most: f64, g| most.max(g.abs()));
    assert!(largest > 0.0);
    let start = p.to_array().unwrap();
    for place in places {
        let at = |by: f64| {
            let mut moved = start.clone();
            moved[*place] += by;
            p.assign(moved.as_slice()).unwrap();
            loss(&Tape::new(&Device::cpu())).to_vec().unwrap()[0]
        };
        let (found, expected) = (gradient[*place], (at(1e-5) - at(-1e-5)) / 2e-5);
        assert!((found - expected).abs() < 1e-6 * largest, "{place:?}: {found:e}, by differences {expected:e}");
    }
}

#[test]
fn a_cloth_falls_freely_until_it_meets_the_ball() {
    let time = 0.2;
    let x = cloth::fall(&Device::cpu(), 17, time).unwrap();
    let mean = x.as_slice().iter().sum::<Vec3>() / x.len() as f32;
    let expected = Vec3::new(0.0, 0.75 - 0.5 * cloth::GRAVITY * time * time, 0.0);
    assert!(mean.distance(expected) < 2e-3, "{mean}");
}

#[test]
fn a_cloth_lies_on_the_ball() {
    let number = numbers("cloth", 17);
    assert!(number("largest stretch of a thread") < 0.06);
    assert!(number("least distance from the ball") > 0.0);
    assert!(number("mean height at the end") < 0.5);
}

#[test]
fn water_keeps_its_momentum() {
    let device = Device::cpu();
    // A square of particles out of order, with velocities; the only force from outside is gravity.
    let place = |k: usize| Vec2::new((k % 8) as f32 + 5.0 + 0.3 * (k as f32).sin(), (k / 8) as f32 + 5.0);
    let x = device.array_from((0..64).map(place).collect::<Vec<_>>()).unwrap();
    let v = device.array_from((0..64).map(|k| Vec2::from_angle(k as f32)).collect::<Vec<_>>()).unwrap();
    let (rho, force) = (device.zeros(64).unwrap(), device.zeros::<Vec2>(64).unwrap());
    let (count, members) = (device.zeros_nd([8, 8]).unwrap(), device.zeros_nd([8, 8, 32]).unwrap());
    sph::sort::launch(&device, 64, (&x, &count, &members)).unwrap();
    sph::density::launch(&device, 64, (&x, &count, &members, &rho)).unwrap();
    sph::push::launch(&device, 64, (&x, &v, &rho, &count, &members, &force)).unwrap();
    let force = force.to_vec().unwrap();
    let largest = force.iter().map(|force| force.length()).fold(0.0, f32::max);
    let sum = force.iter().map(|force| *force - Vec2::NEG_Y).sum::<Vec2>();
    assert!(largest > 2.0 && sum.length() < 1e-4 * largest, "{sum}, {largest}");
}

#[test]
fn water_is_as_dense_as_it_was() {
    let [start] = &sph::collapse(&Device::cpu(), 12, &[0.0]).unwrap()[..] else { panic!("one moment") };
    // The fifth particle of the sixth row has all its neighbours.
    let inside = start.rho[5 * 9 + 4];
    assert!((inside - 1.0).abs() < 0.02, "{inside}");

    let number = numbers("sph", 12);
    assert!((number("mean density at the end") - number("mean density at the start")).abs() < 0.05);
    assert!(number("largest density") < 1.2);
    assert!(number("energy of a particle at the end") < number("energy of a particle at the start"));
}

#[test]
fn a_body_flips_in_time() {
    let number = numbers("rigid", 9_000);
    let (found, expected) = (number("period of the first body"), number("by elliptic functions"));
    assert!((found / expected - 1.0).abs() < 1e-6, "{found}, {expected}");
    assert!(number("largest drift of an energy") < 1e-10);
    assert!(number("largest drift of a momentum in space") < 1e-9);
}

#[test]
fn a_body_turns_steadily_about_its_first_axis() {
    let (l, orientation) = rigid::spin(&Device::cpu(), &[DVec3::X], 300).unwrap();
    assert_eq!(l[[0, 299]], DVec3::X);
    // The moment of inertia is 1, and the time 3.
    let expected = DQuat::from_rotation_x(3.0);
    assert!((orientation[0].dot(expected) - 1.0).abs() < 1e-9, "{:?}", orientation[0]);
}

#[test]
fn a_gas_keeps_its_mass_and_has_its_viscosity() {
    for viscosity in [0.02, 0.05, 0.1] {
        let (found, change) = lbm::shear_wave(&Device::cpu(), viscosity).unwrap();
        assert!((found / f64::from(viscosity) - 1.0).abs() < 0.005, "{found}, {viscosity}");
        assert!(change.abs() < 1e-4, "{change}");
    }
}

#[test]
fn vortices_are_shed_at_the_known_frequency() {
    // Between 0.18, without walls, and 0.22: the channel is five times as wide as the cylinder.
    let strouhal = numbers("lbm", 6)("Strouhal number");
    assert!((0.18..0.22).contains(&strouhal), "{strouhal}");
}

#[test]
fn normals_are_the_slopes_of_the_distance() {
    let device = Device::cpu();
    let points = array2([6, 6], |i, j| Vec3::new(0.31 * i as f32 - 0.8, 0.27 * j as f32 + 0.1, 0.7)).unwrap();
    let normals = raymarch::normals(&device, &device.array_from_nd(&points).unwrap()).unwrap().to_vec().unwrap();
    for (p, normal) in points.as_slice().iter().zip(normals) {
        let slope = |axis: Vec3| (raymarch::scene(*p + 1e-3 * axis) - raymarch::scene(*p - 1e-3 * axis)) / 2e-3;
        let expected = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z));
        assert!(normal.distance(expected) < 5e-3, "at {p}: {normal}, by differences {expected}");
    }
    assert!(numbers("raymarch", 24)("mean difference of the length of a normal from 1") < 0.03);
}

#[test]
fn splats_come_to_fit() {
    let number = numbers("splats", 3);
    assert!(number("loss after") < 0.2 * number("loss before"));

    let device = Device::cpu();
    let target = array2([16, 24], |i, j| DVec3::new(0.04 * i as f64, 0.03 * j as f64, 0.5)).unwrap();
    let p = device.array_from_nd(splats::start(2, &target).unwrap()).unwrap();
    let target = device.array_from_nd(&target).unwrap();
    let all: Vec<[usize; 2]> = (0..8).map(|parameter| [parameter, 2 * parameter % 6]).collect();
    check_gradient(&p, &all, |tape| splats::loss(tape, &device, &p, &target).unwrap().0);
}

#[test]
fn heat_follows_its_equation() {
    let (device, n, steps) = (Device::cpu(), 17, 40);
    // A wave that is zero at the edges keeps its shape: T ← (1 − 0.2·λ) T + 0.2·s, where λ is its eigenvalue.
    let k = std::f64::consts::PI / (n - 1) as f64;
    let wave = array2([n, n], |i, j| (k * i as f64).sin() * (k * j as f64).sin()).unwrap();
    let source = device.array_from_nd(&wave).unwrap();
    let found = heat::warm(&device, &device, &source, steps).unwrap().to_array().unwrap()[[8, 8]];
    let decay = 1.0 - 0.2 * (4.0 - 4.0 * k.cos());
    let expected = 0.2 * (1.0 - decay.powi(40)) / (1.0 - decay);
    assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
}

#[test]
fn the_source_of_heat_is_found() {
    let number = numbers("heat", 16);
    assert!(number("loss after") < 1e-3 * number("loss before"));
    assert!(number("relative error of the source") < 0.1);

    let device = Device::cpu();
    let observed = heat::warm(&device, &device, &device.array_from_nd(heat::ring(12).unwrap()).unwrap(), 12).unwrap();
    let source = device.zeros_nd([12, 12]).unwrap();
    check_gradient(&source, &[[3, 4], [6, 6], [10, 1]], |tape| {
        heat::loss(tape, &device, &source, &observed, 12).unwrap()
    });
}

#[test]
fn pendulums_stand_upright() {
    let number = numbers("pendulum", 400);
    for which in ["height of the strong pendulum at the end", "height of the middle one", "height of the weak one"] {
        assert!(number(which) > 0.99, "{which}: {}", number(which));
    }
    let device = Device::cpu();
    let control = device.array_from_nd(array2([3, 60], |i, k| ((i + k) as f64).sin()).unwrap()).unwrap();
    check_gradient(&control, &[[0, 0], [1, 20], [2, 59]], |tape| pendulum::motion(tape, &device, &control).unwrap().0);
}

#[test]
fn a_pendulum_under_a_steady_torque_keeps_its_energy() {
    let device = Device::cpu();
    let control = device.array_from_nd(array2([3, 200], |_, _| 0.5f64.atanh()).unwrap()).unwrap();
    let angle = pendulum::motion(&device, &device, &control).unwrap().1.to_array().unwrap();
    for (i, strength) in pendulum::STRENGTH.into_iter().enumerate() {
        for k in 1..200 {
            let (a, v) = (angle[[i, k]], (angle[[i, k]] - angle[[i, k - 1]]) / pendulum::DT);
            let energy = 0.5 * v * v - a.cos() - 0.5 * strength * a;
            assert!((energy + 1.0).abs() < 0.03, "{i}, step {k}: {energy}");
        }
    }
}

#[test]
fn the_adjoint_of_the_area_is_the_formula_of_cotangents() {
    // The gradient of the area by the tip of a pyramid, and that of its volume.
    let x = [DVec3::new(0.2, 0.1, 0.8), DVec3::X, DVec3::new(0.1, 1.2, 0.0), DVec3::NEG_X, DVec3::new(0.0, -0.9, 0.1)];
    let faces: Vec<UVec3> = (0..4).map(|k| UVec3::new(0, 1 + k, 1 + (k + 1) % 4)).collect();
    let mesh = smoothing::Mesh::new(&Device::cpu(), &x, &faces).unwrap();
    let [(_, by_area), (_, by_volume)] = mesh.gradients().unwrap();
    let mut expected = [DVec3::ZERO; 2];
    for face in &faces {
        let [a, b, c] = face.to_array().map(|vertex| x[vertex as usize]);
        let cotangent = |at: DVec3, p: DVec3, q: DVec3| (p - at).dot(q - at) / (p - at).cross(q - at).length();
        expected[0] += 0.5 * (cotangent(b, c, a) * (a - c) + cotangent(c, a, b) * (a - b));
        expected[1] += b.cross(c) / 6.0;
    }
    assert!(by_area.to_vec().unwrap()[0].distance(expected[0]) < 1e-12);
    assert!(by_volume.to_vec().unwrap()[0].distance(expected[1]) < 1e-12);
}

#[test]
fn a_rough_mesh_becomes_smooth() {
    let number = numbers("smoothing", 32);
    assert!(number("distance from the torus after") < 0.6 * number("distance from the torus before"));
    assert!(number("area after") < 0.9 * number("area before"));
    assert!(number("relative change of the volume").abs() < 1e-3);
}

#[test]
fn a_picture_becomes_sharper() {
    let number = numbers("deconvolution", 32);
    assert!(number("signal to noise after, in dB") > number("signal to noise before, in dB") + 3.0);

    let device = Device::cpu();
    let psf = deconvolution::gaussian().unwrap();
    assert!((psf.as_slice().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let psf = device.array_from_nd(&psf).unwrap();
    let observed = device.array_from_nd(deconvolution::chart(16).unwrap()).unwrap();
    let x = device.array_from_nd(array2([16, 16], |i, j| ((3 * i + j) as f64).sin()).unwrap()).unwrap();
    check_gradient(&x, &[[0, 0], [7, 9], [15, 3]], |tape| {
        deconvolution::loss(tape, &device, &psf, &x, &observed).unwrap()
    });
}

#[test]
fn greeks_are_those_of_black_and_scholes() {
    let number = numbers("options", 4_000);
    for which in ["error of prices", "error of delta", "error of vega", "error of rho", "error of theta"] {
        assert!(number(which) < 5e-3, "{which}: {}", number(which));
    }
    // The closed forms against a known value, and delta against the price.
    let [price, delta, ..] = options::black_scholes(100.0);
    let slope = (options::black_scholes(100.0 + 1e-4)[0] - options::black_scholes(100.0 - 1e-4)[0]) / 2e-4;
    assert!((delta - slope).abs() < 1e-8, "{delta}, {slope}");
    assert!((price - 9.7).abs() < 0.2, "{price}");
}

#[test]
fn a_network_tells_spirals_apart() {
    let number = numbers("mlp", 8);
    assert_eq!(number("share of points that are right"), 1.0);
    assert!(number("loss after") < 0.1 * number("loss before"));

    let device = Device::cpu();
    let (points, classes) = mlp::spirals(20).unwrap();
    let (x, class) = (device.array_from_nd(&points).unwrap(), device.array_from(&classes).unwrap());
    let network = mlp::Network::new(&device, 5).unwrap();
    for w in network.weights() {
        check_gradient(w, &[[0, 0], [1, 0], [2, 0]], |tape| network.loss(tape, &x, &class).unwrap());
    }
}
