"""``integrator demo``: integrates the demo game from start to end, by the public Python API."""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import integrator
from integrator import paths
from integrator.commands.shared.console import plain_console
from integrator.commands.shared.options import DEMO_GAME, demo_game
from integrator.domain.errors import SessionError
from integrator.domain.files.atomic import write_with_folder
from integrator.domain.files.reading import MAX_ROM_FILE_BYTES, TEXT_BYTES, read_file, read_text
from integrator.domain.movies.model import ram_hash
from integrator.domain.search.operators import SearchOp
from integrator.domain.search.results import Candidate
from integrator.domain.search.search import Search
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.frame.inputs import Inputs
from integrator.session.library.checks.judge import judge, judge_missing
from integrator.session.session import Session
from libretro_host.processes import children

STATE_NAME = "Start"
STATE_FRAME = 190  # frames from power-on after which the player is in control


@dataclass(frozen=True, slots=True)
class PlayScript:
    """Recorded play, and the numbers on the screen at some frames, counted from power-on."""

    inputs: Inputs
    seen: Sequence[Mapping[str, Any]]

    @classmethod
    def load(cls, path: Path, buttons: Sequence[str | None]) -> "PlayScript":
        script = json.loads(read_text(path, TEXT_BYTES))
        rows: list[int] = []
        for entry in script["inputs"]:
            mask = sum(1 << buttons.index(name) for name in entry["buttons"])
            rows += [mask] * entry["frames"]
        return cls(np.array(rows, np.uint16).reshape(-1, 1), script["observations"])


@dataclass(slots=True)
class _Demo:
    """A run of the demo in the folder ``root``; ``say`` reports each step."""

    root: Path
    say: Callable[[str], None]
    script: PlayScript

    def integrate(self, session: Session) -> Path:
        core = session.game.core.library_name
        self.say(f"Opened the ROM alone: {session.system.title} on {core}")
        state = self._search_while_playing(session)
        score = _widest(_usual(session, "score"))
        # On the screen, lives are counted from 1; in RAM they may be counted from 0.
        shown = self.script.seen[-1]["lives"] + 1
        lives = _widest([e for e in _usual(session, "lives") if abs(e.value - shown) <= 1])
        created = session.game.keep_as(self.root)
        for name, found in (("score", score), ("lives", lives)):
            steps = " > ".join(f"{step.count:,}" for step in session.search(name).history)
            where = f"{found.type} at 0x{found.address:04X}"
            self.say(f"Found {name}: {where}, candidates left: {steps}")
            created.variables.set(name, VariableSpec(name, found.address, found.type))
        with created.scenario.edit() as scenario:
            scenario["reward"] = {"variables": {"score": {"reward": 1.0}}}
            scenario["done"] = {"variables": {"lives": {"op": "less-than", "reference": 0}}}
        created.write_state(STATE_NAME, state, session.game.core_stamp)
        created.metadata.set_default_state(STATE_NAME)
        created.save()
        self.say(f"Reward is the score's rise, done is lives below 0; saved {created.directory}")
        return created.directory

    def _search_while_playing(self, session: Session) -> bytes:
        """Refine both searches at each observation; return the start state for episodes."""
        session.reset()
        searches = {name: session.search(name) for name in ("score", "lives")}
        # The first reset has run the power-on frame and its own idle frame.
        session.run(self.script.inputs[2:STATE_FRAME])
        at, state = STATE_FRAME, session.save_state()
        lives: int | None = None
        for seen in self.script.seen:
            if seen["frame"] <= STATE_FRAME:
                continue
            session.run(self.script.inputs[at : seen["frame"]])
            at = seen["frame"]
            searches["score"].refine("equal", seen["score"])
            # Lives may be counted from 0 or 1, so only their change is known from the screen.
            if lives is None:
                searches["lives"].reset()
            elif change := seen["lives"] - lives:
                op: SearchOp = "increased-by" if change > 0 else "decreased-by"
                searches["lives"].refine(op, abs(change))
            else:
                searches["lives"].refine("unchanged")
            lives = seen["lives"]
        return state

    def record(self, directory: Path) -> Path:
        movie = directory / f"{directory.name}-{STATE_NAME}-000000.bk2"
        inputs = self.script.inputs[STATE_FRAME : STATE_FRAME + 900]
        with integrator.open_session(directory) as session:
            session.reset()
            session.record(movie)

            def hash_after(*masks: int) -> int:
                session.advance(masks)
                return ram_hash(session.memory.ram)

            played = [hash_after(int(row[0])) for row in inputs]
            session.stop_recording()
            session.play(movie)
            replayed = [hash_after() for _ in inputs]
        if played != replayed:
            frame = next(i for i, (a, b) in enumerate(zip(played, replayed, strict=True)) if a != b)
            raise SessionError(f"{movie}: the replay differs from the recording at frame {frame}")
        same = "the replay has the same RAM on each"
        self.say(f"Recorded {len(inputs)} frames to {movie.name}; {same}")
        return movie

    def photograph(self, directory: Path) -> str | None:
        """Take a picture of the window; return its path, or None if that fails."""
        path = self.root / "window.png"
        command = children.module_command("integrator.commands.demo", path, directory)
        environment = children.child_environment({"QT_QPA_PLATFORM": "offscreen"})
        done = children.run(command, environment=environment)
        if done.returncode == 0 and path.is_file():
            self.say(f"The window with it open: {path}")
            return str(path)
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        self.say(f"No screenshot: {reason}")
        return None


def run_demo(out: Path | None, *, quiet: bool) -> dict[str, Any]:
    """Integrate the demo game; ``out`` gets the results. Raises SessionError, HostError."""
    console = plain_console(stderr=quiet, soft_wrap=True)
    root = out.absolute() if out else Path(tempfile.mkdtemp(prefix="integrator-demo-"))
    rom = root / "Ember Moth (World).nes"
    write_with_folder(rom, read_file(demo_game() / "rom.nes", MAX_ROM_FILE_BYTES))
    with integrator.open_session(rom) as session:
        source = paths.shipped("resources") / "demo-game" / "input-script.json"
        demo = _Demo(root, console.print, PlayScript.load(source, session.system.buttons))
        if (existing := root / session.integration.name).exists():
            shutil.rmtree(existing)
        directory = demo.integrate(session)
        score, lives = (session.integration.variables[name] for name in ("score", "lives"))
    movie = demo.record(directory)
    missing = judge_missing()
    verdict = None if missing else judge(directory, steps=1000)
    if verdict is None:
        console.print(f"Not compared: {missing}", style="yellow")
    elif verdict.agrees:
        agreed = f"{', '.join([*verdict.scored, *verdict.compared])} of all {verdict.steps}"
        totals = f"episodes: {verdict.episodes}, total reward: {verdict.total_reward:g}"
        console.print(f"stable-retro agrees on {agreed} random steps ({totals})")
    else:
        console.print(f"stable-retro differs: {verdict.first_difference}", style="red")
    return {
        "directory": str(directory),
        "movie": str(movie),
        "screenshot": demo.photograph(directory),
        "score": f"{score.type} at 0x{score.address:04X}",
        "lives": f"{lives.type} at 0x{lives.address:04X}",
        "judged_steps": verdict.steps if verdict else 0,
        "total_reward": verdict.total_reward if verdict else None,
        "first_difference": verdict.first_difference if verdict else missing,
        "agrees": verdict and verdict.agrees,
    }


def _usual(session: Session, name: str) -> list[Candidate]:
    """Return candidates that are the number itself, in a type that the system's games use."""
    found = session.search(name).candidates()
    usual = {str(DataType.parse(spec)) for spec in session.system.types}
    return [each for each in found if each.scale == PLAIN and str(each.type) in usual]


def _widest(candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate of the widest type, as narrower ones hold only a part of the number."""
    if not candidates:
        raise SessionError("the search left no candidate: the game or its input script has changed")
    return max(candidates, key=lambda candidate: (candidate.type.width, -candidate.address))


def play_and_search(session: Session, search: Search) -> None:
    """Play the demo game's input script and search the score; just run any other game."""
    if not session.integration.name.startswith(DEMO_GAME.removesuffix("-v0")):
        session.advance(frames=120)
        return
    source = paths.shipped("resources") / "demo-game" / "input-script.json"
    script = PlayScript.load(source, session.system.buttons)
    search.reset()
    # From the frame of the state Start to the frames at which the score is searched.
    for start, stop in pairwise((184, 367, 589, 730)):
        # Run the rows one by one, so that the sparklines have values to draw.
        for row in script.inputs[start:stop]:
            session.advance((int(row[0]),))
        search.refine("equal", session.memory.read(0x306, ">d3"))


if __name__ == "__main__":
    from integrator.app import photograph_window

    out, game = map(Path, sys.argv[1:])
    photograph_window(game, out, play_and_search)
