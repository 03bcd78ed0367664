//! Structs as parameters and as elements of arrays, through every stage.

use kernel_rt::prelude::*;

/// A particle.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Particle {
    x: Vec3,
    v: Vec3,
    mass: f32,
    /// Whether it stays where it is.
    fixed: bool,
}

/// A light with its place and its power.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Light {
    at: Vec3,
    power: f32,
}

/// A pose with a weight in double precision.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Joint {
    turn: Quat,
    rest: Light,
    weight: f64,
    parent: u32,
}

#[device]
fn kinetic(particles: &[Particle], i: usize) -> f32 {
    0.5 * particles[i].mass * particles[i].v.length_squared()
}

/// A step of particles that lights attract. Threads own their elements.
#[kernel(family = "test")]
fn attracted(dt: f32, lights: &[Light], sun: Light, #[domain(-1.0..1.0)] particles: &mut [Particle]) {
    let i = tid();
    let before = particles[i];
    if before.fixed {
        return;
    }
    let mut force = (sun.at - before.x) * sun.power;
    for k in 0..lights.len() {
        let light = lights[k];
        force += (light.at - before.x) * light.power;
    }
    particles[i].v += force * (dt / (1.0 + before.mass.abs()));
    particles[i].x += particles[i].v * dt;
    particles[i].x.y = particles[i].x.y.max(0.0) + before.x.y;
}

/// The energy of particles, by a function that takes an array of structs.
#[kernel(family = "test")]
fn energy(particles: &[Particle], #[shape(1)] total: &mut [f32]) {
    let i = tid();
    if !particles[i].fixed {
        atomic_add(&mut total[0], kinetic(particles, i));
    }
}

/// Whole elements and fields of nested structs are assigned; the value reads the element.
#[kernel(family = "test")]
fn relaxed(
    #[domain(-1.0..1.0)] joints: &mut [Joint],
    #[domain(-1.0..1.0)]
    #[shape(dim0, 2)]
    rests: &mut Array2<Light>,
) {
    let i = tid();
    let joint = joints[i];
    rests[[i, 0]] = joint.rest;
    rests[[i, 1]] = Light { at: rests[[i, 1]].at * 0.5, power: rests[[i, 0]].power + rests[[i, 1]].at.x };
    joints[i] = Joint { rest: rests[[i, 1]], weight: joints[i].weight * 2.0, ..joint };
    joints[i].rest.at.z -= 1.0;
    if joint.parent % 2 == 0 {
        joints[i].turn = joint.turn * joints[i].turn;
    }
}

/// Pairs of particles add to fields of one element.
#[kernel(family = "test")]
fn pushed(
    #[domain(0..dim0)] other: &[u32],
    stiffness: f32,
    particles: &[Particle],
    #[shape(dim0)] forces: &mut [Light],
) {
    let i = tid();
    let j = other[i] as usize;
    let push = (particles[j].x - particles[i].x) * stiffness;
    atomic_add(&mut forces[i].at, push);
    atomic_sub(&mut forces[j].at, push);
    atomic_add(&mut forces[j].power, push.length_squared());
}

fn particles(n: usize) -> Vec<Particle> {
    let particle = |i: usize| Particle {
        x: Vec3::new(i as f32, 0.5, -1.0),
        v: Vec3::new(0.0, 1.0, i as f32 * 0.25),
        mass: 1.0 + i as f32,
        fixed: i % 3 == 2,
    };
    (0..n).map(particle).collect()
}

/// The memory of structs is that of C: on the host, in the layout of the IR, and in the bytes of a device.
#[test]
fn one_layout_everywhere() {
    assert_eq!((size_of::<Particle>(), size_of::<Light>(), size_of::<Joint>()), (32, 16, 48));
    for (ty, size) in [(Particle::ir_type(), 32), (Light::ir_type(), 16), (Joint::ir_type(), 48)] {
        assert_eq!(ty.layout().map(|layout| layout.size), Some(size), "{}", ty.rust_name());
    }
    let offsets: Vec<usize> =
        Joint::ir_type().layout().into_iter().flat_map(|layout| layout.values).map(|(offset, _)| offset).collect();
    let rest = std::mem::offset_of!(Joint, rest);
    let expected = [std::mem::offset_of!(Joint, turn), rest, rest + std::mem::offset_of!(Light, power)];
    assert_eq!(offsets[..3], expected);
    assert_eq!(offsets[3..], [std::mem::offset_of!(Joint, weight), std::mem::offset_of!(Joint, parent)]);
    let memory = Particle::to_memory(&particles(3)[2..]).into_owned();
    // The three bytes behind a `bool` are zero.
    assert_eq!(memory[28..], [1, 0, 0, 0]);
    let back = Particle::from_memory(1, |bytes| {
        bytes.copy_from_slice(&memory);
        Ok(())
    });
    assert_eq!(back.unwrap(), particles(3)[2..]);
    let broken = Particle::from_memory(1, |bytes| {
        bytes[28] = 2;
        Ok(())
    });
    assert!(matches!(broken, Err(DeviceError::NotBool)));
}

#[test]
fn arrays_of_structs_are_launched() {
    let device = Device::cpu();
    let sun = Light { at: Vec3::new(0.0, 10.0, 0.0), power: 0.5 };
    let lights = device.array_from(vec![sun; 2]).unwrap();
    let all = device.array_from(particles(5)).unwrap();
    attracted::launch(&device, 5, (0.1, &lights, sun, &all)).unwrap();
    let mut expected = particles(5);
    attracted::cpu(5, 0.1, &[sun; 2], sun, &mut expected).unwrap();
    assert_eq!(all.to_vec().unwrap(), expected);
    assert_eq!(expected[2], particles(5)[2], "it is fixed");
    assert!(expected[0].v.y > 1.0);
}

/// The gradient of an array of structs is an array of structs, and that of a struct a struct. It is compared with
/// differences.
#[test]
fn gradients_of_structs_on_a_tape() {
    for device in [Device::cpu(), Device::cpu().bounds_checked()] {
        let start = particles(4);
        let sun = Light { at: Vec3::new(0.5, 3.0, 0.25), power: 0.5 };
        let loss_of = |particles: &[Particle], sun: Light| {
            let mut after = particles.to_vec();
            attracted::cpu(4, 0.1, &[], sun, &mut after).unwrap();
            let mut total = [0.0];
            energy::cpu(4, &after, &mut total).unwrap();
            f64::from(total[0])
        };
        let (lights, all) =
            (device.array_from(Vec::<Light>::new()).unwrap(), device.array_from(start.clone()).unwrap());
        let total = device.zeros(1).unwrap();
        let tape = Tape::new(&device);
        let step = attracted::launch(&tape, 4, (0.1, &lights, sun, &all)).unwrap();
        energy::launch(&tape, 4, (&all, &total)).unwrap();
        tape.backward(&total).unwrap();
        let found = tape.gradient(&all).unwrap().to_vec().unwrap();
        let of_sun: Light = tape.value_gradient(step, "sun").unwrap();
        let h = 1e-2;
        let difference = |change: &dyn Fn(&mut Vec<Particle>, &mut Light, f32)| {
            let at = |h: f32| {
                let (mut particles, mut sun) = (start.clone(), sun);
                change(&mut particles, &mut sun, h);
                loss_of(&particles, sun)
            };
            ((at(h) - at(-h)) / f64::from(2.0 * h)) as f32
        };
        let close = |found: f32, expected: f32| {
            assert!((found - expected).abs() < 2e-3 * (1.0 + expected.abs()), "{found} is not {expected}");
        };
        close(found[1].v.y, difference(&|all, _, h| all[1].v.y += h));
        close(found[1].x.z, difference(&|all, _, h| all[1].x.z += h));
        close(found[3].mass, difference(&|all, _, h| all[3].mass += h));
        close(of_sun.power, difference(&|_, sun, h| sun.power += h));
        close(of_sun.at.y, difference(&|_, sun, h| sun.at.y += h));
        assert!(found[1].v.y != 0.0 && of_sun.power != 0.0 && !found[1].fixed);
        assert_eq!(found[2].v, Vec3::ZERO, "it is fixed");
    }
}
