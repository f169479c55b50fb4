#!/usr/bin/env python3
"""Types scripts of `tests/editors/typing` in Helix, and compares popups and the saved file. `run.sh` prepares the configuration and
calls this program.

    session.py HX REPOSITORY SCRIPT...

Helix does not format while typing, so each file is formatted (`:format`) before it is saved, and `,` is typed where VS Code's snippets
have one (`Tab`). After the title of a resource, a line break leaves the closing brace on the new line, and `O` opens the one above.
"""

import difflib
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import sys
import termios
import threading
import time

import pyte

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from typing_scripts import read_script  # noqa: E402

COLUMNS, LINES = 160, 50
# Pause between two keys, and after a word, in seconds. Helix asks for completions 0.25 s after the last letter, at the cursor of that
# moment, and shows the answer even if more was typed before it arrived.
PACE, WORD_PACE = 0.08, 0.5
# Time limit for a popup, in seconds, far above any response time on a busy machine.
BOUND = 30
# A popup that has not appeared by then is not coming.
QUIET = 2.0
# Time for the server to read the workspace, in seconds.
START = 5
# Columns before the text: signs, line numbers, and changes.
GUTTER = 7
KEYS = {"Enter": "\r", "Tab": "\t", "Escape": "\x1b", "Down": "\x1b[B", "Up": "\x1b[A", "Backspace": "\x7f"}
# Kinds of items, as the second column of the popup shows them.
KINDS = {
    "class", "color", "constant", "constructor", "enum", "enum_member", "event", "field", "file", "folder", "function", "interface",
    "keyword", "method", "module", "operator", "property", "reference", "snippet", "struct", "text", "type_param", "unit", "value",
    "variable",
}
VISIBLE_ROWS = 12
# Background colors of the popup and of its selected row in the default theme.
MENU, SELECTED = "281733", "ffffff"


class Failure(Exception):
    """Difference between a script and the editor."""


class Helix:
    """Helix in a pseudo-terminal."""

    def __init__(self, hx, folder, file):
        self.screen = pyte.Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)
        self.lock = threading.Lock()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            os.execv(hx, [hx, file])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return
            if not data:
                return
            with self.lock:
                self.stream.feed(data)

    def send(self, keys):
        os.write(self.terminal, keys.encode())
        time.sleep(PACE)

    def lines(self):
        with self.lock:
            return list(self.screen.display)

    def rows(self):
        """Returns the rows of the completion popup as (label, is selected)."""
        with self.lock:
            found = []
            for line in range(LINES):
                cells = [self.screen.buffer[line][column] for column in range(COLUMNS)]
                found.extend(row_of(cells))
            return found

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def row_of(cells):
    """Returns the row of the completion popup in a line of the screen, as a list of at most one (label, is selected)."""
    runs = []
    for cell in cells:
        if runs and runs[-1][0] == (cell.fg, cell.bg):
            runs[-1][1] += cell.data
        else:
            runs.append([(cell.fg, cell.bg), cell.data])
    for (_, background), text in runs:
        if background in (MENU, SELECTED):
            words = text.split()
            kind = next((at for at, word in enumerate(words) if at > 0 and word in KINDS), None)
            if kind is not None:
                return [(" ".join(words[:kind]), background == SELECTED)]
    return []


class Typist:
    """Plays the steps of a script as a person does."""

    def __init__(self, helix):
        self.helix = helix

    def cursor(self):
        """Returns the characters before and after the cursor."""
        lines = self.helix.lines()
        status = next((re.search(r" (\d+):(\d+) *$", it) for it in reversed(lines) if re.search(r" \d+:\d+ *$", it)), None)
        if status is None:
            return ("", "")
        row, column = int(status[1]), int(status[2])
        line = next((it for it in lines if re.match(rf"[^\d]*{row} ", it[:GUTTER])), "")[GUTTER:]
        return (line[: column - 1][-1:], line[column - 1 : column])

    def await_row(self, label):
        """Waits until a row is visible, and returns the rows."""
        end = time.monotonic() + BOUND
        while time.monotonic() < end:
            rows = self.helix.rows()[:VISIBLE_ROWS]
            if any(it == label for it, _ in rows):
                return rows
            time.sleep(0.05)
        raise Failure(f"`{label}` is not in the popup: {[it for it, _ in self.helix.rows()]}")

    def accept(self, label):
        rows = self.await_row(label)
        for _ in rows:
            self.helix.send(KEYS["Down"])
            end = time.monotonic() + 5
            while not any(is_selected for _, is_selected in self.helix.rows()) and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.2)
            if (label, True) in self.helix.rows():
                self.helix.send(KEYS["Enter"])
                return
        raise Failure(f"`{label}` cannot be selected: {self.helix.rows()}")

    def press(self, key):
        if key == "Enter":
            # The last key must be on the screen.
            time.sleep(0.3)
            before, after = self.cursor()
            self.helix.send(KEYS["Enter"])
            if after and after in "}])" and before == ":":
                # The bracket is on the new line; open one above it.
                self.helix.send(KEYS["Escape"])
                time.sleep(0.3)
                self.helix.send("O")
        elif key == "Tab":
            # Values have no comma after them.
            self.helix.send(",")
        else:
            self.helix.send(KEYS[key])

    def run_step(self, kind, argument):
        if kind == "type":
            last = ""
            for letter in argument:
                if last.isalnum() and not letter.isalnum():
                    time.sleep(WORD_PACE)
                self.helix.send(letter)
                last = letter
        elif kind == "key":
            self.press(argument)
        elif kind == "expect":
            self.await_row(argument)
        elif kind == "accept":
            self.accept(argument)
        elif kind == "none":
            time.sleep(QUIET)
            rows = self.helix.rows()
            if rows:
                raise Failure(f"a popup is visible: {rows[:VISIBLE_ROWS]}")
        else:
            raise Failure(f"unknown step `{kind}`")

    def save(self, path):
        """Formats and saves the file, and returns its text."""
        self.helix.send(KEYS["Escape"])
        for command in (":format", ":write"):
            time.sleep(1)
            for letter in command:
                self.helix.send(letter)
            self.helix.send(KEYS["Enter"])
        end = time.monotonic() + BOUND
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(1)
        return path.read_text() if path.exists() else ""


def run(hx, repository, script):
    """Types a script, and returns the differences and the number of popups."""
    file, steps, final = read_script(script)
    path = repository / file
    path.unlink(missing_ok=True)
    helix = Helix(hx, repository, file)
    typist = Typist(helix)
    found, popups = [], 0
    # The server reads the workspace.
    time.sleep(START)
    helix.send("i")
    for number, kind, argument in steps:
        try:
            typist.run_step(kind, argument)
            popups += kind in ("expect", "accept")
        except Failure as failure:
            found.append(f"{script.name}:{number}: {failure}")
            found.extend(it.rstrip() for it in helix.lines() if it.strip())
            if kind == "accept":
                break
    text = typist.save(path)
    if text.rstrip("\n") != final.rstrip("\n"):
        lines = difflib.unified_diff(final.split("\n"), text.split("\n"), "intended", "typed", lineterm="")
        found.append(f"{script.name}: the text differs\n" + "\n".join(lines))
    helix.close()
    path.unlink(missing_ok=True)
    return found, popups


def main():
    hx, repository, *scripts = sys.argv[1:]
    failed = 0
    for script in map(pathlib.Path, scripts):
        found, popups = run(hx, pathlib.Path(repository), script)
        failed += bool(found)
        print(f"{'FAILED' if found else 'ok'}: {script.name}, {popups} popups", flush=True)
        for it in found:
            print(f"  {it}")
    print(f"{len(scripts) - failed} of {len(scripts)} scripts typed as intended")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
