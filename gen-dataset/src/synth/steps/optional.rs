//! Arrays that a launch may leave out: weights, masks, offsets, and results that nobody may want.

use super::super::docgen;
use super::super::generator::{Generator, Term};
use super::super::lexicon;
use super::super::notes::Mark;
use super::super::samples;
use kernel_ir::ir::{Domain, Expr, ParamId, ParamKind, Place, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

impl Generator {
    pub(super) fn optional_array(&mut self) {
        match self.rng.below(10) {
            0..3 => self.optional_weight(),
            3..6 => self.optional_change(),
            6..8 => self.optional_mask(),
            _ => self.optional_output(),
        }
    }

    /// Adds an optional array over the launch.
    fn optional(&mut self, name: String, elem: Type, mutable: bool, domain: Option<Domain>) -> ParamId {
        let shape = self.launch_axes().iter().map(|axis| axis.size()).collect();
        self.param(name, ParamKind::Array { elem, mutable, optional: true, shape }, domain)
    }

    /// An optional array of numbers, its element for the thread, and the range.
    fn optional_numbers(&mut self) -> (ParamId, Expr, (f64, f64)) {
        let number = self.number();
        let words = self.theme.floats;
        let (wish, low, high) = words[self.rng.below(words.len())];
        let name = self.name(wish);
        let id = self.optional(name, number, false, Some(Domain::floats(low, high)));
        (id, Expr::load(id, self.tid.clone(), number), (low, high))
    }

    /// `let weight = if let Some(w) = w { w[i] } else { 1.0 };`
    fn optional_weight(&mut self) {
        let (id, element, (low, high)) = self.optional_numbers();
        let usual = self.rng.pick(&[1.0, 1.0, 0.0, 0.5]);
        let value = Expr::present(id).select(element, usual);
        let value = self.known(value, low.min(usual), high.max(usual));
        self.bind(&["weight", "factor", "scale_here", "amount_here"], value);
        let name = docgen::words(&self.kernel.param(id).name);
        self.note(Mark::Array(id), "weighted", format!("takes {usual} where {name} is not given"));
    }

    /// `if let Some(bias) = bias { value += bias[i]; }`
    fn optional_change(&mut self) {
        let number = self.number();
        let local = self.variable(number);
        let (id, element, range) = self.optional_numbers();
        let Some(before) = self.item_of(local).map(|item| item.term.clone()) else { return };
        let term = self.known(element, range.0, range.1);
        let op = self.rng.pick(&[Op::Add, Op::Mul, Op::Sub]);
        let Some(after) = self.apply(op, vec![before.clone(), term.clone()], number) else { return };
        self.push(Stmt::when(Expr::present(id), [local.update(op, term.expr)]));
        let flag = self.known(Expr::present(id), 0.0, 1.0);
        self.set_samples(local, samples::select(&flag.samples, &after.samples, &before.samples));
        self.item_of(local).into_iter().for_each(|item| item.uses = 0);
        let name = docgen::words(&self.kernel.param(id).name);
        self.note(Mark::Array(id), "optional", format!("applies {name} if that is given"));
    }

    /// `if let Some(mask) = mask && !mask[i] { … }`
    fn optional_mask(&mut self) {
        let name = self.one_of(&lexicon::MASKS);
        let id = self.optional(name, Type::BOOL, false, None);
        let flag = Expr::load(id, self.tid.clone(), Type::BOOL);
        let held = Expr::present(id).and(!flag);
        if self.nesting == 0 && self.rng.percent(50) {
            self.push(Stmt::when(held, [Stmt::new(StmtKind::Return(None))]));
        } else {
            let number = self.number();
            let local = self.variable(number);
            let Some(before) = self.item_of(local).map(|item| item.term.samples.clone()) else { return };
            let depth = self.depth.saturating_sub(1);
            let (block, ()) = self.nested(|generator| generator.change(local, depth));
            let after = self.item_of(local).map(|item| item.term.samples.clone()).unwrap_or_else(|| before.clone());
            let cond = self.known(Expr::present(id), 0.0, 1.0);
            self.set_samples(local, samples::select(&cond.samples, &after, &before));
            if !block.is_empty() {
                self.push(Stmt::when(held, block));
            }
        }
        let name = docgen::words(&self.kernel.param(id).name);
        self.note(Mark::Array(id), "masked", format!("heeds the mask {name} if one is given"));
    }

    /// `if let Some(error) = error { error[i] = …; }`
    fn optional_output(&mut self) {
        let number = self.number();
        let term: Term = self.term(number, 1);
        if !term.samples.is_varied() || !term.samples.by_thread {
            return;
        }
        let name = self.one_of(&["diagnostics", "trace", "debug_out", "error_out", "gradient_hint", "residual_out"]);
        let id = self.optional(name, number, true, None);
        let place = Place::element(id, self.tid.clone(), number);
        self.push(Stmt::when(Expr::present(id), [place.set(term.expr)]));
        let name = docgen::words(&self.kernel.param(id).name);
        self.note(Mark::Effect, "optional", format!("writes {name} if that is wanted"));
    }
}
