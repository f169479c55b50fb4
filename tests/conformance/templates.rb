#!/usr/bin/env ruby
# frozen_string_literal: true

# Renders every ERB template of a corpus with made-up variables, by Puppet and by us, and says how often both agree.
#
#   cargo build -p conformance && ruby tests/conformance/templates.rb target/corpus/modules target/debug/conformance [OUT]
#
# A template is rendered several times: with nothing set, with texts, and with values of the kinds that its code seems to
# expect. OUT gets a line for each difference and for each template that we never render where Puppet does.

require 'json'
require 'open3'
require 'timeout'
require 'tmpdir'
require 'puppet'
require 'puppet_pal'

CORPUS, BINARY, OUT = ARGV
abort 'usage: templates.rb CORPUS/modules BINARY [OUT]' unless BINARY
WORK = Dir.mktmpdir
Puppet.initialize_settings(["--confdir=#{WORK}/conf", "--vardir=#{WORK}/var"], false)
Puppet::Util::Log.close_all

# What code does to a variable, and what it then seems to be.
HASH = /\.(?:each_pair|keys|key\?|has_key\?|values|each_key|merge|sort_by \{ \|k|each(?:_with_index)? (?:do|\{) ?\|\(?[a-z_]+, ?[a-z_]+|map (?:do|\{) ?\|[a-z_]+, ?[a-z_]+|sort\.(?:each|map) ?(?:do|\{) ?\|[a-z_]+, ?[a-z_]+)/.freeze
ARRAY = /\.(?:each|map|collect|join|sort|flatten|compact|reject|select|uniq|inject|first|last|shift|any\?|zip)\b/.freeze
NUMBER = /\.to_i|\s*(?:>=|<=|>|<|\*|-) *\d/.freeze

def guess(text, reference, deep)
  mentions = text.scan(/#{reference}[^@\n]*/)
  return { 'one' => deep ? { 'a' => 'b' } : 'x', 'two' => deep ? { 'c' => 'd' } : 'y' } if mentions.grep(/\A#{reference}#{HASH}/).any?
  return deep ? [{ 'name' => 'n', 'path' => '/p' }] : %w[b a] if mentions.grep(/\A#{reference}\)?#{ARRAY}/).any?
  return 5 if mentions.grep(/\A#{reference}#{NUMBER}/).any?
  return '2.4.6' if text.match?(/versioncmp\(\[ *#{reference}/)

  deep ? true : 'text'
end

# [variables, variables of classes] for each rendering
def variants(text)
  names = text.scan(/@(\w+)/).flatten.uniq.reject { |name| name.start_with?('_') }
  names -= %w[title name module_name environment facts trusted server_facts]
  names.select! { |name| name.match?(/\A[a-z]/) } # others cannot be set in Puppet
  others = text.scan(/scope(?:\.lookupvar\(|\[)\s*['"](?:::)?([a-z0-9_:]+)['"]/).flatten.uniq
  qualified, plain = others.partition { |name| name.include?('::') }
  builds = [
    ->(*) { nil },
    ->(*) { 'text' },
    ->(reference) { guess(text, reference, false) },
    ->(reference) { guess(text, reference, true) },
    ->(*) { %w[b a] },
    ->(*) { true },
    ->(*) { { 'b' => 'x', 'a' => 'y' } },
    ->(*) { 12 }
  ]
  builds.map do |build|
    own = (names + plain).uniq.to_h { |name| [name, build.call("@#{name}")] }.compact
    classes = qualified.to_h { |name| [name, build.call(/['"](?:::)?#{name}['"][\])]/)] }
    [own, classes]
  end
end

def pre(classes)
  classes.group_by { |name, _| name[/\A(.*)::/, 1] }.map do |name, variables|
    body = variables.map { |variable, value| "$#{variable[/\w+\z/]} = #{value.nil? ? 'undef' : value.inspect}" }
    "class #{name} { #{body.join("\n")} }\ninclude #{name}\n"
  end.join
end

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

  variants(text).map { |own, classes| [file, text, own, pre(classes)] }
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
