#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the warnings that real Puppet logs during compilation: runs each program of warnings.md again, and rewrites the
# lines of the version that runs (`=7` or `=8`).
#
#   ruby warnings.rb
#   ruby -rset -I OPENVOX/lib warnings.rb      version 8

require_relative 'message_programs'

TABLE = File.join(__dir__, 'warnings.md')
MARK = "=#{Puppet.version.to_i} "

# Returns the location and the start of a warning.
def shown(log, folder)
  message = log.message.to_s.scrub.gsub("#{folder}/", '')
  file, line = log.file, log.line
  file, line = message.match(/\(file: ([^,)]+)(?:, line: (\d+))?/)&.captures unless file
  place = [file&.sub("#{folder}/", ''), line].map { |it| it || '-' }.join(':')
  "#{MARK}#{place} #{message.gsub(/\s*\(file: [^)]*\)/, '').lines.first.strip[0, 100].strip}\n"
end

def ask(root, source, index)
  error, logs, folder = MessagePrograms.ask(root, source, index) do |environment|
    Puppet::Parser::Compiler.compile(MessagePrograms.node(environment))
  end
  lines = logs.select { |it| it.level == :warning }.map { |it| shown(it, folder) }
  lines << "#{MARK}- refused: #{error.message.lines.first.strip.gsub("#{folder}/", '')[0, 100]}\n" if error
  lines.empty? ? "#{MARK}- nothing\n" : lines.uniq.join
end

MessagePrograms.rewrite(TABLE, 'warning') do |root, lines, index|
  Puppet[:strict] = :warning
  Puppet[:strict_variables] = false
  source, outcomes = lines.partition { |line| line !~ /^=[78>?~] / }
  told = outcomes.reject { |line| line.start_with?(MARK) } + ask(root, source, index).lines
  "#{source.join}#{told.sort_by.with_index { |line, at| ['78>?~'.index(line[1]), at] }.join}"
end
