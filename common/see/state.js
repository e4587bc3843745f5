// What is selected, and how it stands in the address, so that a link opens at a line and a request.

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Request} Request */
/** @typedef {import("./array_view.js").Colouring} Colouring */
/** @typedef {import("./array_view.js").ArrayChoice} ArrayChoice */
/** @typedef {import("./time_view.js").TimeChoice} TimeChoice */

import {
  gridOf,
  isLarge,
  mostRowLength,
  shapeOf,
  usualColouring,
  usualColumns,
  windowSize
} from "./array_view.js";
import {eventsOfFinding, excess, requestsOfFinding} from "./model.js";

/**
 * `row` and `request` are numbers in the model, -1 for none; `array` likewise. `owner` is the block whose shared memory
 * is shown, null: that of the selected request. `finding`: the one whose places are shown, -1 for none.
 * @typedef {{row: number, request: number, array: number, owner: {launch: number, block: number} | null,
 *   show: "all" | "read" | "write", by: Colouring | null, time: number | null, window: {row: number, column: number} | null,
 *   columns: number, cursor: number | null, from: number | null, finding: number, view: string, unfolded: number[]}} State
 */

/** @type {Colouring[]} */
export const colourings = ["bank", "grid", "block", "warp", "lane", "tick", "kind", "count"];

/**
 * The ways to colour an array: only shared memory has banks.
 * @param {import("./model.js").TracedArray} array
 */
export function coloursOf(array) {
  return array.space === "shared" ? colourings : colourings.filter((one) => one !== "bank");
}

/**
 * @param {Model} model
 * @param {Request} request
 */
export function rowOf(model, request) {
  return model.rows.find((row) => row.requestNumbers.includes(request.number))?.number ?? -1;
}

/**
 * A finding's place if there is one, otherwise the line with the greatest excess.
 * @param {Model} model
 * @returns {State}
 */
export function initialState(model) {
  /** @type {State} */
  const state = {
    row: -1,
    request: -1,
    array: -1,
    owner: null,
    show: "all",
    by: null,
    time: null,
    window: null,
    columns: 32,
    cursor: null,
    from: null,
    finding: -1,
    view: "",
    unfolded: []
  };
  const finding = model.trace.findings.findIndex(
      (one) => requestsOfFinding(model, one).length > 0 || eventsOfFinding(model, one).length > 0);
  if (finding >= 0) return withFinding(model, state, finding);
  const worst = worstRow(model, "");
  return worst ? withRow(model, state, worst.number) : state;
}

/**
 * The row with the greatest excess, of one space or of all, and of one access or of all.
 * @param {Model} model
 * @param {string} space
 * @param {string} [access]
 */
function worstRow(model, space, access = "") {
  const drawable = model.rows.filter(
      (row) => row.requestNumbers.length > 0 && (space === "" || row.space === space) &&
          (access === "" || row.access === access));
  if (drawable.length === 0) return undefined;
  return drawable.reduce(
      (a, b) => (excess(b) > excess(a) || (excess(b) === excess(a) && b.cost > a.cost) ? b : a));
}

/**
 * Which of a line's rows is meant by the line alone: the one with the greatest excess, of equal ones that of the space
 * that was selected before.
 * @param {Model} model
 * @param {State} state
 * @param {import("./model.js").CostRow[]} rows
 */
function rowOfLine(model, state, rows) {
  const space = model.rows[state.row]?.space;
  const [best] = [...rows].sort(
      (a, b) => excess(b) - excess(a) || Number(b.space === space) - Number(a.space === space));
  return best;
}

/**
 * @param {Model} model
 * @param {State} state
 * @param {number} file
 * @param {number} line
 * @returns {State | null} null where the line has no cost
 */
export function withLine(model, state, file, line) {
  const row = rowOfLine(model, state, model.rows.filter((one) => one.file === file && one.line === line));
  return row ? withRow(model, state, row.number) : null;
}

/**
 * @param {Model} model
 * @param {State} state
 * @param {number} row
 * @returns {State}
 */
export function withRow(model, state, row) {
  const first = model.rows[row]?.requestNumbers[0];
  const chosen = {...state, row, finding: -1};
  if (first === undefined) return {...chosen, request: -1};
  // The first request that costs most above its least shows best what the line does.
  const numbers = model.rows[row].requestNumbers;
  const above = (/** @type {number} */ number) => model.requests[number].cost - model.requests[number].least;
  const worst = numbers.reduce((a, b) => (above(b) > above(a) ? b : a), first);
  return withRequest(model, chosen, worst);
}

/**
 * @param {Model} model
 * @param {State} state
 * @param {number} number
 * @returns {State}
 */
export function withRequest(model, state, number) {
  const request = model.requests[number];
  if (!request) return state;
  const row = model.rows[state.row]?.requestNumbers.includes(number) ? state.row : rowOf(model, request);
  const array = request.accesses[0]?.array ?? -1;
  const chosen = {...state, row, request: number, from: null, owner: null};
  if (array >= 0 && array !== state.array) return withArray(model, chosen, array);
  return chosen;
}

/**
 * @param {Model} model
 * @param {State} state
 * @param {number} array
 * @returns {State}
 */
export function withArray(model, state, array) {
  return {...state, array, columns: usualColumns(model, array), window: null, cursor: null};
}

/**
 * The space that a finding about costs is about; empty for other findings.
 * @param {import("./model.js").Finding} finding
 */
export function spaceOfFinding(finding) {
  return finding.id.startsWith("bank-conflict") ? "shared" : finding.id === "uncoalesced" ? "global" : "";
}

/** @param {import("./model.js").Finding} finding */
function accessOfFinding({id}) {
  return id.endsWith("-reading") ? "read" : id.endsWith("-writing") ? "write" : "";
}

/**
 * @param {Model} model
 * @param {State} state
 * @param {number} number
 * @returns {State}
 */
export function withFinding(model, state, number) {
  const finding = model.trace.findings[number];
  const [first] = requestsOfFinding(model, finding);
  if (first) return {...withRequest(model, state, first.number), finding: number};
  const [event] = eventsOfFinding(model, finding);
  const near = event && requestBefore(model, event);
  if (near) return {...withRequest(model, state, near.number), finding: number};
  const place = finding.places[0];
  const row = place ? model.rows.find((one) => one.file === place.file && one.line === place.line) :
                      worstRow(model, spaceOfFinding(finding), accessOfFinding(finding));
  return row ? {...withRow(model, state, row.number), finding: number} : {...state, finding: number};
}

/**
 * The request of a warp that an event comes after, or else its first; where it makes none, one of its block.
 * @param {Model} model
 * @param {import("./model.js").TimeEvent} event
 */
function requestBefore(model, event) {
  const inBlock =
      model.requests.filter((request) => request.launch === event.launch && request.block === event.block);
  const own = inBlock.filter((request) => request.thread === event.thread);
  return own.filter((request) => request.tick <= event.tick).pop() ?? own[0] ?? inBlock[0];
}

/**
 * @param {Model} model
 * @param {State} state
 */
export function selectedRequest(model, state) { return model.requests[state.request] ?? null; }

/**
 * @param {Model} model
 * @param {State} state
 * @returns {ArrayChoice | null}
 */
export function arrayChoice(model, state) {
  const array = model.trace.arrays[state.array];
  if (!array) return null;
  const selected = selectedRequest(model, state);
  let owner = state.owner;
  if (!owner && selected) {
    const access = selected.accesses.find((one) => one.array === state.array);
    owner = {launch: selected.launch, block: access?.owner ?? selected.block};
  }
  owner ??= ownersOf(model, state.array)[0] ?? {launch: 0, block: 0};
  const {show, by, time, window, columns, cursor} = state;
  /** @type {ArrayChoice} */
  const choice =
      {array: state.array, ...owner, show, by: by ?? "warp", time, window, columns, selected, cursor};
  if (coloursOf(array).some((one) => one === by)) return choice;
  // Where a finding is about something else than banks, who used an element says more.
  const finding = model.trace.findings[state.finding];
  const aboutOther = finding && spaceOfFinding(finding) !== "shared";
  return {...choice, by: usualColouring(model, aboutOther ? {...choice, selected: null} : choice)};
}

/**
 * The blocks in whose shared memory an array was used.
 * @param {Model} model
 * @param {number} array
 */
export function ownersOf(model, array) {
  /** @type {Map<string, {launch: number, block: number}>} */
  const owners = new Map();
  for (const request of model.requests)
    for (const access of request.accesses)
      if (access.array === array)
        owners.set(`${request.launch}:${access.owner}`, {launch: request.launch, block: access.owner});
  return [...owners.values()].sort((a, b) => a.launch - b.launch || a.block - b.block);
}

/**
 * @param {Model} model
 * @param {State} state
 * @returns {TimeChoice | null}
 */
export function timeChoice(model, state) {
  const selected = selectedRequest(model, state);
  const grid = selected ?? model.grids.find((one) => one.warps.length > 0)?.warps[0];
  if (!grid) return null;
  const finding = model.trace.findings[state.finding];
  const pair = finding && finding.places.length === 2 && finding.id.includes("race") ?
      requestsOfFinding(model, finding) :
      [];
  return {
    launch: grid.launch,
    block: grid.block,
    selected,
    pair: pair.length === 2 ? pair : [],
    marks: finding ? eventsOfFinding(model, finding) : [],
    from: state.from
  };
}

/**
 * The window of a large array around the selected request.
 * @param {Model} model
 * @param {State} state
 */
export function windowAround(model, state) {
  const array = model.trace.arrays[state.array];
  const choice = arrayChoice(model, state);
  if (!array || !choice) return null;
  const {columns, elements} = shapeOf(array, state.columns);
  const access = choice.selected?.accesses.find((one) => one.array === state.array);
  const number =
      Math.max(0, Math.min(elements - 1, Math.floor((access?.offset ?? 0) / (array.element_bytes || 4))));
  const half = windowSize / 2;
  const window = {
    row: Math.max(0, Math.floor(number / columns) - half),
    column: Math.max(0, (number % columns) - half)
  };
  const grid = gridOf(array, {...choice, window});
  return {row: grid.row, column: grid.column};
}

/**
 * What another request of the same row is, by what is asked to be different: the nearest that there is.
 * @param {Model} model
 * @param {State} state
 * @param {{launch?: number, block?: number, thread?: number, repeat?: number}} wanted
 * @returns {State}
 */
export function withWanted(model, state, wanted) {
  const now = selectedRequest(model, state);
  const row = model.rows[state.row];
  if (!now || !row) return state;
  const like = {launch: now.launch, block: now.block, thread: now.thread, repeat: now.repeat, ...wanted};
  /** @type {("launch" | "block" | "thread" | "repeat")[]} */
  const order = ["launch", "block", "thread", "repeat"];
  const asked = order.filter((key) => wanted[key] !== undefined);
  const ranked = [...asked, ...order.filter((key) => wanted[key] === undefined)];
  const score = (/** @type {number} */ number) => ranked.map(
      (key) => (
          model.requests[number][key] === like[key] ? 0 :
                                                      1 + Math.abs(model.requests[number][key] - like[key])));
  const best = row.requestNumbers.reduce((a, b) => (compareLists(score(b), score(a)) < 0 ? b : a));
  return withRequest(model, state, best);
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
function compareLists(a, b) {
  for (let i = 0; i < a.length; ++i)
    if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

/**
 * The place in another run that corresponds to what is selected in this one: the same way to an array of the same name.
 * @param {Model} model
 * @param {State} state
 * @param {Model} other
 * @returns {State}
 */
export function counterpart(model, state, other) {
  const request = selectedRequest(model, state);
  const row = model.rows[state.row];
  const start = initialState(other);
  if (!request || !row) return start;
  const name = model.trace.arrays[request.accesses[0].array]?.name;
  const like = other.rows.filter(
      (one) => one.access === row.access && one.space === row.space && one.requestNumbers.length > 0);
  const same =
      like.find(
          (one) =>
              other.trace.arrays[other.requests[one.requestNumbers[0]].accesses[0].array]?.name === name) ??
      like[0];
  return same ? withRow(other, start, same.number) : start;
}

/**
 * The state as `line=57&access=read…`. What is as `initialState` has it is left out.
 * @param {Model} model
 * @param {State} state
 * @param {string} prefix
 */
export function fragmentOf(model, state, prefix) {
  const parts = new URLSearchParams();
  const row = model.rows[state.row];
  if (row) {
    if (row.file > 0) parts.set(`${prefix}file`, `${row.file}`);
    parts.set(`${prefix}line`, `${row.line}`);
    parts.set(`${prefix}space`, row.space);
    parts.set(`${prefix}access`, row.access);
    parts.set(`${prefix}request`, `${row.requestNumbers.indexOf(state.request)}`);
  }
  const array = model.trace.arrays[state.array];
  if (array) parts.set(`${prefix}array`, `${state.array}`);
  if (state.owner) parts.set(`${prefix}owner`, `${state.owner.launch}:${state.owner.block}`);
  if (state.show !== "all") parts.set(`${prefix}show`, state.show);
  if (state.by) parts.set(`${prefix}by`, state.by);
  if (state.time !== null) parts.set(`${prefix}time`, `${state.time}`);
  if (array && state.columns !== usualColumns(model, state.array))
    parts.set(`${prefix}columns`, `${state.columns}`);
  if (state.window) parts.set(`${prefix}window`, `${state.window.row}:${state.window.column}`);
  if (state.from !== null) parts.set(`${prefix}from`, `${state.from}`);
  if (state.finding >= 0) parts.set(`${prefix}finding`, `${state.finding}`);
  if (state.view) parts.set(`${prefix}view`, state.view);
  return parts.toString().replaceAll("%3A", ":");
}

/**
 * The state that a fragment asks for. What does not exist is left as it is at first.
 * @param {Model} model
 * @param {string} fragment
 * @param {string} prefix
 * @returns {State}
 */
export function stateOfFragment(model, fragment, prefix) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const text = (/** @type {string} */ name) => parts.get(prefix + name);
  const number = (/** @type {string} */ name) => {
    const value = text(name);
    return value !== null && /^-?\d+$/.test(value) ? Number(value) : null;
  };
  const pair = (/** @type {string} */ name) => /^(\d+):(\d+)$/.exec(text(name) ?? "")?.slice(1).map(Number);

  let state = initialState(model);
  const finding = number("finding");
  if (finding !== null && model.trace.findings[finding]) state = withFinding(model, state, finding);
  const line = number("line");
  if (line !== null) {
    const file = number("file") ?? 0;
    const rows = model.rows.filter((row) => row.line === line && row.file === file);
    const row =
        rows.find((one) => text("space") === one.space && (text("access") ?? one.access) === one.access) ??
        rowOfLine(model, state, rows.filter((one) => (text("access") ?? one.access) === one.access)) ??
        rowOfLine(model, state, rows);
    if (row) {
      const kept = state.finding;
      state = withRow(model, state, row.number);
      const request = row.requestNumbers[number("request") ?? -1];
      if (request !== undefined) state = withRequest(model, state, request);
      if (finding !== null) state = {...state, finding: kept};
    }
  }
  const array = text("array");
  if (array !== null) {
    const named = model.trace.arrays.findIndex((one) => one.name === array);
    const chosen = named >= 0 ? named : number("array") ?? -1;
    if (model.trace.arrays[chosen]) state = withArray(model, state, chosen);
  }
  const owner = pair("owner");
  if (owner && owner[0] < model.trace.launches.length)
    state = {...state, owner: {launch: owner[0], block: owner[1]}};
  const show = text("show");
  if (show === "read" || show === "write") state = {...state, show};
  const by = colourings.find((one) => one === text("by"));
  if (by) state = {...state, by};
  const time = number("time");
  if (time !== null) state = {...state, time};
  const columns = number("columns");
  if (columns !== null && state.array >= 0 && columns >= 1 && columns <= mostRowLength)
    state = {...state, columns};
  const window = pair("window");
  if (window && state.array >= 0 && isLarge(shapeOf(model.trace.arrays[state.array], state.columns)))
    state = {...state, window: {row: window[0], column: window[1]}};
  state = {...state, from: number("from"), view: text("view") ?? ""};
  return {
    ...state,
    finding: Math.max(-1, state.finding),
    request: Math.min(state.request, model.requests.length - 1)
  };
}
