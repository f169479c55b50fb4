// Script of the web view: draws the graph, filters it, and reports clicks on resources.

import { dot } from "./dot";
import { COLORS, curve, draw } from "./drawing";
import { type GraphLayout, HEADER_HEIGHT, layout, type PlacedBox } from "./layout";
import type { PageMessage, ShowMessage } from "./messages";
import { GraphModel, type View, type ViewState } from "./model";

/** State that outlives the page. */
interface SavedState {
  class: string;
  collapsed: string[];
  hiddenTypes: string[];
}

interface Api {
  postMessage(message: PageMessage): void;
  getState(): SavedState | undefined;
  setState(state: SavedState): void;
}
declare function acquireVsCodeApi(): Api;

const api = acquireVsCodeApi();
const STEP = 1.25;
const [LEAST, MOST] = [0.05, 40];
const PAN = 40;
/** Maximum size of an exported image in pixels. */
const MAX_IMAGE = { side: 12_000, area: 60_000_000 };

const picture = element("picture");
const search = element<HTMLInputElement>("search");
const only = element<HTMLInputElement>("only");
const near = element<HTMLSelectElement>("near");
const platforms = element<HTMLSelectElement>("platform");

let model = new GraphModel({ title: "", nodes: [], edges: [] });
let state: ViewState = model.initialState();
let view: View = { roots: [], edges: [], shown: 0 };
let placed: GraphLayout = { width: 0, height: 0, boxes: [], arrows: [] };
let selected: string | undefined;
let found: string[] = [];
let next = -1;

function element<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no ${id}`);
  }
  return found as Kind;
}

/** Visible part of the drawing, in its own units. */
let whole = { x: 0, y: 0, width: 1, height: 1 };
let shown = { ...whole };

const svg = () => picture.querySelector("svg");
const boxElement = (id: string) => picture.querySelector<SVGElement>(`[data-node="${CSS.escape(id)}"]`);

function showPart(): void {
  svg()?.setAttribute("viewBox", `${shown.x} ${shown.y} ${shown.width} ${shown.height}`);
  picture.dataset.zoom = (whole.width / shown.width).toFixed(2);
}

/** Size of a pixel in units of the drawing. */
function unit(): number {
  const box = picture.getBoundingClientRect();
  return Math.max(shown.width / box.width, shown.height / box.height);
}

/** Zooms around a point of the window; around the center by default. */
function zoom(factor: number, clientX?: number, clientY?: number): void {
  const scale = whole.width / shown.width;
  const limited = Math.min(Math.max(scale * factor, LEAST), MOST) / scale;
  const box = picture.getBoundingClientRect();
  const [fx, fy] = [clientX === undefined ? 0.5 : (clientX - box.left) / box.width, clientY === undefined ? 0.5 : (clientY - box.top) / box.height];
  const [width, height] = [shown.width / limited, shown.height / limited];
  shown = { x: shown.x + (shown.width - width) * fx, y: shown.y + (shown.height - height) * fy, width, height };
  showPart();
}

function move(dx: number, dy: number): void {
  const size = unit();
  shown = { ...shown, x: shown.x - dx * size, y: shown.y - dy * size };
  showPart();
}

/** Shows the whole graph, enlarged at most to its natural size. */
function fit(): void {
  shown = { ...whole };
  showPart();
}

/** Draws the current view. A box keeps its place on the screen, if given. */
function render(anchor?: string): void {
  const before = anchor === undefined ? undefined : boxElement(anchor)?.getBoundingClientRect();
  const size = unit();
  view = model.view(state);
  placed = layout(view, measure);
  picture.innerHTML = draw(placed);
  const drawing = svg();
  const own = drawing?.viewBox.baseVal;
  if (drawing && own) {
    drawing.removeAttribute("width");
    drawing.removeAttribute("height");
    // A small graph is not enlarged beyond its natural size.
    const box = picture.getBoundingClientRect();
    const [width, height] = [Math.max(own.width, box.width), Math.max(own.height, box.height)];
    const grows = width === box.width && height === box.height;
    whole = grows ? { x: (own.width - width) / 2, y: (own.height - height) / 2, width, height } : { x: 0, y: 0, width: own.width, height: own.height };
  }
  fit();
  const after = anchor === undefined ? undefined : boxElement(anchor)?.getBoundingClientRect();
  if (before && after && before.width > 0) {
    zoom(unit() / size);
    const moved = boxElement(anchor as string)?.getBoundingClientRect() ?? after;
    move(before.left - moved.left, before.top - moved.top);
  }
  labelBoxes();
  if (selected !== undefined && boxElement(selected) === null) {
    selected = representative(selected);
  }
  mark();
  save();
}

/** Returns the shown container of a hidden resource. */
function representative(id: string): string | undefined {
  return model.ancestors(id).reverse().find((it) => state.collapsed.has(it) && boxElement(it) !== null);
}

/** Describes the boxes to assistive technology; only one of them is reached with Tab. */
function labelBoxes(): void {
  for (const { box } of placed.boxes) {
    const node = boxElement(box.node.id);
    node?.setAttribute("role", "treeitem");
    node?.setAttribute("tabindex", "-1");
    const inside = box.isCollapsed ? `, ${box.hidden} inside` : "";
    node?.setAttribute("aria-label", box.node.label + inside);
    if (box.isContainer) {
      node?.setAttribute("aria-expanded", String(!box.isCollapsed));
    }
  }
  const first = (selected !== undefined && boxElement(selected)) || picture.querySelector("[data-node]");
  first?.setAttribute("tabindex", "0");
}

const canvas = document.createElement("canvas").getContext("2d");

function measure(text: string, size: number): number {
  if (canvas === null) {
    return text.length * size * 0.6;
  }
  canvas.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return canvas.measureText(text).width;
}

// Selection, search, and highlighting.

/** Marks matches of the search, the selected resource, and its relationships. */
function mark(pointed?: string): void {
  const isSearching = search.value.trim() !== "" && found.length > 0;
  const matching = new Set(isSearching ? found : []);
  for (const node of picture.querySelectorAll<SVGElement>("[data-node]")) {
    const id = node.dataset.node ?? "";
    node.classList.toggle("other", isSearching && !matching.has(id) && !standsFor(id, matching));
    node.classList.toggle("selected", id === selected);
  }
  bringOut(pointed ?? selected);
  const edges = view.edges.reduce((sum, edge) => sum + edge.count, 0);
  const parts = [`${view.shown} of ${model.nodes.size} resources`, edges === 1 ? "1 relationship" : `${edges} relationships`];
  const node = selected === undefined ? undefined : model.nodes.get(selected);
  element("status").textContent = [...parts, ...(node === undefined ? [] : [node.label])].join(" · ");
}

/** Returns true if a collapsed box has one of some resources inside. */
function standsFor(id: string, ids: Set<string>): boolean {
  return state.collapsed.has(id) && model.descendants(id).some((it) => ids.has(it));
}

/** Highlights the arrows of one box and the boxes at their other ends, or resets the highlighting. */
function bringOut(id: string | undefined): void {
  const own = new Set(id === undefined ? [] : [id, ...model.descendants(id)]);
  const touched = view.edges.filter((edge) => own.has(edge.from) || own.has(edge.to));
  const ends = new Set(touched.flatMap((edge) => [edge.from, edge.to]));
  const arrows = [...picture.querySelectorAll<SVGElement>("[data-from]")];
  placed.arrows.forEach((arrow, index) => {
    const isOwn = arrow.edges.some((edge) => touched.includes(edge));
    arrows[index]?.classList.toggle("other", id !== undefined && !isOwn);
    arrows[index]?.classList.toggle("own", id !== undefined && isOwn);
  });
  for (const node of picture.querySelectorAll<SVGElement>("[data-node]")) {
    node.classList.toggle("related", id !== undefined && node.dataset.node !== id && ends.has(node.dataset.node ?? ""));
  }
  picture.querySelector("#exact")?.remove();
  if (id !== undefined) {
    drawExact(new Set([id]), touched);
  }
}

/** Draws lines to the exact ends of relationships whose arrows connect the containers. */
function drawExact(ids: Set<string>, edges: View["edges"]): void {
  const places = new Map(placed.boxes.map((it) => [it.box.node.id, it]));
  const bundles = new Set(placed.arrows.flatMap((arrow) => arrow.edges.map((edge) => `${arrow.from} ${arrow.to} ${edge.from} ${edge.to}`)));
  const lines = edges
    .filter((edge) => (ids.has(edge.from) || ids.has(edge.to)) && !bundles.has(`${edge.from} ${edge.to} ${edge.from} ${edge.to}`))
    .flatMap(({ from, to, notifies }) => {
      const [start, end] = [places.get(from), places.get(to)];
      if (start === undefined || end === undefined) {
        return [];
      }
      const kind = notifies ? "notifies" : "before";
      return [`<g class="arrow ${kind}"><path d="${curve(between(start, end))}" stroke-dasharray="4 3" marker-end="url(#${kind})"/></g>`];
    });
  const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
  layer.id = "exact";
  layer.innerHTML = lines.join("");
  svg()?.querySelector(":scope > g")?.append(layer);
}

/** Returns the points of a line between the nearest sides of two boxes. */
function between(from: PlacedBox, to: PlacedBox): { x: number; y: number }[] {
  const middle = (it: PlacedBox) => it.y + (it.box.isContainer ? HEADER_HEIGHT : it.height) / 2;
  const isForward = from.x + from.width <= to.x;
  const start = { x: isForward ? from.x + from.width : from.x, y: middle(from) };
  const end = { x: isForward ? to.x : to.x + to.width, y: middle(to) };
  return [start, end];
}

/** Selects a box and moves the keyboard focus to it. */
function select(id: string | undefined): void {
  selected = id;
  mark();
  if (id !== undefined) {
    for (const node of picture.querySelectorAll("[tabindex='0']")) {
      node.setAttribute("tabindex", "-1");
    }
    const node = boxElement(id);
    node?.setAttribute("tabindex", "0");
    node?.focus({ preventScroll: true });
  }
}

/** Centers a box at a readable size. */
function center(id: string): void {
  const node = boxElement(id)?.querySelector(".title");
  if (!node) {
    return;
  }
  const box = picture.getBoundingClientRect();
  const place = node.getBoundingClientRect();
  move(box.left + box.width / 2 - (place.left + place.width / 2), box.top + box.height / 2 - (place.top + place.height / 2));
  const scale = whole.width / shown.width;
  zoom(Math.max(unit(), STEP / scale, 1));
}

/** Moves a box into the visible part if it is outside. */
function reveal(id: string): void {
  const place = boxElement(id)?.querySelector(".title")?.getBoundingClientRect();
  const box = picture.getBoundingClientRect();
  if (place && (place.left < box.left || place.right > box.right || place.top < box.top || place.bottom > box.bottom)) {
    move(box.left + box.width / 2 - (place.left + place.width / 2), box.top + box.height / 2 - (place.top + place.height / 2));
  }
}

/** Expands the containers of a resource, so that it is shown. */
function uncover(id: string): void {
  const hidden = model.ancestors(id).filter((it) => state.collapsed.has(it));
  if (hidden.length > 0) {
    hidden.forEach((it) => state.collapsed.delete(it));
    render();
  }
}

function runSearch(): void {
  found = model.matches(search.value);
  next = -1;
  if (only.checked) {
    state.filter = search.value;
    render();
  } else {
    mark();
  }
  showMatches();
}

function showMatches(): void {
  const isEmpty = search.value.trim() === "";
  const text = found.length === 0 ? "no match" : next < 0 ? `${found.length}` : `${next + 1} of ${found.length}`;
  element("matches").textContent = isEmpty ? "" : text;
}

function goToMatch(step: number): void {
  if (found.length === 0) {
    return;
  }
  next = next < 0 && step < 0 ? found.length - 1 : (next + step + found.length) % found.length;
  const id = found[next] as string;
  uncover(id);
  if (boxElement(id) !== null) {
    selected = id;
    mark();
    center(id);
  }
  showMatches();
}

// Changes of the view.

function toggle(id: string): void {
  if (!model.contents.has(id)) {
    return;
  }
  if (!state.collapsed.delete(id)) {
    state.collapsed.add(id);
  }
  render(id);
  select(id);
}

function collapseAll(): void {
  state.collapsed = model.containers();
  render();
}

function expandAll(): void {
  state.collapsed.clear();
  render();
}

/** Shows a resource with those around it, or all resources. */
function showNeighborhood(depth: number | undefined): void {
  if (depth !== undefined && selected === undefined) {
    element("status").textContent = "Select a resource first";
    near.value = "";
    return;
  }
  const focus = depth === undefined ? undefined : (selected as string);
  if (focus === undefined || depth === undefined) {
    delete state.focus;
  } else {
    state.focus = { id: focus, depth };
    // The resources nearby are shown themselves, unless they are too many.
    const around = model.neighborhood(focus, depth);
    if (around.size <= 150) {
      for (const id of around) {
        model.ancestors(id).forEach((it) => state.collapsed.delete(it));
      }
    }
  }
  near.value = depth === undefined ? "" : depth === Infinity ? "all" : String(Math.min(depth, 3));
  render();
  if (focus !== undefined) {
    select(focus);
  }
}

function showTypes(): void {
  const list = element("type-list");
  list.replaceChildren(
    ...model.types.map(({ name, count }) => {
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = !state.hiddenTypes.has(name);
      box.dataset.type = name;
      label.append(box, `${name} `, Object.assign(document.createElement("span"), { className: "count", textContent: `${count}` }));
      return label;
    }),
  );
}

function setTypes(hidden: Iterable<string>): void {
  state.hiddenTypes = new Set(hidden);
  for (const box of element("type-list").querySelectorAll<HTMLInputElement>("input")) {
    box.checked = !state.hiddenTypes.has(box.dataset.type ?? "");
  }
  element("types").classList.toggle("active", state.hiddenTypes.size > 0);
  render();
}

// Keyboard.

type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/** Selects the nearest box in a direction. */
function step(direction: Direction): void {
  const point = ({ box, x, y, width, height }: PlacedBox) => {
    const isGroup = box.isContainer && !box.isCollapsed;
    return { x: isGroup ? x + 40 : x + width / 2, y: isGroup ? y + HEADER_HEIGHT / 2 : y + height / 2 };
  };
  const from = placed.boxes.find((it) => it.box.node.id === selected);
  if (from === undefined) {
    select(placed.boxes[0]?.box.node.id);
    return;
  }
  const start = point(from);
  let best: { id: string; distance: number } | undefined;
  for (const other of placed.boxes) {
    const { x, y } = point(other);
    const [dx, dy] = [x - start.x, y - start.y];
    const along = { ArrowLeft: -dx, ArrowRight: dx, ArrowUp: -dy, ArrowDown: dy }[direction];
    const across = Math.abs(direction === "ArrowLeft" || direction === "ArrowRight" ? dy : dx);
    const distance = along + 2.5 * across;
    if (along > 1 && (best === undefined || distance < best.distance)) {
      best = { id: other.box.node.id, distance };
    }
  }
  if (best !== undefined) {
    select(best.id);
    reveal(best.id);
  }
}

function open(id: string | undefined): void {
  if (id !== undefined) {
    api.postMessage({ kind: "open", id });
  }
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.key === "Escape") {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[open]")) {
      menu.open = false;
    }
    if (target === search || target.closest("details") !== null) {
      (boxElement(selected ?? "") ?? picture.querySelector<SVGElement>("[data-node]"))?.focus();
    } else if (state.focus !== undefined) {
      showNeighborhood(undefined);
    } else {
      select(undefined);
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, details") !== null) {
    return;
  }
  const isOnButton = target.closest("button") !== null;
  const pans: Record<string, [number, number]> = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] };
  const pan = pans[event.key];
  const actions: Record<string, () => void> = {
    "+": () => zoom(STEP),
    "=": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    "0": fit,
    "/": () => search.focus(),
    c: collapseAll,
    e: expandAll,
    n: () => showNeighborhood(state.focus !== undefined && state.focus.id === selected ? state.focus.depth + 1 : 1),
    t: () => {
      element<HTMLDetailsElement>("types").open = true;
      element("types").querySelector<HTMLElement>("input, button")?.focus();
    },
    ...(isOnButton ? {} : { Enter: () => open(selected), " ": () => selected !== undefined && toggle(selected) }),
  };
  const action = pan === undefined ? actions[event.key.length === 1 ? event.key.toLowerCase() : event.key] : () => (event.shiftKey ? move(...pan) : step(event.key as Direction));
  if (action !== undefined) {
    event.preventDefault();
    action();
  }
}

// Export.

/** Returns the shown graph as an SVG that looks the same without the theme. */
function exported(): string {
  const style = getComputedStyle(document.body);
  const color = (variable: string) => style.getPropertyValue(variable).trim() || (COLORS[variable] ?? "");
  return draw(placed, color, { background: true, font: "sans-serif" });
}

async function image(): Promise<string> {
  const text = exported();
  const drawing = new Image();
  drawing.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await drawing.decode();
  const { width, height } = drawing;
  const scale = Math.min(2, MAX_IMAGE.side / Math.max(width, height), Math.sqrt(MAX_IMAGE.area / (width * height)));
  const target = document.createElement("canvas");
  [target.width, target.height] = [Math.round(width * scale), Math.round(height * scale)];
  target.getContext("2d")?.drawImage(drawing, 0, 0, target.width, target.height);
  return target.toDataURL("image/png").replace(/^[^,]*,/, "");
}

async function saveAs(format: "svg" | "png" | "dot"): Promise<void> {
  element<HTMLDetailsElement>("export").open = false;
  const data = format === "svg" ? exported() : format === "dot" ? dot(model.graph.title, view) : await image();
  api.postMessage({ kind: "save", format, data });
}

// Wiring.

function nodeOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<SVGElement>("[data-node]")?.dataset.node : undefined;
}

function className(): string {
  return model.graph.title.split(" ")[0] ?? "";
}

function save(): void {
  api.setState({ class: className(), collapsed: [...state.collapsed], hiddenTypes: [...state.hiddenTypes] });
}

function show({ graph, platform }: ShowMessage): void {
  const wasExpanded = className();
  const before = { collapsed: state.collapsed, labels: new Map([...model.nodes.values()].map((node) => [node.label, node.id])), types: state.hiddenTypes };
  model = new GraphModel(graph);
  state = model.initialState();
  const saved = api.getState();
  if (wasExpanded !== "" && wasExpanded === className()) {
    // The same class on another platform: ids differ, references do not.
    const wasCollapsed = (label: string) => before.labels.has(label) && before.collapsed.has(before.labels.get(label) as string);
    const kept = [...model.contents.keys()].filter((id) => {
      const label = model.nodes.get(id)?.label ?? "";
      return before.labels.has(label) ? wasCollapsed(label) : state.collapsed.has(id);
    });
    state.collapsed = new Set(kept);
    state.hiddenTypes = before.types;
  } else if (saved?.class === className()) {
    state.collapsed = new Set(saved.collapsed.filter((id) => model.contents.has(id)));
    state.hiddenTypes = new Set(saved.hiddenTypes);
  }
  selected = undefined;
  near.value = "";
  document.title = graph.title;
  platforms.replaceChildren(...(graph.platforms ?? []).map((name) => new Option(name, name, false, name === platform)));
  platforms.hidden = platforms.options.length === 0;
  showTypes();
  found = model.matches(search.value);
  state.filter = only.checked ? search.value : "";
  render();
  showMatches();
}

// A drag pans the graph and is not a click on the box below it.
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
  if (distance >= 5) {
    return;
  }
  const toggled = event.target instanceof Element ? event.target.closest<SVGElement>("[data-toggle]")?.dataset.toggle : undefined;
  if (toggled !== undefined) {
    toggle(toggled);
    return;
  }
  const id = nodeOf(event.target);
  select(id);
  open(id);
});
picture.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, event.clientX, event.clientY);
  },
  { passive: false },
);
picture.addEventListener("pointerover", (event) => bringOut(nodeOf(event.target) ?? selected));
picture.addEventListener("pointerleave", () => bringOut(selected));
picture.addEventListener("focusin", (event) => {
  const id = nodeOf(event.target);
  if (id !== undefined && id !== selected) {
    selected = id;
    mark();
  }
});

element("larger").addEventListener("click", () => zoom(STEP));
element("smaller").addEventListener("click", () => zoom(1 / STEP));
element("whole").addEventListener("click", fit);
element("collapse").addEventListener("click", collapseAll);
element("expand").addEventListener("click", expandAll);
element("all-types").addEventListener("click", () => setTypes([]));
element("no-types").addEventListener("click", () => setTypes(model.types.map((it) => it.name)));
element("type-list").addEventListener("change", (event) => {
  const box = event.target as HTMLInputElement;
  const hidden = new Set(state.hiddenTypes);
  if (box.checked) {
    hidden.delete(box.dataset.type ?? "");
  } else {
    hidden.add(box.dataset.type ?? "");
  }
  setTypes(hidden);
});
near.addEventListener("change", () => showNeighborhood(near.value === "" ? undefined : near.value === "all" ? Infinity : Number(near.value)));
platforms.addEventListener("change", () => api.postMessage({ kind: "platform", name: platforms.value }));
search.addEventListener("input", runSearch);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    goToMatch(event.shiftKey ? -1 : 1);
  }
});
only.addEventListener("change", () => {
  state.filter = only.checked ? search.value : "";
  render();
});
for (const format of ["svg", "png", "dot"] as const) {
  element(`save-${format}`).addEventListener("click", () => void saveAs(format));
}
document.addEventListener("keydown", onKey);
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[open]")) {
    if (!menu.contains(event.target as Node)) {
      menu.open = false;
    }
  }
});
window.addEventListener("resize", () => {
  const isWhole = picture.dataset.zoom === "1.00";
  if (isWhole && model.nodes.size > 0) {
    render();
  }
});
window.addEventListener("message", (event: MessageEvent<ShowMessage>) => {
  if (event.data.kind === "show") {
    show(event.data);
  }
});
api.postMessage({ kind: "ready" });
