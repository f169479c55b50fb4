# frozen_string_literal: true

# Titles and values for resource_values.rb, as source.
module ValuePools
  TYPES = %w[
    augeas cron exec file filebucket group host mount notify package resources schedule selboolean selmodule service
    ssh_authorized_key sshkey stage tidy user yumrepo zfs zone zpool
  ].freeze

  METAPARAMETERS = %i[noop loglevel audit schedule tag].freeze

  # Number of values for an attribute that only stores its value.
  PLAIN = 6

  # Values that are tried for every attribute.
  COMMON = [
    "'x'", "''", "'a b'", "'a,b'", "'/a/b'", "'a/b'", "'C:/a'", "'0'", "'1'", "'-1'", "'1.5'", "'yes'", "'TRUE'", "'true'",
    "'absent'", '0', '1', '-1', '1.5', 'true', 'false', "['a', 'b']", "['x']", '[]', "['/a', '/b']", "{'a' => 'b'}"
  ].freeze

  PATHS = [
    "'/'", "'//a/b'", "'~/x'", "'./x'", "'c:/x'", "'/a/'", "'C:\\\\x'", "'\\\\\\\\server\\\\share'", "' /a'", "\"a\\n/b\"", "['/a', 'b']", "['a']",
    "['/a']", "'%h/x'", "['~/x', '%h/y']", "[1]"
  ].freeze
  COMMANDS = [
    "'ls'", "'/bin/ls -l'", "'ls /bin/a'", "'\"/bin/a b\" c'", "'\"a b\" c'", "\"'/bin/a b' c\"", "'C:/a.exe b'", "['/bin/ls', '-l']", "['ls', '-l']",
    "['/bin/a', '/bin/b']", "['/bin/a', 'b']", "[['/bin/a', '-x'], '/bin/b']", "' /bin/ls'"
  ].freeze
  NUMBERS = ["'10'", "'010'", "'10s'", "'1e3'", "'.5'", "'0x10'", "' 5 '", "'-0'", "'1_000'", '10', '100000', "['5']", "[5]", "\"1\\nx\""].freeze
  MODES = [
    "'0644'", "'644'", "'0888'", "'0999'", "'u=rw,g=r'", "'a+x'", "'u+q'", "'rwx'", "'07777'", "'77777'", "'4755'", '0644', '644', "'u=rwX,go=rX'", "'=r'", "'ug-w,o='",
    "'0o644'", "'u=rw, g=r'", "'00644'", "'000644'", "['0644', '0888']", "'64'", "'-x'"
  ].freeze
  URLS = [
    "'puppet:///modules/a/b'", "'http://a/b'", "'https://a.b/c'", "'ftp://a/b'", "'file:///a'", "'puppet:a'", "'a:b'", "'http:a'", "['/a', 'b']", "['puppet:///modules/a/b', '/c']",
    "'HTTP://a/b'", "'puppet://server/modules/a/b'", "'svn://a'", "'modules/a'", "'http://a b/c'", "'http://a/b http://c/d'", "'_none_'"
  ].freeze
  TIMES = ["'5'", "'1d'", "'2w'", "'2 weeks'", "'3x'", "'d'", "'10days'", "'2Minutes'", "'1.5h'", "'-1d'", '5', "'1y'", "'0'", "'4hours'", "\"x\\n5m\""].freeze
  SIZES = ["'5'", "'1k'", "'2m'", "'3GB'", "'4t'", "'5b'", "'6p'", "'k'", "'1.5m'", '5', "'10 k'", "'0'"].freeze
  RANGES = [
    "'2 - 4'", "'22:00 - 04:00'", "'25 - 3'", "'10:61 - 11'", "'2-4'", "'2'", "'2 - 4 - 6'", "'a - b'", "['2 - 4', '6 - 8']", "['2 - 4', 'x']", "'10:00:00 - 12:30:59'", "'10:00:00:00 - 12'",
    "'2 to 4'", "'23:59 - 24:00'", "'x2 - 4y'", "'5 -7'", '5', "'10:59:99 - 11'"
  ].freeze
  DAYS = [
    "'Mon'", "'monday'", "'Tues'", "'Tue'", "'Wednes'", "'wednesday'", "'Mo'", "'8'", "'7'", "'6'", '6', '7', "['Mon', 'Tue']", "['Mon', 'x']", "'Saturday'", "'Satur'", "'thurs'", "'Sun'",
    "'Sundays'", "[1, 2]"
  ].freeze
  SLOTS = [
    "'*'", "'*/5'", "'1-5'", "'0-59/2'", "'*/0'", "'60'", '60', '59', '24', '23', "'24'", "'7'", '7', '8', '12', '13', '31', '32', "'jan'", "'January'", "'janu'", "'mon'", "'Monday'", "'sundays'",
    "'1,2'", "['1', '2']", '[1, 2]', "[1, 99]", "'5-'", "'05'", "'99-99'", "['*/5', 'x']", "'absent'", "'5 '", "'*/x'"
  ].freeze
  IPS = ["'192.0.2.1'", "'256.1.1.1'", "'1.2.3'", "'::1'", "'fe80::1'", "'2001:db8::g'", "'1.2.3.4.5'", "'::ffff:192.0.2.1'", "'fe80::1%eth0'", "\"1.2.3.4\\n\"", "'01.2.3.4'", "'bge0:192.0.2.1'", "'bge0'", "'bge0:1.2.3'", "'bge0:192.0.2.1:192.0.2.2'"].freeze
  ENVIRONMENTS = ["'A=b'", "'A'", "'A ='", "'=b'", "['A=b', 'B=c']", "['A=b', 'B']", "'A= b'", "'A = b'", "' A=b'", "'a-b=c'", "\"x\\nA=b\""].freeze
  NAMES = ["'wheel'", "'1000'", '1000', "['1000']", "['a,b']", "['wheel', 'a b']", "['', 'a']", "[1000, 'a']", "'a:b'", "\"12\\nx\"", "['a', '12']"].freeze
  DATES = ["'2024-01-31'", "'2024-1-31'", "'20240131'", "'2024-13-99'", "'never'"].freeze
  CHECKSUMS = ["'d41d8cd98f00b204e9800998ecf8427e'", "'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'", "'{md5}d41d8cd98f00b204e9800998ecf8427e'", "'2024-01-31'"].freeze
  TYPES_OF_RESOURCES = ["'file'", "'user'", "'nosuch_type'", "'cron'", "'exec'", "'package'"].freeze
  OPTIONS = ["'rw'", "'rw, ro'", "'no-pty'", "'command=\"/bin/x y\"'", "'from=a'", "['no-pty', 'a b']", "'a=\"b\" c'", "\"a\\tb\"", "'a=b'", "['a=b', 'c=d']", "'A=b;C=d'"].freeze

  # Values for attributes by type (`*` for all) and name.
  POOLS = [
    [/\Afile\z/, /\Amode\z/, MODES],
    [/\Aexec\z/, /\Aumask\z/, MODES + ["'022'", '022', '18']],
    [/./, /\A(?:path|cwd|creates|home|staging_location|target|context|incl|root|selmodulepath|mountpoint|purge_ssh_keys|inherit|dataset|file|validate_cmd|backup|selmoduledir)\z/, PATHS],
    [/\Aexec\z/, /\A(?:command|refresh|unless|onlyif)\z/, COMMANDS],
    [/./, /(?:timeout|tries|try_sleep|repeat|limit|max_files|uid|gid|_age|_days|priority|retries|cost|pass|dump|returns|copies|bandwidth|throttle|metadata_expire|system_user|port|iterations|minrate|percentage|version|ashift|id)\z/, NUMBERS],
    [/./, /\A(?:source|mirrorlist|baseurl|gpgkey|gpgcakey|include|proxy|metalink)\z/, URLS],
    [/\Atidy\z/, /\Aage\z/, TIMES],
    [/\Atidy\z/, /\Asize\z/, SIZES],
    [/\Aschedule\z/, /\Arange\z/, RANGES],
    [/\Aschedule\z/, /\Aweekday\z/, DAYS],
    [/\Acron\z/, /\A(?:minute|hour|weekday|month|monthday|special)\z/, SLOTS],
    [/\A(?:host|zone)\z/, /\Aip\z/, IPS],
    [/\A(?:exec|cron)\z/, /\Aenvironment\z/, ENVIRONMENTS],
    [/./, /\A(?:groups|members|owner|group|roles|auths|profiles|host_aliases|gid|uid|loginclass|password|mirror|raidz|disk|user|logonpassword)\z/, NAMES],
    [/\Auser\z/, /\Aexpiry\z/, DATES],
    [/\Afile\z/, /\Achecksum_value\z/, CHECKSUMS],
    [/./, /\A(?:options|attributes|keys|key|fstype|device|blockdevice|comment|recipient)\z/, OPTIONS],
    [/\Acron\z/, /\Aspecial\z/, ["'reboot'", "'daily'", "'fortnightly'", "'Daily'", "'annually'"]],
    [/./, /\Aaudit\z/, ["'all'", "'ensure'", "['all']", "['ensure', 'x']", "'message'", "'noop'"]],
    [/./, /\Aloglevel\z/, ["'warn'", "'Notice'", "'verbose'", "'error'"]],
    [/./, /\A(?:ensure)\z/, ["'latest'", "'running'", "'runing'", "'file'", "'link'", "'directory'", "'purged'", "'installed'", "'held'", "'1.2-3'", "'mounted'", "'role'", "['present']", "['present', 'absent']"]]
  ].freeze

  TITLES = {
    'file' => ["'/a'", "'a'", "'etc/b'", "'C:/a'", "'c:/a'", "'//server/share'", "'\\\\\\\\server\\\\share'", "'./a'", "'~/a'", "'/a/'", "'/'", "'a/'", "' /a'", "'puppet:///a'", "'C:a'", "\"a\\n/b\""],
    'exec' => ["'/bin/a'", *COMMANDS.grep_v(/\A\[/), "'systemctl daemon-reload'", "'a'", "'./a'", "'C:\\\\a.exe'", "''", "'~/a'"],
    'tidy' => ["'/a'", "'a'", "'C:/a'", "'~nobody_here/a'"],
    'host' => ["'a.example.com'", "'a'", "'a b'", "'a_b'", "'-a'", "'a-'", "'a-b'", "'ab'", "'a..b'", "'.a'", "'a.'", "\"a\\nb\"", "'A.B'", "'a:b'", "'*'", "'1.2.3.4'"],
    'resources' => ["'user'", "'file'", "'package'", "'nosuch_type'", "'User'", "'exec'", "'host'", "'cron'", "'notify'", "'service'", "'a b'"],
    'sshkey' => ["'a'", "'a@ssh-rsa'", "'a b'", "'a,b'", "'a@b'", "'a@rsa'", "'a.example.com'", "'a@b@c'"],
    'mount' => ["'/a'", "'a'", "'/a b'", "'C:/a'", "'/'", "'/a/'"],
    'zfs' => ["'tank/a'", "'a b'"]
  }.freeze
  OTHER_TITLES = ["'a'", "'a b'", "'/a'", "'a@b'", "'A'", "'a.b'", "\"a\\nb\"", "'1'"].freeze

  # Resources with several attributes, beyond the generated ones.
  WHOLES = {
    'file' => [
      %w[content source], %w[content target], %w[source target], %w[ensure content], %w[ensure source], %w[ensure target],
      %w[checksum content], %w[checksum source], %w[recurse source], %w[recurse ensure], %w[checksum checksum_value], %w[recurse checksum]
    ],
    'exec' => [%w[path command], %w[provider command], %w[path unless], %w[provider unless], %w[provider onlyif], %w[path refresh]],
    'cron' => [%w[special minute], %w[special hour], %w[special weekday]],
    'augeas' => [%w[lens incl]],
    'tidy' => [%w[recurse matches]],
    'schedule' => [%w[periodmatch repeat], %w[period repeat], %w[range weekday]],
    'zone' => [%w[ip iptype]],
    'zpool' => [%w[disk mirror], %w[disk raidz], %w[mirror raidz]],
    'package' => [%w[ensure flavor], %w[ensure enable_only], %w[enable_only flavor]],
    'resources' => [%w[purge unless_system_user], %w[unless_system_user unless_uid]],
    'service' => [%w[logonaccount logonpassword]],
    'mount' => [%w[ensure device]],
    'user' => [%w[purge_ssh_keys home]]
  }.freeze
  WHOLE_VALUES = {
    'content' => ["'a'", "''"], 'source' => ["'/b'", "'puppet:///modules/a/b'", "['/b', '/c']"], 'target' => ["'/c'", "'notlink'"],
    'ensure' => ["'/d'", "'link'", "'file'", "'absent'", "'directory'", "'present'", "'disabled'", "'mounted'", "'latest'"],
    'checksum' => ["'none'", "'ctime'", "'mtime'", "'md5'", "'sha256'", "'md5lite'"], 'recurse' => ["'remote'", 'true', "'true'", 'false', '0', "'inf'", '2'],
    'checksum_value' => CHECKSUMS, 'path' => ["'/bin'", "['/bin', '/sbin']", "''", '[]'], 'command' => ["'ls'", "'/bin/ls'", "['ls', '-l']"],
    'provider' => ["'posix'", "'shell'", "'windows'"], 'unless' => ["'test -f /a'", "['test -f /a', '/bin/b']"], 'onlyif' => ["'test -f /a'"], 'refresh' => ["'ls'"],
    'special' => ["'daily'", "'absent'"], 'minute' => ['5', "'*'", "'absent'"], 'hour' => ['5', "'*'"], 'weekday' => ['1', "'*'", "'Mon'"],
    'lens' => ["'a.lns'", "''"], 'incl' => ["'/a'"], 'matches' => ["'*.a'", "['*.a', 'b']"], 'periodmatch' => ["'number'", "'distance'"], 'repeat' => ['1', '2', "'1'", "'2'"],
    'period' => ["'daily'", "'never'"], 'range' => ["'2 - 4'"], 'ip' => ["'bge0'", "'bge0:192.0.2.1'", "'bge0:1.2.3'"], 'iptype' => ["'shared'", "'exclusive'"],
    'disk' => ["'a'"], 'mirror' => ["'a b'"], 'raidz' => ["'a b'"], 'flavor' => ["'a'"], 'enable_only' => ['true', 'false', "'true'"], 'purge' => ['true', 'false'],
    'unless_system_user' => ['true', '500', "'500'", "'x'"], 'unless_uid' => ['5', "['5', 'x']"], 'logonaccount' => ["'a'"], 'logonpassword' => ["'b'"], 'device' => ["'/dev/a'"],
    'purge_ssh_keys' => ['true', "'%h/a'", "['a']"], 'home' => ["'/home/a'"]
  }.freeze

  module_function

  def titles(type_name)
    TITLES.fetch(type_name, OTHER_TITLES)
  end

  # Returns values for an attribute: the common ones, those of its list, and those of its pools. An attribute that only
  # stores its value gets few.
  def values(type_name, name, klass, random)
    listed = klass.value_collection.instance_variable_get(:@strings).flat_map { |it| [it.name, *it.aliases] }.map { |it| "'#{it}'" }
    pools = POOLS.select { |type, attribute,| type.match?(type_name) && attribute.match?(name.to_s) }.flat_map(&:last)
    providers = name == :provider ? ["'posix'", "'shell'", "'gem'", "'crontab'", "'nosuch'"] : []
    common = pools.empty? && plain?(klass) ? COMMON.sample(PLAIN, random: random) : COMMON
    (listed.first(12) + pools + providers + common).uniq
  end

  # Returns true if the attribute only stores its value.
  def plain?(klass)
    own = %i[unsafe_validate unsafe_munge validate munge value= should=].map { |it| klass.instance_method(it).owner if klass.method_defined?(it) }
    klass.value_collection.empty? && (own.compact - [Puppet::Parameter, Puppet::Property]).empty?
  end

  def pair_count(type_name)
    { 'file' => 500, 'exec' => 350, 'user' => 300, 'cron' => 250, 'yumrepo' => 100, 'zfs' => 40, 'notify' => 40, 'stage' => 10 }.fetch(type_name, 150)
  end

  def wholes(type_name)
    title = titles(type_name).first
    pairs = WHOLES.fetch(type_name, []).flat_map do |first, second|
      WHOLE_VALUES.fetch(first).product(WHOLE_VALUES.fetch(second)).map { |one, other| [title, { first => one, second => other }] }
    end
    relative = type_name == 'exec' ? pairs.map { |_, attributes| ["'ls -l'", attributes] } : []
    relative += TITLES['resources'].map { |it| [it, { 'purge' => 'true' }] } if type_name == 'resources'
    pairs + relative
  end
end
