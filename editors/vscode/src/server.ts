import { isDeepStrictEqual } from "node:util";
import { commands, type Disposable, env, extensions, version, window, workspace } from "vscode";
import { type Executable, LanguageClient, type LanguageClientOptions, type ServerOptions, State, Trace } from "vscode-languageclient/node";

import { problemWith, serverCommand } from "./binary";
import { experimentalFeatures, hasCatalogs } from "./capabilities";
import { dataPatterns } from "./data-folders";
import { counted, type Environment, Environments, label } from "./environments";
import { Status } from "./status";

const LANGUAGES = ["puppet", "epp", "puppetfile"];
/** Documents in other languages that contain Puppet names and data. */
const DATA = ["**/metadata.json", "**/tasks/*.json", "**/hiera.yaml", "**/{data,hieradata}/**/*.{yaml,yml,eyaml,json,conf}", "**/bolt-project.yaml", "**/inventory.yaml", "**/plans/**/*.yaml", "**/puppet-analyzer.toml"];

const OPEN_SETTINGS = "Open Settings";
const SHOW_LOG = "Show Log";

/** Client that only logs errors while it starts, whose failure its owner reports, and once it is stopped. */
class QuietClient extends LanguageClient {
  isQuiet = true;

  override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
    super.error(message, data, this.isQuiet ? false : showNotification);
  }
}

/** Server process and its client. */
export class Server implements Disposable {
  private client: QuietClient | undefined;
  /** Executable that was started last. */
  private chosen: Executable | undefined;
  private readonly output = window.createOutputChannel("Puppet Analyzer", { log: true });
  readonly environments = new Environments(this);
  readonly status = new Status(this.environments);

  constructor() {
    this.environments.onDidChange((all) => this.logEnvironments(all));
  }

  /** Starts the server; shows one notification if it cannot be started. */
  async start(): Promise<void> {
    const run = this.wanted();
    this.chosen = run;
    this.logStart(run);
    this.status.starting();
    const problem = problemWith(run.command);
    if (problem !== undefined) {
      this.status.stopped();
      const message = `The Puppet server \`${run.command}\` could not be started: ${problem}.`;
      this.output.error(message);
      void this.notify(message, OPEN_SETTINGS);
      return;
    }
    const settings = workspace.getConfiguration("puppet-analyzer");
    const client = this.createClient(run, await dataPatterns());
    this.client = client;
    try {
      await client.start();
      await client.setTrace(Trace.fromString(settings.get<string>("trace.server", "off")));
    } catch (error) {
      if (client === this.client) {
        this.status.stopped();
        const said = error instanceof Error ? error.message : String(error);
        void this.notify(`The Puppet server \`${run.command}\` could not be started: ${said}.`, SHOW_LOG);
      }
    } finally {
      client.isQuiet = client !== this.client;
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      // A change of the settings may still be on its way.
      client.isQuiet = true;
    }
    if (client?.isRunning()) {
      await client.stop();
    }
    this.status.stopped();
    this.environments.clear();
    void commands.executeCommand("setContext", "puppet-analyzer.isRunning", false);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Restarts the server if the settings select another one. Workspace settings are ignored, since a folder can contain them. */
  async follow(): Promise<void> {
    if (!isDeepStrictEqual(this.wanted(), this.chosen)) {
      await this.restart();
    }
  }

  showLog(): void {
    this.output.show();
  }

  get isRunning(): boolean {
    return this.client?.isRunning() === true;
  }

  /** Command of the server's program. */
  get command(): string {
    return this.wanted().command;
  }

  get hasCatalogs(): boolean {
    return hasCatalogs(this.client?.initializeResult);
  }

  /**
   * Sends a request to the server. Returns `undefined` if the server is not running, returns an error, or has no answer; an
   * error message has been shown then (in the last case, `noAnswer` if given).
   */
  async ask<Answer>(method: string, params: unknown, noAnswer?: string): Promise<Answer | undefined> {
    const client = this.client;
    if (client === undefined || !client.isRunning()) {
      void window.showErrorMessage("The Puppet server is not running. Run \"Puppet: Start Server\" to start it.");
      return undefined;
    }
    try {
      const answer = await client.sendRequest<Answer | null>(method, params);
      if (answer === null && noAnswer !== undefined) {
        void window.showInformationMessage(noAnswer);
      }
      return answer ?? undefined;
    } catch (error) {
      void window.showErrorMessage(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Sends a request that the user has not made. Errors are only logged. */
  async request<Answer>(method: string, params: unknown): Promise<Answer | undefined> {
    const client = this.client;
    if (client === undefined || !client.isRunning()) {
      return undefined;
    }
    try {
      const answer = await (params === undefined ? client.sendRequest<Answer | null>(method) : client.sendRequest<Answer | null>(method, params));
      return answer ?? undefined;
    } catch (error) {
      this.output.warn(`${method}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    this.environments.dispose();
    this.status.dispose();
    this.output.dispose();
  }

  private createClient(run: Executable, dataPatterns: string[]): QuietClient {
    const serverOptions: ServerOptions = { run, debug: run };
    const clientOptions: LanguageClientOptions = {
      documentSelector: [
        ...LANGUAGES.map((language) => ({ language })),
        ...[...DATA, ...dataPatterns].map((pattern) => ({ scheme: "file", pattern })),
      ],
      outputChannel: this.output,
      initializationOptions: workspace.getConfiguration("puppet-analyzer"),
      middleware: {
        handleWorkDoneProgress: (token, params, next) => {
          this.status.progress(token, params);
          if (params.kind === "end") {
            this.environments.refreshLater();
          }
          next(token, params);
        },
      },
    };
    const client = new QuietClient("puppet-analyzer", "Puppet Analyzer", serverOptions, clientOptions);
    client.registerFeature(experimentalFeatures);
    // The client restarts a crashed server automatically.
    client.onDidChangeState(({ newState }) => {
      if (client === this.client) {
        this.followState(client, newState);
      }
    });
    return client;
  }

  private followState(client: LanguageClient, state: State): void {
    void commands.executeCommand("setContext", "puppet-analyzer.isRunning", state === State.Running);
    if (state === State.Running) {
      const found = client.initializeResult?.serverInfo?.version;
      this.output.info(`The server ${found ?? "without a version"} is running.`);
      this.status.ready(found);
      this.environments.refreshLater();
      void commands.executeCommand("setContext", "puppet-analyzer.hasCatalogs", hasCatalogs(client.initializeResult));
    } else if (state === State.Starting) {
      this.status.starting();
    } else {
      this.output.info("The server has stopped.");
      this.status.stopped();
      this.environments.clear();
    }
  }

  private async notify(message: string, action: string): Promise<void> {
    const chosen = await window.showErrorMessage(message, action);
    if (chosen === OPEN_SETTINGS) {
      // The setting belongs to the machine that runs the server.
      const command = env.remoteName === undefined ? "workbench.action.openSettings" : "workbench.action.openRemoteSettings";
      await commands.executeCommand(command, { query: "puppet-analyzer.server.path" });
    } else if (chosen === SHOW_LOG) {
      this.showLog();
    }
  }

  /** Logs what a bug report needs. */
  private logStart(run: Executable): void {
    const extension = extensions.getExtension("puppet-analyzer.puppet-analyzer")?.packageJSON as { version?: string } | undefined;
    this.output.info(`Extension ${extension?.version ?? "without a version"}, ${env.appName} ${version}, ${process.platform}-${process.arch}${env.remoteName === undefined ? "" : `, remote: ${env.remoteName}`}`);
    this.output.info(`Server: ${[run.command, ...(run.args ?? [])].join(" ")}`);
    this.output.info(`Folders: ${workspace.workspaceFolders?.map(({ uri }) => uri.toString(true)).join(", ") || "none"}${workspace.isTrusted ? "" : " (not trusted)"}`);
    const changed = changedSettings();
    this.output.info(`Settings: ${changed.length === 0 ? "defaults" : changed.join(", ")}`);
  }

  private logEnvironments(all: Environment[]): void {
    for (const environment of all) {
      const missing = environment.missingModules;
      const modules = `${counted(environment.modules.length, "module")}, ${missing.length === 0 ? "none missing" : `missing: ${missing.join(", ")}`}`;
      this.output.info(`Environment ${label(environment)}: Puppet ${environment.puppetVersion}, ${modules}`);
    }
  }

  private wanted(): Executable {
    const settings = workspace.getConfiguration("puppet-analyzer");
    const command = serverCommand(settings.get<string>("server.path", ""));
    return { command, args: ["lsp", ...settings.get<string[]>("server.arguments", [])] };
  }
}

/** Returns the settings that differ from their defaults, as `name=value`. Names of secrets are not logged. */
function changedSettings(): string[] {
  const settings = workspace.getConfiguration("puppet-analyzer");
  const flat = (group: object, before: string): [string, unknown][] =>
    Object.entries(group).flatMap(([key, value]: [string, unknown]) => {
      const name = `${before}${key}`;
      const isGroup = typeof value === "object" && value !== null && settings.inspect(name)?.defaultValue === undefined;
      return isGroup ? flat(value as object, `${name}.`) : [[name, value] as [string, unknown]];
    });
  return flat(JSON.parse(JSON.stringify(settings)) as object, "")
    .filter(([name, value]) => !isDeepStrictEqual(value, settings.inspect(name)?.defaultValue))
    .map(([name, value]) => `${name}=${name === "secretKeys" ? "…" : JSON.stringify(value)}`);
}
