#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape { Sphere, Box, Capsule }

...

//- variants, comparisons, casts and results
#[device]
#[repr(u8)]
enum Unit { Milli = 1, Centi = 10, One = 0x64, Next }

#[device]
fn unit_of(x: f32) -> Unit {
    if x < 0.1 { Unit::Milli } else { Unit::Centi }
}

#[kernel]
fn compared(shapes: &[Shape], kinds: &[i32], x: &[f32], y: &mut [f32], next: &mut [Shape]) {
    let i = tid();
    let unit = unit_of(x[i]);
    let mut kept = shapes[i];
    if kept == Shape::Box && Shape::Sphere != shapes[0] || kinds[i] == Shape::Capsule as i32 {
        y[i] += unit as u8 as f32 + Unit::Next as i32 as f32;
    }
    if shapes[i] == shapes[0] {
        kept = if unit == Unit::One { Shape::Box } else { kept };
    }
    next[i] = kept;
}

//- patterns
#[kernel]
fn matched(kind: Shape, shapes: &[Shape], y: &mut [f32]) {
    const USUAL: Shape = Shape::Box;
    let i = tid();
    y[i] = match kind {
        Shape::Sphere | Shape::Capsule => 1.0,
        Shape::Box => 2.0,
    };
    match shapes[i] {
        USUAL if y[i] > 1.0 => y[i] = 3.0,
        same @ (Shape::Sphere | Shape::Box) if same == kind => {}
        _ => y[i] = -1.0,
    }
}

//- methods
#[device]
mod sides {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Side { Left, Right }

    impl Side {
        pub const START: Side = Side::Right;

        pub fn other(self) -> Self {
            match self {
                Self::Left => Self::Right,
                Self::Right => Side::Left,
            }
        }
    }
}

#[kernel]
fn methods(sides: &mut [Side]) {
    let i = tid();
    if sides[i] != Side::START {
        sides[i] = sides[i].other();
    }
}
