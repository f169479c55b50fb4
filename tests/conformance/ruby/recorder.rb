# frozen_string_literal: true

# Shared code of the recorders in this folder: a Puppet with the modules of the corpus, queries of code about the machine,
# rows in files.

require 'digest'
require 'json'
require 'resolv'
require 'socket'
require 'stringio'
require 'tmpdir'
require 'zlib'
require 'puppet'
require 'puppet/pops'
require 'facter'
require_relative '../puppet_compiler'

module RubyRecorder
  HERE = __dir__
  FACTS = JSON.parse(File.read(File.join(HERE, '..', 'catalogs', 'facts.json'))).freeze
  LEGACY_FACTS = JSON.parse(File.read(File.join(HERE, '..', 'catalogs', 'legacy_facts.json'))).freeze

  # Records when code of a module queries the machine, since the result then only holds here.
  module Effects
    class << self
      attr_accessor :folder, :seen

      # Puppet itself reads files and the time; only calls from a module's own code count, except for those that leave the
      # process.
      def note(name, anyone: false)
        return if seen || !folder

        self.seen = name if anyone || caller_locations(2, 4).any? { |it| it.path.start_with?(folder) }
      end

      # Wraps each of these methods of a class or module. refuse: error that they raise, for methods that would block.
      def watch(owner, *names, anyone: false, refuse: nil)
        shadow = Module.new do
          names.each do |name|
            define_method(name) do |*arguments, **options, &block|
              Effects.note("#{owner}.#{name}", anyone: anyone)
              raise refuse, 'getaddrinfo: Name or service not known' if refuse
              options.empty? ? super(*arguments, &block) : super(*arguments, **options, &block)
            end
          end
        end
        owner.singleton_class.prepend(shadow)
      end

      def start(folder)
        self.folder = folder
        watch(File, :open, :read, :exist?, :exists?, :file?, :directory?, :readlines, :readable?, :executable?, :symlink?, :stat, :new, :write, :expand_path, :foreach)
        watch(IO, :popen, :read, :readlines)
        watch(Dir, :glob, :entries, :[], :exist?, :foreach, :mkdir, :tmpdir)
        watch(Process, :spawn, :clock_gettime)
        watch(Time, :now)
        watch(Random, :rand, :new_seed)
        watch(Kernel, :rand, :system, :open, :exec, :spawn)
        watch(Facter::Core::Execution, :execute, :exec, :which, anyone: true)
        watch(Facter::Util::Resolution, :execute, :exec, :which, anyone: true)
        watch(Puppet::Util, :which)
        watch(Puppet::Util::Execution, :execute, anyone: true)
        watch(TCPSocket, :new, :open, anyone: true, refuse: SocketError)
        watch(Socket, :tcp, :getaddrinfo, anyone: true, refuse: SocketError)
        watch(Resolv, :getaddress, :getaddresses, :each_address, :getname, anyone: true, refuse: Resolv::ResolvError)
        watch(Resolv::DNS, :new, :open, anyone: true, refuse: Resolv::ResolvError)
        shadow = Module.new do
          %i[rand system open exec spawn `].each do |name|
            define_method(name) do |*arguments, &block|
              Effects.note(name.to_s)
              super(*arguments, &block)
            end
            private name
          end
        end
        Object.prepend(shadow)
      end
    end
  end

  module_function

  # Returns [name, version, folder] of every module.
  def modules(corpus)
    Dir["#{corpus}/modules/*"].sort.map do |folder|
      metadata = JSON.parse(File.read("#{folder}/metadata.json")) rescue {}
      [File.basename(folder), metadata['version'] || '?', folder]
    end
  end

  # Splits the rows into two halves: one for development, and one for the final check.
  def kept?(text)
    Digest::SHA256.hexdigest(text)[0].hex.odd?
  end

  # Formats a row as one line, with tabs between the fields.
  def line(*fields)
    fields.map { |it| escaped(it.to_s) }.join("\t")
  end

  def escaped(text)
    text.dup.force_encoding(Encoding::UTF_8).scrub.gsub(/[\\\t\n\r\0]/) { |it| { '\\' => '\\\\', "\t" => '\\t', "\n" => '\\n', "\r" => '\\r', "\0" => '\\0' }[it] }
  end

  # Writes rows into NAME.tsv.gz and NAME_kept.tsv.gz next to this script.
  def write(name, rows)
    work, kept = rows.partition { |row| !kept?(row) }
    { name => work, "#{name}_kept" => kept }.each do |file, lines|
      Zlib::GzipWriter.open("#{HERE}/#{file}.tsv.gz", Zlib::BEST_COMPRESSION) do |gzip|
        gzip.mtime = 1
        gzip.orig_name = ''
        gzip.write(lines.map { |it| "#{it}\n" }.join)
      end
      warn "#{file}: #{lines.size} rows, #{File.size("#{HERE}/#{file}.tsv.gz") / 1024} KiB"
    end
  end
end
