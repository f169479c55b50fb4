# Model of Facter for the evaluator, which evaluates it before the files that add facts. It is never executed by Ruby and contains
# no code of Facter. `Puppet::Evaluator.fact` returns a fact that Facter provides without those files; `Puppet::Evaluator.give_up`
# marks results that depend on the machine.

module Facter
  class << self
    def made
      @made ||= {}
    end

    def add(name, options = {}, &block)
      name = name.to_s.downcase
      fact = made[name] || FactOfFiles.new(name)
      made[name] = fact
      fact.add_resolution(options, block)
      fact
    end

    # The file may contain further resolutions that cannot be evaluated.
    def mark_unclear(name)
      add(name) { setcode { Puppet::Evaluator.give_up } }
      made[name].unclear
    end

    def define_fact(name, options = {}, &block)
      add(name, options, &block)
    end

    def fact(name)
      name = name.to_s.downcase
      return FactOfMachine.made(name) if made[name].nil? || Puppet::Evaluator.final?(name)

      made[name]
    end

    def [](name)
      fact(name)
    end

    def value(name)
      found = fact(name)
      found.nil? ? nil : found.value
    end

    def debug(*_texts) end
    def debugonce(*_texts) end
    def warn(*_texts) end
    def warnonce(*_texts) end
    def log_exception(*_arguments) end

    def debugging?
      false
    end

    def loadfacts; end
  end

  # Fact provided by Facter itself.
  class FactOfMachine
    attr_reader :name, :value

    def self.made(name)
      value = Puppet::Evaluator.fact(name)
      value.nil? ? nil : new(name, value)
    end

    def initialize(name, value)
      @name = name
      @value = value
    end
  end

  class FactOfFiles
    attr_reader :name

    def initialize(name)
      @name = name
      @resolutions = []
      @is_started = false
      @is_unclear = false
      @is_found = false
    end

    def add_resolution(options, block)
      kind = options[:type] == :aggregate ? AggregateResolution : Resolution
      resolution = kind.new(options)
      resolution.instance_eval(&block) if block
      @resolutions << resolution
    end

    def unclear
      @is_unclear = true
    end

    # Returns nil if the fact has no value.
    def value
      Puppet::Evaluator.give_up if @is_unclear
      return @found if @is_found

      # The fact depends on itself, or an earlier evaluation did not complete.
      Puppet::Evaluator.give_up if @is_started
      @is_started = true
      found = own_value
      found = Puppet::Evaluator.fact(@name) if found.nil?
      @is_found = true
      @found = found
    end

    def own_value
      suitable = @resolutions.select { |it| it.suitable? }
      weights = suitable.map { |it| it.weight }.uniq.sort.reverse
      weights.each do |weight|
        found = suitable.select { |it| it.weight == weight }.map { |it| it.value }.reject { |it| it.nil? }
        next if found.empty?

        # The order of resolutions with equal weight is unspecified.
        Puppet::Evaluator.give_up if found.uniq.size > 1
        return found.first
      end
      nil
    end

    def resolution(_name)
      Puppet::Evaluator.give_up
    end
  end

  class Resolution
    def initialize(options)
      @confines = []
      @weight = options[:weight] || options[:has_weight]
      @value = options[:value]
    end

    def has_weight(weight)
      @weight = weight
      self
    end

    def weight
      @weight || @confines.size
    end

    def timeout=(_seconds) end
    def on_flush; end

    def confine(given = nil, &block)
      if given.is_a?(Hash)
        given.each { |fact, values| @confines << [fact, [values].flatten, nil] }
      else
        @confines << [given, [], block]
      end
    end

    def suitable?
      @confines.all? { |fact, values, block| confined?(fact, values, block) }
    end

    def confined?(fact, values, block)
      return (block.call ? true : false) if fact.nil?

      found = Facter.fact(fact)
      return false if found.nil?

      value = comparable(found.value)
      return false if value.nil?
      return (block.call(value) ? true : false) if block

      values.any? { |it| comparable(it) === value }
    end

    def comparable(value)
      value.is_a?(Symbol) || value.is_a?(String) ? value.to_s.downcase : value
    end

    def setcode(command = nil, &block)
      @command = command
      @code = block
    end

    def value
      return @value unless @value.nil?

      Puppet::Evaluator.give_up if @command
      return nil if @code.nil?

      begin
        usable(@code.call)
      rescue StandardError
        nil
      end
    end

    # Fact values contain strings instead of symbols.
    def usable(value)
      case value
      when Symbol then value.to_s
      when Array then value.map { |it| usable(it) }
      when Hash then value.to_h { |key, it| [key.is_a?(Symbol) ? key.to_s : key, usable(it)] }
      else value
      end
    end
  end

  class AggregateResolution < Resolution
    def chunk(name, options = {}, &block)
      @chunks ||= {}
      @chunks[name] = [[options[:require]].flatten.compact, block]
    end

    def aggregate(&block)
      @aggregate = block
    end

    def value
      begin
        results = {}
        (@chunks || {}).keys.each { |name| chunk_value(name, results, 0) }
        ordered = {}
        (@chunks || {}).keys.each { |name| ordered[name] = results[name] }
        usable(@aggregate ? @aggregate.call(ordered) : merged(ordered.values))
      rescue StandardError
        nil
      end
    end

    def chunk_value(name, results, depth)
      return results[name] if results.key?(name)

      Puppet::Evaluator.give_up if depth > 20 || !@chunks.key?(name)
      needed, block = @chunks[name]
      results[name] = block.call(*needed.map { |it| chunk_value(it, results, depth + 1) })
    end

    def merged(values)
      result = nil
      values.each { |value| result = result.nil? ? value : merge(result, value) }
      result
    end

    def merge(left, right)
      return left + right if left.is_a?(Array) && right.is_a?(Array)

      if left.is_a?(Hash) && right.is_a?(Hash)
        return left.merge(right) { |_, one, other| merge(one, other) }
      end

      right.nil? ? left : Puppet::Evaluator.give_up
    end
  end

  module Util
    class Resolution
      def self.exec(_command)
        Puppet::Evaluator.give_up
      end

      def self.which(_command)
        Puppet::Evaluator.give_up
      end
    end
  end

  module Core
    module Execution
      def self.exec(_command)
        Puppet::Evaluator.give_up
      end

      def self.execute(_command, _options = {})
        Puppet::Evaluator.give_up
      end

      def self.which(_command)
        Puppet::Evaluator.give_up
      end
    end
  end
end
