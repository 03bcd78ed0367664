//! A block kernel under construction: what the block and its threads have, and the code of a thread as a fragment.

use super::text::{self, Piece, Text};
use crate::synth::dead_code;
use crate::synth::docgen;
use crate::synth::families::Family;
use crate::synth::generator::{Array, Axis, Fact, Generator, Item, Term};
use crate::synth::notes;
use crate::synth::rng::Rng;
use crate::synth::samples;
use kernel_ir::back::rust;
use kernel_ir::ir::{Expr, ExprKind, Kernel, Literal, Param, ParamId, ParamKind, Place, SizeExpr, Span, Type};
use kernel_ir::verify;
use std::collections::HashSet;

/// The name of the result in the text of a fragment.
const RESULT: &str = "result_of";
/// The name of `block.index` in the text of a fragment.
const BLOCK: &str = "block_index";

/// Where code stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Outside of phases.
    Block,
    /// In a phase, where a thread has one element.
    Phase,
    /// In a phase of a loop over a row that may be longer than the block.
    Round,
    /// In the closure of an operation on tiles.
    Element,
}

/// How the arrays of the launch give each thread an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `x[block.index * 64 + t]`.
    Flat,
    /// `x[[block.index, t]]`.
    Rows,
}

/// The code of a fragment.
pub(super) struct Code {
    pub(super) lines: Vec<String>,
    /// The value behind them.
    pub(super) value: String,
}

impl Code {
    /// All lines, the value last.
    pub(super) fn whole(self) -> Vec<String> {
        self.ending(|value| value)
    }

    /// All lines, with what becomes of the value last.
    pub(super) fn ending(self, end: impl FnOnce(String) -> String) -> Vec<String> {
        let mut lines = self.lines;
        lines.extend(end(self.value).lines().map(str::to_owned));
        lines
    }
}

/// A value that each thread of the block has.
#[derive(Clone, Debug)]
pub(super) struct Each {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A block kernel under construction.
pub(super) struct Builder {
    pub(super) generator: Generator,
    pub(super) family: &'static [(usize, crate::synth::steps::Step)],
    verbs: &'static [&'static str],
    /// The number of threads of the block.
    pub(super) threads: u32,
    pub(super) layout: Layout,
    /// The number of columns of a row that the block goes over in rounds.
    pub(super) columns: u32,
    pub(super) body: Vec<Piece>,
    /// The items that are not in the scope of the current fragment.
    pool: Vec<Item>,
    block_index: ParamId,
    pub(super) thread: ParamId,
    /// The index of the thread's element in a flat array.
    element: ParamId,
    /// The index of the thread's column in a round.
    column: ParamId,
    /// The number of inputs that are left behind the current closure.
    inputs_left: usize,
    /// The variables that are known in the current fragment only.
    passing: HashSet<ParamId>,
    /// The parameters of fragments that are variables of the kernel.
    variables: HashSet<ParamId>,
    /// `block.size`, or the number.
    pub(super) size: String,
    /// What each thread does in the fragments that no piece has yet, and the suffix of the first of them.
    of_threads: (Vec<String>, Option<&'static str>),
}

impl Builder {
    pub(super) fn new(family: &Family, rng: Rng, threads: u32, difficulty: usize) -> Builder {
        let depth = [1, 1, 2, 2, 3][difficulty - 1];
        let mut generator = Generator::new(rng, family.name, 1, family.op_class, depth);
        generator.values = family.values;
        generator.inputs_left = generator.rng.pick(&[1, 2, 2, 3, 3]);
        generator.block.clear();
        generator.kernel.locals.clear();
        for name in ["block", "shared", RESULT, BLOCK, "t", "start"] {
            generator.name(name);
        }
        let mut variable = |name: String| generator.param(name, ParamKind::Value(Type::INDEX), None);
        let (block_index, thread) = (variable(BLOCK.to_owned()), variable("t".to_owned()));
        let element = generator.one_of(&["k", "at", "own", "place"]);
        let element = generator.param(element, ParamKind::Value(Type::INDEX), None);
        let column = generator.one_of(&["j", "column", "c"]);
        let column = generator.param(column, ParamKind::Value(Type::INDEX), None);
        let size = if generator.rng.percent(50) { "block.size".to_owned() } else { threads.to_string() };
        let layout = if generator.rng.percent(60) { Layout::Flat } else { Layout::Rows };
        Builder {
            family: family.core,
            verbs: family.verbs,
            threads,
            layout,
            columns: threads,
            body: Vec::new(),
            pool: Vec::new(),
            inputs_left: 0,
            passing: HashSet::new(),
            block_index,
            thread,
            element,
            column,
            variables: [block_index, thread, element, column].into(),
            size,
            of_threads: (Vec::new(), None),
            generator,
        }
    }

    /// The index that is a variable of the text.
    pub(super) fn index(&self, id: ParamId) -> Expr {
        Expr::param(id, Type::INDEX)
    }

    pub(super) fn thread(&self) -> Expr {
        self.index(self.thread)
    }

    pub(super) fn block_index(&self) -> Expr {
        self.index(self.block_index)
    }

    /// The axes of arrays with an element for each thread or block, and its index.
    pub(super) fn own(&self, scope: Scope) -> (Vec<Axis>, Vec<Expr>) {
        let block = self.block_index();
        match (scope, self.layout) {
            (Scope::Block, _) => (vec![Axis::Launch(0)], vec![block]),
            (Scope::Phase, Layout::Flat) => (vec![Axis::OfBlocks(self.threads)], vec![self.index(self.element)]),
            (Scope::Phase, Layout::Rows) => {
                (vec![Axis::Launch(0), Axis::Fixed(self.threads)], vec![block, self.thread()])
            }
            (Scope::Round, _) => {
                (vec![Axis::Launch(0), Axis::Fixed(self.columns)], vec![block, self.index(self.column)])
            }
            (Scope::Element, _) => (Vec::new(), Vec::new()),
        }
    }

    /// The indices that a scope knows.
    fn indices(&self, scope: Scope) -> Vec<ParamId> {
        match scope {
            Scope::Block | Scope::Element => vec![self.block_index],
            Scope::Phase => vec![self.block_index, self.thread, self.element],
            Scope::Round => vec![self.block_index, self.thread, self.column],
        }
    }

    /// Begins a fragment: makes the items of the scope available.
    pub(super) fn enter(&mut self, scope: Scope) {
        let known = self.indices(scope);
        let all = [self.block_index, self.thread, self.element, self.column];
        let hidden: Vec<ParamId> = all.into_iter().filter(|id| !known.contains(id)).collect();
        let is_known = |item: &Item| {
            let is_number = scope != Scope::Element || matches!(item.term.expr.kind, ExprKind::Param(_));
            is_number && !item.term.expr.any(&mut |part| part.params().iter().any(|id| hidden.contains(id)))
        };
        let (inside, outside) = std::mem::take(&mut self.pool).into_iter().partition(is_known);
        (self.generator.items, self.pool) = (inside, outside);
        let (axes, index) = self.own(scope);
        let fact = |(axis, index): (&Axis, &Expr)| Fact { axis: *axis, index: index.clone() };
        self.generator.facts = axes.iter().zip(&index).map(fact).collect();
        // A closure reads no arrays.
        self.inputs_left = self.generator.inputs_left;
        if scope == Scope::Element {
            self.generator.inputs_left = 0;
        }
        self.generator.most_threads = f64::from(self.threads.max(self.columns)).max(1024.0);
        (self.generator.own_axes, self.generator.tid) = (axes, index);
    }

    /// Ends a fragment: takes back the items. Those of its locals go out of scope.
    pub(super) fn leave(&mut self) {
        let has_local = |item: &Item| item.term.expr.any(&mut |part| matches!(part.kind, ExprKind::Local(_)));
        if self.generator.own_axes.is_empty() {
            self.generator.inputs_left = self.inputs_left;
        }
        let passing = std::mem::take(&mut self.passing);
        let passes = |item: &Item| item.term.expr.any(&mut |part| part.params().iter().any(|id| passing.contains(id)));
        let items = std::mem::take(&mut self.generator.items);
        let stays = |item: &Item| item.target.is_none() && !has_local(item) && !passes(item);
        self.pool.extend(items.into_iter().filter(stays));
        self.generator.block.clear();
    }

    /// Takes up to `count` random steps in the current fragment.
    pub(super) fn steps(&mut self, count: usize) {
        for _ in 0..count {
            let step = self.generator.rng.weighted(self.family);
            self.generator.step(step);
        }
    }

    /// A term of the current fragment that reads what nothing has read yet, mapped to the range if one is given.
    pub(super) fn closing(&mut self, ty: Type, range: Option<(f64, f64)>) -> Option<Term> {
        let term = self.generator.closing(ty);
        let term = match range {
            Some((low, high)) if ty.is_float() => self.generator.fit(term, low, high),
            Some((low, high)) => self.generator.fit_int(term, low as i64, (high - low) as i64 + 1),
            None => term,
        };
        (term.samples.is_varied() && term.size > 0).then_some(term)
    }

    /// The text of the current fragment, which ends with `value`. `None` if it is no valid code.
    pub(super) fn code(&mut self, value: Expr) -> Option<Code> {
        let mut kernel = Kernel { body: std::mem::take(&mut self.generator.block), ..self.generator.kernel.clone() };
        let id = ParamId(kernel.params.len() as u32);
        let kind = ParamKind::Array { elem: value.ty, mutable: true, optional: false, shape: vec![SizeExpr::Dim(0)] };
        kernel.params.push(Param { name: RESULT.to_owned(), kind, domain: None, span: Span::NONE });
        let ty = value.ty;
        kernel.body.push(Place::element(id, [Expr::index(0)], ty).set(value));
        dead_code::drop_dead_statements(&mut kernel);
        let said = notes::said(&self.generator.notes, &kernel);
        self.generator.notes.clear();
        dead_code::clean_up(&mut kernel);
        kernel.name = "fragment".to_owned();
        let written = rust::write(&verify::verify(kernel).ok()?);
        let code = cut(&written)?;
        let (texts, tag) = &mut self.of_threads;
        texts.extend(said.texts);
        *tag = tag.or(said.tag);
        Some(code)
    }

    /// The variable of a fragment that is a variable of the text.
    pub(super) fn variable(&mut self, name: &str, kind: ParamKind) -> ParamId {
        let id = self.generator.param(name.to_owned(), kind, None);
        self.variables.insert(id);
        id
    }

    /// An array of the text: a shared one, or one with a value for each thread.
    pub(super) fn local_array(&mut self, name: &str, elem: Type, len: u32) -> ParamId {
        let shape = vec![SizeExpr::Literal(len.into())];
        self.variable(name, ParamKind::Array { elem, mutable: false, optional: false, shape })
    }

    /// Makes a value of each thread available in phases.
    pub(super) fn offer_each(&mut self, each: &Each) {
        let id = self.local_array(&each.name, each.ty, self.threads);
        let samples = samples::draw(&mut self.generator.rng, each.ty, each.low, each.high);
        let term = Term::new(Expr::load(id, [self.thread()], each.ty), samples);
        self.pool.push(Item { term, uses: 0, target: None });
    }

    /// Makes a variable of the block available, and returns its term.
    pub(super) fn offer_one(&mut self, name: &str, ty: Type, low: f64, high: f64) -> Term {
        let id = self.variable(name, ParamKind::Value(ty));
        let samples = samples::draw(&mut self.generator.rng, ty, low, high).shared();
        let term = Term::new(Expr::param(id, ty), samples);
        self.pool.push(Item { term: term.clone(), uses: 0, target: None });
        term
    }

    /// Makes a term available in the scopes that know its indices.
    pub(super) fn offer(&mut self, term: Term) {
        self.pool.push(Item { term, uses: 0, target: None });
    }

    /// The arrays of the launch that have these axes and floats.
    pub(super) fn float_arrays(&self, axes: &[Axis]) -> Vec<Array> {
        let number = self.generator.number();
        self.generator.arrays.iter().filter(|array| array.axes == axes && array.elem == number).cloned().collect()
    }

    pub(super) fn name(&mut self, wishes: &[&str]) -> String {
        self.generator.one_of(wishes)
    }

    /// Appends statements with an effect.
    pub(super) fn push(&mut self, lines: Vec<String>) {
        self.append(lines, None);
    }

    /// Appends a declaration, which is dropped if nothing reads it.
    pub(super) fn declare(&mut self, name: &str, lines: Vec<String>) {
        self.append(lines, Some(name.to_owned()));
    }

    fn append(&mut self, lines: Vec<String>, declares: Option<String>) {
        let (of_threads, tag) = std::mem::take(&mut self.of_threads);
        self.body.push(Piece { lines, declares, of_threads, tag, told: Vec::new() });
    }

    /// Adds a sentence about the last statements. It is dropped with them.
    pub(super) fn tell(&mut self, text: impl Into<String>) {
        if let Some(piece) = self.body.last_mut() {
            piece.told.push(text.into());
        }
    }

    /// The lines of a phase: the index of the element before those that use it.
    pub(super) fn with_index(&mut self, mut lines: Vec<String>) -> Vec<String> {
        let name = self.generator.kernel.param(self.element).name.clone();
        let count = text::mentions(&lines, &name);
        let index = format!("block.index * {} + t", self.size);
        match count {
            0 => {}
            1 if self.generator.rng.percent(70) => {
                // An index in a larger expression needs parentheses, one in brackets does not.
                let alone = [format!("[{name}]"), format!("[{index}]")];
                lines.iter_mut().for_each(|line| {
                    *line = line.replace(&alone[0], &alone[1]);
                    *line = text::renamed(line, &name, &format!("({index})"));
                });
            }
            _ => lines.insert(0, format!("let {name} = {index};")),
        }
        lines
    }

    /// The code of a value with random steps, and its range. The `nearby` terms are known in this fragment only.
    pub(super) fn part(
        &mut self,
        scope: Scope,
        ty: Type,
        range: Option<(f64, f64)>,
        steps: usize,
        nearby: Vec<Term>,
    ) -> Option<(Code, (f64, f64))> {
        self.enter(scope);
        let ids = nearby.iter().flat_map(|term| {
            let mut ids = Vec::new();
            term.expr.walk(&mut |part| ids.extend(part.params().iter().copied()));
            ids
        });
        let fixed = [self.block_index, self.thread, self.element, self.column];
        self.passing = ids.filter(|id| !fixed.contains(id) && self.variables.contains(id)).collect();
        self.generator.items.extend(nearby.into_iter().map(|term| Item { term, uses: 0, target: None }));
        self.steps(steps);
        let term = self.closing(ty, range);
        let code = term.and_then(|term| Some((self.code(term.expr.clone())?, term.samples.range())));
        self.leave();
        code
    }

    /// The condition of a thread, with random steps before it.
    pub(super) fn condition(&mut self, scope: Scope, steps: usize) -> Option<Code> {
        self.enter(scope);
        self.steps(steps);
        let term = self.generator.condition(1).filter(|term| term.samples.by_thread);
        let code = term.and_then(|term| self.code(term.expr));
        self.leave();
        code
    }

    /// A new value of each thread, by a phase with random steps.
    pub(super) fn value(&mut self, wishes: &[&str], ty: Type, range: Option<(f64, f64)>, steps: usize) -> Option<Each> {
        let (code, (low, high)) = self.part(Scope::Phase, ty, range, steps, Vec::new())?;
        let name = self.name(wishes);
        let lines = self.with_index(code.whole());
        self.declare(&name, text::phase(Some(&name), "t", lines));
        let each = Each { name, ty, low, high };
        self.offer_each(&each);
        Some(each)
    }

    /// Declares a variable of the block with the value of this text.
    pub(super) fn let_one(&mut self, wishes: &[&str], value: &str, ty: Type, low: f64, high: f64) -> String {
        let name = self.name(wishes);
        self.declare(&name, vec![format!("let {name} = {value};")]);
        self.offer_one(&name, ty, low, high);
        name
    }

    /// Declares a value of each thread that an operation gives, with this text.
    pub(super) fn let_each(&mut self, wishes: &[&str], value: &str, ty: Type, low: f64, high: f64) -> Each {
        let name = self.name(wishes);
        self.declare(&name, vec![format!("let {name} = {value};")]);
        let each = Each { name, ty, low, high };
        self.offer_each(&each);
        each
    }

    /// A new array of the launch that the kernel writes.
    pub(super) fn output(&mut self, elem: Type, axes: &[Axis]) -> String {
        let results = self.generator.theme.results;
        let name = self.generator.one_of(results);
        let shape = axes.iter().map(|axis| axis.size()).collect();
        let kind = ParamKind::Array { elem, mutable: true, optional: false, shape };
        self.generator.param(name.clone(), kind, None);
        name
    }

    /// Stores a value of each thread that reads what nothing has read yet.
    pub(super) fn store_each(&mut self, ty: Type, steps: usize) -> Option<()> {
        let (code, _) = self.part(Scope::Phase, ty, None, steps, Vec::new())?;
        let (axes, index) = self.own(Scope::Phase);
        let out = self.output(ty, &axes);
        let at = self.place_text(&index);
        let mut lines = code.lines;
        lines.extend(assigned(&format!("{out}{at}"), "=", &code.value));
        let lines = self.with_index(lines);
        self.push(text::phase(None, "t", lines));
        Some(())
    }

    /// Stores a value of the block that reads what nothing has read yet.
    pub(super) fn store_one(&mut self, ty: Type) -> Option<()> {
        let (code, _) = self.part(Scope::Block, ty, None, 0, Vec::new())?;
        let out = self.output(ty, &[Axis::Launch(0)]);
        let mut lines = code.lines;
        lines.extend(assigned(&format!("{out}[{BLOCK}]"), "=", &code.value));
        self.push(lines);
        Some(())
    }

    /// The text of an index, in brackets.
    pub(super) fn place_text(&self, index: &[Expr]) -> String {
        let one = |index: &Expr| match index.kind {
            ExprKind::Param(id) => self.generator.kernel.param(id).name.clone(),
            ExprKind::Literal(Literal::Index(number)) => number.to_string(),
            _ => String::new(),
        };
        let all: Vec<String> = index.iter().map(one).collect();
        if all.len() == 1 { format!("[{}]", all[0]) } else { format!("[[{}]]", all.join(", ")) }
    }

    /// Whether something is available that no code has read.
    pub(super) fn has_unread(&self, is_such: impl Fn(&Expr) -> bool) -> bool {
        self.pool.iter().any(|item| item.uses == 0 && is_such(&item.term.expr))
    }

    /// Adds elements at the end of the first axis of an array.
    pub(super) fn widen(&mut self, id: ParamId, by: i64) {
        let ParamKind::Array { shape, .. } = &mut self.generator.kernel.params[id.0 as usize].kind else { return };
        if let Some(first) = shape.first_mut() {
            *first = SizeExpr::Add(Box::new(first.clone()), Box::new(SizeExpr::Literal(by)));
        }
    }

    /// The finished text: without dead code, with a name and a comment.
    pub(super) fn finish(mut self, declaration: &str) -> Option<Text> {
        let pieces = text::live(std::mem::take(&mut self.body));
        let told = without_repeats(pieces.iter().flat_map(|piece| &piece.told));
        // Without a move, nothing makes it a block kernel.
        if told.is_empty() {
            return None;
        }
        let of_threads = without_repeats(pieces.iter().flat_map(|piece| &piece.of_threads));
        let tag = pieces.iter().find_map(|piece| piece.tag);
        let lines = [declaration.to_owned()].into_iter().chain(pieces.into_iter().flat_map(|piece| piece.lines));
        let lines: Vec<String> = lines.map(|line| text::renamed(&line, BLOCK, "block.index")).collect();
        let mut head = self.generator.kernel.clone();
        let read = text::names(&lines);
        let is_read = |id: &ParamId| !self.variables.contains(id) && read.contains(&*head.param(*id).name);
        let used = head.param_ids().map(|(id, _)| id).filter(is_read).collect();
        dead_code::keep_params(&mut head, used);
        (head.block, head.locals) = (Some(self.threads), Vec::new());
        let all = docgen::outputs(&head);
        let inputs: Vec<String> =
            head.params.iter().filter(|param| !param.is_mutable()).map(|param| param.name.clone()).collect();
        if all.is_empty() || inputs.is_empty() {
            return None;
        }
        let rng = &mut self.generator.rng;
        let noun = if rng.percent(50) { all[all.len() - 1].clone() } else { inputs[rng.below(inputs.len())].clone() };
        let noun = noun.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let verb = rng.pick(self.verbs);
        head.name = match tag {
            Some(tag) if !noun.contains(tag) && rng.percent(30) => format!("{verb}_{noun}_{tag}"),
            _ => format!("{verb}_{noun}"),
        };
        head.doc = comment(&all, &inputs, &told, &of_threads);
        Some(Text { head, lines })
    }
}

/// The doc comment: results and inputs, what the block does, and what each thread does besides.
fn comment(outputs: &[String], inputs: &[String], told: &[String], of_threads: &[String]) -> Vec<String> {
    let words = |names: &[String]| without_repeats(&names.iter().map(|name| docgen::words(name)).collect::<Vec<_>>());
    let results = words(outputs);
    let others: Vec<String> = words(inputs).into_iter().filter(|name| !results.contains(name)).collect();
    let mut text = docgen::list(&results);
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if !others.is_empty() {
        text += &format!(" from {}", docgen::list(&others));
    }
    text += &format!(". Each block {}.", docgen::list(told));
    if !of_threads.is_empty() {
        text += &format!(" Each thread {}.", docgen::list(of_threads));
    }
    docgen::lines(&text)
}

fn without_repeats<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.contains(text) {
            all.push(text.clone());
        }
    }
    all
}

/// `place = value;`, where the value may have several lines.
pub(super) fn assigned(place: &str, sign: &str, value: &str) -> Vec<String> {
    format!("{place} {sign} {value};").lines().map(str::to_owned).collect()
}

/// The statements and the value in the text of a fragment.
fn cut(written: &str) -> Option<Code> {
    let body: Vec<&str> = written.lines().collect();
    let first = body.iter().rposition(|line| line.ends_with('{') && !line.starts_with([' ', '/', '#']))?;
    let inside: Vec<&str> =
        body[first + 1..body.len() - 1].iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    let store = format!("{RESULT}[0] =");
    let last = inside.iter().rposition(|line| line.starts_with(&store))?;
    let lines = inside[..last].iter().map(|line| (*line).to_owned()).collect();
    let value = inside[last..].join("\n");
    let value = value.strip_prefix(&store)?.trim_start().strip_suffix(';')?.to_owned();
    Some(Code { lines, value })
}
