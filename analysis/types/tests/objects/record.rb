#!/usr/bin/env ruby
# frozen_string_literal: true
#
# Records object types, type sets and the results of their constructors in real Puppet.
#
#     ruby analysis/types/tests/objects/record.rb
#
# Reads `declared.txt` (name, tab, hash) and writes `declared.tsv`: a third column with the string form of the type, or `!` if
# Puppet rejects it. Reads `made.txt` (expressions) and writes `made.tsv`: a second column with the value and a third
# with its type, or `!`. `made.txt` may use all declarations that Puppet accepts.
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

# Evaluates a source in a fresh environment.
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
