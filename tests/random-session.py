#!/usr/bin/env python3
"""Runs thousands of random operations on a workspace, then compares the server with a fresh one on the same files.

    tests/random-session.py target/release/puppet-analyzer FOLDER [--operations N] [--seed N]

The folder is copied first. An operation is an edit of an open file (inserts, removes, or moves words and lines), an
open, a close, a save, a file that is created, deleted, or moved on disk, a request of any kind the server offers, or a
canceled request. No response may be an error that the protocol does not allow for it. Finally reports the memory added
by the last 1,000 operations (the mean of many samples, compared with that of the 1,000 before), and whether a fresh
server gives the same answers and diagnostics. Exits with 0 on success.
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402

# Allowed error codes: canceled, content modified, request failed (a rejected rename).
ALLOWED_ERRORS = {-32800, -32801, -32803}
WORDS = ["{", "}", "(", ")", "'", '"', "$x", "$facts['os']", " => ", "include apache", "if $x { }", "class zz { }", "\n", "#", "1", "::", "notify { 'a': }", "é😀"]
MAX_MEMORY_GROWTH = 0.02
# A single sample is noisy: temporary data of the current operation is a tenth of it.
SAMPLE_EVERY = 25
POSITION_REQUESTS = ["hover", "completion", "definition", "references", "documentHighlight", "signatureHelp", "prepareRename", "typeDefinition", "declaration", "implementation", "prepareCallHierarchy", "prepareTypeHierarchy", "rename"]
FILE_REQUESTS = ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink", "inlayHint", "codeAction"]
PROVIDERS = {
    "semanticTokens/full": "semanticTokensProvider",
    "prepareCallHierarchy": "callHierarchyProvider",
    "prepareTypeHierarchy": "typeHierarchyProvider",
    "prepareRename": "renameProvider",
}
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {"rename": {"prepareSupport": True}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
}


class Workspace:
    """Files as this client sees them, and the server that is notified of every change."""

    def __init__(self, binary, root, rng):
        self.root, self.rng = root, rng
        self.open = {}
        self.versions = {}
        self.errors = []
        self.start(binary)

    def start(self, binary):
        self.session = Session([binary, "lsp"], timeout=3600)
        folders = [{"uri": self.root.as_uri(), "name": "workspace"}]
        params = {"processId": None, "rootUri": None, "capabilities": CAPABILITIES, "workspaceFolders": folders}
        self.offers = self.session.request("initialize", params)["capabilities"]
        self.session.notify("initialized", {})
        self.session.until_idle()

    def manifests(self):
        return sorted(path for path in self.root.rglob("*.pp"))

    def memory(self):
        status = pathlib.Path(f"/proc/{self.session.server.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    # Operations

    def open_file(self, path):
        if path in self.open or not path.exists():
            return
        text = path.read_bytes().decode("utf-8", "replace")
        self.open[path] = text
        self.versions[path] = self.versions.get(path, 0) + 1
        self.session.open(path.as_uri(), text, self.versions[path])

    def close_file(self, path):
        del self.open[path]
        self.session.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def save_file(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.open[path], newline="")
        self.session.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
        self.watched(path, 2)

    def watched(self, path, kind):
        self.session.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})

    def edit(self, path):
        text = self.open[path]
        kind = self.rng.randrange(4)
        at = self.rng.randrange(len(text) + 1)
        end = min(len(text), at + self.rng.choice([0, 0, 1, 5, 40]))
        new = self.rng.choice(WORDS) if kind else ""
        if kind == 3:
            lines = text.splitlines(True)
            if lines:
                new = self.rng.choice(lines)
        range_ = {"start": position(text, at), "end": position(text, end)}
        self.open[path] = text[:at] + new + text[end:]
        self.versions[path] += 1
        self.session.change(path.as_uri(), self.versions[path], [{"range": range_, "text": new}])

    def move_file(self, path):
        target = path.with_name(f"moved_{self.rng.randrange(10**6)}.pp")
        path.rename(target)
        self.watched(path, 3)
        self.watched(target, 1)

    def new_file(self, near):
        path = near.with_name(f"new_{self.rng.randrange(10**6)}.pp")
        path.write_text(f"class {near.parent.parent.name}::{path.stem} {{ include apache }}\n")
        self.watched(path, 1)

    def offered(self, method):
        return self.offers.get(PROVIDERS.get(method, f"{method}Provider"))

    def params(self, method, path):
        text = self.open[path]
        params = {"textDocument": {"uri": path.as_uri()}}
        if method in POSITION_REQUESTS:
            params["position"] = position(text, self.rng.randrange(len(text) + 1))
        if method == "references":
            params["context"] = {"includeDeclaration": True}
        if method == "rename":
            params["newName"] = "renamed_thing"
        whole = {"start": {"line": 0, "character": 0}, "end": position(text, len(text))}
        if method == "inlayHint":
            params["range"] = whole
        if method == "codeAction":
            params |= {"range": whole, "context": {"diagnostics": []}}
        return params

    def ask(self, path, cancel):
        method = self.rng.choice([it for it in POSITION_REQUESTS + FILE_REQUESTS + ["workspace/symbol"] if self.offered(it.split("/")[-1] if it == "workspace/symbol" else it) or it == "workspace/symbol" and self.offers.get("workspaceSymbolProvider")])
        if method == "workspace/symbol":
            return self.answer(method, {"query": self.rng.choice(["apa", "init", "x::y", ""])}, cancel)
        return self.answer(f"textDocument/{method}", self.params(method, path), cancel)

    def answer(self, method, params, cancel=False):
        session = self.session
        session.last_id += 1
        number = session.last_id
        session.send({"id": number, "method": method, "params": params})
        if cancel:
            session.notify("$/cancelRequest", {"id": number})
        answer = session.wait_for(lambda it: "method" not in it and it.get("id") == number)
        session.said.clear()
        error = answer.get("error")
        if error and error["code"] not in ALLOWED_ERRORS:
            self.errors.append((method, params, error))
        return None if error else answer["result"]

    def step(self):
        kind = self.rng.random()
        opened = sorted(self.open)
        if not opened or kind < 0.04 and len(opened) < 12:
            self.open_file(self.rng.choice(self.manifests()))
        elif kind < 0.08:
            self.close_file(self.rng.choice(opened))
        elif kind < 0.10:
            self.save_file(self.rng.choice(opened))
        elif kind < 0.12:
            closed = [path for path in self.manifests() if path not in self.open]
            self.rng.choice([self.move_file, self.new_file])(self.rng.choice(closed))
        elif kind < 0.13:
            added = [path for path in self.manifests() if path.name.startswith("new_") and path not in self.open]
            if added:
                path = self.rng.choice(added)
                path.unlink()
                self.watched(path, 3)
        elif kind < 0.55:
            self.edit(self.rng.choice(opened))
        else:
            self.ask(self.rng.choice(opened), cancel=kind > 0.97)

    # Evaluation

    def picture(self, places):
        """Returns the answers and diagnostics for the open files as text for comparison."""
        said = {}
        self.session.until_idle()
        for path, offsets in places.items():
            uri = path.as_uri()
            text = self.open[path]
            for method in FILE_REQUESTS:
                if self.offered(method):
                    said[f"{path} {method}"] = self.answer(f"textDocument/{method}", self.params(method, path))
            for offset in offsets:
                for method in POSITION_REQUESTS:
                    if self.offered(method) and method not in ("rename", "prepareRename"):
                        params = {"textDocument": {"uri": uri}, "position": position(text, offset)}
                        if method == "references":
                            params["context"] = {"includeDeclaration": True}
                        answer = self.answer(f"textDocument/{method}", params)
                        if "By platform: computing" in json.dumps(answer):
                            self.session.until_idle()
                            answer = self.answer(f"textDocument/{method}", params)
                        said[f"{path}:{offset} {method}"] = answer
        return {key: tidy(value) for key, value in said.items()}

    def published(self):
        """Returns the last diagnostics of each open file, after an edit without effect that triggers their publication."""
        self.session.until_idle()
        self.session.said.clear()
        found = {}
        for path in sorted(self.open):
            self.versions[path] += 1
            start = {"line": 0, "character": 0}
            edits = [{"range": {"start": start, "end": start}, "text": " "}]
            edits += [{"range": {"start": start, "end": {"line": 0, "character": 1}}, "text": ""}]
            self.session.change(path.as_uri(), self.versions[path], edits)
            found[str(path)] = tidy(self.session.last_diagnostics(path.as_uri()))
        return found


def position(text, offset):
    before = text[:offset]
    lines = re.split("\r\n|\n|\r", before)
    if before.endswith("\r") and text[offset : offset + 1] == "\n":
        # There is no position between `\r` and `\n`.
        lines = re.split("\r\n|\n|\r", before[:-1])
    return {"line": len(lines) - 1, "character": len(lines[-1].encode("utf-16-le")) // 2}


def tidy(value):
    """Removes the parts of a JSON value that may differ between two servers: result ids."""
    if isinstance(value, dict):
        return {key: tidy(item) for key, item in value.items() if key != "resultId"}
    return [tidy(item) for item in value] if isinstance(value, list) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve() / "modules"
        shutil.copytree(arguments.folder, root, ignore_dangling_symlinks=True)
        workspace = Workspace(arguments.binary, root, rng)
        started = time.time()
        before_last, last = [], []
        for number in range(arguments.operations):
            workspace.step()
            left = arguments.operations - number - 1
            if left < 2000 and left % SAMPLE_EVERY == 0:
                workspace.session.until_idle()
                (before_last if left >= 1000 else last).append(workspace.memory())
        workspace.session.until_idle()
        end = workspace.memory()
        growth = statistics.mean(last) / statistics.mean(before_last or last) - 1
        print(f"{arguments.operations} operations in {time.time() - started:.0f} s, {len(workspace.open)} files open")
        print(f"memory: {end // 1024} MB, the last 1,000 operations added {growth:.1%}")
        places = {path: [rng.randrange(len(text) + 1) for _ in range(10)] for path, text in sorted(workspace.open.items())}
        old, old_diagnostics = workspace.picture(places), workspace.published()
        workspace.session.stop()
        fresh = Workspace(arguments.binary, root, rng)
        fresh.versions = {path: 0 for path in workspace.open}
        for path, text in sorted(workspace.open.items()):
            fresh.open[path] = text
            fresh.session.open(path.as_uri(), text, 0)
        new, new_diagnostics = fresh.picture(places), fresh.published()
        fresh.session.stop()
    differing = [key for key in old if old[key] != new[key]]
    differing += [f"{key} diagnostics" for key in old_diagnostics if old_diagnostics[key] != new_diagnostics[key]]
    print(f"{len(old) + len(old_diagnostics)} answers compared with a fresh server's: {len(differing)} differ")
    for key in differing[:10]:
        both = (old.get(key), new.get(key)) if key in old else (old_diagnostics[key[:-12]], new_diagnostics[key[:-12]])
        print(f"  {key}\n    {json.dumps(both[0])[:600]}\n    {json.dumps(both[1])[:600]}")
    for method, params, error in workspace.errors[:10]:
        print(f"  {method} {json.dumps(params)[:300]}: {error}")
    print(f"{len(workspace.errors)} errors that the protocol does not allow")
    sys.exit(bool(differing or workspace.errors or growth > MAX_MEMORY_GROWTH))


if __name__ == "__main__":
    main()
