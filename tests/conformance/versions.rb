#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the differences between versions of Puppet: runs each program of versions.md again, and rewrites the lines of the
# version that runs (`=7`, `=8`, or `=9`).
#
#   ruby versions.rb                                                      version 7, Debian's package
#   ruby versions.rb --openvox OPENVOX/lib --openfact OPENFACT/lib        version 8 or 9, from a checkout
#   ruby versions.rb --ruby COMMAND 8                                     programs in Ruby alone, with the Ruby of version 8
#
# The last form needs no Puppet. COMMAND runs a program from standard input, such as Ruby 3.2 for WebAssembly.

require 'open3'

PACKAGES = '/usr/lib/ruby/vendor_ruby'

# Removes Debian's Puppet, Hiera, and Facter from the load path: a file that a checkout removed is not found.
def load_only(folders)
  require 'tmpdir'
  links = Dir.mktmpdir
  at_exit { FileUtils.remove_entry(links) }
  others = Dir.glob("#{PACKAGES}/*").reject { |it| File.basename(it).start_with?('puppet', 'hiera', 'facter', 'rubygems') }
  others.each { |it| File.symlink(it, File.join(links, File.basename(it))) }
  $LOAD_PATH.delete(PACKAGES)
  $LOAD_PATH.unshift(*folders.map { |it| File.expand_path(it) })
  $LOAD_PATH << links
  # Debian's Ruby does not load it by itself.
  require 'set'
end

if ARGV[0] == '--openvox'
  require 'fileutils'
  load_only([ARGV[1], ARGV[3]])
end
RUBY = ARGV[0] == '--ruby' ? ARGV[1] : nil
VERSION = ARGV[2].to_i if RUBY
TABLE = File.join(__dir__, 'versions.md')

# Returns an outcome as one line without paths and addresses.
def line(word, text, folder = nil)
  text = text.to_s.scrub
  text = text.gsub("#{folder}/", '') if folder
  "=#{VERSION} #{word}: #{text.lines.first.to_s.gsub(/\s*\((?:file|line): [^)]*\)/, '').strip[0, 100].strip}\n"
end

def in_ruby(source)
  line('value', eval(source, TOPLEVEL_BINDING.dup).inspect) # rubocop:disable Security/Eval
rescue StandardError, ScriptError => e
  line('refused', "#{e.class}: #{e.message.gsub(%r{/\S+/}, '')}")
end

def in_command(source)
  program = "begin\nvalue = begin\n#{source}\nend\nputs \"value: \#{value.inspect}\"\n" \
            "rescue Exception => e\nputs \"refused: \#{e.class}: \#{e.message}\"\nend\n$stdout.flush\n"
  output, = Open3.capture2e(RUBY, stdin_data: program)
  word, text = output.lines.last.to_s.split(': ', 2)
  line(word, text)
end

def in_puppet(root, lines, index)
  error, logs, folder = MessagePrograms.ask(root, lines, index) do |environment|
    Puppet::Parser::Compiler.compile(MessagePrograms.node(environment))
  end
  shown = logs.select { |it| %i[notice warning].include?(it.level) }.map { |it| line(it.level, it.message, folder) }
  shown << line('refused', error.message, folder) if error
  shown.empty? ? line('nothing', '') : shown.uniq.join
end

def replaced(lines, recorded)
  source, outcomes = lines.partition { |it| it !~ /^=[789~] / }
  others = outcomes.reject { |it| it.start_with?("=#{VERSION} ") }
  "#{source.join}#{(others + recorded.lines).sort_by.with_index { |it, at| ['789~'.index(it[1]), at] }.join}"
end

# Programs without Puppet have the info string `version NAME ruby-alone`, those in the Ruby of a server `version NAME ruby`.
if RUBY
  text = File.read(TABLE).gsub(/^(```version \S+ ruby-alone\n)(.*?)^```$/m) do
    head, lines = Regexp.last_match(1), Regexp.last_match(2).lines
    "#{head}#{replaced(lines, in_command(lines.grep_v(/^=[789~] /).join))}```"
  end
  File.write(TABLE, text)
else
  require_relative 'message_programs'
  VERSION = Puppet.version.to_i
  kind = nil
  kinds = File.read(TABLE).scan(/^```version \S+(.*)$/).flatten.map(&:strip)
  MessagePrograms.rewrite(TABLE, 'version') do |root, lines, index|
    source = lines.grep_v(/^=[789~] /)
    recorded = case kinds[index - 1]
               when 'ruby' then in_ruby(source.join)
               when 'ruby-alone' then VERSION == 7 ? in_ruby(source.join) : lines.grep(/^=#{VERSION} /).join
               else in_puppet(root, source, index)
               end
    replaced(lines, recorded)
  end
end
