# frozen_string_literal: true

# Programs in fences of Markdown, with files in the notation of fixtures: for messages.rb and warnings.rb.

require 'fileutils'
require 'json'
require 'puppet'

module MessagePrograms
  NODE = 'node1.example.com'
  FACTS = JSON.parse(File.read(File.join(__dir__, 'catalogs', 'facts.json')))

  module_function

  # Paths with texts.
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

  def node(environment)
    node = Puppet::Node.new(NODE, environment: environment)
    node.fact_merge(Puppet::Node::Facts.new(NODE, FACTS.dup))
    node.trusted_data = { 'authenticated' => 'remote', 'certname' => NODE, 'extensions' => {}, 'hostname' => 'node1',
                          'domain' => 'example.com' }
    node
  end
end
