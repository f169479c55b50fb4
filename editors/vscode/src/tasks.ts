import * as path from "node:path";
import {
  commands,
  CustomExecution,
  type Diagnostic,
  Disposable,
  EventEmitter,
  languages,
  ProgressLocation,
  type ProviderResult,
  Task,
  type TaskDefinition,
  TaskGroup,
  type TaskProvider,
  TaskRevealKind,
  tasks,
  Uri,
  type WorkspaceFolder,
  window,
  workspace,
} from "vscode";

import { CheckTerminal } from "./check-terminal";
import type { Server } from "./server";

const TYPE = "puppet-analyzer";
const SHOW_PROBLEMS = "Show Problems";
const SHOW_OUTPUT = "Show Output";

interface CheckDefinition extends TaskDefinition {
  /** Additional arguments of `puppet-analyzer check`. */
  arguments?: string[];
}

/** Tasks that check a folder of the workspace, like `puppet-analyzer check` on the command line. */
export class CheckTasks implements TaskProvider, Disposable {
  private readonly parts: Disposable;
  /** Findings of files that are not open. Those of open files come from the server. */
  private readonly found = languages.createDiagnosticCollection("puppet-analyzer-check");

  /** Fires with the exit code of each check; `undefined` if it was ended. */
  private readonly ended = new EventEmitter<number | undefined>();

  constructor(private readonly server: Server) {
    this.parts = Disposable.from(
      this.found,
      this.ended,
      tasks.registerTaskProvider(TYPE, this),
      workspace.onDidOpenTextDocument(({ uri }) => this.found.delete(uri)),
    );
  }

  provideTasks(): Task[] {
    return (workspace.workspaceFolders ?? []).map((folder) => this.task({ type: TYPE }, folder));
  }

  resolveTask(task: Task): ProviderResult<Task> {
    const folder = typeof task.scope === "object" ? task.scope : workspace.workspaceFolders?.[0];
    return folder && this.task(task.definition as CheckDefinition, folder, task.name);
  }

  /** Checks all folders of the workspace; the progress notification has a button that cancels. */
  async checkWorkspace(): Promise<void> {
    const all = this.provideTasks();
    if (all.length === 0) {
      void window.showErrorMessage("Open a folder with Puppet code to check it.");
      return;
    }
    const found = await window.withProgress({ location: ProgressLocation.Notification, title: "Checking the workspace", cancellable: true }, async (progress, token) => {
      const codes: (number | undefined)[] = [];
      for (const task of all) {
        if (token.isCancellationRequested) {
          return undefined;
        }
        progress.report({ message: all.length === 1 ? "" : task.name });
        const code = this.exitCode();
        const execution = await tasks.executeTask(task);
        const cancellation = token.onCancellationRequested(() => execution.terminate());
        codes.push(await code);
        cancellation.dispose();
      }
      return token.isCancellationRequested ? undefined : codes;
    });
    if (found === undefined) {
      void window.showInformationMessage("The check was canceled.");
    } else {
      await report(found);
    }
  }

  dispose(): void {
    this.parts.dispose();
  }

  /** Returns the exit code of the next check that ends. */
  private exitCode(): Promise<number | undefined> {
    return new Promise((resolve) => {
      const ended = this.ended.event((code) => {
        ended.dispose();
        resolve(code);
      });
    });
  }

  /** Replaces the findings of a folder. */
  private show(folder: string, found: Map<string, Diagnostic[]>): void {
    this.found.forEach((uri) => uri.fsPath.startsWith(`${folder}${path.sep}`) && this.found.delete(uri));
    const open = new Set(workspace.textDocuments.map(({ uri }) => uri.toString()));
    for (const [uri, diagnostics] of found) {
      if (!open.has(uri)) {
        this.found.set(Uri.parse(uri), diagnostics);
      }
    }
  }

  private task(definition: CheckDefinition, folder: WorkspaceFolder, name = "check"): Task {
    const run = ["check", "--format", "concise", ...(definition.arguments ?? [])];
    const { fsPath } = folder.uri;
    const show = (code: number | undefined, found: Map<string, Diagnostic[]>) => {
      if (code !== undefined) {
        this.show(fsPath, found);
      }
      this.ended.fire(code);
    };
    const execution = new CustomExecution(async () => new CheckTerminal(this.server.command, run, fsPath, show));
    const task = new Task(definition, folder, name, "Puppet", execution);
    task.group = TaskGroup.Test;
    task.presentationOptions = { reveal: TaskRevealKind.Silent, clear: true };
    return task;
  }
}

async function report(codes: (number | undefined)[]): Promise<void> {
  if (codes.every((code) => code === 0)) {
    void window.showInformationMessage("The workspace has no errors.");
  } else if (codes.every((code) => code === 0 || code === 1)) {
    if ((await window.showWarningMessage("The workspace has errors.", SHOW_PROBLEMS)) !== undefined) {
      await commands.executeCommand("workbench.actions.view.problems");
    }
  } else if ((await window.showErrorMessage("The workspace could not be checked.", SHOW_OUTPUT)) !== undefined) {
    await commands.executeCommand("workbench.action.tasks.showTasks");
  }
}
