#!/usr/bin/env ruby
# frozen_string_literal: true
#
# Asks real Puppet what becomes of object types and type sets, and what their constructors make.
#
#     ruby analysis/types/tests/objects/record.rb
#
# Reads `declared.txt` (name, tab, hash) and writes `declared.tsv`: a third column with the text of the type, or `!` when
# Puppet refuses it. Reads `made.txt` (expressions) and writes `made.tsv`: a second column with the value and a third
# with its type, or `!`. All declarations that Puppet accepts are known in `made.txt`.
require 'tmpdir'
require 'puppet'
require 'puppet_pal'

Puppet.initialize_settings(['--confdir', Dir.mktmpdir, '--vardir', Dir.mktmpdir], false)
Puppet::Util::Log.level = :crit
Types = Puppet::Pops::Types

def lines(name)
  File.readlines(File.join(__dir__, name), chomp: true).reject { |line| line.empty? || line.start_with?('#') }
end

def write(name, rows)
  File.write(File.join(__dir__, name), rows.map { |row| "#{row.join("\t")}\n" }.join)
end

def source(name, hash)
  kind = hash.include?('pcore_version') ? 'TypeSet' : 'Object'
  "type #{name} = #{kind}[#{hash}]\n"
end

# The value of a source, in an environment of its own.
def evaluate(source, &block)
  Puppet::Pal.in_tmp_environment('record', modulepath: [], facts: {}) do |pal|
    pal.with_script_compiler { |compiler| block.call(compiler.evaluate_string(source)) }
  end
end

accepted = []
rows = lines('declared.txt').map { |line| line.split("\t") }.map do |name, hash|
  text = evaluate(accepted.map { |it| source(*it) }.join + source(name, hash) + name, &:to_s)
  accepted << [name, hash]
  [name, hash, text]
rescue StandardError
  [name, hash, '!']
end
write('declared.tsv', rows)

declarations = accepted.map { |it| source(*it) }.join
rows = lines('made.txt').map do |expression|
  evaluate(declarations + expression) do |value|
    [expression, Types::StringConverter.convert(value, '%p'), Types::TypeCalculator.infer_set(value).to_s]
  end
rescue StandardError
  [expression, '!', '!']
end
write('made.tsv', rows)
