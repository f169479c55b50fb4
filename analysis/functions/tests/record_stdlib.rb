#!/usr/bin/env ruby
# frozen_string_literal: true

# Runs calls of stdlib functions in Puppet, and rewrites the last column of stdlib.tsv.
#
#   ruby record_stdlib.rb MODULEPATH
#
# A row consists of the name of a function, its arguments, and the outcome, separated by tabs. An argument that begins with
# `|` is the block. The outcome is `=> VALUE` in Puppet notation, or `=!` for an error. Lines that begin with `#` are headings.

require 'json'
require 'tmpdir'
require_relative '../../../tests/conformance/eval_recorder'

FILE = File.join(__dir__, 'stdlib.tsv')
FACTS = File.read(File.join(__dir__, 'stdlib_facts.json'))

abort 'usage: record_stdlib.rb MODULEPATH' unless ARGV.size == 1
MODULEPATH = ARGV.map { |path| File.expand_path(path) }

def call_text(name, arguments)
  block = arguments.last.to_s.start_with?('|') ? " #{arguments.last}" : ''
  arguments = arguments[0..-2] unless block.empty?
  "#{name}(#{arguments.join(', ')})#{block}"
end

def outcome(code)
  Puppet::Pal.in_tmp_environment('stdlib', modulepath: MODULEPATH, facts: JSON.parse(FACTS)) do |pal|
    pal.with_catalog_compiler do |compiler|
      Puppet[:strict] = :warning
      Puppet[:strict_variables] = false
      "=> #{EvalRecorder.visible(EvalRecorder.text_of(compiler.evaluate_string(code)))}"
    rescue StandardError, SystemStackError, NotImplementedError
      '=!'
    end
  end
end

Dir.mktmpdir do |work|
  ENV['TZ'] = 'UTC'
  Puppet.initialize_settings(["--confdir=#{work}/conf", "--vardir=#{work}/var"], false)
  Puppet[:node_name_value] = Puppet[:certname] = EvalRecorder::NODE
  Puppet::Util::Log.close_all
  rows = File.readlines(FILE, chomp: true, encoding: 'UTF-8').map do |line|
    next line if line.empty? || line.start_with?('#')

    name, *arguments = line.split("\t")
    arguments.pop if arguments.last.to_s.start_with?('=>', '=!')
    [name, *arguments, outcome(call_text(name, arguments))].join("\t")
  end
  File.write(FILE, "#{rows.join("\n")}\n")
  warn "record_stdlib: #{rows.grep_v(/\A(#|\z)/).size} rows"
end
