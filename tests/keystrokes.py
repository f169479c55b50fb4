#!/usr/bin/env python3
"""Measures a built server over stdio: time from a keystroke to the first and last publication of its diagnostics.

    tests/keystrokes.py target/release/puppet-analyzer MODULES [--lines 50,505,3109,10024] [--shape many,one]
                        [--kind comment,name,string,brace,statement] [--client push,pull] [--workspace] [--samples 200] [FILE...]

MODULES is a folder of modules from which the edited manifests are made: one of many definitions, and one of a single
long class. FILEs are measured as well. With --workspace, MODULES is also the workspace.

A sample is one keystroke at a seeded position: a letter typed into a comment, a name, or a string, a `{` after a line that
leaves the file invalid, or a new statement; the next sample removes it. 20 warm-up samples precede 200 measured ones, each sent when
the server is idle. Times are in milliseconds, from before the message is written until the answer is read. A push client
waits for publishDiagnostics, a pull client sends textDocument/diagnostic after each keystroke. The last column is the
median processor time of all server threads per keystroke, which depends least on other load on the machine.
"""

import argparse
import pathlib
import random
import re
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import large_manifests  # noqa: E402
from lsp_session import Session  # noqa: E402

WARM_UP = 20
# Insert positions: after the match.
PLACES = {
    "comment": re.compile(r"^[ \t]*#[ \t]*\w{3,}", re.M),
    "name": re.compile(r"^(?:[^#'\"\n]*[\s(,=])?(?:\$?[a-z]\w{2,}(?:::\w+)*)(?=[\s,):\]])", re.M),
    "string": re.compile(r"^[^#'\"\n]*'[\w/]{2,}(?=[^'\n]*')", re.M),
    "brace": re.compile(r"^[^#'\"\n]*\S$", re.M),
    # Between two statements of a body.
    "statement": re.compile(r"^(?:[^#'\"\n]*[{}])?$(?=\n  (?!els)[a-z])", re.M),
}
# What is typed, other than a letter.
TYPED = {"brace": "{", "statement": "\n  notice(1)"}
MAKERS = {"many": large_manifests.of_many_definitions, "one": large_manifests.of_one_class}


def start(command, folder, client):
    session = Session([*command, "lsp"], timeout=1800)
    folders = [{"uri": folder.absolute().as_uri(), "name": "folder"}] if folder else []
    pulls = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    capabilities = pulls if client == "pull" else {}
    session.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities, "workspaceFolders": folders})
    session.notify("initialized", {})
    session.until_idle()
    return session


def keystrokes(text, kind, count, seed):
    """Yields edits that insert a letter or a statement and remove it again."""
    places = [(text.count("\n", 0, it.end()), it.end() - text.rfind("\n", 0, it.end()) - 1) for it in PLACES[kind].finditer(text)]
    rng = random.Random(seed)
    for index in range(count):
        if index % 2 == 0:
            line, character = rng.choice(places)
            start = end = {"line": line, "character": character}
            typed = TYPED.get(kind) or rng.choice("abcdefghijklmnopqrstuvwxyz")
        else:
            *breaks, last = typed.split("\n")
            end = {"line": line + len(breaks), "character": len(last) if breaks else character + len(last)}
            typed = ""
        yield {"range": {"start": start, "end": end}, "text": typed}


def published(session, uri, version):
    """Waits until the server is idle; returns the times of the first and last publication for the version."""
    times = []
    session.last_id += 1
    number = session.last_id

    def note(message):
        params = message.get("params") or {}
        is_publish = message.get("method") == "textDocument/publishDiagnostics"
        if is_publish and params["uri"] == uri and params.get("version") == version:
            times.append(session.arrived)
        return is_publish and bool(times)

    session.wait_for(note)
    session.send({"id": number, "method": "puppet-analyzer/waitUntilIdle"})
    session.wait_for(lambda it: note(it) and False or "method" not in it and it.get("id") == number)
    session.said.clear()
    return times[0], times[-1]


def processor_time(session):
    """Returns the processor time of the server's threads in milliseconds; 0 if the system does not report it."""
    tasks = pathlib.Path(f"/proc/{session.server.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def pulled(session, uri):
    session.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    arrived = session.arrived
    session.until_idle()
    session.said.clear()
    return arrived, arrived


def row(times):
    times = sorted(times)
    p95 = times[min(len(times) - 1, int(len(times) * 0.95))]
    return f"{statistics.median(times):>9.2f}{p95:>9.2f}{times[-1]:>9.2f}"


def measure(session, client, name, uri, text, kinds, samples):
    session.open(uri, text, version=0)
    session.until_idle()
    session.said.clear()
    version = 0
    for kind in kinds:
        firsts, lasts, works = [], [], []
        for index, change in enumerate(keystrokes(text, kind, WARM_UP + samples, seed=len(text))):
            version += 1
            worked = processor_time(session)
            before = time.perf_counter()
            session.change(uri, version, [change])
            first, last = published(session, uri, version) if client == "push" else pulled(session, uri)
            if index >= WARM_UP:
                firsts.append((first - before) * 1000)
                lasts.append((last - before) * 1000)
                works.append(processor_time(session) - worked)
        lines = text.count("\n")
        print(f"{name:<16}{client:<6}{lines:>7}  {kind:<9}{row(firsts)}  |{row(lasts)}  |{statistics.median(works):>9.2f}", flush=True)
    session.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    session.until_idle()
    session.said.clear()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--lines", default="50,505,3109,10024")
    parser.add_argument("--shape", default="many,one")
    parser.add_argument("--kind", default="comment,name,string,brace,statement")
    parser.add_argument("--client", default="push")
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--workspace", action="store_true")
    arguments = parser.parse_args()
    texts = []
    for shape in filter(None, arguments.shape.split(",")):
        for lines in filter(None, arguments.lines.split(",")):
            texts.append((shape, MAKERS[shape](arguments.modules, int(lines))))
    texts += [(file.stem, file.read_text()) for file in arguments.files]
    print(f"{'milliseconds':<40}{'first: median, p95, max':>27}  |{'last: median, p95, max':>27}  |{'work':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for client in arguments.client.split(","):
            for name, text in texts:
                session = start([arguments.binary], arguments.modules if arguments.workspace else None, client)
                uri = (pathlib.Path(folder) / "typed_in.pp").as_uri()
                measure(session, client, name, uri, text, arguments.kind.split(","), arguments.samples)
                session.stop()


if __name__ == "__main__":
    main()
