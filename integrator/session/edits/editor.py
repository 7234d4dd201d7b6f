"""The one way to edit a session: makes edits, takes them back, and lets the game follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from integrator.domain.errors import ScriptError
from integrator.domain.files.undo import Step
from integrator.domain.integration.cheats import CHEATS_FILE
from integrator.domain.integration.layout import METADATA_FILE
from integrator.domain.integration.states import STATE_SUFFIX
from integrator.domain.scenario.sandbox import syntax_error
from integrator.session.session import Session
from integrator.session.setup.start_states import POWER_ON

Edit: TypeAlias = Callable[[Session], object]
"""A command that changes the files of a session's integration."""

_NOT_SCORED = (METADATA_FILE, CHEATS_FILE)


class Editor:
    """Edits are steps of the integration's one history; each is made whole, or not at all."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def do(self, edit: Edit, *, merge: bool = False, use: bool = True) -> None:
        """Make an edit as one step, and let the game follow. An error takes all of it back.

        ``merge`` makes it a part of the step before; see :meth:`UndoHistory.step`. Without ``use``
        the game goes on with the files as they were, until something else lets it follow.
        """
        with self._session.integration.history.step(merge=merge) as touched:
            edit(self._session)
            if use:
                self.follow(touched)

    def undo(self) -> Step:
        """Take back the newest step and return it; () when there is none."""
        return self._move(back=True)

    def redo(self) -> Step:
        """Do the step again that was last taken back, and return it; () when there is none."""
        return self._move(back=False)

    def _move(self, *, back: bool) -> Step:
        with self._session.integration.history.stepping(back=back) as step:
            self.follow(change.file for change in step)
        return step

    def follow(self, files: Iterable[str]) -> None:
        """Let the game follow a change of these files: how it is scored, and where it begins.

        A script that is being written does not stand in the way: it is used as soon as it can be
        loaded. The usual scenario, or start state, replaces one that is gone.
        """
        session, changed = self._session, set(files)
        if not can_begin_at(session, session.game.plan.state):
            session.game.use_state(None)
        if session.game.scenario_name not in session.integration.scenarios:
            session.game.use_scenario(None)
        elif any(not f.endswith(STATE_SUFFIX) and f not in _NOT_SCORED for f in changed):
            try:
                session.game.apply_documents()
            except ScriptError:
                scripts = session.integration.scripts
                if not any(syntax_error(text, name) for name, text in scripts.items()):
                    raise
        elif CHEATS_FILE in changed:
            session.cheats.refresh()


def can_begin_at(session: Session, state: str | None) -> bool:
    """True when episodes can begin at ``state``; None stands for the game's own beginning."""
    if state is None or state == POWER_ON or state.endswith(STATE_SUFFIX):
        return True
    return session.integration.has_state(state)
