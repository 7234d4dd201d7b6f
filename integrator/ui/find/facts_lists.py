"""The lists of the Facts panel: pinned facts and their matches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from integrator.domain.query.facts import fact_text, parse_facts
from integrator.domain.query.rank import Match, Reading
from integrator.domain.timeline.line import FIRST_RUN, Runs
from integrator.session.hidden.movies import Answer, FactFrame, PinnedFact, last_frame
from integrator.ui import widgets as ui
from integrator.ui.find.results_model import ResultColumn, ResultLine, ResultsModel
from integrator.ui.terms import wrap_warning
from integrator.ui.time_slider.painting import FactMark, marks_of, moved


class FactsModel(ui.RowsModel[PinnedFact]):
    """The pinned facts. ``changed`` follows each change, ``settled`` 250 ms after the last one."""

    settled = Signal()
    changed = Signal()
    shown: Callable[[], Runs]  # returns the runs of the line of the frame that is shown
    _runs = FIRST_RUN

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._settle = ui.settle_timer(self, pause_ms=250, then=self.settled.emit)

    def table(self) -> Sequence[ui.Column[PinnedFact]]:
        elsewhere = self.tr("in another branch")

        def text(fact: PinnedFact) -> str:
            note = fact.source.stem if fact.source else "" if self._is_here(fact) else elsewhere
            return f"{fact.line}   # {note}" if note else fact.line

        return (
            ui.Column(
                "",
                text,
                icon=lambda fact: "movie" if fact.source else None,
                font=self._mono,
                ticked=lambda fact: fact.on,
                edit=self._edited,
                edit_text=lambda fact: fact.line,
            ),
        )

    def _is_here(self, fact: PinnedFact) -> bool:
        return fact.end is not None and self._runs.has(fact.end)

    @property
    def marks(self) -> tuple[FactMark, ...]:
        facts = enumerate(self.rows)
        return marks_of([(row, each.line, each.on) for row, each in facts if self._is_here(each)])

    @property
    def ticked(self) -> list[PinnedFact]:
        return [fact for fact in self.rows if fact.on]

    def show_line(self, runs: Runs) -> None:
        if runs != self._runs:
            self._runs = runs
            self.all_changed()
            self.changed.emit()

    def pin(self, line: str, source: Path | None = None) -> None:
        self.add([self._edited(PinnedFact("", source, on=True), line)])
        self._note()

    def _edited(self, fact: PinnedFact, text: str) -> PinnedFact:
        """Return the fact with a new text; a new end is of the shown line. Raises SearchError."""
        parse_facts(text)
        line, end = text.partition("#")[0].strip(), fact.end
        if fact.source is None and (end is None or end.frame != last_frame(line)):
            end = self.shown().played(last_frame(line))
        return replace(fact, line=line, end=end)

    def take(self, row: int, value: PinnedFact) -> None:
        self.rows = [*self.rows[:row], value, *self.rows[row + 1 :]]
        self.cells_changed(row)
        self._note()

    def tick(self, row: int, *, on: bool) -> None:
        self.take(row, replace(self.at(row), on=on))

    def toggle(self, row: int) -> None:
        self.tick(row, on=not self.at(row).on)

    def move_fact(self, row: int, which: int, frame: int) -> None:
        """Move one of a fact's frames, ``which``; a move that gives no valid fact is ignored."""
        line = moved(self.at(row).line, which, frame)
        if line is not None and line != self.at(row).line:
            self.take(row, self._edited(self.at(row), line))

    def remove(self, row: int) -> None:
        if row >= 0:
            self.drop(row)
            self._note()

    def clear(self) -> None:
        self.show(())
        self._settle.stop()
        self.changed.emit()

    def _note(self) -> None:
        self._settle.start()
        self.changed.emit()


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A reading of a match, and its numbers at the frames of the facts, now, and before now."""

    match: Match
    reading: Reading
    numbers: tuple[Fraction, ...] = ()
    now: Fraction | None = None
    before: Fraction | None = None


Line = ResultLine[MatchRow]


class MatchesModel(ResultsModel[MatchRow]):
    """A row for each match, best first; below an unfolded match, a row for each other reading."""

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
            if (now := numbers.get(item.reading, item.now)) != item.now:
                before = item.before if item.now is None else item.now
                self.put(row, replace(item, now=now, before=before), "now", "before")
        longest = max((len(ui.exact_number(number)) for number in numbers.values()), default=0)
        if longest > self._longest:
            self._longest = longest
            self.change_columns()

    def table(self) -> Sequence[ResultColumn[MatchRow]]:
        matches, secondary = self._answer.matches, self.tint("secondary")
        scaled = any(str(each.scale) for match in matches for each in match.readings)
        now = self.tr("The number at the frame shown")
        before = self.tr("The number before its last change while this panel was open")
        agree = self.tr("Other places and types that showed the same number: click to list them")

        def agree_text(line: Line) -> str:
            return f"{'▾' if line.unfolded else '▸'} {len(line.members)}" if line.members else ""

        def evidence_color(line: Line) -> str:
            fits = "good" if line.item.match.failed is None else "bad"
            return "secondary" if line.is_member else fits

        def evidence_tip(line: Line) -> str:
            return self.tip(line) or self._failure(line.item.match) or self._evidence(line)

        present = {"title_tip": now, "name": "now", "whole": True}
        past = {"title_tip": before, "color": secondary, "name": "before", "spare": 1}
        unfold = {"color": self.tint("link"), "title_tip": agree, "whole": True, "unfolds": True}
        evidence = {"color": evidence_color, "tip": evidence_tip, "stretch": True, "whole": True}
        return (
            self.address(),
            self.type(),
            self.scale(46, spare=0 if scaled else 3),
            self.number(self.tr("now"), lambda line: _known(line.item.now), 52, **present),
            self.number(self.tr("before"), lambda line: _known(line.item.before), 58, **past),
            *(self._fact(at, frame) for at, frame in enumerate(self._answer.frames)),
            self.column(self.tr("agree"), agree_text, 50, **unfold),
            self.column(self.tr("evidence"), self._evidence, 110, name="evidence", **evidence),
            self.verdict(whole=True, spare=0 if self._proofs else 2),
        )

    def _fact(self, at: int, named: FactFrame) -> ResultColumn[MatchRow]:
        source, tip = named.recording, self.tr("The number at frame {0}").format(named.frame)
        if isinstance(source, Path):
            tip = self.tr("The number at frame {0} of {1}").format(named.frame, source.name)

        def color(line: Line) -> str:
            fits = named.number is None or line.item.numbers[at] == named.number
            return "text" if fits else "bad"

        def text(line: Line) -> str:
            return ui.exact_number(line.item.numbers[at])

        title = self.tr("at\n{0}").format(named.frame)
        return self.number(title, text, 52, title_tip=tip, color=color, whole=True)

    def _evidence(self, line: Line) -> str:
        match = line.item.match
        if line.is_member:
            return self._agreement(line)[0]
        if match.failed is not None:
            first, *more = match.failed.frames
            return self._failure(match) if more else self.tr("fails at {0}").format(first)
        off = match.off_frames
        text = ui.counted(self.tr("fits within {0} frame[|s]", None, off), off).format(off)
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
    return "" if number is None else ui.exact_number(number)
