#!/usr/bin/env python3
"""Puts single mistakes into tasks and plans of real Bolt modules, one at a time, and counts those that are reported.

    tests/seeded-bolt-mistakes.py target/release/puppet-analyzer MODULES [--count N] [--seed N] [--show]

MODULES is a folder of modules with `tasks` or `plans`, and their dependencies. A mistake is a changed letter in the name
of a task, plan, function, variable, type, parameter, file, key, or step; a value or argument of the wrong type; a missing
parameter or key; or a file that is renamed. It counts as found if `check` has a new finding in the changed file, or names
a renamed one. Exits with 0 if at least `--target` percent (95) are found.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys

BOLT_FUNCTIONS = (
    "run_command run_task run_plan run_script upload_file download_file get_targets get_target apply_prep fail_plan"
    " catch_errors wait_until_available out::message write_file run_task_with set_var parallelize"
).split()
CALL = re.compile(r"(?<![\w:$.])(" + "|".join(BOLT_FUNCTIONS) + r")\(")
TASK = re.compile(r"\brun_task(?:_with)?\(\s*(['\"])([a-z]\w*(?:::\w+)*)\1")
PLAN = re.compile(r"\brun_plan\(\s*(['\"])([a-z]\w*(?:::\w+)*)\1")
FILE = re.compile(r"\b(?:run_script|upload_file)\(\s*(['\"])([a-z]\w*/[\w./-]+)\1")
TYPE = re.compile(r"^\s*(?:Optional\[)?([A-Z]\w*(?:::[A-Z]\w*)*)\]?[^$\n=]*\$\w+", re.M)
VARIABLE = re.compile(r"(?<![\\\w])\$\{?([a-z]\w*)\b(?!\s*=[^=>~])(?!\s*[,|)])")
MEMBER = re.compile(r"\$\w+(?:\.first)?\.(ok_set|error_set|value|ok|message|name|target|targets|error|status)\b(?!\()")
TARGETS = re.compile(r"\brun_(?:task|command|script)\([^(),\n]+,\s*(\$\w+)\s*[,)]")
JSON_KEY = re.compile(r'"(description|input_method|parameters|supports_noop|private|implementations|files|type|default'
                      r'|sensitive|requirements|name)"(?=\s*:)')
JSON_TYPE = re.compile(r'"type"\s*:\s*"([A-Z]\w+)')
IMPLEMENTATION = re.compile(r'"name"\s*:\s*"([\w.]+\.\w+)"')
SHIPPED = re.compile(r'"(\w+/(?:files|tasks)/[\w./-]+)"')
STEP_KEY = re.compile(r"^[ -]*(command|task|plan|script|upload|download|eval|message|verbose|resources|targets|name"
                      r"|parameters|steps|type|default|destination|catch_errors|arguments|return)(?=:)", re.M)
STEP_TASK = re.compile(r"^[ -]*(?:task|plan):\s*([a-z]\w*(?:::\w+)*)\s*$", re.M)
STEP_TARGETS = re.compile(r"^[ ]+targets:[^\n]*\n", re.M)
STEP_FILE = re.compile(r"^[ -]*(?:script|upload):\s*([a-z]\w*/[\w./-]+)\s*$", re.M)
STEP_TYPE = re.compile(r"^\s*type:\s*([A-Z]\w+)", re.M)


def letter_changed(rng, name):
    """Returns the name with one letter of its last segment changed."""
    start = max(name.rfind("::") + 2 if "::" in name else 0, name.rfind("/") + 1)
    places = [at for at in range(start, len(name)) if name[at].isalpha() and not (at == start and name[at].isupper())]
    if not places:
        return None
    at = rng.choice(places)
    letter = rng.choice([c for c in "bcdfghjklmnpqrstvwxz" if c != name[at].lower()])
    return name[:at] + letter + name[at + 1:]


class Corpus:
    def __init__(self, modules):
        self.modules = modules
        self.files = {}
        for pattern in ("*/plans/**/*.pp", "*/plans/**/*.yaml", "*/tasks/*.json"):
            for path in sorted(modules.glob(pattern)):
                try:
                    self.files[path] = path.read_text()
                except UnicodeDecodeError:
                    continue
        self.words = set(re.findall(r"\w+", "\n".join(self.files.values())))
        self.names = {path.parent.parent.name for path in self.files} | {it.name for it in modules.iterdir()}

    def task_parameters(self, name):
        """Returns the parameters of a task; `None` without metadata."""
        module, _, task = name.partition("::")
        path = self.modules / module / "tasks" / f"{task or 'init'}.json"
        try:
            return json.loads(path.read_text()).get("parameters")
        except (OSError, ValueError):
            return None

    def mutations(self, rng, path):
        """Returns all mistakes that can be put into a file: kind, start, end, and replacement."""
        text, found = self.files[path], []

        def rename(kind, match, group=1, is_known=lambda name: True):
            name = match.group(group)
            changed = letter_changed(rng, name) if is_known(name) else None
            if changed and re.split(r"\W+", changed)[-1] not in self.words:
                found.append((kind, match.start(group), match.end(group), changed))

        def each(kind, pattern, group=1, is_known=lambda name: True, code=text):
            for match in pattern.finditer(code):
                rename(kind, match, group, is_known)

        def is_installed(name):
            return re.split(r"::|/", name)[0] in self.names

        if path.suffix == ".pp":
            code = re.sub(r"(?m)(^|\s)#.*$", lambda it: " " * len(it.group()), text)
            code = re.sub(r"@\(.*?\|-? *\w+", lambda it: " " * len(it.group()), code, flags=re.S)
            each("task", TASK, 2, is_installed, code)
            each("plan", PLAN, 2, is_installed, code)
            each("file", FILE, 2, is_installed, code)
            each("function", CALL, code=code)
            each("type", TYPE, code=code)
            each("variable", VARIABLE, code=code)
            each("member", MEMBER, code=code)
            for match in TARGETS.finditer(code):
                found.append(("targets", match.start(1), match.end(1), "5"))
            for match in CALL.finditer(code):
                if match.group(1) in ("run_command", "run_task", "get_target", "fail_plan", "upload_file"):
                    found.append(("arguments", match.start(1), match.end(), match.group(1) + "(1, 2, 3, 4, 5, 6, "))
            self.calls(rng, code, found)
        elif path.suffix == ".json":
            each("key", JSON_KEY)
            each("task type", JSON_TYPE)
            each("implementation", IMPLEMENTATION)
            each("shipped file", SHIPPED, 1, is_installed)
            for match in re.finditer(r'"(?:supports_noop|private|sensitive)"\s*:\s*(true|false)', text):
                found.append(("kind of value", match.start(1), match.end(1), '"yes"'))
            for match in re.finditer(r'"type"\s*:\s*"(?:Optional\[)?(?:Boolean|Integer)\]?"', text):
                found.append(("default", match.end(), match.end(), ', "default": "maybe"'))
            for match in re.finditer(r'"input_method"\s*:\s*"(\w+)"', text):
                found.append(("kind of value", match.start(1), match.end(1), "pipe"))
            for match in re.finditer(r"\}\s*$", text):
                found.append(("syntax", match.start(), match.end(), ""))
        else:
            each("step key", STEP_KEY)
            each("step task", STEP_TASK, 1, is_installed)
            each("step file", STEP_FILE, 1, is_installed)
            each("parameter type", STEP_TYPE)
            each("variable", VARIABLE)
            for match in STEP_TARGETS.finditer(text):
                found.append(("missing targets", match.start(), match.end(), ""))
        return found

    def calls(self, rng, code, found):
        """Adds mistakes in the parameters of tasks."""
        for match in TASK.finditer(code):
            parameters = self.task_parameters(match.group(2))
            end = code.find(")", match.end())
            body = code[match.end():end]
            if not parameters or "(" in body or "*" in body:
                continue
            for it in re.finditer(r"(['\"]?)(\w+)\1\s*=>\s*", body):
                declared = parameters.get(it.group(2))
                if declared is None:
                    continue
                changed = letter_changed(rng, it.group(2))
                if changed and changed not in parameters:
                    start = match.end() + it.start(2)
                    found.append(("parameter", start, start + len(it.group(2)), changed))
                kind = declared.get("type", "Any").removeprefix("Optional[").split("[")[0].rstrip("]")
                wrong = {"String": "[1]", "Boolean": "'maybe'", "Integer": "'many'", "Enum": "'neither'"}.get(kind)
                value = re.match(r"('[^'$]*'|\d+|true|false|\$\w+)(?=\s*[,}\n)])", body[it.end():])
                if wrong and value:
                    start = match.end() + it.end()
                    found.append(("value", start, start + value.end(), wrong))


def renamed_files(corpus):
    """Yields executables of tasks with metadata, each with a name that Bolt does not find."""
    for path in corpus.files:
        if path.suffix != ".json" or path.parent.name != "tasks":
            continue
        others = [it for it in path.parent.glob(path.stem + ".*") if it.suffix != ".json"]
        if len(others) == 1 and "implementations" not in corpus.files[path]:
            yield path, others[0], others[0].with_name(others[0].stem + "x" + others[0].suffix)
            yield path, path, path.with_name(path.stem + "-x.json")


def check(binary, modules, path):
    command = [binary, "check", "--isolated", "--format", "json", "--min-level", "warning", str(path)]
    done = subprocess.run(command, cwd=modules.parent, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")


def messages(findings):
    return collections.Counter((it.get("code"), it.get("message")) for it in findings)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", type=float, default=95)
    parser.add_argument("--show", action="store_true", help="print the mistakes that were not found")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    arguments.modules = arguments.modules.resolve()
    binary = str(pathlib.Path(arguments.binary).resolve())
    corpus = Corpus(arguments.modules)
    by_kind = collections.defaultdict(list)
    for path in corpus.files:
        for mutation in corpus.mutations(rng, path):
            by_kind[mutation[0]].append((path, mutation))
    for path, old, new in renamed_files(corpus):
        by_kind["renamed file"].append((path, ("renamed file", old, new)))
    # An equal number of each kind, as far as available.
    chosen, left = [], arguments.count
    for number, kind in enumerate(sorted(by_kind, key=lambda kind: len(by_kind[kind]))):
        take = min(len(by_kind[kind]), left // (len(by_kind) - number))
        chosen.extend(rng.sample(by_kind[kind], take))
        left -= take

    seen, total = collections.Counter(), collections.Counter()
    for path, mutation in sorted(chosen, key=lambda it: str(it[0])):
        kind = mutation[0]
        total[kind] += 1
        if kind == "renamed file":
            _, old, new = mutation
            old.rename(new)
            try:
                is_found = bool(check(binary, arguments.modules, new if old == path else path))
            finally:
                new.rename(old)
        else:
            _, start, end, replacement = mutation
            text = corpus.files[path]
            before = messages(check(binary, arguments.modules, path))
            path.write_text(text[:start] + replacement + text[end:])
            try:
                is_found = bool(messages(check(binary, arguments.modules, path)) - before)
            finally:
                path.write_text(text)
        seen[kind] += is_found
        if not is_found and arguments.show:
            if kind == "renamed file":
                print(f"{kind}: {mutation[1]} -> {mutation[2].name}")
            else:
                line = text.count("\n", 0, start) + 1
                print(f"{kind}: {path}:{line}: {text[start:end].strip()!r} -> {replacement!r}")
    for kind in sorted(total):
        print(f"{kind:20} {seen[kind]:4} of {total[kind]:4}  {100 * seen[kind] / total[kind]:5.1f} %")
    share = 100 * sum(seen.values()) / max(1, sum(total.values()))
    print(f"{'all':20} {sum(seen.values()):4} of {sum(total.values()):4}  {share:5.1f} %")
    sys.exit(0 if share >= arguments.target else 1)


if __name__ == "__main__":
    main()
