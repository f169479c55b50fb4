#!/usr/bin/env python3
"""Draws what a command prints on a terminal as SVG; the README's picture is made with it:

    cargo build --release -p puppet-analyzer
    examples/picture.py > examples/check.svg
"""

import html
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parent.parent
COMMAND = ["check", "examples/control-repo/site-modules/profile/manifests/broken_syntax.pp"]
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


def main():
    program = ROOT / "target/release/puppet-analyzer"
    output = subprocess.run([program, *COMMAND, "--color", "always"], cwd=ROOT, capture_output=True, text=True).stdout
    lines = [f"$ puppet-analyzer {' '.join(COMMAND)}", "", *output.rstrip("\n").split("\n")]
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    width = round(max(map(len, plain)) * COLUMN + 2 * MARGIN)
    height = round(len(lines) * LINE + 2 * MARGIN)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">')
    print("<title>puppet-analyzer reports three syntax errors with their lines</title>")
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
