"""The Python package of Weft: a scorer for answers of models, and reward functions. The wheel also installs the program
`gen-dataset`.
"""

from importlib import metadata

from weft.rewards import KernelReward
from weft.scorer import Scorer, ScorerError

__all__ = ["KernelReward", "Scorer", "ScorerError"]


def __getattr__(name: str) -> str:
    # Looked up when it is asked for: the package also works from a checkout, which has no metadata.
    if name == "__version__":
        return metadata.version("gen-dataset")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
