//! Operations on tiles, and the types of pointwise operations on them.

use super::{Expr, ExprKind, Place, PlaceRoot, TileOp, Type};

impl TileOp {
    /// Every operation.
    pub const ALL: [TileOp; 11] = [
        TileOp::Broadcast,
        TileOp::Pad,
        TileOp::Sum,
        TileOp::Max,
        TileOp::Min,
        TileOp::Matmul,
        TileOp::StrongMatmul(0),
        TileOp::StrongMatmul(1),
        TileOp::Transpose,
        TileOp::Index(0),
        TileOp::Index(1),
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            TileOp::Broadcast => "tile_broadcast",
            TileOp::Pad => "tile_pad",
            TileOp::Sum => "tile_sum",
            TileOp::Max => "tile_max",
            TileOp::Min => "tile_min",
            TileOp::Matmul => "tile_matmul",
            TileOp::StrongMatmul(0) => "strong_tile_matmul",
            TileOp::StrongMatmul(_) => "tile_matmul_strong",
            TileOp::Transpose => "tile_transpose",
            TileOp::Index(0) => "tile_row",
            TileOp::Index(_) => "tile_column",
        }
    }

    /// The operation with this [`name`](TileOp::name).
    pub fn from_name(name: &str) -> Option<TileOp> {
        TileOp::ALL.into_iter().find(|op| op.name() == name)
    }
}

impl Type {
    /// The type of a pointwise operation with this type of an element, over operands of these types.
    pub fn over(self, operands: impl IntoIterator<Item = Type>) -> Type {
        let tile = operands.into_iter().find(|ty| ty.is_tile());
        tile.map_or(self, |tile| Type::new(self.scalar, tile.shape))
    }
}

impl Expr {
    /// Gives pointwise operations on tiles the types of tiles, where they were made for single elements.
    pub(crate) fn lift(&mut self) {
        self.children_mut().for_each(Expr::lift);
        if self.is_pointwise() {
            self.ty = self.ty.element().over(self.children().map(|child| child.ty).collect::<Vec<Type>>());
        }
    }

    /// Whether the expression, over tiles, is computed element by element.
    pub(crate) fn is_pointwise(&self) -> bool {
        match self.kind {
            ExprKind::Op(..) | ExprKind::Cast(_) | ExprKind::Select { .. } => true,
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Call(..)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_) => false,
        }
    }
}

impl Place {
    /// The place for a value of the type of `value`: the elements from the index on, if the value is a tile.
    pub(crate) fn over(self, value: &Expr) -> Place {
        let is_element = matches!(self.root, PlaceRoot::Element { .. });
        let ty = if is_element && value.ty.is_tile() { value.ty } else { self.ty };
        Place { ty, ..self }
    }
}
