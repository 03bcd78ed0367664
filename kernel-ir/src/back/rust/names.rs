//! Names in Rust texts. The author's names stay, and may shadow each other as in Rust.

use crate::back::names::WordSet;
use crate::back::parts::stored_place;
use crate::ir::{AtomicOp, Block, Expr, Kernel, LocalId, LocalMap, ParamId, PlaceRoot, Stmt, StmtKind};
use crate::verify::VerifiedKernel;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The names of one kernel.
#[derive(Debug)]
pub(super) struct Names {
    /// The names of locals, with `r#` where Rust needs it.
    locals: LocalMap<String>,
    taken: Vec<String>,
}

impl Names {
    /// Names every local of `kernel`. The locals in `copies` are `mut` parameters, and keep their names. The locals in
    /// `consts` become constants, which no other name may hide, because a `let` with the name of a constant is a
    /// pattern that compares with it. The functions that are `called` must not be hidden either.
    pub(super) fn new(
        kernel: &Kernel,
        copies: &HashMap<LocalId, ParamId>,
        consts: &HashSet<LocalId>,
        called: impl Iterator<Item = String>,
    ) -> Names {
        let called: HashSet<String> = called.collect();
        let mut scope: Vec<(String, Entity)> =
            kernel.param_ids().map(|(id, param)| (param.name.clone(), Entity::Param(id))).collect();
        for (&local, &param) in copies {
            scope[param.0 as usize].1 = Entity::Local(local);
        }
        let locals: LocalMap<String> =
            copies.iter().map(|(local, param)| (*local, kernel.param(*param).name.clone())).collect();
        let mut naming = Naming { kernel, consts, called, scope, locals };
        naming.block(&kernel.body);
        let (locals, called) = (naming.locals, naming.called);
        let names = locals.iter().map(|(_, name)| name.clone());
        let taken = names.chain(kernel.params.iter().map(|param| param.name.clone())).chain(called).collect();
        let locals = locals.iter().map(|(local, name)| (local, spelled(name))).collect();
        Names { locals, taken }
    }

    /// Gives a local a name that hides no other name and is hidden by none.
    pub(super) fn set_apart(&mut self, id: LocalId) {
        let name = self.local(id).to_owned();
        let name = self.fresh(name.strip_prefix("r#").unwrap_or(&name));
        self.locals.insert(id, spelled(&name));
    }

    /// Renames variables that are called like constants: a constant of the crate may have the name, and then a `let` with it
    /// would compare with that constant.
    pub(super) fn avoid_constants(&mut self, consts: &HashSet<LocalId>) {
        let is_like_one = |name: &str| name.to_lowercase() != name && name.to_uppercase() == name;
        let found = self.locals.iter().filter(|(local, name)| is_like_one(name) && !consts.contains(local));
        let found: Vec<(LocalId, String)> = found.map(|(local, name)| (local, name.to_lowercase())).collect();
        for (local, name) in found {
            let name = self.fresh(&name);
            self.locals.insert(local, spelled(&name));
        }
    }

    /// The name of a local.
    pub(super) fn local(&self, id: LocalId) -> &str {
        self.locals.get(id).expect("every local has a name")
    }

    /// Whether a local has this name.
    pub(super) fn any(&self, name: &str) -> bool {
        self.locals.iter().any(|(_, local)| local == name)
    }

    /// An unused name: `preferred`, with a number if it is in use.
    pub(super) fn fresh(&mut self, preferred: &str) -> String {
        let name = numbered(preferred).find(|name| !self.taken.contains(name)).expect("the numbers do not end");
        self.taken.push(name.clone());
        name
    }
}

/// The variable that a name denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entity {
    Local(LocalId),
    Param(ParamId),
}

struct Naming<'a> {
    kernel: &'a Kernel,
    consts: &'a HashSet<LocalId>,
    called: HashSet<String>,
    /// The visible names, innermost last.
    scope: Vec<(String, Entity)>,
    locals: LocalMap<String>,
}

impl Naming<'_> {
    fn block(&mut self, block: &Block) {
        let outside = self.scope.len();
        for (position, stmt) in block.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Let { local, .. } => {
                    if !self.locals.contains(*local) {
                        self.declare(*local, &block[position + 1..]);
                    }
                }
                StmtKind::For { local, body, .. } => {
                    let outside = self.scope.len();
                    self.declare(*local, body);
                    self.block(body);
                    self.scope.truncate(outside);
                }
                StmtKind::Assign { .. }
                | StmtKind::Update { .. }
                | StmtKind::Atomic { .. }
                | StmtKind::If { .. }
                | StmtKind::While { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_)
                | StmtKind::Print(_) => stmt.blocks().for_each(|inner| self.block(inner)),
            }
        }
        self.scope.truncate(outside);
    }

    /// Names a local that is visible in `region`. It may hide a name that `region` does not use.
    fn declare(&mut self, local: LocalId, region: &[Stmt]) {
        let preferred = match self.kernel.local(local).name.as_str() {
            "_" if !uses(region, Entity::Local(local)) => {
                self.locals.insert(local, "_".to_owned());
                return;
            }
            "_" => "k",
            // These words are not allowed even as raw identifiers.
            "self" | "Self" | "super" | "crate" => "value",
            preferred => preferred,
        };
        let name = numbered(preferred).find(|name| self.may_take(name, region)).expect("the numbers do not end");
        self.scope.push((name.clone(), Entity::Local(local)));
        self.locals.insert(local, name);
    }

    fn may_take(&self, name: &str, region: &[Stmt]) -> bool {
        if self.called.contains(name) {
            return false;
        }
        match self.scope.iter().rev().find(|(known, _)| known == name) {
            Some((_, Entity::Local(local))) if self.consts.contains(local) => false,
            Some((_, hidden)) => !uses(region, *hidden),
            None => true,
        }
    }
}

/// Whether the statements refer to `entity`.
fn uses(region: &[Stmt], entity: Entity) -> bool {
    let mut found = false;
    for stmt in region {
        stmt.walk(&mut |stmt| {
            found |= stored_place(stmt).is_some_and(|place| is_root(&place.root, entity));
            found |= stmt.assigned_local().is_some_and(|local| Entity::Local(local) == entity);
            stmt.walk_exprs(&mut |expr| found |= names(expr, entity));
        });
    }
    found
}

fn is_root(root: &PlaceRoot, entity: Entity) -> bool {
    match root {
        PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => Entity::Local(*local) == entity,
        PlaceRoot::Element { array, .. } => Entity::Param(*array) == entity,
    }
}

fn names(expr: &Expr, entity: Entity) -> bool {
    match entity {
        Entity::Local(local) => expr.local_read() == Some(local),
        Entity::Param(param) => expr.params().contains(&param),
    }
}

/// A name in Rust's spelling, with `r#` before a keyword.
pub(super) fn spelled(name: &str) -> String {
    static WORDS: LazyLock<WordSet> = LazyLock::new(|| WordSet::new(KEYWORDS));
    if WORDS.contains(name) { format!("r#{name}") } else { name.to_owned() }
}

/// Rust's strict and reserved keywords.
const KEYWORDS: [&str; 52] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The names that the code around a body supplies, besides the device functions that the body calls.
pub(super) fn supplied() -> impl Iterator<Item = &'static str> {
    let others = ["tid", "tid2", "tid3", "tid4", "__group", "__lane", "__index"];
    others.into_iter().chain(AtomicOp::ALL.iter().map(|op| op.name()))
}

/// The names of the parameters of `kernel` in bodies, in order: the author's, unless the surrounding code gives them
/// another meaning.
pub fn body_params(kernel: &VerifiedKernel) -> Vec<String> {
    let called = kernel.called();
    // Supplied names and called functions are in a scope inside that of the parameters, and would hide these.
    let is_hidden = |name: &str| supplied().any(|other| other == name) || called.iter().any(|f| f.name() == name);
    let name = |name: &String| if is_hidden(name) { format!("__weft_{name}") } else { name.clone() };
    kernel.params.iter().map(|param| name(&param.name)).collect()
}

/// `name`, then `name_1`, `name_2`, and so on.
fn numbered(name: &str) -> impl Iterator<Item = String> + '_ {
    std::iter::once(name.to_owned()).chain((1..).map(move |n| format!("{name}_{n}")))
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, spelled};

    #[test]
    fn keywords_are_those_of_syn_and_in_order() {
        assert!(KEYWORDS.is_sorted());
        for word in KEYWORDS {
            // `gen` is one since the edition of 2024.
            assert!(word == "gen" || syn::parse_str::<syn::Ident>(word).is_err(), "{word}");
        }
    }

    #[test]
    fn keywords_are_marked() {
        for word in ["type", "continue", "gen", "fn", "abstract"] {
            assert_eq!(spelled(word), format!("r#{word}"));
        }
        for word in ["_", "types", "i", "step_2", "continued"] {
            assert_eq!(spelled(word), word);
        }
    }
}
