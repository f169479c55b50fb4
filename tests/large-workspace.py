#!/usr/bin/env python3
"""Makes a large workspace of a folder of modules: each of them copied under new names.

    tests/large-workspace.py MODULES FOLDER [--copies 23]

FOLDER gets the copies: `apache` becomes `apache_c1`, `apache_c2` and so on. Names of modules are written anew wherever one
stands for the module: in names with `::`, in `include` and the like, in heads of definitions, in paths of templates and
served files, in metadata.json; and so are the names of Ruby files' functions and types that begin with the module's.
A FOLDER that is complete is left as it is. Standard library only.
"""

import argparse
import pathlib
import re
import shutil
import sys

TEXTS = {".pp", ".epp", ".erb", ".rb", ".yaml", ".yml", ".json"}
INCLUDES = r"\b(?:include|require|contain|class|define|inherits)\s+"


def renaming(modules, suffix):
    """What renames all modules in a text: the names are those of modules where something tells so."""
    lower = "|".join(sorted(map(re.escape, modules), key=len, reverse=True))
    upper = "|".join(sorted((re.escape(name[0].upper() + name[1:]) for name in modules), key=len, reverse=True))
    pattern = re.compile(
        rf"(?<![\w:])(?P<scoped>(?:::)?(?:{lower}))(?=::\w)"
        rf"|(?<![\w:])(?P<typed>(?:::)?(?:{upper}))(?=::[A-Z])"
        rf"|(?P<lead>{INCLUDES}(?:::)?)(?P<included>{lower})(?![\w:])"
        rf"|(?P<quote>class\s*\{{\s*['\"](?:::)?|Class\[\s*['\"]?(?:::)?)(?P<class>{lower})(?![\w:])"
        rf"|(?P<path>puppet:///modules/|(?:template|epp|file)\(['\"])(?P<owner>{lower})(?=/)"
        rf"|(?P<key>\"name\":\s*\"[\w]+[-/])(?P<metadata>{lower})(?=\")"
    )

    def new(match):
        for lead, name in (("lead", "included"), ("quote", "class"), ("path", "owner"), ("key", "metadata")):
            if match[name]:
                return f"{match[lead]}{match[name]}{suffix}"
        return match[0] + suffix

    return lambda text: pattern.sub(new, text)


def copy_module(module, target, rename):
    for source in sorted(module.rglob("*")):
        if not source.is_file():
            continue
        path = target / source.relative_to(module)
        path.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix in TEXTS:
            try:
                path.write_text(rename(source.read_text()))
                continue
            except UnicodeDecodeError:
                pass
        shutil.copyfile(source, path)


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
    modules = sorted(path for path in arguments.modules.iterdir() if path.is_dir())
    names = [path.name for path in modules]
    for number in range(1, arguments.copies + 1):
        rename = renaming(names, f"_c{number}")
        for module in modules:
            copy_module(module, arguments.folder / "modules" / f"{module.name}_c{number}", rename)
        print(f"{number} of {arguments.copies}", file=sys.stderr)
    complete.write_text(str(arguments.copies))
    count = sum(1 for _ in arguments.folder.rglob("*.pp"))
    print(f"{count} manifests in {len(names) * arguments.copies} modules below {arguments.folder}")


if __name__ == "__main__":
    main()
