//! Splits local arrays into vectors, so that the passes behind this one know no local arrays.
//!
//! An array becomes locals of up to 16 elements each: vectors for numbers, matrices for vectors, and one local for each
//! element of another type. An element is then a component or a column, which may be selected at run time, and an
//! assignment to it is an assignment to a part of a local. So the rules for the state of loops, for overwritten values
//! and for branches, which hold for locals, hold for arrays as they are.

use crate::diag::Diagnostic;
use crate::ir::{
    Block, Expr, ExprKind, Kernel, Local, LocalId, LocalMap, Place, PlaceRoot, Projection, Stmt, StmtKind, Type,
    first_values,
};
use crate::ops::Op;
use crate::rewrite::build::{binary, compare, declare, expr, index, zero};

/// The largest number of scalars in an array. A sweep copies the locals of an array where it changes, so long arrays
/// cost more than they are worth.
const MOST_SCALARS: usize = 64;

/// Splits the local arrays in `kernel`.
///
/// # Errors
/// A diagnostic for each array that is too long, unless no derivative can go through the kernel.
pub(crate) fn split_arrays(kernel: &mut Kernel) -> Result<(), Vec<Diagnostic>> {
    if kernel.locals.iter().all(|local| local.len.is_none()) {
        return Ok(());
    }
    let has_outputs = kernel.params.iter().any(|param| param.is_mutable() && param.elem().is_float());
    let size = |local: &Local| local.len.unwrap_or_default() as usize * local.ty.components();
    let too_long = kernel.locals.iter().filter(|local| has_outputs && size(local) > MOST_SCALARS);
    let mistakes: Vec<Diagnostic> = too_long.map(|local| too_large(local, size(local))).collect();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut splitter = Splitter { arrays: LocalMap::default(), locals: std::mem::take(&mut kernel.locals) };
    for id in (0..splitter.locals.len() as u32).map(LocalId) {
        splitter.split_local(id);
    }
    kernel.body = splitter.block(std::mem::take(&mut kernel.body));
    kernel.locals = splitter.locals;
    Ok(())
}

fn too_large(local: &Local, size: usize) -> Diagnostic {
    Diagnostic::new(
        local.span,
        format!(
            "no gradient: `{}` holds {size} numbers, and the gradient of a kernel has local arrays of up to \
             {MOST_SCALARS} numbers",
            local.name
        ),
    )
    .help("use a shorter array or an array parameter, or mark the kernel `no_grad`")
}

/// An array: the type of its elements, and the locals that hold them.
#[derive(Clone)]
struct Array {
    elem: Type,
    /// The number of elements in each local but the last.
    per_chunk: u32,
    chunks: Vec<Chunk>,
}

/// Consecutive elements of an array.
#[derive(Clone, Copy)]
struct Chunk {
    local: LocalId,
    /// The type of the local: that of an element, or one whose parts are elements.
    ty: Type,
    /// The number of the first element.
    first: u32,
    len: u32,
}

/// The type with `len` parts of type `elem`; `None` if the language has none.
fn of_parts(elem: Type, len: u32) -> Option<Type> {
    let len = u8::try_from(len).ok().filter(|len| (2..=Type::MOST_PARTS).contains(len))?;
    let ty = if elem.is_scalar() {
        Type::vector(elem.scalar(), len)
    } else if elem.is_vector() {
        Type::matrix(elem.scalar(), elem.parts(), len)
    } else {
        return None;
    };
    ty.is_admitted().then_some(ty)
}

impl Chunk {
    /// The projection from the local to an element; `None` if the local is the element.
    fn projection(self, element: Expr) -> Option<Projection> {
        if self.len == 1 {
            None
        } else if self.ty.is_matrix() {
            Some(Projection::Column(element))
        } else {
            Some(Projection::Component(element))
        }
    }

    /// The number of an element within the chunk.
    fn offset(self, element: Expr) -> Expr {
        match (self.first, element.as_integer()) {
            (0, _) => element,
            (first, Some(number)) => index(u32::try_from(number).unwrap_or_default().saturating_sub(first)),
            (first, None) => binary(Op::Sub, element, index(first)),
        }
    }

    /// The value of an element.
    fn read(self, element: Expr, elem: Type) -> Expr {
        let whole = expr(ExprKind::Local(self.local), self.ty);
        let base = Box::new(whole.clone());
        match self.projection(self.offset(element)) {
            None => whole,
            Some(Projection::Column(at)) => expr(ExprKind::Column(base, Box::new(at)), elem),
            Some(Projection::Component(at)) => expr(ExprKind::Component(base, Box::new(at)), elem),
            Some(Projection::Field(number)) => expr(ExprKind::Field(base, number), elem),
        }
    }

    /// The place in an element that `place` is in the element of the array.
    fn place(self, element: Expr, place: &Place) -> Place {
        let path = self.projection(self.offset(element)).into_iter().chain(place.path.iter().cloned()).collect();
        Place { root: PlaceRoot::Local(self.local), path, ..place.clone() }
    }

    /// Whether the element is in the chunk.
    fn holds(self, element: &Expr) -> Expr {
        if self.len == 1 {
            return compare(Op::Eq, element.clone(), index(self.first));
        }
        let is_below = compare(Op::Lt, element.clone(), index(self.first + self.len));
        if self.first == 0 {
            return is_below;
        }
        compare(Op::And, compare(Op::Ge, element.clone(), index(self.first)), is_below)
    }
}

impl Array {
    fn len(&self) -> u32 {
        self.chunks.iter().map(|chunk| chunk.len).sum()
    }

    /// The chunk of an element whose number is a constant.
    fn chunk_of(&self, element: &Expr) -> Option<Chunk> {
        if let [only] = self.chunks.as_slice() {
            return Some(*only);
        }
        let number = usize::try_from(element.as_integer()?).ok()?;
        self.chunks.get(number / self.per_chunk as usize).copied()
    }

    /// The value of an element.
    fn read(&self, element: &Expr) -> Expr {
        if let Some(chunk) = self.chunk_of(element) {
            return chunk.read(element.clone(), self.elem);
        }
        let values = self.chunks.iter().rev().map(|chunk| (chunk, chunk.read(element.clone(), self.elem)));
        let select = |other: Expr, (chunk, then): (&Chunk, Expr)| {
            let is_below = compare(Op::Lt, element.clone(), index(chunk.first + chunk.len));
            let [cond, then, other] = [is_below, then, other].map(Box::new);
            expr(ExprKind::Select { cond, then, other }, self.elem)
        };
        let mut values = values;
        let last = values.next().map_or_else(|| zero(self.elem), |(_, value)| value);
        values.fold(last, select)
    }
}

struct Splitter {
    arrays: LocalMap<Array>,
    locals: Vec<Local>,
}

impl Splitter {
    /// Makes the locals for an array. The first of them takes its place.
    fn split_local(&mut self, id: LocalId) {
        let Local { name, ty: elem, len: Some(len), .. } = self.locals[id.0 as usize].clone() else { return };
        let per_chunk = of_parts(elem, len.clamp(2, Type::MOST_PARTS.into())).map_or(1, |ty| ty.parts().into());
        let mut chunks = Vec::new();
        for first in (0..len).step_by(per_chunk as usize) {
            let len = per_chunk.min(len - first);
            let ty = of_parts(elem, len).unwrap_or(elem);
            let local = if first == 0 { id } else { Local::fresh(&mut self.locals, format!("{name}_{first}"), ty) };
            chunks.push(Chunk { local, ty, first, len });
        }
        let local = &mut self.locals[id.0 as usize];
        (local.ty, local.len, local.mutable) = (chunks[0].ty, None, true);
        self.arrays.insert(id, Array { elem, per_chunk, chunks });
    }

    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::new();
        let mut rest = block.as_slice();
        while let Some((stmt, behind)) = rest.split_first() {
            rest = behind;
            match &stmt.kind {
                StmtKind::Let { local, init: None } if let Some(array) = self.arrays.get(*local) => {
                    let array = array.clone();
                    let values = first_values(*local, array.len(), rest);
                    rest = &rest[values.len()..];
                    self.declare(&array, &values, stmt, &mut out);
                }
                StmtKind::Let { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Update { .. }
                | StmtKind::Atomic { .. }
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_)
                | StmtKind::Print(_) => self.stmt(stmt.clone(), &mut out),
            }
        }
        out
    }

    /// Declares the locals of an array, with its first values or with zeros.
    fn declare(&mut self, array: &Array, values: &[&Expr], stmt: &Stmt, out: &mut Block) {
        for chunk in &array.chunks {
            let own = values.iter().skip(chunk.first as usize).take(chunk.len as usize);
            let own: Vec<Expr> = own.map(|value| self.split((*value).clone())).collect();
            let init = match own.as_slice() {
                [] => zero(chunk.ty),
                [only] if chunk.len == 1 => only.clone(),
                _ if chunk.ty.is_matrix() => Expr::op_to(Op::MatFromCols, own, chunk.ty),
                _ => Expr::op_to(Op::VecNew, own, chunk.ty),
            };
            out.push(Stmt { span: stmt.span, ..declare(chunk.local, init) });
        }
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Block) {
        stmt.exprs_mut().for_each(|value| {
            let own = std::mem::replace(value, index(0));
            *value = self.split(own);
        });
        for block in stmt.blocks_mut() {
            *block = self.block(std::mem::take(block));
        }
        if let Some(Place { root: PlaceRoot::LocalElement { local, index }, .. }) = stmt.place()
            && let Some(array) = self.arrays.get(*local)
        {
            let (array, element) = (array.clone(), index.clone());
            return self.write(stmt, &array, element, out);
        }
        out.push(stmt);
    }

    /// Appends a statement that changes an element of an array.
    fn write(&mut self, mut stmt: Stmt, array: &Array, element: Expr, out: &mut Block) {
        let Some(place) = stmt.place().cloned() else { return };
        if let Some(chunk) = array.chunk_of(&element) {
            stmt.place_mut().into_iter().for_each(|own| *own = chunk.place(element.clone(), &place));
            out.push(stmt);
            return;
        }
        // Value and index are computed once, in the order of the assignment. Then one of the statements runs.
        if let StmtKind::Assign { value, .. } | StmtKind::Update { value, .. } = &mut stmt.kind {
            let own = std::mem::replace(value, index(0));
            *value = self.named("value", own, out);
        }
        let element = self.named("at", element, out);
        for chunk in &array.chunks {
            let mut own = stmt.clone();
            own.place_mut().into_iter().for_each(|own| *own = chunk.place(element.clone(), &place));
            out.push(Stmt { span: stmt.span, ..Stmt::when(chunk.holds(&element), [own]) });
        }
    }

    /// The value as a name or a constant.
    fn named(&mut self, name: &str, value: Expr, out: &mut Block) -> Expr {
        if matches!(value.kind, ExprKind::Literal(_) | ExprKind::Param(_) | ExprKind::Tid(_)) {
            return value;
        }
        let (ty, local) = (value.ty, Local::fresh(&mut self.locals, name, value.ty));
        out.push(declare(local, value));
        expr(ExprKind::Local(local), ty)
    }

    /// The value over the locals of the arrays.
    fn split(&self, mut value: Expr) -> Expr {
        for child in value.children_mut() {
            let own = std::mem::replace(child, index(0));
            *child = self.split(own);
        }
        if let ExprKind::LocalElement { local, index } = &value.kind
            && let Some(array) = self.arrays.get(*local)
        {
            return Expr { span: value.span, ..array.read(index) };
        }
        value
    }
}
