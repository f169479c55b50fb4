#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the output of ERB templates of modules with generated variables, with real Puppet.
#
#   ruby templates.rb CORPUS     writes templates.tsv.gz and templates_kept.tsv.gz next to this script
#
# CORPUS is the output of fetch-corpus.sh. README.md describes the rows.

require_relative 'recorder'
require_relative '../template_variables'

class TemplateRecorder
  attr_reader :rows

  def initialize(corpus)
    @corpus = File.realpath(corpus)
    @environment = PuppetCompiler::Environment.new(["#{@corpus}/modules"])
    @facts = JSON.generate(RubyRecorder::FACTS.merge(RubyRecorder::LEGACY_FACTS))
    @rows = []
  end

  def run
    RubyRecorder.modules(@corpus).each do |name, version, folder|
      Dir["#{folder}/templates/**/*.erb"].sort.each do |path|
        text = File.read(path, encoding: 'UTF-8')
        next unless text.valid_encoding?

        below = path.delete_prefix("#{folder}/templates/")
        TemplateVariables.variants(text).uniq.each { |own, classes| record(name, version, below, own, classes) }
      end
    end
  end

  def record(name, version, below, own, classes)
    RubyRecorder::Effects.seen = nil
    RubyRecorder::Effects.folder = @corpus
    facts = JSON.parse(@facts).keys
    settings = { strict: 'warning', strict_variables: false }
    code = TemplateVariables.program(own.reject { |it, _| facts.include?(it) }, classes, "#{name}/#{below}")
    answer = PuppetCompiler.ask(code, @environment, @facts, settings)
    RubyRecorder::Effects.folder = nil
    outcome =
      if answer[:error] then "=! #{answer[:error][:message].lines.first.to_s.strip.gsub(@corpus, '/corpus')[0, 200]}"
      else
        text = answer[:catalog].resource('Notify', 'result')[:message].to_s
        text.size <= 60 ? "=> #{text}" : "=# #{Digest::SHA256.hexdigest(text)}"
      end
    return if outcome.match?(/0x\h{8}/)

    @rows << RubyRecorder.line(name, version, below, code, outcome, RubyRecorder::Effects.seen)
  end
end

corpus, = ARGV
abort "usage: #{$PROGRAM_NAME} CORPUS" unless corpus
Dir.mktmpdir do |work|
  PuppetCompiler.start(work, ["#{File.realpath(corpus)}/modules"])
  recorder = TemplateRecorder.new(corpus)
  RubyRecorder::Effects.start(nil)
  recorder.run
  RubyRecorder.write('templates', recorder.rows)
end
