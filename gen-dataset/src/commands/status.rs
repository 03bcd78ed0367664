//! `status`: prints the progress of a run.

use super::term;
use crate::cli::StatusArgs;
use crate::distributed::{JournalState, PlannedRun, Progress, Store, is_begun, state_name};
use crate::error::Error;
use serde_json::json;

/// Prints the progress of the run that `args` names.
pub(crate) fn status(args: &StatusArgs) -> Result<(), Error> {
    term::print(&said(&PlannedRun::open(Store::open(&args.run)?)?, args.json)?)
}

/// The progress of `planned`, as JSON if `as_json`.
fn said(planned: &PlannedRun, as_json: bool) -> Result<String, Error> {
    let (mut rows, mut done, mut started, mut missing) = (0, 0, Vec::new(), Vec::new());
    let (mut damaged, mut whys) = (Vec::new(), String::new());
    for partition in 0..planned.partitions {
        match planned.progress(partition)? {
            Progress::Complete(marker) => {
                rows += marker.rows;
                done += 1;
            }
            Progress::Damaged(why) => {
                damaged.push(partition);
                missing.push(partition);
                whys += &format!("{why}\n");
            }
            Progress::Missing => {
                let state = planned.store.read(&state_name(partition))?;
                let state = state.and_then(|state| serde_json::from_slice::<JournalState>(&state).ok());
                // A worker that was killed in its first group has left no state file, but its journal exists.
                let is_begun = || planned.store.local().is_some_and(|folder| is_begun(folder, partition));
                if let Some(state) = state.or_else(|| is_begun().then(JournalState::default)) {
                    started.push(json!({ "partition": partition, "rows": state.rows, "rejected": state.rejected }));
                }
                missing.push(partition);
            }
        }
    }
    let array = ranges(&missing);
    if as_json {
        let status = json!({
            "partitions": planned.partitions,
            "records": planned.run.settings.count,
            "done": done,
            "rows": rows,
            "missing": missing,
            "damaged": damaged,
            "started": started,
            "array": array,
        });
        return Ok(format!("{status}\n"));
    }
    let mut text = format!("{done} of {} partitions are complete, with {rows} records\n", planned.partitions);
    if !missing.is_empty() {
        text += &format!("missing: {array}; {} of them are started\n", started.len());
    }
    Ok(text + &whys)
}

/// Numbers as ranges, in the form that job schedulers take: `1,4-7`.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let shown = ranges.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    shown.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distributed::RunContext;
    use crate::fixtures;
    use crate::fixtures::Dataset;
    use crate::pipeline::thread_pool;

    #[test]
    fn a_partition_that_was_begun_is_started() {
        let kernels = [fixtures::info("math", "one"), fixtures::info("math", "two")];
        let dataset = Dataset::new(&kernels);
        let store = Store::folder(&dataset.path());
        PlannedRun::plan(&store, &dataset.request(&[]).unwrap().spec, 2).unwrap();
        let planned = || PlannedRun::open(store.clone()).unwrap();
        assert!(said(&planned(), false).unwrap().ends_with("missing: 0-1; 0 of them are started\n"));
        // The run is stopped before its first group, as if it had been killed there.
        let context = RunContext::open(store.clone(), &kernels).unwrap();
        let pool = thread_pool(1).unwrap();
        let with_work = |partition: &u32| context.make(*partition, &pool, &|| true).is_err();
        let stopped = (0..2).filter(with_work).count();
        assert!(stopped > 0);
        let text = said(&planned(), false).unwrap();
        assert!(text.ends_with(&format!("; {stopped} of them are started\n")), "{text}");
        let json: serde_json::Value = serde_json::from_str(&said(&planned(), true).unwrap()).unwrap();
        assert_eq!(json["started"].as_array().unwrap().len(), stopped);
        assert_eq!((&json["started"][0]["rows"], &json["started"][0]["rejected"]), (&json!(0), &json!(0)));
    }

    #[test]
    fn numbers_are_ranges() {
        assert_eq!(ranges(&[1, 4, 5, 6, 9]), "1,4-6,9");
        assert_eq!(ranges(&[]), "");
    }
}
