//! Array elements and places: found, read and written.

use super::Number;
use super::ops::Outcome;
use super::races::Access;
use super::thread::Thread;
use super::value::{Part, Value};
use crate::ir::{Expr, LocalId, ParamId, Place, PlaceRoot, Projection, Type};

/// A place with all its indices evaluated and in range.
pub(super) struct Target {
    root: Root,
    part: Part,
}

enum Root {
    Local(LocalId),
    /// An element of a local array.
    Slot(LocalId, usize),
    /// An element of an array, by its number in row-major order.
    Element(ParamId, usize),
}

impl<S: Number, D: Number> Thread<'_, S, D> {
    pub(super) fn target(&mut self, place: &Place) -> Outcome<Target> {
        let (root, mut ty) = match &place.root {
            PlaceRoot::Local(local) => (Root::Local(*local), self.kernel.local(*local).ty),
            PlaceRoot::Slot { local, index } => {
                (Root::Slot(*local, self.slot(*local, index)?), self.kernel.local(*local).ty)
            }
            PlaceRoot::Element { array, index } => {
                (Root::Element(*array, self.element(*array, index)?), self.kernel.param(*array).elem())
            }
        };
        let mut part = Part::Whole;
        for step in &place.path {
            (part, ty) = match step {
                Projection::Column(index) => {
                    let column = self.part_number(index, ty)?;
                    (Part::Column(column), part_type(ty))
                }
                Projection::Component(index) => {
                    let component = self.part_number(index, ty)?;
                    let part = match part {
                        Part::Column(column) => Part::ColumnComponent(column, component),
                        _ => Part::Component(component),
                    };
                    (part, part_type(ty))
                }
            };
        }
        Ok(Target { root, part })
    }

    pub(super) fn load(&self, target: &Target) -> Value<S, D> {
        let whole = match target.root {
            Root::Local(local) => self.locals[local.0 as usize].clone(),
            Root::Slot(local, slot) => self.slots[local.0 as usize][slot].clone(),
            Root::Element(array, element) => self.load_element(array, element),
        };
        match target.part {
            Part::Whole => whole,
            part => whole.part(part).unwrap_or(whole),
        }
    }

    pub(super) fn store(&mut self, target: &Target, value: Value<S, D>) {
        match target.root {
            Root::Local(local) => self.local(local).set_part(target.part, value),
            Root::Slot(local, slot) => self.slots[local.0 as usize][slot].set_part(target.part, value),
            Root::Element(array, element) => {
                let whole = match target.part {
                    Part::Whole => value,
                    part => {
                        let mut whole = self.load_element(array, element);
                        whole.set_part(part, value);
                        whole
                    }
                };
                let arg = &mut self.args[array.0 as usize];
                whole.write(arg.ty, &mut arg.data, element);
            }
        }
    }

    /// Notes that the thread touches a place.
    pub(super) fn note_place(&mut self, target: &Target, access: Access) {
        if let Root::Element(array, element) = target.root {
            self.note(array, element, access);
        }
    }

    /// Notes that the thread touches an element.
    pub(super) fn note(&mut self, array: ParamId, element: usize, access: Access) {
        if let Some(watch) = &mut self.watch {
            watch.note(array, element, access);
        }
    }

    pub(super) fn load_element(&self, array: ParamId, element: usize) -> Value<S, D> {
        let arg = &self.args[array.0 as usize];
        Value::read(arg.ty, &arg.data, element)
    }

    /// The number of an element in row-major order.
    pub(super) fn element(&mut self, array: ParamId, index: &[Expr]) -> Outcome<usize> {
        let mut element = 0;
        let mut first_outside = None;
        for (axis, index) in index.iter().enumerate() {
            let at = self.eval_index(index)?;
            let extent = self.args[array.0 as usize].shape[axis];
            if at >= extent && first_outside.is_none() {
                first_outside = Some((axis, at, extent));
            }
            element = element * extent + at.min(extent);
        }
        match first_outside {
            None => Ok(element),
            Some((axis, at, extent)) => Err(self.outside(array, axis, at, extent)),
        }
    }

    /// The number of an element of a local array.
    pub(super) fn slot(&mut self, local: LocalId, index: &Expr) -> Outcome<usize> {
        let (slot, len) = (self.eval_index(index)?, self.slots[local.0 as usize].len());
        if slot < len {
            return Ok(slot);
        }
        let name = &self.kernel.local(local).name;
        Err(format!("index out of bounds: `{name}` has length {len}, the index is {slot}"))
    }

    fn outside(&self, array: ParamId, axis: usize, at: usize, extent: usize) -> String {
        let param = self.kernel.param(array);
        let axis = if param.rank() == 1 { String::new() } else { format!(" along axis {axis}") };
        format!("index out of bounds: `{}` has length {extent}{axis}, the index is {at}", param.name)
    }

    /// The number of a component or column of a value of type `ty`.
    pub(super) fn part_number(&mut self, index: &Expr, ty: Type) -> Outcome<usize> {
        let (number, count) = (self.eval_index(index)?, part_count(ty));
        if number < count {
            Ok(number)
        } else {
            let parts = if matches!(ty, Type::Matrix(..)) { "columns" } else { "components" };
            Err(format!("index out of bounds: {} has {count} {parts}, the index is {number}", ty.rust_name()))
        }
    }
}

/// How many components or columns a value has.
fn part_count(ty: Type) -> usize {
    match ty {
        Type::Scalar(_) => 0,
        Type::Vector(_, n) | Type::Matrix(_, n) => n.into(),
        Type::Quat(_) => 4,
    }
}

/// The type of a component or column.
fn part_type(ty: Type) -> Type {
    match ty {
        Type::Matrix(scalar, n) => Type::Vector(scalar, n),
        _ => Type::Scalar(ty.scalar()),
    }
}
