"""The choices of a trial: agents, start states, episodes, seed, time, and who computes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Final

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from integrator.agents.table import AGENTS, ENTRY_POINTS
from integrator.ui.widgets.panels.parts import NumberBox, role_label
from integrator.ui.widgets.room.flow_box import FlowBox
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import translate

_CHOSEN: Final = ("no-op", "random", "jerk")
_FRAMES: Final = 18_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen trial. ``held``: each button of the console held, too. No ``states``: one alone.

    ``cluster`` is the address of one; without it, ``jobs`` processes of this machine play.
    """

    agents: tuple[str, ...]
    held: bool
    states: tuple[str, ...]
    episodes: int
    most_frames: int
    seed: int
    jobs: int
    cluster: str | None


class TrialForm(QWidget):
    """Fields for a :class:`Choice`, and the button to start it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.start = QPushButton(theme.icons.icon("play"), self.tr("Let them play"))
        self.start.setToolTip(self.tr("Let the agents play in processes beside your game"))
        self._states: tuple[str, ...] = ()
        self.boxes = {
            kind.name: self._box(kind.name, translate("Agents", kind.text)) for kind in AGENTS
        }
        for entry in entry_points(group=ENTRY_POINTS):
            self.boxes[entry.name] = self._box(entry.name, entry.value)
        self.held = self._box(self.tr("each button held"), self.tr("One agent a button"))
        self.others = QLineEdit(placeholderText=self.tr("module:factory, held:A+RIGHT, …"))
        self.others.setAccessibleName(self.tr("Other agents"))
        self.others.setToolTip(self.tr("Agents of your own, and buttons held, with spaces between"))
        self.state: QComboBox = QComboBox()
        self.episodes = self._number(1, 100_000, 10, self.tr("Episodes of each agent and state"))
        self.frames = self._number(1, 10_000_000, _FRAMES, self.tr("Most frames of an episode"))
        self.seed = self._number(0, 1 << 30, 0, self.tr("The same seed gives the same movies"))
        self.jobs = self._number(
            1, 256, min(2, os.cpu_count() or 1), self.tr("Processes of this machine that play")
        )
        self.cluster = QLineEdit(placeholderText=self.tr("this machine, or dask://HOST:PORT"))
        self.cluster.setToolTip(self.tr("A Dask or Ray cluster that runs and sees the game"))
        self._build_ui()
        self.show_states((), "")

    @staticmethod
    def _box(text: str, tip: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setChecked(text in _CHOSEN)
        box.setToolTip(tip)
        return box

    @staticmethod
    def _number(least: int, most: int, value: int, tip: str) -> NumberBox:
        spin = NumberBox()
        spin.setRange(least, most)
        spin.setGroupSeparatorShown(True)
        spin.setValue(value)
        spin.setToolTip(tip)
        return spin

    def _build_ui(self) -> None:
        chips = FlowBox(spacing=10)
        for box in (*self.boxes.values(), self.held):
            chips.add(box)
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 6, 10, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.addWidget(chips, 0, 0, 1, 6)
        rows: Sequence[Sequence[tuple[str, QWidget]]] = (
            ((self.tr("others"), self.others), (self.tr("from"), self.state)),
            (
                (self.tr("episodes"), self.episodes),
                (self.tr("frames"), self.frames),
                (self.tr("seed"), self.seed),
            ),
            ((self.tr("cluster"), self.cluster), (self.tr("processes"), self.jobs)),
        )
        for row, fields in enumerate(rows, start=1):
            # The first of two fields takes a text, so it gets the room of two.
            wide = len(fields) == 2
            for column, (text, field) in zip((0, 4) if wide else (0, 2, 4), fields, strict=True):
                label: QLabel = role_label(text, "secondary")
                label.setBuddy(field)
                field.setAccessibleName(field.accessibleName() or text)
                grid.addWidget(label, row, column)
                grid.addWidget(field, row, column + 1, 1, 3 if wide and column == 0 else 1)
        for column in (1, 3, 5):
            grid.setColumnStretch(column, 1)
        grid.addWidget(self.start, len(rows) + 1, 4, 1, 2)

    def show_states(self, states: Sequence[str], default: str) -> None:
        """Offer the start states of a game; the choice stays, as long as there is such a state."""
        self._states = tuple(states)
        kept = self.state.currentText()
        self.state.clear()
        self.state.addItems(self._states)
        self.state.addItem(self.tr("all states") if states else self.tr("power-on"))
        at = self.state.findText(kept)
        self.state.setCurrentIndex(at if at >= 0 else max(0, self.state.findText(default)))

    def choice(self) -> Choice:
        """The present choices."""
        chosen = tuple(name for name, box in self.boxes.items() if box.isChecked())
        at = self.state.currentIndex()
        return Choice(
            agents=(*chosen, *self.others.text().split()),
            held=self.held.isChecked(),
            states=self._states[at : at + 1] or self._states,
            episodes=self.episodes.value(),
            most_frames=self.frames.value(),
            seed=self.seed.value(),
            jobs=self.jobs.value(),
            cluster=self.cluster.text().strip() or None,
        )
