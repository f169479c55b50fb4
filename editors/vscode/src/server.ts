import { existsSync } from "node:fs";
import * as path from "node:path";
import { type Disposable, type ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions, State, Trace } from "vscode-languageclient/node";

import { Status } from "./status";

const NAME = process.platform === "win32" ? "puppet-analyzer.exe" : "puppet-analyzer";
const LANGUAGES = ["puppet", "epp", "puppetfile"];
/** Documents of other languages that hold Puppet's names and data. */
const DATA = ["**/metadata.json", "**/hiera.yaml", "**/{data,hieradata}/**/*.{yaml,yml,eyaml,json}", "**/puppet-analyzer.toml"];

/** The server's process and the client that talks to it. */
export class Server implements Disposable {
  private client: LanguageClient | undefined;
  private readonly status = new Status();
  private readonly output = window.createOutputChannel("Puppet Analyzer", { log: true });

  constructor(private readonly context: ExtensionContext) {}

  /** Starts the server; says what to do where there is none. */
  async start(): Promise<void> {
    const command = this.command();
    const settings = workspace.getConfiguration("puppet-analyzer");
    const run = { command, args: ["lsp", ...settings.get<string[]>("server.arguments", [])] };
    const serverOptions: ServerOptions = { run, debug: run };
    const clientOptions: LanguageClientOptions = {
      documentSelector: [
        ...LANGUAGES.map((language) => ({ language })),
        ...DATA.map((pattern) => ({ scheme: "file", pattern })),
      ],
      outputChannel: this.output,
      initializationOptions: settings,
    };
    const client = new LanguageClient("puppet-analyzer", "Puppet Analyzer", serverOptions, clientOptions);
    this.client = client;
    this.status.follow(client);
    client.onDidChangeState((change) => {
      if (change.newState === State.Stopped) {
        this.status.stopped();
      }
    });
    try {
      await client.start();
      await client.setTrace(Trace.fromString(settings.get<string>("trace.server", "off")));
      this.status.ready(client.initializeResult?.serverInfo?.version);
    } catch (error) {
      this.status.stopped();
      const said = error instanceof Error ? error.message : String(error);
      void window.showErrorMessage(
        `The Puppet server \`${command}\` could not be started: ${said}. Set \`puppet-analyzer.server.path\`, or install \`puppet-analyzer\`.`,
      );
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.isRunning()) {
      await client.stop();
    }
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  showLog(): void {
    this.output.show();
  }

  dispose(): void {
    this.status.dispose();
    this.output.dispose();
  }

  private command(): string {
    const chosen = workspace.getConfiguration("puppet-analyzer").get<string>("server.path", "").trim();
    if (chosen !== "") {
      return chosen;
    }
    const bundled = path.join(this.context.extensionPath, "server", NAME);
    return existsSync(bundled) ? bundled : NAME;
  }
}
