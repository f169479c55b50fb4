import { Disposable, EventEmitter, languages, type TextDocument, type TextDocumentContentProvider, type Uri, ViewColumn, window, workspace } from "vscode";

/** Virtual documents with text from the server. */
export class VirtualDocuments implements TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new EventEmitter<Uri>();
  private readonly registration: Disposable;
  readonly onDidChange = this.changed.event;

  constructor(scheme: string) {
    this.registration = Disposable.from(workspace.registerTextDocumentContentProvider(scheme, this), this.changed);
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Shows a text beside the active editor; updates the document if it is already open. */
  async show(uri: Uri, text: string, language?: string): Promise<TextDocument> {
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await workspace.openTextDocument(uri);
    if (language !== undefined && document.languageId !== language) {
      await languages.setTextDocumentLanguage(document, language);
    }
    const viewColumn = window.visibleTextEditors.find((it) => it.document.uri.toString() === uri.toString())?.viewColumn;
    await window.showTextDocument(document, { viewColumn: viewColumn ?? ViewColumn.Beside, preview: false, preserveFocus: true });
    return document;
  }

  dispose(): void {
    this.registration.dispose();
  }
}
