#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the messages of real Puppet for programs with a mistake: runs each program of messages.md again, and rewrites its
# `=!` lines.
#
#   ruby messages.rb

require_relative 'message_programs'

TABLE = File.join(__dir__, 'messages.md')
PLACE = /\(file: ([^,)]+)(?:, line: (\d+))?(?:, column: (\d+))?\)/.freeze
# Maximum length of a recorded message.
LENGTH = 300

# Compiles a catalog and converts it as an agent does before it applies it, since an agent's rejection is a mistake too.
def compile(environment)
  catalog = Puppet::Parser::Compiler.compile(MessagePrograms.node(environment)).to_ral
  catalog.relationship_graph.report_cycles_in_graph
end

# Returns FILE:LINE:COLUMN, as far as Puppet reports them.
def place_of(error, message)
  told = %i[file line pos].map { |it| error.public_send(it) if error.respond_to?(it) }
  told = message.scan(PLACE).last || [nil] * 3 unless told[0]
  told.map { |it| it || '-' }.join(':')
end

def answer(error, logged, folder)
  message = (error.respond_to?(:basic_message) ? error.basic_message : error.message).to_s.scrub
  message = logged if logged && message =~ /logged \d+ errors|dependency cycle/
  place = place_of(error, error.message.to_s.scrub).sub("#{folder}/", '')
  text = message.gsub("#{folder}/", '').gsub(PLACE, '').sub(/Could not parse for environment \w+: /, '')
  text = text.gsub(/0x\h{16}/, '0x').sub(/ on node \S+\s*\z/, '').split("\n").map(&:strip).reject(&:empty?).join(' | ')
  "=! #{place} #{text[0, LENGTH].strip}\n"
end

def ask(root, lines, index)
  error, logs, folder = MessagePrograms.ask(root, lines, index) { |environment| compile(environment) }
  logged = logs.find { |log| log.level == :err }
  error ? answer(error, logged&.message, folder) : "=! - nothing\n"
end

# Returns the lines of a program without the outcomes, and the outcomes that are not Puppet's.
def parts(lines)
  source, outcomes = lines.partition { |line| line !~ /^=[!>?~] / }
  [source, outcomes.reject { |line| line.start_with?('=! ') }]
end

MessagePrograms.rewrite(TABLE, 'message') do |root, lines, index|
  Puppet[:strict] = :error
  Puppet[:strict_variables] = true
  source, others = parts(lines)
  "#{source.join}#{ask(root, source, index)}#{others.join}"
end
