"""A subcommand is one function: a made-up one is run, helped, listed and in the manual."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

from integrator.cli import app
from integrator.commands.desktop import manual_page


@pytest.fixture
def _count() -> Iterator[None]:
    @app.command()
    def count(upto: int) -> None:
        """Count from 1 on."""
        typer.echo(" ".join(map(str, range(1, upto + 1))))

    yield
    app.registered_commands.pop()


@pytest.mark.usefixtures("_count")
def test_it_is_run_and_told() -> None:
    run = CliRunner().invoke
    assert run(app, ["count", "3"]).output == "1 2 3\n"
    assert "Count from 1 on." in run(app, ["--help"]).output
    assert "upto <int>" in run(app, ["count", "--help"]).output
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    assert "Count from 1 on." in manual_page(group)
