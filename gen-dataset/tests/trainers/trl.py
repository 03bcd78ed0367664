"""A stand-in for the package `trl`: it calls reward functions as `GRPOTrainer` of version 1.16 does."""


class GRPOConfig:
    def __init__(self, output_dir, max_completion_length):
        pass


class GRPOTrainer:
    def __init__(self, model, reward_funcs, train_dataset, args):
        self.reward_funcs, self.rows = reward_funcs, train_dataset[:2]

    def train(self):
        completions = [[{"role": "assistant", "content": "__device__ int n;"}], [{"role": "assistant", "content": "no"}]]
        columns = {name: [row[name] for row in self.rows] for name in self.rows[0] if name != "prompt"}
        logged = {}
        for function in self.reward_funcs:
            rewards = function(
                prompts=[row["prompt"] for row in self.rows],
                completions=completions,
                completion_ids=[[1], [2]],
                **columns,
                trainer_state=None,
                log_extra=lambda column, values: None,
                log_metric=logged.__setitem__,
            )
            assert rewards == [0.1, 0.0], rewards
            assert logged == {"kernel_reward/compiled": 0.5, "kernel_reward/correct": 0.0}, logged
