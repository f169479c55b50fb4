#!/usr/bin/env python3
"""Draws what a command prints on a terminal as SVG; the README's pictures are made with it:

    cargo build --release -p puppet-analyzer
    examples/picture.py check > examples/check.svg
    examples/picture.py format > examples/format.svg
"""

import html
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
PROGRAM = ROOT / "target/release/puppet-analyzer"
CHECKED = "examples/control-repo/site-modules/profile/manifests/broken_syntax.pp"
UNTIDY = """\
class ntp($servers=["0.pool.ntp.org","1.pool.ntp.org"],$enable = true) {
  package{'ntp': ensure=>installed} ->
  service { "ntpd":
    ensure => $enable ? { true=>running, default=>stopped },
    enable=>$enable
  }
}
"""
COLUMN, LINE, MARGIN = 8.4, 19, 18
COLORS = {
    "31": "#f47067", "91": "#f47067", "33": "#e0b341", "93": "#e0b341", "32": "#7ec97a", "92": "#7ec97a",
    "34": "#6cb6ff", "94": "#6cb6ff", "36": "#56d4dd", "96": "#56d4dd",
}


def pieces(line):
    """The parts of a line between escape sequences, each with its color and weight."""
    color, bold = None, False
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not part.startswith("\x1b["):
            if part:
                yield part, color, bold
            continue
        for code in part[2:-1].split(";"):
            if code in ("0", ""):
                color, bold = None, False
            elif code == "1":
                bold = True
            elif code in COLORS:
                color = COLORS[code]


def printed(command, folder):
    """The command as it is typed, and what it prints."""
    output = subprocess.run([PROGRAM, *command, "--color", "always"], cwd=folder, capture_output=True, text=True).stdout
    return [f"$ puppet-analyzer {' '.join(command)}", "", *output.rstrip("\n").split("\n")]


def formatted():
    """What is formatted of an untidy manifest, lines that go red and those that come green."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "ntp.pp").write_text(UNTIDY)
        lines = printed(["format", "--diff", "ntp.pp"], folder)
    colors = {"-": "31", "+": "32", "@": "36"}
    return [f"\x1b[{colors[it[0]]}m{it}\x1b[0m" if it[:1] in colors else it for it in lines]


def main():
    titles = {
        "check": "puppet-analyzer reports three syntax errors with their lines",
        "format": "puppet-analyzer shows what it would lay out anew",
    }
    what = sys.argv[1] if len(sys.argv) > 1 else "check"
    lines = formatted() if what == "format" else printed(["check", CHECKED], ROOT)
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    width = round(max(map(len, plain)) * COLUMN + 2 * MARGIN)
    height = round(len(lines) * LINE + 2 * MARGIN)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">')
    print(f"<title>{titles[what]}</title>")
    print(f'<rect width="{width}" height="{height}" rx="8" fill="#1c2128"/>')
    print('<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14"'
          ' fill="#d0d7de" xml:space="preserve">')
    for number, line in enumerate(lines):
        y = MARGIN + LINE * (number + 0.75)
        column = 0
        for text, color, bold in pieces(line):
            style = (f' fill="{color}"' if color else "") + (' font-weight="bold"' if bold else "")
            x, length = MARGIN + COLUMN * column, COLUMN * len(text)
            if text.strip():
                print(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}"{style}>{html.escape(text)}</text>')
            column += len(text)
    print("</g>\n</svg>")


if __name__ == "__main__":
    main()
