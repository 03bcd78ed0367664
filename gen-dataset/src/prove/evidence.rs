//! Compares the evidence in a record with the same evidence, measured again.
//!
//! Evidence is computed by portable mathematics, so it must be equal exactly, on every machine.

use crate::model::{GENERATOR_VERSION, Metadata, REGISTRY, Record, SYNTH};
use crate::source::warp_gradients;
use kernel_rt::KernelInfo;
use serde::Serialize;
use serde_json::Value;

/// Checks that `recorded`, the content of `field`, equals `measured`.
///
/// # Errors
/// A line that names the first part that differs, with both values.
pub(super) fn same_evidence(field: &str, recorded: impl Serialize, measured: impl Serialize) -> Result<(), String> {
    let value = |of: Result<Value, serde_json::Error>| of.map_err(|error| format!("`{field}`: {error}"));
    let (recorded, measured) = (value(serde_json::to_value(recorded))?, value(serde_json::to_value(measured))?);
    match difference(field.to_owned(), &recorded, &measured) {
        Some((field, recorded, measured)) => {
            Err(format!("`{field}` is {recorded} in the record, and {measured} if measured again"))
        }
        None => Ok(()),
    }
}

/// The first part in which two values differ: its path, which begins with `path`, and its two values.
fn difference<'a>(path: String, one: &'a Value, other: &'a Value) -> Option<(String, &'a Value, &'a Value)> {
    match (one, other) {
        (Value::Object(fields), Value::Object(others)) if fields.keys().eq(others.keys()) => fields
            .iter()
            .zip(others.values())
            .find_map(|((name, one), other)| difference(format!("{path}.{name}"), one, other)),
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            let mut pairs = items.iter().zip(others).enumerate();
            pairs.find_map(|(place, (one, other))| difference(format!("{path}[{place}]"), one, other))
        }
        _ => (one != other).then_some((path, one, other)),
    }
}

/// Checks the evidence of `record` that is not measured: which programs took part, which comparisons were made, and the
/// facts that `registered`, the entry of the kernel in the registry, states.
///
/// The version of another program, such as rustc or a judge, cannot be checked without that program.
///
/// # Errors
/// A line that names the first field that is wrong.
pub(super) fn stated(record: &Record, registered: Option<&KernelInfo>) -> Result<(), String> {
    let Record { metadata, verification, .. } = record;
    let is_registered = metadata.origin == REGISTRY;
    toolchains(record, is_registered)?;
    let compared = verification.interpreter_vs_cpu.is_some();
    let adjoint_compared = verification.adjoint.map(|adjoint| adjoint.interpreter_vs_cpu.is_some());
    let claims = [
        ("verification.ir_reads_back", verification.ir_reads_back),
        // `structure` reads the text of a synthesised kernel.
        ("verification.rust_reads_back", verification.rust_reads_back == (!is_registered).then_some(true)),
        ("verification.interpreter_vs_cpu", compared == is_registered),
        ("verification.adjoint.interpreter_vs_cpu", adjoint_compared.is_none_or(|compared| compared == is_registered)),
        ("metadata.difficulty", has_difficulty(metadata)),
        ("metadata.warp_gradient_reliable", reliability(record, registered)),
    ];
    match claims.into_iter().find(|(_, holds)| !holds) {
        Some((field, _)) => Err(format!("`{field}` does not fit a record of the origin `{}`", metadata.origin)),
        None => Ok(()),
    }
}

/// Checks the list of programs: this program, rustc for a registered kernel, NVRTC if there is PTX, then judges, each
/// once.
fn toolchains(record: &Record, is_registered: bool) -> Result<(), String> {
    const FIELD: &str = "verification.toolchains";
    let wrong = |why: String| Err(format!("`{FIELD}` {why}"));
    let list = &record.verification.toolchains;
    let own = format!("weft {}", record.generator_version);
    if list.first() != Some(&own) {
        return wrong(format!("does not begin with `{own}`"));
    }
    if let Some(twice) = list.iter().enumerate().find(|(place, one)| list[..*place].contains(one)) {
        return wrong(format!("has `{}` twice", twice.1));
    }
    let mut rest = list[1..].iter().peekable();
    for (program, expected) in [("rustc", is_registered), ("nvrtc", record.ptx.is_some())] {
        if rest.next_if(|one| is_version_of(one, program)).is_some() != expected {
            let article = if expected { "no version" } else { "a version" };
            return wrong(format!("has {article} of {program} in its place"));
        }
    }
    // What follows are judges. `validate` has no list of them: it asks the judges that are installed.
    match rest.find(|one| !one.starts_with(|first: char| first.is_alphabetic()) || !one.contains(' ')) {
        Some(other) => wrong(format!("has `{other}`, which is no program with its version")),
        None => Ok(()),
    }
}

/// Whether `text` is `program`, a space and a version.
fn is_version_of(text: &str, program: &str) -> bool {
    let version = text.strip_prefix(program).and_then(|rest| rest.strip_prefix(' '));
    version.is_some_and(|version| version.split('.').count() > 1 && version.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether there is a difficulty, and in its range, if the kernel was synthesised.
fn has_difficulty(metadata: &Metadata) -> bool {
    metadata.difficulty.is_some() == (metadata.origin == SYNTH)
        && metadata.difficulty.is_none_or(|difficulty| (1..=5).contains(&difficulty))
}

/// Whether the record says of Warp's gradients what was measured. Another version may have measured something else.
fn reliability(record: &Record, registered: Option<&KernelInfo>) -> bool {
    let claimed = record.metadata.warp_gradient_reliable;
    match registered {
        _ if record.metadata.origin == SYNTH => claimed.is_none(),
        Some(info) if record.generator_version == GENERATOR_VERSION => claimed == warp_gradients::reliable(info),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{self, Dataset};
    use crate::model::{Agreement, Outcome, Verification};
    use crate::prove::check::check;
    use kernel_rt::registered_kernels;
    use serde_json::json;

    /// A change of the list of toolchains.
    type Change = dyn Fn(&mut Vec<String>);

    /// The parts of the evidence that cannot be checked, with the reason.
    const UNCHECKED: [(&str, &str); 2] = [
        ("version of rustc", "a registered kernel may have been compiled by another rustc than that of this program"),
        ("judges", "a judge that is not installed cannot repeat its verdict; `validate` asks those that are installed"),
    ];

    /// The values that a cheat may write in the place of `value`. Numbers change by as little as possible.
    fn others(value: &Value, path: &str) -> Vec<Value> {
        let agreement = || json!(Agreement::SAME);
        match value {
            Value::Bool(value) => vec![json!(!value)],
            Value::Number(number) => match number.as_u64() {
                Some(number) => vec![json!(number + 1), json!(number.wrapping_sub(1) as u32)],
                None => {
                    let number = number.as_f64().unwrap();
                    vec![json!(number.next_up()), json!(number.next_down()), json!(number * 0.5 + 1e-9)]
                }
            },
            Value::String(text) if path == "tolerance_policy" => {
                vec![json!(if text == "same_bits" { "eight_machines" } else { "same_bits" })]
            }
            Value::String(text) => vec![json!(format!("x{text}")), json!(text.split(' ').next().unwrap()), json!("")],
            Value::Null => match path.rsplit('.').next().unwrap() {
                "rust_reads_back" => vec![json!(true), json!(false)],
                "condition" => vec![json!(1.0)],
                "adjoint_statements" | "adjoint_branches" => vec![json!([1, 1])],
                "interpreter_vs_cpu" => vec![agreement()],
                "adjoint" => vec![json!({
                    "error_f64": 0.0, "bound_f64": 1e-10, "error_as_declared": 0.0, "bound_as_declared": 1e-4,
                    "allowed_ulp": 0, "condition": 1.0, "interpreter_vs_cpu": null,
                })],
                other => panic!("`{other}` is never null"),
            },
            // A shorter and a longer list, and another order.
            // A pair of counts; the counts themselves are changed one by one.
            Value::Array(_) if path.starts_with("coverage.") && !path.ends_with("missing") => Vec::new(),
            Value::Array(items) if items.is_empty() => vec![json!(["x"])],
            Value::Array(items) => {
                let mut longer = items.clone();
                longer.extend(items.first().cloned());
                let reversed: Vec<Value> = items.iter().rev().cloned().collect();
                let lists = [items[1..].to_vec(), items[..items.len() - 1].to_vec(), longer, reversed];
                lists.into_iter().filter(|list| list != items).map(Value::Array).collect()
            }
            Value::Object(_) if !path.is_empty() && path != "interpreter_again" => vec![Value::Null],
            Value::Object(_) => Vec::new(),
        }
    }

    /// Calls `visit` with every part of `value` and its path.
    fn parts(value: &Value, path: &str, visit: &mut dyn FnMut(&str, &str, &Value), pointer: &str) {
        visit(path, pointer, value);
        let dot = if path.is_empty() { "" } else { "." };
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, field)| {
                parts(field, &format!("{path}{dot}{name}"), visit, &format!("{pointer}/{name}"));
            }),
            Value::Array(items) => items.iter().enumerate().for_each(|(place, item)| {
                parts(item, &format!("{path}[{place}]"), visit, &format!("{pointer}/{place}"));
            }),
            _ => {}
        }
    }

    /// The failures of a record. A failure is one line.
    fn failures(record: &Record, kernels: &[&'static KernelInfo]) -> Vec<String> {
        let verdict = check(record, kernels);
        let outcomes = [verdict.structure, verdict.texts, verdict.interpreter, verdict.cpu, verdict.adjoint];
        let failed = outcomes.into_iter().chain([verdict.cpu_adjoint]).filter_map(|outcome| match outcome {
            Outcome::Failed(why) => Some(why),
            Outcome::Passed | Outcome::Skipped => None,
        });
        failed.inspect(|why| assert!(!why.contains('\n'), "{why}")).collect()
    }

    /// Changes every part of the evidence of `record`, one at a time, and asserts that the check fails each time and
    /// names the field. Returns the number of changes.
    fn every_change_is_found(record: &Record, kernels: &[&'static KernelInfo]) -> usize {
        assert_eq!(failures(record, kernels), Vec::<String>::new(), "{}", record.metadata.kernel_name);
        let evidence = serde_json::to_value(&record.verification).unwrap();
        let mut changes = Vec::new();
        parts(
            &evidence,
            "",
            &mut |path, pointer, value| {
                changes
                    .extend(others(value, path).into_iter().map(|other| (path.to_owned(), pointer.to_owned(), other)));
            },
            "",
        );
        for (path, pointer, other) in &changes {
            let mut changed = evidence.clone();
            *changed.pointer_mut(pointer).unwrap() = other.clone();
            let verification: Verification = serde_json::from_value(changed).unwrap();
            // A cheat would also keep the level in step.
            let cheat = Record { tier: verification.tier(), verification, ..record.clone() };
            let found = failures(&cheat, kernels);
            let field = path.split(['.', '[']).next().unwrap();
            assert!(found.iter().any(|why| why.contains(field)), "{path} = {other}: {found:?}");
        }
        changes.len()
    }

    #[test]
    fn every_change_of_evidence_is_found() {
        let mut kernels = vec![fixtures::info("math", "wave")];
        // One kernel of integers without an adjoint, and one whose adjoint counts the winners of an extreme.
        let of_registry =
            registered_kernels().into_iter().filter(|info| ["murmur_finalize", "max_residual"].contains(&info.name));
        kernels.extend(of_registry);
        let dataset = Dataset::new(&kernels);
        dataset.generate(&["--source", "all", "--count", "9", "--examples", "2"]).unwrap();
        let records = dataset.records();
        let kinds: Vec<(bool, bool)> = records
            .iter()
            .map(|record| (record.metadata.origin == REGISTRY, record.verification.adjoint.is_some()))
            .collect();
        for kind in [(true, true), (true, false), (false, true), (false, false)] {
            let of_kind = records.iter().zip(&kinds).filter(|(_, found)| **found == kind).take(2);
            let changes: usize = of_kind.map(|(record, _)| every_change_is_found(record, &kernels)).sum();
            assert!(changes > 40, "{kind:?}: {changes}");
        }
    }

    #[test]
    fn what_cannot_be_checked_is_listed() {
        let kernels = [fixtures::info("math", "wave")];
        let dataset = Dataset::new(&kernels);
        dataset.generate(&[]).unwrap();
        let [record] = dataset.records().try_into().unwrap();
        let with = |change: &Change| {
            let mut record = record.clone();
            change(&mut record.verification.toolchains);
            failures(&record, &kernels)
        };
        let passing: [(&str, &Change); UNCHECKED.len()] = [
            ("version of rustc", &|list| list[1] = "rustc 1.2.3".to_owned()),
            ("judges", &|list| list.push("g++ 1.2.3".to_owned())),
        ];
        for ((unchecked, why), (name, change)) in UNCHECKED.into_iter().zip(passing) {
            assert_eq!((name, with(change)), (unchecked, Vec::new()), "{why}");
        }
        let begin = "`verification.toolchains`";
        let failing: [(&Change, String); 6] = [
            (&|list| list[0] = "weft 0.1.0".to_owned(), format!("does not begin with `weft {GENERATOR_VERSION}`")),
            (&|list| list[1] = "rustc nightly".to_owned(), "has no version of rustc in its place".to_owned()),
            (&|list| drop(list.remove(1)), "has no version of rustc in its place".to_owned()),
            (&|list| list.push("nvrtc 13.5".to_owned()), "has a version of nvrtc in its place".to_owned()),
            (&|list| list.extend(["g++ 1.2".to_owned(), "g++ 1.2".to_owned()]), "has `g++ 1.2` twice".to_owned()),
            (
                &|list| list.push("everybody".to_owned()),
                "has `everybody`, which is no program with its version".to_owned(),
            ),
        ];
        for (change, why) in failing {
            assert_eq!(with(change), [format!("{begin} {why}")]);
        }
    }

    #[test]
    fn facts_that_the_registry_states_are_compared() {
        let kernels: Vec<&KernelInfo> = registered_kernels().into_iter().filter(|info| info.name == "saxpy").collect();
        let dataset = Dataset::new(&kernels);
        dataset.generate(&["--source", "all", "--count", "2"]).unwrap();
        for record in dataset.records() {
            let with = |change: &dyn Fn(&mut Metadata)| {
                let mut record = record.clone();
                change(&mut record.metadata);
                failures(&record, &kernels)
            };
            let wrong = |field: &str| {
                format!("`metadata.{field}` does not fit a record of the origin `{}`", record.metadata.origin)
            };
            assert_eq!(with(&|_| {}), Vec::<String>::new());
            assert_eq!(with(&|metadata| metadata.difficulty = Some(6)), [wrong("difficulty")]);
            let claimed = record.metadata.warp_gradient_reliable.is_none_or(|reliable| !reliable);
            let reliable = |metadata: &mut Metadata| metadata.warp_gradient_reliable = Some(claimed);
            assert_eq!(with(&reliable), [wrong("warp_gradient_reliable")]);
        }
    }
}
