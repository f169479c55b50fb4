#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles environments with real Puppet for tests/seeded-diff.py: one JSON object per line in both directions.
#
#   ruby catalog_digests.rb MODULES...      the folders whose modules have plugins
#
# Request: environment (folder with manifests/, and hiera.yaml if any), modulepath (folders), node, facts (path of a JSON
# file). Response: digest of the resources, their parameters and edges, and of the files that they take from modules; or
# error, the message. `read` are the paths below the environment of the files that the catalog depends on, sorted.
#
# A request with `keep` is answered by this process, which keeps parsed manifests and loaded plugins. Any other request is
# answered by a copy of the process, so that the memory in use does not grow and no catalog affects a later one.

require 'digest'
require 'set'
require 'tmpdir'
require_relative 'catalog_json'

# Paths of the files that have been read since the last request.
READ = Set.new

module RecordsFiles
  %i[read open new].each do |name|
    define_method(name) do |path, *rest, **options, &block|
      READ << path.to_s if path.is_a?(String) || path.is_a?(Pathname)
      super(path, *rest, **options, &block)
    end
  end
end

module RecordsPlugins
  def load(path, *)
    READ << path.to_s
    super
  end
end

File.singleton_class.prepend(RecordsFiles)
Kernel.singleton_class.prepend(RecordsPlugins)

# Parses each text of a manifest once.
module ParsesOnce
  PARSED = {}

  def parse_file(path)
    PARSED[[path, File.read(path)]] ||= super
  end
end

Puppet::Pops::Parser::EvaluatingParser.prepend(ParsesOnce)

# Returns the path in the `files` folder of a module, and the path in that folder.
def place(source, modulepath)
  name, below = source[%r{\Apuppet://[^/]*/modules/(.*)}, 1]&.split('/', 2)
  root = modulepath.map { |it| File.join(it, name.to_s) }.find { |it| File.directory?(it) }
  [File.join(root, 'files', below), below] if root && below
end

# Returns the digests of the files that a resource takes from modules.
def served(resource, modulepath)
  sources = [resource[:source]].flatten.compact.map(&:to_s)
  found = sources.filter_map do |source|
    path, below = place(source, modulepath)
    next if path.nil? || !File.exist?(path)
    next [[below, digest_of_file(path)]] if File.file?(path)
    next [] unless resource[:recurse] && resource[:recurse].to_s != 'false'

    Dir.glob('**/*', base: path).select { |it| File.file?(File.join(path, it)) }.sort.map do |it|
      [it, digest_of_file(File.join(path, it))]
    end
  end
  resource[:sourceselect].to_s == 'all' ? found : found.first(1)
end

def digest_of_file(path)
  READ << path
  Digest::SHA256.file(path).hexdigest
end

def digest(catalog, modulepath)
  shown = canonical(catalog, modulepath.first.to_s)
  resources = shown[:resources].map { |it| it.reject { |key, _| %i[file line].include?(key) } }
  files = catalog.resources.map { |it| [it.ref, served(it, modulepath)] }.reject { |_, found| found.empty? }.sort
  Digest::SHA256.hexdigest(JSON.generate([resources, shown[:edges], files], max_nesting: 500))
end

def answer(asked)
  READ.clear
  folder = asked['environment']
  environment = PuppetCompiler::Environment.new(asked['modulepath'], folder: folder, manifest: File.join(folder, 'manifests'))
  compiled = PuppetCompiler.ask('', environment, File.read(asked['facts']), {}, name: asked['node'], limit: 60)
  said = compiled[:error] ? { error: compiled[:error][:message] } : { digest: digest(compiled[:catalog], asked['modulepath']) }
  below = READ.filter_map { |it| File.expand_path(it).delete_prefix("#{folder}/") if it.start_with?("#{folder}/") }
  JSON.generate({ **said, read: below.select { |it| File.file?(File.join(folder, it)) }.sort })
end

Dir.mktmpdir do |work|
  PuppetCompiler.start(work, ARGV)
  $stdin.each_line do |line|
    asked = JSON.parse(line)
    if asked['keep']
      $stdout.puts(answer(asked))
    else
      # The copy must not run the handlers of its parent.
      Process.wait(fork do
        $stdout.puts(answer(asked))
        $stdout.flush
        exit!(0)
      end)
    end
    $stdout.flush
  end
end
