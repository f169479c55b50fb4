#!/usr/bin/env python3
"""Holds the house in shape: how large its rooms are, who knows whom, and that a name has one meaning.

    tests/house/check.py [--show] [ROOT]

Counts, for every crate of the workspace (`src/**/*.rs`; files named `tests.rs` or `*_tests.rs` do not count):

* lines of a crate: at most 12,000
* source files in one folder: at most 20, tables of rules and handlers aside (TABLES below)
* the largest circle of files of a crate that import each other, its root aside: at most 25. An import is a path in the code,
  in a `use` or not, and leads to the file that defines the item, through re-exports
* dependencies between crates: exactly the lines `a -> b` of ARCHITECTURE.md
* libraries that only some crates may know: salsa, LSP, the terminal (ONLY below)
* functions of more than 60 lines, from `fn` to the closing brace: at most 30 in all, none above 100 lines
* tests that no program runs: a file of `tests/` that the crate's `tests/main.rs` does not name, and tests in `src` of a crate whose
  library is no test program (`test = false`)
* productions in the comments of the grammar: each has one place, and each name in capitals that one uses is one
* methods of LSP that handlers and the main loop name: all of them are registered
* names of types (struct, enum, trait, alias; those that a table of a macro makes too): one type each in all crates but those of
  tests, SHARED aside (docs/vocabulary.md says why)

KNOWN holds what is larger today, each with its figure: it may shrink, never grow. `--show` prints all figures. Exit 1 when
something does not hold. Standard library only.
"""

import argparse
import pathlib
import re
import sys
import tomllib

MAX_LINES, MAX_FILES, MAX_CIRCLE = 12_000, 20, 25
LONG_FUNCTION, MAX_LONG_FUNCTIONS, MAX_FUNCTION_LENGTH = 60, 30, 100
# Who may depend on a library, where that matters.
TERMINAL = {"cli"}
ONLY = {
    "salsa": {"project", "compile", "check", "symbols", "completion", "ide"},
    "lsp-types": {"lsp"},
    "tower-lsp": {"lsp"},
    "clap": TERMINAL,
    "rustyline": TERMINAL,
    "indicatif": TERMINAL,
    "annotate-snippets": TERMINAL,
}
# Folders where one file is one row of a table.
TABLES = {"analysis/check/src/rules", "server/lsp/src/handlers"}
# One meaning in the tree and in the body: docs/vocabulary.md has the reason of each.
SHARED = {"AttributeOperation", "CaseOption", "Expr", "Parameter", "Query", "ResourceBody", "StringPart"}
SHARED_BY = ["analysis/hir", "syntax/src"]
KNOWN: dict[str, int] = {}


def crates(root):
    """Folder and manifest of each crate of the workspace."""
    workspace = tomllib.loads((root / "Cargo.toml").read_text())["workspace"]
    for pattern in workspace["members"]:
        for folder in sorted(root.glob(pattern)):
            if (folder / "Cargo.toml").is_file():
                yield folder, tomllib.loads((folder / "Cargo.toml").read_text())


def sources(folder):
    found = sorted((folder / "src").rglob("*.rs"))
    return [it for it in found if it.name != "tests.rs" and not it.name.endswith("_tests.rs")]


def module_of(path, source):
    parts = list(path.relative_to(source).with_suffix("").parts)
    if parts[-1] in ("mod", "lib", "main"):
        parts.pop()
    return tuple(parts)


def leaves(tree):
    """The paths of a `use` tree."""
    found = []

    def walk(prefix, text):
        text = text.strip()
        match = re.match(r"^((?:\w+::)*)\{(.*)\}$", text, re.S)
        if not match:
            if text:
                found.append(prefix + text)
            return
        depth, part = 0, ""
        for character in match[2] + ",":
            depth += {"{": 1, "}": -1}.get(character, 0)
            if character == "," and depth == 0:
                walk(prefix + match[1], part)
                part = ""
            else:
                part += character

    walk("", re.sub(r"\s+", " ", tree))
    return found


class Imports:
    """Which files of a crate import which."""

    def __init__(self, folder):
        source = folder / "src"
        self.files = {module_of(path, source): path for path in sources(folder)}
        self.texts = {module: without_comments(path.read_text()) for module, path in self.files.items()}
        self.exported = {module: self.re_exports(module) for module in self.files}

    def re_exports(self, module):
        exported = {}
        for match in re.finditer(r"\bpub(?:\([a-z]+\))?\s+use\s+([^;]*);", self.texts[module]):
            for path in leaves(match[1]):
                name = path.split(" as ")[-1].split("::")[-1].strip()
                exported[name] = path.split(" as ")[0].strip()
        return exported

    def absolute(self, module, path):
        """The parts of a path from the root of the crate; None where it leaves the crate."""
        parts, base = path.split("::"), list(module)
        if parts[0] == "crate":
            base, parts = [], parts[1:]
        elif parts[0] in ("super", "self"):
            while parts and parts[0] in ("super", "self"):
                if parts.pop(0) == "super":
                    base = base[:-1]
        elif tuple([*module, parts[0]]) not in self.files:
            return None
        return [*base, *parts]

    def defines(self, parts, seen=()):
        """The module that a path leads to, through re-exports."""
        for length in range(len(parts), -1, -1):
            module = tuple(parts[:length])
            if module not in self.files:
                continue
            rest = parts[length:]
            onward = self.exported[module].get(rest[0]) if rest else None
            if onward and (module, rest[0]) not in seen:
                further = self.absolute(module, onward)
                if further is not None:
                    return self.defines([*further, *rest[1:]], (*seen, (module, rest[0])))
            return module
        return None

    def edges(self):
        """For each file but the root of the crate those that it imports."""
        edges = {module: set() for module in self.files if module}
        for module in edges:
            text = self.texts[module]
            paths = []
            for match in re.finditer(r"\buse\s+([^;]*);", text):
                paths += leaves(match[1])
            rest = re.sub(r"\buse\s+[^;]*;", "", text)
            paths += [match[0] for match in re.finditer(r"(?<![\w:])[a-z_]\w*(?:::\w+)+", rest)]
            for path in paths:
                parts = self.absolute(module, path.split(" as ")[0].strip())
                target = self.defines(parts) if parts is not None else None
                if target and target != module:
                    edges[module].add(target)
        return edges


def type_names(text):
    """Names of the types that a text defines, those in tables of macros (`name! {` at the margin) included."""
    text = without_comments(text)
    item = r"^(\s*)(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(struct|enum|trait|type|union)\s+([A-Z]\w*)"
    # An alias that is indented belongs to an implementation.
    names = [it[3] for it in re.finditer(item, text, re.M) if it[2] != "type" or not it[1].strip("\n")]
    for table in re.finditer(r"^\w+! \{\n(.*?)^\}", text, re.M | re.S):
        names += re.findall(r"^    ([A-Z]\w*)(?: = [A-Z_]+)? \{", table[1], re.M)
    return names


def functions(text):
    """The functions of a text, which rustfmt has laid out: name and number of lines, from `fn` to the closing brace."""
    lines = text.splitlines()
    head = r'(\s*)(?:pub(?:\([^)]*\))? )?(?:const )?(?:async )?(?:unsafe )?(?:extern "\w+" )?fn (\w+)'
    for start, line in enumerate(lines):
        match = re.match(head, line)
        if not match:
            continue
        signature_end = start
        while not lines[signature_end].endswith(("{", "}", ";")):
            signature_end += 1
        if lines[signature_end].endswith("{"):
            yield match[2], lines.index(match[1] + "}", signature_end) - start + 1


def forgotten_tests(folder, manifest):
    """Files with tests that no test program of a crate has."""
    main = folder / "tests" / "main.rs"
    if main.is_file():
        named = set(re.findall(r"^mod (\w+);", main.read_text(), re.M)) | {"main"}
        programs = {pathlib.Path(it["path"]).parts[1] for it in manifest.get("test", [])}
        for path in sorted(main.parent.iterdir()):
            holds_tests = path.suffix == ".rs" or (path / "mod.rs").is_file() or (path / "main.rs").is_file()
            if holds_tests and path.stem not in named and path.name not in programs:
                yield path
    if manifest.get("lib", {}).get("test") is False:
        for path in sorted((folder / "src").rglob("*.rs")):
            if "#[test]" in path.read_text():
                yield path


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def largest_circle(edges):
    """The largest strongly connected part of a graph (Tarjan, without recursion)."""
    index, low, on_stack, stack, best = {}, {}, set(), [], []
    for start in edges:
        if start in index:
            continue
        work = [(start, iter(sorted(edges[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    circle = []
                    while True:
                        last = stack.pop()
                        on_stack.discard(last)
                        circle.append(last)
                        if last == node:
                            break
                    if len(circle) > len(best):
                        best = circle
            elif target not in index:
                index[target] = low[target] = len(index)
                stack.append(target)
                on_stack.add(target)
                work.append((target, iter(sorted(edges[target]))))
            elif target in on_stack:
                low[node] = min(low[node], index[target])
    return best


def production_faults(root):
    """Names of productions that the grammar's comments use and have not, or have twice."""
    productions, faults = {}, []
    for path in [root / "syntax/src/grammar.rs", *sorted((root / "syntax/src/grammar").glob("*.rs"))]:
        for name, production in re.findall(r"^\s*/// `([A-Z]\w*): ([^`]*)`", path.read_text(), re.M):
            if name in productions:
                faults.append(f"the grammar has {name} twice")
            productions[name] = re.sub(r"'[^']*'", "", production)
    for name, production in productions.items():
        used = set(re.findall(r"\b[A-Z]\w*", production)) - productions.keys()
        faults += [f"the grammar's {name} uses {it}, which it does not have" for it in sorted(used)]
    return faults


def method_faults(root):
    """Methods of LSP that handlers and the main loop name, and that are not registered."""
    source = root / "server/lsp/src"
    method = r'"((?:textDocument|workspace|completionItem|codeLens|callHierarchy|typeHierarchy|puppet-analyzer)/[\w/]+)"'
    registered = set(re.findall(r"custom_method\(" + method, (source / "handlers.rs").read_text()))
    for path in [source / "main_loop.rs", *sorted((source / "handlers").glob("*.rs"))]:
        for name in sorted(set(re.findall(method, without_comments(path.read_text()))) - registered):
            yield f"{path.relative_to(root)} names {name}, which has no handler"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    arguments = parser.parse_args()
    root = arguments.root
    problems, figures = [], []

    def limit(what, figure, most):
        figures.append((what, figure))
        allowed = max(most, KNOWN.get(what, 0))
        if figure > allowed:
            problems.append(f"{what}: {figure:,}, at most {allowed:,}")
        elif what in KNOWN and figure < KNOWN[what] * 0.98:
            problems.append(f"{what}: {figure:,} by now: write that to KNOWN, or take the line away")

    names, edges, types, long_functions = set(), set(), {}, 0
    for folder, manifest in crates(root):
        names.add(manifest["package"]["name"])
    for folder, manifest in crates(root):
        name = manifest["package"]["name"]
        limit(f"lines of {name}", sum(len(it.read_text().splitlines()) for it in sources(folder)), MAX_LINES)
        folders = {}
        for path in sources(folder):
            place = str(path.parent.relative_to(root))
            folders[place] = folders.get(place, 0) + 1
        for place, count in folders.items():
            if place not in TABLES:
                limit(f"files in {place}", count, MAX_FILES)
        limit(f"circle of {name}", len(largest_circle(Imports(folder).edges())), MAX_CIRCLE)
        for path in sources(folder):
            for function, lines in functions(path.read_text()):
                if lines > LONG_FUNCTION:
                    long_functions += 1
                    limit(f"lines of {function} in {path.relative_to(root)}", lines, MAX_FUNCTION_LENGTH)
        if folder.relative_to(root).parts[0] != "tests":
            for path in sources(folder):
                for type_name in type_names(path.read_text()):
                    types.setdefault(type_name, []).append(str(path.relative_to(root)))
        problems += [f"no test program has {it.relative_to(root)}" for it in forgotten_tests(folder, manifest)]
        dependencies = manifest.get("dependencies", {})
        edges |= {(name, other) for other in dependencies if other in names}
        problems += [f"{name} depends on {it}" for it, knows in ONLY.items() if it in dependencies and name not in knows]
    limit("functions of more than 60 lines", long_functions, MAX_LONG_FUNCTIONS)
    measured = {what for what, _ in figures}
    problems += [f"{it}: not measured any more: take the line out of KNOWN" for it in KNOWN if it not in measured]
    shared = {it: where for it, where in types.items() if len(where) > 1}
    for name, paths in sorted(shared.items()):
        owners = sorted("/".join(pathlib.Path(it).parts[:2]) for it in paths)
        if name not in SHARED or owners != SHARED_BY:
            problems.append(f"several types are called {name}: {', '.join(paths)}")
    problems += [f"{it} is one type by now: take it out of SHARED" for it in sorted(SHARED) if it not in shared]
    figures.append(("names that types share", len(shared)))
    problems += [*production_faults(root), *method_faults(root)]
    map_text = (root / "ARCHITECTURE.md").read_text()
    written = set(re.findall(r"^    ([\w-]+) -> ([\w-]+)$", map_text, re.M))
    problems += [f"{a} depends on {b}, which ARCHITECTURE.md does not say" for a, b in sorted(edges - written)]
    problems += [f"ARCHITECTURE.md says {a} -> {b}, which is not so" for a, b in sorted(written - edges)]
    if arguments.show:
        for what, figure in sorted(figures, key=lambda it: -it[1]):
            print(f"{figure:>7,}  {what}")
    print("\n".join(problems) or "the house is in shape")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
