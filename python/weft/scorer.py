"""Scores answers of models by one long-lived process of `gen-dataset score --ndjson`.

    from weft import Scorer

    with Scorer(dataset="pairs") as scorer:
        verdicts = scorer.score([{"id": "…", "task": "python_to_cuda", "completion": "…"}])

The process starts with the first answers and builds its compiler's headers once, which takes seconds. Its verdicts do not
depend on how many answers are scored at a time, nor on what else the machine does.
"""

import json
import operator
import os
import subprocess
import tempfile
import threading
import weakref
from concurrent.futures import Future
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from weft import _program

Completion = Union[str, Sequence[Mapping[str, Any]]]
Verdict = Dict[str, Any]

# The columns of a row of `rl` that the process reads.
_FIELDS = ("id", "task", "ir", "seed", "category")

# How long the process may take to end after its input has ended, in seconds.
_PATIENCE = 10


class ScorerError(Exception):
    """The process of the scorer cannot be started, or has ended. No answer causes this."""


class Scorer:
    """Scores answers by one process, which starts when it is needed.

    `dataset` is the folder of the dataset that has the tasks. It is not needed if each answer has `ir` and `seed`, as rows of
    the config `rl` have them. The other arguments are options of `gen-dataset score`; `program` is its path.

    Threads may share a scorer: their answers are scored side by side. A forked or unpickled scorer starts a process of its
    own.
    """

    def __init__(
        self,
        dataset: Optional[Union[str, "os.PathLike[str]"]] = None,
        *,
        jobs: Optional[int] = None,
        work: Optional[float] = None,
        span: Optional[float] = None,
        seed: Optional[int] = None,
        sandbox: Optional[str] = None,
        program: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> None:
        self._program = None if program is None else os.fspath(program)
        options = {"dataset": dataset, "jobs": jobs, "work": work, "span": span, "seed": seed, "sandbox": sandbox}
        given = {name: value for name, value in options.items() if value is not None}
        self._arguments = [part for name, value in given.items() for part in (f"--{name}", os.fsdecode(_plain(value)))]
        self._forget()

    def score(self, answers: Iterable[Mapping[str, Any]]) -> List[Verdict]:
        """The verdicts on `answers`, in their order.

        An answer has the `id` of a record, the name of a `task`, and a `completion`: a text, or a list of messages of which the
        last one counts. A verdict has `correct`, `compiled`, `outcome` (`correct`, `wrong`, `too_much_work`, `crashed`,
        `does_not_compile`, `no_answer` or `unscored`), `why`, and the `work` and `span` of the answer as multiples of the
        reference's. Bad answers get verdicts, too.

        Raises `ScorerError` if the process cannot be started, or ends by itself. A process that was killed is started once
        more.
        """
        lines = [_line(answer) for answer in answers]
        if not lines:
            return []
        try:
            return self._running().ask(lines)
        except _Killed:
            return self._running().ask(lines)

    def close(self) -> None:
        """Ends the process. The next answers start another one."""
        with self._lock:
            self._process = None
        if self._pid == os.getpid():
            self._end()

    def __enter__(self) -> "Scorer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> Dict[str, Any]:
        return {"_program": self._program, "_arguments": self._arguments}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._process: Optional[_Process] = None
        self._end: Callable[[], object] = lambda: None
        self._pid = os.getpid()

    def _running(self) -> "_Process":
        if self._pid != os.getpid():
            # After a fork, the process belongs to the parent.
            self._forget()
        with self._lock:
            if self._process is None or self._process.has_ended():
                self._end()
                program = self._program or _program.find()
                if program is None:
                    raise ScorerError("there is no `gen-dataset` in this environment or in PATH; `program` gives its path")
                self._process = _Process([program, "score", "--ndjson", *self._arguments])
                # Also without `close`: when nothing refers to the scorer, and when the interpreter exits.
                self._end = weakref.finalize(self, _end, self._process.popen)
            return self._process


class _Killed(ScorerError):
    """A signal has ended the process."""


class _Process:
    """A running process."""

    def __init__(self, command: List[str]) -> None:
        self._errors = tempfile.TemporaryFile()
        try:
            self.popen = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, close_fds=True
            )
        except OSError as error:
            self._errors.close()
            raise ScorerError(f"`{command[0]}` does not start: {error}") from error
        # Lines are numbered in the order in which they are written.
        self._writing = threading.Lock()
        self._asked = 0
        self._waiting_lock = threading.Lock()
        self._waiting: Dict[int, "Future[Verdict]"] = {}
        self._ended: Optional[ScorerError] = None
        reader = threading.Thread(target=self._read, name="verdicts of gen-dataset", daemon=True)
        reader.start()

    def ask(self, lines: List[bytes]) -> List[Verdict]:
        """The verdicts on these lines."""
        futures: List["Future[Verdict]"] = [Future() for _ in lines]
        with self._writing:
            with self._waiting_lock:
                if self._ended is not None:
                    raise self._ended
                self._waiting.update(zip(range(self._asked, self._asked + len(lines)), futures))
                self._asked += len(lines)
            try:
                self.popen.stdin.write(b"".join(lines))
                self.popen.stdin.flush()
            except (OSError, ValueError):
                # The process has ended, or is being closed. The reader says how, to all that wait.
                pass
        return [future.result() for future in futures]

    def has_ended(self) -> bool:
        return self._ended is not None or self.popen.poll() is not None

    def _read(self) -> None:
        """Passes on verdicts until the process has ended."""
        foreign = None
        for line in self.popen.stdout:
            try:
                verdict = json.loads(line)
                index = verdict["index"]
            except (ValueError, KeyError, TypeError):
                foreign = line.decode(errors="replace").strip()
                self.popen.kill()
                break
            with self._waiting_lock:
                future = self._waiting.pop(index, None)
            if future is not None:
                future.set_result(verdict)
        self.popen.stdout.close()
        status = self.popen.wait()
        with self._errors as errors:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines()
        if foreign is not None:
            error = ScorerError(f"`{self.popen.args[0]}` is not the scorer, it writes `{foreign[:100]}`")
        elif status < 0:
            error = _Killed(f"signal {-status} has ended the scorer")
        else:
            error = ScorerError(f"the scorer has ended: {said[-1] if said else f'status {status}'}")
        with self._waiting_lock:
            self._ended = error
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            future.set_exception(error)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends the input of a process, and then the process."""
    try:
        process.stdin.close()
    except OSError:
        pass
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _plain(value: Any) -> Union[str, bytes, "os.PathLike[str]"]:
    return value if isinstance(value, (str, bytes, os.PathLike)) else str(value)


def _line(answer: Mapping[str, Any]) -> bytes:
    """The line of an answer."""
    line = {name: answer[name] for name in _FIELDS if answer.get(name) is not None}
    line["completion"] = text_of(answer.get("completion"))
    # ASCII, so that a lone surrogate is the program's to refuse.
    return json.dumps(line, default=operator.index).encode("ascii") + b"\n"


def text_of(completion: Any) -> Any:
    """The text of a completion: a string as it is, or what the last message says, all of its parts together."""
    if not isinstance(completion, (list, tuple)):
        return completion
    if not completion or not isinstance(completion[-1], Mapping):
        return ""
    content = completion[-1].get("content")
    if isinstance(content, (list, tuple)):
        parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
