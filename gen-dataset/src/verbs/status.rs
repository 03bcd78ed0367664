//! `status`: how far a run has come.

use crate::cli::StatusArgs;
use crate::error::Error;
use crate::journal::{State, state_name};
use crate::partitions::Job;
use crate::store::Store;
use crate::term;
use serde_json::json;

/// Prints how far the run that `args` names has come.
pub(crate) fn status(args: &StatusArgs) -> Result<(), Error> {
    let job = Job::open(Store::open(&args.run)?)?;
    let (mut rows, mut done, mut started, mut missing) = (0, 0, Vec::new(), Vec::new());
    for partition in 0..job.partitions {
        match job.marker(partition)? {
            Some(marker) => {
                rows += marker.rows;
                done += 1;
            }
            None => {
                let state = job.store.read(&state_name(partition))?;
                if let Some(state) = state.and_then(|state| serde_json::from_slice::<State>(&state).ok()) {
                    started.push(json!({ "partition": partition, "rows": state.rows, "rejected": state.rejected }));
                }
                missing.push(partition);
            }
        }
    }
    let array = ranges(&missing);
    if args.json {
        let status = json!({
            "partitions": job.partitions,
            "records": job.run.settings.count,
            "done": done,
            "rows": rows,
            "missing": missing,
            "started": started,
            "array": array,
        });
        return term::print(&format!("{status}\n"));
    }
    let mut text = format!("{done} of {} partitions are complete, with {rows} records\n", job.partitions);
    if !missing.is_empty() {
        text += &format!("missing: {array}; {} of them are started\n", started.len());
    }
    term::print(&text)
}

/// The numbers as the ranges that schedulers take: `1,4-7`.
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

    #[test]
    fn numbers_are_ranges() {
        assert_eq!(ranges(&[1, 4, 5, 6, 9]), "1,4-6,9");
        assert_eq!(ranges(&[]), "");
    }
}
