use super::*;
use crate::distributed::{PlannedRun, RunContext, Store};
use crate::files::{LOCK, entries};
use crate::fixtures::{self, Dataset};
use crate::judges::case::Case;
use crate::judges::judge::Judge;
use crate::judges::validators::ValidatorSet;
use crate::model::{Example, JudgeKind, Outcome, Reason, Record, Reject, decode};
use crate::prove::check::{Verdict, check};
use kernel_ir::data::{Arg, Data};
use kernel_rt::{KernelInfo, LaunchError};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn kernels() -> Vec<&'static KernelInfo> {
    ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map(|name| fixtures::info("math", name)).to_vec()
}

/// Every file of the dataset with its contents.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in entries(folder).unwrap() {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else {
            let contents = fs::read(&entry).unwrap();
            found.push((entry, contents));
        }
    }
    found
}

fn relative(dataset: &Dataset) -> Vec<(PathBuf, Vec<u8>)> {
    let root = dataset.path();
    files(&root).into_iter().map(|(path, contents)| (path.strip_prefix(&root).unwrap().to_owned(), contents)).collect()
}

fn records(dataset: &Dataset) -> Vec<Record> {
    dataset.records()
}

fn rejects(dataset: &Dataset) -> Vec<(String, Reason)> {
    let text = fs::read_to_string(dataset.path().join(REJECTS)).unwrap();
    let rejects = text.lines().map(|line| serde_json::from_str::<Reject>(line).unwrap());
    rejects.map(|reject| (reject.kernel_name, reject.reason)).collect()
}

/// A judge that rejects every kernel whose name begins with `c`.
struct Picky;

impl Judge for Picky {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Cxx
    }

    fn version(&self) -> String {
        "picky 1".to_owned()
    }

    fn judge(&mut self, cases: &[Case]) -> Result<Vec<Outcome>, String> {
        let outcome = |case: &Case| match case.name.starts_with('c') {
            true => Outcome::Failed(format!("`{}` begins\nwith a c", case.name)),
            false => Outcome::Passed,
        };
        Ok(cases.iter().map(outcome).collect())
    }
}

#[test]
fn what_a_judge_refuses_is_no_record() {
    let dataset = Dataset::new(&kernels());
    let mut plan = dataset.request(&["--source", "all", "--count", "40", "--jobs", "2"]).unwrap();
    plan.spec.validators = Some(Mutex::new(ValidatorSet::of(vec![Box::new(Picky)])));
    generate(&plan, &|| false).unwrap();
    let records = records(&dataset);
    // One of nine registered kernels is lost. For synthesised ones others are drawn instead.
    assert_eq!(records.len(), 39);
    for record in &records {
        assert!(!record.metadata.kernel_name.starts_with('c'));
        assert_eq!(record.verification.toolchains.last().unwrap(), "picky 1");
    }
    let text = fs::read_to_string(dataset.path().join(REJECTS)).unwrap();
    let rejects: Vec<Reject> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let refused: Vec<&Reject> = rejects.iter().filter(|reject| reject.reason == Reason::JudgeRefused).collect();
    assert_eq!((refused[0].kernel_name.as_str(), refused[0].detail.as_str()), ("c", "cxx: `c` begins\n    with a c"));
    assert!(refused.len() > 1, "a synthesised kernel is refused, too");
}

#[test]
fn a_record_holds_what_the_kernel_is_and_does() {
    let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
    let stats = dataset.generate(&["--seed", "5"]).unwrap().unwrap();
    let [record] = records(&dataset).try_into().unwrap();
    assert_eq!(record.metadata.signature, "(a: f32, x: &[f32], y: &mut [f32])");
    assert_eq!((record.metadata.seed, record.metadata.index), (5, 0));
    // The tolerance is two to four times the 4 units of a sine, because `y` has its magnitude, plus two units.
    assert!((8..64).contains(&record.verification.allowed_ulp), "{}", record.verification.allowed_ulp);
    assert!(record.example.tolerances.keys().eq(["y"]) && record.example.gradient_tolerances.contains_key("x"));
    assert_eq!(record.cuda_source, None);
    let kernel = fixtures::wave();
    let inputs = record.example.inputs(&kernel).unwrap();
    let outputs = record.example.outputs(&kernel, &inputs).unwrap();
    let mut expected = inputs;
    fixtures::cpu(&record.example.dim, &mut expected).unwrap();
    assert_eq!(outputs, expected);
    assert_eq!((stats.records, stats.rejected, stats.families["math"]), (1, 0, 1));
}

#[test]
fn records_have_as_many_examples_and_sizes_as_are_asked_for() {
    let kernels = [fixtures::info("math", "wave")];
    for format in ["jsonl", "jsonl.zst", "parquet", "files"] {
        let dataset = Dataset::new(&kernels);
        let arguments =
            ["--source", "all", "--count", "8", "--examples", "3", "--sizes", "40,6,3x5", "--format", format];
        dataset.generate(&arguments).unwrap();
        let records = dataset.records();
        assert_eq!(records.len(), 8, "{format}");
        for record in &records {
            let sizes: Vec<&[usize]> = record.examples().map(|example| &*example.dim).collect();
            match record.metadata.dim {
                1 => assert_eq!(sizes, [&[40][..], &[6], &[40]]),
                2 => assert_eq!(sizes, [&[3, 5]; 3]),
                // No size with three axes was given, so kernels with three axes have default sizes.
                _ => assert_eq!(sizes.len(), 3),
            }
            assert_eq!(record.verification.shapes[..3], sizes);
            // Two examples of one size have different inputs.
            assert_ne!(record.more_examples[1], record.example);
            let verdict = check(record, &kernels);
            let is_sound = |outcome: &Outcome| matches!(outcome, Outcome::Passed | Outcome::Skipped);
            let outcomes = [&verdict.structure, &verdict.texts, &verdict.interpreter, &verdict.cpu, &verdict.adjoint];
            assert!(outcomes.into_iter().all(is_sound), "{verdict:?}");
        }
        assert!(records.iter().any(|record| record.metadata.dim == 2), "no kernel has two axes");
    }
}

#[test]
fn every_example_is_proven_again() {
    let kernels = [fixtures::info("math", "wave")];
    let dataset = Dataset::new(&kernels);
    dataset.generate(&["--examples", "2"]).unwrap();
    let [record] = records(&dataset).try_into().unwrap();
    let why = |change: fn(&mut Example)| {
        let mut record: Record = record.clone();
        change(&mut record.more_examples[0]);
        let Verdict { structure, interpreter, adjoint, .. } = check(&record, &kernels);
        let failed = [structure, interpreter, adjoint].into_iter().find_map(|outcome| match outcome {
            Outcome::Failed(why) => Some(why),
            Outcome::Passed | Outcome::Skipped => None,
        });
        failed.unwrap_or_default()
    };
    assert_eq!(why(|_| {}), "");
    assert_eq!(why(|example| example.dim = vec![17]), "the inputs are not those that the seed draws");
    let outputs = why(|example| example.outputs["y"][0] = serde_json::json!(2.5));
    assert!(outputs.contains("`y`"), "{outputs}");
    assert_eq!(why(|example| example.tolerances.clear()), "the tolerances are not those of the launch");
    let gradients = why(|example| example.gradients["x"][0] = serde_json::json!(2.5));
    assert!(gradients.contains("gradient `x`"), "{gradients}");
}

#[test]
fn synthesised_kernels_are_written_until_there_are_enough() {
    let written = |jobs: &str| {
        let dataset = Dataset::new(&[]);
        let args = ["--source", "synth", "--count", "40", "--seed", "8", "--family", "math,atomic", "--jobs", jobs];
        let stats = dataset.generate(&args).unwrap().unwrap();
        assert_eq!((stats.records, stats.distinct_structures), (40, 40));
        assert_eq!(stats.families.keys().collect::<Vec<_>>(), ["atomic", "math"]);
        assert_eq!(stats.drawn.values().sum::<usize>(), stats.records + stats.rejected);
        let read = |name: &str| std::fs::read(dataset.path().join(name)).unwrap();
        (read("data/default/train-00000-of-00001.jsonl"), read("rejects.jsonl"))
    };
    assert!(written("1") == written("3"));
}

#[test]
fn launches_with_ties_are_not_rejected() {
    // Several winners share an extremum.
    let ties = |record: &Record| {
        let counting = decode(record).unwrap().backward.and_then(|adjoint| adjoint.launches.counting);
        let counts = counting.into_iter().flat_map(|launch| launch.before.into_iter().zip(launch.after));
        counts.filter(|(before, after)| before != after).any(|(_, after)| match after.data {
            Data::U32(counts) => counts.iter().any(|count| *count > 1),
            _ => false,
        })
    };
    // Few records have ties, so more are generated until one does.
    let has_ties = |seed: u32| {
        let dataset = Dataset::new(&[]);
        let seed = seed.to_string();
        dataset.generate(&["--source", "synth", "--family", "atomic", "--count", "120", "--seed", &seed]).unwrap();
        let rejects = std::fs::read_to_string(dataset.path().join("rejects.jsonl")).unwrap();
        assert!(!rejects.contains("adjoint_mismatch"), "{rejects}");
        dataset.records().iter().any(ties)
    };
    assert!((2..12).any(has_ties));
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    for format in ["jsonl", "jsonl.zst", "parquet", "files"] {
        let (one, many) = (Dataset::new(&kernels()), Dataset::new(&kernels()));
        one.generate(&["--jobs", "1", "--format", format]).unwrap();
        many.generate(&["--jobs", "3", "--format", format]).unwrap();
        assert_eq!(relative(&one), relative(&many));
    }
}

#[test]
fn a_record_does_not_depend_on_the_others() {
    let (some, all) = (Dataset::new(&kernels()), Dataset::new(&kernels()));
    some.generate(&["--count", "2"]).unwrap();
    all.generate(&[]).unwrap();
    assert_eq!(records(&some), records(&all)[..2]);
}

#[test]
fn another_seed_gives_other_examples() {
    let (one, other) = (Dataset::new(&kernels()), Dataset::new(&kernels()));
    one.generate(&["--count", "1"]).unwrap();
    other.generate(&["--count", "1", "--seed", "1"]).unwrap();
    let (one, other) = (&records(&one)[0], &records(&other)[0]);
    assert!(one.id != other.id && one.example != other.example && one.hash == other.hash);
}

#[test]
fn the_device_decides_the_target_texts() {
    let all = [
        ("cpu", [true, false, false, false]),
        ("cuda", [false, true, false, false]),
        ("wgsl", [false, false, true, false]),
        ("hip,cuda", [false, true, false, true]),
        ("all", [true, true, true, false]),
        ("all,hip", [true; 4]),
    ];
    for (device, expected) in all {
        let dataset = Dataset::new(&kernels());
        dataset.generate(&["--count", "1", "--device", device]).unwrap();
        let record = &records(&dataset)[0];
        let found = ["cpp", "cuda", "wgsl", "hip"].map(|id| record.targets.forward(id).is_some());
        assert_eq!(found, expected, "{device}");
    }
}

#[test]
fn a_program_of_its_own_is_written_on_request() {
    for format in ["jsonl", "files"] {
        let dataset = Dataset::new(&kernels());
        dataset.generate(&["--count", "1", "--cuda-source", "--format", format]).unwrap();
        let program = match format {
            "jsonl" => records(&dataset)[0].cuda_source.clone().unwrap(),
            _ => {
                let (_, mut records) = crate::out::stored(&dataset.path()).unwrap();
                records.next().unwrap().unwrap().record().unwrap().cuda_source.unwrap()
            }
        };
        assert!(program.contains("extern \"C\" __global__ void ") && program.contains("int main()"), "{program}");
    }
    assert!(Dataset::new(&kernels()).request(&["--cuda-source", "--device", "cpu"]).is_err());
}

#[test]
fn what_fails_is_kept_aside_with_the_reason() {
    let dataset = Dataset::new(&[
        fixtures::info_with("math", "infinite", |_, args| fill(args, f32::INFINITY)),
        fixtures::info_with("math", "panics", |_, _| panic!("index 16 out of bounds")),
        fixtures::info("math", "right"),
        fixtures::info("math", "right"),
        fixtures::info_with("math", "wrong", |_, args| fill(args, 1.0)),
        changed(fixtures::info("math", "unread"), |info| info.ir = "no IR"),
        changed(fixtures::info("math", "wordless"), |info| info.python = ""),
    ]);
    dataset.generate(&[]).unwrap();
    let expected = [
        ("infinite", Reason::Mismatch),
        ("panics", Reason::CpuFailed),
        ("right", Reason::Duplicate),
        ("wrong", Reason::Mismatch),
        ("unread", Reason::IrInvalid),
        ("wordless", Reason::TextMissing),
    ];
    assert_eq!(rejects(&dataset), expected.map(|(name, reason)| (name.to_owned(), reason)));
    assert_eq!(records(&dataset).len(), 1);
}

/// A CPU version that fills `y`.
fn fill(args: &mut [Arg], value: f32) -> Result<(), LaunchError> {
    match &mut args[2].data {
        Data::F32(y) => y.fill(value),
        other => panic!("y holds {other:?}"),
    }
    Ok(())
}

fn changed(info: &KernelInfo, change: impl FnOnce(&mut KernelInfo)) -> &'static KernelInfo {
    let mut info = info.clone();
    change(&mut info);
    Box::leak(Box::new(info))
}

#[test]
fn a_kernel_that_does_nothing_is_rejected() {
    let idle = fixtures::info("math", "idle");
    let (head, _) = idle.ir.split_once("{\n").expect("the body stands in braces");
    let ir: &str = Box::leak(format!("{head}{{\n}}\n").into_boxed_str());
    let dataset = Dataset::new(&[changed(idle, |info| info.ir = ir)]);
    dataset.generate(&[]).unwrap();
    assert_eq!(rejects(&dataset), [("idle".to_owned(), Reason::NothingWritten)]);
}

#[test]
fn a_folder_in_use_is_refused_and_left_alone() {
    let dataset = Dataset::new(&kernels());
    dataset.generate(&["--count", "2"]).unwrap();
    let before = relative(&dataset);
    let error = dataset.generate(&[]).unwrap_err();
    assert!(error.to_string().contains("is not empty") && error.exit_code() == 2, "{error}");
    assert_eq!(relative(&dataset), before);
}

#[test]
fn overwriting_replaces_the_dataset_and_nothing_else() {
    let dataset = Dataset::new(&kernels());
    dataset.generate(&["--count", "2", "--format", "files"]).unwrap();
    fs::write(dataset.path().join("notes.txt"), "mine").unwrap();
    dataset.generate(&["--overwrite"]).unwrap();
    assert_eq!(records(&dataset).len(), 9);
    let names: Vec<PathBuf> = entries(&dataset.path()).unwrap();
    let names: Vec<&str> = names.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["README.md", "data", "notes.txt", "rejects.jsonl", "run.json", "stats.json"]);
}

#[test]
fn overwriting_does_not_touch_a_folder_that_is_no_dataset() {
    let dataset = Dataset::new(&kernels());
    fs::create_dir(dataset.path()).unwrap();
    fs::write(dataset.path().join("README.md"), "a project").unwrap();
    let error = dataset.generate(&["--overwrite"]).unwrap_err();
    assert!(error.to_string().contains("is not a dataset"), "{error}");
    let error = dataset.generate(&["--resume"]).unwrap_err();
    assert!(error.to_string().contains("no run to resume"), "{error}");
    assert_eq!(relative(&dataset), [(PathBuf::from("README.md"), b"a project".to_vec())]);
}

#[test]
fn a_finished_dataset_is_resumed_by_doing_nothing() {
    let dataset = Dataset::new(&kernels());
    dataset.generate(&[]).unwrap();
    let before = relative(&dataset);
    fs::write(dataset.path().join("data.tmp"), "half").unwrap();
    assert_eq!(dataset.generate(&["--resume"]).unwrap(), None);
    assert_eq!(relative(&dataset), before);
}

#[test]
fn two_processes_do_not_write_to_one_folder() {
    let (shared, alone) = (Dataset::new(&kernels()), Dataset::new(&kernels()));
    alone.generate(&[]).unwrap();
    let folder = shared.path();
    let tried = AtomicUsize::new(0);
    let others = || {
        let again = |args: &[&str]| shared.generate(args).unwrap_err();
        let run = || RunContext::open(Store::folder(&folder), &[]).map(drop).unwrap_err();
        let plan = || PlannedRun::plan(&Store::folder(&folder), &shared.request(&[]).unwrap().spec, 2).unwrap_err();
        if tried.fetch_add(1, Ordering::Relaxed) == 0 {
            for error in [again(&["--resume"]), again(&["--overwrite"]), again(&[]), run(), plan()] {
                assert_eq!(
                    error.to_string(),
                    format!("another process is using `{}`; wait until it ends", folder.display())
                );
                assert_eq!(error.exit_code(), 75);
            }
        }
        false
    };
    generate(&shared.request(&[]).unwrap(), &others).unwrap();
    assert!(tried.into_inner() > 0);
    assert_eq!(relative(&shared), relative(&alone));
    assert_eq!(shared.generate(&["--resume"]).unwrap(), None);
}

#[test]
fn a_dataset_is_not_written_over_a_run_that_is_being_made() {
    let dataset = Dataset::new(&kernels());
    let store = Store::folder(&dataset.path());
    PlannedRun::plan(&store, &dataset.request(&[]).unwrap().spec, 2).unwrap();
    let workers = [(); 2].map(|()| RunContext::open(store.clone(), &kernels()));
    let before = relative(&dataset);
    assert_eq!(dataset.generate(&["--overwrite"]).unwrap_err().exit_code(), 75);
    assert_eq!(relative(&dataset), before);
    drop(workers);
    dataset.generate(&["--overwrite"]).unwrap();
}

#[test]
fn a_file_that_locked_the_folder_of_a_killed_run_is_no_reason_to_refuse_it() {
    for args in [&[][..], &["--resume"], &["--overwrite"]] {
        let dataset = Dataset::new(&kernels());
        fs::create_dir(dataset.path()).unwrap();
        fs::write(dataset.path().join(LOCK), "").unwrap();
        dataset.generate(args).unwrap();
        assert!(!dataset.path().join(LOCK).exists());
    }
}

#[test]
fn resuming_needs_the_same_settings() {
    let dataset = Dataset::new(&kernels());
    dataset.generate(&[]).unwrap();
    let error = dataset.generate(&["--resume", "--seed", "3"]).unwrap_err();
    assert!(error.to_string().contains("`seed` was 0") && error.to_string().contains("is 3 now"), "{error}");
}

#[test]
fn a_run_that_is_ended_leaves_nothing_half_done_and_can_be_resumed() {
    let args = ["--source", "all", "--count", "140", "--jobs", "1", "--splits", "80,10,10"];
    // Counts the polls of a run, one for each step, if the run is interrupted at poll `last`.
    let steps = |dataset: &Dataset, more: &[&str], last: usize| {
        let looks = AtomicUsize::new(0);
        let interrupted = || looks.fetch_add(1, Ordering::Relaxed) >= last;
        let made = generate(&dataset.request(&[&args[..], more].concat()).unwrap(), &interrupted);
        (made.map(drop).map_err(|error| error.exit_code()), looks.into_inner())
    };
    let (ended, whole) = (Dataset::new(&kernels()), Dataset::new(&kernels()));
    let (made, all) = steps(&whole, &[], usize::MAX);
    assert_eq!(made, Ok(()));
    assert_eq!(steps(&ended, &[], 2).0, Err(130));
    let names: Vec<PathBuf> = entries(&ended.path()).unwrap();
    assert_eq!(names, [JOURNAL, "run.json"].map(|name| ended.path().join(name)));
    assert!(ended.generate(&args).unwrap_err().to_string().contains("--resume"));
    let (made, rest) = steps(&ended, &["--resume"], usize::MAX);
    assert_eq!(made, Ok(()));
    assert!(rest < all - 1, "{rest} of {all} steps were made after two");
    assert_eq!(relative(&ended), relative(&whole));
}

#[test]
fn a_killed_run_is_resumed_over_its_leftovers() {
    let (killed, whole) = (Dataset::new(&kernels()), Dataset::new(&kernels()));
    whole.generate(&["--format", "files"]).unwrap();
    fs::create_dir_all(killed.path().join("samples.tmp/math/a")).unwrap();
    fs::write(killed.path().join("run.json.tmp"), "{").unwrap();
    killed.generate(&["--format", "files", "--resume"]).unwrap();
    assert_eq!(relative(&killed), relative(&whole));
}

#[test]
fn a_dataset_survives_an_overwrite_that_is_ended() {
    let dataset = Dataset::new(&kernels());
    dataset.generate(&[]).unwrap();
    let before = relative(&dataset);
    generate(&dataset.request(&["--seed", "1", "--overwrite"]).unwrap(), &|| true).unwrap_err();
    let mut after = relative(&dataset);
    after.retain(|(name, _)| !name.starts_with(JOURNAL));
    assert_eq!(after, before);
    // The journal of another seed is useless.
    dataset.generate(&["--seed", "2", "--overwrite"]).unwrap();
    let fresh = Dataset::new(&kernels());
    fresh.generate(&["--seed", "2"]).unwrap();
    assert_eq!(relative(&dataset), relative(&fresh));
}

#[test]
fn it_is_said_that_a_small_count_takes_the_registry_alone() {
    let dataset = Dataset::new(&kernels());
    let remark = |args: &[&str]| dataset.request(args).unwrap().spec.remark();
    assert!(remark(&["--source", "all", "--count", "5"]).unwrap().contains("all 5 kernels are from the registry"));
    assert!(remark(&["--source", "all", "--count", "9"]).is_some());
    assert_eq!(remark(&["--source", "all", "--count", "10"]), None);
    assert_eq!(remark(&["--count", "5"]), None);
}

#[test]
fn what_cannot_be_served_is_refused() {
    let dataset = Dataset::new(&kernels());
    let refused = |args: &[&str]| dataset.request(args).unwrap_err().to_string();
    assert!(refused(&["--count", "10"]).contains("the source has 9 kernels"));
    assert!(refused(&["--family", "maths"]).contains("known: math, all"));
    assert!(refused(&["--source", "synth"]).contains("--count"));
    assert!(refused(&["--source", "synth", "--count", "3", "--family", "loops"]).contains("can be synthesised"));
    assert!(refused(&["--configs", "sft"]).contains("derived from `default`"));
    assert!(refused(&["--configs", "default,sft", "--device", "cpu"]).contains("CUDA or the WGSL text"));
    assert!(refused(&["--configs", "default,rl", "--device", "wgsl"]).contains("`rl` needs the CUDA text"));
    assert!(refused(&["--judges", "hip"]).contains("`hip` needs the HIP text, which `--device all` leaves out"));
    assert!(refused(&["--configs", "default,sft", "--format", "files"]).contains("cannot hold other configs"));
    assert!(!dataset.path().exists());
}
