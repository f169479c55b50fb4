#!/usr/bin/env python3
"""Compares our catalogs with those of real Puppet recorded in tests/conformance/catalogs.

    tests/catalog-conformance.py MODULES [SET...] [--program target/release/conformance] [--facts DIR] [--match TEXT] [--every N] [--show N]

MODULES is the folder of modules that tests/conformance/fetch-corpus.sh fetches. SET is one of `version8`, `strict`,
`platforms` (default: all). `platforms` needs the folder of fact sets that `cargo run -p facts --example write_fact_sets
-- DIR 7` writes. The program speaks the line protocol of tests/conformance. Printed for each set:

    accepted     both compile the class, or neither does; a class that only Puppet compiles is a false error
    same         of the catalogs that both compile: the same resources, parameters, and edges
    nothing wrong  each certain resource is in Puppet's catalog, and each known parameter is equal
    error line   of the classes that neither compiles: Puppet's line

Exits with 0 if there is no false error and `--target` percent (97) have the same outcome.
"""
import argparse, collections, gzip, json, os, pathlib, sys

sys.dont_write_bytecode = True
from line_program import LineProgram, is_unknown  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent / 'conformance' / 'catalogs'
VERSION_7 = {'strict': 'warning', 'strict_variables': False}


def facts_of(set_name):
    names = ['facts.json'] if set_name == 'version8' else ['facts.json', 'legacy_facts.json']
    facts = {}
    for name in names:
        facts.update(json.loads((FOLDER / name).read_text()))
    return facts


def by_reference(catalog):
    return {(it['type'], it['title']): it for it in catalog['resources']}


def is_same(theirs, ours):
    shown = [sorted(json.dumps([it['type'], it['title'], it['params'], it.get('exported', False), it.get('possible', False)], sort_keys=True)
                    for it in catalog['resources']) for catalog in (theirs, ours)]
    return shown[0] == shown[1] and sorted(theirs['edges']) == sorted(ours['edges'])


def what_is_wrong(theirs, ours):
    """Returns the first contradiction between our catalog and Puppet's."""
    known = by_reference(theirs)
    for it in ours['resources']:
        reference = (it['type'], it['title'])
        if it.get('possible') or is_unknown(it['title']):
            continue
        if reference not in known:
            return f'{it["type"]}[{it["title"]}] is missing'
        expected = known[reference]['params']
        for name, value in it['params'].items():
            if not is_unknown(value) and value != expected.get(name):
                return f'{it["type"]}[{it["title"]}] {name}: {json.dumps(value)[:100]} instead of {json.dumps(expected.get(name))[:100]}'
    return None


class Tally:
    def __init__(self, name):
        self.name, self.counts, self.shown = name, collections.Counter(), []

    def note(self, level, agrees, text=None):
        self.counts[level] += 1
        self.counts[level, 'yes'] += bool(agrees)
        if not agrees and text:
            self.shown.append((level, text))

    def show(self, most):
        print(f'{self.name}: ' + ', '.join(
            f'{level} {self.counts[level, "yes"]} of {self.counts[level]} ({100 * self.counts[level, "yes"] / self.counts[level]:.1f} %)'
            for level in ('accepted', 'same', 'nothing wrong', 'error line') if self.counts[level])
            + f', {self.counts["false errors"]} false errors', flush=True)
        for level, text in self.shown[:most]:
            print(f'    {level}: {text}')


def note_acceptance(tally, name, expect, answer, line):
    """Counts one class and returns true if both compile it; `line` is that of Puppet's error."""
    ok = bool(answer.get('ok'))
    error = answer.get('error') or {}
    said = expect['message'] if ok else f'{error.get("file", "")}:{error.get("line", "")}: {error.get("message") or answer.get("unsupported")}'
    if expect['ok'] and not ok:
        tally.counts['false errors'] += 1
        tally.note('accepted', False, f'{name}: Puppet compiles it, we say {said}')
    else:
        tally.note('accepted', expect['ok'] == ok, f'{name}: Puppet says {said}')
    if not ok and not expect['ok'] and line:
        tally.note('error line', str(error.get('line')) == line, None)
    return ok and expect['ok']


def compare_set(set_name, arguments, program):
    tally, facts = Tally(set_name), facts_of(set_name)
    with gzip.open(FOLDER / f'{set_name}.jsonl.gz', 'rt', encoding='utf-8') as lines:
        for case in [json.loads(line) for line in lines if arguments.match in line[:200]][::arguments.every]:
            expect = case['expect']
            question = {**{key: case[key] for key in ('id', 'kind', 'code', 'settings')}, 'modulepath': [arguments.modules], 'facts': facts}
            answer = program.ask(question)
            error = expect.get('error', {})
            brief = {'ok': expect['ok'], 'message': error.get('message')}
            if note_acceptance(tally, case['id'], brief, answer, str(error.get('line') or '')):
                theirs = json.loads(json.dumps(expect['catalog']).replace('$MODULES', arguments.modules))
                tally.note('same', is_same(theirs, answer['catalog']))
                wrong = what_is_wrong(theirs, answer['catalog'])
                tally.note('nothing wrong', wrong is None, f'{case["id"]}: {wrong}')
    tally.show(arguments.show)
    return tally


def compare_platforms(arguments, program):
    tally, facts = Tally('platforms'), {}
    with gzip.open(FOLDER / 'platforms.tsv.gz', 'rt', encoding='utf-8') as lines:
        rows = [line.rstrip('\n').split('\t') for line in lines]
    for name, _, platforms, outcome, *error in [it for it in rows if arguments.match in it[0]][::arguments.every]:
        for platform in platforms.split(','):
            if platform not in facts:
                facts[platform] = json.loads((arguments.facts / f'{platform}.json').read_text())
            question = {'id': f'{name} on {platform}', 'kind': 'catalog', 'code': f'include {name}', 'settings': VERSION_7,
                        'modulepath': [arguments.modules], 'facts': facts[platform]}
            expect = {'ok': outcome == 'ok', 'message': ': '.join(error)}
            line = error[0].rsplit(':', 1)[1] if error else ''
            note_acceptance(tally, question['id'], expect, program.ask(question), line if line != '-' else '')
    tally.show(arguments.show)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('modules')
    parser.add_argument('sets', nargs='*')
    parser.add_argument('--program', default='target/release/conformance')
    parser.add_argument('--facts', type=pathlib.Path)
    parser.add_argument('--match', default='', help='only classes whose names contain this')
    parser.add_argument('--every', type=int, default=1, help='only every Nth class')
    parser.add_argument('--show', type=int, default=10, help='disagreements to print')
    parser.add_argument('--timeout', type=float, default=60)
    parser.add_argument('--target', type=float, default=97)
    arguments = parser.parse_args()
    arguments.modules = os.path.abspath(arguments.modules)
    sets = arguments.sets or ['version8', 'strict', 'platforms']
    if 'platforms' in sets and not arguments.facts:
        parser.error('platforms needs --facts')
    program = LineProgram(arguments.program, arguments.timeout)
    tallies = [compare_platforms(arguments, program) if it == 'platforms' else compare_set(it, arguments, program) for it in sets]
    is_good = all(it.counts['accepted', 'yes'] * 100 >= arguments.target * it.counts['accepted'] for it in tallies)
    sys.exit(0 if is_good and not any(it.counts['false errors'] for it in tallies) else 1)


if __name__ == '__main__':
    main()
