"""Recovery after a sudden death: drafts of unsaved edits, and play that can go on."""

import time
from functools import partial
from pathlib import Path

from integrator.domain.integration.naming import is_integration
from integrator.session.edits.snapshot import Documents, GameSnapshot, Update
from integrator.session.journal.drafts import Draft, restore_draft
from integrator.session.recovery import Recoverable, left_behind, recover
from integrator.session.session import Session
from integrator.ui.desk import Part
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.texts import clock_text


class Recovery(Part):
    """Offers the remains of programs that died; the session itself keeps play and edits.

    Play and edits of one session are one offer with one answer.
    """

    def _set_up(self) -> None:
        self._edited = False
        self._offered: list[Draft] = []
        self._wanted: Path | None = None
        # The recovery under way.
        self._taken: Recoverable | None = None
        self._bridge.open_failed.connect(self._open_failed)
        self._controller.documents_changed.connect(self._documents_changed)

    def _documents_changed(self, documents: Documents) -> None:
        # A game without edits keeps its old draft, which may still have to be offered.
        if documents.modified:
            self._edited = True
        elif self._edited:
            # Older edits of files that were saved over are not offered again.
            for draft in self._offered:
                if set(draft.conflicts) == set(draft.files):
                    draft.discard()

    def _opened(self, game: GameSnapshot) -> None:
        if game.resumed is not None:
            self._taken = None
        self._edited = game.documents.modified
        self._offered = []
        # Opening a game clears the banners, so the offer is shown again.
        self._bridge.beside(_recent, lambda found: self._offer_in_game(found, game.directory))

    def offer(self) -> None:
        """Offer what is left behind, unless it comes with a game that is opened."""

        def show(found: list[Recoverable]) -> None:
            if self._bridge.is_open or self._bridge.is_opening:
                return
            rest, drafts = self._take_wanted(found)
            drafts = [draft for draft in drafts if is_integration(draft.directory)]
            if drafts:
                text = self.tr("The program ended with unsaved edits of {0}: {1}.")
                text = text.format(drafts[0].directory.name, ", ".join(drafts[0].files))
                self._ask_open_and_restore(NoticeKind.INFO, text, drafts[0])
            self._offer_play(rest)

        self._bridge.beside(_recent, show)

    def _offer_in_game(self, found: list[Recoverable], directory: Path) -> None:
        game = self._controller.game
        if game is None or game.directory != directory:
            return
        rest, drafts = self._take_wanted(found)
        self._offered = [draft for draft in drafts if draft.directory == directory.absolute()]
        for draft in reversed(self._offered):
            text = self.tr("Unsaved edits of {0} were kept: {1}.")
            text = text.format(draft.directory.name, ", ".join(draft.files))
            restore = self.tr("Restore edits"), partial(self._restore, draft)
            self._say(NoticeKind.INFO, text + self._changed_since(draft), restore, stays=True)
        self._offer_play(rest)

    def _take_wanted(self, found: list[Recoverable]) -> tuple[list[Recoverable], list[Draft]]:
        """Restore the edits that were asked for; the other remains, and those without play."""
        wanted, self._wanted = self._wanted, None
        for left in found:
            if left.edits is not None and left.edits.path == wanted:
                self._restore(left.edits)
        rest = [left for left in found if left.edits is None or left.edits.path != wanted]
        return rest, [left.edits for left in rest if left.edits is not None and left.play is None]

    def _changed_since(self, draft: Draft) -> str:
        if not draft.conflicts:
            return ""
        return " " + self.tr("Changed on disk since: {0}.").format(", ".join(draft.conflicts))

    def _offer_play(self, found: list[Recoverable]) -> None:
        left = next((left for left in found if left.play is not None), None)
        if left is None or left.play is None:
            return
        text = self.tr("The program ended suddenly while you played {0}: {1} are on record.")
        played = clock_text(round(left.play.seconds * 60), 60.0)
        text = text.format(left.play.game.name, played)
        if left.edits is not None:
            edits = self.tr("Unsaved edits come back with them: {0}.")
            text += " " + edits.format(", ".join(left.edits.files))
            text += self._changed_since(left.edits)
        remedy = self.tr("Continue"), partial(self.go_on, left)
        self._say(NoticeKind.INFO, text, remedy, stays=True)

    def go_on(self, left: Recoverable) -> None:
        """Open the game where its play ended, once the user has decided about unsaved edits."""

        def work() -> None:
            self._taken = left
            path = left.play.game if left.play is not None else left.directory
            if left.play is not None:
                text = self.tr("{0} is opened where you were; its frames run again")
                self._say(NoticeKind.INFO, text.format(path.name))
            self._bridge.open(path, lambda _: recover(left))

        self._desk.parts[FileCommands].after_saving(work)

    def _open_failed(self, _path: Path, _error: Exception) -> None:
        taken, self._taken = self._taken, None
        if taken is not None and taken.edits is not None:
            text = self.tr(
                "The play could not be taken up again; the unsaved edits can still be: {0}."
            ).format(", ".join(taken.edits.files))
            self._ask_open_and_restore(NoticeKind.WARNING, text, taken.edits)

    def _ask_open_and_restore(self, kind: NoticeKind, text: str, draft: Draft) -> None:
        def work() -> None:
            self._wanted = draft.path
            self._bridge.open(draft.directory)

        self._say(kind, text, (self.tr("Open and restore"), work), stays=True)

    def _restore(self, draft: Draft) -> None:
        def work(session: Session) -> tuple[Update, tuple[str, ...]]:
            refused: list[str] = []
            change = session.editor.do(
                lambda game: refused.extend(restore_draft(draft, game.integration))
            )
            session.persistence.keep_edits()
            draft.discard()
            return Update.of(session.game, change), tuple(refused)

        def done(answer: tuple[Update, tuple[str, ...]]) -> None:
            update, refused = answer
            self._offered = [each for each in self._offered if each is not draft]
            self._controller.show(update)
            if refused:
                text = self.tr("These could not be restored: {0}").format(", ".join(refused))
                self._say(NoticeKind.WARNING, text)

        self._bridge.ask(work, done)


def _recent() -> list[Recoverable]:
    """Recoveries of the last 14 days, the newest first; older ones are removed."""
    found, oldest_s = left_behind(), time.time() - 14 * 86_400
    for left in found:
        if left.written_s < oldest_s:
            left.discard()
    return [left for left in found if left.written_s >= oldest_s]
