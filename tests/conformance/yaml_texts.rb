#!/usr/bin/env ruby
# frozen_string_literal: true

# Finds YAML documents that we read differently from Ruby.
#
#   ruby yaml_texts.rb OUR_READER FILE_OR_FOLDER...
#
# OUR_READER is the built example `data_texts` of the crate hiera. A .jsonl file has one JSON object per line with a
# document in `text`; of a folder, all YAML files are read. Prints each difference as a line of JSON: origin, document,
# Ruby's value (`is`), our value (`ours`).

require 'open3'
require 'tempfile'
require_relative 'hiera_recorder'

def texts(place)
  if place.end_with?('.jsonl')
    return File.readlines(place, encoding: 'UTF-8').each_with_index.map { |line, index| ["#{place}:#{index + 1}", JSON.parse(line)['text']] }
  end

  paths = Dir.glob('**/*.{yaml,yml,eyaml}', File::FNM_DOTMATCH, base: place).map { |it| File.join(place, it) }
  paths = paths.select { |path| File.file?(path) }
  paths.sort.map { |path| [path, File.binread(path).force_encoding(Encoding::UTF_8)] }.select { |(_, text)| text.valid_encoding? }
end

reader, *places = ARGV
asked = places.flat_map { |place| texts(place) }
input = Tempfile.new('texts')
asked.each { |(_, text)| input.puts(JSON.generate('text' => text)) }
input.close
said, = Open3.capture2(reader, stdin_data: File.read(input.path))
differing = 0
asked.zip(said.lines).each do |(from, text), line|
  ours = line ? JSON.parse(line)['is'] : 'nothing'
  is = HieraRecorder.read('yaml', text)
  next if is == ours || (is == 'error' && ours.start_with?('error ')) || (ours == '?' && is != 'error')

  differing += 1
  puts JSON.generate('from' => from, 'text' => text, 'is' => is, 'ours' => ours)
end
warn "#{asked.size} documents, #{differing} read differently"
