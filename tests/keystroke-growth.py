#!/usr/bin/env python3
"""Checks that the work until the server knows the tree after a keystroke does not grow with the file. CI runs it.

    tests/keystroke-growth.py target/release/puppet-analyzer MODULES [--lines 50,10024] [--shape many,one]
                              [--kind comment,name,string,statement] [--at-most 16]

MODULES is a folder of modules from which the edited manifests are made, as in `keystrokes.py`. Counts the instructions of an
edit and of a request at its position, which is answered from the new tree without any rule: all that precedes the first
publication, except writing the diagnostics. Copies of the text and of lists of statements remain, which are cheap but not
constant; the limit is far below the ratio of an edit that parses the file or runs a rule on it again. The figure of each size is the difference between a session with many and one
with few keystrokes, so that neither startup nor opening the file is counted. Prints the ratio of each size to the first
one, and exits with 1 if a ratio is above --at-most.

Counts with `perf stat` or Valgrind, as `instructions.py` does, and does nothing if neither works. Times are not measured.
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import keystrokes  # noqa: E402
from instructions import Perf, Valgrind  # noqa: E402

FEW, MANY = 8, 40
# Copies texts in words. Valgrind counts an instruction for each byte of a string instruction.
TUNABLES = "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff"


def of_session(counter, binary, text, kinds, count):
    """Returns the instructions of a session with `count` keystrokes of each kind."""
    session = keystrokes.start([*counter.prefix(), binary], None, "pull")
    with tempfile.TemporaryDirectory() as folder:
        uri = (pathlib.Path(folder) / "typed_in.pp").as_uri()
        session.open(uri, text, version=0)
        session.until_idle()
        edits = (edit for kind in kinds for edit in keystrokes.keystrokes(text, kind, count, seed=len(text)))
        for version, change in enumerate(edits, 1):
            session.change(uri, version, [change])
            at = [change["range"]["start"]]
            session.request("textDocument/selectionRange", {"textDocument": {"uri": uri}, "positions": at})
        session.stop()
    return counter.counted()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("--lines", default="50,10024")
    parser.add_argument("--shape", default="many,one")
    parser.add_argument("--kind", default="comment,name,string,statement")
    parser.add_argument("--at-most", type=float, default=16)
    arguments = parser.parse_args()
    os.environ["GLIBC_TUNABLES"] = TUNABLES
    kinds = arguments.kind.split(",")
    sizes = [int(it) for it in arguments.lines.split(",")]
    is_flat = True
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        counter = Perf(log) if Perf(log).works() else Valgrind(log)
        if isinstance(counter, Valgrind) and not shutil.which("valgrind"):
            print("skipped: neither `perf stat -e instructions:u` nor Valgrind works here")
            return
        for shape in arguments.shape.split(","):
            first = None
            for lines in sizes:
                text = keystrokes.MAKERS[shape](arguments.modules, lines)
                few, many = (of_session(counter, arguments.binary, text, kinds, count) for count in (FEW, MANY))
                figure = (many - few) / (MANY - FEW) / len(kinds)
                first = first or figure
                is_flat &= figure / first <= arguments.at_most
                print(f"{shape:<6}{lines:>7} lines {figure / 1000:>10.0f} thousand instructions {figure / first:>7.2f}", flush=True)
    sys.exit(0 if is_flat else 1)


if __name__ == "__main__":
    main()
