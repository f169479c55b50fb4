#!/usr/bin/env python3
"""Measures the time from a save until all diagnostics of compilations are published, by a built server over stdio.

    tests/save-latency.py target/release/puppet-analyzer FOLDER MODULE [--file manifests/params.pp] [--saves N]

FOLDER is a folder of modules; a file of MODULE in it is opened (`manifests/params.pp`, else `manifests/init.pp`). Prints
the time until the server is idle, in milliseconds and as the median of all saves: after opening the file; after a save
that adds or removes a variable; after one that changes the value of the first constant variable or restores it; after
one that changes a comment. Also prints the memory that the server uses then, in MB.
"""

import argparse
import pathlib
import re
import statistics
import sys
import time

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402


def memory(session, field):
    status = pathlib.Path(f"/proc/{session.server.pid}/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("module")
    parser.add_argument("--file", default="manifests/params.pp")
    parser.add_argument("--saves", type=int, default=5)
    parser.add_argument("--settings", default="7", help="Puppet version")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    manifest = folder / arguments.module / arguments.file
    if not manifest.is_file():
        manifest = folder / arguments.module / "manifests/init.pp"
    text = manifest.read_text()
    uri = manifest.as_uri()
    session = Session([str(arguments.server), "lsp"], timeout=300)
    folders = [{"uri": folder.as_uri(), "name": "folder"}]
    capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    options = {"puppetVersion": int(arguments.settings)}
    session.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities,
                                   "workspaceFolders": folders, "initializationOptions": options})
    session.notify("initialized", {})
    begun = time.perf_counter()
    session.open(uri, text, version=0)
    session.until_idle()
    print(f"opened: {(time.perf_counter() - begun) * 1000:.0f} ms, {memory(session, 'VmRSS'):.0f} MB")
    version = 0
    insert = text.index("{", text.index("class ")) + 1
    edits = [("adds a variable", text[:insert] + "\n  $a_new_variable = 1\n" + text[insert:])]
    # At the level of the class itself, so that it applies to all platforms.
    if constant := re.search(r"^  \$(\w+) *= '", text[insert:], re.MULTILINE):
        place = insert + constant.end()
        edits.append((f"changes ${constant[1]}", text[:place] + "other-" + text[place:]))
    edits.append(("changes a comment", text[:insert] + "\n  # a new comment\n" + text[insert:]))
    for name, edited in edits:
        times = []
        for _ in range(arguments.saves):
            for changed in (edited, text):
                version += 1
                session.change(uri, version, [{"text": changed}])
                session.until_idle()
                begun = time.perf_counter()
                session.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
                session.until_idle()
                times.append((time.perf_counter() - begun) * 1000)
        print(f"a save that {name}: {statistics.median(times):.0f} ms (at most {max(times):.0f})")
    found = session.last_diagnostics(uri)
    print(f"{len(found or [])} diagnostics, {memory(session, 'VmRSS'):.0f} MB, at most {memory(session, 'VmHWM'):.0f} MB")
    session.stop()


if __name__ == "__main__":
    main()
