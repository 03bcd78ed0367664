//! Tiles: values with a static shape that a whole block of a block kernel computes with.
//!
//! ```
//! use kernel_rt::prelude::*;
//!
//! /// y = softmax of each row of x.
//! #[kernel]
//! fn softmax(#[shape(dim0, 64)] x: &Array2<f32>, #[shape(dim0, 64)] y: &mut Array2<f32>) {
//!     let block = block::<32>();
//!     let row = x.load_row::<64>([block.index, 0]);
//!     let top = row.max();
//!     let weights = row.map(|v| (v - top).exp());
//!     y.store_row([block.index, 0], weights / weights.sum());
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let x = Array2::from_vec([2, 64], vec![3.0; 128])?;
//! let mut y = Array2::zeros([2, 64]);
//! softmax::cpu(2, &x, &mut y)?; // two blocks
//! assert_eq!(y[[1, 5]], 1.0 / 64.0);
//! # Ok(())
//! # }
//! ```
//!
//! The order of every sum is fixed, so a result has the same bits in the interpreter and on the CPU, for each number of threads of
//! a block: rows and columns are added along them, products along the inner extent, all elements in halves, and those up to each
//! element in steps of 1, 2, 4 and so on.

mod access;
mod ops;

pub use access::{TileArray, TileGrid, TileGridSums, TileSlice, TileSliceSums, TileSums};
pub use ops::MatMul;

use crate::value::Number;
use std::array;

/// `R` rows of `C` numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile<T, const R: usize, const C: usize>([[T; C]; R]);

/// A row of `C` numbers. Beside a tile, an operator repeats it for every row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<T, const C: usize>([T; C]);

/// A column of `R` numbers. Beside a tile, an operator repeats it for every column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Col<T, const R: usize>([T; R]);

/// A tile, row or column, as numbers of rows and columns.
trait Grid<T>: Copy {
    const ROWS: usize;
    const COLUMNS: usize;

    fn filled(value: T) -> Self;
    fn at(&self, i: usize, j: usize) -> &T;
    fn at_mut(&mut self, i: usize, j: usize) -> &mut T;
}

/// All elements in the order of rows, reduced in halves: element `k` takes in element `k + h`, where `h` is the largest power of two
/// below the number of elements, then half of it, and so on.
fn in_halves<T: Copy, G: Grid<T>>(grid: &G, with: impl Fn(T, T) -> T) -> T {
    let mut values: Vec<T> = Vec::with_capacity(G::ROWS * G::COLUMNS);
    for i in 0..G::ROWS {
        values.extend((0..G::COLUMNS).map(|j| *grid.at(i, j)));
    }
    let mut half = values.len().next_power_of_two() / 2;
    while half > 0 {
        for k in 0..half.min(values.len() - half) {
            values[k] = with(values[k], values[k + half]);
        }
        half /= 2;
    }
    values[0]
}

/// The elements in another shape. The numbers of elements are compared when the kernel is compiled.
fn reshaped<T: Copy, A: Grid<T>, B: Grid<T>>(grid: &A) -> B {
    const { assert!(A::ROWS * A::COLUMNS == B::ROWS * B::COLUMNS, "the shapes have the same number of elements") };
    let mut reshaped = B::filled(*grid.at(0, 0));
    for number in 0..A::ROWS * A::COLUMNS {
        let value = *grid.at(number / A::COLUMNS, number % A::COLUMNS);
        *reshaped.at_mut(number / B::COLUMNS, number % B::COLUMNS) = value;
    }
    reshaped
}

/// The number of the first element that is better than all others; 0 if all are NaN.
fn first_best<T: PartialOrd + Copy>(mut values: impl Iterator<Item = T>, better: impl Fn(&T, &T) -> bool) -> u32 {
    let mut best: Option<(u32, T)> = None;
    for (number, value) in (0..).zip(&mut values) {
        let is_number = value.partial_cmp(&value).is_some();
        if is_number && best.is_none_or(|(_, best)| better(&value, &best)) {
            best = Some((number, value));
        }
    }
    best.map_or(0, |(number, _)| number)
}

/// The sums up to each element. In each step, element `k` takes in element `k - d`, where `d` is 1, then 2, and so on.
fn sums_up_to<T: Number, const N: usize>(mut sums: [T; N]) -> [T; N] {
    let mut step = 1;
    while step < N {
        for k in (step..N).rev() {
            let before = sums[k - step];
            sums[k] += before;
        }
        step *= 2;
    }
    sums
}

/// The sums before each element.
fn sums_before<T: Number, const N: usize>(values: [T; N]) -> [T; N] {
    let sums = sums_up_to(values);
    array::from_fn(|k| if k == 0 { T::ZERO } else { sums[k - 1] })
}

/// Implements what tiles, rows and columns have in common.
macro_rules! grids {
    ($($name:ident<$($size:ident),*> $rows:expr, $columns:expr, |$grid:ident, $i:ident, $j:ident| $element:expr,
        |$of:ident| $elements:expr;)*) => {$(
        impl<T: Copy, $(const $size: usize),*> Grid<T> for $name<T, $($size),*> {
            const ROWS: usize = $rows;
            const COLUMNS: usize = $columns;

            fn filled(value: T) -> Self {
                $name::splat(value)
            }

            fn at(&self, $i: usize, $j: usize) -> &T {
                let $grid = &self.0;
                &$element
            }

            fn at_mut(&mut self, $i: usize, $j: usize) -> &mut T {
                let $grid = &mut self.0;
                &mut $element
            }
        }

        impl<T: Copy, $(const $size: usize),*> $name<T, $($size),*> {
            /// The elements that `of` gives for a row and a column, called once for each, in the order of rows.
            fn from_fn(mut $of: impl FnMut(usize, usize) -> T) -> Self {
                $name($elements)
            }

            /// What `of` gives for each element.
            pub fn map<U: Copy>(self, mut of: impl FnMut(T) -> U) -> $name<U, $($size),*> {
                $name::from_fn(|i, j| of(*self.at(i, j)))
            }

            /// What `of` gives for each element and the element of `other` at the same place.
            pub fn zip_map<U: Copy, V: Copy>(
                self,
                other: $name<U, $($size),*>,
                mut of: impl FnMut(T, U) -> V,
            ) -> $name<V, $($size),*> {
                $name::from_fn(|i, j| of(*self.at(i, j), *other.at(i, j)))
            }
        }

        impl<T: Copy, $(const $size: usize),*> $name<T, $($size),*> {
            /// The elements, in the order of rows, as a tile with the same number of elements.
            pub fn reshape_tile<const ROWS: usize, const COLUMNS: usize>(self) -> Tile<T, ROWS, COLUMNS> {
                reshaped(&self)
            }

            /// The elements, in the order of rows, as a row with the same number of elements.
            pub fn reshape_row<const COLUMNS: usize>(self) -> Row<T, COLUMNS> {
                reshaped(&self)
            }

            /// The elements, in the order of rows, as a column with the same number of elements.
            pub fn reshape_col<const ROWS: usize>(self) -> Col<T, ROWS> {
                reshaped(&self)
            }
        }

        impl<T: Number, $(const $size: usize),*> $name<T, $($size),*> {
            /// Zeros.
            pub fn zeros() -> Self {
                $name::splat(T::ZERO)
            }

            /// The sum of all elements, added in halves.
            pub fn sum(self) -> T {
                in_halves(&self, |a, b| a + b)
            }

            /// The largest element.
            pub fn max(self) -> T {
                in_halves(&self, |a, b| a.max(b))
            }

            /// The smallest element.
            pub fn min(self) -> T {
                in_halves(&self, |a, b| a.min(b))
            }
        }
    )*};
}

grids! {
    Tile<R, C> R, C, |grid, i, j| grid[i][j], |of| array::from_fn(|i| array::from_fn(|j| of(i, j)));
    Row<C> 1, C, |grid, _i, j| grid[j], |of| array::from_fn(|j| of(0, j));
    Col<R> R, 1, |grid, i, _j| grid[i], |of| array::from_fn(|i| of(i, 0));
}

impl<T: Copy, const R: usize, const C: usize> Tile<T, R, C> {
    /// A tile whose elements are all `value`.
    pub fn splat(value: T) -> Self {
        Tile([[value; C]; R])
    }

    /// What `of` gives for each element with its row and its column.
    pub fn map_with_location<U: Copy>(self, mut of: impl FnMut(usize, usize, T) -> U) -> Tile<U, R, C> {
        Tile::from_fn(|i, j| of(i, j, self.0[i][j]))
    }

    /// The tile with rows and columns exchanged.
    pub fn transpose(self) -> Tile<T, C, R> {
        Tile::from_fn(|i, j| self.0[j][i])
    }

    fn by_row(self, with: impl Fn(T, T) -> T) -> Col<T, R> {
        Col::from_fn(|i, _| self.0[i][1..].iter().fold(self.0[i][0], |total, value| with(total, *value)))
    }

    fn by_column(self, with: impl Fn(T, T) -> T) -> Row<T, C> {
        Row::from_fn(|_, j| self.0[1..].iter().fold(self.0[0][j], |total, row| with(total, row[j])))
    }
}

impl<T: Number, const R: usize, const C: usize> Tile<T, R, C> {
    /// The sum of each row, from left to right.
    pub fn row_sums(self) -> Col<T, R> {
        self.by_row(|a, b| a + b)
    }

    /// The largest element of each row.
    pub fn row_maxima(self) -> Col<T, R> {
        self.by_row(|a, b| a.max(b))
    }

    /// The smallest element of each row.
    pub fn row_minima(self) -> Col<T, R> {
        self.by_row(|a, b| a.min(b))
    }

    /// The sum of each column, from top to bottom.
    pub fn column_sums(self) -> Row<T, C> {
        self.by_column(|a, b| a + b)
    }

    /// The largest element of each column.
    pub fn column_maxima(self) -> Row<T, C> {
        self.by_column(|a, b| a.max(b))
    }

    /// The smallest element of each column.
    pub fn column_minima(self) -> Row<T, C> {
        self.by_column(|a, b| a.min(b))
    }

    /// The column of the first element of each row that is the largest; 0 where all are NaN.
    pub fn row_argmax(self) -> Col<u32, R> {
        Col::from_fn(|i, _| first_best(self.0[i].into_iter(), T::gt))
    }

    /// The column of the first element of each row that is the smallest; 0 where all are NaN.
    pub fn row_argmin(self) -> Col<u32, R> {
        Col::from_fn(|i, _| first_best(self.0[i].into_iter(), T::lt))
    }

    /// The row of the first element of each column that is the largest; 0 where all are NaN.
    pub fn column_argmax(self) -> Row<u32, C> {
        Row::from_fn(|_, j| first_best(self.0.iter().map(|row| row[j]), T::gt))
    }

    /// The row of the first element of each column that is the smallest; 0 where all are NaN.
    pub fn column_argmin(self) -> Row<u32, C> {
        Row::from_fn(|_, j| first_best(self.0.iter().map(|row| row[j]), T::lt))
    }
}

/// Implements what rows and columns have in common.
macro_rules! lines {
    ($($name:ident<$size:ident>)*) => {$(
        impl<T: Number, const $size: usize> $name<T, $size> {
            /// The number of the first element that is the largest; 0 if all are NaN.
            pub fn argmax(self) -> u32 {
                first_best(self.0.into_iter(), T::gt)
            }

            /// The number of the first element that is the smallest; 0 if all are NaN.
            pub fn argmin(self) -> u32 {
                first_best(self.0.into_iter(), T::lt)
            }

            /// The sum of the elements up to each, itself included.
            pub fn inclusive_sum(self) -> Self {
                $name(sums_up_to(self.0))
            }

            /// The sum of the elements before each.
            pub fn exclusive_sum(self) -> Self {
                $name(sums_before(self.0))
            }
        }
    )*};
}

lines!(Row<C> Col<R>);

impl<T: Copy, const C: usize> Row<T, C> {
    /// A row whose elements are all `value`.
    pub fn splat(value: T) -> Self {
        Row([value; C])
    }

    /// What `of` gives for each element with its column.
    pub fn map_with_location<U: Copy>(self, mut of: impl FnMut(usize, T) -> U) -> Row<U, C> {
        Row::from_fn(|_, j| of(j, self.0[j]))
    }

    /// The row as a column.
    pub fn transpose(self) -> Col<T, C> {
        Col(self.0)
    }
}

impl<T: Copy, const R: usize> Col<T, R> {
    /// A column whose elements are all `value`.
    pub fn splat(value: T) -> Self {
        Col([value; R])
    }

    /// What `of` gives for each element with its row.
    pub fn map_with_location<U: Copy>(self, mut of: impl FnMut(usize, T) -> U) -> Col<U, R> {
        Col::from_fn(|i, _| of(i, self.0[i]))
    }

    /// The column as a row.
    pub fn transpose(self) -> Row<T, R> {
        Row(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Array2;

    #[test]
    fn operators_repeat_rows_and_columns() {
        let tile = Tile([[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!(tile + Row([10.0, 20.0, 30.0]), Tile([[11.0, 22.0, 33.0], [14.0, 25.0, 36.0]]));
        assert_eq!(Col([1.0, 2.0]) - tile, Tile([[0.0, -1.0, -2.0], [-2.0, -3.0, -4.0]]));
        assert_eq!(2.0 * tile / 2.0, tile);
        let mut sum = tile;
        sum += tile;
        sum -= Col([1.0, 4.0]);
        assert_eq!(sum, Tile([[1.0, 3.0, 5.0], [4.0, 6.0, 8.0]]));
        assert_eq!(-Row([1, -2]), Row([-1, 2]));
    }

    #[test]
    fn reductions_go_along_rows_and_columns() {
        let tile = Tile([[1.0f32, 5.0, 3.0], [4.0, 2.0, 6.0]]);
        assert_eq!((tile.row_sums(), tile.column_sums()), (Col([9.0, 12.0]), Row([5.0, 7.0, 9.0])));
        assert_eq!((tile.row_maxima(), tile.column_minima()), (Col([5.0, 6.0]), Row([1.0, 2.0, 3.0])));
        assert_eq!((tile.sum(), tile.max(), tile.min()), (21.0, 6.0, 1.0));
        // In halves: (a + c) + b, not (a + b) + c.
        let row = Row([1e8f32, 1.0, -1e8]);
        assert_eq!((row.sum(), row.transpose().sum()), (1.0, 1.0));
        assert_eq!(Row([7]).sum(), 7);
    }

    #[test]
    fn the_first_best_element_is_found() {
        let tile = Tile([[1.0f32, 5.0, 5.0], [f32::NAN, -2.0, -0.0]]);
        assert_eq!((tile.row_argmax(), tile.row_argmin()), (Col([1, 2]), Col([0, 1])));
        assert_eq!((tile.column_argmax(), tile.column_argmin()), (Row([0, 0, 0]), Row([0, 1, 1])));
        assert_eq!((Row([3, 7, 7]).argmax(), Col([3, 7, 3]).argmin(), Row([f64::NAN; 2]).argmax()), (1, 0, 0));
    }

    #[test]
    fn sums_up_to_each_element_have_one_order() {
        assert_eq!(Row([1, 2, 3, 4, 5]).inclusive_sum(), Row([1, 3, 6, 10, 15]));
        assert_eq!(Col([1, 2, 3]).exclusive_sum(), Col([0, 1, 3]));
        // (a + b) + (c + d): from the left, 1 would be lost twice.
        assert_eq!(Row([1e8f32, 1.0, 1.0, 7.0]).inclusive_sum().0[3], (1e8 + 1.0) + (1.0 + 7.0));
    }

    #[test]
    fn shapes_change_in_the_order_of_rows() {
        let tile = Tile([[1, 2, 3], [4, 5, 6]]);
        assert_eq!(tile.reshape_tile::<3, 2>(), Tile([[1, 2], [3, 4], [5, 6]]));
        assert_eq!(tile.reshape_row(), Row([1, 2, 3, 4, 5, 6]));
        assert_eq!(tile.reshape_row::<6>().reshape_col::<6>().reshape_tile::<2, 3>(), tile);
    }

    #[test]
    fn products_are_those_of_matrices() {
        let a = Tile([[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        let b = Tile([[1.0, 0.0, 2.0], [0.0, 1.0, 3.0]]);
        assert_eq!(a.matmul(b), Tile([[1.0, 2.0, 8.0], [3.0, 4.0, 18.0], [5.0, 6.0, 28.0]]));
        assert_eq!(a.matmul(Col([1.0, 1.0])), Col([3.0, 7.0, 11.0]));
        assert_eq!(Row([1.0, 1.0]).matmul(b), Row([1.0, 1.0, 5.0]));
        assert_eq!(Col([1.0, 2.0]).matmul(Row([3.0, 4.0])), Tile([[3.0, 4.0], [6.0, 8.0]]));
        assert_eq!(a.transpose().transpose(), a);
    }

    #[test]
    fn closures_see_places() {
        let tile = Tile::<f32, 2, 3>::zeros().map_with_location(|i, j, v| v + (10 * i + j) as f32);
        assert_eq!(tile, Tile([[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]));
        assert_eq!(Row([1, 2]).map_with_location(|j, v| v * j as i32), Row([0, 2]));
        assert_eq!(Col([1, 2]).zip_map(Col([3, 1]), |a, b| if a > b { a } else { b }), Col([3, 2]));
    }

    #[test]
    fn a_closure_runs_once_for_each_element() {
        let mut places = vec![];
        Tile::<f32, 2, 2>::zeros().map_with_location(|i, j, v| {
            places.push((i, j));
            v
        });
        assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    }

    #[test]
    fn tiles_are_loaded_and_stored() {
        let array = Array2::from_vec([3, 4], (0..12).collect()).unwrap();
        assert_eq!(array.load_tile::<2, 2>([0, 1]), Tile([[2, 3], [6, 7]]));
        assert_eq!(array.load_tile_at::<2, 2>([1, 1]), Tile([[5, 6], [9, 10]]));
        assert_eq!(array.load_tile_or::<2, 2>([1, 0], -1), Tile([[8, 9], [-1, -1]]));
        assert_eq!(array.load_row::<2>([2, 1]), Row([10, 11]));
        assert_eq!(array.load_col_at_or::<3>([1, 3], 0), Col([7, 11, 0]));
        let mut out = Array2::<i32>::zeros([3, 3]);
        out.store_tile([1, 1], Tile([[1, 2], [3, 4]]));
        out.atomic_add_row([2, 0], Row([5, 6, 7, 8]));
        assert_eq!(out.as_slice(), [0, 0, 0, 0, 0, 0, 5, 6, 8]);
        let mut line = [1.0f32, 2.0, 3.0];
        assert_eq!(line.load_row_or::<2>(1, 9.0), Row([3.0, 9.0]));
        line.store_col(1, Col([5.0, 6.0]));
        line.atomic_add_row_at(0, Row([1.0, 1.0]));
        assert_eq!(line, [2.0, 3.0, 5.0]);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_load_outside_of_the_array_fails() {
        let _ = [1.0f32, 2.0].load_row::<2>(1);
    }
}
