//! Structs: arrays of them, read or changed in place, and structs as parameters.

use super::super::generator::{Axis, Generator, Term};
use super::super::notes::Mark;
use kernel_ir::ir::{
    Domain, Expr, Field, ParamId, ParamKind, Place, Projection, Scalar, Shape, Struct, StructId, Type,
};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

/// A kind of field: a number, a vector of three numbers, or a small integer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Vector,
    Integer,
}

/// A struct that kernels have: name, what it is, and fields.
struct Template {
    name: &'static str,
    doc: &'static str,
    /// The name of an array of such structs, and of one of them.
    names: (&'static str, &'static str),
    fields: &'static [(&'static str, Kind)],
    /// The range of all floats.
    range: (f64, f64),
}

use Kind::{Integer, Number, Vector};

static TEMPLATES: [Template; 12] = [
    Template {
        name: "Particle",
        doc: "A particle.",
        names: ("particles", "particle"),
        fields: &[("position", Vector), ("velocity", Vector), ("mass", Number)],
        range: (0.1, 2.0),
    },
    Template {
        name: "Ray",
        doc: "A ray.",
        names: ("rays", "ray"),
        fields: &[("origin", Vector), ("direction", Vector)],
        range: (-1.0, 1.0),
    },
    Template {
        name: "Aabb",
        doc: "A box along the axes: its centre and half its size.",
        names: ("boxes", "bounds"),
        fields: &[("center", Vector), ("half_size", Vector)],
        range: (0.2, 1.5),
    },
    Template {
        name: "Material",
        doc: "The properties of a material.",
        names: ("materials", "material"),
        fields: &[("density", Number), ("stiffness", Number), ("damping", Number)],
        range: (0.1, 3.0),
    },
    Template {
        name: "Light",
        doc: "A light.",
        names: ("lights", "light"),
        fields: &[("position", Vector), ("color", Vector), ("intensity", Number)],
        range: (0.1, 2.0),
    },
    Template {
        name: "Contact",
        doc: "A contact of two bodies.",
        names: ("contacts_found", "contact"),
        fields: &[("normal", Vector), ("depth", Number), ("friction", Number), ("shape", Integer)],
        range: (0.05, 1.0),
    },
    Template {
        name: "Neuron",
        doc: "The state of a neuron.",
        names: ("neurons", "neuron"),
        fields: &[("potential", Number), ("recovery", Number), ("threshold", Number)],
        range: (-1.0, 1.0),
    },
    Template {
        name: "Cell",
        doc: "A cell of a fluid.",
        names: ("cells", "cell_state"),
        fields: &[("density", Number), ("momentum", Vector), ("energy", Number)],
        range: (0.2, 2.0),
    },
    Template {
        name: "Params",
        doc: "The parameters of a launch.",
        names: ("settings", "params"),
        fields: &[("gain", Number), ("offset", Number), ("rate", Number), ("mode", Integer)],
        range: (0.1, 1.5),
    },
    Template {
        name: "Spring",
        doc: "A spring.",
        names: ("springs", "spring_of"),
        fields: &[("rest_length", Number), ("stiffness", Number), ("anchor", Vector)],
        range: (0.2, 2.0),
    },
    Template {
        name: "Moment",
        doc: "Running statistics of a signal.",
        names: ("moments_of", "stats"),
        fields: &[("mean", Number), ("variance", Number), ("count", Integer)],
        range: (0.1, 2.0),
    },
    Template {
        name: "Camera",
        doc: "A camera.",
        names: ("cameras", "camera"),
        fields: &[("eye", Vector), ("forward", Vector), ("focal_length", Number)],
        range: (0.2, 1.5),
    },
];

impl Template {
    /// The struct, with floats of this type.
    fn with(&self, float: Scalar) -> StructId {
        let field = |(name, kind): &(&str, Kind)| Field { name: (*name).to_owned(), ty: kind.ty(float) };
        let fields = self.fields.iter().map(field).collect();
        Struct { name: self.name.to_owned(), doc: vec![self.doc.to_owned()], fields, variants: Vec::new(), warp: None }
            .intern()
    }
}

impl Kind {
    fn ty(self, float: Scalar) -> Type {
        match self {
            Kind::Number => float.into(),
            Kind::Vector => Type::vector(float, 3),
            Kind::Integer => Type::I32,
        }
    }
}

impl Generator {
    /// A template whose name and fields are free.
    fn template(&mut self) -> &'static Template {
        &TEMPLATES[self.rng.below(TEMPLATES.len())]
    }

    /// The fields of a struct, as terms.
    fn fields_of(&mut self, template: &Template, whole: &Expr, is_shared: bool) -> Vec<Term> {
        let (low, high) = template.range;
        let mut terms = Vec::new();
        for (number, (_, kind)) in (0..).zip(template.fields) {
            let (low, high) = if *kind == Kind::Integer { (0.0, 8.0) } else { (low, high) };
            let mut term = self.known(whole.clone().field(number), low, high);
            term.samples.by_thread = !is_shared;
            term.size = 2;
            terms.push(term);
        }
        terms
    }

    /// Offers some of the fields, or combines them.
    fn offer_fields(&mut self, mut terms: Vec<Term>) {
        while terms.len() > 1 && self.rng.percent(25) {
            let place = self.rng.below(terms.len());
            terms.remove(place);
        }
        for term in &terms {
            if term.ty().is_vector() {
                self.add_vector(term.ty());
            }
        }
        terms.into_iter().for_each(|term| self.offer(term));
    }

    fn add_vector(&mut self, ty: Type) {
        if !self.shapes.contains(&ty) {
            self.shapes.push(ty);
        }
    }

    /// An array of structs that is read: the thread's own, or one that an index names.
    pub(super) fn struct_array(&mut self) {
        if self.rng.percent(55) {
            return self.struct_in_place();
        }
        let template = self.template();
        let ty = Type::of_struct(template.with(self.float));
        let gathers = self.rng.percent(35);
        let (axes, index) = if gathers {
            let axis = Axis::Fixed(self.rng.int(3, 9) as u32);
            (vec![axis], vec![self.pointer(axis)])
        } else {
            (self.launch_axes(), self.tid.clone())
        };
        let id = self.struct_param(template, ty, false, Some(&axes));
        let element = Expr::load(id, index, ty);
        let whole = if gathers || self.rng.percent(60) {
            let local = self.local(template.names.1, ty, false);
            self.push(local.declare(element));
            local.expr()
        } else {
            element
        };
        let terms = self.fields_of(template, &whole, false);
        self.offer_fields(terms);
        self.note(Mark::Array(id), "structs", format!("reads the fields of {}", article(template)));
    }

    /// A parameter, or an array if `axes` are given, of the struct.
    fn struct_param(&mut self, template: &Template, ty: Type, mutable: bool, axes: Option<&[Axis]>) -> ParamId {
        let (many, one) = template.names;
        let name = self.name(if axes.is_some() { many } else { one });
        let kind = match axes {
            None => ParamKind::Value(ty),
            Some(axes) => {
                let shape = axes.iter().map(|axis| axis.size()).collect();
                ParamKind::Array { elem: ty, mutable, optional: false, shape }
            }
        };
        self.param(name, kind, Some(Domain::floats(template.range.0, template.range.1)))
    }

    /// An array of structs whose fields the thread changes.
    fn struct_in_place(&mut self) {
        let template = self.template();
        let ty = Type::of_struct(template.with(self.float));
        let axes = self.launch_axes();
        let id = self.struct_param(template, ty, true, Some(&axes));
        let whole = Expr::load(id, self.tid.clone(), ty);
        let terms = self.fields_of(template, &whole, false);
        let number = self.number();
        let vectors: Vec<usize> =
            (0..terms.len()).filter(|field| matches!(terms[*field].ty().shape, Shape::Vector(_))).collect();
        let place = |field: usize| {
            let mut place = Place::element(id, self.tid.clone(), ty);
            place.path.push(Projection::Field(field as u8));
            place.ty = ty.field(field as u8);
            place
        };
        let places: Vec<Place> = (0..terms.len()).map(place).collect();
        if let [first, second, ..] = vectors[..]
            && self.rng.percent(60)
        {
            // A rate changes, and what it is the rate of follows.
            let step = self.term(number, 1);
            let step = self.fit(step, 0.01, 0.5);
            let step = self.bind(&["dt", "step_size", "time_step"], step);
            self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
            let rate = self.rng.pick(&[0.9, 0.95, 0.98, 0.5]);
            self.push(places[second].clone().update(Op::Mul, Expr::number(rate, number)));
            self.push(places[first].clone().update(Op::Add, &terms[second].expr * step.expr));
        }
        let mut changed = 0;
        for (field, term) in terms.iter().enumerate() {
            if !(term.ty().is_float() && term.ty().is_scalar() && self.rng.percent(70)) {
                continue;
            }
            let value = self.term(number, 1);
            let value = self.fit(value, -2.0, 2.0);
            let rate = Expr::number(self.rng.pick(&[0.1, 0.25, 0.5, 0.05]), number);
            let stmt = match self.rng.percent(60) {
                true => places[field].clone().update(Op::Add, rate * (value.expr - &term.expr)),
                false => places[field].clone().set(value.expr),
            };
            self.push(stmt);
            changed += 1;
        }
        if (changed == 0 || self.rng.percent(40))
            && let Some(field) = vectors.first()
        {
            let sum = Expr::number(self.rng.pick(&[0.1, 0.5, -0.25]), number).splat(terms[*field].ty());
            self.push(places[*field].clone().update(Op::Add, sum));
        }
        self.has_stored = true;
        self.note(Mark::Effect, "structs", format!("changes the fields of {}", article(template)));
    }

    /// A struct by value.
    pub(super) fn struct_value(&mut self) {
        let template = self.template();
        let ty = Type::of_struct(template.with(self.float));
        let id = self.struct_param(template, ty, false, None);
        let terms = self.fields_of(template, &Expr::param(id, ty), true);
        self.offer_fields(terms);
        let name = super::super::docgen::words(&self.kernel.param(id).name);
        self.note(Mark::Array(id), "configured", format!("takes its constants from {name}"));
    }
}

/// The name of the struct, with an article.
fn article(template: &Template) -> String {
    let name = template.name;
    let vowel = name.starts_with(['A', 'E', 'I', 'O', 'U']);
    format!("{} `{name}`", if vowel { "an" } else { "a" })
}
