# SYNTAX TEST "source.puppet" "comments"
# @summary What it is
#<- comment.line.number-sign.puppet punctuation.definition.comment.puppet
# ^^^^^^^^ comment.line.number-sign.puppet storage.type.class.puppet
#          ^^^^^^^^^^ comment.line.number-sign.puppet
#
#<- comment.line.number-sign.puppet punctuation.definition.comment.puppet
# @param owner Whose it is
#<- comment.line.number-sign.puppet punctuation.definition.comment.puppet
# ^^^^^^ comment.line.number-sign.puppet storage.type.class.puppet
#        ^^^^^ comment.line.number-sign.puppet variable.parameter.puppet
#              ^^^^^^^^^^^ comment.line.number-sign.puppet
/* a block
#<-- comment.block.puppet punctuation.definition.comment.begin.puppet
#  ^^^^^^^ comment.block.puppet
   of words */
#  ^^^^^^^^ comment.block.puppet
#           ^^ comment.block.puppet punctuation.definition.comment.end.puppet
$a = 1 # lint:ignore:140chars
#<- variable.other.puppet punctuation.definition.variable.puppet
#^ variable.other.puppet
#  ^ keyword.operator.assignment.puppet
#    ^ constant.numeric.decimal.puppet
#      ^ comment.line.number-sign.puppet punctuation.definition.comment.puppet
#        ^^^^^^^^^^^^^^^^^^^^ comment.line.number-sign.puppet keyword.other.lint.puppet
  $b = 2 # why
# ^ variable.other.puppet punctuation.definition.variable.puppet
#  ^ variable.other.puppet
#    ^ keyword.operator.assignment.puppet
#      ^ constant.numeric.decimal.puppet
#        ^ comment.line.number-sign.puppet punctuation.definition.comment.puppet
#          ^^^ comment.line.number-sign.puppet
  # indented
#<-- punctuation.whitespace.comment.leading.puppet
# ^ comment.line.number-sign.puppet punctuation.definition.comment.puppet
#   ^^^^^^^^ comment.line.number-sign.puppet
