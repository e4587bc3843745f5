// An array, cell by cell: who has read and written it, up to a moment.

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Request} Request */
/** @typedef {import("./model.js").TracedArray} TracedArray */
/** @typedef {import("./svg.js").Picture} Picture */

import {
  arrayName,
  blockName,
  coordinates,
  counted,
  grouped,
  indexOf,
  indexText,
  launchName,
  thirdPerson,
  warpOf
} from "./names.js";
import {categoryCount, rampSteps} from "./palette.js";
import {drawLegend} from "./request_view.js";
import {bankBytes, bankCount} from "./service.js";
import {box, element, label, path} from "./svg.js";

/**
 * One lane's access to one element.
 * @typedef {{element: number, request: Request, lane: number}} Touch
 * @typedef {"kind" | "grid" | "block" | "warp" | "lane" | "bank" | "tick" | "count"} Colouring
 * @typedef {{array: number, launch: number, block: number, show: "all" | "read" | "write", by: Colouring,
 *   time: number | null, window: {row: number, column: number} | null, columns: number, selected: Request | null,
 *   cursor: number | null}} ArrayChoice `columns` is the length of a row, if the array has none of its own;
 * `launch` and `block` say whose shared memory it is; they do not matter for global memory.
 * @typedef {{rows: number, columns: number, row: number, column: number, rowsIn: number, columnsIn: number, down: number,
 *   across: number, elements: number}} Grid
 * `rows` × `columns` is the array; from `row` and `column` on `rowsIn` × `columnsIn` of it are drawn, in cells that
 * stand for `down` × `across` elements.
 */

export const mostCells = 6144;
const mostColumns = 128;
const mostRows = 96;
export const windowSize = 32;
const labelLeft = 64;
export const mostRowLength = 4096;

/** @param {TracedArray} array */
export function elementBytes(array) { return array.element_bytes || 4; }

/** @param {TracedArray} array */
function elementCount(array) { return Math.max(1, Math.ceil(array.bytes / elementBytes(array))); }

/**
 * Rows and columns in which an array is drawn: its own, or rows of `columns`.
 * @param {TracedArray} array
 * @param {number} columns
 */
export function shapeOf(array, columns) {
  const elements = elementCount(array);
  const extents = array.extents ?? [];
  const width = extents.length > 1 ? extents[extents.length - 1] : Math.min(elements, columns);
  return {elements, columns: width, rows: Math.ceil(elements / width)};
}

/**
 * How far apart the stretches of neighbouring elements lie that a request uses, where it is the same in most requests:
 * the length of a row, if the lanes of a warp are in several rows.
 * @param {Model} model
 * @param {number} number of the array
 */
function usualGap(model, number) {
  const size = elementBytes(model.trace.arrays[number]);
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const request of model.requests) {
    let start = NaN;
    let previous = NaN;
    for (const access of request.accesses) {
      if (access.array !== number) continue;
      const element = Math.floor(access.offset / size);
      if (element !== previous + 1 && element !== previous) {
        const gap = element - start;
        if (gap >= 8) counts.set(gap, (counts.get(gap) ?? 0) + 1);
        start = element;
      }
      previous = element;
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/**
 * Lengths that the rows of an array of one dimension may well have in its picture: 32 or 64, those of the call's
 * numbers that divide it, such as the columns of a matrix, and the distance between rows that the accesses show.
 * @param {Model} model
 * @param {number} number of the array
 * @returns {{columns: number, words: string, named?: string, suggested?: boolean}[]}
 */
export function rowLengths(model, number) {
  const array = model.trace.arrays[number];
  if ((array.extents?.length ?? 1) > 1) return [];
  const elements = elementCount(array);
  const usual = Math.min(elements, elements > 1024 ? 64 : 32);
  /** @type {{columns: number, words: string, named?: string, suggested?: boolean}[]} */
  const lengths = [{columns: usual, words: `${usual} elements`}];
  for (const [name, value] of Object.entries(model.trace.info.numbers ?? {})) {
    const columns = Number(value);
    if (!Number.isInteger(columns) || columns < 8 || columns >= elements || elements % columns !== 0)
      continue;
    const known = lengths.find((one) => one.columns === columns);
    if (known)
      Object.assign(known, {words: `${columns} elements (${name})`, named: name});
    else
      lengths.push({columns, words: `${columns} elements (${name})`, named: name});
  }
  const gap = usualGap(model, number);
  if (gap >= 8 && gap <= elements / 2 && gap <= mostRowLength && !lengths.some((one) => one.columns === gap))
    lengths.push({columns: gap, words: `${gap} elements (the accesses suggest it)`, suggested: true});
  return lengths;
}

/**
 * The length of rows in which the elements of a block lie together best: for most of them the block has the element
 * below as well.
 * @param {Model} model
 * @param {number} number of the array
 */
export function usualColumns(model, number) {
  const [usual, ...others] = rowLengths(model, number);
  if (!usual) return 32;
  if (others.length === 0) return usual.columns;
  /** @type {Map<number, string>} */
  const blocks = new Map();
  const size = elementBytes(model.trace.arrays[number]);
  for (const request of model.requests)
    for (const access of request.accesses) {
      const element = Math.floor(access.offset / size);
      if (access.array === number && !blocks.has(element))
        blocks.set(element, `${request.launch}:${request.block}`);
    }
  const score = (/** @type {number} */ columns) => [...blocks]
                                                       .filter(
                                                           ([element, block]) =>
                                                               blocks.get(element + columns) === block)
                                                       .length;
  // Short rows of one dimension seem to fit, too: another length has to be clearly better than the usual one.
  const best = others.reduce((a, b) => (score(b.columns) > score(a.columns) ? b : a));
  return score(best.columns) > 1.3 * score(usual.columns) ? best.columns : usual.columns;
}

/**
 * Why the rows of an array of one dimension have their length.
 * @param {Model} model
 * @param {number} number of the array
 * @param {number} columns
 */
function rowReason(model, number, columns) {
  const length = rowLengths(model, number).find((one) => one.columns === columns);
  if (length?.suggested) return ", the distance that the accesses suggest";
  if (length?.named) return `, because the call has ${length.named} = ${columns}`;
  return length ? ", which fit the page" : "";
}

/** @param {{rows: number, columns: number}} shape */
export function isLarge({rows, columns}) {
  return rows * columns > mostCells || columns > mostColumns || rows > mostRows;
}

/**
 * @param {TracedArray} array
 * @param {ArrayChoice} choice
 * @returns {Grid}
 */
export function gridOf(array, {window, columns: length}) {
  const {elements, rows, columns} = shapeOf(array, length);
  if (window) {
    const rowsIn = Math.min(windowSize, rows);
    const columnsIn = Math.min(windowSize, columns);
    const row = Math.max(0, Math.min(window.row, rows - rowsIn));
    const column = Math.max(0, Math.min(window.column, columns - columnsIn));
    return {rows, columns, row, column, rowsIn, columnsIn, down: 1, across: 1, elements};
  }
  let down = 1;
  let across = 1;
  const cells = () => Math.ceil(rows / down) * Math.ceil(columns / across);
  while (cells() > mostCells || columns / across > mostColumns || rows / down > mostRows) {
    if (columns / across > mostColumns || (rows / down <= mostRows && columns / across > rows / down))
      across *= 2;
    else
      down *= 2;
  }
  return {rows, columns, row: 0, column: 0, rowsIn: rows, columnsIn: columns, down, across, elements};
}

/**
 * All accesses to an array, in the order of logical time.
 * @param {Model} model
 * @param {ArrayChoice} choice
 * @returns {Touch[]}
 */
export function touchesOf(model, choice) {
  const array = model.trace.arrays[choice.array];
  const size = elementBytes(array);
  /** @type {Touch[]} */
  const touches = [];
  for (const request of model.requests) {
    if (choice.show === "read" && request.kind === "write") continue;
    if (choice.show === "write" && request.kind === "read") continue;
    if (choice.time !== null && request.tick > choice.time) continue;
    for (const access of request.accesses) {
      if (access.array !== choice.array) continue;
      if (array.space === "shared" && (request.launch !== choice.launch || access.owner !== choice.block))
        continue;
      const last = Math.floor((access.offset + request.bytes - 1) / size);
      for (let number = Math.floor(access.offset / size); number <= last; ++number)
        touches.push({element: number, request, lane: access.lane});
    }
  }
  return touches.sort((a, b) => a.request.tick - b.request.tick || a.request.number - b.request.number);
}

/**
 * The bank of an element of shared memory: that of its first word.
 * @param {TracedArray} array
 * @param {number} number of the element
 */
export function bankOf(array, number) {
  const word = Math.floor((array.address + number * elementBytes(array)) / bankBytes);
  return ((word % bankCount) + bankCount) % bankCount;
}

/**
 * What tells most about an array: its banks if the selected request meets conflicts there; else the grids that used it if there are children among them, else its blocks, its warps or
 * its lanes.
 * @param {Model} model
 * @param {ArrayChoice} choice
 * @returns {Colouring}
 */
export function usualColouring(model, choice) {
  const {selected} = choice;
  if (selected?.space === "shared" && selected.cost > selected.least &&
      elementBytes(model.trace.arrays[choice.array]) <= bankBytes &&
      selected.accesses.some((access) => access.array === choice.array && access.owner === selected.block))
    return "bank";
  const requests =
      [...new Set(touchesOf(model, {...choice, time: null, show: "all"}).map((touch) => touch.request))];
  const differ = (/** @type {(request: Request) => number} */ value) => new Set(requests.map(value)).size > 1;
  if (differ((request) => request.launch) &&
      requests.some((request) => (model.trace.launches[request.launch].depth ?? 0) > 0))
    return "grid";
  if (differ((request) => request.block)) return "block";
  return differ((request) => request.thread) ? "warp" : "lane";
}

/** @param {Touch} touch */
function threadKey({request, lane}) { return `${request.launch}:${request.block}:${request.thread + lane}`; }

/**
 * The cell of an element, or null if it is outside of what is drawn.
 * @param {Grid} grid
 * @param {number} number
 */
export function cellOf(grid, number) {
  if (number < 0 || number >= grid.elements) return null;
  const row = Math.floor(number / grid.columns) - grid.row;
  const column = (number % grid.columns) - grid.column;
  if (row < 0 || row >= grid.rowsIn || column < 0 || column >= grid.columnsIn) return null;
  return {row: Math.floor(row / grid.down), column: Math.floor(column / grid.across)};
}

/** @type {Record<Colouring, string>} */
const colouredBy = {
  kind: "Colour and letters of a cell: what was done, read (R), written (W) or updated by an atomic (A).",
  grid: "Colour and number of a cell: the grid that read or wrote it last.",
  block: "Colour and number of a cell: the block that read or wrote it last.",
  warp: "Colour and number of a cell: the warp that read or wrote it last.",
  lane: "Colour and number of a cell: the lane that read or wrote it last.",
  bank: "Colour and number of a cell: the bank that its word lies in.",
  tick:
      "Colour and number of a cell: the tick, a place in the order of accesses, at which it was last read or written.",
  count: "Colour and number of a cell: how many accesses it had."
};

/**
 * What a cell shows: a class for its colour, one for its pattern, and a text.
 * @param {Model} model
 * @param {TracedArray} array
 * @param {Touch[]} touches of one cell, earliest first
 * @param {Colouring} by
 * @param {{first: number, last: number, most: number}} range
 */
function lookOf(model, array, touches, by, range) {
  const {element: number, request, lane} = touches[touches.length - 1];
  const category = (/** @type {number} */ n, /** @type {string} */ text) =>
      ({fill: `c${n % categoryCount}`, pattern: `s${n % categoryCount}`, text});
  const ramp = (/** @type {number} */ part, /** @type {string} */ text) =>
      ({fill: `r${Math.max(0, Math.min(rampSteps - 1, Math.floor(part * rampSteps)))}`, pattern: "", text});
  switch (by) {
    case "kind": {
      const kinds = new Set(touches.map((touch) => touch.request.kind));
      const letters =
          `${kinds.has("read") ? "R" : ""}${kinds.has("write") ? "W" : ""}${kinds.has("atomic") ? "A" : ""}`;
      return category({R: 0, W: 1, A: 2, RW: 4}[letters] ?? 3, letters);
    }
    case "grid":
      return category(request.launch, `${request.launch}`);
    case "block":
      return category(
          request.block,
          coordinates(model.trace.launches[request.launch].grid, request.block).replace(/[()]/g, ""));
    case "warp":
      return category(warpOf(request.thread), `${warpOf(request.thread)}`);
    case "lane":
      return ramp(lane / 32, `${lane}`);
    case "bank": {
      const bank = bankOf(array, number);
      return category(bank, `${bank}`);
    }
    case "tick":
      return ramp((request.tick - range.first) / (range.last - range.first + 1), `${request.tick}`);
    case "count":
      return ramp(
          touches.length <= 1 ? 0 : Math.log2(touches.length) / Math.log2(range.most + 1),
          `${touches.length}`);
  }
}

/**
 * In numbers: elements that were touched, never, by several threads, outside.
 * @param {Model} model
 * @param {ArrayChoice} choice
 * @param {Touch[]} touches
 */
export function arraySummary(model, choice, touches) {
  const elements = elementCount(model.trace.arrays[choice.array]);
  /** @type {Map<number, string>} */
  const firstThread = new Map();
  /** @type {Set<number>} */
  const several = new Set();
  for (const touch of touches) {
    const key = threadKey(touch);
    const known = firstThread.get(touch.element);
    if (known === undefined)
      firstThread.set(touch.element, key);
    else if (known !== key)
      several.add(touch.element);
  }
  const outside =
      [...firstThread.keys()].filter((number) => number < 0 || number >= elements).sort((a, b) => a - b);
  const inside = firstThread.size - outside.length;
  const inSeveral = [...several].filter((number) => number >= 0 && number < elements).length;
  return {elements, touched: inside, never: elements - inside, several, inSeveral, outside};
}

/** @param {"all" | "read" | "write"} show */
function shownWords(show) {
  return show === "read" ? "read" : show === "write" ? "written" : "read or written";
}

/**
 * @param {Model} model
 * @param {ArrayChoice} choice
 */
export function arrayCaption(model, choice) {
  const array = model.trace.arrays[choice.array];
  const touches = touchesOf(model, choice);
  const summary = arraySummary(model, choice, touches);
  const grid = gridOf(array, choice);
  const name = arrayName(model.trace, choice.array);
  const what =
      array.space === "shared" ? `${name} of ${blockName(model.trace, choice.launch, choice.block)}` : name;
  const words = [
    `${what} has ${counted(summary.elements, "element")} of ${elementBytes(array)} bytes. ${
        grouped(
            summary.touched)} of them ${summary.touched === 1 ? "was" : "were"} ${shownWords(choice.show)}${
        choice.time === null ? "" : ` up to tick ${choice.time}`}, ${grouped(summary.never)} never.`,
  ];
  if (summary.inSeveral > 0)
    words.push(`${counted(summary.inSeveral, "element")} ${
        summary.inSeveral === 1 ? "was" : "were"} used by more than one thread (marked corner).`);
  if (summary.outside.length > 0)
    words.push(`${counted(summary.outside.length, "access", "accesses")} ${
        summary.outside.length === 1 ? "leads" : "lead"} outside the array, to ${
        summary.outside.slice(0, 4).map((number) => `${name}${indexText(array, number)}`).join(", ")}${
        summary.outside.length > 4 ? " …" : ""}.`);
  if ((model.trace.end?.left_out ?? 0) > 0)
    words.push("The accesses of blocks that are not in this page are missing here.");
  if ((array.extents?.length ?? 1) < 2 && grid.rows > 1)
    words.push(`It has one dimension, and is drawn in rows of ${grid.columns}${
        rowReason(model, choice.array, grid.columns)}.`);
  if (grid.down * grid.across > 1)
    words.push(`Each cell stands for ${grid.down} × ${
        grid.across} elements (rows × columns); it is filled as far as they are used.`);
  if (choice.window)
    words.push(`Shown is a window: rows ${grid.row} to ${grid.row + grid.rowsIn - 1} of ${
        grid.rows}, columns ${grid.column} to ${grid.column + grid.columnsIn - 1} of ${grid.columns}.`);
  if (touches.length > 0) words.push(colouredBy[choice.by]);
  if (touches.length > 0 && choice.by === "bank")
    words.push(
        elementBytes(array) > bankBytes ?
            `An element has ${elementBytes(array) / bankBytes} words, in as many banks; the first is shown.` :
            "A request has a conflict where different words of it have the same number.");
  return words;
}

/**
 * @param {Model} model
 * @param {ArrayChoice} choice
 * @param {number} width
 * @returns {Picture}
 */
export function drawArray(model, choice, width) {
  const {trace} = model;
  const array = trace.arrays[choice.array];
  const grid = gridOf(array, choice);
  const touches = touchesOf(model, choice);
  const summary = arraySummary(model, choice, touches);
  const columns = Math.ceil(grid.columnsIn / grid.across);
  const rows = Math.ceil(grid.rowsIn / grid.down);
  const byWidth = Math.floor((width - labelLeft - 8) / columns);
  const cell = Math.max(4, Math.min(26, byWidth, Math.max(7, Math.floor(760 / rows))));
  const top = 24;
  const range = {
    first: touches[0]?.request.tick ?? 0,
    last: touches[touches.length - 1]?.request.tick ?? 0,
    most: 1,
  };

  /** @type {Map<number, Touch[]>} */
  const byCell = new Map();
  for (const touch of touches) {
    const place = cellOf(grid, touch.element);
    if (!place) continue;
    const number = place.row * columns + place.column;
    const known = byCell.get(number);
    if (known)
      known.push(touch);
    else
      byCell.set(number, [touch]);
  }
  for (const known of byCell.values()) range.most = Math.max(range.most, known.length);

  let body = "";
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const first = (grid.row + row * grid.down) * grid.columns + grid.column + column * grid.across;
      if (first >= grid.elements) continue;
      const x = labelLeft + column * cell;
      const y = top + row * cell;
      const here = byCell.get(row * columns + column);
      const at = {"data-element": first};
      if (!here) {
        body += box(x, y, cell, cell, "never", at);
        continue;
      }
      const look = lookOf(model, array, here, choice.by, range);
      const part = grid.down * grid.across === 1 ?
          1 :
          new Set(here.map((touch) => touch.element)).size / (grid.down * grid.across);
      const height = Math.max(1, cell * Math.min(1, part));
      if (part < 1) body += box(x, y, cell, cell, "never", at);
      body += box(x, y + cell - height, cell, height, `cell ${look.fill}`, at);
      if (cell < 15 && look.pattern !== "" && look.pattern !== "s0")
        body += box(x, y + cell - height, cell, height, look.pattern, at);
      if (cell >= 15 && look.text.length * 6 <= cell - 2)
        body += label(x + cell / 2, y + cell / 2 + 4, look.text, "mid small", at);
      else if (cell >= 15 && look.text.length * 5.2 <= cell - 1)
        body += label(x + cell / 2, y + cell / 2 + 3, look.text, "mid tiny", at);
      if (here.some((touch) => summary.several.has(touch.element))) {
        const size = Math.max(2.5, Math.min(6, cell / 4));
        body += element("path", {d: `M${x + cell} ${y}h${- size}l${size} ${size}Z`, class: "corner"});
      }
    }
  }
  body += drawFrame(array, grid, cell, columns, rows, top);
  body += box(labelLeft, top, columns * cell, rows * cell, "frame");

  const ringed = (/** @type {number} */ number, /** @type {string} */ kind) => {
    const place = cellOf(grid, number);
    return place ?
        box(labelLeft + place.column * cell + 1, top + place.row * cell + 1, cell - 2, cell - 2, kind) :
        "";
  };
  if (choice.selected) {
    const elements = new Set();
    const alone = {...model, requests: [choice.selected]};
    for (const touch of touchesOf(alone, {...choice, show: "all", time: null})) {
      const place = cellOf(grid, touch.element);
      if (!place || elements.has(place.row * columns + place.column)) continue;
      elements.add(place.row * columns + place.column);
      body += ringed(touch.element, "ring");
    }
  }
  if (choice.cursor !== null) body += ringed(choice.cursor, "cursor");

  let bottom = top + rows * cell + 10;
  const outside = drawOutside(array, summary.outside, bottom, Math.max(width, 300));
  body += outside.body;
  bottom = outside.bottom;
  const wide = Math.max(labelLeft + columns * cell + 8, Math.min(width, 640), outside.right);
  const legend = drawLegend(legendOf(array, choice, touches, cell < 15), 8, bottom + 4, wide);
  return {
    width: wide,
    height: legend.bottom,
    body: body + legend.body,
    title: `The array ${arrayName(trace, choice.array)}`,
    description: arrayCaption(model, choice).join(" "),
  };
}

/**
 * Numbers of rows and columns beside the cells.
 * @param {TracedArray} array
 * @param {Grid} grid
 * @param {number} cell
 * @param {number} columns
 * @param {number} rows
 * @param {number} top
 */
function drawFrame(array, grid, cell, columns, rows, top) {
  let body = "";
  const everyColumn = [1, 2, 4, 8, 16, 32].find((n) => n * cell >= 24) ?? 32;
  for (let column = 0; column < columns; column += everyColumn)
    body += label(
        labelLeft + column * cell + cell / 2, top - 7, grid.column + column * grid.across, "mid tiny quiet");
  const everyRow = [1, 2, 4, 8, 16].find((n) => n * cell >= 12) ?? 16;
  const twoDimensions = (array.extents?.length ?? 1) > 1;
  for (let row = 0; row < rows; row += everyRow) {
    const number = (grid.row + row * grid.down) * grid.columns;
    const words = twoDimensions ? indexOf(array, number).slice(0, -1).map((i) => `[${i}]`).join("") :
                                  `[${number + grid.column}]`;
    body +=
        label(labelLeft - 6, top + row * cell + Math.min(cell / 2 + 4, 13), words, "end mono small quiet");
  }
  return body;
}

/**
 * Accesses outside the array, below its frame.
 * @param {TracedArray} array
 * @param {number[]} outside
 * @param {number} top
 * @param {number} width
 */
function drawOutside(array, outside, top, width) {
  if (outside.length === 0) return {body: "", bottom: top, right: 0};
  let body = label(labelLeft, top + 12, "✗ outside the array:", "alarm");
  const wide = Math.max(...outside.map((number) => indexText(array, number).length)) * 6.3 + 12;
  const inRow = Math.max(1, Math.floor((width - labelLeft) / (wide + 4)));
  const shown = outside.slice(0, 3 * inRow);
  shown.forEach((number, place) => {
    const x = labelLeft + (place % inRow) * (wide + 4);
    const y = top + 20 + Math.floor(place / inRow) * 24;
    body += box(x, y, wide, 20, "stray", {"data-element": number});
    body += label(x + wide / 2, y + 14, indexText(array, number), "mid mono small", {"data-element": number});
  });
  let bottom = top + 24 + Math.ceil(shown.length / inRow) * 24;
  if (outside.length > shown.length) {
    body += label(labelLeft, bottom + 8, `and ${outside.length - shown.length} more`, "quiet");
    bottom += 14;
  }
  return {body, bottom, right: labelLeft + Math.min(inRow, shown.length) * (wide + 4)};
}

/**
 * @param {TracedArray} array
 * @param {ArrayChoice} choice
 * @param {Touch[]} touches
 * @param {boolean} patterned the cells are too small for numbers
 * @returns {[string, string][]}
 */
function legendOf(array, choice, touches, patterned) {
  const category = (/** @type {number} */ number) => `cell c${number % categoryCount}${
      patterned && number % categoryCount > 0 ? `|s${number % categoryCount}` : ""}`;
  /** @type {[string, string][]} */
  const entries = [];
  const latest = touches.length > 0 ? " (of the latest access)" : "";
  if (choice.by === "kind")
    entries.push(
        [category(0), "R: read"], [category(1), "W: written"], [category(4), "RW: both"],
        [category(2), "A: atomic"], [category(3), "other mixtures"]);
  else if (choice.by === "grid" || choice.by === "block" || choice.by === "warp") {
    const numberOf = (/** @type {Request} */ request) =>
        (choice.by === "grid"      ? request.launch :
             choice.by === "block" ? request.block :
                                     warpOf(request.thread));
    const numbers = [...new Set(touches.map(({request}) => numberOf(request)))].sort((a, b) => a - b);
    for (const number of numbers.slice(0, categoryCount))
      entries.push([category(number), `${choice.by} ${number}`]);
    if (numbers.length > categoryCount) entries.push(["never", `colours repeat after ${categoryCount}`]);
  } else if (choice.by === "lane")
    entries.push(["cell r0", `lane 0 …`], ["cell r7", `… lane 31${latest}`]);
  else if (choice.by === "bank") {
    const banks = new Set(touches.map((touch) => bankOf(array, touch.element) % categoryCount));
    for (const bank of [...banks].sort((a, b) => a - b))
      entries.push([category(bank), `banks ${bank}, ${bank + categoryCount}, …`]);
  } else if (choice.by === "tick")
    entries.push(["cell r0", "earliest"], ["cell r7", `latest tick`]);
  else
    entries.push(["cell r0", "one access"], ["cell r7", "most accesses"]);
  entries.push(["never", "never used"]);
  if (choice.selected) entries.push(["ring", "the request above"]);
  return entries;
}

/**
 * What has happened to an element, for the cursor.
 * @param {Model} model
 * @param {ArrayChoice} choice
 * @param {number} number
 * @returns {{text: string, request: number}[]}
 */
export function historyOf(model, choice, number) {
  const grids = new Set(model.grids.filter((grid) => grid.warps.length > 0).map((grid) => grid.launch));
  return touchesOf(model, choice)
      .filter((touch) => touch.element === number)
      .map(
          ({request, lane}) => ({
            text: `tick ${request.tick}: ${
                grids.size > 1 ? `${launchName(model.trace, request.launch)}, ` :
                                 ""}${blockName(model.trace, request.launch, request.block)}, warp ${
                warpOf(request.thread)}, lane ${lane} ${thirdPerson(request.kind)} it (line ${request.line})`,
            request: request.number,
          }));
}

/**
 * Where the cursor goes from an element by an arrow key.
 * @param {TracedArray} array
 * @param {Grid} grid
 * @param {number} number
 * @param {string} key
 */
export function neighbour(array, grid, number, key) {
  const moves = {
    ArrowLeft: -grid.across,
    ArrowRight: grid.across,
    ArrowUp: -grid.columns * grid.down,
    ArrowDown: grid.columns * grid.down
  };
  const target = number + (moves[/** @type {keyof typeof moves} */ (key)] ?? 0);
  const [from, to] = [cellOf(grid, number), cellOf(grid, target)];
  const inRow = key === "ArrowUp" || key === "ArrowDown" || from?.row === to?.row;
  return to && inRow ? target : number;
}
