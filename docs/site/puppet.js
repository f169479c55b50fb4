// Puppet for highlight.js, which mdBook loads before this file.
(() => {
  if (typeof hljs === "undefined") return;
  hljs.registerLanguage("puppet", (hljs) => {
    const comment = hljs.COMMENT("#", "$");
    const variable = { className: "variable", begin: /\$(?:::)?[a-z_]\w*(?:::\w+)*/ };
    const interpolation = { className: "subst", begin: /\$\{/, end: /\}/ };
    const string = {
      className: "string",
      variants: [
        { begin: /'/, end: /'/, contains: [{ begin: /\\./ }] },
        { begin: /"/, end: /"/, contains: [{ begin: /\\./ }, interpolation, variable] },
      ],
    };
    const type = { className: "type", begin: /\b(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*/ };
    const number = { className: "number", begin: /\b(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/ };
    const resource = { className: "title", begin: /\b(?:::)?[a-z]\w*(?:::\w+)*(?=\s*\{\s*(?:['"$\[]|[\w:.-]+\s*:(?!:)))/ };
    const attribute = { className: "attr", begin: /\b[a-z]\w*(?=\s*[=+]>)/ };
    return {
      aliases: ["pp"],
      keywords: {
        keyword:
          "and application attr case class consumes contain default define else elsif fail function if import in include " +
          "inherits node or plan private produces require realize return site type unless",
        literal: "true false undef",
      },
      contains: [comment, string, attribute, resource, variable, type, number],
    };
  });
  const highlight = hljs.highlightElement || hljs.highlightBlock;
  document.querySelectorAll("code.language-puppet").forEach((block) => highlight.call(hljs, block));
})();
