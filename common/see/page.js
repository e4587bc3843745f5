// The page: its controls, and what they change. All drawing is elsewhere.

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./svg.js").Picture} Picture */

import {
  arrayCaption,
  drawArray,
  elementBytes,
  gridOf,
  historyOf,
  isLarge,
  mostRowLength,
  neighbour,
  rowLengths,
  shapeOf,
  touchesOf,
  windowSize
} from "./array_view.js";
import {leftOutWords, totalsMarkup} from "./compare.js";
import {modelOf, requestsOfFinding, traceOfRecords} from "./model.js";
import {arrayName, blockName, counted, indexText, launchName, warpOf} from "./names.js";
import {paletteStyle, patternDefinitions, pictureStyle} from "./palette.js";
import {drawRequest} from "./request_view.js";
import {sourceMarkup} from "./source_view.js";
import {
  arrayChoice,
  colourings,
  coloursOf,
  counterpart,
  fragmentOf,
  initialState,
  ownersOf,
  selectedRequest,
  spaceOfFinding,
  stateOfFragment,
  timeChoice,
  windowAround,
  withArray,
  withFinding,
  withLine,
  withRequest,
  withRow,
  withWanted
} from "./state.js";
import {escaped, framed} from "./svg.js";
import {drawGrids, drawTime, ticksShown, timeCaption} from "./time_view.js";
import {alikeWords, glossaryOf, requestCaption, requestCostWords, upper} from "./words.js";

/**
 * @typedef {{records: Record<string, any>[], sample?: {blocks: number, blocks_shown: number, steps_left_out: number}}} PageTrace
 * @typedef {{name: string, prefix: string, model: Model, sample: PageTrace["sample"], state: State, root: HTMLElement,
 *   drawn: Map<string, string>}} Panel
 */

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}.`);
  return found;
}

/**
 * Sets an element's content where it differs, so that what has the focus is left alone.
 * @param {Panel} panel
 * @param {string} part
 * @param {string} markup
 */
function put(panel, part, markup) {
  if (panel.drawn.get(part) === markup) return;
  panel.drawn.set(part, markup);
  const focused = document.activeElement?.id;
  byId(`${panel.name}-${part}`).innerHTML = markup;
  if (focused && document.activeElement?.id !== focused)
    document.getElementById(focused)?.focus({preventScroll: true});
}

/**
 * A drop-down list with a label. What is chosen is set later, so that the markup stays the same.
 * @param {Panel} panel
 * @param {string} id
 * @param {string} words
 * @param {[value: string, words: string][]} options
 */
function choice(panel, id, words, options) {
  const list =
      options.map(([value, text]) => `<option value="${escaped(value)}">${escaped(text)}</option>`).join("");
  return `<label for="${panel.name}-${id}">${words} <select id="${panel.name}-${id}" data-choice="${id}">${
      list}</select></label>`;
}

/**
 * @param {Panel} panel
 * @param {string} act
 * @param {string} words
 * @param {string} [spoken]
 */
function button(panel, act, words, spoken) {
  return `<button type="button" id="${panel.name}-${act}" data-act="${act}"${
      spoken ? ` aria-label="${escaped(spoken)}" title="${escaped(spoken)}"` :
               ""}>${escaped(words)}</button>`;
}

/**
 * @param {Panel} panel
 * @param {string} id
 * @param {string | number} value
 */
function setValue(panel, id, value) {
  const control = document.getElementById(`${panel.name}-${id}`);
  if (control instanceof HTMLSelectElement || control instanceof HTMLInputElement) control.value = `${value}`;
}

/**
 * @param {Panel} panel
 * @param {string} id
 * @param {boolean} off
 */
function setOff(panel, id, off) {
  const control = document.getElementById(`${panel.name}-${id}`);
  // A button that is switched off under the focus would lose it; aria-disabled keeps it.
  control?.setAttribute("aria-disabled", `${off}`);
}

/**
 * Text with what stands between backticks as code.
 * @param {string} text
 */
function prose(text) { return escaped(text).replaceAll(/`([^`]*)`/g, "<code>$1</code>"); }

/** Details of a finding up to so many characters are shown at once. */
const shortDetails = 500;

/**
 * The verdict; the name of an item says what should hold, so it is set apart.
 * @param {string} verdict
 */
function verdictMarkup(verdict) {
  const start = "It fails the item: ";
  if (!verdict.startsWith(start)) return escaped(verdict);
  return `It fails the item <q>${
      escaped(verdict.slice(
          start.length))}</q>. <span class="quiet">The quoted words say what should hold.</span>`;
}

/**
 * Why a finding about costs is so: the words of a request that shows it.
 * @param {Panel} panel
 * @param {number} number of the finding
 */
function whyMarkup(panel, number) {
  const {model} = panel;
  const space = spaceOfFinding(model.trace.findings[number]);
  const request = selectedRequest(model, withFinding(model, panel.state, number));
  if (!request || request.space !== space || request.cost <= request.least) return "";
  return `<p class="why"><strong>Why, in a request of line ${request.line}:</strong> ${
      prose(requestCaption(model, request)
                .join(" ")
                .replace("at the bottom shows", "in “One request” shows"))}</p>`;
}

/**
 * The skeleton of a panel.
 * @param {Panel} panel
 * @param {string} heading
 */
function panelMarkup(panel, heading) {
  const {name, model} = panel;
  const {info, findings} = model.trace;
  const facts =
      [
        info.file, info.call && `call: ${info.call}`,
        info.submission === "handin" ? "your file" : info.submission,
        info.schedule && !info.call?.includes("schedule") && `schedule ${info.schedule}`,
        info.made?.replace("T", " ").replace("Z", " UTC")
      ].map((fact) => escaped(fact || ""))
          .filter((fact) => fact !== "");
  const found =
      findings
          .map(
              (finding, number) => `<li><button type="button" class="finding" id="${name}-finding-${
                  number}" data-finding="${
                  number}" aria-pressed="false"><span class="symbol alarm">✗</span> <strong>${
                  escaped(
                      finding.id)}</strong> ${prose(finding.sentence)}</button>${whyMarkup(panel, number)}${
                  finding.details && finding.details.length > 0 ?
                      `<details${
                          finding.details.join("").length <= shortDetails ? " open" :
                                                                            ""}><summary>Details</summary>${
                          finding.details.map((detail) => `<p>${prose(detail)}</p>`).join("")}</details>` :
                      ""}</li>`)
          .join("");
  const leftOut = leftOutWords(model, panel.sample);
  const figure = (/** @type {string} */ part, /** @type {string} */ keys) =>
      `<div class="figure" id="${name}-${part}-figure" tabindex="0" role="group" aria-label="${
          escaped(keys)}"></div><p class="keys">${escaped(keys)}</p>`;
  const level = heading ? "h3" : "h2"; // below the title of the page, or of the panel
  return (
      `<header>${heading ? `<h2>${escaped(heading)}</h2>` : ""}${
          info.verdict ? `<p class="verdict">${verdictMarkup(info.verdict)}</p>` :
                         ""}${found ? `<ul class="findings" aria-label="Findings">${found}</ul>` : ""}` +
      `<p class="facts">${facts.join(" · ")}</p>` +
      `${leftOut ? `<p class="note">${escaped(leftOut)}</p>` : ""}</header>` +
      `<section id="${name}-view-source" aria-labelledby="${name}-h-source"><${level} id="${
          name}-h-source">Source beside cost</${level}><p class="lead">Each line with what its requests cost on average, and the least that the same bytes could cost. Choose a cost: each box is a button, and the parts below show its requests. All of a bar is the cost, and its filled part is the least: a full bar is at the least.</p><div id="${
          name}-source"></div></section>` +
      `<section id="${name}-view-request" aria-labelledby="${name}-h-request"><${level} id="${
          name}-h-request">One request</${level}><div class="controls" id="${
          name}-request-controls"></div><div class="caption" id="${
          name}-request-caption" aria-live="polite"></div>${
          figure("request", "Left and right arrow: previous and next request of this line.")}</section>` +
      `<section id="${name}-view-array" aria-labelledby="${name}-h-array"><${level} id="${
          name}-h-array">The array</${level}><div class="controls" id="${
          name}-array-controls"></div><div class="caption" id="${name}-array-caption"></div>${
          figure(
              "array",
              "Arrow keys: move over the elements. Enter: go to the latest request that used the element. Escape: leave it.")}<div class="history" id="${
          name}-history" aria-live="polite"></div></section>` +
      `<section id="${name}-view-time" aria-labelledby="${name}-h-time"><${level} id="${
          name}-h-time">Order of accesses</${level}><div class="controls" id="${
          name}-time-controls"></div><div class="caption" id="${name}-time-caption"></div><div id="${
          name}-grids"></div>${
          figure(
              "time",
              "Left and right arrow: the warp's previous and next request. Up and down: the warp above and below.")}</section>`);
}

/** @param {Panel} panel */
function showRequest(panel) {
  const {model, state} = panel;
  const row = model.rows[state.row];
  const request = selectedRequest(model, state);
  if (!row || !request) {
    put(panel, "request-controls", "");
    put(panel, "request-caption",
        `<p>${
            row ? "No request of this line is in the page: those that are were chosen for their number." :
                  "Nothing used memory."}</p>`);
    put(panel, "request-figure", "");
    return;
  }
  const peers = row.requestNumbers.map((number) => model.requests[number]);
  const distinct = (/** @type {number[]} */ numbers) => [...new Set(numbers)].sort((a, b) => a - b);
  const launches = distinct(peers.map((one) => one.launch));
  const inLaunch = peers.filter((one) => one.launch === request.launch);
  const inBlock = inLaunch.filter((one) => one.block === request.block);
  const inWarp = inBlock.filter((one) => one.thread === request.thread);
  put(
      panel,
      "request-controls",
      button(panel, "earlier-request", "◀", "Previous request") +
          button(panel, "later-request", "▶", "Next request") +
          (launches.length > 1 ?
               choice(
                   panel, "launch", "Grid",
                   launches.map((one) => [`${one}`, `${one}: ${launchName(model.trace, one)}`])) :
               "") +
          choice(
              panel, "block", "Block",
              distinct(inLaunch.map((one) => one.block))
                  .map(
                      (one) =>
                          [`${one}`, blockName(model.trace, request.launch, one).replace("block ", "")])) +
          choice(
              panel, "thread", "Warp",
              distinct(inBlock.map((one) => one.thread)).map((one) => [`${one}`, `${warpOf(one)}`])) +
          choice(
              panel, "repeat", "Request",
              distinct(inWarp.map((one) => one.repeat))
                  .map((one) => [`${one}`, `${one + 1} of ${inWarp.length} of this warp here`])),
  );
  setValue(panel, "launch", request.launch);
  setValue(panel, "block", request.block);
  setValue(panel, "thread", request.thread);
  setValue(panel, "repeat", request.repeat);
  const place = row.requestNumbers.indexOf(request.number);
  setOff(panel, "earlier-request", place === 0);
  setOff(panel, "later-request", place === row.requestNumbers.length - 1);
  const names =
      [...new Set(request.accesses.map((access) => arrayName(model.trace, access.array)))].join(", ");
  put(
      panel,
      "request-caption",
      `<p><strong>Line ${request.line}: ${request.kind} of ${escaped(names)}, ${request.space} memory. ${
          escaped(upper(requestCostWords(
              request)))}.</strong> <span class="quiet">Request ${place + 1} of ${row.requestNumbers.length}${
          row.requests > row.requestNumbers.length ? ` in this page (${row.requests} in all)` :
                                                     ""}.</span></p><p>${prose([
        ...requestCaption(model, request), ...alikeWords(model, row, request), ...findingWords(panel, request)
      ].join(" "))}</p>`,
  );
  put(panel, "request-figure",
      framed(drawRequest(model, request, figureWidth(panel)), `${panel.name}-request-picture`));
}

/**
 * What the chosen finding says of a request.
 * @param {Panel} panel
 * @param {import("./model.js").Request} request
 */
function findingWords(panel, request) {
  const {model, state} = panel;
  const finding = model.trace.findings[state.finding];
  if (!finding || !requestsOfFinding(model, finding).includes(request)) return [];
  const pair = requestsOfFinding(model, finding).length > 1;
  return [
    pair ? `This is one of the two accesses of ${finding.id}; the order of accesses below shows both.` :
           `This is the access of ${finding.id}.`
  ];
}

/** @param {Panel} panel */
function figureWidth(panel) { return Math.max(300, panel.root.clientWidth - 18); }

/**
 * The moments at which an array is used.
 * @param {Panel} panel
 */
function momentsOf(panel) {
  const chosen = arrayChoice(panel.model, panel.state);
  if (!chosen) return [];
  return [
    ...new Set(
        touchesOf(panel.model, {...chosen, time: null, show: "all"}).map((touch) => touch.request.tick))
  ].sort((a, b) => a - b);
}

const colouringWords = {
  warp: "warp",
  block: "block",
  lane: "lane",
  bank: "bank",
  tick: "time (tick)",
  grid: "grid",
  kind: "read or write",
  count: "number of accesses"
};

/** @param {Panel} panel */
function showArray(panel) {
  const {model, state} = panel;
  const chosen = arrayChoice(model, state);
  if (!chosen) {
    put(panel, "array-controls", "");
    put(panel, "array-caption", "<p>The request uses no array that is known.</p>");
    put(panel, "array-figure", "");
    put(panel, "history", "");
    return;
  }
  const array = model.trace.arrays[chosen.array];
  const owners = array.space === "shared" ? ownersOf(model, chosen.array) : [];
  const several = new Set(owners.map((owner) => owner.launch)).size > 1;
  const moments = momentsOf(panel);
  const used = new Set(model.requests.flatMap((request) => request.accesses.map((access) => access.array)));
  const shape = shapeOf(array, chosen.columns);
  const large = isLarge(shape);
  const widths = rowLengths(model, chosen.array);
  put(
      panel,
      "array-controls",
      choice(
          panel, "array", "Array",
          model.trace.arrays.map((one, number) => /** @type {[string, string]} */ ([
                                   `${number}`,
                                   `${arrayName(model.trace, number)} (${one.space}${
                                       used.has(number) ? "" : ", not used in this page"})`
                                 ]))) +
          (owners.length > 0 ?
               choice(
                   panel, "owner", "of block",
                   owners.map(
                       (owner) =>
                           [`${owner.launch}:${owner.block}`,
                            `${several ? `${launchName(model.trace, owner.launch)} ` : ""}${
                                blockName(model.trace, owner.launch, owner.block).replace("block ", "")}`])) :
                                         "") +
          choice(
              panel, "show", "Show", [["all", "reads and writes"], ["read", "reads"], ["write", "writes"]]) +
          choice(panel, "by", "Colour by", coloursOf(array).map((one) => [one, colouringWords[one]])) +
          `<span class="scrub"><label for="${panel.name}-time">Show accesses up to <output id="${
              panel.name}-time-words"></output></label> ${
              button(panel, "first-moment", "|◀", "First moment")}${
              button(panel, "earlier-moment", "◀", "One moment earlier")}<input type="range" id="${
              panel.name}-time" data-choice="time" min="0" max="${
              Math.max(
                  0,
                  moments.length - 1)}" step="1">${button(panel, "later-moment", "▶", "One moment later")}${
              button(panel, "last-moment", "▶|", "Last moment")}</span>` +
          (large ? choice(
                       panel, "window", "Part",
                       [
                         ["whole", "the whole array"],
                         [
                           "window",
                           `a window of ${Math.min(windowSize, shape.rows)} × ${
                               Math.min(windowSize, shape.columns)} elements`
                         ]
                       ]) +
                   `<span class="moves">${button(panel, "window-left", "←", "Window to the left")}${
                       button(panel, "window-right", "→", "Window to the right")}${
                       button(panel, "window-up", "↑", "Window up")}${
                       button(panel, "window-down", "↓", "Window down")}${
                       button(
                           panel, "window-here", "To the request",
                           "Window around the selected request")}</span>` :
                   "") +
          (widths.length > 0 ?
               `<label for="${panel.name}-columns">Rows of <input type="number" id="${
                   panel.name}-columns" data-choice="columns" min="1" max="${mostRowLength}" list="${
                   panel.name}-widths"> elements</label>` +
                   `<datalist id="${panel.name}-widths">${
                       widths
                           .map(({columns, words}) => `<option value="${columns}">${escaped(words)}</option>`)
                           .join("")}</datalist>` :
               ""),
  );
  setValue(panel, "columns", shape.columns);
  setValue(panel, "array", chosen.array);
  setValue(panel, "owner", `${chosen.launch}:${chosen.block}`);
  setValue(panel, "show", chosen.show);
  setValue(panel, "by", chosen.by);
  setValue(panel, "window", chosen.window ? "window" : "whole");
  const time = chosen.time;
  const moment =
      time === null ? moments.length - 1 : Math.max(0, moments.filter((tick) => tick <= time).length - 1);
  setValue(panel, "time", moment);
  byId(`${panel.name}-time-words`).textContent = moments.length === 0 ? "no access" :
      moment === moments.length - 1 && time === null                  ? "the end" :
                                                                        `tick ${moments[moment]}`;
  byId(`${panel.name}-time`)
      .setAttribute(
          "aria-valuetext",
          moments.length === 0 ? "no access" :
                                 `tick ${moments[moment]}, moment ${moment + 1} of ${moments.length}`);
  for (const act of ["first-moment", "earlier-moment"]) setOff(panel, act, moment <= 0);
  for (const act of ["later-moment", "last-moment"]) setOff(panel, act, moment >= moments.length - 1);
  for (const act of ["window-left", "window-right", "window-up", "window-down"])
    setOff(panel, act, !chosen.window);
  put(panel, "array-caption", `<p>${escaped(arrayCaption(model, chosen).join(" "))}</p>`);
  put(panel, "array-figure",
      framed(drawArray(model, chosen, figureWidth(panel)), `${panel.name}-array-picture`));
  showHistory(panel);
}

const mostHistory = 12;

/** @param {Panel} panel */
function showHistory(panel) {
  const {model, state} = panel;
  const chosen = arrayChoice(model, state);
  if (!chosen || chosen.cursor === null) return put(panel, "history", "");
  const array = model.trace.arrays[chosen.array];
  const grid = gridOf(array, chosen);
  const history = historyOf(model, chosen, chosen.cursor);
  const one = grid.down * grid.across === 1;
  const words = `${elementWords(panel, chosen.cursor)}${one ? "" : " (the first of its cell)"}: ${
      history.length === 0 ? "never used." : counted(history.length, "access", "accesses") + "."}`;
  const list = history.slice(-mostHistory)
                   .map(
                       ({text, request}, place) => `<li><button type="button" id="${panel.name}-history-${
                           place}" data-request="${request}">${escaped(text)}</button></li>`);
  const left = history.length - list.length;
  put(panel, "history",
      `<p><strong>${escaped(words)}</strong>${left > 0 ? ` The first ${left} are not listed.` : ""}</p><ul>${
          list.join("")}</ul>`);
}

/**
 * @param {Panel} panel
 * @param {number} element
 */
function elementWords(panel, element) {
  const {model, state} = panel;
  const array = model.trace.arrays[state.array];
  return `${arrayName(model.trace, state.array)}${indexText(array, element)}`;
}

/** @param {Panel} panel */
function showTime(panel) {
  const {model, state} = panel;
  const chosen = timeChoice(model, state);
  if (!chosen) {
    for (const part of ["time-controls", "grids", "time-figure"]) put(panel, part, "");
    put(panel, "time-caption", "<p>No kernel ran.</p>");
    return;
  }
  const width = figureWidth(panel);
  const {fit, from, count, first, last} = ticksShown(model, chosen, width);
  put(panel, "time-controls",
      fit ?
          "" :
          button(panel, "earlier-ticks", "◀ earlier ticks") + button(panel, "later-ticks", "later ticks ▶"));
  if (!fit) {
    setOff(panel, "earlier-ticks", from <= first);
    setOff(panel, "later-ticks", from + count > last);
  }
  put(panel, "time-caption",
      `<p>${
          escaped(`${upper(blockName(model.trace, chosen.launch, chosen.block))} of ${
              launchName(
                  model.trace, chosen.launch)}. ${timeCaption(model, chosen, width).join(" ")}`)}</p>`);
  const grids = model.grids.filter((grid) => grid.warps.length > 0);
  put(
      panel,
      "grids",
      grids.length > 1 ?
          `<div class="figure" id="${
              panel
                  .name}-grids-figure" tabindex="0" role="group" aria-label="The grids of the call. Up and down arrow: the grid above and below.">${
              framed(
                  drawGrids(model, chosen.launch, width),
                  `${panel.name}-grids-picture`)}</div><p class="keys">The grids of the call; an arrow leads from the thread that launched a child. Up and down arrow: the grid above and below.</p>` :
          "",
  );
  put(panel, "time-figure", framed(drawTime(model, chosen, width), `${panel.name}-time-picture`));
}

/** @param {Panel} panel */
function show(panel) {
  const {name, model, state} = panel;
  put(panel, "source", sourceMarkup(model, name, state.unfolded));
  for (const one of panel.root.querySelectorAll("[data-row]"))
    one.setAttribute("aria-pressed", `${one.getAttribute("data-row") === `${state.row}`}`);
  for (const one of panel.root.querySelectorAll("[data-finding]"))
    one.setAttribute("aria-pressed", `${one.getAttribute("data-finding") === `${state.finding}`}`);
  showRequest(panel);
  showArray(panel);
  showTime(panel);
}

/**
 * Writes what is selected into the page's address. In a frame that was given its text, as a notebook's, there is none to write to.
 * @param {Panel[]} panels
 */
function writeFragment(panels) {
  if (location.protocol === "about:") return;
  const fragment =
      panels.map((panel) => fragmentOf(panel.model, panel.state, panel.prefix)).filter(Boolean).join("&");
  history.replaceState(null, "", `#${fragment}`);
}

/**
 * The request that is `distance` places after the selected one, in its row.
 * @param {Panel} panel
 * @param {number} distance
 * @returns {State}
 */
function requestFurther(panel, distance) {
  const {model, state} = panel;
  const numbers = model.rows[state.row]?.requestNumbers ?? [];
  const target = numbers[numbers.indexOf(state.request) + distance];
  return target === undefined ? state : withRequest(model, state, target);
}

/**
 * @param {Panel} panel
 * @param {(now: number, last: number) => number} move
 * @returns {State}
 */
function momentMoved(panel, move) {
  const moments = momentsOf(panel);
  const {time} = panel.state;
  const now =
      time === null ? moments.length - 1 : Math.max(0, moments.filter((tick) => tick <= time).length - 1);
  const next = Math.max(0, Math.min(moments.length - 1, move(now, moments.length - 1)));
  return {...panel.state, time: next >= moments.length - 1 ? null : moments[next]};
}

/**
 * @param {Panel} panel
 * @param {number} rows
 * @param {number} columns
 * @returns {State}
 */
function windowMoved(panel, rows, columns) {
  const {model, state} = panel;
  if (!state.window) return state;
  const chosen = arrayChoice(model, state);
  if (!chosen) return state;
  const grid = gridOf(
      model.trace.arrays[state.array],
      {...chosen, window: {row: state.window.row + rows, column: state.window.column + columns}});
  return {...state, window: {row: grid.row, column: grid.column}};
}

/**
 * @param {Panel} panel
 * @param {number} distance in windows
 * @returns {State}
 */
function ticksMoved(panel, distance) {
  const chosen = timeChoice(panel.model, panel.state);
  if (!chosen) return panel.state;
  const {from, count, first, last} = ticksShown(panel.model, chosen, figureWidth(panel));
  return {...panel.state, from: Math.max(first, Math.min(from + distance * count, last - count + 1))};
}

/**
 * @param {Panel} panel
 * @param {string} act
 * @returns {State}
 */
function afterButton(panel, act) {
  const half = windowSize / 2;
  switch (act) {
    case "earlier-request":
      return requestFurther(panel, -1);
    case "later-request":
      return requestFurther(panel, 1);
    case "first-moment":
      return momentMoved(panel, () => 0);
    case "earlier-moment":
      return momentMoved(panel, (now) => now - 1);
    case "later-moment":
      return momentMoved(panel, (now) => now + 1);
    case "last-moment":
      return momentMoved(panel, (_, last) => last);
    case "window-left":
      return windowMoved(panel, 0, -half);
    case "window-right":
      return windowMoved(panel, 0, half);
    case "window-up":
      return windowMoved(panel, -half, 0);
    case "window-down":
      return windowMoved(panel, half, 0);
    case "window-here":
      return {...panel.state, window: windowAround(panel.model, panel.state)};
    case "earlier-ticks":
      return ticksMoved(panel, -1);
    case "later-ticks":
      return ticksMoved(panel, 1);
    default:
      return panel.state;
  }
}

/**
 * @param {Panel} panel
 * @param {string} id
 * @param {string} value
 * @returns {State}
 */
function afterChoice(panel, id, value) {
  const {model, state} = panel;
  switch (id) {
    case "launch":
    case "block":
    case "thread":
    case "repeat":
      return withWanted(model, state, {[id]: Number(value)});
    case "array":
      return {...withArray(model, state, Number(value)), owner: null};
    case "owner": {
      const [launch, block] = value.split(":").map(Number);
      return {...state, owner: {launch, block}, cursor: null};
    }
    case "show":
      return {...state, show: value === "read" || value === "write" ? value : "all"};
    case "by":
      return {...state, by: colourings.find((one) => one === value) ?? null};
    case "time":
      return momentMoved(panel, () => Number(value));
    case "columns":
      return {
        ...state,
        columns: Math.max(1, Math.min(mostRowLength, Math.floor(Number(value)) || 1)),
        window: null
      };
    case "window":
      return {...state, window: value === "window" ? windowAround(model, state) : null};
    default:
      return state;
  }
}

/**
 * A key in the picture of the array.
 * @param {Panel} panel
 * @param {string} key
 * @returns {State | null}
 */
function afterArrayKey(panel, key) {
  const {model, state} = panel;
  const chosen = arrayChoice(model, state);
  if (!chosen) return null;
  const array = model.trace.arrays[chosen.array];
  const grid = gridOf(array, chosen);
  if (key.startsWith("Arrow")) {
    const access = chosen.selected?.accesses.find(
        (one) => one.array === chosen.array && one.offset >= 0 && one.offset < array.bytes);
    const start = grid.row * grid.columns + grid.column;
    if (state.cursor === null)
      return {
        ...state,
        cursor: access && !chosen.window ? Math.floor(access.offset / elementBytes(array)) : start
      };
    return {...state, cursor: neighbour(array, grid, state.cursor, key)};
  }
  if (key === "Escape") return {...state, cursor: null};
  if ((key === "Enter" || key === " ") && state.cursor !== null) {
    const latest = historyOf(model, chosen, state.cursor).pop();
    return latest ? withRequest(model, state, latest.request) : null;
  }
  return null;
}

/**
 * A key in the picture of the order.
 * @param {Panel} panel
 * @param {string} key
 * @returns {State | null}
 */
function afterTimeKey(panel, key) {
  const {model, state} = panel;
  const request = selectedRequest(model, state);
  if (!request) return null;
  const warps = model.grids[request.launch]
                    .warps.filter((warp) => warp.block === request.block)
                    .sort((a, b) => a.thread - b.thread);
  const here = warps.findIndex((warp) => warp.thread === request.thread);
  const requests = (/** @type {number} */ place) => warps[place]
                                                        ?.events.filter((event) => event.request >= 0)
                                                        .map((event) => model.requests[event.request]) ??
      [];
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const own = requests(here);
    const target =
        own[own.findIndex((one) => one.number === request.number) + (key === "ArrowRight" ? 1 : -1)];
    return target ? withRequest(model, state, target.number) : null;
  }
  if (key === "ArrowUp" || key === "ArrowDown") {
    const others = requests(here + (key === "ArrowDown" ? 1 : -1));
    if (others.length === 0) return null;
    const target =
        others.reduce((a, b) => (Math.abs(b.tick - request.tick) < Math.abs(a.tick - request.tick) ? b : a));
    return withRequest(model, state, target.number);
  }
  return null;
}

/**
 * The first request of another grid.
 * @param {Panel} panel
 * @param {number} launch
 * @returns {State | null}
 */
function withLaunch(panel, launch) {
  const first = panel.model.requests.find((request) => request.launch === launch);
  return first ? withRequest(panel.model, panel.state, first.number) : null;
}

/**
 * @param {Panel} panel
 * @param {string} key
 * @returns {State | null}
 */
function afterGridsKey(panel, key) {
  const request = selectedRequest(panel.model, panel.state);
  const launches = [...new Set(panel.model.requests.map((one) => one.launch))].sort((a, b) => a - b);
  const target = launches[launches.indexOf(request?.launch ?? launches[0]) + (key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0)];
  return (key === "ArrowDown" || key === "ArrowUp") && target !== undefined ? withLaunch(panel, target) :
                                                                              null;
}

/**
 * @param {Panel} panel
 * @param {Element} target
 * @returns {State | null}
 */
function afterClick(panel, target) {
  const {model, state} = panel;
  const value = (/** @type {string} */ name) =>
      target.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? null;
  const act = value("act");
  if (act !== null) return afterButton(panel, act);
  const row = value("row");
  if (row !== null) return withRow(model, state, Number(row));
  const line = value("line");
  if (line !== null) {
    const [file, number] = line.split(":").map(Number);
    return withLine(model, state, file, number);
  }
  const fold = value("fold");
  if (fold !== null) {
    const number = Number(fold);
    return {
      ...state,
      unfolded: state.unfolded.includes(number) ? state.unfolded.filter((one) => one !== number) :
                                                  [...state.unfolded, number]
    };
  }
  const finding = value("finding");
  if (finding !== null) return withFinding(model, state, Number(finding));
  const request = value("request");
  if (request !== null) return withRequest(model, state, Number(request));
  const element = value("element");
  if (element !== null) return {...state, cursor: Number(element)};
  const launch = value("launch");
  if (launch !== null) return withLaunch(panel, Number(launch));
  return null;
}

/**
 * @param {Panel[]} panels
 * @param {Panel} panel
 */
function listen(panels, panel) {
  const change = (/** @type {State | null} */ state) => {
    if (!state || state === panel.state) return;
    panel.state = state;
    show(panel);
    writeFragment(panels);
  };
  panel.root.addEventListener("click", (event) => {
    if (event.target instanceof Element) change(afterClick(panel, event.target));
  });
  for (const kind of ["input", "change"])
    panel.root.addEventListener(kind, (event) => {
      const control = event.target;
      if (!(control instanceof HTMLSelectElement || control instanceof HTMLInputElement)) return;
      if ((kind === "input") !== (control.type === "range")) return;
      change(afterChoice(panel, control.dataset.choice ?? "", control.value));
    });
  panel.root.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement) ||
        !event.target.classList.contains("figure"))
      return;
    const part = event.target.id.slice(panel.name.length + 1);
    const {key} = event;
    const step = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
    const state = part === "request-figure" ? step === 0 ? null : requestFurther(panel, step) :
        part === "array-figure"             ? afterArrayKey(panel, key) :
        part === "time-figure"              ? afterTimeKey(panel, key) :
                                              afterGridsKey(panel, key);
    if (state) event.preventDefault();
    change(state);
  });
}

/** @param {Panel[]} panels */
function scrollToView(panels) {
  const panel = panels.find((one) => one.state.view !== "");
  if (panel) document.getElementById(`${panel.name}-view-${panel.state.view}`)?.scrollIntoView();
}

const themes = ["system", "light", "dark"];

function listenTheme() {
  const control = byId("theme");
  let theme = 0;
  const set = () => {
    if (theme === 0)
      delete document.documentElement.dataset.theme;
    else
      document.documentElement.dataset.theme = themes[theme];
    control.textContent = `Theme: ${themes[theme]}`;
  };
  control.addEventListener("click", () => {
    theme = (theme + 1) % themes.length;
    set();
  });
  set();
}

/** @param {string} text of the data in the page */
function start(text) {
  /** @type {{traces: PageTrace[], select: string}} */
  const data = JSON.parse(text);
  const style = document.createElement("style");
  style.textContent = paletteStyle() + pictureStyle((name) => `var(--${name})`);
  document.head.append(style);
  byId("patterns").innerHTML = patternDefinitions();
  const two = data.traces.length > 1;
  const root = byId("panels");
  root.classList.toggle("two", two);
  const panels = data.traces.map((trace, number) => {
    const model = modelOf(traceOfRecords(trace.records));
    const section = document.createElement("div");
    section.className = "panel";
    section.id = `p${number}`;
    root.append(section);
    /** @type {Panel} */
    const panel = {
      name: `p${number}`,
      prefix: number === 0 ? "" : "after.",
      model,
      sample: trace.sample,
      state: initialState(model),
      root: section,
      drawn: new Map()
    };
    section.innerHTML =
        panelMarkup(panel, two ? `${number === 0 ? "Before" : "After"}: ${model.trace.info.title}` : "");
    return panel;
  });
  if (!two) panels[0].root.querySelector("header")?.append(byId("totals"));
  const models = panels.map((panel) => panel.model);
  byId("glossary").innerHTML =
      glossaryOf(models)
          .map(([term, words]) => `<div><dt>${term}</dt><dd>${prose(words)}</dd></div>`)
          .join("");
  byId("totals").innerHTML = totalsMarkup(models);
  const read = () => {
    const fragment = location.hash.length > 1 ? location.hash : data.select;
    const [before, after] = panels;
    for (const panel of panels)
      panel.state = {...stateOfFragment(panel.model, fragment, panel.prefix), unfolded: panel.state.unfolded};
    if (after && !fragment.includes(`${after.prefix}line=`))
      after.state = counterpart(before.model, before.state, after.model);
  };
  const showAll = () => panels.forEach(show);
  read();
  showAll();
  for (const panel of panels) listen(panels, panel);
  listenTheme();
  scrollToView(panels);
  addEventListener("hashchange", () => {
    read();
    showAll();
    scrollToView(panels);
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (width === innerWidth) return;
    width = innerWidth;
    showAll();
  });
}

start(byId("data").textContent ?? "");
