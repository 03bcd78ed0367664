//! The validator set: the judges that run on each record, before it is written and in `validate`.

use super::case::Case;
use super::installed::open;
use super::judge::Judge;
use crate::error::Error;
use crate::model::TargetText;
use crate::model::{
    DecodedAdjoint, DecodedExample, DecodedRecord, Failure, JudgeChoice, JudgeKind, Outcome, Reason, Record, decode,
};
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};
use std::fmt;

/// The number of lines of a judge's message that are kept.
const LINES: usize = 8;

/// The judges, in the order of the table that `validate` prints.
pub(crate) struct ValidatorSet {
    validators: Vec<Validator>,
    /// The number of adjoints that were compiled but not run.
    compiled_only: usize,
}

impl fmt::Debug for ValidatorSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// A judge with its name. `judge` is `None` if the judge is not installed.
struct Validator {
    kind: JudgeKind,
    name: String,
    judge: Option<Box<dyn Judge>>,
}

impl ValidatorSet {
    /// The judges that `choices` name. Without choices, all installed judges, with an empty entry for each of the
    /// others.
    ///
    /// # Errors
    /// A named judge is not installed, or `none` is combined with another choice.
    pub(crate) fn new(choices: &[JudgeChoice]) -> Result<ValidatorSet, Error> {
        if choices.contains(&JudgeChoice::None) && choices.len() > 1 {
            return Err(Error::Config("`--judges none` names no other judge".to_owned()));
        }
        let named = |kind: JudgeKind| choices.iter().any(|choice| choice.names(kind));
        let kinds = JudgeKind::ALL.into_iter().filter(|kind| match choices {
            [] => kind.is_built(),
            _ => named(*kind),
        });
        let validator = |kind: JudgeKind| match open(kind) {
            Ok(judge) => Ok(Validator { kind, name: kind.name(), judge: Some(judge) }),
            Err(_) if choices.is_empty() => {
                Ok(Validator { kind, name: format!("{} (not installed)", kind.name()), judge: None })
            }
            Err(why) => Err(Error::Config(format!("judge `{}`: {why}", kind.name()))),
        };
        Ok(ValidatorSet { validators: kinds.map(validator).collect::<Result<_, _>>()?, compiled_only: 0 })
    }

    /// A set of the given judges.
    #[cfg(test)]
    pub(crate) fn of(judges: Vec<Box<dyn Judge>>) -> ValidatorSet {
        let validator =
            |judge: Box<dyn Judge>| Validator { kind: judge.kind(), name: judge.kind().name(), judge: Some(judge) };
        ValidatorSet { validators: judges.into_iter().map(validator).collect(), compiled_only: 0 }
    }

    /// The names of the rows in the table.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.validators.iter().map(|validator| validator.name.clone())
    }

    /// The kinds of the judges.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = JudgeKind> {
        self.validators.iter().map(|validator| validator.kind)
    }

    /// The versions of the installed judges.
    pub(crate) fn versions(&self) -> impl Iterator<Item = String> {
        self.validators.iter().filter_map(|validator| Some(validator.judge.as_ref()?.version()))
    }

    /// Sentences about launches that the judges could not compare or did not run.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let undecided = |validator: &Validator| {
            let count = validator.judge.as_ref().map_or(0, |judge| judge.undecided());
            (count > 0)
                .then(|| format!("{}: {count} launches ran, but are too ill-conditioned to compare", validator.name))
        };
        let compiled_only = || {
            format!(
                "{} adjoints are too ill-conditioned to compare: they were compiled, but not run",
                self.compiled_only
            )
        };
        self.validators.iter().filter_map(undecided).chain((self.compiled_only > 0).then(compiled_only)).collect()
    }

    /// Runs the judges on `records`, and adds to the toolchains of each record the judges that accept it. Returns the
    /// first rejection of each record.
    ///
    /// # Errors
    /// A judge does not work.
    pub(crate) fn admit(&mut self, records: &mut [&mut Record]) -> Result<Vec<Result<(), Failure>>, Error> {
        let judged = self.judge(&records.iter().map(|record| Some(&**record)).collect::<Vec<_>>())?;
        let verdict = |(record, outcomes): (&mut &mut Record, Vec<Outcome>)| {
            for (validator, outcome) in self.validators.iter().zip(outcomes) {
                let version = validator.judge.as_ref().map(|judge| judge.version());
                match outcome {
                    Outcome::Passed => record.verification.toolchains.extend(version),
                    Outcome::Skipped => {}
                    Outcome::Failed(why) => {
                        return Err((
                            Reason::JudgeRefused,
                            format!("{}: {}", validator.name, first_lines(&why, LINES)),
                        ));
                    }
                }
            }
            Ok(())
        };
        Ok(records.iter_mut().zip(judged).map(verdict).collect())
    }

    /// The outcomes for each record, one for each judge. A `None` is skipped.
    ///
    /// # Errors
    /// A judge does not work.
    pub(crate) fn judge(&mut self, records: &[Option<&Record>]) -> Result<Vec<Vec<Outcome>>, Error> {
        let mut outcomes = vec![Vec::new(); records.len()];
        if self.validators.is_empty() {
            return Ok(outcomes);
        }
        // The cases are each kernel and its adjoint, with the index of their record.
        let mut cases = Vec::new();
        for (place, record) in records.iter().enumerate() {
            if let Some(record) = record {
                cases.extend(self::cases(record).map_err(Error::Internal)?.into_iter().map(|case| (place, case)));
            }
        }
        let (places, cases): (Vec<usize>, Vec<Case>) = cases.into_iter().unzip();
        self.compiled_only += cases.iter().filter(|case| case.launches.is_empty()).count();
        // The judges are independent of each other, and some are a single process, so they run side by side.
        let judged = self.validators.par_iter_mut().map(|validator| match &mut validator.judge {
            Some(judge) => judge.judge(&cases).map_err(|why| Error::Internal(format!("{}: {why}", validator.name))),
            None => Ok(vec![Outcome::Skipped; cases.len()]),
        });
        for judged in judged.collect::<Result<Vec<Vec<Outcome>>, Error>>()? {
            let mut both = vec![Outcome::Skipped; records.len()];
            for (place, outcome) in places.iter().zip(judged) {
                let so_far = std::mem::replace(&mut both[*place], Outcome::Skipped);
                both[*place] = so_far.and(outcome);
            }
            for (outcomes, outcome) in outcomes.iter_mut().zip(both) {
                outcomes.push(outcome);
            }
        }
        Ok(outcomes)
    }
}

/// The first `count` lines of a message. Compiler logs are long.
pub(crate) fn first_lines(text: &str, count: usize) -> String {
    let mut lines: Vec<&str> = text.trim().lines().take(count).collect();
    if text.trim().lines().nth(count).is_some() {
        lines.push("…");
    }
    lines.join("\n    ")
}

/// The cases of a record: the kernel, and its adjoint if it has one.
fn cases(record: &Record) -> Result<Vec<Case>, String> {
    let DecodedRecord { kernel, data, launch, backward, more } = decode(record)?;
    let (mut launches, mut of_adjoint) = (vec![launch], Vec::new());
    for DecodedExample { launch, gradients } in more {
        launches.push(launch);
        of_adjoint.extend(gradients.into_iter().flat_map(|(launches, _)| launches));
    }
    let name = &record.metadata.kernel_name;
    let texts = |of: fn(&TargetText) -> Option<&String>| {
        record.targets.iter().filter_map(|(target, text)| Some((target.id, of(text)?.clone()))).collect()
    };
    let backward = backward.map(|DecodedAdjoint { adjoint, data, launches }| Case {
        name: format!("{name} (backward)"),
        // An adjoint that reads results of the kernel may depend on their last digits. That of `atomic_min` looks for
        // the thread with exactly the recorded value. Such an adjoint is compiled but not run.
        launches: launches
            .into_iter()
            .chain(of_adjoint)
            .filter(|launch| launch.tolerances(&data.kernel).is_ok())
            .collect(),
        in_memory: adjoint.kernel,
        kernel: data.kernel,
        texts: texts(|text| text.backward.as_ref()),
        python: None,
    });
    let forward = Case {
        name: name.clone(),
        in_memory: kernel,
        kernel: data,
        texts: texts(|text| text.forward.as_ref()),
        python: Some(record.python_source.clone()),
        launches,
    };
    Ok(std::iter::once(forward).chain(backward).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Dataset;
    use crate::model::Launch;

    #[test]
    fn an_adjoint_that_hangs_on_digits_of_the_result_is_not_run() {
        let dataset = Dataset::new(&[]);
        dataset.generate(&["--source", "synth", "--family", "atomic", "--count", "80"]).unwrap();
        let mut compiled_only = 0;
        for record in dataset.records() {
            let of_adjoint = decode(&record).unwrap().backward.map(|DecodedAdjoint { data, launches, .. }| {
                let hangs = |launch: &Launch| launch.tolerances(&data.kernel).is_err();
                (launches.iter().count(), launches.iter().filter(|launch| hangs(launch)).count())
            });
            let launches: Vec<usize> = cases(&record).unwrap().iter().map(|case| case.launches.len()).collect();
            match of_adjoint {
                None => assert_eq!(launches, [1]),
                Some((all, hanging)) => {
                    assert_eq!(launches, [1, all - hanging]);
                    compiled_only += usize::from(all == hanging);
                }
            }
        }
        assert!(compiled_only > 0, "none takes the smallest or largest of values that functions made");
    }
}
