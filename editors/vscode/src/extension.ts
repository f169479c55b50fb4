import { type ExtensionContext, workspace } from "vscode";

import { registerCommands } from "./commands";
import { Server } from "./server";

// VS Code calls `activate` only after the window has sent the extension's stored state. That is slow during startup, and
// the server does not need it.
const server = new Server();
const started = server.start();

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(server);
  registerCommands(context, server);
  const restarts = ["server.path", "server.arguments"].map((key) => `puppet-analyzer.${key}`);
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((change) => {
      if (restarts.some((key) => change.affectsConfiguration(key))) {
        void server.follow();
      }
    }),
  );
  await started;
}

export async function deactivate(): Promise<void> {
  await server.stop();
}
