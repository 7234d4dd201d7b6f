"""Keeps the Branches panel in step with the timeline, and turns its requests into commands."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from integrator.domain.timeline.line import BranchInfo
from integrator.session.session import Session
from integrator.session.timeline.branches import BranchComparison, Thumbnail
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.review.branches.branches_compare import pixmap_of
from integrator.ui.review.branches.branches_view import PICTURE, BranchesView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.time_slider.timeline_facts import TimelineFacts

_REFRESH_MS = 50

Key = tuple[str, int]
"""Name and length of a line."""
Answer = tuple[dict[Key, Thumbnail], BranchComparison | None]


class BranchesController(PanelController[BranchesView]):
    """Reads pictures and comparisons only while the panel is in sight.

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
        self._facts: TimelineFacts | None = None
        self._pictured: set[Key] = set()
        self._compared: tuple[Key, Key] | None = None
        self._live = LiveReader(bridge, Sight(bridge, view), _REFRESH_MS, self._look, self._show)
        view.go_requested.connect(travel.switch_to)
        view.rename_requested.connect(travel.rename_branch)
        view.delete_requested.connect(travel.delete_branch)
        view.selected.connect(self._live.touch)
        travel.moved.connect(self._show_facts)
        travel.branches_requested.connect(self.show_panel)
        bridge.closed.connect(self._end)
        controller.run_state_changed.connect(self._live.touch)
        controller.scored.connect(lambda _: self._forget_comparison())

    def show_panel(self) -> None:
        """Bring the panel to the front."""
        self._dock.come_forward()

    def _forget_comparison(self) -> None:
        """Both lines have other scores."""
        self._compared = None
        self._live.touch()

    def _end(self) -> None:
        self._facts, self._compared = None, None
        self._pictured.clear()
        self._view.model.set_rows((), 60.0)
        self._dock.header.note.clear()

    @property
    def _fps(self) -> float:
        game = self._controller.game
        return game.fps if game else 60.0

    def _show_facts(self, facts: TimelineFacts) -> None:
        self._facts = facts
        present = BranchInfo(facts.line, facts.length, facts.length, facts.rewards)
        self._view.model.set_rows([present, *facts.branches], self._fps)
        self._dock.header.note.setText(str(len(facts.branches) or ""))
        self._live.touch()

    def _look(self) -> Callable[[Session], Answer] | None:
        facts, paused = self._facts, self._controller.paused
        if facts is None:
            return None
        lengths = {branch.name: branch.length for branch in facts.branches}
        present, lines = (facts.line, facts.length), set(lengths.items())
        missing = (lines | {present} if paused and lines else lines) - self._pictured
        chosen = self._view.selected_branch
        pair = ((chosen, lengths[chosen]), present) if chosen in lengths else None
        # While the game runs, the present line grows with every frame.
        shown = self._compared if paused else self._compared and (self._compared[0], present)
        stale = pair is not None and pair != shown
        if not missing and not stale:
            return None
        if stale:
            self._compared = pair

        def read(session: Session) -> Answer:
            travel = session.timeline
            there = {travel.log.current: travel.length}
            there |= {branch.name: branch.length for branch in travel.branches}
            known = {key for key in missing if there.get(key[0]) == key[1]}
            made = {key: travel.picture_of(key[0], rerun=paused) for key in known}
            pictures = {key: picture for key, picture in made.items() if picture is not None}
            return pictures, travel.compare(chosen) if stale and chosen in there else None

        return read

    def _show(self, answer: Answer) -> None:
        pictures, compared = answer
        self._pictured.update(pictures)
        ratio = self._view.devicePixelRatioF()
        self._view.model.set_pictures(
            {key[0]: pixmap_of(picture, PICTURE, ratio) for key, picture in pictures.items()}
        )
        if compared is not None:
            self._view.compare.show_comparison(compared, self._fps)
