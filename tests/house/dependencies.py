"""Dependencies that no code of their package names, and fuzz targets without a program."""

import re
import tomllib

# Libraries whose name does not follow from the name of the package.
LIBRARIES = {"md-5": "md5"}


def unused(root, packages):
    """Yields a message for each unused dependency of the packages, and of the workspace."""
    inherited = set()
    for folder, manifest in packages:
        text = "\n".join(it.read_text() for it in sorted(folder.rglob("*.rs")))
        tables = [manifest, *manifest.get("target", {}).values()]
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name in (it for table in tables for it in table.get(kind, {})):
                inherited.add(name)
                library = LIBRARIES.get(name, name.replace("-", "_"))
                if not re.search(rf"\b{library}\b", text):
                    yield f"{folder.relative_to(root)}/Cargo.toml: unused dependency `{name}`"
    workspace = tomllib.loads((root / "Cargo.toml").read_text())["workspace"]
    yield from (f"Cargo.toml: unused dependency `{it}`" for it in sorted(workspace["dependencies"].keys() - inherited))


def fuzz_programs(root):
    """Yields a message for each fuzz target whose program is missing or runs another target."""
    table = (root / "tests/fuzz/src/lib.rs").read_text()
    manifest = (root / "fuzz/Cargo.toml").read_text()
    for name in re.findall(r'^    \("(\w+)", targets::', table, re.M):
        path = f"fuzz_targets/{name}.rs"
        source = root / "fuzz" / path
        if f'path = "{path}"' not in manifest or not source.is_file() or f'run("{name}", ' not in source.read_text():
            yield f"fuzz/Cargo.toml: no program runs the fuzz target `{name}`"
