// The source beside its cost: the functions whose lines used memory, the rest folded.

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").CostRow} CostRow */
/** @typedef {import("./svg.js").Picture} Picture */

import {excess} from "./model.js";
import {counted, ratio} from "./names.js";
import {box, escaped, label} from "./svg.js";
import {rowCost, rowMark, rowName} from "./words.js";

/** @typedef {{first: number, last: number}} LineRange both counted from 1, both within */

/**
 * A text with comments, strings and character literals blanked, so that braces are the program's.
 * @param {string} text
 */
export function withoutComments(text) {
  return text.replace(
      /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'/g,
      (found) => found.replace(/[^\n]/g, " "));
}

/**
 * The function that a line stands in, with its head and the comment above it; null where the line is in none.
 * @param {string} text
 * @param {number} line
 * @returns {LineRange | null}
 */
export function functionAround(text, line) {
  const code = withoutComments(text);
  /** @type {{start: number, isFunction: boolean}[]} */
  const open = [];
  let headStart = 0;
  let position = 0;
  let number = 1;
  let parentheses = 0;
  /** @type {LineRange | null} */
  let found = null;
  const lineOf = (/** @type {number} */ at) => code.slice(0, at).split("\n").length;
  for (; position < code.length; ++position) {
    const c = code[position];
    if (c === "\n") {
      ++number;
      if (parentheses === 0 && /^\s*#/.test(code.slice(code.lastIndexOf("\n", position - 1) + 1, position)))
        headStart = position + 1;
    } else if (c === "(")
      ++parentheses;
    else if (c === ")")
      --parentheses;
    else if (c === ";" && parentheses === 0)
      headStart = position + 1;
    else if (c === "{") {
      const head = code.slice(headStart, position);
      const inFunction = open.some((region) => region.isFunction);
      const isFunction = !inFunction && head.includes("(") && !/^\s*(if|for|while|switch|do)\b/.test(head);
      const start = headStart + head.search(/\S|$/);
      open.push({start, isFunction});
      headStart = position + 1;
    } else if (c === "}") {
      const region = open.pop();
      headStart = position + 1;
      if (!region?.isFunction) continue;
      const range = {first: lineOf(region.start), last: number};
      if (line >= range.first && line <= range.last) found = range;
    }
  }
  if (!found) return null;
  const lines = text.split("\n");
  while (found.first > 1 && /^\s*\/\//.test(lines[found.first - 2])) --found.first;
  return found;
}

/**
 * The ranges that are shown: the functions of all lines that did something, and lines outside any function with some
 * context.
 * @param {Model} model
 * @param {number} file
 * @returns {LineRange[]}
 */
export function shownRanges(model, file) {
  const {text} = model.trace.files[file];
  const count = text.split("\n").length;
  const wanted = new Set([
    ...model.rows, ...model.trace.sites, ...model.trace.findings.flatMap((finding) => finding.places)
  ].filter((at) => at.file === file)
                             .map((at) => at.line ?? 0));
  /** @type {LineRange[]} */
  const ranges = [];
  wanted.delete(0);
  for (const line of [...wanted].sort((a, b) => a - b)) {
    if (ranges.some((range) => line >= range.first && line <= range.last)) continue;
    ranges.push(
        functionAround(text, line) ?? {first: Math.max(1, line - 4), last: Math.min(count, line + 4)});
  }
  ranges.sort((a, b) => a.first - b.first);
  /** @type {LineRange[]} */
  const merged = [];
  for (const range of ranges) {
    const before = merged[merged.length - 1];
    if (before && range.first <= before.last + 2)
      before.last = Math.max(before.last, range.last);
    else
      merged.push({...range});
  }
  return merged;
}

/**
 * The bar of a row: all of it is the cost, and the least is filled. Equal excess looks equal, whatever is counted.
 * @param {CostRow} row
 * @param {number} left
 * @param {number} top
 * @param {number} wide
 */
function drawBar(row, left, top, wide) {
  const least = Math.max(1.5, wide / Math.max(1, excess(row)));
  return box(left, top, wide, 9, least < wide ? "unused" : "used") +
      (least < wide ? box(left, top, least, 9, "used") : "");
}

/** @param {CostRow} row */
export function costBar(row) {
  return `<svg class="costbar" width="96" height="10" viewBox="0 0 96 10" aria-hidden="true">${
      drawBar(row, 0.5, 0.5, 95)}</svg>`;
}

/**
 * What stands on a line that is no access: barriers, exchanges, launches of child grids.
 * @param {Model} model
 * @returns {Map<string, string>} by `file:line`
 */
export function otherEvents(model) {
  /** @type {Map<string, {barriers: Set<number>, exchanges: number, launches: number}>} */
  const counts = new Map();
  for (const warp of model.warps.values())
    for (const event of warp.events) {
      if (event.request >= 0 || event.file < 0) continue;
      const key = `${event.file}:${event.line}`;
      const known = counts.get(key) ?? {barriers: new Set(), exchanges: 0, launches: 0};
      if (event.barrier >= 0)
        known.barriers.add(event.barrier);
      else if (event.kind === "exchange")
        ++known.exchanges;
      else if (event.kind === "launch")
        ++known.launches;
      counts.set(key, known);
    }
  const words = new Map();
  for (const [key, {barriers, exchanges, launches}] of counts) {
    const parts = [];
    if (barriers.size > 0) {
      const open = [...barriers].filter((number) => !model.barriers[number].ended).length;
      parts.push(`‖ barrier, completed ${counted(barriers.size - open, "time")}${
          open > 0 ? `; ✗ ${open} never` : ""}`);
    }
    if (exchanges > 0) parts.push(`⋈ ${counted(exchanges, "exchange")} between lanes`);
    if (launches > 0) parts.push(`▷ ${counted(launches, "launch", "launches")} of child grids`);
    words.set(key, parts.join("; "));
  }
  return words;
}

/**
 * A line of source, with its comment set apart.
 * @param {string} line
 */
function codeMarkup(line) {
  const at = line.indexOf("//");
  if (at < 0) return escaped(line);
  return `${escaped(line.slice(0, at))}<span class="comment">${escaped(line.slice(at))}</span>`;
}

/**
 * @param {Model} model
 * @param {string} name of the panel, in ids
 * @param {number[]} unfolded first lines of the folds that are open, as file * 1000000 + line
 * @returns {string} HTML
 */
export function sourceMarkup(model, name, unfolded) {
  const others = otherEvents(model);
  const open = new Set(unfolded);
  const parts = [];
  model.trace.files.forEach((source, file) => {
    const lines = source.text.replace(/\n$/, "").split("\n");
    const ranges = shownRanges(model, file);
    if (ranges.length === 0) return;
    parts.push(`<div class="code" role="group" aria-label="${
        escaped(source.path)} with the cost of its lines"><p class="path">${
        escaped(source.path)}</p><ol class="lines">`);
    let next = 1;
    const fold = (/** @type {number} */ last) => {
      if (last < next) return;
      const key = file * 1000000 + next;
      const words = `lines ${next} to ${last}`;
      if (open.has(key)) {
        parts.push(`<li class="fold"><button type="button" id="${name}-fold-${key}" data-fold="${
            key}" aria-expanded="true">▾ fold ${words}</button></li>`);
        for (let line = next; line <= last; ++line) parts.push(lineMarkup(line, lines[line - 1]));
      } else
        parts.push(`<li class="fold"><button type="button" id="${name}-fold-${key}" data-fold="${
            key}" aria-expanded="false">▸ ${words} use no memory of the GPU</button></li>`);
    };
    const lineMarkup = (/** @type {number} */ line, /** @type {string} */ text) => {
      const rows = model.rows.filter((row) => row.file === file && row.line === line);
      const found = model.trace.findings.filter(
          (finding) => finding.places.some((place) => place.file === file && place.line === line));
      const other = others.get(`${file}:${line}`);
      const costs = rows.map((row) => rowMarkup(row, name)).join("") +
          (other ? `<span class="event">${escaped(other)}</span>` : "") + [
            ...new Set(found.map((finding) => finding.id))
          ].map((id) => `<span class="event alarm">✗ ${escaped(id)}</span>`).join("");
      return `<li class="line${costs ? " costs" : ""}" value="${line}"${
          rows.length > 0 ? ` data-line="${file}:${line}"` : ""}><span class="number">${line}</span><code>${
          codeMarkup(text) || " "}</code>${costs ? `<span class="cost">${costs}</span>` : ""}</li>`;
    };
    for (const range of ranges) {
      fold(range.first - 1);
      for (let line = range.first; line <= range.last; ++line)
        parts.push(lineMarkup(line, lines[line - 1] ?? ""));
      next = range.last + 1;
    }
    fold(lines.length);
    parts.push("</ol></div>");
  });
  const lost = model.rows.filter((row) => row.file < 0);
  if (lost.length > 0)
    parts.push(`<p>At places that are not known:</p>${lost.map((row) => rowMarkup(row, name)).join("")}`);
  return parts.join("");
}

/**
 * @param {CostRow} row
 * @param {string} name
 */
function rowMarkup(row, name) {
  const mark = rowMark(row);
  return (
      `<button type="button" class="row" id="${name}-row-${row.number}" data-row="${
          row.number}" aria-pressed="false">` +
      `<span class="symbol${excess(row) >= 2 ? " alarm" : ""}">${mark.symbol}</span> <span class="what">${
          rowName(row)}<span class="mark">, ${mark.words}</span></span> ${
          row.space === "remote" ? "" : costBar(row)} ` +
      `<span class="figures">${rowCost(row)}; ${
          counted(row.requests, "request")}<span class="go"></span></span></button>`);
}

/**
 * The same as a picture, for print: the lines of the functions with their bars.
 * @param {Model} model
 * @param {number} width
 * @returns {Picture}
 */
export function drawSource(model, width) {
  const others = otherEvents(model);
  const right = Math.max(420, width - 350);
  let y = 6;
  let body = "";
  model.trace.files.forEach((source, file) => {
    const lines = source.text.split("\n");
    for (const {first, last} of shownRanges(model, file)) {
      body += label(8, y + 12, `${source.path}, lines ${first} to ${last}`, "quiet");
      y += 20;
      for (let line = first; line <= last; ++line) {
        const rows = model.rows.filter((row) => row.file === file && row.line === line);
        const other = others.get(`${file}:${line}`);
        const height = 17 * Math.max(1, rows.length + (other ? 1 : 0));
        if (rows.length > 0) body += box(0, y, width, height, "band");
        body += label(34, y + 12, line, "end mono small quiet");
        const room = Math.floor((right - 52) / 6.65);
        const text = (lines[line - 1] ?? "").replaceAll("\t", "  ");
        body += label(
            44, y + 12, text.length > room ? `${text.slice(0, room - 1)}…` : text, "mono",
            {"xml:space": "preserve"});
        rows.forEach((row, place) => {
          const top = y + 17 * place;
          const requests = Math.max(1, row.requests);
          body += label(right, top + 12, rowMark(row).symbol, excess(row) >= 2 ? "alarm" : "");
          body += label(right + 24, top + 12, `${row.access}, ${row.space}`, "");
          if (row.space !== "remote") body += drawBar(row, right + 116, top + 4, 70);
          const words = row.space === "remote" ?
              rowCost(row) :
              `${ratio(row.cost / requests)} ${row.space === "global" ? "sectors" : "wavefronts"}, least ${
                  ratio(row.least / requests)}`;
          body += label(right + 194, top + 12, words, "small");
        });
        if (other) body += label(right, y + 17 * rows.length + 12, other, "small");
        y += height;
      }
      y += 8;
    }
  });

  return {
    width,
    height: y + 4,
    body,
    title: "The source beside its cost",
    description: model.rows.map((row) => `Line ${row.line}, ${rowName(row)}: ${rowCost(row)}.`).join(" ")
  };
}
