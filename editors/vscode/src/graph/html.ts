/** Addresses of the parts of the page, and the nonce of its script. */
export interface PageParts {
  /** Origin of the scripts and styles. */
  source: string;
  script: string;
  style: string;
  nonce: string;
}

const KEYS = [
  ["Arrows", "next resource in that direction"],
  ["Enter", "go to the declaration"],
  ["Space", "expand or collapse"],
  ["C, E", "collapse or expand all"],
  ["N", "neighborhood of the resource; again: one more step"],
  ["Esc", "show all resources"],
  ["/", "find a resource; Enter, Shift+Enter: next, previous"],
  ["T", "choose types"],
  ["+, -, 0", "zoom in, zoom out, zoom to fit"],
  ["Shift+Arrows", "move the graph"],
];

/** Returns the page of the web view. The graph follows in a message. */
export function html({ source, script, style, nonce }: PageParts): string {
  // The drawing has inline styles, and is exported through a data URL.
  const policy = `default-src 'none'; img-src data:; style-src ${source} 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  const keys = KEYS.map(([key, effect]) => `<dt><kbd>${key}</kbd></dt><dd>${effect}</dd>`).join("");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${style}">
<title>Catalog</title>
</head>
<body>
<div id="tools" role="toolbar" aria-label="Graph">
<span class="part"><button id="larger" title="Zoom in (+)">+</button><button id="smaller" title="Zoom out (-)">−</button><button id="whole" title="Zoom to fit (0)">Fit</button></span>
<span class="part"><button id="collapse" title="Collapse all classes (C)">Collapse</button><button id="expand" title="Expand all classes (E)">Expand</button></span>
<span class="part"><input id="search" type="search" placeholder="Find a resource" title="Find a resource (/); Enter selects the next match"><output id="matches"></output><label title="Hide all other resources"><input id="only" type="checkbox">Only matches</label></span>
<details class="menu" id="types"><summary title="Choose the shown types (T)">Types</summary><div class="panel"><div class="part"><button id="all-types">All</button><button id="no-types">None</button></div><div id="type-list"></div></div></details>
<label class="part" title="Neighborhood of the selected resource (N)">Show <select id="near"><option value="">all resources</option><option value="1">1 step around</option><option value="2">2 steps around</option><option value="3">3 steps around</option><option value="all">all that is related</option></select></label>
<select id="platform" title="Target platform" hidden></select>
<details class="menu" id="export"><summary title="Save the shown graph">Export</summary><div class="panel"><button id="save-svg">SVG</button><button id="save-png">PNG</button><button id="save-dot">DOT (Graphviz)</button></div></details>
<details class="menu" id="help"><summary title="Keys">Keys</summary><div class="panel"><dl>${keys}</dl></div></details>
</div>
<div id="picture" role="tree" aria-label="Resources"></div>
<div id="status" role="status"></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
