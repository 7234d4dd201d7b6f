"""InProcessHost: a core inside this process, driven through the compiled shim. libretro cores are
singletons, and so is the shim, so each copy of the shim supports one open host.
``libretro_host.remote`` protects from crashes; ``libretro_host.doubles`` has many cores at once."""

import contextlib
import os
import struct
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretro_host import capture, errors, host
from libretro_host.announced import AvCheck, check_info
from libretro_host.capture import last_line
from libretro_host.content_file import check_readable, named_for_cores, read_content
from libretro_host.errors import ContentError, CoreNotFoundError, HostError, StateError
from libretro_host.processes.kernel import limit_process
from libretro_host.shims import ORIGINAL, Shim, is_core_process, text
from libretro_host.stepper import Stepper
from libretro_host.subsystems import chosen_subsystem, padded, subsystems

_MARK = struct.Struct("<12si")
_WORD = b"disc-in-tray"


def disc_mark(disc: int) -> bytes:
    """Return the bytes that mark a state's disc (-1 - index: open tray); empty for disc 0."""
    return _MARK.pack(_WORD, disc) if disc else b""


def parted_state(state: bytes) -> tuple[bytes, int]:
    """Split a state into the core's own bytes and the disc at that moment."""
    word, disc = _MARK.unpack(state[-_MARK.size :].rjust(_MARK.size))
    return (state[: -_MARK.size], disc) if word == _WORD else (state, 0)


_CHIP_MARK = struct.Struct("<Q16s")


def without_chip(state: bytes) -> bytes:
    """Remove the cartridge's save chip, which the shim appends, since training's states lack it."""
    core, disc = parted_state(state)
    size, word = _CHIP_MARK.unpack(core[-_CHIP_MARK.size :].rjust(_CHIP_MARK.size))
    if word.rstrip(b"\0") != b"save-chip" or size > len(core) - _CHIP_MARK.size:
        return state
    return core[: -_CHIP_MARK.size - size] + disc_mark(disc)


def with_chip_of(state: bytes, moment: bytes) -> bytes:
    core = without_chip(parted_state(moment)[0])
    own, disc = parted_state(without_chip(state))
    return own + parted_state(moment)[0][len(core) :] + disc_mark(disc)


class CoreState:
    """A core's raw state in the memory that the core wrote it to, without a copy. A state may
    contain addresses inside the core's library, which differ each time the library is loaded. They
    are replaced by offsets, so that equal moments have equal states, but only when a state is
    compared, leaves the process or goes to another library, because the search is slow."""

    def __init__(self, raw: NDArray[np.uint8], disc: int, library: int = 0) -> None:
        self.raw, self.disc, self.library = raw, disc, library

    def hide_addresses(self) -> None:
        data = ORIGINAL.ffi.from_buffer("uint8_t[]", self.raw)
        ORIGINAL.lib.lh_hide_addresses(data, len(self.raw), self.library)
        self.library = 0

    def __bytes__(self) -> bytes:
        self.hide_addresses()
        return self.raw.tobytes() + disc_mark(self.disc)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CoreState) and bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __reduce__(self) -> tuple[Any, ...]:
        self.hide_addresses()
        return CoreState, (self.raw, self.disc)


class InProcessHost:
    """A CoreHost whose core lives in this process, so that a crash of the core ends the process."""

    def __init__(self, shim: Shim = ORIGINAL) -> None:
        self._shim, self._ffi, self._lib = shim, shim.ffi, shim.lib
        self._request: host.LoadRequest | None = None
        self._info: host.CoreInfo | None = None
        self._options: dict[str, str] = {}
        # Not memoryviews: Python 3.11 crashes when it collects one that cffi points into.
        self._content: tuple[bytes, ...] = ()
        self._av = AvCheck("", host.CoreLimits())
        # Reused for all states, since new pages would take longer than many cores need to save.
        self._scratch = np.zeros(0, np.uint8)

    def load(self, request: host.LoadRequest) -> host.CoreInfo:
        if self._request is not None:
            raise HostError(f"{self._request.core.name} is still open in this host: close it first")
        if not request.core.is_file():
            raise CoreNotFoundError(f"no core at {request.core}: install it or choose another file")
        for file in filter(None, request.files if request.subsystem else (request.content,)):
            check_readable(file)
        if is_core_process():
            limit_process(request.limits)
        self._begin(request, dict(request.options), ())
        try:
            self._info = self._describe(request)
        except HostError:
            self._unload()
            raise
        return self._info

    def _begin(
        self, request: host.LoadRequest, options: dict[str, str], content: tuple[bytes, ...]
    ) -> None:
        system_dir = request.system_dir or request.core.parent
        save_dir = self._ffi.NULL if request.save_dir is None else os.fsencode(request.save_dir)
        if request.save_dir is not None:
            # DeSmuME crashes when it saves a state and the folder is missing.
            with contextlib.suppress(OSError):
                request.save_dir.mkdir(parents=True, exist_ok=True)
        if self._lib.lh_prepare(os.fsencode(system_dir), save_dir) != self._lib.LH_OK:
            raise HostError(
                f"cannot load {request.core.name}: another core is open in this process, and "
                "libretro cores are singletons; close that one, or use a RemoteHost"
            )
        self._request, self._options, self._content = request, options, content
        try:
            self._open(request)
        except HostError:
            self._unload()
            raise

    def _open(self, request: host.LoadRequest) -> None:
        for key, value in self._options.items():
            self._check(self._lib.lh_set_option(key.encode(), value.encode()), "set an option")
        for address, size in request.windows:
            self._check(self._lib.lh_add_window(address, size), "choose memory")
        for axis in request.axes:
            plugged = self._ffi.new("lh_axis *", asdict(axis))
            self._check(self._lib.lh_add_axis(plugged), "plug in an axis")
        self._lib.lh_limit_picture(request.limits.picture_pixels)
        code = self._lib.lh_open(os.fsencode(request.core.resolve()))
        if code != self._lib.LH_OK:
            capture.raise_open_error(self._lib, code, request)
        system = self._ffi.new("lh_system_info *")
        self._lib.lh_system(system)
        library = text(system.library_name)
        if request.subsystem:
            chosen = chosen_subsystem(subsystems(self._shim), request, library)
            files, by_path = padded(chosen, request.files), [f.need_fullpath for f in chosen.files]
            for path, data, size in self._contents(tuple(zip(files, by_path, strict=True))):
                self._check(self._lib.lh_add_file(path, data, size), "take a file")
            code = self._lib.lh_load_subsystem(chosen.id, request.rambase)
        else:
            [(path, data, size)] = self._contents(((request.content, bool(system.need_fullpath)),))
            code = self._lib.lh_load_game(path, data, size, request.rambase)
        if code != self._lib.LH_OK or self._lib.lh_shutdown_requested():
            capture.raise_load_error(self._lib, code, request, library, self.log())
        for port, device in enumerate(request.port_devices):
            self._lib.lh_set_port_device(port, device)

    def _contents(
        self, wanted: tuple[tuple[Path | None, bool], ...]
    ) -> Iterator[tuple[Any, Any, int]]:
        """Yield path, data and size of each file; True marks a file that the core opens itself."""
        self._content = self._content or tuple(
            b"" if file is None or by_path else read_content(file) for file, by_path in wanted
        )
        for (file, by_path), content in zip(wanted, self._content, strict=True):
            path = self._ffi.NULL if file is None else os.fsencode(named_for_cores(file))
            no_data = file is None or by_path
            yield path, self._ffi.NULL if no_data else self._ffi.from_buffer(content), len(content)

    def _describe(self, request: host.LoadRequest) -> host.CoreInfo:
        system = self._ffi.new("lh_system_info *")
        self._lib.lh_system(system)
        self._av = AvCheck(text(system.library_name) or request.core.name, request.limits)
        info = host.CoreInfo(
            library_name=text(system.library_name),
            library_version=text(system.library_version),
            valid_extensions=tuple(filter(None, text(system.valid_extensions).split("|"))),
            need_fullpath=bool(system.need_fullpath),
            av=self._av.usable(_av_info(self._shim)),
            regions=_regions(self._shim),
            state_bytes=self._lib.lh_serialize_size(),
            whole_ram_bytes=self._lib.lh_whole_ram_bytes(),
            inputs=tuple(
                host.InputName(one.port, one.device, one.index, one.id, text(one.text))
                for one in self._shim.listed("lh_input")
            ),
        )
        self._check(self._lib.lh_failure(), "describe itself")
        check_info(info, request.limits)
        nothing = not info.whole_ram_bytes and not info.state_bytes
        if nothing and info.library_name.startswith("FinalBurn Neo"):
            # FBNeo reports that it loaded a ROM set even when files are missing from it.
            raise ContentError(
                f"{request.content}: {info.library_name} found no playable game in it; the ROM set "
                "is incomplete or of another version, or the file is no ROM set: unpack it first"
                f"{last_line(self.log())}"
            )
        return info

    def stepper(self, **options: Any) -> Stepper:
        """Prepare a run of one frame for many repetitions, with the options of a Stepper."""
        request = self._loaded()
        return Stepper(self._shim, f"{request.content}: {request.core.name}", **options)

    @property
    def info(self) -> host.CoreInfo:
        if self._info is None:
            raise errors.HostClosedError("no core is loaded: call load() first")
        return replace(self._info, av=self._av.usable(_av_info(self._shim)))

    def run(self, inputs: NDArray[np.uint16], plan: host.CapturePlan) -> host.RunResult:
        request = self._loaded()
        masks = np.ascontiguousarray(inputs, dtype=np.uint16)
        if masks.ndim != 2 or masks.shape[1] > host.MAX_PORTS + len(request.axes):
            fits = f"(frames, up to {host.MAX_PORTS} ports)"
            raise HostError(f"inputs must be {fits}, not {masks.shape}")
        taken = capture.Capture(self._ffi, masks, plan, int(self._lib.lh_ram_bytes()))
        result = self._ffi.new("lh_result *")
        code = self._lib.lh_run(taken.plan, result)
        self._av.usable(_av_info(self._shim))
        out = self._ffi.new("char const * const **")
        arrived = [text(out[0][index]) for index in range(self._lib.lh_messages(out))]
        messages, self._av.unreported = (*self._av.unreported, *arrived), []
        if code == self._lib.LH_SHUTDOWN:
            asked = f"asked to be shut down after {result.frames} frames of the run"
            raise HostError(f"{request.content}: {request.core.name} {asked}")
        self._check(code, "run")
        return taken.result(result, messages)

    def reset(self) -> None:
        """Press the reset button; reopen the library first if the request asks for that."""
        if self._loaded().reload_on_restore:
            self._reload()
        self._check(self._lib.lh_reset(), "reset")

    def serialize(self) -> bytes:
        state = self.core_state(self._scratch)
        self._scratch = state.raw
        return bytes(state)

    def core_state(self, raw: NDArray[np.uint8] | None = None) -> CoreState:
        """Save a state into ``raw`` if its size fits, else into a new array. Raises StateError."""
        name, size = self._loaded().core.name, self._lib.lh_serialize_size()
        self._check(self._lib.lh_failure(), "save a state")
        if not size:
            raise StateError(f"{name} cannot save states")
        self._check_state_size(size)
        # Bytes that the core does not write must be the same each time, so they are zeroed.
        if raw is not None and len(raw) == size:
            raw.fill(0)
        else:
            raw = np.zeros(size, np.uint8)
        code = self._lib.lh_serialize(self._ffi.from_buffer("uint8_t[]", raw), size)
        if code == self._lib.LH_REFUSED:
            raise StateError(f"{name} refused to save a state of {size} bytes")
        self._check(code, "save a state")
        return CoreState(raw, self._lib.lh_disc(), self._lib.lh_library_base())

    def unserialize(self, state: bytes | CoreState, fresh: bool = True) -> None:
        """Restore a raw state in its own length, because sizes vary between core versions."""
        request = self._loaded()
        raw: bytes | NDArray[np.uint8]
        if isinstance(state, CoreState):
            if state.library != self._lib.lh_library_base():
                state.hide_addresses()
            raw, disc = state.raw, state.disc
        else:
            raw, disc = parted_state(state)
        self._check_state_size(len(raw))
        if request.reopens and fresh:
            self.reopen(request.reopen_frames)
        self._check(self._lib.lh_put_disc(disc), "change the disc")
        code = self._lib.lh_unserialize(self._ffi.from_buffer(raw), len(raw))
        if code == self._lib.LH_REFUSED:
            raise StateError(
                f"{request.core.name} refused a state of {len(raw)} bytes (its own have "
                f"{self._lib.lh_serialize_size()}); it was probably saved by another core or game"
            )
        self._check(code, "restore a state")

    def reopen(self, idle_frames: int | None) -> None:
        """Reopen library and content and run idle frames, so that no trace of play is left."""
        self._reload()
        if idle_frames:
            self.run(np.zeros((idle_frames, 1), np.uint16), host.CapturePlan(picture=False))

    def _reload(self) -> None:
        request, options, content, info = self._loaded(), self._options, self._content, self._info
        self._unload()
        self._begin(request, options, content)
        self._info = info
        if info is not None and _regions(self._shim) != info.regions:
            self._unload()
            raise HostError(f"{request.core.name} has another memory layout after reopening")

    def read_ram(self) -> NDArray[np.uint8]:
        self._loaded()
        ram = np.empty(self._lib.lh_ram_bytes(), dtype=np.uint8)
        self._check(self._lib.lh_read_ram(self._ffi.from_buffer("uint8_t[]", ram)), "read RAM")
        return ram

    def write_ram(self, offset: int, data: bytes) -> None:
        self._loaded()
        size = self._lib.lh_ram_bytes()
        if not 0 <= offset <= size - len(data):
            span = f"{len(data)} bytes at offset {offset}"
            raise errors.MemoryAccessError(f"{span} do not fit the {size} bytes of RAM")
        pointer = self._ffi.from_buffer("uint8_t[]", data)
        self._check(self._lib.lh_write_ram(offset, pointer, len(data)), "write RAM")

    def options(self) -> tuple[host.CoreOption, ...]:
        self._loaded()
        return tuple(
            host.CoreOption(
                key=text(option.key),
                title=text(option.title),
                values=tuple(text(option.values[i]) for i in range(option.value_count)),
                default=text(option.default_value),
                value=text(option.value),
                help=text(option.help),
            )
            for option in self._shim.listed("lh_option")
        )

    def set_option(self, key: str, value: str) -> None:
        name = self._loaded().core.name
        option = next((option for option in self.options() if option.key == key), None)
        if option is None:
            raise HostError(f"{name} has no option {key}")
        if option.values and value not in option.values:
            raise HostError(f"{name}: {key} cannot be {value!r}, only {', '.join(option.values)}")
        self._check(self._lib.lh_set_option(key.encode(), value.encode()), "set an option")
        self._options[key] = value

    def log(self) -> tuple[str, ...]:
        """Return the core's last log lines with levels, oldest first; ``load`` clears them."""
        lines = range(self._lib.lh_log_lines())
        return tuple(text(self._lib.lh_log_line(index)) for index in lines)

    def mirror_log(self, fd: int) -> None:
        """Also write each log line to a file descriptor at once, so that a crash cannot lose it."""
        self._lib.lh_log_mirror(fd)

    def close(self) -> None:
        """Unload content and core. Idempotent; leaves the core of another host alone."""
        self._unload()

    def _unload(self) -> None:
        if self._request is not None:
            self._request, self._info = None, None
            self._lib.lh_close()
            self._content = ()

    def _check(self, code: int, action: str) -> None:
        if code:
            name = self._request.core.name if self._request else "the core"
            capture.check(self._lib, code, action, name)

    def _check_state_size(self, size: int) -> None:
        request = self._loaded()
        if size > request.limits.state_bytes:
            raise StateError(
                f"{request.core.name}: a state of {size:,} bytes is more than the "
                f"{request.limits.state_bytes:,} that a game of its system can need"
            )

    def _loaded(self) -> host.LoadRequest:
        if self._request is None:
            raise errors.HostClosedError("no core is loaded: call load() first")
        return self._request


def _av_info(shim: Shim) -> host.AvInfo:
    av = shim.ffi.new("lh_av_info *")
    shim.lib.lh_av(av)
    sizes = av.base_width, av.base_height, av.max_width, av.max_height
    return host.AvInfo(*sizes, av.aspect_ratio, av.fps, av.sample_rate)


def _regions(shim: Shim) -> tuple[host.MemoryRegion, ...]:
    return tuple(
        host.MemoryRegion(region.address, region.size, text(region.name))
        for region in shim.listed("lh_region")
    )
