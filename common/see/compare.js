// The totals of a trace, and of two side by side.

/** @typedef {import("./model.js").Model} Model */

import {counted, grouped} from "./names.js";
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
  const totals = models.map(totalsOf);
  /** @type {[string, (t: Totals) => number, ((t: Totals) => number) | null][]} */
  const rows = [
    ["Requests", (t) => t.requests, null],
    ["Sectors of global memory", (t) => t.sectors, (t) => t.sectorsLeast],
    ["Wavefronts of shared memory", (t) => t.wavefronts, (t) => t.wavefrontsLeast],
    ["Accesses to other blocks' shared memory", (t) => t.remote, null],
    [
      models.some((model) => (model.trace.end?.left_out ?? 0) > 0) ?
          "Barriers completed, of the steps in this page" :
          "Barriers completed",
      (t) => t.barriers, null
    ],
  ];
  const head =
      models.length > 1 ? "<tr><th></th><th>Before</th><th>After</th><th>After against before</th></tr>" : "";
  const cells =
      rows.filter(([name, value]) => name === "Requests" || totals.some((one) => value(one) > 0))
          .map(([name, value, least]) => {
            const figures = totals
                                .map(
                                    (one) => `<td>${grouped(value(one))}${
                                        least && value(one) > 0 ?
                                            ` <span class="quiet">(least ${grouped(least(one))})</span>` :
                                            ""}</td>`)
                                .join("");
            return `<tr><th scope="row">${escaped(name)}</th>${figures}${
                models.length > 1 ? `<td>${changeWords(value(totals[0]), value(totals[1]))}</td>` : ""}</tr>`;
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
