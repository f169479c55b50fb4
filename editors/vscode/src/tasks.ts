import {
  commands,
  type Disposable,
  ProcessExecution,
  ProgressLocation,
  type ProviderResult,
  Task,
  type TaskDefinition,
  TaskGroup,
  type TaskProvider,
  TaskRevealKind,
  tasks,
  type WorkspaceFolder,
  window,
  workspace,
} from "vscode";

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
  private readonly registration: Disposable;

  constructor(private readonly server: Server) {
    this.registration = tasks.registerTaskProvider(TYPE, this);
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
        const execution = await tasks.executeTask(task);
        const cancellation = token.onCancellationRequested(() => execution.terminate());
        codes.push(await exitCode(task.definition, task.scope));
        cancellation.dispose();
      }
      return token.isCancellationRequested ? undefined : codes;
    });
    if (found !== undefined) {
      await report(found);
    }
  }

  dispose(): void {
    this.registration.dispose();
  }

  private task(definition: CheckDefinition, folder: WorkspaceFolder, name = "check"): Task {
    const run = ["check", "--format", "concise", ...(definition.arguments ?? [])];
    const execution = new ProcessExecution(this.server.command, run, { cwd: folder.uri.fsPath });
    const task = new Task(definition, folder, name, "Puppet", execution, "$puppet-analyzer");
    task.group = TaskGroup.Test;
    task.presentationOptions = { reveal: TaskRevealKind.Silent, clear: true };
    return task;
  }
}

/** Returns the exit code of a task that was started; `undefined` if it was ended. */
function exitCode(definition: TaskDefinition, scope: Task["scope"]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const ended = tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      const { task } = execution;
      if (task.definition.type === definition.type && task.scope === scope) {
        ended.dispose();
        resolve(exitCode);
      }
    });
  });
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
