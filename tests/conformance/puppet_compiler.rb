# frozen_string_literal: true

# Compiles catalogs with real Puppet, many in one process.

require 'json'
require 'timeout'
require 'puppet'

module PuppetCompiler
  NODE = 'node1.example.com'
  # Time limit per catalog in seconds.
  LIMIT = 120

  # Module path with everything that Puppet has read from it so far. A new one reads everything again.
  class Environment
    attr_reader :puppet, :loaders

    # folder: folder with environment.conf and hiera.yaml, if any. manifest: file or folder of the main manifest.
    def initialize(folders, folder: nil, manifest: nil)
      @folder = folder
      @puppet = Puppet::Node::Environment.create(:production, folders, manifest || Puppet::Node::Environment::NO_MANIFEST)
      Puppet.override({ environments: directory, current_environment: @puppet }, 'what the environment itself defines') do
        @loaders = Puppet::Pops::Loaders.new(@puppet)
      end
    end

    # Folder in which Puppet looks for environments.
    def directory
      @folder ? Puppet::Environments::StaticDirectory.new('production', @folder, @puppet) : Puppet::Environments::Static.new(@puppet)
    end
  end

  module_function

  # work: an empty work folder. folders: those that contain modules.
  def start(work, folders)
    # Plugins require each other's files, which share one folder once an agent has them. The first of several modules with
    # the same name wins.
    modules = folders.flat_map { |it| Dir.glob(File.join(it, '*')).sort }.uniq { |it| File.basename(it) }
    $LOAD_PATH.concat(modules.map { |it| File.join(it, 'lib') }.select { |it| File.directory?(it) })
    ENV['TZ'] = 'UTC'
    Puppet.initialize_settings(["--confdir=#{work}/conf", "--vardir=#{work}/var", '--log_level=err'], false)
    Puppet::Util::Log.close_all
    Puppet[:node_terminus] = :plain
    Puppet[:storeconfigs] = false
  end

  # Returns { catalog: } without virtual resources, or { error: { message:, file:, line:, pos: } }, and the compile time in
  # seconds:. facts: JSON string, since Puppet freezes its input. name: certname of the node. limit: in seconds.
  def ask(code, environment, facts, settings, name: NODE, limit: LIMIT)
    seconds = nil
    catalog = Timeout.timeout(limit) do
      node, context = prepare(code, environment, facts, settings, name)
      Puppet.override(context, 'a catalog of its own') do
        before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        compiled = Puppet::Parser::Compiler.compile(node)
        seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
        compiled.to_resource.filter(&:virtual?)
      end
    end
    { catalog: catalog, seconds: seconds }
  rescue Timeout::Error
    { error: { message: "not done in #{limit} seconds" } }
  rescue StandardError, SystemStackError, ScriptError, NoMemoryError, UncaughtThrowError, SecurityError => e
    { error: error(e) }
  end

  def prepare(code, environment, facts, settings, name)
    settings.each { |key, value| Puppet[key.to_sym] = value.is_a?(String) ? value.to_sym : value }
    Puppet[:code] = code
    Puppet.clear_deprecation_warnings
    node = Puppet::Node.new(name, environment: environment.puppet)
    node.fact_merge(Puppet::Node::Facts.new(name, JSON.parse(facts)))
    node.trusted_data = { 'authenticated' => 'remote', 'certname' => name, 'extensions' => {}, 'hostname' => name[/[^.]*/],
                          'domain' => name[/\.(.*)/, 1] }
    node.add_server_facts('serverversion' => Puppet.version, 'servername' => 'puppet.example.com', 'serverip' => '192.0.2.1')
    context = { environments: environment.directory, current_environment: environment.puppet,
                trusted_information: Puppet::Context::TrustedInformation.new('remote', name, {}),
                loaders: environment.loaders }
    [node, context]
  end

  def error(exception)
    message = exception.respond_to?(:basic_message) ? exception.basic_message : exception.message
    found = { message: text(message) }
    %i[file line pos].each do |key|
      value = exception.public_send(key) if exception.respond_to?(key)
      found[key] = value if value
    end
    found
  end

  def text(string)
    string.to_s.dup.force_encoding(Encoding::UTF_8).scrub
  end
end
