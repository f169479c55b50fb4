#!/usr/bin/env ruby
# frozen_string_literal: true
#
# Records the outcomes of real Puppet in the tables of this folder.
#
#   ruby record.rb access.tsv parse.tsv ...
#
# Each line of a table consists of a question and its outcomes, separated by tabs. Empty lines and lines that begin with
# `#` are kept. The file name determines the kind of question; see `TABLE_KINDS`.
require 'puppet'
require 'puppet_pal'
require 'tmpdir'

P = Puppet::Pops
TYPES = P::Types
CALCULATOR = TYPES::TypeCalculator

# Type aliases available in all tables.
NAMED_TYPES = <<~PUPPET
  type MyInt = Integer[1, 10]
  type MyText = Variant[String[1], Undef]
  type Tree = Variant[Integer, Array[Tree]]
  type Chain = Struct[{ value => MyInt, Optional[rest] => Chain }]
  type Ping = Array[Pong]
  type Pong = Hash[String, Ping]
PUPPET

def outcome
  yield.map { |it| it.to_s.gsub("\t", ' ').gsub("\n", '\n') }
rescue Puppet::PreformattedError => e
  code = e.issue_code.to_s.downcase.tr('_', '-')
  ["! #{code} #{e.pos}"]
rescue StandardError, SystemStackError
  ['!']
end

def notation(value)
  case value
  when Array then "[#{value.map { |it| notation(it) }.join(', ')}]"
  when TYPES::PAnyType then value.to_s
  else TYPES::TypeFormatter.string(value)
  end
end

def iterated(value)
  iterable = TYPES::Iterable.on(value)
  element_type = iterable.element_type
  elements = []
  loop { elements << iterable.next }
  [notation(elements), element_type]
end

# Each lambda takes the evaluator, the loader and the question, and returns the outcomes.
TABLE_KINDS = {
  'access' => ->(evaluate, _, text) { [notation(evaluate.call(text))] },
  'parse' => ->(_, loader, text) { [TYPES::TypeParser.singleton.parse(text, loader)] },
  'expanded' => ->(_, loader, text) { [TYPES::TypeParser.singleton.parse(text, loader).to_alias_expanded_s] },
  'normalized' => ->(_, loader, text) { [TYPES::TypeParser.singleton.parse(text, loader).normalize] },
  'inferred' => lambda do |evaluate, _, text|
    value = evaluate.call(text)
    set = CALCULATOR.infer_set(value)
    [CALCULATOR.infer(value), set, set.generalize]
  end,
  'common' => lambda do |_, loader, text|
    a, b = text.split(' & ').map { |it| TYPES::TypeParser.singleton.parse(it, loader) }
    [CALCULATOR.singleton.common_type(a, b)]
  end,
  'iterated' => lambda do |evaluate, _, text|
    iterated(evaluate.call(text))
  end
}.freeze

Dir.mktmpdir do |dir|
  Puppet.initialize_settings(['--confdir', dir, '--vardir', dir], false)
  Puppet::Util::Log.level = :crit
  Puppet::Pal.in_tmp_environment('record', modulepath: []) do |pal|
    pal.with_catalog_compiler do |compiler|
      Puppet[:strict] = :warning
      compiler.evaluate_string(NAMED_TYPES)
      loader = Puppet.lookup(:loaders).private_environment_loader
      evaluate = ->(text) { compiler.evaluate_string(text) }
      ARGV.each do |file|
        ask = TABLE_KINDS.fetch(File.basename(file, '.tsv'))
        lines = File.readlines(file, chomp: true).map do |line|
          next line if line.empty? || line.start_with?('#')

          question = line.split("\t").first
          [question, *outcome { ask.call(evaluate, loader, question) }].join("\t")
        end
        File.write(file, "#{lines.join("\n")}\n")
      end
    end
  end
end
