"""The place of the picture on the screen: its size, shape and turn, and the way between pixels."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QTransform

from integrator.ui.settings.settings import Scaling


@dataclass(frozen=True, slots=True)
class Presentation:
    """The presentation of pictures. ``aspect_ratio`` is width to height; 0 is square pixels.

    ``quarter_turns`` are counter-clockwise, and come on top of the core's own.
    """

    scaling: Scaling = Scaling.WHOLE
    aspect_ratio: float = 0.0
    quarter_turns: int = 0


WHOLE_FROM = 2
"""Below this scale a whole one would waste up to half of the room, so the picture is as large as
fits."""


def whole_scale(picture: QSize, room: QSize, device_ratio: float) -> float:
    """The largest scale that is whole in device pixels and fits; below 2, the one that fits."""
    fit = min(room.width() / picture.width(), room.height() / picture.height())
    return fit if fit < WHOLE_FROM else int(fit * device_ratio) / device_ratio


@dataclass(frozen=True, slots=True)
class PicturePlace:
    """``rect`` in the widget's coordinates; ``to_widget`` maps the picture's pixels into it."""

    rect: QRectF
    to_widget: QTransform
    scale: QSizeF

    @classmethod
    def of(
        cls, picture: QSize, room: QSize, device_ratio: float, shown: Presentation
    ) -> "PicturePlace":
        """Place a picture (as training sees it) in the middle of the room."""
        turned = shown.quarter_turns % 2 == 1
        space = room.transposed() if turned else room
        height = picture.height()
        width = height * shown.aspect_ratio if shown.aspect_ratio > 0 else picture.width()
        shape = QSize(max(1, round(width)), height)
        if shown.scaling is Scaling.WHOLE:
            scale = whole_scale(shape, space, device_ratio)
        else:
            scale = min(space.width() / width, space.height() / height)
        # Half a device pixel off would blur every edge.
        across = round(width * scale * device_ratio) / device_ratio
        size = QSizeF(across, height * scale)
        box = size.transposed() if turned else size
        left, top = int((room.width() - box.width()) / 2), int((room.height() - box.height()) / 2)
        rect = QRectF(QPointF(left, top), box)
        scales = QSizeF(size.width() / picture.width(), scale)
        there = QTransform.fromTranslate(rect.center().x(), rect.center().y())
        there.rotate(-90 * (shown.quarter_turns % 4))
        there.scale(scales.width(), scales.height())
        there.translate(-picture.width() / 2, -picture.height() / 2)
        return cls(rect, there, scales)
