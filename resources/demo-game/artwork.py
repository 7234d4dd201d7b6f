"""Owns the picture data of Ember Moth: draws every tile and both screens, and writes them for ca65.

Usage: python3 artwork.py OUTPUT_FOLDER

Writes tiles.chr (8 KiB: background tiles, then sprite tiles), title.nam and game.nam (1 KiB each:
960 tile numbers, then 64 attribute bytes) and tiles.inc (the names of tiles the program needs).
Everything is drawn from the text below, so the same text always gives the same bytes.
Only the standard library is used, because the game must build wherever Python and ca65 are."""

import sys
from pathlib import Path

WIDTH, HEIGHT = 256, 240

# --- the font: 5x7 strokes, drawn two pixels thick ---------------------------------------------

STROKES = {
    "A": "01110 10001 10001 11111 10001 10001 10001",
    "B": "11110 10001 10001 11110 10001 10001 11110",
    "C": "01111 10000 10000 10000 10000 10000 01111",
    "D": "11110 10001 10001 10001 10001 10001 11110",
    "E": "11111 10000 10000 11110 10000 10000 11111",
    "F": "11111 10000 10000 11110 10000 10000 10000",
    "G": "01111 10000 10000 10011 10001 10001 01111",
    "H": "10001 10001 10001 11111 10001 10001 10001",
    "I": "01110 00100 00100 00100 00100 00100 01110",
    "K": "10001 10010 10100 11000 10100 10010 10001",
    "L": "10000 10000 10000 10000 10000 10000 11111",
    "O": "01110 10001 10001 10001 10001 10001 01110",
    "P": "11110 10001 10001 11110 10000 10000 10000",
    "R": "11110 10001 10001 11110 10100 10010 10001",
    "S": "01111 10000 10000 01110 00001 00001 11110",
    "T": "11111 00100 00100 00100 00100 00100 00100",
    "U": "10001 10001 10001 10001 10001 10001 01110",
    "V": "10001 10001 10001 10001 01010 01010 00100",
    "X": "10001 01010 00100 00100 00100 01010 10001",
    "Y": "10001 10001 01010 00100 00100 00100 00100",
    "0": "01110 10001 10011 10101 11001 10001 01110",
    "1": "00100 01100 00100 00100 00100 00100 01110",
    "2": "01110 10001 00001 00110 01000 10000 11111",
    "3": "11110 00001 00001 01110 00001 00001 11110",
    "4": "00010 00110 01010 10010 11111 00010 00010",
    "5": "11111 10000 11110 00001 00001 10001 01110",
    "6": "01110 10000 10000 11110 10001 10001 01110",
    "7": "11111 00001 00010 00100 01000 01000 01000",
    "8": "01110 10001 10001 01110 10001 10001 01110",
    "9": "01110 10001 10001 01111 00001 00001 01110",
    "-": "00000 00000 00000 01110 00000 00000 00000",
    "!": "00100 00100 00100 00100 00100 00000 00100",
}
# Letters whose diagonals would close up when thickened are drawn seven pixels wide as they are.
WIDE = {
    "M": "1100011 1110111 1111111 1101011 1100011 1100011 1100011",
    "N": "1100011 1110011 1111011 1101111 1100111 1100011 1100011",
    "W": "1100011 1100011 1100011 1101011 1111111 1110111 1100011",
}

# --- the logo: letters of 11x11 blocks, doubled to 24x24 pixels with their shadow -----------------

LOGO = {
    "E": """
###########
###########
###.....###
###........
########...
########...
########...
###........
###.....###
###########
###########""",
    "M": """
###.....###
####...####
#####.#####
###########
###########
###.###.###
###..#..###
###.....###
###.....###
###.....###
###.....###""",
    "B": """
#########..
##########.
###....####
###.....###
###....###.
#########..
###....###.
###.....###
###....####
##########.
#########..""",
    "R": """
#########..
##########.
###....####
###.....###
###....####
##########.
########...
###.####...
###..####..
###...####.
###....####""",
    "O": """
..#######..
.#########.
####...####
###.....###
###.....###
###.....###
###.....###
###.....###
####...####
.#########.
..#######..""",
    "T": """
###########
###########
###########
....###....
....###....
....###....
....###....
....###....
....###....
....###....
....###....""",
    "H": """
###.....###
###.....###
###.....###
###.....###
###########
###########
###########
###.....###
###.....###
###.....###
###.....###""",
}

# --- sprites: '.' is transparent, 1 2 3 are colors ---------------------------------------------

SPRITES = {
    # The left half of the moth; the right half is the same tiles mirrored.
    "MOTH_OPEN": """
......1.
1......1
221....1
2332...1
23332..1
233332.3
.2333323
.2133332
..213323
..122221
.1222221
.1233221
.1233211
..1221.1
...11..1
........""",
    "MOTH_FOLD": """
......1.
.......1
.......1
....22.1
...2332.
...23323
..233323
..213322
..213323
...12221
..122221
..123221
..123211
...1211.
....1..1
........""",
    # The left half of a bat, wings up and wings down.
    "BAT_UP": """
1.......
22....1.
2221..11
.2222.12
.2222233
..222222
...2..22
.......1""",
    "BAT_DOWN": """
........
......1.
......11
..222.12
.2222233
22222222
22.2..22
1......1""",
    "EMBER_A": """
........
...1....
..121...
.12321..
..12321.
...121..
....1...
........""",
    "EMBER_B": """
........
........
...11...
..1221..
..1231..
...11...
........
........""",
    "SPARK_A": """
...3....
...3....
..323...
33212333
..323...
...3....
...3....
........""",
    "SPARK_B": """
2.....2.
.3...3..
..2.2...
........
..2.2...
.3...3..
2.....2.
........""",
    "FLARE": """
........
...2....
...3....
.23332..
...3....
...2....
........
........""",
}

# --- the camp fire: two pictures of 32x32 pixels, colors of the fire palette ------------------

FLAME = {
    0: """
................
.......1........
.......11.......
......111.......
......1211......
.....11211..1...
..1..12221.11...
..11.122211121..
..121122322121..
..122122332211..
..112233332221..
...12233332221..
...11223332211..
..1111222221111.
.111111111111111
..111......1111.""",
    1: """
........1.......
................
.........1......
........11......
.......1211.....
..1....1221.....
.....1112211....
...11.122211.1..
..1211223211121.
..1221233221221.
..1222233322211.
...122333322211.
...112233322211.
..1111222221111.
.111111111111111
..111......1111.""",
}

BAYER = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))
STARS = (
    (20, 46, 3), (52, 62, 2), (77, 44, 2), (96, 75, 3), (35, 91, 2), (12, 112, 3), (60, 103, 2),
    (121, 50, 3), (150, 68, 2), (171, 44, 2), (238, 50, 3), (181, 92, 3), (244, 100, 2),
    (228, 110, 2), (139, 95, 2), (110, 88, 2), (158, 86, 2), (84, 60, 2), (20, 76, 2), (196, 110, 2),
)
# Pines of each layer: (middle, top, half width of the lowest branches).
NEAR_PINES = ((6, 150, 15), (34, 166, 12), (58, 158, 13))
FAR_PINES = ((16, 150, 9), (30, 142, 11), (47, 152, 8), (62, 144, 10))

Image = list[bytearray]


def in_pine(x: int, y: int, middle: int, top: int, spread: int) -> bool:
    """Say whether a pixel lies in a pine: a cone with a saw-tooth edge."""
    below = y - top
    if below < 0:
        return False
    reach = min(spread, below // 4 + 1 + (below % 8) // 2)
    return abs(x - middle) <= reach


def sky_color(x: int, y: int) -> int:
    """Return the sky: black, night blue, and below row 16 dusk in two steps, with dither between."""
    if y < 32:
        return 0
    if y < 40:
        return 1 if BAYER[y % 4][x % 4] < (y - 31) * 2 else 0
    start = 128
    for low, high, color in ((start, start + 16, 1), (start + 24, start + 40, 2)):
        if y < low:
            return color
        if y < high:
            return color + (BAYER[y % 4][x % 4] < (y - low + 1))
    return 3


def land_color(x: int, y: int, color: int) -> int:
    """Put the two rows of pines, the ground and the mound of the fire over the sky."""
    if y >= 200 or y >= 172 + max(0, abs(x - 128) - 18) ** 2 // 12:
        return 0
    period = x % 64
    for pines, ground, ink in ((FAR_PINES, 184, 1), (NEAR_PINES, 190, 0)):
        hit = any(
            in_pine(period + wrap, y, *pine) for pine in pines for wrap in (-64, 0, 64)
        )
        if hit or y >= ground:
            color = ink
    return color


def grass(image: Image) -> None:
    """Draw blades on the ground, in the second color of whatever palette is there."""
    for x in range(WIDTH):
        height = (x % 32 * 7 + x % 32 // 3 * 5) % 16
        if height < 5 and x % 2:
            for y in range(207 - height, 208):
                image[y][x] = 1 if height < 3 else 2
    for x in range(4, WIDTH, 32):
        for step, y in enumerate((214, 213, 214)):
            image[y][x + step * 2] = 1


def moon(image: Image, left: int, top: int) -> None:
    """Draw a moon of 32x32 pixels with shadow on one side and three craters."""
    craters = ((11, 11, 4), (20, 19, 5), (10, 22, 3))
    for y in range(32):
        for x in range(32):
            if (x - 15.5) ** 2 + (y - 15.5) ** 2 > 15.5**2:
                continue
            shade = (x - 11) ** 2 + (y - 11) ** 2 > 17.5**2
            crater = any((x - a) ** 2 + (y - b) ** 2 < r * r for a, b, r in craters)
            image[top + y][left + x] = 2 if shade or crater else 3


def logo(image: Image, word: str, left: int, top: int) -> None:
    """Draw a word in doubled blocks: pale above, amber below, with a black shadow."""
    for number, letter in enumerate(word):
        rows = LOGO[letter].split()
        cells = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"]
        for shift in (2, 0):
            for cell_x, cell_y in cells:
                for k in range(4):
                    x = cell_x * 2 + shift + k % 2
                    y = cell_y * 2 + shift + k // 2
                    ink = 3 if y < 9 or (y < 13 and (x + y) % 2) else 2
                    image[top + y][left + number * 24 + x] = 0 if shift else ink


def flame_color(number: int, x: int, y: int) -> int:
    """Return a pixel of a flame picture (each cell is doubled)."""
    mark = FLAME[number].split()[y // 2][x // 2]
    return 0 if mark == "." else int(mark)


def glyph(letter: str, paper: int) -> bytes:
    """Draw a character; digits in color 3, all others in color 2, on a paper color."""
    ink = 3 if letter.isdigit() else 2
    pixels = [[paper] * 8 for _ in range(8)]
    wide = letter in WIDE
    rows = (WIDE if wide else STROKES).get(letter, " ".join(["00000"] * 7)).split()
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark == "1":
                pixels[y][x] = ink
                if not wide:
                    pixels[y][x + 1] = ink
    return pack(pixels)


def pack(pixels: list[list[int]]) -> bytes:
    """Pack 8x8 colors into the 16 bytes of a tile: eight low bits, then eight high bits."""
    planes = []
    for bit in (0, 1):
        for row in pixels:
            planes.append(sum(((color >> bit) & 1) << (7 - x) for x, color in enumerate(row)))
    return bytes(planes)


class TileSet:
    """The 256 background tiles: characters at fixed places, pictures in the places left."""

    def __init__(self) -> None:
        self.tiles: dict[int, bytes] = {}
        self.numbers: dict[bytes, int] = {}
        for base, paper in ((0x00, 0), (0x80, 1)):
            for code in range(0x20, 0x60):
                letter = chr(code)
                if letter in STROKES or letter in WIDE or letter == " ":
                    self.put(base + code, glyph(letter, paper))
        self.free = [n for n in range(256) if n not in self.tiles]

    def put(self, number: int, tile: bytes) -> None:
        self.tiles[number] = tile
        self.numbers.setdefault(tile, number)

    def number(self, tile: bytes) -> int:
        if tile not in self.numbers:
            if not self.free:
                sys.exit("artwork.py: more than 256 background tiles: draw something simpler")
            self.put(self.free.pop(0), tile)
        return self.numbers[tile]

    def cut(self, image: Image) -> list[int]:
        """Cut a screen into 32x30 tile numbers."""
        return [
            self.number(pack([list(image[row * 8 + y][col * 8 : col * 8 + 8]) for y in range(8)]))
            for row in range(HEIGHT // 8)
            for col in range(WIDTH // 8)
        ]

    def data(self) -> bytes:
        return b"".join(self.tiles.get(n, bytes(16)) for n in range(256))


def scene(title: bool) -> Image:
    """Draw a screen without its text."""
    image = [
        bytearray(land_color(x, y, sky_color(x, y)) for x in range(WIDTH))
        for y in range(HEIGHT)
    ]
    for x, y, color in STARS:
        if not (title and 56 <= y < 112 and 40 <= x < 216):
            image[y][x] = color
            if color == 3:
                image[y][x + 1] = image[y + 1][x] = image[y][x - 1] = image[y - 1][x] = 2
                image[y][x] = 3
    grass(image)
    for y in range(32):
        for x in range(32):
            image[176 + y][112 + x] = flame_color(0, x, y)
    if title:
        logo(image, "EMBER", 68, 48)
        logo(image, "MOTH", 80, 76)
    else:
        moon(image, 192, 48)
    return image


def attributes(title: bool) -> bytes:
    """Choose a palette for each square of 16x16 pixels: 0 stars, 1 text, 2 dusk, 3 fire."""
    squares = [[0] * 16 for _ in range(16)]
    for row in range(15):
        for col in range(16):
            palette = 0 if row >= 2 else 1
            if row >= 8:
                palette = 2
            if row in (11, 12) and 5 <= col <= 10:
                palette = 3 if 7 <= col <= 8 or row == 12 else 2
            if row == 7 and 4 <= col <= 11:
                palette = 1  # the message line
            if row == 13:
                palette = 1  # the text on the ground
            if title and 3 <= row <= 6 and 4 <= col <= 11:
                palette = 1
            if not title and row in (3, 4) and col in (12, 13):
                palette = 1
            squares[row][col] = palette
    return bytes(
        squares[r][c] | squares[r][c + 1] << 2 | squares[r + 1][c] << 4 | squares[r + 1][c + 1] << 6
        for r in range(0, 16, 2)
        for c in range(0, 16, 2)
    )


def write_text(tiles: list[int], col: int, row: int, text: str) -> None:
    for number, letter in enumerate(text):
        tiles[row * 32 + col + number] = ord(letter)


def sprite_data() -> tuple[bytes, list[str]]:
    """Pack the sprites, two tiles for a tall one, and name their first tiles."""
    data, names = bytearray(16), []
    for name, art in SPRITES.items():
        rows = [[0 if mark == "." else int(mark) for mark in row] for row in art.split()]
        names.append(f"SPR_{name} = ${len(data) // 16:02X}")
        for top in range(0, len(rows), 8):
            data += pack(rows[top : top + 8])
    return bytes(data.ljust(4096, b"\0")), names


def main() -> None:
    folder = Path(sys.argv[1])
    tile_set = TileSet()
    flames = []
    for number in (0, 1):
        flames.append(
            [
                tile_set.number(
                    pack([[flame_color(number, c * 8 + x, r * 8 + y) for x in range(8)] for y in range(8)])
                )
                for r in range(3)
                for c in range(4)
            ]
        )
    for name, title in (("title", True), ("game", False)):
        tiles = tile_set.cut(scene(title))
        for col, label in ((2, "SCORE"), (9, "HI"), (17, "LV"), (20, "TIME"), (25, "LIVES")):
            write_text(tiles, col, 2, label)
        if title:
            write_text(tiles, 3, 27, "CONTROL PAD FLY    A DASH")
        else:
            write_text(tiles, 3, 27, "CATCH")
        (folder / f"{name}.nam").write_bytes(bytes(tiles) + attributes(title))
    sprites, names = sprite_data()
    (folder / "tiles.chr").write_bytes(tile_set.data() + sprites)
    lines = ["; Written by artwork.py: sprite tile numbers, and the two pictures of the fire.", *names]
    for number, flame in enumerate(flames):
        lines.append(f".define FLAME_{number} " + ", ".join(f"${n:02X}" for n in flame))
    (folder / "tiles.inc").write_text("\n".join(lines) + "\n")
    print(f"{256 - len(tile_set.free)} of 256 background tiles used")


if __name__ == "__main__":
    main()
