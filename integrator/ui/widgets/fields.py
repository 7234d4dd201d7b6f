"""Fields of forms: parsers of typed text, dropped files, marked lines, and timers of one shot."""

import contextlib
import math
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QTimer
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.scenario.sandbox import LUA_KEYWORDS
from integrator.ui.widgets.parts import Call, hbox, push_button, set_trait
from integrator.ui.widgets.texts import translate


class FieldError(DomainError, ValueError):
    """The typed text is not valid. The message is shown next to the field and names valid texts."""


@contextlib.contextmanager
def errors_to(show: Callable[[str], object]) -> Iterator[None]:
    """Return a context that ends at a DomainError, and passes its message to ``show``."""
    try:
        yield
    except DomainError as error:
        show(str(error))


def problem_of(parse: Callable[..., object], *values: object) -> str:
    """Return the message of the DomainError by which ``parse`` refuses values; "" without one."""
    try:
        parse(*values)
    except DomainError as error:
        return str(error)
    return ""


def mark_invalid(field: QWidget, reason: str, tip: str = "") -> None:
    """Mark a field if there is a reason why its text is invalid, and show that instead of a tip."""
    set_trait(field, "invalid", bool(reason))
    field.setToolTip(reason or tip)


def parse_number(text: str) -> int:
    """Read a whole number in decimal or ``0x`` hexadecimal. Raises FieldError."""
    cleaned = "".join(text.split()).replace("_", "").replace(",", "")
    try:
        return int(cleaned, 16 if cleaned.lower().lstrip("+-").startswith("0x") else 10)
    except ValueError as error:
        raise FieldError(
            f"“{text}” is not a whole number; write for instance 12, -3 or 0x0C"
        ) from error


def address_tip() -> str:
    return translate(
        "Fields",
        "An address such as FF00D4, a region or variable such as ram+20 or score+2, or a "
        "variable's number as an address: [pointer]+4",
    )


def parse_address(text: str) -> int:
    """Read an address in hexadecimal, with or without ``0x`` or ``$``. Raises FieldError."""
    cleaned = text.strip().lower().removeprefix("$").removeprefix("0x")
    try:
        value = int(cleaned, 16)
    except ValueError as error:
        raise FieldError(f"“{text}” is not an address; write for instance 0xFF00D4") from error
    if value < 0:
        raise FieldError("an address cannot be negative")
    return value


def parse_factor(text: str) -> float:
    """Read a finite number such as ``-0.01``. Raises FieldError."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError as error:
        raise FieldError(f"“{text}” is not a number; write for instance 1 or -0.01") from error
    if not math.isfinite(value):
        raise FieldError("a factor must be finite")
    return value


def parse_name(text: str, taken: Container[str]) -> str:
    """Read a new variable's name. Raises FieldError if it is taken or no identifier of Lua."""
    if not (name := text.strip()):
        raise FieldError("a variable needs a name")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise FieldError(f"“{name}” is not a name; use letters, digits and _, no digit first")
    if name in LUA_KEYWORDS:
        raise FieldError(f"“{name}” is a word of Lua, so that no script could say data.{name}")
    if name in taken:
        raise FieldError(f"there is already a variable “{name}”")
    return name


def address_text(address: int) -> str:
    """Return an address such as ``0xFF00D4``, with an even number of digits and at least four."""
    digits = f"{address:X}"
    width = max(4, len(digits) + len(digits) % 2)
    return f"0x{digits.rjust(width, '0')}"


def local_paths(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the paths in a drag of one local file or folder, or of local files only; else []."""
    paths = local_paths(data)
    alone = len(paths) == 1 or all(map(Path.is_file, paths))
    return paths if len(paths) == len(data.urls()) and alone else []


class TakesFiles:
    """A mixin for widgets that take dropped files. The widget must call ``setAcceptDrops``."""

    def fits(self, paths: Sequence[Path]) -> bool:
        return bool(paths)

    def take(self, paths: Sequence[Path]) -> None:
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.fits(local_paths(event.mimeData())):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take(local_paths(event.mimeData()))


def with_browse(field: QLineEdit, browse: Call, name: str = "") -> QWidget:
    """Return a field with a Browse button, which screen readers know by ``name``."""
    holder = QWidget()
    text = translate("FileFields", "Browse…")
    button = push_button(text, browse, autoDefault=False, accessibleName=name)
    hbox((field, 1), button, on=holder, margins=0)
    return holder


def mark_lines(view: QPlainTextEdit, colors: Mapping[int, str]) -> None:
    """Color the background of whole lines; ``colors`` are by line number, counted from 0."""
    marks = []
    whole = QTextFormat.Property.FullWidthSelection
    for number, color in colors.items():
        if (block := view.document().findBlockByNumber(number)).isValid():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(block)
            mark.format.setBackground(QColor(color))
            mark.format.setProperty(whole, True)  # noqa: FBT003 - Qt's signature
            marks.append(mark)
    view.setExtraSelections(marks)


def settle_timer(parent: QObject, pause_ms: int, then: Callable[[], object]) -> QTimer:
    """Return a timer that calls ``then`` once, ``pause_ms`` milliseconds after its last start."""
    timer = QTimer(parent, singleShot=True, interval=pause_ms)
    timer.timeout.connect(then)
    return timer
