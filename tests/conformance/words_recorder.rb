# frozen_string_literal: true

# Records the outcome in Puppet of every keyword and reserved word in every position: words.md. README.md describes the
# format.

module WordsRecorder
  OUTCOME = /\A=[>!?mpb]( |\z)/.freeze

  module_function

  # Rewrites the outcomes in FILE. The block returns the outcome of a source, its language, and the setting `tasks`.
  def record(file, &ask)
    list = word_list(file)
    count = 0
    rewrite_cases(file, '```words', OUTCOME) do |options, position, line|
      abort "record: #{file}:#{line}: the position has no <word>" unless position.match?(/<word>|<Word>/)
      language = options.include?('epp') ? 'epp' : 'pp'
      modes = language == 'epp' ? ['m'] : %w[m p]
      answers = modes.to_h do |mode|
        [mode, list.group_by { |word| outcome(position, word, ask, language, mode == 'p') }]
      end
      count += list.size * modes.size
      outcome_lines(answers)
    end
    warn "record: #{File.basename(file)}: #{list.size} words, #{count} cases in total"
  end

  # Returns the words in the block `word-list`.
  def word_list(file)
    block = File.read(file, encoding: 'UTF-8')[/^```word-list\n(.*?)^```/m, 1]
    abort "record: #{file} has no block word-list" unless block
    block.split
  end

  # Returns the outcome of one word, with the word itself replaced.
  def outcome(position, word, ask, language, tasks)
    capitalized = word[0].upcase + word[1..]
    source = decode(position.gsub('<word>', word).gsub('<Word>', capitalized))
    outcome = ask.call(source, language, tasks)
    lines = outcome.errors.map { |code, _, _| "=! #{code}" }
    lines << "=> #{without_word(encode(outcome.pn), word, capitalized)}" if outcome.accepted?
    lines + outcome.warnings.map { |code, _, _| "=? #{code}" }
  end

  def without_word(tree, word, capitalized)
    tree.gsub(/"(?:\\.|[^"\\])*"/) do |text|
      text.gsub(/(?<![\w-])(?:#{Regexp.escape(word)}|#{Regexp.escape(capitalized)})(?![\w-])/) do |found|
        found == word ? '<word>' : '<Word>'
      end
    end
  end

  def outcome_lines(answers)
    largest = answers.transform_values { |groups| groups.max_by { |_, words| words.size }.first }
    answers.values.flat_map(&:keys).uniq.flat_map do |outcome|
      lists = answers.filter_map do |mode, groups|
        next unless groups[outcome]

        [mode, largest[mode] == outcome ? '...' : groups[outcome].join(' ')]
      end
      lists = [['b', lists[0][1]]] if lists.size == 2 && lists[0][1] == lists[1][1]
      outcome + lists.map { |mode, words| "=#{mode} #{words}" }
    end
  end
end
