//! Names for an emitted function: the author's own wherever the target allows, made safe and unique where not.

use crate::ir::{Block, ExprKind, Kernel, LocalId, ParamId, StmtKind, Type};
use std::collections::{HashMap, HashSet};

/// Names for the variable of a `for _`, of which the first is taken that nothing else in the kernel has.
const COUNTERS: [&str; 5] = ["k", "j", "l", "m", "n"];

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
        let mut naming = Naming {
            kernel,
            scoping,
            reserved,
            authors: authors(kernel),
            read: read(kernel),
            visible: HashSet::new(),
            free: HashMap::new(),
            ever: HashSet::new(),
        };
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

    /// Whether one of the names for parameters, locals and things of the writer's own has a property.
    pub(super) fn any(&self, has: impl Fn(&str) -> bool) -> bool {
        self.taken.iter().any(|name| has(name))
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
    /// The names that the author gave.
    authors: HashSet<&'a str>,
    /// The locals that are read.
    read: HashSet<LocalId>,
    /// What a new name must not hide.
    visible: HashSet<String>,
    /// The visible names that another `for` may take, with the type that they have.
    free: HashMap<String, Type>,
    /// Every name that was given.
    ever: HashSet<String>,
}

impl Naming<'_> {
    fn safe(&self, wish: &str) -> String {
        let mut name = plain(wish).to_owned();
        while (self.reserved)(&name) {
            name.push('_');
        }
        name
    }

    /// The name of the variable of a `for`.
    fn declare_loop(&mut self, local: LocalId) -> String {
        let (ty, wish) = (self.kernel.local(local).ty, self.kernel.local(local).name.as_str());
        let wish = match wish {
            // Python has a name for what nobody asks for, and it may stand for several things at once.
            "_" if self.scoping == Scoping::Function && !self.read.contains(&local) => return wish.to_owned(),
            "_" => self.counter(ty),
            wish => wish,
        };
        let safe = self.safe(wish);
        if self.free.get(&safe) == Some(&ty) {
            self.free.remove(&safe);
            return safe;
        }
        self.declare(wish)
    }

    fn counter(&self, ty: Type) -> &'static str {
        let is_free = |name: &&str| {
            let hides = self.visible.contains(*name) && self.free.get(*name) != Some(&ty);
            !hides && !self.authors.contains(name) && !(self.reserved)(name)
        };
        COUNTERS.into_iter().find(is_free).unwrap_or(COUNTERS[0])
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
        let mut declared = Vec::new();
        for stmt in block {
            match &stmt.kind {
                StmtKind::Let { local, .. } => {
                    let name = self.declare(&self.kernel.local(*local).name);
                    declared.push(name.clone());
                    locals.insert(*local, name);
                }
                StmtKind::For { local, body, .. } => {
                    let ty = self.kernel.local(*local).ty;
                    let name = self.declare_loop(*local);
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
            for name in &declared {
                self.visible.remove(name);
            }
        }
    }
}

/// A name without the mark that lets keywords be names.
fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn authors(kernel: &Kernel) -> HashSet<&str> {
    let params = kernel.params.iter().map(|param| plain(&param.name));
    params.chain(kernel.locals.iter().map(|local| plain(&local.name))).collect()
}

fn read(kernel: &Kernel) -> HashSet<LocalId> {
    let mut read = HashSet::new();
    kernel.walk_exprs(&mut |expr| {
        if let ExprKind::Local(local) | ExprKind::Slot { local, .. } = expr.kind {
            read.insert(local);
        }
    });
    read
}

/// `name`, `name_1`, `name_2` and so on.
fn numbered(name: &str) -> impl Iterator<Item = String> + '_ {
    std::iter::once(name.to_owned()).chain((1..).map(move |n| format!("{name}_{n}")))
}
