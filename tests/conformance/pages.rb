#!/usr/bin/env ruby
# frozen_string_literal: true

# Runs the examples of the rules' pages with real Puppet, and writes the results to the block `verdicts` of their cases.
#
#   ruby tests/conformance/pages.rb [CODE...]     with codes: only the pages of these rules
#
# README.md describes the format of the recording.

require 'fileutils'
require 'json'
require 'tmpdir'
require 'puppet'
require_relative 'puppet_compiler'

PAGES = %w[check/src/rules lint/src/checks].map { |it| File.expand_path("../../analysis/#{it}/*/page.md", __dir__) }.freeze
FACTS = File.read(File.join(__dir__, 'catalogs', 'facts.json'), encoding: 'UTF-8')
# Defaults of Puppet 8, and those of 7 for examples with `version=7`.
SETTINGS = { 8 => { strict: 'error', strict_variables: true }, 7 => { strict: 'warning', strict_variables: false } }.freeze

# Codes that only concern this tool. Some of their examples would take Puppet hours.
OURS = %w[
  file-too-large ignored-setting invalid-setting large-file nesting-too-deep regexp-limit too-deep too-large too-many-steps unknown-setting unreadable-file
].freeze

# Puppet's log, including the warnings of its validation.
LOGS = []
LOUD = %i[warning err alert emerg crit].freeze

# Returns the examples below a heading, each as one string with `//- /path` headers. Blocks after a line that names a file
# belong together until a path repeats or other text follows; an HTML comment holds the environment header.
def fences(page, heading)
  section = page[/^## #{Regexp.escape(heading)}\n(.*?)(?=^## |\z)/m, 1].to_s
  header = section[/^<!-- (.*) -->$/, 1]
  header = header ? "//- #{header}\n" : ''
  found = []
  section.scan(/(\n*)(?:^`([^`\n]+)`:\n\n)?^```\w+\n(.*?)^```$/m) do |_gap, path, body|
    before = $~.pre_match
    if path.nil?
      found << "#{header}#{body}"
    elsif before.end_with?('```') && found.last&.include?('//- /') && !found.last.include?("//- /#{path}\n")
      found.last << "//- /#{path}\n#{body}"
    else
      found << "#{header}//- /#{path}\n#{body}"
    end
  end
  found
end

# Returns [path => contents, the header of the environment].
def files_of(fence)
  fence = "//- /main.pp\n#{fence}" unless fence.start_with?('//-')
  header = ''
  files = {}
  fence.split(/^(?=\/\/-)/).each do |part|
    line, text = part.split("\n", 2)
    name = line.sub('//-', '').strip
    if name.start_with?('environment:')
      header = name
    else
      files[name.split.first] = text.to_s.gsub('\\$0', '$0')
    end
  end
  [files, header]
end

# Example in a folder, with its results in Puppet.
class Example
  def initialize(folder, fence)
    @folder = folder
    @files, header = files_of(fence)
    @settings = SETTINGS[header.include?('version=7') ? 7 : 8].dup
    @settings[:strict] = $1 if header =~ /\bstrict=(\w+)/
    @tasks = header.include?(' tasks')
  end

  def verdict
    return ['not-asked', ''] unless asked?

    write
    LOGS.clear
    problem = problem_in_texts || problem_in_data || problem_in_catalog
    return ['refused', problem] if problem

    warnings = LOGS.select { |it| it.is_a?(String) || LOUD.include?(it.level) }
    warnings.empty? ? ['accepted', ''] : ['warned', warnings.first.to_s]
  end

  private

  # Puppet does not read files meant for other programs.
  def asked?
    @files.keys.none? { |path| path =~ /\.toml\z|Puppetfile\z/ }
  end

  def write
    @files.each do |path, text|
      path = File.join(@folder, path)
      FileUtils.mkdir_p(File.dirname(path))
      File.binwrite(path, text)
    end
    FileUtils.mkdir_p(File.join(@folder, 'modules'))
    manifests = @files.keys.reject { |path| path =~ %r{\A/(modules|plans)/} }.select { |path| path.end_with?('.pp') }
    @manifest = manifests.empty? ? Puppet::Node::Environment::NO_MANIFEST : File.join(@folder, manifests.first)
    @manifest = File.dirname(@manifest) if manifests.size > 1
    name = :"page#{File.basename(@folder)}"
    @environment = Puppet::Node::Environment.create(name, [File.join(@folder, 'modules')], @manifest)
    @loaders = Puppet::Pops::Loaders.new(@environment)
    @settings.each { |key, value| Puppet[key] = value.is_a?(String) ? value.to_sym : value }
  end

  def in_environment(&block)
    Puppet.override({ current_environment: @environment, loaders: @loaders }, 'a page', &block)
  end

  def texts
    @files.keys.grep(/\.(pp|epp)\z/)
  end

  def problem_in_texts
    @classes = []
    in_environment { texts.each { |path| problem_in_text(path)&.tap { |it| return it } } }
    nil
  ensure
    Puppet[:tasks] = false
  end

  def problem_in_text(path)
    Puppet[:tasks] = @tasks || path.include?('/plans/')
    parser = path.end_with?('.epp') ? Puppet::Pops::Parser::EppParser.new : Puppet::Pops::Parser::Parser.new
    program = parser.parse_file(File.join(@folder, path)).model
    found = Puppet::Pops::Parser::EvaluatingParser.new.validate(program)
    note_classes(program)
    found.warnings.each { |warning| LOGS << formatted(warning) }
    found.errors.first && formatted(found.errors.first)
  rescue Puppet::Error, ArgumentError => e
    PuppetCompiler.error(e)[:message]
  rescue StandardError => e
    "#{e.class}: #{e.message}"
  end

  def formatted(diagnostic)
    Puppet::Pops::Validation::DiagnosticFormatterPuppetStyle.new.format_message(diagnostic)
  end

  # Collects the classes that can be included: those without required parameters, or with data.
  def note_classes(program)
    has_data = @files.keys.any? { |it| it.include?('/data/') }
    program.definitions.grep(Puppet::Pops::Model::HostClassDefinition).each do |definition|
      needs = definition.parameters.any? { |parameter| parameter.value.nil? }
      @classes << definition.name if !needs || has_data
    end
  end

  # Puppet reads the metadata of a module only on request.
  def problem_in_data
    in_environment do
      @files.keys.grep(/metadata\.json\z/).each do |path|
        folder = File.dirname(File.join(@folder, path))
        found = Puppet::Module.new(File.basename(folder), folder, @environment)
        return "the module is left out" unless found.has_metadata?

        found.dependencies_as_modules
        found.unmet_dependencies.each { |it| LOGS << "unmet dependency: #{it[:reason]} #{it[:name]}" }
      end
    end
    nil
  rescue StandardError => e
    "#{e.class}: #{e.message}"
  end

  def problem_in_catalog
    return if @tasks || (texts.empty? && @files.keys.grep(/\.erb\z/).empty?)

    Puppet[:code] = templates
    node, context = prepare
    Puppet.override(context, 'a page') do
      catalog = Puppet::Parser::Compiler.compile(node).filter(&:virtual?)
      ral = catalog.to_ral
      ral.finalize
      cycles = ral.relationship_graph.find_cycles_in_graph
      return "a cycle: #{cycles.first.map(&:ref).join(', ')}" unless cycles.empty?
    end
    nil
  rescue StandardError, SystemStackError, ScriptError, UncaughtThrowError => e
    PuppetCompiler.error(e)[:message]
  end

  # Renders templates outside of modules, without the manifest.
  def templates
    epp = @files.keys.grep(%r{\A/[^/]+\.epp\z}).map { |path| "notice(epp('#{File.join(@folder, path)}'))\n" }
    erb = @files.keys.grep(%r{\A/[^/]+\.erb\z}).map { |path| "notice(template('#{File.join(@folder, path)}'))\n" }
    (epp + erb).join
  end

  def prepare
    name = @files.values.join[/^node '([a-z0-9.]+)'/, 1] || PuppetCompiler::NODE
    node = Puppet::Node.new(name, environment: @environment, classes: @classes.uniq)
    node.fact_merge(Puppet::Node::Facts.new(name, JSON.parse(FACTS)))
    node.trusted_data = { 'authenticated' => 'remote', 'certname' => name, 'extensions' => {} }
    node.add_server_facts('serverversion' => Puppet.version, 'servername' => 'puppet.example.com', 'serverip' => '192.0.2.1')
    [node, { environments: Puppet::Environments::Static.new(@environment), current_environment: @environment,
             trusted_information: Puppet::Context::TrustedInformation.new('remote', name, {}), loaders: @loaders }]
  end
end

# The folders of examples have different names in each run.
def plain(text, folder)
  text.to_s.gsub(folder, '').lines.first.to_s.gsub(/[\t\r\n]/, ' ').gsub(/ \(file: [^)]*\)/, '').gsub(/:0x\h+/, ':0x').scrub.strip[0, 300]
end

# Replaces the verdicts in the cases beside a page, before the first case.
def record(page, rows)
  path = File.join(File.dirname(page), 'cases.md')
  text = File.read(path, encoding: 'UTF-8')
  block = rows.empty? ? '' : "\n```verdicts\n#{rows.join("\n")}\n```\n"
  return if text.sub!(/\n```verdicts\n.*?^```\n/m) { block } && File.write(path, text)

  head, *rest = text.split(/(?=\n## )/)
  File.write(path, "#{head}#{block}#{rest.join}")
end

Dir.mktmpdir do |work|
  PuppetCompiler.start(work, [])
  Puppet[:log_level] = 'warning'
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(LOGS))
  count = 0
  Dir.glob(PAGES).sort_by { |it| File.basename(File.dirname(it)) }.each do |path|
    code = File.basename(File.dirname(path))
    next unless ARGV.empty? || ARGV.include?(code)

    page = File.read(path, encoding: 'UTF-8')
    rows = { 'bad' => 'Example', 'good' => 'Use instead' }.flat_map do |kind, heading|
      fences(page, heading).each_with_index.map do |fence, index|
        folder = File.join(work, (count += 1).to_s)
        verdict, reason = OURS.include?(code) ? ['not-asked', ''] : Example.new(folder, fence).verdict
        "#{kind} #{index + 1} #{verdict} #{plain(reason, folder)}".strip
      end
    end
    record(path, rows)
  end
end
