"""Runs the shards of `puppet-analyzer diff --nodes` on a Dask cluster and merges their results.

    puppet-analyzer-fleet --shards N --results DIR [OPTION...] -- puppet-analyzer diff --base REV --nodes SNAPSHOT

See README.md. The exit code is that of `puppet-analyzer diff merge`, or 2 if a shard failed.
"""
import argparse
import contextlib
import logging
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

FAILURE = 2
# Maximum length of the error output of a shard that is reported, in bytes.
MAX_ERRORS = 4000


class ShardError(Exception):
    """Failure of the command of a shard."""


def file_name(index, count):
    """Returns the name of the result file of a shard; names sort by number."""
    return f"shard-{index:0{len(str(count))}}-of-{count}.results"


def run_shard(index, count, command, directory, results, attempts, timeout, known=None):
    """Runs the command of a shard on a worker. Returns the result file's bytes if `results` is None, else nothing.

    `known` is the result of an earlier run, for workers that do not share the folder: the program decides if it is still valid.
    The lock of a shard is inherited by its program. If the worker is killed, the next worker waits until that program ends, and then
    finds its result instead of running the shard again.
    """
    with tempfile.TemporaryDirectory() as own:
        folder = pathlib.Path(results or own)
        output = folder / file_name(index, count)
        if known is not None:
            output.write_bytes(known)
        words = [*command, "--shard", f"{index}/{count}", "--output", str(output)]
        with open(folder / f".{output.name}.lock", "wb") as lock:
            try:
                import fcntl

                fcntl.flock(lock, fcntl.LOCK_EX)
                inherited = [lock.fileno()]
            except (ImportError, OSError):
                # Without locks, two workers may run the same shard; the result is replaced atomically.
                inherited = []
            for attempt in range(1, attempts + 1):
                try:
                    run = subprocess.run(
                        words, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, pass_fds=inherited
                    )
                    code, errors = run.returncode, run.stderr
                except subprocess.TimeoutExpired:
                    code, errors = None, f"timed out after {timeout} s".encode()
                except OSError as error:
                    raise ShardError(f"cannot run `{words[0]}`: {error}") from None
                if code == 0:
                    break
                # A program that was killed may succeed elsewhere or later; one that failed will fail again.
                is_killed = code is None or code < 0
                if not is_killed or attempt == attempts:
                    how = f"was killed by signal {-code}" if is_killed and code is not None else f"exit code {code}"
                    text = errors.decode(errors="replace").strip()[-MAX_ERRORS:]
                    raise ShardError(f"{how}: {text}" if code is not None else text)
        if not output.is_file():
            raise ShardError(f"`{words[0]}` wrote no `{output.name}`")
        return output.read_bytes() if results is None else None


def write_atomically(path, data):
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(name, path)


class ProgressReport:
    """Progress with rate and time left, on standard error."""

    def __init__(self, total):
        self.total, self.done, self.started = total, 0, time.monotonic()
        self.is_terminal = sys.stderr.isatty()

    def add(self):
        self.done += 1
        elapsed = max(time.monotonic() - self.started, 0.001)
        rate = self.done / elapsed
        left = (self.total - self.done) / rate
        text = f"{self.done} of {self.total} shards, {rate:.2f}/s, {left:.0f} s left"
        print(f"\r{text}\x1b[K" if self.is_terminal else text, end="" if self.is_terminal else "\n", file=sys.stderr, flush=True)
        if self.is_terminal and self.done == self.total:
            print(file=sys.stderr)


def run_all(client, arguments):
    """Runs all shards. Returns the failures with their shards."""
    from distributed import as_completed

    count, results = arguments.shards, arguments.results
    own = None if arguments.gather else str(results)
    rest = (arguments.command, str(arguments.directory), own, arguments.attempts, arguments.timeout)
    run = f"{os.getpid()}-{time.time_ns()}"
    futures = {}
    for index in range(1, count + 1):
        key = f"puppet-analyzer-shard-{index}-of-{count}-{run}"
        file = results / file_name(index, count)
        known = file.read_bytes() if arguments.gather and file.is_file() else None
        futures[client.submit(run_shard, index, count, *rest, known, key=key, pure=False)] = index
    progress, failures = ProgressReport(count), []
    for future in as_completed(list(futures)):
        index = futures.pop(future)
        if future.status != "finished":
            failures.append((index, f"{future.exception()}" if future.status == "error" else future.status))
            continue
        data = future.result()
        if data is not None:
            write_atomically(results / file_name(index, count), data)
        future.release()
        progress.add()
    return failures


def connected(arguments, stack):
    """Returns a client of the cluster that was requested, or of a local one."""
    import cloudpickle
    from distributed import Client, LocalCluster

    # Workers do not need this module.
    cloudpickle.register_pickle_by_value(sys.modules[run_shard.__module__])
    if arguments.scheduler_file:
        return stack.enter_context(Client(scheduler_file=str(arguments.scheduler_file)))
    if arguments.scheduler:
        return stack.enter_context(Client(arguments.scheduler))
    workers = arguments.workers or os.cpu_count() or 1
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
    stack.enter_context(cluster)
    return stack.enter_context(Client(cluster))


def parsed(words):
    parser = argparse.ArgumentParser(prog="puppet-analyzer-fleet", description="Run the shards of `puppet-analyzer diff --nodes` on a Dask cluster")
    parser.add_argument("--shards", type=int, required=True, metavar="N", help="number of shards; several per worker even out their times")
    parser.add_argument("--results", type=pathlib.Path, required=True, metavar="DIR", help="folder of the result files, shared by all workers")
    parser.add_argument("--gather", action="store_true", help="send the results to this machine, for workers that do not share the folder")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="address of a running scheduler, such as tcp://HOST:8786")
    where.add_argument("--scheduler-file", type=pathlib.Path, metavar="FILE", help="file in which a running scheduler describes itself")
    where.add_argument("--workers", type=int, metavar="N", help="worker processes of a local cluster [default: one per core]")
    parser.add_argument("--directory", type=pathlib.Path, default=pathlib.Path.cwd(), metavar="DIR", help="folder in which the command runs on the workers [default: the current one]")
    parser.add_argument("--attempts", type=int, default=3, metavar="N", help="how often a worker runs a shard whose program is killed or times out [default: 3]")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="maximum time of a shard")
    parser.add_argument("--format", default="text", metavar="FORMAT", help="format of the report [default: text]")
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="write the report to FILE")
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="`puppet-analyzer diff` with its options, after `--`")
    arguments = parser.parse_args(words)
    for name in ("shards", "attempts"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name} must be at least 1")
    if "diff" not in arguments.command:
        parser.error("the command must be `puppet-analyzer diff …`")
    return arguments


def merge(arguments):
    """Merges the results. Returns the exit code of `diff merge`."""
    files = [str(arguments.results / file_name(index, arguments.shards)) for index in range(1, arguments.shards + 1)]
    program = arguments.command[: arguments.command.index("diff")]
    words = [*program, "diff", "merge", *files, "--format", arguments.format]
    if arguments.report is None:
        return subprocess.run(words, cwd=arguments.directory).returncode
    run = subprocess.run(words, cwd=arguments.directory, stdout=subprocess.PIPE)
    if run.stdout:
        write_atomically(arguments.report.absolute(), run.stdout)
    return run.returncode


def compare(arguments, stack):
    """Runs all shards and returns the exit code."""
    client = connected(arguments, stack)
    failures = run_all(client, arguments)
    failed = {index for index, _ in failures}
    for index in range(1, arguments.shards + 1):
        if index not in failed and not (arguments.results / file_name(index, arguments.shards)).is_file():
            failures.append((index, f"no result in `{arguments.results}`: workers do not share this folder; use `--gather`"))
    for index, reason in sorted(failures):
        print(f"error: shard {index}/{arguments.shards}: {reason}", file=sys.stderr)
    if failures:
        print(f"error: {len(failures)} of {arguments.shards} shards failed; there is no report", file=sys.stderr)
        return FAILURE
    return merge(arguments)


def main(words=None):
    arguments = parsed(words)
    arguments.results = arguments.results.absolute()
    # A killed worker is expected; what matters is reported at the end.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        arguments.results.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            return compare(arguments, stack)
    except KeyboardInterrupt:
        print("error: interrupted; run the same command again to continue", file=sys.stderr)
        return 128 + signal.SIGINT
    except Exception as error:  # Python's exit code for exceptions would mean that catalogs differ.
        print(f"error: {error or type(error).__name__}", file=sys.stderr)
        return FAILURE


if __name__ == "__main__":
    sys.exit(main())
