"""The files that a session keeps against the program's sudden death: play, and unsaved edits."""

import time
from collections.abc import Callable
from typing import Final

from integrator.domain.errors import DomainError
from integrator.domain.integration.naming import is_integration
from integrator.domain.timeline.timeline import Timeline
from integrator.session.edits.editor import Change, Editor
from integrator.session.frame.result import CommandFailed, Event, JournalFound, JournalLost
from integrator.session.journal.drafts import DraftKeeper
from integrator.session.journal.journal_file import Journal, JournalFile
from integrator.session.setup.game import Game
from integrator.session.setup.plan import SessionPlan

KEEP_AFTER_S: Final = 1.2
"""Edits that follow each other closely are written down once."""


class Persistence:
    """Writes play into the plan's journal as it happens, and unsaved edits into a draft."""

    def __init__(
        self, game: Game, timeline: Timeline, editor: Editor, tell: Callable[[Event], object]
    ) -> None:
        self._game = game
        self._tell = tell
        self._drafts = DraftKeeper()
        self._due_s: float | None = None
        editor.listen(self._edited)
        self._journal = self._begin_journal(timeline)

    def _begin_journal(self, timeline: Timeline) -> Journal | None:
        plan, core, tell = self._game.plan, self._game.core, self._tell
        path = plan.journal
        if path is None:
            return None
        header = {
            **_opened(plan),
            "system": plan.descriptor.name,
            "core": self._game.core_stamp,
            "core_path": str(self._game.core_path),
            "players": plan.players,
            "columns": plan.columns,
            "fps": core.av.fps,
        }

        def failed(error: OSError) -> None:
            why = f"{path}: cannot be written ({error.strerror})"
            tell(JournalLost(f"{why}; after a crash play could not be taken up again from here on"))

        def again() -> None:
            tell(JournalFound(f"{path}: is written again, with all play of the meantime"))

        return Journal(
            timeline, lambda: JournalFile(path, header), on_failure=failed, on_again=again
        )

    def note_opened(self, plan: SessionPlan) -> None:
        """Write down where the game's files are now, and how the game is open."""
        if self._journal is not None:
            self._journal.note_opened(_opened(plan))

    def _edited(self, _: Change) -> None:
        if self._game.integration.modified:
            self._due_s = time.monotonic() + KEEP_AFTER_S
        elif self._drafts.path is not None:
            # All edits are saved, maybe in another directory, so the draft is needless.
            self._keep_or_tell()
        else:
            self._due_s = None

    def keep_edits(self) -> None:
        """Write down all unsaved edits, or remove the draft. Raises SaveError, DocumentError."""
        self._due_s = None
        self._drafts.keep(self._game.integration, self._game.plan.journal)

    def keep_settled_edits(self) -> None:
        """Write down edits that no other has followed for a moment; a failure is told."""
        if self._due_s is not None and time.monotonic() >= self._due_s:
            self._keep_or_tell()

    def _keep_or_tell(self) -> None:
        try:
            self.keep_edits()
        except (DomainError, OSError) as error:
            self._tell(CommandFailed(str(error), error=error))

    def drop_edits(self) -> None:
        """Remove the draft: the user gives up the unsaved edits. Any thread may call it."""
        self._due_s = None
        self._drafts.discard()

    def close(self, *, keep: bool) -> None:
        """End the journal, and delete it unless it is to ``keep``; a draft stays."""
        self._drafts.close()
        if self._journal is not None:
            self._journal.close(keep=keep)


def _opened(plan: SessionPlan) -> dict[str, str | None]:
    """The part of a journal's header that may change while a game is open."""
    directory = plan.integration.directory.absolute()
    return {
        "game": str(directory if is_integration(directory) else plan.request.content),
        "directory": str(directory),
        "state": plan.state,
        "scenario": plan.scenario,
    }
