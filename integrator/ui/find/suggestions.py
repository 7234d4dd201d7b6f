"""The Suggestions panel: likely variables with reasons, which a hidden core proves."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QPlainTextEdit

from integrator.domain.integration.naming import free_name
from integrator.domain.query.rank import Reading
from integrator.domain.suggest.suggestion import KINDS, Kind
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands as edits
from integrator.session.session import Session
from integrator.session.stills import png_bytes
from integrator.session.suggestions.hidden_look import Suggested
from integrator.session.suggestions.recorded_play import Box
from integrator.ui import widgets as ui
from integrator.ui.find.results_model import ResultColumn, ResultLine, ResultsModel
from integrator.ui.find.results_view import ResultsView
from integrator.ui.screen.crop_tool import CropTool


class SuggestionsModel(ResultsModel[Suggested]):
    """One row for each suggestion: the best of each kind, then the others by kind, best first."""

    def __init__(self) -> None:
        super().__init__()
        self._variables: tuple[VariableSpec, ...] = ()
        # Computed once for a change, not for each cell, as there may be a thousand variables.
        self.known: dict[Suggested, str] = {}
        self.notes: dict[Suggested, str] = {}  # texts that replace the reasons of rows

    def table(self) -> Sequence[ResultColumn[Suggested]]:
        played = self.tr("From {0} to {1} in what was played")
        reasoned = {"tip": _reason, "whole": True}

        def kind_text(line: ResultLine[Suggested]) -> str:
            return ui.words(KINDS[line.item.suggestion.kind].words)

        def sure_text(line: ResultLine[Suggested]) -> str:
            return f"{line.item.suggestion.confidence:.0%}"

        def sure_color(line: ResultLine[Suggested]) -> str:
            sure = line.item.suggestion.confidence >= 0.5 and line.item not in self.notes
            return "good" if sure else "faint"

        def course_tip(line: ResultLine[Suggested]) -> str:
            return played.format(int(line.item.curve.min()), int(line.item.curve.max()))

        def reason_text(line: ResultLine[Suggested]) -> str:
            return self.notes.get(line.item, line.item.suggestion.reason)

        def numbers(line: ResultLine[Suggested]) -> list[float]:
            found: list[float] = line.item.curve.tolist()
            return found

        course = {"tip": course_tip, "name": "course", "spare": 2, "trend": numbers}
        reason = {"tip": _reason, "name": "reason", "stretch": True}
        return (
            self.column(self.tr("kind"), kind_text, 76, name="kind", **reasoned),
            self.column(self.tr("sure"), sure_text, 44, color=sure_color, **reasoned),
            self.address(),
            self.type(46, spare=1),
            self.column(self.tr("course"), lambda _: "", 110, **course),
            self.column(self.tr("reason"), reason_text, 200, **reason),
            self.verdict(108),
        )

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        self._variables = tuple(variables.values())
        self._compare()
        for name in ("kind", "reason"):
            self.column_changed(name)

    def first(self, wanted: Callable[[Suggested], bool]) -> int:
        """Return the first row whose suggestion is wanted, or 0."""
        return next((row for row, line in enumerate(self.rows) if wanted(line.item)), 0)

    def key(self, each: Suggested) -> tuple[Kind, Reading]:
        return each.suggestion.kind, self.reading(each)

    def _compare(self) -> None:
        same = {(v.address, v.type, v.mask): v.name for v in reversed(self._variables)}
        whole = [v for v in self._variables if v.mask is None]
        self.known.clear()
        self.notes.clear()
        for each in (line.item for line in self.rows):
            number = each.suggestion
            start, end, mask = number.address, number.address + number.type.width, number.mask
            holding = (v for v in whole if v.address <= start and end <= v.address + v.type.width)
            if name := same.get((start, number.type, mask)):
                self.known[each] = name
                self.notes[each] = self.tr("is your variable “{0}”").format(name)
            elif mask is None and (found := next(holding, None)):
                self.notes[each] = self.tr("is a part of your variable “{0}”").format(found.name)

    def set_rows(self, rows: Sequence[Suggested]) -> None:
        # The best of each kind comes first, because a user looks for one number of each kind.
        self.show_groups([each] for each in dict.fromkeys((*best_of(rows), *rows)))
        self._compare()

    def color(self, line: ResultLine[Suggested]) -> str | None:
        return "faint" if line.item in self.notes else None

    def reading(self, item: Suggested) -> Reading:
        each = item.suggestion
        return Reading(each.address, each.type, PLAIN, each.mask)


def best_of(rows: Iterable[Suggested]) -> list[Suggested]:
    first: dict[Kind, Suggested] = {}
    for each in rows:
        first.setdefault(each.suggestion.kind, each)
    return list(first.values())


def _reason(line: ResultLine[Suggested]) -> str:
    """Return the reason, with three pictures of the screen and the number in memory at each."""
    suggestion = line.item.suggestion
    if not suggestion.seen:
        return suggestion.reason
    shown = (f"{_picture(each.crop)}<br>{each.value}" for each in suggestion.seen)
    cells = "".join(f"<td align='center'>{each}</td>" for each in shown)
    return f"<p>{escape(suggestion.reason)}</p><table cellspacing='8'><tr>{cells}</tr></table>"


def _picture(crop: NDArray[np.uint8]) -> str:
    png = png_bytes(crop.repeat(3, axis=0).repeat(3, axis=1))
    return f"<img src='data:image/png;base64,{b64encode(png).decode()}'>"


class SuggestionsView(ResultsView[Suggested]):
    """Suggestions from recorded play, and from a box that the user draws on the screen."""

    asks_for_form = False  # Enter accepts a suggestion at once.

    def _set_up(self) -> None:
        self.suggestions = SuggestionsModel()
        self._make_list("suggestions", self.suggestions)
        self._proposed = 0
        self.background = self._own_task("suggestions")
        hint = self.tr("Drag a box round a number on the screen · Esc to stop")
        self.tool = CropTool(self._screen.game_screen, hint)
        self.tool.drawn.connect(self._point)
        course = self.suggestions.place("course")
        ui.TrendDelegate("link", self.table, course)
        self.table.wrap_rows()
        text = self.tr("Suggest")
        tip = self.tr("Look for score, lives, timer and position in the newest two minutes of play")
        self.suggest = ui.push_button(text, self._suggest, tip, icon="search")
        text = self.tr("Number here")
        tip = self.tr("Draw a box round a number on the screen: which variable is it?")
        self.point = ui.push_button(text, self.tool.begin, tip, icon="marquee")
        text = self.tr("Enter makes the row a variable")
        self.hint = ui.role_label(text, "secondary", wraps=True)
        head, margins = QFrame(), (ui.SIZES.pad, 9, ui.SIZES.pad, 6)
        ui.hbox(self.suggest, self.point, (self.hint, 1), None, on=head, margins=margins)
        self.build(head, self.tr("Suggestions"), "search", "suggestions")

    def set_open(self, *, opened: bool) -> None:
        super().set_open(opened=opened)
        self.show_rows(())
        if not opened:
            self.tool.hide()

    def show_rows(self, rows: Sequence[Suggested]) -> None:
        """Show suggestions. A row that the user selected stays selected, otherwise the best new row
        is. The list takes the focus, for Enter, if the game is paused and no text field has it."""
        row = self.table.currentIndex().row()
        chosen = self.suggestions.item(row) if row not in (-1, self._proposed) else None
        self.suggestions.set_rows(rows)
        self.hint.setVisible(bool(rows))
        self.show_found(found=bool(rows))
        if not rows:
            return
        model = self.suggestions
        self._proposed = row = model.first(lambda each: each not in model.notes)
        if chosen is not None:
            wanted = model.key(chosen)
            row = model.first(lambda each: model.key(each) == wanted)
        self.table.selectRow(row)
        types = isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit)
        if self._controller.paused and ui.is_in_sight(self) and not types:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_idle(self) -> None:
        idle = self.bar.isHidden() and self.proof.isHidden()
        self.suggest.setEnabled(idle)
        self.point.setEnabled(idle)

    def _show_current(self) -> None:
        super()._show_current()
        if (row := self.table.currentIndex().row()) >= 0:
            item = self.suggestions.item(row)
            base = KINDS[item.suggestion.kind].variable
            free = free_name(base, self.taken)
            self.name.setText(self.suggestions.known.get(item) or free)

    def name_row(self) -> None:
        """Write a script for a number in pieces, which no variable reads."""
        row, name = self.table.currentIndex().row(), self.name.text().strip()
        pieces = self.suggestions.item(row).suggestion.pieces if row >= 0 else None
        if pieces is None or self._problem():
            super().name_row()
        else:
            self._controller.edit(edits.write_pieces(name, pieces))
            self.name.clear()

    def _suggest(self) -> None:
        self.background.run(
            self.tr("Looking at what was played"),
            Session.hidden_look,
            lambda look, job: look.suggest(job.progress, job.stopped, job.give),
            self._show,
            self.show_rows,
        )

    def _show(self, found: list[Suggested] | None) -> None:
        if found is None:
            return
        self.show_rows(found)
        if not found:
            text = self.tr("Nothing that was played looks like a score, lives or a position yet")
            self._inform(text)
        self._prove(best_of(each for each in found if each.suggestion.is_worth_a_proof))

    def _point(self, crop: tuple[int, int, int, int]) -> None:
        self.background.run(
            self.tr("Looking for the number in the box"),
            Session.hidden_look,
            lambda look, job: look.point(Box(*crop), job.stopped),
            self._show_pointed,
        )

    def _show_pointed(self, answer: tuple[list[Suggested], bool]) -> None:
        found, enough = answer
        self.show_rows(found)
        text = self.tr("Few digits were seen in the box so far: play on for more, and ask again")
        if not found:
            text = self.tr("No number explains that box: draw it close round the digits")
        if not (found and enough):
            self._inform(text)
        self._prove(found[:3])  # only the best, since a proof takes about a second

    def _prove(self, found: Sequence[Suggested]) -> None:
        self.prove_requested.emit([self.model.reading(each) for each in found])
