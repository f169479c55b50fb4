#!/usr/bin/env python3
"""Writes the generated pages of the site: rules, commands, and settings; resolves links that leave the site.

    reference.py BINARY SITE

SITE is a copy of `src`. Its SUMMARY.md gets a line for each generated page. Only Python's standard library is needed.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REPOSITORY = "https://github.com/puppet-analyzer/puppet-analyzer/blob/main"
LINK = re.compile(r"(\]\()(\.\./[^)\s]+)(\))")


def output_of(binary, *arguments):
    """Returns the output of a command."""
    return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout


def write_rules(binary, site):
    """Writes a page for each rule and a table of all; returns the lines for the summary."""
    folder = site / "reference" / "rules"
    folder.mkdir(parents=True)
    rows, lines = [], []
    for rule in json.loads(output_of(binary, "rules", "--format", "json")):
        code = rule["code"]
        (folder / f"{code}.md").write_text(output_of(binary, "explain", code))
        names = ", ".join(f"`{name}`" for name in rule["puppetLintNames"])
        rows.append(f"| [{code}](rules/{code}.md) | {rule['level']} | {rule['title']} | {names} |")
        lines.append(f"  - [{code}](reference/rules/{code}.md)")
    head = (
        "# All rules\n\nEach finding shows the name of its rule in brackets. `puppet-analyzer explain RULE` prints a rule's page. "
        "[Rule selection](which-rules.md) describes how to change levels.\n\n"
    )
    table = "| Rule | Level | Description | puppet-lint check |\n|---|---|---|---|\n"
    (site / "reference" / "rules.md").write_text(head + table + "\n".join(rows) + "\n")
    return lines


def command_names(binary):
    """Returns the commands that the help lists, in its order."""
    lines = iter(output_of(binary, "--help").splitlines())
    for line in lines:
        if line.startswith("Commands:"):
            break
    names = []
    for line in lines:
        if line and not line.startswith(" "):
            break
        if line.startswith("  ") and not line.startswith("   ") and line.strip():
            names.append(line.split()[0])
    return [name for name in names if name != "help"]


def write_commands(binary, site):
    """Writes a page with the help of each command."""
    parts = ["# Commands\n\nThe output of `--help` for each command.\n"]
    for name in command_names(binary):
        help_text = "\n".join(line.rstrip() for line in output_of(binary, name, "--help").splitlines())
        parts.append(f"## {name}\n\n```text\n{help_text}\n```\n")
    (site / "reference" / "commands.md").write_text("\n".join(parts))


def rows_of(properties, prefix=""):
    """Yields a table row for each setting; a section is followed by its settings."""
    for key, schema in properties.items():
        kind = " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"]) if "enum" in schema else schema["type"]
        default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ""
        yield f"| `{prefix}{key}` | {kind} | {default} | {schema['description']} |"
        yield from rows_of(schema.get("properties", {}), f"{prefix}{key}.")


def write_settings(site):
    """Appends the table of all settings in the schema to the page on settings."""
    schema = json.loads((site / "reference" / "puppet-analyzer.schema.json").read_text())
    table = "| Setting | Values | Default | Description |\n|---|---|---|---|\n" + "\n".join(rows_of(schema["properties"])) + "\n"
    page = site / "reference" / "settings.md"
    page.write_text(page.read_text().replace("<!-- settings -->\n", table))


def resolve_links(site):
    """Copies images from other folders of the repository into the site, and turns other links that leave it into URLs."""

    def resolve(page, match):
        original = HERE / "src" / page.relative_to(site)
        path, _, anchor = match[2].partition("#")
        target = pathlib.Path(os.path.normpath(original.parent / path))
        if target.is_relative_to(HERE / "src") or not target.exists():
            return match[0]
        if target.suffix in (".png", ".svg"):
            (site / "images").mkdir(exist_ok=True)
            shutil.copy(target, site / "images")
            link = os.path.relpath(site / "images" / target.name, page.parent)
        else:
            link = f"{REPOSITORY}/{target.relative_to(ROOT)}" + (f"#{anchor}" if anchor else "")
        return f"{match[1]}{link}{match[3]}"

    for page in site.rglob("*.md"):
        page.write_text(LINK.sub(lambda match: resolve(page, match), page.read_text()))


def main():
    binary, site = sys.argv[1], pathlib.Path(sys.argv[2])
    resolve_links(site)
    lines = write_rules(binary, site)
    write_commands(binary, site)
    write_settings(site)
    summary = site / "SUMMARY.md"
    rules = "- [All rules](reference/rules.md)"
    summary.write_text(summary.read_text().replace(rules, "\n".join([rules, *lines])))


if __name__ == "__main__":
    main()
