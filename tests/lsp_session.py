"""Session with a language server over stdio, for the scripts in this folder. Standard library only."""

import json
import os
import subprocess
import threading
import time


class Session:
    """Running server. Reads messages as they arrive; `timeout` (seconds) limits each wait."""

    def __init__(self, command, timeout=60, errors=None):
        self.started = time.perf_counter()
        self.server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0
        )
        self.reader = os.fdopen(self.server.stdout.fileno(), "rb", buffering=1 << 16, closefd=False)
        self.last_id = 0
        self.said = []
        # Arrival time of the last message, before it was decoded.
        self.arrived = self.started
        self.watchdog = threading.Timer(timeout, self.server.kill)
        self.watchdog.daemon = True
        self.watchdog.start()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def read(self):
        """Returns the next message of the server."""
        length = None
        while True:
            line = self.reader.readline()
            if not line:
                raise EOFError("the server exited (or was killed because it did not respond)")
            if not line.strip():
                break
            name, value = line.split(b":", 1)
            if name.lower() == b"content-length":
                length = int(value)
        body = self.reader.read(length)
        self.arrived = time.perf_counter()
        return json.loads(body)

    def wait_for(self, wanted):
        """Returns the first message for which `wanted` is true; answers requests of the server with null."""
        for at, message in enumerate(self.said):
            if wanted(message):
                return self.said.pop(at)
        while True:
            message = self.read()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            if wanted(message):
                return message
            self.said.append(message)

    def request(self, method, params=None):
        self.last_id += 1
        number = self.last_id
        message = {"id": number, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        answer = self.wait_for(lambda it: "method" not in it and it.get("id") == number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def diagnostics(self, uri, version):
        """Returns the diagnostics published for one version of a file."""

        def wanted(message):
            params = message.get("params") or {}
            is_publish = message.get("method") == "textDocument/publishDiagnostics"
            return is_publish and params["uri"] == uri and params.get("version") == version

        return self.wait_for(wanted)["params"]["diagnostics"]

    def until_idle(self):
        """Waits until the server is idle."""
        self.request("puppet-analyzer/waitUntilIdle")

    def last_diagnostics(self, uri):
        """Returns the diagnostics published last for a file, once the server is idle."""
        self.until_idle()
        last = None
        for message in self.said:
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                last = message["params"]["diagnostics"]
        self.said.clear()
        return last

    def open(self, uri, text, version=1):
        document = {"uri": uri, "languageId": "puppet", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri, version, changes):
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def stop(self):
        """Shuts the server down and returns its exit code."""
        self.request("shutdown")
        self.notify("exit", None)
        self.server.stdin.close()
        code = self.server.wait()
        self.watchdog.cancel()
        return code
