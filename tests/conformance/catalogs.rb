#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the catalogs of real Puppet for the classes of the corpus, each compiled separately (`include CLASS`). README.md
# describes the formats.
#
#   ruby catalogs.rb version8 MODULES           version 8's defaults: writes catalogs/version8.{tsv,jsonl.gz}
#   ruby catalogs.rb strict MODULES             the same with legacy facts: writes catalogs/strict.{tsv,jsonl.gz}
#   ruby catalogs.rb platforms MODULES FACTS    version 7's settings on every platform that the module supports: writes
#                                               catalogs/platforms.tsv.gz. FACTS is a folder of fact sets, made by
#                                               `cargo run -p facts --example write_fact_sets -- FACTS 7`
#   ... -- MODULE...                            only these modules; the lines of the others stay unchanged
#
# MODULES is the folder `modules` of the corpus. The classes are those of catalogs/classes.tsv. Each module is compiled in
# a separate process, one after the other.

require 'digest'
require 'json'
require 'tmpdir'
require 'zlib'
require_relative 'catalog_json'
require_relative 'puppet_compiler'

FOLDER = File.join(__dir__, 'catalogs')
VERSION_8 = { strict: :error, strict_variables: true }.freeze
VERSION_7 = { strict: :warning, strict_variables: false }.freeze

# { ok: true, catalog: } or { ok: false, error: }
def ask(name, modules, facts, settings)
  shown(PuppetCompiler.ask("include #{name}", PuppetCompiler::Environment.new([modules]), facts, settings), modules)
end

def shown(answer, modules)
  return { ok: true, catalog: canonical(answer[:catalog], modules) } if answer[:catalog]

  { ok: false, error: answer[:error].transform_values { |it| it.is_a?(String) ? under(it, modules) : it } }
end

# Returns a digest of the parts that must be equal: resources with their parameters, and edges. Source locations are
# excluded.
def digest(catalog)
  same = { edges: catalog[:edges],
           resources: catalog[:resources].map { |it| sorted([it[:type], it[:title], it[:params], it[:exported] || false]) } }
  Digest::SHA256.hexdigest(JSON.generate(same, max_nesting: 500))[0, 16]
end

def sorted(value)
  case value
  when Array then value.map { |it| sorted(it) }
  when Hash then value.map { |key, it| [key.to_s, sorted(it)] }.sort_by(&:first).to_h
  else value
  end
end

# ---- questions and output files

# [module, class]
def classes
  File.readlines(File.join(FOLDER, 'classes.tsv'), chomp: true).map { |line| line.split("\t") }
end

# Returns the facts of all these files as one JSON string.
def fact_files(*names)
  JSON.generate(names.map { |name| JSON.parse(File.read(File.join(FOLDER, name))) }.reduce(:merge))
end

# Runs the block in a child process; it yields lines to write.
def in_own_process
  reader, writer = IO.pipe
  child = fork do
    reader.close
    yield ->(line) { writer.puts(line) }
    writer.close
    exit!(0)
  end
  writer.close
  lines = reader.read.force_encoding(Encoding::UTF_8).lines(chomp: true)
  Process.wait(child)
  abort 'catalogs: a process ended early' unless $?.success?
  lines
end

def each_module(only)
  classes.group_by(&:first).sort_by { |_, pairs| pairs.size }.each do |name, pairs|
    next unless only.empty? || only.include?(name)

    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield name, pairs.map(&:last)
    warn format('catalogs: %s: %d classes, %.1f s', name, pairs.size, Process.clock_gettime(Process::CLOCK_MONOTONIC) - start)
  end
end

def one_line(string)
  string.gsub(/[\t\r\n]+/, ' ')
end

# Compresses reproducibly, without name and time in the header.
def write_gzip(path, string)
  File.open(path, 'wb') do |file|
    gzip = Zlib::GzipWriter.new(file, Zlib::BEST_COMPRESSION)
    gzip.mtime = 1
    gzip.write(string)
    gzip.close
  end
end

def read_gzip(path)
  File.exist?(path) ? Zlib::GzipReader.open(path) { |it| it.read.force_encoding(Encoding::UTF_8).lines(chomp: true) } : []
end

# Returns lines of earlier runs about modules that are not part of this run; the block returns the module of a line.
def kept(lines, only)
  only.empty? ? [] : lines.reject { |line| only.include?(yield(line)) }
end

def record_strict(set, modules, facts, only)
  module_of = classes.to_h(&:reverse)
  answers = kept(read_gzip(File.join(FOLDER, "#{set}.jsonl.gz")), only) { |line| module_of[JSON.parse(line, max_nesting: 500)['id']] }
  each_module(only) do |_, names|
    answers += in_own_process do |write|
      names.each do |name|
        expect = ask(name, modules, facts, VERSION_8)
        request = { id: name, kind: 'catalog', code: "include #{name}", settings: VERSION_8, expect: expect }
        write.(JSON.generate(request, max_nesting: 500))
      end
    end
  end
  answers = answers.map { |line| JSON.parse(line, max_nesting: 500, symbolize_names: true) }.sort_by { |it| it[:id] }
  write_gzip(File.join(FOLDER, "#{set}.jsonl.gz"), answers.map { |it| "#{JSON.generate(it, max_nesting: 500)}\n" }.join)
  lines = answers.map do |answer|
    expect = answer[:expect]
    outcome = expect[:ok] ? ['ok', digest(expect[:catalog])] : ['error', place(expect[:error]), one_line(expect[:error][:message])]
    [answer[:id], module_of[answer[:id]], *outcome].join("\t")
  end
  File.write(File.join(FOLDER, "#{set}.tsv"), "#{lines.join("\n")}\n")
  warn "catalogs: #{answers.size} classes, #{answers.count { |it| it[:expect][:ok] }} compile"
end

def place(error)
  [error[:file] || '-', error[:line] || '-'].join(':').delete_prefix('$MODULES/')
end

# Records the platforms of a folder of fact sets that a module supports: a line of its index.tsv is a module followed by
# names. The fastest ones come first.
def record_platforms(modules, folder, only)
  supported = File.readlines(File.join(folder, 'index.tsv'), chomp: true).to_h do |line|
    name, *platforms = line.split("\t")
    [name, platforms]
  end
  path = File.join(FOLDER, 'platforms.tsv.gz')
  lines = kept(read_gzip(path), only) { |line| line.split("\t")[1] }
  each_module(only) do |name, names|
    sets = supported.fetch(name, []).to_h { |platform| [platform, JSON.parse(File.read(File.join(folder, "#{platform}.json")))] }
    lines += in_own_process do |write|
      # Parsed modules are shared by all classes and platforms, as long as the code is the same.
      environment = PuppetCompiler::Environment.new([modules])
      names.each do |class_name|
        outcomes = sets.map do |platform, facts|
          facts = JSON.generate(facts.merge('recorded_class' => class_name))
          answer = shown(PuppetCompiler.ask('include $recorded_class', environment, facts, VERSION_7), modules)
          [platform, answer[:ok] ? ['ok'] : ['error', place(answer[:error]), one_line(answer[:error][:message])]]
        end
        outcomes.group_by(&:last).each { |outcome, on| write.([class_name, name, on.map(&:first).join(','), *outcome].join("\t")) }
      end
    end
    write_gzip(path, "#{lines.sort.join("\n")}\n")
  end
end

arguments, only = ARGV.include?('--') ? [ARGV.take(ARGV.index('--')), ARGV.drop(ARGV.index('--') + 1)] : [ARGV, []]
command, *arguments = arguments
abort File.read(__FILE__)[/^# Records.*?(?=\n\n)/m].gsub(/^# ?/, '') unless { 'version8' => 1, 'strict' => 1, 'platforms' => 2 }[command] == arguments.size
arguments.map! { |it| File.expand_path(it) }
Dir.mktmpdir do |work|
  PuppetCompiler.start(work, [arguments[0]])
  case command
  when 'version8' then record_strict(command, arguments[0], fact_files('facts.json'), only)
  when 'strict' then record_strict(command, arguments[0], fact_files('facts.json', 'legacy_facts.json'), only)
  else record_platforms(*arguments, only)
  end
end
