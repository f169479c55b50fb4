#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the behavior of real Puppet, so that the tests run without Puppet. README.md describes the formats.
#
#   ruby record.rb corpus DIR     writes corpus.tsv next to this script; DIR is the output of fetch-corpus.sh
#   ruby record.rb cases FILE...  rewrites the outcomes in case files in place (all of cases/*.md without FILE)
#   ruby record.rb words          rewrites the outcomes in words.md: every reserved word in every position
#   ruby record.rb eval FILE...   rewrites the values of expressions (all of eval/*.md without FILE)
#   ruby record.rb hiera DIR      rewrites the outcomes in hiera/*; DIR is the modules of the corpus
#
# Needs a Puppet that Ruby can `require`, such as that of `apt-get install puppet-agent`. Changes nothing else.

require 'digest'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'
require_relative 'recording'
require_relative 'eval_recorder'
require_relative 'hiera_recorder'
require_relative 'words_recorder'

# Path at which the files of a case appear: modules under ROOT/modules, the main manifest under ROOT/manifests.
ROOT = '/conformance'

# Outcome of one source. errors and warnings: [code, line or nil, column or nil]; pn: nil when rejected, '?' when Puppet
# accepts the source but its own dumper fails.
Outcome = Struct.new(:pn, :errors, :warnings) do
  def accepted?
    errors.empty?
  end
end

# Warnings of the lexer, which logs them instead of returning them.
COLLECTED_LOGS = []

def configure(strict: 'warning', tasks: false)
  Puppet[:strict] = strict.to_sym
  Puppet[:tasks] = tasks
end

# file: path from which Puppet reads the source.
def ask(source, lang, path = nil, file: nil)
  COLLECTED_LOGS.clear
  parser = lang == 'epp' ? Puppet::Pops::Parser::EppParser.new : Puppet::Pops::Parser::Parser.new
  errors = []
  warnings = []
  pn = nil
  begin
    program = (file ? parse_from_file(parser, source, file) : parser.parse_string(source, path)).model
    diagnostics = Puppet::Pops::Parser::EvaluatingParser.new.validate(program)
    errors = diagnostics.errors.map { |diagnostic| located(diagnostic) }
    warnings = diagnostics.warnings.map { |diagnostic| located(diagnostic) }
    pn = dump(program) if errors.empty?
  rescue Puppet::Error => e
    code = e.issue_code if e.respond_to?(:issue_code)
    errors = [[code || 'PARSE_ERROR', (e.line if e.respond_to?(:line)), (e.pos if e.respond_to?(:pos))]]
  rescue StandardError, SystemStackError, NotImplementedError => e
    errors = [["CRASH_#{e.class.name.gsub('::', '_')}", nil, nil]]
  end
  logged = COLLECTED_LOGS.select(&:issue_code).map { |log| [log.issue_code, log.line, log.pos] }
  Outcome.new(pn, errors, logged + warnings)
end

def parse_from_file(parser, source, file)
  File.binwrite(file, source)
  parser.parse_file(file)
end

def located(diagnostic)
  position = diagnostic.source_pos
  [diagnostic.issue.issue_code, position&.line, position&.pos]
end

def dump(program)
  text = String.new(encoding: Encoding::UTF_8)
  Puppet::Pops::Model::PNTransformer.transform(program).format(nil, text)
  text
rescue StandardError
  '?'
end

# ---- the corpus

def record_corpus(dir)
  modules = File.join(dir, 'modules')
  files = Dir.glob('**/*.{pp,epp}', base: modules).select { |path| File.file?(File.join(modules, path)) }.sort
  abort "record: no manifest under #{modules}; run fetch-corpus.sh first" if files.empty?
  configure
  rejected = 0
  lines = files.map do |path|
    content = File.binread(File.join(modules, path))
    outcome = ask(content.dup.force_encoding(Encoding::UTF_8), path.end_with?('.epp') ? 'epp' : 'pp')
    rejected += 1 unless outcome.accepted?
    [path, Digest::SHA256.hexdigest(content), outcome.accepted? ? 'ok' : 'error',
     outcome.accepted? && outcome.pn != '?' ? Digest::SHA256.hexdigest(outcome.pn) : '',
     outcome.errors.empty? ? '' : outcome.errors[0][1]].join("\t")
  end
  File.binwrite(File.join(HERE, 'corpus.tsv'), "#{lines.join("\n")}\n")
  warn "record: #{files.size} files, #{rejected} rejected"
end

# ---- case files

def outcome_lines(outcome)
  place = ->((code, line, column)) { "#{code} #{line ? "#{line}:#{column}" : '-'}" }
  lines = outcome.errors.map { |error| "=! #{place.(error)}" }
  lines << "=> #{encode(outcome.pn)}" if outcome.accepted?
  lines + outcome.warnings.map { |warning| "=? #{place.(warning)}" }
end

# ['epp', 'file', 'tasks', 'strict=error', 'path=modules/m/manifests/init.pp'] as a hash
def fence_options(words)
  options = { lang: 'pp', tasks: false, strict: 'warning', path: nil, file: false }
  words.each do |word|
    key, value = word.split('=', 2)
    case key
    when 'epp' then options[:lang] = 'epp'
    when 'file' then options[:file] = true
    when 'tasks' then options[:tasks] = true
    when 'strict' then options[:strict] = value
    when 'path' then options[:path] = "#{ROOT}/#{value}"
    else abort "record: unknown word '#{word}' on a fence"
    end
  end
  options
end

def record_cases(file, work)
  accepted = rejected = 0
  rewrite_cases(file, '```cases', /\A=[>!?]( |\z)/) do |words, source, _|
    options = fence_options(words)
    configure(strict: options[:strict], tasks: options[:tasks])
    written = File.join(work, "case.#{options[:lang]}") if options[:file]
    outcome = ask(decode(source), options[:lang], options[:path], file: written)
    outcome.accepted? ? accepted += 1 : rejected += 1
    outcome_lines(outcome)
  end
  warn "record: #{File.basename(file)}: #{accepted} accepted, #{rejected} rejected"
  [accepted, rejected]
end

command, *arguments = ARGV
Dir.mktmpdir do |work|
  case command
  when 'corpus'
    start_puppet(work, :conformance, ROOT, COLLECTED_LOGS)
    abort 'record: corpus needs DIR, the output folder of fetch-corpus.sh' unless arguments.size == 1
    record_corpus(arguments[0])
  when 'cases'
    start_puppet(work, :conformance, ROOT, COLLECTED_LOGS)
    arguments = Dir.glob(File.join(HERE, 'cases', '*.md')).sort if arguments.empty?
    sums = arguments.map { |file| record_cases(file, work) }
    warn "record: #{sums.sum(&:first)} accepted, #{sums.sum(&:last)} rejected, #{sums.flatten.sum} cases in total"
  when 'words'
    start_puppet(work, :conformance, ROOT, COLLECTED_LOGS)
    WordsRecorder.record(File.join(HERE, 'words.md')) do |source, lang, tasks|
      configure(tasks: tasks)
      ask(source, lang)
    end
  when 'eval'
    EvalRecorder.start(work)
    arguments = Dir.glob(File.join(HERE, 'eval', '*.md')).sort if arguments.empty?
    sums = arguments.map { |file| EvalRecorder.record(file) }
    warn "record: #{sums.sum(&:first)} values, #{sums.sum(&:last)} errors, #{sums.flatten.sum} cases in total"
  when 'hiera'
    EvalRecorder.start(work)
    abort 'record: hiera needs DIR, the folder with the modules of the corpus' unless arguments.size == 1
    HieraRecorder.record(arguments[0], work)
  else
    abort File.read(__FILE__)[/^# Records.*?(?=\n\n)/m].gsub(/^# ?/, '')
  end
end
