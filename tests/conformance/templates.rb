#!/usr/bin/env ruby
# frozen_string_literal: true

# Renders every ERB template of a corpus with generated variables, with Puppet and with us, and prints the rate of
# agreement.
#
#   cargo build -p conformance && ruby tests/conformance/templates.rb target/corpus/modules target/debug/conformance [OUT]
#
# A template is rendered several times: with nothing set, with strings, and with values of the types that its code seems to
# expect. OUT gets a line for each difference and for each template that only Puppet renders.

require 'json'
require 'open3'
require 'timeout'
require 'tmpdir'
require 'puppet'
require 'puppet_pal'
require_relative 'template_variables'

CORPUS, BINARY, OUT = ARGV
abort 'usage: templates.rb CORPUS/modules BINARY [OUT]' unless BINARY
WORK = Dir.mktmpdir
Puppet.initialize_settings(["--confdir=#{WORK}/conf", "--vardir=#{WORK}/var"], false)
Puppet::Util::Log.close_all

def ask_puppet(text, own, code)
  result = nil
  Puppet::Pal.in_tmp_environment('templates', modulepath: [CORPUS], facts: {}) do |pal|
    pal.with_catalog_compiler(variables: own.merge('erb_text' => text)) do |compiler|
      Puppet[:strict] = :warning
      Puppet[:strict_variables] = false
      result = { 'ok' => true, 'json' => Timeout.timeout(10) { compiler.evaluate_string("#{code}inline_template($erb_text)") } }
    rescue StandardError, ScriptError => e
      result = { 'ok' => false, 'message' => e.message[0, 200] }
    end
  end
  result
rescue StandardError => e
  { 'ok' => false, 'message' => e.message[0, 200] }
end

files = Dir.glob("#{CORPUS}/*/**/*.erb").select { |path| path.include?('/templates/') }.sort
questions = files.flat_map do |file|
  text = File.read(file, encoding: 'UTF-8')
  next [] unless text.valid_encoding?

  TemplateVariables.variants(text).map { |own, classes| [file, text, own, TemplateVariables.classes_with(classes)] }
end
ours, = Open3.capture2(BINARY, stdin_data: questions.each_with_index.map { |(_, text, own, code), index|
  JSON.generate(id: index, kind: 'eval', code: "#{code}inline_template($erb_text)", vars: own.merge('erb_text' => text),
                settings: { strict: 'warning', strict_variables: false })
}.join("\n"))
answers = ours.lines.map { |line| JSON.parse(line) }

counts = Hash.new(0)
rendered = Hash.new { |hash, key| hash[key] = { puppet: 0, ours: 0 } }
report = []
questions.each_with_index do |(file, text, own, code), index|
  theirs = ask_puppet(text, own, code)
  answer = answers[index]
  name = file.delete_prefix("#{CORPUS}/")
  is_unknown = answer['ok'] && !answer['json'].is_a?(String)
  rendered[name][:puppet] += 1 if theirs['ok']
  rendered[name][:ours] += 1 if theirs['ok'] && answer['ok'] && answer['json'] == theirs['json']
  kind =
    if is_unknown then theirs['ok'] ? :unknown : :unknown_error
    elsif answer['ok'] == theirs['ok'] && (!theirs['ok'] || answer['json'] == theirs['json']) then theirs['ok'] ? :same : :same_error
    else :different
    end
  counts[kind] += 1
  next unless kind == :different || kind == :unknown

  report << "#{kind}\t#{name}\t#{index}\t#{theirs.inspect[0, 300]}\t#{(answer['json'] || answer['error']).inspect[0, 300]}"
end
possible = rendered.select { |_, count| count[:puppet].positive? }
fully = possible.count { |_, count| count[:ours] == count[:puppet] }
partly = possible.count { |_, count| count[:ours].positive? }
never = possible.select { |_, count| count[:ours].zero? }.keys
puts "renderings: #{counts.sort.map { |kind, count| "#{count} #{kind}" }.join(', ')}"
puts "templates: #{rendered.size}; Puppet renders #{possible.size} with some of the variables; " \
     "we render #{fully} as often as Puppet, #{partly} at least once"
File.write(OUT, (report + never.map { |name| "never\t#{name}" }).join("\n")) if OUT
