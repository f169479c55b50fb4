#!/usr/bin/env python3
"""Measures the starts of a built server over stdio: from the start of the process to right answers about names.

    tests/startup.py target/release/puppet-analyzer FOLDER [--starts N]

The folder is one of modules. In each start the server gets the folder and one manifest that uses names of others, and is
asked at once for a hover on a class that a second module defines, again and again until it knows it. Printed: milliseconds
from the start of the process to that hover, until the server has nothing more to do (all names are known then), and the memory that
it has then (resident, and at most): of the first start, with an empty cache folder, and the median of those behind it, which know
what the first one kept. Fails when a name is not understood in the end.

With --hovers the server is asked for hovers on names of that manifest, one after the other, for as long as it reads the
folder and has other things to do; printed is how long an answer takes. While one takes long, others that somebody might have
asked for meanwhile would have waited, too: they are counted as if asked every 50 ms.
"""

import argparse
import math
import os
import pathlib
import random
import re
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402


def memory(session, field):
    """What the server uses of memory, in MB."""
    status = pathlib.Path(f"/proc/{session.server.pid}/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0]) / 1024


def foreign_class(folder):
    """A manifest, and in it the offset of the name of a class of another module that is there."""
    for manifest in sorted(folder.glob("*/manifests/**/*.pp")):
        own = manifest.relative_to(folder).parts[0]
        text = manifest.read_text(errors="ignore")
        for found in re.finditer(r"^\s*(?:include|require|contain)\s+(?:::)?([a-z]\w*)(::\w+)*\s*$", text, re.M):
            if found[1] != own and (folder / found[1] / "manifests/init.pp").is_file() and not found[2]:
                return manifest, text, found.start(1), found[1]
    sys.exit(f"no manifest in {folder} includes a class of another module")


def start(binary, folder, uri, text):
    session = Session([binary, "lsp"], timeout=600)
    folders = [{"uri": folder.as_uri(), "name": "folder"}]
    capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    params = {"processId": None, "rootUri": None, "capabilities": capabilities, "workspaceFolders": folders}
    session.request("initialize", params)
    session.notify("initialized", {})
    session.open(uri, text, version=0)
    return session


def measure(binary, folder):
    manifest, text, offset, name = foreign_class(folder)
    line = text.count("\n", 0, offset)
    column = offset - (text.rfind("\n", 0, offset) + 1)
    uri = manifest.as_uri()
    session = start(binary, folder, uri, text)
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
    while True:
        hover = session.request("textDocument/hover", place)
        if hover and f"class {name}" in str(hover["contents"]):
            break
        if time.perf_counter() - session.started > 60:
            sys.exit(f"after a minute the server does not know the class {name}: {hover}")
    hovered = (time.perf_counter() - session.started) * 1000
    session.until_idle()
    idle = (time.perf_counter() - session.started) * 1000
    figures = hovered, idle, memory(session, "VmRSS"), memory(session, "VmHWM")
    # What is kept for the next start is written now.
    time.sleep(2)
    session.stop()
    return figures


def measure_hovers(binary, folder):
    """The times that hovers take, in milliseconds, while the folder is read, and how long that takes, in seconds."""
    manifest, text, _, _ = foreign_class(folder)
    uri = manifest.as_uri()
    names = [
        {"line": at, "character": match.start() + 1}
        for at, line in enumerate(text.splitlines())
        for match in re.finditer(r"\$[a-z]\w*|\b[a-z]\w*(?:::\w+)+", line)
    ]
    rng = random.Random(1)
    session = start(binary, folder, uri, text)
    session.last_id += 1
    idle = session.last_id
    session.send({"id": idle, "method": "puppet-analyzer/waitUntilIdle"})
    times = []
    while not any(it.get("id") == idle and "method" not in it for it in session.said):
        before = time.perf_counter()
        session.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": rng.choice(names)})
        took = (time.perf_counter() - before) * 1000
        times += [took - waited for waited in range(0, int(took) + 1, 50)]
        # As somebody would who moves the mouse quickly.
        time.sleep(0.01)
    took = time.perf_counter() - session.started
    session.stop()
    return times, took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--hovers", action="store_true")
    arguments = parser.parse_args()
    if arguments.hovers:
        times, took = measure_hovers(arguments.binary, arguments.folder.resolve())
        times.sort()
        slow = sum(it > 100 for it in times) / len(times)
        p95 = times[int(len(times) * 0.95)]
        print(f"{len(times)} hovers in {took:.0f} s: median {statistics.median(times):.1f} ms, p95 {p95:.1f}, at most {times[-1]:.1f}; {slow:.0%} above 100 ms")
        return
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        first, *later = [measure(arguments.binary, arguments.folder.resolve()) for _ in range(arguments.starts)]
        kept = sum(it.stat().st_size for it in pathlib.Path(cache).rglob("*") if it.is_file())
    names = "hover on a name (ms)", "idle (ms)", "resident (MB)", "at most (MB)"
    print(f"{'':<24}{'first':>10}{'later':>10}")
    for name, at_first, *then in zip(names, first, *later):
        print(f"{name:<24}{at_first:>10.1f}{statistics.median(then or [math.nan]):>10.1f}")
    print(f"{'kept on disk (MB)':<24}{kept / 1e6:>10.1f}")


if __name__ == "__main__":
    main()
