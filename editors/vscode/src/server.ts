import { existsSync } from "node:fs";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { commands, type Disposable, window, workspace } from "vscode";
import { type Executable, LanguageClient, type LanguageClientOptions, type ServerOptions, State, Trace } from "vscode-languageclient/node";

import { experimentalFeatures, hasCatalogs } from "./capabilities";
import { Status } from "./status";

const NAME = process.platform === "win32" ? "puppet-analyzer.exe" : "puppet-analyzer";
const LANGUAGES = ["puppet", "epp", "puppetfile"];
/** Documents in other languages that contain Puppet names and data. */
const DATA = ["**/metadata.json", "**/hiera.yaml", "**/{data,hieradata}/**/*.{yaml,yml,eyaml,json}", "**/puppet-analyzer.toml"];

/** Server process and its client. */
export class Server implements Disposable {
  private client: LanguageClient | undefined;
  /** Executable that was started last. */
  private chosen: Executable | undefined;
  private readonly status = new Status();
  private readonly output = window.createOutputChannel("Puppet Analyzer", { log: true });

  /** Starts the server; shows instructions if there is none. */
  async start(): Promise<void> {
    const run = this.wanted();
    this.chosen = run;
    const settings = workspace.getConfiguration("puppet-analyzer");
    const serverOptions: ServerOptions = { run, debug: run };
    const clientOptions: LanguageClientOptions = {
      documentSelector: [
        ...LANGUAGES.map((language) => ({ language })),
        ...DATA.map((pattern) => ({ scheme: "file", pattern })),
      ],
      outputChannel: this.output,
      initializationOptions: settings,
      middleware: {
        handleWorkDoneProgress: (token, params, next) => {
          this.status.progress(token, params);
          next(token, params);
        },
      },
    };
    const client = new LanguageClient("puppet-analyzer", "Puppet Analyzer", serverOptions, clientOptions);
    client.registerFeature(experimentalFeatures);
    this.client = client;
    this.status.starting();
    // The client restarts a crashed server automatically.
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) {
        return;
      }
      if (newState === State.Running) {
        this.status.ready(client.initializeResult?.serverInfo?.version);
        void commands.executeCommand("setContext", "puppet-analyzer.hasCatalogs", hasCatalogs(client.initializeResult));
      } else if (newState === State.Starting) {
        this.status.starting();
      } else {
        this.status.stopped();
      }
    });
    try {
      await client.start();
      await client.setTrace(Trace.fromString(settings.get<string>("trace.server", "off")));
    } catch (error) {
      this.status.stopped();
      const said = error instanceof Error ? error.message : String(error);
      void window.showErrorMessage(
        `The Puppet server \`${run.command}\` could not be started: ${said}. Set \`puppet-analyzer.server.path\`, or install \`puppet-analyzer\`.`,
      );
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.isRunning()) {
      await client.stop();
    }
    this.status.stopped();
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
      void window.showErrorMessage("The Puppet server is not running. Run \"Puppet: Restart Server\" to start it.");
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

  /** Returns the LSP parameters for a document and a position in it. */
  get converter(): Pick<LanguageClient, "code2ProtocolConverter" | "protocol2CodeConverter"> | undefined {
    return this.client;
  }

  dispose(): void {
    this.status.dispose();
    this.output.dispose();
  }

  /** Returns the server to run: that of the settings, the bundled one, or the one on the `PATH`. */
  private wanted(): Executable {
    const settings = workspace.getConfiguration("puppet-analyzer");
    const chosen = settings.get<string>("server.path", "").trim();
    const bundled = path.join(__dirname, "..", "server", NAME);
    const command = chosen || (existsSync(bundled) ? bundled : NAME);
    return { command, args: ["lsp", ...settings.get<string[]>("server.arguments", [])] };
  }
}
