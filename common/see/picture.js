// node picture.js TRACE --view source|request|array|time|grids [--select 'line=57&request=3'] [--width 900] [--dark]
// writes one of the page's pictures as SVG that stands alone, for print and for other pages.

import {readFileSync} from "node:fs";
import {argv, exit, stderr, stdout} from "node:process";

import {drawArray} from "./array_view.js";
import {modelOf, traceOfText} from "./model.js";
import {colours, patternDefinitions, pictureStyle} from "./palette.js";
import {drawRequest} from "./request_view.js";
import {drawSource} from "./source_view.js";
import {arrayChoice, selectedRequest, stateOfFragment, timeChoice} from "./state.js";
import {box, framed} from "./svg.js";
import {drawGrids, drawTime} from "./time_view.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./svg.js").Picture} Picture */

/**
 * @param {Model} model
 * @param {string} view
 * @param {string} select
 * @param {number} width
 * @returns {Picture | null} null where the trace has nothing to draw
 */
export function pictureOf(model, view, select, width) {
  const state = stateOfFragment(model, select, "");
  const request = selectedRequest(model, state);
  const array = arrayChoice(model, state);
  const time = timeChoice(model, state);
  switch (view) {
    case "source":
      return drawSource(model, width);
    case "request":
      return request && drawRequest(model, request, width);
    case "array":
      return array && drawArray(model, array, width);
    case "time":
      return time && drawTime(model, time, width);
    case "grids":
      return time && drawGrids(model, time.launch, width);
    default:
      throw new Error(`There is no view ${view}: take source, request, array, time or grids.`);
  }
}

/**
 * @param {Picture} picture
 * @param {boolean} dark
 */
export function standalone(picture, dark) {
  const style = pictureStyle((name) => colours[name][dark ? 1 : 0]);
  const margin = 8;
  const ground = box(0, 0, picture.width + 2 * margin, picture.height + 2 * margin, "ground");
  const body = `<style>${style}</style>${patternDefinitions()}${ground}<g transform="translate(${margin} ${
      margin})">${picture.body}</g>`;
  return framed(
      {...picture, width: picture.width + 2 * margin, height: picture.height + 2 * margin, body}, "picture");
}

function main() {
  /** @type {Record<string, string>} */
  const options = {view: "request", select: "", width: "900"};
  let dark = false;
  let file = "";
  for (let i = 2; i < argv.length; ++i) {
    if (argv[i] === "--dark")
      dark = true;
    else if (argv[i].startsWith("--"))
      options[argv[i].slice(2)] = argv[++i] ?? "";
    else
      file = argv[i];
  }
  const model = modelOf(traceOfText(readFileSync(file, "utf8")));
  const picture = pictureOf(model, options.view, options.select, Number(options.width));
  if (!picture) {
    stderr.write(`The trace has nothing to draw for ${options.view}.\n`);
    exit(2);
  }
  stdout.write(`${standalone(picture, dark)}\n`);
}

if (argv[1]?.endsWith("picture.js")) main();
