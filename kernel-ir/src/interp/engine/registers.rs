//! Register files. A register holds the numbers of all threads of a group next to each other.

use crate::interp::Number;
use crate::interp::program::Reg;
use crate::ir::Scalar;
use std::cell::Cell;

/// The registers of one type. The elements are cells, because an instruction reads some registers while it writes
/// another.
pub(super) struct File<T> {
    lanes: usize,
    cells: Vec<Cell<T>>,
}

impl<T: Copy + Default> File<T> {
    fn new(count: u32, lanes: usize) -> File<T> {
        File { lanes, cells: vec![Cell::new(T::default()); count as usize * lanes] }
    }

    /// A register: one number for each thread.
    #[inline]
    pub(super) fn row(&self, reg: Reg) -> &[Cell<T>] {
        &self.cells[reg as usize * self.lanes..][..self.lanes]
    }

    /// The number of one thread.
    pub(super) fn get(&self, reg: Reg, lane: usize) -> T {
        self.cells[reg as usize * self.lanes + lane].get()
    }

    pub(super) fn set(&self, reg: Reg, lane: usize, value: T) {
        self.cells[reg as usize * self.lanes + lane].set(value);
    }

    /// Sets the register to one number for all threads.
    pub(super) fn fill(&self, reg: Reg, value: T) {
        self.row(reg).iter().for_each(|cell| cell.set(value));
    }
}

/// The registers of a group of threads.
pub(super) struct Registers<S, D> {
    pub(super) bool: File<bool>,
    pub(super) i8: File<i8>,
    pub(super) u8: File<u8>,
    pub(super) i16: File<i16>,
    pub(super) u16: File<u16>,
    pub(super) i32: File<i32>,
    pub(super) u32: File<u32>,
    pub(super) i64: File<i64>,
    pub(super) u64: File<u64>,
    pub(super) index: File<usize>,
    pub(super) f16: File<S>,
    pub(super) bf16: File<S>,
    pub(super) f32: File<S>,
    pub(super) f64: File<D>,
}

impl<S: Number, D: Number> Registers<S, D> {
    /// Register files of the sizes in `counts`, for `lanes` threads.
    pub(super) fn new(counts: &[u32; Scalar::ALL.len()], lanes: usize) -> Registers<S, D> {
        let count = |of: Scalar| counts[of as usize];
        Registers {
            bool: File::new(count(Scalar::Bool), lanes),
            i8: File::new(count(Scalar::I8), lanes),
            u8: File::new(count(Scalar::U8), lanes),
            i16: File::new(count(Scalar::I16), lanes),
            u16: File::new(count(Scalar::U16), lanes),
            i32: File::new(count(Scalar::I32), lanes),
            u32: File::new(count(Scalar::U32), lanes),
            i64: File::new(count(Scalar::I64), lanes),
            u64: File::new(count(Scalar::U64), lanes),
            index: File::new(count(Scalar::Index), lanes),
            f16: File::new(count(Scalar::F16), lanes),
            bf16: File::new(count(Scalar::BF16), lanes),
            f32: File::new(count(Scalar::F32), lanes),
            f64: File::new(count(Scalar::F64), lanes),
        }
    }

    /// The registers of a float whose numbers `S` represents.
    pub(super) fn singles(&self, of: Scalar) -> Option<&File<S>> {
        match of {
            Scalar::F16 => Some(&self.f16),
            Scalar::BF16 => Some(&self.bf16),
            Scalar::F32 => Some(&self.f32),
            Scalar::Bool | Scalar::Index | Scalar::F64 => None,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => None,
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => None,
        }
    }
}

/// Runs `$body` with the register file of the type `$of`.
macro_rules! with_file {
    ($regs:expr, $of:expr, $file:ident => $body:expr) => {
        with_file!(@ $regs, $of, $file => $body;
            Bool bool I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 Index index F16 f16 BF16 bf16 F32 f32 F64 f64)
    };
    (@ $regs:expr, $of:expr, $file:ident => $body:expr; $($kind:ident $field:ident)*) => {
        match $of {
            $(Scalar::$kind => {
                let $file = &$regs.$field;
                $body
            })*
        }
    };
}
pub(super) use with_file;

/// A set of threads of a group, as bits.
pub(super) type Mask = u64;

/// The threads in `mask`, in order.
pub(super) fn each(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(lane)
    })
}

/// Computes a register from another one.
pub(super) fn map<T: Copy, U>(dst: &[Cell<U>], a: &[Cell<T>], f: impl Fn(T) -> U) {
    for (dst, a) in dst.iter().zip(a) {
        dst.set(f(a.get()));
    }
}

/// Computes a register from two others.
pub(super) fn zip<T: Copy, U>(dst: &[Cell<U>], a: &[Cell<T>], b: &[Cell<T>], f: impl Fn(T, T) -> U) {
    for ((dst, a), b) in dst.iter().zip(a).zip(b) {
        dst.set(f(a.get(), b.get()));
    }
}
