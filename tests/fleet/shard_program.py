#!/usr/bin/env python3
"""Stands in for `puppet-analyzer` in tests of the runner and the examples: a shard takes a moment and is logged.

    shard_program.py diff --nodes FILE --shard I/N --output FILE [--pause SECONDS] [--log FILE] [--fail SHARD] [--crash SHARD]
    shard_program.py diff merge FILES… --format json

FILE has a name per line. Like the real program, a shard whose result exists is skipped, results are renamed into place when they are
complete, and `merge` refuses incomplete or duplicate sets with exit code 2. The log has a line per shard that started and ended.
"""
import argparse
import hashlib
import json
import os
import pathlib
import signal
import sys
import time


def names_of(nodes, index, count):
    names = pathlib.Path(nodes).read_text().split()
    return sorted(it for it in names if int(hashlib.sha256(it.encode()).hexdigest()[:8], 16) % count == index - 1)


def log(path, text):
    if path:
        with open(path, "a") as file:
            file.write(text + "\n")


def shard(words):
    parser = argparse.ArgumentParser()
    for name in ("--nodes", "--shard", "--output"):
        parser.add_argument(name, required=True)
    parser.add_argument("--pause", type=float, default=0)
    for name in ("--log", "--fail", "--crash", "--base", "--threads"):
        parser.add_argument(name)
    options = parser.parse_args(words)
    index, count = map(int, options.shard.split("/"))
    output = pathlib.Path(options.output)
    run = hashlib.sha256(pathlib.Path(options.nodes).read_bytes()).hexdigest()
    if output.is_file() and json.loads(output.read_text())["run"] == run:
        print(f"`{output}` already has these results", file=sys.stderr)
        return 0
    log(options.log, f"start {options.shard}")
    time.sleep(options.pause)
    if options.fail == str(index):
        print("error: cannot read the snapshot", file=sys.stderr)
        return 2
    if options.crash == str(index):
        os.kill(os.getpid(), signal.SIGKILL)
    result = {"run": run, "shard": [index, count], "nodes": names_of(options.nodes, index, count)}
    partial = output.with_name(f".{output.name}.{os.getpid()}")
    partial.write_text(json.dumps(result))
    partial.rename(output)
    log(options.log, f"end {options.shard}")
    return 0


def merge(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--format")
    options = parser.parse_args(words)
    results = [json.loads(pathlib.Path(it).read_text()) for it in options.files]
    count = results[0]["shard"][1]
    if sorted(it["shard"] for it in results) != [[it, count] for it in range(1, count + 1)] or len({it["run"] for it in results}) != 1:
        print("error: the files are not all shards of one run", file=sys.stderr)
        return 2
    print(json.dumps(sorted(name for it in results for name in it["nodes"])))
    return 1


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(merge(words[2:]) if words[:2] == ["diff", "merge"] else shard(words[1:]))
