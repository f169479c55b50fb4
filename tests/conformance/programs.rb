#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the catalogs of real Puppet for the programs in catalogs/programs.md, which may use catalogs/modules: writes
# catalogs/programs.jsonl, one line per program.
#
#   ruby programs.rb

require 'json'
require 'tmpdir'
require_relative 'catalog_json'
require_relative 'puppet_compiler'

FOLDER = File.join(__dir__, 'catalogs')
FACTS = '{"fqdn":"node1.example.com"}'
# Modules available to the programs.
MODULES = File.join(FOLDER, 'modules')

def programs(text)
  heading = part = nil
  text.split(/^(?=##)/).flat_map do |section|
    case section
    when /\A### (.*)$/ then part = Regexp.last_match(1)
    when /\A## (.*)$/ then heading = Regexp.last_match(1)
    end
    section.scan(/^```puppet\n(.*?)^```/m).map { |(code)| ["#{heading}: #{part}", code] }
  end
end

def ask(code)
  settings = { strict: :warning, strict_variables: false }
  answer = PuppetCompiler.ask(code, PuppetCompiler::Environment.new([MODULES]), FACTS, settings)
  return { ok: true, catalog: without_files(canonical(answer[:catalog], '')) } if answer[:catalog]

  { ok: false, line: answer[:error][:line] }
end

def without_files(catalog)
  catalog[:resources].each { |resource| resource.delete(:file) }
  catalog
end

Dir.mktmpdir do |work|
  PuppetCompiler.start(work, [MODULES])
  File.open(File.join(FOLDER, 'programs.jsonl'), 'w') do |out|
    programs(File.read(File.join(FOLDER, 'programs.md'))).each do |(name, code)|
      out.puts JSON.generate({ name: name, code: code }.merge(ask(code)))
    end
  end
end
