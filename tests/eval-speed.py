#!/usr/bin/env python3
"""Measures the speed of pure expressions as a ratio to real Puppet on the same machine.

    tests/eval-speed.py [--program target/release/puppet-analyzer] [--iterations 1000000] [--runs 3]

Each program runs in a separate process, in turns: ours, Puppet's, ours, ... The figure is the median of the whole
process, startup included. Needs a Puppet that Ruby can `require` (`apt-get install puppet-agent`).
"""
import argparse, statistics, subprocess, sys, time

PROGRAMS = {
    'map': 'Integer[1, N].map |$x| { $x + 1 }.size',
    'filter': 'Integer[1, N].filter |$x| { $x % 3 == 0 }.size',
    'reduce': 'Integer[1, N].reduce(0) |$sum, $x| { $sum + $x }',
    'interpolation': 'Integer[1, N].map |$x| { "item-${x}" }.size',
    'regular expression': 'Integer[1, N].filter |$x| { "host${x}.example.com" =~ /\\Ahost(\\d+)5\\./ }.size',
    'conditionals': 'Integer[1, N].map |$x| { if $x > 10 { case $x % 3 { 0: { a } 1: { b } default: { c } } } else { d } }.size',
}

PUPPET = """
require 'puppet'
require 'puppet_pal'
require 'tmpdir'
Dir.mktmpdir do |dir|
  Puppet.initialize_settings(['--confdir', dir, '--vardir', dir], false)
  Puppet::Pal.in_tmp_environment('speed', modulepath: [], facts: {}) do |pal|
    pal.with_script_compiler { |compiler| puts compiler.evaluate_string(ARGV[0]).to_s }
  end
end
"""


def timed(command):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f'{command[0]}: {done.stderr.strip()[-2000:]}')
    return seconds, done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', default='target/release/puppet-analyzer')
    parser.add_argument('--iterations', type=int, default=1_000_000)
    parser.add_argument('--runs', type=int, default=3)
    arguments = parser.parse_args()
    slowest = None
    for name, template in PROGRAMS.items():
        code = template.replace('N', str(arguments.iterations), 1)
        ours, theirs = [], []
        for _ in range(arguments.runs):
            own_time, own = timed([arguments.program, 'eval', '--steps', '1000000000', '-e', code])
            their_time, their = timed(['ruby', '-e', PUPPET, code])
            if own != their:
                sys.exit(f'{name}: ours is {own}, Puppet says {their}')
            ours.append(own_time)
            theirs.append(their_time)
        ratio = statistics.median(theirs) / statistics.median(ours)
        slowest = ratio if slowest is None else min(slowest, ratio)
        print(f'{name:20} ours {statistics.median(ours):7.3f} s   Puppet {statistics.median(theirs):7.3f} s   {ratio:6.1f} times faster', flush=True)
    print(f'the smallest ratio: {slowest:.1f}')


if __name__ == '__main__':
    main()
