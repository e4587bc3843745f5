// What follows from a trace: requests, rows of cost, logical time, the places of findings.
import assert from "node:assert/strict";
import {test} from "node:test";

import {clusterOf, modelOf, requestsOfFinding, traceOfRecords, traceOfText} from "../../see/model.js";
import {elementName, indexText, ranges} from "../../see/names.js";
import {functionAround, shownRanges} from "../../see/source_view.js";
import {
  arrayChoice,
  fragmentOf,
  initialState,
  stateOfFragment,
  withRequest,
  withRow,
  withWanted
} from "../../see/state.js";

import {largeTrace, textOf, traces} from "./traces.js";

const modelFor = (name) => modelOf(traceOfRecords(traces[name]));

test("text and records give the same trace", () => {
  assert.deepEqual(traceOfText(textOf(traces.race)), traceOfRecords(traces.race));
});

test("another version is refused with a sentence", () => {
  assert.throws(() => traceOfRecords([{trace: {version: 2, title: "x"}}]), /version 2/);
});

test("joined steps are one request", () => {
  const {requests} = modelFor("cluster");
  const counting = requests.filter((request) => request.kind === "atomic");
  assert.equal(counting.length, 4);
  for (const request of counting) {
    assert.equal(request.accesses.length, 32);
    assert.deepEqual(
        request.accesses.map((access) => access.lane), Array.from({length: 32}, (_, lane) => lane));
    assert.equal(request.remote, true);
  }
});

test("a request whose lanes go both ways stands in both rows", () => {
  const {rows} = modelFor("cluster");
  for (const space of ["shared", "remote"])
    assert.equal(
        rows.find((row) => row.space === space && row.access === "atomic")?.requestNumbers.length, 4);
});

test("rows of cost hold the totals of the trace and the requests of the line", () => {
  const {rows} = modelFor("coalesced_copy");
  assert.deepEqual(
      rows.map(({line, space, access, requests, cost}) => [line, space, access, requests, cost]),
      [[6, "global", "read", 4, 16], [6, "global", "write", 4, 16]]);
  assert.deepEqual(rows.map((row) => row.requestNumbers.length), [4, 4]);
});

test("a barrier's warps go on together", () => {
  const model = modelFor("transpose_32");
  const [barrier] = model.barriers;
  assert.equal(barrier.tick, 2);
  for (const warp of model.warps.values())
    assert.deepEqual(warp.events.map((event) => event.tick), [0, 1, 2, 3, 4]);
});

test("a barrier that never completed ends its warps", () => {
  const model = modelFor("broken_barriers");
  assert.deepEqual(model.barriers.map((barrier) => barrier.ended), [true, false]);
  assert.ok(model.lastTick < 10);
});

test("a cluster's barrier orders its blocks, and not those of another cluster", () => {
  const model = modelFor("cluster");
  assert.equal(model.barriers.length, 4);
  assert.deepEqual([0, 1, 2, 3].map((block) => clusterOf(model.trace.launches[0], block)), [0, 0, 1, 1]);
});

test("a child grid begins after the event that launched it", () => {
  const {grids} = modelFor("children");
  assert.deepEqual(grids.map((grid) => grid.first), [0, 3, 6, 7]);
});

test("a race's two accesses are found, and overlap in the element", () => {
  const model = modelFor("race");
  const [read, write] = requestsOfFinding(model, model.trace.findings[0]);
  assert.deepEqual([read.kind, read.thread, write.kind, write.thread], ["read", 0, "write", 32]);
});

test("places that the trace does not join are no pair", () => {
  const model = modelOf(traceOfRecords(largeTrace(800)));
  assert.equal(requestsOfFinding(model, model.trace.findings[0]).length, 1);
});

test("the page opens at a finding, otherwise at the greatest excess", () => {
  const at = (name) => {
    const model = modelFor(name);
    const state = initialState(model);
    return [model.rows[state.row].line, model.rows[state.row].space, model.rows[state.row].access];
  };
  assert.deepEqual(at("race"), [4, "shared", "read"]);
  assert.deepEqual(at("out_of_bounds"), [2, "global", "write"]);
  assert.deepEqual(at("stride_copy"), [2, "global", "read"]);
  assert.deepEqual(at("transpose_32"), [5, "shared", "read"]);
  assert.deepEqual(at("broken_barriers"), [3, "global", "write"]);
});

test("a state goes through the address and comes back", () => {
  for (const name of Object.keys(traces)) {
    const model = modelFor(name);
    for (const row of model.rows) {
      let state = withRow(model, initialState(model), row.number);
      state = withRequest(model, state, row.requestNumbers[row.requestNumbers.length - 1]);
      state = {...state, show: "write", by: "tick", time: 1, view: "array"};
      const back = stateOfFragment(model, `#${fragmentOf(model, state, "after.")}`, "after.");
      assert.deepEqual({...back, unfolded: []}, {...state, cursor: null});
    }
  }
});

test("an address with nonsense in it opens at the beginning", () => {
  const model = modelFor("race");
  for (const fragment
           of ["#line=999&request=7", "#array=nothing&owner=9:9&by=colour&window=1:1", "#time=x&finding=12",
               "#%%%"])
    assert.equal(stateOfFragment(model, fragment, "").request, initialState(model).request, fragment);
});

test("an array can be named in the address", () => {
  const model = modelFor("transpose_33");
  const state = stateOfFragment(model, "#line=3&array=tile", "");
  assert.equal(arrayChoice(model, state)?.array, 1);
});

test("another warp or block is the nearest request of the line", () => {
  const model = modelFor("transpose_33");
  const state = withRow(
      model, initialState(model), model.rows.findIndex((row) => row.line === 5 && row.space === "shared"));
  assert.equal(model.requests[withWanted(model, state, {thread: 96}).request].thread, 96);
});

test("elements have the names that the program gives them", () => {
  const {trace} = modelFor("transpose_33");
  assert.equal(elementName(trace, 1, 33 * 4 * 5), "tile[5][0]");
  assert.equal(elementName(trace, 1, 33 * 4 * 32), "tile[32][0]");
  assert.equal(elementName(trace, 0, -4), "in[-1]");
  assert.equal(elementName(trace, 0, 6), "in[1] + 2 bytes");
  assert.equal(
      indexText({name: "", space: "global", bytes: 96, element_bytes: 4, extents: [2, 3, 4], address: 0}, 17),
      "[1][1][1]");
});

test("lanes are named as ranges", () => {
  assert.equal(ranges([0, 1, 2, 5, 7, 8]), "0–2, 5, 7, 8");
});

test("the source shows whole functions and folds the rest", () => {
  assert.deepEqual(shownRanges(modelFor("coalesced_copy"), 0), [{first: 3, last: 7}]);
});

test("a function is found in namespaces, behind other functions, with braces in strings and comments", () => {
  const text = [
    "namespace a {", "void f() { g('{', \"{\"); /* { */ }", "// About h.", "template <class T>",
    "void h(T t) {", "  for (;;) {", "    t();", "  }", "}", "}"
  ].join("\n");
  assert.deepEqual(functionAround(text, 7), {first: 3, last: 9});
  assert.deepEqual(functionAround(text, 2), {first: 2, last: 2});
  assert.equal(functionAround(text, 1), null);
});
