#!/usr/bin/env python3
"""Checks the documentation site, README.md, and editors/README.md against the binary.

    check.py [BINARY]

Prints each error and exits with 1 if there is one. The checks:

* Links lead to existing files and headings. Links to other sites are not followed.
* Every page is listed in SUMMARY.md.
* Commands in `console` blocks print the lines below them; a line `…` matches any lines. Each page has its own copy of
  examples/control-repo, a Git repository, in which its commands run in order. `diff` blocks are applied to that copy.
* Commands and options that are mentioned elsewhere exist.
* A code block after `<!-- file: PATH -->` has the contents of that file.
* The binary accepts all settings of the schema, and the pictures show its current output.
"""
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "docs" / "images"))
import render  # noqa: E402

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^```([\w-]*)[^\n]*\n(.*?)^```$", re.S | re.M)
HEADING = re.compile(r"(?m)^#+ (.+)$")
FILE = re.compile(r"<!-- file: (\S+) -->\n+```[\w-]*\n(.*?)^```$", re.S | re.M)
INVOCATION = re.compile(r"puppet-analyzer((?: [^\s`|&;)]+)+)")
FROM_SOURCE = "cargo run --release -p puppet-analyzer --"
OTHER_PAGES = ["README.md", "editors/README.md"]


def anchors(text):
    """Returns the anchors of a page's headings, as mdBook and GitHub form them."""
    headings = HEADING.findall(BLOCK.sub("", text))
    return {re.sub(r"[^\w\- ]", "", it.strip().lower()).replace(" ", "-") for it in headings}


def dead_links(folder, pages):
    """Yields links to missing files or headings."""
    for page in pages:
        text = BLOCK.sub("", page.read_text())
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            if not file.exists():
                yield f"{page.relative_to(folder)}: dead link {target}"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                yield f"{page.relative_to(folder)}: no heading for {target}"


def unlisted_pages(site):
    """Yields pages that SUMMARY.md does not list; mdBook ignores them."""
    listed = set(LINK.findall((site / "SUMMARY.md").read_text()))
    for page in sorted(site.rglob("*.md")):
        name = str(page.relative_to(site))
        if name != "SUMMARY.md" and name not in listed:
            yield f"{name} is not in the summary"


def matches(expected, found):
    """Returns whether the lines match the expected ones, in which `…` matches any lines."""
    if not expected:
        return not found
    if expected[0] == "…":
        return any(matches(expected[1:], found[at:]) for at in range(len(found) + 1))
    return bool(found) and expected[0] == found[0].rstrip() and matches(expected[1:], found[1:])


def git(folder, *arguments, **options):
    """Runs git without the user's configuration. Commits have a fixed date, which pages show."""
    dates = {f"GIT_{who}_DATE": "2026-01-15T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    environment = {**os.environ, **dates, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=example", "-c", "user.email=example@example.com"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, env=environment, capture_output=True, text=True, **options)


def wrong_samples(name, page, binary):
    """Yields `console` commands with other output, and `diff` blocks that do not apply."""
    blocks = [it for it in BLOCK.findall(page.read_text()) if it[0] in ("console", "diff")]
    if not any(language == "console" for language, _ in blocks):
        return
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder) / "control-repo"
        shutil.copytree(ROOT / "examples" / "control-repo", work)
        for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
            git(work, *arguments, check=True)
        programs = pathlib.Path(folder) / "bin"
        programs.mkdir()
        (programs / "puppet-analyzer").symlink_to(binary)
        environment = {**os.environ, "HOME": folder, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        for language, body in blocks:
            if language == "diff":
                run = git(work, "apply", "-", input=body)
                if run.returncode != 0:
                    yield f"{name}: a diff does not apply: {run.stderr}"
                continue
            for sample in re.split(r"(?m)^\$ ", body)[1:]:
                command, *expected = sample.rstrip("\n").split("\n")
                here = ROOT if command.startswith(FROM_SOURCE) else work
                words = ["sh", "-c", command.replace(FROM_SOURCE, "puppet-analyzer")]
                run = subprocess.run(words, cwd=here, env=environment, capture_output=True, text=True, timeout=60)
                found = (run.stdout or run.stderr).rstrip("\n").split("\n")
                found = [line for line in found if line] if not expected else found
                is_refused = run.returncode not in (0, 1) and not run.stdout
                if is_refused or run.returncode > 3 or not matches([line.rstrip() for line in expected], found):
                    output = "\n".join(found[:40])
                    yield f"{name}: `{command}` exits with {run.returncode} and prints:\n{output}"


@functools.cache
def help_of(binary, command):
    """Returns the help of a command, or nothing if there is no such command."""
    def help_text(*words):
        run = subprocess.run([binary, *words, "--help"], capture_output=True, text=True)
        return run.stdout if run.returncode == 0 else ""

    text = help_text(command)
    subcommands = re.search(r"(?ms)^Commands:\n(.*?)^$", text)
    names = re.findall(r"(?m)^  ([a-z]+) ", subcommands[1]) if subcommands else []
    return text + "".join(help_text(command, name) for name in names)


def unknown_invocations(name, page, binary):
    """Yields commands and options outside of `console` blocks that the binary does not have."""
    text = page.read_text()
    code = [body for language, body in BLOCK.findall(text) if language not in ("console", "diff")]
    code += re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))
    for words in (it.split() for body in code for it in INVOCATION.findall(body)):
        command = words[0].rstrip(",.")
        if not re.fullmatch(r"[a-z]+", command) or command == "lint":
            continue
        if not help_of(binary, command):
            yield f"{name}: there is no command `{command}`"
        for option in (it.split("=")[0] for it in words[1:] if re.match(r"--[a-z]", it)):
            if option not in ("--help",) and not re.search(rf"{option}\b", help_of(binary, command)):
                yield f"{name}: `{command}` has no option {option}"


def outdated_copies(name, page):
    """Yields code blocks that differ from the file that they show."""
    for path, body in FILE.findall(page.read_text()):
        if not (ROOT / path).is_file() or (ROOT / path).read_text() != body:
            yield f"{name}: the code block differs from {path}"


def refused_settings(site, binary):
    """Yields settings of the schema that the binary rejects."""
    schema = json.loads((site / "reference" / "puppet-analyzer.schema.json").read_text())

    def example(property_schema):
        if "default" in property_schema:
            return property_schema["default"]
        if property_schema["type"] == "array":
            return ["style"]
        if "examples" in property_schema:
            return property_schema["examples"][0]
        return property_schema["enum"][0] if "enum" in property_schema else "none"

    for key, value in schema["properties"].items():
        if value["type"] == "object":
            inner = value.get("properties", {"unused-parameter": value.get("additionalProperties")})
            text = f"[{key}]\n" + "".join(f"{name} = {json.dumps(example(it))}\n" for name, it in inner.items())
        else:
            text = f"{key} = {json.dumps(example(value))}\n"
        with tempfile.TemporaryDirectory() as folder:
            work = pathlib.Path(folder)
            (work / "a.pp").write_text("notice(1)\n")
            (work / "shared.toml").write_text("tasks = true\n")
            (work / "puppet-analyzer.toml").write_text(text)
            run = subprocess.run([binary, "check", "a.pp"], cwd=work, capture_output=True, text=True, timeout=60)
        output = run.stdout + run.stderr
        is_users_only = "move it to the user settings" in output
        if run.returncode != 0 or ("puppet-analyzer.toml" in output and not is_users_only):
            yield f"the setting {key} is refused: {run.stdout}{run.stderr}"


def main():
    binary = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/puppet-analyzer").resolve()
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder) / "src"
        shutil.copytree(HERE / "src", site)
        subprocess.run([sys.executable, HERE / "reference.py", binary, site], check=True)
        pages = sorted(site.rglob("*.md"))
        others = [ROOT / it for it in OTHER_PAGES]
        checks = [
            dead_links(site, pages),
            dead_links(ROOT, others),
            unlisted_pages(site),
            refused_settings(site, binary),
            render.stale(binary),
        ]
        named = [(str(it.relative_to(site)), it) for it in pages if "rules" not in it.parts]
        for name, page in [*named, *zip(OTHER_PAGES, others)]:
            checks += [wrong_samples(name, page, binary), unknown_invocations(name, page, binary), outdated_copies(name, page)]
        errors = [error for check in checks for error in check]
    for error in errors:
        print(error)
    print(f"{len(pages) + len(others)} pages checked, {len(errors)} errors")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
