//! Enums without data, through every stage: the CPU and its adjoint against the interpreter and dual numbers, the emitted
//! C++ and CUDA, and Warp.

use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::Type;
use kernel_rt::prelude::*;
use kernel_rt::registered_kernels;
use kernel_rt::{LaunchError, Pass};
use tests::checked;

/// A shape of bodies.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// By its radius.
    Sphere,
    /// By half of its edges.
    Box,
    /// By radius and half of its length.
    Capsule,
}

/// A unit of lengths, whose number says how many millimetres it has.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u16)]
enum Unit {
    Millimetre = 1,
    Centimetre = 10,
    Metre = 1000,
}

/// A material of a cell, in one byte.
#[device]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Material {
    /// Nothing.
    #[default]
    Air,
    /// It flows.
    Water = 1,
    /// It falls.
    Sand = 0x2,
    /// It stays.
    Stone,
}

/// A body.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Body {
    shape: Shape,
    size: Vec3,
    material: Material,
    density: f32,
}

#[device]
const USUAL: Shape = Shape::Box;

/// The volume of a shape.
#[device]
fn volume(shape: Shape, size: Vec3) -> f32 {
    match shape {
        Shape::Sphere => 4.0 / 3.0 * std::f32::consts::PI * size.x * size.x * size.x,
        Shape::Box => 8.0 * size.x * size.y * size.z,
        Shape::Capsule => std::f32::consts::PI * size.x * size.x * (4.0 / 3.0 * size.x + 2.0 * size.y),
    }
}

/// Arrays of enums are read and written, compared and cast.
#[kernel(family = "test")]
fn enum_volumes(
    shapes: &[Shape],
    #[domain(0.5..1.5)] sizes: &[Vec3],
    #[domain(0..4)] kinds: &[i32],
    out: &mut [f32],
    next: &mut [Shape],
) {
    let i = tid();
    let mut sum = volume(shapes[i], sizes[i]);
    if shapes[i] == Shape::Box {
        sum += sizes[i].y;
    }
    if kinds[i] == Shape::Capsule as i32 {
        sum *= 2.0;
    }
    if shapes[i] != USUAL && Shape::Sphere != shapes[i] {
        sum -= sizes[i].x * shapes[i] as i32 as f32;
    }
    out[i] = sum;
    next[i] = if sum > 4.0 { Shape::Sphere } else { shapes[i] };
}

/// Arms with alternatives, guards, names and constants. The value is computed once.
#[kernel(family = "test")]
fn enum_matches(kind: Shape, materials: &[Material], #[domain(-1.0..1.0)] x: &[f32], y: &mut [f32]) {
    const HEAVY: Material = Material::Stone;
    let i = tid();
    let flows = match materials[i] {
        Material::Water | Material::Air => true,
        Material::Sand if x[i] > 0.5 => true,
        _ => false,
    };
    let mut value = match materials[i] {
        HEAVY => 3.0 * x[i],
        sand @ Material::Sand if x[i] < 0.0 => x[i] * x[i] * sand as u8 as f32,
        found => x[i] * (found as u32 as f32 - 1.5),
    };
    match kind {
        Shape::Sphere if flows => value *= value,
        Shape::Sphere => {}
        Shape::Box => value += 1.0,
        Shape::Capsule => value = value.sin(),
    }
    y[i] = value;
}

/// Numbers with gaps: in locals, results and tuples.
#[device]
fn unit_of(length: f32) -> (Unit, f32) {
    let unit = if length < 0.01 {
        Unit::Millimetre
    } else if length < 1.0 {
        Unit::Centimetre
    } else {
        Unit::Metre
    };
    (unit, length * 1000.0 / unit as u16 as f32)
}

/// Units are chosen by lengths. The largest so far is state of the loop.
#[kernel(family = "test")]
fn enum_units(#[domain(0.0..2.0)] lengths: &[f32], counts: &mut [f32], millimetres: &mut [u32]) {
    let i = tid();
    let (unit, count) = unit_of(lengths[i]);
    let mut largest = Unit::Millimetre;
    let mut sum = count;
    for k in 0..lengths.len().min(5) {
        let (other, part) = unit_of(lengths[k] * 0.7);
        if other as u32 > largest as u32 {
            largest = other;
        }
        if other == unit {
            sum += part * part;
        }
    }
    counts[i] = match largest {
        Unit::Metre => sum,
        Unit::Centimetre | Unit::Millimetre => 0.5 * sum,
    };
    millimetres[i] = largest as u32;
}

/// Enums in structs in arrays; whole elements and fields are assigned.
#[kernel(family = "test")]
fn enum_bodies(
    #[domain(0.5..1.5)] bodies: &mut [Body],
    #[domain(0.5..1.5)] other: Body,
    #[shape(4)] masses: &mut [f32],
) {
    let i = tid();
    let body = bodies[i];
    let mass = volume(body.shape, body.size) * body.density;
    atomic_add(&mut masses[body.material as usize], mass);
    if body.material == other.material {
        bodies[i] = Body { shape: other.shape, ..body };
        bodies[i].density *= other.density;
    } else if body.material == Material::Sand {
        bodies[i].material = Material::Stone;
        bodies[i].shape = USUAL;
    }
}

/// Automata of a pile: an enum with methods, in place.
#[device]
pub(crate) mod automata {
    use super::Material;

    /// A direction in a grid.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) enum Side {
        /// Up.
        North,
        /// Right.
        East,
        /// Down.
        South,
        /// Left.
        West,
    }

    impl Side {
        /// Where a walk starts.
        pub(crate) const START: Side = Side::East;

        /// The side after a turn to the right.
        pub(crate) fn turned(self) -> Self {
            match self {
                Self::North => Self::East,
                Self::East => Self::South,
                Self::South => Side::West,
                Side::West => Self::North,
            }
        }

        /// The step in rows and columns.
        pub(crate) fn step(&self) -> (i32, i32) {
            match *self {
                Side::North => (-1, 0),
                Side::South => (1, 0),
                Side::East | Side::West => (0, if *self == Self::East { 1 } else { -1 }),
            }
        }

        /// The side with this number, from 0; others start again.
        pub(crate) fn of(number: i32) -> Side {
            match number % 4 {
                0 => Side::North,
                1 => Side::East,
                2 => Side::South,
                _ => Side::West,
            }
        }
    }

    /// How much a walker sees of a material.
    pub(crate) fn seen(material: Material, side: Side) -> f32 {
        let part = if material == Material::Air { 1.0 } else { 0.25 };
        match side {
            Side::North => 2.0 * part,
            _ => part,
        }
    }
}

/// Walks turn at every second step.
#[kernel(family = "test")]
fn enum_walks(
    #[domain(0..9)] turns: &[i32],
    cells: &[Material],
    #[domain(0.5..1.0)] light: &[f32],
    sides: &mut [automata::Side],
    #[shape(dim0, 2)] places: &mut Array2<i32>,
    seen: &mut [f32],
) {
    let i = tid();
    let mut side = automata::Side::START;
    let (mut row, mut column) = (0, 0);
    let mut sum = 0.0;
    for k in 0..turns[i] {
        if k % 2 == 0 {
            side = side.turned();
        }
        let (down, right) = side.step();
        row += down;
        column += right;
        sum += light[i] * light[i] * automata::seen(cells[i], side);
    }
    if side == automata::Side::of(turns[i]) {
        sum = sum.sqrt();
    }
    sides[i] = side;
    places[[i, 0]] = row;
    places[[i, 1]] = column;
    seen[i] = sum;
}

#[test]
fn arrays_of_enums_are_launched() {
    let device = Device::cpu();
    let shapes = [Shape::Sphere, Shape::Box, Shape::Capsule, Shape::Box];
    let sizes = vec![Vec3::new(0.5, 1.0, 1.5); 4];
    let all = device.array_from(&shapes[..]).unwrap();
    let kinds = device.array_from(vec![0, 1, 2, 3]).unwrap();
    let (sizes, out) = (device.array_from(sizes).unwrap(), device.zeros::<f32>(4).unwrap());
    let next = device.zeros::<Shape>(4).unwrap();
    assert_eq!(next.to_vec().unwrap(), [Shape::Sphere; 4], "zero is the variant 0");
    enum_volumes::launch(&device, 4, (&all, &sizes, &kinds, &out, &next)).unwrap();
    let (sphere, capsule) =
        (volume(Shape::Sphere, Vec3::splat(0.5)), 2.0 * volume(Shape::Capsule, Vec3::new(0.5, 1.0, 1.5)));
    assert_eq!(out.to_vec().unwrap(), [sphere, 7.0, capsule - 1.0, 7.0]);
    assert_eq!(next.to_vec().unwrap(), [Shape::Sphere, Shape::Sphere, Shape::Capsule, Shape::Sphere]);
}

#[test]
fn gradients_pass_beside_enums() {
    let device = Device::cpu();
    let bodies = [Shape::Box, Shape::Sphere].map(|shape| Body {
        shape,
        size: Vec3::new(0.5, 1.0, 1.5),
        material: Material::Sand,
        density: 2.0,
    });
    let other = Body { material: Material::Water, ..bodies[0] };
    let tape = Tape::new(&device);
    let all = device.array_from(&bodies[..]).unwrap();
    let masses = device.zeros::<f32>(4).unwrap();
    enum_bodies::launch(&tape, 2, (&all, other, &masses)).unwrap();
    assert_eq!(all.to_vec().unwrap()[0].material, Material::Stone);
    let seed = device.array_from(vec![1.0; 4]).unwrap();
    tape.backward_from(&[Seed::new(&masses, &seed).unwrap()]).unwrap();
    let gradient = tape.gradient(&all).unwrap().to_vec().unwrap();
    assert_eq!(gradient[0].density, 6.0);
    assert_eq!(gradient[0].size, Vec3::new(24.0, 12.0, 8.0));
    assert_eq!(gradient[1].size.y, 0.0);
    assert_eq!(gradient[1].shape, Shape::Sphere, "what is no float has no gradient, and is zero");
}

/// The numbers in memory are those of the representation.
#[test]
fn one_layout_everywhere() {
    assert_eq!((size_of::<Shape>(), size_of::<Material>(), size_of::<Body>()), (4, 1, 24));
    assert_eq!(Shape::ir_type().layout().map(|layout| layout.size), Some(4));
    assert_eq!(Body::ir_type().layout().map(|layout| layout.size), Some(24));
    assert_eq!(Shape::ir_type().leaves(), [Type::I32]);
    assert_eq!(Material::ir_type().leaves(), [Type::U8]);
    assert_eq!(&*Material::to_memory(&[Material::Stone, Material::Water]), [3, 1]);
    assert_eq!(&*Shape::to_memory(&[Shape::Capsule]), [2, 0, 0, 0]);
}

/// A number that no variant has becomes an error where it comes to the host.
#[test]
fn a_number_of_no_variant_is_an_error() {
    let read = |bytes: [u8; 3]| {
        Material::from_memory(3, |memory| {
            memory.copy_from_slice(&bytes);
            Ok(())
        })
    };
    assert_eq!(read([0, 3, 2]), Ok(vec![Material::Air, Material::Stone, Material::Sand]));
    assert_eq!(read([0, 4, 255]), Err(DeviceError::NotVariant { name: "Material".to_owned(), number: 4 }));
    let shapes = Shape::from_memory(1, |memory| {
        memory.copy_from_slice(&(-1_i32).to_le_bytes());
        Ok(())
    });
    assert_eq!(shapes, Err(DeviceError::NotVariant { name: "Shape".to_owned(), number: -1 }));
    let body = Body { shape: Shape::Box, size: Vec3::ONE, material: Material::Water, density: 1.0 };
    for (place, number, name) in [(0, 3, "Shape"), (16, 4, "Material")] {
        let found = Body::from_memory(1, |memory| {
            memory.copy_from_slice(&Body::to_memory(&[body]));
            memory[place] = number;
            Ok(())
        });
        assert_eq!(found, Err(DeviceError::NotVariant { name: name.to_owned(), number: number.into() }));
    }
}

/// The registered kernel with this name, and arguments for a launch of `threads`.
fn launch_of(name: &str, threads: usize) -> (&'static kernel_rt::KernelInfo, Vec<Arg>) {
    let info = registered_kernels().into_iter().find(|info| info.name == name).expect("it is registered");
    let kernel = checked(info);
    let columns = kernel_ir::columns::of_kernel(&kernel);
    let args = kernel_ir::sample::args(&columns, &[threads], 7).expect("its domains have values");
    (info, args)
}

#[test]
fn a_launch_on_data_checks_the_numbers() {
    let device = Device::cpu();
    let refused = |kernel, param: &str, name: &str, number| {
        Err(LaunchError::NotVariant { kernel, param: param.to_owned(), name: name.to_owned(), number })
    };
    let (info, mut args) = launch_of("enum_volumes", 3);
    assert_eq!(device.run(info, Pass::Forward, &[3], &mut args), Ok(()));
    args[0].data = Data::I32(vec![0, 2, 3]);
    assert_eq!(device.run(info, Pass::Forward, &[3], &mut args), refused("enum_volumes", "shapes", "Shape", 3));

    let (info, mut args) = launch_of("enum_matches", 2);
    args[0].data = Data::I32(vec![-1]);
    assert_eq!(device.run(info, Pass::Forward, &[2], &mut args), refused("enum_matches", "kind", "Shape", -1));

    let (info, mut args) = launch_of("enum_bodies", 2);
    let material = args.iter().position(|arg| arg.ty == Type::U8).expect("bodies have a material");
    args[material].data = Data::U8(vec![9, 0]);
    assert_eq!(device.run(info, Pass::Forward, &[2], &mut args), refused("enum_bodies", "bodies", "Material", 9));
}

/// Samples have the numbers of all variants, and no others.
#[test]
fn samples_are_variants() {
    let (_, args) = launch_of("enum_volumes", 200);
    let Data::I32(numbers) = &args[0].data else { panic!("the numbers are `i32`") };
    let mut found = numbers.clone();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, [0, 1, 2]);
}
