#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the data of an installed Puppet and Facter that analysis/plugins/data describes, as one table.
#
#   ruby built_in.rb record [MODULES]   writes built_in.tsv next to this script; a Rust test compares the data files with it
#   ruby built_in.rb check [MODULES]    prints where the installed Puppet differs from built_in.tsv
#
# MODULES is a folder of modules; the *_core ones in it are included. Without it (or in check, without them) their rows are
# left unchanged. Lines, with tabs between the fields:
#
#   type       NAME MODULE        its features, its providers, and `title_patterns`, each after its keyword
#   attribute  TYPE NAME          kind and flags; values, aliases, patterns, required features
#   fact       NAME               `core`, or `legacy` with the name of the fact that it aliases
#   value      PATH               the type of a fact on a real machine (Debian 12); `*` replaces a variable name

require 'json'
require 'puppet'
require 'facter'

HERE = __dir__
TABLE = "#{HERE}/built_in.tsv"
CORE = %w[component exec file filebucket group notify package resources schedule service stage tidy user whit].freeze
OF_MODULES = {
  'augeas_core' => %w[augeas], 'cron_core' => %w[cron], 'host_core' => %w[host], 'mount_core' => %w[mount],
  'scheduled_task' => %w[scheduled_task], 'selinux_core' => %w[selboolean selmodule],
  'sshkeys_core' => %w[ssh_authorized_key sshkey], 'yumrepo_core' => %w[yumrepo], 'zfs_core' => %w[zfs zpool],
  'zone_core' => %w[zone]
}.freeze
SYSTEMS = %i[Linux Debian Rhel Sles Gentoo Windows Macosx Solaris Aix Freebsd Bsd].freeze
# Hashes whose keys are names of devices, interfaces, and so on.
BY_NAME = %w[disks mountpoints partitions networking.interfaces ssh dhcp_servers].freeze

def pattern(regexp)
  regexp.options.zero? ? regexp.source : regexp.inspect
end

# Returns true if the list alone decides which values are valid, without custom validation or munging.
def closed?(attribute)
  own = [attribute.instance_method(:unsafe_validate).owner, attribute.instance_method(:validate).owner]
  (own - [Puppet::Parameter, Puppet::Property]).empty?
end

def attribute_row(owner, attribute)
  values = attribute.value_collection
  literals = values.instance_variable_get(:@strings)
  patterns = values.instance_variable_get(:@regexes)
  flags = [attribute < Puppet::Property ? 'property' : 'parameter']
  flags << 'namevar' if attribute.isnamevar? || attribute.name == :name
  flags << 'array' if attribute < Puppet::Property && attribute.array_matching == :all
  flags << 'closed' if !values.empty? && closed?(attribute)
  aliases = literals.flat_map { |value| (value.aliases || []).map { |other| "#{other}=#{value.name}" } }
  fields = [literals.map(&:name), aliases, patterns.map { |it| pattern(it.name) }, attribute.required_features || []]
  ['attribute', owner, attribute.name, flags.join(' '), *fields.map { |it| it.join(' ') }].join("\t")
end

def type_rows(name, from)
  type = Puppet::Type.type(name.to_sym) or return []
  words = ["features #{type.features.sort.join(' ')}", "providers #{type.providers.sort.join(' ')}"]
  words << 'title_patterns' if type.singleton_methods(false).include?(:title_patterns)
  attributes = type.allattrs.reject { |it| Puppet::Type.metaparam?(it) }.sort
  [['type', name, from, *words].join("\t"), *attributes.map { |it| attribute_row(name, type.attrclass(it)) }]
end

def metaparameter_rows
  names = []
  Puppet::Type.eachmetaparam { |name| names << name }
  names.sort.map { |name| attribute_row('metaparameter', Puppet::Type.metaparamclass(name)) }
end

# Returns the names of the facts of all systems, from the constants by which Facter finds them.
def fact_rows
  files = $LOAD_PATH.flat_map { |folder| Dir["#{folder}/facter/facts/**/*.rb"] }
  files.sort.each { |file| require file }
  SYSTEMS.each { |system| Facter::ClassDiscoverer.instance.discover_classes(system) }
  classes = ObjectSpace.each_object(Class).select { |it| it.name.to_s.start_with?('Facts::') && it.const_defined?(:FACT_NAME) }
  rows = classes.flat_map do |fact|
    name = fact::FACT_NAME
    legacy = fact.const_defined?(:TYPE) && fact::TYPE == :legacy
    others = fact.const_defined?(:ALIASES) ? Array(fact::ALIASES) : []
    [legacy ? "fact\t#{name}\tlegacy\t" : "fact\t#{name}\tcore"] + others.map { |it| "fact\t#{it}\tlegacy\t#{name}" }
  end
  rows.uniq.sort
end

def type_of(value)
  case value
  when Hash then 'Hash'
  when Array then 'Array'
  when Integer then 'Integer'
  when Float then 'Float'
  when true, false then 'Boolean'
  else 'String'
  end
end

def value_rows(facts, prefix = nil)
  rows = facts.flat_map do |name, value|
    path = [prefix, BY_NAME.include?(prefix) ? '*' : name].compact.join('.')
    ["value\t#{path}\t#{type_of(value)}", *(value.is_a?(Hash) ? value_rows(value, path) : [])]
  end
  rows.uniq.sort
end

def look(modules)
  Dir["#{modules}/*/lib"].each { |folder| $LOAD_PATH << folder if OF_MODULES.key?(File.basename(File.dirname(folder))) } if modules
  Puppet.initialize_settings(%w[--confdir=/nonexistent --vardir=/nonexistent --log_level=crit], false)
  core = CORE.sort.flat_map { |name| type_rows(name, '-') }
  others = OF_MODULES.flat_map { |from, names| names.flat_map { |name| type_rows(name, from) } }
  [core + others, metaparameter_rows, fact_rows].flatten
end

def owner_of(row)
  row.split("\t")[1] if row.start_with?('type', 'attribute')
end

mode, modules, facts_file = ARGV
rows = look(modules)
recorded = File.exist?(TABLE) ? File.readlines(TABLE, chomp: true) : []
# Rows of modules that are not available stay.
seen = rows.filter_map { |row| owner_of(row) }.uniq
rows += recorded.select { |row| owner_of(row) && !seen.include?(owner_of(row)) }
rows += facts_file ? value_rows(JSON.parse(File.read(facts_file))) : recorded.grep(/\Avalue\t/)
case mode
when 'record'
  File.write(TABLE, "#{rows.join("\n")}\n")
when 'check'
  (recorded - rows).each { |row| puts "- #{row}" }
  (rows - recorded).each { |row| puts "+ #{row}" }
  exit(recorded.sort == rows.sort)
else
  abort("usage: #{$PROGRAM_NAME} record|check [MODULES [FACTS.json]]")
end
