#!/usr/bin/env python3
"""Renders the SVG pictures of the README from real command output.

    render.py [--check] [BINARY]

`--check` compares the committed pictures with the output of BINARY instead of writing them, and exits with 1 if one is out of date.
"""

import dataclasses
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
FOREGROUND, BACKGROUND = "#d0d7de", "#1c2128"
COLORS = {
    "31": "#f47067", "91": "#f47067", "33": "#e0b341", "93": "#e0b341", "32": "#7ec97a", "92": "#7ec97a",
    "34": "#6cb6ff", "94": "#6cb6ff", "36": "#56d4dd", "96": "#56d4dd", "35": "#dcbdfb", "95": "#dcbdfb",
    "30": "#545d68", "90": "#768390", "37": "#d0d7de", "97": "#ffffff",
}
ESCAPE = re.compile(r"(\x1b\[[0-9;:]*m)")


@dataclasses.dataclass
class Style:
    """Rendition of a span: colors as in SVG, or None for the default."""

    color: str | None = None
    background: str | None = None
    bold: bool = False
    underlined: bool = False
    reversed: bool = False

    def set(self, codes):
        """Applies the parameters of an SGR escape sequence."""
        codes = list(codes)
        while codes:
            code = codes.pop(0)
            if code in ("0", ""):
                self.color = self.background = None
                self.bold = self.underlined = self.reversed = False
            elif code in ("38", "48"):
                setattr(self, "color" if code == "38" else "background", extended_color(codes))
            elif code in ("1", "22"):
                self.bold = code == "1"
            elif code in ("4", "24"):
                self.underlined = code == "4"
            elif code in ("7", "27"):
                self.reversed = code == "7"
            elif code == "39":
                self.color = None
            elif code == "49":
                self.background = None
            elif code in COLORS:
                self.color = COLORS[code]
            elif len(code) == 2 and code[0] == "4" or len(code) == 3 and code[:2] == "10":
                self.background = COLORS.get(("3" if len(code) == 2 else "9") + code[-1])


def extended_color(codes):
    """Consumes the parameters of a 256-color or 24-bit color."""
    if codes.pop(0) == "2":
        return "#" + "".join(f"{int(codes.pop(0)):02x}" for _ in range(3))
    number = int(codes.pop(0))
    if number < 16:
        return COLORS.get(str(30 + number if number < 8 else 82 + number))
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    levels = [0, 95, 135, 175, 215, 255]
    number -= 16
    return "#" + "".join(f"{levels[number // step % 6]:02x}" for step in (36, 6, 1))


def spans(line):
    """Yields the spans of a line between escape sequences: text and style."""
    style = Style()
    for part in ESCAPE.split(line):
        if part.startswith("\x1b["):
            style.set(re.split("[;:]", part[2:-1]))
        elif part:
            yield part, dataclasses.replace(style)


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
        f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>',
        "<style>text { white-space: pre }</style>",
        "<g font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\" "
        f'fill="{FOREGROUND}" xml:space="preserve">',
    ]
    for number, line in enumerate(lines):
        y = MARGIN + LINE * (number + 0.75)
        column = 0
        for text, style in spans(line):
            color, background = style.color, style.background
            if style.reversed:
                color, background = background or BACKGROUND, color or FOREGROUND
            if background:
                x, length = MARGIN + COLUMN * column, COLUMN * len(text)
                out.append(f'<rect x="{x:.1f}" y="{MARGIN + LINE * number}" width="{length:.1f}" height="{LINE}" fill="{background}"/>')
            attributes = (f' fill="{color}"' if color else "") + (' font-weight="bold"' if style.bold else "")
            attributes += ' text-decoration="underline"' if style.underlined else ""
            # Runs of spaces become positions, so that they never depend on the renderer.
            for words in re.finditer(r"\S+(?: \S+)*", text):
                x, length = MARGIN + COLUMN * (column + words.start()), COLUMN * len(words[0])
                shown = html.escape(words[0], quote=False)
                out.append(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}"{attributes}>{shown}</text>')
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
