# frozen_string_literal: true

# Reads data files and performs lookups with Ruby and Puppet, and rewrites the outcomes in hiera/*.jsonl. README.md
# describes the format.

require 'json'
require 'digest'
require 'fileutils'
require 'puppet'
require 'puppet_pal'
require_relative 'recording'

module HieraRecorder
  module_function

  FORMATS = %w[yaml json hocon].freeze

  def record(modules, work)
    FORMATS.each { |format| record_texts(File.join(HERE, 'hiera', "#{format}.jsonl"), format) }
    record_written(File.join(HERE, 'hiera', 'written.jsonl'))
    record_corpus(modules, File.join(HERE, 'hiera', 'corpus.tsv'))
    record_conversions(File.join(HERE, 'hiera', 'conversions.jsonl'), File.join(work, 'conversions'))
    %w[lookups random].each { |name| record_lookups(File.join(HERE, 'hiera', "#{name}.jsonl"), File.join(work, name)) }
  end

  # Formats a value the way the tests format ours.
  def show(value)
    case value
    when nil then 'undef'
    when true, false then value.to_s
    when Integer then value.bit_length < 64 ? value.to_s : '?' # ours end at 64 bits
    when Float then float(value)
    when String then text(value)
    when Symbol then ':symbol'
    when Array then "[#{value.map { |it| show(it) }.join(', ')}]"
    when Hash then "{#{value.map { |key, it| "#{show(key)} => #{show(it)}" }.join(', ')}}"
    when Puppet::Pops::Types::PSensitiveType::Sensitive then "Sensitive(#{show(value.unwrap)})"
    else "#{value.class}(#{text(value.to_s)})"
    end
  end

  def float(value)
    return value.nan? ? 'NaN' : value.to_s unless value.finite?

    format('%.17e', value)
  end

  def text(value)
    JSON.generate(value.dup.force_encoding(Encoding::UTF_8).scrub)
  end

  # hiera/FORMAT.jsonl: documents and the values that Ruby reads from them.
  def record_texts(file, format)
    lines = File.readlines(file, encoding: 'UTF-8').map do |line|
      text = JSON.parse(line)['text']
      JSON.generate({ 'text' => text, 'is' => read(format, text) })
    end
    File.write(file, "#{lines.join("\n")}\n")
    warn "record: #{File.basename(file)}: #{lines.size} documents"
  end

  # hiera/written.jsonl: data as JSON with a layout, and the YAML that Ruby writes for it.
  def record_written(file)
    lines = File.readlines(file, encoding: 'UTF-8').map do |line|
      data, layout = JSON.parse(line).values_at('data', 'layout')
      written = JSON.parse(data).to_yaml(layout.transform_keys(&:to_sym))
      JSON.generate({ 'data' => data, 'layout' => layout, 'is' => written })
    end
    File.write(file, "#{lines.join("\n")}\n")
    warn "record: #{File.basename(file)}: #{lines.size} values"
  end

  def read(format, text)
    show(load(format, text))
  rescue StandardError, SystemStackError
    'error'
  end

  def load(format, text)
    case format
    when 'yaml' then strings(Puppet::Util::Yaml.safe_load(text, [Symbol]))
    when 'json' then Puppet::Util::Json.load(text)
    when 'hocon'
      require 'hocon'
      Hocon.parse(text)
    end
  end

  # Converts keys that are symbols to strings, as Hiera does.
  def strings(value)
    Puppet::Pops::Lookup::HieraConfig.symkeys_to_string(value)
  end

  # Data files of the corpus: path, digest of the value that Ruby reads.
  def record_corpus(directory, file)
    paths = Dir.glob('**/*.{yaml,yml,eyaml,json}', File::FNM_DOTMATCH, base: directory).sort
    lines = paths.filter_map do |path|
      full = File.join(directory, path)
      next unless File.file?(full)

      bytes = File.binread(full)
      text = bytes.dup.force_encoding(Encoding::UTF_8)
      next unless text.valid_encoding?

      outcome = read(path.end_with?('.json') ? 'json' : 'yaml', text)
      outcome = Digest::SHA256.hexdigest(outcome) unless outcome == 'error'
      [path, Digest::SHA256.hexdigest(bytes), outcome].join("\t")
    end
    File.write(file, "#{lines.join("\n")}\n")
    warn "record: #{File.basename(file)}: #{lines.size} files"
  end

  # hiera/lookups*.jsonl: setups (files, facts) with the answers to their questions.
  def record_lookups(file, work)
    found = Hash.new(0)
    lines = File.readlines(file, encoding: 'UTF-8').each_with_index.map do |line, index|
      setup = JSON.parse(line)
      setup['is'] = ask(setup, File.join(work, "setup#{index}"))
      setup['is'].each { |it| found[it.start_with?('!') ? :errors : :values] += 1 }
      JSON.generate(setup)
    end
    File.write(file, "#{lines.join("\n")}\n")
    warn "record: #{File.basename(file)}: #{lines.size} setups, #{found[:values]} values, #{found[:errors]} errors"
  end

  # hiera/conversions.jsonl: configurations before and after a conversion to version 5, with the answers to the same
  # questions. Data is in the folder of the global configuration and in the environment.
  def record_conversions(file, work)
    lines = File.readlines(file, encoding: 'UTF-8').each_with_index.map do |line, index|
      setup = JSON.parse(line)
      %w[before after].each do |side|
        root = File.join(work, "#{side}#{index}")
        folder = setup['layer'] == 'global' ? '' : 'env/'
        files = setup['files'].transform_keys { |path| "#{folder}#{path}" }
        files["#{folder}hiera.yaml"] = setup.fetch(side).gsub('/ROOT', root)
        setup["is_#{side}"] = ask(setup.merge('files' => files), root)
      end
      JSON.generate(setup)
    end
    File.write(file, "#{lines.join("\n")}\n")
    warn "record: #{File.basename(file)}: #{lines.size} configurations"
  end

  # Returns the answers to all questions of a setup, each with a new compiler.
  def ask(setup, root)
    setup['files'].each do |path, text|
      path = File.join(root, path)
      FileUtils.mkdir_p(File.dirname(path))
      File.write(path, text)
    end
    FileUtils.mkdir_p(File.join(root, 'env', 'modules'))
    Puppet[:hiera_config] = File.join(root, 'hiera.yaml')
    Puppet[:codedir] = root
    setup['asks'].map do |question|
      outcome = nil
      Puppet::Pal.in_environment('env', env_dir: File.join(root, 'env'), facts: JSON.parse(JSON.generate(setup['facts'] || {}))) do |pal|
        pal.with_catalog_compiler do |compiler|
          Puppet[:strict] = (setup['strict'] || 'warning').to_sym
          Puppet[:strict_variables] = false
          outcome = show(answer(compiler, question))
        rescue StandardError, SystemStackError => e
          warn "#{e.class}: #{e.message}" if ENV['SHOW_ERRORS']
          outcome = "!#{error_kind(e)}"
        end
      end
      outcome.gsub(root, '/ROOT')
    end
  end

  def error_kind(error)
    return 'not found' if error.message.include?('did not find a value')

    'error'
  end

  def answer(compiler, question)
    options = question.reject { |key, _| %w[name function].include?(key) }
    case question['function']
    when nil then compiler.call_function('lookup', question['name'], options)
    else compiler.call_function(question['function'], question['name'], *options['arguments'])
    end
  end
end
