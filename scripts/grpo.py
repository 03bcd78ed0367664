#!/usr/bin/env python3
"""Trains a very small model by GRPO with the reward of `gen-dataset score`, as a check of the whole loop on a CPU.

The model is randomly initialised and has a few thousand parameters, too few to write a kernel. So its vocabulary has whole
answers: for each of some tasks the right one, one whose kernel does nothing, and one that does not compile. The model has to
learn which of them to say. Each answer that it samples is compiled, run and compared as any answer is.

PyTorch takes gigabytes, so CI does not run this. To run it:

    python3 -m venv .tools-grpo/venv
    .tools-grpo/venv/bin/pip install torch==2.15.0 transformers==5.24.0 trl==1.16.0
    cargo build --release -p gen-dataset
    .tools-grpo/venv/bin/python scripts/grpo.py --program target/release/gen-dataset
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.filterwarnings("ignore", category=FutureWarning)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

import torch
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, PrinterCallback, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from weft import KernelReward, Scorer

PAD, END, UNKNOWN = "<pad>", "<end>", "<unknown>"
# A conversation is the words of its last message.
TEMPLATE = "{{ messages[-1]['content'] }}"


def tasks(program, folder, count):
    """Rows of `rl` of some synthesised kernels, and the answers to choose from."""
    command = [program, "generate", "--source", "synth", "--count", str(2 * count), "--configs", "default,sft,rl"]
    subprocess.run([*command, "--output", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def rows(config):
        file = Path(folder) / "data" / config / "train-00000-of-00001.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()]

    right = {(row["id"], row["task"]): row["completion"] for row in rows("sft")}
    asked = [row for row in rows("rl") if row["task"] == "python_to_cuda"]
    # Answers to a few tasks cannot be scored.
    with Scorer(program=program) as scorer:
        verdicts = scorer.score({**row, "completion": right[row["id"], row["task"]]} for row in asked)
    asked = [row for row, verdict in zip(asked, verdicts) if verdict["correct"]][:count]
    answers = [answer for row in asked for answer in choices(right[row["id"], row["task"]])]
    # The model is too small for prompts of a page: it gets their last hundred words, which are the source text.
    for row in asked:
        row["prompt"] = [{"role": "user", "content": " ".join(row["prompt"][0]["content"].split()[-100:])}]
    return asked, list(dict.fromkeys(answers))


def choices(right):
    """A right answer, one that writes nothing, and one that does not compile."""
    before, entry = right.split('extern "C" __global__')
    signature = entry.split(") {\n")[0]
    return right, f'{before}extern "C" __global__{signature}) {{\n}}\n```', right.replace("}\n```", "\n```")


def tokenizer_of(asked, answers):
    """A vocabulary of the words of the prompts, and of whole answers."""
    words = sorted({word for row in asked for word in row["prompt"][0]["content"].split()})
    vocabulary = {word: place for place, word in enumerate([PAD, END, UNKNOWN, *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_tokens([AddedToken(answer, normalized=False) for answer in answers])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, eos_token=END, unk_token=UNKNOWN, padding_side="left"
    )
    fast.chat_template = TEMPLATE
    return fast


class Log(TrainerCallback):
    """Prints and keeps the mean rewards."""

    def __init__(self):
        self.rewards = []

    def on_log(self, args, state, control, logs=None, **_):
        if logs and "reward" in logs:
            self.rewards.append(logs["reward"])
            compiled, correct = (logs[f"kernel_reward/{what}"] for what in ("compiled", "correct"))
            print(
                f"step {state.global_step:3}: reward {logs['reward']:.3f}, compiled {100 * compiled:3.0f} %, "
                f"correct {100 * correct:3.0f} %",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="gen-dataset", help="the path of gen-dataset")
    parser.add_argument("--steps", type=int, default=30, help="the number of steps")
    parser.add_argument("--tasks", type=int, default=3, help="the number of kernels that are asked for")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the model and of sampling")
    args = parser.parse_args()
    torch.manual_seed(args.seed)

    with tempfile.TemporaryDirectory() as folder:
        asked, answers = tasks(args.program, os.path.join(folder, "dataset"), args.tasks)
        tokenizer = tokenizer_of(asked, answers)
        size = len(tokenizer)
        config = LlamaConfig(
            vocab_size=size,
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            max_position_embeddings=256,
            tie_word_embeddings=True,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=None,
        )
        model = LlamaForCausalLM(config)
        print(f"{len(asked)} tasks, {len(answers)} answers, {model.num_parameters()} parameters")
        said = {tokenizer.convert_tokens_to_ids(answer) for answer in answers}
        log, reward = Log(), KernelReward(program=args.program)
        settings = GRPOConfig(
            output_dir=os.path.join(folder, "model"),
            max_steps=args.steps,
            per_device_train_batch_size=24,
            num_generations=8,
            # One token: an answer.
            max_completion_length=1,
            generation_kwargs={"suppress_tokens": [token for token in range(size) if token not in said]},
            learning_rate=0.02,
            lr_scheduler_type="constant",
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=True,
            disable_tqdm=True,
            seed=args.seed,
        )
        trainer = GRPOTrainer(
            model=model,
            reward_funcs=[reward],
            args=settings,
            train_dataset=Dataset.from_list(asked),
            processing_class=tokenizer,
            callbacks=[log],
        )
        # `Log` prints what matters here.
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        reward.close()
    few = max(1, args.steps // 6)
    first, last = (sum(part) / few for part in (log.rewards[:few], log.rewards[-few:]))
    print(f"mean reward of the first {few} steps {first:.3f}, of the last {few} steps {last:.3f}")
    return 0 if last > first else 1


if __name__ == "__main__":
    sys.exit(main())
