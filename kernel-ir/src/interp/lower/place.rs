//! Lowers places: array elements, and parts of values.

use super::{Lowering, Stored, listed};
use crate::interp::program::{Indexed, Instr, Operand, Reg, Source, Spot};
use crate::ir::{Expr, ExprKind, Literal, LocalId, ParamId, Place, PlaceRoot, Projection, Scalar, Type};

/// The location of a place.
pub(super) enum Target {
    /// These registers.
    Registers(Operand),
    /// Adjacent registers. The first one is the sum of the two numbers, the second of which is in a register.
    Indexed(Reg, Reg),
    /// An array element.
    Element(Spot),
}

/// The offset of a part from the start of a value: a constant, plus the contents of a register.
#[derive(Clone, Copy, Default)]
struct Distance {
    part: u32,
    at: Option<Reg>,
}

impl<'a> Lowering<'a> {
    pub(super) fn target(&mut self, place: &'a Place) -> Target {
        let code = self.frame.code;
        match &place.root {
            PlaceRoot::Local(local) => {
                let whole = self.local(*local);
                let Distance { part, at } = self.path(whole.ty, &place.path, None);
                match at {
                    None => Target::Registers(listed(place.ty, |scalar| whole.regs[part as usize + scalar])),
                    Some(at) => Target::Indexed(whole.regs[part as usize], at),
                }
            }
            PlaceRoot::LocalElement { local, index } => {
                let (first, at) = self.slot(*local, index);
                let Distance { part, at } = self.path(code.local(*local).ty, &place.path, Some(at));
                Target::Indexed(first + part, at.unwrap_or_default())
            }
            PlaceRoot::Element { array, index } => {
                let spot = self.spot(*array, index);
                let Distance { part, at } = self.path(code.param(*array).elem(), &place.path, None);
                Target::Element(Spot { part, at, ..spot })
            }
        }
    }

    /// The offset of a part of a value of type `ty`.
    fn path(&mut self, mut ty: Type, path: &'a [Projection], at: Option<Reg>) -> Distance {
        let mut distance = Distance { part: 0, at };
        for step in path {
            let index = match step {
                Projection::Column(index) | Projection::Component(index) => index,
                Projection::Field(number) => {
                    distance.part += ty.field_offset(*number) as u32;
                    ty = ty.field(*number);
                    continue;
                }
            };
            let (part, scale) = (ty.part(), ty.part().components() as u32);
            match literal(index) {
                Some(number) => distance.part += number * scale,
                None => {
                    let index = self.part_number(index, ty);
                    distance.at = Some(self.offset(index, scale, distance.at));
                }
            }
            ty = part;
        }
        distance
    }

    /// The index of a component or column of a value of type `ty`, checked at run time.
    pub(super) fn part_number(&mut self, index: &'a Expr, ty: Type) -> Reg {
        let index = self.expr(index).regs[0];
        self.push(Instr::Below { index, limit: ty.parts().into(), what: Indexed::Part(ty) });
        index
    }

    /// `index * scale + plus`.
    pub(super) fn offset(&mut self, index: Reg, scale: u32, plus: Option<Reg>) -> Reg {
        if (scale, plus) == (1, None) {
            return index;
        }
        let dst = self.register(Scalar::Index);
        self.push(Instr::Offset { dst, index, scale, plus });
        dst
    }

    /// The first register of a local array, and the register with the offset of the element.
    pub(super) fn slot(&mut self, local: LocalId, index: &'a Expr) -> (Reg, Reg) {
        let index = self.expr(index).regs[0];
        let declared = self.frame.code.local(local);
        let what = Indexed::LocalElement(self.names.len());
        self.names.push(declared.name.clone());
        self.push(Instr::Below { index, limit: declared.len.unwrap_or_default(), what });
        let at = self.offset(index, declared.ty.components() as u32, None);
        (if let Stored::LocalElements(first) = self.stored(local) { first } else { 0 }, at)
    }

    /// The start of an array element.
    pub(super) fn spot(&mut self, array: ParamId, index: &'a [Expr]) -> Spot {
        let mut regs = [0; 4];
        for (reg, index) in regs.iter_mut().zip(index) {
            *reg = self.expr(index).regs[0];
        }
        let (elem, array) = (self.frame.code.param(array).elem(), self.array(array));
        let element = if index.len() == 1 {
            self.push(Instr::Bounds { array, index: regs[0] });
            regs[0]
        } else {
            let dst = self.register(Scalar::Index);
            self.push(Instr::Element { array, dst, rank: index.len() as u8, index: regs });
            dst
        };
        let scale = elem.components() as u32;
        Spot { array, element, scale, part: 0, at: None }
    }

    /// Loads the value of type `ty` at the target.
    pub(super) fn load(&mut self, target: &Target, ty: Type) -> Operand {
        if let Target::Registers(value) = target {
            return value.clone();
        }
        let value = self.temporaries(ty);
        for (place, (of, dst)) in (0..).zip(value.scalars()) {
            self.push(match *target {
                Target::Element(from) => Instr::Load { of, dst, from: Spot { part: from.part + place, ..from } },
                Target::Indexed(base, at) => Instr::Gather { of, dst, base: base + place, at },
                Target::Registers(_) => continue,
            });
        }
        value
    }

    pub(super) fn store(&mut self, target: &Target, value: &Operand) {
        if let Target::Registers(to) = target {
            return self.assign(to, value, true);
        }
        for (place, (of, src)) in (0..).zip(value.scalars()) {
            self.push(match *target {
                Target::Element(to) => Instr::Store { of, src, to: Spot { part: to.part + place, ..to } },
                Target::Indexed(base, at) => Instr::Scatter { of, base: base + place, at, src },
                Target::Registers(_) => continue,
            });
        }
    }

    /// Lowers a component or column.
    pub(super) fn part(&mut self, base: &'a Expr, index: &'a Expr) -> Operand {
        let ty = base.ty.part();
        let count = ty.components();
        match (literal(index), &base.kind) {
            // Loads only the part, not the whole element.
            (Some(number), ExprKind::Load { array, index }) => {
                let spot = self.spot(*array, index);
                self.load(&Target::Element(Spot { part: number * count as u32, ..spot }), ty)
            }
            (Some(number), _) => {
                let whole = self.expr(base);
                listed(ty, |place| whole.regs[number as usize * count + place])
            }
            (None, _) => {
                let whole = self.expr(base);
                let index = self.part_number(index, base.ty);
                let at = self.offset(index, count as u32, None);
                let are_neighbours = whole.regs().windows(2).all(|pair| pair[0] + 1 == pair[1]);
                let first = if are_neighbours { whole.regs[0] } else { self.neighbouring(&whole).regs[0] };
                self.load(&Target::Indexed(first, at), ty)
            }
        }
    }

    /// Lowers the field of a struct.
    pub(super) fn field(&mut self, base: &'a Expr, number: u8) -> Operand {
        let (ty, offset) = (base.ty.field(number), base.ty.field_offset(number));
        let whole = self.expr(base);
        listed(ty, |place| whole.regs[offset + place])
    }

    fn neighbouring(&mut self, value: &Operand) -> Operand {
        let copy = self.registers(value.ty);
        self.assign(&copy, value, false);
        copy
    }

    /// Whether no instruction writes the registers.
    pub(super) fn is_constant(&self, value: &Operand) -> bool {
        let is_preset = |own: (Scalar, Reg)| self.constants.iter().any(|((_, of), preset)| (*of, *preset) == own);
        value.scalars().all(is_preset)
    }

    pub(super) fn constant(&mut self, value: Literal) -> Reg {
        self.preset(Source::Literal(value), value.scalar())
    }
}

/// The value of a literal index.
fn literal(index: &Expr) -> Option<u32> {
    if let ExprKind::Literal(Literal::Index(number)) = index.kind { Some(number) } else { None }
}
