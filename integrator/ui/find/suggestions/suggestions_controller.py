"""Looks for likely variables in a hidden core, and proves the best."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from integrator.session.suggestions.box import Box
from integrator.session.suggestions.hidden_look import Suggested
from integrator.ui.find.results.source_controller import SourceController, hidden_look
from integrator.ui.find.suggestions.suggestions_view import SuggestionsView, best_of
from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.docks import is_in_sight

_POINTED_PROVEN = 3


class SuggestionsController(SourceController[SuggestionsView]):
    """Suggestions of what was played, and of a box that the user draws on the screen."""

    name = "suggestions"

    def _set_up(self) -> None:
        super()._set_up()
        view = self._view
        hint = self.tr("Drag a box round a number on the screen · Esc to stop")
        self.tool = CropTool(self._desk.screen.game_screen, hint)
        view.point_requested.connect(self.tool.begin)
        self.tool.drawn.connect(self.point)
        self._bridge.closed.connect(self.tool.hide)
        view.suggest_requested.connect(self.suggest)

    def suggest(self) -> None:
        self.background.run(
            self.tr("Looking at what was played"),
            hidden_look,
            lambda look, job: look.suggest(job.progress, job.stopped, job.give),
            self._show,
            self._show_rows,
        )

    def point(self, crop: tuple[int, int, int, int]) -> None:
        self.background.run(
            self.tr("Looking for the number in the box"),
            hidden_look,
            lambda look, job: look.point(Box(*crop), job.stopped),
            self._show_pointed,
        )

    def _show_pointed(self, answer: tuple[list[Suggested], bool]) -> None:
        found, enough = answer
        self._show_rows(found)
        text = ""
        if not found:
            text = self.tr("No number explains that box: draw it close round the digits")
        elif not enough:
            text = self.tr(
                "Few digits were seen in the box: play on until more were, and ask again"
            )
        if text:
            self._announce(text, NoticeKind.INFO)
        self._prove(found[:_POINTED_PROVEN])

    def _show_rows(self, found: Sequence[Suggested]) -> None:
        """Show suggestions; while the game rests and nobody types, Enter takes the first."""
        self._view.show_rows(found)
        types = isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit)
        if found and self._controller.paused and is_in_sight(self._view) and not types:
            self._view.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, found: list[Suggested] | None) -> None:
        if found is None:
            return
        self._show_rows(found)
        if not found:
            text = self.tr("Nothing that was played looks like a score, lives or a position yet")
            self._announce(text, NoticeKind.INFO)
        self._prove(best_of(each for each in found if each.suggestion.is_worth_a_proof))

    def _prove(self, found: Sequence[Suggested]) -> None:
        self._view.prove_requested.emit([self._view.model.reading(each) for each in found])
