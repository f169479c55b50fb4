"""Program that answers one question per line, such as the `conformance` binary."""

import json, os, select, shlex, subprocess


class LineProgram:
    """Answers questions; restarts its process when that exits or takes too long."""

    def __init__(self, command, timeout):
        self.command, self.timeout, self.process = shlex.split(command), timeout, None

    def ask(self, question):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            self.rest = b''
        try:
            self.process.stdin.write(json.dumps(question).encode() + b'\n')
            while b'\n' not in self.rest:
                if not select.select([self.process.stdout], [], [], self.timeout)[0]:
                    raise OSError(f'no answer in {self.timeout} seconds')
                data = os.read(self.process.stdout.fileno(), 1 << 20)
                if not data:
                    raise OSError('the program exited')
                self.rest += data
        except OSError as error:
            self.process.kill()
            self.process.wait()
            self.process = None
            return {'ok': False, 'error': {'message': f'!{error}'}}
        line, self.rest = self.rest.split(b'\n', 1)
        return json.loads(line)


def is_unknown(value):
    """Returns true if a part of the value is unknown, which is written as its type between angle brackets."""
    if isinstance(value, list):
        return any(map(is_unknown, value))
    if isinstance(value, dict):
        return any(map(is_unknown, value.values()))
    return isinstance(value, str) and value.startswith('<') and value.endswith('>')
