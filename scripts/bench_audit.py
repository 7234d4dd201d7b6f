"""The audit's precision and recall on games with planted traps, and on honest ones.

``python -m scripts.bench_audit`` builds variants of Ember Moth from source (with ca65), records
movies of random and able players, and of one that falls into the trap, and audits each game by its
movies and by probes, once for each seed. A serious trap that was not planted is a false alarm.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from integrator.commands.audit import audit
from integrator.commands.shared.console import plain_console
from integrator.domain.audit.play import Trap
from scripts.audit_games import AUDIT_GAMES, AuditGame, Player, able, at_random, build, record
from scripts.reporting import report, show_table

SEEDS = (1, 2)
MOVIE_FRAMES = 3600
FOLLOWS = {
    "farming": {"repaid"},
    # A clock pays in any situation, also in one that comes back, and in the first seconds.
    "reward-without-input": {"farming", "reward-at-start"},
    "repaid": {"farming", "reward-without-input"},
    "done-at-once": {"done-alive"},
    "clock-only": {"done-alive", "done-missed"},
    "done-alive": {"done-missed"},
    "jump": {"repaid"},
}
"""Kinds that are true of a game with the planted trap, too."""
_REMARKS = {"no-effect", "same-effect", "share"}
"""Kinds that are never serious; of the others, a remark names no trap: honest games have some."""


def run_audit_bench(
    games: Sequence[AuditGame] = AUDIT_GAMES,
    seeds: Sequence[int] = SEEDS,
    *,
    frames: int = MOVIE_FRAMES,
    jobs: int = 0,
) -> dict[str, Any]:
    """Audit each game with each seed."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            directory = build(game, Path(folder) / game.name)
            rows += [_judge(game, directory, seed, frames, jobs) for seed in seeds]
    return {
        "games": len(games),
        "audits": len(rows),
        "seeds": list(seeds),
        **rates(rows),
        "rows": rows,
    }


def rates(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Recall and precision of judged games."""
    found = sum(row["found"] for row in rows if row["planted"])
    planted = sum(bool(row["planted"]) for row in rows)
    false = sum(len(row["false_alarms"]) for row in rows)
    return {
        "recall": round(found / max(1, planted), 3),
        "precision": round(found / max(1, found + false), 3),
    }


def _judge(game: AuditGame, directory: Path, seed: int, frames: int, jobs: int) -> dict[str, Any]:
    movies = directory.parent / f"movies-{seed}"
    movies.mkdir()
    players: dict[str, Player] = {"random": at_random, "able": able}
    if game.farms is not None:
        players["farming"] = game.farms
    for name, player in players.items():
        record(directory, movies / f"{name}.bk2", player, seed, frames)
    also = game.also | FOLLOWS.get(game.trap, set())
    traps = _traps(movies, directory, jobs)
    row = {"game": game.name, "seed": seed, **judge_traps(traps, game.trap, also, game.told)}
    # A run takes long: its rows are told as they come.
    plain_console(stderr=True, soft_wrap=True).print(json.dumps(row))
    return row


def judge_movies(
    movies: Path, directory: Path, planted: str, also: Collection[str] = (), *, jobs: int
) -> dict[str, Any]:
    """Audit a game by its movies and by probes; ``also`` are kinds that are true of it, too."""
    return judge_traps(_traps(movies, directory, jobs), planted, also)


def _traps(movies: Path, directory: Path, jobs: int) -> list[Trap]:
    return audit([movies], game=directory, jobs=jobs, quiet=True).traps[directory.absolute()]


def judge_traps(
    traps: Collection[Trap], planted: str, also: Collection[str] = (), told: str = ""
) -> dict[str, Any]:
    """Compare the traps of an audit with the planted one, whose evidence holds ``told``."""
    serious = {trap.kind for trap in traps if trap.is_serious}
    named = {t.kind for t in traps if (t.is_serious or t.kind in _REMARKS) and told in t.evidence}
    return {
        "planted": planted,
        "found": planted in named,
        "false_alarms": sorted(serious - {planted, *also}),
        "evidence": [f"{t.kind}: {t.evidence} ({t.source})" for t in traps if t.is_serious],
    }


def print_audit_bench(found: dict[str, Any]) -> None:
    """Print the report as a table."""
    rows = (
        (
            row["game"],
            row["seed"],
            row["planted"],
            "yes" if row["found"] else "no" if row["planted"] else "",
            ", ".join(row["false_alarms"]),
        )
        for row in found["rows"]
    )
    show_table("Planted traps", ("game", "seed", "planted", "found", "false alarms"), rows)
    plain_console().print(f"precision {found['precision']}, recall {found['recall']}")


if __name__ == "__main__":
    report(__doc__, lambda _: run_audit_bench(), print_audit_bench)
