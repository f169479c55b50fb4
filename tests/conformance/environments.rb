#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the catalogs of real Puppet for small environments. Each line of catalogs/environments.jsonl has `files`, the
# compiled `code`, and the titles of the resulting notify resources (`is`), or `!error`. Runs every line again and rewrites
# it.
#
#   ruby environments.rb

require 'json'
require 'fileutils'
require 'tmpdir'
require 'puppet_pal'

TABLE = File.join(__dir__, 'catalogs', 'environments.jsonl')
FACTS = { 'fqdn' => 'node1.example.com' }.freeze

# Returns `modules`, `modules2`, and so on.
def folders(folder)
  Dir.glob(File.join(folder, 'modules*')).sort
end

def titles(folder, code)
  Puppet::Pal.in_environment('production', env_dir: folder, modulepath: folders(folder), facts: FACTS.dup) do |pal|
    pal.with_catalog_compiler do |compiler|
      compiler.evaluate_string(code)
      compiler.compile_additions
      catalog = compiler.catalog_data_hash
      catalog['resources'].select { |it| it['type'] == 'Notify' }.map { |it| it['title'] }.sort
    end
  end
rescue Puppet::Error, SecurityError
  '!error'
end

def ask(question)
  Dir.mktmpdir do |folder|
    question['files'].each do |path, text|
      FileUtils.mkdir_p(File.dirname(File.join(folder, path)))
      File.write(File.join(folder, path), text)
    end
    titles(folder, question['code'])
  end
end

settings = Dir.mktmpdir
at_exit { FileUtils.remove_entry(settings) }
Puppet.initialize_settings(['--confdir', settings, '--vardir', settings])
Puppet::Util::Log.level = :crit
questions = File.readlines(TABLE).map { |line| JSON.parse(line) }
File.open(TABLE, 'w') { |out| questions.each { |it| out.puts JSON.generate(it.merge('is' => ask(it))) } }
