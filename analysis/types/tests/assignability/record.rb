#!/usr/bin/env ruby
# frozen_string_literal: true
#
# Records in real Puppet which types are assignable to each other, and which values are instances of which types.
#
#     ruby analysis/types/tests/assignability/record.rb
#
# Reads `types.txt` and `values.txt`; writes `assignable.txt` (a line per target
# type with one character per source type) and `instances.txt` (a line per value with one character per type). The
# characters are `1` for yes, `.` for no, and `!` if Puppet fails.
require 'tmpdir'
require 'puppet'
require 'puppet_pal'

Puppet.initialize_settings(['--confdir', Dir.mktmpdir, '--vardir', Dir.mktmpdir], false)
FOLDER = __dir__

def lines(name)
  File.readlines(File.join(FOLDER, name), chomp: true).reject { |line| line.empty? || line.start_with?('#') }
end

def answer
  yield ? '1' : '.'
rescue StandardError, SystemStackError
  '!'
end

Puppet::Pal.in_tmp_environment('record', modulepath: [], facts: {}) do |pal|
  pal.with_catalog_compiler do |compiler|
    aliases, types = lines('types.txt').partition { |line| line.match?(/\A\w+ = /) }
    compiler.evaluate_string(aliases.map { |line| "type #{line}\n" }.join)
    types = types.map { |text| compiler.evaluate_string(text.start_with?('TypeReference') ? "Type.new('Foo[1]')" : text) }
    values = lines('values.txt').map { |text| compiler.evaluate_string(text) }
    table = types.map { |to| types.map { |from| answer { to.assignable?(from) } }.join }
    File.write(File.join(FOLDER, 'assignable.txt'), table.join("\n") + "\n")
    table = values.map { |value| types.map { |type| answer { type.instance?(value) } }.join }
    File.write(File.join(FOLDER, 'instances.txt'), table.join("\n") + "\n")
  end
end
