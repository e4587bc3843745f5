// The costs that the pictures show are those in the trace, for every step of every trace.
import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import {env} from "node:process";
import {test} from "node:test";

import {modelOf, traceOfRecords, traceOfText} from "../../see/model.js";
import {globalService, sharedService} from "../../see/service.js";

import {traces} from "./traces.js";

/** What the rules say that a request costs; null where the trace counts nothing (memory of other blocks). */
function costOf(request) {
  if (request.space === "global") return globalService(request).cost;
  if (request.accesses.every((access) => access.owner !== request.block)) return null;
  return sharedService(request).cost;
}

/** @returns how many were compared */
function compareCosts(model, name) {
  let compared = 0;
  for (const request of model.requests) {
    const cost = costOf(request);
    if (cost === null) continue;
    assert.equal(
        cost, request.cost,
        `${name}, request ${request.number}, line ${request.line}: ${request.kind} of ${
            request.space} memory`);
    ++compared;
  }
  return compared;
}

for (const [name, records] of Object.entries(traces))
  test(`${name}: each request costs what the trace says`, () => {
    assert.ok(compareCosts(modelOf(traceOfRecords(records)), name) > 0);
  });

// The folder of real traces, as the command or unit.see-traces leaves them; without it only the ones made by hand.
if (env.SEE_TRACES)
  for (const file of readdirSync(env.SEE_TRACES).filter((one) => one.endsWith(".jsonl")))
    test(`${file}: each request costs what the simulator counted`, () => {
      compareCosts(modelOf(traceOfText(readFileSync(`${env.SEE_TRACES}/${file}`, "utf8"))), file);
    });

const requestsOf = (name) => modelOf(traceOfRecords(traces[name])).requests;

test("a column of a tile with 32 words per row: one word in each of 32 wavefronts, all of bank 0", () => {
  const request = requestsOf("transpose_32").find((one) => one.kind === "read" && one.space === "shared");
  const {groups} = sharedService(request);
  assert.equal(groups.length, 1);
  groups[0].passes.forEach((pass, number) => {
    assert.deepEqual([...pass.keys()], [0]);
    assert.deepEqual(pass.get(0)?.lanes, [number]);
  });
});

test("updates of one address are served in as many rounds as lanes meet, lowest lane first", () => {
  const request = requestsOf("sum").find((one) => one.line === 6);
  const {rounds, roundCount, sectors} = globalService(request);
  assert.equal(roundCount, 32);
  assert.equal(sectors.length, 1);
  for (let lane = 0; lane < 32; ++lane) assert.equal(rounds.get(lane), lane);
});

test("atomic additions of one are served together where the trace says so", () => {
  const [apart, together] = requestsOf("sum").filter((one) => one.space === "shared");
  assert.equal(sharedService(apart).alone, true);
  assert.equal(sharedService(together).alone, false);
});

test("16 bytes are served in four groups of 8 lanes, and in two where pairs share", () => {
  const wide = requestsOf("wide").filter((one) => one.bytes === 16 && one.space === "shared");
  assert.deepEqual(wide.map((one) => sharedService(one).groups.length), [4, 4, 2]);
});
