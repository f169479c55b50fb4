import { randomBytes } from "node:crypto";
import { Range, Uri, ViewColumn, type WebviewPanel, window, workspace } from "vscode";

import { html } from "./html";
import type { PageMessage, ShowMessage } from "./messages";
import type { CatalogGraph, GraphNode } from "./model";

type SaveMessage = Extract<PageMessage, { kind: "save" }>;

/** Panel with a graph, which can be filtered, zoomed, and exported, and links to the sources. */
export class GraphView {
  private panel: WebviewPanel | undefined;
  private shown: ShowMessage | undefined;
  private nodes = new Map<string, GraphNode>();
  private again: (platform: string) => Promise<CatalogGraph | undefined> = async () => undefined;

  constructor(private readonly extension: Uri) {}

  /** Shows a graph beside the active editor. `again` requests it for another platform. */
  show(graph: CatalogGraph, platform: string | undefined, again: (platform: string) => Promise<CatalogGraph | undefined>): void {
    this.again = again;
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    this.shown = { kind: "show", graph, ...(platform === undefined ? {} : { platform }) };
    const panel = this.panel ?? this.open();
    panel.title = graph.title;
    // A page that is still loading asks for the graph when it is ready.
    void panel.webview.postMessage(this.shown);
    panel.reveal(undefined, true);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private open(): WebviewPanel {
    const place = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const roots = [Uri.joinPath(this.extension, "dist"), Uri.joinPath(this.extension, "media")];
    const panel = window.createWebviewPanel("puppet-analyzer.graph", "Catalog", place, { enableScripts: true, localResourceRoots: roots });
    panel.webview.onDidReceiveMessage((message: PageMessage) => void this.receive(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    const file = (folder: string, name: string) => panel.webview.asWebviewUri(Uri.joinPath(this.extension, folder, name)).toString();
    const parts = { source: panel.webview.cspSource, script: file("dist", "graph.js"), style: file("media", "graph.css") };
    panel.webview.html = html({ ...parts, nonce: randomBytes(16).toString("hex") });
    this.panel = panel;
    return panel;
  }

  private async receive(message: PageMessage): Promise<void> {
    switch (message.kind) {
      case "ready":
        await this.panel?.webview.postMessage(this.shown);
        break;
      case "platform": {
        const graph = await this.again(message.name);
        if (graph !== undefined) {
          this.show(graph, message.name, this.again);
        }
        break;
      }
      case "open":
        await this.openSource(message.id);
        break;
      case "save":
        await this.save(message);
        break;
    }
  }

  private async openSource(id: string): Promise<void> {
    const node = this.nodes.get(id);
    if (node?.uri !== undefined && node.range !== undefined) {
      const { start, end } = node.range;
      const selection = new Range(start.line, start.character, end.line, end.character);
      await window.showTextDocument(Uri.parse(node.uri), { viewColumn: ViewColumn.One, selection });
    }
  }

  /** Asks for a file name and writes an exported graph. */
  private async save({ format, data }: SaveMessage): Promise<void> {
    const name = `${(this.shown?.graph.title ?? "graph").replaceAll("::", "-").replaceAll(/[^A-Za-z0-9.-]+/g, "_")}.${format}`;
    const folder = workspace.workspaceFolders?.[0]?.uri;
    const filters = { [format.toUpperCase()]: [format] };
    const target = await window.showSaveDialog({ filters, ...(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, name) }) });
    if (target === undefined) {
      return;
    }
    try {
      await workspace.fs.writeFile(target, Buffer.from(data, format === "png" ? "base64" : "utf8"));
      void window.showInformationMessage(`Saved the graph to ${target.fsPath}`);
    } catch (error) {
      void window.showErrorMessage(`Cannot save the graph: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
