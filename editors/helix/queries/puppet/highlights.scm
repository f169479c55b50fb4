(comment) @comment

(string) @string
(escape_sequence) @constant.character.escape
(regex) @string.regexp
(number) @constant.numeric
(float) @constant.numeric.float
(boolean) @constant.builtin.boolean
(undef) @constant.builtin
(default) @constant.builtin

(variable) @variable
(interpolation ["${" "}"] @punctuation.special)

["class" "define" "function" "node" "type" "inherits"] @keyword
["if" "elsif" "else" "unless" "case"] @keyword.control.conditional
["and" "or" "in"] @keyword.operator
["include" "tag"] @function

(builtin_type) @type.builtin
(class_definition [(identifier) (class_identifier)] @type)
(class_inherits [(identifier) (class_identifier)] @type)
(defined_resource_type [(identifier) (class_identifier)] @type)
(type_declaration [(identifier) (class_identifier)] @type)
(composite_type (identifier) @type)
(resource_reference (identifier) @type)
(resource_declaration type: (_) @type)
(resource_default type: (_) @type)
(include_statement [(identifier) (class_identifier)] @type)

(function_call . [(identifier) (class_identifier)] @function)
(attribute name: (identifier) @variable.other.member)

["=>" "->" "~>" "=" "+=" "==" "!=" "=~" "!~" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "!" "?"] @operator
["{" "}" "[" "]" "(" ")"] @punctuation.bracket
["," ";" ":"] @punctuation.delimiter
