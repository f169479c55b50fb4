#!/usr/bin/env python3
"""Types the scripts in `editors/typing` in a simulated editor that is connected to a built server, and compares popups and the final
text. Exits with 0 if all are as the scripts say. `editors/typing/README.md` documents the format.

    tests/typing-session.py target/release/puppet-analyzer [--verbose] [SCRIPT...]
"""

import argparse
import difflib
import json
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402
from simulated_editor import VISIBLE_ROWS, Editor, Language  # noqa: E402
from typing_scripts import read_script  # noqa: E402

TESTS = pathlib.Path(__file__).resolve().parent
WORKSPACE = TESTS.parent / "examples" / "control-repo"
EXTENSION = TESTS.parent / "editors" / "vscode"
# Rules of VS Code's own YAML extension, which keeps the indentation of a line on Enter.
PAIRS = [["{", "}"], ["[", "]"], ["(", ")"]]
QUOTES = [["'", "'"], ['"', '"']]
YAML = {"brackets": PAIRS, "autoClosingPairs": PAIRS + QUOTES, "surroundingPairs": PAIRS + QUOTES}
# Capabilities of VS Code's client that affect completion and formatting.
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "completion": {
            "contextSupport": True,
            "completionItem": {
                "snippetSupport": True,
                "commitCharactersSupport": True,
                "documentationFormat": ["markdown"],
                "insertReplaceSupport": True,
                "labelDetailsSupport": True,
                "tagSupport": {"valueSet": [1]},
            },
            "completionList": {"itemDefaults": ["commitCharacters", "editRange", "insertTextFormat", "insertTextMode", "data"]},
        },
        "onTypeFormatting": {},
    },
    "experimental": {"commands": {"commands": ["editor.action.triggerSuggest"]}},
}


class Failure(Exception):
    """Difference between a script and the editor."""


class Server:
    """Connection to the server for one document."""

    def __init__(self, binary, root, path):
        self.session = Session([binary, "lsp", "--stdio"], timeout=300)
        folders = [{"uri": root.as_uri(), "name": "typing"}]
        params = {"processId": None, "rootUri": None, "capabilities": CAPABILITIES, "workspaceFolders": folders}
        offered = self.session.request("initialize", params)["capabilities"]
        self.session.notify("initialized", {})
        self.completion_triggers = set(offered["completionProvider"]["triggerCharacters"])
        on_type = offered["documentOnTypeFormattingProvider"]
        self.format_triggers = {on_type["firstTriggerCharacter"], *on_type.get("moreTriggerCharacter", [])}
        self.uri = path.as_uri()
        self.version = 1
        self.text = ""
        language = {".epp": "epp", ".yaml": "yaml"}.get(path.suffix, "puppet")
        self.is_formatted = language == "puppet"
        document = {"uri": self.uri, "languageId": language, "version": 1, "text": ""}
        self.session.notify("textDocument/didOpen", {"textDocument": document})
        self.session.until_idle()

    def position(self, text, offset):
        start = text.rfind("\n", 0, offset) + 1
        return {"line": text.count("\n", 0, offset), "character": len(text[start:offset].encode("utf-16-le")) // 2}

    def offset(self, position):
        lines = self.text.split("\n")
        start = sum(len(it) + 1 for it in lines[: position["line"]])
        line = lines[position["line"]].encode("utf-16-le")
        return start + len(line[: 2 * position["character"]].decode("utf-16-le"))

    def range(self, range_):
        return (self.offset(range_["start"]), self.offset(range_["end"]))

    def change(self, text, start, end, new):
        range_ = {"start": self.position(text, start), "end": self.position(text, end)}
        self.version += 1
        self.text = text[:start] + new + text[end:]
        self.session.change(self.uri, self.version, [{"range": range_, "text": new}])

    def completes_on(self, letter):
        return letter in self.completion_triggers

    def complete(self, offset, character):
        """Returns the items with their text and range, and whether the list is incomplete."""
        at = self.position(self.text, offset)
        context = {"triggerKind": 2, "triggerCharacter": character} if character else {"triggerKind": 1}
        params = {"textDocument": {"uri": self.uri}, "position": at, "context": context}
        answer = self.session.request("textDocument/completion", params) or {"items": [], "isIncomplete": False}
        defaults = answer.get("itemDefaults", {})
        items = []
        for item in answer["items"]:
            edit = item.get("textEdit")
            range_ = (edit.get("range") or edit["insert"]) if edit else defaults["editRange"]
            text = edit["newText"] if edit else item.get("textEditText", item["label"])
            format_ = item.get("insertTextFormat", defaults.get("insertTextFormat", 1))
            added = [(*self.range(it["range"]), it["newText"]) for it in item.get("additionalTextEdits", [])]
            known = {"text": text, "isSnippet": format_ == 2, "range": self.range(range_.get("insert", range_)), "edits": added}
            commit = item.get("commitCharacters", defaults.get("commitCharacters"))
            items.append({**item, **known, "commitCharacters": commit})
        return items, answer["isIncomplete"]

    def formats_on(self, letter):
        return self.is_formatted and letter in self.format_triggers

    def format(self, offset, character):
        at = self.position(self.text, offset)
        options = {"tabSize": 2, "insertSpaces": True}
        params = {"textDocument": {"uri": self.uri}, "position": at, "ch": character, "options": options}
        edits = self.session.request("textDocument/onTypeFormatting", params) or []
        return [(*self.range(it["range"]), it["newText"]) for it in edits]


def language_of(path):
    """Returns the rules of the extension for a file."""
    if path.suffix == ".yaml":
        return Language(YAML, "yaml")
    manifest = json.loads((EXTENSION / "package.json").read_text())
    languages = manifest["contributes"]["languages"]
    found = next(it for it in languages if path.suffix in it.get("extensions", []))
    lines = (EXTENSION / found["configuration"]).read_text().split("\n")
    # Whole lines may be comments.
    settings = json.loads("\n".join(it for it in lines if not it.lstrip().startswith("//")))
    return Language(settings, found["id"])


def run_step(editor, kind, argument):
    rows = editor.rows()
    if kind == "type":
        editor.type(argument)
    elif kind == "key":
        editor.press(argument)
    elif kind == "none":
        if rows:
            raise Failure(f"a popup is visible: {rows[:VISIBLE_ROWS]}")
    elif kind in ("expect", "accept"):
        if argument not in rows[:VISIBLE_ROWS]:
            raise Failure(f"`{argument}` is not in the popup: {rows[:VISIBLE_ROWS]}")
        if kind == "accept":
            while editor.focused()["label"] != argument:
                editor.press_down()
            editor.press_enter()
    else:
        raise Failure(f"unknown step `{kind}`")


def run(binary, script, is_verbose):
    """Types a script, and returns the differences."""
    file, steps, final = read_script(script)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve() / "control-repo"
        shutil.copytree(WORKSPACE, root)
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        server = Server(binary, root, path)
        editor = Editor(language_of(path), server)
        found = []
        for number, kind, argument in steps:
            try:
                run_step(editor, kind, argument)
            except Failure as failure:
                found.append(f"{script.name}:{number}: {failure}")
                if kind == "accept":
                    break
            if is_verbose:
                text = editor.text[: editor.cursor] + "|" + editor.text[editor.cursor :]
                print(f"--- {number} {kind}: {argument}\n{text}\n{editor.rows()[:VISIBLE_ROWS]}")
        if editor.text.rstrip("\n") != final.rstrip("\n"):
            lines = difflib.unified_diff(final.split("\n"), editor.text.split("\n"), "intended", "typed", lineterm="")
            found.append(f"{script.name}: the text differs\n" + "\n".join(lines))
        server.session.stop()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("scripts", nargs="*", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true", help="print text and popup after each step")
    arguments = parser.parse_args()
    scripts = arguments.scripts or sorted((TESTS / "editors" / "typing").glob("*.script"))
    failed = 0
    for script in scripts:
        found = run(arguments.binary, script, arguments.verbose)
        failed += bool(found)
        print(f"{'FAILED' if found else 'ok'}: {script.name}")
        for it in found:
            print(f"  {it}")
    print(f"{len(scripts) - failed} of {len(scripts)} scripts typed as intended")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
