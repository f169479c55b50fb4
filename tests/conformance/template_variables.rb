# frozen_string_literal: true

# Variables for ERB templates, guessed from the way the template's code uses them.

module TemplateVariables
  # Operations on a variable, and the type that they suggest.
  HASH = /\.(?:each_pair|keys|key\?|has_key\?|values|each_key|merge|sort_by \{ \|k|each(?:_with_index)? (?:do|\{) ?\|\(?[a-z_]+, ?[a-z_]+|map (?:do|\{) ?\|[a-z_]+, ?[a-z_]+|sort\.(?:each|map) ?(?:do|\{) ?\|[a-z_]+, ?[a-z_]+)/.freeze
  ARRAY = /\.(?:each|map|collect|join|sort|flatten|compact|reject|select|uniq|inject|first|last|shift|any\?|zip)\b/.freeze
  NUMBER = /\.to_i|\s*(?:>=|<=|>|<|\*|-) *\d/.freeze

  module_function

  def guess(text, reference, deep)
    mentions = text.scan(/#{reference}[^@\n]*/)
    return { 'one' => deep ? { 'a' => 'b' } : 'x', 'two' => deep ? { 'c' => 'd' } : 'y' } if mentions.grep(/\A#{reference}#{HASH}/).any?
    return deep ? [{ 'name' => 'n', 'path' => '/p' }] : %w[b a] if mentions.grep(/\A#{reference}\)?#{ARRAY}/).any?
    return 5 if mentions.grep(/\A#{reference}#{NUMBER}/).any?
    return '2.4.6' if text.match?(/versioncmp\(\[ *#{reference}/)

    deep ? true : 'text'
  end

  # Returns [variables, variables of classes] for each rendering.
  def variants(text)
    names = text.scan(/@(\w+)/).flatten.uniq.reject { |name| name.start_with?('_') }
    names -= %w[title name module_name environment facts trusted server_facts]
    names.select! { |name| name.match?(/\A[a-z]/) } # others cannot be set in Puppet
    others = text.scan(/scope(?:\.lookupvar\(|\[)\s*['"](?:::)?([a-z0-9_:]+)['"]/).flatten.uniq
    qualified, plain = others.partition { |name| name.include?('::') }
    builds = [
      ->(*) { nil },
      ->(*) { 'text' },
      ->(reference) { guess(text, reference, false) },
      ->(reference) { guess(text, reference, true) },
      ->(*) { %w[b a] },
      ->(*) { true },
      ->(*) { { 'b' => 'x', 'a' => 'y' } },
      ->(*) { 12 }
    ]
    builds.map do |build|
      own = (names + plain).uniq.to_h { |name| [name, build.call("@#{name}")] }.compact
      classes = qualified.to_h { |name| [name, build.call(/['"](?:::)?#{name}['"][\])]/)] }
      [own, classes]
    end
  end

  # Returns classes that hold these variables, by `class::variable`.
  def classes_with(variables)
    variables.group_by { |name, _| name[/\A(.*)::/, 1] }.map do |name, all|
      body = all.map { |variable, value| "$#{variable[/\w+\z/]} = #{notation(value)}" }
      "class #{name} { #{body.join("\n")} }\ninclude #{name}\n"
    end.join
  end

  # Returns a program that renders the template of a module and declares a notify with the result.
  def program(own, of_classes, template)
    variables = own.map { |name, value| "$#{name} = #{notation(value)}\n" }.join
    "#{classes_with(of_classes)}#{variables}notify { 'result': message => template('#{template}') }"
  end

  def notation(value)
    value.nil? ? 'undef' : value.inspect
  end
end
