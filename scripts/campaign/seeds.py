"""The sound files that mutations begin with: small, made by code, of every kind that is read."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any, Final

from integrator import paths
from integrator.domain.integration.naming import system_of

BUTTONS: Final = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A")
"""Buttons of the Nes, whose movies all seeds are."""

DATA: Final[tuple[Any, ...]] = (
    {
        "info": {
            "score": {"address": 770, "type": "<u2"},
            "lives": {"address": 16712282, "type": ">i2", "mask": -113},
            "time": {"address": 5, "type": "|d1"},
        }
    },
    {"info": {"x": {"address": 0, "type": "<>u4"}, "y": {"address": 8, "type": "=n4"}}, "note": 1},
    {"info": {}},
)
SCENARIO: Final[tuple[Any, ...]] = (
    {
        "done": {
            "condition": "any",
            "variables": {"lives": {"op": "zero"}},
            "nodes": {
                "n": {
                    "condition": "all",
                    "variables": {"time": {"op": "equal", "reference": 3}},
                }
            },
        },
        "rewards": [
            {"variables": {"score": {"reward": 0.1, "penalty": 2}}, "time": {"reward": -0.5}},
            {"script": "lua:f"},
        ],
        "actions": [[[], ["A"]], [[], ["START"], ["A", "B"]]],
        "crop": [0, 0, 10, 0],
        "scripts": ["s.lua"],
    },
    {
        "done": {"variables": {"lives": {"op": "equal", "reference": 0, "measurement": "delta"}}},
        "reward": {"variables": {"score": {"reward": 1.0}}, "time": {"penalty": 0.01}},
        "crop": [[0, 0, 4, 4], [1, 1, 0, 0]],
    },
    {"reward": {"script": "f"}, "done": {"script": "lua:g"}, "scripts": ["s.lua"]},
)
METADATA: Final[tuple[Any, ...]] = (
    {
        "default_state": "Level1",
        "default_player_state": ["a", "b"],
        "original_rom_name": "game.nes",
        "states": {"Level1": {"tags": ["stuck"], "runs": [{"rewards": {"mean": 1.5}}]}},
        "whitelist": {},
    },
    {"default_state": None},
)
CHEATS: Final[tuple[Any, ...]] = (
    {
        "cheats": [
            {"name": "lives", "variable": "lives", "value": 9, "enabled": True},
            {"name": "raw", "address": 12, "type": ">u2", "value": 9, "enabled": False},
        ]
    },
)
WATCHES: Final[tuple[Any, ...]] = (
    {
        "format": "integrator-watches",
        "version": 1,
        "watches": [
            {"address": 12, "type": "|u1", "name": "x", "note": "left", "color": "red"},
            {"address": 14, "type": ">u2", "name": "", "note": ""},
        ],
    },
)
GAME_FILES: Final[tuple[Any, ...]] = (
    {"games": {"Fuzz-Toy": {"toycore": {"toycore_speed": "fast"}}}},
    {"games": {"Fuzz-Toy": ["0x0-0xFF", "0x200+0x100"], "Other-Nes": []}},
)
SCRIPTS: Final = (
    """
data.best = 0
local seen = {}
function f()
  if data.score > data.best then data.best = data.score end
  for i = 1, 10 do seen[i] = string.format("%d-%s", i, tostring(data.lives)) end
  table.sort(seen)
  return data.best / 3 + #table.concat(seen) + scenario.frame
end
function g() return data[5] == 1 or scenario.timestep > 9 end
""",
    """
local c = coroutine.create(function() while true do coroutine.yield(1) end end)
function f() local ok, v = pcall(coroutine.resume, c) return ok and 1 or 0 end
function g() return ("x"):rep(10):find("x+$") ~= nil end
setmetatable(_G, {__index = function(t, k) return 0 end})
""",
)
RETRO_LOG: Final = (
    (
        "[Input]\nLogKey:#Reset|Power|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Start|"
        "P1 Select|P1 B|P1 A|\n"
        "|..|........|\n|..|U......A|\n|r.|...R....|\n[/Input]\n"
    ),
    (
        "[Input]\nP1 A|P1 RIGHT|P1 LEFT|P1 DOWN|P1 UP|P1 START|P1 SELECT|P1 B|\n"
        "|..|.........|\n|..|A.......B|\n|..|.R.......|\n[/Input]"
    ),
    "[Input]\nP1 A|P2 A|\n|..|.........|.........|\n|..|A........|........B|\n[/Input]",
)
HEADERS: Final = (
    "MovieVersion Retro 2.0.0\nPlatform NES\nGameName Fuzz-Nes\n",
    "MovieVersion BizHawk v2.0.0\nAuthor x\nPlatform NES\nGameName Some Game\nCore NesHawk\n",
)
FM2: Final = (
    (
        "version 3\nemuVersion 20604\nrerecordCount 0\nromFilename game\nfourscore 0\nport0 1\n"
        "port1 0\nport2 0\n|0|........|||\n|1|R......A|||\n|2|........|||\n"
    ),
    "version 3\nfourscore 1\nromFilename x\n|0|........|........|........|........||\n",
)
SETTINGS: Final = (
    (
        "[view]\ntheme=dark\nworkspace=find\nbuttons=true\ngeometry=@ByteArray(\\x1\\xd9\\xd0)\n"
        '[files]\nrecent=/a/b.nes, "/c d/e"\n[folders]\nmovies=/tmp\n[layout-2]\n'
        "play=@ByteArray(abc)\n"
        "[bindings]\n"
        'Nes-1="{\\"A\\": {\\"key\\": \\"Q\\", \\"pad\\": \\"a\\", \\"turbo\\": true}}"\n'
        "[list]\nv=@Variant(\\0\\0\\0\\t\\0\\0\\0\\x1\\0\\0\\0\\n\\0\\0\\0\\x2\\0x)\n"
    ),
)
SHA: Final = ("da39a3ee5e6b4b0d3255bfef95601890afd80709\n", "0123456789abcdef " * 3, "A" * 40)


def sha_text(_: object = None) -> str:
    """A rom.sha of one hash."""
    return SHA[0]


def search() -> Any:
    """A saved search of a memory of 256 bytes at 0x100, narrowed once."""
    memory = base64.b64encode(zlib.compress(bytes(range(256)), 1)).decode()
    counts = base64.b64encode(zlib.compress(bytes(1024), 1)).decode()
    return {
        "format": "integrator-search",
        "version": 1,
        "name": "score",
        "types": ["|u1", ">u2"],
        "scales": True,
        "alignment": 1,
        "regions": [[256, 256]],
        "history": [
            {"op": "equal", "value": 3, "against": "value", "count": 2},
            {"op": "in-range", "value": [1, 3], "against": "value", "count": 2},
            {"op": "changed", "value": None, "against": "previous", "count": 2},
        ],
        "candidates": [
            {"type": "|u1", "scales": [[1, 1, 0], [10, 1, 0]], "runs": [[256, 300], [310, 310]]},
            {"type": ">u2", "scales": [[1, 1, 0]], "runs": [[256, 400]]},
        ],
        "memory": {"first": memory, "previous": memory, "snapshot": None, "changes": counts},
    }


def search_bombs() -> list[str]:
    """Texts for a search's memory that mislead about their size, one of them of 200 MB."""
    packed = (zlib.compress(bytes(n), 1) for n in (0, 255, 257, 200 << 20))
    texts = [base64.b64encode(data).decode() for data in packed]
    return [*texts, "", "=", "AAAA", "é", base64.b64encode(b"x\x9c\xff").decode()]


def journal_header(game: Path) -> dict[str, Any]:
    """The header of a journal of play."""
    place = str(game)
    return {
        "game": place,
        "directory": place,
        "system": system_of(game.name),
        "core": "toycore 1",
        "core_path": "",
        "players": 1,
        "columns": 1,
        "fps": 60.0,
        "state": None,
        "scenario": None,
    }


def journal_records(state: bytes) -> list[tuple[int, Any, bytes]]:
    """Kind, values and data of the records of a short play."""
    standing = {"episode_frame": 0, "totals": []}
    rows = struct.pack("<6H", 0, 1, 2, 3, 0, 256)
    return [
        (1, {"kind": "episode", "label": "", **standing}, zlib.compress(state, 1)),
        (0, {}, rows),
        (1, {"kind": "state", "episode_frame": 6, "totals": [0.0]}, zlib.compress(state, 1)),
        (0, {}, rows),
        (3, {"frame": 4, "keep": True, "name": "branch 1"}, b""),
        (0, {}, rows),
        (4, {"name": "branch 1", "swap": False}, b""),
        (0, {}, rows[:4]),
    ]


def draft(directory: Path) -> Any:
    """A draft of edits of the integration ``directory``."""
    data, script = json.dumps(DATA[0]), SCRIPTS[0]
    return {
        "format": 1,
        "directory": str(directory),
        "files": {
            "data.json": {"text": data, "base": None},
            "new.json": {"text": '{"reward": {}}', "base": None},
            "s.lua": {"text": script, "base": None},
            "gone.lua": {"text": None, "base": "00"},
        },
    }


def roms() -> list[tuple[str, bytes]]:
    """Name and first bytes of a game of each console that our own proof ROMs cover."""
    folder = paths.shipped("resources") / "proof-roms"
    found = [
        (path.name, path.read_bytes()[:0x8200])
        for path in sorted(folder.glob("*/proof.*"))
        if path.suffix not in {".s", ".cfg", ".json"}
    ]
    genesis = next(data for name, data in found if name.endswith(".md"))
    snes = next(data for name, data in found if name.endswith(".sfc"))
    return [
        *found,
        ("copied.smc", bytes(512) + snes),
        ("interleaved.smd", bytes(512) + genesis[1::2][:0x2000] + genesis[::2][:0x2000]),
        ("disc.cue", b'FILE "track.bin" BINARY\n  TRACK 01 MODE1/2352\n'),
    ]


def system() -> Any:
    """The descriptor of a console of a user's own."""
    value = json.loads((paths.shipped("cores") / "systems" / "Nes.json").read_text("utf-8"))
    return {**value, "system": "Own"}
