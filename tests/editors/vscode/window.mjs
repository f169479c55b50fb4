// Real VS Code in a browser: user actions and visible results.
//
// Nothing here sleeps: each action waits for its effect, and an action that a starting window may swallow is repeated.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { chromium } from "playwright-core";

const CLOSED = "http://127.0.0.1:9/";
/** Time limit in milliseconds, far above any response time on a busy machine. */
const BOUND = 150_000;
/** Time in milliseconds after which a swallowed key is pressed again; doubles with each attempt. */
const PATIENCE = 6_000;

/** Settings file of a user for a machine. */
export const machineSettings = (work) => path.join(work, "home/code/Machine/settings.json");

/** Starts code-server with a separate home and the extension installed. Returns its address: host and port. */
export async function startServer(work, extension) {
  const entry = path.resolve("node_modules/code-server/out/node/entry.js");
  const data = path.join(work, "home/code");
  const places = ["--user-data-dir", data, "--extensions-dir", path.join(work, "home/extensions")];
  fs.mkdirSync(path.join(data, "User"), { recursive: true });
  // Turns off everything that would cover the window or access the network. No setting of the extension is changed.
  const settings = {
    "files.autoSave": "off",
    "workbench.startupEditor": "none",
    // Current name of the theme: for an old one, VS Code would open and rewrite these settings and start the JSON
    // extensions.
    "workbench.colorTheme": "Dark Modern",
    "editor.minimap.enabled": false,
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
    "extensions.ignoreRecommendations": true,
    "chat.disableAIFeatures": true,
    "workbench.tips.enabled": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "editor.accessibilitySupport": "off",
  };
  fs.writeFileSync(path.join(data, "User/settings.json"), JSON.stringify(settings, undefined, 2));
  const env = { ...process.env, EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: CLOSED, itemUrl: CLOSED }) };
  const run = (...args) => spawn(process.execPath, [entry, ...places, ...args], { env });
  await finished(run("--install-extension", extension), "installing the extension");
  const log = fs.createWriteStream("code-server.log");
  let server;
  let address;
  const isRunning = () => server !== undefined && server.exitCode === null && server.signalCode === null;
  // Kills the child processes as well, however this process ends.
  process.on("exit", () => {
    try {
      if (isRunning()) process.kill(-server.pid, "SIGKILL");
    } catch {
      // The process has just exited.
    }
  });
  process.on("SIGTERM", () => process.exit(1));
  await until("code-server answers", async () => {
    // The server exits when its parts take too long to connect, or when the port is already in use.
    if (!isRunning()) {
      address = `127.0.0.1:${await freePort()}`;
      server = spawn(process.execPath, [entry, ...places, "--auth", "none", "--bind-addr", address, "--disable-telemetry", "--disable-update-check"], { env, detached: true });
      server.stdout.pipe(log, { end: false });
      server.stderr.pipe(log, { end: false });
    }
    return (await fetch(`http://${address}/healthz`, { signal: AbortSignal.timeout(PATIENCE) })).ok;
  });
  return address;
}

/** Returns an unused port. */
function freePort() {
  return new Promise((resolve, reject) => {
    const listener = net.createServer().on("error", reject);
    listener.listen(0, "127.0.0.1", () => {
      const { port } = listener.address();
      listener.close(() => resolve(port));
    });
  });
}

function finished(child, what) {
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => (code === 0 ? resolve(output) : reject(new Error(`${what}: exit code ${code}\n${output}`))));
  });
}

/** Retries until the result is truthy; errors count as false. */
export async function until(what, question, bound = BOUND) {
  const end = Date.now() + bound;
  let last;
  for (;;) {
    try {
      const answer = await question();
      if (answer) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`not within ${bound / 1000} s: ${what} (${last})`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Performs an action, and repeats it while the condition stays false for some time or the action fails. */
export async function actUntil(what, action, question) {
  const end = Date.now() + BOUND;
  for (let patience = PATIENCE; ; patience *= 2) {
    try {
      await action();
      return await until(what, question, patience);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/**
 * Runs in the page from its start and records when each element first becomes visible, in milliseconds. Polling from outside
 * would slow down a starting window.
 */
function noteTimes() {
  if (window !== window.top) return;
  const noted = new Set();
  const seen = {};
  window.firstSeen = seen;
  const state = () => document.querySelector('.statusbar-item[aria-label^="Puppet Analyzer"]')?.getAttribute("aria-label") ?? "";
  const timer = setInterval(() => {
    const now = {
      shown: document.querySelector(".explorer-folders-view") !== null && /\S/.test(document.querySelector(".editor-instance .view-lines")?.textContent ?? ""),
      active: state() !== "",
      ready: /Puppet Analyzer \d\S*: ready/.test(state()),
      marked: document.querySelector(".monaco-editor .squiggly-error") !== null,
    };
    now.readyAndMarked = now.ready && now.marked;
    const there = Object.keys(now).filter((what) => now[what] && !noted.has(what));
    for (const what of there) noted.add(what);
    // Changes to the page are visible in the next frame.
    if (there.length > 0) requestAnimationFrame(() => there.forEach((what) => (seen[what] = Date.now())));
    if (noted.size === Object.keys(now).length) clearInterval(timer);
  }, 20);
}

const QUICK_INPUT = ".quick-input-widget .quick-input-box input";

export class Window {
  /** Opens a folder with a file in it, as `code FOLDER FILE` does; returns when the file's text is visible. */
  static async open(address, folder, file, screenshots) {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(BOUND);
    await page.addInitScript(noteTimes);
    const window = new Window(browser, page, folder, screenshots);
    const opened = JSON.stringify([["openFile", `vscode-remote://${address}${path.join(folder, file)}`]]);
    await page.goto(`http://${address}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(opened)}`, { waitUntil: "commit" });
    await window.whenSeen("shown");
    return window;
  }

  constructor(browser, page, folder, screenshots) {
    Object.assign(this, { browser, page, folder, screenshots });
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Types a text key by key. */
  type(text) {
    return this.page.keyboard.type(text, { delay: 15 });
  }

  /** Waits for an element and returns the time of its first appearance (`noteTimes`). */
  async whenSeen(what) {
    await this.page.waitForFunction((what) => window.firstSeen?.[what] !== undefined, what, { polling: 50 });
    return this.page.evaluate((what) => window.firstSeen[what], what);
  }

  /**
   * Presses a key that opens the quick input, and fills it in until the row selected by Enter matches. By default, a row matches
   * if it contains `row`.
   */
  async ask(key, text, row, matches = (label) => label.includes(row)) {
    const isOffered = async () => (await this.isAsking()) && (await this.texts(".quick-input-list .monaco-list-row.focused")).slice(0, 1).some(matches);
    const fill = async () => {
      await this.press(key);
      await until(`the input of ${key}`, () => this.hasFocus(QUICK_INPUT), PATIENCE);
      await this.page.locator(QUICK_INPUT).fill(text);
    };
    await actUntil(`${row} is offered for ${text}`, fill, isOffered);
    const takeIt = async () => {
      if (await isOffered()) await this.press("Enter");
    };
    await actUntil(`${row} is taken`, takeIt, async () => !(await isOffered()));
  }

  /** Returns true if the quick input is open. */
  isAsking() {
    return this.page.locator(".quick-input-widget").isVisible();
  }

  /** Returns the text of the quick input. */
  async asked() {
    return this.page.evaluate((selector) => document.querySelector(selector)?.value, QUICK_INPUT);
  }

  /** Fills in the quick input and waits until it is closed, or until another question is asked. */
  async answer(text, { asks = false } = {}) {
    const isAnswered = async () => !(await this.isAsking()) || (asks && (await this.asked()) === "");
    const action = async () => {
      if (await isAnswered()) return;
      await this.page.locator(QUICK_INPUT).fill(text);
      await this.press("Enter");
    };
    await actUntil("the input is gone", action, isAnswered);
  }

  hasFocus(selector) {
    return this.page.evaluate((selector) => document.activeElement?.matches(selector) === true, selector);
  }

  /** Runs a command of the palette by its title. Returns when the palette is closed, unless the command opens a quick input. */
  async command(title, { asks = false } = {}) {
    await this.ask("F1", `>${title}`, title.split(": ").at(-1));
    if (!asks) await until("the palette is gone", async () => !(await this.isAsking()));
  }

  /** Runs an idempotent command until its effect is visible. */
  commandUntil(what, title, question) {
    return actUntil(what, () => this.command(title), question);
  }

  async openFile(file, { isEmpty = false } = {}) {
    const isShown = async () => (await this.activeFile()).endsWith(`/${file}`) && (isEmpty || (await this.text()).trim() !== "");
    // Recently opened files are listed before the search is complete: `database.pp` must not be taken for `base.pp`.
    const name = path.basename(file);
    // A label is the name, directly followed by the folder.
    const matches = (label) => label.trim().startsWith(name);
    await actUntil(`${file} is open`, () => this.ask("Control+p", file, name, matches), isShown);
    await this.focusEditor();
  }

  focusEditor() {
    const inEditor = () => this.page.evaluate(() => Boolean(document.activeElement?.closest(".editor-instance")));
    return actUntil("the editor has the focus", () => this.press("Control+1"), inEditor);
  }

  async goTo(line, column) {
    const place = `Ln ${line}, Col ${column}`;
    const go = async () => {
      await this.press("Control+g");
      await until("the input for a line", () => this.hasFocus(QUICK_INPUT), PATIENCE);
      await this.page.locator(QUICK_INPUT).fill(`:${line}:${column}`);
      await until(`line ${line} is offered`, async () => (await this.texts(".quick-input-widget")).join().includes(`${line}`), PATIENCE);
      await this.press("Enter");
    };
    await actUntil(place, go, async () => (await this.status()).includes(place) && !(await this.isAsking()));
    await this.focusEditor();
  }

  /** Inserts a new line with `text` below a line. */
  async addLine(line, text) {
    await this.goTo(line, 1);
    await this.press("End", "Enter");
    const column = await until("the new line", async () => (await this.status()).match(`Ln ${line + 1}, Col (\\d+)`)?.[1]);
    await this.type(text);
    try {
      await until(`${text} is there`, async () => (await this.status()).includes(`Col ${Number(column) + text.length}`));
    } catch (error) {
      throw new Error(`${error.message}; ${await this.activeFile()}: ${await this.status()}\n${await this.text()}`);
    }
  }

  /** Reverts the active file. */
  async revert() {
    await this.press("Escape", "Escape");
    await this.commandUntil("nothing is changed any more", "File: Revert File", async () => (await this.count(".tabs-container .tab.active.dirty")) === 0);
    await this.focusEditor();
  }

  /** Closes all editor groups except the active one. */
  closeOthers() {
    return this.commandUntil("one group is left", "View: Close Editors in Other Groups", async () => (await this.count(".editor-group-container")) === 1);
  }

  /** Presses keys until their effect is visible. */
  pressUntil(what, keys, question) {
    return actUntil(what, () => this.press(...keys), question);
  }

  /** Waits for something that should appear automatically, and presses keys if it does not. */
  orPress(what, keys, question) {
    let isFirst = true;
    const action = async () => {
      if (!isFirst) await this.press(...keys);
      isFirst = false;
    };
    return actUntil(what, action, question);
  }

  /** Clicks an element until the effect is visible. */
  clickUntil(what, locator, question) {
    return actUntil(what, () => locator.click({ timeout: PATIENCE }), question);
  }

  /** Shows the hover at the cursor until its text is right, closing it in between, since an open hover is not requested again. */
  hoverUntil(isRight) {
    return this.pressUntil("a hover", ["Escape", "Control+k", "Control+i"], async () => (await this.texts(".monaco-hover:not(.hidden)")).find(isRight));
  }

  async activeTab() {
    const tab = this.page.locator(".tabs-container .tab.active").first();
    return (await tab.count()) > 0 ? ((await tab.getAttribute("data-resource-name")) ?? "") : "";
  }

  /** Returns the URI of the active editor's document. */
  async activeFile() {
    const uris = this.page.locator(".editor-group-container.active .editor-instance .monaco-editor[data-uri]");
    return (await uris.evaluateAll((found) => found.map((it) => it.getAttribute("data-uri"))))[0] ?? "";
  }

  async status() {
    return (await this.texts(".statusbar-item")).join(" | ");
  }

  /** Returns the accessible label of the extension's status bar item. */
  async state() {
    const items = this.page.locator('.statusbar-item[aria-label^="Puppet Analyzer"]');
    return (await items.evaluateAll((found) => found.map((it) => it.getAttribute("aria-label"))))[0] ?? "";
  }

  texts(selector) {
    return this.page.locator(selector).evaluateAll((found) => found.map((it) => it.innerText.replaceAll("\u00a0", " ")));
  }

  count(selector) {
    return this.page.locator(selector).count();
  }

  /** Returns the visible text of the active editor. */
  async text() {
    const lines = await this.page.locator(".editor-group-container.active .editor-instance .view-lines .view-line").evaluateAll((found) =>
      found.map((it) => [Number.parseFloat(it.style.top), it.innerText.replaceAll("\u00a0", " ")]).sort((a, b) => a[0] - b[0]),
    );
    return lines.map(([, text]) => text).join("\n");
  }

  /** Returns the text of all visible editors. */
  async allTexts() {
    return (await this.texts(".editor-instance .view-line")).join("\n");
  }

  /** Returns the decorations after the text of the active editor. */
  behindText() {
    return this.page.locator(".editor-group-container.active .view-line span[class*=ced-]").evaluateAll((found) => found.map((it) => getComputedStyle(it, "::after").content));
  }

  /** Picks a row of the quick input. */
  async choose(label) {
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first();
    await until(`the choice ${label}`, () => row.isVisible());
    const choose = async () => {
      if (await row.isVisible()) await row.click({ timeout: PATIENCE });
    };
    await actUntil(`${label} is chosen`, choose, async () => !(await row.isVisible()));
  }

  /** Returns the page of a web view that contains an element. */
  async frameWith(selector) {
    for (const frame of this.page.frames()) {
      if ((await frame.locator(selector).count().catch(() => 0)) > 0) return frame;
    }
    return undefined;
  }

  squiggles() {
    return this.count(".monaco-editor .squiggly-error");
  }

  /** Returns the errors and warnings. */
  marks() {
    return this.count(".monaco-editor .squiggly-error, .monaco-editor .squiggly-warning");
  }

  problems() {
    return this.texts(".markers-panel .monaco-list-row");
  }

  /** Returns the table rows of the window's startup report. */
  async startReport() {
    await this.page.setViewportSize({ width: 1600, height: 8000 });
    const report = await this.commandUntil("the report", "Developer: Startup Performance", async () => {
      const text = await this.text();
      return text.includes("## Workbench Contributions") && text;
    });
    return report.split("\n").filter((line) => line.startsWith("|")).map((line) => line.split("|").slice(1, -1).map((it) => it.trim()));
  }

  async screenshot(name) {
    await this.page.screenshot({ path: path.join(this.screenshots, `${name}.png`) });
  }

  close() {
    return this.browser.close();
  }
}
