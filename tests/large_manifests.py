"""Long manifests made of real ones, for the scripts that measure. Standard library only."""

import random
import re

# Head of the only definition of a manifest, up to the brace that opens its body.
HEAD = re.compile(r"^(?:class|define)\s+(?:::)?([\w:]+)\s*(\((?:[^()]|\([^()]*\))*\))?\s*(?:inherits\s+[\w:]+\s*)?\{[ \t]*$", re.M)
VARIABLE = re.compile(r"(?<!\\)\$(\{?)([a-z]\w*)(?![\w:])")
# Predefined variables.
PREDEFINED = {"facts", "trusted", "server_facts", "title", "name", "module_name", "caller_module_name", "environment"}


def manifests(folder):
    """Yields the manifests below a folder of modules that have a single definition, sorted by path: path, contents, and
    match of HEAD.
    """
    for path in sorted(folder.glob("*/manifests/**/*.pp")):
        text = path.read_text(errors="replace").replace("\r\n", "\n")
        definitions = re.findall(r"^(?:class|define|function|node|type|plan)\b", text, re.M)
        head = HEAD.search(text)
        if head and len(definitions) == 1 and re.search(r"^\}\s*\Z", text, re.M) and "@(" not in text:
            yield path, text.rstrip("\n") + "\n", head


def chosen(folder, lines, seed, length):
    """Selects manifests in random order with a total of at most `lines` lines, as measured by `length`."""
    known = list(manifests(folder))
    random.Random(seed).shuffle(known)
    left = lines
    for manifest in known:
        taken = length(manifest)
        if taken <= left:
            left -= taken
            yield manifest


def padded(text, lines):
    return text + "# the end\n" * (lines - text.count("\n"))


def of_many_definitions(folder, lines, seed=1):
    """Returns a manifest of about `lines` lines with whole classes and defined types of the modules in a folder."""
    parts = chosen(folder, lines, seed, lambda it: it[1].count("\n"))
    return padded("".join(text for _, text, _ in parts), lines)


def of_one_class(folder, lines, seed=1):
    """Returns a class of about `lines` lines with the parameters and bodies of classes and defined types, whose variables
    are renamed to be distinct.
    """
    parameters, bodies = [], []
    for number, (_, text, head) in enumerate(chosen(folder, lines - 6, seed, lambda it: it[1].count("\n"))):

        def own(match, number=number):
            is_own = match[2] not in PREDEFINED and not match[2].startswith("_")
            return f"${match[1]}p{number}_{match[2]}" if is_own else match[0]

        renamed = VARIABLE.sub(own, text)
        head = HEAD.search(renamed)
        if head[2]:
            inside = head[2][1:-1].strip().rstrip(",")
            # A trailing comment would swallow the comma.
            parameters.append(f"  {inside}\n  ,\n" if inside and "#" in inside.splitlines()[-1] else f"  {inside},\n" if inside else "")
        bodies.append(renamed[head.end() : renamed.rindex("\n}")] + "\n")
    text = "class measured (\n" + "".join(parameters) + ") {\n" + "".join(bodies) + "}\n"
    return padded(text, lines)
