#!/usr/bin/env python3
"""Makes a large workspace from a folder of modules by copying each of them under new names.

    tests/large-workspace.py MODULES FOLDER [--copies 23]

FOLDER/modules gets the copies: `apache` becomes `apache_c1`, `apache_c2`, and so on. Module names are replaced at the
start of a name with `::`, after `include`, `class`, and similar keywords, in paths of templates and served files, and in
metadata.json. A complete FOLDER is left unchanged. Standard library only.
"""

import argparse
import pathlib
import re
import shutil
import sys

TEXTS = {".pp", ".epp", ".erb", ".rb", ".yaml", ".yml", ".json"}
# Prefix and name; a lookup decides which names are those of modules.
NAMES = re.compile(
    r"(?<![\w:$])((?:::)?)([A-Za-z]\w*)(?=::\w)"
    r"|(\b(?:include|require|contain|class|define|inherits)\s+(?:::)?)([a-z]\w*)(?![\w:])"
    r"|(\bclass\s*\{\s*['\"](?:::)?|\bClass\[\s*['\"]?(?:::)?)([a-z]\w*)(?![\w:])"
    r"|(puppet:///modules/|\b(?:template|epp|file)\(['\"])([a-z]\w*)(?=/)"
    r"|(\"name\":\s*\"\w+[-/])([a-z]\w*)(?=\")"
    r"|(\$(?:::)?)([a-z]\w*)(?=::\w)"
)


def renamed(text, modules, suffix):
    def new(match):
        lead, name = [it for it in match.groups() if it is not None]
        return f"{lead}{name}{suffix}" if name.lower() in modules else match[0]

    return NAMES.sub(new, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--copies", type=int, default=23)
    arguments = parser.parse_args()
    complete = arguments.folder / "complete"
    if complete.is_file() and complete.read_text() == str(arguments.copies):
        print(f"{arguments.folder} is complete")
        return
    shutil.rmtree(arguments.folder, ignore_errors=True)
    modules = {path.name for path in arguments.modules.iterdir() if path.is_dir()}
    for source in sorted(path for path in arguments.modules.rglob("*") if path.is_file()):
        relative = source.relative_to(arguments.modules)
        module, inside = relative.parts[0], pathlib.Path(*relative.parts[1:])
        try:
            text = source.read_text() if source.suffix in TEXTS else None
        except UnicodeDecodeError:
            text = None
        for number in range(1, arguments.copies + 1):
            path = arguments.folder / "modules" / f"{module}_c{number}" / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                shutil.copyfile(source, path)
            else:
                path.write_text(renamed(text, modules, f"_c{number}"))
    complete.write_text(str(arguments.copies))
    count = sum(1 for _ in arguments.folder.rglob("*.pp"))
    print(f"{count} manifests in {len(modules) * arguments.copies} modules below {arguments.folder}", file=sys.stderr)


if __name__ == "__main__":
    main()
