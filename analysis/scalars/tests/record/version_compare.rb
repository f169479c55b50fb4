# Records the results of Puppet's `versioncmp`. Run: LANG=C.UTF-8 ruby tests/record/version_compare.rb > tests/recorded/version_compare.jsonl
# Each line: two versions, their order as -1, 0 or 1, and their order ignoring trailing zeros.
require 'json'
require 'puppet'
VERSIONS = %w[1 1.0 1.0.0 1.00 1.2 1.10 1.2.3 1.2.3-1 1.2.3-10 1.2.3-2 1.2.3.4 1.02 01 10 2 0 0.0 a b A B 1a 1b 1.a 1.A
              1.0a 1.0-rc1 1.0-RC2 1.0.rc1 1-2 1--2 1..2 - . .1 1. 1- 1~1 1+1 1_2 é É 1.é 2.6.18-92.1.13.el5 2.6.18-92.1.6.el5
              7:1.0 00.1 1.0.0-0 1.10.0-00 100000000000000000000 99999999999999999999 1.0-]
VERSIONS.product(VERSIONS) do |a, b|
  ignoring = begin Puppet::Util::Package.versioncmp(a, b, true) rescue nil end
  puts JSON.generate([a, b, Puppet::Util::Package.versioncmp(a, b), ignoring])
end
