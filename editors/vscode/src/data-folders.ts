/** Folders of Hiera data. */

import { Uri, workspace } from "vscode";

/** Names of files with data, as a glob. */
const FILES = "**/*.{yaml,yml,eyaml,json,conf}";

/** Returns globs for the data in the folders that the `hiera.yaml` of each workspace folder names with `datadir`. */
export async function dataPatterns(): Promise<string[]> {
  const read = (workspace.workspaceFolders ?? []).map(async ({ uri }) => {
    const text = new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(uri, "hiera.yaml")));
    const named = [...text.matchAll(/^\s*(?:- )?:?datadir:\s*["']?([^\s"'#]+)/gm)].map((found) => found[1] ?? "");
    const folders = named.map((it) => it.replace(/^\.\/|\/$/g, ""));
    return folders.filter((it) => /^[\w.-]+(\/[\w.-]+)*$/.test(it) && !it.startsWith("..")).map((it) => `**/${it}/${FILES}`);
  });
  // A workspace folder without a configuration has the usual folders.
  const patterns = await Promise.allSettled(read);
  return [...new Set(patterns.flatMap((it) => (it.status === "fulfilled" ? it.value : [])))];
}
