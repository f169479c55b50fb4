// A real VS Code in a browser: what a person does with it, and what they see.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const PORT = 8917;
const CLOSED = "http://127.0.0.1:9/";

/** Starts code-server with a home of its own and the extension installed. */
export async function startServer(work, extension) {
  const entry = path.resolve("node_modules/code-server/out/node/entry.js");
  const data = path.join(work, "home/data");
  const places = ["--user-data-dir", data, "--extensions-dir", path.join(work, "home/extensions")];
  fs.mkdirSync(path.join(data, "User"), { recursive: true });
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
  fs.writeFileSync(path.join(data, "User/settings.json"), JSON.stringify(settings));
  const env = { ...process.env, EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: CLOSED, itemUrl: CLOSED }) };
  const run = (...args) => spawn(process.execPath, [entry, ...places, ...args], { env });
  await finished(run("--install-extension", extension), "installing the extension");
  const server = run("--auth", "none", "--bind-addr", `127.0.0.1:${PORT}`, "--disable-telemetry", "--disable-update-check");
  const log = fs.createWriteStream("code-server.log");
  server.stdout.pipe(log);
  server.stderr.pipe(log);
  await until("code-server answers", async () => (await fetch(`http://127.0.0.1:${PORT}/healthz`)).ok, 60_000);
  return server;
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
export async function until(what, question, timeout = 20_000) {
  const end = Date.now() + timeout;
  let last;
  for (;;) {
    try {
      const answer = await question();
      if (answer) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`not within ${timeout / 1000} s: ${what} (${last})`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export class Window {
  static async open(folder, screenshots) {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const window = new Window(browser, page, folder, screenshots);
    await page.goto(`http://127.0.0.1:${PORT}/?folder=${encodeURIComponent(folder)}`);
    await page.waitForSelector(".monaco-workbench .explorer-folders-view", { timeout: 60_000 });
    return window;
  }

  constructor(browser, page, folder, screenshots) {
    Object.assign(this, { browser, page, folder, screenshots });
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text) {
    return this.page.keyboard.type(text, { delay: 15 });
  }

  /** Runs a command of the palette by its title. */
  async command(title) {
    await this.press("F1");
    await this.page.waitForSelector(".quick-input-widget:not(.hidden) input");
    await this.page.keyboard.insertText(`>${title}`);
    await until(`the command ${title}`, async () => (await this.texts(".quick-input-list .monaco-list-row"))[0]?.includes(title.split(": ").at(-1)));
    await this.press("Enter");
  }

  async openFile(file) {
    await this.press("Control+p");
    await this.page.waitForSelector(".quick-input-widget:not(.hidden) input");
    await this.page.keyboard.insertText(file);
    const name = path.basename(file);
    await until(`${file} is offered`, async () => (await this.texts(".quick-input-list .monaco-list-row"))[0]?.includes(name));
    await this.press("Enter");
    await until(`${file} is open`, async () => (await this.activeTab()).startsWith(name));
    await this.page.waitForSelector(".monaco-editor .view-lines");
    await this.page.locator(".editor-instance .monaco-editor").first().click({ position: { x: 400, y: 300 } });
  }

  async goTo(line, column) {
    await this.press("Control+p");
    await this.page.waitForSelector(".quick-input-widget:not(.hidden) input");
    await this.page.keyboard.insertText(`:${line}:${column}`);
    await until(`line ${line} is offered`, async () => (await this.texts(".quick-input-widget")).join().includes(`${line}`));
    await this.press("Enter");
    const place = `Ln ${line}, Col ${column}`;
    await until(place, async () => (await this.status()).includes(place));
  }

  async activeTab() {
    const tab = this.page.locator(".tabs-container .tab.active").first();
    return (await tab.count()) > 0 ? ((await tab.getAttribute("data-resource-name")) ?? "") : "";
  }

  async status() {
    return (await this.texts(".statusbar-item")).join(" | ");
  }

  texts(selector) {
    return this.page.locator(selector).evaluateAll((found) => found.map((it) => it.innerText.replaceAll("\u00a0", " ")));
  }

  /** The text of the active editor, as far as it is in view. */
  async text() {
    const lines = await this.page.locator(".editor-instance .view-lines .view-line").evaluateAll((found) =>
      found.map((it) => [Number.parseFloat(it.style.top), it.innerText.replaceAll("\u00a0", " ")]).sort((a, b) => a[0] - b[0]),
    );
    return lines.map(([, text]) => text).join("\n");
  }

  squiggles() {
    return this.page.locator(".monaco-editor .squiggly-error").count();
  }

  /** Errors and warnings. */
  marks() {
    return this.page.locator(".monaco-editor .squiggly-error, .monaco-editor .squiggly-warning").count();
  }

  async problems() {
    return this.texts(".markers-panel .monaco-list-row");
  }

  async screenshot(name) {
    await this.page.screenshot({ path: path.join(this.screenshots, `${name}.png`) });
  }

  close() {
    return this.browser.close();
  }
}
