"""The time slider and the input log as a screen reader gets them by AT-SPI."""

import shutil
import subprocess
from pathlib import Path

import pytest
from real_window import NEEDS, RealWindow, x_server

from integrator import paths

_LIBRARIES = (
    *Path("/usr/lib").glob("*/girepository-1.0/Atspi-2.0.typelib"),
    *Path("/usr/lib/python3/dist-packages").glob("gi/__init__.py"),
)
MISSING = "" if len(_LIBRARIES) == 2 else "needs python3-gi and gir1.2-atspi-2.0"
READER = """
import time, gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi

def walk(place):
    yield place
    for at in range(place.get_child_count() if place.get_role_name() != "table" else 0):
        if (below := place.get_child_at_index(at)) is not None:
            yield from walk(below)

for _ in range(120):
    found = {(one.get_role_name(), one.get_name()): one for one in walk(Atspi.get_desktop(0))}
    slider, log = found.get(("slider", "Timeline")), found.get(("table", "Input log"))
    if slider and log and slider.get_current_value():
        print(slider.get_minimum_value(), slider.get_current_value())
        print(log.get_row_header(1).get_name(), log.get_column_header(0).get_name())
        break
    time.sleep(0.5)
"""


@pytest.mark.skipif(bool(NEEDS or MISSING), reason=NEEDS or MISSING)
def test_a_screen_reader_finds_the_slider_and_the_rows_of_the_input_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, command = "EmberMoth-Nes-v0", ["dbus-daemon", "--session", "--nofork", "--print-address"]
    game = shutil.copytree(paths.shipped("data") / name, tmp_path / name)
    with x_server(tmp_path) as (display, screen):
        monkeypatch.setenv("DISPLAY", display)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bus:
            assert bus.stdout is not None
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().strip())
            monkeypatch.setenv("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1")
            window = RealWindow(display, screen, tmp_path, str(game))
            window.wait_for_title(name)
            window.key("ctrl+4")
            # Debian has the bindings for its own Python alone.
            read = ["/usr/bin/python3", "-c", READER]
            found = subprocess.run(read, capture_output=True, text=True, check=False)
            window.end()
            bus.terminate()
    assert found.stdout.split() == ["1.0", "1.0", "2", "↑"], found.stderr
