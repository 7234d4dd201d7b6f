"""Ends of episodes as a table with a box for each, and done conditions as another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal

from integrator.domain.ends.condition import EndCondition
from integrator.domain.ends.moments import EndMoment
from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.timeline.line import run_at
from integrator.ui.find.results.results_model import ResultColumn, ResultsModel
from integrator.ui.find.results.rows import ResultLine
from integrator.ui.widgets.rows_model import Column, EditedRowsModel
from integrator.ui.widgets.texts import clock_text
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted

_FRAMES_NAMED = 8
Runs: TypeAlias = tuple[tuple[int, int], ...]
"""The runs of a line of the timeline: see :class:`~integrator.domain.timeline.line.Line`."""


@dataclass(frozen=True, slots=True)
class EndRow:
    """A frame on which an episode ends: marked, or only proposed for ``reason``."""

    frame: int
    label: str = ""
    reason: str = ""


class MomentsModel(EditedRowsModel[EndRow]):
    """``accepted``: a proposed frame is an end; ``refused``: a marked frame is none after all."""

    accepted = Signal(int)
    refused = Signal(int)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._marked: Mapping[int, str] = {}
        self._proposed: tuple[tuple[EndMoment, int], ...] = ()
        self._runs: Runs = ((0, 0),)
        self._fps = 60.0

    def mark(self, marked: Mapping[int, str], fps: float) -> bool:
        """Show other marks, labels by frame; returns False when they are as they were."""
        if marked == self._marked:
            return False
        self._marked, self._fps = dict(marked), fps
        self._fill()
        return True

    def show_line(self, runs: Runs) -> None:
        """Leave out moments of other lines than the shown one, which has these runs."""
        if runs != self._runs:
            self._runs = runs
            if self._proposed:
                self._fill()

    def propose(self, moments: Sequence[EndMoment], runs: Runs) -> None:
        """Show proposed moments beside the marks, as long as their line, of ``runs``, is shown."""
        self._proposed = tuple((each, run_at(runs, each.frame)) for each in moments)
        self._fill()

    def _fill(self) -> None:
        proposed = {
            each.frame: each.reason
            for each, run in self._proposed
            if run_at(self._runs, each.frame) == run
        }
        frames = sorted({*self._marked, *proposed})
        self.show(
            [EndRow(each, self._marked.get(each, ""), proposed.get(each, "")) for each in frames]
        )

    @property
    def marked(self) -> tuple[int, ...]:
        """The marked frames."""
        return tuple(sorted(self._marked))

    def table(self) -> Sequence[Column[EndRow]]:
        """A frame with its box, and the signs of an end there."""
        return (
            Column(
                self.tr("end"),
                lambda row: f"{row.frame}  ·  {clock_text(row.frame, self._fps)}",
                ticked=lambda row: bool(row.label),
            ),
            Column(
                self.tr("sign"),
                lambda row: ", ".join(filter(None, (self.label_text(row.label), row.reason))),
            ),
        )

    def tick(self, row: int, *, on: bool) -> None:
        """Accept or refuse an end; the row follows once the mark is there, or gone."""
        (self.accepted if on else self.refused).emit(self.at(row).frame)

    def label_text(self, label: str) -> str:
        """A mark's label in the user's language."""
        texts = {
            "dead": self.tr("dead"),
            "won": self.tr("won"),
            "level done": self.tr("level done"),
        }
        return texts.get(label, label)


class ConditionsModel(ResultsModel[EndCondition]):
    """A row a done condition, likeliest first."""

    def table(self) -> Sequence[ResultColumn[EndCondition]]:
        """The condition and its fit, and the columns of all lists."""
        late = self.tr("Frames from the mark to the first frame on which it holds")
        return (
            ResultColumn(
                self.tr("condition"),
                lambda line: str(line.item),
                tip=lambda line: self._alike(line.item),
                title_tip=self.tr("A test of memory that may end the episode, likeliest first"),
                name="condition",
                width=260,
                stretch=True,
            ),
            ResultColumn(
                self.tr("ends met"),
                self._met,
                title_tip=self.tr("Checked ends at which the condition holds"),
                width=72,
            ),
            ResultColumn(
                self.tr("false alarms"),
                lambda line: str(len(line.item.false_alarms)),
                color=self._alarm_color,
                tip=self._alarm_tip,
                title_tip=self.tr("Times that the condition holds where no end is near"),
                name="alarms",
                width=92,
            ),
            ResultColumn(
                self.tr("frames late"),
                _late_text,
                title_tip=late,
                name="late",
                width=86,
            ),
            self.address(spare=2),
            self.type(spare=1),
            self.verdict(spare=0 if self._proofs else 3),
        )

    def reading(self, item: EndCondition) -> Reading:
        """That of its first test."""
        return Reading(item.tests[0].address, item.tests[0].type, PLAIN)

    def _met(self, line: ResultLine[EndCondition]) -> str:
        late = line.item.late
        return self.tr("{0} of {1}").format(sum(each is not None for each in late), len(late))

    def _alarm_color(self, line: ResultLine[EndCondition]) -> str:
        alarms = line.item.false_alarms
        return self._theme.colors.bad if alarms else self._theme.colors.good

    def _alarm_tip(self, line: ResultLine[EndCondition]) -> str:
        alarms = line.item.false_alarms
        if not alarms:
            return self._alike(line.item)
        frames = ", ".join(map(str, alarms[:_FRAMES_NAMED]))
        return self.tr("It also holds from frame {0} on, where no end is near").format(frames)

    def _alike(self, each: EndCondition) -> str:
        """The number of conditions that recorded play cannot tell apart."""
        alike = self.tr(
            "{0} more condition[ holds|s hold] on the same recorded frames", None, each.alike
        )
        return counted(alike, each.alike).format(each.alike) if each.alike else str(each)


def _late_text(line: ResultLine[EndCondition]) -> str:
    late = line.item.frames_late
    return f"{late:+}" if late else "0"
