# frozen_string_literal: true

# Generates random but reproducible setups for `record.rb hiera`: ruby hiera_setups.rb COUNT > hiera/random.jsonl

require 'json'
require 'yaml'

RANDOM = Random.new(20_261_121)

def pick(list) = list[RANDOM.rand(list.size)]
def chance(percent) = RANDOM.rand(100) < percent

KEYS = %w[a b c m::a m::b m::c m::d n::a list map].freeze
WORDS = %w[red green blue --red --green -- x y 1].freeze
FACTS = { 'os' => { 'family' => 'Debian', 'release' => { 'major' => '12' } }, 'role' => 'web', 'list' => %w[one two],
          'empty' => '', 'number' => 5, 'flag' => false }.freeze

def text
  pick([pick(WORDS), "#{pick(WORDS)} #{pick(WORDS)}", "%{facts.role}-#{pick(WORDS)}", "%{::role}", "%{nope}x",
        "%{lookup('#{pick(KEYS)}')}", "%{alias('#{pick(KEYS)}')}", "<%{hiera('#{pick(KEYS)}')}>", "%{facts.os}",
        "%{facts.os.release.major}", "%{literal('%')}{x}", "%{lookup('map.k')}", "%{list.0}", "%{scope('role')}", '%{}'])
end

def value(depth = 0)
  case RANDOM.rand(depth > 2 ? 6 : 12)
  when 0..3 then chance(30) ? text : pick(WORDS)
  when 4 then pick([1, 2, 1.5, true, false, nil])
  when 5 then RANDOM.rand(5)
  when 6..8 then Array.new(RANDOM.rand(4)) { value(depth + 1) }
  else hash(depth)
  end
end

def hash(depth)
  keys = %w[k l m --k] + [chance(10) ? 0 : 'z']
  Array.new(RANDOM.rand(4)) { [pick(keys), value(depth + 1)] }.to_h
end

def same_kind(kind)
  case kind
  when :list then Array.new(RANDOM.rand(4)) { chance(15) ? hash(1) : pick(WORDS) }
  when :map then hash(0)
  else value
  end
end

def merge
  pick(['first', 'unique', 'hash', 'deep', { 'strategy' => 'deep' }, { 'strategy' => 'deep', 'knockout_prefix' => '--' },
        { 'strategy' => 'deep', 'sort_merged_arrays' => true }, { 'strategy' => 'deep', 'merge_hash_arrays' => true },
        { 'strategy' => 'deep', 'merge_hash_arrays' => true, 'knockout_prefix' => '--' }, { 'strategy' => 'unique' }])
end

def options(prefix)
  names = prefix ? KEYS.select { |key| key.start_with?("#{prefix}::") } : KEYS
  entries = Array.new(1 + RANDOM.rand(3)) do
    name = chance(25) ? "^#{prefix ? "#{prefix}::" : ''}[a-c]" : pick(names)
    option = {}
    option['merge'] = merge if chance(85)
    option['convert_to'] = pick(['String', 'Array', ['Array', true], 'Sensitive', 'Integer', 'Boolean']) if chance(20)
    [name, option]
  end
  entries.to_h
end

def data(prefix, kinds)
  names = prefix ? KEYS.select { |key| key.start_with?("#{prefix}::") } : KEYS
  entries = names.select { chance(45) }.map { |key| [key, same_kind(kinds[key])] }.to_h
  entries['lookup_options'] = options(prefix) if chance(30)
  entries
end

def level(name)
  entry = { 'name' => name }
  case RANDOM.rand(8)
  when 0 then entry['path'] = 'common.yaml'
  when 1 then entry['paths'] = ['role/%{facts.role}.yaml', 'os/%{facts.os.family}.yaml', 'common.yaml']
  when 2 then entry['glob'] = '{os,role}/*.yaml'
  when 3 then entry['mapped_paths'] = ['list', 'it', 'each/%{it}.yaml']
  when 4 then entry.merge!('path' => 'more.json', 'data_hash' => 'json_data')
  when 5 then entry['path'] = 'os/%{facts.os.family}.yaml'
  when 6 then entry['globs'] = ['each/*.yaml', 'none/*.yaml']
  else entry['path'] = '%{nope}common.yaml'
  end
  entry
end

FILES = %w[common.yaml role/web.yaml os/Debian.yaml each/one.yaml each/two.yaml more.json].freeze

def layer(files, folder, prefix, kinds)
  config = { 'version' => 5, 'defaults' => { 'datadir' => 'data', 'data_hash' => 'yaml_data' } }
  config['hierarchy'] = Array.new(1 + RANDOM.rand(3)) { |index| level("level #{index}") }
  config['default_hierarchy'] = [level('last')] if prefix && chance(40)
  files["#{folder}hiera.yaml"] = YAML.dump(config)
  FILES.each do |file|
    next unless chance(60)

    content = data(prefix, kinds)
    files["#{folder}data/#{file}"] = file.end_with?('json') ? JSON.generate(content) : YAML.dump(content)
  end
end

def setup
  files = {}
  kinds = KEYS.to_h { |key| [key, pick(%i[list map any])] }
  layer(files, '', nil, kinds) if chance(40)
  layer(files, 'env/', nil, kinds) if chance(80)
  layer(files, 'env/modules/m/', 'm', kinds) if chance(80)
  asks = (KEYS + ['map.k', 'list.0', 'm::a.k', "m::b.'k'"]).map { |key| { 'name' => key } }
  asks += Array.new(6) { { 'name' => pick(KEYS), 'merge' => merge } }
  asks << { 'name' => [pick(KEYS), pick(KEYS)], 'default_value' => 'default' }
  asks << { 'name' => pick(KEYS), 'default_values_hash' => { pick(KEYS) => 'of hash' } }
  asks << { 'name' => pick(KEYS), 'override' => { pick(KEYS) => 'override' } }
  asks << { 'name' => pick(KEYS), 'function' => pick(%w[hiera hiera_array hiera_hash]), 'arguments' => ['default'] }
  { 'files' => files, 'facts' => FACTS, 'asks' => asks }
end

Integer(ARGV.fetch(0)).times { puts JSON.generate(setup) }
