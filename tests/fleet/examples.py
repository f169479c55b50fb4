#!/usr/bin/env python3
"""Runs the examples in docs/examples with a fleet of 120 nodes, 50 of which change.

    tests/fleet/examples.py [BINARY]

BINARY is `puppet-analyzer`; without it, shard_program.py stands in. xargs, GNU parallel, and Slurm (munged, slurmctld, and slurmd of Debian's
slurm-wlm, as a cluster of this machine) run as they are; jobs for GitHub, GitLab, and Kubernetes run by their scripts with the variables that
those set. In each case, one shard is removed afterwards, and the merge must refuse. Slurm needs root. Exits with 1 if an example fails.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import runner

if pathlib.Path(sys.prefix).resolve() != runner.PYTHON.parent.parent.resolve():
    # The environment of the runner has a YAML parser.
    os.execv(runner.PYTHON, [str(runner.PYTHON), *sys.argv])

import yaml  # noqa: E402

EXAMPLES = runner.ROOT / "docs" / "examples"
SLURM = """ClusterName=test
SlurmctldHost=localhost
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
SlurmctldPort=36817
SlurmdPort=36818
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
NodeName=localhost CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


class Fleet:
    """A repository with facts, and the program in the path."""

    def __init__(self, folder, binary):
        self.folder, self.binary = folder, binary
        runner.repository(folder)
        programs = folder / "bin"
        programs.mkdir()
        if binary:
            (programs / "puppet-analyzer").symlink_to(binary)
            self.nodes = folder / "facts"
        else:
            self.nodes = folder / "nodes"
            self.nodes.write_text("\n".join(runner.names(120)))
            program = programs / "puppet-analyzer"
            program.write_text(f'#!/bin/sh\nexec {sys.executable} {runner.HERE}/shard_program.py "$@"\n')
            program.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "BASE": "HEAD", "NODES": str(self.nodes)}

    def run(self, words, code=0, cwd=None, **variables):
        environment = {**self.environment, **{name: str(value) for name, value in variables.items()}}
        run = subprocess.run(list(map(str, words)), cwd=cwd or self.folder, env=environment, capture_output=True, text=True, timeout=600)
        assert run.returncode == code, f"{words} exits with {run.returncode}: {run.stdout}{run.stderr}"
        return run.stdout

    def check(self, files):
        """Compares the merged results with a run without shards, and removes one."""
        files = sorted(files)
        merged = self.run(["puppet-analyzer", "diff", "merge", *files, "--format", "json"], code=1)
        if self.binary:
            whole = self.run(["puppet-analyzer", "diff", "--base", "HEAD", "--nodes", self.nodes, "--format", "json"], code=1)
            assert merged == whole, "the report equals that of the run without shards"
            assert json.loads(merged)["summary"]["changed"] == 50
        else:
            assert json.loads(merged) == sorted(runner.names(120))
        assert not self.run(["puppet-analyzer", "diff", "merge", *files[1:], "--format", "json"], code=2)
        report = self.folder / "report.html"
        assert report.stat().st_size > 0, "there is a report"
        assert not self.binary or "<!DOCTYPE html>" in report.read_text()
        return f"{len(files)} shards"


def xargs(fleet, stack):
    for _ in range(2):
        fleet.run(["sh", EXAMPLES / "xargs.sh", "HEAD", fleet.nodes, 6], code=1)
    return fleet.check(fleet.folder.glob("results/*.results"))


def parallel(fleet, stack):
    if not shutil.which("parallel"):
        return "SKIPPED: parallel is not installed"
    fleet.run(["sh", EXAMPLES / "parallel.sh", "HEAD", fleet.nodes, 6], code=1)
    jobs = (fleet.folder / "results" / "jobs.log").read_text().splitlines()
    assert len(jobs) == 7, jobs
    return fleet.check(fleet.folder.glob("results/*.results"))


def github(fleet, stack):
    workflow = yaml.safe_load((EXAMPLES / "github.yml").read_text())

    def run(job, matrix=None):
        values = {"matrix.shard": matrix, "strategy.job-total": len(workflow["jobs"]["shard"]["strategy"]["matrix"]["shard"])}
        for step in workflow["jobs"][job]["steps"]:
            if "run" in step:
                script = re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda it: str(values[it[1]]), step["run"])
                # The default shell of GitHub's runners.
                fleet.run(["bash", "-e", "-c", script])

    for shard in workflow["jobs"]["shard"]["strategy"]["matrix"]["shard"]:
        run("shard", shard)
    run("report")
    return fleet.check(fleet.folder.glob("shard-*.results"))


def gitlab(fleet, stack):
    pipeline = yaml.safe_load((EXAMPLES / "gitlab.yml").read_text())
    origin = fleet.folder / "origin"
    subprocess.run(["git", "clone", "-q", "--bare", fleet.folder, origin], check=True)
    subprocess.run(["git", "remote", "add", "origin", f"file://{origin}"], cwd=fleet.folder, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=fleet.folder, capture_output=True, text=True, check=True).stdout.strip()
    total = pipeline["fleet-shard"]["parallel"]
    jobs = [("fleet-shard", it) for it in range(1, total + 1)] + [("fleet-report", 1)]
    for job, index in jobs:
        script = "\n".join(pipeline[job]["script"])
        fleet.run(["bash", "-e", "-o", "pipefail", "-c", script], CI_NODE_INDEX=index, CI_NODE_TOTAL=total, CI_MERGE_REQUEST_DIFF_BASE_SHA=commit)
    return fleet.check(fleet.folder.glob("shard-*.results"))


def kubernetes(fleet, stack):
    text = (EXAMPLES / "kubernetes.yaml").read_text()
    spec = yaml.safe_load(text)["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    variables = {it["name"]: it["value"] for it in container["env"]}
    assert int(variables["SHARDS"]) == spec["completions"] and spec["completionMode"] == "Indexed"
    (mount,) = container["volumeMounts"]
    (fleet.folder / "results").mkdir()
    here = {f"{mount['mountPath']}/nodes.snapshot": fleet.nodes, f"{mount['mountPath']}/results": fleet.folder / "results", "origin/main": "HEAD"}
    command = container["command"][-1]
    for path, own in here.items():
        assert path in command, path
        command = command.replace(path, str(own))
    for index in range(spec["completions"]):
        fleet.run([*container["command"][:-1], command], JOB_COMPLETION_INDEX=index, **variables)
    merge = re.search(r"^#   (puppet-analyzer diff merge .*)$", text, re.M)[1].replace("/fleet/", f"{fleet.folder}/")
    fleet.run(["sh", "-c", merge], code=1)
    return fleet.check(fleet.folder.glob("results/*.results"))


def slurm(fleet, stack):
    if not shutil.which("slurmctld") or os.geteuid() != 0:
        return "SKIPPED: needs root and slurm-wlm"
    folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
    for name in ("state", "spool", "munge"):
        (folder / name).mkdir()
    key = folder / "munge" / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    (folder / "slurm.conf").write_text(SLURM.format(folder=folder, cpus=os.cpu_count()))
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
    fleet.environment["SLURM_CONF"] = str(folder / "slurm.conf")
    munge = [f"--{name}={folder}/munge/{name}" for name in ("socket", "pid-file", "log-file", "seed-file")]
    for words in (["munged", "--foreground", "--force", f"--key-file={key}", *munge], ["slurmctld", "-D"], ["slurmd", "-D", "-N", "localhost"]):
        process = subprocess.Popen(words, env=fleet.environment, stdout=subprocess.DEVNULL, stderr=open(folder / f"{words[0]}.err", "wb"))
        stack.callback(runner.stop, process)
        time.sleep(1)
    is_idle = lambda: "idle" in subprocess.run(["sinfo", "-h", "-o", "%T"], env=fleet.environment, capture_output=True, text=True).stdout
    runner.wait_for(is_idle, "the node is idle")
    (fleet.folder / "results").mkdir()
    text = (EXAMPLES / "slurm.sh").read_text()
    first, second = re.findall(r"^#   (.*sbatch .*)$", text, re.M)
    script = f"{first.replace('slurm.sh', str(EXAMPLES / 'slurm.sh')).replace('origin/main', 'HEAD').replace('nodes.snapshot', str(fleet.nodes))}\n{second}\n"
    fleet.run(["bash", "-e", "-c", script])
    queue = lambda: subprocess.run(["squeue", "-h", "-o", "%A %T %r"], env=fleet.environment, capture_output=True, text=True).stdout
    runner.wait_for(lambda: not queue().strip(), "all jobs are complete", 400)
    found = list(fleet.folder.glob("results/shard-*.results"))
    logs = "".join(it.read_text() for it in fleet.folder.glob("results/slurm-*.log"))
    assert len(found) == 16, (len(found), logs, queue(), (folder / "slurmd.log").read_text()[-2000:])
    return fleet.check(found)


def main():
    binary = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    examples = [xargs, parallel, github, gitlab, kubernetes, slurm]
    named = set(re.findall(r"\]\(([\w-]+)\.\w+\)", (EXAMPLES / "README.md").read_text()))
    assert named == {it.__name__ for it in examples}, "README.md lists the examples that are run"
    failed = 0
    for example in examples:
        started = time.monotonic()
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            try:
                detail = example(Fleet(folder, binary), stack)
                print(f"ok: {example.__name__}: {detail} ({time.monotonic() - started:.0f} s)", flush=True)
            except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"FAILED: {example.__name__}: {error}", flush=True)
    print(f"{len(examples)} examples, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
