#!/usr/bin/env ruby
# frozen_string_literal: true

# Matches patterns against file names with Ruby, and writes the results to hiera/globs.tsv.
#
#   ruby tests/conformance/globs.rb
#
# One line per pattern: the pattern, and the files in Ruby's order separated by spaces. The first line has all files. `.*/`
# and `**/*/{a,b}` are left out: Ruby 3.1 takes the first for the folder itself and finds nothing for the second; other
# versions differ.

require 'fileutils'
require 'tmpdir'

TABLE = File.expand_path('hiera/globs.tsv', __dir__)
FILES = %w[
  a.yaml a.yml b.yaml ab.yaml A.yaml a-b.yaml a_b.yaml common.yaml x1.yaml x2.yaml x10.yaml .hidden.yaml {x}.yaml [a].yaml
  nodes/a.yaml nodes/b.yaml nodes/.secret.yaml nodes/a.example.org.yaml nodes/eu/a.yaml nodes/eu/west/a.yaml nodes/us/b.yaml
  nodes.d/10-first.yaml nodes.d/20-second.yaml .git/a.yaml nodes/.old/a.yaml os/Debian.yaml os/Debian/12.yaml os/RedHat.yaml
  os/RedHat/9.yaml a/a.yaml a/b/c.yaml a!b.yaml a^b.yaml ü.yaml
].freeze
NAMES = ['*', 'a*', '*a', '?', '??', 'a?b', '[ab]', '[!a]', '[^a]', '[a-c]', '[a-', '[]', '[]a]', '[a', 'x[0-9]', 'x[0-9]*', 'x[!1]',
         'a[!]b', 'a[^^]b', 'a[-_]b', 'a[_-]b', '{a,b}', '{a,b', 'a,b}', '{b,a}', '{a*,b}', '{}', '{,a}b', '{a,{b,ab}}', '[{]x[}]',
         '\\*', '\\a', 'a\\-b', '\\{x\\}', '\\[a\\]', '[\\[]a]', '.*', '.h*', '*h*', 'ü', '?', '[ü]', '[[:alpha:]]', 'a**', '**',
         '*.*', 'A', '[A-Z]', 'x?', 'x??', '***', '*?', 'no', '[b-a]', '[a-a]'].freeze
FOLDERS = ['', '*/', '**/', 'nodes/', 'nodes/*/', 'nodes/**/', '**/*/', '**/a/', '*/**/', '{nodes,os}/', '{os,nodes}/*/', 'nodes*/',
           'nodes.d/', '.git/', '**/.*/', 'n?des/', '[no]*/', '**/**/', 'a**/'].freeze
LASTS = ['*.yaml', 'a.yaml', '{b,a}.yaml', '*', '**', '?.yaml', '.*', '[!.]*.yaml', '*.{yml,yaml}', ''].freeze

patterns = NAMES.flat_map { |name| ["#{name}.yaml", name] } + FOLDERS.flat_map { |folder| LASTS.map { |last| folder + last } }
rows = Dir.mktmpdir do |root|
  FILES.each do |file|
    path = File.join(root, file)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, '')
  end
  patterns.uniq.reject { |it| it.empty? || it.start_with?('**/*/{', '**/*/*.{') }.map do |pattern|
    found = Dir.glob(File.join(root, pattern)).select { |it| File.file?(it) }
    [pattern, found.map { |it| it.delete_prefix("#{root}/") }.join(' ')]
  end
end
File.write(TABLE, ["\t#{FILES.join(' ')}", *rows.map { |row| row.join("\t") }].join("\n") + "\n")
