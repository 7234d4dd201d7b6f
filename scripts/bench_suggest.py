"""``python -m scripts.bench_suggest``: the share of variables that suggestions name by themselves.

A recorded minute of each Atari game is played with seeded inputs: a direction held for a while, the
button pressed now and then. A suggestion is right when its bytes overlap those of a label of its
kind. The rules were tuned on every second game by name; the others are reported apart. ROMs come
from the package ale-py (``pip install --no-deps ale-py``), labels from ``bench_suggest_labels``.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypedDict

from integrator.commands.shared.console import plain_console
from integrator.domain.suggest.suggestion import Kind, Suggestion
from integrator.session.opening import open_session
from integrator.session.session import KEYFRAME_INTERVAL_FRAMES, Session
from scripts.bench_games import atari_games, judge_games, played_rows, seed_of
from scripts.bench_suggest_labels import Label, documented, positions
from scripts.reporting import report, show_missing, show_table

MINUTE_FRAMES: Final = 3600
_MOMENT_FRAMES: Final = 150
_WANTED: Final[Mapping[Kind, float]] = {
    "player-x": 0.95,
    "player-y": 0.90,
    "score": 0.95,
    "lives": 0.95,
    "timer": 0.80,
    "level": 0.0,
}
"""Shares of unseen games in which one of the first three suggestions is to be right."""


@dataclass(frozen=True, slots=True)
class Row:
    """A kind in a game. ``rank`` is that of the first right suggestion, 0 without any.

    ``named`` are the words of that suggestion, ``instead`` those of a wrong one before it.
    """

    game: str
    tuned: bool
    kind: Kind
    labels: tuple[str, ...]
    rank: int
    named: str
    instead: str
    seconds: float


class SuggestReport(TypedDict):
    """The document of ``--json``."""

    shares: list[dict[str, object]]
    rows: list[dict[str, Any]]
    missing: dict[str, str]


def run_suggest_bench(*, quiet: bool = False) -> SuggestReport:
    """Play all games and judge the suggestions. Games that can not be played are ``missing``."""
    with tempfile.TemporaryDirectory(prefix="bench-suggest-") as folder:
        rows, missing = judge_games(atari_games(Path(folder)), _judge, quiet=quiet)
    return {
        "shares": list(_shares(rows)),
        "rows": [asdict(row) for row in rows],
        "missing": missing,
    }


def _judge(name: str, directory: Path, tuned: bool) -> list[Row]:
    seed = seed_of(directory)
    with open_session(directory, isolated=False) as session:
        session.reset()
        states = list(play_minute(session, seed))
        started = time.process_time()
        found = session.suggest(list(_WANTED))
        seconds = round(time.process_time() - started, 2)
        labels = [*documented(session), *positions(name, session, states)]
    kinds = [kind for kind in _WANTED if any(label.kind == kind for label in labels)]
    return [_row(name, kind, labels, found, seconds, tuned=tuned) for kind in kinds]


def play_minute(session: Session, seed: int) -> Iterator[bytes]:
    """Play a minute; yields states on the way, for experiments."""
    rows = played_rows(session.system.buttons, MINUTE_FRAMES, seed)
    for first in range(0, len(rows), KEYFRAME_INTERVAL_FRAMES):
        session.run(rows[first : first + KEYFRAME_INTERVAL_FRAMES])
        if first % _MOMENT_FRAMES < KEYFRAME_INTERVAL_FRAMES:
            yield session.save_state()


def _row(
    game: str,
    kind: Kind,
    labels: Sequence[Label],
    found: Sequence[Suggestion],
    seconds: float,
    *,
    tuned: bool,
) -> Row:
    wanted = [label for label in labels if label.kind == kind]
    offered = [each for each in found if each.kind == kind]

    def right(each: Suggestion) -> bool:
        ends = each.address + each.type.width
        return any(
            each.address < label.address + label.width and label.address < ends for label in wanted
        )

    rank = next((number for number, each in enumerate(offered, start=1) if right(each)), 0)
    first = "" if rank == 1 or not offered else _told(offered[0])
    named = _told(offered[rank - 1]) if rank else ""
    names = tuple(f"0x{label.address:X}" for label in wanted)
    return Row(game, tuned, kind, names, rank, named, first or ("" if rank else "nothing"), seconds)


def _told(each: Suggestion) -> str:
    return f"0x{each.address:X} {each.type} ({each.confidence:.2f}): {each.reason}"


def _shares(rows: Sequence[Row]) -> Iterator[dict[str, object]]:
    for kind, wanted in _WANTED.items():
        for tuned in (True, False):
            own = [row for row in rows if row.kind == kind and row.tuned is tuned]
            if own:
                yield {
                    "kind": kind,
                    "games": "tuned on" if tuned else "held out",
                    "count": len(own),
                    "first": sum(row.rank == 1 for row in own),
                    "first_three": sum(1 <= row.rank <= 3 for row in own),
                    "wanted": wanted,
                }


def print_suggest_bench(measured: SuggestReport) -> None:
    """Print the shares, then each failure with the suggestion that came first instead."""
    columns = ("kind", "games", "count", "first", "first three", "wanted")
    shares = (share.values() for share in measured["shares"])
    show_table("Variables among the suggestions, from a minute of play", columns, shares)
    failures = (
        [row["game"], row["kind"], " ".join(row["labels"]), row["rank"], row["instead"]]
        for row in measured["rows"]
        if not 1 <= row["rank"] <= 3
    )
    of_failures = ("game", "kind", "labels", "rank", "first instead")
    show_table("Not among the first three", of_failures, failures)
    seconds = max((row["seconds"] for row in measured["rows"]), default=0.0)
    plain_console().print(f"processor time of a look: at most {seconds} s")
    show_missing(measured["missing"])


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_suggest_bench(quiet=quiet), print_suggest_bench)
