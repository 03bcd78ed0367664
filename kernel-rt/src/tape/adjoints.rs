//! The adjoints of arrays and values.

use super::LaunchId;
use crate::device::ArrayId;
use crate::{Array, DeviceArray, Float, FloatElement};
use std::any::Any;
use std::collections::HashMap;

/// Adjoints by what they are of. What is missing is zero.
#[derive(Default)]
pub struct Adjoints(HashMap<Key, Box<dyn Adjoint>>);

/// What an adjoint is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Array(ArrayId),
    /// The by-value argument for a parameter in a launch; its adjoint is an array of one element.
    Value(LaunchId, &'static str),
}

/// An array of floats of any element type and number of axes.
trait Adjoint: Any + Send {
    fn add(&mut self, other: &dyn Any);
    fn is_zero(&self) -> bool;
}

impl<T: FloatElement, const N: usize> Adjoint for Array<T, N> {
    fn add(&mut self, other: &dyn Any) {
        let other: &Array<T, N> = other.downcast_ref().expect("one key has adjoints of one type");
        for (sum, &more) in self.as_mut_slice().iter_mut().zip(other.as_slice()) {
            *sum = *sum + more;
        }
    }

    fn is_zero(&self) -> bool {
        self.as_slice().iter().all(|element| *element == T::zeroed())
    }
}

impl Adjoints {
    /// The adjoint of an array, out of here: zeros if there is none.
    pub fn take<T: FloatElement, const N: usize>(&mut self, array: &DeviceArray<T, N>) -> Array<T, N> {
        match self.0.remove(&Key::Array(array.id())) {
            Some(adjoint) => {
                let adjoint: Box<dyn Any> = adjoint;
                *adjoint.downcast().expect("an array has adjoints of its own type")
            }
            None => Array::zeros(array.shape()),
        }
    }

    /// Brings an adjoint back. Two parameters of a launch may have got one array: then one of them has taken the adjoint
    /// and the other zeros, and here they add up.
    pub fn put<T: FloatElement, const N: usize>(&mut self, array: &DeviceArray<T, N>, adjoint: Array<T, N>) {
        self.add(Key::Array(array.id()), adjoint);
    }

    /// Adds to the adjoint of a by-value argument.
    pub fn put_value<T: FloatElement>(&mut self, launch: LaunchId, param: &'static str, adjoint: T) {
        self.add(Key::Value(launch, param), Array::from(vec![adjoint]));
    }

    pub(super) fn add<T: FloatElement, const N: usize>(&mut self, key: Key, adjoint: Array<T, N>) {
        self.add_any(key, Box::new(adjoint));
    }

    pub(super) fn merge(&mut self, other: Adjoints) {
        for (key, adjoint) in other.0 {
            self.add_any(key, adjoint);
        }
    }

    fn add_any(&mut self, key: Key, adjoint: Box<dyn Adjoint>) {
        match self.0.get_mut(&key) {
            Some(sum) => sum.add(&*adjoint),
            None => {
                self.0.insert(key, adjoint);
            }
        }
    }

    pub(super) fn get<T: FloatElement, const N: usize>(&self, key: &Key) -> Option<&Array<T, N>> {
        let adjoint: &dyn Any = &**self.0.get(key)?;
        adjoint.downcast_ref()
    }

    /// Whether there is an adjoint of an array, even if it is zero.
    pub(super) fn has(&self, array: ArrayId) -> bool {
        self.0.contains_key(&Key::Array(array))
    }

    /// Whether the adjoint of an array is zero.
    pub(super) fn is_zero(&self, array: ArrayId) -> bool {
        self.0.get(&Key::Array(array)).is_none_or(|adjoint| adjoint.is_zero())
    }
}

/// Sets the adjoint of an array under `atomic_min` or `atomic_max` to zero where the launch has changed the array: the
/// value from before did not win there.
pub fn drop_losers<T: Float, const N: usize>(before: &Array<T, N>, after: &Array<T, N>, adjoint: &mut Array<T, N>) {
    let changes = before.as_slice().iter().zip(after.as_slice());
    for ((before, after), adjoint) in changes.zip(adjoint.as_mut_slice()) {
        if before != after {
            *adjoint = T::zeroed();
        }
    }
}
