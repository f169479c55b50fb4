#!/usr/bin/env python3
"""Recompresses a zip archive, entry by entry, to the minimum size of deflate, since vsce uses a faster level.

    editors/vscode/repack.py PACKAGE

Needs the package zopfli (repack-requirements.txt), which makes the archive a thirtieth smaller than zlib does.
"""

import os
import struct
import sys
import zipfile
import zlib

import zopfli.zlib

ITERATIONS = 5
ZLIB_HEADER, ZLIB_CHECKSUM = 2, 4
UTF8_NAMES = 0x800


def deflated(data):
    return zopfli.zlib.compress(data, numiterations=ITERATIONS)[ZLIB_HEADER:-ZLIB_CHECKSUM]


def date_and_time(entry):
    year, month, day, hour, minute, second = entry.date_time
    return hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day


package = sys.argv[1]
smaller = package + ".new"
directory = b""
count = 0
with zipfile.ZipFile(package) as before, open(smaller, "wb") as after:
    for entry in before.infolist():
        data = before.read(entry)
        packed = deflated(data)
        name = entry.filename.encode()
        common = struct.pack(
            "<HHHHHLLLHH",
            20,
            UTF8_NAMES,
            zipfile.ZIP_DEFLATED,
            *date_and_time(entry),
            zlib.crc32(data),
            len(packed),
            len(data),
            len(name),
            0,
        )
        directory += b"PK\1\2" + struct.pack("<H", entry.create_system << 8 | 20) + common
        directory += struct.pack("<HHHLL", 0, 0, 0, entry.external_attr, after.tell()) + name
        after.write(b"PK\3\4" + common + name + packed)
        count += 1
    place = after.tell()
    end = struct.pack("<HHHHLLH", 0, 0, count, count, len(directory), place, 0)
    after.write(directory + b"PK\5\6" + end)
os.replace(smaller, package)
