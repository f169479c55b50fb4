import { type QuickPickItem, Uri, window } from "vscode";

import type { CatalogNode } from "./catalog-node";
import { VirtualDocuments } from "./documents";
import type { CatalogGraph } from "./graph/model";
import { GraphView } from "./graph/view";
import type { Server } from "./server";

/** Target of a catalog request: a class by its name, or the one at a position; on a platform. */
export interface CatalogTarget {
  class?: string;
  platform?: string;
  node?: string;
}

interface CatalogParams extends CatalogTarget {
  textDocument?: { uri: string };
  position?: { line: number; character: number };
}

interface Catalog {
  uri: string;
  title: string;
  text: string;
  platforms?: string[];
}

const NO_CLASS = "No class that Puppet would find at the cursor, or its files are still being read.";

/** Shows catalogs as text and as graphs. */
export class Catalogs {
  private readonly documents = new VirtualDocuments("puppet-catalog");
  private readonly graphs: GraphView;

  constructor(
    extension: Uri,
    private readonly server: Server,
    private readonly node: CatalogNode,
  ) {
    this.graphs = new GraphView(extension);
  }

  /** Shows the catalog of a class; prompts for the platform if there is a choice and the target has none. */
  async showCatalog(target?: CatalogTarget): Promise<void> {
    const ask = (params: CatalogParams) => this.server.ask<Catalog>("puppet-analyzer/catalog", params, NO_CLASS);
    const found = await this.chosen(target, ask);
    if (found !== undefined) {
      const uri = Uri.parse(found.answer.uri);
      await this.documents.show(uri, found.answer.text);
    }
  }

  /** Shows the resources of a class and their dependencies as a graph. */
  async showGraph(target?: CatalogTarget): Promise<void> {
    const ask = (params: CatalogParams) => this.server.ask<CatalogGraph>("puppet-analyzer/catalogGraph", params, NO_CLASS);
    const found = await this.chosen(target, ask);
    if (found !== undefined) {
      const again = (platform: string) => ask({ ...found.params, platform });
      this.graphs.show(found.answer, found.params.platform, again);
    }
  }

  dispose(): void {
    this.documents.dispose();
    this.graphs.dispose();
  }

  private async chosen<Answer extends { title: string; platforms?: string[] }>(
    target: CatalogTarget | undefined,
    ask: (params: CatalogParams) => Promise<Answer | undefined>,
  ): Promise<{ answer: Answer; params: CatalogParams } | undefined> {
    const params = this.params(target);
    if (params === undefined) {
      return undefined;
    }
    const answer = await ask(params);
    if (answer === undefined) {
      return undefined;
    }
    const platforms = answer.platforms ?? [];
    if (params.platform !== undefined || platforms.length < 2) {
      return { answer, params };
    }
    const items: QuickPickItem[] = platforms.map((label) => ({ label }));
    const chosen = this.node.choice.platform;
    const isKnown = chosen !== undefined && platforms.includes(chosen);
    const platform = isKnown ? chosen : (await window.showQuickPick(items, { title: answer.title, placeHolder: "Target platform" }))?.label;
    if (platform === undefined) {
      return undefined;
    }
    const onPlatform = { ...params, platform };
    const answerThere = await ask(onPlatform);
    return answerThere && { answer: answerThere, params: onPlatform };
  }

  /** Returns the class of a lens, or the position of the cursor. */
  private params(target: CatalogTarget | undefined): CatalogParams | undefined {
    if (!this.server.hasCatalogs) {
      void window.showErrorMessage("This server does not support catalogs.");
      return undefined;
    }
    const editor = window.activeTextEditor;
    const place = editor && {
      textDocument: { uri: editor.document.uri.toString() },
      position: { line: editor.selection.active.line, character: editor.selection.active.character },
    };
    if (target?.class === undefined && place === undefined) {
      void window.showErrorMessage("Open a manifest and place the cursor in a class.");
      return undefined;
    }
    const { node } = this.node.choice;
    return { ...place, ...(node === undefined ? {} : { node }), ...target };
  }
}
