import { type ExtensionContext, workspace } from "vscode";

import { registerCommands } from "./commands";
import { Server } from "./server";

let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  server = new Server(context);
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
