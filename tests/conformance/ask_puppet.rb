#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles code with real Puppet for the scripts in tests/: one JSON object per line in both directions.
#
#   ruby ask_puppet.rb FOLDER...      the folders whose modules have plugins
#
# Request: code; modulepath (folders); facts (path of a JSON file); more (facts in addition to that file); settings; same
# (true: the code and the module path are those of the previous request, and nothing is read again). Response: ok, seconds,
# resources (number of resources), with `catalog` in the request also resources as [type, title, file, line, {
# relationship: references }] and edges; or error: message, file, line.

require 'tmpdir'
require_relative 'puppet_compiler'

RELATIONSHIPS = %i[before notify require subscribe].freeze

def references(value)
  [value].flatten.map { |it| it.is_a?(Puppet::Resource) ? it.ref : it.to_s }
end

def shown(catalog)
  resources = catalog.resources.map do |it|
    related = RELATIONSHIPS.to_h { |name| [name, it[name] ? references(it[name]) : []] }.reject { |_, refs| refs.empty? }
    [it.type.to_s, it.title.to_s, it.file, it.line, related]
  end
  { resources: resources, edges: catalog.edges.map { |edge| [edge.source.ref, edge.target.ref] } }
end

Dir.mktmpdir do |work|
  PuppetCompiler.start(work, ARGV)
  environment = nil
  $stdin.each_line do |line|
    asked = JSON.parse(line)
    environment = nil unless asked['same']
    environment ||= PuppetCompiler::Environment.new(asked['modulepath'])
    facts = File.read(asked['facts'])
    facts = JSON.generate(JSON.parse(facts).merge(asked['more'])) if asked['more']
    answer = PuppetCompiler.ask(asked['code'], environment, facts, asked['settings'] || {})
    said = { ok: !answer[:error], seconds: answer[:seconds], error: answer[:error] }.compact
    if answer[:catalog]
      said[:resources] = answer[:catalog].resources.size
      said[:catalog] = shown(answer[:catalog]) if asked['catalog']
    end
    $stdout.puts(JSON.generate(said, max_nesting: 500))
    $stdout.flush
  end
end
