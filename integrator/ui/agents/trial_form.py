"""The choices of a trial: agents, start states, episodes, seed, time, and who computes."""

import os
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from integrator.agents.result import AgentTrial
from integrator.agents.table import AGENTS, ENTRY_POINTS, HELD
from integrator.domain.scenario.actions import MENU_BUTTONS
from integrator.ui.widgets.fitting import FlowBox
from integrator.ui.widgets.parts import (
    NumberBox,
    check_box,
    line_edit,
    push_button,
    role_label,
)
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Theme

_CHOSEN: Final = ("no-op", "random", "jerk")
_FRAMES: Final = 18_000


class TrialForm(QWidget):
    """Fields for an AgentTrial, and the button to start it."""

    def __init__(self, theme: Theme, started: Callable[[], object]) -> None:
        super().__init__()
        self.start = push_button(
            self.tr("Let them play"),
            started,
            self.tr("Let the agents play in processes beside your game"),
            "primary",
            theme.icons.icon("play", "on_accent"),
        )
        self._states: tuple[str, ...] = ()
        kinds = {kind.name: translate("Agents", kind.text) for kind in AGENTS}
        kinds |= {entry.name: entry.value for entry in entry_points(group=ENTRY_POINTS)}
        self.boxes = {
            name: check_box(name, tip=tip, on=name in _CHOSEN) for name, tip in kinds.items()
        }
        self.held = check_box(self.tr("each button held"), tip=self.tr("One agent a button"))
        self.others = line_edit(
            self.tr("Other agents"),
            self.tr("module:factory, held:A+RIGHT, …"),
            tip=self.tr("Agents of your own, and buttons held, with spaces between"),
        )
        self.state = QComboBox()
        self.episodes = _number(1, 100_000, 10, self.tr("Episodes of each agent and state"))
        self.frames = _number(1, 10_000_000, _FRAMES, self.tr("Most frames of an episode"))
        self.seed = _number(0, 1 << 30, 0, self.tr("The same seed gives the same movies"))
        processors = min(2, os.cpu_count() or 1)
        self.jobs = _number(1, 256, processors, self.tr("Processes of this machine that play"))
        self.cluster = QLineEdit(placeholderText=self.tr("this machine, or dask://HOST:PORT"))
        self.cluster.setToolTip(self.tr("A Dask or Ray cluster that runs and sees the game"))
        self._build_ui()
        self.show_states((), "")

    def _build_ui(self) -> None:
        chips = FlowBox(spacing=10)
        for box in (*self.boxes.values(), self.held):
            chips.add(box)
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 6, 10, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.addWidget(chips, 0, 0, 1, 6)
        # Row, column, columns of the field, label. Fields for a text get the room of two.
        places: Sequence[tuple[int, int, int, str, QWidget]] = (
            (1, 0, 3, self.tr("others"), self.others),
            (1, 4, 1, self.tr("from"), self.state),
            (2, 0, 1, self.tr("episodes"), self.episodes),
            (2, 2, 1, self.tr("frames"), self.frames),
            (2, 4, 1, self.tr("seed"), self.seed),
            (3, 0, 3, self.tr("cluster"), self.cluster),
            (3, 4, 1, self.tr("processes"), self.jobs),
        )
        for row, column, width, text, field in places:
            label = role_label(text, "secondary")
            label.setBuddy(field)
            field.setAccessibleName(field.accessibleName() or text)
            grid.addWidget(label, row, column)
            grid.addWidget(field, row, column + 1, 1, width)
        for column in (1, 3, 5):
            grid.setColumnStretch(column, 1)
        grid.addWidget(self.start, 4, 4, 1, 2)

    def show_states(self, states: Sequence[str], default: str) -> None:
        """Offer the start states of a game; the choice stays, as long as there is such a state."""
        self._states = tuple(states)
        kept = self.state.currentText()
        self.state.clear()
        self.state.addItems(self._states)
        self.state.addItem(self.tr("all states") if states else self.tr("power-on"))
        at = self.state.findText(kept)
        self.state.setCurrentIndex(at if at >= 0 else max(0, self.state.findText(default)))

    def trial(self, game: Path, buttons: Sequence[str | None]) -> AgentTrial:
        """The chosen trial of a game, which may have no agent; the pad has these ``buttons``."""
        agents = [name for name, box in self.boxes.items() if box.isChecked()]
        agents += self.others.text().split()
        if self.held.isChecked():
            agents += [HELD + name for name in buttons if name and name not in MENU_BUTTONS]
        at = self.state.currentIndex()
        return AgentTrial(
            game,
            tuple(agents),
            states=self._states[at : at + 1] or self._states,
            episodes=self.episodes.value(),
            most_frames=self.frames.value(),
            seed=self.seed.value(),
            jobs=self.jobs.value(),
            cluster=self.cluster.text().strip() or None,
        )


def _number(least: int, most: int, value: int, tip: str) -> NumberBox:
    box = NumberBox()
    box.setRange(least, most)
    box.setGroupSeparatorShown(True)
    box.setValue(value)
    box.setToolTip(tip)
    return box
