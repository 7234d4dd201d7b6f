"""The words after ``integrator desktop``, and ``integrator man``."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

desktop_app = typer.Typer(
    help="Add the program to the desktop and the shells of this user.", rich_markup_mode=None
)


@desktop_app.command("install")
def install_desktop(
    context: typer.Context,
    prefix: Annotated[
        Path | None,
        typer.Option(help="For packagers: write to PREFIX/share, below $DESTDIR if that is set."),
    ] = None,
) -> None:
    """Add menu entry, icon, file types, manual page, completions.

    All of it goes below $XDG_DATA_HOME. Run it again after the program was moved.
    """
    from integrator.commands.desktop import desktop

    _require_xdg()
    if prefix is not None:
        program = (str(prefix / "bin" / "integrator"),)
        told = desktop.stage(desktop.desktop_files(_program(context), program), prefix)
    else:
        told = desktop.install(desktop.desktop_files(_program(context), desktop.own_program()))
    typer.echo("\n".join(told))


@desktop_app.command("remove")
def remove_desktop() -> None:
    """Remove the files that install added, and no others."""
    from integrator.commands.desktop.desktop import remove

    _require_xdg()
    typer.echo("\n".join(remove()))


def print_manual(context: typer.Context) -> None:
    """Print the manual page; integrator man | man -l - shows it."""
    from integrator.commands.desktop.desktop import manual_page

    typer.echo(manual_page(_program(context)), nl=False)


def _program(context: typer.Context) -> TyperGroup:
    program = context.find_root().command
    assert isinstance(program, TyperGroup)  # noqa: S101 - for the type checker: it has subcommands
    return program


def _require_xdg() -> None:
    from integrator.domain.errors import SessionError

    if sys.platform in {"win32", "darwin"}:
        raise SessionError(f"there are no XDG desktop files on {sys.platform}")
