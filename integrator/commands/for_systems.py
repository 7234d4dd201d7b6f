"""The subcommands of ``integrator systems``: checks of consoles, and the user's own consoles."""

from pathlib import Path

import typer
from typer.core import TyperGroup

from integrator.commands.shared.options import (
    JSON,
    argument,
    complete_systems,
    fail_if,
    option,
    show,
)


class _Systems(TyperGroup):
    """A group whose first argument may be a console's name instead of ``check NAME``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override] # typer's context is click's
        if not args or (args[0] not in self.commands and args[0] not in {"-h", "--help"}):
            args = ["check", *args]
        return super().parse_args(ctx, args)


systems_app = typer.Typer(
    cls=_Systems,
    help="Check the consoles by their proof ROMs, or add one. NAME... is short for check NAME...",
    rich_markup_mode=None,
    no_args_is_help=False,
)


@systems_app.command("check")
def check_systems(
    names: list[str] | None = argument(
        None, "Systems; all by default.", autocompletion=complete_systems
    ),
    write_readme: Path | None = option(None, "Put the table between the markers in this file."),
    as_json: bool = JSON,
) -> None:
    """Run the proof ROM of each console; exit 1 if one has a fault.

    Memory, buttons and states are compared with the known values of the ROM."""
    from integrator.commands import systems as command

    report = (lambda _name: None) if as_json else lambda name: typer.echo(f"{name} ...", err=True)
    warn_of_skipped()
    rows = command.system_rows(names or (), progress=report)
    if write_readme is not None:
        command.write_block(write_readme, rows)
    show({"systems": rows}, command.print_systems, rows, as_json=as_json)
    fail_if(not all(command.is_right(row) for row in rows))


def warn_of_skipped() -> None:
    """Print a warning for each invalid console of the user."""
    from integrator.session.setup.roots import skipped_systems

    for fault in skipped_systems().values():
        typer.echo(f"warning: this console is skipped: {fault}", err=True)


@systems_app.command("export")
def export_system(
    name: str = argument(..., "A console of integrator systems.", autocompletion=complete_systems),
    folder: Path = argument(..., "Folder for core, JSON and README.txt."),
    as_json: bool = JSON,
) -> None:
    """Write a console's core and JSON where stable-retro finds them.

    The steps to train on them are printed."""
    from integrator.commands.systems import export_console

    exported = export_console(name, folder)
    text = "\n".join([*exported["files"], "", exported["steps"], *exported["remarks"]])
    show(exported, typer.echo, text, as_json=as_json)


@systems_app.command("add")
def add_system(
    core: str = argument(..., "A core: its file, or its name in a folder of integrator cores."),
    game: Path | None = option(None, "A game that runs on it: shows buttons, memory and states."),
    name: str | None = option(None, "The console's name, one word."),
    out: Path | None = option(None, "Write the descriptor here, to share it."),
    as_json: bool = JSON,
) -> None:
    """Draft a console of your own, from its core and a game."""
    from integrator.commands.systems import add_console

    added = add_console(core, game=game, name=name, out=out)
    made = f"{added['path']}: made; {added['system']} plays {' '.join(added['extensions'])}"
    text = "\n- ".join([made, *added["remarks"], *added["tried"]])
    show(added, typer.echo, text, as_json=as_json)
