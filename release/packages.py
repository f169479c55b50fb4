#!/usr/bin/env python3
"""Packs a static binary into deb, rpm, npm, and wheel packages.

    release/packages.py BINARY OUTPUT [KIND...]

BINARY: a static `puppet-analyzer` for Linux. OUTPUT: the folder for the packages. KIND: deb, rpm, npm, wheel (default:
all). Besides Python's standard library, the kinds need `dpkg-deb`, `rpmbuild`, and `npm`; a kind whose program is
missing is skipped with a message.

The same binary gives the same bytes: times are those of SOURCE_DATE_EPOCH, or 0.
"""
import base64
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "puppet-analyzer"
SUMMARY = "A language server and command-line checker for the Puppet language"
HOME = "https://github.com/puppet-analyzer/puppet-analyzer"
TIME = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
# Names of an architecture in each kind of package.
MACHINES = {
    "x86_64": {"deb": "amd64", "rpm": "x86_64", "npm": ("linux", "x64"), "wheel": "manylinux_2_17_x86_64.manylinux2014_x86_64"},
    "aarch64": {"deb": "arm64", "rpm": "aarch64", "npm": ("linux", "arm64"), "wheel": "manylinux_2_17_aarch64.manylinux2014_aarch64"},
}


class Missing(Exception):
    """A program that a kind of package needs is missing."""


def needs(program):
    if shutil.which(program) is None:
        raise Missing(program)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout


def machine_of(binary):
    """Returns the architecture of a binary from its ELF header."""
    head = binary.read_bytes()[:20]
    kinds = {62: "x86_64", 183: "aarch64"}
    kind = kinds.get(int.from_bytes(head[18:20], "little")) if head[:4] == b"\x7fELF" else None
    if kind is None:
        sys.exit(f"error: {binary} is not a Linux program for {' or '.join(MACHINES)}")
    return kind


def lay_out(binary, folder):
    """Writes the files of a system package below `folder`."""
    files = {
        "usr/bin/puppet-analyzer": (binary.read_bytes(), 0o755),
        "usr/share/bash-completion/completions/puppet-analyzer": (run(binary, "completions", "bash").encode(), 0o644),
        "usr/share/zsh/vendor-completions/_puppet-analyzer": (run(binary, "completions", "zsh").encode(), 0o644),
        "usr/share/fish/vendor_completions.d/puppet-analyzer.fish": (run(binary, "completions", "fish").encode(), 0o644),
        "usr/share/doc/puppet-analyzer/copyright": ((ROOT / "LICENSE").read_bytes(), 0o644),
    }
    with tempfile.TemporaryDirectory() as pages:
        run(binary, "man", "--output", pages)
        for page in sorted(pathlib.Path(pages).iterdir()):
            files[f"usr/share/man/man1/{page.name}"] = (page.read_bytes(), 0o644)
    for name, (content, mode) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)
    for path in [*folder.rglob("*"), folder]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (TIME, TIME))
    return sorted(files)


def make_deb(binary, version, output):
    needs("dpkg-deb")
    machine = MACHINES[machine_of(binary)]["deb"]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        files = lay_out(binary, folder)
        size = sum((folder / name).stat().st_size for name in files) // 1024
        control = folder / "DEBIAN" / "control"
        control.parent.mkdir()
        control.write_text(
            f"Package: {NAME}\nVersion: {version}\nArchitecture: {machine}\nMaintainer: puppet-analyzer <{NAME}@users.noreply.github.com>\n"
            f"Installed-Size: {size}\nSection: devel\nPriority: optional\nHomepage: {HOME}\nDescription: {SUMMARY}\n"
        )
        control.parent.chmod(0o755)
        package = output / f"{NAME}_{version}_{machine}.deb"
        run("dpkg-deb", "--root-owner-group", "--build", folder, package, env={**os.environ, "SOURCE_DATE_EPOCH": str(TIME)})
    return [package]


def make_rpm(binary, version, output):
    needs("rpmbuild")
    machine = MACHINES[machine_of(binary)]["rpm"]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "files"
        folder.mkdir()
        files = lay_out(binary, folder)
        listed = "\n".join(f"/{name}" for name in files)
        spec = pathlib.Path(work) / f"{NAME}.spec"
        spec.write_text(
            f"Name: {NAME}\nVersion: {version}\nRelease: 1\nSummary: {SUMMARY}\nLicense: Apache-2.0\nURL: {HOME}\n"
            f"%description\n{SUMMARY}: one static program, no Ruby.\n"
            f"%install\ncp -a {folder}/. %{{buildroot}}/\n%files\n{listed}\n"
        )
        settings = {
            "_topdir": work, "_rpmdir": output, "_build_id_links": "none", "__os_install_post": "%{nil}", "debug_package": "%{nil}",
            "_buildhost": "localhost", "clamp_mtime_to_source_date_epoch": "1", "use_source_date_epoch_as_buildtime": "1",
        }
        defines = [part for key, value in settings.items() for part in ("--define", f"{key} {value}")]
        run("rpmbuild", "-bb", "--target", machine, *defines, spec, env={**os.environ, "SOURCE_DATE_EPOCH": str(TIME)})
    made = output / machine / f"{NAME}-{version}-1.{machine}.rpm"
    package = output / made.name
    made.replace(package)
    made.parent.rmdir()
    return [package]


LAUNCHER = """#!/usr/bin/env node
// Starts the binary of the package for this machine.
const { spawnSync } = require('node:child_process');
const name = `puppet-analyzer-${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/puppet-analyzer`);
} catch {
  console.error(`puppet-analyzer: there is no package ${name} here; is this kind of machine supported?`);
  process.exit(2);
}
const run = spawnSync(binary, process.argv.slice(2), { stdio: 'inherit' });
if (run.error) throw run.error;
process.exit(run.status ?? 128 + (require('node:os').constants.signals[run.signal] ?? 0));
"""


def make_npm(binary, version, output):
    needs("npm")
    system, cpu = MACHINES[machine_of(binary)]["npm"]
    of_machine = f"{NAME}-{system}-{cpu}"
    common = {"version": version, "description": SUMMARY, "license": "Apache-2.0", "homepage": HOME}
    all_machines = ["-".join(names["npm"]) for names in MACHINES.values()]
    packages = {
        of_machine: ({"os": [system], "cpu": [cpu], "files": [NAME]}, {NAME: binary.read_bytes()}),
        NAME: (
            {
                "bin": {NAME: "bin.js"}, "files": ["bin.js"],
                "optionalDependencies": {f"{NAME}-{machine}": version for machine in all_machines},
            },
            {"bin.js": LAUNCHER.encode()},
        ),
    }
    made = []
    for name, (fields, files) in packages.items():
        with tempfile.TemporaryDirectory() as work:
            folder = pathlib.Path(work)
            (folder / "package.json").write_text(json.dumps({"name": name, **common, **fields}, indent=2) + "\n")
            shutil.copy(ROOT / "LICENSE", folder)
            for file, content in files.items():
                (folder / file).write_bytes(content)
                (folder / file).chmod(0o755)
            run("npm", "pack", "--silent", "--pack-destination", output, cwd=folder)
        made.append(output / f"{name}-{version}.tgz")
    return made


def make_wheel(binary, version, output):
    platform = MACHINES[machine_of(binary)]["wheel"]
    stem = f"puppet_analyzer-{version}"
    meta = f"{stem}.dist-info"
    files = {
        f"{stem}.data/scripts/{NAME}": binary.read_bytes(),
        f"{meta}/METADATA": (
            f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\nSummary: {SUMMARY}\nHome-page: {HOME}\nLicense: Apache-2.0\n"
        ).encode(),
        f"{meta}/WHEEL": "".join(
            ["Wheel-Version: 1.0\nGenerator: release/packages.py\nRoot-Is-Purelib: false\n"]
            + [f"Tag: py3-none-{tag}\n" for tag in platform.split(".")]
        ).encode(),
    }
    digest = lambda content: base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{meta}/RECORD"] = ("\n".join([*record, f"{meta}/RECORD,,"]) + "\n").encode()
    package = output / f"{stem}-py3-none-{platform}.whl"
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, content)
    return [package]


KINDS = {"deb": make_deb, "rpm": make_rpm, "npm": make_npm, "wheel": make_wheel}


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(KINDS):
        sys.exit(__doc__)
    binary, output = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    output.mkdir(parents=True, exist_ok=True)
    version = run(binary, "--version").split()[1]
    for kind in sys.argv[3:] or KINDS:
        try:
            for package in KINDS[kind](binary, version, output):
                print(f"{kind}: {package.name}, {package.stat().st_size} bytes")
        except Missing as missing:
            print(f"{kind}: skipped: {missing} not found")


if __name__ == "__main__":
    main()
