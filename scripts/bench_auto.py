"""``python -m scripts.bench_auto``: integrations that a program made, judged on Atari games.

Each ROM is integrated by ``integrator auto`` alone, under a name that tells nothing. Then random
inputs are played from its start state, and every frame is scored by the new integration and by the
documented one of stable-retro. The reward is right when it is equal up to a constant factor on 99 %
of the frames, and done when it comes within a second. Half of the games were never looked at while
the program was written. Needs the packages stable-retro and ale-py."""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np

from integrator.commands.shared.console import plain_console
from integrator.domain.audit.play import ScoredPlay
from integrator.domain.integration.directory import load_integration
from integrator.session.audit import play_masks, recorded_play
from integrator.session.opening import open_session
from integrator.unattended import MINUTES
from integrator.unattended.job import AutoJob, AutoResult, run_job
from scripts.bench_games import atari_games, judge_games, played_rows, seed_of
from scripts.reporting import show_missing

_PLAYS: Final = 2
_FRAMES: Final = 5400
_EQUAL: Final = 0.99
_LATE_FRAMES: Final = 60
_SURE: Final = 0.9


@dataclass(frozen=True, slots=True)
class Row:
    """One game: the verdict on each part, and what was found; ``unseen`` when it was frozen.

    ``control`` is true when random play from the start state earns, or ends an episode."""

    game: str
    unseen: bool
    control: bool = False
    reward: bool = False
    done: bool = False
    confidence: float = 0.0
    seconds: float = 0.0
    score: str = ""
    ending: str = ""
    cause: str = ""


def judge_game(name: str, directory: Path, tuned: bool, minutes: float) -> list[Row]:
    """Integrate the ROM of a documented game, and judge the result."""
    started = time.process_time()
    with tempfile.TemporaryDirectory(prefix="bench-auto-") as folder:
        rom = Path(folder) / "game.a26"
        shutil.copy(directory / "rom.a26", rom)
        made = run_job(AutoJob(rom, Path(folder) / "made", minutes, attack=False))
        seconds = round(time.process_time() - started, 1)
        if made.report is None or made.outcome != "made":
            return [Row(name, not tuned, seconds=seconds, cause=made.reason)]
        return [_judged(name, directory, made, seconds, tuned=tuned)]


def _judged(name: str, documented: Path, made: AutoResult, seconds: float, *, tuned: bool) -> Row:
    assert made.report is not None
    parts = made.report.parts
    sure = min(parts["score"].confidence, parts["done"].confidence)
    plays = list(_plays(Path(made.directory), documented))
    reward, cause = _same_reward(plays)
    done, late = _same_done(plays)
    return Row(
        name,
        not tuned,
        control=any(theirs.rewards.any() or theirs.done.any() for _, theirs in plays),
        reward=reward,
        done=done,
        confidence=sure,
        seconds=seconds,
        score=parts["score"].value,
        ending=parts["done"].value,
        cause="; ".join(filter(None, (cause, late))),
    )


def _plays(made: Path, documented: Path) -> list[tuple[ScoredPlay, ScoredPlay]]:
    """The same plays as the new and as the documented integration score them."""
    theirs = load_integration(documented)
    plays = []
    for number in range(_PLAYS):
        with open_session(made, isolated=False) as session:
            rows = played_rows(session.system.buttons, _FRAMES, seed_of(documented) + number)
            play_masks(session, rows)
            both = (session.integration, theirs)
            ours, other = (recorded_play(session, "", each) for each in both)
            plays.append((ours, other))
    return plays


def _same_reward(plays: Sequence[tuple[ScoredPlay, ScoredPlay]]) -> tuple[bool, str]:
    """Equality up to a factor, on the frames before the documented done; and the cause."""
    ours, theirs = (
        np.concatenate([play[side].rewards[play[1].until_done] for play in plays])
        for side in (0, 1)
    )
    paid = (ours != 0) & (theirs != 0)
    if not theirs.any():
        return not ours.any(), "" if not ours.any() else "pays where nothing is to be paid"
    if not paid.any():
        return False, "no reward was found" if not ours.any() else "another number is paid"
    factor = float(np.median(theirs[paid] / ours[paid]))
    if factor <= 0:
        return False, "the reward has the other sign"
    wrong = np.abs(ours * factor - theirs) > 1e-3 * np.abs(theirs)
    # Most frames pay nothing, so the frames that pay have to agree as well.
    either = (ours != 0) | (theirs != 0)
    right = 1 - wrong.mean() >= _EQUAL and 1 - wrong[either].mean() >= 0.95
    return bool(right), "" if right else f"{wrong[either].mean():.0%} of payments differ"


def _same_done(plays: Sequence[tuple[ScoredPlay, ScoredPlay]]) -> tuple[bool, str]:
    """True when done comes at the same time in each play, or in none."""
    for ours, theirs in plays:
        mine, other = (
            int(each.done.argmax()) if each.done.any() else None for each in (ours, theirs)
        )
        if (mine is None) != (other is None):
            return False, "done never comes" if mine is None else "done comes in the middle of play"
        if mine is not None and other is not None and abs(mine - other) > _LATE_FRAMES:
            return False, f"done comes {mine - other} frames late"
    return True, ""


def print_rows(rows: Sequence[Row]) -> None:
    """Print the shares of both halves, then each game."""
    console = plain_console(soft_wrap=True)
    for unseen in (False, True):
        own = [row for row in rows if row.unseen == unseen]
        if not own:
            continue
        every = [row.control and row.reward and row.done for row in own]
        sure = [ok for row, ok in zip(own, every, strict=True) if row.confidence >= _SURE]
        shares = {
            part: sum(getattr(row, part) for row in own) for part in ("control", "reward", "done")
        }
        told = ", ".join(f"{part} {count}" for part, count in shares.items())
        console.print(
            f"{'unseen' if unseen else 'seen'}: {len(own)} games: {told}, all {sum(every)}; "
            f"wrong although sure: {len(sure) - sum(sure)} of {len(sure)}; "
            f"{np.mean([row.seconds for row in own]):.0f} s of processor time a game"
        )
    for row in rows:
        marks = "".join("+" if each else "-" for each in (row.control, row.reward, row.done))
        console.print(
            f"  {marks} {row.game}: {row.confidence:.2f}; {row.score}; {row.ending}; {row.cause}"
        )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--half", choices=("seen", "unseen"), help="the other half is left out")
    parser.add_argument("--only", action="append", default=[], help="only games of this name")
    parser.add_argument("--every", type=int, default=1, help="take every n-th game of each half")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="bench-auto-") as folder:
        games = list(atari_games(Path(folder)))
        for half, called in enumerate(("seen", "unseen")):
            if options.half not in (None, called):
                continue
            chosen = [
                game
                for game in games[half::2][:: options.every]
                if not options.only or game.name.split("-")[0] in options.only
            ]

            def judged(name: str, directory: Path, tuned: bool) -> list[Row]:
                made = judge_game(name, directory, tuned, options.minutes)
                sys.stderr.write(f"{json.dumps(asdict(made[0]))}\n")
                return made

            found, missing = judge_games(chosen, judged, quiet=True, tuned=half == 0)
            rows += found
            show_missing(missing)
    if options.json:
        sys.stdout.write(json.dumps({"rows": [asdict(row) for row in rows]}, indent=2) + "\n")
    else:
        print_rows(rows)


if __name__ == "__main__":
    main()
