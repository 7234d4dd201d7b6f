"""Cores that draw with OpenGL: pictures, sizes, contexts that come and go, and bad requests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from toy_requests import BuildToycore, MakeRemote, ToyRequest, idle

from libretro_host.doubles import DoubledHost
from libretro_host.errors import CoreAnnouncementError, CoreThrewError, UnsupportedCoreError
from libretro_host.host import CapturePlan, CoreHost, CoreLimits, Frame, InputName, LoadRequest
from libretro_host.inprocess import InProcessHost
from libretro_host.stepper import View
from libretro_host.systems.discovery import wheel_core_dir

GlRequest = Callable[..., LoadRequest]

BLUE = (0, 0, 255)
GREEN, WHITE, YELLOW = (0, 255, 0), (255, 255, 255), (255, 255, 0)
PROOFS = Path(__file__).resolve().parents[2] / "resources" / "proof-roms"


@pytest.fixture(scope="session")
def gltoy(build_toycore: BuildToycore) -> Path:
    """The path of the compiled test core that draws with OpenGL."""
    return build_toycore(name="gltoy")


@pytest.fixture
def request_gl(gltoy: Path, toy: ToyRequest) -> GlRequest:
    """Makes requests to load it, given the keys of its content."""

    def make(**keys: object) -> LoadRequest:
        return toy(core=gltoy, **keys)

    return make


def shown(host: CoreHost, frames: int) -> NDArray[np.uint8]:
    """The picture after ``frames`` frames, uint8 of shape (height, width, 3)."""
    frame = host.run(idle(frames), CapturePlan()).frame
    assert frame is not None
    return frame.rgb()


def marks(rgb: NDArray[np.uint8]) -> list[tuple[int, ...]]:
    """Colors at the top, and from left to right in the middle of the lowest eighth."""
    height, width = rgb.shape[:2]
    places = [(height // 8, width // 2)]
    places += [(height * 7 // 8, width * part // 8) for part in (1, 3, 5, 7)]
    return [tuple(int(value) for value in rgb[place]) for place in places]


def expected(frame: int) -> list[tuple[int, ...]]:
    """The marks of a frame by the rules of gltoy."""
    return [BLUE, GREEN, WHITE, (frame * 8 % 256, 0, 0), YELLOW]


@pytest.mark.parametrize(
    "keys",
    [
        {"type": 1, "major": 0, "minor": 0},
        {"type": 2, "major": 0, "minor": 0},
        {"type": 3},
        {"type": 4, "major": 0, "minor": 0},
        {"type": 5, "major": 3, "minor": 1},
        {"bottom": 0},
    ],
    ids=["compatible", "es2", "core", "es3", "es3.1", "from-the-top"],
)
def test_each_kind_of_context_draws_the_picture(
    inprocess: InProcessHost, request_gl: GlRequest, keys: dict[str, int]
) -> None:
    inprocess.load(request_gl(**keys))
    rgb = shown(inprocess, 3)
    assert rgb.shape == (48, 64, 3)
    assert marks(rgb) == expected(3)
    assert list(inprocess.read_ram()[[4, 5, 11]]) == [1, 0, 0]


def test_inputs_are_told_in_the_core_s_words(core_host: CoreHost, request_gl: GlRequest) -> None:
    inputs = core_host.load(request_gl()).inputs
    assert len(inputs) == 11
    assert inputs[4:6] == (InputName(0, 1, 0, 0, "Jump"), InputName(0, 1, 0, 8, "Fire / Use"))
    assert inputs[9:] == (InputName(0, 5, 0, 0, "Steer"), InputName(1, 1, 0, 8, "Join"))


def test_without_depth_and_stencil_nothing_is_hidden(
    inprocess: InProcessHost, request_gl: GlRequest
) -> None:
    inprocess.load(request_gl(depth=0, stencil=0))
    assert marks(shown(inprocess, 1)) == [YELLOW, WHITE, WHITE, YELLOW, YELLOW]


@pytest.mark.parametrize("key", ["resize_at", "grow_at"])
def test_sizes_that_change(inprocess: InProcessHost, request_gl: GlRequest, key: str) -> None:
    inprocess.load(request_gl(**{key: 4}))
    assert shown(inprocess, 3).shape == (48, 64, 3)
    larger = shown(inprocess, 1)
    assert larger.shape == (80, 96, 3)
    assert marks(larger) == expected(4)


def test_duplicates_show_the_picture_before_them(
    inprocess: InProcessHost, request_gl: GlRequest
) -> None:
    """A picture that no frame wanted is read when the frame after it does."""
    inprocess.load(request_gl(dupe_every=2))
    assert marks(shown(inprocess, 4)) == expected(3)
    result = inprocess.run(idle(4), CapturePlan(picture=False, picture_every=1))
    assert [marks(frame.rgb()) for frame in result.pictures] == [expected(n) for n in (5, 5, 7, 7)]
    assert [frame.duplicate for frame in result.pictures] == [False, True, False, True]


def test_prepared_runs_see_the_same(inprocess: InProcessHost, request_gl: GlRequest) -> None:
    inprocess.load(request_gl(dupe_every=5))
    view = View(0, 0, 64, 48)
    stepper = inprocess.stepper(ports=1, ranges=(), view=view)
    pixels = np.zeros(view.shape, np.uint8)
    seen = []
    for _ in range(5):
        stepper.run(pixels)
        seen.append(marks(pixels))
    assert seen == [expected(n) for n in (1, 2, 3, 4, 4)]


def test_reading_leaves_the_core_its_buffers(
    inprocess: InProcessHost, request_gl: GlRequest
) -> None:
    inprocess.load(request_gl(pack=1))
    assert [marks(shown(inprocess, 1)) for _ in range(3)] == [expected(n) for n in (1, 2, 3)]
    assert inprocess.read_ram()[11] == 0


def test_opengl_answers_in_states_and_resets(core_host: CoreHost, request_gl: GlRequest) -> None:
    core_host.load(request_gl())
    shown(core_host, 3)
    state = core_host.serialize()
    shown(core_host, 5)
    core_host.unserialize(state)
    core_host.reset()
    assert list(core_host.read_ram()[[6, 7]]) == [1, 1]
    assert marks(shown(core_host, 1)) == expected(4)


def test_a_core_loses_its_context(inprocess: InProcessHost, request_gl: GlRequest) -> None:
    """Another context has nothing of the first one; the core is told of the end and the start."""
    inprocess.load(request_gl(again_at=3, again_minor=3))
    assert marks(shown(inprocess, 2)) == expected(2)
    assert marks(shown(inprocess, 3)) == expected(5)
    assert list(inprocess.read_ram()[[4, 5]]) == [2, 1]


def test_the_same_context_is_kept(inprocess: InProcessHost, request_gl: GlRequest) -> None:
    inprocess.load(request_gl(again_at=3))
    assert marks(shown(inprocess, 3)) == expected(3)
    assert list(inprocess.read_ram()[[4, 5]]) == [1, 0]


def test_a_core_that_is_reloaded_draws_again(
    inprocess: InProcessHost, request_gl: GlRequest
) -> None:
    inprocess.load(request_gl(request_reload_on_restore=True))
    for _ in range(3):
        shown(inprocess, 4)
        inprocess.reset()
        assert marks(shown(inprocess, 2)) == expected(2)


def test_many_cores_in_one_thread_and_in_several(request_gl: GlRequest) -> None:
    hosts = [DoubledHost() for _ in range(2)]
    seen: list[tuple[int, list[tuple[int, ...]]]] = []
    try:
        for host in hosts:
            host.load(request_gl())
        for frame in (1, 2):
            assert [marks(shown(host, 1)) for host in hosts] == [expected(frame)] * 2
        elsewhere = threading.Thread(target=lambda: seen.append((3, marks(shown(hosts[0], 1)))))
        elsewhere.start()
        elsewhere.join()
        assert seen == [(3, expected(3))]
        assert marks(shown(hosts[0], 1)) == expected(4)
    finally:
        for host in hosts:
            host.close()


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"type": 6}, r"Vulkan, but this host has OpenGL alone; a software renderer"),
        ({"type": 99}, r"a graphics card of kind 99, but"),
        ({"major": 9}, r"OpenGL core, but the driver makes no such context \(EGL error 0x3009\)"),
    ],
)
def test_bad_requests_are_refused_plainly(
    inprocess: InProcessHost, request_gl: GlRequest, keys: dict[str, int], words: str
) -> None:
    with pytest.raises(UnsupportedCoreError, match=words):
        inprocess.load(request_gl(**keys))
    inprocess.load(request_gl(**keys, soft=1))
    assert inprocess.run(idle(1), CapturePlan()).frame is None
    assert inprocess.read_ram()[10] == 1


def test_a_size_beyond_the_limits_is_refused(
    inprocess: InProcessHost, request_gl: GlRequest
) -> None:
    small = CoreLimits(picture_pixels=64 * 40)
    with pytest.raises(CoreAnnouncementError, match="pictures of up to 64 x 48 pixels"):
        inprocess.load(request_gl(request_limits=small))
    inprocess.load(request_gl())
    assert marks(shown(inprocess, 1)) == expected(1)


def test_an_exception_in_a_new_context(inprocess: InProcessHost, request_gl: GlRequest) -> None:
    with pytest.raises(CoreThrewError, match="gltoy is out of sorts"):
        inprocess.load(request_gl(throws=1))


def test_without_egl_the_packages_are_named(
    remote: MakeRemote, request_gl: GlRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "libEGL.so.1").write_text("no library")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    with pytest.raises(UnsupportedCoreError, match=r"no EGL .*libegl1 and libgl1-mesa-dri"):
        remote().load(request_gl())


def test_without_a_driver_the_package_is_named(
    remote: MakeRemote, request_gl: GlRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("__EGL_VENDOR_LIBRARY_DIRS", str(tmp_path))
    with pytest.raises(UnsupportedCoreError, match=r"nothing to draw with.*libgl1-mesa-dri"):
        remote().load(request_gl())


REAL = {
    "parallel_n64": ("n64/proof.z64", {"parallel-n64-gfxplugin": "glide64"}, (640, 480)),
    "melonds": ("nds/proof.nds", {"melonds_opengl_renderer": "enabled"}, (1024, 1536)),
}


@pytest.mark.parametrize("name", REAL)
def test_real_cores_draw_and_restore(remote: MakeRemote, name: str, tmp_path: Path) -> None:
    content, options, size = REAL[name]
    folder = wheel_core_dir()
    assert folder is not None
    limits = CoreLimits(1 << 24, 64 << 20, address_space_bytes=32 << 30)
    host = remote()
    request = LoadRequest(
        core=folder / f"{name}_libretro.so",
        content=PROOFS / content,
        options=options,
        save_dir=tmp_path,
        limits=limits,
    )
    host.load(request)
    host.run(idle(20), CapturePlan(picture=False))
    host.reset()
    host.run(idle(20), CapturePlan(picture=False))
    state = host.serialize()
    first = _play_on(host)
    assert (first[0].width, first[0].height) == size
    assert first[0].rgb().any()
    host.unserialize(state)
    second = _play_on(host)
    assert np.array_equal(first[0].pixels, second[0].pixels)
    assert np.array_equal(first[1], second[1])


def _play_on(host: CoreHost) -> tuple[Frame, NDArray[np.uint8]]:
    frame = host.run(idle(12), CapturePlan()).frame
    assert frame is not None
    return frame, host.read_ram()
