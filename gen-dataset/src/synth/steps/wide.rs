//! Vectors of five and more components, and matrices that are not square.

use super::super::docgen;
use super::super::generator::Generator;
use super::super::lexicon;
use super::super::notes::Mark;
use kernel_ir::ir::{Domain, Expr, ParamKind, Place, Stmt, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

impl Generator {
    pub(super) fn wide_vector(&mut self) {
        let size = self.rng.pick(&[6, 6, 6, 5, 8, 12]);
        let ty = Type::vector(self.float, size);
        let names = ["twist", "wrench", "state_vec", "features_vec", "moments_vec", "descriptor"];
        let name = self.one_of(&names);
        let axes = self.launch_axes();
        let array = self.array_named(name, ty, axes.clone(), (-1.0, 1.0));
        self.arrays.pop();
        let number = self.number();
        let value = self.local("whole", ty, false);
        self.push(value.declare(Expr::load(array.id, self.tid.clone(), ty)));
        let other = if self.rng.percent(60) {
            let name = self.one_of(&["axis_vec", "direction_vec", "basis_vec", "reference_vec"]);
            let id = self.param(name, ParamKind::Value(ty), Some(Domain::floats(-1.0, 1.0)));
            Expr::param(id, ty)
        } else {
            value.expr()
        };
        let reach = f64::from(size);
        let words = docgen::words(&self.kernel.param(array.id).name);
        match self.rng.below(4) {
            0 => {
                let dot = value.dot(other);
                let dot = self.known(dot, -reach, reach);
                self.bind(&["projection", "power_found", "alignment"], dot);
                self.tell("dot", format!("projects {words} of {size} numbers"));
            }
            1 => {
                let sum = self.hidden(&lexicon::SUMS, Expr::number(0.0, number));
                let k = self.local("component", Type::INDEX, false);
                let part = value.part(k);
                let term = if self.rng.percent(50) { part.abs() } else { &part * &part };
                self.push(Stmt::for_loop(k, 0, Expr::index(size.into()), vec![sum.update(Op::Add, term)]));
                let sum = self.known(sum.expr(), 0.0, reach);
                self.offer(sum);
                self.tell("norm", format!("takes a norm of {words}"));
            }
            _ => {
                let factor = self.term(number, 1);
                let factor = self.fit(factor, -2.0, 2.0);
                let scaled = value * factor.expr;
                let moved = if self.rng.percent(60) && other != value.expr() { scaled + other } else { scaled };
                let id = self.output(&["twist_out", "wrench_out", "state_out", "features_out"], ty, &axes, None);
                self.push(Place::element(id, self.tid.clone(), ty).set(moved));
                self.has_stored = true;
                self.note(Mark::Effect, "scale", format!("scales {words} of {size} numbers"));
            }
        }
    }

    pub(super) fn oblong_matrix(&mut self) {
        let (rows, columns) = self.rng.pick(&[(2, 3), (3, 2), (3, 4), (2, 4), (6, 3), (4, 3), (6, 6)]);
        let ty = Type::matrix(self.float, rows, columns);
        let name = self.one_of(&["projection", "jacobian_rows", "affine", "camera_rows", "mixing_rows"]);
        let axes = self.launch_axes();
        let array = self.array_named(name, ty, axes, (-1.0, 1.0));
        self.arrays.pop();
        let vector = Type::vector(self.float, columns);
        let name = self.one_of(&["point_in", "weights_in", "coords", "inputs_vec"]);
        let axes = self.launch_axes();
        let input = self.array_named(name, vector, axes, (-1.0, 1.0));
        self.arrays.pop();
        let matrix = Expr::load(array.id, self.tid.clone(), ty);
        let product = matrix * Expr::load(input.id, self.tid.clone(), vector);
        let image = self.local("image_vec", product.ty, false);
        self.push(image.declare(product));
        let reach = f64::from(columns);
        for number in 0..self.rng.pick(&[1, 2]) {
            let part = self.known(image.part(Expr::index(number)), -reach, reach);
            self.offer(part);
        }
        if self.rng.percent(50) {
            let square = image.dot(image);
            let square = self.known(square, 0.0, reach * reach * f64::from(rows));
            self.bind(&["squared_length", "image_energy", "norm_squared"], square);
        }
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.tell("project", format!("multiplies a {rows} × {columns} matrix of {name} by a vector"));
    }
}
