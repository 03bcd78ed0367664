//! The tape, which records launches and computes gradients through them in reverse mode.
//!
//! ```
//! use kernel_rt::prelude::*;
//!
//! /// loss += (a·x − y)².
//! #[kernel]
//! fn misfit(a: f32, x: &[f32], y: &[f32], #[shape(1)] loss: &mut [f32]) {
//!     let i = tid();
//!     let d = a * x[i] - y[i];
//!     atomic_add(&mut loss[0], d * d);
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let device = Device::cpu();
//! let (x, y) = (device.array_from(&[1.0, 2.0])?, device.array_from(&[2.0, 7.0])?);
//! let loss = device.zeros::<f32>(1)?;
//!
//! let tape = Tape::new(&device);
//! let launch = misfit::launch(&tape, 2, (3.0, &x, &y, &loss))?;
//! tape.backward(&loss)?;
//!
//! assert_eq!(tape.gradient(&x)?.to_vec()?, [6.0, -6.0]);
//! assert_eq!(tape.value_gradient::<f32>(launch, "a")?, -2.0);
//! # Ok(())
//! # }
//! ```
//!
//! # Semantics
//!
//! The gradient of an array is the derivative with respect to its contents **before the first recorded launch**. For an
//! array that no recorded launch writes, these are its contents. For an array that is computed on the tape, they are
//! its earlier contents, so the gradient is zero if a launch overwrote all of them.
//!
//! Recorded launches may overwrite arrays that earlier launches have read. The tape keeps what the adjoints need: a
//! launch that overwrites such an array copies it first (copy-on-write), and nothing else is copied.
//!
//! An array must not change in any other way, by a launch on the plain device or by [`DeviceArray::assign`], between
//! its launch on the tape and [`Tape::backward`]. The tape does not know the derivative of such a change, so `backward`
//! returns an error that names the launch and the change. Call [`Tape::clear`] before you update the parameters of a
//! training step.
//!
//! A tape on a [bounds-checked](Device::bounds_checked) device also reports gradients that are in doubt: a strong zero
//! that rounding may have produced, at an infinite derivative, and an adjoint that becomes infinite or NaN. The errors
//! name kernel, operation and thread. Such a tape copies all arguments of each launch, and the interpreter runs each
//! adjoint a second time.
//!
//! A kernel with `no_grad` may be recorded. `backward` returns an error only if the gradient passes through an array
//! that it wrote.

mod accelerated;
mod error;
mod examination;
mod record;

pub use error::TapeError;

use crate::array::FloatElement;
use crate::backend::Checks;
use crate::device::Device;
use crate::device_array::{AnyArray, DeviceArray, Handle};
use crate::error::{DeviceError, LaunchError};
use crate::gradient::adjoints::{Adjoints, Key};
use crate::gradient::{LaunchId, Pullback};
use crate::launch::arguments::Launch;
use crate::launch::launcher::{Launcher, Replay, sealed};
use crate::launch::promises::Promises;
use crate::value::Float;
use examination::{Examination, VariedAdjoints};
use record::{Record, check_unchanged};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A record of launches on a device, for gradients. Pass it to `launch` in the place of the device.
///
/// The [module](self) describes its semantics.
pub struct Tape {
    device: Device,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The launches in order. Their handles keep alive every array that has a gradient.
    records: Vec<Record>,
    /// The sum over all backward passes.
    gradients: Adjoints,
    /// Whether there was a backward pass.
    has_gradients: bool,
}

impl State {
    fn check_gradients(&self) -> Result<(), TapeError> {
        if self.has_gradients { Ok(()) } else { Err(TapeError::NoBackward) }
    }
}

/// An array and its adjoint, as the start of a backward pass.
pub struct Seed {
    array: Handle,
    add: Box<AddFn>,
}

type AddFn = dyn Fn(&mut Adjoints) -> Result<(), DeviceError>;

impl Seed {
    /// A seed with an `adjoint` of the same shape as `array`. Later changes of `adjoint` do not affect the seed.
    ///
    /// # Errors
    /// The shapes or the devices differ, or `array` is a view.
    pub fn new<T: FloatElement, const N: usize>(
        array: &DeviceArray<T, N>,
        adjoint: &DeviceArray<T, N>,
    ) -> Result<Seed, TapeError> {
        if array.shape() != adjoint.shape() {
            return Err(TapeError::SeedShape { expected: array.shape().to_vec(), found: adjoint.shape().to_vec() });
        }
        if array.device() != adjoint.device() {
            let [expected, found] = [array.device(), adjoint.device()].map(Device::to_string);
            return Err(TapeError::SeedDevice { expected, found });
        }
        if array.origin().is_some() {
            return Err(TapeError::SeedView);
        }
        // A snapshot: later changes of `adjoint` do not reach the seed.
        let (id, adjoint) = (array.id(), adjoint.snapshot());
        let add = move |adjoints: &mut Adjoints| adjoints.add_elements(id, &adjoint);
        Ok(Seed { array: array.handle(), add: Box::new(add) })
    }
}

impl Tape {
    /// An empty tape for launches on `device`.
    pub fn new(device: &Device) -> Tape {
        Tape { device: device.clone(), state: Mutex::default() }
    }

    /// The device that runs the launches.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The number of launches on the tape.
    pub fn len(&self) -> usize {
        self.lock().records.len()
    }

    /// Whether the tape has no launches.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs a backward pass from `loss`, an array of one element, and adds the gradients to those of earlier passes.
    ///
    /// # Errors
    /// [`TapeError::NotScalar`] if `loss` does not have one element; otherwise the errors of [`Tape::backward_from`].
    pub fn backward<T: Float + FloatElement, const N: usize>(&self, loss: &DeviceArray<T, N>) -> Result<(), TapeError> {
        if loss.len() != 1 {
            return Err(TapeError::NotScalar { shape: loss.shape().to_vec() });
        }
        let one = self.device.zeros_nd(loss.shape())?;
        one.assign(&[T::ONE])?;
        self.backward_from(&[Seed::new(loss, &one)?])
    }

    /// Runs a backward pass from `seeds` (a vector-Jacobian product), and adds the gradients to those of earlier
    /// passes. After an error, the gradients are unchanged.
    ///
    /// # Errors
    /// [`TapeError::Changed`] if an array was changed after its launch by something that is not on the tape;
    /// [`TapeError::NoGrad`] if the gradient passes through an array that a kernel with `no_grad` wrote;
    /// [`TapeError::NotRecorded`] if no launch on the tape uses the array of a seed. On a bounds-checked device also
    /// [`TapeError::ComputedZero`], [`TapeError::NotFinite`] and [`TapeError::NotExamined`].
    pub fn backward_from(&self, seeds: &[Seed]) -> Result<(), TapeError> {
        // The queue keeps other launches from changing arrays during the pass.
        let _turn = self.device.queue();
        let mut state = self.lock();
        let State { records, gradients, has_gradients } = &mut *state;
        check_unchanged(records)?;
        let (mut adjoints, mut varied) = (Adjoints::default(), VariedAdjoints::default());
        for seed in seeds {
            if !records.iter().any(|record| record.uses(seed.array.id())) {
                return Err(TapeError::NotRecorded);
            }
            (seed.add)(&mut adjoints)?;
        }
        for record in records.iter().rev() {
            record.pull_back(&mut adjoints, &mut varied)?;
        }
        gradients.merge(adjoints)?;
        *has_gradients = true;
        Ok(())
    }

    /// The gradient with respect to an array, in its contents before the first launch on the tape. Zeros if no seed
    /// depends on it.
    ///
    /// # Errors
    /// [`TapeError::NotRecorded`] if no launch on the tape uses the array; [`TapeError::NoBackward`] if there was no backward
    /// pass; [`TapeError::Device`] if the device is out of memory.
    pub fn gradient<T: FloatElement, const N: usize>(
        &self,
        array: &DeviceArray<T, N>,
    ) -> Result<DeviceArray<T, N>, TapeError> {
        if let Some((whole, first)) = array.origin() {
            return Ok(DeviceArray::part_of(&self.gradient(&whole)?, first, array.shape()));
        }
        let state = self.lock();
        if let Some(gradient) = state.gradients.get(&Key::Array(array.id())) {
            return Ok(DeviceArray::with(&self.device, array.shape(), gradient));
        }
        if !state.records.iter().any(|record| record.uses(array.id())) {
            return Err(TapeError::NotRecorded);
        }
        state.check_gradients()?;
        Ok(self.device.zeros_nd(array.shape())?)
    }

    /// The gradient with respect to the by-value argument of the parameter `param` in a launch.
    ///
    /// # Errors
    /// [`TapeError::NoSuchLaunch`] if the launch is not on this tape, or not any more; [`TapeError::NoSuchValue`] if
    /// its kernel has no by-value float parameter of this name; [`TapeError::ValueType`] if the parameter has another
    /// type than `T`; [`TapeError::NoGrad`] if the kernel is marked `no_grad`; [`TapeError::NoBackward`] if there was no
    /// backward pass.
    pub fn value_gradient<T: FloatElement>(&self, launch: LaunchId, param: &str) -> Result<T, TapeError> {
        let state = self.lock();
        let place = state.records.binary_search_by_key(&launch, |record| record.id);
        let record = place.ok().map(|place| &state.records[place]).ok_or(TapeError::NoSuchLaunch)?;
        let param = record.value_param(param, T::ir_type())?;
        state.check_gradients()?;
        let Some(gradient) = state.gradients.get::<T>(&Key::Value(launch, param)) else { return Ok(T::zero()) };
        Ok(DeviceArray::with(&self.device, [1], gradient).to_vec()?[0])
    }

    /// Sets all gradients to zero. The launches remain, for another backward pass.
    pub fn zero_gradients(&self) {
        self.lock().gradients = Adjoints::default();
    }

    /// Removes all launches and gradients, and releases all arrays.
    pub fn clear(&self) {
        *self.lock() = State::default();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Poisoning is harmless: no code that can panic leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl sealed::Sealed for Tape {}

impl Launcher for Tape {
    type Launched = LaunchId;

    fn device(&self) -> &Device {
        &self.device
    }

    fn launch<Before>(
        &self,
        launch: Launch<'_>,
        before: impl FnOnce() -> Before,
        forward: impl FnOnce() -> Result<(), LaunchError>,
        _: impl FnOnce() -> Replay,
        pullback: impl FnOnce(Before) -> Pullback,
    ) -> Result<LaunchId, LaunchError> {
        let handles = launch.check(&self.device)?;
        if let Some((access, _)) = launch.accesses().zip(&handles).find(|(_, handle)| handle.is_view()) {
            return Err(LaunchError::ViewOnTape { kernel: launch.kernel.name, param: access.param });
        }
        // Held until the launch is recorded, so that the records are in the order of execution.
        let _turn = self.device.queue();
        Promises::of(&launch, &handles).check()?;
        let stamps: Vec<_> = handles.iter().map(Handle::stamp).collect();
        let examination = match self.device.checks() {
            Checks::Off => None,
            Checks::On => Examination::before(&launch, &handles)?,
        };
        let pullback = match self.device.accelerator() {
            None => {
                let before = before();
                forward()?;
                pullback(before)
            }
            Some(accelerator) => accelerated::record(accelerator, &launch, &handles, self.device.checks())?,
        };
        let examination = examination.map(|started| started.after(&launch, &handles)).transpose()?;
        let id = LaunchId::next();
        self.lock().records.push(Record::new(id, &launch, handles, &stamps, pullback, examination));
        Ok(id)
    }
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernels: Vec<_> = self.lock().records.iter().map(|record| record.kernel).collect();
        f.debug_struct("Tape").field("device", &self.device).field("launches", &kernels).finish_non_exhaustive()
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seed").finish_non_exhaustive()
    }
}
