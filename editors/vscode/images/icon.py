#!/usr/bin/env python3
"""Draws the extension's icon: two nodes of a catalog and their dependency. Standard library only."""

import pathlib
import struct
import zlib

SIZE, SCALE = 128, 4
BACKGROUND, BOX, ARROW, MARK = (24, 28, 44), (255, 174, 26), (240, 242, 250), (74, 200, 140)


def inside(x, y):
    """Returns the color at a position, in units of the icon's size."""
    if rounded(x, y, 18, 20, 40, 34, 6) or rounded(x, y, 70, 74, 40, 34, 6):
        return BOX
    if rounded(x, y, 70, 20, 40, 34, 6):
        return MARK
    on_line = 36 <= y <= 39 and 58 <= x <= 70 or 88.5 <= x <= 91.5 and 54 <= y <= 68
    on_head = 64 <= x <= 71 and abs(y - 37.5) <= (71 - x) * 0.8 or 66 <= y <= 74 and abs(x - 90) <= (74 - y) * 0.8
    if on_line or on_head:
        return ARROW
    return BACKGROUND if rounded(x, y, 0, 0, SIZE, SIZE, 24) else None


def rounded(x, y, left, top, width, height, radius):
    dx = max(left + radius - x, 0, x - (left + width - radius))
    dy = max(top + radius - y, 0, y - (top + height - radius))
    return left <= x <= left + width and top <= y <= top + height and dx * dx + dy * dy <= radius * radius


def pixel(column, row):
    found = [inside(column + (i + 0.5) / SCALE, row + (j + 0.5) / SCALE) for i in range(SCALE) for j in range(SCALE)]
    drawn = [colour for colour in found if colour]
    if not drawn:
        return bytes(4)
    mean = [sum(colour[at] for colour in drawn) // len(drawn) for at in range(3)]
    return bytes([*mean, 255 * len(drawn) // len(found)])


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


rows = b"".join(b"\0" + b"".join(pixel(column, row) for column in range(SIZE)) for row in range(SIZE))
header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
pathlib.Path(__file__).with_name("icon.png").write_bytes(png)
