#!/usr/bin/env ruby
# frozen_string_literal: true

# Compares our verdicts on sources in many layouts with those of real Puppet.
#
#   target/release/layouts verdicts --programs 2000 target/corpus/modules | ruby tests/conformance/layouts.rb [options]
#
#   --record FILE   writes Puppet's verdicts: tests/conformance/layouts.tsv
#   --show N        shows N of the variants that differ (default 20)
#   --save DIR      writes each variant that differs to a separate file
#
# Exits with 1 if a variant differs. README.md describes the format of the recording.

require 'digest'
require 'fileutils'
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'
require_relative 'recording'

# Returns [`error`, `?` or the digest of the tree, the message of the first error].
def ask(text, language)
  Puppet[:tasks] = language == 'plan'
  parser = language == 'epp' ? Puppet::Pops::Parser::EppParser.new : Puppet::Pops::Parser::Parser.new
  program = parser.parse_string(text).model
  error = Puppet::Pops::Parser::EvaluatingParser.new.validate(program).errors.first
  return ['error', "#{error.source_pos&.line}: #{error.issue.issue_code}"] if error

  [tree_digest(program), nil]
rescue Puppet::Error => e
  ['error', e.message.lines.first.to_s.strip]
rescue StandardError, SystemStackError, NotImplementedError => e
  ['error', "crash: #{e.class} #{e.message[0, 80]}"]
end

def tree_digest(program)
  text = String.new(encoding: Encoding::UTF_8)
  Puppet::Pops::Model::PNTransformer.transform(program).format(nil, text)
  Digest::SHA256.hexdigest(text)[0, 16]
rescue StandardError
  '?'
end

def difference(ours, puppet)
  return (ours['pn'] ? 'accepted, and Puppet refuses it' : nil) if puppet == 'error'
  return "rejected: #{ours['error']}" unless ours['pn']

  'another tree' unless puppet == '?' || puppet == ours['pn']
end

options = { '--record' => nil, '--show' => '20', '--save' => nil }
until ARGV.empty?
  name = ARGV.shift
  abort File.read(__FILE__)[/^# Compares.*?(?=\n\n)/m].gsub(/^# ?/, '') unless options.key?(name) && !ARGV.empty?
  options[name] = ARGV.shift
end

counts = Hash.new { |hash, layout| hash[layout] = Hash.new(0) }
rows = []
shown = 0
differing = 0
Dir.mktmpdir do |work|
  start_puppet(work, :layouts, '/layouts', [])
  Puppet[:strict] = :warning
  $stdin.each_line do |line|
    subject = JSON.parse(line)
    answers = subject['variants'].map { |variant| ask(variant['text'], subject['language']) }
    subject['variants'].zip(answers) do |variant, (answer, message)|
      layout = variant['layout']
      counts[layout][:all] += 1
      counts[layout][:refused] += 1 if answer == 'error'
      counts[layout][:other] += 1 unless answer == answers[0][0]
      what = difference(variant, answer)
      next unless what

      counts[layout][what == 'another tree' ? :tree : :verdict] += 1
      differing += 1
      name = "#{subject['name']} #{layout} #{subject['seed']}"
      if shown < options['--show'].to_i
        puts "#{name}: #{what}#{"; Puppet: #{message}" if message}"
        shown += 1
      end
      next unless options['--save']

      FileUtils.mkdir_p(options['--save'])
      File.binwrite(File.join(options['--save'], name.tr('/ ', '__')), variant['text'])
    end
    original = answers[0][0]
    changes = subject['variants'].zip(answers).reject { |_, (answer, _)| answer == original }
    changes = changes.map { |variant, (answer, _)| "#{variant['layout']}=#{answer}" }.join(',')
    rows << [subject['name'], subject['seed'], subject['digest'], original, changes].join("\t")
  end
end

puts format('%-24s%9s%9s%18s%18s%14s', 'layout', 'variants', 'rejected', 'unlike original', 'verdict differs', 'tree differs')
counts.each do |layout, count|
  puts format('%-24s%9d%9d%18d%18d%14d', layout, count[:all], count[:refused], count[:other], count[:verdict], count[:tree])
end
total = counts.values.sum { |count| count[:all] }
puts "#{total} variants of #{rows.size} sources, #{differing} differ from Puppet (#{format('%.3f', 100.0 * (total - differing) / [total, 1].max)} % are equal)"
File.binwrite(options['--record'], "#{rows.join("\n")}\n") if options['--record']
exit differing.zero?
