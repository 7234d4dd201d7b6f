"""Findings on the core that a game runs on: its memory, and its differences from training's."""

import filecmp
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from integrator.domain.findings.finding import Finding, Severity
from integrator.session.library.checks.exact_cores import try_states
from integrator.session.session import Session
from libretro_host.errors import HostError
from libretro_host.frame import CoreInfo
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.remote import RemoteHost
from libretro_host.systems.discovery import core_name, training_core, wheel_core_dir


def core_findings(session: Session) -> Iterator[Finding]:
    """Lacks of an open game's core, and its differences from the core that training uses.

    Another core than training's makes the game start once more, on training's core. Without
    stable-retro here, training's core is unknown, so nothing is said of differences from it.
    """
    game, directory = session.game, session.integration.directory
    core = game.core_path
    if not game.core.whole_ram_bytes:
        yield Finding(
            "core-without-memory", Severity.WARNING, directory,
            f"{core.name} shows no memory, so no variable can be found",
            "try another core",
        )  # fmt: skip
    subsystem = game.plan.request.subsystem
    if subsystem:
        yield Finding(
            "subsystem-not-training", Severity.WARNING, directory,
            f"its files make a game of {core.name}'s subsystem {subsystem}, and stable-retro opens "
            "none",
            "train on it with integrator.make_env or make_vec",
        )  # fmt: skip
    training = training_core(session.system)
    if training is not None and not filecmp.cmp(core, training, shallow=False):
        yield Finding(
            "core-not-training", Severity.WARNING, directory,
            f"{core} is not the core that training uses, {training}",
            "remove it from the folders of cores, or train on it: integrator systems export",
        )  # fmt: skip
        yield from _other_memory(session, training)
    elif training is None and wheel_core_dir() is not None:
        yield Finding(
            "core-not-training", Severity.WARNING, directory,
            f"stable-retro ships no core for {session.system.title}, so training has not {core}",
            "lay it there with integrator systems export",
        )  # fmt: skip
    for setting in game.core_options():
        if not setting.as_in_training:
            yield Finding(
                "option-not-training", Severity.WARNING, directory,
                f"{setting.option.key} is {setting.option.value!r}, "
                f"in training {setting.training!r}",
                "choose training's value in Cores, or in your descriptor of the console",
            )  # fmt: skip


def inexact_states(session: Session) -> Iterator[Finding]:
    """Play for some seconds and go back; a finding when states did not lead to the same frames.

    Only cores of which that is known in some games are tried, because it takes a while.
    """
    if core_name(session.game.core_path) not in session.system.residue:
        return
    exactness = try_states(session)
    if not exactness.is_exact:
        yield Finding(
            "states-inexact", Severity.WARNING, session.integration.directory,
            f"{exactness.inexact} of {exactness.restored} states of {session.game.core_path.name} "
            "did not go on as it was played",
            "begin training at states of quiet moments, or at power-on; to work on it, open it on "
            "a core with exact states, if there is one here: integrator GAME --core FILE",
        )  # fmt: skip


def _other_memory(session: Session, training: Path) -> Iterator[Finding]:
    """A finding when the game has memory elsewhere on training's core."""
    own, other = _places(session.game.core), None
    with suppress(HostError):  # a core that does not run the game has no memory to compare
        other = _places(_started(session, training))
    if other is not None and own != other:
        told = (", ".join(sorted(each)) or "none" for each in (own - other, other - own))
        here, there = told
        yield Finding(
            "core-other-memory", Severity.WARNING, session.integration.directory,
            f"{session.game.core_path.name} shows other memory than training's core; "
            f"only here: {here}; only in training: {there}",
            "find the variables again on training's core",
        )  # fmt: skip


def _places(core: CoreInfo) -> frozenset[str]:
    return frozenset(f"{region.size} bytes at 0x{region.address:X}" for region in core.regions)


def _started(session: Session, core: Path) -> CoreInfo:
    """The facts of the session's game on another core, which keeps no saves. Raises HostError."""
    request, options = session.game.plan.request, session.system.options.get(core_name(core), {})
    host = RemoteHost()
    with OwnedFolder() as saves:
        try:
            return host.load(replace(request, core=core, options=options, save_dir=saves))
        finally:
            host.close()
