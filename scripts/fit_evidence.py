"""``python -m scripts.fit_evidence``: weights of traits for the kinds of number in suggestions.

Games are played: those for tuning of ``bench_evidence``, judged by values, every second Atari game
of stable-retro by name, and games of ``bench_annotated``. With ``--homebrew FOLDER``, the games of
``resources/bench/homebrew.json`` are played, too, whose ROMs the folder has; without, their rows
are those kept before. For each kind whose number changed, the
right readings and the likeliest wrong ones are rows of ``resources/bench/evidence.npz``. In each
play a right one is to be likelier than all others and than none, or none likeliest if no reading is
right (a conditional logistic regression, in which each game counts as much as another, and half as
much if it has no such number). Ranks and shares of right readings are those of games left out of
the fit. ``--kept`` fits the kept rows again and plays nothing."""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.mining import END_TRAITS, Tested, weighed
from integrator.domain.suggest.counters import (
    COUNTERS,
    OF_PICTURES,
    RIVALS,
    TRAITS,
    Traits,
    traits_of,
    weights_row,
)
from integrator.domain.suggest.suggestion import Kind
from integrator.domain.traits import WEIGHTS, Trait, measures_of, odds_of
from integrator.domain.values.memory import DataType
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.hidden_look import EndsRun
from integrator.session.suggestions.suggesting import SuggestRun, play_of, rows_left_out
from scripts.bench_annotated import annotated_games, start_game
from scripts.bench_ends import looks_at
from scripts.bench_evidence import BOOT_FRAMES, ROOT, played_games
from scripts.bench_games import atari_games, judge_games, play_minute, rom_dir, seed_of
from scripts.bench_labels import documented
from scripts.reporting import report, show_table

Floats = NDArray[np.float64]

BENCH: Final = ROOT / "resources" / "bench"
_BEGUN: Final[Mapping[str, Mapping[str, float]]] = json.loads((BENCH / "begun.json").read_text())
"""The weights that the fit begins with, and leaves only for evidence: those of scores and lives
were fitted to 105 earlier plays of Atari games, and the others were set by hand."""
_CONDITIONS: Final = 150
_STEPS: Final = 400
_RATE: Final = 0.3
_FOLDS: Final = 8
_SURE: Final = (0.5, 0.7, 0.9)
_SHRINK: Final = {"end": 0.15}
_USUAL_SHRINK: Final = 0.1
"""The price of the square of a weight's way from where it began, next to the mean log-likelihood
of a game."""


@dataclass(frozen=True, slots=True, eq=False)
class Plays:
    """Readings of one play that may be of a kind; ``right`` is true for those of the known number.

    ``measures`` are (readings, traits). None is right in a game without such a number, or if no
    reading gives it."""

    kind: str
    game: str
    measures: Floats
    right: NDArray[np.bool_]

    @property
    def console(self) -> str:
        """The console, which the game's name begins with."""
        return self.game.split(" ")[0]

    @property
    def may_lack(self) -> bool:
        """True if games without such a number are among those of the console."""
        return self.console != "atari"

    @property
    def answer(self) -> NDArray[np.bool_]:
        """``right``, and whether none of the readings is."""
        return np.append(self.right, not self.right.any())

    @property
    def without_pictures(self) -> "Plays":
        """The play with no measure of the traits that pictures tell."""
        told = np.array([trait.name in OF_PICTURES for trait in TRAITS])
        return replace(self, measures=np.where(told, 0.0, self.measures))

    def rivals(self, weights: Floats) -> Floats:
        """The odds of the different numbers; all right readings are one number."""
        odds = self.measures @ weights
        right: Floats = odds[self.right][odds[self.right].argsort()][-1:]
        return np.append(right, odds[~self.right])

    def first(self, weights: Floats, bias: float) -> tuple[float, bool]:
        """The likelihood of the likeliest reading, and whether it is right."""
        odds = self.measures @ weights + bias
        every = np.append(self.rivals(weights) + bias, 0.0)
        best = int(odds.argmax())
        return float(np.exp(odds[best] - np.logaddexp.reduce(every))), bool(self.right[best])

    def rank(self, weights: Floats) -> int:
        """The rank of the first right reading."""
        odds = self.measures @ weights
        return 1 + int(np.count_nonzero(odds[~self.right] >= odds[self.right].max()))


def played(*, quiet: bool = False) -> list[Plays]:
    """Plays of all games for tuning."""
    found = [*_drawn(), *_ends(quiet=quiet)]
    with tempfile.TemporaryDirectory(prefix="fit-evidence-") as folder:
        shipped = list(atari_games(Path(folder)))[::2]
        others = list(annotated_games(rom_dir(), Path(folder)))[::2]
        for games, start in ((shipped, False), (others, True)):

            def judge(name: str, directory: Path, _: bool, start: bool = start) -> list[Plays]:
                return _atari(name, directory, start=start)

            found += judge_games(games, judge, quiet=quiet)[0]
    return found


def _ends(*, quiet: bool) -> list[Plays]:
    """Marked ends of Atari games, with and without variables, and with three sorts of marks."""
    with tempfile.TemporaryDirectory(prefix="fit-evidence-") as folder:
        games = list(atari_games(Path(folder)))[::2]
        return judge_games(games, _ends_of, quiet=quiet)[0]


def _ends_of(name: str, directory: Path, _: bool) -> list[Plays]:
    found = []
    for look in looks_at(directory, _conditions)[1]:
        table = np.array([measures_of(END_TRAITS, each) for each, _ in look], np.float64)
        right = np.array([is_right for _, is_right in look])
        if right.any():
            found.append(Plays("end", f"atari {name}", table, right))
    return found


def _conditions(run: EndsRun) -> list[Tested]:
    """The likeliest conditions that hold on different frames."""
    found = {
        (each.holds.tobytes(), *sorted(test.address for test in each.tests)): each
        for _, each in reversed(weighed(run.numbers(), run.play))
    }
    return list(found.values())[::-1][:_CONDITIONS]


def _drawn() -> Iterator[Plays]:
    for game in played_games():
        numbers = _numbers(game.session)
        skipped = rows_left_out(game.session.recorded_play()) - BOOT_FRAMES
        for kind in COUNTERS:
            truth = game.values(kind)[skipped:] if kind in game.coded.numbers else None
            right = [truth is not None and bool((t.number.values == truth).all()) for t in numbers]
            yield from _plays(kind, f"{game.coded.console.name} {game.number}", numbers, right)


def homebrew(folder: Path) -> list[Plays]:
    """Plays of games whose numbers people read on the screen; ``folder`` has their ROMs."""
    found: list[Plays] = []
    with np.load(BENCH / "homebrew.npz") as inputs:
        for name, kinds in json.loads((BENCH / "homebrew.json").read_text()).items():
            with open_session(folder / name, isolated=False) as session:
                session.reset()
                session.run(inputs[name][:, np.newaxis])
                recorded = session.recorded_play()
                game, skipped = f"{console_of(session.system.name)} {name}", rows_left_out(recorded)
                numbers = _numbers(session)
            for kind, places in kinds.items():
                known = [(int(at, 16), DataType.parse(spec)) for at, spec in places]
                values = recorded.numbers(known, len(recorded.inputs) + 1)
                truths = {each[skipped:].tobytes() for each in values}
                right = [t.number.values.tobytes() in truths for t in numbers]
                found += _plays(kind, game, numbers, right)
    return found


def console_of(system: str) -> str:
    """The console's name in rows; files of several consoles end with ``.bin``."""
    return {"GameBoy": "gb", "GbColor": "gb", "GbAdvance": "gba"}.get(system, system.lower())


def _atari(name: str, directory: Path, *, start: bool) -> list[Plays]:
    with open_session(directory, isolated=False) as session:
        session.reset()
        if start:
            start_game(session)
        for _state in play_minute(session, seed_of(directory)):
            pass
        labels = documented(session)
        numbers = _numbers(session)
        space = session.memory.space
    found: list[Plays] = []
    for kind in COUNTERS:
        ends = [(each.address, each.address + each.width) for each in labels if each.kind == kind]
        right = []
        for t in numbers:
            address = space.address_of(t.number.place)
            stop = address + t.number.type.width
            right.append(any(address < last and first < stop for first, last in ends))
        found += _plays(kind, f"atari {name}", numbers, right)
    return found


def _numbers(session: Session) -> list[Traits]:
    """Numbers of what was played, with pictures."""
    recorded = session.recorded_play()
    play = SuggestRun(recorded, list(COUNTERS)).watched(play_of(recorded), session.host, [])
    return traits_of(play)


def _plays(
    kind: Kind, game: str, numbers: Sequence[Traits], right: Sequence[bool]
) -> Iterator[Plays]:
    row = COUNTERS[kind]
    pairs = zip(numbers, right, strict=True)
    own = [(row.judged(t), good) for t, good in pairs if row.may_be(t)]
    own.sort(key=lambda pair: -odds_of(TRAITS, kind, measures_of(TRAITS, pair[0])))
    rivals: dict[bytes, tuple[Traits, bool]] = {}
    for pair in own:
        if not pair[1]:
            rivals.setdefault(pair[0].number.values.tobytes(), pair)
    wrong = list(rivals.values())[:RIVALS]
    kept = [pair for pair in own if pair[1]][:RIVALS] + wrong
    measures = np.array([measures_of(TRAITS, t) for t, _ in kept], np.float64)
    play = Plays(kind, game, measures, np.array([good for _, good in kept]))
    if kept and (play.may_lack or play.right.any()):
        yield play


def traits_for(kind: str) -> Sequence[Trait[Any]]:
    """The columns of the table that has a row for the kind."""
    return END_TRAITS if kind == "end" else TRAITS


def keep(plays: Sequence[Plays]) -> None:
    """Write the rows of all plays."""
    for file, is_end in ((BENCH / "evidence.npz", False), (BENCH / "ends.npz", True)):
        own = [play for play in plays if (play.kind == "end") == is_end]
        if own:
            np.savez_compressed(
                file,
                traits=np.array([trait.name for trait in traits_for(own[0].kind)]),
                measures=np.vstack([play.measures for play in own]).astype(np.float32),
                right=np.concatenate([play.right for play in own]),
                lengths=np.array([len(play.right) for play in own]),
                kinds=np.array([play.kind for play in own]),
                games=np.array([play.game for play in own]),
            )


def kept() -> list[Plays]:
    """The plays whose rows are kept; a trait that was not measured then is 0."""
    return [play for name in ("evidence", "ends") for play in _kept(BENCH / f"{name}.npz")]


def _kept(file: Path) -> Iterator[Plays]:
    with np.load(file) as rows:
        names, kinds = rows["traits"].tolist(), rows["kinds"].tolist()
        traits = [trait.name for trait in traits_for(kinds[0])]
        table = np.zeros((len(rows["measures"]), len(traits)))
        for column, name in enumerate(traits):
            if name in names:
                table[:, column] = rows["measures"][:, names.index(name)]
        stops = np.cumsum(rows["lengths"])[:-1]
        measures = np.split(table, stops)
        right = np.split(rows["right"], stops)
        for each in zip(kinds, rows["games"].tolist(), measures, right, strict=True):
            yield Plays(*each)


def weights_of(plays: Sequence[Plays]) -> dict[str, dict[str, float]]:
    """The weights and the bias of each row, as they ship."""
    found = {}
    for kind in dict.fromkeys(play.kind for play in plays):
        own = [play for play in plays if play.kind == kind]
        found[kind] = _row_of(own)
        # Conditions are only ordered, and have no traits of pictures.
        if kind == "end":
            del found[kind]["bias"]
        else:
            row = _row_of([play.without_pictures for play in own])
            kept = {name: weight for name, weight in row.items() if name not in OF_PICTURES}
            found[weights_row(kind, pictures=False)] = kept
    return found


def _row_of(plays: Sequence[Plays]) -> dict[str, float]:
    weights = fit(plays)
    names = [trait.name for trait in traits_for(plays[0].kind)]
    bias = round(bias_of(plays, weights), 2) if plays[0].kind != "end" else 0.0
    return {**dict(zip(names, weights.round(2).tolist(), strict=True)), "bias": bias}


def fit(plays: Sequence[Plays]) -> Floats:
    """The weights that make right readings likelier; games with a right one count alike."""
    every = np.vstack([play.measures for play in plays])
    unit = every.std(axis=0) + 0.05
    kind, traits = plays[0].kind, traits_for(plays[0].kind)
    begun = _BEGUN[kind] if every.shape[1] == len(traits) else {}
    prior = unit * [begun.get(trait.name, 0.0) for trait in traits][: len(unit)]
    weights = np.array(prior)
    # A row a reading, and the last one of each play for none; plays are filled up with rows at
    # negative infinity. The first axis are plays.
    most = 1 + max(len(play.right) for play in plays)
    table = np.zeros((len(plays), most, len(unit)))
    fixed, answers = np.full((len(plays), most), -np.inf), np.zeros((len(plays), most), np.bool_)
    for row, play in enumerate(plays):
        table[row, : len(play.right)] = play.measures / unit
        fixed[row, : len(play.right)] = 0.0
        answers[row, : len(play.right)], answers[row, -1] = play.right, play.answer[-1]
    times = Counter(play.game for play in plays)
    # A game without such a number only teaches which readings are wrong, so it counts half.
    known = [1.0 if play.right.any() else 0.5 for play in plays]
    counts = np.array([each / times[play.game] for each, play in zip(known, plays, strict=True)])
    counts = (counts / counts.sum())[:, np.newaxis]
    # The odds of the answer that there is no such number.
    fixed[:, -1] = np.where([play.may_lack for play in plays], 0.0, -np.inf)
    for _ in range(_STEPS):
        likely = _shares(table @ weights + fixed)
        pull = counts * (_shares(np.where(answers, np.log(likely + 1e-12), -np.inf)) - likely)
        slope = np.tensordot(pull, table) + _SHRINK.get(kind, _USUAL_SHRINK) * (prior - weights)
        weights += _RATE * slope
        fixed[:, -1] += _RATE * pull[:, -1].sum()
    result: Floats = weights / unit
    return result


def _shares(odds: Floats) -> Floats:
    """The share of each reading among those of its play, which lie along the last axis."""
    raised: Floats = np.exp(odds - odds.max(axis=-1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares


def bias_of(plays: Sequence[Plays], weights: Floats) -> float:
    """The bias with which the likelihoods of no number add up to the count of plays without one."""
    known = [play for play in plays if play.may_lack]
    odds = np.array([np.logaddexp.reduce(play.rivals(weights)) for play in known])
    lacking = sum(not play.right.any() for play in known)
    low, high = -100.0, 100.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        too_few = (1 / (1 + np.exp(odds + middle))).sum() < lacking
        low, high = (low, middle) if too_few else (middle, high)
    return low


def left_out(plays: Sequence[Plays]) -> Iterator[tuple[Plays, Floats, float]]:
    """Each play with weights and bias that were fitted without its game and some others."""
    games = sorted({play.game for play in plays})
    for fold in range(min(_FOLDS, len(games))):
        tested = set(games[fold::_FOLDS])
        others = [play for play in plays if play.game not in tested]
        if others:
            weights = fit(others)
            bias = bias_of(others, weights)
            yield from ((play, weights, bias) for play in plays if play.game in tested)


def fit_evidence(
    *, quiet: bool = False, again: bool = False, roms: Path | None = None
) -> list[dict[str, object]]:
    """Fit, write the weights, and give the ranks of games left out by kind and console."""
    names = json.loads((BENCH / "homebrew.json").read_text())
    parts: dict[bool, list[Plays]] = {True: [], False: []}
    for play in kept():
        parts[play.game.split(" ", 1)[1] in names].append(play)
    if not again or roms is not None:
        others = parts[False] if again else played(quiet=quiet)
        keep([*others, *(parts[True] if roms is None else homebrew(roms))])
    plays = kept()
    WEIGHTS.write_text(json.dumps(weights_of(plays), indent=1) + "\n")
    return list(_shares_of(plays))


def _shares_of(plays: Sequence[Plays]) -> Iterator[dict[str, object]]:
    for kind in dict.fromkeys(play.kind for play in plays):
        judged = list(left_out([play for play in plays if play.kind == kind]))
        for console in sorted({play.console for play, *_ in judged}):
            own = [each for each in judged if each[0].console == console]
            ranks = [play.rank(weights) for play, weights, _ in own if play.right.any()]
            firsts = [play.first(weights, bias) for play, weights, bias in own]
            shares: dict[str, object] = {
                "kind": kind,
                "console": console,
                "plays": len(ranks),
                "first": sum(rank == 1 for rank in ranks),
                "first three": sum(rank < 4 for rank in ranks),
            }
            for least in _SURE:
                right = [is_right for sure, is_right in firsts if sure >= least]
                shares[f"right at {least}"] = f"{sum(right)} of {len(right)}"
            yield shares


def print_fit(rows: list[dict[str, object]]) -> None:
    """Print the ranks of games that were left out of the fit."""
    show_table("Games left out of the fit", list(rows[0]), [row.values() for row in rows])


if __name__ == "__main__":
    again = "--kept" in sys.argv
    at = sys.argv.index("--homebrew") if "--homebrew" in sys.argv else len(sys.argv)
    roms = next((Path(folder) for folder in sys.argv[at + 1 : at + 2]), None)
    sys.argv = [each for each in [*sys.argv[:at], *sys.argv[at + 2 :]] if each != "--kept"]
    report(__doc__, lambda quiet: fit_evidence(quiet=quiet, again=again, roms=roms), print_fit)
