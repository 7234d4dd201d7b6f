"""``integrator systems add`` and ``export``: draft a console, or lay one out for training."""

from pathlib import Path
from typing import TypedDict

from integrator import paths
from integrator.domain.errors import DomainError, SessionError
from integrator.domain.integration.directory import Integration
from integrator.session.library.checks.core_findings import press_buttons, try_states
from integrator.session.library.consoles.own_consoles import (
    checked_console,
    core_file,
    draft_here,
    export_for_training,
    own_path,
    save_console,
)
from integrator.session.opening import core_for, movie_consoles, named_system
from integrator.session.rework import import_movie
from integrator.session.session import Session
from integrator.session.setup.content import prepare_content
from integrator.session.setup.plan import SessionPlan
from integrator.session.setup.roots import systems
from libretro_host.errors import HostError
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.remote import RemoteHost
from libretro_host.systems.descriptor import SystemDescriptor


class AddedSystem(TypedDict):
    """The new console, as ``--json`` prints it."""

    system: str
    path: str
    extensions: list[str]
    remarks: list[str]
    tried: list[str]


def add_console(core: str, *, game: Path | None, name: str | None, out: Path | None) -> AddedSystem:
    """Draft a descriptor and save it among the user's, or as ``out``.

    A ``game`` is then played on it: its states, and a movie with its replay. Raises SessionError,
    HostError, SaveError.
    """
    if game is not None and not game.is_file():
        raise SessionError(f"{game}: there is no such file; check the spelling")
    file = core_file(core)
    draft = draft_here(file, game, name or (out.stem if out else None))
    path = out or own_path(draft.name)
    if path.exists():
        raise SessionError(f"{path}: is there already; remove it, or choose another --name")
    save_console(draft.value, path)
    return {
        "system": draft.name,
        "path": str(path),
        "extensions": [f".{one}" for one in draft.value["content"]["extensions"]],
        "remarks": list(draft.remarks),
        "tried": [] if game is None else list(_play(checked_console(draft.value), file, game)),
    }


def _play(console: SystemDescriptor, core: Path, game: Path) -> tuple[str, ...]:
    """Sentences on a game of a new console: on its states, and on a movie with its replay."""
    try:
        with OwnedFolder() as folder:
            plan, movie = _plan(console, core, game, folder), folder / "trial.bk2"
            with Session(plan) as session:
                session.record(movie)
                press_buttons(session)
                session.stop_recording()
                exactness = try_states(session)
            with Session(plan) as session:
                replay = import_movie(session, movie)
    except (DomainError, HostError) as error:
        return (f"states and movies do not work: {error}",)
    rows, row = replay.stop - replay.start, replay.desync_row
    ended = "went as recorded" if row is None else f"goes out of step at row {row}"
    return exactness.text, f"a movie of {rows} rows: its replay in a new process {ended}"


def _plan(console: SystemDescriptor, core: Path, game: Path, folder: Path) -> SessionPlan:
    name = console.cores[0]
    content = prepare_content(game, {console.name: console}, folder, console)
    request = console.load_request(
        name, core, content.path, system_dir=paths.system_dir(), save_dir=folder
    )
    request, axes = console.plug_in(request, name, 1)
    return SessionPlan(
        integration=Integration(folder / f"Trial-{console.name}"),
        descriptor=console,
        request=request,
        new_host=RemoteHost,
        systems=movie_consoles({console.name: console}),
        axes=axes,
    )


class ExportedSystem(TypedDict):
    """The files written and the lines of Python that use them, as ``--json`` prints them."""

    files: list[str]
    steps: str
    remarks: list[str]


def export_console(name: str, folder: Path) -> ExportedSystem:
    """Lay out a console for training. Raises SessionError, HostError, SaveError."""
    console = named_system(systems(), name)
    if console is None:
        raise SessionError("a console needs a name; see integrator systems")
    exported = export_for_training(console, core_for(console).path, folder)
    return {
        "files": list(map(str, exported.files)),
        "steps": exported.steps,
        "remarks": list(exported.remarks),
    }
