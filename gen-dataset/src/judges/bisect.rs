//! Compiles many kernels as one program, and bisects to those that do not compile.
//!
//! One program with many kernels compiles much faster than many programs. Each kernel stands behind a `#line` directive
//! with a file name of its own, so that messages name the kernel.

use super::case::Case;
use kernel_ir::back::c::on_host::split_includes;
use std::collections::BTreeSet;

/// A `#line` directive after which messages name the case as the file `NUMBER/NAME`, with lines counted from 1.
pub(super) fn line_directive(number: usize, name: &str) -> String {
    format!("#line 1 \"{number}/{name}\"")
}

/// A CUDA text in a namespace of its own. The prelude overloads some CUDA functions for vectors. Inside a namespace
/// these overloads would hide the global functions, so `using` brings the global ones in.
pub(super) fn in_namespace(number: usize, body: &str) -> String {
    let overloaded: String = ["abs", "max", "min", "pow"].map(|name| format!(" using ::{name};")).concat();
    format!("namespace kernel_{number} {{{overloaded}\n{body}\n}}\n")
}

/// A program of GPU texts: the texts of the cases with these `numbers`, each in a namespace and behind a `#line` directive
/// with the file name `NUMBER/NAME.EXTENSION`. Headers stand first, because they cannot stand in a namespace.
pub(super) fn program(numbers: &[usize], cases: &[(usize, &Case, &str)], extension: &str) -> String {
    let parts = || numbers.iter().map(|&number| (number, cases[number].1, split_includes(cases[number].2)));
    let includes = parts().flat_map(|(_, _, (includes, _))| includes.lines()).filter(|line| !line.is_empty());
    let includes: BTreeSet<&str> = includes.collect();
    let bodies = parts().map(|(number, case, (includes, body))| {
        let line = line_directive(number, &format!("{}.{extension}", case.name));
        // The log counts the lines of the whole text.
        let before = "\n".repeat(includes.lines().count());
        in_namespace(number, &format!("{line}\n{before}{}", body.replace("extern \"C\" ", "")))
    });
    includes.into_iter().map(|line| format!("{line}\n")).chain(bodies).collect()
}

/// The numbers of the cases that a compiler log names.
fn named(log: &str) -> BTreeSet<usize> {
    log.lines().filter_map(|line| line.split_once('/')?.0.parse().ok()).collect()
}

/// Cases, divided by whether they compile.
pub(super) struct Bisected<T> {
    /// The cases that do not compile, each with its log.
    pub(super) failed: Vec<(usize, String)>,
    /// The programs that compiled, each with the cases in it.
    pub(super) programs: Vec<(Vec<usize>, T)>,
}

/// Compiles the cases of `numbers` with `compile`, in as few programs as possible.
///
/// A case counts as failed only if it does not compile alone, because a missing bracket makes errors in other cases.
pub(super) fn compile_most<T>(
    numbers: &[usize],
    compile: &mut dyn FnMut(&[usize]) -> Result<T, String>,
) -> Bisected<T> {
    let mut bisected = Bisected { failed: Vec::new(), programs: Vec::new() };
    let mut left = vec![numbers.to_vec()];
    while let Some(together) = left.pop() {
        let log = match (compile(&together), together.as_slice()) {
            (Ok(program), _) => {
                bisected.programs.push((together, program));
                continue;
            }
            (Err(_), []) => continue,
            (Err(log), [alone]) => {
                bisected.failed.push((*alone, log));
                continue;
            }
            (Err(log), _) => log,
        };
        // The named cases are the suspects. A log that names all cases or none gives no hint, so the batch is halved.
        let named = named(&log);
        let (suspects, rest): (Vec<usize>, Vec<usize>) = together.iter().partition(|number| named.contains(number));
        // A log that names no case, or all of them, is no hint. Then the batch is halved.
        if suspects.is_empty() || rest.is_empty() {
            let (first, second) = together.split_at(together.len() / 2);
            left.extend([first.to_vec(), second.to_vec()]);
        } else {
            left.push(rest);
            left.extend(suspects.into_iter().map(|suspect| vec![suspect]));
        }
    }
    bisected
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a fake compiler that rejects the numbers of `bad` and names those of `names` in its log.
    fn blame(count: usize, bad: &[usize], names: &[usize]) -> (Vec<usize>, usize) {
        let mut calls = 0;
        let numbers: Vec<usize> = (0..count).collect();
        let Bisected { failed, programs } = compile_most(&numbers, &mut |together| {
            calls += 1;
            match together.iter().any(|number| bad.contains(number)) {
                true => Err(names.iter().map(|name| format!("{name}/x.cpp:1: error: no\n")).collect()),
                false => Ok(()),
            }
        });
        let mut seen: Vec<usize> = failed.iter().map(|(number, _)| *number).collect();
        let mut all: Vec<usize> = programs.into_iter().flat_map(|(numbers, ())| numbers).chain(seen.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, numbers);
        seen.sort_unstable();
        (seen, calls)
    }

    #[test]
    fn the_guilty_are_found_whether_or_not_they_are_named() {
        assert_eq!(blame(100, &[], &[]), (vec![], 1));
        assert_eq!(blame(100, &[7, 50], &[7, 50]), (vec![7, 50], 4));
        // Only 7 is bad; 8 is named without fault.
        assert_eq!(blame(100, &[7], &[8]).0, [7]);
        assert_eq!(blame(100, &[7, 99], &[]).0, [7, 99]);
        assert_eq!(blame(1, &[0], &[]), (vec![0], 1));
    }

    #[test]
    fn messages_name_cases() {
        let log = "3/a.cu(2): error: x\n  y / 4\n/usr/include/a.h:1: error\n12/b.cpp:3:4: error: z\n";
        assert_eq!(named(log), BTreeSet::from([3, 12]));
    }
}
