#!/usr/bin/env python3
"""Talks to a built server over real stdio, as an editor does. Exits with 0 if all answers are right.

    tests/lsp-smoke.py target/release/puppet-analyzer
"""

import sys
import tempfile
import pathlib

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402

BROKEN = "class profile::base (\n  String $motd,\n) {\n  file { '/etc/motd':\n    content => $motd,\n  }\n"


def check(condition, what):
    if not condition:
        raise AssertionError(what)
    print(f"ok: {what}")


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "manifests").mkdir()
        (root / "manifests" / "site.pp").write_text("node default { include profile::base }\n")
        path = root / "manifests" / "base.pp"
        path.write_text(BROKEN)
        uri = path.as_uri()
        session = Session([binary, "lsp", "--stdio"])
        folders = [{"uri": root.as_uri(), "name": "smoke"}]
        symbols = {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
        result = session.request(
            "initialize",
            {"processId": None, "rootUri": None, "capabilities": {"textDocument": symbols}, "workspaceFolders": folders},
        )
        check(result["serverInfo"]["name"] == "puppet-analyzer", "initialize is answered")
        session.notify("initialized", {})

        session.open(uri, BROKEN)
        found = session.diagnostics(uri, 1)
        check(len(found) == 1 and found[0]["severity"] == 1, f"the error is reported: {[it['message'] for it in found]}")
        end = {"line": BROKEN.count("\n"), "character": 0}
        session.change(uri, 2, [{"range": {"start": end, "end": end}, "text": "}\n"}])
        check(session.diagnostics(uri, 2) == [], "an edit removes it")

        outline = session.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        names = [outline[0]["name"]] + [it["name"] for it in outline[0]["children"]]
        check(names == ["profile::base", "$motd", "File[/etc/motd]"], f"the outline: {names}")
        folds = session.request("textDocument/foldingRange", {"textDocument": {"uri": uri}})
        check(len(folds) == 3, f"{len(folds)} folding ranges")
        tokens = session.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})
        check(len(tokens["data"]) > 40, f"{len(tokens['data']) // 5} semantic tokens")
        wrong = "$x = 1 + 'a'\n$y = split('a,b', "
        site = (root / "manifests" / "site.pp").as_uri()
        session.open(site, wrong)
        codes = [it["code"] for it in session.last_diagnostics(site)]
        check("not-numeric" in codes, f"evaluation reports failing operations: {codes}")

        def ask(method, line, character):
            position = {"line": line, "character": character}
            return session.request(method, {"textDocument": {"uri": site}, "position": position})

        hover = ask("textDocument/hover", 1, 6)
        check("split(String $str" in hover["contents"]["value"], "a function has a hover")
        help = ask("textDocument/signatureHelp", 1, 17)
        check(help["activeParameter"] == 1 and len(help["signatures"]) > 1, "an unclosed call has signatures")
        session.change(site, 2, [{"text": "$x = [1].fil"}])
        items = ask("textDocument/completion", 0, 12)["items"]
        check(any(it["label"] == "filter" for it in items), f"{len(items)} functions are offered after a dot")
        item = next(it for it in items if it["label"] == "filter")
        check(session.request("completionItem/resolve", item)["documentation"]["value"], "an item has documentation")
        check(session.stop() == 0, "shutdown and exit end the process with code 0")

        session = Session([binary, "lsp"])
        session.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        session.server.stdin.close()
        check(session.server.wait(timeout=30) == 1, "the end of the input ends the process with code 1")
        session.watchdog.cancel()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except (AssertionError, EOFError, RuntimeError) as error:
        sys.exit(f"FAILED: {error}")
