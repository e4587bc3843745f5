// The totals of a trace, and of two side by side.

/** @typedef {import("./model.js").Model} Model */

import {counted, grouped, ratio} from "./names.js";
import {escaped} from "./svg.js";

/**
 * @typedef {{requests: number, sectors: number, sectorsLeast: number, wavefronts: number, wavefrontsLeast: number,
 *   remote: number, barriers: number}} Totals
 */

/**
 * @param {Model} model
 * @returns {Totals}
 */
export function totalsOf(model) {
  const sum = (/** @type {string} */ space, /** @type {"requests" | "cost" | "least" | "lanes"} */ key) =>
      model.rows.filter((row) => row.space === space).reduce((total, row) => total + row[key], 0);
  return {
    requests: sum("global", "requests") + sum("shared", "requests") + sum("remote", "requests"),
    sectors: sum("global", "cost"),
    sectorsLeast: sum("global", "least"),
    wavefronts: sum("shared", "cost"),
    wavefrontsLeast: sum("shared", "least"),
    remote: sum("remote", "lanes"),
    barriers: model.barriers.filter((barrier) => barrier.ended).length,
  };
}

/** @type {[access: string, words: string][]} */
const accessWords = [["read", "read"], ["write", "written"], ["atomic", "updated by atomics"]];

/**
 * @param {number} cost
 * @param {number} least
 */
function leastWords(cost, least) {
  return `(least ${grouped(least)}${
      cost > least && least > 0 ? `; ${ratio(cost / least)} times as many` : ""})`;
}

/**
 * A total split by the kinds of access, where there are several.
 * @param {Model[]} models
 * @param {string} space
 * @param {string} name
 * @returns {[string, (model: Model) => [cost: number, least: number]][]}
 */
function partsOf(models, space, name) {
  const rowsOf = (/** @type {Model} */ model, /** @type {string} */ access) =>
      model.rows.filter((row) => row.space === space && row.access === access);
  const used = accessWords.filter(([access]) => models.some((model) => rowsOf(model, access).length > 0));
  if (used.length < 2) return [];
  return used.map(
      ([access, words]) =>
          [`${name}, ${words}`,
           (model) =>
               [rowsOf(model, access).reduce((sum, row) => sum + row.cost, 0),
                rowsOf(model, access).reduce((sum, row) => sum + row.least, 0)]]);
}

/**
 * What a number has become: `4 times as many`, `1/8`.
 * @param {number} before
 * @param {number} after
 */
export function changeWords(before, after) {
  if (before === after) return "the same";
  if (before === 0) return "new";
  if (after === 0) return "none left";
  const times = Math.max(after / before, before / after);
  const told = times < 1.01 ? times.toFixed(3) :
      times < 10            ? times.toFixed(2).replace(/\.?0+$/, "") :
                              times.toFixed(1).replace(/\.0$/, "");
  return after < before ? `${told} times fewer` : `${told} times as many`;
}

/**
 * @param {Model[]} models one, or before and after
 * @returns {string} HTML
 */
export function totalsMarkup(models) {
  /** @type {(key: keyof Totals) => (model: Model) => [number]} */
  const figure = (key) => (model) => [totalsOf(model)[key]];
  const [sectors, wavefronts] = ["Sectors of global memory", "Wavefronts of shared memory"];
  /** @type {[string, (model: Model) => [cost: number, least?: number]][]} */
  const rows = [
    ["Requests", figure("requests")],
    [sectors, (model) => [totalsOf(model).sectors, totalsOf(model).sectorsLeast]],
    ...partsOf(models, "global", sectors),
    [wavefronts, (model) => [totalsOf(model).wavefronts, totalsOf(model).wavefrontsLeast]],
    ...partsOf(models, "shared", wavefronts),
    ["Accesses to other blocks' shared memory", figure("remote")],
    [
      models.some((model) => (model.trace.end?.left_out ?? 0) > 0) ?
          "Barriers completed, of the steps in this page" :
          "Barriers completed",
      figure("barriers")
    ],
  ];
  const head =
      models.length > 1 ? "<tr><th></th><th>Before</th><th>After</th><th>After against before</th></tr>" : "";
  const cells =
      rows.map(([name, value]) => ({name, values: models.map(value)}))
          .filter(({name, values}) => name === "Requests" || values.some(([count]) => count > 0))
          .map(({name, values}) => {
            const figures = values
                                .map(
                                    ([count, least]) => `<td>${grouped(count)}${
                                        least !== undefined && count > 0 ?
                                            ` <span class="quiet">${leastWords(count, least)}</span>` :
                                            ""}</td>`)
                                .join("");
            const isPart = name.startsWith(`${sectors},`) || name.startsWith(`${wavefronts},`);
            return `<tr${isPart ? " class=\"part\"" : ""}><th scope="row">${escaped(name)}</th>${figures}${
                models.length > 1 ? `<td>${changeWords(values[0][0], values[1][0])}</td>` : ""}</tr>`;
          });
  return `<table class="totals">${head}${cells.join("")}</table>`;
}

/**
 * What the page lacks of the run.
 * @param {Model} model
 * @param {{blocks: number, blocks_shown: number, steps_left_out: number} | undefined} sample
 */
export function leftOutWords(model, sample) {
  const words = [];
  if (sample && sample.steps_left_out > 0)
    words.push(`This page holds the accesses of ${grouped(sample.blocks_shown)} of ${
        counted(sample.blocks, "block")}; ${
        counted(sample.steps_left_out, "step")} of the others are left out for their number.`);
  else if (model.trace.end && model.trace.end.left_out > 0)
    words.push(`${counted(model.trace.end.left_out, "step")} are left out for their number.`);
  if (!model.trace.end) words.push("The trace is incomplete: its end is missing.");
  if (words.length > 0) words.push("The costs beside the source and the totals are of all requests.");
  return words.join(" ");
}
