#!/usr/bin/env python3
"""Checks that prose follows docs/style.md.

    tests/house/prose.py [--list] [--show] [PATH ...]

Counts, in doc comments, comments (including docstrings and the descriptions of crates), string literals and Markdown, the openings
and words that the style guide rules out, and fails when a share is above its limit. `--list` prints each line that counts, `--show` prints the figures per folder. A PATH (file or
folder below the root) restricts what is counted; limits then apply to it alone. Standard library only.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[2]
SKIP = {"target", "node_modules", ".git", "corpus", "cases.md"}
# A doc comment that opens with one of these, or whose first sentence is a question.
OPENINGS = re.compile(
    r"^(What|Who|Whom|Whose|Which|Where|When|Why|How|Is|Are|Was|Were|Does|Do|Did|Has|Have|Can|Could|May|Must|Should|Would)\b"
)
# Private words of earlier versions. A word that also has an ordinary meaning is only counted in the phrase that is ours.
WORDS = [
    r"(is|are|was|were|be|been|nobody is|not) told", r"\btold\b", r"\bworth\b", r"\bmend(s|ed|ing|able)?\b", r"\bstands?\b", r"\bstood\b",
    r"\blies\b", r"\blay\b(?! out)", r"\bbehind\b", r"\bin front of\b", r"\b(stands|there|is there|declared|written|named) twice\b", r"\bblanks\b",
    r"\b(is|are) not (here|there)\b", r"\blaid out\b", r"\blays? out\b", r"\blet(s|ting)? go of\b", r"\bforgets?\b", r"\bforgotten\b",
    r"\bworked? out\b", r"\bworks out\b", r"\banew\b", r"\btak(e|es|en|ing) over\b", r"\bthe places? where\b", r"\b(go|goes|going|went) on\b",
    r"\basks? (around|others|for it)\b", r"\bso many\b", r"\bso much\b", r"\bmilder\b", r"\bkin\b", r"\bits like\b", r"\bby itself\b",
    r"\bby themselves\b", r"\bof (its|their|our) own\b", r"\bdoors?\b", r"\bcut up\b", r"\bwords of (a|the) message\b", r"\bnobody\b",
    r"\bwhoever\b", r"\bspeaks? of\b", r"\bto be had\b", r"\bas (he|she) wants?\b", r"\bin short order\b", r"\bwhat (it|they) (is|are) made of\b",
    r"\bis said (of|to)\b", r"\bsays? (of|so|what)\b", r"\bsomebody\b", r"\bso that is\b", r"\bnor\b.*\bnor\b", r"\bcome(s)? to (rest|light)\b",
    r"\beach time anew\b", r"\bholds? true\b", r"\bwhat is not there\b", r"\bmisspelt\b", r"\bcolour", r"\bbehaviour", r"\brecognis",
    r"\bnormalis", r"\bserialis", r"\binitialis", r"\banalys(e|ed|es)\b", r"\bneighbour", r"\bfavour", r"\bcancelling\b", r"\blicence\b",
]
DIALECT = re.compile("|".join(WORDS), re.I)
LIMITS = {"openings": 5.0, "doc": 0.5, "comment": 0.5, "markdown": 0.3, "strings": 5}
# Pages that quote the words on purpose, and recorded texts of other programs.
EXEMPT = {"docs/style.md", "tests/house/prose.py"}
MARKDOWN_EXEMPT = re.compile(r"^(tests/conformance/(?!README)|tests/fuzz|CODE_OF_CONDUCT|analysis/[^/]+/tests/)")


def files(paths, suffixes):
    for path in paths:
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        for it in found:
            if it.suffix in suffixes and it.is_file() and not SKIP & set(it.relative_to(ROOT).parts):
                if str(it.relative_to(ROOT)) not in EXEMPT:
                    yield it


def is_word(text):
    """Finds a dialect word in prose: code in backticks and quotations do not count."""
    prose = re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)|'[^' ]*'", "", text)
    return DIALECT.search(prose)


class Counts:
    def __init__(self):
        self.blocks = self.openings = self.doc = self.doc_words = self.comment = self.comment_words = 0
        self.markdown = self.markdown_words = self.strings = 0
        self.listed = []

    def rust(self, path):
        where = path.relative_to(ROOT)
        block, in_code = None, False
        # Test modules hold Puppet programs in strings; their comments count, their strings do not.
        is_test = "tests" in where.parts or path.name.endswith("tests.rs")
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            doc = re.match(r"\s*(///|//!)(?!/)\s?(.*)", line)
            if doc:
                text = doc[2]
                if text.lstrip().startswith("```"):
                    in_code = not in_code
                    continue
                if in_code:
                    continue
                self.doc += 1
                if block is None:
                    block = text
                    self.blocks += 1
                    first = re.split(r"(?<=[.?!:])\s", text.strip())[0]
                    if OPENINGS.match(text.strip("* ")) or first.endswith("?"):
                        self.openings += 1
                        self.listed.append(f"{where}:{number}: opening: {text.strip()}")
                elif re.search(r"\?(\s|$)", re.sub(r"`[^`]*`", "", text)):
                    self.listed.append(f"{where}:{number}: question: {text.strip()}")
                if is_word(text):
                    self.doc_words += 1
                    self.listed.append(f"{where}:{number}: doc: {text.strip()}")
                continue
            block, in_code = None, False
            comment = re.match(r"\s*//(?!/)\s?(.*)", line) or re.match(r'[^"]*;\s*//\s(.*)', line)
            if comment:
                self.comment += 1
                if is_word(comment[1]):
                    self.comment_words += 1
                    self.listed.append(f"{where}:{number}: comment: {comment[1].strip()}")
                continue
            if not is_test:
                for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                    if " " in text and is_word(text):
                        self.strings += 1
                        self.listed.append(f"{where}:{number}: string: {text}")

    def script(self, path):
        where = path.relative_to(ROOT)
        in_docstring = False
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            quotes = line.count('"""') if path.suffix == ".py" else 0
            comment = re.match(r"\s*(?:#|//|--|;+|\*)\s(.*)", line) or re.match(r'description = "(.*)"', line)
            text = comment[1] if comment else line if in_docstring or quotes else None
            in_docstring ^= quotes % 2 == 1
            if text is not None and text.strip():
                self.comment += 1
                if is_word(text):
                    self.comment_words += 1
                    self.listed.append(f"{where}:{number}: comment: {text.strip()}")

    def markdown_file(self, path):
        where = path.relative_to(ROOT)
        if MARKDOWN_EXEMPT.match(str(where)):
            return
        in_code = False
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if line.lstrip().startswith("```"):
                in_code = not in_code
                continue
            if in_code or not line.strip():
                continue
            self.markdown += 1
            if is_word(line):
                self.markdown_words += 1
                self.listed.append(f"{where}:{number}: markdown: {line.strip()}")

    def shares(self):
        share = lambda part, whole: 100 * part / whole if whole else 0.0
        return {
            "openings": (share(self.openings, self.blocks), f"{self.openings} of {self.blocks} doc comments"),
            "doc": (share(self.doc_words, self.doc), f"{self.doc_words} of {self.doc} doc lines"),
            "comment": (share(self.comment_words, self.comment), f"{self.comment_words} of {self.comment} comment lines"),
            "markdown": (share(self.markdown_words, self.markdown), f"{self.markdown_words} of {self.markdown} Markdown lines"),
            "strings": (self.strings, f"{self.strings} string literals"),
        }


def count(paths):
    counts = Counts()
    for path in files(paths, {".rs"}):
        counts.rust(path)
    for path in files(paths, {".py", ".sh", ".ts", ".js", ".mjs", ".lua", ".el", ".rb", ".toml", ".yml"}):
        counts.script(path)
    for path in files(paths, {".md"}):
        counts.markdown_file(path)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    paths = [it.resolve() for it in arguments.paths] or [ROOT]
    if arguments.show:
        for folder in sorted(it for it in [*ROOT.glob("*"), *ROOT.glob("analysis/*"), *ROOT.glob("server/*")] if it.is_dir()):
            if folder.name not in SKIP:
                figures = count([folder]).shares()
                print(f"{str(folder.relative_to(ROOT)):<24}", "  ".join(f"{it}: {figures[it][1]}" for it in figures))
    counts = count(paths)
    if arguments.list:
        print("\n".join(counts.listed))
    code = 0
    for kind, (figure, what) in counts.shares().items():
        verdict = "ok" if figure <= LIMITS[kind] else "ABOVE THE LIMIT"
        unit = "" if kind == "strings" else " %"
        print(f"{kind:<10}{figure:6.2f}{unit} ({what}; limit {LIMITS[kind]}{unit}): {verdict}")
        code |= figure > LIMITS[kind]
    return code


if __name__ == "__main__":
    sys.exit(main())
