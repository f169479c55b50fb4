import type { ChildProcess } from "node:child_process";
import { commands, type Disposable, window, workspace } from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions, State, Trace } from "vscode-languageclient/node";

import { hasCatalogs, lensCommands } from "./capabilities";
import { launch, type ServerProcess } from "./process";
import { Status } from "./status";

const LANGUAGES = ["puppet", "epp", "puppetfile"];
/** Documents of other languages that hold Puppet's names and data. */
const DATA = ["**/metadata.json", "**/hiera.yaml", "**/{data,hieradata}/**/*.{yaml,yml,eyaml,json}", "**/puppet-analyzer.toml"];
/** A server that was asked to stop ends within this time, in milliseconds, or is ended. */
const STOPS_WITHIN = 2000;

/** The server's process and the client that talks to it. */
export class Server implements Disposable {
  private client: LanguageClient | undefined;
  private running: ServerProcess | undefined;
  private readonly status = new Status();
  private readonly output = window.createOutputChannel("Puppet Analyzer", { log: true });

  /** The first process runs already; later ones are started when they are needed. */
  constructor(private waiting: ServerProcess | undefined) {}

  /** Starts the server; says what to do where there is none. */
  async start(): Promise<void> {
    const settings = workspace.getConfiguration("puppet-analyzer");
    const serverOptions: ServerOptions = () => this.nextProcess().started;
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
    client.registerFeature(lensCommands);
    this.client = client;
    this.status.starting();
    // The client starts a server that has crashed again by itself.
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
        `The Puppet server \`${this.running?.command}\` could not be started: ${said}. Set \`puppet-analyzer.server.path\`, or install \`puppet-analyzer\`.`,
      );
    }
  }

  async stop(): Promise<void> {
    const { client, running } = this;
    this.client = undefined;
    if (client?.isRunning()) {
      await client.stop();
    }
    const end = (process: ChildProcess) => setTimeout(() => process.kill("SIGKILL"), STOPS_WITHIN).unref();
    running?.started.then(end, () => {});
    this.status.stopped();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  showLog(): void {
    this.output.show();
  }

  get hasCatalogs(): boolean {
    return hasCatalogs(this.client?.initializeResult);
  }

  /**
   * Asks the server. `undefined` where it does not run, refuses, or has no answer; the user has been told then, for the
   * last if there is something to tell.
   */
  async ask<Answer>(method: string, params: unknown, noAnswer?: string): Promise<Answer | undefined> {
    const client = this.client;
    if (client === undefined || !client.isRunning()) {
      void window.showErrorMessage("The Puppet server does not run. \"Puppet: Restart Server\" starts it.");
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

  /** The protocol's way to name a document and to say where in it. */
  get converter(): Pick<LanguageClient, "code2ProtocolConverter" | "protocol2CodeConverter"> | undefined {
    return this.client;
  }

  dispose(): void {
    this.status.dispose();
    this.output.dispose();
  }

  private nextProcess(): ServerProcess {
    // Nobody would hear of the end of a process that has ended already.
    const next = this.waiting === undefined || this.waiting.hasEnded() ? launch() : this.waiting;
    this.waiting = undefined;
    this.running = next;
    const log = (code: number | null, signal: string | null) => {
      const how = signal === null ? `with code ${code}` : `by signal ${signal}`;
      this.output[code === 0 ? "info" : "warn"](`The server's process has ended ${how}.`);
    };
    next.started.then((process) => process.on("exit", log), () => {});
    return next;
  }
}
