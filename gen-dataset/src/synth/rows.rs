//! The operation table, sorted for choosing: by result type, and with how often a family uses a row.

use super::dice::Dice;
use kernel_ir::ir::{Scalar, Type};
use kernel_ir::ops::{Op, TABLE};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A row of the table for one type.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) op: Op,
    /// The type that the row's `T` stands for.
    pub(super) t: Type,
    pub(super) args: Vec<Type>,
    pub(super) ret: Type,
    /// Whether its result is not exact: functions of numbers.
    is_function: bool,
}

/// What a family likes to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Taste {
    /// Sums, products, integers and bits.
    Arithmetic,
    /// Functions of numbers.
    Math,
    /// Vectors and quaternions.
    Vector,
    /// Matrices.
    Matrix,
    /// Everything.
    Any,
}

/// Rows with their weights.
type Weighted = Vec<(usize, &'static Row)>;

/// Every row of the table.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    for def in &TABLE {
        for (row, t) in def.rows() {
            let args = row.args.iter().map(|pat| pat.apply(t)).collect();
            let is_function = row.accuracy.ulp().is_some();
            rows.push(Row { op: def.op, t, args, ret: row.ret.apply(t), is_function });
        }
    }
    rows
});

/// The rows that a taste chooses from for a result of a type, with their weights.
static CHOICES: LazyLock<HashMap<(Taste, Type), Weighted>> = LazyLock::new(|| {
    let mut choices: HashMap<_, Vec<_>> = HashMap::new();
    for taste in [Taste::Arithmetic, Taste::Math, Taste::Vector, Taste::Matrix, Taste::Any] {
        for row in ROWS.iter() {
            choices.entry((taste, row.ret)).or_default().push((row.weight(taste), row));
        }
    }
    choices
});

/// The rows of each operation that a taste is about.
static FEATURES: LazyLock<HashMap<Taste, Vec<Weighted>>> = LazyLock::new(|| {
    let tastes = [Taste::Arithmetic, Taste::Math, Taste::Vector, Taste::Matrix, Taste::Any];
    let of = |taste| {
        let entries = TABLE.iter().map(|def| {
            let rows = ROWS.iter().filter(|row| row.op == def.op && row.is_about(taste));
            rows.map(|row| (row.commonness(), row)).collect::<Vec<_>>()
        });
        entries.filter(|rows| !rows.is_empty()).collect()
    };
    tastes.into_iter().map(|taste| (taste, of(taste))).collect()
});

impl Row {
    fn involves(&self, is_such: impl Fn(&Type) -> bool) -> bool {
        self.args.iter().any(&is_such) || is_such(&self.ret)
    }

    /// Whether an operand of that type is the number of a part, which is a literal.
    pub(super) fn numbers_part(&self, ty: Type) -> bool {
        ty == Type::INDEX && !self.t.is_scalar()
    }

    fn is_about(&self, taste: Taste) -> bool {
        match taste {
            Taste::Arithmetic => !self.is_function && !self.involves(|ty| !ty.is_scalar()),
            Taste::Math => self.t.is_scalar() && self.t.is_float(),
            Taste::Vector => self.involves(|ty| ty.is_vector() || ty.is_quat()),
            Taste::Matrix => self.involves(|ty| ty.is_matrix()),
            Taste::Any => true,
        }
    }

    fn weight(&self, taste: Taste) -> usize {
        let usual = match self.op {
            Op::Add | Op::Sub | Op::Mul => 30,
            Op::Div => 8,
            Op::Abs | Op::Min | Op::Max | Op::Clamp | Op::Sqrt | Op::Exp | Op::Ln | Op::Sin | Op::Cos | Op::Tanh => 5,
            // The other functions, of which no kernel has many.
            _ if self.is_function => 1,
            _ => 2,
        };
        match taste {
            Taste::Any => usual,
            _ if self.is_about(taste) => usual.max(6),
            _ => usual,
        }
    }

    /// How often kernels have values of this type.
    fn commonness(&self) -> usize {
        match self.t.scalar() {
            Scalar::F32 => 8,
            Scalar::I32 | Scalar::U32 => 5,
            Scalar::F64 => 3,
            Scalar::I64 | Scalar::U64 | Scalar::Index | Scalar::Bool => 2,
        }
    }
}

/// A row with the result type `ret`.
pub(super) fn choose(dice: &mut Dice, taste: Taste, ret: Type) -> Option<&'static Row> {
    CHOICES.get(&(taste, ret)).map(|rows| dice.weighted(rows))
}

/// The rows with the result type `ret` that take a `from`, with the place of that operand.
pub(super) fn taking(dice: &mut Dice, taste: Taste, from: Type, ret: Type) -> Option<(&'static Row, usize)> {
    let rows = CHOICES.get(&(taste, ret))?;
    let fitting: Vec<_> =
        rows.iter().filter(|(_, row)| row.args.contains(&from) && !row.numbers_part(from)).copied().collect();
    if fitting.is_empty() {
        return None;
    }
    let row = dice.weighted(&fitting);
    let places: Vec<usize> = (0..row.args.len()).filter(|place| row.args[*place] == from).collect();
    Some((row, dice.pick(&places)))
}

/// A row to build a kernel around: every operation that the taste is about is as likely as any other.
pub(super) fn feature(dice: &mut Dice, taste: Taste) -> Option<&'static Row> {
    let entries = FEATURES.get(&taste)?;
    if entries.is_empty() {
        return None;
    }
    let entry = &entries[dice.below(entries.len())];
    Some(dice.weighted(entry))
}
