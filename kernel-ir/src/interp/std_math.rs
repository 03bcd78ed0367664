//! Floats with the functions of std, for comparison with code that runs on the host.

use super::algebra::Algebra;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A float with the functions of std, as in the CPU version of a kernel. A run over this type has the bits of the CPU
/// version. These may differ between machines, so the results of such a run are never stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Std<F>(pub F);

macro_rules! arithmetic {
    ($($operator:ident $method:ident,)*) => {$(
        impl<F: $operator<Output = F>> $operator for Std<F> {
            type Output = Std<F>;

            fn $method(self, other: Std<F>) -> Std<F> {
                Std(self.0.$method(other.0))
            }
        }
    )*};
}

arithmetic! { Add add, Sub sub, Mul mul, Div div, Rem rem, }

impl<F: Neg<Output = F>> Neg for Std<F> {
    type Output = Std<F>;

    fn neg(self) -> Std<F> {
        Std(-self.0)
    }
}

impl<F: Algebra> Algebra for Std<F> {
    fn constant(value: f64) -> Std<F> {
        Std(F::constant(value))
    }

    fn sqrt(self) -> Std<F> {
        Std(self.0.sqrt())
    }

    fn root(self) -> Std<F> {
        Std(self.0.root())
    }

    fn strong_mul(self, other: Std<F>) -> Std<F> {
        Std(self.0.strong_mul(other.0))
    }

    fn strong_div(self, other: Std<F>) -> Std<F> {
        Std(self.0.strong_div(other.0))
    }

    fn lesser(self, other: Std<F>) -> Std<F> {
        Std(self.0.lesser(other.0))
    }

    fn greater(self, other: Std<F>) -> Std<F> {
        Std(self.0.greater(other.0))
    }
}
