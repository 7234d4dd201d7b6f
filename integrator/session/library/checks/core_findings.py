"""Findings on the core that a game runs on, and cores on which the game's states are exact."""

import filecmp
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from integrator.domain.errors import DomainError, IntegratorError
from integrator.domain.findings import Finding, Severity
from integrator.session.opening import cores_besides, plan_session
from integrator.session.session import Session
from integrator.session.timeline.restorer import Exactness
from libretro_host.errors import HostError
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.remote import RemoteHost
from libretro_host.systems.discovery import core_name, training_core, wheel_core_dir

_PLAYED_FRAMES = 1440
_HELD_FRAMES = 12
_APART_FRAMES = 24
_AFTER_FRAMES = 48


@dataclass(frozen=True, slots=True)
class ExactCore:
    """A core whose states went on as it was played; ``difference`` is how it differs in play."""

    path: Path
    name: str
    difference: str


def try_states(session: Session) -> Exactness:
    """Play for some seconds from the start state, go on from moments of it again, and compare.

    A few states in a hundred may be inexact, so dozens are tried; and in any order, because some
    cores keep a part of the play before.
    """
    session.reset()
    states: dict[int, bytes] = {}
    press_buttons(session, states)
    order = np.random.default_rng(2).permutation(list(states)).tolist()
    return session.timeline.try_states(((frame, states[frame]) for frame in order), _AFTER_FRAMES)


def exact_cores(
    path: Path, system: str, players: int, used: Path, stopped: Callable[[], bool] = lambda: False
) -> list[ExactCore]:
    """The other cores here, each tried in a process, on which a game's states are exact."""
    others = cores_besides(system, used)
    if not others:
        return []
    found = []
    with OwnedFolder() as folder, _opened(path, system, players, used, folder) as here:
        here.reset()
        press_buttons(here)
        for other in others:
            if stopped():
                break
            with suppress(IntegratorError), _opened(path, system, players, other, folder) as there:
                if try_states(there).is_exact:
                    name, apart = there.game.core_stamp, _difference(here, there)
                    found.append(ExactCore(other, name, apart))
    return found


def _opened(path: Path, system: str, players: int, core: Path, saves: Path) -> Session:
    plan = plan_session(path, system=system, players=players, core=core).hidden()
    own = Path(tempfile.mkdtemp(dir=saves))
    return Session(replace(plan, request=replace(plan.request, save_dir=own)))


def press_buttons(session: Session, states: dict[int, bytes] | None = None) -> None:
    """Play on for some seconds with buttons at random, the same ones each time.

    ``states`` gets those of moments on the way, of fewer when they are large.
    """
    inputs = np.zeros((_PLAYED_FRAMES, session.game.columns), np.uint16)
    bits = [bit for bit, name in enumerate(session.system.buttons) if name]
    pressed = np.random.default_rng(1).choice(bits, _PLAYED_FRAMES // _HELD_FRAMES)
    inputs[:, 0] = np.repeat(1 << pressed, _HELD_FRAMES)
    # States are taken with no button held: Genesis Plus GX forgets that Pause is, on each game of
    # the Master System, and nobody begins an episode so.
    inputs[_HELD_FRAMES - 1 :: _HELD_FRAMES, 0] = 0
    for at in range(0, _PLAYED_FRAMES, _APART_FRAMES):
        session.run(inputs[at : at + _APART_FRAMES])
        if states is not None and at + _AFTER_FRAMES < _PLAYED_FRAMES:
            state = session.host.serialize()
            if len(state) * (len(states) + 1) < 96 << 20:  # bytes that all states may take
                states[session.timeline.length] = state


def _difference(here: Session, there: Session) -> str:
    if here.memory.space.regions != there.memory.space.regions:
        return "it shows other memory"
    frames = range(1, min(here.timeline.length, there.timeline.length) + 1)
    ram = [n for n in frames if not np.array_equal(here.timeline.ram(n), there.timeline.ram(n))]
    hashes = [each.timeline.log.hashes(1, len(frames) + 1) for each in (here, there)]
    pictures = np.flatnonzero(hashes[0] != hashes[1]) + 1
    apart = ("memory differs", ram), ("pictures differ", pictures.tolist())
    parts = [f"{what} from frame {rows[0]} on" for what, rows in apart if rows]
    found = " and ".join(parts) or "memory and pictures are the same"
    return f"with the same buttons for {len(frames)} frames {found}"


def _lack(session: Session, code: str, message: str, cure: str) -> Finding:
    return Finding(code, Severity.WARNING, session.integration.directory, message, cure)


def core_findings(session: Session) -> Iterator[Finding]:
    """Lacks of a game's core, and its differences from training's, where that is known."""
    game = session.game
    core, training = game.core_path, training_core(session.system)
    lack = partial(_lack, session)
    if not game.core.whole_ram_bytes:
        message = f"{core.name} shows no memory, so no variable can be found"
        yield lack("core-without-memory", message, "try another core")
    if subsystem := game.plan.request.subsystem:
        made = f"its files make a game of {core.name}'s subsystem {subsystem}"
        cure = "train on it with integrator.make_env or make_vec"
        yield lack("subsystem-not-training", f"{made}, and stable-retro opens none", cure)
    if training is not None and not filecmp.cmp(core, training, shallow=False):
        message = f"{core} is not the core that training uses, {training}"
        cure = "remove it from the folders of cores, or train on it: integrator systems export"
        yield lack("core-not-training", message, cure)
        yield from _other_memory(session, training)
    elif training is None and wheel_core_dir() is not None:
        title = session.system.title
        message = f"stable-retro ships no core for {title}, so training has not {core}"
        yield lack("core-not-training", message, "lay it there with integrator systems export")
    for setting in game.core_options():
        if not setting.as_in_training:
            option, usual = setting.option, setting.training
            message = f"{option.key} is {option.value!r}, in training {usual!r}"
            cure = "choose training's value in Cores, or in your descriptor of the console"
            yield lack("option-not-training", message, cure)


def inexact_states(
    session: Session, note: Callable[[Exactness], object] = lambda _: None
) -> Iterator[Finding]:
    """A finding when going back does not lead to the same frames; ``note`` gets the counts."""
    try:
        exactness = try_states(session)
    except DomainError:  # its scenario does not score, which is a finding of its own
        return
    note(exactness)
    if not exactness.is_exact:
        few = exactness.inexact * 2 < exactness.restored
        moment = "at states of quiet moments, or at power-on" if few else "at power-on"
        failed = f"{exactness.inexact} of {exactness.restored} states"
        message = f"{failed} of {session.game.core_path.name} led to other frames than were played"
        cure = "to work on it, open it on a core with exact states, if there is one here"
        cure = f"begin training {moment}; {cure}: integrator GAME --core FILE"
        yield _lack(session, "states-inexact", message, cure)


def _other_memory(session: Session, training: Path) -> Iterator[Finding]:
    """A finding when the game has memory elsewhere on training's core."""
    game = session.game
    options = session.system.options.get(core_name(training), {})
    host, core = RemoteHost(), game.core
    # A core that does not run the game has no memory to compare; this one keeps no saves.
    with suppress(HostError), OwnedFolder() as saves, closing(host):
        request = replace(game.plan.request, core=training, options=options, save_dir=saves)
        core = host.load(request)
    own, other = (
        {f"{region.size} bytes at 0x{region.address:X}" for region in each.regions}
        for each in (game.core, core)
    )
    if own != other:
        here, there = (", ".join(sorted(each)) or "none" for each in (own - other, other - own))
        shown = f"{game.core_path.name} shows other memory than training's core"
        message = f"{shown}; only here: {here}; only in training: {there}"
        cure = "find the variables again on training's core"
        yield _lack(session, "core-other-memory", message, cure)
