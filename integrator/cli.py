"""The command line: arguments in, one-line errors and exit codes out. The work is in commands/."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

import integrator
from integrator.domain.errors import IntegratorError
from integrator.domain.finding import Severity
from libretro_host.errors import HostError

EXIT_FAILED = 1
EXIT_USAGE = 2
_INTERRUPTED = 130

app = typer.Typer(
    name="integrator",
    help="Turn a console game into a reinforcement-learning environment for stable-retro.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=False,
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
RootOption = Annotated[
    Path | None, typer.Option("--root", help="Folder that holds integration directories.")
]


@app.command("open")
def open_window(
    path: Annotated[
        Path | None,
        typer.Argument(help="A ROM, an integration directory, a .bk2 or .fm2 movie, or a .state."),
    ] = None,
) -> None:
    """Open the window. ``integrator PATH`` is short for this."""
    from integrator.app import run_window

    raise typer.Exit(run_window(path))


@app.command()
def cores(as_json: JsonFlag = False) -> None:
    """Show each system, the core found for it, and what is missing."""
    from integrator.commands.cores import core_rows, print_core_table

    rows = core_rows()
    if as_json:
        _print_json({"systems": rows})
    else:
        print_core_table(rows)


@app.command()
def new(
    rom: Annotated[Path, typer.Argument(help="The game to integrate.")],
    name: Annotated[
        str | None, typer.Option(help="Name without the system, for instance SuperGame.")
    ] = None,
    root: RootOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Make an integration directory for a ROM."""
    from integrator.commands.new import new_integration

    created = new_integration(rom, name=name, root=root)
    if as_json:
        _print_json(created)
    else:
        typer.echo(f"{created['directory']}: made, with {', '.join(created['files'])}")


@app.command()
def play(
    movies: Annotated[list[Path], typer.Argument(help=".bk2 or .fm2 movies.")],
    game: Annotated[
        Path | None,
        typer.Option(help="Integration directory or ROM; else found by the movie's name."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write frame, buttons, values, reward and done here.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Replay movies without a window and say how they ended."""
    from integrator.commands.play import play_movies, print_summaries

    summaries = play_movies(movies, game=game, csv_path=csv, quiet=as_json)
    if as_json:
        _print_json({"movies": summaries})
    else:
        print_summaries(summaries)
    if any(summary["desync_frame"] is not None for summary in summaries):
        raise typer.Exit(EXIT_FAILED)


@app.command()
def check(
    directories: Annotated[
        list[Path] | None, typer.Argument(help="Integration directories, or folders of them.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Lint integrations, load them and run them; exit 1 on any error."""
    from integrator.commands.check import check_integrations, print_findings

    report = check_integrations(directories or [], quiet=as_json)
    if as_json:
        _print_json(report.to_json())
    else:
        print_findings(report)
    if report.count(Severity.ERROR):
        raise typer.Exit(EXIT_FAILED)


@app.command()
def demo(
    out: Annotated[
        Path | None, typer.Option(help="Folder for the integration, the movie and the screenshot.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Do the whole main job on the demo game, without a display."""
    from integrator.commands.demo import run_demo

    report = run_demo(out, quiet=as_json)
    if as_json:
        _print_json(report)
    if not report["agrees"]:
        raise typer.Exit(EXIT_FAILED)


@app.command()
def bench(as_json: JsonFlag = False) -> None:
    """Measure frames a second against the bare C loop and stable-retro, as ratios."""
    from integrator.commands.bench import print_bench, run_bench

    report = run_bench(quiet=as_json)
    if as_json:
        _print_json(report)
    else:
        print_bench(report)


@app.callback(invoke_without_command=True)
def _common(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,  # noqa: ARG001 - read in run(), before parsing can fail
) -> None:
    if version:
        typer.echo(f"integrator {integrator.__version__}")
        raise typer.Exit


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status: 0, 1 for a failed job, 2 for bad usage."""
    arguments = list(arguments)
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        status = app(_with_open(arguments), standalone_mode=False)
    except typer.TyperException as error:
        return _report(error.format_message(), EXIT_USAGE, debug=debug)
    except (IntegratorError, HostError, OSError) as error:
        return _report(str(error), EXIT_FAILED, debug=debug)
    except (KeyboardInterrupt, typer.Abort):
        return _report("interrupted", _INTERRUPTED, debug=debug)
    return status if isinstance(status, int) else 0


def _with_open(arguments: list[str]) -> list[str]:
    """``integrator`` and ``integrator PATH`` open the window: put the command's name in front."""
    if any(argument in {"--help", "--version"} for argument in arguments[:1]):
        return arguments
    commands = {
        command.name or getattr(command.callback, "__name__", "")
        for command in app.registered_commands
    }
    if arguments and arguments[0] in commands:
        return arguments
    return ["open", *arguments]


def _report(message: str, status: int, *, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    sys.stderr.write(f"integrator: {' '.join(message.split())}\n")
    return status


def _print_json(value: Mapping[str, object]) -> None:
    typer.echo(json.dumps(value, indent=2))
