#!/usr/bin/env python3
"""Runs a built program on malicious repositories (`hostile_kinds.py`, `hostile_ideas.py`). No run may exceed its time and
memory limits, end by a signal, print text from outside the repository, or start a program. Prints a table and the
failures.

    tests/hostile.py target/release/puppet-analyzer
    tests/hostile.py target/debug/puppet-analyzer --factor 4 --only yaml
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import hostile_ideas  # noqa: E402, F401
import hostile_kinds  # noqa: E402
from hostile_kinds import ASKED, KINDS, SECRET, write  # noqa: E402
from lsp_session import Session  # noqa: E402

MAX_SECONDS = 5
MAX_MEGABYTES = 500
# Address space limit of a program, so that a runaway one does not exhaust the machine.
MAX_ADDRESS_SPACE = 12 << 30

Outcome = collections.namedtuple("Outcome", "kind command seconds megabytes shortfall")


class Watch:
    """Monitors a running program and kills it when it exceeds its memory or time limit."""

    # With a limit on processor time, wall time is limited to this multiple of it, for programs that only wait.
    processor_time = False
    PATIENCE = 8

    def __init__(self, process, seconds):
        self.process = process
        self.megabytes = 0
        self.worked = 0.0
        self.shortfall = None
        self.ended = threading.Event()
        self.started = time.perf_counter()
        self.seconds = seconds
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self):
        while not self.ended.wait(0.02):
            self.megabytes = max(self.megabytes, peak_megabytes(self.process.pid))
            if self.megabytes > MAX_MEGABYTES:
                self.shortfall = f"more than {MAX_MEGABYTES} MB"
            elif self.took() > self.seconds:
                self.shortfall = "no end"
            if self.shortfall:
                self.process.kill()
                return

    def took(self):
        """Returns the elapsed seconds of the limited kind."""
        passed = time.perf_counter() - self.started
        if not self.processor_time:
            return passed
        self.worked = max(self.worked, processor_seconds(self.process.pid))
        return max(self.worked, passed / self.PATIENCE)

    def end(self):
        self.ended.set()
        self.thread.join()
        return self.worked if self.processor_time else time.perf_counter() - self.started


def processor_seconds(process):
    """Returns the user and system time of all threads of a process."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_megabytes(process):
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found.group(1)) // 1024 if found else 0


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def environment(folder):
    """Returns an environment with secrets, both in its variables and in the home folder."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    home = str(folder / "outside")
    return {**kept, "HOME": home, "XDG_CACHE_HOME": str(folder / "cache"), "TOKEN": SECRET, "GIT_CONFIG_GLOBAL": "/dev/null"}


def make(kind, folder):
    """Creates the repository: the files of the kind on top of a small valid one, committed, with one change after that.
    Returns the inputs of the commands.
    """
    outside = folder / "outside"
    write(outside, "secret.yaml", f"token: {SECRET}\nbomb: {SECRET}\n")
    write(outside, ".config/gh/hosts.yml", f"token: {SECRET}\n")
    root = folder / "repository"
    write(root, "environment.conf", "modulepath = modules\n")
    write(root, "manifests/site.pp", "notice(1)\n")
    write(root, "data/common.yaml", "bomb: 1\n")
    hostile_kinds.levels(root, "{name: c, path: common.yaml}")
    write(root, "modules/evil/metadata.json", '{"name": "a-evil", "version": "1.0.0"}\n')
    hostile_kinds.evil(root, "class evil { }\n")
    for name in ("environment.conf", "modules/evil/metadata.json", "modules/evil/manifests/init.pp"):
        if kind in ("manifests-in-devices", "pipes") and (root / name).exists():
            (root / name).unlink()
    asked = {**ASKED, **(KINDS[kind](root) or {})}
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run(git + arguments, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    if "after" in asked:
        asked["after"](root)
    if "git" in asked:
        write(root, ".git/config", asked["git"])
    with open(root / "manifests/site.pp", "a") as file:
        file.write("\nnotify { 'changed': }\n")
    (folder / "ran").unlink(missing_ok=True)
    return root, asked


def commands(asked):
    """Returns the name and arguments of each command to run."""
    yield "check", ["check"]
    yield "format --diff", ["format", "--diff"]
    yield "lint", ["lint", "."]
    yield "rewrite", ["rewrite", "params", "--diff", "--unsafe", "."]
    yield "rewrite epp", ["rewrite", "epp", "--diff", "--unsafe", "."]
    yield "stats", ["stats"]
    yield "check --compile", ["check", "--compile"]
    platform = ["--os", "debian12"]
    for environment in asked.get("environments", ["."]):
        place = ["--environment", environment]
        yield "compile", ["compile", *platform, *place, "n1.example.com"]
        yield "compile --format json", ["compile", *platform, *place, "--format", "json", "n1.example.com"]
        yield "lookup", ["lookup", *platform, *place, "--explain", asked["key"]]
        yield "hiera explain", ["hiera", "explain", "web1.example.com", *platform, *place]
        yield "hiera moves", ["hiera", "moves", *place]
        yield "unused", ["unused", *place]
        yield "impact", ["impact", *platform, *place, "Notify[x]"]
        yield "diff --format octocatalog", ["diff", *platform, *place, "--format", "octocatalog"]
        yield "diff", ["diff", *platform, *place, "--format", "markdown"]
    yield "eval", ["eval", asked["eval"]]
    for code in asked.get("evals", []):
        yield "eval -e", ["eval", "-e", code]


def judge(kind, command, code, output, seconds, watch, folder):
    shortfall = watch.shortfall
    if shortfall is None and code is not None and code < 0:
        shortfall = f"ended by {signal.Signals(-code).name}"
    if shortfall is None and b"panicked" in output:
        shortfall = "panicked"
    if SECRET.encode() in output:
        shortfall = "printed a secret"
    if (folder / "ran").exists():
        shortfall = "ran a program"
        (folder / "ran").unlink()
    return Outcome(kind, command, seconds, watch.megabytes, shortfall)


def run(binary, kind, name, arguments, root, seconds):
    folder = root.parent
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [binary, *arguments],
            cwd=root,
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=limits,
        )
        watch = Watch(process, seconds)
        code = process.wait()
        took = watch.end()
        output.seek(0)
        return judge(kind, name, code, output.read(), took, watch, folder)


class Recorded(Session):
    """Session that records the output of the server."""

    def __init__(self, command, **options):
        self.all = bytearray()
        super().__init__(command, **options)

    def read(self):
        message = super().read()
        self.all += json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return message


def talk(session, root, asked):
    """Sends the first requests of an editor: open a file, read its diagnostics, hover over its lines, and the same for a
    valid file.
    """
    folders = [{"uri": root.as_uri(), "name": "hostile"}]
    session.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders})
    session.notify("initialized", {})
    opened = [asked["open"], "manifests/sound.pp"]
    for path in opened:
        place = root / path
        text = place.read_text(errors="replace") if place.is_file() else "include evil\n"
        uri = place.as_uri()
        session.open(uri, text if path == asked["open"] else "$sound = 1\nnotice($sound)\n")
        session.diagnostics(uri, 1)
        lines = text.split("\n")
        for line in {0, len(lines) // 2, max(len(lines) - 3, 0)}:
            at = {"line": line, "character": min(len(lines[min(line, len(lines) - 1)]) // 2, 30)}
            session.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
    for method, parameters, is_answered in asked.get("messages", ()):
        if not is_answered:
            session.notify(method, parameters)
            continue
        try:
            session.request(method, parameters)
        except RuntimeError:
            # The request may be rejected.
            pass
    # Work on an edited file must not delay requests about another one.
    start = {"line": 0, "character": 0}
    session.change((root / asked["open"]).as_uri(), 1_000, [{"range": {"start": start, "end": start}, "text": " "}])
    session.request("textDocument/hover", {"textDocument": {"uri": (root / opened[1]).as_uri()}, "position": start})
    return session.stop()


def serve(binary, kind, root, asked, seconds):
    """Runs a session with the server."""
    folder = root.parent
    # The session starts its server with this environment.
    command = ["env", "-i", *(f"{name}={value}" for name, value in environment(folder).items()), binary, "lsp"]
    with tempfile.TemporaryFile() as errors:
        session = Recorded(command, timeout=seconds * Watch.PATIENCE, errors=errors)
        watch = Watch(session.server, seconds)
        try:
            code = talk(session, root, asked)
        except (EOFError, OSError, RuntimeError, ValueError, TypeError) as error:
            session.server.stdin.close()
            code = session.server.wait()
            if watch.shortfall is None and code == 0:
                watch.shortfall = f"{error}"[:60]
        session.watchdog.cancel()
        took = watch.end()
        errors.seek(0)
        return judge(kind, "lsp", code, bytes(session.all) + errors.read(), took, watch, folder)


def ask(binary, kind, seconds, only):
    """Returns all outcomes of one kind. A kind whose repository cannot be created fails without affecting the others."""
    try:
        return outcomes_of(binary, kind, seconds, only)
    except (OSError, subprocess.SubprocessError) as error:
        return [Outcome(kind, "none", 0, 0, f"not created: {error}"[:80])]


def outcomes_of(binary, kind, seconds, only):
    with tempfile.TemporaryDirectory(prefix="hostile-", ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        root, asked = make(kind, folder)
        outcomes = [
            run(binary, kind, name, arguments, root, seconds)
            for name, arguments in commands(asked)
            if not only or name in only
        ]
        if not only or "lsp" in only:
            outcomes.append(serve(binary, kind, root, asked, seconds))
        # Pipes, and folders too deep for Python.
        subprocess.run(["rm", "-rf", str(root)], check=False)
        shutil.rmtree(root, ignore_errors=True)
        return outcomes


# Bytes that are not valid frames, and the expected reason for the end of the server.
FRAMES = {
    "negative length": b"Content-Length: -5\r\n\r\n{}",
    "length beyond 64 bits": b"Content-Length: 99999999999999999999999\r\n\r\n{}",
    "absurd length": b"Content-Length: 9000000000000000000\r\n\r\n{}",
    "two gigabytes": b"Content-Length: 2147483648\r\n\r\n{}",
    "no length": b"Content-Type: x\r\n\r\n{}",
    "endless header": b"x" * (4 << 20),
    "endless headers": b"X: y\r\n" * (1 << 20),
    "no JSON": b"Content-Length: 2\r\n\r\n[[",
    "deep JSON": b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000,
    "no UTF-8": b"Content-Length: 4\r\n\r\n\xff\xfe\xff\xff",
}


def frames(binary, seconds):
    """Sends invalid frames: the server must exit, or continue to the end of its input, in time."""
    for name, data in FRAMES.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / "repository"
            root.mkdir()
            process = subprocess.Popen(
                [binary, "lsp"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limits
            )
            watch = Watch(process, seconds)
            output, _ = process.communicate(data)
            yield judge(f"frames: {name}", "lsp", process.returncode, output, watch.end(), watch, pathlib.Path(folder))


def print_table(outcomes):
    by_kind = collections.defaultdict(list)
    for outcome in outcomes:
        by_kind[outcome.kind].append(outcome)
    print(f"{'kind':44} {'runs':>4} {'short':>5} {'seconds':>8} {'MB':>5}")
    for kind, those in by_kind.items():
        short = sum(1 for it in those if it.shortfall)
        seconds, megabytes = max(it.seconds for it in those), max(it.megabytes for it in those)
        print(f"{kind:44} {len(those):4} {short or '':>5} {seconds:8.1f} {megabytes:5}")
    print()
    for it in (it for it in outcomes if it.shortfall):
        print(f"{it.kind}: {it.command}: {it.shortfall} ({it.seconds:.1f} s, {it.megabytes} MB)")
    short = sum(1 for it in outcomes if it.shortfall)
    print(f"{len(by_kind)} kinds, {len(outcomes)} runs: {len(outcomes) - short} hold, {short} fall short")
    return short


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--factor", type=float, default=1, help="slowdown of the machine or the build compared with a release build")
    parser.add_argument("--processor-time", action="store_true", help="limit processor time instead of wall time, for a busy machine")
    parser.add_argument("--only", action="append", help="only kinds whose names contain this")
    parser.add_argument("--command", action="append", help="only these commands")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", help="file for the outcomes")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    seconds = MAX_SECONDS * arguments.factor
    Watch.processor_time = arguments.processor_time
    kinds = [kind for kind in KINDS if not arguments.only or any(text in kind for text in arguments.only)]
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for those in pool.map(lambda kind: ask(binary, kind, seconds, arguments.command), kinds):
            outcomes += those
            print(".", end="", file=sys.stderr, flush=True)
            for it in those:
                if it.shortfall:
                    print(f"\n{it.kind}, {it.command}: {it.shortfall}", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if not arguments.only:
        outcomes += frames(binary, seconds)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps([it._asdict() for it in outcomes], indent=1))
    return 1 if print_table(outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
