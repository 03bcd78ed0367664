//! The memory of values: the same on the host, in C++ and on devices.

use super::scalar::Scalar;
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
            let align = size_of_scalar(self.scalar)?;
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

/// The size of a scalar in bytes, which is also its alignment; `None` for `usize`.
fn size_of_scalar(scalar: Scalar) -> Option<usize> {
    match scalar {
        Scalar::Bool => Some(1),
        Scalar::I32 | Scalar::U32 | Scalar::F32 => Some(4),
        Scalar::I64 | Scalar::U64 | Scalar::F64 => Some(8),
        Scalar::Index => None,
    }
}
