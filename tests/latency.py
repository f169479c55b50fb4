#!/usr/bin/env python3
"""Measures a built server over stdio: how long until a keystroke's diagnostics, and until answers, are there.

    tests/latency.py target/release/puppet-analyzer FILE...

For each file 20 warm-up and 200 measured samples at seeded positions; a sample types one character into a comment or
blank, or takes it away again. Times are in milliseconds, from before the message is written until the answer is read.
"""

import pathlib
import random
import statistics
import sys
import time

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402

WARM_UP = 20
SAMPLES = 200
STARTS = 20


def milliseconds(since):
    return (time.perf_counter() - since) * 1000


def row(name, lines, times):
    times = sorted(times)
    p95 = times[min(len(times) - 1, int(len(times) * 0.95))]
    print(f"{name:<34}{lines:>8}{statistics.median(times):>10.2f}{p95:>10.2f}{times[-1]:>10.2f}")


def start(binary):
    session = Session([binary, "lsp"], timeout=600)
    session.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    took = milliseconds(session.started)
    session.notify("initialized", {})
    return session, took


def measure(times, index, action):
    before = time.perf_counter()
    action()
    if index >= WARM_UP:
        times.append(milliseconds(before))


def measure_file(binary, path):
    text = path.read_text()
    lines = text.count("\n")
    uri = path.absolute().as_uri()
    random.seed(lines)
    session, _ = start(binary)
    session.open(uri, text, version=0)
    session.diagnostics(uri, 0)
    version = 0

    def edit(start, end, new):
        nonlocal version
        version += 1
        session.change(uri, version, [{"range": {"start": start, "end": end}, "text": new}])
        session.diagnostics(uri, version)

    times = []
    for index in range(WARM_UP + SAMPLES):
        # A blank at the start of a line, and gone again.
        if index % 2 == 0:
            place = {"line": random.randrange(max(lines, 1)), "character": 0}
            measure(times, index, lambda: edit(place, place, " "))
        else:
            measure(times, index, lambda: edit(place, {**place, "character": 1}, ""))
    row("didChange to diagnostics", lines, times)

    document = {"textDocument": {"uri": uri}}
    requests = {
        "documentSymbol": lambda: document,
        "foldingRange": lambda: document,
        "semanticTokens/full": lambda: document,
        "selectionRange": lambda: {
            **document,
            "positions": [{"line": random.randrange(max(lines, 1)), "character": 4}],
        },
    }
    for name, params in requests.items():
        times = []
        for index in range(WARM_UP + SAMPLES):
            measure(times, index, lambda: session.request(f"textDocument/{name}", params()))
        row(name, lines, times)
    session.stop()


def main(binary, files):
    print(f"{'ms':<34}{'lines':>8}{'median':>10}{'p95':>10}{'max':>10}")
    times = []
    for _ in range(STARTS):
        session, took = start(binary)
        times.append(took)
        session.stop()
    row("process start to initialize", 0, times)
    for file in files:
        measure_file(binary, pathlib.Path(file))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
