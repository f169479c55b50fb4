#!/usr/bin/env python3
"""Renders the SVG pictures of the README from real command output.

    render.py [--check] [BINARY]

`--check` compares the committed pictures with the output of BINARY instead of writing them, and exits with 1 if one is out of date.
"""

import html
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLE = ROOT / "examples/control-repo"
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
ESCAPE = re.compile(r"(\x1b\[[0-9;]*m)")


def spans(line):
    """Yields the spans of a line between escape sequences: text, color, and whether it is bold."""
    color, bold = None, False
    for part in ESCAPE.split(line):
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


def transcript(binary, command, folder):
    """Returns the lines of a terminal: the command and its output."""
    run = subprocess.run([binary, *command, "--color", "always"], cwd=folder, capture_output=True, text=True)
    return [f"$ puppet-analyzer {' '.join(command)}", "", *run.stdout.rstrip("\n").split("\n")]


def check_lines(binary):
    """Returns the output of `check` for a file with syntax errors."""
    return transcript(binary, ["check", "site-modules/profile/manifests/broken_syntax.pp"], EXAMPLE)


def format_lines(binary):
    """Returns the output of `format --diff` for an unformatted manifest."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "ntp.pp").write_text(UNTIDY)
        lines = transcript(binary, ["format", "--diff", "ntp.pp"], folder)
    colors = {"-": "31", "+": "32", "@": "36"}
    return [f"\x1b[{colors[line[0]]}m{line}\x1b[0m" if line[:1] in colors else line for line in lines]


PICTURES = {
    "check.svg": ("puppet-analyzer reports three syntax errors with their source lines", check_lines),
    "format.svg": ("puppet-analyzer shows how it would format a manifest", format_lines),
}


def svg(title, lines):
    """Renders lines with escape sequences as an SVG document."""
    plain = [ESCAPE.sub("", line) for line in lines]
    width = round(max(map(len, plain)) * COLUMN + 2 * MARGIN)
    height = round(len(lines) * LINE + 2 * MARGIN)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{html.escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#1c2128"/>',
        "<style>text { white-space: pre }</style>",
        "<g font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\" fill=\"#d0d7de\""
        ' xml:space="preserve">',
    ]
    for number, line in enumerate(lines):
        y = MARGIN + LINE * (number + 0.75)
        column = 0
        for text, color, bold in spans(line):
            style = (f' fill="{color}"' if color else "") + (' font-weight="bold"' if bold else "")
            # Runs of spaces become positions, so that they never depend on the renderer.
            for words in re.finditer(r"\S+(?: \S+)*", text):
                x, length = MARGIN + COLUMN * (column + words.start()), COLUMN * len(words[0])
                out.append(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}"{style}>{html.escape(words[0], quote=False)}</text>')
            column += len(text)
    return "\n".join([*out, "</g>", "</svg>", ""])


def stale(binary):
    """Yields a complaint for each committed picture that differs from the current output."""
    for name, (title, lines) in PICTURES.items():
        if (HERE / name).read_text() != svg(title, lines(binary)):
            yield f"docs/images/{name} is out of date: run docs/images/render.py"


def main():
    arguments = [it for it in sys.argv[1:] if it != "--check"]
    binary = pathlib.Path(arguments[0] if arguments else ROOT / "target/release/puppet-analyzer").resolve()
    if "--check" in sys.argv:
        complaints = list(stale(binary))
        print("\n".join(complaints) or f"{len(PICTURES)} pictures are up to date")
        sys.exit(1 if complaints else 0)
    for name, (title, lines) in PICTURES.items():
        (HERE / name).write_text(svg(title, lines(binary)))


if __name__ == "__main__":
    main()
