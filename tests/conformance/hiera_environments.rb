#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles the small environments of hiera/environments.jsonl with each level of `strict`, and rewrites the results of the
# version that runs. README.md describes the format.
#
#   ruby hiera_environments.rb
#   ruby -rset -I OPENVOX/lib hiera_environments.rb      version 8

require 'json'
require 'tmpdir'
require_relative 'message_programs'

TABLE = File.join(__dir__, 'hiera', 'environments.jsonl')
STRICT = %w[off warning error].freeze

def place(root, files)
  files.each do |path, text|
    FileUtils.mkdir_p(File.dirname(File.join(root, path)))
    File.binwrite(File.join(root, path), text.gsub('/ROOT', root))
  end
  FileUtils.mkdir_p(File.join(root, 'environments/production/modules'))
end

def node(environment, facts)
  node = Puppet::Node.new(MessagePrograms::NODE, environment: environment)
  node.fact_merge(Puppet::Node::Facts.new(MessagePrograms::NODE, facts))
  node.trusted_data = { 'authenticated' => 'remote', 'certname' => MessagePrograms::NODE, 'extensions' => {},
                        'hostname' => 'node1', 'domain' => 'example.com' }
  node
end

# Compiles an environment. Returns the notices, the number of warnings, and true if the compilation fails.
def result(root, question, strict)
  Puppet.initialize_settings(["--confdir=#{root}/conf", "--vardir=#{root}/var", "--codedir=#{root}",
                              "--environmentpath=#{root}/environments", "--hiera_config=#{root}/hiera.yaml"], false)
  Puppet[:node_terminus] = :plain
  Puppet[:strict] = strict.to_sym
  logs = []
  Puppet::Util::Log.close_all
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
  context = MessagePrograms.context_of(Puppet::Environments::Directories.new("#{root}/environments", []), :production)
  error = MessagePrograms.error_of(context) do
    facts = JSON.parse(JSON.generate(question['facts'] || { 'os' => { 'name' => 'Debian' } }))
    Puppet::Parser::Compiler.compile(node(context[:current_environment], facts))
  end
  warn "#{question['name']} #{strict}: #{error ? "! #{error.message}" : ''} #{logs.map { |it| "#{it.level}: #{it.message}" }}" if ENV['SHOW']
  messages = ->(level) { logs.select { |it| it.level == level }.map { |it| it.message.gsub(root, '/ROOT') } }
  { 'notices' => messages.call(:notice), 'warnings' => messages.call(:warning).uniq.size, 'fails' => !error.nil? }
end

# Runs in its own process, since Puppet logs some warnings only once.
def ask(question, strict)
  Dir.mktmpdir do |root|
    reader, writer = IO.pipe
    child = fork do
      reader.close
      place(root, question['files'])
      writer.write(JSON.generate(result(root, question, strict)))
      writer.close
      exit!(0)
    end
    writer.close
    answer = reader.read
    Process.wait(child)
    JSON.parse(answer)
  end
end

questions = File.read(TABLE, encoding: 'UTF-8').split("\n").map { |line| JSON.parse(line) }
lines = questions.map do |question|
  next question if ENV['ONLY'] && !question['name'].start_with?(ENV['ONLY'])

  results = STRICT.to_h { |strict| ["#{Puppet.version.to_i} #{strict}", ask(question, strict)] }
  question.merge('is' => (question['is'] || {}).merge(results).sort.to_h)
end
File.write(TABLE, "#{lines.map { |it| JSON.generate(it) }.join("\n")}\n")
warn "record: #{lines.size} environments"
