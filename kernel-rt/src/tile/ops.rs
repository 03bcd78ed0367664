//! Operators and products of tiles.

use super::{Col, Grid, Row, Tile};
use crate::value::Number;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// Implements an operator and its assignment for all pairs of shapes.
macro_rules! operators {
    ($($operator:ident $method:ident $assign:ident $assigning:ident;)*) => {$(
        operators!(@same $operator $method $assign $assigning Tile<R, C>);
        operators!(@same $operator $method $assign $assigning Row<C>);
        operators!(@same $operator $method $assign $assigning Col<R>);
        operators!(@beside $operator $method $assign $assigning Row<C>);
        operators!(@beside $operator $method $assign $assigning Col<R>);
        operators!(@numbers $operator $method: f32 f64 i32 u32 i64 u64);
    )*};
    (@same $operator:ident $method:ident $assign:ident $assigning:ident $name:ident<$($size:ident),*>) => {
        impl<T: Number, $(const $size: usize),*> $operator for $name<T, $($size),*> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.zip_map(other, |a, b| a.$method(b))
            }
        }

        impl<T: Number, $(const $size: usize),*> $operator<T> for $name<T, $($size),*> {
            type Output = Self;

            fn $method(self, other: T) -> Self {
                self.map(|a| a.$method(other))
            }
        }

        impl<T: Number, $(const $size: usize),*> $assign for $name<T, $($size),*> {
            fn $assigning(&mut self, other: Self) {
                *self = (*self).$method(other);
            }
        }

        impl<T: Number, $(const $size: usize),*> $assign<T> for $name<T, $($size),*> {
            fn $assigning(&mut self, other: T) {
                *self = (*self).$method(other);
            }
        }
    };
    (@beside $operator:ident $method:ident $assign:ident $assigning:ident $name:ident<$size:ident>) => {
        impl<T: Number, const R: usize, const C: usize> $operator<$name<T, $size>> for Tile<T, R, C> {
            type Output = Self;

            fn $method(self, other: $name<T, $size>) -> Self {
                Tile::from_fn(|i, j| self.0[i][j].$method(*other.at(i, j)))
            }
        }

        impl<T: Number, const R: usize, const C: usize> $operator<Tile<T, R, C>> for $name<T, $size> {
            type Output = Tile<T, R, C>;

            fn $method(self, other: Tile<T, R, C>) -> Tile<T, R, C> {
                Tile::from_fn(|i, j| self.at(i, j).$method(other.0[i][j]))
            }
        }

        impl<T: Number, const R: usize, const C: usize> $assign<$name<T, $size>> for Tile<T, R, C> {
            fn $assigning(&mut self, other: $name<T, $size>) {
                *self = (*self).$method(other);
            }
        }
    };
    (@numbers $operator:ident $method:ident: $($number:ident)*) => {$(
        operators!(@number $operator $method $number Tile<R, C>);
        operators!(@number $operator $method $number Row<C>);
        operators!(@number $operator $method $number Col<R>);
    )*};
    (@number $operator:ident $method:ident $number:ident $name:ident<$($size:ident),*>) => {
        impl<$(const $size: usize),*> $operator<$name<$number, $($size),*>> for $number {
            type Output = $name<$number, $($size),*>;

            fn $method(self, other: $name<$number, $($size),*>) -> $name<$number, $($size),*> {
                other.map(|b| self.$method(b))
            }
        }
    };
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

/// Implements the change of sign.
macro_rules! negation {
    ($($name:ident<$($size:ident),*>)*) => {$(
        impl<T: Copy + Neg<Output = T>, $(const $size: usize),*> Neg for $name<T, $($size),*> {
            type Output = Self;

            fn neg(self) -> Self {
                self.map(|a| -a)
            }
        }
    )*};
}

negation!(Tile<R, C> Row<C> Col<R>);

/// A second factor of a matrix product: the first one has as many columns as it has rows.
pub trait MatMul<Other> {
    /// The product.
    type Output;

    /// The matrix product `self · other`. The terms of each element are added in the order of the inner extent.
    fn matmul(self, other: Other) -> Self::Output;
}

/// The product of grids with `inner` terms for each element.
fn product<T: Number, A: Grid<T>, B: Grid<T>, P: Grid<T>>(a: &A, b: &B) -> P {
    let mut product = P::filled(T::ZERO);
    // Along rows of `b` and of the product, which processors do in steps of several numbers.
    for i in 0..P::ROWS {
        for k in 0..A::COLUMNS {
            let factor = *a.at(i, k);
            for j in 0..P::COLUMNS {
                *product.at_mut(i, j) += factor * *b.at(k, j);
            }
        }
    }
    product
}

/// Implements matrix products for pairs of shapes.
macro_rules! products {
    ($($a:ident<$($of_a:ident),*> $b:ident<$($of_b:ident),*> $product:ident<$($of_product:ident),*>, $($size:ident)*;)*) => {$(
        impl<T: Number, $(const $size: usize),*> MatMul<$b<T, $($of_b),*>> for $a<T, $($of_a),*> {
            type Output = $product<T, $($of_product),*>;

            fn matmul(self, other: $b<T, $($of_b),*>) -> Self::Output {
                product(&self, &other)
            }
        }
    )*};
}

products! {
    Tile<R, K> Tile<K, C> Tile<R, C>, R K C;
    Tile<R, K> Col<K> Col<R>, R K;
    Row<K> Tile<K, C> Row<C>, K C;
    Col<R> Row<C> Tile<R, C>, R C;
}
