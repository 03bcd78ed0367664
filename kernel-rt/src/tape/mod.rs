//! The tape: launches in sequence, and the gradients through them.
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
//! # What is exact, and what is refused
//!
//! The gradient of an array is the derivative by what the array held **before the first recorded launch**. For an array that
//! no recorded launch writes that is the array itself; for one that is computed on the tape it is what was there before, so it
//! is zero if all of it was overwritten.
//!
//! Recorded launches may write to arrays that earlier ones have read, in place or not. The tape keeps what the adjoints
//! need: a launch that overwrites such an array copies it first, and nothing else is copied.
//!
//! An array that is changed by anything else, a launch on the plain device or [`DeviceArray::assign`], between its
//! launch on the tape and [`Tape::backward`] is an error that names the launch and the change: the tape cannot know the
//! derivative of the change. To change parameters between steps of a training, [`Tape::clear`] first.
//!
//! A tape on a [bounds-checked](Device::bounds_checked) device also asks whether gradients are in doubt: an adjoint that is zero by
//! chance at an infinite derivative, and one that becomes infinite, are errors that name kernel, operation and thread. Such a tape
//! copies all arguments of each launch, and the interpreter runs each adjoint once more.
//!
//! A kernel under `no_grad` may be recorded. Backward is an error only if the gradient goes through an array that it wrote.

mod accelerated;
mod error;
mod examination;
mod record;

pub use error::TapeError;

use crate::array::{Float, FloatElement};
use crate::backend::Checks;
use crate::device::Device;
use crate::device_array::{AnyArray, DeviceArray, Handle};
use crate::error::{DeviceError, LaunchError};
use crate::gradient::adjoints::{Adjoints, Key};
use crate::gradient::{LaunchId, Pullback};
use crate::launch::arguments::Launch;
use crate::launch::launcher::{Launcher, Replay, sealed};
use examination::{Examination, VariedAdjoints};
use record::{Record, check_unchanged};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A record of launches on a device, to be differentiated. Pass it to `launch` in place of the device.
///
/// See the [module](self) for what is differentiated and what is refused.
pub struct Tape {
    device: Device,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The launches, in their order. Their handles keep every array alive that the gradients are of.
    records: Vec<Record>,
    /// The sum over all backward passes.
    gradients: Adjoints,
}

/// The adjoint of an array, to start a backward pass from.
pub struct Seed {
    array: Handle,
    add: Box<AddFn>,
}

type AddFn = dyn Fn(&mut Adjoints) -> Result<(), DeviceError>;

impl Seed {
    /// The adjoint of `array`, of the same shape.
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

    /// Whether no launch is on the tape.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the gradients of `loss`, an array of one element.
    ///
    /// # Errors
    /// Those of [`Tape::backward_from`], and `loss` has another number of elements than one.
    pub fn backward<T: Float, const N: usize>(&self, loss: &DeviceArray<T, N>) -> Result<(), TapeError> {
        if loss.len() != 1 {
            return Err(TapeError::NotScalar { shape: loss.shape().to_vec() });
        }
        let one = self.device.zeros_nd(loss.shape())?;
        one.assign(&[T::ONE])?;
        self.backward_from(&[Seed::new(loss, &one)?])
    }

    /// Adds the vector-Jacobian products with the `seeds`. After an error the gradients are as they were.
    ///
    /// # Errors
    /// An array was changed after its launch by something that is not on the tape, the gradient goes through an array
    /// that a kernel under `no_grad` wrote, or no launch on the tape uses the array of a seed.
    pub fn backward_from(&self, seeds: &[Seed]) -> Result<(), TapeError> {
        let _turn = self.device.queue();
        let mut state = self.lock();
        let State { records, gradients } = &mut *state;
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
        Ok(gradients.merge(adjoints)?)
    }

    /// The gradient by an array: by what it held before the first launch on the tape. Zeros if nothing depends on it.
    ///
    /// # Errors
    /// The device is out of memory; never on the CPU.
    pub fn gradient<T: FloatElement, const N: usize>(
        &self,
        array: &DeviceArray<T, N>,
    ) -> Result<DeviceArray<T, N>, TapeError> {
        if let Some((whole, first)) = array.origin() {
            return Ok(self.gradient(whole)?.rows(first..first + array.shape()[0])?);
        }
        Ok(match self.lock().gradients.get(&Key::Array(array.id())) {
            Some(gradient) => DeviceArray::with(&self.device, array.shape(), gradient),
            None => self.device.zeros_nd(array.shape())?,
        })
    }

    /// The gradient by the by-value argument for the parameter `param` in a launch.
    ///
    /// # Errors
    /// The launch is not on this tape any more, its kernel has no such parameter of the type `T`, or is `no_grad`.
    pub fn value_gradient<T: FloatElement>(&self, launch: LaunchId, param: &str) -> Result<T, TapeError> {
        let state = self.lock();
        let place = state.records.binary_search_by_key(&launch, |record| record.id);
        let record = place.ok().map(|place| &state.records[place]).ok_or(TapeError::NoSuchLaunch)?;
        let param = record.value_param(param, T::TYPE)?;
        let Some(gradient) = state.gradients.get::<T, 1>(&Key::Value(launch, param)) else { return Ok(T::zeroed()) };
        Ok(DeviceArray::with(&self.device, [1], gradient).to_vec()?[0])
    }

    /// Sets all gradients to zero. The launches stay, for another backward pass.
    pub fn zero_gradients(&self) {
        self.lock().gradients = Adjoints::default();
    }

    /// Forgets launches and gradients, and lets go of all arrays.
    pub fn clear(&self) {
        *self.lock() = State::default();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl sealed::Sealed for Tape {}

impl Launcher for Tape {
    type Launched = LaunchId;

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
        // Held until the launch is on the tape, so that the tape has the launches in the order in which they ran.
        let _turn = self.device.queue();
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
