"""The Suggestions panel: likely variables with reasons, each accepted by one key."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from integrator.domain.suggest.suggestion import KINDS
from integrator.domain.values.variables import VariableSpec
from integrator.session.suggestions.hidden_look import Suggested
from integrator.ui.find.results.results_view import ResultsView
from integrator.ui.find.suggestions.suggestions_model import CURVE_ROLE, SuggestionsModel
from integrator.ui.widgets.panels.parts import EmptyState, hbox, push_button, role_label
from integrator.ui.widgets.theme import SIZES, Theme

_MARGIN = 4.0


class CurveDelegate(QStyledItemDelegate):
    """The least number lies at the cell's lower edge, the greatest at its upper one."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the curve over the cell's own background."""
        super().paint(painter, option, index)
        numbers = np.asarray(index.data(CURVE_ROLE), np.float64)
        cell = QRectF(option.rect)
        box = cell.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        span = max(float(np.ptp(numbers)), 1.0)
        x = box.left() + box.width() * np.arange(len(numbers)) / max(len(numbers) - 1, 1)
        y = box.bottom() - box.height() * (numbers - numbers.min()) / span
        points = [QPointF(*each) for each in zip(x.tolist(), y.tolist(), strict=True)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.colors.link), 1.2))
        painter.drawPolyline(QPolygonF(points))
        painter.restore()


class SuggestionsView(ResultsView[Suggested]):
    """``suggest_requested``: look at what was played.

    ``point_requested``: the user wants to draw a box round a number on the screen.
    """

    suggest_requested = Signal()
    point_requested = Signal()
    asks_for_form = False  # one key accepts a suggestion

    def __init__(self, theme: Theme) -> None:
        self.suggestions = SuggestionsModel(theme)
        super().__init__(theme, "suggestions", self.suggestions)
        self._proposed = 0
        course = self.suggestions.place("course")
        self.table.setItemDelegateForColumn(course, CurveDelegate(theme, self.table))
        self.table.wrap_rows()
        self._build_fields()
        self._build_ui()
        self.set_open(opened=False)

    def _build_fields(self) -> None:
        icons = self._theme.icons
        self.suggest = push_button(
            self.tr("Suggest"),
            self.suggest_requested.emit,
            self.tr("Look for score, lives, timer and position in the newest two minutes of play"),
            icon=icons.icon("search"),
        )
        self.point = push_button(
            self.tr("Number here"),
            self.point_requested.emit,
            self.tr("Draw a box round a number on the screen: which variable is it?"),
            icon=icons.icon("marquee"),
        )
        self.hint = role_label(self.tr("Enter makes the row a variable"), "secondary", wraps=True)

    def _build_ui(self) -> None:
        self._head = QFrame()
        hbox(
            self.suggest,
            self.point,
            (self.hint, 1),
            None,
            on=self._head,
            margins=(SIZES.pad, 9, SIZES.pad, 6),
        )
        idle = EmptyState(
            self._theme,
            "search",
            self.tr("Nothing typed, something found"),
            self.tr(
                "Play for a minute: move in all directions, score, lose a life. Then press "
                "Suggest, and see what the game's memory says by itself."
            ),
        )
        self.build(self.tr("Suggestions"), self._head, idle)

    # -- shown state --------------------------------------------------------------------------

    def set_open(self, *, opened: bool) -> None:
        """Show that a game is open, or none."""
        self._head.setVisible(opened)
        self.forget()
        self.show_rows(())

    def show_rows(self, rows: Sequence[Suggested]) -> None:
        """Show suggestions; the one that the user has selected stays so, else the first new one."""
        is_chosen = self.table.currentIndex().row() != self._proposed
        chosen = self.table.selected() if is_chosen else None
        self.suggestions.set_rows(rows)
        found = bool(rows)
        self.hint.setVisible(found)
        self.foot.setVisible(found)
        self.pages.show_content(found)
        if found:
            new = (row for row in range(len(rows)) if self.suggestions.is_new(row))
            self._proposed = next(new, 0)
            self.table.selectRow(
                self._proposed if chosen is None else self.suggestions.row_of(chosen)
            )

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        """As in :class:`ResultsView`; suggestions that are variables already say so."""
        self.suggestions.set_variables(variables.values())
        super().set_variables(variables)
        self._show_current()

    def show_idle(self) -> None:
        """Let nothing else be looked for while something is, or is proved."""
        idle = self.bar.isHidden() and self.proof.isHidden()
        self.suggest.setEnabled(idle)
        self.point.setEnabled(idle)

    def _show_current(self) -> None:
        """Show a free name for the current row in the field, or the name that it has."""
        super()._show_current()
        each = self.table.selected()
        if each is None:
            return
        known = self.suggestions.known_as(self.table.currentIndex().row())
        if known:
            self.foot.name.setText(known)
            return
        base = KINDS[each.suggestion.kind].variable
        numbered = (f"{base}{number}" for number in itertools.count(2))
        free = (name for name in itertools.chain([base], numbered) if not self.foot.is_taken(name))
        self.foot.name.setText(next(free))
