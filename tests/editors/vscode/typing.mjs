// Types files as a person does, without a manual trigger: node typing.mjs WORK EXTENSION SCREENSHOTS SCRIPTS [NAME...]
//
// SCRIPTS is the folder tests/editors/typing, whose README describes the format.
import fs from "node:fs";
import path from "node:path";
import { startServer, until, Window } from "./window.mjs";

const [work, extension, screenshots, scripts, ...names] = process.argv.slice(2);
const folder = path.join(work, "control-repo");
/** Milliseconds between two keys: 10 keys a second, which is fast for a person. */
const KEY_INTERVAL = 100;
/** Milliseconds that a person pauses after a line break. VS Code drops a formatting whose answer arrives after the next key. */
const LINE_PAUSE = 400;
/** Milliseconds without a popup after which none is expected. */
const QUIET = 400;
/** Limit in milliseconds for a popup to open or to close. */
const POPUP_BOUND = 10_000;
/** Names of keys whose name differs in the browser. */
const KEYS = { Down: "ArrowDown" };
/** Milliseconds that a popup has to stay the same before a person reacts to it. */
const REACTION = 200;
/** Milliseconds after which a person presses Enter or Tab although a popup is open, or types a letter again because none has opened. */
const PATIENCE = 3_000;
/** Largest share of popups that may need a letter to be typed again: VS Code drops requests if it is late itself. */
const DROPPED = 0.02;
/** Rows of a popup that a person sees. */
const ROWS = 12;

const SIGNATURES = ".parameter-hints-widget.visible.multiple";
const POPUP = ".editor-widget.suggest-widget.visible";
const started = Date.now();
const seconds = (from) => ((Date.now() - from) / 1000).toFixed(1);

/** Parses a script into the path of its file, steps with their lines, and the expected text. */
function parse(name) {
  const text = fs.readFileSync(path.join(scripts, `${name}.script`), "utf8");
  const [head, ...rest] = text.split(/^final:\n/m);
  if (rest.length !== 1) throw new Error(`${name}: expected one \`final:\``);
  const lines = head.split("\n").map((line, at) => ({ line: at + 1, match: /^([a-z]+):(?: (.*))?$/.exec(line), text: line }));
  const steps = lines.filter(({ text }) => text !== "" && !text.startsWith("#")).map(({ line, match, text }) => {
    if (!match) throw new Error(`${name}:${line}: malformed step: ${text}`);
    return { line, kind: match[1], argument: match[2] ?? "" };
  });
  const [file] = steps.splice(0, 1);
  if (file?.kind !== "file") throw new Error(`${name}: expected \`file:\``);
  return { file: file.argument, steps, expected: rest[0] };
}

/** Runs in the page: records how long the first popup of each word takes from the first key of the word. */
function notePopups() {
  if (window !== window.top) return;
  window.popupTimes = [];
  let from;
  // A popup that opens again in the same word is not counted, and a word begins after any key that is not a part of one:
  // Enter and Tab also end a word.
  let isCounted = false;
  let isOpen = false;
  addEventListener("keydown", ({ key }) => {
    if (["Shift", "Control", "Alt", "Meta", "ArrowUp", "ArrowDown"].includes(key)) return;
    const isWord = key.length === 1 && /[\w$]/.test(key);
    if (!isWord) [from, isCounted] = [undefined, false];
    else from ??= performance.now();
  }, true);
  const look = () => {
    // On screen. VS Code adds the class `visible`, which changes no style, 100 ms later.
    const row = document.querySelector(".editor-widget.suggest-widget .monaco-list-row");
    const isNow = row?.checkVisibility({ visibilityProperty: true }) && row.getBoundingClientRect().height > 0;
    if (isNow && !isOpen && from !== undefined && !isCounted) {
      window.popupTimes.push(performance.now() - from);
      isCounted = true;
    }
    isOpen = isNow;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Returns the labels of the rows of the popup, and which one is focused. */
function popup() {
  return window.page.locator(`${POPUP} .monaco-list-row`).evaluateAll((rows) =>
    rows
      .map((row) => ({ at: Number(row.dataset.index), label: (row.querySelector(".label-name") ?? row).innerText.replaceAll("\u00a0", " "), focused: row.classList.contains("focused") }))
      .sort((a, b) => a.at - b.at),
  );
}

async function labels() {
  return (await popup()).slice(0, ROWS).map((it) => it.label);
}

/** Last key that was typed, and the number of popups that opened only after it was typed again. */
let lastKey = "";
let dropped = 0;

/** Waits for a popup. While VS Code is late, it does not request completions for a word at all; a person then types its last letter again. */
async function offered(label) {
  const isOffered = async () => (await labels()).includes(label);
  try {
    await until(`a popup with ${label}`, isOffered, PATIENCE);
    return;
  } catch {
    if ((await popup()).length === 0 && /\w/.test(lastKey)) {
      await window.press("Backspace");
      await window.page.keyboard.type(lastKey);
      dropped += 1;
    }
  }
  await until(`a popup with ${label}`, isOffered, POPUP_BOUND).catch(async (error) => {
    throw new Error(`${error.message}; the popup has: ${(await labels()).join(", ") || "nothing"}`);
  });
}

/** Waits until the popup with a row stays the same, and returns its focused row. */
async function settled(label) {
  let last = "";
  let since = Date.now();
  const isSettled = async () => {
    const rows = await popup();
    const now = JSON.stringify(rows);
    if (now !== last) since = Date.now();
    last = now;
    return rows.some((it) => it.label === label) && Date.now() - since > REACTION && rows.find((it) => it.focused);
  };
  return until(`a popup with ${label} that stays`, isSettled, POPUP_BOUND);
}

async function accept(label) {
  await offered(label);
  for (let row = 0; row < ROWS; row += 1) {
    const focused = await settled(label);
    if (focused.label === label) {
      const before = await window.text();
      await window.press("Enter");
      await until(`${label} is inserted`, async () => (await window.text()) !== before, POPUP_BOUND);
      return;
    }
    await window.press("ArrowDown");
    await until("the next row", async () => (await popup()).find((it) => it.focused)?.at !== focused.at, POPUP_BOUND);
  }
  throw new Error(`${label} cannot be reached`);
}

async function none() {
  let since = Date.now();
  let rows = [];
  const isQuiet = async () => {
    rows = await labels();
    if (rows.length > 0) since = Date.now();
    return Date.now() - since > QUIET;
  };
  await until("no popup", isQuiet, POPUP_BOUND).catch(() => {
    throw new Error(`a popup is open: ${rows.join(", ")}`);
  });
}

/** Waits until no popup has been open for as long as a person needs to react, or for as long as a person is patient. */
async function closed() {
  let since = Date.now();
  const isClosed = async () => {
    if ((await popup()).length > 0) since = Date.now();
    return Date.now() - since > REACTION;
  };
  await until("the popup closes", isClosed, PATIENCE).catch(() => {});
}

async function perform({ kind, argument }) {
  switch (kind) {
    case "type":
      for (const key of argument) {
        const next = Date.now() + KEY_INTERVAL;
        await window.page.keyboard.type(key);
        lastKey = key;
        await until("the next key", () => Date.now() >= next);
      }
      return undefined;
    case "key":
      // Several signatures of a call take the key until VS Code knows that the call has ended, which a person sees.
      if (argument === "Down") await until("no signatures", async () => (await window.count(SIGNATURES)) === 0, POPUP_BOUND);
      // A person sees that the popup with the word that is complete closes, before Enter or Tab would accept it. While VS Code is late, the
      // popup outlives the key that ends the word.
      if (argument === "Enter" || argument === "Tab") await closed();
      await window.press(KEYS[argument] ?? argument);
      return until("the next key", ((next) => () => Date.now() >= next)(Date.now() + (argument === "Enter" ? LINE_PAUSE : KEY_INTERVAL)));
    case "expect":
      return offered(argument);
    case "accept":
      return accept(argument);
    case "none":
      return none();
    default:
      throw new Error(`unknown step \`${kind}\``);
  }
}

/** Returns the lines that differ, of two texts. */
function difference(expected, found) {
  const [a, b] = [expected.split("\n"), found.split("\n")];
  const rows = [];
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    if (a[at] !== b[at]) rows.push(`  line ${at + 1}: expected ${JSON.stringify(a[at])}, found ${JSON.stringify(b[at])}`);
  }
  return rows.slice(0, 12).join("\n");
}

/** Runs a script and returns the number of its failures. */
async function run(name) {
  const { file, steps, expected } = parse(name);
  const on_disk = path.join(folder, file);
  const before = Date.now();
  const failures = [];
  let popups = 0;
  fs.mkdirSync(path.dirname(on_disk), { recursive: true });
  fs.writeFileSync(on_disk, "");
  try {
    await window.openFile(file, { isEmpty: true });
    for (const step of steps) {
      if (["expect", "accept"].includes(step.kind)) popups += 1;
      try {
        await perform(step);
      } catch (error) {
        failures.push(`${name}.script:${step.line}: ${step.kind}: ${error.message}`);
        await window.screenshot(`typing-${name}-${step.line}`);
        if (step.kind === "accept") break;
      }
    }
    await window.screenshot(`typing-${name}`);
    const isSaved = async () => fs.readFileSync(on_disk, "utf8") !== "" && (await window.count(".tabs-container .tab.active.dirty")) === 0;
    await window.pressUntil("it is saved", ["Escape", "Control+s"], isSaved);
    const found = fs.readFileSync(on_disk, "utf8");
    if (found !== expected) failures.push(`${name}: the text is not the intended one\n${difference(expected, found)}`);
  } catch (error) {
    failures.push(`${name}: ${error.message}`);
  }
  await window.commandUntil("no editor", "View: Close All Editors", async () => (await window.count(".editor-instance")) === 0).catch(() => {});
  fs.rmSync(on_disk);
  console.log(`${failures.length === 0 ? "ok" : "FAILED"}: ${name}: ${expected.split("\n").length - 1} lines, ${popups} popups (${seconds(before)} s)`);
  for (const failure of failures) console.log(failure);
  return failures.length;
}

const all = fs.readdirSync(scripts).filter((it) => it.endsWith(".script")).map((it) => path.basename(it, ".script")).sort();
const address = await startServer(work, path.resolve(extension));
const window = await Window.open(address, folder, "site-modules/profile/manifests/base.pp", screenshots);
let failed = 0;
try {
  await until("the server is ready", async () => (await window.state()).endsWith(": ready"));
  await window.page.evaluate(notePopups);
  for (const name of names.length > 0 ? names : all) failed += (await run(name)) > 0 ? 1 : 0;
  const times = (await window.page.evaluate(() => window.popupTimes)).sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  console.log(`${times.length} popups opened while typing: ${at(0.5)} ms after the key at the median, ${at(0.95)} ms at the 95th percentile`);
  if (dropped > 0) console.log(`${dropped} popups opened only after a letter was typed again`);
  if (dropped > Math.max(1, times.length * DROPPED)) {
    console.log("FAILED: VS Code dropped too many popups");
    failed += 1;
  }
} finally {
  await window.close();
}
console.log(`${failed === 0 ? "all passed" : `${failed} failed`} in ${seconds(started)} s`);
process.exit(failed === 0 ? 0 : 1);
