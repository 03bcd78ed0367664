//! The signature of a random kernel.

use super::rules::Range;
use super::{Access, Array, Axis, Generator, Value};
use kernel_ir::ir::{Block, Domain, Expr, Param, ParamId, ParamKind, Scalar, SizeExpr, Span, Type};
use kernel_ir::ops::build;

impl Axis {
    fn size(self) -> SizeExpr {
        match self {
            Axis::Launch(axis) => SizeExpr::Dim(axis),
            Axis::Fixed(extent) => SizeExpr::Literal(extent.into()),
            Axis::Sized(id) => SizeExpr::Param(id),
        }
    }
}

impl Generator {
    pub(super) fn params(&mut self) {
        // Sizes first: shapes refer to them.
        for _ in 0..self.rng.pick(&[0, 1, 1, 2]) {
            self.integer_value();
        }
        if self.rng.percent(8) {
            self.value("flag", Type::BOOL, None, Range::new(0.0, 1.0));
        }
        for _ in 0..self.rng.pick(&[0, 1, 1, 2]) {
            self.float_value();
        }
        for _ in 0..self.rng.pick(&[1, 1, 2, 3]) {
            self.read_only();
        }
        if self.rng.percent(30) {
            self.index_array();
        }
        if self.rng.percent(12) {
            self.mask(Access::Read);
        }
        if self.rng.percent(12) {
            self.mask(Access::Own);
        }
        for _ in 0..self.rng.pick(&[1, 1, 1, 2, 3]) {
            self.mutable();
        }
    }

    fn next_param(&self) -> ParamId {
        ParamId(self.kernel.params.len() as u32)
    }

    fn param(&mut self, name: &str, kind: ParamKind, domain: Option<Domain>) -> ParamId {
        let id = self.next_param();
        let name = format!("{name}_{}", id.0);
        self.kernel.params.push(Param { name, kind, domain, span: Span::NONE });
        id
    }

    fn value(&mut self, name: &str, ty: Type, domain: Option<Domain>, range: Range) {
        let id = self.param(name, ParamKind::Value(ty), domain);
        self.values.push(Value { id, ty, range });
    }

    fn integer_value(&mut self) {
        let ty = self.rng.pick(&[Type::I32, Type::I32, Type::U32, Type::INDEX]);
        let low = self.rng.int(0, 1);
        let high = self.rng.int(2, 4);
        self.value("n", ty, Some(Domain::ints(low, high + 1)), Range::new(low as f64, high as f64));
    }

    fn float_value(&mut self) {
        let ty = self.shaped_or_number(20);
        let (low, high) = self.rng.pick(&[(-1.0, 1.0), (0.5, 2.0), (-2.0, 2.0)]);
        self.value("c", ty, Some(Domain::floats(low, high)), Range::new(low, high));
    }

    /// A vector or matrix type of this kernel in `cases` of 100 cases, otherwise a number.
    pub(super) fn shaped_or_number(&mut self, cases: usize) -> Type {
        if !self.shapes.is_empty() && self.rng.percent(cases) { self.rng.pick(&self.shapes) } else { self.number() }
    }

    fn read_only(&mut self) {
        let other = if self.float == Scalar::F32 { Type::F64 } else { Type::F32 };
        let elem = if self.rng.percent(8) { other } else { self.shaped_or_number(40) };
        let axes = match self.rng.below(10) {
            0..5 => self.launch_axes(),
            5..8 => vec![self.free_axis()],
            8 => vec![self.free_axis(), self.free_axis()],
            _ => vec![Axis::Launch(0), self.free_axis()],
        };
        let (low, high) = self.rng.pick(&[(-1.0, 1.0), (-1.0, 1.0), (0.5, 2.0), (-2.0, 2.0)]);
        let domain = Some(Domain::floats(low, high));
        let range = Range::new(low, high);
        let array = Array { id: self.next_param(), elem, axes, range, access: Access::Read, points_to: None };
        self.array("x", domain, array);
    }

    /// Integers that serve as indices of an axis and as trip counts.
    fn index_array(&mut self) {
        let axis = self.any_axis();
        let domain = Domain::sizes(SizeExpr::Literal(0), axis.size());
        let elem = self.rng.pick(&[Type::I32, Type::I32, Type::U32]);
        let range = self.axis_range(axis);
        let axes = self.launch_axes();
        let array = Array { id: self.next_param(), elem, axes, range, access: Access::Read, points_to: Some(axis) };
        self.array("at", Some(domain), array);
    }

    /// An array of truth values.
    fn mask(&mut self, access: Access) {
        let axes = match access {
            Access::Read if self.rng.percent(30) => vec![self.free_axis()],
            _ => self.launch_axes(),
        };
        let domain = (access == Access::Own).then(Domain::bools);
        let range = Range::new(0.0, 1.0);
        let array = Array { id: self.next_param(), elem: Type::BOOL, axes, range, access, points_to: None };
        self.array("mask", domain, array);
    }

    fn mutable(&mut self) {
        let choices = [(4, Access::Write), (3, Access::Own), (2, Access::Accumulate), (2, Access::Atomic)];
        let access = self.rng.weighted(&choices);
        let elem = self.shaped_or_number(30);
        let axes = match access {
            Access::Atomic if self.rng.percent(70) => vec![self.any_axis()],
            _ => self.launch_axes(),
        };
        let (name, range) = match access {
            Access::Own => ("state", Range::around_zero(2.0)),
            Access::Atomic => ("total", Range::ANY),
            _ => ("out", Range::ANY),
        };
        let domain = (access == Access::Own || self.rng.percent(30)).then(|| Domain::floats(-1.5, 1.5));
        let array = Array { id: self.next_param(), elem, axes, range, access, points_to: None };
        self.array(name, domain, array);
    }

    fn array(&mut self, name: &str, domain: Option<Domain>, array: Array) {
        let shape = array.axes.iter().map(|axis| axis.size()).collect();
        let mutable = array.access != Access::Read;
        self.param(name, ParamKind::Array { elem: array.elem, mutable, optional: false, shape }, domain);
        self.arrays.push(array);
    }

    fn launch_axes(&self) -> Vec<Axis> {
        (0..self.kernel.dim).map(Axis::Launch).collect()
    }

    /// An axis that is independent of the launch.
    fn free_axis(&mut self) -> Axis {
        let sizes: Vec<ParamId> =
            self.values.iter().filter(|v| v.ty.scalar().is_integer() && v.range.low > 0.0).map(|v| v.id).collect();
        if !sizes.is_empty() && self.rng.percent(60) {
            Axis::Sized(self.rng.pick(&sizes))
        } else {
            Axis::Fixed(self.rng.int(1, 5) as u32)
        }
    }

    fn any_axis(&mut self) -> Axis {
        if self.rng.percent(50) { Axis::Launch(self.rng.below(self.kernel.dim.into()) as u8) } else { self.free_axis() }
    }

    /// The range of the indices of an axis.
    pub(super) fn axis_range(&self, axis: Axis) -> Range {
        let extent = match axis {
            Axis::Launch(_) => super::MOST_THREADS,
            Axis::Fixed(extent) => extent.into(),
            Axis::Sized(id) => self.values.iter().find(|v| v.id == id).map_or(1.0, |v| v.range.high),
        };
        Range::new(0.0, extent - 1.0)
    }

    /// Starts the body. In most kernels it binds the thread index to locals.
    pub(super) fn thread_index(&mut self, body: &mut Block) {
        let named = self.rng.percent(85);
        for axis in 0..self.kernel.dim {
            let mut index = Expr::tid(axis);
            if named {
                let local = self.new_local(["i", "l"][usize::from(axis)].to_owned(), Type::INDEX);
                body.push(build::Var::new(local, Type::INDEX).declare(index));
                index = Expr::local(local, Type::INDEX);
            }
            self.facts.push(super::Fact { axis: Axis::Launch(axis), index: index.clone() });
            self.tid.push(index);
        }
    }
}
