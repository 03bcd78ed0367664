//! Names in emitted functions: the author's where the target allows, else the same with a suffix.

use super::numbers::push_unsigned;
use crate::ir::{Block, ExprKind, Function, Kernel, LocalId, ParamId, StmtKind, Type};
use std::borrow::Cow;
use std::sync::Arc;

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
pub(super) struct Names<'a> {
    kernel: Cow<'a, str>,
    /// The place in `taken` of the name of each parameter.
    params: Vec<usize>,
    /// The same for locals.
    locals: Vec<usize>,
    /// Every name of a parameter, a local or a thing of the writer's own.
    taken: Vec<Cow<'a, str>>,
    /// The [fingerprints](fingerprint) at them all.
    fingerprints: u64,
}

impl<'a> Names<'a> {
    /// Names everything in `kernel`. `reserved` says which names the target keeps for itself; a name that it keeps
    /// gets an underscore at its end, a name that is in use already gets a number.
    pub(super) fn new(kernel: &'a Kernel, scoping: Scoping, reserved: &dyn Fn(&str) -> bool) -> Names<'a> {
        let given = Vec::with_capacity(kernel.params.len() + kernel.locals.len());
        let mut naming = Naming { kernel, kernel_name: Cow::default(), scoping, reserved, given, fingerprints: 0 };
        naming.kernel_name = naming.safe(&kernel.name);
        naming.fingerprints = fingerprint(&naming.kernel_name);
        let params = kernel.params.iter().map(|param| naming.declare(&param.name)).collect();
        let mut locals = vec![0; kernel.locals.len()];
        naming.block(&kernel.body, &mut locals);
        let taken = naming.given.into_iter().map(|given| given.name).collect();
        Names { kernel: naming.kernel_name, params, locals, taken, fingerprints: naming.fingerprints }
    }

    /// The name of the function itself.
    pub(super) fn kernel(&self) -> &str {
        &self.kernel
    }

    /// The name of a parameter.
    pub(super) fn param(&self, id: ParamId) -> &str {
        &self.taken[self.params[id.0 as usize]]
    }

    /// The name of a local.
    pub(super) fn local(&self, id: LocalId) -> &str {
        &self.taken[self.locals[id.0 as usize]]
    }

    /// The names for parameters, locals and things of the writer's own.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> + Clone {
        self.taken.iter().map(|name| &**name)
    }

    /// A name for something of the writer's own, such as a launch size: `preferred` if it is free, else with a number.
    pub(super) fn fresh(&mut self, preferred: &str) -> String {
        let is_new = self.fingerprints & fingerprint(preferred) == 0;
        let name =
            if is_new { preferred.to_owned() } else { numbered(preferred.into(), self.all(), |_| false).into_owned() };
        self.fingerprints |= fingerprint(&name);
        self.taken.push(name.clone().into());
        name
    }
}

/// The names of the device functions of one emitted text.
#[derive(Debug, Default)]
pub(super) struct FunctionNames(Vec<(Arc<Function>, String)>);

impl FunctionNames {
    /// Names `functions`. `is_used` says which names they cannot have.
    pub(super) fn new(functions: Vec<Arc<Function>>, is_used: &dyn Fn(&str) -> bool) -> FunctionNames {
        let mut names = FunctionNames::default();
        for function in functions {
            let mut name = plain(function.name()).to_owned();
            while is_used(&name) || names.has(&name) {
                name.push('_');
            }
            names.0.push((function, name));
        }
        names
    }

    /// The name of a function.
    pub(super) fn of(&self, function: &Function) -> &str {
        let (_, name) =
            self.0.iter().find(|(known, _)| **known == *function).expect("every function of the text has a name");
        name
    }

    /// Whether one has that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(_, known)| known == name)
    }

    /// The functions with their names, callees first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Function, &str)> {
        self.0.iter().map(|(function, name)| (&**function, name.as_str()))
    }
}

/// The state of naming one kernel.
struct Naming<'a, 'r> {
    kernel: &'a Kernel,
    kernel_name: Cow<'a, str>,
    scoping: Scoping,
    reserved: &'r dyn Fn(&str) -> bool,
    /// Every name that was given. They are few: a search from end to end is quicker than a set.
    given: Vec<Given<'a>>,
    /// The [fingerprints](fingerprint) at them all.
    fingerprints: u64,
}

/// A name that was given to a parameter or a local.
struct Given<'a> {
    name: Cow<'a, str>,
    /// Whether a new name must not hide it.
    visible: bool,
    /// The type that it has, if another `for` may take it.
    free: Option<Type>,
}

impl<'a> Naming<'a, '_> {
    fn safe(&self, preferred: &'a str) -> Cow<'a, str> {
        let mut name = Cow::Borrowed(plain(preferred));
        while (self.reserved)(&name) {
            name.to_mut().push('_');
        }
        name
    }

    /// The place of the name of the variable of a `for`.
    fn declare_loop(&mut self, local: LocalId) -> usize {
        let kernel = self.kernel;
        let ty = kernel.local(local).ty;
        let preferred = match kernel.local(local).name.as_str() {
            // Python has a name for what nobody asks for, and it may stand for several things at once.
            preferred @ "_" if self.scoping == Scoping::Function && !is_read(kernel, local) => {
                return self.give(Given { name: preferred.into(), visible: false, free: None });
            }
            "_" => self.counter(ty),
            preferred => preferred,
        };
        let safe = self.safe(preferred);
        match self.visible(&safe) {
            Some(at) if self.given[at].free == Some(ty) => {
                self.given[at].free = None;
                at
            }
            _ => self.declare(preferred),
        }
    }

    fn counter(&self, ty: Type) -> &'static str {
        let is_free = |name: &&str| {
            let again = self.visible(name).is_some_and(|at| self.given[at].free == Some(ty));
            (again || !self.is_taken(name)) && !is_authors(self.kernel, name) && !(self.reserved)(name)
        };
        COUNTERS.into_iter().find(is_free).unwrap_or(COUNTERS[0])
    }

    /// The place of a new name.
    fn declare(&mut self, preferred: &'a str) -> usize {
        let mut name = self.safe(preferred);
        // Most names are new at a glance.
        if self.fingerprints & fingerprint(&name) != 0 {
            let visible = self.given.iter().filter(|given| given.visible).map(|given| &*given.name);
            name = numbered(name, visible.chain([&*self.kernel_name]), self.reserved);
        }
        self.give(Given { name, visible: true, free: None })
    }

    fn give(&mut self, given: Given<'a>) -> usize {
        self.fingerprints |= fingerprint(&given.name);
        self.given.push(given);
        self.given.len() - 1
    }

    /// Whether a new name of that spelling would hide another one.
    fn is_taken(&self, name: &str) -> bool {
        name == self.kernel_name || self.visible(name).is_some()
    }

    /// The place of the visible name of that spelling.
    fn visible(&self, name: &str) -> Option<usize> {
        self.given.iter().position(|given| given.visible && given.name == name)
    }

    /// Puts the place of the name of each local that `block` declares into `locals`.
    fn block(&mut self, block: &Block, locals: &mut [usize]) {
        let before = self.given.len();
        for stmt in block {
            match &stmt.kind {
                StmtKind::Let { local, .. } => {
                    locals[local.0 as usize] = self.declare(&self.kernel.local(*local).name);
                }
                StmtKind::For { local, body, .. } => {
                    let ty = self.kernel.local(*local).ty;
                    let before = self.given.len();
                    let at = self.declare_loop(*local);
                    self.block(body, locals);
                    self.end_scope(before);
                    if self.scoping == Scoping::Function && self.given[at].visible {
                        self.given[at].free = Some(ty);
                    }
                    locals[local.0 as usize] = at;
                }
                StmtKind::Assign { .. }
                | StmtKind::Update { .. }
                | StmtKind::Atomic { .. }
                | StmtKind::If { .. }
                | StmtKind::While { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_) => stmt.blocks().for_each(|inner| self.block(inner, locals)),
            }
        }
        self.end_scope(before);
    }

    /// Ends the block in which the names after the first `before` were given.
    fn end_scope(&mut self, before: usize) {
        if self.scoping == Scoping::Block {
            for given in &mut self.given[before..] {
                given.visible = false;
            }
        }
    }
}

/// A name without the mark that lets keywords be names.
fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Whether the author gave that name to something.
fn is_authors(kernel: &Kernel, name: &str) -> bool {
    kernel.params.iter().any(|param| plain(&param.name) == name)
        || kernel.locals.iter().any(|local| plain(&local.name) == name)
}

fn is_read(kernel: &Kernel, local: LocalId) -> bool {
    let mut found = false;
    kernel.walk_exprs(&mut |expr| {
        found |= matches!(expr.kind, ExprKind::Local(read) | ExprKind::LocalElement { local: read, .. } if read == local);
    });
    found
}

/// `name` if it is not `taken`, else the first of `name_1`, `name_2` and so on that is not, nor reserved.
fn numbered<'n, 't>(
    preferred: Cow<'n, str>,
    taken: impl Iterator<Item = &'t str> + Clone,
    is_reserved: impl Fn(&str) -> bool,
) -> Cow<'n, str> {
    if !taken.clone().any(|other| other == preferred) {
        return preferred;
    }
    let number = |other: &str| {
        // A look at one letter tells most others apart.
        if other.as_bytes().get(preferred.len()) != Some(&b'_') {
            return None;
        }
        let digits = other.strip_prefix(&*preferred)?.strip_prefix('_')?;
        digits.parse().ok().filter(|_| !digits.starts_with(['0', '+']))
    };
    let numbers: Vec<u32> = taken.filter_map(number).collect();
    let mut name = String::with_capacity(preferred.len() + 4);
    for number in (1..).filter(|number| !numbers.contains(number)) {
        name.clear();
        name.extend([&preferred, "_"]);
        push_unsigned(&mut name, number.into());
        if !is_reserved(&name) {
            break;
        }
    }
    name.into()
}

/// A bit for a name, by its length and its first letter: names with different bits are different.
pub(super) fn fingerprint(name: &str) -> u64 {
    let letter = name.as_bytes().first().copied().unwrap_or(0);
    1 << ((name.len() + 7 * usize::from(letter)) % 64)
}

/// A set of words, by their first letters and their lengths.
pub(super) struct WordSet(Vec<Vec<&'static str>>);

impl WordSet {
    pub(super) fn new(words: impl IntoIterator<Item = &'static str>) -> WordSet {
        let mut alike = vec![Vec::new(); 512];
        for word in words {
            alike[WordSet::place(word)].push(word);
        }
        WordSet(alike)
    }

    fn place(word: &str) -> usize {
        let letter = usize::from(word.as_bytes().first().copied().unwrap_or(0) & 31);
        letter << 4 | word.len().min(15)
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.0[WordSet::place(word)].contains(&word)
    }
}
