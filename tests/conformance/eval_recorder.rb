# frozen_string_literal: true

# Evaluates expressions with Puppet and rewrites the outcomes in eval/*.md. README.md describes the format.

require 'json'
require 'time'
require 'timeout'
require 'puppet'
require 'puppet_pal'
require_relative 'notation'
require_relative 'recording'

module EvalRecorder
  MODULES = File.join(HERE, 'eval', 'modules')
  # Path at which the folder `modules` appears.
  MODULES_NAME = '/conformance/modules'
  NODE = 'node.example.com'
  # Errors that only a bug in Puppet raises; the evaluator wraps them like any other error.
  CRASHES = [NoMethodError, NameError, FrozenError, LocalJumpError, FiberError, SystemStackError,
             NotImplementedError].freeze
  # The evaluator's own errors do not keep their original class.
  CRASH_MESSAGE = /undefined (?:local variable or )?method `\S+' for /

  LOGS = []

  module_function

  def start(work)
    begin
      require 'scanf' # Puppet's function of this name needs it
    rescue LoadError
      abort 'record: eval also needs the package ruby-scanf'
    end
    ENV['TZ'] = 'UTC'
    Puppet.initialize_settings(["--confdir=#{work}/conf", "--vardir=#{work}/var", '--log_level=info'], false)
    Puppet[:node_name_value] = NODE
    Puppet[:certname] = NODE
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(LOGS))
  end

  def record(file)
    values = errors = 0
    rewrite_cases(file, '```eval', /\A=[>:#!]( |\z)/) do |words, source, line|
      lines = ask(decode(source), settings(words))
      lines.last.start_with?('=!') ? errors += 1 : values += 1
      abort "record: #{file}:#{line}: outcome is not reproducible: #{lines}" if lines.grep(/0x\h{8}/).any?
      lines
    end
    warn "record: #{File.basename(file)}: #{values} values, #{errors} errors"
    [values, errors]
  end

  # ['strict=error', 'facts={"a":1}'] as a hash
  def settings(words)
    found = { strict: 'warning', strict_variables: false, facts: {}, modules: false, catalog: false }
    words.each do |word|
      key, value = word.split('=', 2)
      case key
      when 'strict' then found[:strict] = value
      when 'strict_variables', 'modules', 'catalog' then found[key.to_sym] = true
      when 'facts' then found[:facts] = JSON.parse(value)
      else abort "record: unknown word '#{word}' on a fence"
      end
    end
    found
  end

  # Returns the outcome lines of one source: log messages, then value and type or the error.
  def ask(source, settings)
    LOGS.clear
    Puppet.clear_deprecation_warnings # forget what is said only once
    outcome = Timeout.timeout(10) { evaluate(source, settings) }
    lines = LOGS.reject { |log| log.level == :debug }.map { |log| log_line(log) } + outcome
    LOGS.clear
    lines
  end

  def evaluate(source, settings)
    outcome = []
    logs = []
    modulepath = settings[:modules] ? [MODULES] : []
    Puppet::Pal.in_tmp_environment('conformance', modulepath: modulepath, facts: settings[:facts]) do |pal|
      pal.with_catalog_compiler do |compiler|
        # Set here, since the compiler resets both when it starts.
        Puppet[:strict] = settings[:strict].to_sym
        Puppet[:strict_variables] = settings[:strict_variables]
        LOGS.clear
        value = compiler.evaluate_string(source)
        if settings[:catalog]
          compiler.evaluate_ast_node
          compiler.compile_additions
        end
        outcome << "=> #{visible(text_of(value))}" << "=: #{visible(type_of(value))}"
      rescue StandardError, SystemStackError, ScriptError => e
        outcome = [error_line(e)]
      ensure
        logs = LOGS.dup # without what the compiler logs about its end
      end
    end
    LOGS.replace(logs)
    outcome
  end

  def visible(text)
    text = text.gsub(MODULES, MODULES_NAME).gsub(/[‹›\u2400\u2409\u240a\u240d\u2420]/) { |c| "\0#{c}" }
    text = encode(text).gsub(/␀([‹›\u2400\u2409\u240a\u240d\u2420])/) { "‹#{$1.bytes.map { |byte| format('%02X', byte) }.join(' ')}›" }
    text.sub(/ +\z/) { |blanks| '␠' * blanks.size }
  end

  # Keeps the text of messages that the program logs itself (notice() and so on), and only the code of Puppet's own.
  def log_line(log)
    return "=# #{log.level}: #{visible(utf8(log.message.to_s))}".chomp(' ') if log.source.to_s.start_with?('Scope(')

    ["=# #{log.level}", log.issue_code].compact.join(' ')
  end

  def error_line(error)
    original = error.respond_to?(:original) ? error.original : nil
    crashed = CRASHES.any? { |crash| error.instance_of?(crash) || original.instance_of?(crash) } ||
              error.message.match?(CRASH_MESSAGE)
    code = crashed ? 'CRASH' : (error.issue_code if error.respond_to?(:issue_code)) || 'ERROR'
    line = error.line if error.respond_to?(:line)
    column = error.pos if error.respond_to?(:pos)
    "=! #{code} #{line ? "#{line}:#{column || '-'}" : '-'}"
  end

  def utf8(text)
    text.dup.force_encoding(Encoding::UTF_8).scrub
  end

  # Returns a value in Puppet notation, '?' if Puppet cannot print it.
  def text_of(value)
    text = Puppet::Pops::Types::StringConverter.convert(value, '%p')
    utf8(text.match?(/#<.*0x\h{8}/m) ? with_constructors(value) : text)
  rescue StandardError, SystemStackError
    '?'
  end

  def type_of(value)
    Puppet::Pops::Types::TypeCalculator.infer_set(value).to_s
  rescue StandardError, SystemStackError
    '?'
  end
end
