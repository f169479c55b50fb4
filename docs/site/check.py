#!/usr/bin/env python3
"""Tries the documentation site: links lead somewhere, commands print what is said, settings exist.

    check.py [BINARY]

Prints what is wrong, and exits with 1 if something is. Commands of `console` blocks run in a copy of examples/control-repo; a line `…` stands
for any lines. Links to other sites are not followed.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.S)


def dead_links(site):
    """Links to files and anchors of the site that are not there."""
    for page in sorted(site.rglob("*.md")):
        text = BLOCK.sub("", page.read_text())
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            path = target.split("#")[0]
            if path and not (page.parent / path).exists():
                yield f"{page.relative_to(site)}: {target} leads nowhere"


def unlisted_pages(site):
    """Pages that no line of the summary leads to: mdBook leaves them out."""
    listed = set(LINK.findall((site / "SUMMARY.md").read_text()))
    for page in sorted(site.rglob("*.md")):
        name = str(page.relative_to(site))
        if name != "SUMMARY.md" and name not in listed:
            yield f"{name} is not in the summary"


def fits(expected, found):
    """Do the lines that were found fit the expected ones, `…` being any?"""
    if not expected:
        return not found
    if expected[0] == "…":
        return any(fits(expected[1:], found[at:]) for at in range(len(found) + 1))
    return bool(found) and expected[0] == found[0].rstrip() and fits(expected[1:], found[1:])


def wrong_samples(site, binary):
    """Commands of the chapters that print something else."""
    example = ROOT / "examples" / "control-repo"
    for page in sorted(site.rglob("*.md")):
        if "rules" in page.parts:
            continue
        for language, body in BLOCK.findall(page.read_text()):
            if language != "console":
                continue
            for sample in re.split(r"(?m)^\$ ", body)[1:]:
                command, *expected = sample.rstrip("\n").split("\n")
                with tempfile.TemporaryDirectory() as folder:
                    work = pathlib.Path(folder) / "repo"
                    shutil.copytree(example, work)
                    words = command.replace("puppet-analyzer", str(binary), 1)
                    run = subprocess.run(["sh", "-c", words], cwd=work, capture_output=True, text=True, timeout=60)
                found = (run.stdout or run.stderr).rstrip("\n").split("\n")
                found = [line for line in found if line] if not expected else found
                is_refused = run.returncode != 0 and not run.stdout and expected == ["…"]
                if is_refused or run.returncode not in (0, 1) or not fits([line.rstrip() for line in expected], found):
                    yield f"{page.relative_to(site)}: `{command}` exits with {run.returncode} and prints:\n" + "\n".join(found[:20])


def refused_settings(site, binary):
    """Settings of the schema that the binary does not know, or takes for wrong."""
    schema = json.loads((site / "reference" / "puppet-analyzer.schema.json").read_text())

    def example(property_schema):
        if "default" in property_schema:
            return property_schema["default"]
        if property_schema["type"] == "array":
            return ["style"]
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
            (work / "puppet-analyzer.toml").write_text(text)
            run = subprocess.run([binary, "check", "a.pp"], cwd=work, capture_output=True, text=True, timeout=60)
        if run.returncode != 0 or "there is no" in run.stderr:
            yield f"the setting {key} is refused: {run.stdout}{run.stderr}"


def main():
    binary = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/puppet-analyzer").resolve()
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder) / "src"
        shutil.copytree(HERE / "src", site)
        subprocess.run([sys.executable, HERE / "reference.py", binary, site], check=True)
        checks = [dead_links(site), unlisted_pages(site), wrong_samples(site, binary), refused_settings(site, binary)]
        wrong = [complaint for check in checks for complaint in check]
        pages = sum(1 for _ in site.rglob("*.md"))
    for complaint in wrong:
        print(complaint)
    print(f"{pages} pages, {len(wrong)} complaints")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
