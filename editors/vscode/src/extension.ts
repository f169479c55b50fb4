import { type ExtensionContext, workspace } from "vscode";

import { registerCommands } from "./commands";
import { launch } from "./process";
import { Server } from "./server";

// Before it calls `activate`, VS Code asks the window for what the extension has stored. A window that is starting takes its
// time to answer, and the server can start meanwhile.
const firstProcess = launch();
let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  server = new Server(firstProcess);
  context.subscriptions.push(server);
  registerCommands(context, server);
  const restarts = ["server.path", "server.arguments"].map((key) => `puppet-analyzer.${key}`);
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((change) => {
      if (restarts.some((key) => change.affectsConfiguration(key))) {
        void server?.restart();
      }
    }),
  );
  await server.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
