//! The arguments of a launch: by-value parameters, extents and the launch size lie in one uniform buffer, and each array
//! has a binding of its own. The writer and the runtime take the layout from here.

use crate::ir::{AbiArg, Kernel, ParamId, ParamKind, Scalar, Shape, Type};

/// The number of threads of a workgroup.
pub const WORKGROUP: u32 = 64;

/// The uniform buffer of a kernel, and its arrays.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The fields of the uniform buffer, in order.
    pub fields: Vec<ArgumentField>,
    /// The size of the uniform buffer in bytes.
    pub size: usize,
    /// The arrays. The array with number `k` has the binding `k + 1` of group 0; the uniform buffer has the binding 0.
    pub arrays: Vec<ParamId>,
}

/// A field of the uniform buffer.
#[derive(Clone, Debug)]
pub struct ArgumentField {
    /// The origin of the value.
    pub source: ArgumentSource,
    /// The type: a scalar of at least 32 bits, or a vector of 2 to 4 of these.
    pub ty: Type,
    /// The offset in bytes.
    pub offset: usize,
}

/// The origin of a value in the uniform buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentSource {
    /// Scalars of a by-value parameter, from the given number on. A scalar below 32 bits is extended to `i32`, `u32` or `f32`.
    Value {
        /// The parameter.
        param: ParamId,
        /// The number of the first scalar in the parameter.
        first: usize,
    },
    /// The extent of an array along an axis.
    Extent(ParamId, u8),
    /// 1 if the optional array is present, else 0.
    Present(ParamId),
    /// The launch size along an axis.
    Dim(u8),
}

impl Arguments {
    /// The arguments of a kernel.
    pub fn of(kernel: &Kernel) -> Arguments {
        Arguments::from_abi(kernel, kernel.abi())
    }

    /// The arguments of [checked](super::write_checked) text, which reads every extent.
    pub fn checked(kernel: &Kernel) -> Arguments {
        Arguments::from_abi(kernel, kernel.checked_abi())
    }

    fn from_abi(kernel: &Kernel, abi: Vec<AbiArg>) -> Arguments {
        let mut arguments = Arguments { fields: Vec::new(), size: 0, arrays: Vec::new() };
        for arg in abi {
            match arg {
                AbiArg::Value(param) => {
                    let mut first = 0;
                    for ty in pieces(kernel.param(param).elem()) {
                        arguments.push(ArgumentSource::Value { param, first }, uniform(ty));
                        first += ty.components();
                    }
                }
                AbiArg::Pointer(param) => {
                    arguments.arrays.push(param);
                    if let ParamKind::Array { optional: true, .. } = kernel.param(param).kind {
                        arguments.push(ArgumentSource::Present(param), Type::U32);
                    }
                }
                AbiArg::Extent(param, axis) => arguments.push(ArgumentSource::Extent(param, axis), Type::U32),
                AbiArg::Dim(axis) => arguments.push(ArgumentSource::Dim(axis), Type::U32),
            }
        }
        arguments.size = arguments.size.next_multiple_of(16);
        arguments
    }

    fn push(&mut self, source: ArgumentSource, ty: Type) {
        let scalar = ty.scalar.bits().unwrap_or(32) as usize / 8;
        // WGSL aligns vectors of three components as those of four.
        let align = scalar * ty.components().next_power_of_two();
        let offset = self.size.next_multiple_of(align);
        self.fields.push(ArgumentField { source, ty, offset });
        self.size = offset + scalar * ty.components();
    }

    /// The fields with the scalars of a by-value parameter, in order.
    pub(super) fn of_value(&self, id: ParamId) -> impl Iterator<Item = &ArgumentField> {
        self.fields
            .iter()
            .filter(move |field| matches!(field.source, ArgumentSource::Value { param, .. } if param == id))
    }
}

/// The parts of a value that are fields of the uniform buffer, in the order of its scalars.
pub(super) fn pieces(ty: Type) -> Vec<Type> {
    match ty.shape {
        Shape::Scalar | Shape::Quat | Shape::Vector(2..=4) => vec![ty],
        Shape::Vector(n) => vec![ty.part(); n.into()],
        Shape::Matrix(_, columns) => vec![pieces(ty.part()); columns.into()].concat(),
        Shape::Struct(_) | Shape::Tile(..) => ty.fields().iter().flat_map(|field| pieces(field.ty)).collect(),
    }
}

/// The type in the uniform buffer, whose scalars have at least 32 bits.
fn uniform(ty: Type) -> Type {
    let scalar = match ty.scalar {
        Scalar::Bool | Scalar::U8 | Scalar::U16 | Scalar::Index => Scalar::U32,
        Scalar::I8 | Scalar::I16 => Scalar::I32,
        Scalar::F16 | Scalar::BF16 => Scalar::F32,
        Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 | Scalar::F32 | Scalar::F64 => ty.scalar,
    };
    Type { scalar, ..ty }
}
