#!/usr/bin/env python3
"""Runs the integrations with CI systems as those do, with a release, a GitHub API, and registries on this machine.

    [PACKAGES=FOLDER] tests/ci-integrations.py [BINARY [NAME...]]

BINARY: the program (default: target/release/puppet-analyzer). FOLDER: its packages (default: release/packages.py packs them
first). NAME: the tests to run (default: all).

* `packages`: the archive, deb, wheel, and npm package install the program, completions, and a complete man page per command
* `action`: the steps of action.yml with checksums, cache, annotations, SARIF, and comments
* `hooks`: pre-commit with the hooks of this repository
* `snippets`: the scripts of docs/site/src/how-to/ci.md for GitLab and Jenkins
* `init`: the jobs and hooks that `init` writes
* `mega-linter`: the commands of MegaLinter's plugin
* `completions`: the scripts for bash, zsh, and fish
* `versions`: recipes and snippets name the version of the program

pre-commit comes from PyPI and is installed into target/ci-integrations. Tests whose programs are missing are skipped with a
message. Exits with 1 if a test fails.
"""
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ROOT / "target" / "ci-integrations"
PRE_COMMIT = "4.3.0"
EXAMPLE_ERRORS = "Found 15 errors in 5 of 31 files"
EXAMPLE_LAST_LINE = f"{EXAMPLE_ERRORS} (1 fixable with `--fix --unsafe-fixes`)\n"
MANUAL_SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "FILES", "ENVIRONMENT", "EXAMPLES"]


class Skipped(Exception):
    """A test cannot run here: the reason."""


class Failed(Exception):
    """An expectation is not met."""


def expect(condition, what, output=""):
    if not condition:
        raise Failed(f"{what}\n{output}".rstrip())


def needs(program):
    if shutil.which(program) is None:
        raise Skipped(f"{program} not found")


def run(*command, code=0, **options):
    """Runs a command, whose exit code must be `code`, and returns its output."""
    words = [str(it) for it in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    expect(code is None or done.returncode == code, f"`{' '.join(words)}` exits with {done.returncode}", done.stdout)
    return done.stdout


def git(folder, *arguments):
    identity = ["-c", "user.name=example", "-c", "user.email=example@example.com", "-c", "init.defaultBranch=main"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return run("git", *identity, *arguments, cwd=folder, env=environment).strip()


class Server(http.server.BaseHTTPRequestHandler):
    """Releases, and the comments of one pull request."""

    release = pathlib.Path()
    comments: list[dict] = []
    requests: list[str] = []
    may_comment = True

    def answer(self, code, content=b""):
        self.requests.append(f"{self.command} {self.path}")
        self.send_response(code)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        path = self.path.split("?")[0]
        file = self.release / path.rsplit("/", 1)[-1]
        if path.startswith("/download/") and file.is_file():
            self.answer(200, file.read_bytes())
        elif path == "/api/repos/example/control-repo/issues/7/comments":
            self.answer(200, json.dumps(self.comments).encode())
        else:
            self.answer(404)

    def change(self):
        is_allowed = self.may_comment and self.headers["Authorization"] == "Bearer secret"
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if not is_allowed:
            return self.answer(403)
        if self.command == "POST":
            self.comments.append({"id": len(self.comments) + 11, "body": body})
        else:
            next(it for it in self.comments if it["id"] == int(self.path.rsplit("/", 1)[-1]))["body"] = body
        return self.answer(200, b"{}")

    do_POST = do_PATCH = change

    def log_message(self, *_):
        pass


class Integrations:
    """What the tests share: packages of the program, a server, and copies of the example."""

    def __init__(self, binary, work):
        self.work, self.binary = work, binary
        self.version = run(binary, "--version").split()[1]
        self.packages = work / "packages"
        if "PACKAGES" in os.environ:
            shutil.copytree(os.environ["PACKAGES"], self.packages)
            self.report = ""
        else:
            command = [sys.executable, ROOT / "release" / "packages.py", binary, self.packages, "archive", "deb", "npm", "wheel"]
            # Half of the time would be spent on the compression of the deb.
            self.report = run(*command, env={**os.environ, "DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"})
        archive = next(self.packages.glob("*.tar.gz"))
        with tarfile.open(archive) as packed:
            packed.extractall(work / "prefix", filter="data")
        self.archive = archive
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(work), "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "example", "GIT_AUTHOR_EMAIL": "example@example.com",
            "GIT_COMMITTER_NAME": "example", "GIT_COMMITTER_EMAIL": "example@example.com",
        }
        release = work / "release"
        release.mkdir()
        shutil.copy(archive, release)
        sums = run("sha256sum", archive.name, cwd=release)
        (release / "SHA256SUMS").write_text(f"{'0' * 64}  another-file\n{sums}")
        Server.release = release
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def with_program(self, **variables):
        """Returns the environment of a process that finds the program on its PATH."""
        folder = self.work / "prefix" / "bin"
        return {**self.environment, "PATH": f"{folder}{os.pathsep}{self.environment['PATH']}", **variables}

    def tools(self):
        """Returns the folder with pre-commit's programs, after installing it."""
        programs = TOOLS / "bin"
        if not (programs / "pre-commit").exists():
            needs("python3")
            try:
                run(sys.executable, "-m", "venv", TOOLS)
                run(programs / "pip", "install", "--quiet", "--disable-pip-version-check", f"pre-commit=={PRE_COMMIT}")
            except Failed as failure:
                shutil.rmtree(TOOLS, ignore_errors=True)
                raise Skipped(f"pre-commit cannot be installed from PyPI: {str(failure).splitlines()[-1]}") from None
        return programs

    def yaml(self, text):
        """Parses YAML with the parser that pre-commit brings along."""
        code = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"
        done = subprocess.run([self.tools() / "python", "-c", code], input=text, capture_output=True, text=True)
        expect(done.returncode == 0, "the YAML is invalid", done.stderr)
        return json.loads(done.stdout)

    def example(self, name):
        """Returns a copy of the example as a Git repository with one commit."""
        folder = self.work / name
        shutil.copytree(ROOT / "examples" / "control-repo", folder)
        git(folder, "init", "--quiet", "--initial-branch=main")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message=start")
        return folder


def change_catalogs(folder):
    """Changes a catalog on a new branch, and returns the names of the commits: target, branch."""
    target = git(folder, "rev-parse", "HEAD")
    git(folder, "checkout", "--quiet", "-b", "change")
    common = folder / "data" / "common.yaml"
    manifest = folder / "site-modules" / "role" / "manifests" / "webserver.pp"
    text = manifest.read_text()
    manifest.write_text(text.rstrip()[:-1] + "  file { '/tmp/changed': ensure => file }\n}\n")
    expect(common.is_file(), "the example has data")
    git(folder, "commit", "--quiet", "--all", "--message=change")
    return target, git(folder, "rev-parse", "HEAD")


def check_manuals(pages, commands):
    """Checks that there is a complete man page for the program and each command."""
    names = {"puppet-analyzer", *(f"puppet-analyzer-{it}" for it in commands)}
    expect({it.name for it in pages} == {f"{it}.1" for it in names}, "the man pages are not those of all commands", str(pages))
    for page in pages:
        text = page.read_text()
        sections = [it.strip('"') for it in re.findall(r"^\.SH (.*)$", text, re.M)]
        missing = [it for it in MANUAL_SECTIONS if it not in sections]
        # A command without options or parameters has no such section.
        missing = [it for it in missing if it != "OPTIONS"]
        expect(not missing, f"{page.name} has no section {', '.join(missing)}")


def commands_of(program):
    listed = re.search(r"(?s)^Commands:\n(.*?)\n\n", run(program, "--help"), re.M)[1]
    return [it for it in re.findall(r"(?m)^  (\w+)  ", listed) if it != "help"]


def installs(prefix, tests, zsh="share/zsh/site-functions"):
    """Checks program, man pages, and completions below a prefix."""
    program = prefix / "bin" / "puppet-analyzer"
    expect(run(program, "--version") == f"puppet-analyzer {tests.version}\n", f"{program} has another version")
    check_manuals(sorted((prefix / "share" / "man" / "man1").iterdir()), commands_of(program))
    for name in ("share/bash-completion/completions/puppet-analyzer", f"{zsh}/_puppet-analyzer", "share/fish/vendor_completions.d/puppet-analyzer.fish"):
        expect((prefix / name).stat().st_size > 1000, f"{prefix / name} is no completion script")


def packages(tests):
    installs(tests.work / "prefix", tests)
    debs = list(tests.packages.glob("*.deb"))
    if debs:
        run("dpkg-deb", "-x", debs[0], tests.work / "deb")
        installs(tests.work / "deb" / "usr", tests, "share/zsh/vendor-completions")
    environment = tests.work / "wheel"
    run(sys.executable, "-m", "venv", environment)
    run(environment / "bin" / "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", *tests.packages.glob("*.whl"))
    installs(environment, tests)
    archives = list(tests.packages.glob("*.tgz"))
    if archives:
        prefix = tests.work / "npm"
        install = ["npm", "install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", "--offline", "--omit=optional"]
        run(*install, *archives, env={**tests.environment, "npm_config_cache": str(tests.work / "npm-cache")})
        program = prefix / "bin" / "puppet-analyzer"
        expect(run(program, "--version") == f"puppet-analyzer {tests.version}\n", "the npm package has another version")
        expect(run(program, "check", ROOT / "examples" / "control-repo", code=1).endswith(EXAMPLE_LAST_LINE), "the npm package checks nothing")
        check_manuals(sorted((prefix / "share" / "man" / "man1").iterdir()), commands_of(program))
    others = tests.work / "others"
    for name, header in OTHER_PLATFORMS.items():
        fake = tests.work / f"program-{name}"
        fake.write_bytes(header)
        made = run(sys.executable, ROOT / "release" / "packages.py", "--twin", tests.binary, fake, others, "archive", "wheel", "deb")
        expect(re.search(rf"archive: puppet-analyzer-{tests.version}-{name}\.", made), f"no archive for {name}", made)
        expect("deb: skipped: not for this platform" in made or "linux" in name, f"a deb for {name}", made)


# Headers of programs for other platforms.
OTHER_PLATFORMS = {
    "linux-arm64": b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xb7\x00" + bytes(64),
    "macos-arm64": bytes.fromhex("cffaedfe0c000001") + bytes(64),
    "macos-x64": bytes.fromhex("cffaedfe07000001") + bytes(64),
    "windows-x64": b"MZ" + bytes(58) + (64).to_bytes(4, "little") + b"PE\0\0\x64\x86" + bytes(64),
}


class ActionTests:
    """Runs of action.yml."""

    def __init__(self, tests):
        from composite_action import Runner

        self.tests, self.runner_type = tests, Runner
        self.action = tests.yaml((ROOT / "action.yml").read_text())
        self.cache, self.uploaded, self.count = {}, [], 0

    def runner(self, workspace, event=None, **github):
        self.count += 1
        temporary = self.tests.work / f"runner-{self.count}"
        tool_cache = temporary / "tools"
        tool_cache.mkdir(parents=True)
        context = {
            "action_path": str(ROOT), "token": "secret", "api_url": f"{self.tests.url}/api", "repository": "example/control-repo",
            "event": event or {}, "event_name": "pull_request" if event else "push", "sha": git(workspace, "rev-parse", "HEAD"), **github,
        }
        machine = {"x86_64": "X64", "aarch64": "ARM64"}[os.uname().machine]
        environment = {**self.tests.environment, "RUNNER_OS": "Linux", "RUNNER_ARCH": machine, "RUNNER_TOOL_CACHE": str(tool_cache)}
        runner = self.runner_type(self.action, workspace, temporary, context, environment)
        runner.uses = {"actions/cache": self.restore, "github/codeql-action/upload-sarif": self.upload}
        return runner

    def restore(self, values):
        if values["key"] in self.cache:
            shutil.copytree(self.cache[values["key"]], values["path"])
        return True

    def upload(self, values):
        self.uploaded.append(json.loads(pathlib.Path(values["sarif_file"]).read_text()))
        return True

    def run(self, workspace, is_green, event=None, **inputs):
        Server.requests.clear()
        runner = self.runner(workspace, event)
        succeeds = runner.run(download_url=f"{self.tests.url}/download", **inputs)
        log = "\n".join(runner.log)
        expect(succeeds == is_green, f"the action {'fails' if is_green else 'succeeds'} with {inputs}", log)
        return runner, log

    def installation(self):
        """Downloads are verified and cached."""
        workspace = self.tests.example("action")
        runner, log = self.run(workspace, False)
        file = f"/download/v{self.tests.version}/{self.tests.archive.name}"
        expect(f"GET {file}" in Server.requests, "no download", str(Server.requests))
        expect(runner.outputs["version"] == self.tests.version, "another version")
        expect(runner.outputs["exit-code"] == "1" and log.endswith("step: Result\nexit code 1"), "no findings", log)
        expect(log.count("\n::error file=") == 15 and EXAMPLE_ERRORS in runner.summary, "no annotations or summary", log)
        release = runner.contexts["steps"]["release"]["outputs"]
        self.cache[release["key"]] = release["folder"]
        _, log = self.run(workspace, True, paths="modules/* manifests")
        expect(not Server.requests and "\n::error" not in log, "the cached archive is downloaded again", str(Server.requests))
        archive = pathlib.Path(release["folder"]) / release["file"]
        archive.write_bytes(archive.read_bytes()[:-1] + b"?")
        _, log = self.run(workspace, False, paths="manifests")
        expect(f"::error::wrong checksum of {archive.name}" in log and "step: Check" not in log, "a changed archive is used", log)
        self.cache.clear()
        sums = Server.release / "SHA256SUMS"
        expected = sums.read_text()
        sums.write_text(re.sub(r"(?m)^\w{8}", "01234567", expected))
        _, log = self.run(workspace, False, paths="manifests")
        expect("::error::wrong checksum" in log and "step: Check" not in log, "a wrong checksum is accepted", log)
        sums.write_text("")
        _, log = self.run(workspace, False, paths="manifests")
        expect("expected one in SHA256SUMS" in log, "a missing checksum is accepted", log)
        self.run(workspace, True, paths="manifests", checksum=expected.splitlines()[-1].split()[0])
        _, log = self.run(workspace, False, paths="manifests", checksum="0" * 64)
        expect("::error::wrong checksum" in log, "another checksum is accepted", log)
        sums.write_text(expected)
        _, log = self.run(workspace, False, version="v99.0.0")
        expect("::error::cannot download" in log and "%0Ahelp: set `version`" in log, "no advice for a missing release", log)

    def source_build(self):
        """`build-from-source` calls cargo, and nothing else does."""
        workspace = self.tests.example("source")
        programs = self.tests.work / "cargo"
        programs.mkdir()
        (programs / "cargo").write_text(
            f'#!/bin/bash\n[ "$*" = "install --locked --path {ROOT}/server --root ${{@: -1}}" ] || exit 9\n'
            f'mkdir -p "${{@: -1}}/bin" && cp {self.tests.binary} "${{@: -1}}/bin/puppet-analyzer"\n'
        )
        (programs / "cargo").chmod(0o755)
        runner = self.runner(workspace)
        runner.environment["PATH"] = f"{programs}{os.pathsep}{runner.environment['PATH']}"
        expect(runner.run(build_from_source="true", paths="manifests", cache="false"), "the source build fails", "\n".join(runner.log))
        expect("step: Build" in runner.log and "skipped: Download" in runner.log, "no build", "\n".join(runner.log))

    def reports(self):
        """SARIF is written and uploaded, also if there are findings; arguments reach the command."""
        workspace = self.tests.example("sarif")
        runner, log = self.run(workspace, False, upload_sarif="true", annotate="false", sarif_file="findings.sarif")
        expect(len(self.uploaded) == 1 and self.uploaded[0]["version"] == "2.1.0", "no upload", log)
        expect(len(self.uploaded[0]["runs"][0]["results"]) == 15, "the upload has other findings")
        expect(runner.outputs["sarif-file"] == str(workspace / "findings.sarif"), "another path", str(runner.outputs))
        expect("::error" not in log, "annotations are not off", log)
        self.run(workspace, True, args="--fail-on never\n--puppet-version 7")
        runner, log = self.run(workspace, False, args="--no-such-option", upload_sarif="true")
        expect(runner.outputs["exit-code"] == "2" and len(self.uploaded) == 1, "a usage error is not reported", log)
        marker = self.tests.work / "injected"
        for value in (f'."; touch {marker}; "', f"$(touch {marker})", f"`touch {marker}`"):
            self.run(workspace, False, paths=value, args=value)
        expect(not marker.exists(), "an input is run as code")
        (workspace / "::error file=x::y" / "manifests").mkdir(parents=True)
        (workspace / "::error file=x::y" / "manifests" / "a.pp").write_text("class {\n")
        _, log = self.run(workspace, False, paths="::error*", annotate="false")
        lines = log.splitlines()
        pause = next(at for at, line in enumerate(lines) if line.startswith("::stop-commands::"))
        resumed = lines.index(f"::{lines[pause].rsplit('::')[-1]}::")
        inside = [at for at, line in enumerate(lines) if line.startswith("::error")]
        expect(all(pause < at < resumed for at in inside), "the name of a file is read as a command", log)

    def comments(self):
        """Changes of catalogs become one comment, which later runs update."""
        needs("jq")
        origin = self.tests.example("diff")
        target, change = change_catalogs(origin)
        git(origin, "checkout", "--quiet", "main")
        git(origin, "commit", "--quiet", "--allow-empty", "--message=meanwhile")
        git(origin, "merge", "--quiet", "--no-ff", "--message=merge", "change")
        git(origin, "update-ref", "refs/pull/7/merge", "HEAD")
        git(origin, "reset", "--quiet", "--hard", "HEAD^1")
        git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
        workspace = self.tests.work / "checkout"
        workspace.mkdir()
        git(workspace, "init", "--quiet")
        git(workspace, "remote", "add", "origin", origin.as_uri())
        git(workspace, "fetch", "--quiet", "--depth=1", "origin", "refs/pull/7/merge")
        git(workspace, "checkout", "--quiet", "FETCH_HEAD")
        event = {"pull_request": {"number": 7, "base": {"sha": target}}}
        Server.comments[:] = [{"id": 1, "body": "another comment"}]
        runner, log = self.run(workspace, False, event, diff="true")
        expect(runner.outputs["diff-exit-code"] == "1" and len(Server.comments) == 2, "no comment", log)
        body = Server.comments[1]["body"]
        expect(body.startswith("<!-- puppet-analyzer diff -->\n### Catalogs compared") and "/tmp/changed" in body, "another comment", body)
        expect("/tmp/changed" in runner.summary, "the comparison is not in the summary")
        expect(git(origin, "rev-parse", "main") in body, "another base", body)
        Server.comments[1]["body"] = "<!-- puppet-analyzer diff -->\nold"
        self.run(workspace, False, event, diff="true")
        expect(len(Server.comments) == 2 and Server.comments[1]["body"] == body, "the comment is not updated")
        Server.may_comment = False
        _, log = self.run(workspace, False, event, diff="true")
        Server.may_comment = True
        expect("::warning::cannot comment" in log, "a refused comment is not reported", log)
        _, log = self.run(workspace, False, None, diff="true")
        expect("skipped: Compare catalogs" in log, "a push is compared", log)
        alone = self.tests.work / "alone"
        shutil.copytree(workspace, alone)
        git(alone, "remote", "set-url", "origin", "/no/such/folder")
        git(alone, "checkout", "--quiet", "--orphan", "alone")
        git(alone, "commit", "--quiet", "--message=alone")
        lost = {"pull_request": {"number": 7, "base": {"sha": "0" * 40}}}
        _, log = self.run(alone, False, lost, diff="true")
        expect("::error::cannot fetch the target branch" in log and "step: Comment" not in log, "no advice for a missing base", log)
        Server.comments.clear()
        git(workspace, "fetch", "--quiet", "--depth=1", "origin", "main")
        git(workspace, "checkout", "--quiet", "FETCH_HEAD")
        runner, log = self.run(workspace, False, event, diff="true", diff_base="HEAD")
        expect(runner.outputs["diff-exit-code"] in ("0", "3"), "equal catalogs differ", log)
        if runner.outputs["diff-exit-code"] == "0":
            expect(not Server.comments, "equal catalogs lead to a comment")
        _, log = self.run(workspace, False, event, diff="true", diff_base="no-such-revision")
        expect("step: Comment" not in log, "a failed comparison is not reported", log)


def action(tests):
    needs("curl")
    run_all = ActionTests(tests)
    run_all.installation()
    run_all.source_build()
    run_all.reports()
    run_all.comments()


def hooks_repository(tests):
    """Returns a repository with the hooks, and its commit."""
    folder = tests.work / "hooks"
    folder.mkdir()
    for name in (".pre-commit-hooks.yaml", "pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=hooks")
    return folder, git(folder, "rev-parse", "HEAD")


def hooks(tests):
    """pre-commit installs the hooks with the program from the wheel, and they see all kinds of files."""
    programs = tests.tools()
    repository, revision = hooks_repository(tests)
    declared = tests.yaml((repository / ".pre-commit-hooks.yaml").read_text())
    expect(all(it["require_serial"] and it["language"] == "python" for it in declared), "a hook is not serial")
    folder = tests.example("pre-commit")
    template = yaml_blocks(CI_PAGE.read_text())[".pre-commit-config.yaml"]
    config = template.replace("https://github.com/puppet-analyzer/puppet-analyzer", str(repository)).replace(f"v{tests.version}", revision)
    (folder / ".pre-commit-config.yaml").write_text(config)
    (folder / "puppet-analyzer.toml").write_text('exclude = ["skipped"]\n')
    (folder / "skipped").mkdir()
    (folder / "skipped" / "broken.pp").write_text("class {\n")
    environment = {
        **tests.environment, "PRE_COMMIT_HOME": str(tests.work / "pre-commit-home"), "PIP_FIND_LINKS": str(tests.packages),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    git(folder, "add", "--all")

    def hook(name, code, *arguments):
        return run(programs / "pre-commit", "run", name, *(arguments or ["--all-files"]), code=code, cwd=folder, env=environment)

    install = subprocess.run([programs / "pre-commit", "install-hooks"], cwd=folder, env=environment, capture_output=True, text=True)
    if install.returncode != 0 and re.search(r"(?i)setuptools", install.stdout) and "Temporary failure" in install.stdout:
        raise Skipped("setuptools cannot be installed from PyPI")
    expect(install.returncode == 0, "the hooks cannot be installed", install.stdout + install.stderr)
    output = hook("puppet-analyzer", 1)
    expect(EXAMPLE_ERRORS.split(" in ")[0] in output and "skipped" not in output, "the hook finds other errors", output)
    shown = run(tests.work / "prefix/bin/puppet-analyzer", "check", "--show-files", cwd=folder).split("\n")
    shown = {it.removeprefix("./") for it in shown if it and not it.startswith("#")}
    pattern = re.compile(declared[0]["files"])
    tracked = set(git(folder, "ls-files").splitlines())
    matched = {it for it in tracked if pattern.search(it) and not it.startswith("skipped/")}
    expect(matched == shown & tracked, "the hook checks other files than `check`", str(matched ^ (shown & tracked)))
    (folder / "files").mkdir()
    (folder / "manifests" / "good.pp").write_text("# A class.\nclass good {\n  $x=1\n  notice($x)\n}\n")
    git(folder, "add", "--all")
    hook("puppet-analyzer", 0, "--files", "manifests/good.pp")
    expect("space_around_arrow" not in hook("puppet-analyzer-lint", 1, "--files", "site-modules/profile/manifests/broken_rules.pp"), "another check")
    output = hook("puppet-analyzer-format", 1, "--files", "manifests/good.pp")
    expect("files were modified by this hook" in output and "$x = 1" in (folder / "manifests" / "good.pp").read_text(), "not formatted", output)
    hook("puppet-analyzer-format", 0, "--files", "manifests/good.pp", "skipped/broken.pp")
    system = config.replace("id: puppet-analyzer\n", "id: puppet-analyzer\n        language: system\n")
    (folder / ".pre-commit-config.yaml").write_text(system)
    environment["PATH"] = tests.with_program()["PATH"]
    git(folder, "add", "--all")
    expect(EXAMPLE_ERRORS.split(" in ")[0] in hook("puppet-analyzer", 1), "the program on the PATH is not used")


CI_PAGE = ROOT / "docs" / "site" / "src" / "how-to" / "ci.md"


def yaml_blocks(page):
    """Returns the files that a page shows, by the name in their first line."""
    blocks = re.findall(r"(?ms)^```(?:yaml|groovy)\n((?:#|//) (\S+)\n.*?)^```$", page)
    return {name: body for body, name in blocks}


def bash(script, folder, environment):
    """Runs a script as CI systems do and returns its exit code and output."""
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    return done.returncode, done.stdout


def gitlab_job(pipeline, name):
    """Returns a job with the properties it inherits."""
    job = dict(pipeline[name])
    return {**gitlab_job(pipeline, job["extends"]), **job} if "extends" in job else job


def gitlab(tests):
    pipeline = tests.yaml(yaml_blocks(CI_PAGE.read_text())[".gitlab-ci.yml"])
    origin = tests.example("gitlab-origin")
    target, _ = change_catalogs(origin)
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    for name, expected in {"puppet-check": 1, "puppet-diff": 0}.items():
        job = gitlab_job(pipeline, name)
        folder = tests.work / f"gitlab-{name}"
        git(tests.work, "clone", "--quiet", "--depth=1", "--branch=change", origin.as_uri(), folder)
        environment = {
            **tests.environment, **job["variables"], "CI_PROJECT_DIR": str(folder), "CI_MERGE_REQUEST_DIFF_BASE_SHA": target,
            "PUPPET_ANALYZER_URL": f"{tests.url}/download",
        }
        script = "\n".join([*job["before_script"], *job["script"]])
        # The second run uses the cache.
        for _ in range(2):
            code, output = bash(script, folder, environment)
            expect(code == expected, f"the job {name} exits with {code}", output)
        expect(job["artifacts"]["when"] == "always", f"the artifacts of {name} are not kept")
        for path in job["artifacts"]["paths"]:
            expect((folder / path).stat().st_size > 100, f"the artifact {path} of {name} is empty", output)
        if name == "puppet-check":
            expect(output.endswith(EXAMPLE_LAST_LINE), "the job fails for another reason", output)
            report = json.loads((folder / job["artifacts"]["reports"]["codequality"]).read_text())
            expect(len(report) == 15 and report[0]["location"]["path"].startswith("site-modules/"), "another report")
            (folder / ".puppet-analyzer" / tests.archive.name).write_bytes(b"?")
            code, output = bash(script, folder, environment)
            expect(code != 0 and "FAILED" in output, "a changed archive is used", output)
        else:
            expect("/tmp/changed" in (folder / "catalogs.md").read_text(), "another comparison")
            code, output = bash(script, folder, {**environment, "CI_MERGE_REQUEST_DIFF_BASE_SHA": "0" * 40})
            expect(code != 0, "a missing base is ignored", output)


def jenkins(tests):
    text = yaml_blocks(CI_PAGE.read_text())["Jenkinsfile"]
    folder = tests.example("jenkins")
    change_catalogs(folder)
    git(folder, "update-ref", "refs/remotes/origin/main", "main")
    variables = dict(re.findall(r"(?m)^ +([A-Z]+) = '([^']*)'$", text))
    environment = {**tests.environment, **variables, "URL": f"{tests.url}/download", "CHANGE_TARGET": "main"}
    stages = re.findall(r"(?ms)stage\('([^']+)'\) \{\n(.*?)^    \}$", text)
    expect([name for name, _ in stages] == ["Install", "Check", "Compare catalogs"], "other stages")
    results = {}
    for name, body in stages:
        for script in groovy_scripts(body):
            code, output = bash(script, folder, environment)
            results[name] = (code, output)
            if code != 0:
                break
    expect(results["Install"][0] == 0, "the installation fails", results["Install"][1])
    expect(results["Check"][0] == 1 and results["Check"][1].endswith(EXAMPLE_LAST_LINE), "the check fails for another reason", results["Check"][1])
    expect(results["Compare catalogs"][0] == 0, "the comparison fails", results["Compare catalogs"][1])
    report = (folder / "puppet-analyzer.xml").read_text()
    expect(report.count("<failure ") == 15, "another JUnit report", report)
    expect("/tmp/changed" in (folder / "catalogs.md").read_text(), "another comparison")
    always = re.search(r"(?s)post \{\s*always \{(.*?)\n    \}", text)[1]
    expect("junit 'puppet-analyzer.xml'" in always and "catalogs.md" in always, "the reports are not kept")


def github(tests):
    """The workflow only uses inputs that the action has, and the page lists all of them."""
    page = CI_PAGE.read_text()
    workflow = tests.yaml(yaml_blocks(page)[".github/workflows/puppet.yml"])
    inputs = tests.yaml((ROOT / "action.yml").read_text())["inputs"]
    steps = [step for job in workflow["jobs"].values() for step in job["steps"] if "puppet-analyzer/" in step.get("uses", "")]
    expect(steps and all(set(it["with"]) <= set(inputs) for it in steps), "the workflow has unknown inputs")
    table = {name for row in re.findall(r"(?m)^\| (`.*?) \|", page) for name in re.findall(r"`([a-z-]+)(?:: \w+)?`", row)}
    expect(set(inputs) - {"token"} <= table, "the page lists other inputs", str(set(inputs) - table))


def groovy_scripts(body):
    """Returns the shell scripts of a part of a Jenkinsfile."""
    scripts = [a or b for a, b in re.findall(r"(?s)sh (?:'''(.*?)'''|'([^'\n]*)')", body)]
    # Groovy reads escape sequences.
    return [it.replace("\\\\", "\\") for it in scripts]


def generated(tests):
    """The files that `init` writes run the program, which reports the findings of a change."""
    needs("curl")
    folder = tests.example("init")
    target, _ = change_catalogs(folder)
    git(folder, "update-ref", "refs/remotes/origin/main", target)
    systems = ["--ci", "gitlab", "--ci", "jenkins", "--ci", "github"]
    run(tests.work / "prefix" / "bin" / "puppet-analyzer", "init", "--pre-commit", *systems, cwd=folder)
    hooks = tests.yaml((folder / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    declared = tests.yaml((ROOT / ".pre-commit-hooks.yaml").read_text())
    expect({it["id"] for it in hooks} <= {it["id"] for it in declared}, "the hooks do not exist")
    workflow = tests.yaml((folder / ".github" / "workflows" / "puppet-analyzer.yml").read_text())
    inputs = tests.yaml((ROOT / "action.yml").read_text())["inputs"]
    action_step = workflow["jobs"]["puppet-analyzer"]["steps"][-1]
    expect(action_step["uses"].endswith(f"@v{tests.version}") and set(action_step["with"]) <= set(inputs), "another action")
    job = tests.yaml((folder / ".gitlab-ci.yml").read_text())["puppet-analyzer"]
    jenkinsfile = (folder / "Jenkinsfile").read_text()
    jobs = {
        "GitLab": ("\n".join([*job["before_script"], *job["script"]]), job["variables"]),
        "Jenkins": ("\n".join(f"({it}\n)" for it in groovy_scripts(jenkinsfile)), dict(re.findall(r"(?m)^ +([A-Z]+) = '([^']*)'$", jenkinsfile))),
    }
    for name, (script, variables) in jobs.items():
        shutil.rmtree(folder / ".puppet-analyzer", ignore_errors=True)
        environment = {
            **tests.environment, **variables, "PUPPET_ANALYZER_URL": f"{tests.url}/download", "URL": f"{tests.url}/download",
            "CI_PROJECT_DIR": str(folder), "CI_DEFAULT_BRANCH": "main",
        }
        code, output = bash(script, folder, environment)
        expect(code == 1 and "/tmp/changed" in output, f"the job for {name} exits with {code}", output)


def snippets(tests):
    needs("curl")
    github(tests)
    gitlab(tests)
    jenkins(tests)


# Properties of a MegaLinter descriptor that the plugin may use, from MegaLinter's documentation.
DESCRIPTOR = {"descriptor_id", "descriptor_type", "descriptor_label", "file_extensions", "install", "linters"}
LINTER = {
    "linter_name", "name", "linter_text", "linter_url", "linter_repo", "linter_spdx_license", "linter_speed", "file_extensions", "is_formatter",
    "cli_lint_mode", "cli_lint_extra_args", "cli_lint_fix_arg_name", "cli_lint_fix_remove_args", "cli_lint_errors_count",
    "cli_lint_errors_regex", "cli_help_arg_name", "cli_version_arg_name", "can_output_sarif", "cli_sarif_args", "examples",
}


def mega_linter_command(linter, files, fixes=False, sarif=None):
    """Builds the command as MegaLinter does."""
    command = [linter["linter_name"], *linter["cli_lint_extra_args"]]
    if fixes:
        command.append(linter["cli_lint_fix_arg_name"])
    if sarif:
        command += [it.replace("{{SARIF_OUTPUT_FILE}}", sarif) for it in linter["cli_sarif_args"]]
    if fixes:
        removed = {*linter.get("cli_lint_fix_remove_args", []), "--megalinter-fix-flag"}
        command = [it for it in command if it not in removed]
    return command + (files if linter["cli_lint_mode"] == "list_of_files" else [])


def mega_linter(tests):
    path = next(ROOT.glob("release/mega-linter-plugin-*/*.megalinter-descriptor.yml"))
    page = yaml_blocks(CI_PAGE.read_text())[".mega-linter.yml"]
    expect(page.rstrip().endswith(str(path.relative_to(ROOT))), "the page names another file", page)
    plugin = tests.yaml(path.read_text())
    expect(set(plugin) <= DESCRIPTOR and {"descriptor_id", "descriptor_type", "linters"} <= set(plugin), "unknown properties")
    environment = tests.work / "mega-linter"
    run(sys.executable, "-m", "venv", environment)
    variables = {
        **tests.environment, "PATH": f"{environment / 'bin'}{os.pathsep}{tests.environment['PATH']}", "FORCE_COLOR": "0",
        "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tests.packages), "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    for instruction in plugin["install"]["dockerfile"]:
        expect(instruction.startswith("RUN "), "MegaLinter only runs RUN instructions of plugins")
        run("bash", "-c", instruction.removeprefix("RUN "), env=variables)
    folder = tests.example("mega-linter-example")
    (folder / "manifests" / "bad.pp").write_text("class bad {\n  $x=\"1\"\n  notice($x)\n}\n")
    counts = {"PUPPET_ANALYZER_CHECK": 15, "PUPPET_ANALYZER_LINT": None, "PUPPET_ANALYZER_FORMAT": None}
    for linter in plugin["linters"]:
        name = linter["name"]
        expect(set(linter) <= LINTER and {"linter_name", "linter_url", "examples"} <= set(linter), f"unknown properties of {name}", str(set(linter) - LINTER))
        execute = lambda command, code: run(*command, code=code, cwd=folder, env=variables)
        expect(re.search(r"\d+(\.\d+)+", execute([linter["linter_name"], linter["cli_version_arg_name"]], 0)), "no version")
        expect("Usage:" in execute([linter["linter_name"], linter["cli_help_arg_name"]], 0), "no help")
        output = execute(mega_linter_command(linter, ["manifests/bad.pp"]), 1)
        if "cli_lint_errors_regex" in linter:
            found = len(re.findall(linter["cli_lint_errors_regex"], output))
            expect(found == counts[name] or counts[name] is None and found > 0, f"{name} counts {found} errors", output)
        if linter.get("can_output_sarif"):
            execute(mega_linter_command(linter, [], sarif="report.sarif"), 1)
            expect(json.loads((folder / "report.sarif").read_text())["version"] == "2.1.0", "no SARIF")
        if name != "PUPPET_ANALYZER_CHECK":
            fixed = execute(mega_linter_command(linter, ["manifests/bad.pp"], fixes=True), None)
            expect('"1"' not in (folder / "manifests/bad.pp").read_text() or name == "PUPPET_ANALYZER_FORMAT", f"{name} fixes nothing", fixed)
    expect("$x = " in (folder / "manifests" / "bad.pp").read_text(), "the formatter changes nothing")


BASH = r"""
source "$1"
complete -p puppet-analyzer >/dev/null
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2)) COMP_LINE="${*:2}" COMP_POINT=${#COMP_LINE}
function=$(complete -p puppet-analyzer | sed -n 's/.*-F \([^ ]*\) .*/\1/p')
"$function" puppet-analyzer "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""
# Types into an interactive shell, since zsh only completes there. A key prints the line.
ZSH = r"""
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'PS1=; fpath=('"$1"' $fpath); autoload -Uz compinit; compinit -u -d '"$2"
zpty -w shell 'show() { print -r -- "<$BUFFER>" }; zle -N show; bindkey "^X" show; echo rea""dy'
zpty -r -m shell output '*ready*'
zpty -w -n shell "$3"$'\t\x18'
zpty -r -m shell output '*<puppet-analyzer*>*'
print -rn -- "$output"
zpty -d shell
"""


def completions(tests):
    """The scripts load, and complete commands, options, and values."""
    program = tests.work / "prefix" / "bin" / "puppet-analyzer"
    share = tests.work / "prefix" / "share"
    environment = tests.with_program(TERM="dumb")
    cases = {("che",): "check", ("check", "--fail"): "--fail-on", ("check", "--format", "sa"): "sarif", ("completions", "z"): "zsh"}
    missing = []
    script = share / "bash-completion" / "completions" / "puppet-analyzer"
    for words, expected in cases.items():
        output = run("bash", "--norc", "-c", BASH, "bash", script, "puppet-analyzer", *words, env=environment)
        expect(expected in output.split(), f"bash does not complete {words}", output)
    if shutil.which("fish"):
        script = share / "fish" / "vendor_completions.d" / "puppet-analyzer.fish"
        for words, expected in cases.items():
            line = " ".join(["puppet-analyzer", *words])
            output = run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'", env=environment)
            expect(expected in [it.split("\t")[0] for it in output.splitlines()], f"fish does not complete {words}", output)
    else:
        missing.append("fish")
    if shutil.which("zsh"):
        for words, expected in cases.items():
            line = " ".join(["puppet-analyzer", *words])
            functions = share / "zsh" / "site-functions"
            output = run("timeout", "30", "zsh", "-f", "-c", ZSH, "zsh", functions, tests.work / "zcompdump", line, env=environment)
            completed = " ".join(["puppet-analyzer", *words[:-1], expected])
            expect(f"<{completed}" in output, f"zsh does not complete {words}", output)
    else:
        missing.append("zsh")
    expect(commands_of(program), "no commands")
    if missing:
        raise Skipped(f"{' and '.join(missing)} not found; the others complete")


def versions(tests):
    """Files that name a version name that of the program."""
    for name, pattern in {
        "pyproject.toml": r'(?:version = "|puppet-analyzer==)([\d.]+)',
        "flake.nix": r'version = "([\d.]+)"',
        "release/recipes/PKGBUILD": r"pkgver=([\d.]+)",
        "release/recipes/puppet-analyzer.rb": r"/v([\d.]+)\.tar",
        "release/recipes/puppet-analyzer.json": r'"version": "([\d.]+)"|/v([\d.]+)/',
        "editors/mason/package.yaml": r"@v([\d.]+)",
        "release/mega-linter-plugin-puppet-analyzer/puppet-analyzer.megalinter-descriptor.yml": r"puppet-analyzer==([\d.]+)",
        "docs/site/src/how-to/ci.md": r"(?:@v|rev: v|VERSION: \"|VERSION = '|puppet-analyzer/v)(\d+\.\d+\.\d+)",
    }.items():
        found = {"".join(it) if isinstance(it, tuple) else it for it in re.findall(pattern, (ROOT / name).read_text())}
        expect(found == {tests.version}, f"{name} names the versions {found}")


TESTS = {
    "packages": packages, "action": action, "hooks": hooks, "snippets": snippets, "init": generated, "mega-linter": mega_linter,
    "completions": completions, "versions": versions,
}


def main():
    if set(sys.argv[2:]) - set(TESTS) or "--help" in sys.argv:
        sys.exit(__doc__)
    binary = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/puppet-analyzer").resolve()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="ci-integrations-") as folder:
        tests = Integrations(binary, pathlib.Path(folder))
        print(tests.report, end="")
        for name in sys.argv[2:] or TESTS:
            start = time.monotonic()
            try:
                TESTS[name](tests)
                verdict = "passed"
            except Skipped as reason:
                verdict = f"skipped: {reason}"
            except Failed as failure:
                failed += 1
                verdict = f"FAILED: {failure}"
            print(f"{name}: {verdict} ({time.monotonic() - start:.1f} s)", flush=True)
        tests.server.shutdown()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
