// The share of tokens that the grammar gives a scope of their own: node test/coverage.mjs FILE...
// Fails below the 98 % that colours are worth.
import fs from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const LEAST = 98;
const here = new URL("../syntaxes/", import.meta.url);
const grammars = { "source.puppet": "puppet", "text.epp": "epp" };

await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const name = grammars[scope];
    if (name === undefined) return null;
    const file = new URL(`${name}.tmLanguage.json`, here);
    return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file.pathname);
  },
});

const grammar = await registry.loadGrammar("source.puppet");
const plain = new Map();
let [total, scoped] = [0, 0];
for (const file of process.argv.slice(2)) {
  let state = textmate.INITIAL;
  for (const line of fs.readFileSync(file, "utf8").split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      const text = line.slice(token.startIndex, token.endIndex).trim();
      if (text === "") continue;
      total += 1;
      const own = token.scopes.slice(1).filter((scope) => !scope.startsWith("meta."));
      if (own.length > 0) scoped += 1;
      else plain.set(text, (plain.get(text) ?? 0) + 1);
    }
  }
}
const share = (100 * scoped) / Math.max(total, 1);
console.log(`${total} tokens, ${share.toFixed(2)} % with a scope`);
for (const [text, count] of [...plain].sort((a, b) => b[1] - a[1]).slice(0, 20)) console.log(`  ${count} ${text}`);
process.exit(total > 0 && share >= LEAST ? 0 : 1);
