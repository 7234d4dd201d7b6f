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

from integrator.commands.shared.console import plain_console
from integrator.domain.audit.play import Trap
from integrator.domain.integration.directory import load_integration
from integrator.session.audit.heard import AuditJob, gathered, hear_as, probe_jobs
from integrator.session.opening import open_session, plan_session
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
) -> dict[str, Any]:
    """Audit each game with each seed; those of one ROM, start and players share their plays."""
    rows: list[dict[str, Any]] = []
    alike: dict[object, list[AuditGame]] = {}
    for game in games:
        alike.setdefault((tuple(game.patches), game.state, game.farms), []).append(game)
    with tempfile.TemporaryDirectory() as folder:
        for same in alike.values():
            directories = [build(game, Path(folder) / game.name) for game in same]
            for seed in seeds:
                rows += _judge(same, directories, seed, frames)
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


def _judge(
    games: Sequence[AuditGame], directories: Sequence[Path], seed: int, frames: int
) -> list[dict[str, Any]]:
    movies = directories[0].parent / f"movies-{seed}"
    movies.mkdir()
    players: dict[str, Player] = {"random": at_random, "able": able}
    if games[0].farms is not None:
        players["farming"] = games[0].farms
    for name, player in players.items():
        record(directories[0], movies / f"{name}.bk2", player, seed, frames)
    rows = []
    for game, traps in zip(games, traps_of(directories, movies), strict=True):
        also = game.also | FOLLOWS.get(game.trap, set())
        row = {"game": game.name, "seed": seed, **judge_traps(traps, game.trap, also, game.told)}
        # A run takes long: its rows are told as they come.
        plain_console(stderr=True, soft_wrap=True).print(json.dumps(row))
        rows.append(row)
    return rows


def traps_of(directories: Sequence[Path], movies: Path) -> list[list[Trap]]:
    """The traps of integrations that differ in no part that is played: each play is played once."""
    integrations = [load_integration(directory) for directory in directories]
    game, heard = directories[0], []
    played = [AuditJob(game, movie=movie) for movie in sorted(movies.iterdir())]
    for job in (*played, *probe_jobs(plan_session(game))):
        with open_session(game, state=job.state) as session:
            heard.append(hear_as(job, session, integrations))
    return [gathered(told) for told in zip(*heard, strict=True)]


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
