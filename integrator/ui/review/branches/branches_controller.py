"""Keeps the Branches panel in step with the timeline, and turns its requests into commands."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QPixmap

from integrator.session.session import Session
from integrator.session.timeline.branches import BranchComparison, Thumbnail
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.review.branches.branches_compare import pixmap_of
from integrator.ui.review.branches.branches_view import PICTURE, BranchesView, BranchRow
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.time_slider.timeline_facts import TimelineFacts

Key = tuple[str, int]
"""Name and length of a line."""


class BranchesController(PanelController[BranchesView]):
    """Asks for pictures and comparisons only while the panel is seen.

    A picture that was not taken when its line was left has to be made with the core, which would
    stop play for a moment: that waits until the game is paused.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        travel: TravelController,
        view: BranchesView,
        parent: QObject,
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._travel = travel
        self._facts: TimelineFacts | None = None
        self._pictured: set[Key] = set()
        self._compared: tuple[Key, Key] | None = None
        self._asked = self._again = False
        view.go_requested.connect(travel.switch_to)
        view.rename_requested.connect(travel.rename_branch)
        view.delete_requested.connect(travel.delete_branch)
        view.selected.connect(lambda _: self._follow())
        view.shown.connect(self._follow)
        travel.moved.connect(self._show_facts)
        travel.branches_requested.connect(self.show_panel)
        bridge.closed.connect(self._end)
        controller.run_state_changed.connect(lambda *_: self._follow())
        controller.scored.connect(lambda _: self._forget_comparison())

    def show_panel(self) -> None:
        """Bring the panel to the front."""
        self._dock.come_forward()

    def _forget_comparison(self) -> None:
        """Both lines have other scores."""
        self._compared = None
        self._follow()

    def _end(self) -> None:
        self._facts, self._compared = None, None
        self._asked = self._again = False
        self._pictured.clear()
        self._view.model.set_rows((), 60.0)
        self._dock.header.note.clear()

    def _show_facts(self, facts: TimelineFacts) -> None:
        self._facts = facts
        game = self._controller.game
        present = BranchRow(facts.line, facts.length, None, facts.rewards)
        kept = [
            BranchRow(branch.name, branch.length, branch.shared_frames, branch.rewards)
            for branch in facts.branches
        ]
        self._view.model.set_rows([present, *kept], game.fps if game else 60.0)
        count = len(facts.branches)
        self._dock.header.note.setText(str(count) if count else "")
        self._follow()

    def _follow(self) -> None:
        facts = self._facts
        self._again = self._asked
        if facts is None or self._asked or not self._view.isVisible():
            return
        lines = {(b.name, b.length) for b in facts.branches}
        present = (facts.line, facts.length)
        if self._controller.paused and facts.branches:
            lines.add(present)
        missing = lines - self._pictured
        chosen = self._view.selected_branch
        length = next((b.length for b in facts.branches if b.name == chosen), 0)
        pair = ((chosen, length), present) if length else None
        # While the game runs, the present line grows with every frame.
        stale = pair is not None and (
            pair != self._compared if self._controller.paused else pair[0] != self._last_chosen
        )
        if missing or stale:
            self._ask(missing, pair if stale else None)

    @property
    def _last_chosen(self) -> Key | None:
        return None if self._compared is None else self._compared[0]

    def _ask(self, missing: set[Key], pair: tuple[Key, Key] | None) -> None:
        self._asked = True
        rerun = self._controller.paused

        def work(session: Session) -> tuple[dict[Key, Thumbnail], BranchComparison | None]:
            travel = session.timeline
            there = {travel.log.current: travel.length}
            there |= {branch.name: branch.length for branch in travel.branches}
            pictures = {
                key: picture
                for key in missing
                if there.get(key[0]) == key[1]
                and (picture := travel.picture_of(key[0], rerun=rerun)) is not None
            }
            chosen = pair[0] if pair is not None else None
            found = chosen is not None and there.get(chosen[0]) == chosen[1]
            return pictures, travel.compare(chosen[0]) if found and chosen else None

        def done(answer: tuple[dict[Key, Thumbnail], BranchComparison | None]) -> None:
            self._asked = False
            pictures, compared = answer
            self._show_pictures(pictures)
            if compared is not None and pair is not None:
                self._compared = pair
                game = self._controller.game
                self._view.compare.show_comparison(compared, game.fps if game else 60.0)
            if self._again:
                self._follow()

        def failed(error: Exception) -> None:
            self._asked = False
            self._bridge.failed.emit(error)

        self._bridge.ask(work, done, failed)

    def _show_pictures(self, pictures: dict[Key, Thumbnail]) -> None:
        pixmaps: dict[str, QPixmap] = {}
        for key, picture in pictures.items():
            self._pictured.add(key)
            pixmaps[key[0]] = pixmap_of(picture, PICTURE, self._view.devicePixelRatioF())
        self._view.model.set_pictures(pixmaps)
