//! Places that statements assign, and operands that must be computed before Rust borrows such a place.

use super::code::Code;
use super::expr::field_name;
use super::writer::Writer;
use crate::back::parts::{column_name, constant_index, root_type};
use crate::ir::{Expr, LocalId, ParamId, Place, PlaceRoot, Projection};

/// The variable that contains a place.
#[derive(Clone, Copy)]
pub(super) enum Base {
    Local(LocalId),
    Array(ParamId),
}

impl Base {
    fn of(place: &Place) -> Base {
        match place.root {
            PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => Base::Local(local),
            PlaceRoot::Element { array, .. } => Base::Array(array),
        }
    }

    fn is_read_by(self, expr: &Expr) -> bool {
        expr.any(&mut |part| match self {
            Base::Local(own) => part.local_read() == Some(own),
            Base::Array(own) => part.params().contains(&own),
        })
    }
}

impl Writer<'_> {
    /// The text of an assigned place.
    pub(super) fn place(&mut self, place: &Place) -> String {
        let mut code = match &place.root {
            PlaceRoot::Local(local) => Code::name(self.names.local(*local)),
            PlaceRoot::LocalElement { local, index } => {
                let index = self.typed(index);
                Code::name(self.names.local(*local)).element(&index.text)
            }
            PlaceRoot::Element { array, index } => {
                let index = index.iter().map(|index| self.hoisted(place, index, self.has_views, "index")).collect();
                self.element(*array, index)
            }
        };
        let mut ty = root_type(self.kernel, place);
        for step in &place.path {
            code = match step {
                Projection::Component(index) => self.component(code, ty, index),
                Projection::Column(index) => match column_name(index, ty) {
                    Some(name) => code.field(name),
                    None => {
                        let index = self.typed(index);
                        code.method("col_mut", &index.text)
                    }
                },
                Projection::Field(number) => code.field(&field_name(ty, *number)),
            };
            ty = match step {
                Projection::Component(_) | Projection::Column(_) => ty.part(),
                Projection::Field(number) => ty.field(*number),
            };
        }
        if self.ends_in_a_call(place) { format!("*{}", code.text) } else { code.text }
    }

    /// Whether the place is a column that the text reaches by a method, which returns a reference.
    fn ends_in_a_call(&self, place: &Place) -> bool {
        // A column is the first part of a matrix.
        matches!(place.path.as_slice(), [Projection::Column(index)]
            if column_name(index, root_type(self.kernel, place)).is_none())
    }

    /// The place as a value.
    pub(super) fn place_value(&mut self, place: &Place) -> Code {
        match place.path.last() {
            Some(Projection::Column(index)) if self.ends_in_a_call(place) => {
                let matrix = Place { path: place.path[..place.path.len() - 1].to_vec(), ..place.clone() };
                let matrix = Code::atom(self.place(&matrix));
                let index = self.typed(index);
                matrix.method("col", &index.text)
            }
            _ => Code::atom(self.place(place)),
        }
    }

    /// An operand that is evaluated while Rust may hold a reference to the place. If the operand reads the variable
    /// that contains the place, it is computed before the statement and bound to a name.
    pub(super) fn hoisted(&mut self, place: &Place, operand: &Expr, borrows: bool, name: &str) -> Code {
        let code = self.typed(operand);
        if !borrows || !Base::of(place).is_read_by(operand) {
            return code;
        }
        let name = self.names.fresh(name);
        self.line(&format!("let {name}: {} = {};", operand.ty.rust_name(), code.text));
        Code::atom(name)
    }

    /// Whether an update of the place by an operator is a method call that borrows the place first.
    pub(super) fn is_borrowed(&self, place: &Place) -> bool {
        let in_array = self.has_views && matches!(place.root, PlaceRoot::Element { .. });
        let by_method = place.path.iter().any(|step| match step {
            Projection::Component(index) | Projection::Column(index) => constant_index(index).is_none(),
            Projection::Field(_) => false,
        });
        !place.ty.is_scalar() && (in_array || by_method)
    }
}
