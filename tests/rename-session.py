#!/usr/bin/env python3
"""Renames things of a folder of modules to another name and back, and looks what is left.

    tests/rename-session.py target/release/puppet-analyzer FOLDER [--renames N] [--seed N]

Behind each pair of renames every text is the same as before, and the file has the findings that it had. Prints how many
pairs were made, how many names refuse (and why), and what went wrong; ends with 1 if something did.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import sys

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402

NAME = re.compile(rb"\$[a-z]\w*|^(?:class|define|function) +([a-z][\w:]*)|\b[a-z]\w*::[a-z][\w:]*", re.MULTILINE)


class Texts:
    """The texts of the workspace as the server should see them, by URI. All that differ from the disk are open."""

    def __init__(self, session):
        self.session = session
        self.open = {}
        self.versions = collections.Counter()

    def text(self, uri):
        if uri not in self.open:
            return pathlib.Path(uri.removeprefix("file://")).read_text()
        return self.open[uri]

    def set(self, uri, text):
        self.versions[uri] += 1
        if uri not in self.open:
            self.session.open(uri, text, self.versions[uri])
        else:
            self.session.change(uri, self.versions[uri], [{"text": text}])
        self.open[uri] = text

    def close(self, uri):
        if self.open.pop(uri, None) is not None:
            self.session.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def offset(lines, position):
    """Where a position is in the text, in UTF-16."""
    return sum(len(line) for line in lines[: position["line"]]) + position["character"]


def edited(text, edits):
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda it: (it["range"]["start"]["line"], it["range"]["start"]["character"]), reverse=True):
        start, end = (offset(lines, edit["range"][side]) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


def apply(texts, change):
    """Makes the changes; the URIs that were moved, old and new."""
    moves = []
    operations = change.get("documentChanges") or []
    for it in operations:
        if it.get("kind") == "rename":
            moves.append((it["oldUri"], it["newUri"]))
    for it in operations:
        if "edits" in it:
            uri = it["textDocument"]["uri"]
            texts.set(uri, edited(texts.text(uri), it["edits"]))
    for uri, edits in (change.get("changes") or {}).items():
        texts.set(uri, edited(texts.text(uri), edits))
    return moves


def findings(session, uri):
    found = session.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
    return collections.Counter((it["code"], it["message"]) for it in found if it.get("severity", 1) < 4)


def main(binary, folder, renames, seed):
    folder = pathlib.Path(folder).absolute()
    random.seed(seed)
    session = Session([binary, "lsp"], timeout=7200)
    capabilities = {
        "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]}},
        "textDocument": {"diagnostic": {}, "rename": {"prepareSupport": True}},
        "general": {"positionEncodings": ["utf-16"]},
    }
    folders = [{"uri": folder.as_uri(), "name": "folder"}]
    session.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities, "workspaceFolders": folders})
    session.notify("initialized", {})
    session.until_idle()
    # Links are the same files under other names.
    files = sorted(it for it in folder.rglob("*.pp") if it.parent.name != "examples" and "/spec/" not in str(it))
    files = [it for it in files if it.read_bytes().isascii()]
    texts = Texts(session)
    made, moved, refused, wrong = 0, 0, collections.Counter(), []
    while made < renames:
        path = random.choice(files)
        places = list(NAME.finditer(path.read_bytes()))
        if not places:
            continue
        place = random.choice(places)
        uri = path.as_uri()
        text = texts.text(uri)
        at = place.start(1) if place.group(1) else place.start() + (1 if place.group().startswith(b"$") else 0)
        before = text[:at]
        position = {"line": before.count("\n"), "character": at - (before.rfind("\n") + 1)}
        document = {"textDocument": {"uri": uri}, "position": position}
        texts.set(uri, text)
        try:
            prepared = session.request("textDocument/prepareRename", document)
            if prepared is None:
                raise RuntimeError("nothing to rename")
            old = prepared["placeholder"] if "placeholder" in prepared else None
            new = f"{old}_renamed" if old else "renamed_thing"
            before_findings = findings(session, uri)
            change = session.request("textDocument/rename", {**document, "newName": new})
        except RuntimeError as error:
            reason = re.sub(r"`[^`]*`|'[^']*'", "…", str(error).split("message", 1)[-1])[:100]
            refused[reason] += 1
            texts.close(uri)
            continue
        touched = {it["textDocument"]["uri"] for it in change.get("documentChanges") or [] if "edits" in it}
        touched |= set(change.get("changes") or {})
        originals = {it: texts.text(it) for it in touched}
        moves = apply(texts, change)
        if moves:
            # The file moves: it vanishes here and is open under its new name.
            moved += 1
            for old_uri, new_uri in moves:
                content = texts.text(old_uri)
                texts.close(old_uri)
                backup = pathlib.Path(old_uri.removeprefix("file://"))
                target = pathlib.Path(new_uri.removeprefix("file://"))
                target.parent.mkdir(parents=True, exist_ok=True)
                backup.rename(target)
                events = [{"uri": old_uri, "type": 3}, {"uri": new_uri, "type": 1}]
                session.notify("workspace/didChangeWatchedFiles", {"changes": events})
                texts.set(new_uri, content)
        mapped = dict(moves)
        here = mapped.get(uri, uri)
        try:
            after = findings(session, here)
            position_now = dict(position)
            back = session.request(
                "textDocument/rename",
                {"textDocument": {"uri": here}, "position": position_now, "newName": old or text[at : at + len(place.group())]},
            )
            back_moves = apply(texts, back)
            for old_uri, new_uri in back_moves:
                content = texts.text(old_uri)
                texts.close(old_uri)
                pathlib.Path(old_uri.removeprefix("file://")).rename(pathlib.Path(new_uri.removeprefix("file://")))
                events = [{"uri": old_uri, "type": 3}, {"uri": new_uri, "type": 1}]
                session.notify("workspace/didChangeWatchedFiles", {"changes": events})
                texts.set(new_uri, content)
            for it, original in originals.items():
                if texts.text(it) != original:
                    wrong.append(f"{path}:{position['line'] + 1}: {old}: another text in {it}")
            if findings(session, uri) != before_findings:
                wrong.append(f"{path}:{position['line'] + 1}: {old}: other findings behind it")
            elif sum(after.values()) > sum(before_findings.values()):
                extra = [code for (code, _), count in (after - before_findings).items() for _ in range(count)]
                wrong.append(f"{path}:{position['line'] + 1}: {old}: new findings under the new name: {extra}")
        except RuntimeError as error:
            wrong.append(f"{path}:{position['line'] + 1}: {old}: refused on the way back: {error}")
            for old_uri, new_uri in moves:
                if pathlib.Path(new_uri.removeprefix("file://")).exists():
                    pathlib.Path(new_uri.removeprefix("file://")).rename(pathlib.Path(old_uri.removeprefix("file://")))
                    events = [{"uri": new_uri, "type": 3}, {"uri": old_uri, "type": 1}]
                    session.notify("workspace/didChangeWatchedFiles", {"changes": events})
        for it in list(texts.open):
            texts.close(it)
        made += 1
    for line in wrong:
        print(line)
    print(f"{made} renamed there and back, {moved} with their files; {len(wrong)} went wrong")
    print(json.dumps(refused.most_common(12), indent=1, ensure_ascii=False))
    session.stop()
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("folder", help="a copy: files are moved there, and back")
    parser.add_argument("--renames", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.exit(main(arguments.binary, arguments.folder, arguments.renames, arguments.seed))
