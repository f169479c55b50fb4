#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles with real Puppet the questions of `tests/repositories.py`, many catalogs in one process.
#
#   ruby repositories.rb ENVIRONMENT QUESTIONS ANSWERS
#
# ENVIRONMENT is a folder with environment.conf. A line of QUESTIONS is a JSON object: id, facts (path of a JSON file),
# settings, and either `class` (which is included, after `preamble`) or `node` (the main manifest decides). A line of
# ANSWERS has id, ok, seconds, and `catalog` in the format of catalog_json.rb, or `error`: message, file, line. Existing
# answers are kept. With `alone`, the question gets a separate environment and process: failed loads of an earlier catalog
# have no effect, and a module that patches Puppet does so once.

require 'tmpdir'
require_relative 'catalog_json'

# Number of catalogs after which Puppet reads everything again, since it keeps everything that it ever read.
AT_ONCE = 400
NO_LIMIT = { max_nesting: 500 }.freeze

folder, questions, answers = ARGV.map { |it| File.expand_path(it) }
configuration = File.read(File.join(folder, 'environment.conf'))
folders = configuration[/^modulepath\s*=\s*(.*)/, 1].strip.split(':').map { |it| File.expand_path(it, folder) }
manifest = File.expand_path(configuration[/^manifest\s*=\s*(.*)/, 1]&.strip || 'manifests', folder)

# The code is the same for all classes of one environment, so that Puppet reads it once.
def code_of(question)
  question['node'] ? '' : "#{question['preamble']}\ninclude $compiled_class"
end

def facts_of(question, known)
  facts = known[question['facts']] ||= JSON.parse(File.read(question['facts']))
  JSON.generate(facts.merge(question['more_facts']))
end

def shown(answer)
  return { ok: false, error: answer[:error] } unless answer[:catalog]

  { ok: true, catalog: canonical(answer[:catalog], '/nowhere/at/all') }
rescue StandardError, ScriptError => e
  { ok: false, error: { message: "the catalog cannot be written: #{e.message}" } }
end

Dir.mktmpdir do |work|
  PuppetCompiler.start(work, folders)
  answered = File.exist?(answers) ? File.readlines(answers).to_h { |it| [JSON.parse(it, **NO_LIMIT).values_at('id', 'alone'), true] } : {}
  asked = File.readlines(questions).map { |it| JSON.parse(it) }.reject { |it| answered[it.values_at('id', 'alone')] }
  known = {}
  File.open(answers, 'a') do |out|
    out.sync = true
    ask = lambda do |code, slice|
      environment = PuppetCompiler::Environment.new(folders, folder: folder, manifest: code.empty? ? manifest : nil)
      slice.each do |it|
        answer = PuppetCompiler.ask(code, environment, facts_of(it, known), it['settings'], name: it['node'] || PuppetCompiler::NODE)
        said = { id: it['id'], alone: it['alone'], **shown(answer), seconds: answer[:seconds]&.round(3) }
        out.puts JSON.generate(said.compact, **NO_LIMIT)
      end
    end
    alone, together = asked.partition { |it| it['alone'] }
    alone.each { |it| Process.wait(fork { ask.call(code_of(it), [it]) }) }
    together.group_by { |it| code_of(it) }.each do |code, group|
      group.each_slice(AT_ONCE) { |slice| ask.call(code, slice) }
    end
  end
end
