/// A shape.
#[device]
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    Sphere,
    Box,
    Capsule,
    Plane,
}

/// A unit.
#[device]
#[repr(u16)]
#[derive(Clone, Copy, PartialEq)]
pub enum Unit {
    Milli = 1,
    Centi = 10,
    One = 1000,
}

#[device]
fn area(shape: Shape, x: f32) -> f32 {
    if shape == Shape::Sphere || shape == Shape::Capsule { x } else if shape == Shape::Box { x * x } else { 0.0 }
}

#[kernel(family = "test")]
pub fn enums(shapes: &[Shape], kind: Shape, numbers: &[i32], out: &mut [f32], next: &mut [Shape]) {
    const USUAL: Shape = Shape::Box;
    let i = tid();
    let matched = shapes[i];
    let unit = if out[i] > 1.0 { Unit::Milli } else { Unit::One };
    match matched {
        Shape::Sphere => {
            out[i] = area(kind, out[i]);
        }
        Shape::Box | Shape::Plane => {
            out[i] = unit as u16 as f32;
        }
        _ => {
            if kind == matched && shapes[0] != Shape::Capsule {
                out[i] = 2.0;
            }
            if (kind as i32) < matched as i32 && numbers[i] == 3 {
                out[i] = matched as i32 as f32;
            }
        }
    }
    next[i] = if matched == USUAL {
        USUAL
    } else {
        match numbers[i] { 0 => Shape::Sphere, 1 => Shape::Box, 2 => Shape::Capsule, _ => Shape::Plane }
    };
    if numbers[i] == 5 {
        next[i] = Shape::Capsule;
        next[i] = Shape::Box;
    }
}
