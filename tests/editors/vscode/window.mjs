// A real VS Code in a browser: what a person does with it, and what they see.
//
// Nothing here waits for a time to pass: each action waits for what it brings about, and one that a window which is still
// starting may swallow is done again.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const PORT = 8917;
const CLOSED = "http://127.0.0.1:9/";
/** Far more than anything takes on a busy machine, in milliseconds. */
const BOUND = 150_000;
/** After this time a swallowed key is pressed again. */
const PATIENCE = 6_000;

/** Starts code-server with a home of its own and the extension installed. */
export async function startServer(work, extension) {
  const entry = path.resolve("node_modules/code-server/out/node/entry.js");
  const data = path.join(work, "home/data");
  const places = ["--user-data-dir", data, "--extensions-dir", path.join(work, "home/extensions")];
  fs.mkdirSync(path.join(data, "User"), { recursive: true });
  // What would cover the window, or go to the network. Nothing of the extension is set.
  const settings = {
    "files.autoSave": "off",
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Dark Modern",
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
  // Its children as well, however this process ends.
  const stop = () => server === undefined || server.exitCode !== null || process.kill(-server.pid, "SIGKILL");
  process.on("exit", stop);
  process.on("SIGTERM", () => process.exit(1));
  await until("code-server answers", async () => {
    // It gives up by itself when its own parts take long to find each other.
    if (server === undefined || server.exitCode !== null) {
      server = spawn(process.execPath, [entry, ...places, "--auth", "none", "--bind-addr", `127.0.0.1:${PORT}`, "--disable-telemetry", "--disable-update-check"], { env, detached: true });
      server.stdout.pipe(log, { end: false });
      server.stderr.pipe(log, { end: false });
    }
    return (await fetch(`http://127.0.0.1:${PORT}/healthz`)).ok;
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

/** Asks again until the answer is true; errors count as not yet. */
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

/** Acts, and acts again whenever the answer has not become true for some time. */
async function actUntil(what, action, question) {
  const end = Date.now() + BOUND;
  for (;;) {
    await action();
    try {
      return await until(what, question, PATIENCE);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

export class Window {
  /** Opens a folder with a file in it, as `code FOLDER FILE` does; comes back when the file's text is to be seen. */
  static async open(folder, file, screenshots) {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const window = new Window(browser, page, folder, screenshots);
    const opened = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${PORT}${path.join(folder, file)}`]]);
    await page.goto(`http://127.0.0.1:${PORT}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(opened)}`);
    await until("the window shows", async () => (await window.text()).trim() !== "" && (await window.count(".explorer-folders-view")) > 0);
    return window;
  }

  constructor(browser, page, folder, screenshots) {
    Object.assign(this, { browser, page, folder, screenshots });
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** As a person types, key by key. */
  type(text) {
    return this.page.keyboard.type(text, { delay: 15 });
  }

  /** Presses a key that opens an input above the editor, and fills it in. */
  async ask(key, text) {
    const input = this.page.locator(".quick-input-widget .quick-input-box input");
    const hasFocus = () => input.evaluate((it) => it.ownerDocument.activeElement === it);
    await actUntil(`the input of ${key}`, () => this.press(key), async () => (await this.isAsking()) && hasFocus());
    await input.fill(text);
  }

  isAsking() {
    return this.page.locator(".quick-input-widget").isVisible();
  }

  /** The rows below the input above the editor. */
  offers() {
    return this.texts(".quick-input-list .monaco-list-row");
  }

  /** Runs a command of the palette by its title. Comes back when the palette is gone, unless the command asks something itself. */
  async command(title, { asks = false } = {}) {
    await this.ask("F1", `>${title}`);
    const last = title.split(": ").at(-1);
    await until(`the command ${title}`, async () => (await this.offers())[0]?.includes(last));
    await this.press("Enter");
    if (!asks) await until("the palette is gone", async () => !(await this.isAsking()));
  }

  async openFile(file) {
    const name = path.basename(file);
    await this.ask("Control+p", file);
    await until(`${file} is offered`, async () => (await this.offers())[0]?.includes(name));
    await this.press("Enter");
    await until(`${file} is open`, async () => (await this.activeTab()) === name && (await this.text()).trim() !== "");
    await this.focusEditor();
  }

  focusEditor() {
    const inEditor = () => this.page.evaluate(() => document.activeElement?.closest(".editor-instance") !== null);
    return actUntil("the editor has the focus", () => this.page.keyboard.press("Control+1"), inEditor);
  }

  async goTo(line, column) {
    await this.ask("Control+g", `:${line}:${column}`);
    await until(`line ${line} is offered`, async () => (await this.texts(".quick-input-widget")).join().includes(`${line}`));
    await this.press("Enter");
    const place = `Ln ${line}, Col ${column}`;
    await until(place, async () => (await this.status()).includes(place) && !(await this.isAsking()));
    await this.focusEditor();
  }

  /** A new line below a line, and `text` in it. */
  async addLine(line, text) {
    await this.goTo(line, 1);
    await this.press("End", "Enter");
    await until("the new line", async () => (await this.status()).includes(`Ln ${line + 1}, `));
    await this.type(text);
  }

  /** Throws away what was changed in the active file. */
  async revert() {
    await this.press("Escape", "Escape");
    await this.command("File: Revert File");
    await until("nothing is changed any more", async () => (await this.count(".tabs-container .tab.active.dirty")) === 0);
    await this.focusEditor();
  }

  /** Presses keys until what they should bring about is seen. */
  pressUntil(what, keys, question) {
    return actUntil(what, () => this.press(...keys), question);
  }

  /** Waits for something that should come by itself, and presses keys for it when it does not. */
  orPress(what, keys, question) {
    let isFirst = true;
    const action = async () => {
      if (!isFirst) await this.press(...keys);
      isFirst = false;
    };
    return actUntil(what, action, question);
  }

  /** Clicks a thing until what that should bring about is seen. */
  clickUntil(what, locator, question) {
    return actUntil(what, () => locator.click(), question);
  }

  async activeTab() {
    const tab = this.page.locator(".tabs-container .tab.active").first();
    return (await tab.count()) > 0 ? ((await tab.getAttribute("data-resource-name")) ?? "") : "";
  }

  async status() {
    return (await this.texts(".statusbar-item")).join(" | ");
  }

  /** What the item of the extension says to a screen reader. */
  async state() {
    const items = this.page.locator(".statusbar-item", { hasText: "Puppet" });
    return (await items.evaluateAll((found) => found.map((it) => it.getAttribute("aria-label") ?? ""))).join(" | ");
  }

  texts(selector) {
    return this.page.locator(selector).evaluateAll((found) => found.map((it) => it.innerText.replaceAll("\u00a0", " ")));
  }

  count(selector) {
    return this.page.locator(selector).count();
  }

  /** The text of the active editor, as far as it is in view. */
  async text() {
    const lines = await this.page.locator(".editor-group-container.active .editor-instance .view-lines .view-line").evaluateAll((found) =>
      found.map((it) => [Number.parseFloat(it.style.top), it.innerText.replaceAll("\u00a0", " ")]).sort((a, b) => a[0] - b[0]),
    );
    return lines.map(([, text]) => text).join("\n");
  }

  /** The texts of all editors that are to be seen. */
  async allTexts() {
    return (await this.texts(".editor-instance .view-line")).join("\n");
  }

  /** What decorations put behind the text of the active editor. */
  behindText() {
    return this.page.locator(".editor-group-container.active .view-line span[class*=ced-]").evaluateAll((found) => found.map((it) => getComputedStyle(it, "::after").content));
  }

  /** Picks one of the rows below the input above the editor. */
  async choose(label) {
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first();
    await until(`the choice ${label}`, () => row.isVisible());
    await row.click();
  }

  /** The page of a web view that has something. */
  async frameWith(selector) {
    for (const frame of this.page.frames()) {
      if ((await frame.locator(selector).count().catch(() => 0)) > 0) return frame;
    }
    return undefined;
  }

  squiggles() {
    return this.count(".monaco-editor .squiggly-error");
  }

  /** Errors and warnings. */
  marks() {
    return this.count(".monaco-editor .squiggly-error, .monaco-editor .squiggly-warning");
  }

  problems() {
    return this.texts(".markers-panel .monaco-list-row");
  }

  /** The rows of the tables that the window's own report about its start has. */
  async startReport() {
    await this.page.setViewportSize({ width: 1600, height: 8000 });
    await this.command("Developer: Startup Performance");
    const report = await until("the report", async () => {
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
