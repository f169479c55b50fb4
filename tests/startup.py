#!/usr/bin/env python3
"""Measures the startup of a built server over stdio: time from the start of the process to correct answers about names.

    tests/startup.py target/release/puppet-analyzer FOLDER [--starts N]

FOLDER is a folder of modules. On each start the server gets the folder and one manifest that uses names of other
modules. A hover on a class that a second module defines is requested repeatedly until the answer is right. Prints the
milliseconds from the start of the process to that hover and to the server being idle (all names are known then), and its
memory at that time (resident and peak): for the first start, with an empty cache folder, and the median of later ones,
which use that cache. Fails if a name is not resolved in the end.

With --hovers, hovers on names of that manifest are requested one after the other while the server reads the folder and
has other work; the response times are printed. While one response is slow, other requests would wait as well: they are
counted as if sent every 50 ms.
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
    """Returns the memory use of the server in MB."""
    status = pathlib.Path(f"/proc/{session.server.pid}/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0]) / 1024


def foreign_class(folder):
    """Returns a manifest and the offset of the name of a class of another module in it."""
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
            sys.exit(f"the server does not resolve within a minute the class {name}: {hover}")
    hovered = (time.perf_counter() - session.started) * 1000
    session.until_idle()
    idle = (time.perf_counter() - session.started) * 1000
    figures = hovered, idle, memory(session, "VmRSS"), memory(session, "VmHWM")
    # The cache for the next start is written now.
    time.sleep(2)
    session.stop()
    return figures


def measure_hovers(binary, folder):
    """Returns the response times of hovers in milliseconds while the folder is read, and the duration of that in seconds."""
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
        # Simulates a user who moves the mouse quickly.
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
    print(f"{'cache on disk (MB)':<24}{kept / 1e6:>10.1f}")


if __name__ == "__main__":
    main()
