#!/usr/bin/env python3
"""Types a manifest letter by letter in real time and counts what the user sees: messages, and squiggles that vanish.

    tests/flicker.py target/release/puppet-analyzer [--file server/tests/lsp/typed.pp] [--interval 60] [--closing]
                     [--at-most 5]

The text is typed from an empty file with `--interval` milliseconds between keys; with --closing, as in an editor that
closes brackets and quotes. A flip is a diagnostic of one publication that the next one lacks. No message on a correct
text that is typed without a pause may advise a removal. Exits with 1 if there is such a message, or if there are more
flips than --at-most.
"""

import argparse
import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402

PAIRS = {"{": "}", "(": ")", "[": "]", "'": "'", '"': '"'}


def keystrokes(text, closes):
    """Yields the text typed at the cursor, the number of letters it replaces, and how far the cursor moves afterwards."""
    pending = []
    for letter in text:
        if closes and pending and letter == pending[-1]:
            pending.pop()
            yield letter, 1, 1
        elif closes and letter in PAIRS and not (pending and pending[-1] in "'\"" and letter != "{"):
            pending.append(PAIRS[letter])
            yield letter + PAIRS[letter], 0, 1
        else:
            yield letter, 0, 1


def shown(session, uri):
    """Yields the diagnostics of each publication that has arrived, as code and message."""
    said, session.said[:] = list(session.said), []
    for message in said:
        params = message.get("params") or {}
        if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri:
            yield {(it["code"], it["message"]) for it in params["diagnostics"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--file", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "server/tests/lsp/typed.pp")
    parser.add_argument("--interval", type=float, default=60)
    parser.add_argument("--closing", action="store_true")
    parser.add_argument("--at-most", type=int, default=5)
    arguments = parser.parse_args()
    text = arguments.file.read_text()
    session = Session([arguments.binary, "lsp"], timeout=600)
    session.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": []})
    session.notify("initialized", {})
    flips, publications, messages, before, vanished = 0, 0, set(), set(), []
    with tempfile.TemporaryDirectory() as folder:
        uri = (pathlib.Path(folder) / "typed.pp").as_uri()
        session.open(uri, "", version=0)
        session.until_idle()
        session.said.clear()
        typed, cursor, keys = "", 0, 0
        for new, replaced, moved in keystrokes(text, arguments.closing):
            start = time.perf_counter()
            line, column = typed.count("\n", 0, cursor), cursor - typed.rfind("\n", 0, cursor) - 1
            keys += 1
            edited = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + replaced}}
            session.change(uri, keys, [{"range": edited, "text": new}])
            typed = typed[:cursor] + new + typed[cursor + replaced:]
            cursor += moved
            # A response comes after what was published for the edit.
            session.request("puppet-analyzer/waitUntilPublished")
            for found in shown(session, uri):
                publications += 1
                flips += len(before - found)
                vanished += sorted(before - found)
                messages |= {message for _, message in found}
                before = found
            time.sleep(max(0.0, arguments.interval / 1000 - (time.perf_counter() - start)))
        is_same = typed[:cursor] == text
        session.until_idle()
        last = list(shown(session, uri))
        session.stop()
    if not is_same:
        sys.exit("the typed text differs from the file")
    advice = [it for it in messages if "remove" in it.lower()]
    print(f"{keys} keystrokes, {publications} publications, {len(messages)} messages, {flips} flips, {len(advice)} advise a removal")
    for code, message in vanished:
        print(f"  {code}: {message.splitlines()[0]}")
    if last and last[-1]:
        print(f"  left at the end: {sorted(last[-1])}")
    sys.exit(1 if advice or flips > arguments.at_most else 0)


if __name__ == "__main__":
    main()
