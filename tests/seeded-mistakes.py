#!/usr/bin/env python3
"""Puts single mistakes into real code, one at a time, and counts those that the server reports.

    tests/seeded-mistakes.py target/release/puppet-analyzer MODULES [--count N] [--seed N] [--show KIND]

MODULES is a folder of modules (`tests/conformance/fetch-corpus.sh` fetches one). A mistake is the name of a class,
defined or resource type, function, data type, attribute, or variable with one letter changed, a default whose type does
not match its parameter, extra arguments, or a missing required parameter. It counts as found if there is a new finding
at the changed location. Exits with 0 if at least `--target` percent (90) are found.
"""

import argparse
import collections
import pathlib
import random
import re
import sys

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402

KEYWORDS = set(
    "if elsif else unless case default class define node function inherits and or in undef true false import plan"
    " application site consumes produces type private attr".split()
)
# Functions of Puppet and stdlib with a fixed number of arguments.
FIXED_ARITY = set("split join downcase upcase empty regsubst has_key member keys values flatten capitalize chomp"
                  " basename dirname fqdn_rotate bool2str str2bool versioncmp unique sort size length".split())
WRONG_DEFAULTS = {"Integer": "'seventeen'", "Boolean": "'maybe'", "Array": "{ 'a' => 1 }", "Hash": "['a']", "String": "[1, 2]"}
CLASS = re.compile(r"^\s*(?:include|contain|require)\s+(?:::)?([a-z]\w*(?:::\w+)*)\s*$", re.M)
RESOURCE = re.compile(r"^[ \t]*(?:::)?([a-z]\w*(?:::\w+)*)[ \t]*\{[ \t]*(?=['\"$\[])", re.M)
FUNCTION = re.compile(r"(?<![\w$:.'\"@-])([a-z]\w*(?:::\w+)*)\(")
TYPE = re.compile(r"^\s*(?:Optional\[)?([A-Z]\w*(?:::[A-Z]\w*)*)\]?[^$\n=]*\$\w+", re.M)
ATTRIBUTE = re.compile(r"^[ \t]+([a-z_]+)[ \t]*=>", re.M)
VARIABLE = re.compile(r"(?<![\\\w])\$\{?((?:::)?[a-z]\w*(?:::\w+)*)")
DEFAULT = re.compile(r"^\s*(Integer|Boolean|Array|Hash|String)(?:\[[^\]\n]*\])?\s+\$\w+\s*=\s*([^\n,{}\[\]()$]+?),?\s*$", re.M)
DEFINE = re.compile(r"^define\s+(?:::)?([\w:]+)\s*\((.*?)\n\)\s*\{", re.M | re.S)


def letter_changed(rng, name):
    """Returns the name with one letter of its last segment changed."""
    start = name.rfind("::") + 2 if "::" in name else 0
    at = rng.randrange(start, len(name))
    if name[at] == "_" or (at == start and name[at].isupper()):
        return None
    letter = rng.choice([c for c in "bcdfghjklmnpqrstvwxz" if c != name[at].lower()])
    return name[:at] + letter + name[at + 1:]


def code_only(text):
    """Returns the source with comments and heredocs replaced by spaces, so that offsets stay valid."""
    return re.sub(r"(?m)(^|\s)#.*$", lambda it: " " * len(it.group()), text)


class Corpus:
    def __init__(self, modules):
        self.files = {}
        for path in sorted(modules.glob("*/manifests/**/*.pp")):
            try:
                self.files[path] = path.read_text()
            except UnicodeDecodeError:
                continue
        everything = "\n".join(code_only(text) for text in self.files.values())
        self.classes = set(re.findall(r"^\s*class\s+(?:::)?([\w:]+)", everything, re.M))
        self.required = {}
        for name, parameters in DEFINE.findall(everything):
            needed = re.findall(r"^\s*(?:[A-Z][^$\n=]*)?\$(\w+)\s*,?\s*$", parameters, re.M)
            self.required[name] = set(needed)
        self.defines = set(re.findall(r"^\s*define\s+(?:::)?([\w:]+)", everything, re.M))
        self.words = set(re.findall(r"\w+", everything))
        self.names = self.classes | self.defines

    def mutations(self, rng, path):
        """Yields all mistakes that can be put into a file: kind, start, end, and replacement."""
        text = self.files[path]
        code = code_only(text)
        found = []

        def rename(kind, match, known=lambda name: True):
            name = match.group(1)
            if name in KEYWORDS or not known(name):
                return
            changed = letter_changed(rng, name)
            if changed and changed not in self.names and changed.rsplit("::")[-1] not in self.words:
                found.append((kind, match.start(1), match.end(1), changed))

        for match in CLASS.finditer(code):
            rename("class", match, lambda name: name in self.classes)
        for match in RESOURCE.finditer(code):
            name = match.group(1)
            kind = "defined type" if name in self.defines else "resource type"
            rename(kind, match, lambda name: name != "class")
        for match in FUNCTION.finditer(code):
            rename("function", match)
            if match.group(1) in FIXED_ARITY and code[match.end()] != ")":
                found.append(("arity", match.start(1), match.end(), match.group(1) + "(1, 2, 3, 4, 5, 6, "))
        for match in TYPE.finditer(code):
            rename("type", match)
        for match in ATTRIBUTE.finditer(code):
            if self.owner(code, match.start()):
                rename("attribute", match)
        for match in VARIABLE.finditer(code):
            name = match.group(1)
            if "::" in name:
                rename("qualified variable", match, lambda name: name.rsplit("::", 1)[0] in self.classes)
            elif not re.match(r"\s*=[^=>~]|\s*[,|)]|\s*$", code[match.end():match.end() + 20]):
                rename("variable", match)
        for match in DEFAULT.finditer(code):
            if match.group(2) not in ("undef",):
                found.append(("literal", match.start(2), match.end(2), WRONG_DEFAULTS[match.group(1)]))
        found.extend(self.missing(code))
        return found

    def owner(self, code, at):
        """Returns the type of the resource that contains the attribute at an offset, if it is unambiguous."""
        depth = 0
        for i in range(at - 1, max(at - 4000, 0), -1):
            if code[i] in "})]":
                depth += 1
            elif code[i] in "{([":
                if depth:
                    depth -= 1
                    continue
                line = code[code.rfind("\n", 0, i) + 1:i]
                match = re.match(r"\s*(?:::)?([a-z]\w*(?:::\w+)*)\s*$", line)
                return match and match.group(1) not in KEYWORDS and match.group(1)
        return None

    def missing(self, code):
        """Yields required parameters of defined types, each a removable line."""
        for match in RESOURCE.finditer(code):
            needed = self.required.get(match.group(1))
            if not needed:
                continue
            end = code.find("}", match.end())
            body = code[match.end():end]
            if "{" in body or "=>" not in body or "*" in body:
                continue
            for line in re.finditer(r"^[ \t]*(\w+)[ \t]*=>[^\n]*,[ \t]*\n", body, re.M):
                if line.group(1) in needed:
                    start = match.end() + line.start()
                    # A missing parameter is reported at the title and at the type name.
                    yield ("missing parameter", start, match.end() + line.end(), "", match.start(1), match.end() + body.find(":"))


class Lines:
    def __init__(self, text):
        self.text = text
        self.starts = [0] + [i + 1 for i, c in enumerate(text) if c == "\n"]

    def offset(self, position):
        line = min(position["line"], len(self.starts) - 1)
        return self.starts[line] + position["character"]


def findings(session, uri, text):
    lines = Lines(text)
    report = session.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    for it in report.get("items", []):
        start, end = (lines.offset(it["range"][key]) for key in ("start", "end"))
        yield start, end, it["severity"], it.get("code"), it["message"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--version", type=int, default=7)
    parser.add_argument("--target", type=float, default=90)
    parser.add_argument("--show", action="store_true", help="print the mistakes that were not found")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    corpus = Corpus(arguments.modules)
    by_kind = collections.defaultdict(list)
    for path in corpus.files:
        for mutation in corpus.mutations(rng, path):
            by_kind[mutation[0]].append((path, mutation))
    kinds = sorted(by_kind)
    # An equal number of each kind, as far as available.
    chosen = []
    left = arguments.count
    for number, kind in enumerate(sorted(kinds, key=lambda kind: len(by_kind[kind]))):
        take = min(len(by_kind[kind]), left // (len(kinds) - number))
        chosen.extend(rng.sample(by_kind[kind], take))
        left -= take

    session = Session([arguments.binary, "lsp"], timeout=3600)
    root = arguments.modules.resolve()
    capabilities = {"general": {"positionEncodings": ["utf-32"]}, "textDocument": {"diagnostic": {}}}
    session.request("initialize", {
        "processId": None, "rootUri": None, "capabilities": capabilities,
        "initializationOptions": {"puppetVersion": arguments.version},
        "workspaceFolders": [{"uri": root.as_uri(), "name": "modules"}],
    })
    session.notify("initialized", {})
    session.until_idle()
    seen, severities = collections.Counter(), collections.Counter()
    chosen.sort(key=lambda it: str(it[0]))
    for path, mutation in chosen:
        kind, start, end, replacement = mutation[:4]
        uri, text = path.resolve().as_uri(), corpus.files[path]
        session.open(uri, text)
        before = {(code, message) for _, _, _, code, message in findings(session, uri, text)}
        changed = text[:start] + replacement + text[end:]
        session.change(uri, 2, [{"text": changed}])
        from_, to = mutation[4:6] if len(mutation) > 4 else (start, start + len(replacement))
        hits = [it for it in findings(session, uri, changed)
                if it[0] <= to and from_ <= it[1] and (it[3], it[4]) not in before]
        session.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        seen[kind] += bool(hits)
        severities[min((it[2] for it in hits), default=0)] += 1
        if not hits and arguments.show:
            line = text.count("\n", 0, start) + 1
            print(f"{kind}: {path}:{line}: {text[start:end].strip()!r} -> {replacement!r}")
    session.stop()
    total = collections.Counter(mutation[0] for _, mutation in chosen)
    for kind in kinds:
        if total[kind]:
            print(f"{kind:20} {seen[kind]:4} of {total[kind]:4}  {100 * seen[kind] / total[kind]:5.1f} %")
    share = 100 * sum(seen.values()) / max(1, len(chosen))
    print(f"{'all':20} {sum(seen.values()):4} of {len(chosen):4}  {share:5.1f} %")
    print(f"errors {severities[1]}, warnings {severities[2]}, hints {severities[3] + severities[4]}")
    sys.exit(0 if share >= arguments.target else 1)


if __name__ == "__main__":
    main()
