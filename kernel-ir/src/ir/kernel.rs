//! Methods of kernels, parameters, locals and domains.

use super::{
    Block, Domain, ExprKind, Kernel, Local, LocalId, Param, ParamId, ParamKind, SizeExpr, Span, StmtKind, StructId,
    Type, ValueRange,
};

use std::ops::Range;

impl Kernel {
    /// The largest value of [`Kernel::slots`]. Every thread has memory for that many states.
    pub const MOST_SLOTS: u32 = 1024;

    /// The arguments of `#[kernel(…)]` apart from the family, each after a comma.
    pub(crate) fn arguments(&self) -> String {
        let in_order = if self.in_order { ", in_order" } else { "" };
        let no_grad = if self.no_grad { ", no_grad" } else { "" };
        let slots = self.slots.map_or_else(String::new, |slots| format!(", slots = {slots}"));
        format!("{in_order}{no_grad}{slots}")
    }

    /// Whether the kernel prints messages.
    pub(crate) fn has_messages(&self) -> bool {
        self.body.iter().any(|stmt| stmt.any(&mut |stmt| matches!(stmt.kind, StmtKind::Print(_))))
    }

    /// Removes the messages, and the branches that do nothing else.
    pub(crate) fn remove_messages(&mut self) {
        fn remove(block: &mut Block) {
            block.retain_mut(|stmt| {
                let had_none = stmt.blocks().all(Vec::is_empty);
                stmt.blocks_mut().for_each(remove);
                let is_empty = matches!(stmt.kind, StmtKind::If { .. }) && stmt.blocks().all(Vec::is_empty);
                !matches!(stmt.kind, StmtKind::Print(_)) && (had_none || !is_empty)
            });
        }
        if self.has_messages() {
            remove(&mut self.body);
        }
    }

    /// Code of a device function: without a launch, and without a name, parameters and a body.
    pub(crate) fn of_function() -> Kernel {
        Kernel {
            name: String::new(),
            family: String::new(),
            doc: Vec::new(),
            dim: 0,
            block: None,
            in_order: false,
            no_grad: false,
            slots: None,
            params: Vec::new(),
            locals: Vec::new(),
            body: Vec::new(),
        }
    }

    /// The structs and tuples that the kernel and its functions use, without duplicates. A struct comes after those of
    /// its fields.
    pub fn structs(&self) -> Vec<StructId> {
        let mut found = Vec::new();
        for function in self.functions() {
            add_struct(function.ret, &mut found);
            add_structs_of(&function.code, &mut found);
        }
        add_structs_of(self, &mut found);
        found
    }

    /// The numbers of the [columns](crate::columns) of each parameter.
    pub fn columns(&self) -> Vec<Range<usize>> {
        let mut next = 0;
        let columns = |param: &Param| {
            let first = next;
            next += param.elem().leaves().len();
            first..next
        };
        self.params.iter().map(columns).collect()
    }

    /// The parameter `id`.
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.0 as usize]
    }

    /// The local `id`.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// The parameters with their ids.
    pub fn param_ids(&self) -> impl Iterator<Item = (ParamId, &Param)> {
        (0..).map(ParamId).zip(&self.params)
    }
}

fn add_structs_of(code: &Kernel, found: &mut Vec<StructId>) {
    code.params.iter().for_each(|param| add_struct(param.elem(), found));
    code.locals.iter().for_each(|local| add_struct(local.ty, found));
    code.walk_exprs(&mut |expr| {
        if let ExprKind::Struct(_) = expr.kind {
            add_struct(expr.ty, found);
        }
    });
}

fn add_struct(ty: Type, found: &mut Vec<StructId>) {
    let Some(id) = ty.as_struct().filter(|id| !found.contains(id)) else { return };
    id.fields.iter().for_each(|field| add_struct(field.ty, found));
    found.push(id);
}

impl Local {
    /// Appends a mutable local to `locals` and returns its id.
    pub(crate) fn fresh(locals: &mut Vec<Local>, name: impl Into<String>, ty: Type) -> LocalId {
        locals.push(Local { name: name.into(), ty, mutable: true, len: None, span: Span::NONE });
        LocalId(u32::try_from(locals.len() - 1).expect("a kernel has fewer than 2^32 locals"))
    }
}

impl Param {
    /// The extent of an array of a device function along each axis: the array of the caller has the extent.
    pub const NO_EXTENT: SizeExpr = SizeExpr::Literal(0);

    /// The type of the value, or of an element of the array.
    pub fn elem(&self) -> Type {
        match self.kind {
            ParamKind::Value(ty) | ParamKind::Array { elem: ty, .. } => ty,
        }
    }

    /// The type of the parameter in Rust.
    pub fn rust_type(&self) -> String {
        let ParamKind::Array { elem, mutable, optional, shape } = &self.kind else { return self.elem().rust_name() };
        let reference = if *mutable { "&mut " } else { "&" };
        let array = match shape.len() {
            1 => format!("{reference}[{}]", elem.rust_name()),
            rank => format!("{reference}Array{rank}<{}>", elem.rust_name()),
        };
        if *optional { format!("Option<{array}>") } else { array }
    }

    /// The number of array axes; 0 for a value.
    pub fn rank(&self) -> usize {
        match &self.kind {
            ParamKind::Value(_) => 0,
            ParamKind::Array { shape, .. } => shape.len(),
        }
    }

    /// Whether the parameter is an array. An array without axes is one element; only code that is inserted takes such.
    pub fn is_array(&self) -> bool {
        matches!(self.kind, ParamKind::Array { .. })
    }

    /// The sizes in the shape and the domain.
    pub fn sizes(&self) -> Vec<&SizeExpr> {
        let mut sizes: Vec<&SizeExpr> = match &self.kind {
            ParamKind::Value(_) => Vec::new(),
            ParamKind::Array { shape, .. } => shape.iter().collect(),
        };
        if let Some(Domain { range: ValueRange::Int { low, high }, .. }) = &self.domain {
            sizes.extend([low, high]);
        }
        sizes
    }

    /// The mutable sizes in the shape and the domain, in order.
    pub fn sizes_mut(&mut self) -> impl Iterator<Item = &mut SizeExpr> {
        let shape = match &mut self.kind {
            ParamKind::Value(_) => None,
            ParamKind::Array { shape, .. } => Some(shape.iter_mut()),
        };
        shape.into_iter().flatten().chain(self.domain.iter_mut().flat_map(Domain::sizes_mut))
    }

    /// Whether the parameter is an array that a launch may leave out. Of such an array the kernel tests the presence
    /// before it accesses an element: an access to an absent array is out of bounds, because its extents are 0.
    pub fn is_optional(&self) -> bool {
        matches!(self.kind, ParamKind::Array { optional: true, .. })
    }

    /// Whether the parameter is an array that the kernel may write.
    pub fn is_mutable(&self) -> bool {
        matches!(self.kind, ParamKind::Array { mutable: true, .. })
    }
}
