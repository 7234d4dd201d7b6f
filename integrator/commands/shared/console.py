"""The one way in which commands print tables, lines and progress: text is never taken for markup.

Names of ROMs, folders and variables and the texts of errors hold brackets (``[b1]``, ``[cores]``)
and colons (``:x:``), which Rich would read as styles and emoji. A style is given as ``Text`` or by
``style=``. The linter keeps other modules from making consoles of their own.
"""

import sys

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn

_PIPE_COLUMNS = 10_000


def plain_console(*, stderr: bool = False, soft_wrap: bool = False) -> Console:
    """A console that prints strings unchanged; ``soft_wrap`` breaks no line, as in a file."""
    width = None if (sys.stderr if stderr else sys.stdout).isatty() else _PIPE_COLUMNS
    return Console(
        stderr=stderr, soft_wrap=soft_wrap, width=width, markup=False, emoji=False, highlight=False
    )


def plain_progress(
    *columns: ProgressColumn, quiet: bool = False, transient: bool = False
) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        *(columns or (BarColumn(), TaskProgressColumn())),
        console=plain_console(stderr=True),
        disable=quiet or (transient and not sys.stderr.isatty()),
        transient=transient,
        redirect_stdout=sys.stdout.isatty(),
    )
