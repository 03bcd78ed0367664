//! The adjoints of arrays and by-value arguments during a backward pass.

use super::elementwise;
use super::launch_id::LaunchId;
use crate::array::structure::{add_floats, are_zero_floats};
use crate::array::{Array, FloatElement, Storage};
use crate::backend::{Accelerator, Buffer, make_unique};
use crate::device_array::{ArrayId, DeviceArray, Elements};
use crate::error::DeviceError;
use kernel_ir::columns::{pack, unpack};
use kernel_ir::data::Data;
use kernel_ir::ir::{Scalar, Type};
use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

/// The adjoints so far. A missing adjoint is zero.
#[derive(Default)]
pub struct Adjoints(HashMap<Key, Adjoint>);

/// The subject of an adjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Array(ArrayId),
    /// A by-value argument of a launch, by its parameter. Its adjoint is an array of one element.
    Value(LaunchId, &'static str),
}

/// An adjoint, in the memory of its array.
enum Adjoint {
    Host(Box<dyn HostAdjoint>),
    Device(DeviceAdjoint),
}

/// An array of floats of any element type and number of axes.
trait HostAdjoint: Any + Send {
    fn add(&mut self, other: &dyn Any);
    fn is_zero(&self) -> bool;
    /// The columns of the elements.
    fn to_data(&self) -> Vec<Data>;
    /// A copy of the elements: a `Storage<T>`.
    fn to_storage(&self) -> Box<dyn Any>;
}

/// Floats on an accelerator.
struct DeviceAdjoint {
    accelerator: Arc<dyn Accelerator>,
    buffer: Arc<dyn Buffer>,
    /// The type of an element.
    ty: Type,
}

impl<T: FloatElement, const N: usize> HostAdjoint for Array<T, N> {
    fn add(&mut self, other: &dyn Any) {
        let other: &Array<T, N> = other.downcast_ref().expect("one key has adjoints of one type");
        T::add_all(self.as_mut_slice(), other.as_slice());
    }

    fn is_zero(&self) -> bool {
        T::are_zero(self.as_slice())
    }

    fn to_data(&self) -> Vec<Data> {
        T::columns(self.as_slice())
    }

    fn to_storage(&self) -> Box<dyn Any> {
        Box::new(Storage::from(self.as_slice().to_vec()))
    }
}

impl DeviceAdjoint {
    /// Adds in place if the buffer has one owner, otherwise to a copy.
    fn add(&mut self, other: &DeviceAdjoint) -> Result<(), DeviceError> {
        if let Some(scalar) = self.scalar() {
            make_unique(&mut self.buffer)?;
            return elementwise::add(&*self.accelerator, scalar, &*self.buffer, &*other.buffer);
        }
        // Structs of several scalar types are rare, so they are added on the host.
        let mut columns = self.to_data()?;
        columns.iter_mut().zip(other.to_data()?).for_each(|(sum, more)| add_floats(sum, &more));
        self.buffer = self.accelerator.buffer_from(&pack(self.ty, &columns.iter().collect::<Vec<_>>()))?;
        Ok(())
    }

    /// The type of all scalars; `None` if there are several.
    fn scalar(&self) -> Option<Scalar> {
        let scalar = self.ty.scalar();
        self.ty.scalars().all(|other| other == scalar).then_some(scalar)
    }

    /// The columns of the elements.
    fn to_data(&self) -> Result<Vec<Data>, DeviceError> {
        let mut memory = vec![0; self.buffer.len()];
        self.buffer.download(&mut memory)?;
        unpack(self.ty, &memory).ok_or(DeviceError::NotBool)
    }

    fn is_zero(&self) -> Result<bool, DeviceError> {
        Ok(self.to_data()?.iter().all(are_zero_floats))
    }
}

impl Adjoints {
    /// Removes the adjoint of an array; zeros if there is none.
    pub fn take<T: FloatElement, const N: usize>(&mut self, array: &DeviceArray<T, N>) -> Array<T, N> {
        match self.0.remove(&Key::Array(array.id())) {
            Some(Adjoint::Host(adjoint)) => {
                let adjoint: Box<dyn Any> = adjoint;
                *adjoint.downcast().expect("an array has adjoints of its own type")
            }
            Some(Adjoint::Device(_)) => unreachable!("a tape has the adjoints where its arrays are"),
            None => Array::zeros(array.shape()),
        }
    }

    /// Stores an adjoint. A launch may take one array for two parameters: then one of them has taken the adjoint and
    /// the other zeros, and their results are added here.
    pub fn put<T: FloatElement, const N: usize>(&mut self, array: &DeviceArray<T, N>, adjoint: Array<T, N>) {
        self.add_on_host(Key::Array(array.id()), Box::new(adjoint));
    }

    /// Adds to the adjoint of a by-value argument.
    pub fn put_value<T: FloatElement>(&mut self, launch: LaunchId, param: &'static str, adjoint: T) {
        self.add_on_host(Key::Value(launch, param), Box::new(Array::from(vec![adjoint])));
    }

    /// [`Adjoints::take`] for an array of `size` bytes on an accelerator. The returned buffer has one owner.
    pub(crate) fn take_on_device(
        &mut self,
        array: ArrayId,
        accelerator: &Arc<dyn Accelerator>,
        size: usize,
    ) -> Result<Arc<dyn Buffer>, DeviceError> {
        match self.0.remove(&Key::Array(array)) {
            Some(Adjoint::Device(mut adjoint)) => {
                make_unique(&mut adjoint.buffer)?;
                Ok(adjoint.buffer)
            }
            Some(Adjoint::Host(_)) => unreachable!("a tape has the adjoints where its arrays are"),
            None => accelerator.zeros(size),
        }
    }

    /// [`Adjoints::put`] for an array on an accelerator.
    pub(crate) fn put_on_device(
        &mut self,
        array: ArrayId,
        accelerator: &Arc<dyn Accelerator>,
        buffer: Arc<dyn Buffer>,
        ty: Type,
    ) -> Result<(), DeviceError> {
        self.add_on_device(Key::Array(array), DeviceAdjoint { accelerator: Arc::clone(accelerator), buffer, ty })
    }

    /// [`Adjoints::put_value`] for a launch on an accelerator.
    pub(crate) fn put_value_on_device(
        &mut self,
        launch: LaunchId,
        param: &'static str,
        accelerator: &Arc<dyn Accelerator>,
        buffer: Arc<dyn Buffer>,
        ty: Type,
    ) -> Result<(), DeviceError> {
        self.add_on_device(
            Key::Value(launch, param),
            DeviceAdjoint { accelerator: Arc::clone(accelerator), buffer, ty },
        )
    }

    /// Adds `adjoint` to the adjoint of an array on the same device.
    pub(crate) fn add_elements<T: FloatElement, const N: usize>(
        &mut self,
        array: ArrayId,
        adjoint: &DeviceArray<T, N>,
    ) -> Result<(), DeviceError> {
        match (adjoint.elements(), adjoint.device().accelerator()) {
            (Elements::Device(buffer), Some(accelerator)) => {
                self.put_on_device(array, accelerator, buffer, T::ir_type())
            }
            _ => {
                self.add_on_host(Key::Array(array), Box::new(adjoint.read().clone()));
                Ok(())
            }
        }
    }

    /// Adds all adjoints of `other`. On an error, nothing is added.
    pub(crate) fn merge(&mut self, other: Adjoints) -> Result<(), DeviceError> {
        // The sums on the device can fail, so they are all computed before the first is stored.
        let mut sums = HashMap::new();
        for (key, more) in &other.0 {
            if let (Some(Adjoint::Device(sum)), Adjoint::Device(more)) = (self.0.get(key), more) {
                let DeviceAdjoint { accelerator, buffer, ty } = sum;
                let buffer = buffer.try_clone()?;
                let mut sum = DeviceAdjoint { accelerator: Arc::clone(accelerator), buffer, ty: *ty };
                sum.add(more)?;
                sums.insert(*key, Adjoint::Device(sum));
            }
        }
        for (key, more) in other.0 {
            match (sums.remove(&key), more) {
                (Some(sum), _) => drop(self.0.insert(key, sum)),
                (None, Adjoint::Host(more)) => self.add_on_host(key, more),
                (None, more @ Adjoint::Device(_)) => drop(self.0.insert(key, more)),
            }
        }
        Ok(())
    }

    fn add_on_host(&mut self, key: Key, adjoint: Box<dyn HostAdjoint>) {
        match self.0.get_mut(&key) {
            Some(Adjoint::Host(sum)) => sum.add(&*adjoint),
            Some(Adjoint::Device(_)) => unreachable!("a tape has the adjoints where its arrays are"),
            None => drop(self.0.insert(key, Adjoint::Host(adjoint))),
        }
    }

    fn add_on_device(&mut self, key: Key, adjoint: DeviceAdjoint) -> Result<(), DeviceError> {
        match self.0.get_mut(&key) {
            Some(Adjoint::Device(sum)) => sum.add(&adjoint),
            Some(Adjoint::Host(_)) => unreachable!("a tape has the adjoints where its arrays are"),
            None => {
                self.0.insert(key, Adjoint::Device(adjoint));
                Ok(())
            }
        }
    }

    /// An adjoint of arrays of that type, if it is not zero for being missing.
    pub(crate) fn get<T: FloatElement>(&self, key: &Key) -> Option<Elements<T>> {
        Some(match self.0.get(key)? {
            Adjoint::Host(adjoint) => Elements::Host(Arc::new(*adjoint.to_storage().downcast().ok()?)),
            Adjoint::Device(adjoint) => Elements::Device(Arc::clone(&adjoint.buffer)),
        })
    }

    /// The columns of the adjoint of an array; `None` if it is missing, and so zero.
    pub(crate) fn to_data(&self, array: ArrayId) -> Result<Option<Vec<Data>>, DeviceError> {
        Ok(match self.0.get(&Key::Array(array)) {
            None => None,
            Some(Adjoint::Host(adjoint)) => Some(adjoint.to_data()),
            Some(Adjoint::Device(adjoint)) => Some(adjoint.to_data()?),
        })
    }

    /// Whether the adjoint of an array is present. A present adjoint may be zero.
    pub(crate) fn has(&self, array: ArrayId) -> bool {
        self.0.contains_key(&Key::Array(array))
    }

    /// Whether the adjoint of an array is zero.
    pub(crate) fn is_zero(&self, array: ArrayId) -> Result<bool, DeviceError> {
        match self.0.get(&Key::Array(array)) {
            None => Ok(true),
            Some(Adjoint::Host(adjoint)) => Ok(adjoint.is_zero()),
            Some(Adjoint::Device(adjoint)) => adjoint.is_zero(),
        }
    }
}
