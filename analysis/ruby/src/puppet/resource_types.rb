# Model of `Puppet::Type` for the evaluator, limited to validation and conversion of attribute values. It is evaluated before a
# type's file. It is never executed by Ruby and contains no code of Puppet. `Puppet::Evaluator.give_up` marks results that depend on
# the provider, the machine or the catalog.

module Puppet
  module Util
    POSIX_PATH = %r{\A/}
    WINDOWS_PATH = %r{\A(?:[A-Za-z]:[\\/]|[\\/][\\/][^\\/]+[\\/][^\\/]+|[\\/][\\/]\?[\\/][^\\/]+)}

    def self.absolute_path?(path, platform = nil)
      platform ||= Puppet::Util::Platform.windows? ? :windows : :posix
      raise ArgumentError, 'unknown platform' unless [:posix, :windows].include?(platform)

      !(path =~ (platform == :windows ? WINDOWS_PATH : POSIX_PATH)).nil?
    end

    def absolute_path?(path, platform = nil)
      Puppet::Util.absolute_path?(path, platform)
    end

    module Platform
      def self.windows?
        Puppet::Evaluator.windows?
      end
    end
  end

  module Coercion
    def self.boolean(value)
      value = value.downcase if value.is_a?(String) || value.is_a?(Symbol)
      return true if [true, :true, 'true', :yes, 'yes'].include?(value)
      return false if [false, :false, 'false', :no, 'no'].include?(value)

      raise 'expected a boolean value'
    end

    def self.boolean_values
      %w[true false yes no]
    end
  end

  # Methods of both attributes and resources.
  module Words
    def fail(*arguments)
      raise Puppet::Error, arguments.join(' ') unless Puppet::Evaluator.error?(arguments.first)

      raise arguments.first, arguments.drop(1).join(' ')
    end

    def devfail(*arguments)
      raise Puppet::DevError, arguments.join(' ')
    end

    def debug(*_arguments) end
    def info(*_arguments) end
    def notice(*_arguments) end
    def warning(*_arguments) end
    def err(*_arguments) end

    def absolute_path?(path, platform = nil)
      Puppet::Util.absolute_path?(path, platform)
    end
  end

  class Parameter
    include Puppet::Words
    # The real class has more methods than this model.
    include Puppet::Evaluator::Unknown

    class << self
      def begin_attribute(name, is_property)
        @attribute_name = name
        @is_property = is_property
        @listed = []
        @patterns = []
        @aliases = {}
        @needs_features = []
        @features_of_values = {}
        @is_name_variable = false
        @matches_all = false
        @is_unknown = false
        prepare
      end

      def prepare; end

      def name
        @attribute_name
      end

      def property?
        @is_property
      end

      def take_options(options)
        options.each do |option, value|
          case option
          when :namevar then @is_name_variable = value
          when :required_features, :required_feature then @needs_features = [value].flatten
          when :array_matching then @matches_all = value == :all
          end
        end
      end

      def newvalue(name, options = {}, &_block)
        if name.is_a?(Regexp)
          @patterns << name
        else
          name = symbol_of(name)
          @listed << name unless @listed.include?(name)
          features = options[:required_features] || options[:required_feature]
          @features_of_values[name] = [features].flatten if features
        end
      end

      def newvalues(*names)
        names.each { |name| newvalue(name) }
      end

      def aliasvalue(name, other)
        @aliases[symbol_of(name)] = symbol_of(other)
      end

      def symbol_of(value)
        case value
        when Symbol, '' then value
        when String then value.to_sym
        when true then :true
        when false then :false
        else value.to_s.to_sym
        end
      end

      # Returns the listed value or the pattern that matches, or nil.
      def listed_value(value)
        name = symbol_of(value)
        name = @aliases[name] if @aliases.key?(name)
        return name if @listed.include?(name)

        @patterns.find { |pattern| pattern =~ value.to_s }
      end

      def check_listed(value)
        return if @listed.empty? && @patterns.empty?
        return if listed_value(value)

        words = []
        words << "one of #{@listed.join(', ')}" unless @listed.empty?
        words << "#{'or ' unless words.empty?}a match for #{@patterns.map { |it| it.inspect }.join(', ')}" unless @patterns.empty?
        raise ArgumentError, "expected #{words.join(' ')}, got #{value.inspect}"
      end

      def munge_listed(value)
        return value if @listed.empty? && @patterns.empty?

        found = listed_value(value)
        found.nil? || found.is_a?(Regexp) ? value : found
      end

      def features_of(value)
        return nil if @features_of_values.empty?

        found = listed_value(value)
        found.is_a?(Regexp) ? nil : @features_of_values[found]
      end

      def validate(&block)
        define_method(:unsafe_validate, &block)
      end

      def munge(&block)
        define_method(:unsafe_munge, &block)
      end

      def unmunge(&block)
        define_method(:unmunge, &block)
      end

      def defaultto(value = nil, &block)
        @has_default = true
        if block
          define_method(:default, &block)
        else
          define_method(:default) { value }
        end
      end

      def nodefault
        define_method(:default) { nil }
      end

      def isnamevar
        @is_name_variable = true
      end

      def isnamevar?
        @is_name_variable || (@attribute_name == :name && !@is_property)
      end

      def name_variable?
        isnamevar?
      end

      # Marks the attribute as one whose behavior is not known.
      def mark_unknown
        @is_unknown = true
      end

      # Returns true if Puppet may ignore the attribute.
      def uncertain?(type, provider)
        @is_unknown || !(@needs_features.empty? || type.provided?(@needs_features, provider))
      end

      def required_features=(features)
        @needs_features = [features].flatten
      end

      def array_matching=(value)
        @matches_all = value == :all
      end

      def match_all?
        @matches_all
      end

      def desc(*_texts) end
      def doc=(_text) end
      def isrequired; end
      def sensitive(*_value) end
      def proxymethods(*_names) end
      def log_only_changed_or_new_keys=(_value) end
      def idempotent=(_value) end
      def unmanaged=(_value) end
      def metaparam=(_value) end
      def to_s
        "Puppet::Parameter::#{@attribute_name}"
      end
    end

    attr_reader :resource

    def initialize(resource)
      @resource = resource
      @shouldorig = Puppet::Evaluator.unknown
    end

    def name
      self.class.name
    end

    def provider
      @resource.provider
    end

    def default
      nil
    end

    def unsafe_validate(value)
      self.class.check_listed(value)
    end

    def unsafe_munge(value)
      self.class.munge_listed(value)
    end

    def unmunge(value)
      value
    end

    def validate(value)
      unsafe_validate(value)
    rescue ArgumentError, Puppet::Error, TypeError
      raise
    rescue StandardError => e
      raise Puppet::DevError, e.message
    end

    def munge(value)
      unsafe_munge(value)
    rescue Puppet::Error
      raise
    rescue StandardError => e
      raise Puppet::DevError, e.message
    end

    def value
      unmunge(@value)
    end

    def value=(value)
      validate(value)
      @value = munge(value)
    end

    # Returns the final value.
    def final_value
      @value
    end

    def to_s
      name.to_s
    end
  end

  class Property < Parameter
    def unsafe_validate(value)
      super
      features = self.class.features_of(value)
      Puppet::Evaluator.give_up if features && !@resource.class.provided?(features, @resource.provider_name)
    end

    def should
      return nil if @should.nil?
      return @should.map { |it| unmunge(it) } if match_all?

      unmunge(@should[0])
    end

    def should=(values)
      values = [values] unless values.is_a?(Array)
      values.each { |it| validate(it) }
      @should = values.map { |it| munge(it) }
    end

    def match_all?
      self.class.match_all?
    end

    def value
      should
    end

    def value=(values)
      self.should = values
    end

    def final_value
      @should
    end

    class Ensure < Property
      def self.defaultvalues
        newvalue(:present)
        newvalue(:absent)
        defaultto { @resource.managed? ? :present : nil }
      end
    end

    class Boolean < Property
      def unsafe_munge(value)
        Puppet::Coercion.boolean(value)
      end
    end

    class List < Property
    end

    class OrderedList < List
    end

    class KeyValue < Property
      def separator
        '='
      end

      def delimiter
        ';'
      end

      def unsafe_validate(value)
        raise ArgumentError, 'expected a hash, or strings with a key and a value' unless value.is_a?(String) || value.is_a?(Hash)
        return if value.is_a?(Hash)
        raise ArgumentError, "expected a key and a value separated by '#{separator}'" unless value.include?(separator)
      end

      def unsafe_munge(value)
        return value if value.is_a?(String)

        value.to_h { |key, it| [key.to_s.strip.to_sym, it.to_s] }
      end
    end
  end

  class Parameter
    class Boolean < Puppet::Parameter
      def self.prepare
        newvalues('true', 'false', 'yes', 'no')
      end

      def unsafe_munge(value)
        Puppet::Coercion.boolean(value)
      end
    end

    class Path < Puppet::Parameter
      class << self
        def accept_arrays(value = true)
          @accepts_arrays = value
        end

        def arrays?
          @accepts_arrays
        end
      end

      def unsafe_validate(paths)
        fail 'expected a single path, got an array' if paths.is_a?(Array) && !self.class.arrays?
        fail 'expected an absolute path' unless Array(paths).all? { |path| absolute_path?(path) }

        paths
      end

      def unsafe_munge(paths)
        paths
      end
    end

    class PackageOptions < Puppet::Parameter
      def unsafe_munge(values)
        Puppet::Evaluator.give_up
      end
    end
  end

  # Model of a provider, limited to its features.
  class ProviderModel
    class << self
      def begin_provider(parent)
        @features = parent.nil? ? [] : parent.features.dup
      end

      def features
        @features
      end

      def has_feature(*names)
        @features += names.flatten.map(&:to_sym)
      end

      def has_features(*names)
        has_feature(*names)
      end

      def desc(*_texts) end
      def commands(*_commands) end
      def optional_commands(*_commands) end
      def has_command(*_command) end
      def environment_commands(*_commands) end
      def confine(*_conditions) end
      def defaultfor(*_conditions) end
      def notdefaultfor(*_conditions) end
      def mk_resource_methods; end
      def initvars; end
    end
  end

  class Type
    include Puppet::Words
    include Puppet::Evaluator::Unknown

    class << self
      def begin_type(name)
        @type_name = name
        @attribute_classes = {}
        @own_title_patterns = false
      end

      def name
        @type_name
      end

      def attribute_classes
        @attribute_classes
      end

      def newparam(name, options = {}, &block)
        new_attribute(name, options, options.key?(:parent) ? options[:parent] : Puppet::Parameter, false, block)
      end

      def newproperty(name, options = {}, &block)
        new_attribute(name, options, options.key?(:parent) ? options[:parent] : Puppet::Property, true, block)
      end

      def new_attribute(name, options, parent, is_property, block)
        name = name.to_sym
        is_known = Puppet::Evaluator.class?(parent)
        attribute = Class.new(is_known ? parent : Puppet::Parameter)
        attribute.begin_attribute(name, is_property)
        attribute.take_options(options)
        if is_known
          attribute.mark_unknown unless block.nil? || Puppet::Evaluator.evaluates? { attribute.class_eval(&block) }
        else
          attribute.mark_unknown
        end
        @attribute_classes[name] = attribute
        attribute
      end

      def ensurable(&block)
        attribute = Class.new(Puppet::Property::Ensure)
        attribute.begin_attribute(:ensure, true)
        if block
          attribute.mark_unknown unless Puppet::Evaluator.evaluates? { attribute.class_eval(&block) }
        else
          attribute.defaultvalues
        end
        @attribute_classes[:ensure] = attribute
      end

      def validate(&block)
        define_method(:validate, &block)
      end

      def desc(*_texts) end
      def doc=(_text) end
      def feature(name, *_arguments)
        (@declared_features ||= []) << name.to_sym
      end

      def autorequire(*_arguments) end
      def autobefore(*_arguments) end
      def autonotify(*_arguments) end
      def autosubscribe(*_arguments) end
      def isomorphic=(_value) end
      def apply_to_all; end
      def apply_to_host; end
      def apply_to_device; end

      def validattr?(name)
        @attribute_classes.key?(name.to_sym) || name.to_sym == :provider || Puppet::Evaluator.metaparameter?(name.to_s)
      end

      def attrclass(name)
        @attribute_classes[name.to_sym]
      end

      def key_attributes
        @attribute_classes.keys.select { |it| @attribute_classes[it].name_variable? }
      end

      def name_var
        keys = key_attributes
        keys.size == 1 ? keys.first : nil
      end

      # Types without features do not depend on their providers.
      def load_providers
        @provider_names ||= Puppet::Evaluator.providers(@type_name) if @declared_features
      end

      # Returns true if the provider has the features; if it is not known, all providers must have them.
      def provided?(features, provider)
        features = features.map(&:to_sym)
        # A provider cannot have features that the type does not declare.
        return false unless (features - (@declared_features || [])).empty?

        load_providers
        names = provider.nil? ? @provider_names : [provider.to_sym]
        found = names.map { |it| providers[it] }
        !found.empty? && found.all? { |it| !it.nil? && (features - it.features).empty? }
      end

      def providers
        @providers ||= {}
      end

      def provide(name, options = {}, &block)
        parent = options[:parent]
        parent = parent.is_a?(Symbol) || parent.is_a?(String) ? providers[parent.to_sym] : nil
        made = Class.new(Puppet::ProviderModel)
        made.begin_provider(parent)
        providers[name.to_sym] = made
        Puppet::Evaluator.evaluates? { made.class_eval(&block) } if block
        made
      end

      # Returns the attributes in the order in which Puppet sets them.
      def order
        properties = @attribute_classes.keys.select { |it| @attribute_classes[it].property? }
        properties = [:ensure] + (properties - [:ensure]) if properties.include?(:ensure)
        (key_attributes + (@attribute_classes.keys & [:provider]) + properties + @attribute_classes.keys).uniq
      end
    end

    attr_reader :title, :provider_name

    def initialize(given)
      @title = given[:title]
      @provider_name = given[:provider]
      @attributes = {}
      @unknown = []
      # Internal state of Puppet.
      @parameters = @original_parameters = @provider = @catalog = Puppet::Evaluator.unknown
    end

    # Sets an attribute that the resource declares.
    def set_given(name, value)
      attribute = self.class.attrclass(name)
      # Puppet ignores the attribute if the provider lacks its required features.
      Puppet::Evaluator.give_up if attribute.nil? || uncertain?(attribute)
      @attributes.delete(name)
      self[name] = value
      @unknown.delete(name)
    end

    # Marks attributes as unknown.
    def mark_unknown_attributes(names)
      @unknown = names
    end

    def clear_attribute(name)
      @attributes.delete(name)
      @unknown << name unless @unknown.include?(name)
    end

    def set_default(name)
      attribute = self.class.attrclass(name)
      return if attribute.nil? || @attributes.key?(name) || @unknown.include?(name)

      Puppet::Evaluator.give_up if uncertain?(attribute)
      made = attribute.new(self)
      @attributes[name] = made
      value = made.default
      if value
        made.value = value
      else
        @attributes.delete(name)
      end
    end

    def uncertain?(attribute)
      attribute.uncertain?(self.class, @provider_name)
    end

    def final_value(name)
      @attributes[name].final_value
    end

    def [](name)
      name = attribute_name(name)
      Puppet::Evaluator.give_up if @unknown.include?(name)
      attribute = @attributes[name]
      attribute ? attribute.value : nil
    end

    def []=(name, value)
      name = attribute_name(name)
      raise Puppet::Error, "missing value for #{name}" if value.nil?

      attribute = @attributes[name]
      if attribute.nil?
        attribute = self.class.attrclass(name).new(self)
        @attributes[name] = attribute
      end
      attribute.value = value
    end

    def attribute_name(name)
      name = name.to_sym
      return name if self.class.attribute_classes.key?(name)

      fail "unknown attribute #{name}" unless self.class.validattr?(name)
      Puppet::Evaluator.give_up if self.class.attrclass(name).nil?
      name = self.class.name_var || name if name == :name
      name
    end

    def value(name)
      self[name]
    end

    def should(name)
      self[name]
    end

    def name
      self[:name]
    end

    def parameter(name)
      Puppet::Evaluator.give_up if @unknown.include?(name)
      @attributes[name.to_sym]
    end

    def property(name)
      parameter(name)
    end

    def provider
      Puppet::Evaluator.give_up
    end

    def catalog
      Puppet::Evaluator.give_up
    end

    def managed?
      return true if @attributes.values.any? { |it| it.class.property? && it.should }

      @unknown.empty? ? false : Puppet::Evaluator.give_up
    end

    def ref
      "#{self.class.name.to_s.split('::').map { |it| it.capitalize }.join('::')}[#{title}]"
    end

    def to_s
      ref
    end

    def validate; end

    class << self
      def made
        @made ||= {}
      end
    end

    def self.newtype(name, _options = {}, &block)
      type = Class.new(Puppet::Type)
      type.begin_type(name.to_sym)
      type.class_eval(&block) if block
      Puppet::Type.made[name.to_sym] = type
      type
    end

    def self.type(name)
      Puppet::Type.made[name.to_sym] || Puppet::Evaluator.give_up
    end
  end
end
