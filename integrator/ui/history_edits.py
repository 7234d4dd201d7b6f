"""Edits of several files as one: steps back and forth, and taking all back when one is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from integrator.domain.errors import IntegratorError, ScriptError
from integrator.domain.script_sandbox import syntax_error
from integrator.session.session import Session
from integrator.ui.edits import Edit
from integrator.ui.snapshot import Documents


def step_history(files: Sequence[str], *, back: bool) -> Edit:
    """Take back, or do again, the last edit of each of ``files`` (keys of the histories).

    They are taken as one step: when one is refused, all are as before.
    """

    def edit(session: Session) -> Documents:
        done: list[str] = []
        try:
            for file in reversed(files) if back else files:
                if _step(session, file, back=back):
                    done.insert(0, file)
            use_documents(session)
        except IntegratorError:
            for file in done:
                _step(session, file, back=not back)
            raise
        return Documents.of(session)

    return edit


def _step(session: Session, file: str, *, back: bool) -> bool:
    history = session.integration.histories.get(file)
    if history is None:
        return False
    return history.undo() if back else history.redo()


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
