"""`python -m weft`: the program `gen-dataset` of this environment, also where it is not in PATH."""

import os
import subprocess
import sys

from weft import _program


def main() -> int:
    """Runs the program with the arguments of this process, and returns its exit status."""
    program = _program.of_environment()
    if not os.path.isfile(program):
        print(f"error: there is no `{program}`; `pip install` the wheel into this environment", file=sys.stderr)
        return 2
    arguments = [program, *sys.argv[1:]]
    if os.name == "posix":
        # The program takes the place of this process, so signals reach it.
        os.execv(program, arguments)
    return subprocess.run(arguments, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
