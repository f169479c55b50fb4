# frozen_string_literal: true

# What the recorders share: how case files are read and rewritten, and how unseen characters stand in them.

HERE = __dir__

# Characters that no reader could see or that an editor would change, as they stand in a case file.
PICTURES = { "\u2400" => "\0", "\u2409" => "\t", "\u240a" => "\n", "\u240d" => "\r", "\u2420" => ' ' }.freeze
UNSEEN = /[\0-\x1f\x7f\u0080-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/.freeze

def decode(text)
  text.gsub(/[␀␉␊␍␠]/, PICTURES).b.gsub(/\xE2\x80\xB9([0-9A-F ]*)\xE2\x80\xBA/n) { [$1.delete(' ')].pack('H*') }.force_encoding(Encoding::UTF_8)
end

def encode(text)
  return text.b.gsub(/[^\x20-\x7e]/n) { |byte| format('‹%02X›', byte.ord).b }.force_encoding(Encoding::UTF_8) unless text.valid_encoding?

  text.gsub(UNSEEN) { |c| PICTURES.key(c) || "‹#{c.bytes.map { |byte| format('%02X', byte) }.join(' ')}›" }
end

# A Puppet that parses: with an environment of this name whose files are below `root`, and what it logs in `logs`.
def start_puppet(work, name, root, logs)
  Puppet.initialize_settings(["--confdir=#{work}/conf", "--vardir=#{work}/var", '--log_level=warning'], false)
  Puppet::Util::Log.close_all
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
  environment = Puppet::Node::Environment.create(name, ["#{root}/modules"], "#{root}/manifests")
  Puppet.push_context(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment))
end

# Rewrites the outcomes in FILE. fence: what a block of cases begins with; outcome: what an outcome line looks like.
# A line `=+` instead of an outcome puts the source before it in front of all later sources of its block.
# The block gets the words of the fence, the source as it stands in the file and its line; it returns the new
# outcome lines.
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

      abort "record: #{file}:#{index + 1}: an outcome without a source" if source.empty?
      out.concat(yield(words, (shared + source).join("\n"), index + 1))
      source = []
      in_outcome = true
    else
      in_outcome = false
      source << line unless source.empty? && line.empty?
      out << line
    end
  end
  abort "record: #{file}: a block of cases is not closed" if words
  File.write(file, out.join("\n"))
end
