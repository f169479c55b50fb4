#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the facts of modules with real Facter, on machines of which only Facter's own facts are known.
#
#   ruby facts.rb CORPUS FACTS     writes facts.tsv.gz and facts_kept.tsv.gz next to this script
#
# CORPUS is the output of fetch-corpus.sh, FACTS a folder of JSON files with the facts of one machine each (written by the
# example write_fact_sets of the crate facts). All files of facts are loaded together, as an agent does. README.md
# describes the rows.

require_relative 'recorder'

SETS = ["Debian 12", "RedHat 9", "Ubuntu 22.04", "Windows Server 2022", "FreeBSD 14"].freeze

class FactRecorder
  class << self
    attr_accessor :core, :effects

    # Facts that files have added, by name.
    def custom
      LegacyFacter.collection.instance_variable_get(:@facts).transform_keys(&:to_s)
    end
  end

  # Fact of the set that takes the place of one that Facter resolves.
  Core = Struct.new(:name, :value)

  # Facter resolves custom facts itself; queries about the machine are answered from the set.
  module Answers
    def fact(query)
      query = query.to_s.downcase
      custom = FactRecorder.custom[query]
      value = custom ? custom.value : nil
      RubyRecorder::Effects.seen ||= FactRecorder.effects[query]
      return custom if custom && !value.nil?

      value = FactRecorder.core.dig(*query.split('.')) rescue nil
      value.nil? ? custom : Core.new(query, value)
    end

    def value(query)
      fact(query)&.value
    end

    def [](query)
      fact(query)
    end
  end

  def initialize(corpus)
    @modules = RubyRecorder.modules(File.realpath(corpus))
    @corpus = File.realpath(corpus)
  end

  def files
    @modules.flat_map { |name, version, folder| Dir["#{folder}/lib/facter/**/*.rb"].sort.map { |path| [name, version, path, folder] } }
  end

  def rows(set, facts)
    FactRecorder.core = facts
    FactRecorder.effects = {}
    @modules.each { |_, _, folder| $LOAD_PATH << "#{folder}/lib" }
    Facter.singleton_class.prepend(Answers)
    RubyRecorder::Effects.start("#{@corpus}/modules")
    made = files.flat_map { |name, version, path, folder| load_file(name, version, path, folder) }
    made.uniq { |row| row.last }.map { |name, version, path, fact| RubyRecorder.line(name, version, path, fact, set, *ask(fact)) }
  end

  # Returns [module, version, path, fact] for each fact that the file adds; if it queries the machine while loading, the
  # result depends on the machine.
  def load_file(name, version, path, folder)
    before = defined_facts.dup
    RubyRecorder::Effects.seen = nil
    load(path)
    added = defined_facts - before
    added.each { |it| FactRecorder.effects[it] ||= RubyRecorder::Effects.seen } if RubyRecorder::Effects.seen
    added.map { |it| [name, version, path.delete_prefix("#{folder}/"), it] }
  rescue StandardError, ScriptError => e
    warn "#{path}: #{e.message.lines.first}"
    []
  end

  def defined_facts
    FactRecorder.custom.keys
  end

  def ask(fact)
    RubyRecorder::Effects.seen = nil
    value = begin
      FactRecorder.custom[fact].value
    rescue StandardError, ScriptError => e
      "=! #{e.message.lines.first.to_s[0, 200]}"
    end
    effect = RubyRecorder::Effects.seen || FactRecorder.effects[fact]
    FactRecorder.effects[fact] = effect
    # Values that come from the machine are of no use elsewhere.
    [effect ? '?' : value.nil? ? 'absent' : JSON.generate(value), effect.to_s]
  end
end

corpus, folder = ARGV
abort "usage: #{$PROGRAM_NAME} CORPUS FACTS" unless folder
rows = SETS.flat_map do |set|
  reader, writer = IO.pipe
  child = fork do
    reader.close
    facts = JSON.parse(File.read("#{folder}/#{set}.json"))
    Puppet.initialize_settings(%w[--confdir=/nonexistent --vardir=/nonexistent --log_level=crit], false)
    writer.write(Marshal.dump(FactRecorder.new(corpus).rows(set, facts)))
    writer.close
    exit!(0)
  end
  writer.close
  text = reader.read
  Process.wait(child)
  Marshal.load(text)
end
RubyRecorder.write('facts', rows)
