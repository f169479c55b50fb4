import { Disposable, type TextDocument, Uri, window, workspace } from "vscode";

import { VirtualDocuments } from "./documents";
import type { Server } from "./server";

/** Delay in milliseconds between the last keystroke and the update of the tree. */
const PAUSE = 200;

/** Shows the syntax trees of documents to the side and updates them on edits. */
export class SyntaxTrees {
  private readonly documents = new VirtualDocuments("puppet-syntax");
  private readonly parts: Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    const follow = workspace.onDidChangeTextDocument(({ document }) => {
      const tree = treeUri(document).toString();
      if (window.visibleTextEditors.some((it) => it.document.uri.toString() === tree)) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.show(document), PAUSE);
      }
    });
    this.parts = Disposable.from(this.documents, follow);
  }

  async showActive(): Promise<void> {
    const document = window.activeTextEditor?.document;
    if (document !== undefined) {
      await this.show(document);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.parts.dispose();
  }

  private async show(document: TextDocument): Promise<void> {
    const text = await this.server.ask<string>("puppet-analyzer/syntaxTree", { textDocument: { uri: document.uri.toString() } });
    if (text !== undefined) {
      await this.documents.show(treeUri(document), text);
    }
  }
}

function treeUri(document: TextDocument): Uri {
  return Uri.from({ scheme: "puppet-syntax", path: `${document.uri.path}.syntax` });
}
