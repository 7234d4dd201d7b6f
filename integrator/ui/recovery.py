"""What outlives a sudden death: unsaved edits kept as drafts, and play that can be continued."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from integrator.domain.integration_files import is_integration
from integrator.session.drafts import Draft, DraftKeeper, pending_drafts, restore_draft
from integrator.session.journal import RecoverableSession, discard, recoverable
from integrator.session.recovery import recover_from
from integrator.session.session import Session
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.play.transport import clock_text
from integrator.ui.snapshot import Documents, GameSnapshot
from integrator.ui.widgets.notices import NoticeKind, Teller

KEEP_AFTER_MS = 1200
"""Edits that follow each other closely are written down once."""

MAX_AGE_S = 14 * 86_400
"""Play and edits older than this are not offered any more."""


class Recovery(QObject):
    """Keeps drafts of the open game's edits; offers drafts and journals that were left behind."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, say: Teller, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._say = say
        self._keeper = DraftKeeper()
        self._kept = False
        self._offered: list[Draft] = []
        self._wanted: Path | None = None
        self._play: RecoverableSession | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(KEEP_AFTER_MS)
        self._timer.timeout.connect(self._keep)
        bridge.opened.connect(self._game_opened)
        bridge.closed.connect(self._game_closed)
        controller.documents_changed.connect(self._documents_changed)

    # -- drafts -------------------------------------------------------------------------------

    def _documents_changed(self, documents: Documents) -> None:
        # What is unmodified from the start may have a draft that is still to be offered.
        if documents.modified or self._kept:
            self._timer.start()

    def _keep(self) -> None:
        self._kept = True
        keeper = self._keeper
        self._bridge.ask(lambda session: keeper.keep(session.integration), self._draft_kept)

    def _draft_kept(self, path: Path | None) -> None:
        if path is None:
            # Nothing is unsaved: older edits of files that were saved over are not offered again.
            self._discard(
                [each for each in self._offered if set(each.conflicts) == set(each.files)]
            )

    def drop_edits(self) -> None:
        """The user gave up the unsaved edits."""
        self._timer.stop()
        self._keeper.discard()

    def _game_closed(self) -> None:
        self._timer.stop()
        self._keeper.close()

    def _game_opened(self, game: GameSnapshot) -> None:
        self._kept = False
        self._keeper, self._offered = DraftKeeper(), []
        self._bridge.ask(lambda _: pending_drafts(game.directory), self._offer_drafts)
        # Opening a game clears the banners, this one with them.
        QTimer.singleShot(0, self, self._say_play)

    def _offer_drafts(self, drafts: tuple[Draft, ...]) -> None:
        oldest_s = time.time() - MAX_AGE_S
        self._discard([draft for draft in drafts if draft.written_s < oldest_s])
        self._offered = [draft for draft in drafts if draft.written_s >= oldest_s]
        wanted, self._wanted = self._wanted, None
        for draft in self._offered:
            if draft.path == wanted:
                self._restore(draft)
                continue
            text = self.tr("Unsaved edits of {0} were kept: {1}.").format(
                draft.directory.name, ", ".join(draft.files)
            )
            if draft.conflicts:
                text += " " + self.tr("Changed on disk since: {0}.").format(
                    ", ".join(draft.conflicts)
                )
            restore = partial(self._restore, draft)
            self._say(NoticeKind.INFO, text, (self.tr("Restore edits"), restore), stays=True)

    def _restore(self, draft: Draft) -> None:
        keeper = self._keeper

        def work(session: Session) -> tuple[Documents, tuple[str, ...]]:
            refused: list[str] = []
            session.editor.do(lambda s: refused.extend(restore_draft(draft, s.integration)))
            keeper.keep(session.integration)
            draft.discard()
            return Documents.of(session), tuple(refused)

        def done(answer: tuple[Documents, tuple[str, ...]]) -> None:
            documents, refused = answer
            self._offered = [each for each in self._offered if each is not draft]
            self._kept = True
            self._controller.show_documents(documents)
            if refused:
                text = self.tr("These could not be restored: {0}").format(", ".join(refused))
                self._say(NoticeKind.WARNING, text)

        self._bridge.ask(work, done)

    def _discard(self, drafts: list[Draft]) -> None:
        for draft in drafts:
            draft.discard()

    def _offer_newest_edits(self, drafts: tuple[Draft, ...]) -> None:
        """At the start no game is open yet: offer to open the one that was edited last."""
        found = [each for each in drafts if is_integration(each.directory)]
        if not found or self._bridge.is_open or self._bridge.is_opening:
            return
        text = self.tr("The program ended with unsaved edits of {0}: {1}.")
        self._say(
            NoticeKind.INFO,
            text.format(found[-1].directory.name, ", ".join(found[-1].files)),
            (self.tr("Open and restore"), partial(self.open_and_restore, found[-1])),
            stays=True,
        )

    def open_and_restore(self, draft: Draft) -> None:
        """Open the integration of a draft, with the edits that were not saved."""
        self._wanted = draft.path
        self._bridge.open(draft.directory)

    # -- play ---------------------------------------------------------------------------------

    def offer(self) -> None:
        """Look for edits and play of a program that died, and offer the newest of each."""
        self._bridge.beside(pending_drafts, self._offer_newest_edits)
        self._bridge.beside(_recent_play, self._offer_play)

    def _offer_play(self, found: list[RecoverableSession]) -> None:
        self._play = found[0] if found else None
        self._say_play()

    def _say_play(self) -> None:
        newest = self._play
        if newest is None:
            return
        played = clock_text(round(newest.seconds * 60), 60.0)
        text = self.tr("The program ended suddenly while you played {0}: {1} are on record.")
        go_on = partial(self.go_on, newest)
        self._say(
            NoticeKind.INFO,
            text.format(newest.game.name, played),
            (self.tr("Continue"), go_on),
            stays=True,
        )

    def go_on(self, play: RecoverableSession) -> None:
        """Open the game where the dead program was."""
        self._play = None
        self._bridge.open(play.game, lambda _: recover_from(play.path, whole=True))


def _recent_play() -> list[RecoverableSession]:
    found = recoverable()
    for old in found:
        if time.time() - old.written_s > MAX_AGE_S:
            discard(old.path)
    return [play for play in found if play.path.exists()]
