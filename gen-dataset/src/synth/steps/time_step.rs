//! Time steps: explicit finite differences of a field, and bodies with pairwise forces.

use super::super::docgen;
use super::super::generator::{Array, Axis, Generator, Term};
use super::super::lexicon;
use kernel_ir::ir::{Domain, Expr, ParamKind, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;
use std::ops::Add;

/// Names of the new value of a cell.
const NEXT: [&str; 4] = ["next", "updated_cell", "u_next", "fresh"];

/// The treatment of a cell without a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// The threads at the edge return early.
    Left,
    /// The threads at the edge keep their values.
    Kept,
    /// The edge value is repeated outwards.
    Repeated,
    /// The field is periodic.
    Wrapped,
}

/// The update rule of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// `u + rate * laplacian`
    Diffusion,
    /// `2 * u - before + rate * laplacian`
    Wave,
    /// The mean of the neighbours minus a source.
    Jacobi,
    /// The magnitude of the gradient, by central differences.
    Slope,
    /// Upwind advection.
    Upwind,
    /// Diffusion with growth and decay.
    Reaction,
}

impl Generator {
    /// A field over the launch, of the kernel's main float type.
    fn field(&mut self) -> Array {
        let axes = self.launch_axes();
        let number = self.number();
        let known: Vec<Array> =
            self.arrays.iter().filter(|array| array.axes == axes && array.elem == number).cloned().collect();
        if !known.is_empty() && self.rng.percent(40) {
            return known[self.rng.below(known.len())].clone();
        }
        let name = self.one_of(&["field_now", "u_grid", "before", "phi", "heat_map", "surface", "state_grid", "u_old"]);
        let (low, high) = self.rng.pick(&[(0.0, 1.0), (-1.0, 1.0), (0.2, 2.0)]);
        self.array_named(name, number, axes, (low, high))
    }

    /// One explicit step of a field that reads the neighbours along all axes.
    pub(super) fn field_step(&mut self) {
        let field = self.field();
        let edge = match field.axes.len() {
            // With more axes, a small launch has hardly any inner cell.
            1 | 2 => self.rng.pick(&[Edge::Left, Edge::Kept, Edge::Repeated, Edge::Wrapped, Edge::Kept]),
            _ => self.rng.pick(&[Edge::Repeated, Edge::Wrapped]),
        };
        let rule = self.rng.weighted(&[
            (5, Rule::Diffusion),
            (2, Rule::Wave),
            (2, Rule::Jacobi),
            (2, Rule::Slope),
            (1, Rule::Upwind),
            (2, Rule::Reaction),
        ]);
        let centre = self.known(Expr::load(field.id, self.tid.clone(), field.elem), field.range.0, field.range.1);
        let centre = self.bind(&["centre", "here", "c", "u_c", "mid_value"], centre).expr;
        self.items.pop();
        let factor = self.factor_of_step(rule);
        let around: Vec<[Expr; 2]> = (0..field.axes.len()).map(|axis| self.around(&field, axis, edge)).collect();
        if edge == Edge::Left {
            let cond = self.at_edge(&field, [Op::Eq, Op::Ge], Op::Or);
            self.block.extend(cond.map(|cond| Stmt::when(cond, [Stmt::new(StmtKind::Return(None))])));
        }
        if edge == Edge::Kept {
            let next = self.hidden(&NEXT, centre.clone());
            let (body, ()) = self.nested(|generator| {
                let value = generator.stepped(rule, &field, &centre, &around, &factor);
                generator.push(next.set(value));
            });
            let cond = self.at_edge(&field, [Op::Gt, Op::Lt], Op::And);
            self.block.extend(cond.map(|cond| Stmt::when(cond, body)));
            let value = self.field_value(rule, &field, next.expr());
            self.offer(value);
        } else {
            let value = self.stepped(rule, &field, &centre, &around, &factor);
            let value = self.field_value(rule, &field, value);
            self.bind(&NEXT, value);
        }
        let name = docgen::words(&self.kernel.param(field.id).name);
        self.tell(
            if rule == Rule::Slope { "slope" } else { "stencil_step" },
            format!("{} {name}, {}", rule_words(rule), edge_words(edge)),
        );
    }

    /// The coefficient of a rule, small enough for a stable step.
    fn factor_of_step(&mut self, rule: Rule) -> Expr {
        let ty = self.number();
        if self.rng.percent(45) || rule == Rule::Jacobi {
            let value = self.rng.pick(&[0.1, 0.125, 0.2, 0.25, 0.05, 0.15]);
            return Expr::number(value, ty.scalar());
        }
        if self.rng.percent(50) {
            let name = self.one_of(&["diffusion", "alpha_dt", "rate_dt", "courant", "nu"]);
            let id = self.param(name, ParamKind::Value(ty), Some(Domain::floats(0.02, 0.25)));
            return Expr::param(id, ty);
        }
        let term = self.term(ty, 1);
        let term = self.fit(term, 0.02, 0.25);
        let bound = self.bind(&["rate_here", "coefficient", "kappa", "speed2"], term).expr;
        self.items.pop();
        bound
    }

    /// The elements on both sides along an axis.
    fn around(&mut self, field: &Array, axis: usize, edge: Edge) -> [Expr; 2] {
        let here = self.tid[axis].clone();
        let (one, extent) = (Expr::index(1), Expr::extent(field.id, axis as u8));
        let (before, after) = match edge {
            Edge::Left | Edge::Kept => (&here - &one, here + one),
            Edge::Repeated => {
                let after = &here + &one;
                let last = extent - &one;
                (here.saturating_sub(one), after.min(last))
            }
            Edge::Wrapped => {
                let back = &here + &extent - &one;
                (back % &extent, (here + one) % extent)
            }
        };
        let names = [["left", "right"], ["up", "down"], ["front", "back"], ["prev", "next_cell"]][axis.min(3)];
        let named = edge != Edge::Left && edge != Edge::Kept && self.rng.percent(50);
        let mut number = 0;
        [before, after].map(|index| {
            let index = if named { self.named_place(&[names[number]], index) } else { index };
            number += 1;
            let mut all = self.tid.clone();
            all[axis] = index;
            Expr::load(field.id, all, field.elem)
        })
    }

    /// `i == 0 || i + 1 >= n || …`, or its negation: the comparison of the index, the comparison of the next index, and
    /// the operation that joins them.
    fn at_edge(&mut self, field: &Array, [low, high]: [Op; 2], op: Op) -> Option<Expr> {
        let high = if high == Op::Ge && self.rng.percent(40) { Op::Eq } else { high };
        let sides = self.tid.iter().enumerate().flat_map(|(axis, here)| {
            let extent = Expr::extent(field.id, axis as u8);
            let first = Expr::op(low, [here.clone(), Expr::index(0)]);
            [first, Expr::op(high, [here + 1, extent])]
        });
        sides.reduce(|all, side| Expr::op(op, [all, side]))
    }

    /// The new value of a cell.
    fn stepped(&mut self, rule: Rule, field: &Array, centre: &Expr, around: &[[Expr; 2]], factor: &Expr) -> Expr {
        let ty = field.elem;
        match rule {
            Rule::Slope => {
                let squares: Vec<Expr> = around
                    .iter()
                    .map(|[before, after]| {
                        let slope = 0.5 * (after - before);
                        let slope = self.known(slope, -2.0, 2.0);
                        let slope = self.bind(&["gx", "gy", "gz", "gw"], slope).expr;
                        self.items.pop();
                        &slope * &slope
                    })
                    .collect();
                let first = Expr::number(1e-4, ty);
                squares.into_iter().fold(first, Add::add).sqrt()
            }
            Rule::Upwind => {
                // Along the first axis, with a flow towards larger indices.
                centre - factor * (centre - &around[0][0])
            }
            Rule::Jacobi => {
                let sum = all_of(around);
                let source = self.leaf(ty);
                let source = self.fit(source, -2.0, 2.0).expr;
                let count = 2.0 * around.len() as f64;
                let share = if count == 2.0 { 0.5 } else { super::super::range_repair::round2(1.0 / count) };
                share * (sum - factor * source)
            }
            _ => {
                let laplacian = self.laplacian(centre, around);
                let moved = factor * laplacian;
                match rule {
                    Rule::Wave => {
                        let before = self.earlier(field);
                        let doubled = 2.0 * centre;
                        doubled - before + moved
                    }
                    Rule::Reaction => {
                        let grown = self.reaction(ty, centre);
                        centre + moved + grown
                    }
                    _ => centre + moved,
                }
            }
        }
    }

    /// The sum of the neighbours minus a multiple of the cell.
    fn laplacian(&mut self, centre: &Expr, around: &[[Expr; 2]]) -> Expr {
        let value = if self.rng.percent(65) {
            all_of(around) - 2.0 * around.len() as f64 * centre
        } else {
            let along = around.iter().map(|[before, after]| before - 2.0 * centre + after);
            let mut along = along.collect::<Vec<_>>().into_iter();
            let first = along.next().unwrap_or_else(|| centre.clone());
            along.fold(first, Add::add)
        };
        if self.rng.percent(30) {
            return value;
        }
        let value = self.known(value, -8.0, 8.0);
        let bound = self.bind(&["laplacian", "lap", "curvature_here", "spread_in"], value).expr;
        self.items.pop();
        bound
    }

    /// The field one step earlier.
    fn earlier(&mut self, field: &Array) -> Expr {
        let name = self.one_of(&["earlier", "u_before", "last_step", "previous_grid"]);
        let array = self.array_named(name, field.elem, field.axes.clone(), field.range);
        Expr::load(array.id, self.tid.clone(), field.elem)
    }

    /// A term of growth and decay that depends on the value.
    fn reaction(&mut self, ty: Type, centre: &Expr) -> Expr {
        let scale = self.rng.pick(&[0.05, 0.1, 0.02]);
        let here = self.known(centre.clone(), -1.0, 2.0);
        let made = match self.rng.below(3) {
            0 => centre * (1.0 - centre),
            1 => {
                let cube = centre * centre * centre;
                centre - cube
            }
            _ => {
                let term = self.made_of(ty, &here, 2);
                self.fit(term, -4.0, 4.0).expr
            }
        };
        scale * made
    }

    fn field_value(&mut self, rule: Rule, field: &Array, value: Expr) -> Term {
        let (low, high) = field.range;
        let reach = high - low;
        match rule {
            Rule::Slope => self.known(value, low.min(0.0), 3.0 * reach.max(high)),
            Rule::Jacobi => self.known(value, low - 0.5, high + 0.5),
            _ => self.known(value, low - 2.5 * reach, high + 2.5 * reach),
        }
    }

    /// Spring forces from other bodies, and a step by Verlet's or Euler's method.
    pub(super) fn springs(&mut self) {
        let vectors = self.float_vectors();
        if vectors.is_empty() || self.kernel.dim > 1 {
            return self.field_step();
        }
        let (ty, number) = (self.rng.pick(&vectors), self.number());
        let name = self.one_of(&["positions", "particles", "nodes", "vertices", "atoms"]);
        let bodies = self.array_named(name, ty, vec![Axis::Launch(0)], (-2.0, 2.0));
        let own = self.known(Expr::load(bodies.id, self.tid.clone(), ty), -2.0, 2.0);
        let own = self.bind(&["xi", "mine", "here_at", "center_pos"], own).expr;
        self.items.pop();
        let attracts = self.rng.percent(35);
        let (count, columns) = self.partners();
        let constants = self.spring_constants(attracts);
        let zero = Expr::number(0.0, number.scalar()).splat(ty);
        let force = self.hidden(&["force_sum", "total_force", "accel", "net"], zero);
        let name = self.one_of(&lexicon::LOOPS);
        let variable = self.local_named(name, Type::INDEX, false);
        let (body, ()) = self.nested(|generator| {
            let slot = variable.expr();
            let other = Expr::load(columns, [generator.tid[0].clone(), slot], Type::I32);
            let other = generator.named_place(&["other", "partner", "nb", "q_id"], other.cast(Type::INDEX));
            let gap = Expr::load(bodies.id, [other], ty) - &own;
            let gap = generator.known(gap, -4.0, 4.0);
            let gap = generator.bind(&["delta", "d_vec", "offset_to", "gap"], gap).expr;
            let pull = generator.pull(attracts, &gap, &constants);
            generator.push(force.update(Op::Add, pull));
        });
        self.push(Stmt::for_loop(variable, 0, count, body));
        self.move_body(ty, force.expr(), own);
        let how = if attracts { "is pulled by" } else { "hangs on springs to" };
        self.tell(if attracts { "nbody" } else { "springs" }, format!("{how} its partners"));
    }

    /// The number of partners of each body, and the array of partners.
    fn partners(&mut self) -> (Expr, kernel_ir::ir::ParamId) {
        let count = self.rng.int(2, 6) as u32;
        let name = self.one_of(&["partners", "neighbor_table", "links_of", "bonded"]);
        let domain = Domain::sizes(kernel_ir::ir::SizeExpr::Literal(0), Axis::Launch(0).size());
        let shape = vec![Axis::Launch(0).size(), Axis::Fixed(count).size()];
        let columns = self.indices(name, Type::I32, shape, domain);
        let end = if self.rng.percent(30) { Expr::extent(columns, 1) } else { Expr::index(count as usize) };
        (end, columns)
    }

    /// Stiffness and rest length, or strength and softening length.
    fn spring_constants(&mut self, attracts: bool) -> [Expr; 2] {
        let ty = self.number();
        let homes = if attracts { [(0.1, 2.0), (0.05, 0.5)] } else { [(0.5, 5.0), (0.2, 1.5)] };
        let names: [&[&str]; 2] = match attracts {
            true => [&["strength", "g_const", "coupling"], &["softening", "eps2", "core2"]],
            false => [&["k_spring", "spring_k", "bond_k"], &["rest_length", "rest", "natural_length"]],
        };
        [0, 1].map(|which: usize| {
            let (low, high) = homes[which];
            if self.rng.percent(30) {
                return Expr::number(super::super::range_repair::round2(self.rng.float(low, high)), ty.scalar());
            }
            let name = self.one_of(names[which]);
            let id = self.param(name, ParamKind::Value(ty), Some(Domain::floats(low, high)));
            Expr::param(id, ty)
        })
    }

    /// The force from a partner. Bodies may coincide, so the distance may be zero.
    fn pull(&mut self, attracts: bool, gap: &Expr, constants: &[Expr; 2]) -> Expr {
        let [first, second] = constants.clone();
        let square = gap.length_squared();
        if attracts {
            let r2 = self.known(square + second, 0.05, 60.0);
            let r2 = self.bind(&["r2", "dist_sq", "d2_soft"], r2).expr;
            let root = r2.sqrt();
            return gap * (first / (&r2 * root));
        }
        let length = match self.rng.below(2) {
            0 => (square + 1e-4).sqrt(),
            _ => gap.length() + 0.01,
        };
        let length = self.known(length, 0.01, 8.0);
        let length = self.bind(&["length_now", "dist", "r_len"], length).expr;
        let stretch = &length - second;
        gap * (first * stretch / length)
    }

    /// The next position or velocity.
    fn move_body(&mut self, ty: Type, force: Expr, own: Expr) {
        let number = self.number();
        let dt = if self.rng.percent(60) {
            let name = self.one_of(&["dt", "time_step", "h_step"]);
            let id = self.param(name, ParamKind::Value(number), Some(Domain::floats(0.01, 0.1)));
            Expr::param(id, number)
        } else {
            Expr::number(self.rng.pick(&[0.01, 0.02, 0.05, 0.1]), number.scalar())
        };
        match self.rng.below(3) {
            0 => {
                let force = self.known(force, -60.0, 60.0);
                self.offer(force);
            }
            1 => {
                let before = self.body_array(ty, &["last_positions", "x_prev", "old_positions"], (-2.0, 2.0));
                let moved = &own + (&own - before);
                let next = moved + force * (&dt * &dt);
                let next = self.known(next, -7.0, 7.0);
                self.bind(&["x_next", "moved_to", "verlet_pos"], next);
            }
            _ => {
                let damp = self.rng.pick(&[0.99, 0.98, 0.95, 0.9]);
                let speed = self.body_array(ty, &["velocities", "vel_in", "speeds"], (-1.0, 1.0));
                let faster = (speed + force * &dt) * damp;
                let faster = self.known(faster, -7.0, 7.0);
                let faster = self.bind(&["v_next", "vel_new", "faster"], faster).expr;
                if self.rng.percent(60) {
                    self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
                    let next = self.known(own + faster * dt, -3.0, 3.0);
                    self.bind(&["x_next", "moved_to", "pos_new"], next);
                }
            }
        }
    }

    fn body_array(&mut self, ty: Type, wishes: &[&str], range: (f64, f64)) -> Expr {
        let name = self.one_of(wishes);
        let array = self.array_named(name, ty, vec![Axis::Launch(0)], range);
        Expr::load(array.id, self.tid.clone(), ty)
    }
}

/// The sum of all neighbours.
fn all_of(around: &[[Expr; 2]]) -> Expr {
    let mut all = around.iter().flatten().cloned();
    let first = all.next().unwrap_or_else(|| Expr::index(0));
    all.fold(first, Add::add)
}

fn rule_words(rule: Rule) -> &'static str {
    match rule {
        Rule::Diffusion => "makes a step of the diffusion of",
        Rule::Wave => "makes a step of the waves in",
        Rule::Jacobi => "makes a step of Jacobi's method for",
        Rule::Slope => "finds how steep it is in",
        Rule::Upwind => "moves on what flows through",
        Rule::Reaction => "makes a step of the reaction and diffusion of",
    }
}

fn edge_words(edge: Edge) -> &'static str {
    match edge {
        Edge::Left => "the edges left alone",
        Edge::Kept => "the edges as they are",
        Edge::Repeated => "the edges repeated",
        Edge::Wrapped => "wrapped around",
    }
}
