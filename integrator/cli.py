"""The command line: parses arguments, and prints one-line errors. commands/ does the work."""

import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import typer
from typer.core import TyperGroup
from typer.main import get_command

import integrator
from integrator.commands.for_agents import COMMANDS
from integrator.commands.for_systems import systems_app, warn_of_skipped
from integrator.commands.shared import options
from integrator.commands.shared.options import JSON, argument, option, show
from integrator.domain.errors import ChoiceError, IntegratorError, SessionError, message_of
from integrator.domain.findings import Severity

PROGRAM = "integrator"
_BAD_USAGE, _INTERRUPTED = 2, 130  # exit statuses, as in shells and Typer

app = typer.Typer(
    name=PROGRAM,
    help="Turn console games into environments for reinforcement learning.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _one_path(files: Sequence[Path], subsystem: str | None, system: str | None) -> Path:
    """Return the named path, or a subsystem game's list file. Raises SessionError, BadParameter."""
    from integrator.session.setup.roots import game_at

    named = [None if str(file) == "-" and subsystem else game_at(file) for file in files]
    for file in filter(None, named):
        options.require_path(file)
    if subsystem is not None:
        from integrator.session.opening import list_of_files

        return list_of_files(named, subsystem, system)
    if len(files) > 1:
        raise typer.BadParameter("several files are one game only with --subsystem NAME")
    [path] = filter(None, named)
    return path.absolute()


@app.command("open")
def open_window(
    paths: list[Path] | None = argument(
        None,
        "A ROM, an integration directory or its name, a movie (as .bk2), or a .state.",
        autocompletion=options.complete_games,
    ),
    system: str | None = options.SYSTEM,
    subsystem: str | None = options.SUBSYSTEM,
    core: Path | None = options.CORE,
) -> None:
    """Open the window. ``integrator PATH`` is short for this."""
    from integrator.display import loading_libraries, require_display
    from integrator.session.opening import begin_opening, is_game

    # Let SIGTERM end the process, as Qt runs no Python signal handler while the window is idle.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    path = _one_path(paths, subsystem, system) if paths else None
    require_display(os.environ)
    opening = begin_opening(path, system, core) if path is not None and is_game(path) else None
    with ExitStack() as failing:
        if opening is not None:
            failing.callback(opening.abandon)
        with loading_libraries(os.environ):
            # Load the window while the game is being opened, as both take about as long.
            from integrator.app import run_window
        failing.pop_all()
    raise typer.Exit(run_window(None if opening else path, opening))


@app.command()
def cores(as_json: bool = JSON) -> None:
    """Show each system, the core found for it, and what is missing."""
    from integrator.commands.cores import print_core_table
    from integrator.session.library.consoles.core_rows import core_folders, core_rows

    warn_of_skipped()
    rows, folders = core_rows(), core_folders()
    show({"systems": rows, "folders": folders}, print_core_table, rows, folders, as_json=as_json)


@app.command("import")
def import_games(
    places: list[Path] = argument(..., "Folders, zips or ROMs to look through."),
    root: Path | None = options.ROOT,
    follow_links: bool = option(
        False, "Write through links that lead out of a game's folder.", "--follow-links"
    ),
    as_json: bool = JSON,
) -> None:
    """Find the ROMs of known games in folders and zips.

    Every file that was not imported has its reason."""
    from integrator.commands.new import import_roms, print_import

    report = import_roms(places, root=root, quiet=as_json, follow_links=follow_links)
    show(report, print_import, report, as_json=as_json)


@app.command()
def new(
    roms: list[Path] = argument(..., "The game to integrate."),
    name: str | None = option(None, "Name without the system, for instance SuperGame."),
    root: Path | None = options.ROOT,
    system: str | None = options.SYSTEM,
    subsystem: str | None = options.SUBSYSTEM,
    as_json: bool = JSON,
) -> None:
    """Make an integration directory for a ROM."""
    from integrator.commands.new import new_integration

    rom = _one_path(roms, subsystem, system)
    created = new_integration(rom, name=name, root=root, system=system)
    text = f"{created['directory']}: made, with {', '.join(created['files'])}"
    show(created, typer.echo, text, as_json=as_json)


@app.command()
def play(
    movies: list[Path] = argument(..., "Movies (as .bk2), or folders of movies."),
    game: Path | None = options.GAME,
    csv: Path | None = option(None, "Write frame, buttons, values, reward and done here."),
    parquet: Path | None = option(None, "Write that table as Parquet."),
    monitor: Path | None = option(None, "Write reward, length and seconds of each episode as CSV."),
    npy: Path | None = option(None, "Write actions: .npy; .npz adds rewards, done and variables."),
    info: Path | None = option(None, "Write the variables of each step as JSON."),
    video: Path | None = option(None, "Write a video with sound; a folder for several movies."),
    lossless: str | None = option(None, "Lossless video: mp4, mp4rgb, png or ffv1."),
    scale: int = option(1, "A whole number: the size of a pixel."),
    audio: bool = option(True, "Sound in the video.", "--audio/--no-audio"),
    png: Path | None = option(None, "Write still pictures to this folder."),
    every: int = option(60, "Frames from one still picture to the next."),
    ending: int = option(
        0, "-N: only the last N frames in the video; N: N idle frames at the end."
    ),
    viewer: str | None = option(None, "Program to send the video to, for instance mpv."),
    jobs: int = options.JOBS,
    cluster: str | None = options.CLUSTER,
    as_json: bool = JSON,
) -> None:
    """Replay movies without a window; exit 1 if one failed."""
    from integrator.commands.play import movies as command
    from integrator.commands.play.table import PlayOptions
    from integrator.commands.shared.options import movies_of

    tables = csv, parquet, monitor, npy, info
    film = video, lossless, scale, audio
    wanted = PlayOptions(game, *tables, *film, png, every, ending, viewer, jobs, cluster)
    listed = [movie for path in movies for movie in movies_of(path)]
    try:
        wanted.check(len(listed))
    except SessionError as error:
        raise typer.BadParameter(str(error)) from error
    summaries = command.play_movies(listed, wanted, quiet=as_json)
    if as_json:
        options.print_json({"movies": summaries})
        command.print_problems(summaries)
    else:
        command.print_summaries(summaries)
    options.fail_if(any(s["error"] or s["desync_frame"] is not None for s in summaries))


@app.command()
def check(
    directories: list[Path] | None = options.game_argument(
        None, "Integration directories, folders of them, or names of integrations."
    ),
    live: bool = option(True, "Run the games that have their ROM.", "--live/--no-live"),
    explain: str | None = option(None, "Explain the code of a message.", metavar="CODE"),
    list_codes: bool = option(False, "List every code that a message can have.", "--list-codes"),
    accept: bool = option(False, "Store the present values of failed expectations.", "--accept"),
    jobs: int = options.JOBS,
    cluster: str | None = options.CLUSTER,
    as_json: bool = JSON,
) -> None:
    """Lint integrations, load them and run them; exit 1 on any error.

    Without a directory: all in the known folders."""
    from integrator.commands.check import check_integrations, print_findings, show_codes

    if explain is not None or list_codes:
        show_codes(explain, as_json=as_json)
        return
    report = check_integrations(
        directories or [], jobs=jobs, cluster=cluster, live=live, accept=accept, quiet=as_json
    )
    show(report.to_json(), print_findings, report, as_json=as_json)
    options.fail_if(report.count(Severity.ERROR))


@app.command()
def demo(
    out: Path | None = option(None, "Folder for the integration, the movie and the screenshot."),
    as_json: bool = JSON,
) -> None:
    """Integrate the demo game from start to end, without a display."""
    from integrator.commands.demo import run_demo

    report = run_demo(out, quiet=as_json)
    if as_json:
        options.print_json(report)
    options.fail_if(report["agrees"] is False)


@app.command()
def bench(as_json: bool = JSON) -> None:
    """Measure frames a second and RAM search.

    The bare C loop and stable-retro run on the same game for comparison."""
    from integrator.commands.bench import print_bench, run_bench

    report = run_bench(quiet=as_json)
    show(report, print_bench, report, as_json=as_json)


desktop_app = typer.Typer(
    help="Add the program to the desktop and the shells of this user.", rich_markup_mode=None
)


def _program(context: typer.Context) -> TyperGroup:
    program = context.find_root().command
    assert isinstance(program, TyperGroup)  # noqa: S101 - for the type checker: it has subcommands
    return program


@desktop_app.command("install")
def install_desktop(
    context: typer.Context,
    prefix: Path | None = option(
        None, "For packagers: write to PREFIX/share, below $DESTDIR if that is set."
    ),
) -> None:
    """Add menu entry, icon, file types, manual page, completions.

    All of it goes below $XDG_DATA_HOME. Run it again after the program was moved."""
    from integrator.commands.desktop import desktop_files, install, own_program, stage

    if prefix is None:
        lines = install(desktop_files(_program(context), own_program()))
    else:
        program = (str(prefix / "bin" / "integrator"),)
        lines = stage(desktop_files(_program(context), program), prefix)
    typer.echo("\n".join(lines))


@desktop_app.command("remove")
def remove_desktop() -> None:
    """Remove the files that install added, and no others."""
    from integrator.commands.desktop import remove

    typer.echo("\n".join(remove()))


@app.command("man")
def print_manual(context: typer.Context) -> None:
    """Print the manual page; integrator man | man -l - shows it."""
    from integrator.commands.desktop import manual_page

    typer.echo(manual_page(_program(context)), nl=False)


for command in COMMANDS:
    app.command()(command)
app.add_typer(systems_app, name="systems")
app.add_typer(desktop_app, name="desktop")


@app.callback(invoke_without_command=True)
def _common(
    version: bool = option(False, "Print the version and exit.", "--version", "-V"),
    debug: bool = option(False, "Show tracebacks of errors.", "--debug"),  # noqa: ARG001 - read in run(), before parsing can fail
) -> None:
    if version:
        typer.echo(f"integrator {integrator.__version__}")
        raise typer.Exit


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return its exit status: 0, 1 for a failed job, 2 for bad usage.

    With ``--json``, a command that fails before it printed its document prints ``{"error": TEXT}``.
    An interrupted command prints no document, because ``agents`` may have printed one by then."""
    arguments = list(arguments)
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by the caller, as by ``>&-``
            setattr(sys, stream, io.StringIO())
    debug, as_json = "--debug" in arguments, "--json" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        words = options.with_command(arguments, command_names())
        status = options.named_in_words(get_command(app))(
            words, prog_name=PROGRAM, standalone_mode=False
        )
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else PROGRAM
        fault = error.format_message().replace("Value error, ", "").rstrip(".")  # Pydantic's words
        text = f"{fault}; {command} --help tells more"
        return _report(text, _BAD_USAGE, debug=debug, as_json=as_json)
    except (IntegratorError, OSError) as error:
        as_json = as_json and not isinstance(error, options.FailedAfterJsonError)
        code = _BAD_USAGE if isinstance(error, ChoiceError) else options.EXIT_FAILED
        return _report(message_of(error), code, debug=debug, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return _report("interrupted", _INTERRUPTED, debug=debug)
    if status == _INTERRUPTED:  # Typer returns this after Ctrl+C, without a message
        return _report("interrupted", _INTERRUPTED, debug=False)
    return status if isinstance(status, int) else 0


def command_names() -> set[str]:
    commands = {
        command.name or getattr(command.callback, "__name__", "")
        for command in app.registered_commands
    }
    return commands | {group.name for group in app.registered_groups if group.name}


def _report(message: str, status: int, *, debug: bool, as_json: bool = False) -> int:
    if debug:
        traceback.print_exc()
    line = " ".join(message.split())
    if as_json:
        options.print_json({"error": line})
    sys.stderr.write(f"integrator: {line}\n")
    return status
