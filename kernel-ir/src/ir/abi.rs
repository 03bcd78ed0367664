//! The calling convention of emitted C and CUDA functions. Both the writers and the runtime take it from here.

use super::{Expr, ExprKind, Kernel, ParamId, ParamKind};

/// One argument of the emitted function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AbiArg {
    /// A by-value parameter.
    Value(ParamId),
    /// A pointer to the first element of an array parameter.
    Pointer(ParamId),
    /// The extent of an array along an axis, of the index type.
    Extent(ParamId, u8),
    /// The launch size along an axis, of the index type.
    Dim(u8),
}

impl Expr {
    /// The extents that the expression itself reads, or the function that it calls.
    pub(crate) fn extents_read(&self) -> Vec<(ParamId, u8)> {
        if let ExprKind::Extent { array, axis } = self.kind {
            return vec![(array, axis)];
        }
        let ExprKind::Call(callee, _) = &self.kind else { return Vec::new() };
        if callee.arrays.is_empty() {
            return Vec::new();
        }
        let of_function = callee.function.code.extents_read();
        of_function.into_iter().filter_map(|(param, axis)| Some((callee.array(param)?, axis))).collect()
    }
}

impl Kernel {
    /// The arguments of the emitted function, in order: the parameters in source order, then the launch size. An array
    /// is followed by the extents that the function needs: those for addressing (all but the first), and those that the
    /// body reads.
    pub fn abi(&self) -> Vec<AbiArg> {
        self.abi_for(&self.extents_read())
    }

    /// The extents that the body reads, itself or in a function that takes the array.
    pub fn extents_read(&self) -> Vec<(ParamId, u8)> {
        let mut asked = Vec::new();
        self.walk_exprs(&mut |expr| asked.extend(expr.extents_read()));
        asked
    }

    /// As [`Kernel::abi`], where `asked` are the extents that the body reads.
    pub(crate) fn abi_for(&self, asked: &[(ParamId, u8)]) -> Vec<AbiArg> {
        self.abi_with(|id, axis| axis > 0 || asked.contains(&(id, axis)))
    }

    /// The arguments of the [checked](crate::back::c::write_checked) function. It takes every extent. Before the launch
    /// size it takes one argument that is not in this list: the address of the fault record.
    pub fn checked_abi(&self) -> Vec<AbiArg> {
        self.abi_with(|_, _| true)
    }

    fn abi_with(&self, needs: impl Fn(ParamId, u8) -> bool) -> Vec<AbiArg> {
        let mut args = Vec::new();
        for (id, param) in self.param_ids() {
            match &param.kind {
                ParamKind::Value(_) => args.push(AbiArg::Value(id)),
                ParamKind::Array { shape, .. } => {
                    args.push(AbiArg::Pointer(id));
                    let needed = (0..shape.len() as u8).filter(|&axis| needs(id, axis));
                    args.extend(needed.map(|axis| AbiArg::Extent(id, axis)));
                }
            }
        }
        args.extend((0..self.dim).map(AbiArg::Dim));
        args
    }
}
