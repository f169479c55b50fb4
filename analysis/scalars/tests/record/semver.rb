# Records how SemanticPuppet handles versions and ranges. Run: LANG=C.UTF-8 ruby -W0 tests/record/semver.rb > tests/recorded/semver.jsonl
# Each line: question, subject, and outcome.
require 'puppet'
require_relative 'rows'
VERSION = SemanticPuppet::Version
RANGE = SemanticPuppet::VersionRange
def bound(version) = version.nil? ? nil : (version.major == Float::INFINITY ? 'max' : version.to_s)

VERSIONS = %w[0.0.0 1.0.0 1.0.1 1.1.0 1.10.0 1.9.0 2.0.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1
              1.0.0-1 1.0.0-10 1.0.0-2 1.0.0-a-b 1.0.0+build 1.0.0+build.1 1.0.0-rc.1+b.2 10.20.30 1.2.3 1.2.3-pre 1.2.4-pre 1.3.0 2.0.0-rc1 0.1.0 0.0.3 0.2.3 99999999.0.0]
WRONG = ['', '1', '1.0', '1.0.0.0', '01.0.0', '1.00.0', '1.0.0-', '1.0.0+', '1.0.0-01', '1.0.0-a..b', '1.0.0-é', 'v1.0.0', ' 1.0.0', '1.0.0 ', "1.0.0\n", '1.0.0-a_b', '-1.0.0', '1.0.0-0', '1.0.0-00a', 'x.y.z', '1.0.0+01']
(VERSIONS + WRONG).each do |text|
  version = tried { VERSION.parse(text) }
  row('version', text, version && [version.to_s, version.major, version.minor, version.patch, version.prerelease, version.build, version.stable?])
end
VERSIONS.product(VERSIONS) { |a, b| row('compare', [a, b], [VERSION.parse(a) <=> VERSION.parse(b), VERSION.parse(a) == VERSION.parse(b)]) }

RANGES = ['1.2.3', '=1.2.3', '>1.2.3', '>=1.2.3', '<1.2.3', '<=1.2.3', '~1.2.3', '~>1.2.3', '~=1.2.3', '^1.2.3', '^0.2.3', '^0.0.3', '^0', '^0.1', '^1', '^1.2', '~1', '~1.2', '~0', '~0.0', '1', '1.2', '1.x', '1.X', '1.*', '1.2.x',
          '*', 'x', '', ' ', '>1', '>1.2', '>=1', '>=1.2', '<1', '<1.2', '<=1', '<=1.2', '>*', '>=*', '<*', '<=*', '~*', '^*', '=*', '1.0.0 - 2.0.0', '1 - 2', '1.2 - 2.3', '1.0.0 -2.0.0', '1.0.0 - ', '>=1.0.0 <2.0.0', '>1.0.0 <=2.0.0', '>= 1.0.0 < 2.0.0',
          '>=2.0.0 <1.0.0', '1.0.0 || 2.0.0', '>=1.0.0 <1.5.0 || >=2.0.0', '<1.0.0 || >=1.0.0', '1.x || 2.x', '>=1.0.0 || <0.5.0', '>=1.0.0-rc.1', '<1.0.0-rc.1', '~1.0.0-rc.1', '^1.0.0-rc.1', '1.0.0-rc.1', '1.0.0-alpha - 1.0.0', '>=1.0.0-alpha <1.0.0', '>=1.0.0+b',
          '^1.2.3-pre', '^0.1.2', '~1.2.3-pre+b', '>v1.0.0', '=v1.0.0', 'v1.0.0', '>=1.0.0 <2.0.0 <1.5.0', '>=1.0.0 >=1.1.0', '1.2.3 1.2.4', '>1.2.3 <1.2.3', '>=1.2.3 <=1.2.3', '1.2.3 - 1.2.3', 'abc', '1.2.3.4', '01.2.3', '>>1', '1 2', '|| 1.0.0', '1.0.0 ||', '||', '1.0.0||2.0.0', ' 1.0.0', '1.0.0 ',
          '>=1.0.0  <2.0.0', '<=0.0.0', '>0.0.0', '<0.0.0', '>=0.0.0', '1.x.3', '1.x.x', 'x.1', '>=x', '>=1.x', '~1.x', '^1.x', '^1.2.x', '^0.x', '^0.0', '~>1', '~>1.2', '~>1.2.3-rc', '<=1.2.3-rc', '>1.2.3-rc', '1.2.3 || 1.2.3', '1.0.0 || >=0.5.0', '<2.0.0 || >1.0.0', '1.2.3-01', '>=1.2.3-01', '* || 1.0.0', '* 1.0.0', '>=1.0.0 *']
PROBES = VERSIONS.map { |it| VERSION.parse(it) }
made = RANGES.filter_map do |text|
  range = tried { RANGE.parse(text) }
  row('range', text, range && [range.to_s, range.inspect, bound(range.begin), bound(range.end), range.exclude_end?, PROBES.map { |it| range.include?(it) ? 1 : 0 }.join])
  range && [text, range]
end
some = made.select.with_index { |_, index| index % 2 == 0 }
some.product(some) do |(a_text, a), (b_text, b)|
  both = tried { a.intersection(b) }
  row('intersection', [a_text, b_text], [both.to_s, a == b]) if both
end
limits = [VERSION::MIN, VERSION::MAX] + %w[1.0.0 1.2.3 2.0.0 1.0.0-rc.1].map { |it| VERSION.parse(it) }
limits.product(limits, [false, true]) do |min, max, exclude|
  range = tried { RANGE.new(min, max, exclude) }
  row('limits', [bound(min), bound(max), exclude], range && [range.to_s.gsub('Infinity.0.0', 'max'), range.inspect, PROBES.map { |it| range.include?(it) ? 1 : 0 }.join])
end
singles = made.reject { |_, range| range.begin.nil? }
singles.each_slice(3) do |slice|
  merged = tried { Puppet::Pops::Types::PSemVerType.new(slice.map(&:last)).ranges }
  row('merge', slice.map(&:first), merged && merged.map { |it| [it.inspect, PROBES.map { |probe| it.include?(probe) ? 1 : 0 }.join] })
end
