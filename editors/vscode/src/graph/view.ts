import { randomBytes } from "node:crypto";
import { Range, Uri, ViewColumn, type WebviewPanel, window } from "vscode";

import type { CatalogGraph, GraphNode } from "../catalog";

/** Message of the page. */
type Message = { kind: "open"; id: string } | { kind: "platform"; name: string };

/** Panel with a graph, which can be zoomed and panned and links to the sources. */
export class GraphView {
  private panel: WebviewPanel | undefined;
  private nodes = new Map<string, GraphNode>();
  private again: (platform: string) => Promise<CatalogGraph | undefined> = async () => undefined;

  constructor(private readonly extension: Uri) {}

  /** Shows a graph beside the active editor. `again` requests it for another platform. */
  show(graph: CatalogGraph, platform: string | undefined, again: (platform: string) => Promise<CatalogGraph | undefined>): void {
    const panel = this.panel ?? this.open();
    this.again = again;
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    panel.title = graph.title;
    const script = panel.webview.asWebviewUri(Uri.joinPath(this.extension, "dist", "graph.js"));
    const style = panel.webview.asWebviewUri(Uri.joinPath(this.extension, "media", "graph.css"));
    panel.webview.html = page(graph, platform, panel.webview.cspSource, script, style);
    panel.reveal(undefined, true);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private open(): WebviewPanel {
    const place = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const roots = [Uri.joinPath(this.extension, "dist"), Uri.joinPath(this.extension, "media")];
    const panel = window.createWebviewPanel("puppet-analyzer.graph", "Catalog", place, { enableScripts: true, localResourceRoots: roots });
    panel.webview.onDidReceiveMessage((message: Message) => void this.receive(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    this.panel = panel;
    return panel;
  }

  private async receive(message: Message): Promise<void> {
    if (message.kind === "platform") {
      const graph = await this.again(message.name);
      if (graph !== undefined) {
        this.show(graph, message.name, this.again);
      }
      return;
    }
    const node = this.nodes.get(message.id);
    if (node !== undefined) {
      const { start, end } = node.range;
      const selection = new Range(start.line, start.character, end.line, end.character);
      await window.showTextDocument(Uri.parse(node.uri), { viewColumn: ViewColumn.One, selection });
    }
  }
}

function page(graph: CatalogGraph, platform: string | undefined, source: string, script: Uri, style: Uri): string {
  const nonce = randomBytes(16).toString("hex");
  // The SVG has inline styles, but runs no scripts and loads nothing.
  const policy = `default-src 'none'; style-src ${source} 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  const options = (graph.platforms ?? []).map((name) => `<option${name === platform ? " selected" : ""}>${escaped(name)}</option>`);
  const choice = options.length > 0 ? `<select id="platform" title="Target platform">${options.join("")}</select>` : "";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${style}">
<title>${escaped(graph.title)}</title>
</head>
<body>
<div id="tools">
<button id="larger" title="Zoom in (+)">+</button><button id="smaller" title="Zoom out (-)">−</button><button id="whole" title="Zoom to fit (0)">Fit</button>
<input id="search" type="search" placeholder="Find a resource" title="Find a resource (/); Enter selects the next match">
${choice}
</div>
<div id="picture" tabindex="0">${graph.svg}</div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
