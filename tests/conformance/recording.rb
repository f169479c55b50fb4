# frozen_string_literal: true

# Shared code of the recorders: reading and rewriting case files, and the notation of invisible characters in them.

HERE = __dir__

# Notation in case files of characters that are invisible or that an editor would change.
PICTURES = { "\u2400" => "\0", "\u2409" => "\t", "\u240a" => "\n", "\u240d" => "\r", "\u2420" => ' ' }.freeze
UNSEEN = /[\0-\x1f\x7f\u0080-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/.freeze

def decode(text)
  text.gsub(/[␀␉␊␍␠]/, PICTURES).b.gsub(/\xE2\x80\xB9([0-9A-F ]*)\xE2\x80\xBA/n) { [$1.delete(' ')].pack('H*') }.force_encoding(Encoding::UTF_8)
end

def encode(text)
  return text.b.gsub(/[^\x20-\x7e]/n) { |byte| format('‹%02X›', byte.ord).b }.force_encoding(Encoding::UTF_8) unless text.valid_encoding?

  text.gsub(UNSEEN) { |c| PICTURES.key(c) || "‹#{c.bytes.map { |byte| format('%02X', byte) }.join(' ')}›" }
end

# Starts a Puppet that can parse: with an environment of this name whose files are below `root`, and its log in `logs`.
def start_puppet(work, name, root, logs)
  Puppet.initialize_settings(["--confdir=#{work}/conf", "--vardir=#{work}/var", '--log_level=warning'], false)
  Puppet::Util::Log.close_all
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
  environment = Puppet::Node::Environment.create(name, ["#{root}/modules"], "#{root}/manifests")
  Puppet.push_context(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment))
end

# Rewrites the outcomes in FILE. fence: start of a block of cases; outcome: pattern of an outcome line. A line `=+` instead
# of an outcome prepends the source before it to all later sources of its block. Yields the info string of the fence, the
# source as written in the file, and its line; the block returns the new outcome lines.
def rewrite_cases(file, fence, outcome)
  out = []
  words = nil
  shared = []
  source = []
  in_outcome = false
  File.read(file, encoding: 'UTF-8').split("\n", -1).each_with_index do |line, index|
    if words.nil?
      words = line.split.drop(1) if line == fence || line.start_with?("#{fence} ")
      shared = []
      in_outcome = false
      out << line
    elsif line == '```'
      abort "record: #{file}:#{index + 1}: the last case of the block has no outcome line" unless source.empty?
      words = nil
      out << line
    elsif line == '=+'
      shared = source
      source = []
      in_outcome = false
      out << line
    elsif line.match?(outcome)
      next if in_outcome # an old outcome of the case just recorded

      abort "record: #{file}:#{index + 1}: outcome without a source" if source.empty?
      out.concat(yield(words, (shared + source).join("\n"), index + 1))
      source = []
      in_outcome = true
    else
      in_outcome = false
      source << line unless source.empty? && line.empty?
      out << line
    end
  end
  abort "record: #{file}: unterminated block of cases" if words
  File.write(file, out.join("\n"))
end
