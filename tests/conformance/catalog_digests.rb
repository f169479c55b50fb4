#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles environments with real Puppet for tests/seeded-diff.py: one JSON object per line in both directions.
#
#   ruby catalog_digests.rb MODULES...      the folders whose modules have plugins
#
# Request: environment (folder with manifests/, and hiera.yaml if any), modulepath (folders), node, facts (path of a JSON
# file). Response: digest of the resources, their parameters and edges, and of the files that they take from modules; or
# error, the message.

require 'digest'
require 'tmpdir'
require_relative 'catalog_json'

# Returns the digests of the files that a resource takes from modules.
def served(resource, modulepath)
  sources = [resource[:source]].flatten.compact.map(&:to_s)
  found = sources.filter_map do |source|
    name, below = source[%r{\Apuppet://[^/]*/modules/(.*)}, 1]&.split('/', 2)
    root = modulepath.map { |it| File.join(it, name.to_s) }.find { |it| File.directory?(it) }
    path = root && below && File.join(root, 'files', below)
    next if path.nil? || !File.exist?(path)
    next [[below, Digest::SHA256.file(path).hexdigest]] if File.file?(path)
    next [] unless resource[:recurse] && resource[:recurse].to_s != 'false'

    Dir.glob('**/*', base: path).select { |it| File.file?(File.join(path, it)) }.sort.map do |it|
      [it, Digest::SHA256.file(File.join(path, it)).hexdigest]
    end
  end
  resource[:sourceselect].to_s == 'all' ? found : found.first(1)
end

def digest(catalog, modulepath)
  shown = canonical(catalog, modulepath.first.to_s)
  resources = shown[:resources].map { |it| it.reject { |key, _| %i[file line].include?(key) } }
  files = catalog.resources.map { |it| [it.ref, served(it, modulepath)] }.reject { |_, found| found.empty? }.sort
  Digest::SHA256.hexdigest(JSON.generate([resources, shown[:edges], files], max_nesting: 500))
end

Dir.mktmpdir do |work|
  PuppetCompiler.start(work, ARGV)
  $stdin.each_line do |line|
    asked = JSON.parse(line)
    folder = asked['environment']
    environment = PuppetCompiler::Environment.new(asked['modulepath'], folder: folder, manifest: File.join(folder, 'manifests'))
    answer = PuppetCompiler.ask('', environment, File.read(asked['facts']), {}, name: asked['node'], limit: 60)
    said = answer[:error] ? { error: answer[:error][:message] } : { digest: digest(answer[:catalog], asked['modulepath']) }
    $stdout.puts(JSON.generate(said))
    $stdout.flush
  end
end
