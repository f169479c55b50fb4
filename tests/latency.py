#!/usr/bin/env python3
"""Measures a built server over stdio: time from a keystroke to its diagnostics, and from requests to their responses.

    tests/latency.py target/release/puppet-analyzer [--folder FOLDER] FILE...

Takes 20 warm-up and 200 measured samples per file at seeded positions; a sample types one character into a comment or
whitespace, or removes it again. For diagnostics of evaluation it types a digit into a statement that cannot succeed.
Times are in milliseconds, from before the message is written until the answer is read. With a folder, the server reads
it as its workspace first, and its peak memory is printed, too.
"""

import pathlib
import random
import re
import statistics
import sys
import time

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402

# Variables, names of classes and defined types, and called functions.
WORD = re.compile(r"\$[a-z]\w*|\b[a-z]\w*::[a-z]\w*|\b[a-z]\w+(?=\()")
WARM_UP = 20
SAMPLES = 200
STARTS = 20


def milliseconds(since):
    return (time.perf_counter() - since) * 1000


def row(name, lines, times):
    times = sorted(times)
    p95 = times[min(len(times) - 1, int(len(times) * 0.95))]
    print(f"{name:<34}{lines:>8}{statistics.median(times):>10.2f}{p95:>10.2f}{times[-1]:>10.2f}")


def start(binary, folder=None):
    session = Session([binary, "lsp"], timeout=900)
    folders = [{"uri": pathlib.Path(folder).absolute().as_uri(), "name": "folder"}] if folder else []
    params = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
    session.request("initialize", params)
    took = milliseconds(session.started)
    session.notify("initialized", {})
    return session, took


def peak_memory(session):
    """Returns the peak memory of the server in MB; None if the system does not report it."""
    try:
        status = pathlib.Path(f"/proc/{session.server.pid}/status").read_text()
    except OSError:
        return None
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def measure(times, index, action):
    before = time.perf_counter()
    action()
    if index >= WARM_UP:
        times.append(milliseconds(before))


def codes(session, uri, version, wanted):
    """Waits for the diagnostics of a version that have the code `wanted` (or any, if it is None)."""
    while True:
        found = [it["code"] for it in session.diagnostics(uri, version)]
        if wanted is None or wanted in found:
            return


def measure_file(binary, folder, path):
    text = path.read_text()
    lines = text.count("\n")
    uri = path.absolute().as_uri()
    random.seed(lines)
    session, _ = start(binary, folder)
    session.until_idle()
    before = time.perf_counter()
    session.open(uri, text, version=0)
    session.diagnostics(uri, 0)
    opened = milliseconds(before)
    session.until_idle()
    row("didOpen to syntax diagnostics", lines, [opened])
    row("didOpen to the end of evaluation", lines, [milliseconds(before)])
    version = 0

    def edit(start, end, new, wanted=None):
        nonlocal version
        version += 1
        session.change(uri, version, [{"range": {"start": start, "end": end}, "text": new}])
        codes(session, uri, version, wanted)

    times = []
    for index in range(WARM_UP + SAMPLES):
        # A space at the start of a line, removed again by the next sample.
        if index % 2 == 0:
            place = {"line": random.randrange(max(lines, 1)), "character": 0}
            measure(times, index, lambda: edit(place, place, " "))
        else:
            measure(times, index, lambda: edit(place, {**place, "character": 1}, ""))
        session.until_idle()
    row("didChange to syntax diagnostics", lines, times)

    body = next((at for at, line in enumerate(text.splitlines(), 1) if line.rstrip().endswith(") {")), None)
    if body is None:
        sys.exit(f"{path}: no definition with parameters and a body found")
    place = {"line": body, "character": 0}
    edit(place, place, "$measured__ = 1 + 'a'\n")
    times = []
    for index in range(WARM_UP + SAMPLES):
        start_, end = ({"line": body, "character": 19 + at} for at in (0, 1))
        new = "abcdefghijklmnopqrstuvwxyz"[(index + 1) % 26]
        measure(times, index, lambda: edit(start_, end, new, "not-numeric"))
        session.until_idle()
    row("didChange to evaluation", lines, times)

    document = {"textDocument": {"uri": uri}}

    def at(character):
        return {**document, "position": {"line": random.randrange(max(lines, 1)), "character": character}}

    requests = {
        "documentSymbol": lambda: document,
        "foldingRange": lambda: document,
        "semanticTokens/full": lambda: document,
        "selectionRange": lambda: {**document, "positions": [at(4)["position"]]},
        "hover": lambda: at(random.randrange(12)),
    }
    for name, params in requests.items():
        times = []
        for index in range(WARM_UP + SAMPLES):
            measure(times, index, lambda: session.request(f"textDocument/{name}", params()))
        row(name, lines, times)

    # At names, since most other positions have no hover.
    words = [(at, match.start()) for at, line in enumerate(text.splitlines()) for match in WORD.finditer(line)]

    def on_a_name():
        line, character = random.choice(words)
        return {**document, "position": {"line": line + (line >= body), "character": character + 1}}

    parts = sorted({match.group().lstrip("$")[:4] for line in text.splitlines() for match in WORD.finditer(line)})
    on_names = {
        "textDocument/definition": on_a_name,
        "textDocument/references": lambda: {**on_a_name(), "context": {"includeDeclaration": True}},
        "textDocument/hover": on_a_name,
        "workspace/symbol": lambda: {"query": random.choice(parts)},
    }
    for name, params in on_names.items():
        times = []
        for index in range(WARM_UP + SAMPLES):
            measure(times, index, lambda: session.request(name, params()))
        row(f"{name.split('/')[-1]} of a name", lines, times)

    # An extra space in an otherwise formatted file, and a request to format it.
    options = {"options": {"tabSize": 2, "insertSpaces": True}}
    for name, typed in [("formatting", ""), ("formatting after an edit", " ")]:
        times = []
        for index in range(WARM_UP + SAMPLES):
            session.until_idle()
            place_ = {"line": random.randrange(max(lines, 1)), "character": 0}
            after = {**place_, "character": len(typed)}
            if typed:
                version += 1
                session.change(uri, version, [{"range": {"start": place_, "end": place_}, "text": typed}])
            measure(times, index, lambda: session.request("textDocument/formatting", {**document, **options}))
            if typed:
                version += 1
                session.change(uri, version, [{"range": {"start": place_, "end": after}, "text": ""}])
        row(name, lines, times)

    # While typing: each request is about a file that has just changed.
    for name, typed in [("completion", "$measured__ = [1].fi"), ("signatureHelp", "$measured__ = split('a', ")]:
        version += 1
        whole = {"start": place, "end": {"line": body + 1, "character": 0}}
        session.change(uri, version, [{"range": whole, "text": typed + "\n"}])
        times = []
        for index in range(WARM_UP + SAMPLES):
            session.until_idle()
            version += 1
            start_, end = ({"line": body, "character": 11 + at} for at in (0, index % 2))
            session.change(uri, version, [{"range": {"start": start_, "end": end}, "text": " "[index % 2 :]}])
            position = {"line": body, "character": len(typed) + 1 - index % 2}
            measure(times, index, lambda: session.request(f"textDocument/{name}", {**document, "position": position}))
        row(f"{name} after an edit", lines, times)
    print(f"peak memory: {peak_memory(session)} MB")
    session.stop()


def main(binary, arguments):
    folder = None
    if arguments[0] == "--folder":
        folder, arguments = arguments[1], arguments[2:]
    print(f"{'ms':<34}{'lines':>8}{'median':>10}{'p95':>10}{'max':>10}")
    times = []
    for _ in range(STARTS):
        session, took = start(binary)
        times.append(took)
        session.stop()
    row("process start to initialize", 0, times)
    for file in arguments:
        measure_file(binary, folder, pathlib.Path(file))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
