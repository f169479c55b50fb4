#!/usr/bin/env ruby
# frozen_string_literal: true

# Records which generated resources of built-in types an agent refuses on every platform.
#
#   ruby resource_values.rb MODULES...             writes resource_values/TYPE.tsv for each type
#   ruby resource_values.rb --compare MODULES...   prints the rows for which this Puppet has another verdict
#
# MODULES are folders with the *_core modules: the corpus (fetch-corpus.sh), and others if need be. README.md describes the
# rows. A catalog with the resource is compiled, sent as JSON, and converted to resources as an agent does. It is refused
# if that fails as it is, on Windows, with providers that have all features, and with providers that have none.

require 'digest'
require 'tmpdir'
require_relative 'puppet_compiler'
require_relative 'resource_value_pools'

FOLDER = File.join(__dir__, 'resource_values')
# Maximum number of characters of a recorded message.
MESSAGE = 90

# Platforms and providers other than those of this machine.
module Variation
  class << self
    attr_accessor :windows, :features
  end

  # Pretends to be on Windows, as far as paths are concerned.
  module Platform
    def windows?
      Variation.windows || super
    end
  end

  # Providers with all features, or with none.
  module Provider
    def supports_parameter?(parameter)
      klass = parameter.is_a?(Class) ? parameter : resource_type.attrclass(parameter)
      return super unless Variation.features && klass&.required_features

      Variation.features == :all
    end
  end

  # Values that need a feature.
  module Property
    def validate_features_per_value(value)
      super unless Variation.features == :all
    end
  end

  def self.start
    Puppet::Util::Platform.singleton_class.prepend(Platform)
    Puppet::Provider.singleton_class.prepend(Provider)
    Puppet::Property.prepend(Property)
  end

  # Yields once per variation.
  def self.each
    [[false, nil], [true, nil], [false, :all], [false, :none]].each do |windows, features|
      self.windows = windows
      self.features = features
      yield
    ensure
      self.windows = false
      self.features = nil
    end
  end
end

class ResourceValueRecorder
  def initialize(folders)
    @folders = folders
    @environment = PuppetCompiler::Environment.new(folders)
  end

  # Returns the rows of a type: title, attributes, outcome.
  def rows(type_name)
    type = Puppet::Type.type(type_name.to_sym) or return nil
    @seen = {}
    random = Random.new(Digest::SHA256.hexdigest(type_name)[0, 12].hex)
    title = ValuePools.titles(type_name).first
    ValuePools.titles(type_name).each { |it| add(type_name, it, {}) }
    values = singles(type_name, type, title, random)
    pairs(type_name, title, values, random)
    whole(type_name)
    @seen.map { |(resource_title, attributes), outcome| [resource_title, attributes, outcome] if outcome }.compact
  end

  # Returns the outcome: `=>`, or `=! ATTRIBUTE MESSAGE` (`-` for a resource as a whole). `nil` if there is no catalog.
  def ask(type_name, title, attributes)
    answer = PuppetCompiler.ask("#{type_name} { #{title}: #{attributes} }", @environment, '{}', {})
    return nil if answer[:error]

    json = answer[:catalog].to_resource.render(:json)
    first = nil
    Variation.each do
      refusal = refusal(Puppet::Resource::Catalog.convert_from(:json, json)) or return '=>'
      first ||= refusal
    end
    "=! #{first}"
  end

  private

  def refusal(catalog)
    catalog.to_ral
    nil
  rescue StandardError => e
    message = e.message.lines.first.strip.tr("\t", ' ').sub(/ \((file: .*|line: \d+.*)\)\z/, '')[0, MESSAGE]
    return "#{Regexp.last_match(1)} #{Regexp.last_match(2)}" if message =~ /\AParameter (\S+) failed on .*?\]: (.*)\z/m

    "- #{message.sub(/\AValidation of .*?\] failed: /, '')}"
  end

  def add(type_name, title, attributes)
    text = attributes.map { |name, value| "#{name} => #{value}" }.join(', ')
    @seen.fetch([title, text]) { |key| @seen[key] = ask(type_name, title, text) }
  end

  # Adds a row for each value of each attribute; returns the values by attribute and acceptance.
  def singles(type_name, type, title, random)
    names = (type.validproperties + type.parameters + ValuePools::METAPARAMETERS).uniq - [:name, type.key_attributes.first]
    names.sort.to_h do |name|
      values = ValuePools.values(type_name, name, type.attrclass(name), random)
      outcomes = values.map { |it| [it, add(type_name, title, { name => it })] }
      [name, outcomes.group_by { |_, outcome| outcome == '=>' }.transform_values { |list| list.map(&:first) }]
    end
  end

  def pairs(type_name, title, values, random)
    names = values.keys
    return if names.size < 2

    ValuePools.pair_count(type_name).times do
      given = names.sample(2, random: random).sort.to_h do |name|
        lists = values[name]
        list = lists[random.rand < 0.8] || lists.values.first
        [name, list&.sample(random: random)]
      end
      add(type_name, title, given) if given.values.all?
    end
  end

  def whole(type_name)
    ValuePools.wholes(type_name).each { |title, attributes| add(type_name, title, attributes) }
  end
end

def compare(recorder)
  Dir["#{FOLDER}/*.tsv"].sort.each do |path|
    type_name = File.basename(path, '.tsv')
    File.foreach(path, encoding: 'UTF-8', chomp: true) do |line|
      title, attributes, outcome = line.split("\t")
      now = recorder.ask(type_name, title, attributes) || '?'
      puts [type_name, line, now].join("\t") if now[0, 2] != outcome[0, 2]
    end
  end
end

compares = ARGV.delete('--compare')
abort "usage: #{$PROGRAM_NAME} [--compare] MODULES..." if ARGV.empty?
Dir.mktmpdir do |work|
  folders = ARGV.map { |it| File.realpath(it) }
  PuppetCompiler.start(work, folders)
  Variation.start
  recorder = ResourceValueRecorder.new(folders)
  next compare(recorder) if compares

  (ENV['TYPES']&.split(',') || ValuePools::TYPES).each do |type_name|
    rows = recorder.rows(type_name)
    next warn("#{type_name}: not installed") unless rows

    File.write(File.join(FOLDER, "#{type_name}.tsv"), rows.map { |it| "#{it.join("\t")}\n" }.join)
    warn "#{type_name}: #{rows.size} rows, #{rows.count { |it| it[2] != '=>' }} refused"
  end
end
