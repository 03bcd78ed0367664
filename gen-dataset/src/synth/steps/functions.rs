//! Device functions: of values, with several results, and of arrays.
//!
//! The code of a function is made by a generator of its own, whose values are the parameters, with assumed ranges. A call
//! brings its arguments into these ranges.

use super::super::dead_code;
use super::super::docgen;
use super::super::generator::{Array, Axis, Generator, Item, Term};
use super::super::lexicon;
use super::super::notes::Mark;
use super::super::rng::Rng;
use super::super::samples;
use super::Step;
use kernel_ir::ir::{Callee, Expr, ExprKind, Function, Param, ParamId, ParamKind, Stmt, StmtKind, Struct, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};
use std::sync::Arc;

/// The largest result of a function.
const LARGEST: f64 = 50.0;

/// Ranges that functions assume of their parameters.
const RANGES: [(f64, f64); 4] = [(-2.0, 2.0), (0.1, 3.0), (0.0, 1.0), (-1.0, 1.0)];

/// Steps in functions. None of them adds a parameter.
const STEPS: [(usize, Step); 5] =
    [(5, Step::Let), (2, Step::Choose), (2, Step::Branch), (1, Step::Cases), (2, Step::Update)];

/// Names of functions of values.
const VALUE_NAMES: [&str; 12] = [
    "falloff",
    "response",
    "soft_limit",
    "weight_of",
    "transfer",
    "penalty_of",
    "shape_factor",
    "blend_curve",
    "activation",
    "mobility",
    "flux_between",
    "cost_of",
];
/// Names of functions with several results, and of the results.
const TUPLE_NAMES: [(&str, [&str; 3]); 6] = [
    ("split_parts", ["inner_part", "outer_part", "rest_part"]),
    ("bounds_of", ["low_bound", "high_bound", "mid_bound"]),
    ("components_of", ["along", "across", "upward"]),
    ("gain_and_offset", ["gain_of", "offset_of", "bias_of"]),
    ("balance_of", ["inflow_of", "outflow_of", "storage_of"]),
    ("forces_between", ["pull_of", "push_of", "drag_of"]),
];

/// A function with what a call must know.
struct Made {
    function: Arc<Function>,
    /// The type and the assumed range of each parameter that is a value.
    params: Vec<(Type, (f64, f64))>,
    /// The type and the range of each result.
    results: Vec<(Type, (f64, f64))>,
}

/// What happens with each element of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    Sum,
    Largest,
    Squares,
    Above,
    MinMax,
}

impl Generator {
    /// A function of values with one result.
    pub(super) fn value_function(&mut self) {
        let name = self.one_of(&VALUE_NAMES);
        let Some(made) = self.function_of_values(&name, 1) else { return };
        for _ in 0..self.rng.pick(&[1, 1, 2]) {
            let call = self.call_of(&made, Vec::new());
            let (_, (low, high)) = made.results[0];
            let value = self.known(call, low, high);
            if self.rng.percent(75) {
                let names = self.local_names();
                self.bind(names, value);
            } else {
                self.offer(value);
            }
        }
    }

    /// A function of values with two or three results.
    pub(super) fn tuple_function(&mut self) {
        let (wish, names) = self.rng.pick(&TUPLE_NAMES);
        let name = self.name(wish);
        let count = self.rng.pick(&[2, 2, 3]);
        let Some(made) = self.function_of_values(&name, count) else { return };
        let call = self.call_of(&made, Vec::new());
        self.bind_results(&made, call, &names);
    }

    /// `let (a, b) = f(…);`
    fn bind_results(&mut self, made: &Made, call: Expr, names: &[&str]) {
        // The front end gives the tuple this name.
        let tuple = self.local_named("result".to_owned(), call.ty, false);
        self.push(tuple.declare(call));
        for (number, (_, (low, high))) in (0..).zip(&made.results) {
            let value = self.known(tuple.expr().field(number), *low, *high);
            self.bind(&[names[usize::from(number)]], value);
        }
    }

    /// A call with arguments in the ranges that the function assumes.
    fn call_of(&mut self, made: &Made, arrays: Vec<ParamId>) -> Expr {
        let args: Vec<Expr> =
            made.params.clone().into_iter().map(|(ty, range)| self.argument(ty, range).expr).collect();
        call(&made.function, arrays, args)
    }

    /// A value within the range.
    fn argument(&mut self, ty: Type, (low, high): (f64, f64)) -> Term {
        if ty.is_scalar() {
            let depth = usize::from(self.rng.percent(40));
            let term = self.term(ty, depth);
            return self.fit(term, low, high);
        }
        let term = self.leaf(ty);
        let size = term.samples.size().max(0.1);
        if size <= high {
            return term;
        }
        let factor = (100.0 * high / size).floor().max(1.0) / 100.0;
        let factor = Term::number(factor, ty.scalar().into());
        self.raw(Op::Mul, vec![term.clone(), factor], ty).unwrap_or(term)
    }

    /// A generator for the code of a function called by this kernel.
    fn inside(&mut self) -> Generator {
        let rng = Rng::new(self.rng.bits(), 0, 0);
        let mut inner = Generator::new(rng, "", 0, self.op_class, self.depth.min(2));
        (inner.theme, inner.float, inner.int, inner.inputs_left) = (self.theme, self.float, self.int, 0);
        inner
    }

    /// Adds a parameter that is a value.
    fn function_param(&mut self, name: String, ty: Type, (low, high): (f64, f64)) -> Term {
        let id = self.param(name, ParamKind::Value(ty), None);
        let samples = samples::draw(&mut self.rng, ty, low, high);
        Term::new(Expr::param(id, ty), samples)
    }

    fn function_of_values(&mut self, name: &str, results: usize) -> Option<Made> {
        let mut inner = self.inside();
        let number = self.number();
        let vectors = self.float_vectors();
        let mut params = Vec::new();
        let count = inner.rng.pick(&[1, 2, 2, 3]);
        for place in 0..count {
            let ty = match vectors.first() {
                Some(vector) if place == 0 && inner.rng.percent(40) => *vector,
                _ => number,
            };
            let range = if ty.is_scalar() { inner.rng.pick(&RANGES) } else { (-3.0, 3.0) };
            let words = if ty.is_scalar() { inner.theme.floats } else { inner.theme.vectors };
            let words: Vec<&str> = words.iter().map(|word| word.0).collect();
            let param = inner.one_of(&words);
            let term = inner.function_param(param, ty, range);
            inner.offer(term);
            if !ty.is_scalar() {
                inner.shapes.push(ty);
            }
            params.push((ty, range));
        }
        if results == 1 && inner.rng.percent(20) {
            inner.early_result(number);
        }
        for _ in 0..inner.rng.pick(&[1, 1, 2, 3]) {
            let step = inner.rng.weighted(&STEPS);
            inner.step(step);
        }
        let mut values = Vec::new();
        for _ in 0..results {
            let term = inner.term(number, 1);
            let term = inner.with_unread(term, 3, Generator::joining(number));
            let term = if term.samples.size() > LARGEST { inner.fit(term, -4.0, 4.0) } else { term };
            if !term.samples.is_varied() || values.iter().any(|other: &Term| other.expr == term.expr) {
                return None;
            }
            values.push(term);
        }
        let ranges = values.iter().map(|term| (number, term.samples.range())).collect();
        let values: Vec<Expr> = values.into_iter().map(|term| term.expr).collect();
        inner.made(name, params, values, ranges)
    }

    /// `if x < 0.1 { return 0.0; }`
    fn early_result(&mut self, number: Type) {
        let Some(cond) = self.comparison() else { return };
        let result = self.literal(number);
        if result.samples.size() < 1.0 {
            self.push(Stmt::when(cond.expr, [Stmt::new(StmtKind::Return(Some(result.expr)))]));
        }
    }

    /// The function with this code. `None` if dead code made a parameter useless.
    fn made(
        mut self,
        name: &str,
        params: Vec<(Type, (f64, f64))>,
        values: Vec<Expr>,
        results: Vec<(Type, (f64, f64))>,
    ) -> Option<Made> {
        let ret = match &values[..] {
            [one] => one.ty,
            all => Type::of_struct(Struct::tuple(all.iter().map(|value| value.ty))),
        };
        let value = match <[Expr; 1]>::try_from(values) {
            Ok([one]) => one,
            Err(all) => Expr::new(ExprKind::Struct(all), ret),
        };
        self.push(Stmt::new(StmtKind::Return(Some(value))));
        let mut code = self.kernel;
        code.body = std::mem::take(&mut self.block);
        let count = code.params.len();
        dead_code::drop_dead_statements(&mut code);
        dead_code::clean_up(&mut code);
        let names: Vec<String> = code.params.iter().map(|param| docgen::words(&param.name)).collect();
        code.name = name.to_owned();
        let words = docgen::words(name);
        let mut words = words.trim_end_matches(" of").trim_end_matches(" at").trim_end_matches(" in").to_owned();
        words.get_mut(..1).into_iter().for_each(|first| first.make_ascii_uppercase());
        code.doc = docgen::lines(&format!("{words}, from {}.", docgen::list(&names)));
        // An early result widens the range.
        let widened = |(ty, (low, high)): (Type, (f64, f64))| (ty, (low.min(-1.0), high.max(1.0)));
        let results = results.into_iter().map(widened).collect();
        let is_whole = code.params.len() == count;
        let function = Arc::new(Function { code, ret, gradient: None, warp: None });
        is_whole.then_some(Made { function, params, results })
    }

    /// A function of an array.
    pub(super) fn array_function(&mut self) {
        match self.rng.below(7) {
            0 | 1 => self.clamped_fetch(),
            2..5 => self.row_function(),
            _ => self.table_function(),
        }
    }

    /// Adds an array to the parameters of a function.
    fn array_param(&mut self, name: &str, elem: Type, rank: usize) -> ParamId {
        let name = self.name(name);
        let shape = vec![Param::NO_EXTENT; rank];
        self.param(name, ParamKind::Array { elem, mutable: false, optional: false, shape }, None)
    }

    /// `fn at(field: &[f32], i: usize) -> f32`, with indices kept within the array, called for neighbours.
    fn clamped_fetch(&mut self) {
        let axes = self.launch_axes();
        let number = self.number();
        self.inputs_left = self.inputs_left.max(1);
        let array = self.array_input(number, axes.clone());
        let mut inner = self.inside();
        let field = inner.array_param("field", number, axes.len());
        let wishes: &[&str] = match axes.len() {
            1 => &["at"],
            2 => &["row", "col"],
            3 => &["plane", "row", "col"],
            _ => &["n", "c", "h", "w"],
        };
        let mut params = Vec::new();
        let mut index = Vec::new();
        for (axis, wish) in (0..).zip(wishes) {
            let name = inner.name(wish);
            let at = inner.function_param(name, Type::INDEX, (0.0, 1e3));
            params.push((Type::INDEX, (0.0, 1e3)));
            index.push(at.expr.min(Expr::extent(field, axis) - 1));
        }
        let value = Expr::load(field, index, number);
        let name = self.one_of(&["fetch", "sample_at", "pixel_at", "value_near"]);
        let Some(made) = inner.made(&name, params, vec![value], vec![(number, array.range)]) else { return };
        let axis = self.rng.below(axes.len());
        let step = Expr::index(self.rng.pick(&[1, 1, 2]));
        let here = self.tid.clone();
        let (next, last) = (&here[axis] + &step, here[axis].saturating_sub(step));
        let names = [&["ahead", "east", "after"][..], &["behind", "west", "before"]];
        for (at, names) in [next, last].into_iter().zip(names) {
            let mut args = here.clone();
            args[axis] = at;
            let value = call(&made.function, vec![array.id], args);
            let value = self.known(value, array.range.0, array.range.1);
            self.bind(names, value);
        }
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.note(Mark::Array(array.id), "stencil", format!("fetches neighbours in {name} by a function"));
    }

    /// A function that goes through a row of a matrix, or through an array that all threads share.
    fn row_function(&mut self) {
        let number = self.number();
        let axis = Axis::Fixed(self.rng.int(3, 8) as u32);
        let has_rows = self.rng.percent(65);
        let axes = if has_rows { vec![Axis::Launch(0), axis] } else { vec![axis] };
        self.inputs_left = self.inputs_left.max(1);
        let array = self.array_input(number, axes);
        let fold = self.rng.pick(&[Fold::Sum, Fold::Sum, Fold::Largest, Fold::Squares, Fold::Above, Fold::MinMax]);
        let name = match fold {
            Fold::Sum => self.one_of(&["row_sum_of", "weighted_total", "sum_over"]),
            Fold::Largest => self.one_of(&["row_peak", "largest_of", "peak_over"]),
            Fold::Squares => self.one_of(&["row_norm", "energy_over", "norm_of_row"]),
            Fold::Above => self.one_of(&["count_above", "exceedances", "share_above"]),
            Fold::MinMax => self.one_of(&["row_range", "extent_of_row", "ends_of"]),
        };
        let Some(made) = self.function_of_row(&name, &array, fold, axis.most()) else { return };
        let before = self.items.len();
        let mut args = Vec::new();
        if has_rows {
            args.push(self.tid[0].clone());
        }
        for (ty, range) in made.params.clone().into_iter().filter(|(ty, _)| *ty != Type::INDEX) {
            args.push(self.argument(ty, range).expr);
        }
        let is_shared = args.is_empty();
        let call = call(&made.function, vec![array.id], args);
        if fold == Fold::MinMax {
            self.bind_results(&made, call, &["smallest_found", "largest_found"]);
        } else {
            let (_, (low, high)) = made.results[0];
            let value = self.known(call, low, high);
            self.bind(&["reduced", "row_value", "aggregate", "row_score"], value);
        }
        if is_shared {
            self.share_since(before);
        }
        let name = docgen::words(&self.kernel.param(array.id).name);
        let what = if has_rows { "its row of " } else { "" };
        self.note(Mark::Array(array.id), "rows", format!("passes {what}{name} to a function"));
    }

    fn function_of_row(&mut self, name: &str, array: &Array, fold: Fold, most: f64) -> Option<Made> {
        let number = self.number();
        let mut inner = self.inside();
        let has_rows = array.axes.len() == 2;
        let wish = self.kernel.param(array.id).name.clone();
        let of = inner.array_param(&wish, number, array.axes.len());
        let mut params = Vec::new();
        let mut index = Vec::new();
        if has_rows {
            let row = inner.name("row");
            index.push(inner.function_param(row, Type::INDEX, (0.0, 1e3)).expr);
            params.push((Type::INDEX, (0.0, 1e3)));
        }
        let (low, high) = array.range;
        let limit = match fold {
            Fold::Above | Fold::Sum if fold == Fold::Above || inner.rng.percent(40) => {
                let range = (low, high);
                let name = inner.one_of(&["limit", "level", "shift"]);
                params.push((number, range));
                Some(inner.function_param(name, number, range))
            }
            _ => None,
        };
        let first = match fold {
            Fold::Largest | Fold::MinMax => Expr::load(of, [index.clone(), vec![Expr::index(0)]].concat(), number),
            Fold::Sum | Fold::Squares | Fold::Above => Expr::number(0.0, number),
        };
        let wishes: &[&str] = match fold {
            Fold::Largest => &["best"],
            Fold::MinMax => &["highest"],
            Fold::Above => &["found"],
            Fold::Sum | Fold::Squares => &lexicon::SUMS,
        };
        let lowest = (fold == Fold::MinMax).then(|| inner.hidden(&["lowest"], first.clone()));
        let acc = inner.hidden(wishes, first);
        let name_of_k = inner.one_of(&lexicon::LOOPS);
        let k = inner.local_named(name_of_k, Type::INDEX, false);
        let end = Expr::extent(of, u8::from(has_rows));
        let mut range = (0.0, 1.0);
        let (body, ()) = inner.nested(|inner| {
            index.push(k.expr());
            let samples = samples::draw(&mut inner.rng, number, low, high);
            let element = Term::new(Expr::load(of, index.clone(), number), samples);
            range = inner.fold_element(fold, acc, lowest, element, limit.as_ref(), most);
        });
        inner.push(Stmt::for_loop(k, 0, end, body));
        let (values, ranges) = match (fold, lowest) {
            (Fold::MinMax, Some(lowest)) => (vec![lowest.expr(), acc.expr()], vec![(number, range); 2]),
            (Fold::Squares, _) => (vec![acc.expr().sqrt()], vec![(number, (0.0, range.1.sqrt()))]),
            _ => (vec![acc.expr()], vec![(number, range)]),
        };
        inner.made(name, params, values, ranges)
    }

    /// The statements of a trip. Returns the range of the result.
    fn fold_element(
        &mut self,
        fold: Fold,
        acc: Var,
        lowest: Option<Var>,
        element: Term,
        limit: Option<&Term>,
        most: f64,
    ) -> (f64, f64) {
        let (low, high) = element.samples.range();
        let value = element.expr.clone();
        match (fold, limit, lowest) {
            (Fold::Above, Some(limit), _) => {
                let counts = Stmt::when(value.gt(&limit.expr), [acc.update(Op::Add, 1.0)]);
                self.push(counts);
                (0.0, most)
            }
            (Fold::MinMax, _, Some(lowest)) => {
                self.push(lowest.set(lowest.min(&value)));
                self.push(acc.set(acc.max(value)));
                (low, high)
            }
            (Fold::Largest, ..) => {
                self.push(acc.set(acc.max(value)));
                (low, high)
            }
            (Fold::Squares, ..) => {
                self.push(acc.update(Op::Add, &value * &value));
                // Never 0, where the root has no derivative.
                self.push(acc.update(Op::Add, 0.01));
                (0.01, most * (low * low).max(high * high) + 1.0)
            }
            _ => {
                self.items.push(Item { term: element.clone(), uses: 0, target: None });
                if let Some(limit) = limit {
                    self.offer(limit.clone());
                }
                let number = element.ty();
                let term = self.made_of(number, &element, 1);
                let term = match limit {
                    Some(limit) => self.raw(Op::Sub, vec![term.clone(), limit.clone()], number).unwrap_or(term),
                    None => term,
                };
                let term = self.fit(term, -3.0, 3.0);
                self.push(acc.update(Op::Add, term.expr));
                (-3.0 * most, 3.0 * most)
            }
        }
    }

    /// `fn lookup(table: &[f32], t: f32) -> f32`, by linear interpolation.
    fn table_function(&mut self) {
        let number = self.number();
        let extent = self.rng.int(4, 12) as u32;
        self.inputs_left = self.inputs_left.max(1);
        let array = self.array_input(number, vec![Axis::Fixed(extent)]);
        let mut inner = self.inside();
        let table = inner.array_param("table", number, 1);
        let t = inner.name("t");
        let t = inner.function_param(t, number, (0.0, 1.0)).expr;
        let last = Expr::extent(table, 0) - 1;
        let position = inner.local("position", number, false);
        inner.push(position.declare(t * last.cast(number)));
        let cell = inner.local("cell", Type::INDEX, false);
        inner.push(cell.declare(position.cast(Type::INDEX).min(&last)));
        let next = inner.local("next", Type::INDEX, false);
        inner.push(next.declare((cell + 1).min(&last)));
        let part = inner.local("part", number, false);
        inner.push(part.declare(position - cell.cast(number)));
        let at = |index: Var| Expr::load(table, vec![index.expr()], number);
        let value = at(cell) + (at(next) - at(cell)) * part;
        let name = self.one_of(&["lookup_in", "table_at", "curve_at"]);
        let params = vec![(number, (0.0, 1.0))];
        let Some(made) = inner.made(&name, params, vec![value], vec![(number, array.range)]) else { return };
        let value = self.call_of(&made, vec![array.id]);
        let value = self.known(value, array.range.0, array.range.1);
        self.bind(&["interpolated", "from_table", "curve_value"], value);
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.note(Mark::Array(array.id), "lookup", format!("looks up {name} by a function"));
    }
}

/// A call of the function with these arrays and values.
fn call(function: &Arc<Function>, arrays: Vec<ParamId>, args: Vec<Expr>) -> Expr {
    let callee = Callee { function: Arc::clone(function), arrays };
    Expr::new(ExprKind::Call(Box::new(callee), args), function.ret)
}
