#!/usr/bin/env python3
"""Counts the instructions of two builds for the same work: figures that do not depend on the load of the machine.

    tests/instructions.py BEFORE AFTER MODULES [--work check,compile,keystrokes] [--compiled MODULE] [--lines 10024]
                          [--kind comment,name,string,brace] [--within 3]

BEFORE and AFTER are built binaries, MODULES is a folder of modules. The work: `check` of all modules, `check --compile`
of one of them, and keystrokes in a long manifest made of them (a session with more keystrokes minus one with fewer, so
that neither startup nor opening the file is counted). Each row has the millions of instructions of both and AFTER as a
ratio to BEFORE. With --within, exits with 1 if a ratio is more than that many percent above 1.

Counts with `perf stat` if the machine allows it, otherwise with Valgrind (`apt-get install valgrind`), which takes
thirty times as long.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import keystrokes  # noqa: E402
import large_manifests  # noqa: E402

FEW, MANY = 10, 50
# `check` exits with 1 if it finds something.
EXPECTED_EXIT_CODES = {0, 1}


class Perf:
    """Hardware counter of the processor."""

    def __init__(self, log):
        self.log = log

    def prefix(self):
        return ["perf", "stat", "-x", ",", "-e", "instructions:u", "-o", str(self.log), "--"]

    def counted(self):
        return int(re.search(r"^(\d+),,instructions", self.log.read_text(), re.M)[1])

    def works(self):
        try:
            subprocess.run([*self.prefix(), "true"], capture_output=True, check=True)
            return self.counted() > 0
        except (OSError, subprocess.CalledProcessError, TypeError):
            return False


class Valgrind:
    """Simulated processor."""

    def __init__(self, log):
        self.log = log

    def prefix(self):
        return ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={self.log}"]

    def counted(self):
        return int(re.search(r"I\s+refs:\s+([\d,]+)", self.log.read_text())[1].replace(",", ""))


def of_command(counter, command):
    done = subprocess.run([*counter.prefix(), *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in EXPECTED_EXIT_CODES:
        sys.exit(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return counter.counted()


def of_session(counter, binary, text, kind, count):
    """Returns the instructions of a session with `count` keystrokes."""
    session = keystrokes.start([*counter.prefix(), binary], None, "push")
    with tempfile.TemporaryDirectory() as folder:
        uri = (pathlib.Path(folder) / "typed_in.pp").as_uri()
        session.open(uri, text, version=0)
        session.until_idle()
        session.said.clear()
        for version, change in enumerate(keystrokes.keystrokes(text, kind, count, seed=len(text)), 1):
            session.change(uri, version, [change])
            keystrokes.published(session, uri, version)
    session.stop()
    return counter.counted()


def rows(arguments, counter):
    """Yields each measurement: its name, and a function that counts it for a binary."""
    work = arguments.work.split(",")
    one_thread = ["--threads", "1"]
    if "check" in work:
        folder = str(arguments.modules)
        yield "check", lambda binary: of_command(counter, [binary, "check", *one_thread, folder])
    if "compile" in work:
        folder = str(arguments.modules / arguments.compiled)
        yield f"compile {arguments.compiled}", lambda binary: of_command(counter, [binary, "check", "--compile", *one_thread, folder])
    if "keystrokes" in work:
        text = large_manifests.of_many_definitions(arguments.modules, arguments.lines)
        for kind in arguments.kind.split(","):

            def of_keystroke(binary, kind=kind):
                few, many = (of_session(counter, binary, text, kind, count) for count in (FEW, MANY))
                return (many - few) / (MANY - FEW)

            yield f"keystroke {kind}", of_keystroke


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("--work", default="check,compile,keystrokes")
    parser.add_argument("--compiled", default="apache")
    parser.add_argument("--lines", type=int, default=10024)
    parser.add_argument("--kind", default="comment,name,string,brace")
    parser.add_argument("--within", type=float)
    arguments = parser.parse_args()
    is_within = True
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        counter = Perf(log) if Perf(log).works() else Valgrind(log)
        print(f"{'millions of instructions':<26}{'before':>12}{'after':>12}{'ratio':>8}")
        for name, count in rows(arguments, counter):
            before, after = count(arguments.before), count(arguments.after)
            ratio = after / before
            is_within &= arguments.within is None or ratio <= 1 + arguments.within / 100
            print(f"{name:<26}{before / 1e6:>12.1f}{after / 1e6:>12.1f}{ratio:>8.3f}", flush=True)
    sys.exit(0 if is_within else 1)


if __name__ == "__main__":
    main()
