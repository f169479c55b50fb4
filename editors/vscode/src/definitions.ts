import * as path from "node:path";
import { type QuickPickItem, Selection, SnippetString, Uri, window, workspace, WorkspaceEdit } from "vscode";

/** Kind of definition that can be created, with the path and contents of its file. */
export interface Definition {
  title: string;
  /** Path relative to the module's folder. */
  path(name: string): string;
  /** Contents of the file; the cursor is placed at `$0`. */
  text(name: string): string;
  /** Returns the problem with a name. */
  check(name: string, module: string): string | undefined;
  /** Returns a name in the case of this kind. */
  fold(name: string): string;
}

const lower = (name: string) => name.toLowerCase();
const capitalised = (name: string) => name.replace(/(^|::)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());

function filePath(folder: string, name: string, own?: string): string {
  const rest = name.toLowerCase().split("::").slice(1);
  return `${folder}/${rest.length === 0 ? (own ?? "init") : rest.join("/")}.pp`;
}

function checked(pattern: RegExp, example: string, needsTwoParts: boolean) {
  return (name: string, module: string) => {
    if (!pattern.test(name)) {
      return `Invalid name; example: ${example}`;
    }
    const parts = name.toLowerCase().split("::");
    if (parts[0] !== module) {
      return `The name must start with ${module} to be found in this module`;
    }
    return needsTwoParts && parts.length < 2 ? `Invalid name; example: ${example}` : undefined;
  };
}

const NAME = /^[a-z]\w*(::[a-z]\w*)*$/;
const TYPE = /^[A-Z]\w*(::[A-Z]\w*)*$/;

export const DEFINITIONS: Record<string, Definition> = {
  newClass: {
    title: "New class",
    path: (name) => filePath("manifests", name),
    text: (name) => `# @summary What this class manages.\nclass ${name} {\n  $0\n}\n`,
    check: checked(NAME, "apache::mod::ssl", false),
    fold: lower,
  },
  newDefinedType: {
    title: "New defined type",
    path: (name) => filePath("manifests", name),
    text: (name) => `# @summary What one of these manages.\ndefine ${name} (\n) {\n  $0\n}\n`,
    check: checked(NAME, "apache::vhost", false),
    fold: lower,
  },
  newFunction: {
    title: "New function",
    path: (name) => filePath("functions", name),
    text: (name) => `# @summary What it gives.\nfunction ${name}() >> Any {\n  $0\n}\n`,
    check: checked(NAME, "apache::port_of", true),
    fold: lower,
  },
  newTypeAlias: {
    title: "New type alias",
    path: (name) => filePath("types", name),
    text: (name) => `# @summary What values it has.\ntype ${name} = $0Any\n`,
    check: checked(TYPE, "Apache::Port", true),
    fold: capitalised,
  },
};

/** Module of the workspace: its folder and its Puppet name. */
interface Module {
  folder: Uri;
  name: string;
}

/** Prompts for a name and creates the file at its autoload path. An existing file is opened. */
export async function create(definition: Definition): Promise<void> {
  const module = await chosenModule();
  if (module === undefined) {
    return;
  }
  const start = definition.fold(`${module.name}::`);
  const name = await window.showInputBox({
    title: definition.title,
    prompt: "Full name",
    value: start,
    valueSelection: [start.length, start.length],
    validateInput: (text) => definition.check(text, module.name),
  });
  if (name === undefined) {
    return;
  }
  const file = Uri.joinPath(module.folder, definition.path(name));
  const exists = await workspace.fs.stat(file).then(() => true, () => false);
  if (!exists) {
    const edit = new WorkspaceEdit();
    edit.createFile(file, { ignoreIfExists: true });
    await workspace.applyEdit(edit);
  }
  const editor = await window.showTextDocument(file);
  if (!exists) {
    const end = editor.document.positionAt(editor.document.getText().length);
    editor.selection = new Selection(end, end);
    await editor.insertSnippet(new SnippetString(definition.text(name)));
    await editor.document.save();
  }
}

/** Returns the module of the active file, or one that the user picks. */
async function chosenModule(): Promise<Module | undefined> {
  const modules = await knownModules();
  const active = window.activeTextEditor?.document.uri.path;
  const around = modules.filter(({ folder }) => active?.startsWith(`${folder.path}/`));
  const [innermost] = around.sort((a, b) => b.folder.path.length - a.folder.path.length);
  if (innermost !== undefined) {
    return innermost;
  }
  if (modules.length === 0) {
    void window.showErrorMessage("No module found: no folder with a metadata.json or manifests.");
    return undefined;
  }
  if (modules.length === 1) {
    return modules[0];
  }
  const items: (QuickPickItem & { module: Module })[] = modules.map((module) => ({ label: module.name, description: workspace.asRelativePath(module.folder), module }));
  return (await window.showQuickPick(items, { title: "Module", matchOnDescription: true }))?.module;
}

const NOT_MODULES = "**/{node_modules,fixtures,vendor,.git}/**";
const MOST_FILES = 20_000;

/** Returns the modules of the workspace by name. */
async function knownModules(): Promise<Module[]> {
  const code = await workspace.findFiles("**/{manifests,functions,types,plans}/**/*.pp", NOT_MODULES, MOST_FILES);
  const metadata = await workspace.findFiles("**/metadata.json", NOT_MODULES, MOST_FILES);
  // An environment has a folder `manifests` as well.
  const environments = await workspace.findFiles("**/environment.conf", NOT_MODULES, MOST_FILES);
  const excluded = new Set(environments.map((file) => path.posix.dirname(file.path)));
  const folders = new Map<string, Uri>();
  for (const file of code) {
    const folder = file.path.match(/^(.*?)\/(?:manifests|functions|types|plans)\//)?.[1];
    if (folder !== undefined && !excluded.has(folder)) {
      folders.set(folder, file.with({ path: folder }));
    }
  }
  for (const file of metadata) {
    const folder = path.posix.dirname(file.path);
    folders.set(folder, file.with({ path: folder }));
  }
  // Puppet uses the folder name, which often has an `author-` prefix during development of a module.
  const name = (folder: Uri) => path.posix.basename(folder.path).split("-").at(-1) ?? "";
  return [...folders.values()].map((folder) => ({ folder, name: name(folder) })).sort((a, b) => a.name.localeCompare(b.name));
}
