# frozen_string_literal: true

# Catalogs as JSON in canonical order.

require_relative 'puppet_compiler'

# Replaces the path of the corpus with $MODULES.
def under(string, modules)
  string.gsub(modules, '$MODULES')
end

def canonical(catalog, modules)
  resources = catalog.resources.map do |resource|
    one = { type: resource.type.to_s, title: resource.title.to_s, params: parameters(resource) }
    one[:exported] = true if resource.exported
    one[:sensitive] = resource.sensitive_parameters.map(&:to_s).sort unless resource.sensitive_parameters.empty?
    one[:file] = under(resource.file, modules) if resource.file
    one[:line] = resource.line if resource.line
    one
  end
  { resources: resources.sort_by { |it| [it[:type], it[:title]] },
    edges: catalog.edges.map { |edge| [edge.source.ref, edge.target.ref] }.sort,
    classes: catalog.classes.map(&:to_s).sort }
end

# Omits a parameter that only repeats the title, as Puppet does when it sends a catalog.
def parameters(resource)
  key = resource.send(:namevar)
  pairs = resource.to_hash.reject { |name, value| value.nil? || (name == key && value == resource.title) }
  pairs.map { |name, value| [name.to_s, data(value)] }.reject { |_, value| value.nil? }.sort.to_h
end

# Encodes values without a JSON equivalent as an object with one key that starts with two underscores.
def data(value)
  case value
  when nil, :undef then nil
  when true, false, Integer then value
  when Float then value.finite? ? value : { __float: value.to_s }
  when :default then { __ptype: 'Default' }
  when Symbol then value.to_s
  when String
    string = value.dup.force_encoding(Encoding::UTF_8)
    string.valid_encoding? ? string : { __bytes: [value].pack('m0') }
  when Array then value.map { |it| data(it) }
  when Hash
    return { __phash: value.map { |key, it| [data(key), data(it)] } } unless value.keys.all? { |it| it.is_a?(String) || it.is_a?(Symbol) }

    value.to_h { |key, it| [key.to_s, data(it)] }
  when Puppet::Resource then value.ref
  else { __p: PuppetCompiler.text(Puppet::Pops::Types::StringConverter.convert(value, '%p')) }
  end
end
