#!/usr/bin/env python3
"""Writes the chapters of the site that the binary and the schema know best: rules, commands, settings.

    reference.py BINARY SITE

SITE is a copy of `src`; its SUMMARY.md gets a line for each page that is added. Python's own library is enough.
"""
import json
import pathlib
import subprocess
import sys


def ask(binary, *arguments):
    """What a command prints."""
    return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout


def write_rules(binary, site):
    """A page for each rule, and the table of all; gives the lines for the summary."""
    folder = site / "reference" / "rules"
    folder.mkdir(parents=True)
    rows, lines = [], []
    for rule in json.loads(ask(binary, "rules", "--format", "json")):
        code = rule["code"]
        (folder / f"{code}.md").write_text(ask(binary, "explain", code))
        names = ", ".join(f"`{name}`" for name in rule["puppetLintNames"])
        rows.append(f"| [{code}](rules/{code}.md) | {rule['level']} | {rule['title']} | {names} |")
        lines.append(f"  - [{code}](reference/rules/{code}.md)")
    head = "# Rules\n\nA finding names its rule in brackets. Levels are changed in `[lint]` of the [settings](settings.md).\n\n"
    table = "| rule | level | what | in puppet-lint |\n|---|---|---|---|\n"
    (site / "reference" / "rules.md").write_text(head + table + "\n".join(rows) + "\n")
    return lines


def command_names(binary):
    """The commands that the help lists, in its order."""
    lines = iter(ask(binary, "--help").splitlines())
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
    """One page: what each command says of itself."""
    parts = ["# Commands\n\nWhat `--help` prints.\n"]
    for name in command_names(binary):
        help_text = "\n".join(line.rstrip() for line in ask(binary, name, "--help").splitlines())
        parts.append(f"## {name}\n\n```text\n{help_text}\n```\n")
    (site / "reference" / "commands.md").write_text("\n".join(parts))


def rows_of(properties, prefix=""):
    """A row of the table for each setting, those of sections behind their section."""
    for key, schema in properties.items():
        kind = " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"]) if "enum" in schema else schema["type"]
        default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ""
        yield f"| `{prefix}{key}` | {kind} | {default} | {schema['description']} |"
        yield from rows_of(schema.get("properties", {}), f"{prefix}{key}.")


def write_settings(site):
    """One page: all settings, from the schema."""
    schema = json.loads((site / "reference" / "puppet-analyzer.schema.json").read_text())
    head = (
        "# Settings\n\nThey stand in `puppet-analyzer.toml` in the folder that the editor opens, or that a command looks at; your own, for all "
        "repositories, in `~/.config/puppet-analyzer/settings.toml`. An editor's settings of the same names win. `a.b` is the key `b` below `[a]`. "
        "Editors that know JSON Schema for TOML take [the schema](puppet-analyzer.schema.json).\n\n"
        "| setting | values | default | what |\n|---|---|---|---|\n"
    )
    (site / "reference" / "settings.md").write_text(head + "\n".join(rows_of(schema["properties"])) + "\n")


def main():
    binary, site = sys.argv[1], pathlib.Path(sys.argv[2])
    lines = write_rules(binary, site)
    write_commands(binary, site)
    write_settings(site)
    summary = site / "SUMMARY.md"
    rules = "- [Rules](reference/rules.md)"
    summary.write_text(summary.read_text().replace(rules, "\n".join([rules, *lines])))


if __name__ == "__main__":
    main()
