import { Disposable, MarkdownString, Range, type TextEditor, ThemeColor, window, workspace } from "vscode";

import type { Range as ProtocolRange } from "vscode-languageclient/node";

import type { Server } from "./server";

interface Evaluation {
  /** Expression that was evaluated. */
  range: ProtocolRange;
  value?: string;
  type?: string;
  logs: { level: string; message: string }[];
  errors: { code: string; message: string }[];
}

/** Maximum length of an inline value; longer ones are truncated and shown in full in the hover. */
const MOST = 80;

/** Shows the value of an expression after it, until the document or the selection changes. */
export class Evaluator {
  private readonly values = window.createTextEditorDecorationType({ after: { color: new ThemeColor("editorInlayHint.foreground"), margin: "0 0 0 1em" } });
  private readonly errors = window.createTextEditorDecorationType({ after: { color: new ThemeColor("editorError.foreground"), margin: "0 0 0 1em" } });
  private readonly parts: Disposable;

  constructor(private readonly server: Server) {
    this.parts = Disposable.from(
      this.values,
      this.errors,
      workspace.onDidChangeTextDocument(({ document }) => this.clear(window.visibleTextEditors.filter((it) => it.document === document))),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.clear([textEditor])),
    );
  }

  /** Evaluates the selection in the active editor, or the expression around the cursor. */
  async evaluateSelection(): Promise<void> {
    const editor = window.activeTextEditor;
    if (editor === undefined) {
      return;
    }
    const { document } = editor;
    const { start, end } = editor.selection;
    const version = document.version;
    const found = await this.server.ask<Evaluation>("puppet-analyzer/evaluate", {
      textDocument: { uri: document.uri.toString() },
      range: { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } },
    });
    if (found === undefined || document.version !== version) {
      return;
    }
    this.clear([editor]);
    const [error] = found.errors;
    const text = error === undefined ? (found.value ?? `some ${found.type ?? "Any"}`) : error.message;
    const shown = [...text.replaceAll(/\s+/g, " ")];
    const contentText = `⇒ ${shown.length > MOST ? `${shown.slice(0, MOST).join("")}…` : shown.join("")}`;
    const { start: from, end: to } = found.range;
    const range = new Range(from.line, from.character, to.line, to.character);
    const decoration = { range, hoverMessage: described(found), renderOptions: { after: { contentText } } };
    editor.setDecorations(error === undefined ? this.values : this.errors, [decoration]);
  }

  dispose(): void {
    this.parts.dispose();
  }

  private clear(editors: TextEditor[]): void {
    for (const editor of editors) {
      editor.setDecorations(this.values, []);
      editor.setDecorations(this.errors, []);
    }
  }
}

function described(found: Evaluation): MarkdownString {
  const hover = new MarkdownString();
  if (found.value !== undefined) {
    hover.appendCodeblock(found.value, "puppet");
  }
  if (found.type !== undefined) {
    hover.appendMarkdown("Type").appendCodeblock(found.type, "puppet");
  }
  for (const { message, code } of found.errors) {
    hover.appendText(`${message} (${code})\n`);
  }
  for (const { level, message } of found.logs) {
    hover.appendText(`${level}: ${message}\n`);
  }
  return hover;
}
