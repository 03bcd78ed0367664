//! The partitions of a worker, by its arguments or by the environment of the job scheduler that started it.

use crate::error::Error;

/// One of several workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worker {
    /// The index of the worker, from 0 on.
    pub(crate) index: u32,
    /// The number of workers.
    pub(crate) of: u32,
}

/// The environment variables of a job scheduler that give a task's index and the number of tasks.
struct Engine {
    index: &'static str,
    /// The variable with the index of the first task, if tasks need not start at 0.
    first: Option<&'static str>,
    number: Option<&'static str>,
}

/// The known schedulers, in order of precedence. A scheduler without a variable for the number of tasks is taken to
/// have one task for each partition.
const ENGINES: [Engine; 4] = [
    Engine {
        index: "SLURM_ARRAY_TASK_ID",
        first: Some("SLURM_ARRAY_TASK_MIN"),
        number: Some("SLURM_ARRAY_TASK_COUNT"),
    },
    Engine { index: "JOB_COMPLETION_INDEX", first: None, number: None },
    Engine { index: "HQ_TASK_ID", first: None, number: None },
    Engine { index: "AWS_BATCH_JOB_ARRAY_INDEX", first: None, number: Some("AWS_BATCH_JOB_ARRAY_SIZE") },
];

impl Worker {
    /// The worker that the arguments or the environment name. Without either, one worker does all partitions.
    ///
    /// # Errors
    /// The index is out of range, or only one of index and number is known.
    pub(crate) fn find(
        index: Option<u32>,
        number: Option<u32>,
        partitions: u32,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Worker, Error> {
        let read = |name: &str| -> Result<Option<u32>, Error> {
            let parse = |text: String| {
                text.trim().parse().map_err(|_| {
                    Error::Config(format!(
                        "`{name}` is `{text}`, not a number; give `--shard-index` and `--num-shards`"
                    ))
                })
            };
            env(name).map(parse).transpose()
        };
        let engine = ENGINES.iter().find(|engine| env(engine.index).is_some());
        let (there, tasks) = match engine {
            None => (None, None),
            Some(engine) => {
                let first = engine.first.map_or(Ok(None), read)?.unwrap_or_default();
                let index = read(engine.index)?.map(|index| index.saturating_sub(first));
                (index, engine.number.map_or(Ok(None), read)?.or(Some(partitions)))
            }
        };
        let worker = match (index, number) {
            (Some(index), Some(of)) => Worker { index, of },
            (None, None) => Worker { index: there.unwrap_or_default(), of: tasks.unwrap_or(1) },
            (None, Some(of)) => match there {
                Some(index) => Worker { index, of },
                None if of == 1 => Worker { index: 0, of },
                None => {
                    return Err(Error::Config(format!(
                        "`--num-shards` is {of}, but the index of this worker is unknown; give `--shard-index`"
                    )));
                }
            },
            (Some(index), None) => match tasks {
                Some(of) => Worker { index, of },
                None => {
                    return Err(Error::Config(
                        "`--shard-index` needs the number of shards; give `--num-shards`".to_owned(),
                    ));
                }
            },
        };
        if worker.index >= worker.of {
            return Err(Error::Config(format!(
                "there is no shard {} of {}: the first is 0, the last is {}",
                worker.index,
                worker.of,
                i64::from(worker.of) - 1
            )));
        }
        Ok(worker)
    }

    /// The partitions of the worker: every `of`-th one, from `index` on.
    pub(crate) fn partitions(self, partitions: u32) -> Vec<u32> {
        (0..partitions).filter(|partition| partition % self.of == self.index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(index: Option<u32>, number: Option<u32>, env: &[(&str, &str)]) -> Result<(u32, u32), String> {
        let lookup = |name: &str| env.iter().find(|(there, _)| *there == name).map(|(_, value)| (*value).to_owned());
        Worker::find(index, number, 64, lookup)
            .map(|worker| (worker.index, worker.of))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn engines_say_which_shard_it_is() {
        assert_eq!(find(None, None, &[]), Ok((0, 1)));
        let slurm = [("SLURM_ARRAY_TASK_ID", "5"), ("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_COUNT", "8")];
        assert_eq!(find(None, None, &slurm), Ok((4, 8)));
        assert_eq!(find(None, None, &[("JOB_COMPLETION_INDEX", "63")]), Ok((63, 64)));
        assert_eq!(find(None, Some(8), &[("JOB_COMPLETION_INDEX", "7")]), Ok((7, 8)));
        assert_eq!(find(None, None, &[("HQ_TASK_ID", "2")]), Ok((2, 64)));
        let batch = [("AWS_BATCH_JOB_ARRAY_INDEX", "2"), ("AWS_BATCH_JOB_ARRAY_SIZE", "7")];
        assert_eq!(find(None, None, &batch), Ok((2, 7)));
        assert_eq!(find(Some(3), Some(4), &slurm), Ok((3, 4)), "arguments come first");
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        assert!(find(Some(3), None, &[]).unwrap_err().contains("--num-shards"));
        assert!(find(None, Some(3), &[]).unwrap_err().contains("--shard-index"));
        assert!(find(Some(3), Some(3), &[]).unwrap_err().contains("no shard 3 of 3"));
        assert!(find(None, None, &[("HQ_TASK_ID", "x")]).unwrap_err().contains("`HQ_TASK_ID` is `x`"));
        assert!(find(Some(0), Some(0), &[]).is_err());
    }

    #[test]
    fn every_partition_is_in_one_shard() {
        let mut all: Vec<u32> = (0..7).flat_map(|index| Worker { index, of: 7 }.partitions(64)).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..64));
    }
}
