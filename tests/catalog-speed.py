#!/usr/bin/env python3
"""Measures the speed of catalog compilation as a ratio to real Puppet on the same machine.

    tests/catalog-speed.py MODULES [--program target/release/conformance] [--every N] [--match TEXT] [--core N]

MODULES is the folder of modules that tests/conformance/fetch-corpus.sh fetches. Every class of
tests/conformance/catalogs that both can compile is a separate compilation (`include CLASS`) with the facts of Debian 12
and the settings of version 7. Each side is one process on one core. Both get the classes in turns and measure their
compiler alone, without reading the question and writing the answer. Two figures:

    parsing included   each class in an environment without parsed files. A question of kind `evict`, which is not counted, precedes
                       it; a program without that kind is restarted for every class, and its start is counted.
    without parsing    the class was compiled before with another fact: nothing is read, everything is evaluated.

Needs a Puppet that Ruby can `require` (`apt-get install puppet-agent`).
"""
import argparse, json, os, pathlib, shlex, statistics, subprocess, sys, time

HERE = pathlib.Path(__file__).resolve().parent / 'conformance'
SETTINGS = {'strict': 'warning', 'strict_variables': False}


class Process:
    """Process on one core that answers lines with lines."""

    def __init__(self, command, core):
        pin = (lambda: os.sched_setaffinity(0, {core})) if hasattr(os, 'sched_setaffinity') else None
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=pin)

    def ask(self, question):
        """Sends a question; returns the answer and the seconds until it arrived."""
        line = json.dumps(question).encode() + b'\n'
        start = time.perf_counter()
        self.process.stdin.write(line)
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        seconds = time.perf_counter() - start
        if not answer:
            sys.exit(f'{self.process.args}: the program exited')
        return json.loads(answer), seconds

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


class Ours:
    def __init__(self, arguments, facts):
        self.command, self.core, self.modules, self.facts = shlex.split(arguments.program), arguments.core, arguments.modules, facts
        self.process, self.can_evict, self.count = None, True, 0

    def ask(self, name, fresh):
        self.count += 1
        # A different fact each time, so that no result is memoized.
        facts = {**self.facts, 'speed_question': self.count}
        question = {'modulepath': [self.modules], 'settings': SETTINGS}
        if fresh and self.process:
            if self.can_evict:
                answer, _ = self.process.ask({'kind': 'evict', **question})
                self.can_evict = answer.get('ok') is True
            if not self.can_evict:
                self.stop()
        start = time.perf_counter()
        if self.process is None:
            self.process = Process(self.command, self.core)
        answer, seconds = self.process.ask({'id': name, 'kind': 'catalog', 'code': f'include {name}', 'facts': facts, **question})
        if fresh and not self.can_evict:
            return answer.get('ok'), time.perf_counter() - start
        return answer.get('ok'), answer.get('seconds', seconds)

    def stop(self):
        if self.process:
            self.process.stop()
        self.process = None


class Puppets:
    def __init__(self, arguments, facts_file):
        self.modules, self.facts, self.count = arguments.modules, facts_file, 0
        self.process = Process(['ruby', str(HERE / 'ask_puppet.rb'), self.modules], arguments.core)

    def ask(self, name, fresh):
        self.count += 1
        # The code never changes, since Puppet would read everything again.
        question = {'code': 'include $speed_class', 'modulepath': [self.modules], 'facts': self.facts, 'settings': SETTINGS,
                    'more': {'speed_question': self.count, 'speed_class': name}, 'same': not fresh}
        answer, _ = self.process.ask(question)
        return answer['ok'], answer.get('seconds')

    def stop(self):
        self.process.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('modules')
    parser.add_argument('--program', default='target/release/conformance')
    parser.add_argument('--every', type=int, default=1, help='only every Nth class')
    parser.add_argument('--match', default='', help='only classes whose names contain this')
    parser.add_argument('--core', type=int, default=0)
    parser.add_argument('--target', type=float, default=50)
    arguments = parser.parse_args()
    arguments.modules = os.path.abspath(arguments.modules)
    facts = {}
    for name in ('facts.json', 'legacy_facts.json'):
        facts.update(json.loads((HERE / 'catalogs' / name).read_text()))
    facts_file = pathlib.Path(os.environ.get('TMPDIR', '/tmp')) / f'catalog-speed-{os.getpid()}.json'
    facts_file.write_text(json.dumps(facts))
    classes = [line.split('\t')[1] for line in (HERE / 'catalogs' / 'classes.tsv').read_text().splitlines()]
    classes = [it for it in classes if arguments.match in it][::arguments.every]
    ours, puppets = Ours(arguments, facts), Puppets(arguments, str(facts_file))
    try:
        ratios = [measure(title, classes, ours, puppets, fresh)
                  for title, fresh in (('parsing included', True), ('without parsing', False))]
    finally:
        ours.stop()
        puppets.stop()
        facts_file.unlink()
    if None in ratios:
        sys.exit('no class compiles on both sides')
    print(f'the smaller ratio: {min(ratios):.1f}')
    sys.exit(0 if min(ratios) >= arguments.target else 1)


def measure(title, classes, ours, puppets, fresh):
    own, their, refused = [], [], 0
    puppets.ask('stdlib', True)
    ours.ask('stdlib', False)
    for name in classes:
        if not fresh:
            ours.ask(name, False)
            puppets.ask(name, False)
        theirs_ok, theirs = puppets.ask(name, fresh)
        if not theirs_ok:
            continue
        is_ok, mine = ours.ask(name, fresh)
        if not is_ok:
            refused += 1
            continue
        own.append(mine)
        their.append(theirs)
    if not own:
        return None
    ratio = sum(their) / sum(own)
    how = '' if ours.can_evict or not fresh else ' (a process for each class)'
    print(f'{title:17} {len(own)} classes: ours {sum(own):8.2f} s   Puppet {sum(their):8.2f} s   {ratio:6.1f} times faster{how}; '
          f'median of the ratios {statistics.median(t / o for t, o in zip(their, own)):.1f}; {refused} that only Puppet compiles', flush=True)
    return ratio


if __name__ == '__main__':
    main()
