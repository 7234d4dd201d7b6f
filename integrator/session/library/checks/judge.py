"""Compares an integration with stable-retro, the judge, by the same random actions in both.
``python -m integrator.session.library.checks.judge DIR OUT STEPS SEED`` runs the side of
stable-retro, in a process of its own because stable-retro allows one emulator per process. It
writes a zip to OUT, with the RAM and picture of each step, and JSON."""

import contextlib
import importlib.util
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.session.frame.pipeline import observation_rule, observe
from integrator.session.frame.result import FrameResult
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from libretro_host.processes import children
from libretro_host.processes.temporary import OwnedFolder

_HEADER: Final = "header.json"


class MomentComparison:
    """Compares RAM and pictures of an open game with stable-retro's, step by step. Not compared are
    bytes that only one side shows; bytes that differ from the first step on because neither side
    has written them yet, since some cores do not clear new memory; and the part of an observation
    that the game does not draw, where stable-retro shows old memory."""

    def __init__(self, archive: zipfile.ZipFile, session: Session) -> None:
        header = json.loads(archive.read(_HEADER))
        self._archive, self._session = archive, session
        self._count = 0
        self._shape = tuple(header["picture"])
        spans, here = [np.zeros((3, 0), np.int64)], 0
        for region in session.memory.space.regions:
            there = 0
            for address, size in header["blocks"]:
                low, high = max(address, region.address), min(address + size, region.end)
                begin = np.array([low, here + low - region.address, there + low - address])
                spans.append(begin[:, np.newaxis] + np.arange(max(0, high - low)))
                there += size
            here += region.size
        # For each byte that both sides show: its address, and its index here and in their RAM.
        self._addresses, self._here, self._there = np.concatenate(spans, axis=1)
        self.ram_bytes = len(self._addresses)
        self._unwritten = np.zeros(self.ram_bytes, np.bool_)
        self._first = (np.zeros(0, np.uint8), np.zeros(0, np.uint8))
        self._ram_bytes = sum(size for _, size in header["blocks"])
        self._moment = np.zeros(self._ram_bytes + int(np.prod(self._shape)), np.uint8)
        spec = session.game.readout.engine.spec
        self._rule = observation_rule(session.system, session.game.core.av, spec.crops[0])
        self._masks: dict[tuple[int, int, int], NDArray[np.bool_]] = {}
        self._partly_drawn = self._drawn = False

    def difference(self, result: FrameResult) -> str:
        self._moment ^= np.frombuffer(self._archive.read(str(self._count)), np.uint8)
        self._count += 1
        return self._ram_difference() or self._picture_difference(result)

    @property
    def compared(self) -> tuple[str, ...]:
        named = []
        if self.ram_bytes:
            named.append(f"RAM ({self.ram_bytes:,} bytes)")
        if self._drawn:
            named.append(f"pictures ({self._shape[1]} x {self._shape[0]})")
        return tuple(named)

    @property
    def apart(self) -> tuple[str, ...]:
        ours, common = len(self._session.memory.ram), self.ram_bytes
        named = []
        if self._ram_bytes > common:
            named.append(f"{self._ram_bytes - common:,} bytes of RAM that only stable-retro has")
        if ours > common:
            named.append(f"{ours - common:,} bytes of RAM that stable-retro does not show")
        if unwritten := int(self._unwritten.sum()):
            named.append(f"RAM that nothing wrote, which begins otherwise ({unwritten:,} bytes)")
        if self._partly_drawn:
            named.append("pixels that the game does not draw, where stable-retro shows old memory")
        if not self._drawn:
            named.append("pictures, because the game drew none")
        return tuple(named)

    def _ram_difference(self) -> str:
        ours, theirs = self._session.memory.ram[self._here], self._moment[self._there]
        wrong = ours != theirs
        if self._count == 1:
            self._first, self._unwritten = (ours, theirs), wrong.copy()
        else:
            self._unwritten &= (ours == self._first[0]) & (theirs == self._first[1])
        at = np.flatnonzero(wrong & ~self._unwritten)
        if not len(at):
            return ""
        first = at[0]
        more = f" (bytes that differ: {len(at):,})" if len(at) > 1 else ""
        both = f"{ours[first]} here, {theirs[first]} in stable-retro"
        return f"RAM at 0x{self._addresses[first]:X}: {both}{more}"

    def _picture_difference(self, result: FrameResult) -> str:
        if result.frame is None:
            return ""
        ours, theirs = observe(result.frame, self._rule), self._moment[self._ram_bytes :]
        if ours.shape != self._shape:
            sizes = [f"{shape[1]} x {shape[0]}" for shape in (ours.shape, self._shape)]
            return f"picture: {sizes[0]} here, {sizes[1]} in stable-retro"
        frame, self._drawn = result.frame, True
        key = frame.width, frame.height, frame.rotation
        if key not in self._masks:
            white = np.full((frame.height, frame.width, 3), 255, np.uint8)
            self._masks[key] = self._rule.observe(white, (8, 8, 8), frame.rotation)[..., 0] != 0
            self._partly_drawn |= not self._masks[key].all()
        if np.array_equal(ours.ravel(), theirs):
            return ""
        wrong = (ours != theirs.reshape(self._shape)).any(axis=-1) & self._masks[key]
        if not wrong.any():
            return ""
        y, x = np.argwhere(wrong)[0].tolist()
        return f"picture: the first pixel that differs is at x {x}, y {y} (of {int(wrong.sum()):,})"


_STEPS: Final = "steps.json"


@dataclass(frozen=True, slots=True)
class Agreement:
    """The compared steps and subjects, and the first difference; None if all steps agree."""

    steps: int
    first_difference: str | None
    total_reward: float
    episodes: int
    stopped: bool = False
    scored: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        return self.first_difference is None


def judge(
    directory: Path,
    *,
    steps: int = 1000,
    seed: int = 1,
    progress: Callable[[int, int], object] = lambda *_: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Agreement:
    """Step an integration here and in stable-retro by the same actions. Raises SessionError."""
    progress(0, steps)
    with OwnedFolder() as folder:
        answer = folder / "steps.zip"
        if not _take_their_steps(directory, answer, steps, seed, stopped):
            return Agreement(0, None, 0.0, 0, stopped=True)
        with zipfile.ZipFile(answer) as archive, open_session(directory) as session:
            theirs = json.loads(archive.read(_STEPS))
            actions = random_actions(steps, theirs["buttons"], seed).tolist()
            moments = MomentComparison(archive, session)
            return _compared(session, actions, theirs["steps"], moments, progress, stopped)


def _compared(
    session: Session,
    actions: list[int],
    theirs: list[dict[str, Any]],
    moments: "MomentComparison",
    progress: Callable[[int, int], object],
    stopped: Callable[[], bool],
) -> Agreement:
    session.reset()
    done, total, episodes = 0, 0.0, 1
    difference, halted, restarts = None, False, True
    while done < len(theirs) and restarts and difference is None:
        if halted := stopped():
            break
        result = session.advance((actions[done],), filtered=True)
        wrong = _difference(result, theirs[done]) or moments.difference(result)
        difference = f"step {done}: {wrong}" if wrong else None
        done += 1
        total += result.outcome.rewards[0]
        if result.outcome.done and done < len(theirs) and not wrong:
            episodes += 1
            restarts = session.game.state_name != POWER_ON
            session.reset()
        if done % 20 == 0:  # several times a second
            progress(done, len(actions))
    apart, spec = moments.apart, session.game.readout.engine.spec
    if not restarts:
        apart += ("steps after done, because without a start state it does not restart",)
    defined = {
        "reward": any(reward.parts for reward in spec.rewards),
        "done": spec.done_script is not None or any(node.tests for node in spec.done.walk()),
        "info": bool(session.integration.variables),
    }
    scored = tuple(name for name in defined if defined[name])
    compared = moments.compared
    return Agreement(done, difference, total, episodes, halted, scored, compared, apart)


def random_actions(steps: int, buttons: int, seed: int) -> NDArray[np.uint16]:
    """Return button masks, uint16 (steps,), each held for eight steps to have an effect."""
    generator = np.random.default_rng(seed)
    held = generator.integers(0, 1 << buttons, size=steps // 8 + 1, dtype=np.uint16)
    return np.repeat(held, 8)[:steps]


def judge_missing() -> str:
    """Return why nothing can be compared with stable-retro; empty if it is installed."""
    if importlib.util.find_spec("stable_retro") is not None:
        return ""
    fix = 'pip install "retro-integrator[cores]"'
    if sys.platform == "win32":
        fix = "it has no wheel for Windows, but WSL 2 takes that of Linux"
    return f"stable-retro is not installed, so nothing can be judged: {fix}"


def _difference(result: FrameResult, theirs: Mapping[str, Any]) -> str:
    outcome, values = result.outcome, dict(result.values)
    ours = {"reward": outcome.rewards[0], "done": outcome.done, "info": values}
    apart = (key for key in ours if ours[key] != theirs[key])
    return "; ".join(f"{key}: {ours[key]} here, {theirs[key]} in stable-retro" for key in apart)


def _take_their_steps(
    directory: Path, answer: Path, steps: int, seed: int, stopped: Callable[[], bool]
) -> bool:
    if missing := judge_missing():
        raise SessionError(missing)
    command = children.module_command(__name__, directory, answer, steps, seed, quiet=True)
    with (
        tempfile.TemporaryFile() as errors,
        children.start(command, stdout=subprocess.DEVNULL, stderr=errors) as process,
    ):
        while process.poll() is None:
            if stopped():
                process.kill()
                return False
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines()
    if process.returncode != 0:
        why = lines[-1] if lines else "no reason given"
        raise SessionError(f"{directory}: stable-retro cannot run it: {why}")
    return True


def _run_stable_retro(directory: Path, out: Path, steps: int, seed: int) -> None:
    import stable_retro  # noqa: PLC0415 - only the child process may, and need, import it

    integrations = stable_retro.data.Integrations
    integrations.add_custom_path(str(directory.parent.absolute()))
    env = stable_retro.make(
        directory.name, inttype=integrations.CUSTOM_ONLY, render_mode="rgb_array"
    )
    env.reset()
    actions = random_actions(steps, env.num_buttons, seed)
    bits = (actions[:, np.newaxis] >> np.arange(env.num_buttons) & 1).astype(np.int8)
    rows: list[dict[str, object]] = []
    last: Any = np.uint8(0)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number, action in enumerate(bits):
            picture, reward, done, _, info = env.step(action)
            blocks = sorted(env.data.memory.blocks.items())
            ram = [np.frombuffer(block, np.uint8) for _, block in blocks]
            moment = np.concatenate([*ram, picture.ravel()])
            if number == 0:
                sizes = [[address, len(block)] for address, block in blocks]
                archive.writestr(_HEADER, json.dumps({"blocks": sizes, "picture": picture.shape}))
            archive.writestr(str(number), (moment ^ last).tobytes())
            last = moment
            values = {name: int(value) for name, value in info.items()}
            rows.append({"reward": float(reward), "done": bool(done), "info": values})
            if done:
                env.reset()
        archive.writestr(_STEPS, json.dumps({"buttons": env.num_buttons, "steps": rows}))


if __name__ == "__main__":
    game, out, number, start = sys.argv[1:]
    _run_stable_retro(Path(game), Path(out), int(number), int(start))
