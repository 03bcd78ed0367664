//! Loads and stores of tiles.

use super::{Col, Grid, Row, Tile};
use crate::array::Array;
use crate::atomic::{AtomicSum, SharedElement, atomic_add};
use crate::backend::cpu::view::{Atomics, View};

/// An array whose elements tiles are made of, with `N` axes.
pub trait TileArray<const N: usize> {
    /// The type of an element.
    type Element: Copy;

    #[doc(hidden)]
    fn extents(&self) -> [usize; N];

    #[doc(hidden)]
    #[track_caller]
    fn read(&self, at: [usize; N]) -> Self::Element;

    #[doc(hidden)]
    #[track_caller]
    fn write(&mut self, at: [usize; N], value: Self::Element);

    #[doc(hidden)]
    fn has(&self, at: [usize; N]) -> bool {
        at.iter().zip(self.extents()).all(|(index, extent)| *index < extent)
    }
}

/// An array to whose elements tiles are added atomically.
pub trait TileSums<const N: usize> {
    /// The type of a term.
    type Term: Copy;

    #[doc(hidden)]
    fn bounds(&self) -> [usize; N];

    #[doc(hidden)]
    fn add(&mut self, at: [usize; N], value: Self::Term);
}

#[track_caller]
fn load<A: TileArray<N> + ?Sized, G: Grid<A::Element>, const N: usize>(
    array: &A,
    place: impl Fn(usize, usize) -> [usize; N],
    padding: Option<A::Element>,
) -> G {
    let mut grid = G::filled(match padding {
        Some(padding) => padding,
        None => array.read(place(0, 0)),
    });
    for i in 0..G::ROWS {
        for j in 0..G::COLUMNS {
            let at = place(i, j);
            if padding.is_none() || array.has(at) {
                *grid.at_mut(i, j) = array.read(at);
            }
        }
    }
    grid
}

#[track_caller]
fn store<A: TileArray<N> + ?Sized, G: Grid<A::Element>, const N: usize>(
    array: &mut A,
    place: impl Fn(usize, usize) -> [usize; N],
    grid: &G,
) {
    for i in 0..G::ROWS {
        for j in 0..G::COLUMNS {
            let at = place(i, j);
            if array.has(at) {
                array.write(at, *grid.at(i, j));
            }
        }
    }
}

fn add<A: TileSums<N> + ?Sized, G: Grid<A::Term>, const N: usize>(
    array: &mut A,
    place: impl Fn(usize, usize) -> [usize; N],
    grid: &G,
) {
    for i in 0..G::ROWS {
        for j in 0..G::COLUMNS {
            let at = place(i, j);
            if at.iter().zip(array.bounds()).all(|(index, extent)| *index < extent) {
                array.add(at, *grid.at(i, j));
            }
        }
    }
}

/// The methods for one form of tiles.
macro_rules! loads {
    ($($what:literal $load:ident $load_at:ident $load_or:ident $load_at_or:ident $store:ident $store_at:ident
        $name:ident<$($size:ident),*> $index:ty, $n:literal, |$first:ident| $scaled:expr, |$start:ident, $i:ident, $j:ident| $place:expr;)*) => {$(
        #[doc = concat!("Loads a ", $what, " at this place, counted in ", $what, "s.")]
        ///
        /// # Panics
        /// If an element is outside of the array.
        #[track_caller]
        fn $load<$(const $size: usize),*>(&self, $first: $index) -> $name<Self::Element, $($size),*> {
            self.$load_at($scaled)
        }

        #[doc = concat!("Loads a ", $what, " that begins at this element.")]
        ///
        /// # Panics
        /// If an element is outside of the array.
        #[track_caller]
        fn $load_at<$(const $size: usize),*>(&self, $start: $index) -> $name<Self::Element, $($size),*> {
            load(self, |$i, $j| $place, None)
        }

        #[doc = concat!("Loads a ", $what, " at this place, counted in ", $what, "s, with `padding` outside of the array.")]
        fn $load_or<$(const $size: usize),*>(
            &self,
            $first: $index,
            padding: Self::Element,
        ) -> $name<Self::Element, $($size),*> {
            self.$load_at_or($scaled, padding)
        }

        #[doc = concat!("Loads a ", $what, " that begins at this element, with `padding` outside of the array.")]
        fn $load_at_or<$(const $size: usize),*>(
            &self,
            $start: $index,
            padding: Self::Element,
        ) -> $name<Self::Element, $($size),*> {
            load(self, |$i, $j| $place, Some(padding))
        }

        #[doc = concat!("Stores a ", $what, " at this place, counted in ", $what, "s. What is outside of the array is left out.")]
        fn $store<$(const $size: usize),*>(&mut self, $first: $index, value: $name<Self::Element, $($size),*>) {
            self.$store_at($scaled, value);
        }

        #[doc = concat!("Stores a ", $what, " that begins at this element. What is outside of the array is left out.")]
        fn $store_at<$(const $size: usize),*>(&mut self, $start: $index, value: $name<Self::Element, $($size),*>) {
            store(self, |$i, $j| $place, &value);
        }
    )*};
}

/// The additions for one form of tiles.
macro_rules! additions {
    ($($what:literal $add:ident $add_at:ident $name:ident<$($size:ident),*> $index:ty,
        |$first:ident| $scaled:expr, |$start:ident, $i:ident, $j:ident| $place:expr;)*) => {$(
        #[doc = concat!("Adds a ", $what, " atomically at this place, counted in ", $what, "s. What is outside of the array is left out.")]
        fn $add<$(const $size: usize),*>(&mut self, $first: $index, value: $name<Self::Term, $($size),*>) {
            self.$add_at($scaled, value);
        }

        #[doc = concat!("Adds a ", $what, " atomically that begins at this element. What is outside of the array is left out.")]
        fn $add_at<$(const $size: usize),*>(&mut self, $start: $index, value: $name<Self::Term, $($size),*>) {
            add(self, |$i, $j| $place, &value);
        }
    )*};
}

/// Tiles of arrays with two axes.
pub trait TileGrid: TileArray<2> {
    loads! {
        "tile" load_tile load_tile_at load_tile_or load_tile_at_or store_tile store_tile_at Tile<R, C> [usize; 2], 2,
            |first| [first[0] * R, first[1] * C], |start, i, j| [start[0] + i, start[1] + j];
        "row" load_row load_row_at load_row_or load_row_at_or store_row store_row_at Row<C> [usize; 2], 2,
            |first| [first[0], first[1] * C], |start, i, j| [start[0] + i, start[1] + j];
        "column" load_col load_col_at load_col_or load_col_at_or store_col store_col_at Col<R> [usize; 2], 2,
            |first| [first[0] * R, first[1]], |start, i, j| [start[0] + i, start[1] + j];
    }
}

/// Rows and columns of arrays with one axis.
pub trait TileSlice: TileArray<1> {
    loads! {
        "row" load_row load_row_at load_row_or load_row_at_or store_row store_row_at Row<C> usize, 1,
            |first| first * C, |start, i, j| [start + i + j];
        "column" load_col load_col_at load_col_or load_col_at_or store_col store_col_at Col<R> usize, 1,
            |first| first * R, |start, i, j| [start + i + j];
    }
}

/// Additions of tiles to arrays with two axes.
pub trait TileGridSums: TileSums<2> {
    additions! {
        "tile" atomic_add_tile atomic_add_tile_at Tile<R, C> [usize; 2],
            |first| [first[0] * R, first[1] * C], |start, i, j| [start[0] + i, start[1] + j];
        "row" atomic_add_row atomic_add_row_at Row<C> [usize; 2],
            |first| [first[0], first[1] * C], |start, i, j| [start[0] + i, start[1] + j];
        "column" atomic_add_col atomic_add_col_at Col<R> [usize; 2],
            |first| [first[0] * R, first[1]], |start, i, j| [start[0] + i, start[1] + j];
    }
}

/// Additions of rows and columns to arrays with one axis.
pub trait TileSliceSums: TileSums<1> {
    additions! {
        "row" atomic_add_row atomic_add_row_at Row<C> usize, |first| first * C, |start, i, j| [start + i + j];
        "column" atomic_add_col atomic_add_col_at Col<R> usize, |first| first * R, |start, i, j| [start + i + j];
    }
}

impl<A: TileArray<2> + ?Sized> TileGrid for A {}
impl<A: TileArray<1> + ?Sized> TileSlice for A {}
impl<A: TileSums<2> + ?Sized> TileGridSums for A {}
impl<A: TileSums<1> + ?Sized> TileSliceSums for A {}

/// Implements the access to elements for a type of arrays.
macro_rules! arrays {
    ($($name:ty, $n:literal, |$array:ident| $extents:expr, |$at:ident| $index:expr;)*) => {$(
        impl<T: Copy> TileArray<$n> for $name {
            type Element = T;

            fn extents(&self) -> [usize; $n] {
                let $array = self;
                $extents
            }

            #[track_caller]
            fn read(&self, $at: [usize; $n]) -> T {
                self[$index]
            }

            #[track_caller]
            fn write(&mut self, $at: [usize; $n], value: T) {
                self[$index] = value;
            }
        }

        impl<T: AtomicSum> TileSums<$n> for $name
        where
            T::Value: Copy,
        {
            type Term = T::Value;

            fn bounds(&self) -> [usize; $n] {
                let $array = self;
                $extents
            }

            fn add(&mut self, $at: [usize; $n], value: T::Value) {
                atomic_add(&mut self[$index], value);
            }
        }
    )*};
}

arrays! {
    [T], 1, |array| [array.len()], |at| at[0];
    View<'_, T, 1>, 1, |array| [array.len()], |at| at[0];
    Array<T, 2>, 2, |array| array.shape(), |at| at;
    View<'_, T, 2>, 2, |array| array.shape(), |at| at;
}

/// Implements additions to an array of integers that all threads access atomically.
macro_rules! atomics {
    ($($n:literal, |$at:ident| $index:expr;)*) => {$(
        impl<'a, T: SharedElement> TileSums<$n> for Atomics<'a, T, $n>
        where
            T::Place<'a>: AtomicSum<Value: Copy>,
        {
            type Term = <T::Place<'a> as AtomicSum>::Value;

            fn bounds(&self) -> [usize; $n] {
                self.shape()
            }

            fn add(&mut self, $at: [usize; $n], value: Self::Term) {
                atomic_add(&mut self[$index], value);
            }
        }
    )*};
}

atomics! {
    1, |at| at[0];
    2, |at| at;
}
