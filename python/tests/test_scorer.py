"""Tests of the package `weft`: what trainers may rely on. Only the standard library is needed.

`WEFT_PROGRAM` is the path of `gen-dataset`, and `WEFT_DATASET` a dataset with the configs `sft` and `rl`. Without them, only
the tests with a stand-in for the program run. `gen-dataset/tests/score.rs` runs all of them:

    PYTHONPATH=python python3 -m unittest discover python/tests
"""

import asyncio
import inspect
import json
import os
import pickle
import signal
import stat
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from pathlib import Path

from weft import KernelReward, Scorer, ScorerError
from weft.scorer import text_of

PROGRAM, DATASET = os.environ.get("WEFT_PROGRAM"), os.environ.get("WEFT_DATASET")

# Answers like `gen-dataset score --ndjson`. What the completion says decides the verdict.
STAND_IN = """\
    import json, os, signal, sys
    print(" ".join(sys.argv[1:]), file=open(os.path.join(os.path.dirname(__file__), "started"), "a"))
    if "--refuse" in sys.argv:
        sys.exit("error: it is refused")
    for index, line in enumerate(sys.stdin):
        answer = json.loads(line)
        text = answer["completion"]
        if text == "kill once" and not os.path.exists(__file__ + ".killed"):
            open(__file__ + ".killed", "w")
            os.kill(os.getpid(), signal.SIGKILL)
        if text == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if text == "exit":
            sys.exit("error: no space is left")
        if text == "babble":
            print("hello", flush=True)
        outcome = text if text in ("correct", "wrong", "unscored") else "does_not_compile"
        verdict = {"index": index, "id": answer["id"], "task": answer["task"], "outcome": outcome, "why": text,
            "compiled": outcome in ("correct", "wrong"), "correct": outcome == "correct", "pid": os.getpid(), "line": answer}
        print(json.dumps(verdict), flush=True)
"""


def answer(completion, **more):
    return {"id": "i", "task": "python_to_cuda", "completion": completion, **more}


class WithStandIn(unittest.TestCase):
    """The process is a stand-in."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.program = self.folder / "gen-dataset"
        self.program.write_text(f"#!{sys.executable}\n" + textwrap.dedent(STAND_IN))
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def scorer(self, **options):
        scorer = Scorer(program=self.program, **options)
        self.addCleanup(scorer.close)
        return scorer

    def started(self):
        """The arguments of the processes that were started."""
        file = self.folder / "started"
        return file.read_text().splitlines() if file.exists() else []

    def test_verdicts_come_in_the_order_of_the_answers(self):
        scorer = self.scorer(dataset="pairs", jobs=2, work=16.0, seed=7, sandbox="none")
        self.assertEqual(self.started(), [])
        self.assertEqual(scorer.score([]), [])
        words = [f"word {number}" for number in range(500)]
        for _ in range(2):
            verdicts = scorer.score(answer(word) for word in words)
            self.assertEqual([verdict["why"] for verdict in verdicts], words)
        self.assertEqual(
            self.started(), ["score --ndjson --dataset pairs --jobs 2 --work 16.0 --seed 7 --sandbox none"]
        )

    def test_large_batches_do_not_block(self):
        verdicts = self.scorer().score([answer("x" * 100_000)] * 200)
        self.assertEqual(len(verdicts), 200)

    def test_threads_share_the_process(self):
        scorer, found = self.scorer(), {}

        def run(number):
            words = [f"{number}.{part}" for part in range(50)]
            found[number] = [verdict["why"] for verdict in scorer.score([answer(word) for word in words])] == words

        threads = [threading.Thread(target=run, args=(number,)) for number in range(16)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual(found, {number: True for number in range(16)})
        self.assertEqual(len(self.started()), 1)

    def test_a_killed_process_is_started_once_more(self):
        scorer = self.scorer()
        [first] = scorer.score([answer("correct")])
        os.kill(first["pid"], signal.SIGKILL)
        [second] = scorer.score([answer("correct")])
        self.assertNotEqual(first["pid"], second["pid"])
        verdicts = scorer.score([answer("wrong"), answer("kill once"), answer("correct")])
        self.assertEqual([verdict["outcome"] for verdict in verdicts], ["wrong", "does_not_compile", "correct"])
        self.assertEqual(len(self.started()), 3)
        with self.assertRaisesRegex(ScorerError, "signal 9"):
            scorer.score([answer("kill")])
        self.assertEqual(len(scorer.score([answer("correct")])), 1)

    def test_a_process_that_fails_says_why(self):
        with self.assertRaisesRegex(ScorerError, "it is refused"):
            Scorer(program=self.program, dataset="--refuse").score([answer("x")])
        scorer = self.scorer()
        with self.assertRaisesRegex(ScorerError, "no space is left"):
            scorer.score([answer("x"), answer("exit"), answer("x")])
        with self.assertRaisesRegex(ScorerError, "is not the scorer, it writes `hello`"):
            scorer.score([answer("babble")])
        with self.assertRaisesRegex(ScorerError, "does not start"):
            Scorer(program=self.folder / "nothing").score([answer("x")])
        self.assertEqual(len(scorer.score([answer("correct")])), 1)

    def test_closing_ends_the_process_and_the_next_answers_start_another(self):
        with self.scorer() as scorer:
            [first] = scorer.score([answer("correct")])
        with self.assertRaises(ProcessLookupError):
            os.kill(first["pid"], 0)
        scorer.close()
        [second] = scorer.score([answer("correct")])
        self.assertNotEqual(first["pid"], second["pid"])
        # The process of a scorer that nothing refers to ends, too.
        lost = Scorer(program=self.program)
        [third] = lost.score([answer("correct")])
        del lost
        self.wait_for_the_end(third["pid"])

    def wait_for_the_end(self, pid):
        for _ in range(500):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.01)
        self.fail(f"process {pid} is still there")

    def test_copies_in_other_processes_have_their_own_process(self):
        scorer = self.scorer(jobs=1)
        [first] = scorer.score([answer("correct")])
        copy = pickle.loads(pickle.dumps(scorer))
        self.addCleanup(copy.close)
        self.assertNotEqual(copy.score([answer("correct")])[0]["pid"], first["pid"])
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                [verdict] = scorer.score([answer("correct")])
                os.write(write, str(verdict["pid"]).encode())
                scorer.close()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        other = int(os.read(read, 100))
        self.assertNotEqual(other, first["pid"])
        self.assertEqual(scorer.score([answer("correct")])[0]["pid"], first["pid"])
        self.assertEqual(self.started(), ["score --ndjson --jobs 1"] * 3)

    def test_completions_are_texts_or_messages(self):
        user = {"role": "user", "content": "?"}
        parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
        for completion, text in [
            ("x", "x"),
            ([user, {"role": "assistant", "content": "x"}], "x"),
            ([{"role": "assistant", "content": parts}], "ab"),
            ([{"role": "assistant", "content": None}], ""),
            ([], ""),
            (["x"], ""),
        ]:
            self.assertEqual(text_of(completion), text)
        [verdict] = self.scorer().score([answer([user, {"role": "assistant", "content": "\ud800"}], ir=None, seed=3, x=1)])
        expected = {"id": "i", "task": "python_to_cuda", "seed": 3, "completion": "\ud800"}
        self.assertEqual(verdict["line"], expected)

    def test_a_reward_is_called_as_trl_calls_it(self):
        scorer, logged = self.scorer(), {}
        reward = KernelReward(scorer=scorer, compiled=0.25)
        self.assertEqual(reward.__name__, "kernel_reward")
        self.assertEqual(KernelReward(name="score", scorer=scorer).__name__, "score")
        self.assertFalse(inspect.iscoroutinefunction(reward.__call__))
        words = ["correct", "wrong", "nonsense", "unscored"]
        for completions in (words, [[{"role": "assistant", "content": word}] for word in words]):
            rewards = reward(
                prompts=[[{"role": "user", "content": "?"}]] * 4,
                completions=completions,
                completion_ids=[[1, 2]] * 4,
                id=["a", "b", "c", "d"],
                task=["python_to_cuda"] * 4,
                ir=["…"] * 4,
                seed=[1, 2, 3, 4],
                category=["math"] * 4,
                entry_point=["f"] * 4,
                skeleton_id=["s"] * 4,
                trainer_state=object(),
                log_extra=lambda column, values: None,
                log_metric=lambda name, value: logged.update({name: value}),
            )
            self.assertEqual(rewards, [1.0, 0.25, 0.0, None])
        self.assertEqual(logged, {"kernel_reward/compiled": 0.5, "kernel_reward/correct": 0.25})
        [verdict] = scorer.score([answer("correct", ir="…", seed=1)])
        self.assertEqual(verdict["line"]["ir"], "…")

    def test_a_dataset_of_another_kind_is_an_error(self):
        reward = KernelReward(scorer=self.scorer())
        with self.assertRaisesRegex(TypeError, "no column `id`"):
            reward(prompts=["?"], completions=["x"])
        with self.assertRaisesRegex(ValueError, "`id` has 1 values for 2 completions"):
            reward(prompts=["?"] * 2, completions=["x"] * 2, id=["a"], task=["t"])
        with self.assertRaisesRegex(TypeError, "jobs"):
            KernelReward(scorer=self.scorer(), jobs=2)

    def test_a_reward_is_called_as_verifiers_calls_it(self):
        reward = KernelReward(scorer=self.scorer())
        row = {"prompt": "?", "id": "a", "task": "python_to_cuda", "ir": "…", "seed": 1, "skeleton_id": "s"}
        info = KernelReward.info(row)
        self.assertEqual(info, {"id": "a", "task": "python_to_cuda", "ir": "…", "seed": 1})
        # `Rubric` chooses arguments by their names, and takes a function with plural ones for one of groups.
        self.assertEqual(list(inspect.signature(reward.kernel_reward).parameters), ["completion", "info"])
        self.assertEqual(reward.kernel_reward.__name__, "kernel_reward")

        async def all_at_once():
            words = ["correct", "wrong", "unscored", "correct"]
            infos = [info, json.dumps(info), info, info]
            return await asyncio.gather(*map(reward.kernel_reward, words, infos))

        self.assertEqual(asyncio.run(all_at_once()), [1.0, 0.0, 0.0, 1.0])
        self.assertEqual(len(self.started()), 1)


@unittest.skipUnless(PROGRAM and DATASET, "WEFT_PROGRAM and WEFT_DATASET are not set")
class WithTheProgram(unittest.TestCase):
    """The process is the program."""

    def rows(self, config):
        file = Path(DATASET) / "data" / config / "train-00000-of-00001.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()]

    def test_rewards_of_right_and_wrong_answers(self):
        rows = self.rows("rl")[:4]
        right = {(row["id"], row["task"]): row["completion"] for row in self.rows("sft")}
        completions = [right[row["id"], row["task"]] for row in rows]
        completions[1] = completions[1].replace("}\n```", "\n```")
        completions[2] = "\ud800"
        columns = {name: [row[name] for row in rows] for name in rows[0] if name != "prompt"}
        columns["task"][3] = "cuda_to_python"
        prompts = [row["prompt"] for row in rows]
        messages = [[{"role": "assistant", "content": completion}] for completion in completions]
        # Rows of `rl` need no dataset.
        reward = KernelReward(program=PROGRAM)
        self.addCleanup(reward.close)
        self.assertEqual(reward(prompts=prompts, completions=messages, **columns), [1.0, 0.0, 0.0, None])

    def test_a_scorer_with_a_dataset(self):
        right = next(row for row in self.rows("sft") if row["task"] == "python_to_cuda")
        with Scorer(DATASET, program=PROGRAM, jobs=1) as scorer:
            one, other = scorer.score([right, {**right, "id": "nobody"}])
        self.assertEqual([one["outcome"], other["outcome"]], ["correct", "unscored"])
        with self.assertRaisesRegex(ScorerError, "nowhere"):
            Scorer("nowhere", program=PROGRAM).score([right])


if __name__ == "__main__":
    unittest.main()
