//! The memory of arrays. A storage buffer has the bytes that the host has: those of C, without the gaps that WGSL's own
//! layout of vectors and structs would need. So a buffer is an array of scalars, and functions of the text put values
//! together and take them apart.
//!
//! | elements | binding |
//! |---|---|
//! | numbers of 32 or 64 bits of one type, also in vectors, matrices and structs | `array<f32>` and the like |
//! | values of several types, all of 32 or 64 bits | `array<u32>`, as words |
//! | others, such as `bool` and integers of 8 bits | `array<u32>`, as bytes in words |
//!
//! If a kernel updates an array by an atomic operation, or stores less than a word of it, all accesses are atomic, because
//! WGSL has atomic operations on a type of its own.

use super::text::{Level, Text};
use super::types::{computed, part_suffix, scalar_name};
use crate::ir::{Field, Kernel, ParamId, PlaceRoot, Scalar, Shape, Type};

/// The unit of offsets in the memory of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// An element of the binding, which is the scalar of all values.
    Scalar(Scalar),
    /// A word of 32 bits.
    Word,
    /// A byte.
    Byte,
}

/// The memory of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    pub(super) elem: Type,
    pub(super) unit: Unit,
    /// Whether the binding consists of atomic types.
    pub(super) is_atomic: bool,
}

impl Memory {
    /// The memory of an array of `kernel`.
    pub(super) fn of(kernel: &Kernel, id: ParamId) -> Memory {
        let param = kernel.param(id);
        let elem = param.elem();
        let unit = unit(elem);
        let mut is_updated = false;
        kernel.walk_stmts(&mut |stmt| {
            is_updated |= stmt
                .atomic()
                .is_some_and(|(_, place)| matches!(place.root, PlaceRoot::Element { array, .. } if array == id));
        });
        Memory { elem, unit, is_atomic: is_updated || (unit == Unit::Byte && param.is_mutable()) }
    }

    /// The type of an element of the binding.
    pub(super) fn binding(self) -> String {
        let scalar = match self.unit {
            Unit::Scalar(scalar) => self.stored(scalar),
            Unit::Word | Unit::Byte => Scalar::U32,
        };
        let name = scalar_name(scalar);
        if self.is_atomic { format!("array<atomic<{name}>>") } else { format!("array<{name}>") }
    }

    /// The scalar whose bits the binding holds: an atomic float is an integer.
    pub(super) fn stored(self, scalar: Scalar) -> Scalar {
        match (self.is_atomic, scalar) {
            (true, Scalar::F32) => Scalar::U32,
            (true, Scalar::F64) => Scalar::U64,
            _ => computed(scalar),
        }
    }

    /// The number of units of an element.
    pub(super) fn size(self) -> usize {
        self.units(self.elem.layout().map_or(4, |layout| layout.size))
    }

    /// An offset in bytes as a number of units.
    pub(super) fn units(self, bytes: usize) -> usize {
        match self.unit {
            Unit::Scalar(scalar) => bytes / (scalar.bits().unwrap_or(32) as usize / 8),
            Unit::Word => bytes / 4,
            Unit::Byte => bytes,
        }
    }

    /// The units between two parts of a value: components, or columns.
    pub(super) fn stride(self, ty: Type) -> usize {
        self.units(ty.part().layout().map_or(4, |layout| layout.size))
    }

    /// The offset of a field in a struct, in units.
    pub(super) fn field(self, ty: Type, number: u8) -> usize {
        let mut start = 0_usize;
        for (at, field) in ty.fields().iter().enumerate() {
            let layout = field.ty.layout();
            let (size, align) = layout.map_or((4, 4), |layout| (layout.size, layout.align));
            start = start.next_multiple_of(align);
            if at == usize::from(number) {
                break;
            }
            start += size;
        }
        self.units(start)
    }

    /// The scalar `scalar` at the offset `at` in the array `name`.
    pub(super) fn load(self, name: &str, scalar: Scalar, at: Text) -> Text {
        let word = |at: Text| {
            let element = Text::primary(name).subscript(at);
            if self.is_atomic { Text::primary(format!("atomicLoad(&{})", element.text)) } else { element }
        };
        match self.unit {
            Unit::Scalar(_) => from_bits(self.stored(scalar), scalar, word(at)),
            Unit::Word if scalar.bits() == Some(64) => {
                let high = plus(at.clone(), 1);
                let bits = Text::primary(format!("(u64({}) | (u64({}) << 32u))", word(at).text, word(high).text));
                from_bits(Scalar::U64, scalar, bits)
            }
            Unit::Word => from_bits(Scalar::U32, scalar, word(at)),
            Unit::Byte => {
                let place = word(Text::infix(at.clone(), ">>", Text::primary("2u")));
                match scalar.bits() {
                    Some(64) => {
                        let next = word(plus(Text::infix(at, ">>", Text::primary("2u")), 1));
                        let bits = Text::primary(format!("(u64({}) | (u64({}) << 32u))", place.text, next.text));
                        from_bits(Scalar::U64, scalar, bits)
                    }
                    Some(16) if scalar.is_half() => {
                        of_half(scalar, &format!("extractBits({}, {}, 16u)", place.text, shift(at)))
                    }
                    Some(width @ (8 | 16)) => {
                        let of_word = if scalar == Scalar::Bool { Scalar::U32 } else { computed(scalar) };
                        let place = from_bits(Scalar::U32, of_word, place);
                        let shift = shift(at);
                        let bits = Text::primary(format!("extractBits({}, {shift}, {width}u)", place.text));
                        if scalar == Scalar::Bool { Text::infix(bits, "!=", Text::primary("0u")) } else { bits }
                    }
                    _ => from_bits(Scalar::U32, scalar, place),
                }
            }
        }
    }

    /// The statements that store a scalar at the offset `at` in the array `name`.
    pub(super) fn store(self, name: &str, scalar: Scalar, at: Text, value: Text) -> Vec<String> {
        let put = |at: Text, value: Text| {
            let element = Text::primary(name).subscript(at).text;
            match self.is_atomic {
                true => format!("atomicStore(&{element}, {});", value.text),
                false => format!("{element} = {};", value.text),
            }
        };
        let halves = |at: Text, value: Text| {
            let bits = to_bits(scalar, Scalar::U64, value).at(Level::Unary);
            let next = plus(at.clone(), 1);
            vec![
                put(at, Text::primary(format!("u32({bits} & 0xfffffffflu)"))),
                put(next, Text::primary(format!("u32({bits} >> 32u)"))),
            ]
        };
        match self.unit {
            Unit::Scalar(_) => vec![put(at, to_bits(scalar, self.stored(scalar), value))],
            Unit::Word if scalar.bits() == Some(64) => halves(at, value),
            Unit::Word => vec![put(at, to_bits(scalar, Scalar::U32, value))],
            Unit::Byte => {
                let word = Text::infix(at.clone(), ">>", Text::primary("2u"));
                match scalar.bits() {
                    Some(64) => halves(word, value),
                    Some(width @ (8 | 16)) => {
                        let (element, shift) = (Text::primary(name).subscript(word).text, shift(at));
                        let mask = if width == 8 { "0xffu" } else { "0xffffu" };
                        let bits = match scalar.is_half() {
                            true => format!("{} << ({shift})", bits_of_half(scalar, &value.text)),
                            false => format!("(u32({}) & {mask}) << ({shift})", value.text),
                        };
                        // The other bytes of the word belong to other threads.
                        vec![
                            format!("atomicAnd(&{element}, ~({mask} << ({shift})));"),
                            format!("atomicOr(&{element}, {bits});"),
                        ]
                    }
                    _ => vec![put(word, to_bits(scalar, Scalar::U32, value))],
                }
            }
        }
    }

    /// Whether the scalar is one element of the binding.
    pub(super) fn is_word(self, scalar: Scalar) -> bool {
        matches!(self.unit, Unit::Scalar(_)) || scalar.bits() == Some(32)
    }

    /// Whether an assignment of a scalar is one assignment of WGSL, so that `+=` is, too.
    pub(super) fn is_plain(self) -> bool {
        matches!(self.unit, Unit::Scalar(_)) && !self.is_atomic
    }
}

/// The value of a float of 16 bits with these bits.
pub(super) fn of_half(scalar: Scalar, bits: &str) -> Text {
    Text::primary(format!("value_of_{}({bits})", scalar.name()))
}

/// The bits of a float of 16 bits with this value.
pub(super) fn bits_of_half(scalar: Scalar, value: &str) -> String {
    format!("bits_of_{}({value})", scalar.name())
}

/// The unit of the memory of elements of type `elem`.
fn unit(elem: Type) -> Unit {
    let layout = elem.layout();
    let mut scalars: Vec<Scalar> = elem.scalars().collect();
    scalars.dedup();
    let bits = |scalar: &Scalar| scalar.bits().unwrap_or(32);
    match (scalars.as_slice(), layout) {
        ([scalar], _) if bits(scalar) >= 32 => Unit::Scalar(*scalar),
        (scalars, Some(layout)) if layout.size.is_multiple_of(4) && scalars.iter().all(|scalar| bits(scalar) >= 32) => {
            Unit::Word
        }
        _ => Unit::Byte,
    }
}

/// The first bit of a byte in its word.
fn shift(at: Text) -> String {
    format!("8u * ({} & 3u)", at.at(Level::Unary))
}

/// `at + by`.
pub(super) fn plus(at: Text, by: usize) -> Text {
    let number = |text: &str| text.strip_suffix('u').and_then(|digits| digits.parse::<usize>().ok());
    if by == 0 {
        return at;
    }
    if let Some(start) = number(&at.text) {
        return Text::primary(format!("{}u", start + by));
    }
    // `at + 3 + 1` is `at + 4`.
    if let (Level::Sum, Some((base, Some(start)))) =
        (at.level, at.text.rsplit_once(" + ").map(|(base, last)| (base, number(last))))
    {
        return Text { text: format!("{base} + {}u", start + by), level: Level::Sum };
    }
    Text::infix(at, "+", Text::primary(format!("{by}u")))
}

/// A value with the bits of `value`, which has the type `from`.
pub(super) fn from_bits(from: Scalar, to: Scalar, value: Text) -> Text {
    if to == Scalar::Bool {
        return Text::infix(value, "!=", Text::primary("0u"));
    }
    match scalar_name(from) == scalar_name(to) {
        true => value,
        false => Text::primary(format!("bitcast<{}>({})", scalar_name(to), value.text)),
    }
}

/// The bits of `value` of type `from` as a value of type `to`.
pub(super) fn to_bits(from: Scalar, to: Scalar, value: Text) -> Text {
    if from == Scalar::Bool {
        return Text::primary(format!("u32({})", value.text));
    }
    match scalar_name(from) == scalar_name(to) {
        true => value,
        false => Text::primary(format!("bitcast<{}>({})", scalar_name(to), value.text)),
    }
}

/// The expression for a value of type `ty` at the offset `at`, made of the scalars that `load` gives. `name` gives the
/// names of types.
pub(super) fn put_together(
    memory: Memory,
    ty: Type,
    at: &Text,
    name: &mut dyn FnMut(Type) -> String,
    load: &mut dyn FnMut(Scalar, Text) -> Text,
) -> Text {
    match ty.shape {
        Shape::Scalar => load(ty.scalar, at.clone()),
        Shape::Tile(..) => unreachable!("{}", Type::NO_TILES),
        Shape::Struct(_) => {
            let fields = (0..).zip(ty.fields());
            let mut values = Vec::new();
            for (number, Field { ty: field, .. }) in fields {
                values.push(put_together(memory, *field, &plus(at.clone(), memory.field(ty, number)), name, load));
            }
            Text::call(&name(ty), values)
        }
        Shape::Vector(_) | Shape::Matrix(..) | Shape::Quat => {
            let stride = memory.stride(ty);
            let mut values = Vec::new();
            for number in 0..usize::from(ty.parts()) {
                values.push(put_together(memory, ty.part(), &plus(at.clone(), stride * number), name, load));
            }
            Text::call(&name(ty), values)
        }
    }
}

/// The scalars of the value `value` of type `ty`, with their types and the offsets behind `at`. `field` names the fields of
/// structs.
pub(super) fn taken_apart(
    memory: Memory,
    ty: Type,
    at: &Text,
    value: &Text,
    field: &dyn Fn(Type, u8) -> String,
) -> Vec<(Scalar, Text, Text)> {
    match ty.shape {
        Shape::Scalar => vec![(ty.scalar, at.clone(), value.clone())],
        Shape::Tile(..) => unreachable!("{}", Type::NO_TILES),
        Shape::Struct(_) => {
            let fields = (0..).zip(ty.fields()).flat_map(|(number, part)| {
                let at = plus(at.clone(), memory.field(ty, number));
                taken_apart(memory, part.ty, &at, &value.clone().field(&field(ty, number)), field)
            });
            fields.collect()
        }
        Shape::Vector(_) | Shape::Matrix(..) | Shape::Quat => {
            let stride = memory.stride(ty);
            let parts = (0..usize::from(ty.parts())).flat_map(|number| {
                let part = Text::primary([&value.text, &*part_suffix(ty, number)].concat());
                taken_apart(memory, ty.part(), &plus(at.clone(), stride * number), &part, field)
            });
            parts.collect()
        }
    }
}
