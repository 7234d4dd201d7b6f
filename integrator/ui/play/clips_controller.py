"""Save clip: a dialog for the frames and the file, and a hidden core that writes during play."""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout

from integrator.domain.words import tr
from integrator.session.hidden import clips
from integrator.session.stills import png_bytes
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background
from integrator.ui.window_context import Part, WindowContext

_FILTERS = {
    ".mp4": tr("Video (*.mp4)"),
    ".gif": tr("GIF (*.gif)"),
    ".png": tr("Animated PNG (*.png)"),
}


class ClipDialog(ui.Dialog):
    """Asks for the frames and the file of a clip, and stays open while it is written. The timeline
    has ``length`` frames. Clips end at ``shown``, unless a range was ``chosen`` (first, last)."""

    def __init__(
        self,
        context: WindowContext,
        fps: float,
        length: int,
        shown: int,
        chosen: tuple[int, int] | None,
    ) -> None:
        super().__init__(context.window, self.tr("Save clip"), minimumWidth=470)
        clips = context.parts[ClipsController]
        self._fps, self._shown, self._writing = fps, shown, False
        kinds = {".mp4": self.tr("Video"), ".gif": self.tr("GIF"), ".png": self.tr("PNG")}
        self.kind = ui.Segments([(suffix, name, "") for suffix, name in kinds.items()])
        self.first = self._number_box(self.tr("First frame"), length)
        self.last = self._number_box(self.tr("Last frame"), length)
        tip = self.tr("Screen pixels for each pixel of the console")
        self.scale = self._number_box(self.tr("Pixels"), 4, suffix="×", toolTip=tip)
        self.sound = ui.check_box(self.tr("With sound"), on=True)
        self.kind.chosen.connect(lambda suffix: self.sound.setEnabled(suffix == ".mp4"))
        self.note = ui.role_label("", "secondary")
        self.progress = ui.thin_bar(visible=False)
        text, write = self.tr("Save clip…"), partial(clips.write, self)
        self.write = ui.push_button(text, write, "", "primary", icon="clip on_accent")
        self.stop = ui.push_button(self.tr("Stop"), clips.background.stop_all, visible=False)
        clips.background.progressed.connect(self.show_progress)
        clips.finished.connect(self.show_end)
        self.scale.setValue(2)
        self._build_ui(chosen)
        self.choose_seconds(10)
        if chosen is not None:
            self.choose(*chosen)

    def _number_box(self, name: str, most: int, **traits: Any) -> ui.NumberBox:
        box = ui.NumberBox(1, most, accessibleName=name, minimumWidth=90, **traits)
        box.valueChanged.connect(self._frames_changed)
        return box

    def _build_ui(self, chosen: tuple[int, int] | None) -> None:
        last, choose = self.tr("last {0} s"), self.choose_seconds
        ways = {last.format(seconds): partial(choose, seconds) for seconds in (5, 10, 30, 60)}
        if chosen is not None:
            ways[self.tr("range on the slider")] = partial(self.choose, *chosen)
        chip = partial(ui.push_button, role="chip", autoDefault=False)
        chips = [chip(text, way) for text, way in ways.items()]
        form = QFormLayout(horizontalSpacing=14, verticalSpacing=10)
        form.addRow("", ui.hbox(*chips, None, gap=6))
        to = ui.role_label(self.tr("to"), "faint")
        form.addRow(self.tr("Frames"), ui.hbox(self.first, 4, to, 4, self.last, None))
        form.addRow(self.tr("File"), ui.hbox(self.kind, 8, self.sound, None))
        form.addRow(self.tr("Pixels"), self.scale)
        close = ui.push_button(self.tr("Close"), self.close)
        bottom = ui.hbox((self.note, 1), self.stop, close, self.write)
        ui.vbox(form, self.progress, bottom, on=self, margins=(20, 16, 20, 14), gap=12)

    def choose(self, first: int, last: int) -> None:
        self.last.setValue(last)
        self.first.setValue(first)

    def choose_seconds(self, seconds: float) -> None:
        self.choose(max(1, self._shown - round(seconds * self._fps) + 1), self._shown)

    def _frames_changed(self) -> None:
        frames = self.last.value() - self.first.value() + 1
        self.write.setEnabled(frames > 0 and not self._writing)
        text = self.tr("{0} of play").format(ui.clock_text(frames, self._fps))
        self.note.setText(text if frames > 0 else self.tr("The last frame comes before the first"))

    def show_progress(self, done: int, total: int) -> None:
        self._show_writing(writing=True)
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self.note.setText(self.tr("Writing frame {0} of {1}").format(done, total))

    def show_end(self, path: Path | None) -> None:
        self._show_writing(writing=False)
        self.note.setText(self.tr("Saved") if path is not None else self.tr("No clip was saved"))

    def _show_writing(self, *, writing: bool) -> None:
        self._writing = writing
        self.progress.setVisible(writing)
        self.stop.setVisible(writing)
        self._frames_changed()


class ClipsController(Part):
    """Writes one clip at a time in another core process, even after the game is closed.
    ``finished`` gives the file, or None if the clip was stopped or failed."""

    finished = Signal(object)

    def _set_up(self) -> None:
        self.background = Background(self._bridge, "write-clip", self, outlives_game=True)
        self.dialog: ClipDialog | None = None
        actions = self._actions
        actions.on(clip=self.show_dialog, game_picture=self.choose_picture)
        self._timeline.menu_opens.connect(lambda _, menu: menu.addAction(actions["clip"]))

    def show_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.raise_()
        else:
            self._bridge.ask(lambda session: session.timeline.length, self._open_dialog)

    def _open_dialog(self, length: int) -> None:
        game, last = self._controller.game, self._controller.last
        if game is None or last is None or self.dialog is not None:
            return
        shown, chosen = last.number, self._timeline.range
        self.dialog = dialog = ClipDialog(self._context, game.fps, length, shown, chosen)
        dialog.finished.connect(lambda: setattr(self, "dialog", None))
        dialog.show()

    def write(self, dialog: ClipDialog) -> None:
        game, suffix = self._controller.game, dialog.kind.selected
        start, stop = dialog.first.value(), dialog.last.value() + 1
        name = f"{game.name if game else 'clip'}-{start}{suffix}"
        path = self._ask_save("clip", self.tr("Save clip"), name, ui.words(_FILTERS[suffix]))
        if path is not None:
            scale, sound = dialog.scale.value(), dialog.sound.isChecked()
            options = clips.ClipOptions(path.with_suffix(suffix), scale, sound)
            read = partial(clips.clip_source, start=start, stop=stop)
            self._bridge.ask(read, lambda source: self._begin(source, options), self._failed)

    def _begin(self, source: clips.ClipSource, options: clips.ClipOptions) -> None:
        if not self.background.busy:
            self.background.progressed.emit(0, source.frames)
            write = partial(clips.write_clip, source, options)
            self.background.start(lambda job: write(job.go_on), self._written, self._failed)

    def _written(self, path: Path) -> None:
        size = f"{path.stat().st_size / 1e6:.1f}"
        self._announce(self.tr("Saved the clip {0} ({1} MB)").format(path, size))
        self.finished.emit(path)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, clips.ClipStopped):
            self._report(error)
        self.finished.emit(None)

    def choose_picture(self) -> None:
        game, last = self._controller.game, self._controller.last
        if game is None or last is None or last.frame is None:
            return
        name, title = f"{game.name}-{last.number}.png", self.tr("Save game picture")
        if (path := self._ask_save("picture", title, name, self.tr("PNG (*.png)"))) is None:
            return
        rgb, text = last.frame.rgb(), self.tr("Saved {0}").format(path)
        self._bridge.in_background(
            lambda: path.write_bytes(png_bytes(rgb)), lambda _: self._announce(text), self._report
        )
