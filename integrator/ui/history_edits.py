"""Edits of several files as one: steps back and forth, and taking all back when one is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from integrator.domain.errors import IntegratorError, ScriptError
from integrator.domain.script_sandbox import syntax_error
from integrator.session.session import Session
from integrator.ui.edits import Edit
from integrator.ui.snapshot import Documents


def step_history(*, back: bool) -> Edit:
    """Take back the newest edit, or do the next one again, in all the files that it changed.

    Which one it is, is only known when it is done: other edits may come first.
    """

    def edit(session: Session) -> Documents:
        with session.integration.edit_order.stepping(back=back):
            use_documents(session)
        return Documents.of(session)

    return edit


def use_documents(session: Session) -> None:
    """Let the session read its documents as they are now.

    A script that is being written does not stand in the way: it is used as soon as it can be
    loaded. A scenario file that is gone is replaced by the usual one.
    """
    if session.scenario_name not in session.integration.scenarios:
        session.use_scenario(None)
        return
    try:
        session.apply_documents()
    except ScriptError:
        if not any(syntax_error(text, name) for name, text in session.integration.scripts.items()):
            raise


@contextmanager
def all_or_nothing(session: Session) -> Iterator[None]:
    """Edit any documents and use them; an error takes back every edit made within."""
    before = {name: each.undo_depth for name, each in session.integration.histories.items()}
    try:
        yield
        use_documents(session)
    except IntegratorError:
        for name, history in session.integration.histories.items():
            while history.undo_depth > before.get(name, 0) and history.undo():
                pass
        raise
