//! `score`: verdicts on answers of models, from files or line by line.

mod answers;
mod summary;

use super::term::{self, Progress};
use crate::cli::{SandboxChoice, ScoreArgs};
use crate::error::Error;
use crate::files::Staging;
use crate::out::stored;
use crate::pipeline::{jobs, thread_pool};
use crate::score::sandbox::Sandbox;
use crate::score::scorer::{Allowance, Prepared, Scorer};
use crate::score::verdict::{Outcome, Verdict};
use answers::{Answer, Row, lines_of};
use kernel_rt::Pass;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use summary::Summary;

/// The number of prepared tasks that are kept for answers to come.
const KEPT: usize = 256;

/// The dataset if none is named.
const DATASET: &str = "dataset";

/// A line of the output.
#[derive(Serialize)]
struct Scored<'a> {
    /// The number of the answer, from 0.
    index: usize,
    id: &'a str,
    task: &'a str,
    #[serde(flatten)]
    verdict: &'a Verdict,
}

/// Scores the answers that `args` name.
pub(crate) fn score(
    args: &ScoreArgs,
    input: impl BufRead,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<(), Error> {
    let sandbox = Sandbox::open(args.sandbox.map(Into::into)).map_err(Error::Config)?;
    if args.sandbox == Some(SandboxChoice::None) {
        term::warn("without a sandbox, answers can read and change all that you can");
    }
    if let Some(dataset) = &args.dataset {
        // A wrong path is reported before the first answer comes.
        drop(stored(dataset)?);
    }
    let allowance = Allowance { work: args.work, span: args.span };
    let open = || Scorer::open(sandbox, allowance).map_err(Error::Config);
    match &args.answers {
        Some(path) => {
            let answers = read_answers(path)?;
            file(args, path, &answers, &open()?, interrupted)
        }
        None => serve(args, &open()?, input),
    }
}

/// The folder of the dataset.
fn dataset(args: &ScoreArgs) -> &Path {
    args.dataset.as_deref().unwrap_or(Path::new(DATASET))
}

/// Scores the answers of the file at `path`, and prints a table.
fn file(
    args: &ScoreArgs,
    path: &Path,
    answers: &[Answer],
    scorer: &Scorer,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<(), Error> {
    let lacking = answers.iter().filter(|answer| answer.row.is_none());
    let wanted: HashSet<&str> = lacking.map(|answer| answer.id.as_str()).collect();
    let stored = if wanted.is_empty() { HashMap::new() } else { rows(dataset(args), Some(&wanted))? };
    let row_of = |answer: &'_ Answer| answer.row.clone().or_else(|| stored.get(&answer.id).cloned());
    let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (index, answer) in answers.iter().enumerate() {
        groups.entry(Key::of(answer)).or_default().push(index);
    }
    let groups: Vec<(Key, Vec<usize>)> = groups.into_iter().collect();
    let output = args.output.clone().unwrap_or_else(|| path.with_extension("scores.jsonl"));
    if fs::canonicalize(&output).is_ok_and(|output| fs::canonicalize(path).is_ok_and(|answers| answers == output)) {
        return Err(Error::Config(format!("`{}` has the answers; give another file with `--output`", path.display())));
    }
    let (staging, mut lines) = Staging::of_file(&output)?;
    let progress = Mutex::new(Progress::new("scored", Some(answers.len())));
    let of_group = |(key, indices): &(Key, Vec<usize>)| {
        let row = indices.first().and_then(|first| row_of(&answers[*first]));
        let prepared = prepare(scorer, row.as_ref(), &key.task, args.seed)?;
        let verdict = |index: &usize| {
            if interrupted() {
                return Err(Error::Interrupted("no verdicts were written"));
            }
            let verdict = verdict(scorer, &prepared, &answers[*index].text)?;
            progress.lock().unwrap_or_else(PoisonError::into_inner).advance(1);
            Ok((*index, verdict))
        };
        indices.par_iter().map(verdict).collect::<Result<Vec<_>, Error>>()
    };
    let pool = thread_pool(jobs(args.jobs))?;
    let scored: Vec<Vec<(usize, Verdict)>> =
        pool.install(|| groups.par_iter().map(of_group).collect::<Result<_, Error>>())?;
    let mut verdicts: Vec<(usize, Verdict)> = scored.into_iter().flatten().collect();
    verdicts.sort_by_key(|(index, _)| *index);
    let mut summary = Summary::new(&args.k);
    for (index, verdict) in &verdicts {
        let answer = &answers[*index];
        let Answer { id, task, .. } = answer;
        lines.write(json_line(&Scored { index: *index, id, task, verdict })?.as_bytes())?;
        let row = row_of(answer);
        summary.add(id, task, row.as_ref().map(|row| (row.family.as_str(), row.difficulty)), verdict);
    }
    lines.finish()?;
    staging.publish()?;
    match args.json {
        true => term::print(&summary.json()),
        false => {
            term::print(&format!("{}\nverdicts in {}, by {}\n", summary.text(), output.display(), scorer.version()))
        }
    }
}

/// Scores answers line by line, and answers each line with a line, in the same order.
fn serve(args: &ScoreArgs, scorer: &Scorer, input: impl BufRead) -> Result<(), Error> {
    // Read when the first line without a kernel of its own comes.
    let stored: OnceLock<Result<HashMap<String, Row>, String>> = OnceLock::new();
    let row_of = |answer: &Answer| match &answer.row {
        Some(row) => Ok(Some(row.clone())),
        None => match stored.get_or_init(|| rows(dataset(args), None).map_err(|error| error.to_string())) {
            Ok(rows) => Ok(rows.get(&answer.id).cloned()),
            Err(why) => Err(Error::Config(why.clone())),
        },
    };
    let pool = thread_pool(jobs(args.jobs))?;
    let tasks = Tasks::default();
    let scored = |answer: &Answer| {
        let make = || prepare(scorer, row_of(answer)?.as_ref(), &answer.task, args.seed);
        tasks.get(Key::of(answer), make).and_then(|prepared| verdict(scorer, &prepared, &answer.text))
    };
    let (send, receive) = mpsc::channel::<(usize, Result<String, Error>)>();
    // The lines are printed in order, whichever verdict comes first.
    let printer = std::thread::spawn(move || {
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        for (index, line) in receive {
            waiting.insert(index, line);
            while let Some(line) = waiting.remove(&next) {
                term::print(&line?)?;
                next += 1;
            }
        }
        Ok::<(), Error>(())
    });
    pool.in_place_scope(|scope| {
        for (index, line) in lines_of(input, Path::new("stdin")).enumerate() {
            let line = line?;
            let (send, scored) = (send.clone(), &scored);
            scope.spawn(move |_| {
                let line = match Answer::parse(&line) {
                    Err(why) => no_answer(index, why),
                    Ok(answer) => {
                        // Whoever sent the line waits for one, also if the scorer fails.
                        let failed = |error: Error| Verdict::new(Outcome::Unscored, error.to_string());
                        let verdict = scored(&answer).unwrap_or_else(failed);
                        json_line(&Scored { index, id: &answer.id, task: &answer.task, verdict: &verdict })
                    }
                };
                // The printer ends early only if standard output is closed; then nobody waits for the line.
                let _ = send.send((index, line));
            });
        }
        Ok::<(), Error>(())
    })?;
    drop(send);
    printer.join().map_err(|_| Error::Internal("the thread that prints verdicts ended".to_owned()))?
}

/// The output for a line that is no answer.
fn no_answer(index: usize, why: String) -> Result<String, Error> {
    json_line(&Scored { index, id: "", task: "", verdict: &Verdict::new(Outcome::NoAnswer, why) })
}

fn json_line(scored: &Scored<'_>) -> Result<String, Error> {
    let line = serde_json::to_string(scored).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(line + "\n")
}

/// A prepared task, or why its answers cannot be scored.
type Task = Arc<Result<Prepared, String>>;

fn prepare(scorer: &Scorer, row: Option<&Row>, task: &str, salt: u64) -> Result<Task, Error> {
    let pass = match task {
        "python_to_cuda" => Ok(Pass::Forward),
        "python_to_cuda_backward" => Ok(Pass::Backward),
        _ => Err(format!("answers to `{task}` are not scored; `python_to_cuda` and `python_to_cuda_backward` are")),
    };
    let prepared = match (row, pass) {
        (_, Err(why)) => Err(why),
        (None, _) => Err("the dataset has no record of this id".to_owned()),
        (Some(row), Ok(pass)) => scorer.prepare(&row.ir, row.seed, pass, salt).map_err(Error::Internal)?,
    };
    Ok(Arc::new(prepared))
}

fn verdict(scorer: &Scorer, task: &Task, text: &str) -> Result<Verdict, Error> {
    match task.as_ref() {
        Err(why) => Ok(Verdict::new(Outcome::Unscored, why.clone())),
        Ok(prepared) => scorer.score(prepared, text).map_err(Error::Internal),
    }
}

/// What a task is prepared of. Answers with equal keys share a prepared task.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    id: String,
    task: String,
    /// A hash of the kernel and the seed that came with the answer.
    row: Option<[u8; 32]>,
}

impl Key {
    fn of(answer: &Answer) -> Key {
        let hash = |row: &Row| *blake3::hash(format!("{} {}", row.seed, row.ir).as_bytes()).as_bytes();
        Key { id: answer.id.clone(), task: answer.task.clone(), row: answer.row.as_ref().map(hash) }
    }
}

/// Prepared tasks, the latest of them.
#[derive(Default)]
struct Tasks(Mutex<(HashMap<Key, Task>, VecDeque<Key>)>);

impl Tasks {
    fn get(&self, key: Key, make: impl FnOnce() -> Result<Task, Error>) -> Result<Task, Error> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = lock().0.get(&key) {
            return Ok(Arc::clone(task));
        }
        // Two threads may prepare the same task. That costs time, and no verdict depends on it.
        let made = make()?;
        let (tasks, order) = &mut *lock();
        if tasks.insert(key.clone(), Arc::clone(&made)).is_none() {
            order.push_back(key);
            if order.len() > KEPT
                && let Some(oldest) = order.pop_front()
            {
                tasks.remove(&oldest);
            }
        }
        Ok(made)
    }
}

/// The answers in the file at `path`.
fn read_answers(path: &Path) -> Result<Vec<Answer>, Error> {
    let file = File::open(path).map_err(Error::io("open", path))?;
    let mut answers = Vec::new();
    for (number, line) in lines_of(BufReader::new(file), path).enumerate() {
        let answer = Answer::parse(&line?);
        let wrong = |why| Error::Config(format!("line {} of `{}`: {why}", number + 1, path.display()));
        answers.push(answer.map_err(wrong)?);
    }
    match answers.is_empty() {
        true => Err(Error::Config(format!("`{}` has no answers", path.display()))),
        false => Ok(answers),
    }
}

/// The rows of the dataset in `dir` by id: those of `wanted`, or all.
fn rows(dir: &Path, wanted: Option<&HashSet<&str>>) -> Result<HashMap<String, Row>, Error> {
    let (_, records) = stored(dir)?;
    let mut rows = HashMap::new();
    for item in records {
        let item = item?;
        let record = item.record().map_err(|why| Error::Invalid(format!("{}: {why}", item.location)))?;
        if wanted.is_none_or(|wanted| wanted.contains(record.id.as_str())) {
            let metadata = record.metadata;
            let (family, difficulty) = (metadata.category, metadata.difficulty);
            rows.insert(record.id, Row { ir: record.ir, seed: metadata.seed, family, difficulty });
        }
    }
    Ok(rows)
}
