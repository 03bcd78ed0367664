//! Operations on tiles, and the types of pointwise operations on them.

use super::{Expr, ExprKind, Place, PlaceRoot, Scan, TileOp, Type};

impl TileOp {
    /// The name in the text form of a `Load` of the type of a tile.
    pub const LOAD: &str = "tile_load";

    /// Every operation.
    pub const ALL: [TileOp; 18] = [
        TileOp::Broadcast,
        TileOp::Pad,
        TileOp::Sum,
        TileOp::Max,
        TileOp::Min,
        TileOp::Matmul,
        TileOp::StrongMatmul(0),
        TileOp::StrongMatmul(1),
        TileOp::Transpose,
        TileOp::Reshape,
        TileOp::ArgMax,
        TileOp::ArgMin,
        TileOp::Scan(Scan { exclusive: false, backward: false }),
        TileOp::Scan(Scan { exclusive: true, backward: false }),
        TileOp::Scan(Scan { exclusive: false, backward: true }),
        TileOp::Scan(Scan { exclusive: true, backward: true }),
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
            TileOp::Reshape => "tile_reshape",
            TileOp::ArgMax => "tile_argmax",
            TileOp::ArgMin => "tile_argmin",
            TileOp::Scan(Scan { exclusive: false, backward: false }) => "tile_scan_inclusive",
            TileOp::Scan(Scan { exclusive: true, backward: false }) => "tile_scan_exclusive",
            TileOp::Scan(Scan { exclusive: false, backward: true }) => "tile_scan_inclusive_back",
            TileOp::Scan(Scan { exclusive: true, backward: true }) => "tile_scan_exclusive_back",
            TileOp::Index(0) => "tile_row",
            TileOp::Index(_) => "tile_column",
        }
    }

    /// The operation with this [`name`](TileOp::name).
    pub fn from_name(name: &str) -> Option<TileOp> {
        TileOp::ALL.into_iter().find(|op| op.name() == name)
    }
}

/// The form of a tile, which names its type and the methods that load and store it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileForm {
    Tile,
    Row,
    Col,
}

impl TileForm {
    pub(crate) const ALL: [TileForm; 3] = [TileForm::Tile, TileForm::Row, TileForm::Col];

    /// The form of a tile with these numbers of rows and columns.
    pub(crate) fn of((rows, columns): (u16, u16)) -> TileForm {
        match (rows, columns) {
            (1, _) => TileForm::Row,
            (_, 1) => TileForm::Col,
            _ => TileForm::Tile,
        }
    }

    /// The name of the type in Rust.
    pub(crate) fn type_name(self) -> &'static str {
        match self {
            TileForm::Tile => "Tile",
            TileForm::Row => "Row",
            TileForm::Col => "Col",
        }
    }

    /// The word in the names of methods: `load_tile`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            TileForm::Tile => "tile",
            TileForm::Row => "row",
            TileForm::Col => "col",
        }
    }

    /// The word in messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            TileForm::Tile => "tile",
            TileForm::Row => "row",
            TileForm::Col => "column",
        }
    }

    /// The sizes of a tile of this form, in the order of the generic arguments of its type.
    pub(crate) fn sizes(self, (rows, columns): (u16, u16)) -> Vec<u16> {
        match self {
            TileForm::Tile => vec![rows, columns],
            TileForm::Row => vec![columns],
            TileForm::Col => vec![rows],
        }
    }

    /// The numbers of rows and columns for these sizes; `None` if their number is another one.
    pub(crate) fn shape(self, sizes: &[u16]) -> Option<(u16, u16)> {
        match (self, sizes) {
            (TileForm::Tile, [rows, columns]) => Some((*rows, *columns)),
            (TileForm::Row, [columns]) => Some((1, *columns)),
            (TileForm::Col, [rows]) => Some((*rows, 1)),
            (TileForm::Tile | TileForm::Row | TileForm::Col, _) => None,
        }
    }
}

/// What a reduction goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// All elements, to one number.
    All,
    /// Each row, to a column.
    Rows,
    /// Each column, to a row.
    Columns,
}

/// The methods of Rust that reduce a tile. Those that give numbers of elements go over all elements of a row or column only.
pub(crate) const REDUCTIONS: [(&str, TileOp, Over); 15] = [
    ("sum", TileOp::Sum, Over::All),
    ("max", TileOp::Max, Over::All),
    ("min", TileOp::Min, Over::All),
    ("row_sums", TileOp::Sum, Over::Rows),
    ("row_maxima", TileOp::Max, Over::Rows),
    ("row_minima", TileOp::Min, Over::Rows),
    ("column_sums", TileOp::Sum, Over::Columns),
    ("column_maxima", TileOp::Max, Over::Columns),
    ("column_minima", TileOp::Min, Over::Columns),
    ("argmax", TileOp::ArgMax, Over::All),
    ("argmin", TileOp::ArgMin, Over::All),
    ("row_argmax", TileOp::ArgMax, Over::Rows),
    ("row_argmin", TileOp::ArgMin, Over::Rows),
    ("column_argmax", TileOp::ArgMax, Over::Columns),
    ("column_argmin", TileOp::ArgMin, Over::Columns),
];

/// The methods of Rust for the sums of a row or column up to each element.
pub(crate) const SCANS: [(&str, Scan); 2] = [
    ("inclusive_sum", Scan { exclusive: false, backward: false }),
    ("exclusive_sum", Scan { exclusive: true, backward: false }),
];

/// How many elements a step of each index of an array is, where the index counts in tiles.
pub(crate) fn tile_steps((rows, columns): (u16, u16), axes: usize) -> [u16; 2] {
    if axes == 1 { [rows.max(columns), 1] } else { [rows, columns] }
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
