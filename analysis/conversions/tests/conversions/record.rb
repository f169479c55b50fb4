#!/usr/bin/env ruby
# frozen_string_literal: true
#
# Records the value of each expression in the tables of this folder (in `rich_data.tsv`: its rich data) after the tab,
# as evaluated by real Puppet.
#
#   ruby record.rb [TABLE.tsv ...]        (all tables if none is given)
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet_pal'
require_relative '../../../../tests/conformance/notation'

Converter = Puppet::Pops::Types::StringConverter
ADDRESS = /#<.*0x\h{8,}/m

# Formats a value like `%p`, except that Ruby objects are written as constructor calls.
def notation(value)
  text = Converter.convert(value, '%p')
  text.match?(ADDRESS) ? with_constructors(value) : text
end

def rich_data(value)
  data = Puppet::Pops::Serialization::ToDataConverter.convert(
    value, rich_data: true, local_reference: false, type_by_reference: true
  )
  JSON.generate(data)
end

Dir.mktmpdir do |tmp|
  Puppet.initialize_settings(['--confdir', tmp, '--vardir', tmp], false)
  Puppet[:certname] = 'node'
  Puppet::Util::Log.level = :crit
  tables = ARGV.empty? ? Dir[File.join(__dir__, '*.tsv')].sort : ARGV
  tables.each do |table|
    lines = File.readlines(table, chomp: true, encoding: 'UTF-8')
    Puppet::Pal.in_tmp_environment('tables', modulepath: [], facts: {}) do |pal|
      pal.with_script_compiler do |compiler|
        lines.map! do |line|
          next line if line.empty? || line.start_with?('#')

          source = line[/[^\t]*/]
          outcome = begin
            value = compiler.evaluate_string(source)
            table.end_with?('rich_data.tsv') ? rich_data(value) : notation(value)
          rescue StandardError, SystemStackError
            '!'
          end
          # Tables cannot contain invalid UTF-8 or memory addresses.
          outcome.valid_encoding? && !outcome.match?(/\n|\t|0x0000/) ? "#{source}\t#{outcome}" : nil
        end
      end
    end
    File.write(table, "#{lines.compact.join("\n")}\n")
  end
end
