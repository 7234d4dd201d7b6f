"""``python -m scripts.bench_proof``: originals and copies that Prove names, on Atari games.

A minute of each game is played at random. Originals are its documented variables that keep a poke.
Copies are told by an experiment without Prove's rules (``bench_proof_labels``). Each candidate is
proven alone, as by the button, and the seconds are the processor time of both processes. The rules
were tuned on every second game by name. ROMs come from ale-py (``pip install --no-deps ale-py``).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Final, TypedDict

import numpy as np

from integrator.commands.shared.console import plain_console
from integrator.session.opening import open_session
from integrator.session.proof.proof import prepare
from integrator.session.session import Session
from scripts.bench_games import atari_games, judge_games, play_minute, seed_of
from scripts.bench_proof_labels import Truth, truths
from scripts.reporting import report, show_missing, show_table

_WANTED: Final = {"original": 0.95, "copy": 0.80}
_WANTED_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """The verdict on one candidate. ``told`` are the reasons of a verdict that is not the truth."""

    game: str
    tuned: bool
    candidate: str
    truth: Truth
    ruling: str
    copy_of: str
    told: str
    seconds: float

    @property
    def wrong(self) -> bool:
        """True for an original called a copy, or the reverse."""
        return self.ruling in _WANTED and self.ruling != self.truth


class ProofReport(TypedDict):
    """The document of ``--json``."""

    shares: list[dict[str, object]]
    seconds: dict[str, float]
    rows: list[dict[str, object]]
    missing: dict[str, str]


def run_proof_bench(*, quiet: bool = False) -> ProofReport:
    """Play all games and prove their candidates. Games that cannot be played are ``missing``."""
    with tempfile.TemporaryDirectory(prefix="bench-proof-") as folder:
        rows, missing = judge_games(atari_games(Path(folder)), _judge, quiet=quiet)
    seconds = [row.seconds for row in rows] or [0.0]
    return {
        "shares": list(_shares(rows)),
        "seconds": {"median": float(np.median(seconds)), "most": max(seconds)},
        "rows": [{**asdict(row), "wrong": row.wrong} for row in rows],
        "missing": missing,
    }


def _judge(name: str, directory: Path, tuned: bool) -> list[Row]:
    with open_session(directory, isolated=False) as session:
        session.reset()
        states = list(play_minute(session, seed_of(directory)))
        return list(prove_all(name, session, states, tuned=tuned))


def prove_all(
    game: str, session: Session, states: Sequence[bytes], *, tuned: bool
) -> Iterator[Row]:
    """A row for each original and each copy of the game."""
    before = session.save_state()
    labels = truths(session, states)
    session.host.unserialize(before)
    for label in labels:
        started = _processor_seconds()
        [verdict] = prepare(session, [(label.address, label.type)]).run()
        seconds = _processor_seconds() - started
        source = "" if verdict.copy_of is None else str(verdict.copy_of)
        told = "" if verdict.ruling == label.truth else " ".join(verdict.reasons)
        candidate = f"{label.name} 0x{label.address:X} {label.type}"
        yield Row(
            *(game, tuned, candidate, label.truth, verdict.ruling, source, told), round(seconds, 3)
        )


def _processor_seconds() -> float:
    """Of this process, and of its children that have ended."""
    children = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _shares(rows: Sequence[Row]) -> Iterator[dict[str, object]]:
    for truth, wanted in _WANTED.items():
        for tuned in (True, False):
            own = [row for row in rows if row.truth == truth and row.tuned is tuned]
            if own:
                yield {
                    "truth": truth,
                    "games": "tuned on" if tuned else "held out",
                    "count": len(own),
                    "named": sum(row.ruling == truth for row in own),
                    "wrong": sum(row.wrong for row in own),
                    "wanted": wanted,
                }


def print_proof_bench(measured: ProofReport) -> None:
    """Print the shares, then each candidate that was not named, with the reasons told."""
    columns = ("truth", "games", "count", "named", "wrong", "wanted")
    show_table("Verdicts of Prove", columns, (share.values() for share in measured["shares"]))
    of_failures = ("game", "candidate", "truth", "ruling", "told")
    failures = (
        [row[column] for column in of_failures]
        for row in measured["rows"]
        if row["truth"] != row["ruling"]
    )
    show_table("Not named", of_failures, failures)
    median, most = measured["seconds"]["median"], measured["seconds"]["most"]
    plain_console().print(
        f"processor time a candidate: median {median:.2f} s, at most {most:.2f} s "
        f"(wanted {_WANTED_SECONDS} s)"
    )
    show_missing(measured["missing"])


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_proof_bench(quiet=quiet), print_proof_bench)
