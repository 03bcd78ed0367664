"""Where the program `gen-dataset` is."""

import os
import shutil
import sysconfig
from typing import Optional


def of_environment() -> str:
    """The path of the program in this environment, whether or not it is there."""
    return os.path.join(sysconfig.get_path("scripts"), "gen-dataset" + (sysconfig.get_config_var("EXE") or ""))


def find() -> Optional[str]:
    """The program of this environment, or else the one in PATH."""
    path = of_environment()
    return path if os.path.isfile(path) else shutil.which("gen-dataset")
