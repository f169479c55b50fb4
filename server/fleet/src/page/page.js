// Page of the report. Everything from the repository is inserted as text, never as markup.
"use strict";
(() => {
  const report = JSON.parse(document.getElementById("report").textContent);
  const { changes } = report;
  const failures = [...report.failures, ...(report.limitations ?? []).map((reason) => ({ status: "limitation", reason }))];
  const unit = report.unit ?? ["node", "nodes"];
  /** Number of names or variants that are rendered at once. */
  const PORTION = 100;
  /** Maximum number of lines of a value that are aligned line by line. */
  const MAX_ALIGNED = 600;
  const SIGNS = { added: "+", new: "+", removed: "−", gone: "−", changed: "~", possible: "?" };
  const TITLES = { new: "new catalog", gone: "catalog removed" };
  const STYLES = { new: "added", gone: "removed", possible: "open" };

  const $ = (id) => document.getElementById(id);
  const number = (it) => it.toLocaleString("en-US");
  const plural = (count, [one, many]) => `${number(count)} ${count === 1 ? one : many}`;
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const naturally = new Intl.Collator("en", { numeric: true }).compare;
  const clamp = (it, low, high) => Math.max(low, Math.min(high, it));

  /** Creates an element. Strings among the children become text. */
  function h(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === undefined || value === false) continue;
      if (name === "class") element.className = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children.flat().filter((it) => it !== undefined && it !== null));
    return element;
  }

  function place(element, left, top, width, height) {
    Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    return element;
  }

  // Model: nodes of groups, and columns, each of which has the changes of one resource.

  const groups = report.groups
    .map(({ nodes, changes }) => ({ nodes: [...nodes].sort(naturally), changes }))
    .sort((a, b) => b.nodes.length - a.nodes.length || naturally(a.nodes[0] ?? "", b.nodes[0] ?? ""));
  const nodeNames = [];
  const nodeGroups = [];
  groups.forEach((group, index) => {
    group.first = nodeNames.length;
    for (const name of group.nodes) {
      nodeNames.push(name);
      nodeGroups.push(index);
    }
  });
  const lowerNames = nodeNames.map((it) => it.toLowerCase());
  const labels = changes.map((it) => it.resource ?? (it.key === undefined ? TITLES[it.change] ?? it.change : `data ${it.key}`));
  const texts = changes.map((it, at) => textOf([labels[at], it]).toLowerCase());

  function textOf(value) {
    if (value === null || value === undefined || typeof value === "boolean") return "";
    if (typeof value !== "object") return `${value}`;
    return Object.values(value).map(textOf).join("\n");
  }

  const groupsOf = changes.map(() => []);
  groups.forEach((group, index) => group.changes.forEach((change) => groupsOf[change].push(index)));
  const countOf = groupsOf.map((it) => it.reduce((sum, index) => sum + groups[index].nodes.length, 0));
  const columns = [...Map.groupBy(changes.keys(), (at) => labels[at])].map(([label, variants]) => {
    variants.sort((a, b) => countOf[b] - countOf[a]);
    return { label, variants, count: variants.reduce((sum, at) => sum + countOf[at], 0) };
  });
  columns.sort((a, b) => b.count - a.count || naturally(a.label, b.label));
  const columnOf = new Array(changes.length);
  columns.forEach((column, index) => column.variants.forEach((at) => (columnOf[at] = index)));

  /** Returns the change of a group in each column that it has. */
  function cellsOf(group) {
    group.cells ??= new Map(group.changes.map((at) => [columnOf[at], at]));
    return group.cells;
  }

  const ON = { base: "before the change", head: "after the change", both: "before and after the change" };
  const reasons = [...Map.groupBy(failures, (it) => JSON.stringify([it.side, it.status, it.reason]))].map(([, all]) => ({
    side: all[0].status === "failed" ? `fails ${ON[all[0].side] ?? all[0].side}` : all[0].status, reason: all[0].reason, nodes: all.map((it) => it.node).filter((it) => it !== undefined).sort(naturally),
  }));
  reasons.sort((a, b) => b.nodes.length - a.nodes.length || compare(a.reason, b.reason));
  reasons.forEach((it) => (it.text = `${it.side}\n${it.reason}`.toLowerCase()));

  // Search: a node and a change match together if each word is in the name of the node or in the change.

  const shown = { groups: [], counts: [], rows: [], columns: [], reasons: [], isColumn: [] };

  function search() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 30);
    const all = 2 ** words.length - 1;
    const mask = (text) => words.reduce((found, word, at) => (text.includes(word) ? found | (1 << at) : found), 0);
    const ofChange = texts.map(mask);
    const isChange = new Uint8Array(changes.length);
    const counts = groups.map(() => 0);
    const rows = [];
    groups.forEach((group, index) => {
      const known = new Map();
      for (let row = group.first; row < group.first + group.nodes.length; row += 1) {
        const ofName = words.length ? mask(lowerNames[row]) : 0;
        if (!known.has(ofName)) {
          const matching = group.changes.filter((at) => (ofName | ofChange[at]) === all);
          matching.forEach((at) => (isChange[at] = 1));
          known.set(ofName, matching.length > 0);
        }
        if (known.get(ofName)) {
          rows.push(row);
          counts[index] += 1;
        }
      }
    });
    shown.counts = counts;
    shown.rows = rows;
    shown.groups = [...groups.keys()].filter((index) => counts[index] > 0);
    shown.isColumn = columns.map((column) => column.variants.some((at) => isChange[at]));
    shown.columns = [...columns.keys()].filter((index) => shown.isColumn[index]);
    shown.reasons = reasons
      .map(({ side, reason, nodes, text }) => {
        const rest = all & ~mask(text);
        return { side, reason, nodes: nodes.filter((name) => (mask(name.toLowerCase()) & rest) === rest), isWhole: rest === 0 };
      })
      .filter((it) => it.nodes.length > 0 || it.isWhole);
  }

  // Details.

  /** Splits the notation of a string after each escaped line break. */
  function lines(value) {
    if (!value.startsWith('"')) return value.split("\n");
    return value.match(/(?:\\n|(?!\\n)(?:\\.|[^]))*?(?:\\n|\n|$)/g)?.filter(Boolean) ?? [value];
  }

  /** Aligns two lists of lines; yields pairs, one side of which may be missing. */
  function aligned(before, after) {
    let start = 0;
    while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
    let end = 0;
    while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
    const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
    const pairs = before.slice(0, start).map((it) => [it, it]);
    const [removed, added] = [[], []];
    const flush = () => {
      for (let at = 0; at < Math.max(removed.length, added.length); at += 1) pairs.push([removed[at], added[at]]);
      removed.length = added.length = 0;
    };
    if (old.length * now.length > MAX_ALIGNED * MAX_ALIGNED) {
      removed.push(...old);
      added.push(...now);
    } else {
      const width = now.length + 1;
      const common = new Uint32Array((old.length + 1) * width);
      for (let i = old.length - 1; i >= 0; i -= 1) {
        for (let j = now.length - 1; j >= 0; j -= 1) {
          common[i * width + j] = old[i] === now[j] ? common[(i + 1) * width + j + 1] + 1 : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
        }
      }
      let [i, j] = [0, 0];
      while (i < old.length || j < now.length) {
        if (i < old.length && j < now.length && old[i] === now[j]) {
          flush();
          pairs.push([old[i], now[j]]);
          i += 1;
          j += 1;
        } else if (j >= now.length || (i < old.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) removed.push(old[i++]);
        else added.push(now[j++]);
      }
    }
    flush();
    before.slice(before.length - end).forEach((it) => pairs.push([it, it]));
    return pairs;
  }

  /** Renders a line, with the part marked that differs from the other side. */
  function line(own, other) {
    if (own === undefined) return h("div", {}, "");
    if (own === other) return h("div", {}, own);
    if (other === undefined) return h("div", { class: "differs" }, own);
    let start = 0;
    while (start < own.length && own[start] === other[start]) start += 1;
    let end = 0;
    while (end < Math.min(own.length, other.length) - start && own.at(-1 - end) === other.at(-1 - end)) end += 1;
    // A surrogate pair is not split.
    if (start > 0 && /[\ud800-\udbff]/.test(own[start - 1])) start -= 1;
    if (end > 0 && /[\udc00-\udfff]/.test(own[own.length - end])) end -= 1;
    const middle = own.slice(start, own.length - end);
    return h("div", { class: "differs" }, own.slice(0, start), middle ? h("mark", {}, middle) : "", own.slice(own.length - end));
  }

  const located = (it) => (it?.file ? `${it.file}:${it.line}` : undefined);

  /** Renders a location with its line of code. */
  function source(it) {
    const at = located(it);
    return at && h("span", { class: "source" }, h("span", { class: "place" }, at), it.code ? h("code", {}, `\n${it.code}`) : "");
  }

  function values(parameter) {
    const { before, after } = parameter;
    const [old, now] = [before, after].map((it) => (typeof it === "string" ? lines(it) : undefined));
    const pairs = old && now ? aligned(old, now) : (old ?? []).map((it) => [it, undefined]).concat((now ?? []).map((it) => [undefined, it]));
    const side = (kind, is, own, more) => {
      const rows = is ? pairs.map((pair) => line(pair[own], pair[1 - own])) : h("span", { class: "dim" }, "not set");
      return h("td", { class: kind }, h("div", { class: "value code" }, rows), more);
    };
    // A removed value only has the location before the change.
    return [side("before", old, 0, source(now ? parameter.base : parameter)), side("after", now, 1, now && source(parameter))];
  }

  function card(at, note) {
    const change = changes[at];
    const style = STYLES[change.change] ?? (SIGNS[change.change] ? change.change : "failed");
    const places = [...new Set([located(change.base), located(change)].filter(Boolean))].join(" → ");
    const title = h("div", { class: "title" },
      h("span", {}, h("span", { class: `sign ${style}` }, SIGNS[change.change] ?? "!"), h("code", {}, labels[at])),
      change.resource === undefined ? undefined : h("span", { class: "dim" }, change.change),
      note, places ? h("span", { class: "place" }, places) : undefined);
    const parts = [title];
    const parameters = change.key === undefined ? change.parameters ?? [] : [{ ...change, name: change.key }];
    if (parameters.length > 0) {
      const head = h("thead", {}, h("tr", {}, ["Parameter", "Before", "After"].map((it) => h("th", { scope: "col" }, it))));
      const rows = parameters.map((it) => h("tr", {}, h("th", { scope: "row", class: "code" }, it.name), values(it)));
      parts.push(h("table", {}, head, h("tbody", {}, rows)));
    }
    return h("article", { class: "change" }, parts);
  }

  /** Appends elements in portions; a button shows the next one. */
  function inPortions(container, count, render, after = container) {
    let done = 0;
    const more = h("button", { type: "button", class: "more", onclick: () => next() });
    const next = () => {
      const end = Math.min(count, done + PORTION * (done > 0 ? 10 : 1));
      for (; done < end; done += 1) container.append(render(done));
      more.remove();
      if (done < count) {
        more.textContent = `Show more (${number(count - done)} left)`;
        after.append(more);
      }
    };
    next();
  }

  let copied = [];

  /** Renders the names of nodes, with a button that copies them. */
  function names(nodes) {
    copied = nodes;
    const list = h("ul", { class: "names", "aria-label": "Nodes" });
    const box = h("div", {}, h("div", { class: "actions" }, h("button", { type: "button", class: "copy", onclick: copy }, "Copy names")), list);
    inPortions(list, nodes.length, (at) => h("li", {}, nodes[at]), box);
    return box;
  }

  async function copy() {
    const text = `${copied.join("\n")}\n`;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = h("textarea", {});
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    status(`Copied ${plural(copied.length, unit)}`);
  }

  /** Returns the nodes of groups that match the search. */
  function matching(indexes) {
    const set = new Set(indexes);
    return shown.rows.filter((row) => set.has(nodeGroups[row])).map((row) => nodeNames[row]);
  }

  function groupDetail(index) {
    const group = groups[index];
    const nodes = matching([index]);
    const all = [...group.changes].sort((a, b) => shown.isColumn[columnOf[b]] - shown.isColumn[columnOf[a]] || columnOf[a] - columnOf[b]);
    const some = nodes.length < group.nodes.length ? ` (of ${number(group.nodes.length)})` : "";
    const heading = h("h2", {}, `${plural(all.length, ["change", "changes"])} on ${plural(nodes.length, unit)}${some}`);
    const list = h("div", {});
    inPortions(list, all.length, (at) => card(all[at]));
    return [heading, names(nodes), h("h3", {}, "Changes"), list];
  }

  function columnDetail(index) {
    const column = columns[index];
    const nodes = matching(column.variants.flatMap((at) => groupsOf[at]));
    const list = h("div", {});
    const note = (at) => h("span", { class: "dim" }, `on ${plural(countOf[at], unit)}`);
    inPortions(list, column.variants.length, (at) => card(column.variants[at], note(column.variants[at])));
    const variants = column.variants.length > 1 ? `, ${number(column.variants.length)} variants` : "";
    return [h("h2", {}, h("code", {}, column.label), ` on ${plural(nodes.length, unit)}${variants}`), names(nodes), h("h3", {}, "Values"), list];
  }

  function reasonDetail({ side, reason, nodes }) {
    return [h("h2", {}, nodes.length ? plural(nodes.length, unit) : "All", `: ${side}`), h("div", { class: "message code" }, reason), names(nodes)];
  }

  // Lists that only render what is visible.

  class List {
    constructor(label, height, { count, render, detail }) {
      Object.assign(this, { height, count, render, makeDetail: detail, selected: 0 });
      this.sizer = h("div", { class: "sizer", role: "presentation" });
      this.list = h("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": label }, this.sizer);
      this.detail = h("section", { class: "detail", tabindex: "0", "aria-label": "Details" });
      this.element = h("div", { class: "split" }, this.list, this.detail);
      this.list.addEventListener("scroll", () => this.draw());
      this.list.addEventListener("keydown", (event) => this.key(event));
      this.detail.addEventListener("keydown", (event) => event.key === "Escape" && this.list.focus());
    }

    refresh() {
      this.selected = clamp(this.selected, 0, Math.max(0, this.count() - 1));
      this.sizer.style.height = `${this.count() * this.height}px`;
      this.select(this.selected);
    }

    select(index) {
      this.selected = index;
      const top = index * this.height;
      if (top < this.list.scrollTop) this.list.scrollTop = top;
      else if (top + this.height > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = top + this.height - this.list.clientHeight;
      this.draw();
      copied = [];
      this.detail.replaceChildren(...(this.count() ? this.makeDetail(index) : [h("p", { class: "empty" }, "Nothing matches.")]));
      this.detail.scrollTop = 0;
      remember();
    }

    draw() {
      const first = Math.max(0, Math.floor(this.list.scrollTop / this.height) - 2);
      const last = Math.min(this.count(), Math.ceil((this.list.scrollTop + this.list.clientHeight) / this.height) + 2);
      const options = [];
      for (let index = first; index < last; index += 1) {
        const option = h("div", {
          class: "option", role: "option", id: `option-${index}`, "aria-selected": `${index === this.selected}`,
          "aria-posinset": `${index + 1}`, "aria-setsize": `${this.count()}`, onclick: () => this.select(index),
        }, this.render(index));
        Object.assign(option.style, { top: `${index * this.height}px`, height: `${this.height}px` });
        options.push(option);
      }
      this.sizer.replaceChildren(...options);
      this.list.setAttribute("aria-activedescendant", `option-${this.selected}`);
    }

    key(event) {
      const page = Math.max(1, Math.floor(this.list.clientHeight / this.height) - 1);
      const last = this.count() - 1;
      const moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === "ArrowRight" || event.key === "l") this.detail.focus();
      else if (event.key in moves) {
        if (last >= 0) this.select(clamp(this.selected + moves[event.key], 0, last));
      } else return;
      event.preventDefault();
    }

    focus() {
      this.list.focus();
    }
  }

  const option = (first, second) => [h("div", {}, first), h("div", { class: "dim" }, second)];

  // The matrix.

  const [ROW, COLUMN, NAMES, HEAD] = [24, 24, 260, 190];

  class Matrix {
    constructor() {
      this.row = this.column = 0;
      this.window = h("div", { class: "window", role: "presentation" });
      this.sizer = h("div", { class: "sizer", role: "presentation" }, this.window);
      this.grid = h("div", { class: "matrix", role: "grid", tabindex: "0", "aria-label": "Nodes and changes" }, this.sizer);
      this.detail = h("section", { class: "detail side", tabindex: "0", "aria-label": "Details", hidden: "" });
      this.element = h("div", { class: "split" }, this.grid, this.detail);
      this.grid.addEventListener("scroll", () => this.schedule());
      this.grid.addEventListener("keydown", (event) => this.key(event));
      this.grid.addEventListener("click", (event) => this.click(event));
      this.detail.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
      this.headers = new Map();
      new ResizeObserver(() => this.schedule()).observe(this.grid);
    }

    schedule() {
      this.frame ??= requestAnimationFrame(() => {
        this.frame = undefined;
        this.draw();
      });
    }

    refresh() {
      this.headers = new Map();
      this.row = clamp(this.row, -1, shown.rows.length - 1);
      this.column = clamp(this.column, -1, shown.columns.length - 1);
      this.sizer.style.width = `${NAMES + shown.columns.length * COLUMN}px`;
      this.sizer.style.height = `${HEAD + shown.rows.length * ROW}px`;
      this.grid.setAttribute("aria-rowcount", `${shown.rows.length + 1}`);
      this.grid.setAttribute("aria-colcount", `${shown.columns.length + 1}`);
      this.describe();
      this.draw();
      if (!this.detail.hidden) this.open(false);
    }

    draw() {
      const { clientWidth: width, clientHeight: height, scrollLeft: left, scrollTop: top } = this.grid;
      const position = `${NAMES - (left % COLUMN) - 1}px ${HEAD - (top % ROW) - 1}px`;
      Object.assign(this.window.style, { width: `${width}px`, height: `${height}px`, backgroundPosition: position });
      const rows = [Math.floor(top / ROW), Math.min(shown.rows.length, Math.ceil((top + height - HEAD) / ROW))];
      const cols = [Math.floor(left / COLUMN), Math.min(shown.columns.length, Math.ceil((left + width - NAMES) / COLUMN))];
      const cells = [];
      const x = (column) => NAMES + column * COLUMN - left;
      const y = (row) => HEAD + row * ROW - top;
      const active = (is) => (is ? " active" : "");
      for (let row = rows[0]; row < rows[1]; row += 1) {
        const node = shown.rows[row];
        const line = h("div", { role: "row", "aria-rowindex": `${row + 2}` });
        const ofGroup = cellsOf(groups[nodeGroups[node]]);
        for (let column = cols[0]; column < cols[1]; column += 1) {
          const at = ofGroup.get(shown.columns[column]);
          const isActive = row === this.row && column === this.column;
          if (at === undefined && !isActive) continue;
          const kind = at === undefined ? "" : changes[at].change;
          const style = at === undefined ? "" : ` ${STYLES[kind] ?? (SIGNS[kind] ? kind : "failed")}`;
          const cell = h("div", {
            class: `cell${style}${active(isActive)}`, role: "gridcell", "aria-colindex": `${column + 2}`, id: `cell-${row}-${column}`,
            "aria-label": `${nodeNames[node]}, ${columns[shown.columns[column]].label}: ${kind || "unchanged"}`,
          }, at === undefined ? "" : SIGNS[kind] ?? "!");
          line.append(place(cell, x(column), y(row), COLUMN, ROW));
        }
        const name = this.header(`cell-${row}--1`, () => h("div", { role: "rowheader", "aria-colindex": "1", title: nodeNames[node] }, nodeNames[node]));
        name.className = `row${active(row === this.row)}`;
        line.append(place(name, 0, y(row), NAMES, ROW));
        cells.push(line);
      }
      const head = h("div", { role: "row", "aria-rowindex": "1" });
      for (let column = cols[0]; column < cols[1]; column += 1) {
        const { label, count } = columns[shown.columns[column]];
        const title = `${label} on ${plural(count, unit)}`;
        const cell = this.header(`cell--1-${column}`, () => h("div", { role: "columnheader", "aria-colindex": `${column + 2}`, title }, label));
        cell.className = `column${active(column === this.column)}`;
        head.append(place(cell, x(column), 0, COLUMN, HEAD));
      }
      const corner = h("div", { class: "corner", role: "columnheader", "aria-colindex": "1" }, `${plural(shown.rows.length, unit)} × ${plural(shown.columns.length, ["resource", "resources"])}`);
      head.append(place(corner, 0, 0, NAMES, HEAD));
      this.window.replaceChildren(...cells, head);
      this.grid.setAttribute("aria-activedescendant", `cell-${this.row}-${this.column}`);
    }

    /** Returns a header, which is created once: vertical text is expensive. */
    header(id, create) {
      let element = this.headers.get(id);
      if (!element) {
        if (this.headers.size > 2000) this.headers.clear();
        element = create();
        element.id = id;
        this.headers.set(id, element);
      }
      return element;
    }

    /** Returns the row and the column at a point: -1 for headers. */
    at(event) {
      const box = this.grid.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left - this.grid.clientLeft, event.clientY - box.top - this.grid.clientTop];
      if (x >= this.grid.clientWidth || y >= this.grid.clientHeight) return undefined;
      const column = x < NAMES ? -1 : Math.floor((x - NAMES + this.grid.scrollLeft) / COLUMN);
      const row = y < HEAD ? -1 : Math.floor((y - HEAD + this.grid.scrollTop) / ROW);
      return row >= shown.rows.length || column >= shown.columns.length ? undefined : { row, column };
    }

    click(event) {
      const found = this.at(event);
      if (found) {
        this.move(found.row, found.column);
        this.open(false);
      }
    }

    move(row, column) {
      this.row = clamp(row, -1, shown.rows.length - 1);
      this.column = clamp(column, -1, shown.columns.length - 1);
      const into = (start, size, from, room) => (start < from ? start : start + size > from + room ? start + size - room : from);
      if (this.row >= 0) this.grid.scrollTop = into(this.row * ROW, ROW, this.grid.scrollTop, this.grid.clientHeight - HEAD);
      if (this.column >= 0) this.grid.scrollLeft = into(this.column * COLUMN, COLUMN, this.grid.scrollLeft, this.grid.clientWidth - NAMES);
      this.describe();
      this.draw();
    }

    describe() {
      const node = shown.rows[this.row];
      const column = columns[shown.columns[this.column]];
      copied = node === undefined ? (column ? matching(column.variants.flatMap((at) => groupsOf[at])) : []) : [nodeNames[node]];
      const at = node === undefined || !column ? undefined : cellsOf(groups[nodeGroups[node]]).get(shown.columns[this.column]);
      const is = node === undefined || !column ? "" : `: ${at === undefined ? "unchanged" : changes[at].change}`;
      status([node === undefined ? "" : nodeNames[node], column ? column.label : ""].filter(Boolean).join(" – ") + is);
    }

    open(moves = true) {
      const node = shown.rows[this.row];
      const column = shown.columns[this.column];
      let content;
      if (node !== undefined && column !== undefined) {
        const at = cellsOf(groups[nodeGroups[node]]).get(column);
        content = [h("h2", {}, nodeNames[node]), at === undefined ? h("p", {}, h("code", {}, columns[column].label), " is unchanged.") : card(at, h("span", { class: "dim" }, `on ${plural(countOf[at], unit)}`))];
      } else if (node !== undefined) {
        const all = [...cellsOf(groups[nodeGroups[node]]).values()].sort((a, b) => columnOf[a] - columnOf[b]);
        const list = h("div", {});
        inPortions(list, all.length, (at) => card(all[at]));
        content = [h("h2", {}, nodeNames[node], `: ${plural(all.length, ["change", "changes"])}`), list];
      } else if (column !== undefined) content = columnDetail(column);
      else return;
      this.detail.hidden = false;
      this.detail.replaceChildren(h("div", { class: "actions" }, h("button", { type: "button", onclick: () => this.close() }, "Close")), ...content);
      this.detail.scrollTop = 0;
      this.move(this.row, this.column);
      if (moves) this.detail.focus();
    }

    close() {
      this.detail.hidden = true;
      this.grid.focus();
      this.schedule();
    }

    key(event) {
      const page = Math.max(1, Math.floor((this.grid.clientHeight - HEAD) / ROW) - 1);
      const [rows, all] = [shown.rows.length, shown.columns.length];
      const moves = {
        ArrowDown: [1, 0], j: [1, 0], ArrowUp: [-1, 0], k: [-1, 0], ArrowRight: [0, 1], l: [0, 1], ArrowLeft: [0, -1], h: [0, -1],
        PageDown: [page, 0], PageUp: [-page, 0], Home: event.ctrlKey ? [-rows, 0] : [0, -all], End: event.ctrlKey ? [rows, 0] : [0, all],
      };
      if (event.metaKey || event.altKey || (event.ctrlKey && !["Home", "End"].includes(event.key))) return;
      if (event.key === "Enter" || event.key === " ") this.open();
      else if (event.key === "Escape" && !this.detail.hidden) this.close();
      else if (moves[event.key]) {
        const [down, right] = moves[event.key];
        // Headers are reached by single steps.
        const low = Math.abs(down) + Math.abs(right) === 1 ? -1 : 0;
        this.move(Math.max(low, this.row + down), Math.max(low, this.column + right));
      } else return;
      event.preventDefault();
    }

    focus() {
      this.grid.focus();
    }
  }

  // Views.

  const groupList = new List("Groups", 54, {
    count: () => shown.groups.length,
    render: (at) => {
      const index = shown.groups[at];
      const group = groups[index];
      const first = columns[Math.min(...group.changes.map((it) => columnOf[it]))]?.label ?? "";
      const more = group.changes.length > 1 ? ` and ${number(group.changes.length - 1)} more` : "";
      return option(`${plural(group.changes.length, ["change", "changes"])} on ${plural(shown.counts[index], unit)}`, `${first}${more}; ${group.nodes[0]}${group.nodes.length > 1 ? ", …" : ""}`);
    },
    detail: (at) => groupDetail(shown.groups[at]),
  });
  const changeList = new List("Changes", 54, {
    count: () => shown.columns.length,
    render: (at) => {
      const { label, variants, count } = columns[shown.columns[at]];
      const kinds = [...new Set(variants.map((it) => changes[it].change))].join(", ");
      return option(h("code", {}, label), `${kinds} on ${plural(count, unit)}${variants.length > 1 ? `; ${number(variants.length)} variants` : ""}`);
    },
    detail: (at) => columnDetail(shown.columns[at]),
  });
  const failureList = new List("Failures and open nodes", 54, {
    count: () => shown.reasons.length,
    render: (at) => {
      const { side, reason, nodes } = shown.reasons[at];
      return option(reason, [side, nodes.length ? plural(nodes.length, unit) : ""].filter(Boolean).join("; "));
    },
    detail: (at) => reasonDetail(shown.reasons[at]),
  });
  const views = [
    { name: "groups", label: "Groups", view: groupList, total: groups.length, count: () => shown.groups.length },
    { name: "changes", label: "Changes", view: changeList, total: columns.length, count: () => shown.columns.length },
    { name: "matrix", label: "Matrix", view: new Matrix(), total: groups.length },
    { name: "failures", label: "Failed and open", view: failureList, total: reasons.length, count: () => shown.reasons.length },
  ];
  let current;

  const status = (text) => ($("status").textContent = text);

  /** Keeps the view in the address, so that a reload or a link opens it again. */
  function remember() {
    if (!current) return;
    const selected = current.view.selected ? `/${current.view.selected}` : "";
    try {
      history.replaceState(null, "", `#${current.name}${selected}`);
    } catch {
      // Some browsers refuse this for files.
    }
  }

  function show(view) {
    current = view;
    for (const it of views) {
      it.tab.setAttribute("aria-selected", `${it === view}`);
      it.tab.tabIndex = it === view ? 0 : -1;
      it.view.element.hidden = it !== view;
    }
    summarize();
    view.view.refresh();
    remember();
  }

  function summarize() {
    const isAll = shown.rows.length === nodeNames.length;
    status(isAll ? "" : `${number(shown.rows.length)} of ${plural(nodeNames.length, unit)}, ${number(shown.columns.length)} of ${plural(columns.length, ["resource", "resources"])} match`);
    for (const it of views.filter((it) => it.count)) it.tab.querySelector(".count").textContent = ` ${number(it.count())}`;
  }

  const tabs = document.querySelector("nav");
  for (const it of views) {
    it.tab = h("button", { type: "button", role: "tab", id: `tab-${it.name}`, onclick: () => show(it) }, it.label, h("span", { class: "count" }));
    tabs.append(it.tab);
    it.view.element.setAttribute("role", "tabpanel");
    it.view.element.setAttribute("aria-labelledby", `tab-${it.name}`);
    document.querySelector("main").append(it.view.element);
  }
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) {
      show(views[(views.indexOf(current) + step + views.length) % views.length]);
      current.tab.focus();
    }
  });

  const { same = 0, changed = 0, failed = 0, open = 0 } = report.summary;
  for (const [kind, count, label] of [["changed", changed, "changed"], ["same", same, "same"], ["failed", failed, "failed"], ["open", open, "open"]]) {
    $("summary").append(h("li", { class: count ? kind : "" }, `${number(count)} ${label}`));
  }
  if (report.ignored) {
    $("summary").append(h("li", { class: "" }, `${number(report.ignored.changes)} ignored changes`));
  }
  if (report.base) $("base").append("compared with ", h("code", {}, report.base));
  document.title = `Catalog differences: ${number(changed)} changed, ${number(failed)} failed, ${number(open)} open`;

  // Color scheme and keys.

  const system = matchMedia("(prefers-color-scheme: dark)");
  const SCHEMES = { auto: "Auto", light: "Light", dark: "Dark" };
  let scheme = "auto";
  try {
    scheme = localStorage.getItem("color-scheme") ?? scheme;
  } catch {
    // Storage may be disabled for files.
  }
  function paint() {
    if (!(scheme in SCHEMES)) scheme = "auto";
    document.documentElement.dataset.theme = scheme === "auto" ? (system.matches ? "dark" : "light") : scheme;
    $("theme").textContent = SCHEMES[scheme];
  }
  function nextScheme() {
    const names = Object.keys(SCHEMES);
    scheme = names[(names.indexOf(scheme) + 1) % names.length];
    try {
      localStorage.setItem("color-scheme", scheme);
    } catch {
      // The choice lasts until the page is closed.
    }
    paint();
  }
  system.addEventListener("change", paint);
  paint();
  $("theme").addEventListener("click", nextScheme);
  $("help").addEventListener("click", () => $("keys").showModal());

  function searchAgain() {
    search();
    views.forEach((it) => it.view.selected && (it.view.selected = 0));
    show(current);
  }
  let waiting;
  $("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(searchAgain, 100);
  });
  $("search").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    clearTimeout(waiting);
    if (event.key === "Escape") $("search").value = "";
    searchAgain();
    current.view.focus();
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open || event.target.matches("input, textarea")) return;
    const view = views[["1", "2", "3", "4"].indexOf(event.key)];
    if (view) {
      show(view);
      view.view.focus();
    } else if (event.key === "/") {
      $("search").focus();
      $("search").select();
    } else if (event.key === "d") nextScheme();
    else if (event.key === "y") copy();
    else if (event.key === "?") $("keys").showModal();
    else return;
    event.preventDefault();
  });

  search();
  const [name, selected] = location.hash.slice(1).split("/");
  const wanted = views.find((it) => it.name === name) ?? (groups.length || !reasons.length ? views[0] : views[3]);
  if (selected && wanted.view instanceof List) wanted.view.selected = Number.parseInt(selected, 10) || 0;
  show(wanted);
  wanted.view.focus();
})();
