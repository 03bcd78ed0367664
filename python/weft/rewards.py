"""Reward functions for trainers: `GRPOTrainer` of TRL, and the library `verifiers`.

    from trl import GRPOTrainer
    from weft import KernelReward

    GRPOTrainer(model, reward_funcs=[KernelReward()], train_dataset=rows_of_rl, …)

The rows are those of the config `rl`. A reward needs their columns `id`, `task`, `ir` and `seed`; trainers pass the columns of
a row on to reward functions.
"""

import asyncio
import json
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from weft.scorer import Completion, Scorer, Verdict

# The columns of a row that the scorer reads.
_COLUMNS = ("id", "task", "ir", "seed", "category")


class KernelReward:
    """The reward of an answer: `correct` if it is correct, `compiled` if it only compiles, and 0 otherwise.

    An instance is a reward function of TRL, and `kernel_reward` is one of `verifiers`. Arguments beside the rewards and the name are
    those of `Scorer`; or `scorer` is the scorer itself.
    """

    def __init__(
        self,
        *,
        correct: float = 1.0,
        compiled: float = 0.0,
        name: str = "kernel_reward",
        scorer: Optional[Scorer] = None,
        **options: Any,
    ) -> None:
        if scorer is not None and options:
            raise TypeError(f"the scorer has options of its own; these are given beside it: {', '.join(options)}")
        # Trainers show the reward under this name.
        self.__name__ = name
        self.correct = correct
        self.compiled = compiled
        self.scorer = Scorer(**options) if scorer is None else scorer

    def __call__(
        self,
        completions: Sequence[Completion],
        prompts: Optional[Sequence[Any]] = None,
        *,
        log_metric: Optional[Callable[[str, float], None]] = None,
        **columns: Any,
    ) -> List[Optional[float]]:
        """The rewards of `completions`, as TRL calls it: with a list for each column of the dataset.

        A reward is None if no answer to the task can be scored; TRL leaves such answers out.
        """
        missing = [name for name in ("id", "task") if name not in columns]
        if missing:
            raise TypeError(
                f"the dataset has no column `{missing[0]}`; take rows of the config `rl`, with `remove_unused_columns=False`"
            )
        given = {name: columns[name] for name in _COLUMNS if name in columns}
        wrong = [name for name, values in given.items() if len(values) != len(completions)]
        if wrong:
            raise ValueError(f"`{wrong[0]}` has {len(given[wrong[0]])} values for {len(completions)} completions")
        rows = ({name: values[place] for name, values in given.items()} for place in range(len(completions)))
        answers = [{**row, "completion": completion} for row, completion in zip(rows, completions)]
        verdicts = self.scorer.score(answers)
        if log_metric is not None and verdicts:
            for what in ("compiled", "correct"):
                log_metric(f"{self.__name__}/{what}", sum(verdict[what] for verdict in verdicts) / len(verdicts))
        return [self.reward_of(verdict) for verdict in verdicts]

    async def kernel_reward(self, completion: Completion, info: Union[str, Mapping[str, Any]]) -> float:
        """The reward of one answer, as `verifiers` calls it. The column `info` of the dataset is `KernelReward.info(row)`.

        Rollouts that are scored at the same time share the process. A task that cannot be scored gives 0.
        """
        row = json.loads(info) if isinstance(info, str) else info
        answer = {**{name: row.get(name) for name in _COLUMNS}, "completion": completion}
        loop = asyncio.get_running_loop()
        [verdict] = await loop.run_in_executor(None, self.scorer.score, [answer])
        return self.reward_of(verdict) or 0.0

    @staticmethod
    def info(row: Mapping[str, Any]) -> Dict[str, Any]:
        """What `kernel_reward` needs of a row of `rl`."""
        return {name: row[name] for name in _COLUMNS if name in row}

    def reward_of(self, verdict: Verdict) -> Optional[float]:
        """The reward for a verdict."""
        if verdict["outcome"] == "unscored":
            return None
        if verdict["correct"]:
            return float(self.correct)
        return float(self.compiled) if verdict["compiled"] else 0.0

    def close(self) -> None:
        """Ends the process of the scorer."""
        self.scorer.close()
