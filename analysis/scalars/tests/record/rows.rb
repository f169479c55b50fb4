# Writes recordings: one line per question with its subject and outcome.
require 'json'
def row(question, subject, outcome) = puts(JSON.generate([question, subject, outcome]))
def tried
  yield
rescue StandardError
  nil
end
