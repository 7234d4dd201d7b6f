"""Damaged files by the million: drawn from a seed, read on all processors, resumed where it ended.

Input number ``index`` of a kind is the same file for ever under one seed, so that a fault found is
a fault that can be shown again."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.context import SpawnProcess
from pathlib import Path
from random import Random
from typing import Any, Final

from scripts.campaign.bounds import Fault, Guard, Held, judged, waited_s
from scripts.campaign.kinds import KINDS, SHAPED, Kind
from scripts.campaign.workshop import Workshop, prepare, write_shape

BLOCK: Final = 200
"""Inputs that are handed out at a time."""
STALE_S: Final = 60.0
"""A worker that is at one input for so long hangs where Python cannot interrupt it."""
AT, OK, TYPED = range(3)
"""Places in a worker's board of numbers."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some inputs of one kind, by index."""

    kind: str
    start: int
    stop: int


def blocks(total: int, kinds: Sequence[Kind] = KINDS) -> list[Block]:
    """About ``total`` inputs in blocks, all kinds in step so that a part is like the whole."""
    shares = sum(kind.share for kind in kinds)
    found: list[tuple[float, Block]] = []
    for kind in kinds:
        count = max(1, round(total * kind.share / shares))
        starts = range(0, count, BLOCK)
        found += [(at / count, Block(kind.name, at, min(count, at + BLOCK))) for at in starts]
    return [block for _, block in sorted(found, key=lambda each: each[0])]


def run(
    total: int,
    seed: int,
    log: Path,
    *,
    jobs: int,
    kinds: Sequence[Kind] = KINDS,
    until: float = math.inf,
) -> dict[str, Any]:
    """Read the inputs that ``log`` does not have yet, and sum up all of it.

    ``until`` is a moment of time.monotonic() at which to stop, to be resumed another time."""
    log.parent.mkdir(parents=True, exist_ok=True)
    done = {(line["kind"], line["start"]) for line in read_log(log)}
    left = [block for block in blocks(total, kinds) if (block.kind, block.start) not in done]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        cores = prepare(Path(folder))
        pool = _Pool(Path(folder), cores, seed, min(jobs, len(left)))
        with log.open("a", encoding="utf-8") as stream:
            for number, line in enumerate(pool.results(left), 1):
                stream.write(json.dumps(line) + "\n")
                stream.flush()
                _tell(line, number, len(left), time.monotonic() - began)
                if time.monotonic() > until:
                    break
    return summary(log, seed, kinds)


def read_log(log: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of a progress file."""
    if log.exists():
        for line in log.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                yield json.loads(line)


def summary(log: Path, seed: int, kinds: Sequence[Kind] = KINDS) -> dict[str, Any]:
    """Counts by kind, faults by sort, and resources of workers that grew until the end."""
    by_kind = {kind.name: {"inputs": 0, "ok": 0, "typed": 0, "faults": 0} for kind in kinds}
    faults: dict[str, int] = {}
    held: dict[int, list[dict[str, int]]] = {}
    for line in read_log(log):
        counts = by_kind.setdefault(line["kind"], {"inputs": 0, "ok": 0, "typed": 0, "faults": 0})
        counts["inputs"] += line["stop"] - line["start"]
        counts["ok"] += line["ok"]
        counts["typed"] += line["typed"]
        counts["faults"] += len(line["faults"])
        for fault in line["faults"]:
            faults[fault["fault"]] = faults.get(fault["fault"], 0) + 1
        held.setdefault(line["worker"], []).append(line["held"])
    return {
        "seed": seed,
        "inputs": sum(counts["inputs"] for counts in by_kind.values()),
        "kinds": by_kind,
        "faults": faults,
        "leaked": sum(_grown(lines) for lines in held.values()),
    }


def _grown(lines: list[dict[str, int]]) -> int:
    """Growth of a worker's descriptors, threads and children from early on to its end."""
    # Each kind makes things of its own at its first block.
    early, late = lines[: len(lines) // 3 + 1], lines[-(len(lines) // 3 + 1) :]
    names = ("files", "threads", "children")
    grown = (min(e[name] for e in late) - max(e[name] for e in early) for name in names)
    return sum(max(0, number) for number in grown)


def _tell(line: dict[str, Any], number: int, total: int, seconds: float) -> None:
    for fault in line["faults"]:
        name = f"{fault['kind']} {fault['index']}: {fault['fault']}"
        sys.stdout.write(f"{name}: {fault['text']} [{fault['where']}]\n")
    if number % 50 == 0 or number == total:
        rate = number * BLOCK / seconds
        sys.stdout.write(f"-- {number} of {total} blocks, {rate:.0f} inputs a second\n")
    sys.stdout.flush()


class _Pool:
    """Workers, each of which reads one block at a time; one that dies or hangs is replaced."""

    def __init__(self, folder: Path, cores: Path, seed: int, jobs: int) -> None:
        self._folder = folder
        self._cores = cores
        self._seed = seed
        self._jobs = jobs
        self._number = 0

    def results(self, left: Sequence[Block]) -> Iterator[dict[str, Any]]:
        """A line for each block."""
        waiting = list(reversed(left))
        workers = [self._new() for _ in range(self._jobs)]
        try:
            for worker in workers:
                worker.give(waiting.pop())
            while any(worker.block for worker in workers):
                wait_for([worker.pipe for worker in workers if worker.block], timeout=1.0)
                for place, worker in enumerate(workers):
                    line = worker.look()
                    if line is None:
                        continue
                    if not worker.process.is_alive() or worker.block is not None:
                        rest = worker.block
                        worker.end()
                        workers[place] = self._new()
                        if rest is not None:
                            workers[place].resume(rest, line)
                            continue
                    yield line
                    if waiting:
                        workers[place].give(waiting.pop())
        finally:
            for worker in workers:
                worker.end()

    def _new(self) -> _Worker:
        self._number += 1
        return _Worker(self._folder / f"worker-{self._number}", self._cores, self._seed)


class _Worker:
    """One process and its present block."""

    def __init__(self, folder: Path, cores: Path, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.board = context.RawArray("q", 3)
        self.process: SpawnProcess = context.Process(
            target=work, args=(folder, cores, seed, theirs, self.board), daemon=True
        )
        self.process.start()
        theirs.close()
        self.block: Block | None = None
        self._before: dict[str, Any] = {}
        self._faults: list[dict[str, Any]] = []
        self._seen = (-1, 0.0, 0.0)

    def give(self, block: Block) -> None:
        """Let it read a block."""
        self.block, self._faults, self._before = block, [], {}
        self._seen = (-1, time.monotonic(), 0.0)
        self.pipe.send((block.kind, block.start, block.stop))

    def resume(self, rest: Block, before: dict[str, Any]) -> None:
        """Let it read the rest of a block whose first inputs another worker has read."""
        self.give(rest)
        self._before = before

    def look(self) -> dict[str, Any] | None:
        """A line for the log: a whole block, or, with ``block`` still set, why it ended early."""
        if self.block is None:
            return None
        try:
            while self.pipe.poll():
                message = self.pipe.recv()
                if "fault" in message:
                    self._faults.append(message)
                    continue
                line = self._line(self.block.start, message["held"])
                self.block = None
                return line
        except (EOFError, OSError):
            return self._broken("died", f"exit code {self._code()}")
        at, since, waited = int(self.board[AT]), *self._seen[1:]
        if at != self._seen[0]:
            self._seen = (at, time.monotonic(), self._waited_s())
        # Waiting for a processor is the machine's doing and no fault of the input.
        elif time.monotonic() - since - (self._waited_s() - waited) > STALE_S:
            return self._broken("hung", f"more than {STALE_S:.0f} s at one input")
        return None

    def _waited_s(self) -> float:
        try:
            return waited_s(self.process.pid or 0)
        except OSError:  # it ended: the pipe tells so at the next look
            return math.inf

    def _code(self) -> int | None:
        self.process.join(5)
        return self.process.exitcode

    def _broken(self, how: Any, text: str) -> dict[str, Any]:
        block = self.block
        assert block is not None
        at = max(int(self.board[AT]), block.start)
        self._faults.append(Fault(block.kind, at, how, text, "").to_json())
        line = self._line(block.start, {"files": 0, "threads": 0, "children": 0})
        self.block = Block(block.kind, at + 1, block.stop) if at + 1 < block.stop else None
        return line

    def _line(self, start: int, held: dict[str, int]) -> dict[str, Any]:
        block, before = self.block, self._before
        assert block is not None
        return {
            "kind": block.kind,
            "start": before.get("start", start),
            "stop": block.stop,
            "ok": int(self.board[OK]) + before.get("ok", 0),
            "typed": int(self.board[TYPED]) + before.get("typed", 0),
            "faults": [*before.get("faults", []), *self._faults],
            "worker": self.process.pid,
            "held": held,
        }

    def end(self) -> None:
        """Stop the process."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def work(folder: Path, cores: Path, seed: int, pipe: Connection, board: Any) -> None:
    """A worker's life: blocks come through ``pipe``, and end with it."""
    sys.dont_write_bytecode = True
    sys.setrecursionlimit(1000)
    silence()
    case = folder / "case"
    shop = Workshop(case, cores)
    guard = Guard((case / "games", case / "home"))
    kinds = {kind.name: kind for kind in KINDS}
    while True:
        try:
            name, start, stop = pipe.recv()
        except EOFError:
            return
        board[OK] = board[TYPED] = 0
        for index in range(start, stop):
            board[AT] = index
            faults, typed = read_input(guard, shop, kinds[name], seed, index)
            for fault in faults:
                pipe.send(fault.to_json())
            board[TYPED if typed else OK] += not faults
        held = Held.now()
        pipe.send({"held": {"files": held.files, "threads": held.threads,
                            "children": held.children, "none": held.none_references}})  # fmt: skip


def silence() -> None:
    """Let no warning or log line of a reader reach the campaign's output."""
    import logging  # noqa: PLC0415 - needed once
    import warnings  # noqa: PLC0415 - see above

    logging.disable()
    warnings.simplefilter("ignore")


def make_input(shop: Workshop, kind: Kind, seed: int, index: int) -> None:
    """Write the files of one input below the workshop's case."""
    shutil.rmtree(shop.case, ignore_errors=True)
    shop.game.mkdir(parents=True)
    rng = Random(f"{seed} {kind.name} {index}")
    files = kind.files(rng, shop)
    odd = rng.choice(sorted(files)) if kind is SHAPED else None
    for name, data in files.items():
        path = shop.case / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name == odd:
            write_shape(rng, path, data)
        else:
            path.write_bytes(data)


def read_input(
    guard: Guard, shop: Workshop, kind: Kind, seed: int, index: int
) -> tuple[list[Fault], bool]:
    """Make one input and read it; returns its fault, if any, and true when it was refused."""
    make_input(shop, kind, seed, index)
    faults, typed = [], False
    for found in judged(guard, lambda: kind.read(shop.case, shop), kind.peak_mb):
        if found == "typed":
            typed = True
        else:
            fault, text, where = found
            faults.append(Fault(kind.name, index, fault, text, where))
    return faults, typed


def jobs() -> int:
    """As many workers as there are processors for us."""
    return len(os.sched_getaffinity(0))
