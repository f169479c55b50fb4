// Checks that test/grammar asserts every scope of the grammars: node test/scopes.mjs
import fs from "node:fs";

const scopes = new Set();
function collect(part) {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if ((key === "name" || key === "contentName") && typeof value === "string") value.split(" ").forEach((it) => scopes.add(it));
    else collect(value);
  }
}
const here = new URL("./grammar/", import.meta.url);
for (const name of ["puppet", "epp", "puppetfile"]) {
  const { name: _, ...grammar } = JSON.parse(fs.readFileSync(new URL(`../syntaxes/${name}.tmLanguage.json`, import.meta.url), "utf8"));
  collect(grammar);
}
const lines = fs.readdirSync(here).flatMap((file) => fs.readFileSync(new URL(file, here), "utf8").split("\n"));
const asserted = new Set(lines.filter((line) => /^#\s*(<-|\^)/.test(line)).flatMap((line) => line.split(" ")));
const missing = [...scopes].filter((scope) => !asserted.has(scope));
console.log(`${scopes.size} scopes, ${missing.length} of them in no test`);
for (const scope of missing) console.log(`  ${scope}`);
process.exit(missing.length === 0 ? 0 : 1);
