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
fn attracted(dt: f32, lights: &[Light], sun: Light, particles: &mut [Particle]) {
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
fn relaxed(joints: &mut [Joint], #[shape(dim0, 2)] rests: &mut Array2<Light>) {
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
