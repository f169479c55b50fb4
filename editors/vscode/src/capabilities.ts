import type { ClientCapabilities, InitializeResult, StaticFeature } from "vscode-languageclient/node";

/** Client commands that the server's code lenses may call. */
export const LENS_COMMANDS = ["showReferences", "showCatalog", "showGraph"].map((name) => `puppet-analyzer.${name}`);

/** VS Code's command that requests completions, which the server calls after the name of an attribute with few values. */
const TRIGGER_SUGGEST = "editor.action.triggerSuggest";

/** Announces the supported commands to the server, and the grammar, whose details semantic tokens must not hide. */
export const experimentalFeatures: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const commands = [...LENS_COMMANDS, TRIGGER_SUGGEST];
    capabilities.experimental = { ...capabilities.experimental, commands: { commands }, grammar: true };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};

/** Returns true if the server can compile catalogs. */
export function hasCatalogs(result: InitializeResult | undefined): boolean {
  const experimental: unknown = result?.capabilities.experimental;
  return typeof experimental === "object" && experimental !== null && (experimental as { catalog?: unknown }).catalog === true;
}
