// Compares the colors of the grammar with those of the semantic tokens, and takes a picture of both:
// node colors.mjs WORK EXTENSION SCREENSHOTS SAMPLES
//
// Semantic tokens must not hide what the grammar shows. SAMPLES/changed.txt lists the text whose color they may change: names that
// the grammar cannot resolve.
import fs from "node:fs";
import path from "node:path";
import { startServer, until, Window } from "./window.mjs";

const [work, extension, screenshots, samples] = process.argv.slice(2);
const folder = path.join(work, "control-repo");
const FOLDERS = { ".pp": "site-modules/profile/manifests", ".epp": "site-modules/profile/templates" };

/** Returns each visible line as a list of runs of a color, and the default color. */
function colors() {
  return window.page.evaluate(() => {
    const editor = document.querySelector(".editor-group-container.active .editor-instance .monaco-editor");
    const lines = [...editor.querySelectorAll(".view-lines .view-line")].sort((a, b) => Number.parseFloat(a.style.top) - Number.parseFloat(b.style.top));
    const runs = (line) => [...line.querySelectorAll("span > span")].map((it) => [it.innerText.replaceAll("\u00a0", " "), getComputedStyle(it).color]);
    return { plain: getComputedStyle(editor).color, lines: lines.map(runs) };
  });
}

/** Returns the color of each character of a line. */
const spread = (runs) => runs.flatMap(([text, color]) => [...text].map((it) => [it, color]));

function configure(enabled) {
  const settings = { "editor.semanticHighlighting.enabled": enabled, "editor.bracketPairColorization.enabled": false, "editor.codeLens": false };
  const file = path.join(folder, ".vscode/settings.json");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // VS Code never sees a file that is written in part.
  fs.writeFileSync(`${file}.new`, JSON.stringify({ ...settings, "[puppet]": settings, "[epp]": settings }));
  fs.renameSync(`${file}.new`, file);
}

/** Waits until the colors stay the same, and returns them. */
async function settled(differsFrom) {
  let last;
  let since = Date.now();
  return until("the colors", async () => {
    await window.page.mouse.move(400, 700);
    const now = await colors();
    const text = JSON.stringify(now);
    if (text !== last) since = Date.now();
    last = text;
    return text !== differsFrom && Date.now() - since > 1500 && now;
  });
}

/** Joins two pictures of the editor, with captions. */
async function join(name, left, right) {
  const image = (file, caption) => `<figure><figcaption>${caption}</figcaption><img src="data:image/png;base64,${fs.readFileSync(file).toString("base64")}"></figure>`;
  const page = await window.browser.newPage({ viewport: { width: 1500, height: 300 } });
  await page.setContent(`<style>body{margin:0;background:#1f1f1f;color:#ccc;font:16px sans-serif;display:flex;width:max-content;height:max-content}figure{margin:12px}figcaption{padding:4px 0 10px}</style>${image(left, "Grammar only")}${image(right, "Grammar and semantic tokens")}`);
  await page.locator("body").screenshot({ path: path.join(screenshots, `${name}.png`) });
  await page.close();
}

const address = await startServer(work, path.resolve(extension));
const files = fs.readdirSync(samples).filter((it) => path.extname(it) in FOLDERS).sort();
for (const file of files) fs.copyFileSync(path.join(samples, file), path.join(folder, FOLDERS[path.extname(file)], file));
configure(false);
const window = await Window.open(address, folder, "site-modules/profile/manifests/base.pp", screenshots);
const found = [];
try {
  await window.page.setViewportSize({ width: 1280, height: 1000 });
  await until("the server is ready", async () => (await window.state()).endsWith(": ready"));
  for (const file of files) {
    const name = `colors${path.extname(file).replace(".", "-")}`;
    configure(false);
    await window.openFile(path.join(FOLDERS[path.extname(file)], file));
    const area = window.page.locator(".editor-group-container.active .editor-instance .lines-content");
    const picture = async (kind) => {
      const { x, y } = await area.boundingBox();
      const { width, height } = await window.page.evaluate(() => {
        const boxes = [...document.querySelectorAll(".editor-group-container.active .view-line > span")].map((it) => it.getBoundingClientRect());
        return { width: Math.max(...boxes.map((it) => it.right)), height: Math.max(...boxes.map((it) => it.bottom)) };
      });
      const target = path.join(screenshots, `${name}-${kind}.png`);
      await window.page.screenshot({ path: target, clip: { x, y, width: width - x + 8, height: height - y } });
      return target;
    };
    const grammar = await settled();
    const left = await picture("grammar");
    configure(true);
    const semantic = await settled(JSON.stringify(grammar));
    const right = await picture("semantic");
    await join(name, left, right);
    grammar.lines.forEach((line, at) => {
      const [before, after] = [spread(line), spread(semantic.lines[at] ?? [])];
      const changed = before.map(([it, color], column) => (it === " " || color === after[column]?.[1] ? " " : it)).join("");
      for (const text of changed.split(" ").filter((it) => it !== "")) found.push(`${file}:${at + 1}: ${text}`);
    });
  }
} finally {
  await window.close();
}
const expected = fs.readFileSync(path.join(samples, "changed.txt"), "utf8").split("\n").filter((it) => it !== "");
const hidden = found.filter((it) => !expected.includes(it));
const missing = expected.filter((it) => !found.includes(it));
for (const line of hidden) console.log(`color changed: ${line}`);
for (const line of missing) console.log(`color not changed: ${line}`);
console.log(`semantic tokens change the color of ${found.length} texts, ${hidden.length} of them unexpectedly`);
process.exit(hidden.length + missing.length === 0 ? 0 : 1);
