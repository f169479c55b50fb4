"""Runs the steps of a composite GitHub action on this machine, as a runner does.

Scripts run under `bash --noprofile --norc -e -o pipefail`. Conditions and values are evaluated for the parts of GitHub's
expression language that actions use: contexts, `==`, `!=`, `!`, `&&`, `||`, and functions such as `always()`. Steps with
`uses` call a Python function.
"""
import os
import pathlib
import re
import subprocess

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(\d+(?:\.\d+)?)|(==|!=|&&|\|\||[!(),.\[\]])|([A-Za-z_][\w-]*))")
STATUS_FUNCTIONS = re.compile(r"\b(always|success|failure|cancelled)\(\)")


class Expression:
    """Evaluates one expression against the contexts."""

    def __init__(self, text, contexts, has_failed):
        self.contexts, self.has_failed = contexts, has_failed
        self.tokens, at, text = [], 0, text.strip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise ValueError(f"cannot read the expression {text!r} at {at}")
            self.tokens.append(match)
            at = match.end()

    def peek(self):
        return self.tokens[0][0].strip() if self.tokens else None

    def take(self, expected=None):
        token = self.tokens.pop(0)
        if expected and token[3] != expected:
            raise ValueError(f"expected {expected!r}, found {token[0]!r}")
        return token

    def value(self):
        value = self.disjunction()
        if self.tokens:
            raise ValueError(f"unexpected {self.peek()!r}")
        return value

    def disjunction(self):
        value = self.conjunction()
        while self.peek() == "||":
            self.take()
            other = self.conjunction()
            value = value or other
        return value

    def conjunction(self):
        value = self.comparison()
        while self.peek() == "&&":
            self.take()
            other = self.comparison()
            value = value and other
        return value

    def comparison(self):
        value = self.operand()
        while self.peek() in ("==", "!="):
            is_equal = self.take()[3] == "=="
            other = self.operand()
            value = (as_string(value).lower() == as_string(other).lower()) == is_equal
        return value

    def operand(self):
        token = self.take()
        if token[3] == "!":
            return not self.operand()
        if token[3] == "(":
            value = self.disjunction()
            self.take(")")
            return value
        if token[1]:
            return token[1][1:-1].replace("''", "'")
        if token[2]:
            return float(token[2])
        name = token[4]
        if self.peek() == "(":
            self.take()
            self.take(")")
            return {"always": True, "success": not self.has_failed, "failure": self.has_failed}[name]
        if name in ("true", "false", "null"):
            return {"true": True, "false": False, "null": ""}[name]
        value = self.contexts[name]
        while self.peek() == ".":
            self.take()
            key = self.take()[4]
            value = value.get(key, "") if isinstance(value, dict) else ""
        return value


def as_string(value):
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


class Runner:
    """A job with one step: the action."""

    def __init__(self, action, workspace, temporary, github, environment):
        """`action`: the parsed action.yml. `uses`: a function for each action that its steps use."""
        self.action, self.workspace, self.temporary = action, workspace, temporary
        self.environment = environment
        self.contexts = {"github": github, "steps": {}, "inputs": {}, "runner": {"temp": str(temporary)}}
        self.uses, self.log, self.path, self.summary = {}, [], [], ""
        self.has_failed = False

    def evaluate(self, text):
        """Replaces the expressions in a text."""
        return re.sub(r"\$\{\{(.*?)\}\}", lambda it: as_string(Expression(it[1], self.contexts, self.has_failed).value()), str(text))

    def is_wanted(self, step):
        condition = str(step.get("if", "success()"))
        condition = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", condition.strip())
        wanted = bool(Expression(condition, self.contexts, self.has_failed).value())
        return wanted if STATUS_FUNCTIONS.search(condition) else wanted and not self.has_failed

    def run(self, **inputs):
        """Runs all steps and returns whether the action succeeds."""
        declared = self.action["inputs"]
        unknown = set(inputs) - {name.replace("-", "_") for name in declared}
        if unknown:
            raise ValueError(f"the action has no inputs {unknown}")
        for name, properties in declared.items():
            default = self.evaluate(properties.get("default", ""))
            self.contexts["inputs"][name] = inputs.get(name.replace("-", "_"), default)
        for step in self.action["runs"]["steps"]:
            if not self.is_wanted(step):
                self.log.append(f"skipped: {step['name']}")
                continue
            self.log.append(f"step: {step['name']}")
            if "uses" in step:
                values = {key: self.evaluate(value) for key, value in step.get("with", {}).items()}
                code, outputs = 0 if self.uses[step["uses"].split("@")[0]](values) else 1, {}
            else:
                code, outputs = self.script(step)
            self.contexts["steps"][step.get("id", step["name"])] = {"outputs": outputs}
            if code != 0 and not step.get("continue-on-error"):
                self.log.append(f"exit code {code}")
                self.has_failed = True
        self.outputs = {name: self.evaluate(it["value"]) for name, it in self.action.get("outputs", {}).items()}
        return not self.has_failed

    def script(self, step):
        """Runs a script and returns its exit code and outputs."""
        if step["shell"] != "bash":
            raise ValueError(f"the shell of the step {step['name']} is not bash")
        if "${{" in step["run"]:
            raise ValueError(f"the script of the step {step['name']} contains an expression, whose value would be run as code")
        files = {name: self.temporary / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        script = self.temporary / "script.sh"
        script.write_text(step["run"])
        environment = {
            **self.environment,
            **{name: str(file) for name, file in files.items()},
            **{name: self.evaluate(value) for name, value in step.get("env", {}).items()},
            "PATH": os.pathsep.join([*reversed(self.path), self.environment["PATH"]]),
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_ACTIONS": "true",
        }
        folder = self.workspace / self.evaluate(step.get("working-directory", "."))
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script]
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.log += done.stdout.splitlines()
        self.path += files["GITHUB_PATH"].read_text().split("\n")[:-1]
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        return done.returncode, dict(line.split("=", 1) for line in lines)
