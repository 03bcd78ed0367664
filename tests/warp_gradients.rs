//! Measures Warp's own gradients of the emitted Python, beside Weft's and central differences.
//!
//! With `UPDATE_EXPECT=1` the test writes the measurements: `gen-dataset/src/source/warp_gradients.txt`, which is the
//! source of `metadata.warp_gradient_reliable`, and `docs/warp-gradients.md`. Otherwise it measures every third kernel, or
//! all of them with `WEFT_FULL=1`, and compares.

use crate::adjoint::backward;
use crate::judges::{case_of, is_full, launch, miss};
use expect_test::expect_file;
use gen_dataset::judges::warp::{Warp, WarpElement, WarpGradient};
use gen_dataset::judges::{Case, Launch};
use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::data::Data;
use kernel_ir::gradcheck::{self, difference};
use kernel_ir::interp;
use kernel_ir::ir::{ParamId, Shape, Type};
use std::collections::BTreeSet;
use std::fmt;
use tests::{is_selected, report, selected};

/// The largest difference to Weft's gradient, relative to the largest element of the array, at which Warp's counts as
/// right. Both compute in f32.
const RIGHT: f64 = 1e-3;

/// The sizes of the launches, and the number of seeds of each.
const SIZES: [usize; 2] = [1, 17];
const SEEDS: u64 = 3;

#[test]
fn the_table_of_warps_gradients_is_what_was_measured() {
    let warp = match Warp::open() {
        Ok(warp) => warp,
        Err(why) => return miss(&format!("judge warp: {why}")),
    };
    let infos = selected(1).into_iter().filter(|info| info.module.starts_with("kernels::"));
    let takes_all = !is_selected() && (is_full() || std::env::var_os("UPDATE_EXPECT").is_some());
    let cases: Vec<(Case, Backward)> = infos
        .enumerate()
        .filter(|(number, info)| info.backward.is_some() && (takes_all || is_selected() || number % 3 == 0))
        .map(|(_, info)| {
            let case = case_of(info);
            let sizes =
                SIZES.map(|size| vec![if case.kernel.dim == 1 { size } else { size.min(4) }; case.kernel.dim.into()]);
            let launches = sizes.iter().flat_map(|dim| (0..SEEDS).map(|seed| launch(&case, dim.clone(), seed)));
            let mut launches: Vec<Launch> = launches.collect();
            let backward = backward(&case.kernel).unwrap_or_else(|why| panic!("{}: {why}", case.name));
            if backward.sources.contains(&Source::Counting) {
                let tied: Vec<Launch> = launches.iter().map(|launch| tied(&case, launch)).collect();
                launches.extend(tied);
            }
            (Case { launches, ..case }, backward)
        })
        .collect();
    let measure = |cases: &[&(Case, Backward)], checked| {
        warp.gradients(cases, checked).unwrap_or_else(|why| panic!("{why}")).into_iter()
    };
    let measured: Vec<Vec<WarpGradient>> = measure(&cases.iter().collect::<Vec<_>>(), false).collect();
    let launches = cases.iter().map(|(case, _)| case.launches.len()).sum::<usize>();
    let of_each =
        measured.iter().map(|found| found.iter().map(|gradient| gradient.launch).collect::<BTreeSet<_>>().len());
    let compared: usize = of_each.sum();
    let verdicts: Vec<Option<Verdict>> = measured.into_iter().map(verdict).collect();
    // An adjoint of Warp may index with what a loop has overwritten. What it finds there differs from run to run, and it may
    // end the process. With checks it always does.
    let fails = |verdict: &Option<Verdict>| matches!(verdict, Some(Verdict::Wrong(..) | Verdict::Refused(_)));
    let failing: Vec<&(Case, Backward)> =
        cases.iter().zip(&verdicts).filter(|(_, verdict)| fails(verdict)).map(|(case, _)| case).collect();
    let mut checked = measure(&failing, true);
    let verdicts = verdicts.into_iter().map(|found| {
        let again = if fails(&found) { checked.next().and_then(verdict) } else { None };
        if let Some(Verdict::Refused(_)) = again { Some(Verdict::Outside) } else { found }
    });
    let mut counts = Counts::default();
    let lines: Vec<(&str, Lines)> =
        cases.iter().zip(verdicts).map(|((case, _), found)| (case.name.as_str(), counts.add(case, found))).collect();
    report(&format!(
        "{counts}; {compared} of {launches} launches say something (the others are ill-conditioned, or all their gradients \
         are zero)"
    ));
    let table = expect_file!["../gen-dataset/src/source/warp_gradients.txt"];
    let page = expect_file!["../docs/warp-gradients.md"];
    if takes_all {
        table.assert_eq(&lines.iter().filter_map(|(_, lines)| lines.of_table.as_deref()).collect::<String>());
        page.assert_eq(&page_of(
            &counts,
            warp.release(),
            lines.iter().filter_map(|(_, lines)| lines.of_page.as_deref()),
        ));
        return;
    }
    let (table, page) = (table.data(), page.data());
    let mut changed = Vec::new();
    for (name, found) in lines {
        let line = |text: &str, is_of: &dyn Fn(&str) -> bool| {
            text.lines().find(|line| is_of(line)).map(|line| line.to_owned() + "\n")
        };
        let of_table = line(&table, &|line| line.split_once(' ').is_some_and(|(_, of)| of == name));
        let of_page = line(&page, &|line| line.starts_with(&format!("| `{name}` |")));
        let written = Lines { of_table, of_page };
        if found != written {
            changed.push(format!("{name}: measured {found:?}, written {written:?}"));
        }
    }
    assert!(changed.is_empty(), "UPDATE_EXPECT=1 writes again:\n{}", changed.join("\n"));
}

/// The lines of a kernel in the table and in the page.
#[derive(Debug, PartialEq)]
struct Lines {
    of_table: Option<String>,
    of_page: Option<String>,
}

/// The numbers of kernels with each verdict.
#[derive(Default)]
struct Counts {
    right: usize,
    wrong: usize,
    refused: usize,
    open: usize,
}

impl Counts {
    /// Counts the verdict, and writes it down.
    fn add(&mut self, case: &Case, found: Option<Verdict>) -> Lines {
        let name = &case.name;
        let (count, of_table, of_page) = match found {
            None => (&mut self.open, None, None),
            Some(Verdict::Right) => (&mut self.right, Some("right"), None),
            Some(Verdict::Refused(why)) => {
                (&mut self.refused, None, Some(format!("| `{name}` | | | refused: {why} | |\n")))
            }
            Some(Verdict::Outside) => {
                (&mut self.wrong, Some("wrong"), Some(format!("| `{name}` | | | fails Warp's own checks | |\n")))
            }
            Some(Verdict::Wrong(place, element)) => (&mut self.wrong, Some("wrong"), Some(row(case, place, &element))),
        };
        *count += 1;
        Lines { of_table: of_table.map(|verdict| format!("{verdict} {name}\n")), of_page }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { right, wrong, refused, open } = self;
        write!(
            f,
            "Warp's gradients: right for {right} kernels, wrong for {wrong}, refused for {refused}, not compared for {open}"
        )
    }
}

/// The page of documentation, with these rows.
fn page_of<'a>(counts: &Counts, version: &str, rows: impl Iterator<Item = &'a str>) -> String {
    let Counts { right, wrong, refused, open } = counts;
    let launches = SIZES.len() as u64 * SEEDS;
    let rows: String = rows.collect();
    format!(
        "# Where Warp's own gradients are wrong\n\nThe Python text of every registered kernel with an adjoint runs \
         on the tape of Warp {version}, on its CPU device, over {launches} launches. The adjoints of the outputs are \
         random. Only the gradients by arrays are compared, because Warp computes no gradient by a by-value \
         parameter. Warp is right for {right} kernels and wrong for {wrong}. It reports an error for {refused}. Kernels \
         that fail Warp's own checks, in a debug build, count as wrong: their adjoints index outside of an array, so \
         their gradients differ from run to run. {open} more kernels are not compared, because all their gradients by \
         arrays are zero.\n\nKernels with `atomic_min` or `atomic_max` have {launches} more launches. In these \
         launches all elements of an array that the kernel reads are equal. In Weft the winners share the gradient; \
         Warp gives the whole gradient to each winner. The central difference changes only one of the equal elements. \
         Warp does not differentiate correctly through a loop with bounds at run time, through a state that a loop \
         overwrites, or through an array that the kernel changes in place.\n\nThe table shows, for each kernel that \
         Warp gets wrong, the element with the largest error, in f32: the gradient by Weft, the gradient by Warp, and \
         the central difference of the interpreter in f64. A record holds the verdict in \
         `metadata.warp_gradient_reliable`. `UPDATE_EXPECT=1 cargo test -p tests warps_gradients` writes this \
         file.\n\n| kernel | gradient by | Weft | Warp | central difference |\n|---|---|---|---|---|\n{rows}"
    )
}

/// The same launch with equal elements in every float array that the kernel reads, so that threads tie.
fn tied(case: &Case, launch: &Launch) -> Launch {
    let mut before = launch.before.clone();
    for (param, arg) in case.kernel.params.iter().zip(&mut before).filter(|(param, _)| !param.is_mutable()) {
        let element = param.elem().components();
        match &mut arg.data {
            Data::F32(data) => (element..data.len()).for_each(|at| data[at] = data[at - element]),
            Data::F64(data) => (element..data.len()).for_each(|at| data[at] = data[at - element]),
            _ => {}
        }
    }
    let mut after = before.clone();
    interp::run(&case.kernel, &launch.dim, &mut after).unwrap_or_else(|why| panic!("{}: {why:?}", case.name));
    Launch { dim: launch.dim.clone(), before, after }
}

enum Verdict {
    Right,
    /// The worst element, with the index of the launch.
    Wrong(usize, WarpElement),
    Refused(String),
    /// A build with Warp's own checks ends the process.
    Outside,
}

/// `None` if nothing was compared.
fn verdict(gradients: Vec<WarpGradient>) -> Option<Verdict> {
    let mut verdict = None;
    let mut worst = RIGHT;
    for WarpGradient { launch, outcome } in gradients {
        match outcome {
            Err(why) => return Some(Verdict::Refused(why)),
            Ok(element) if element.error > worst => {
                worst = element.error;
                verdict = Some(Verdict::Wrong(launch, element));
            }
            Ok(_) => verdict = verdict.or(Some(Verdict::Right)),
        }
    }
    verdict
}

/// A row of the document.
fn row(case: &Case, place: usize, element: &WarpElement) -> String {
    let found = case.kernel.param_ids().find(|(_, param)| param.name == element.array);
    let (id, param) = found.unwrap_or_else(|| panic!("{} has no `{}`", case.name, element.array));
    let launch = &case.launches[place];
    let launch = gradcheck::Launch { dim: &launch.dim, args: &launch.before, trips: interp::TRIPS, seed: place as u64 };
    let by_difference = central(case, launch, id, scalar(param.elem(), element.position));
    assert!(
        (by_difference - element.expected).abs() <= (by_difference - element.found).abs() || element.found.is_nan(),
        "{}: Warp's {} is closer to {by_difference} than {}",
        case.name,
        element.found,
        element.expected
    );
    format!(
        "| `{}` | `{}[{}]` | {:.5} | {:.5} | {by_difference:.5} |\n",
        case.name, element.array, element.position, element.expected, element.found
    )
}

fn central(case: &Case, launch: gradcheck::Launch, id: ParamId, scalar: usize) -> f64 {
    difference(&case.kernel, launch, id, scalar).unwrap_or_else(|why| panic!("{}: {why:?}", case.name))
}

/// The index in memory, where matrices are column-major, of the scalar at a row-major `position`.
fn scalar(ty: Type, position: usize) -> usize {
    match ty.shape {
        Shape::Matrix(rows, columns) => {
            let (rows, columns) = (usize::from(rows), usize::from(columns));
            let (element, rest) = (position / (rows * columns), position % (rows * columns));
            element * rows * columns + rest % columns * rows + rest / columns
        }
        _ => position,
    }
}
