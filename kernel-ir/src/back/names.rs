//! Names for an emitted function: the author's own wherever the target allows, made safe and unique where not.

use crate::ir::{Block, Kernel, LocalId, ParamId, StmtKind, Type};
use std::collections::{HashMap, HashSet};

/// Where a name of the target language is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scoping {
    /// To the end of its block, as in C: blocks side by side may use a name again.
    Block,
    /// In the whole function, as in Python: only `for` variables of one type may use a name again, one loop after the
    /// other.
    Function,
}

/// The names of one emitted function.
#[derive(Debug)]
pub(super) struct Names {
    kernel: String,
    params: Vec<String>,
    locals: HashMap<LocalId, String>,
    taken: HashSet<String>,
}

impl Names {
    /// Names everything in `kernel`. `reserved` says which names the target keeps for itself; a name that it keeps
    /// gets an underscore at its end, a name that is in use already gets a number.
    pub(super) fn new(kernel: &Kernel, scoping: Scoping, reserved: &dyn Fn(&str) -> bool) -> Names {
        let mut naming =
            Naming { kernel, scoping, reserved, visible: HashSet::new(), free: HashMap::new(), ever: HashSet::new() };
        let kernel_name = naming.safe(&kernel.name);
        naming.visible.insert(kernel_name.clone());
        let params = kernel.params.iter().map(|param| naming.declare(&param.name)).collect();
        let mut locals = HashMap::new();
        naming.block(&kernel.body, &mut locals);
        let taken = naming.ever;
        Names { kernel: kernel_name, params, locals, taken }
    }

    /// The name of the function itself.
    pub(super) fn kernel(&self) -> &str {
        &self.kernel
    }

    /// The name of a parameter.
    pub(super) fn param(&self, id: ParamId) -> &str {
        &self.params[id.0 as usize]
    }

    /// The name of a local.
    pub(super) fn local(&self, id: LocalId) -> &str {
        &self.locals[&id]
    }

    /// A name for something of the writer's own, such as a launch size: `wish` if it is free, else with a number.
    pub(super) fn fresh(&mut self, wish: &str) -> String {
        let name = numbered(wish).find(|name| !self.taken.contains(name)).expect("the numbers do not end");
        self.taken.insert(name.clone());
        name
    }
}

/// The state of naming one kernel.
struct Naming<'a> {
    kernel: &'a Kernel,
    scoping: Scoping,
    reserved: &'a dyn Fn(&str) -> bool,
    /// What a new name must not hide.
    visible: HashSet<String>,
    /// The visible names that another `for` may take, with the type that they have.
    free: HashMap<String, Type>,
    /// Every name that was given.
    ever: HashSet<String>,
}

impl Naming<'_> {
    fn safe(&self, wish: &str) -> String {
        let mut name = match wish.strip_prefix("r#").unwrap_or(wish) {
            "_" => "k".to_owned(),
            plain => plain.to_owned(),
        };
        while (self.reserved)(&name) {
            name.push('_');
        }
        name
    }

    fn declare_loop(&mut self, wish: &str, ty: Type) -> String {
        let safe = self.safe(wish);
        if self.free.get(&safe) == Some(&ty) {
            self.free.remove(&safe);
            return safe;
        }
        self.declare(wish)
    }

    fn declare(&mut self, wish: &str) -> String {
        let safe = self.safe(wish);
        let name = numbered(&safe)
            .find(|name| !self.visible.contains(name) && !(self.reserved)(name))
            .expect("the numbers do not end");
        self.visible.insert(name.clone());
        self.ever.insert(name.clone());
        name
    }

    fn block(&mut self, block: &Block, locals: &mut HashMap<LocalId, String>) {
        let outside = self.visible.clone();
        for stmt in block {
            match &stmt.kind {
                StmtKind::Let { local, .. } => {
                    locals.insert(*local, self.declare(&self.kernel.local(*local).name));
                }
                StmtKind::For { local, body, .. } => {
                    let ty = self.kernel.local(*local).ty;
                    let name = self.declare_loop(&self.kernel.local(*local).name, ty);
                    self.block(body, locals);
                    match self.scoping {
                        Scoping::Block => drop(self.visible.remove(&name)),
                        Scoping::Function => drop(self.free.insert(name.clone(), ty)),
                    }
                    locals.insert(*local, name);
                }
                _ => {
                    for inner in stmt.blocks() {
                        self.block(inner, locals);
                    }
                }
            }
        }
        if self.scoping == Scoping::Block {
            self.visible = outside;
        }
    }
}

/// `name`, `name_1`, `name_2` and so on.
fn numbered(name: &str) -> impl Iterator<Item = String> + '_ {
    std::iter::once(name.to_owned()).chain((1..).map(move |n| format!("{name}_{n}")))
}
