"""The one way for commands to print tables, lines and progress, without reading text as markup.
Names of ROMs, folders and variables and the texts of errors hold brackets (``[b1]``, ``[cores]``)
and colons (``:x:``), which Rich would read as styles and emoji. A style is given as ``Text`` or by
``style=``. The linter forbids other modules to make consoles."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich import progress
from rich.console import Console

Result = TypeVar("Result")


def plain_console(*, stderr: bool = False, soft_wrap: bool = False) -> Console:
    """Make a console that prints strings unchanged; ``soft_wrap`` keeps long lines unbroken."""
    width = None if (sys.stderr if stderr else sys.stdout).isatty() else 10_000  # columns of a pipe
    return Console(
        stderr=stderr, soft_wrap=soft_wrap, width=width, markup=False, emoji=False, highlight=False
    )


class QuietProgress(progress.Progress):
    """A progress bar that prints nothing while it is disabled."""

    def stop(self) -> None:
        if not self.disable:  # Rich 14.2 would print an empty line at its end
            super().stop()


def plain_progress(
    *columns: progress.ProgressColumn, quiet: bool = False, transient: bool = False
) -> QuietProgress:
    return QuietProgress(
        progress.TextColumn("{task.description}", markup=False),
        *(columns or (progress.BarColumn(), progress.TaskProgressColumn())),
        console=plain_console(stderr=True),
        disable=quiet or (transient and not sys.stderr.isatty()),
        transient=transient,
        redirect_stdout=sys.stdout.isatty(),
    )


def tracked(
    results: Iterable[Result], text: str, total: int, *, quiet: bool, done: int = 0
) -> Iterator[Result]:
    """Yield the results, and show their number in a bar on stderr, which starts at ``done``."""
    columns = (progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeElapsedColumn())
    with plain_progress(*columns, quiet=quiet, transient=True) as shown:
        task = shown.add_task(text, total=total, completed=done)
        for result in results:
            yield result
            shown.advance(task)
