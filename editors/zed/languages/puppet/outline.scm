(class_definition "class" @context [(identifier) (class_identifier)] @name) @item
(defined_resource_type "define" @context [(identifier) (class_identifier)] @name) @item
(function_declaration "function" @context) @item
(node_definition "node" @context (node_name) @name) @item
(resource_declaration type: (_) @context title: (_) @name) @item
