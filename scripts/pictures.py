"""``python -m scripts.pictures [NAME...]`` takes the pictures of README and book offscreen.

Each shows the window, or one panel of it, with the demo game after some real play."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

import integrator
from integrator import paths
from integrator.app import WINDOW_SIZE, build_window
from integrator.commands.demo import play_and_search
from integrator.commands.shared.options import demo_game
from integrator.domain.search.search import Search
from integrator.session.edits.commands import set_in_scenario
from integrator.session.session import Session
from integrator.ui.agents.agents_panel import AgentsView
from integrator.ui.find.find_view import SEARCH, FindView
from integrator.ui.library.consoles.consoles_dialog import ConsolesDialog
from integrator.ui.library.dialogs import DraftsDialog
from integrator.ui.memory.console_panel import ConsoleView
from integrator.ui.play.macros import KeptMacro, MacrosView, save_macros
from integrator.ui.review.audit_panel import AuditView
from integrator.ui.review.expectations_panel import ExpectationsView
from integrator.ui.review.input_log.input_log_panel import InputLogView
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.review.plots_panel import AttributionView
from integrator.ui.settings import UiSettings
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import PanelDock, dock_of, is_in_sight
from integrator.ui.widgets.theme import ThemeChoice
from scripts.audit_games import able, at_random, record
from scripts.window_measures import spin, spin_until

IMAGES: Final = paths.shipped("docs") / "images"
SIZES: Final = ((1680, 1050, 1), (1280, 720, 1), (2560, 1440, 2))
"""Screens that every workspace has to be usable on: width, height, and pixels a pixel."""
_SETTLE_S: Final = 0.9
_MACROS: Final = {
    "Dash right": KeptMacro("|..|...R....A|\n" * 4 + "|..|...R.....|\n" * 20),
    "Circle": KeptMacro("|..|U........|\n" * 12, loop=True),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A window with the demo game in it, and the folder that it was copied into."""

    window: MainWindow
    game: Path

    def until(self, holds: Callable[[], object], fact: str) -> None:
        """Let the window run until ``holds``. Raises TimeoutError."""
        spin_until(holds, fact)

    def ask(self, work: Callable[[Session], Any]) -> Any:
        """The result of work on the session's thread."""
        answers: list[Any] = []
        self.window.bridge.ask(work, answers.append)
        self.until(lambda: answers, "an answer of the session")
        return answers[0]

    def play(self) -> None:
        """Play the demo's script, searching the score."""
        self.ask(lambda session: play_and_search(session, session.search(SEARCH)))
        self.window.parts[FindView].search(Search.count_by_type)
        self.window.bridge.advance_frame()

    def save(self) -> None:
        """Save edits, which a closing window would ask about."""
        controller = self.window.controller
        self.window.actions_by_key["save"].trigger()
        self.until(lambda: controller.documents and not controller.documents.modified, "the save")

    def dock(self, view: QWidget) -> PanelDock:
        """The panel of a view, in front of its neighbors."""
        dock = dock_of(view)
        dock.come_forward()
        return dock


Pose = Callable[[Stage], QWidget]
"""Brings the window into its pose, and gives the widget to draw."""


def workspace(name: str) -> Pose:
    """A workspace after some play."""

    def pose(stage: Stage) -> QWidget:
        stage.play()
        stage.window.use_workspace(name)
        return stage.window

    return pose


def agents(stage: Stage) -> QWidget:
    """Agents at play, some of their episodes done."""
    stage.window.use_workspace("agents")
    view = stage.window.parts[AgentsView]
    for box in view.form.boxes.values():
        box.setChecked(True)
    view.form.episodes.setValue(6)
    view.form.frames.setValue(3000)
    view.start.click()
    stage.until(lambda: len(view.model.rows) >= 16 and view.pictures.texts, "episodes")
    return stage.window


def audit(stage: Stage) -> QWidget:
    """An audit of three players where flying to the right pays as well."""
    rewards = {"score": {"reward": 1.0}, "x": {"reward": 1.0}}
    controller = stage.window.controller
    controller.edit(set_in_scenario(["reward", "variables"], rewards))
    stage.until(lambda: controller.documents and controller.documents.modified, "the edit")
    stage.save()
    for number, player in enumerate((able, at_random, at_random)):
        record(stage.game, stage.game / f"player-{number}.bk2", player, number, 1500)
    stage.window.use_workspace("review")
    stage.window.parts[MoviesView].list_folder(stage.game)
    movies = stage.window.parts[MoviesView].model
    stage.until(lambda: movies.rowCount() >= 3, "the movies")
    view = stage.window.parts[AuditView]
    stage.dock(view)
    view.probes.setChecked(False)
    view.start.click()
    stage.until(view.summary.text, "the audit")
    return stage.window


def console(stage: Stage) -> QWidget:
    """Lua that reads and may not write, and Python on the timeline."""
    stage.play()
    view = stage.window.parts[ConsoleView]
    dock = stage.dock(view)
    for language, entries in (
        ("lua", ("data.level + 1", "data.score + 100 * data.lives", "data.lives = 9")),
        ("python", ("scores = session.timeline.column('score')", "scores[::100]")),
    ):
        view.language.setCurrentIndex(view.language.findData(language))
        for entry in entries:
            view.entry.setPlainText(entry)
            view.entry.enter()
            spin(_SETTLE_S / 3)
            stage.until(view.run.isEnabled, "the entry's end")
    return dock


def drafts(stage: Stage) -> QWidget:
    """The demo game as a program integrates it, with the evidence for a part."""
    integrator.auto(stage.game / "rom.nes", minutes=1)
    stage.window.actions_by_key["drafts"].trigger()
    dialog = stage.window.findChild(DraftsDialog)
    assert dialog is not None
    stage.until(lambda: dialog.chosen, "the draft")
    while dialog.chosen and dialog.chosen.report.least_certain != "score":
        QTest.keyClick(dialog, Qt.Key.Key_A)
    stage.until(lambda: len(dialog.card.frames) == 3, "the evidence for the score")
    return dialog


def consoles(stage: Stage) -> QWidget:
    """A console drafted from a core of stable-retro, and tried on the game."""
    stage.window.actions_by_key["consoles"].trigger()
    dialog = stage.window.findChild(ConsolesDialog)
    assert dialog is not None
    core = next(at for at in range(dialog.source.count()) if "fceumm" in dialog.source.itemText(at))
    dialog.source.setCurrentIndex(core)
    dialog.source.activated.emit(core)
    dialog.game.setText(str(stage.game / "rom.nes"))
    dialog.draft.click()
    stage.until(
        lambda: not dialog.background.busy and dialog.form.buttons.item(0, 3) is not None,
        "the trial",
    )
    dialog.form.setCurrentIndex(1)
    return dialog


def expectations(stage: Stage) -> QWidget:
    """Expectations of a range, after an edit of the reward."""
    stage.play()
    stage.window.use_workspace("review")
    slider = stage.window.screen_panel.timeline
    stage.until(lambda: slider.facts and slider.facts.length > 400, "the played frames")
    slider.set_range((100, 400))
    menu = QMenu()
    stage.window.parts[ExpectationsView].fill_menu(menu)
    menu.actions()[0].trigger()
    view = stage.window.parts[ExpectationsView]
    stage.until(lambda: len(view.model.verdicts) == 3, "verdicts")
    stage.window.controller.edit(set_in_scenario(["reward", "time"], {"reward": -0.5}))
    stage.until(lambda: not all(each.holds for each in view.model.verdicts.values()), "the edit")
    return stage.dock(view)


def input_log(stage: Stage) -> QWidget:
    """Played frames with a mark, and some of them selected."""

    def play(session: Session) -> None:
        masks = np.random.default_rng(3).integers(0, 256, 30, np.uint16)
        session.run(np.repeat(masks & ~np.uint16(0b1100), 10).reshape(-1, 1))
        session.timeline.log.add_marker(284, "first boss")

    stage.ask(play)
    stage.window.use_workspace("review")
    view = stage.window.parts[InputLogView]
    stage.window.bridge.advance_frame()
    stage.until(lambda: view.grid.seen.length > 300, "the rows")
    view.grid.select((289, 293))
    return stage.dock(view)


def macros(stage: Stage) -> QWidget:
    """Two macros, and the rows of one."""
    stage.window.use_workspace("play")
    view = stage.window.parts[MacrosView]
    stage.dock(view)
    view.list.setCurrentRow(0)
    return stage.window


def reward_terms(stage: Stage) -> QWidget:
    """The reward of a range of frames by its terms."""
    stage.play()
    stage.window.use_workspace("review")
    terms = {
        "variables": {"score": {"reward": 1.0}, "lives": {"penalty": 50.0}},
        "time": {"reward": -0.1},
    }
    stage.window.controller.edit(set_in_scenario(["reward"], terms))
    view = stage.window.parts[AttributionView]
    dock = stage.dock(view)
    slider = stage.window.screen_panel.timeline
    slider.set_range((100, 400))
    slider.selected.emit()
    stage.until(lambda: "Frames 100 to 400" in view.title.text(), "the shares")
    return dock


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: its file's name without the extension, its pose, and the theme."""

    name: str
    pose: Pose
    theme: ThemeChoice = ThemeChoice.DARK


PICTURES: Final[Sequence[Picture]] = (
    *(
        Picture(f"{name}-{theme.value}", workspace(name), theme)
        for name in ("play", "find", "score", "review")
        for theme in (ThemeChoice.DARK, ThemeChoice.LIGHT)
    ),
    Picture("agents", agents),
    Picture("audit", audit),
    Picture("console", console),
    Picture("consoles", consoles),
    Picture("drafts", drafts),
    Picture("expectations", expectations),
    Picture("input-log-dark", input_log),
    Picture("macros-dark", macros),
    Picture("reward-terms", reward_terms),
)


@contextmanager
def staged(
    app: QApplication, theme: ThemeChoice, size: tuple[int, int] | None = WINDOW_SIZE
) -> Iterator[Stage]:
    """A window with a copy of the demo game on its first frame; size None: it fits the screen."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = str(Path(folder) / kind.lower())
        game = Path(shutil.copytree(demo_game(), Path(folder) / demo_game().name))
        kept = Path(folder) / "window.ini"
        settings = UiSettings(kept)
        settings.theme = theme
        save_macros(settings, game.name, _MACROS)
        window = build_window(app, kept)
        try:
            if size is not None:
                window.resize(*size)
            window.show()
            window.open_path(game)
            spin_until(lambda: window.controller.last, "the first frame")
            stage = Stage(window, game)
            yield stage
            window.parts[AgentsView].background.cancel()
            stage.save()
        finally:
            window.close()


def take(picture: Picture, folder: Path) -> Path:
    """Take one picture; the file that it was saved as."""
    with staged(_application(), picture.theme) as stage:
        return _grab(picture.pose(stage), folder / f"{picture.name}.png")


def _application() -> QApplication:
    existing = QApplication.instance()
    return existing if isinstance(existing, QApplication) else QApplication([])


def _grab(widget: QWidget, out: Path) -> Path:
    spin(_SETTLE_S)
    if not widget.grab().save(str(out)):
        raise OSError(f"{out} could not be written")
    return out


def take_workspaces(folder: Path) -> Iterator[Path]:
    """Take each workspace in both themes, in the first window that the present screen gets.

    Panels behind the tab of another follow one by one."""
    folder.mkdir(parents=True, exist_ok=True)
    with staged(_application(), ThemeChoice.DARK, None) as stage:
        stage.play()
        window = stage.window
        for theme in (ThemeChoice.DARK, ThemeChoice.LIGHT):
            window.context.choose_theme(theme)
            window.docks.reset()
            for workspace in WORKSPACES:
                window.use_workspace(workspace.key)
                name = f"{workspace.key}-{theme.value}"
                yield _grab(window, folder / f"{name}.png")
                shown = [dock for dock in window.docks.all.values() if dock.isVisible()]
                for dock in [each for each in shown if not is_in_sight(each)]:
                    dock.come_forward()
                    yield _grab(window, folder / f"{name}-{dock.objectName()}.png")


def take_sizes(folder: Path) -> None:
    """Take each workspace on each of SIZES, in a folder of its own.

    Each is another process, because Qt reads the platform's screens and its scale once.
    Raises CalledProcessError."""
    for width, height, scale in SIZES:
        screen = {"name": "made", "x": 0, "y": 0, "width": width, "height": height}
        screen |= {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
        with tempfile.TemporaryDirectory() as temporary:
            file = Path(temporary) / "screen.json"
            file.write_text(json.dumps({"screens": [screen]}))
            os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"
            os.environ["QT_SCALE_FACTOR"] = str(scale)
            out = folder / f"{width}x{height}-scale{scale}"
            program = [sys.executable, "-m", "scripts.pictures", "--workspaces", str(out)]
            subprocess.run(program, check=True)


def main() -> None:
    """Take the pictures that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="python -m scripts.pictures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--out", type=Path, default=IMAGES, help="default: docs/images")
    parser.add_argument(
        "--workspaces", type=Path, metavar="FOLDER", help="each workspace instead, to look at"
    )
    parser.add_argument(
        "--sizes", type=Path, metavar="FOLDER", help="each workspace on small and sharp screens"
    )
    options = parser.parse_args()
    known = {picture.name: picture for picture in PICTURES}
    if unknown := set(options.names) - known.keys():
        parser.error(f"no picture {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if options.sizes is not None:
        take_sizes(options.sizes)
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if options.workspaces is not None:
        for taken in take_workspaces(options.workspaces):
            print(taken)
        return
    for name in options.names or known:
        print(take(known[name], options.out))


if __name__ == "__main__":
    main()
