// Captions: what one sees in a picture and why it costs that, for readers who have never heard of it.

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Request} Request */
/** @typedef {import("./model.js").CostRow} CostRow */

import {excess, isOutside, lanesOf, lanesPerWarp, unitOf} from "./model.js";
import {
  arrayName,
  blockName,
  counted,
  elementName,
  grouped,
  laneWords,
  ranges,
  ratio,
  spaceWords,
  thirdPerson,
  verbOf,
  warpOf
} from "./names.js";
import {
  bankCount,
  distanceOf,
  globalService,
  neighbouringSectors,
  paddedRequest,
  sectorBytes,
  sharedService
} from "./service.js";

/**
 * The terms that a page needs, each with what it means: what the costs are counted in first.
 * @param {Model[]} models
 * @returns {[term: string, meaning: string][]}
 */
export function glossaryOf(models) {
  const uses = (/** @type {string} */ space) =>
      models.some((model) => model.rows.some((row) => row.space === space));
  /** @type {[string, string][]} */
  const shared = [
    ["Word", "4 bytes of memory, such as a `float` or an `int`."],
    [
      "Bank",
      "one of the 32 parts of shared memory, which work side by side. Word 0 lies in bank 0, word 1 in bank 1, … word 31 in bank 31, word 32 in bank 0 again."
    ],
    [
      "Wavefront",
      "one pass over the banks, in which each bank serves one word, to any number of lanes. The wavefronts of a request are served one after the other: the more there are, the longer it takes."
    ],
    [
      "Bank conflict",
      "lanes ask for different words of one bank in one request. The bank serves these words one after the other, each in a wavefront of its own. The same word for several lanes is no conflict."
    ]
  ];
  /** @type {[string, string][]} */
  const global = [[
    "Sector",
    "32 neighbouring bytes of global memory. Only whole sectors are moved, and one after the other: the more of them a request touches, the longer it takes."
  ]];
  /** @type {[string, string][]} */
  const all = [
    ["Request", "one memory instruction of one warp: the accesses of all lanes that take part."],
    ["Warp", "32 neighbouring threads of a block, which execute an instruction together."],
    ["Lane", "a thread's place in its warp, 0 to 31."],
    [
      "Block",
      "threads that use the same shared memory and can wait for each other. A grid is all blocks of one launch."
    ],
    ["Least", "the fewest sectors or wavefronts in which as many bytes can be served."]
  ];
  return [...(uses("shared") ? shared : []), ...(uses("global") ? global : []), ...all];
}

/**
 * How many requests of a line cost what this one does.
 * @param {Model} model
 * @param {CostRow} row
 * @param {Request} request
 * @returns {string[]}
 */
export function alikeWords(model, row, request) {
  const costs = row.requestNumbers.map((number) => model.requests[number].cost);
  if (row.space === "remote" || costs.length < 2) return [];
  const others = costs.filter((cost) => cost !== request.cost);
  const where = row.requests > costs.length ? "this line in this page" : "this line";
  const unit = unitOf(row).slice(0, -1);
  if (others.length === 0)
    return [`All ${grouped(costs.length)} requests of ${where} cost ${counted(request.cost, unit)} each.`];
  const [lowest, highest] = [Math.min(...others), Math.max(...others)];
  return [`${grouped(costs.length - others.length)} of the ${grouped(costs.length)} requests of ${
      where} cost ${counted(request.cost, unit)}; the other${others.length === 1 ? " one costs" : "s cost"} ${
      lowest === highest ? lowest : `${lowest} to ${highest}`}.`];
}

/** @param {CostRow} row */
export function rowName(row) { return `${row.access} of ${spaceWords(row.space)} memory`; }

/** @param {CostRow} row */
export function rowCost(row) {
  if (row.space === "remote") return `${counted(row.lanes, "access", "accesses")} of lanes`;
  const unit = unitOf(row);
  const requests = Math.max(1, row.requests);
  return `${ratio(row.cost / requests)} ${unit} per request, least ${ratio(row.least / requests)}`;
}

/**
 * A mark for the excess that needs no colour.
 * @param {CostRow} row
 */
export function rowMark(row) {
  if (row.space === "remote") return {symbol: "→", words: "not counted in wavefronts"};
  if (row.given) return {symbol: "·", words: "given code"};
  const above = excess(row);
  if (above <= 1.0001) return {symbol: "✓", words: "at the least"};
  if (above < 2) return {symbol: "△", words: `${ratio(above)} × the least`};
  return {symbol: above < 8 ? "▲" : "▲▲", words: `${ratio(above)} × the least`};
}

/**
 * Who makes the request, and where.
 * @param {Model} model
 * @param {Request} request
 */
export function requestName(model, request) {
  const where = request.file < 0 ? "a place that is not known" :
                                   `${model.trace.files[request.file].path}:${request.line}`;
  return `${where}, ${request.kind} of ${spaceWords(request.space)} memory by warp ${
      warpOf(request.thread)} of ${blockName(model.trace, request.launch, request.block)}`;
}

/**
 * @param {Model} model
 * @param {Request} request
 */
function elementsOf(model, request) {
  const {accesses} = request;
  const [first, last] = [accesses[0], accesses[accesses.length - 1]];
  const from = elementName(model.trace, first.array, first.offset);
  const to = elementName(model.trace, last.array, last.offset);
  return from === to ? from : `${from} to ${to}`;
}

/** @param {Request} request */
function byteCount(request) {
  /** @type {Set<number>} */
  const seen = new Set();
  for (const {address} of request.accesses)
    for (let i = 0; i < request.bytes; ++i) seen.add(address + i);
  return seen.size;
}

/** @param {Request} request */
function lanesThatAct(request) {
  const {length} = request.accesses;
  if (length === 1) return `Lane ${request.accesses[0].lane} alone`;
  return length === lanesPerWarp ? `All ${lanesPerWarp} lanes` : `${length} lanes`;
}

/**
 * @param {Model} model
 * @param {Request} request
 */
function aboutLanesOff(model, request) {
  const on = request.accesses.map((access) => access.lane);
  if (on.length === lanesPerWarp) return [];
  const {block} = model.trace.launches[request.launch];
  const threads = block[0] * block[1] * block[2];
  const missing = lanesOf(~request.lanes >>> 0);
  const absent = missing.filter((lane) => request.thread + lane >= threads);
  const idle = missing.filter((lane) => request.thread + lane < threads);
  const words = [];
  if (idle.length > 0)
    words.push(
        `${upper(laneWords(idle))} ${idle.length === 1 ? "is" : "are"} off: ${
            idle.length === 1 ?
                "its thread does" :
                "their threads do"} not come to this access, as behind an \`if\` that does not hold for them. They wait until the others are done.`,
    );
  if (absent.length > 0)
    words.push(`${upper(laneWords(absent))} ${absent.length === 1 ? "does" : "do"} not exist: the block has ${
        counted(threads, "thread")}.`);
  return words;
}

/**
 * @param {Model} model
 * @param {Request} request
 */
function aboutStrays(model, request) {
  const outside = request.accesses.filter((access) => isOutside(model.trace, access));
  if (outside.length === 0) return [];
  const [first] = outside;
  const array = first.array < 0 ? null : model.trace.arrays[first.array];
  const size = array && array.element_bytes ?
      ` ${arrayName(model.trace, first.array)} has ${
          counted(
              array.bytes / array.element_bytes, "element")}, so compare the index with the length first.` :
      "";
  return [
    `${upper(laneWords(outside.map((access) => access.lane)))} ${
        outside.length === 1 ? thirdPerson(request.kind) :
                               verbOf(request.kind)} outside the array, first at ${
        elementName(model.trace, first.array, first.offset)}.${size}`,
  ];
}

/** @param {string} words */
export function upper(words) { return words.charAt(0).toUpperCase() + words.slice(1); }

/**
 * @param {Model} model
 * @param {Request} request
 */
function globalWords(model, request) {
  const {cost, sectors, roundCount} = globalService(request);
  const used = byteCount(request);
  const moved = sectors.length * sectorBytes;
  const verb = verbOf(request.kind);
  const acts = request.accesses.length === 1 ? thirdPerson(request.kind) : verb;
  const who = lanesThatAct(request);
  const distance = distanceOf(request);
  const what = elementsOf(model, request);
  const words = [];
  if (request.kind === "atomic") {
    if (roundCount > 1) {
      const most = Math.max(...[...countBy(request.accesses.map((access) => access.address)).values()]);
      words.push(
          request.accesses.length === most ?
              `${who} update the same element, ${what}.` :
              `${who} update ${
                  counted(
                      new Set(request.accesses.map((access) => access.address)).size,
                      "element")}; up to ${most} lanes meet in one of them.`,
          `Updates of one address are made one after the other, so the request takes ${
              roundCount} rounds, with ${
              counted(
                  cost, "sector")} in all. The second row of boxes says in which round each lane is served.`,
          "Combine the values first, within the warp or in shared memory, and update global memory once for many.",
      );
    } else {
      words.push(`${who} ${acts} ${what}. No two lanes use the same address, so one round serves all: ${
          counted(cost, "sector")}.`);
    }
    return words;
  }
  if (distance === 0) {
    words.push(`${who} ${acts} the same element, ${what}. One sector serves them all.`);
  } else if (distance === request.bytes) {
    words.push(`${who} ${acts} neighbouring elements of ${counted(request.bytes, "byte")}, ${what}: ${
        used} bytes, which lie in ${counted(sectors.length, "sector")} of ${sectorBytes} bytes.`);
    if (cost > request.least) {
      const into = ((request.accesses[0].address % sectorBytes) + sectorBytes) % sectorBytes;
      words.push(`The first byte lies ${
          into} bytes behind the beginning of a sector, so the request reaches into one sector more than the ${
          request
              .least} that would do. It would begin at a sector if the elements before it were handled apart.`);
    }
  } else if (distance !== null) {
    const apart = Math.abs(distance);
    words.push(
        apart === request.bytes ? `${who} ${acts} neighbouring elements in descending order, ${
                                      what}: the order of lanes within the sectors costs nothing.` :
                                  `${who} ${acts} elements that lie ${apart} bytes apart, ${what}.`,
    );
    if (apart >= sectorBytes && cost > request.least)
      words.push(`Each lies in a sector of its own. A sector is moved as a whole: ${cost} sectors of ${
          sectorBytes} bytes are ${grouped(moved)} bytes, of which ${
          used} are used. The hatched rest is moved for nothing.`);
    else if (cost > request.least)
      words.push(`${counted(cost, "sector")} of ${sectorBytes} bytes are moved, ${
          grouped(moved)} bytes, of which ${used} are used.`);
  } else if (request.accesses.length === 1) {
    words.push(`${who} ${acts} ${what}: one lane alone moves ${counted(cost, "whole sector")}.`);
  } else {
    words.push(`${who} ${acts} elements in ${counted(sectors.length, "sector")}: ${
        grouped(moved)} bytes are moved, of which ${used} are used.`);
  }
  if (cost <= request.least)
    words.push(`No request for ${counted(used, "byte")} takes fewer.`);
  else if (distance !== request.bytes)
    words.push(
        `If neighbouring lanes took neighbouring elements, ${counted(request.least, "sector")} would do${
            neighbouringSectors(request) === null ? "" : ", as the small picture at the bottom shows"}.`);
  return words;
}

/**
 * @template T
 * @param {T[]} values
 * @returns {Map<T, number>}
 */
export function countBy(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/**
 * Why one word more in each row helps.
 * @param {import("./service.js").Padded} padded
 */
export function paddedWords({row, banks, cost}) {
  const list =
      banks.length > 4 ? `${banks.slice(0, 3).join(", ")}, … ${banks[banks.length - 1]}` : banks.join(", ");
  return `Each row then begins ${
      row % bankCount === 0 ?
          "one bank further than the row before" :
          "in another bank"}, so the same words lie in banks ${list}: ${counted(cost, "wavefront")}.`;
}

/**
 * @param {Model} model
 * @param {Request} request
 */
function sharedWords(model, request) {
  const service = sharedService(request);
  const {groups, cost, least, alone} = service;
  const distance = distanceOf(request);
  const acts = request.accesses.length === 1 ? thirdPerson(request.kind) : verbOf(request.kind);
  const who = lanesThatAct(request);
  const passes = groups.flatMap((group) => group.passes);
  const served = passes.flatMap((pass) => [...pass.values()]);
  const banks = new Set(passes.flatMap((pass) => [...pass.keys()]));
  const broadcast = served.some((word) => word.lanes.length > 1);
  const words = [];
  if (request.bytes > 4 && groups.length > 1)
    words.push(`Accesses of ${request.bytes} bytes are served in groups of ${
        request.bytes > 8 ? 8 : 16} lanes: here ${groups.length} groups, of at least one wavefront each.`);
  if (cost <= least) {
    const each = groups.length > 1 ? "In each group" : "";
    if (served.length === 1)
      words.push(
          request.accesses.length === 1 ?
              `${who} ${acts} one word: one wavefront.` :
              `${who} ${acts} the same word, ${
                  elementsOf(
                      model, request)}. Its bank gives it to all of them in one wavefront: a broadcast.`);
    else
      words.push(
          `${each ? `${each} all` : "All"} words lie in different banks${
              broadcast ? ", or are the same word, which its bank gives to several lanes at once" :
                          ""}. Every bank serves one word per wavefront, so ${
              groups.length > 1 ? "one wavefront per group serves all of its lanes" :
                                  "one wavefront serves all lanes"}. That is the least.`,
      );
    return words;
  }
  if (alone && request.kind === "atomic") {
    const most = Math.max(...countBy(request.accesses.map((access) => access.address)).values());
    if (most > 1) {
      words.push(
          `Up to ${
              most} lanes update the same word. A bank makes one update of a word per wavefront, so the request takes ${
              cost} wavefronts.`,
          "Fewer lanes meet in a word if each warp has counts of its own, or if lanes combine their values before the update.",
      );
      return words;
    }
  }
  if (banks.size === 1) {
    words.push(
        `${
            request.accesses.length === lanesPerWarp ? "All 32 words lie" :
                                                       `The ${served.length} words lie`} in bank ${
                [...banks][0]}. A bank serves one word per wavefront, so the request takes ${
            cost} wavefronts; words in ${Math.min(bankCount, served.length)} different banks would take ${
            least}.`,
    );
  } else {
    const worst = groups.reduce((a, b) => (b.passes.length > a.passes.length ? b : a));
    const busy = [...worst.passes[worst.passes.length - 1].keys()].sort((a, b) => a - b);
    words.push(
        `${busy.length === 1 ? `Bank ${busy[0]} has` : `Banks ${ranges(busy)} have`} to serve ${
            worst.passes.length} different words${
            groups.length > 1 ? " for one group of lanes" :
                                ""}. A bank serves one word per wavefront, so the request takes ${
            cost} wavefronts where ${least} would do.`,
    );
  }
  if (distance !== null && distance !== 0) {
    const step = Math.abs(distance) / 4;
    words.push(`Neighbouring lanes are ${Math.abs(distance)} bytes (${
        step} words) apart, and the banks repeat every 32 words.`);
    const padded = paddedRequest(model.trace, request);
    if (padded)
      words.push(
          `The usual cure is to pad: make each row one word longer (${padded.row + 1} words in place of ${
              padded.row}). ${paddedWords(padded)} The small picture at the bottom shows it.`);
    else if (step > request.bytes / 4)
      words.push(
          "The usual cure is to leave words free, or to place the elements differently, so that the lanes of a group find their words in different banks.");
  } else {
    words.push("Where the order can be chosen, let neighbouring lanes use neighbouring words.");
  }
  return words;
}

/**
 * @param {Model} model
 * @param {Request} request
 */
function remoteWords(model, request) {
  const remote = request.accesses.filter((access) => access.owner !== request.block);
  const owners = [...new Set(remote.map((access) => access.owner))].sort((a, b) => a - b);
  return [
    `${upper(laneWords(remote.map((access) => access.lane)))} ${
        remote.length === 1 ? thirdPerson(request.kind) : verbOf(request.kind)} the shared memory of ${
        owners.length === 1 ?
            blockName(model.trace, request.launch, owners[0]) :
            `${
                owners
                    .length} other blocks`} of the cluster. Such accesses travel between multiprocessors. They are counted by lane, not in wavefronts.`,
  ];
}

/**
 * @param {Model} model
 * @param {Request} request
 * @returns {string[]} sentences
 */
export function requestCaption(model, request) {
  const own = request.accesses.some((access) => access.owner === request.block);
  return [
    ...(request.space === "global" ? globalWords(model, request) :
            own                    ? sharedWords(model, request) :
                                     []),
    ...(request.space !== "global" && request.remote ? remoteWords(model, request) : []),
    ...aboutStrays(model, request),
    ...aboutLanesOff(model, request),
  ];
}

/** @param {Request} request */
export function requestCostWords(request) {
  if (request.space !== "global" && request.accesses.every((access) => access.owner !== request.block))
    return counted(request.accesses.length, "remote access", "remote accesses");
  const unit = request.space === "global" ? "sector" : "wavefront";
  return `${counted(request.cost, unit)}, least ${request.least}`;
}
