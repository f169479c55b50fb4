// Script of the web view: pans and zooms the graph, and reports clicks on nodes.

interface Api {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): Api;

const api = acquireVsCodeApi();
const picture = element("picture");
const svg = picture.querySelector("svg");
const STEP = 1.25;
const [LEAST, MOST] = [0.05, 20];

/** Visible part of the graph, in its own units. */
const whole = wholeOf(svg);
let shown = { ...whole };

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no ${id}`);
  }
  return found;
}

function wholeOf(svg: SVGSVGElement | null): { x: number; y: number; width: number; height: number } {
  const own = svg?.viewBox.baseVal;
  if (own && own.width > 0 && own.height > 0) {
    return { x: own.x, y: own.y, width: own.width, height: own.height };
  }
  const box = svg?.getBBox();
  return { x: box?.x ?? 0, y: box?.y ?? 0, width: Math.max(box?.width ?? 0, 1), height: Math.max(box?.height ?? 0, 1) };
}

function show(): void {
  svg?.setAttribute("viewBox", `${shown.x} ${shown.y} ${shown.width} ${shown.height}`);
  picture.dataset.zoom = (whole.width / shown.width).toFixed(2);
}

/** Zooms around a point of the window; around the center by default. */
function zoom(factor: number, clientX?: number, clientY?: number): void {
  const scale = whole.width / shown.width;
  const limited = Math.min(Math.max(scale * factor, LEAST), MOST) / scale;
  const box = picture.getBoundingClientRect();
  const [fx, fy] = [clientX === undefined ? 0.5 : (clientX - box.left) / box.width, clientY === undefined ? 0.5 : (clientY - box.top) / box.height];
  const [width, height] = [shown.width / limited, shown.height / limited];
  shown = { x: shown.x + (shown.width - width) * fx, y: shown.y + (shown.height - height) * fy, width, height };
  show();
}

function move(dx: number, dy: number): void {
  const box = picture.getBoundingClientRect();
  const unit = Math.max(shown.width / box.width, shown.height / box.height);
  shown = { ...shown, x: shown.x - dx * unit, y: shown.y - dy * unit };
  show();
}

function fit(): void {
  shown = { ...whole };
  show();
}

function nodeOf(target: EventTarget | null): SVGElement | undefined {
  return target instanceof Element ? (target.closest<SVGElement>("[data-node]") ?? undefined) : undefined;
}

function open(node: SVGElement | undefined): void {
  if (node !== undefined) {
    api.postMessage({ kind: "open", id: node.dataset.node });
  }
}

if (svg !== null) {
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  show();
}
const nodes = [...picture.querySelectorAll<SVGElement>("[data-node]")];
for (const node of nodes) {
  node.setAttribute("tabindex", "0");
  node.setAttribute("role", "link");
}

element("larger").addEventListener("click", () => zoom(STEP));
element("smaller").addEventListener("click", () => zoom(1 / STEP));
element("whole").addEventListener("click", fit);
picture.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, event.clientX, event.clientY);
  },
  { passive: false },
);

// A drag pans the graph and is not a click on the node below it.
let last: { x: number; y: number } | undefined;
let distance = 0;
picture.addEventListener("pointerdown", (event) => {
  last = { x: event.clientX, y: event.clientY };
  distance = 0;
});
window.addEventListener("pointermove", (event) => {
  if (last === undefined) {
    return;
  }
  const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
  distance += Math.abs(dx) + Math.abs(dy);
  last = { x: event.clientX, y: event.clientY };
  move(dx, dy);
});
window.addEventListener("pointerup", () => {
  last = undefined;
});
picture.addEventListener("click", (event) => {
  if (distance < 5) {
    open(nodeOf(event.target));
  }
});

const arrows = [...picture.querySelectorAll<SVGElement>("[data-from]")];

/** Highlights the arrows of one box, or resets the highlighting. */
function bringOut(node: SVGElement | undefined): void {
  const id = node?.dataset.node;
  for (const arrow of arrows) {
    arrow.classList.toggle("other", id !== undefined && arrow.dataset.from !== id && arrow.dataset.to !== id);
  }
}
picture.addEventListener("pointerover", (event) => bringOut(nodeOf(event.target)));
picture.addEventListener("pointerleave", () => bringOut(undefined));
picture.addEventListener("focusin", (event) => bringOut(nodeOf(event.target)));

/** Centers a box at a readable size. */
function center(node: SVGElement): void {
  const box = picture.getBoundingClientRect();
  const place = node.getBoundingClientRect();
  move(box.left + box.width / 2 - (place.left + place.width / 2), box.top + box.height / 2 - (place.top + place.height / 2));
  const unit = Math.max(shown.width / box.width, shown.height / box.height);
  zoom(Math.max(unit, 1));
}

const search = element("search") as HTMLInputElement;
let found: SVGElement[] = [];
let next = 0;
search.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  found = wanted === "" ? [] : nodes.filter((node) => (node.textContent ?? "").toLowerCase().includes(wanted));
  next = 0;
  for (const node of nodes) {
    node.classList.toggle("other", wanted !== "" && !found.includes(node));
  }
});
search.addEventListener("keydown", (event) => {
  const node = found[next % Math.max(found.length, 1)];
  if (event.key === "Enter" && node !== undefined) {
    center(node);
    bringOut(node);
    next += 1;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.target === search) {
    return;
  }
  const by = 40;
  const actions: Record<string, () => void> = {
    "+": () => zoom(STEP),
    "=": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    "0": fit,
    "/": () => search.focus(),
    Enter: () => open(nodeOf(document.activeElement)),
    ArrowLeft: () => move(by, 0),
    ArrowRight: () => move(-by, 0),
    ArrowUp: () => move(0, by),
    ArrowDown: () => move(0, -by),
  };
  const action = actions[event.key];
  if (action !== undefined) {
    event.preventDefault();
    action();
  }
});

document.getElementById("platform")?.addEventListener("change", (event) => {
  api.postMessage({ kind: "platform", name: (event.target as HTMLSelectElement).value });
});
