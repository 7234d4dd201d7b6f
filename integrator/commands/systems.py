"""``integrator systems``: checks each console by its proof ROM, and writes the README's table."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

from rich.table import Column, Table

from integrator import paths
from integrator.commands.shared.console import plain_console
from integrator.domain.errors import ChoiceError, DomainError, SessionError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import TEXT_BYTES, read_text
from integrator.domain.integration.files import Integration
from integrator.session.library.checks.live_check import press_buttons, try_states
from integrator.session.library.consoles import console_check, own_consoles
from integrator.session.library.consoles.console_draft import checked_console, draft_here, own_path
from integrator.session.library.consoles.core_rows import cores_of
from integrator.session.opening import core_for, movie_consoles, named_system
from integrator.session.recorded_rows import import_movie
from integrator.session.session import Session
from integrator.session.setup.content import prepare_content
from integrator.session.setup.plan import SessionPlan
from integrator.session.setup.roots import systems
from libretro_host.errors import HostError
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.remote import RemoteHost
from libretro_host.systems.descriptor import SystemDescriptor
from libretro_host.systems.discovery import CoreChoice, CoreListing

BEGIN, END = "<!-- systems:begin -->", "<!-- systems:end -->"
_DEADLINE_MS = 60_000

SystemRow: TypeAlias = dict[str, Any]  # a console as ``--json`` prints it; unknown values are null
_MEASURED = ("ram_bytes", "fps", "state_bytes", "deterministic", "buttons", "variables")


def system_rows(
    names: Iterable[str] = (), *, progress: Callable[[str], None] = lambda _name: None
) -> list[SystemRow]:
    """Check the systems called ``names``, working ones first. Raises SessionError."""
    descriptors = systems()
    unknown = sorted(set(names) - set(descriptors))
    if unknown:
        raise ChoiceError(f"no system {unknown[0]}; there are {' '.join(descriptors)}")
    roms = console_check.proof_roms()
    wanted = [descriptors[name] for name in (names or descriptors)]
    rows = []
    for entry in cores_of(sorted(wanted, key=lambda one: (one.name not in roms, one.name))):
        progress(entry.system.name)
        rows.append(_row(entry, roms.get(entry.system.name)))
    return rows


def _row(entry: CoreListing, rom: console_check.ProofRom | None) -> SystemRow:
    descriptor, report, problem = entry.system, None, ""
    if entry.choice is None:
        problem = entry.problem
    elif entry.missing_bios and not (rom and rom.system_dir):
        files = " or ".join(bios.file for bios in entry.missing_bios)
        problem = f"needs the BIOS file {files} in the system folder"
    elif rom is None:
        problem = "no proof ROM: no free content for it is known to us"
    else:
        try:
            report = _prove(descriptor, entry.choice, rom)
        except HostError as error:
            problem = str(error)
    core = entry.choice.core if entry.choice else None
    faults, note = list(report.faults) if report else [], rom.note if rom else ""
    if report is not None and report.state_faults and core in descriptor.residue:
        note = (
            f"states of this core leave something out ({report.state_faults[0]}), so sessions "
            f"replay from further back where memory or picture differ. {note}"
        ).rstrip()
    elif report is not None:
        faults += report.state_faults
    measured = {name: getattr(report, name, None) for name in _MEASURED}
    return {
        "system": descriptor.name,
        "title": descriptor.title,
        "core": core,
        "version": report.library if report else None,
        "extension": rom.path.suffix[1:] if rom else descriptor.extensions[0],
        **measured,
        "fps": round(report.fps, 4) if report else None,
        "faults": faults,
        "problem": problem,
        "note": note,
    }


def _prove(
    system: SystemDescriptor, choice: CoreChoice, rom: console_check.ProofRom
) -> console_check.ConsoleReport:
    # Use a new folder, because a battery save of an earlier check would change this one.
    with OwnedFolder() as folder:
        request = system.load_request(
            choice.core, choice.path, rom.path, system_dir=paths.system_dir(), save_dir=folder
        )
        return console_check.check_console(rom, system, request, lambda: RemoteHost(_DEADLINE_MS))


def print_systems(rows: list[SystemRow]) -> None:
    """Print the checked rows as a table, and then faults, notes, and systems that did not run."""
    table = Table(*(Column(name, overflow="fold") for name in _COLUMNS))
    for row in rows:
        if row["ram_bytes"] is not None:
            table.add_row(*_cells(row))
    console = plain_console()
    console.print(table)
    for row in rows:
        for fault in row["faults"]:
            console.print(f"{row['system']}: {fault}")
    for line in _remarks(rows):
        console.print(line)


_COLUMNS = (
    *("system", "core", "file", "RAM bytes", "fps", "state bytes"),
    *("same after load", "buttons", "variables"),
)


def _cells(row: SystemRow) -> list[str]:
    verdicts = [row["deterministic"], row["buttons"], row["variables"]]
    return [
        *(row["system"], row["core"] or "", f".{row['extension']}"),
        *(f"{row['ram_bytes']:,}", f"{row['fps']}", f"{row['state_bytes']:,}"),
        *("yes" if verdict else "NO" for verdict in verdicts),
    ]


def _remarks(rows: list[SystemRow]) -> list[str]:
    """Return notes on checked consoles, then the reasons why others could not be checked."""
    lines = [f"{row['system']}: {row['note']}" for row in rows if row["note"]]
    unchecked = (row for row in rows if row["ram_bytes"] is None)
    named = ((f"{row['system']} ({row['core'] or 'no core'})", row) for row in unchecked)
    return lines + [f"{name}: {row['problem']}" for name, row in named]


def write_block(path: Path, rows: list[SystemRow]) -> None:
    """Replace the text between two marker comments by a table in Markdown.

    A list below the table has notes and unchecked systems. Raises SessionError, OSError."""
    before, begin, rest = read_text(path, TEXT_BYTES).partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SessionError(f"{path}: put the lines {BEGIN} and {END} where the table shall go")
    lines = ["| " + " | ".join(_COLUMNS) + " |", "|" + "---|" * len(_COLUMNS)]
    lines += ["| " + " | ".join(_cells(row)) + " |" for row in rows if row["ram_bytes"] is not None]
    # Leave out the folders of the computer on which the table is written.
    unknown = {"problem": "no core was found"}
    shown = [row | unknown if row["core"] is None else row for row in rows]
    block = "\n".join([begin, *lines, "", *(f"- {line}" for line in _remarks(shown)), end])
    write_atomically(path, f"{before}{block}{after}".encode())


def is_right(row: SystemRow) -> bool:
    return not row["faults"] and (row["ram_bytes"] is not None or bool(row["problem"]))


def add_console(
    core: str, *, game: Path | None, name: str | None, out: Path | None
) -> dict[str, Any]:
    """Draft and save a descriptor; play a ``game``. Raises SessionError, HostError, SaveError."""
    if game is not None and not game.is_file():
        raise SessionError(f"{game}: there is no such file; check the spelling")
    file = own_consoles.core_file(core)
    draft = draft_here(file, game, name or (out.stem if out else None))
    path = out or own_path(draft.name)
    if path.exists():
        raise SessionError(f"{path}: is there already; remove it, or choose another --name")
    own_consoles.save_console(draft.value, path)
    return {
        "system": draft.name,
        "path": str(path),
        "extensions": [f".{one}" for one in draft.value["content"]["extensions"]],
        "remarks": list(draft.remarks),
        "tried": [] if game is None else list(_play(checked_console(draft.value), file, game)),
    }


def _play(console: SystemDescriptor, core: Path, game: Path) -> tuple[str, ...]:
    """Try a game of a new console; return sentences about its states and a replayed movie."""
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
    consoles = movie_consoles({console.name: console})
    integration = Integration(folder / f"Trial-{console.name}")
    return SessionPlan(integration, console, request, RemoteHost, consoles, axes=axes)


def export_console(name: str, folder: Path) -> dict[str, Any]:
    """Write the files of a console for training; return them with the Python that uses them.

    Raises SessionError, HostError, SaveError."""
    console = named_system(systems(), name)
    if console is None:
        raise SessionError("a console needs a name; see integrator systems")
    exported = own_consoles.export_for_training(console, core_for(console).path, folder)
    files, remarks = list(map(str, exported.files)), list(exported.remarks)
    return {"files": files, "steps": exported.steps, "remarks": remarks}
