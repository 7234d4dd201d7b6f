"""The facts of the Facts panel and their matches, as lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem

from integrator.domain.errors import DomainError
from integrator.domain.query.facts import fact_text, parse_facts
from integrator.domain.query.rank import Match, Reading
from integrator.domain.timeline.line import run_at
from integrator.session.hidden.solving import Answer, FactFrame, PinnedFact, last_frame
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.find.results_model import ResultColumn, ResultLine, ResultsModel
from integrator.ui.terms import agreement, wrap_warning
from integrator.ui.time_slider.timeline_facts import FactMark, marks_of, moved
from integrator.ui.widgets.texts import counted, exact_number
from integrator.ui.widgets.theme import Theme, mono_font

_SOURCE = Qt.ItemDataRole.UserRole
_RUN = Qt.ItemDataRole.UserRole + 1


class FactsList(QListWidget):
    """``settled``: facts changed, and then rested for a moment; ``changed``: at once."""

    settled = Signal()
    changed = Signal()
    refused = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._runs: tuple[tuple[int, int], ...] = ()
        self.setAccessibleName(self.tr("Facts"))
        tip = self.tr("Untick a fact to leave it out, double-click to change it, Del to remove it")
        self.setToolTip(tip)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._settle = QTimer(self, singleShot=True, interval=250)
        self._settle.timeout.connect(self.settled)
        self.itemChanged.connect(self._item_changed)
        panel_action("facts.remove", self, lambda: self.remove(self.currentRow()))

    @property
    def facts(self) -> tuple[PinnedFact, ...]:
        return tuple(map(self._fact, range(self.count())))

    def _fact(self, row: int) -> PinnedFact:
        """The fact of a row; one that was put to another frame is about the shown line."""
        item = self.item(row)
        text, ticked = item.text(), item.checkState() is Qt.CheckState.Checked
        frame, run = item.data(_RUN) or (-1, None)
        known = run if frame == last_frame(text) else None
        return PinnedFact(text.partition("#")[0].strip(), item.data(_SOURCE), ticked, known)

    @property
    def marks(self) -> tuple[FactMark, ...]:
        facts = enumerate(self.facts)
        return marks_of([(row, each.line, each.on) for row, each in facts if self._is_here(each)])

    def _is_here(self, fact: PinnedFact) -> bool:
        known = fact.run is not None and bool(self._runs)
        same = not known or run_at(self._runs, last_frame(fact.line)) == fact.run
        return fact.source is None and same

    def learn_runs(self, runs: Mapping[str, int]) -> None:
        for row, fact in enumerate(self.facts):
            if fact.source is None and fact.run is None and fact.line in runs:
                with QSignalBlocker(self):
                    self.item(row).setData(_RUN, (last_frame(fact.line), runs[fact.line]))
        self._tell_places()

    def show_line(self, runs: Sequence[tuple[int, int]]) -> None:
        if tuple(runs) != self._runs:
            self._runs = tuple(runs)
            self._tell_places()

    def _tell_places(self) -> None:
        elsewhere = self.tr("in another branch")
        for row, fact in enumerate(self.facts):
            if fact.source is None:
                note = "" if self._is_here(fact) else f"   # {elsewhere}"
                with QSignalBlocker(self):
                    self.item(row).setText(f"{fact.line}{note}")
        self.viewport().update()
        self.changed.emit()

    def add(self, line: str, source: Path | None = None) -> None:
        text = line if source is None else f"{line}   # {source.stem}"
        item = QListWidgetItem(text)
        item.setFont(mono_font())
        item.setData(_SOURCE, source)
        if source is not None:
            item.setIcon(self._theme.icons.icon("movie"))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable)
        item.setCheckState(Qt.CheckState.Checked)
        self.addItem(item)
        self._note()

    def move_fact(self, row: int, which: int, frame: int) -> None:
        """Put one of a fact's frames elsewhere; a place that makes no fact is ignored."""
        item = self.item(row)
        line = moved(item.text(), which, frame)
        if line is not None and line != item.text():
            item.setText(line)

    def toggle(self, row: int) -> None:
        state = Qt.CheckState.Unchecked if self._fact(row).on else Qt.CheckState.Checked
        self.item(row).setCheckState(state)

    def remove(self, row: int) -> None:
        if row >= 0:
            self.takeItem(row)
            self._note()

    def clear_facts(self) -> None:
        self._settle.stop()
        self.clear()
        self.changed.emit()

    def _item_changed(self, item: QListWidgetItem) -> None:
        try:
            parse_facts(item.text())
        except DomainError as error:
            self.refused.emit(str(error))
            return
        self._note()

    def _note(self) -> None:
        self.setFixedHeight(min(124, 4 + 26 * self.count()))
        self._settle.start()
        self.changed.emit()


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A reading of a match: its numbers at the frames of facts, now, and before that."""

    match: Match
    reading: Reading
    numbers: tuple[Fraction, ...] = ()
    now: Fraction | None = None
    before: Fraction | None = None


Line = ResultLine[MatchRow]


class MatchesModel(ResultsModel[MatchRow]):
    """A row a match, best first, and below an unfolded match a row for each that agrees with it."""

    _answer = Answer((), 0, 0)
    _longest = 0

    def set_answer(self, answer: Answer) -> None:
        self._answer, self._longest = answer, 0
        self.forget_columns()
        self.show_groups(
            [MatchRow(match, each, answer.numbers[each]) for each in match.readings]
            for match in answer.matches
        )
        self.columns_changed.emit()

    def set_live(self, numbers: Mapping[Reading, Fraction]) -> None:
        for row in range(len(self.rows)):
            item = self.item(row)
            now = numbers.get(item.reading, item.now)
            if now != item.now:
                before = item.before if item.now is None else item.now
                self.put(row, replace(item, now=now, before=before), "now", "before")
        longest = max((len(exact_number(number)) for number in numbers.values()), default=0)
        if longest > self._longest:
            self._longest = longest
            self.change_columns()

    def table(self) -> Sequence[ResultColumn[MatchRow]]:
        matches, secondary = self._answer.matches, self.tint("secondary")
        scaled = any(str(each.scale) for match in matches for each in match.readings)
        now = self.tr("The number at the frame shown")
        before = self.tr("The number before it changed last, while you looked")
        agree = self.tr("Other places and types that showed the same number: click to list them")

        def agree_text(line: Line) -> str:
            return f"{'▾' if line.unfolded else '▸'} {line.others}" if line.others else ""

        def evidence_color(line: Line) -> str:
            fits = "good" if line.item.match.failed is None else "bad"
            return "secondary" if line.is_member else fits

        past = {"title_tip": before, "color": secondary, "name": "before", "spare": 1}
        unfold: dict[str, Any] = {"width": 50, "whole": True, "unfolds": True}
        return (
            self.address(),
            self.type(),
            self.scale(46, spare=0 if scaled else 3),
            self.number(
                self.tr("now"),
                lambda line: _known(line.item.now),
                52,
                title_tip=now,
                name="now",
                whole=True,
            ),
            self.number(self.tr("before"), lambda line: _known(line.item.before), 58, **past),
            *(self._fact(at, frame) for at, frame in enumerate(self._answer.frames)),
            ResultColumn(
                self.tr("agree"), agree_text, color=self.tint("link"), title_tip=agree, **unfold
            ),
            ResultColumn(
                self.tr("evidence"),
                self._evidence,
                color=evidence_color,
                tip=lambda line: (
                    self.tip(line) or self._failure(line.item.match) or self._evidence(line)
                ),
                name="evidence",
                width=110,
                stretch=True,
                whole=True,
            ),
            self.verdict(whole=True, spare=0 if self._proofs else 2),
        )

    def _fact(self, at: int, named: FactFrame) -> ResultColumn[MatchRow]:
        source, tip = named.recording, self.tr("The number at frame {0}").format(named.frame)
        if isinstance(source, Path):
            tip = self.tr("The number at frame {0} of {1}").format(named.frame, source.name)

        def color(line: Line) -> str:
            fits = named.number is None or line.item.numbers[at] == named.number
            return "text" if fits else "bad"

        return self.number(
            self.tr("at\n{0}").format(named.frame),
            lambda line: exact_number(line.item.numbers[at]),
            52,
            title_tip=tip,
            color=color,
            whole=True,
        )

    def _evidence(self, line: Line) -> str:
        match = line.item.match
        if line.is_member:
            return self._agreement(line, agreement)
        if match.failed is not None:
            first, *more = match.failed.frames
            return self._failure(match) if more else self.tr("fails at {0}").format(first)
        off = match.off_frames
        text = counted(self.tr("fits within {0} frame[|s]", None, off), off).format(off)
        return text if off else self.tr("fits all")

    def _failure(self, match: Match) -> str:
        return "" if match.failed is None else self.tr("fails {0}").format(fact_text(match.failed))

    def reading(self, item: MatchRow) -> Reading:
        return item.reading

    def _warning(self, item: MatchRow) -> str:
        if item.match.failed is not None:
            return ""
        seen = (*item.numbers, item.now or Fraction(0))
        return wrap_warning(item.reading.type, max(map(item.reading.scale.stored, seen)))


def _known(number: Fraction | None) -> str:
    return "" if number is None else exact_number(number)
