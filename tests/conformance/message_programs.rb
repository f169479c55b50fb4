# frozen_string_literal: true

# Programs in Markdown fences, with files in the notation of fixtures, for messages.rb and warnings.rb.

require 'fileutils'
require 'json'
require 'puppet'
require 'puppet/test/test_helper'
require 'tmpdir'

module MessagePrograms
  NODE = 'node1.example.com'
  FACTS = JSON.parse(File.read(File.join(__dir__, 'catalogs', 'facts.json')))

  module_function

  # Returns paths with contents.
  def files_of(lines)
    path = 'manifests/site.pp'
    lines.each_with_object({}) do |line, files|
      if line.start_with?('//- ')
        path = line[4..].strip
      else
        files[path] = "#{files[path]}#{line}"
      end
    end
  end

  def write(folder, files)
    files.each do |path, text|
      FileUtils.mkdir_p(File.dirname(File.join(folder, path)))
      File.write(File.join(folder, path), text)
    end
    FileUtils.mkdir_p(File.join(folder, 'modules'))
  end

  # Yields the lines and number of each program of a table (a fence with this info string), and replaces it with the result
  # of the block.
  def rewrite(table, word)
    Dir.mktmpdir do |work|
      root = File.join(work, 'environments')
      settings = ["--confdir=#{work}/conf", "--vardir=#{work}/var", "--environmentpath=#{root}"]
      Puppet.initialize_settings(settings, false)
      Puppet[:node_terminus] = :plain
      index = 0
      text = File.read(table).gsub(/^(```#{word} [^\n]*\n)(.*?)^```$/m) do
        head, lines = Regexp.last_match(1), Regexp.last_match(2).lines
        "#{head}#{yield(root, lines, index += 1)}```"
      end
      File.write(table, text)
    end
  end

  # Yields an environment with these files. Returns the raised error, Puppet's log, and the folder of the files.
  def ask(root, lines, index)
    name = "program_#{index}"
    folder = File.join(root, name)
    write(folder, files_of(lines))
    logs = []
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
    Puppet.clear_deprecation_warnings
    context = context_of(Puppet::Environments::Directories.new(root, []), name.to_sym)
    [error_of(context) { yield context[:current_environment] }, logs, folder]
  end

  def error_of(context, &block)
    Puppet.override(context, 'a program of its own', &block)
    nil
  rescue StandardError, SystemStackError, ScriptError, UncaughtThrowError => e
    e
  end

  # Returns the context needed to compile an environment.
  def context_of(environments, name)
    environment = environments.get(name)
    { environments: environments, current_environment: environment,
      trusted_information: Puppet::Context::TrustedInformation.new('remote', NODE, {}),
      loaders: Puppet::Pops::Loaders.new(environment) }
  end

  def node(environment)
    node = Puppet::Node.new(NODE, environment: environment)
    node.fact_merge(Puppet::Node::Facts.new(NODE, FACTS.dup))
    node.trusted_data = { 'authenticated' => 'remote', 'certname' => NODE, 'extensions' => {}, 'hostname' => 'node1',
                          'domain' => 'example.com' }
    node
  end
end
