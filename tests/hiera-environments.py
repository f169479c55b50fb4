#!/usr/bin/env python3
"""Compiles the environments of tests/conformance/hiera/environments.jsonl and compares the results with those of real Puppet.

    tests/hiera-environments.py --program target/release/puppet-analyzer [--setting '8 error' ...] [--only NAME]

Each case has results for both versions and each level of `strict`: the notices, the number of different warnings, and whether
the compilation fails (see tests/conformance/README.md). Exits with 1 if a result differs for no known reason.
"""
import argparse, json, pathlib, subprocess, sys, tempfile

TABLE = pathlib.Path(__file__).resolve().parent / 'conformance' / 'hiera' / 'environments.jsonl'
SETTINGS = [f'{version} {strict}' for version in (7, 8) for strict in ('off', 'warning', 'error')]

# Beginnings of the names of cases that differ, with the reason.
DIFFERENCES = {
    'undefined-path-qualified': 'the module of the variable is not installed, so the value is open',
    'undefined-value-qualified': 'the module of the variable is not installed, so the value is open',
    'environment-data-provider': 'reading environment.conf warns with `strict` = off as well',
    'convert-to-unknown': 'a module that is not installed may define the type, so the value is open',
    'context-entries-later': 'an iterator over the cache sees entries that are added later, so its elements are open',
    'context-file-data-in-function': 'only data files are read, so the value is open',
}


def outcome(program, root, setting):
    version, strict = setting.split()
    command = [program, 'compile', '--environment', 'environments/production', '--hiera-config', 'hiera.yaml', '--facts',
               'facts.json', '--puppet-version', version, '--strict', strict, 'node1.example.com']
    run = subprocess.run(command, cwd=root, capture_output=True, text=True)
    lines = (run.stdout + run.stderr).split('\n')
    return {'notices': [it.removeprefix('notice: ') for it in lines if it.startswith('notice: ')],
            'warnings': len({it for it in lines if it.startswith('warning: ')}),
            'fails': any(it.startswith('error[') for it in lines)}


def expected(recorded):
    """Returns a recorded result as the output shows it, with escaped line breaks."""
    return {**recorded, 'notices': [it.replace('\n', '\\n') for it in recorded['notices']]}


def write(root, case):
    files = {'hiera.yaml': 'version: 5\nhierarchy: []\n', **case['files']}
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.replace('/ROOT', str(root)).encode())
    (root / 'environments' / 'production').mkdir(parents=True, exist_ok=True)
    (root / 'facts.json').write_text(json.dumps(case.get('facts', {'os': {'name': 'Debian'}})))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--program', required=True)
    parser.add_argument('--setting', action='append', choices=SETTINGS)
    parser.add_argument('--only', default='')
    given = parser.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    count, known, wrong = 0, 0, 0
    for line in TABLE.read_text(encoding='utf-8').split('\n'):
        case = json.loads(line) if line else {'name': '', 'is': {}}
        if not line or not case['name'].startswith(given.only):
            continue
        with tempfile.TemporaryDirectory() as work:
            root = pathlib.Path(work)
            write(root, case)
            for setting in given.setting or SETTINGS:
                count += 1
                found, wanted = outcome(program, root, setting), expected(case['is'][setting])
                # What is logged before a failure depends on the order of the lookups.
                is_same = found == wanted or found['fails'] and wanted['fails']
                if is_same:
                    continue
                if any(case['name'].startswith(it) for it in DIFFERENCES):
                    known += 1
                    continue
                wrong += 1
                print(f'{case["name"]} ({setting})\n  Puppet {wanted}\n  ours   {found}', flush=True)
    print(f'{count} results: {wrong} differ, {known} differ for a known reason')
    sys.exit(1 if wrong else 0)


main()
