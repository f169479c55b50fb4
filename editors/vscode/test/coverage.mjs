// Checks the grammar on real modules: node test/coverage.mjs [--update] FOLDER...
//
// Fails if less than 98 % of the tokens get a specific scope, or if the tokens of a module differ from the snapshots in
// test/snapshots: the number of tokens per scope, and a digest of all of them in order.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const LEAST = 98;
const syntaxes = new URL("../syntaxes/", import.meta.url);
const snapshots = new URL("./snapshots/", import.meta.url);
const grammars = { "source.puppet": "puppet", "text.epp": "epp" };
const ofExtension = { ".pp": "source.puppet", ".epp": "text.epp" };

await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const name = grammars[scope];
    if (name === undefined) return null;
    const file = new URL(`${name}.tmLanguage.json`, syntaxes);
    return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file.pathname);
  },
});

/** Yields the tokens of a file with text and scopes, without whitespace. */
async function* tokens(file) {
  const grammar = await registry.loadGrammar(ofExtension[path.extname(file)]);
  let state = textmate.INITIAL;
  for (const line of fs.readFileSync(file, "utf8").split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      const text = line.slice(token.startIndex, token.endIndex).trim();
      if (text !== "") yield { text, scopes: token.scopes.slice(1) };
    }
  }
}

const update = process.argv[2] === "--update";
const plain = new Map();
let [total, scoped, differ] = [0, 0, 0];
for (const folder of process.argv.slice(update ? 3 : 2)) {
  const counts = new Map();
  const digest = createHash("sha256");
  const files = fs.readdirSync(folder, { recursive: true }).filter((file) => path.extname(file) in ofExtension);
  for (const file of files.sort()) {
    // The text of templates is not Puppet code.
    const isTemplate = path.extname(file) === ".epp";
    for await (const { text, scopes } of tokens(path.join(folder, file))) {
      const innermost = scopes.at(-1) ?? "(none)";
      counts.set(innermost, (counts.get(innermost) ?? 0) + 1);
      digest.update(`${text}\0${scopes.join(" ")}\n`);
      if (isTemplate) continue;
      total += 1;
      if (scopes.some((scope) => !scope.startsWith("meta."))) scoped += 1;
      else plain.set(text, (plain.get(text) ?? 0) + 1);
    }
  }
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([scope, count]) => `${count} ${scope}\n`);
  const found = `${files.length} files\n${digest.digest("hex")}\n${rows.join("")}`;
  const file = new URL(`${path.basename(folder)}.txt`, snapshots);
  if (update) {
    fs.mkdirSync(snapshots, { recursive: true });
    fs.writeFileSync(file, found);
  } else if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== found) {
    differ += 1;
    const known = new Set(fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : []);
    console.log(`${path.basename(folder)} differs from its snapshot (--update writes it):`);
    for (const row of found.split("\n").filter((row) => !known.has(row))) console.log(`  ${row}`);
  }
}
const share = (100 * scoped) / Math.max(total, 1);
console.log(`${total} tokens, ${share.toFixed(2)} % with a scope`);
for (const [text, count] of [...plain].sort((a, b) => b[1] - a[1]).slice(0, 20)) console.log(`  ${count} ${text}`);
process.exit(total > 0 && share >= LEAST && differ === 0 ? 0 : 1);
