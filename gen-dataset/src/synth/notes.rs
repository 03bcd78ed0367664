//! Notes: sentences of the doc comment about what the steps of a kernel do.
//!
//! A note is bound to marks, such as a loop variable. It is dropped if dead-code elimination removes one of its marks,
//! so that no comment describes code that is gone.

use super::docgen;
use kernel_ir::ir::{ExprKind, Kernel, LocalId, ParamId, Stmt, StmtKind};
use std::ops::Range;

/// A sentence about a step.
#[derive(Debug)]
pub(super) struct Note {
    /// A verb with its objects; the subject is "each thread".
    text: String,
    /// The suffix of the kernel's name.
    tag: &'static str,
    /// The parts of the kernel that the note needs.
    marks: Vec<Mark>,
    /// The locals that the sentence names, if any.
    of: Vec<LocalId>,
}

/// A part of the kernel whose presence shows that a step remains.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    /// A declared local: a loop variable, or a result of the step.
    Local(LocalId),
    /// An array that is read.
    Array(ParamId),
    /// At least one of these locals.
    OneOf(Vec<LocalId>),
    /// An effect on other threads, which dead-code elimination never removes.
    Effect,
}

/// The notes that hold for a finished kernel.
pub(super) struct Said {
    /// The sentences, in order.
    pub(super) texts: Vec<String>,
    /// The suffix for the kernel's name, from the first step that has one.
    pub(super) tag: Option<&'static str>,
}

/// The notes that hold in `kernel`. Its dead statements must be gone, and its locals must still have their first
/// numbers.
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
    /// A note about a step that needs `marks`. It names the locals `of`.
    pub(super) fn new(marks: Vec<Mark>, tag: &'static str, text: String, of: Vec<LocalId>) -> Note {
        Note { text, tag, marks, of }
    }

    /// Adds `mark`, if the note has no marks of its own.
    pub(super) fn mark_if_open(&mut self, mark: &Mark) {
        if self.marks.is_empty() {
            self.marks.push(mark.clone());
        }
    }

    /// The sentence, with the names of the locals that the kernel assigns.
    fn written(&self, kernel: &Kernel) -> String {
        let changes = |id: LocalId| any(kernel, |stmt| stmt.assigned_local() == Some(id));
        let names: Vec<String> =
            self.of.iter().filter(|id| changes(**id)).map(|id| docgen::words(&kernel.local(*id).name)).collect();
        if names.is_empty() { self.text.clone() } else { format!("{} of {}", self.text, docgen::list(&names)) }
    }
}

impl Mark {
    /// The mark of a step that appended `stmts` and declared the locals in the range.
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
                    is_read |= !matches!(expr.kind, ExprKind::Extent { .. } | ExprKind::Present(_))
                        && expr.params().contains(id);
                });
                is_read
            }
        }
    }
}

fn declares(stmt: &Stmt, id: LocalId) -> bool {
    matches!(stmt.kind, StmtKind::Let { local, .. } | StmtKind::For { local, .. } if local == id)
}

/// Whether `holds` is true for a statement of the kernel.
fn any(kernel: &Kernel, holds: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    kernel.walk_stmts(&mut |stmt| found |= holds(stmt));
    found
}
