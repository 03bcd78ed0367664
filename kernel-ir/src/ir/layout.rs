//! The memory of values: the same on the host, in C++ and on devices.

use super::ty::{Shape, Type};

/// The memory of a value. That of a struct is the layout of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The size in bytes, a multiple of the alignment.
    pub size: usize,
    /// The alignment in bytes.
    pub align: usize,
    /// The offsets in bytes of the values in it, in the order of [`Type::leaves`], with their types.
    pub values: Vec<(usize, Type)>,
}

impl Type {
    /// The memory of a value of this type; `None` if it has a `usize`, whose size differs between the targets.
    pub fn layout(self) -> Option<Layout> {
        let Shape::Struct(id) = self.shape else {
            // The alignment of a scalar is its size.
            let align = self.scalar.bits()? as usize / 8;
            return Some(Layout { size: align * self.components(), align, values: vec![(0, self)] });
        };
        let mut whole = Layout { size: 0, align: 1, values: Vec::new() };
        for field in &id.fields {
            let part = field.ty.layout()?;
            let start = whole.size.next_multiple_of(part.align);
            whole.values.extend(part.values.into_iter().map(|(offset, ty)| (start + offset, ty)));
            whole.align = whole.align.max(part.align);
            whole.size = start + part.size;
        }
        whole.size = whole.size.next_multiple_of(whole.align);
        Some(whole)
    }
}
