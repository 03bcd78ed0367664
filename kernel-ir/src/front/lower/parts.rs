//! Named parts of values: components, columns and fields.

use crate::ir::Type;

/// The names of components and columns.
const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// A named part of a value.
pub(super) enum Part {
    Component(u32),
    Column(u32),
    Field(u8),
}

/// The part of a value of type `ty` with this name. Inference has checked that there is one.
pub(super) fn part_of(ty: Type, name: &str) -> Part {
    let position = |name: &str| COMPONENTS.iter().position(|known| *known == name).unwrap_or_default() as u32;
    match (ty.as_struct(), name.strip_suffix("_axis")) {
        (Some(id), _) => Part::Field(id.field(name).map_or(0, |(number, _)| number)),
        (None, Some(axis)) => Part::Column(position(axis)),
        (None, None) => Part::Component(position(name)),
    }
}
