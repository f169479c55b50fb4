#!/usr/bin/env python3
"""Tests the runner of shards (server/fleet/runner) on clusters of real worker processes, some of which are killed.

    tests/fleet/runner.py [BINARY]

Dask comes from PyPI and is kept in target/fleet/dask. With a BINARY, a fleet is also compared by `puppet-analyzer` itself, on a local cluster
whose workers are killed: the report must equal that of the run without shards byte for byte. Exits with 1 if a check fails.
"""
import collections
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUNNER = ROOT / "server" / "fleet" / "runner"
DASK = "distributed==2026.8.0"
PROGRAM = [sys.executable, str(HERE / "shard_program.py")]


def installed():
    """Returns the Python interpreter of an environment with the runner's dependencies."""
    folder = ROOT / "target" / "fleet" / "dask"
    python = folder / "bin" / "python"
    mark = folder / "installed"
    if not mark.is_file() or mark.read_text() != DASK:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", DASK], check=True)
        mark.write_text(DASK)
    return python


PYTHON = installed()
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(RUNNER)}


class Cluster:
    """Scheduler and workers as separate processes; each worker runs one shard at a time."""

    def __init__(self, folder, stack):
        self.folder, self.stack, self.workers = folder, stack, []
        self.file = folder / "scheduler.json"
        self.start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", self.file)
        wait_for(self.file.is_file, "the scheduler starts")

    def start(self, kind, *words):
        log = open(self.folder / f"{kind}-{time.time_ns()}.log", "wb")
        process = subprocess.Popen([PYTHON, "-m", "distributed.cli.dask_" + kind, *map(str, words)], cwd=self.folder, stdout=log, stderr=log)
        self.stack.callback(stop, process)
        return process

    def add_worker(self, *options):
        options = options or ("--no-nanny",)
        self.workers.append(self.start("worker", "--scheduler-file", self.file, "--nthreads", "1", "--no-dashboard", *options))
        return self.workers[-1]


def stop(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(condition, what, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.05)


def runner(folder, options, command, **others):
    words = [PYTHON, "-m", "puppet_analyzer_fleet", "--results", folder / "results", *options, "--", *command]
    return subprocess.Popen(list(map(str, words)), cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **others)


def names(count):
    return [f"node{it}.example.com" for it in range(count)]


def events(log):
    """Returns how often each shard started and ended."""
    lines = log.read_text().split("\n")[:-1] if log.is_file() else []
    kinds = collections.defaultdict(collections.Counter)
    for kind, shard in (it.split() for it in lines):
        kinds[kind][shard] += 1
    return kinds["start"], kinds["end"]


def shard_command(folder, pause=0.3, *more):
    (folder / "nodes").write_text("\n".join(names(2000)))
    return [*PROGRAM, "diff", "--nodes", folder / "nodes", "--log", folder / "log", "--pause", str(pause), *more]


def killed_workers(folder, stack):
    """Kills two of three workers while they run a shard, and adds one."""
    cluster = Cluster(folder, stack)
    for _ in range(3):
        cluster.add_worker()
    run = runner(folder, ["--scheduler-file", cluster.file, "--shards", 24, "--format", "json"], shard_command(folder))
    stack.callback(stop, run)
    log = folder / "log"
    wait_for(lambda: sum(events(log)[1].values()) >= 4, "four shards are complete")
    for worker in cluster.workers[:2]:
        worker.send_signal(signal.SIGKILL)
    before = sum(events(log)[1].values())
    cluster.add_worker()
    out, err = run.communicate(timeout=300)
    started, ended = events(log)
    assert run.returncode == 1, (run.returncode, err)
    assert json.loads(out) == sorted(names(2000)), "the report has each node once"
    assert sorted(ended.values()) == [1] * 24 and sorted(started.values()) == [1] * 24, (started, ended)
    assert "24 of 24 shards" in err, err
    return f"{before} of 24 shards were complete when two workers were killed; each shard started once and ended once"


def restarted_workers(folder, stack):
    """Kills workers that a nanny restarts, with their programs: those shards start again, and each ends once."""
    cluster = Cluster(folder, stack)
    for _ in range(2):
        cluster.add_worker("--nanny")
    run = runner(folder, ["--scheduler-file", cluster.file, "--shards", 12, "--format", "json"], shard_command(folder, 1))
    stack.callback(stop, run)
    log = folder / "log"
    killed = 0
    for goal in (2, 5):
        wait_for(lambda: sum(events(log)[1].values()) >= goal, f"{goal} shards are complete")
        begun = []
        wait_for(lambda: begun.extend(begun_processes(folder)) or begun, "a shard has begun")
        process, shard = begun[0]
        for it in (parent(process), process):
            with contextlib.suppress(ProcessLookupError):
                os.kill(it, signal.SIGKILL)
        # It may have ended in the meantime.
        started, ended = events(log)
        killed += ended[shard] == 0
    out, err = run.communicate(timeout=300)
    started, ended = events(log)
    assert run.returncode == 1, (run.returncode, err)
    assert json.loads(out) == sorted(names(2000))
    assert sorted(ended.values()) == [1] * 12, ended
    assert killed > 0 and sum(started.values()) == 12 + killed, (killed, started)
    return f"{killed} shards were killed with their workers, and started again"


def shard_processes(folder):
    """Returns the running programs in a folder, with their shards."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            if b"--shard" in words and os.fsencode(folder / "nodes") in words:
                found[int(entry.name)] = words[words.index(b"--shard") + 1].decode()
    return found


def begun_processes(folder):
    """Returns the programs that have logged the first start of their shard and not its end."""
    started, ended = events(folder / "log")
    return [(process, shard) for process, shard in shard_processes(folder).items() if started[shard] == 1 and ended[shard] == 0]


def parent(process):
    return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


def interrupted(folder, stack):
    """Interrupts a run and starts it again: complete shards are not run again."""
    command = shard_command(folder, 0.3)
    options = ["--workers", 2, "--shards", 10, "--format", "json"]
    first = runner(folder, options, command)
    stack.callback(stop, first)
    wait_for(lambda: sum(events(folder / "log")[1].values()) >= 3, "three shards are complete")
    first.terminate()
    first.communicate(timeout=120)
    wait_for(lambda: not shard_processes(folder), "no shard is running")
    _, ended = events(folder / "log")
    done = sum(ended.values())
    assert 3 <= done < 10 and first.returncode not in (0, 1), (done, first.returncode)
    second = runner(folder, options, command)
    out, err = second.communicate(timeout=300)
    started, ended = events(folder / "log")
    assert second.returncode == 1, err
    assert json.loads(out) == sorted(names(2000))
    assert sorted(ended.values()) == [1] * 10, ended
    return f"{done} of 10 shards were complete when it was interrupted; the rest ran in the second run"


def failed_shard(folder, stack):
    """A shard that fails is reported with its reason, and there is no report."""
    report = folder / "report.json"
    run = runner(folder, ["--workers", 2, "--shards", 4, "--report", report], shard_command(folder, 0, "--fail", "3"))
    out, err = run.communicate(timeout=300)
    assert run.returncode == 2 and not out and not report.exists(), (run.returncode, out)
    assert "error: shard 3/4: exit code 2: error: cannot read the snapshot" in err, err
    started, _ = events(folder / "log")
    assert started["3/4"] == 1, "a failure is not retried"


def crashing_shard(folder, stack):
    """A program that is always killed is retried, and then reported."""
    run = runner(folder, ["--workers", 2, "--shards", 4, "--attempts", 3], shard_command(folder, 0, "--crash", "2"))
    _, err = run.communicate(timeout=300)
    assert run.returncode == 2 and "error: shard 2/4: was killed by signal 9" in err, err
    assert events(folder / "log")[0]["2/4"] == 3


def gathered(folder, stack):
    """Workers without a shared folder send their results, and skip those of an earlier run."""
    command = shard_command(folder, 0)
    report = folder / "report.json"
    for _ in range(2):
        run = runner(folder, ["--workers", 2, "--shards", 5, "--gather", "--format", "json", "--report", report], command)
        _, err = run.communicate(timeout=300)
        assert run.returncode == 1, err
        assert json.loads(report.read_text()) == sorted(names(2000))
    assert sorted(events(folder / "log")[1].values()) == [1] * 5
    assert len(list((folder / "results").glob("*.results"))) == 5


def no_scheduler(folder, stack):
    """A scheduler that cannot be reached is an error."""
    environment = {**ENVIRONMENT, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"}
    words = [PYTHON, "-m", "puppet_analyzer_fleet", "--results", folder / "results", "--shards", "2", "--scheduler", "tcp://127.0.0.1:9", "--", *shard_command(folder)]
    run = subprocess.run(list(map(str, words)), cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 2 and run.stderr.startswith("error: ") and "127.0.0.1:9" in run.stderr, run.stderr


def real_program(binary):
    """Returns a check that compares a fleet with the real program, on workers that are killed."""

    def check(folder, stack):
        repository(folder)
        options = ["diff", "--base", "HEAD", "--nodes", folder / "facts", "--threads", "1"]
        whole = subprocess.run([binary, *map(str, options), "--format", "json"], cwd=folder, capture_output=True, text=True)
        assert whole.returncode == 1, whole.stderr
        assert json.loads(whole.stdout)["summary"]["changed"] == 50, whole.stdout[:400]
        cluster = Cluster(folder, stack)
        for _ in range(2):
            cluster.add_worker()
        run = runner(folder, ["--scheduler-file", cluster.file, "--shards", 12, "--format", "json"], [binary, *options])
        stack.callback(stop, run)
        results = folder / "results"
        wait_for(lambda: len(list(results.glob("shard-*.results"))) >= 3, "three shards are complete")
        done = {it: it.stat().st_ino for it in results.glob("shard-*.results")}
        cluster.workers[0].send_signal(signal.SIGKILL)
        cluster.add_worker()
        out, err = run.communicate(timeout=600)
        assert run.returncode == 1, err
        assert out == whole.stdout, "the report equals that of the run without shards"
        assert all(it.stat().st_ino == number for it, number in done.items()), "complete results were not written again"
        return f"{len(done)} of 12 shards were complete when a worker was killed; {len(out)} equal bytes"

    check.__doc__ = "The real program on workers that are killed has the report of the run without shards."
    return check


def repository(folder):
    """Creates a repository with a change on 50 of 120 nodes, and their facts."""
    (folder / "manifests").mkdir()
    (folder / "environment.conf").write_text("modulepath = modules\n")
    manifest = folder / "manifests" / "site.pp"
    text = "node /^web/ {\n  file { '/etc/motd': content => \"old on ${facts['networking']['fqdn']}\" }\n}\nnode default { }\n"
    manifest.write_text(text)
    git = ["git", "-c", "user.name=example", "-c", "user.email=example@example.com"]
    for words in (["init", "-q"], ["add", "manifests", "environment.conf"], ["commit", "-qm", "start"]):
        subprocess.run([*git, *words], cwd=folder, check=True)
    manifest.write_text(text.replace("old on", "new on"))
    (folder / "facts").mkdir()
    for it in range(120):
        name = f"{'web' if it < 50 else 'db'}{it}.example.com"
        values = {"networking": {"fqdn": name, "hostname": name.split(".")[0]}, "os": {"family": "Debian", "name": "Debian", "release": {"full": "12.5", "major": "12"}}}
        (folder / "facts" / f"{name}.json").write_text(json.dumps({"name": name, "values": values}))


def main():
    checks = [killed_workers, restarted_workers, interrupted, failed_shard, crashing_shard, gathered, no_scheduler]
    if len(sys.argv) > 1:
        checks.append(real_program(str(pathlib.Path(sys.argv[1]).resolve())))
    failed = 0
    for check in checks:
        started = time.monotonic()
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            try:
                detail = check(folder, stack)
                print(f"ok: {check.__doc__.splitlines()[0]} ({time.monotonic() - started:.0f} s{'; ' + detail if detail else ''})", flush=True)
            except (AssertionError, OSError, ValueError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAILED: {check.__doc__.splitlines()[0]} {error}", flush=True)
    print(f"{len(checks)} checks, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
