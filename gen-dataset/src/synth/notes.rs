//! Notes: sentences of the doc comment about what the steps of a kernel do.
//!
//! A note is bound to marks, such as a loop variable. Dead-code elimination drops statements; a note whose marks are gone
//! is dropped with them.

use super::docgen;
use kernel_ir::ir::{ExprKind, Kernel, LocalId, ParamId, Stmt, StmtKind};
use std::ops::Range;

/// What a step does.
#[derive(Debug)]
pub(super) struct Note {
    /// What each thread does, as a verb with its objects.
    text: String,
    /// What that makes of the kernel's name.
    tag: &'static str,
    /// What stands in the kernel if the step does.
    marks: Vec<Mark>,
    /// The locals that it is done to, if it is said of some.
    of: Vec<LocalId>,
}

/// What tells that a step is still there.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    /// A local that is declared: the variable of a loop, or what the step finds out.
    Local(LocalId),
    /// An array that is read.
    Array(ParamId),
    /// One of some locals that are declared.
    OneOf(Vec<LocalId>),
    /// An effect on other threads, which always stays.
    Effect,
}

/// What is left to say of a kernel.
pub(super) struct Said {
    /// What each thread does, in order.
    pub(super) texts: Vec<String>,
    /// What the first step that has one makes of the name.
    pub(super) tag: Option<&'static str>,
}

/// What is left of `notes` in `kernel`, whose dead statements are gone and whose locals have their first numbers.
pub(super) fn said(notes: &[Note], kernel: &Kernel) -> Said {
    let kept: Vec<&Note> = notes.iter().filter(|note| note.marks.iter().all(|mark| mark.is_in(kernel))).collect();
    let mut texts = Vec::new();
    for note in &kept {
        let text = note.written(kernel);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    Said { texts, tag: kept.first().map(|note| note.tag) }
}

impl Note {
    /// What a step does to the locals `of`, if it is said of some, while `marks` stand in the kernel.
    pub(super) fn new(marks: Vec<Mark>, tag: &'static str, text: String, of: Vec<LocalId>) -> Note {
        Note { text, tag, marks, of }
    }

    /// The note holds as `mark` says, unless it says so itself.
    pub(super) fn mark_if_open(&mut self, mark: &Mark) {
        if self.marks.is_empty() {
            self.marks.push(mark.clone());
        }
    }

    /// The text, with the names of the locals that change.
    fn written(&self, kernel: &Kernel) -> String {
        let changes = |id: LocalId| any(kernel, |stmt| stmt.assigned_local() == Some(id));
        let names: Vec<String> =
            self.of.iter().filter(|id| changes(**id)).map(|id| docgen::words(&kernel.local(*id).name)).collect();
        if names.is_empty() { self.text.clone() } else { format!("{} of {}", self.text, docgen::list(&names)) }
    }
}

impl Mark {
    /// That of a step that has written `stmts` and declared locals of these numbers.
    pub(super) fn step(stmts: &[Stmt], locals: Range<usize>) -> Mark {
        let mut variables = Vec::new();
        for stmt in stmts {
            stmt.walk(&mut |stmt| {
                if let StmtKind::For { local, .. } = stmt.kind {
                    variables.push(local);
                }
            });
        }
        let all = || locals.map(|number| LocalId(number as u32)).collect();
        Mark::OneOf(if variables.is_empty() { all() } else { variables })
    }

    fn is_in(&self, kernel: &Kernel) -> bool {
        match self {
            Mark::Effect => true,
            Mark::Local(id) => any(kernel, |stmt| declares(stmt, *id)),
            Mark::OneOf(all) => any(kernel, |stmt| all.iter().any(|id| declares(stmt, *id))),
            Mark::Array(id) => {
                let mut is_read = false;
                kernel.walk_exprs(&mut |expr| {
                    is_read |= matches!(expr.kind, ExprKind::Load { array, .. } if array == *id);
                });
                is_read
            }
        }
    }
}

fn declares(stmt: &Stmt, id: LocalId) -> bool {
    matches!(stmt.kind, StmtKind::Let { local, .. } | StmtKind::For { local, .. } if local == id)
}

/// Whether `holds` for a statement of the kernel.
fn any(kernel: &Kernel, holds: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    kernel.walk_stmts(&mut |stmt| found |= holds(stmt));
    found
}
