"""The audit's precision and recall on games with planted traps, and on honest ones.

``python -m scripts.bench_audit --games SET`` audits each game of a set by movies of random, able
and farming players and by probes. A serious trap that was not planted is a false alarm. Sets are
Ember Moths built from source (with ca65), or Atari games of stable-retro with plants drawn at
random (``pip install --no-deps ale-py``): ``plants`` are games that rules were tuned on, and
``frozen`` the half of all others, by the hash of their names, that was looked at once. ``--quick``
leaves out all probes but the one that presses nothing."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from integrator.commands.shared.console import plain_console
from integrator.domain.audit.play import Trap
from integrator.domain.integration.directory import load_integration
from integrator.session.audit import AuditJob, audit_as, gathered, probe_jobs, run_job
from integrator.session.opening import open_session, plan_session
from scripts import audit_plants
from scripts.audit_games import AuditGame, Player, able, at_random, build, record
from scripts.audit_pairs import FRESH, TWINS
from scripts.audit_plants import PLANTERS, Facts, Plant, facts_of, is_frozen, is_tuned
from scripts.audit_tables import LATER, TUNED, UNSEEN
from scripts.bench_games import atari_games, played_rows
from scripts.reporting import show_table

MOTHS: Final[Mapping[str, tuple[Sequence[AuditGame], Sequence[int]]]] = {
    "tuned": (TUNED, (1, 2)),
    "unseen": ((*UNSEEN, *LATER), (3,)),
    "fresh": (FRESH, (8,)),
    "twins": (TWINS, (9,)),
}
"""Sets of Ember Moths, and the seeds of their players."""
PLANTED: Final = {"plants": is_tuned, "frozen": is_frozen}
"""Sets of Atari games: a test of the game's name."""
MOVIE_FRAMES: Final = 3600
_PLANT_SEEDS: Final = (21, 22, 23)
FOLLOWS: Final = {
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
_REMARKS: Final = {"no-effect", "same-effect", "share"}
"""Kinds that are never serious; of the others, a remark names no trap: honest games have some."""

Row = dict[str, Any]


def run_moths(
    games: Sequence[AuditGame], seeds: Sequence[int], *, quick: bool = False
) -> Iterator[Row]:
    """Audit each game with each seed; those of one ROM, start and players share their plays."""
    alike: dict[object, list[AuditGame]] = {}
    for game in games:
        alike.setdefault((tuple(game.patches), game.state, game.farms), []).append(game)
    with tempfile.TemporaryDirectory() as folder:
        for same in alike.values():
            directories = [build(game, Path(folder) / game.name) for game in same]
            for seed in seeds:
                yield from _judge_moths(same, directories, seed, quick=quick)


def _judge_moths(
    games: Sequence[AuditGame], directories: Sequence[Path], seed: int, *, quick: bool
) -> Iterator[Row]:
    movies = directories[0].parent / f"movies-{seed}"
    movies.mkdir()
    players: dict[str, Player] = {"random": at_random, "able": able}
    if games[0].farms is not None:
        players["farming"] = games[0].farms
    for name, player in players.items():
        record(directories[0], movies / f"{name}.bk2", player, seed, MOVIE_FRAMES)
    found = _traps_of(directories, movies, quick=quick)
    for game, traps in zip(games, found, strict=True):
        also = game.also | FOLLOWS.get(game.trap, set())
        yield {"game": game.name, "seed": seed, **judge_traps(traps, game.trap, also, game.told)}


def run_plants(name: str, only: Collection[str] = (), *, quick: bool = False) -> Iterator[Row]:
    """Plant and audit in the games of a set, or in ``only`` some of them."""
    fits = PLANTED[name]
    with tempfile.TemporaryDirectory() as folder:
        shipped = Path(folder) / "shipped"
        shipped.mkdir()
        for game in atari_games(shipped):
            called = game.name.split("-")[0]
            info = json.loads((game / "data.json").read_text())["info"]
            if {"score", "lives"} <= set(info) and fits(called) and (not only or called in only):
                yield from _judge_plants(game, Path(folder) / called, quick=quick)


def _judge_plants(game: Path, folder: Path, *, quick: bool) -> Iterator[Row]:
    movies = folder / "movies"
    movies.mkdir(parents=True)
    for seed in _PLANT_SEEDS:
        _record(game, movies / f"random-{seed}.bk2", seed)
    results = [run_job(AuditJob(game, movie=movie)) for movie in sorted(movies.iterdir())]
    facts = facts_of(game, [each.play for each in results if each.play is not None])
    plants = [plant for planter in PLANTERS for plant in planter(facts)]
    alike = [plant for plant in plants if not plant.state and plant.farms is None]
    directories = [_built(facts, plant, folder) for plant in alike]
    # Plants that change nothing but the score of the same play share it.
    found = _traps_of(directories, movies, quick=quick)
    for plant, traps in zip(alike, found, strict=True):
        yield _row(facts, plant, traps)
    for plant in plants:
        if plant not in alike:
            directory = _built(facts, plant, folder)
            mine = folder / plant.name / "movies"
            mine.mkdir()
            for seed in _PLANT_SEEDS:
                _record(directory, mine / f"random-{seed}.bk2", seed)
            if plant.farms is not None:
                _record(directory, mine / "farming.bk2", 0, plant)
            [traps] = _traps_of([directory], mine, quick=quick)
            yield _row(facts, plant, traps)


def _built(facts: Facts, plant: Plant, folder: Path) -> Path:
    (folder / plant.name).mkdir()
    return audit_plants.build(facts, plant, folder / plant.name)


def _row(facts: Facts, plant: Plant, traps: Collection[Trap]) -> Row:
    name = f"{facts.directory.name.split('-')[0]}, {plant.name}"
    also = plant.also | FOLLOWS.get(plant.trap, set())
    return {"game": name, "seed": 0, **judge_traps(traps, plant.trap, also)}


def _record(game: Path, movie: Path, seed: int, plant: Plant | None = None) -> None:
    with open_session(game) as session:
        farms = None if plant is None else plant.farms
        rows = played_rows(session.system.buttons, MOVIE_FRAMES, seed) if farms is None else farms
        session.reset()
        session.record(movie)
        session.run(rows)
        session.stop_recording()


def _traps_of(directories: Sequence[Path], movies: Path, *, quick: bool) -> list[list[Trap]]:
    """The traps of integrations that differ in no part that is played: each play is played once."""
    integrations = [load_integration(directory) for directory in directories]
    game, results = directories[0], []
    played = [AuditJob(game, movie=movie) for movie in sorted(movies.iterdir())]
    probes = probe_jobs(plan_session(game))[: 1 if quick else None]
    for job in (*played, *probes):
        with open_session(game, state=job.state) as session:
            results.append(audit_as(job, session, integrations))
    return [gathered(told) for told in zip(*results, strict=True)]


def judge_traps(
    traps: Collection[Trap], planted: str, also: Collection[str] = (), told: str = ""
) -> Row:
    """Compare the traps of an audit with the planted one, whose evidence holds ``told``."""
    serious = {trap.kind for trap in traps if trap.is_serious}
    named = {t.kind for t in traps if (t.is_serious or t.kind in _REMARKS) and told in t.evidence}
    return {
        "planted": planted,
        "found": planted in named,
        "false_alarms": sorted(serious - {planted, *also}),
        "evidence": [f"{t.kind}: {t.evidence} ({t.source})" for t in traps if t.is_serious],
    }


def report_of(rows: Sequence[Row]) -> Row:
    """Recall and precision of judged games, with their rows."""
    found = sum(row["found"] for row in rows if row["planted"])
    planted = sum(bool(row["planted"]) for row in rows)
    false = sum(len(row["false_alarms"]) for row in rows)
    return {
        "audits": len(rows),
        "recall": round(found / max(1, planted), 3),
        "precision": round(found / max(1, found + false), 3),
        "rows": rows,
    }


def main() -> None:
    """Parse the command line, measure, and print each row as it comes, then the shares."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("--games", choices=(*MOTHS, *PLANTED), default="tuned")
    parser.add_argument("--only", action="append", default=[], help="only this game")
    parser.add_argument("--quick", action="store_true", help="one probe, which presses nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    asked = parser.parse_args()
    rows: list[Row] = []
    if asked.games in MOTHS:
        games, seeds = MOTHS[asked.games]
        chosen = [game for game in games if not asked.only or game.name in asked.only]
        judged = run_moths(chosen, seeds, quick=asked.quick)
    else:
        judged = run_plants(asked.games, asked.only, quick=asked.quick)
    for row in judged:
        plain_console(stderr=True, soft_wrap=True).print(json.dumps(row))
        rows.append(row)
    found = report_of(rows)
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    else:
        print_report(found)


def print_report(found: Row) -> None:
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
    shares = f"precision {found['precision']}, recall {found['recall']}, {found['audits']} audits"
    plain_console().print(shares)


if __name__ == "__main__":
    main()
