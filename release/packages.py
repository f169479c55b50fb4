#!/usr/bin/env python3
"""Packs a binary into an archive, and deb, rpm, npm, and wheel packages.

    release/packages.py [--twin TWIN] BINARY OUTPUT [KIND...]

BINARY: a `puppet-analyzer` for Linux (static), macOS, or Windows. OUTPUT: the folder for the packages. KIND: archive, deb,
rpm, npm, wheel (default: all). TWIN: a binary of the same version that runs on this machine, for the version, the man
pages, and the completions of a BINARY that does not (default: BINARY). Besides Python's standard library, the kinds need
`dpkg-deb`, `rpmbuild`, and `npm`; a kind whose program is missing, or that does not exist for the platform, is skipped
with a message.

Every package contains the man pages and completions where its installer puts them: `share` next to `bin`, or the field
`man` of an npm package. Windows has neither.

The same binary gives the same bytes: times are those of SOURCE_DATE_EPOCH, or 0.
"""
import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "puppet-analyzer"
SUMMARY = "A language server and command-line checker for the Puppet language"
HOME = "https://github.com/puppet-analyzer/puppet-analyzer"
TIME = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


class Platform(NamedTuple):
    """Names of a platform in each kind of package; None where the kind does not exist."""

    archive: str
    deb: str | None
    rpm: str | None
    npm: tuple[str, str]
    wheel: str

    @property
    def program(self):
        return f"{NAME}.exe" if self.npm[0] == "win32" else NAME


# By executable format and machine. The static binary for Linux also runs with musl.
PLATFORMS = {
    ("ELF", 62): Platform(
        "linux-x64", "amd64", "x86_64", ("linux", "x64"), "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"
    ),
    ("ELF", 183): Platform(
        "linux-arm64", "arm64", "aarch64", ("linux", "arm64"), "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"
    ),
    ("Mach-O", 0x0100_000C): Platform("macos-arm64", None, None, ("darwin", "arm64"), "macosx_11_0_arm64"),
    ("Mach-O", 0x0100_0007): Platform("macos-x64", None, None, ("darwin", "x64"), "macosx_10_12_x86_64"),
    ("PE", 0x8664): Platform("windows-x64", None, None, ("win32", "x64"), "win_amd64"),
}


class Skipped(Exception):
    """A kind of package cannot be built: the reason."""


class Package(NamedTuple):
    """Contents that all kinds of packages share."""

    binary: bytes
    platform: Platform
    version: str
    # Man pages and completions by their path below the installation's prefix.
    shared: dict[str, bytes]
    output: pathlib.Path


def needs(program):
    path = shutil.which(program)
    if path is None:
        raise Skipped(f"{program} not found")
    return path


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, **options).stdout


def platform_of(binary):
    """Returns the platform of a binary from its header."""
    number = lambda start, size: int.from_bytes(binary[start : start + size], "little")
    kind = None
    if binary[:4] == b"\x7fELF":
        kind = ("ELF", number(18, 2))
    elif binary[:4] == b"\xcf\xfa\xed\xfe":
        kind = ("Mach-O", number(4, 4))
    elif binary[:2] == b"MZ":
        header = number(0x3C, 4)
        kind = ("PE", number(header + 4, 2)) if binary[header : header + 4] == b"PE\0\0" else None
    if kind not in PLATFORMS:
        names = ", ".join(it.archive for it in PLATFORMS.values())
        sys.exit(f"error: the binary is not a program for any of {names}")
    return PLATFORMS[kind]


def shared_files(binary):
    """Returns the man pages and completions that a binary generates."""
    files = {
        "share/bash-completion/completions/puppet-analyzer": run(binary, "completions", "bash"),
        "share/zsh/site-functions/_puppet-analyzer": run(binary, "completions", "zsh"),
        "share/fish/vendor_completions.d/puppet-analyzer.fish": run(binary, "completions", "fish"),
    }
    with tempfile.TemporaryDirectory() as pages:
        run(binary, "man", "--output", pages)
        for page in sorted(pathlib.Path(pages).iterdir()):
            files[f"share/man/man1/{page.name}"] = page.read_bytes()
    return files


def make_archive(package):
    """Makes an archive to unpack below a prefix such as `/usr/local`; for Windows, one with only the program."""
    name = f"{NAME}-{package.version}-{package.platform.archive}"
    license_text = (ROOT / "LICENSE").read_bytes()
    if package.platform.npm[0] == "win32":
        path = package.output / f"{name}.zip"
        write_zip(path, {package.platform.program: package.binary, "LICENSE": license_text}, {package.platform.program})
        return [path]
    files = {f"bin/{NAME}": package.binary, f"share/doc/{NAME}/LICENSE": license_text, **package.shared}
    path = package.output / f"{name}.tar.gz"
    with path.open("wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=TIME) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for file_name, content in sorted(files.items()):
                entry = tarfile.TarInfo(file_name)
                entry.size, entry.mtime, entry.mode = len(content), TIME, 0o755 if file_name.startswith("bin/") else 0o644
                archive.addfile(entry, io.BytesIO(content))
    return [path]


def write_zip(path, files, programs):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # The format has no dates before 1980.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in programs else 0o100644) << 16
            archive.writestr(entry, content)


def lay_out(package, folder, zsh_folder):
    """Writes the files of a system package below `folder`."""
    files = {
        "usr/bin/puppet-analyzer": (package.binary, 0o755),
        "usr/share/doc/puppet-analyzer/copyright": ((ROOT / "LICENSE").read_bytes(), 0o644),
    }
    for name, content in package.shared.items():
        files[f"usr/{name.replace('share/zsh/site-functions', zsh_folder)}"] = (content, 0o644)
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


def make_deb(package):
    machine, version = package.platform.deb, package.version
    if machine is None:
        raise Skipped("not for this platform")
    needs("dpkg-deb")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        files = lay_out(package, folder, "share/zsh/vendor-completions")
        size = sum((folder / name).stat().st_size for name in files) // 1024
        control = folder / "DEBIAN" / "control"
        control.parent.mkdir()
        control.write_text(
            f"Package: {NAME}\nVersion: {version}\nArchitecture: {machine}\nMaintainer: puppet-analyzer <{NAME}@users.noreply.github.com>\n"
            f"Installed-Size: {size}\nSection: devel\nPriority: optional\nHomepage: {HOME}\nDescription: {SUMMARY}\n"
        )
        control.parent.chmod(0o755)
        path = package.output / f"{NAME}_{version}_{machine}.deb"
        run("dpkg-deb", "--root-owner-group", "--build", folder, path, env={**os.environ, "SOURCE_DATE_EPOCH": str(TIME)})
    return [path]


def make_rpm(package):
    machine, version, output = package.platform.rpm, package.version, package.output
    if machine is None:
        raise Skipped("not for this platform")
    needs("rpmbuild")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "files"
        folder.mkdir()
        files = lay_out(package, folder, "share/zsh/site-functions")
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
    path = output / made.name
    made.replace(path)
    made.parent.rmdir()
    return [path]


LAUNCHER = """#!/usr/bin/env node
// Starts the binary of the package for this machine.
const { spawnSync } = require('node:child_process');
const name = `puppet-analyzer-${process.platform}-${process.arch}`;
const program = process.platform === 'win32' ? 'puppet-analyzer.exe' : 'puppet-analyzer';
let binary;
try {
  binary = require.resolve(`${name}/${program}`);
} catch {
  console.error(`error: there is no package ${name} here; is this kind of machine supported?`);
  process.exit(2);
}
const run = spawnSync(binary, process.argv.slice(2), { stdio: 'inherit' });
if (run.error) throw run.error;
process.exit(run.status ?? 128 + (require('node:os').constants.signals[run.signal] ?? 0));
"""


def make_npm(package):
    npm, version = needs("npm"), package.version
    system, cpu = package.platform.npm
    of_machine = f"{NAME}-{system}-{cpu}"
    common = {"version": version, "description": SUMMARY, "license": "Apache-2.0", "homepage": HOME}
    all_machines = ["-".join(it.npm) for it in PLATFORMS.values()]
    manuals = {f"man/{pathlib.PurePosixPath(name).name}": it for name, it in package.shared.items() if "/man1/" in name}
    program = package.platform.program
    packages = {
        of_machine: ({"os": [system], "cpu": [cpu], "files": [program]}, {program: package.binary}),
        NAME: (
            {
                "bin": {NAME: "bin.js"}, "files": ["bin.js", "man"], "man": [f"./{name}" for name in manuals],
                "optionalDependencies": {f"{NAME}-{machine}": version for machine in all_machines},
            },
            {"bin.js": LAUNCHER.encode(), **manuals},
        ),
    }
    made = []
    for name, (fields, files) in packages.items():
        with tempfile.TemporaryDirectory() as work:
            folder = pathlib.Path(work)
            (folder / "package.json").write_text(json.dumps({"name": name, **common, **fields}, indent=2) + "\n")
            shutil.copy(ROOT / "LICENSE", folder)
            for file, content in files.items():
                (folder / file).parent.mkdir(exist_ok=True)
                (folder / file).write_bytes(content)
                (folder / file).chmod(0o644 if file.startswith("man/") else 0o755)
            run(npm, "pack", "--silent", "--pack-destination", package.output, cwd=folder)
        made.append(package.output / f"{name}-{version}.tgz")
    return made


def make_wheel(package):
    tags, version, program = package.platform.wheel, package.version, package.platform.program
    stem = f"puppet_analyzer-{version}"
    meta = f"{stem}.dist-info"
    script = f"{stem}.data/scripts/{program}"
    files = {script: package.binary}
    if package.platform.npm[0] != "win32":
        files |= {f"{stem}.data/data/{name}": content for name, content in package.shared.items()}
    files |= {
        f"{meta}/METADATA": (
            f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\nSummary: {SUMMARY}\nHome-page: {HOME}\nLicense: Apache-2.0\n"
        ).encode(),
        f"{meta}/WHEEL": "".join(
            ["Wheel-Version: 1.0\nGenerator: release/packages.py\nRoot-Is-Purelib: false\n"]
            + [f"Tag: py3-none-{tag}\n" for tag in tags.split(".")]
        ).encode(),
        f"{meta}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    digest = lambda content: base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{meta}/RECORD"] = ("\n".join([*record, f"{meta}/RECORD,,"]) + "\n").encode()
    path = package.output / f"{stem}-py3-none-{tags}.whl"
    write_zip(path, files, {script})
    return [path]


KINDS = {"archive": make_archive, "deb": make_deb, "rpm": make_rpm, "npm": make_npm, "wheel": make_wheel}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--twin", type=pathlib.Path, help="binary that runs on this machine")
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    arguments = parser.parse_args()
    unknown = set(arguments.kinds) - set(KINDS)
    if unknown:
        parser.error(f"unknown kind: {', '.join(sorted(unknown))}")
    output, twin = arguments.output.resolve(), (arguments.twin or arguments.binary).resolve()
    output.mkdir(parents=True, exist_ok=True)
    binary = arguments.binary.read_bytes()
    version = run(twin, "--version").decode().split()[1]
    package = Package(binary, platform_of(binary), version, shared_files(twin), output)
    for kind in arguments.kinds or KINDS:
        try:
            for path in KINDS[kind](package):
                print(f"{kind}: {path.name}, {path.stat().st_size} bytes")
        except Skipped as reason:
            print(f"{kind}: skipped: {reason}")


if __name__ == "__main__":
    main()
