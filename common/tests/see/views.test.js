// The pictures: each can be drawn of each trace, is well-formed, and says in words what it shows.
import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import {test} from "node:test";

import {arrayCaption, bankOf, drawArray, gridOf, isLarge, shapeOf} from "../../see/array_view.js";
import {changeWords, totalsOf} from "../../see/compare.js";
import {modelOf, traceOfRecords} from "../../see/model.js";
import {pictureOf, standalone} from "../../see/picture.js";
import {drawRequest} from "../../see/request_view.js";
import {neighbouringSectors, paddedRequest} from "../../see/service.js";
import {sourceMarkup} from "../../see/source_view.js";
import {arrayChoice, counterpart, initialState, timeChoice, withLine, withRequest} from "../../see/state.js";
import {drawTime, timeCaption} from "../../see/time_view.js";
import {alikeWords, glossaryOf, requestCaption, rowMark} from "../../see/words.js";

import {largeTrace, traces} from "./traces.js";

const see = new URL("../../see/", import.meta.url);
const modelFor = (name) => modelOf(traceOfRecords(traces[name]));
const requestOn = (model, line, kind, space) =>
    model.requests.find((one) => one.line === line && one.kind === kind && (!space || one.space === space));

/** Tags that open and close in pairs, and no number that is none. */
function checkMarkup(markup) {
  assert.doesNotMatch(markup, /NaN|undefined|Infinity/);
  const open = [];
  for (const [, close, name, , self] of markup.matchAll(/<(\/?)([a-zA-Z]+)((?:[^>"]|"[^"]*")*?)(\/?)>/g)) {
    if (close)
      assert.equal(open.pop(), name);
    else if (!self)
      open.push(name);
  }
  assert.deepEqual(open, []);
}

for (const name of Object.keys(traces))
  test(`${name}: every view of every line is drawn, wide and narrow`, () => {
    const model = modelFor(name);
    for (const {line, space, access} of model.rows)
      for (const view of ["source", "request", "array", "time", "grids"])
        for (const width of [320, 1300]) {
          const picture = pictureOf(model, view, `line=${line}&space=${space}&access=${access}`, width);
          assert.ok(picture && picture.width > 0 && picture.height > 0);
          assert.ok(picture.title.length > 5);
          assert.ok(picture.description.length > 10);
          checkMarkup(standalone(picture, false));
        }
  });

for (const by of ["bank", "grid", "block", "warp", "lane", "tick", "kind", "count"])
  test(`the array is drawn by ${by}`, () => {
    for (const name of Object.keys(traces))
      checkMarkup(pictureOf(modelFor(name), "array", `by=${by}`, 700)?.body ?? "");
  });

test("a picture that stands alone needs nothing from outside: no variables, no links", () => {
  const picture = pictureOf(modelFor("race"), "time", "", 900);
  assert.ok(picture);
  const svg = standalone(picture, true);
  assert.doesNotMatch(svg, /var\(|href|@import|url\((?!#)/);
});

test("text of the program is escaped", () => {
  const model = modelFor("coalesced_copy");
  model.trace.arrays[0].name = `<b>"&`;
  assert.doesNotMatch(pictureOf(model, "request", "line=6&access=read", 900)?.body ?? "", /<b>/);
  assert.doesNotMatch(sourceMarkup(model, "p0", [8]), /<\/script>/);
});

test("the caption of a bank conflict says why and what helps", () => {
  const model = modelFor("transpose_32");
  const words = requestCaption(model, requestOn(model, 5, "read", "shared")).join(" ");
  assert.match(
      words,
      /All 32 words lie in bank 0\. A bank serves one word per wavefront, so the request takes 32 wavefronts; words in 32 different banks would take 1\./);
  assert.match(words, /one word longer/);
});

test("the caption of a stride says what is moved for nothing", () => {
  const model = modelFor("stride_copy");
  assert.match(
      requestCaption(model, requestOn(model, 2, "read")).join(" "),
      /128 bytes apart.*32 sectors of 32 bytes are 1,024 bytes, of which 128 are used.*4 sectors would do/);
  assert.match(
      requestCaption(model, requestOn(model, 2, "write")).join(" "),
      /4 bytes behind the beginning of a sector/);
});

test("lanes that are off are said, and lanes that do not exist", () => {
  const model = modelFor("tail");
  assert.match(requestCaption(model, model.requests[2]).join(" "), /Lanes 8–31 are off/);
});

test("accesses outside an array are said and drawn", () => {
  const model = modelFor("out_of_bounds");
  const choice = arrayChoice(model, initialState(model));
  assert.ok(choice);
  assert.match(
      arrayCaption(model, choice).join(" "), /25 accesses lead outside the array, to a\[-1\], a\[40\]/);
  assert.match(drawArray(model, choice, 900).body, /outside the array.*\[-1\].*\[63\]/);
  assert.match(
      requestCaption(model, model.requests[3]).join(" "),
      /Lanes 8–31 write outside the array, first at a\[40\]/);
});

test("remote accesses are named with the block", () => {
  const model = modelFor("cluster");
  assert.match(
      requestCaption(model, requestOn(model, 5, "atomic")).join(" "),
      /update the shared memory of block 1 of the cluster/);
});

test("a race is a line between two accesses", () => {
  const model = modelFor("race");
  const choice = timeChoice(model, initialState(model));
  assert.ok(choice);
  assert.match(drawTime(model, choice, 900).body, /nothing orders them/);
  assert.match(
      timeCaption(model, choice, 900).join(" "),
      /warp 0 of block 0 reads at tick 2 \(line 4\), and warp 1 of block 0 writes at tick 1 \(line 3\)/);
});

test("a barrier at two lines and one that never completed are reported", () => {
  const model = modelFor("broken_barriers");
  const choice = timeChoice(model, initialState(model));
  assert.ok(choice);
  const {body} = drawTime(model, choice, 900);
  assert.match(body, /lines 2 and 4/);
  assert.match(body, /never completed/);
});

test("a cluster's blocks are drawn together, with arrows for remote accesses", () => {
  const model = modelFor("cluster");
  const choice = timeChoice(model, withRequest(model, initialState(model), 0));
  assert.ok(choice);
  const {body, title} = drawTime(model, choice, 900);
  assert.match(title, /block 0, block 1/);
  assert.match(body, /marker-end/);
});

test("cells of a large array stand for several elements, a window for one each", () => {
  const model = modelOf(traceOfRecords(largeTrace(64)));
  const choice = arrayChoice(model, initialState(model));
  assert.ok(choice);
  const array = model.trace.arrays[0];
  assert.ok(isLarge(shapeOf(array, choice.columns)));
  const whole = gridOf(array, choice);
  assert.ok(whole.down * whole.across > 1);
  assert.match(arrayCaption(model, choice).join(" "), /Each cell stands for/);
  const window = {...choice, window: {row: 1000, column: 1000}};
  assert.deepEqual(gridOf(array, window), {
    rows: 32,
    columns: 512,
    row: 0,
    column: 480,
    rowsIn: 32,
    columnsIn: 32,
    down: 1,
    across: 1,
    elements: 16384
  });
  assert.match(
      arrayCaption(model, window).join(" "),
      /Shown is a window: rows 0 to 31 of 32, columns 480 to 511 of 512/);
});

test("before and after: totals, and the place that corresponds", () => {
  const [before, after] = [modelFor("transpose_32"), modelFor("transpose_33")];
  assert.deepEqual([totalsOf(before).wavefronts, totalsOf(after).wavefronts], [32 + 32 * 32, 64]);
  assert.equal(changeWords(1056, 64), "16.5 times fewer");
  const state = counterpart(before, initialState(before), after);
  assert.deepEqual(
      [after.rows[state.row].line, after.rows[state.row].space, after.rows[state.row].access],
      [5, "shared", "read"]);
});

test("a line alone means its row with the greatest excess, of equal ones that of the space before", () => {
  const [bad, good] = [modelFor("transpose_32"), modelFor("transpose_33")];
  const spaceAfter = (model, line, space) => {
    const row = model.rows.findIndex((one) => one.space === space);
    const state = withLine(model, {...initialState(model), row}, 0, line);
    return state && model.rows[state.row].space;
  };
  assert.equal(spaceAfter(bad, 5, "global"), "shared");
  assert.equal(spaceAfter(good, 5, "global"), "global");
  assert.equal(spaceAfter(good, 5, "shared"), "shared");
  assert.equal(spaceAfter(good, 1, "shared"), null);
});

test("names at the top of the modules differ, so that they can be one script", () => {
  /** @type {Map<string, string>} */
  const owner = new Map();
  for (const file of readdirSync(see).filter((one) => one.endsWith(".js") && one !== "picture.js"))
    for (const [, name] of readFileSync(new URL(file, see), "utf8")
             .matchAll(/^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm)) {
      assert.equal(owner.get(name), undefined, `${name} is in ${owner.get(name)} and in ${file}`);
      owner.set(name, file);
    }
  assert.ok(owner.size > 100);
});

test("a request with conflicts has beside it what it would be with rows one word longer", () => {
  const model = modelFor("transpose_32");
  const request = requestOn(model, 5, "read", "shared");
  const padded = paddedRequest(model.trace, request);
  assert.deepEqual([padded?.row, padded?.cost], [32, 1]);
  assert.deepEqual(padded?.banks, Array.from({length: 32}, (_, lane) => (lane + padded.banks[0]) % 32));
  assert.match(
      requestCaption(model, request).join(" "),
      /begins one bank further.*banks 0, 1, 2, … 31: 1 wavefront/);
  assert.match(drawRequest(model, request, 900).body, /Not this run, but what it would be/);
  for (const name of Object.keys(traces))
    for (const one of modelFor(name).requests)
      if (one.cost <= one.least)
        assert.doesNotMatch(drawRequest(modelFor(name), one, 900).body, /Not this run/);
});

test("a request of many sectors has beside it what neighbouring elements would take", () => {
  const model = modelFor("stride_copy");
  const [strided, shifted] = [requestOn(model, 2, "read"), requestOn(model, 2, "write")];
  assert.equal(neighbouringSectors(strided), 4);
  assert.match(drawRequest(model, strided, 900).body, /32 lanes on neighbouring elements: 4 sectors/);
  assert.equal(neighbouringSectors(shifted), null);
});

test("a page explains the words that its trace needs, those of the costs first", () => {
  const terms = (name) => glossaryOf([modelFor(name)]).map(([term]) => term);
  assert.deepEqual(
      terms("transpose_32").slice(0, 5), ["Word", "Bank", "Wavefront", "Bank conflict", "Sector"]);
  assert.equal(terms("coalesced_copy")[0], "Sector");
  assert.ok(!terms("coalesced_copy").includes("Bank"));
});

test("a request is said to be one of many that cost the same", () => {
  const model = modelFor("transpose_32");
  const request = requestOn(model, 5, "read", "shared");
  const row = model.rows.find((one) => one.requestNumbers.includes(request.number) && one.space === "shared");
  assert.deepEqual(
      alikeWords(model, row, request), ["All 32 requests of this line cost 32 wavefronts each."]);
  model.requests[row.requestNumbers[1]].cost = 4;
  assert.deepEqual(
      alikeWords(model, row, request),
      ["31 of the 32 requests of this line cost 32 wavefronts; the other one costs 4."]);
});

test("the array of a request with conflicts is coloured by bank, that of another by warp", () => {
  const choiceOf = (name) => {
    const model = modelFor(name);
    const row = model.rows.find((one) => one.line === 5 && one.space === "shared");
    return arrayChoice(model, withRequest(model, initialState(model), row.requestNumbers[0]));
  };
  assert.equal(choiceOf("transpose_32").by, "bank");
  assert.equal(choiceOf("transpose_33").by, "warp");
  const {arrays} = modelFor("transpose_33").trace;
  const tile = arrays.find((one) => one.name === "tile");
  const banks = Array.from({length: 32}, (_, row) => bankOf(tile, 33 * row));
  assert.equal(new Set(banks).size, 32);
  assert.equal(bankOf(tile, 32), banks[0]);
});

test("given code of a file that is right has no mark of its cost", () => {
  const row = {space: "global", access: "read", requests: 1, cost: 32, least: 4};
  assert.equal(rowMark(row).symbol, "▲▲");
  assert.deepEqual(rowMark({...row, given: true}), {symbol: "·", words: "given code"});
  const markup = (given) => sourceMarkup(modelOf({
    info: {version: 1, title: "f"},
    files: [{path: "a.cu", text: "f();"}],
    launches: [],
    arrays: [],
    sites: [],
    steps: [],
    lines: [{
      file: 0,
      line: 1,
      space: "global",
      access: "read",
      requests: 1,
      cost: 32,
      least: 4,
      lanes: 32,
      bytes: 128,
      given
    }],
    findings: [],
    end: null
  }));
  assert.match(markup(false), /alarm/);
  assert.doesNotMatch(markup(true), /alarm/);
});
