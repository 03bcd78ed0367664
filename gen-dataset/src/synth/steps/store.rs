//! Stores of results: to the thread's own elements, in place, and by atomic reductions.

use super::super::docgen;
use super::super::generator::{Axis, Generator, Term};
use super::super::lexicon;
use super::super::notes::Mark;
use super::super::samples;
use super::super::terms::{assembly, is_number};
use kernel_ir::ir::{AtomicOp, Domain, Expr, ParamId, ParamKind, Place, Scalar, Shape, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Var;

/// The largest component of a vector that threads add up. Sums of larger ones would depend on the order of the threads.
const MOST_DEPOSIT: f64 = 50.0;

impl Generator {
    /// A new array that the kernel writes to.
    pub(super) fn output(&mut self, wishes: &[&str], elem: Type, axes: &[Axis], domain: Option<Domain>) -> ParamId {
        let name = self.one_of(wishes);
        let shape = axes.iter().map(|axis| axis.size()).collect();
        self.param(name, ParamKind::Array { elem, mutable: true, optional: false, shape }, domain)
    }

    /// Loads the array that is changed in place. [`end_in_place`](Self::end_in_place) stores it.
    pub(in super::super) fn start_in_place(&mut self) -> Option<(ParamId, Var, Type)> {
        let ty = self.working_type();
        if !is_number(ty) && self.shapes.is_empty() {
            return None;
        }
        let word = match ty {
            Type { scalar: s, shape: Shape::Vector(_) } if s.is_float() => {
                let words = self.theme.vectors;
                words[self.rng.below(words.len())]
            }
            _ if ty.is_float() => {
                let words = self.theme.floats;
                words[self.rng.below(words.len())]
            }
            _ => ("labels", 0.0, 9.0),
        };
        let name = self.name(word.0);
        let domain = if ty.is_float() {
            Domain::floats(word.1, word.2)
        } else {
            Domain::ints(word.1.max(0.0) as i64, word.2.max(2.0) as i64)
        };
        let shape = self.launch_axes().iter().map(|axis| axis.size()).collect();
        let id = self.param(name, ParamKind::Array { elem: ty, mutable: true, optional: false, shape }, Some(domain));
        let range = if ty.is_float() { (word.1, word.2) } else { (word.1.max(0.0), word.2.max(2.0)) };
        let samples = samples::draw(&mut self.rng, ty, range.0, range.1);
        let load = Term::new(Expr::load(id, self.tid.clone(), ty), samples);
        let name = match self.rng.below(4) {
            0 => "value".to_owned(),
            1 => "current".to_owned(),
            2 => format!("{}_next", self.kernel.param(id).name),
            _ => format!("new_{}", self.kernel.param(id).name),
        };
        let (local, _) = self.bind_mut(&[&name], load);
        Some((id, local, ty))
    }

    /// Stores the array that is changed in place.
    pub(in super::super) fn end_in_place(&mut self, (id, local, ty): (ParamId, Var, Type)) {
        for _ in 0..3 {
            let before = self.block.len();
            let depth = self.depth;
            self.change(local, depth);
            if self.block.len() > before {
                break;
            }
        }
        let place = Place::element(id, self.tid.clone(), ty);
        self.push(place.set(local));
    }

    /// Adds `count` outputs with an element for each thread.
    pub(in super::super) fn store(&mut self, count: usize) {
        for _ in 0..count {
            let ty = self.output_type();
            let term = self.closing(ty);
            let axes = self.launch_axes();
            let results = self.theme.results;
            let adds = ty != Type::BOOL && self.rng.percent(12);
            let domain = if ty.is_float() { Domain::floats(-1.0, 1.0) } else { Domain::ints(0, 10) };
            let id = self.output(results, ty, &axes, adds.then_some(domain));
            let place = Place::element(id, self.tid.clone(), ty);
            if adds && (ty.is_float() || term.samples.size() < 1e8) {
                let op = self.rng.pick(&[Op::Add, Op::Add, Op::Sub]);
                let op = if term.samples.range().0 < 0.0 || ty.is_float() { op } else { Op::Add };
                self.push(place.update(op, term.expr));
            } else if !ty.is_scalar() && !ty.is_matrix() && self.rng.percent(12) {
                self.store_parts(id, ty);
            } else {
                self.push(place.set(term.expr));
            }
        }
        if self.rng.percent(7) {
            self.store_flag();
        }
    }

    /// Adds an output of flags: one that is written, or one that is changed in place.
    fn store_flag(&mut self) {
        let Some(cond) = self.condition(1).filter(|cond| cond.samples.by_thread) else { return };
        let axes = self.launch_axes();
        let op = self.rng.weighted(&[(3, None), (1, Some(Op::BitAnd)), (1, Some(Op::BitOr))]);
        let id = self.output(&lexicon::FOUND, Type::BOOL, &axes, op.map(|_| Domain::bools()));
        let place = Place::element(id, self.tid.clone(), Type::BOOL);
        self.push(match op {
            None => place.set(cond.expr),
            Some(op) => place.update(op, cond.expr),
        });
    }

    /// `out[i].x = …; out[i].y = …;`
    fn store_parts(&mut self, id: ParamId, ty: Type) {
        let (_, count) = assembly(ty);
        for number in 0..count {
            let scalar: Type = ty.scalar().into();
            let value = self.closing(scalar);
            let place = Place::element(id, self.tid.clone(), ty).part(Expr::index(number));
            self.push(place.set(value.expr));
        }
    }

    /// The type of an output. Items that nothing has read yet decide it.
    fn output_type(&mut self) -> Type {
        let unread: Vec<Type> = self
            .items
            .iter()
            .filter(|item| item.uses == 0 && item.term.ty() != Type::BOOL && item.term.ty() != Type::INDEX)
            .map(|item| item.term.ty())
            .collect();
        if !unread.is_empty() && self.rng.percent(75) {
            return unread[self.rng.below(unread.len())];
        }
        self.working_type()
    }

    /// Binds a value that reads up to `most` items that nothing has read yet.
    pub(in super::super) fn merge(&mut self, most: usize) {
        let ty = self.number();
        let term = self.term(ty, 0);
        let term = self.with_unread(term, most, &[Op::Add, Op::Sub, Op::Mul, Op::Add]);
        if term.size > 1 && term.samples.is_varied() {
            let names = self.local_names();
            self.bind(names, term);
        }
    }

    /// A term that reads items that nothing has read yet.
    pub(in super::super) fn closing(&mut self, ty: Type) -> Term {
        let depth = self.depth;
        let term = self.term(ty, depth);
        let ops = Generator::joining(ty);
        let mut term = self.with_unread(term, 4, ops);
        if !term.samples.by_thread {
            term = self.of_thread(term);
        }
        if term.samples.is_varied() && term.samples.by_thread && term.size > 1 {
            return term;
        }
        // As a last resort, any term that varies between threads.
        for _ in 0..4 {
            let other = self.term(ty, 1);
            if other.samples.is_varied() && other.samples.by_thread && other.size > 1 {
                return other;
            }
        }
        term
    }

    /// Operations that join two values of a type.
    pub(in super::super) fn joining(ty: Type) -> &'static [Op] {
        match ty {
            Type { scalar: s, shape: Shape::Scalar } if s.is_float() => {
                &[Op::Add, Op::Mul, Op::Sub, Op::Add, Op::Min, Op::Max]
            }
            Type::BOOL => &[Op::BitXor],
            Type { shape: Shape::Scalar, .. } => &[Op::Add, Op::BitXor, Op::Min, Op::Max, Op::Sub, Op::BitOr],
            _ => &[Op::Add, Op::Sub, Op::Mul],
        }
    }

    /// The term combined with up to `left` items that nothing has read yet.
    pub(in super::super) fn with_unread(&mut self, mut term: Term, mut left: usize, ops: &[Op]) -> Term {
        let ty = term.ty();
        for place in (0..self.items.len()).rev() {
            if left == 0 || self.items[place].uses > 0 {
                continue;
            }
            let from = self.items[place].term.clone();
            let Some(other) = self.adapted(from, ty) else { continue };
            for _ in 0..3 {
                let op = self.rng.pick(ops);
                let args = if self.rng.percent(50) {
                    vec![term.clone(), other.clone()]
                } else {
                    vec![other.clone(), term.clone()]
                };
                if term.expr != other.expr
                    && let Some(both) = self.apply(op, args, ty)
                {
                    term = both;
                    self.items[place].uses += 1;
                    left -= 1;
                    break;
                }
            }
        }
        term
    }

    /// The term combined with a value that differs between threads.
    fn of_thread(&mut self, term: Term) -> Term {
        let ty = term.ty();
        let mut own: Vec<usize> = (0..self.items.len()).filter(|k| self.items[*k].term.samples.by_thread).collect();
        if own.is_empty() {
            self.inputs_left = self.inputs_left.max(1);
            let number = self.number();
            let axes = self.launch_axes();
            let array = self.array_input(number, axes);
            let element = self.element(&array, self.tid.clone());
            self.items.push(super::super::generator::Item { term: element, uses: 0, target: None });
            own.push(self.items.len() - 1);
        }
        for _ in 0..4 {
            let place = self.rng.pick(&own);
            let from = self.items[place].term.clone();
            let Some(other) = self.adapted(from, ty) else { continue };
            let op = self.rng.pick(&[Op::Mul, Op::Add, Op::Sub, Op::Mul]);
            if let Some(both) = self.apply(op, vec![other, term.clone()], ty) {
                self.items[place].uses += 1;
                return both;
            }
        }
        term
    }

    /// Atomics: sums, counts and extrema over several threads.
    pub(in super::super) fn meet(&mut self) {
        match self.rng.below(6) {
            0 => self.histogram(),
            1 => self.by_label(),
            2 if self.kernel.dim > 1 => self.along_axis(),
            _ => self.whole(),
        }
    }

    fn atomic(&mut self, op: AtomicOp, array: ParamId, index: Vec<Expr>, elem: Type, value: Expr) {
        let place = Place::element(array, index, elem);
        let stmt = Stmt::new(StmtKind::Atomic { op, place, compare: None, value, result: None });
        match self.comparison() {
            Some(cond) if self.rng.percent(25) => self.push(Stmt::when(cond.expr, [stmt])),
            _ => self.push(stmt),
        }
    }

    /// A contribution of the thread, and the domain of the array that takes it.
    fn contribution(&mut self) -> (AtomicOp, Type, Expr, Option<Domain>) {
        let working = self.working_type();
        if working.is_float() && !working.is_scalar() && self.rng.percent(50) {
            let op = self.rng.pick(&[AtomicOp::Add, AtomicOp::Add, AtomicOp::Sub]);
            return (op, working, self.closing(working).expr, None);
        }
        let ty = match self.rng.below(10) {
            0..6 => self.number(),
            6 | 7 => Type::I32,
            8 => Type::U32,
            _ => self.int.into(),
        };
        let op =
            self.rng.pick(&[AtomicOp::Add, AtomicOp::Add, AtomicOp::Add, AtomicOp::Max, AtomicOp::Min, AtomicOp::Sub]);
        let unsigned = matches!(ty.scalar(), Scalar::U32 | Scalar::U64);
        let op = if unsigned && op == AtomicOp::Sub { AtomicOp::Add } else { op };
        let op = match ty.is_float() {
            false if self.rng.percent(25) => self.rng.pick(&[AtomicOp::And, AtomicOp::Or, AtomicOp::Or, AtomicOp::Xor]),
            _ => op,
        };
        let value = self.closing(ty);
        let value = if ty.is_float() { self.fit(value, -4.0, 4.0) } else { self.fit_int(value, 0, 32) };
        let domain = match op {
            AtomicOp::Add | AtomicOp::Sub => None,
            AtomicOp::Max if ty.is_float() => Some(Domain::floats(0.0, 4.0)),
            AtomicOp::Min if ty.is_float() => Some(Domain::floats(-4.0, 0.0)),
            AtomicOp::Max | AtomicOp::Min | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => Some(Domain::ints(0, 32)),
            AtomicOp::Exch | AtomicOp::Cas => unreachable!("`contribution` picks none of them"),
        };
        (op, ty, value.expr, domain)
    }

    /// The verb for the atomic in the doc comment.
    fn verb(op: AtomicOp) -> &'static str {
        match op {
            AtomicOp::Add => "adds to",
            AtomicOp::Sub => "takes from",
            AtomicOp::Min => "lowers",
            AtomicOp::Max => "raises",
            AtomicOp::And => "masks",
            AtomicOp::Or => "sets bits of",
            AtomicOp::Xor => "flips bits of",
            AtomicOp::Exch | AtomicOp::Cas => "replaces",
        }
    }

    fn wishes(op: AtomicOp) -> &'static [&'static str] {
        match op {
            AtomicOp::Add => &["total", "sums", "counts", "mass_total", "collected", "pooled"],
            AtomicOp::Sub => &["remaining", "budget", "stock", "residuals"],
            AtomicOp::Min => &["lowest", "nearest", "minimum", "first_hit"],
            AtomicOp::Max => &["highest", "peak", "maximum", "worst"],
            AtomicOp::And => &["allowed", "common", "open_mask"],
            AtomicOp::Or => &["flags", "seen", "occupied"],
            AtomicOp::Xor => &["parity", "checks", "toggles"],
            AtomicOp::Exch | AtomicOp::Cas => &["latest", "owners"],
        }
    }

    /// Adds a vector of the thread to one that several threads share.
    pub(super) fn deposit_vector(&mut self) {
        let vectors = self.float_vectors();
        let size = self.rng.pick(&[2, 3, 3, 4]);
        let ty = if vectors.is_empty() { Type::vector(self.float, size) } else { self.rng.pick(&vectors) };
        if vectors.is_empty() {
            self.shapes.push(ty);
        }
        let value = self.closing(ty);
        if value.samples.size() > MOST_DEPOSIT || !value.samples.is_varied() {
            return;
        }
        let axis = if self.rng.percent(50) { Axis::Launch(0) } else { Axis::Fixed(self.rng.int(3, 9) as u32) };
        let index = match axis {
            Axis::Fixed(count) if self.rng.percent(40) => self.bucket(count).expr,
            axis => self.pointer(axis),
        };
        let op = self.rng.pick(&[AtomicOp::Add, AtomicOp::Add, AtomicOp::Add, AtomicOp::Sub]);
        let id = self.output(&["forces", "momenta", "deposits", "normals_sum", "vector_sums"], ty, &[axis], None);
        self.atomic(op, id, vec![index], ty, value.expr);
        self.has_stored = true;
        let name = docgen::words(&self.kernel.param(id).name);
        self.note(Mark::Effect, "deposit", format!("{} a vector of {name}", Generator::verb(op)));
    }

    fn histogram(&mut self) {
        let count = self.rng.pick(&[4, 5, 8, 10, 16]);
        let bucket = self.bucket(count);
        let (op, ty, value, domain) = self.contribution();
        let counted = ty.is_float() || self.rng.percent(40);
        let (value, op, domain) =
            if counted { (value, op, domain) } else { (Expr::number(1, ty), AtomicOp::Add, None) };
        let id = self.output(Generator::wishes(op), ty, &[Axis::Fixed(count)], domain);
        self.atomic(op, id, vec![bucket.expr], ty, value);
        self.note(Mark::Effect, "histogram", format!("{} one of {count} classes", Generator::verb(op)));
    }

    fn by_label(&mut self) {
        let axis = if self.rng.percent(50) { Axis::Launch(0) } else { Axis::Fixed(self.rng.int(3, 9) as u32) };
        let index = self.pointer(axis);
        let (op, ty, value, domain) = self.contribution();
        let id = self.output(Generator::wishes(op), ty, &[axis], domain);
        self.atomic(op, id, vec![index], ty, value);
        self.note(Mark::Effect, "scatter", "scatters to the place that its index names");
    }

    fn along_axis(&mut self) {
        let axis = self.rng.below(self.tid.len());
        let (op, ty, value, domain) = self.contribution();
        let id = self.output(Generator::wishes(op), ty, &[Axis::Launch(axis as u8)], domain);
        let index = vec![self.tid[axis].clone()];
        self.atomic(op, id, index, ty, value);
        let text = format!("{} the result of its place along launch axis {axis}", Generator::verb(op));
        self.note(Mark::Effect, "reduce", text);
    }

    fn whole(&mut self) {
        let (op, ty, value, domain) = self.contribution();
        let count = self.rng.pick(&[1, 1, 1, 2, 4]);
        let id = self.output(Generator::wishes(op), ty, &[Axis::Fixed(count)], domain);
        let index = if count == 1 { Expr::index(0) } else { &self.tid[0] % Expr::index(count as usize) };
        self.atomic(op, id, vec![index], ty, value);
        let noun = if ty.is_scalar() { "number" } else { "value" };
        let text = match count {
            1 => format!("{} one {noun} for all threads", Generator::verb(op)),
            _ => format!("{} one of {count} {noun}s for all threads", Generator::verb(op)),
        };
        self.note(Mark::Effect, "reduce", text);
    }
}
