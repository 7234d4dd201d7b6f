"""The audit's precision and recall on Atari games with planted traps, on which no rule is tuned.

``python -m scripts.bench_audit_plants`` takes the first five games by the SHA-1 of their names,
plants each trap that shows in them, and audits movies of random play and probes. ``--tuned`` takes
the games on which rules may be tuned. A serious trap that was not planted is a false alarm. Needs
``pip install --no-deps ale-py``.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from integrator.session.audit.heard import AuditJob, hear
from integrator.session.opening import open_session
from scripts import audit_plants
from scripts.audit_plants import LOOKED_AT, PLANTERS, Facts, Plant, facts_of
from scripts.bench_audit import FOLLOWS, judge_traps, print_audit_bench, rates, traps_of
from scripts.bench_games import atari_games, played_rows
from scripts.reporting import report

_GAMES: Final = 5
_SEEDS: Final = (21, 22, 23)
_FRAMES: Final = 3600


def run_plants_bench(most: int = _GAMES, *, tuned: bool = False) -> dict[str, Any]:
    """Plant and audit in the first ``most`` games, held out or ``tuned``."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        shipped = Path(folder) / "shipped"
        shipped.mkdir()
        games = [each for each in atari_games(shipped) if _fits(each, tuned=tuned)]
        games.sort(key=lambda each: audit_plants.digest(_name(each)))
        for game in games[:most]:
            rows += _judged(game, Path(folder) / _name(game))
    return {"games": len(games[:most]), "audits": len(rows), **rates(rows), "rows": rows}


def _fits(game: Path, *, tuned: bool) -> bool:
    info = json.loads((game / "data.json").read_text())["info"]
    return {"score", "lives"} <= set(info) and (_name(game) in LOOKED_AT) == tuned


def _name(game: Path) -> str:
    return game.name.split("-")[0]


def _judged(game: Path, folder: Path) -> Iterator[dict[str, Any]]:
    movies = folder / "movies"
    movies.mkdir(parents=True)
    for seed in _SEEDS:
        _record(game, movies / f"random-{seed}.bk2", seed)
    heard = [hear(AuditJob(game, movie=movie)) for movie in sorted(movies.iterdir())]
    facts = facts_of(game, [each.play for each in heard if each.play is not None])
    plants = [plant for planter in PLANTERS for plant in planter(facts)]
    alike = [plant for plant in plants if not plant.state and plant.farms is None]
    yield from _judge_alike(facts, alike, folder, movies)
    for plant in plants:
        if plant not in alike:
            yield _judge(facts, plant, folder)


def _judge_alike(
    facts: Facts, plants: Sequence[Plant], folder: Path, movies: Path
) -> Iterator[dict[str, Any]]:
    """Judge plants that change nothing but the score of the same play, which is played once."""
    directories = [_built(facts, plant, folder) for plant in plants]
    for plant, traps in zip(plants, traps_of(directories, movies), strict=True):
        yield _row(facts, plant, judge_traps(traps, plant.trap, _also(plant)))


def _judge(facts: Facts, plant: Plant, folder: Path) -> dict[str, Any]:
    directory = _built(facts, plant, folder)
    mine = folder / plant.name / "movies"
    mine.mkdir()
    for seed in _SEEDS:
        _record(directory, mine / f"random-{seed}.bk2", seed)
    if plant.farms is not None:
        _record(directory, mine / "farming.bk2", 0, plant)
    [traps] = traps_of([directory], mine)
    return _row(facts, plant, judge_traps(traps, plant.trap, _also(plant)))


def _built(facts: Facts, plant: Plant, folder: Path) -> Path:
    (folder / plant.name).mkdir()
    return audit_plants.build(facts, plant, folder / plant.name)


def _also(plant: Plant) -> frozenset[str]:
    return plant.also | FOLLOWS.get(plant.trap, set())


def _row(facts: Facts, plant: Plant, judged: dict[str, Any]) -> dict[str, Any]:
    return {"game": f"{_name(facts.directory)}, {plant.name}", "seed": 0, **judged}


def _record(game: Path, movie: Path, seed: int, plant: Plant | None = None) -> None:
    with open_session(game) as session:
        farms = None if plant is None else plant.farms
        rows = played_rows(session.system.buttons, _FRAMES, seed) if farms is None else farms
        session.reset()
        session.record(movie)
        session.run(rows)
        session.stop_recording()


if __name__ == "__main__":
    is_tuned = "--tuned" in sys.argv
    sys.argv = [each for each in sys.argv if each != "--tuned"]
    report(__doc__, lambda _: run_plants_bench(tuned=is_tuned), print_audit_bench)
