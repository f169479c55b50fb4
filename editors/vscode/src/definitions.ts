import * as path from "node:path";
import { type QuickPickItem, SnippetString, Uri, window, workspace } from "vscode";

/** Kind of definition that can be created, with the path and contents of its file. */
export interface Definition {
  title: string;
  /** Languages that the file can be written in, if there is a choice. */
  languages?: Language[];
  /** Path relative to the module's folder. */
  path(name: string, language?: Language): string;
  /** Contents of the file as a snippet; the cursor is placed at `$0`. */
  text(name: string, language?: Language): string;
  /** Path and contents of a second file. */
  companion?(name: string): { path: string; text: string };
  /** Returns the problem with a name. */
  check(name: string, module: string): string | undefined;
  /** Returns the name to start with. */
  start(module: string): string;
}

/** Language of a task. */
interface Language {
  label: string;
  extension: string;
  text: string;
}

const capitalized = (name: string) => name.replace(/(^|::)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
const inModule = (module: string) => `${module}::`;

function filePath(folder: string, name: string, extension = "pp"): string {
  const rest = name.toLowerCase().split("::").slice(1);
  return `${folder}/${rest.length === 0 ? "init" : rest.join("/")}.${extension}`;
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
const TASK = /^[a-z][a-z0-9_]*(::[a-z][a-z0-9_]*)?$/;
const FACT = /^[a-z][a-z0-9_]*$/;

const TASK_LANGUAGES: Language[] = [
  { label: "Shell", extension: "sh", text: "#!/bin/sh\nset -e\n\necho \"\\$PT_${1:message}\"$0\n" },
  { label: "PowerShell", extension: "ps1", text: "param([string]\\$${1:message})\n\nWrite-Output \\$${1:message}$0\n" },
  { label: "Python", extension: "py", text: "#!/usr/bin/env python3\nimport json\nimport sys\n\nparameters = json.load(sys.stdin)\njson.dump({\"message\": parameters[\"${1:message}\"]}, sys.stdout)$0\n" },
  { label: "Ruby", extension: "rb", text: "#!/usr/bin/env ruby\nrequire 'json'\n\nparameters = JSON.parse($stdin.read)\nputs({ 'message' => parameters['${1:message}'] }.to_json)$0\n".replaceAll("$stdin", "\\$stdin") },
];

const TASK_METADATA = {
  description: "Prints a message.",
  parameters: { message: { description: "The message.", type: "String" } },
};

export const DEFINITIONS: Record<string, Definition> = {
  newClass: {
    title: "New class",
    path: (name) => filePath("manifests", name),
    text: (name) => `# @summary \${1:Summary of the class.}\nclass ${name} {\n  $0\n}\n`,
    check: checked(NAME, "apache::mod::ssl", false),
    start: inModule,
  },
  newDefinedType: {
    title: "New defined type",
    path: (name) => filePath("manifests", name),
    text: (name) => `# @summary \${1:Summary of the defined type.}\ndefine ${name} (\n) {\n  $0\n}\n`,
    check: checked(NAME, "apache::vhost", false),
    start: inModule,
  },
  newFunction: {
    title: "New function",
    path: (name) => filePath("functions", name),
    text: (name) => `# @summary \${1:Summary of the function.}\nfunction ${name}() >> Any {\n  $0\n}\n`,
    check: checked(NAME, "apache::port_of", true),
    start: inModule,
  },
  newTypeAlias: {
    title: "New type alias",
    path: (name) => filePath("types", name),
    text: (name) => `# @summary \${1:Summary of the type.}\ntype ${name} = \${0:Any}\n`,
    check: checked(TYPE, "Apache::Port", true),
    start: (module) => capitalized(inModule(module)),
  },
  newFact: {
    title: "New fact",
    path: (name) => `lib/facter/${name}.rb`,
    text: (name) => `# frozen_string_literal: true\n\n# \${1:Summary of the fact.}\nFacter.add(:${name}) do\n  setcode do\n    $0\n  end\nend\n`,
    check: (name) => (FACT.test(name) ? undefined : "Invalid name; example: apache_version"),
    start: (module) => `${module}_`,
  },
  newTask: {
    title: "New task",
    languages: TASK_LANGUAGES,
    path: (name, language) => filePath("tasks", name, language?.extension),
    text: (_, language) => language?.text ?? "",
    companion: (name) => ({ path: filePath("tasks", name, "json"), text: `${JSON.stringify(TASK_METADATA, undefined, 2)}\n` }),
    check: checked(TASK, "apache::reload", false),
    start: inModule,
  },
  newPlan: {
    title: "New plan",
    path: (name) => filePath("plans", name),
    text: (name) => `# @summary \${1:Summary of the plan.}\n#\n# @param targets Targets to run on.\nplan ${name} (\n  TargetSpec \\$targets,\n) {\n  $0\n}\n`,
    check: checked(NAME, "apache::upgrade", false),
    start: inModule,
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
  const start = definition.start(module.name);
  const name = await window.showInputBox({
    title: definition.title,
    prompt: "Full name",
    value: start,
    valueSelection: [start.length, start.length],
    validateInput: (text) => definition.check(text, module.name),
  });
  const language = name === undefined ? undefined : await chosenLanguage(definition);
  if (name === undefined || (definition.languages !== undefined && language === undefined)) {
    return;
  }
  const companion = definition.companion?.(name);
  if (companion !== undefined) {
    await write(Uri.joinPath(module.folder, companion.path), companion.text);
  }
  const file = Uri.joinPath(module.folder, definition.path(name, language));
  // Unlike a workspace edit, this does not make the server fill the file.
  const isNew = await write(file, "");
  const editor = await window.showTextDocument(file);
  if (isNew) {
    await editor.insertSnippet(new SnippetString(definition.text(name, language)));
    await editor.document.save();
  }
}

/** Writes a file unless it exists. Returns true if it did not exist. */
async function write(file: Uri, text: string): Promise<boolean> {
  const exists = await workspace.fs.stat(file).then(() => true, () => false);
  if (!exists) {
    await workspace.fs.writeFile(file, new TextEncoder().encode(text));
  }
  return !exists;
}

async function chosenLanguage({ title, languages }: Definition): Promise<Language | undefined> {
  return languages && window.showQuickPick(languages, { title, placeHolder: "Language" });
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
