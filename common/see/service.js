// How the hardware serves a request: which sectors it touches, which word each bank gives in which wavefront. The
// rules are those of docs/simulator.md, "Counters"; the costs must equal those in the trace.

/** @typedef {import("./model.js").Request} Request */
/** @typedef {import("./model.js").LaneAccess} LaneAccess */

import {lanesPerWarp} from "./model.js";

export const sectorBytes = 32;
export const bankBytes = 4;
export const bankCount = 32;

/**
 * @typedef {{word: number, lanes: number[], array: number, offset: number}} ServedWord
 * @typedef {Map<number, ServedWord>} Pass by bank
 * @typedef {{lanes: number[], passes: Pass[]}} Group
 * @typedef {{groups: Group[], cost: number, least: number, alone: boolean}} SharedService
 * @typedef {{cost: number, sectors: number[], rounds: Map<number, number>, roundCount: number}} GlobalService
 * @typedef {{row: number, banks: number[], cost: number, groups: Group[]}} Padded `row` is the length of a row in words as it
 * is, `banks` those of the lanes with one word more
 */

/**
 * @param {LaneAccess[]} accesses
 * @param {number} bytes
 */
function distinctSectors(accesses, bytes) {
  /** @type {Set<number>} */
  const sectors = new Set();
  for (const {address} of accesses) {
    sectors.add(Math.floor(address / sectorBytes));
    sectors.add(Math.floor((address + bytes - 1) / sectorBytes));
  }
  return sectors;
}

/**
 * The sectors of a request to global memory. Atomic updates of one address are made in rounds: each serves the first
 * waiting lane of every address.
 * @param {Request} request
 * @returns {GlobalService}
 */
export function globalService(request) {
  const sectors = [...distinctSectors(request.accesses, request.bytes)].sort((a, b) => a - b);
  /** @type {Map<number, number>} */
  const rounds = new Map();
  if (request.kind !== "atomic") {
    for (const access of request.accesses) rounds.set(access.lane, 0);
    return {cost: sectors.length, sectors, rounds, roundCount: 1};
  }
  let cost = 0;
  let round = 0;
  for (let waiting = request.accesses; waiting.length > 0; ++round) {
    /** @type {Set<number>} */
    const served = new Set();
    const now = waiting.filter((access) => !served.has(access.address) && served.add(access.address));
    for (const access of now) rounds.set(access.lane, round);
    cost += distinctSectors(now, request.bytes).size;
    waiting = waiting.filter((access) => !now.includes(access));
  }
  return {cost, sectors, rounds, roundCount: round};
}

/**
 * Whether all active lanes agree in address with the lane that is `distance` away in their pair or four.
 * @param {LaneAccess[]} accesses
 * @param {number} distance
 */
function paired(accesses, distance) {
  const addresses = new Map(accesses.map((access) => [access.lane, access.address]));
  return accesses.every(({lane, address}) => (addresses.get(lane ^ distance) ?? address) === address);
}

/**
 * The groups of lanes that are served apart.
 * @param {Request} request
 * @returns {LaneAccess[][]}
 */
function groupsOf(request) {
  const {bytes, accesses} = request;
  if (bytes <= 4) return [accesses];
  const merges = request.kind === "read" && (paired(accesses, 1) || paired(accesses, 2));
  const units = bytes <= 8 ? 1 : 2;
  const lanes = lanesPerWarp / units / (merges ? 1 : 2);
  const groups = [];
  for (let first = 0; first < lanesPerWarp; first += lanes)
    groups.push(accesses.filter(({lane}) => lane >= first && lane < first + lanes));
  return groups.filter((group) => group.length > 0);
}

/**
 * In each pass a bank gives its next word: to all lanes that want it, or to one lane if they are served alone.
 * @param {LaneAccess[]} accesses
 * @param {number} bytes
 * @param {boolean} alone
 * @returns {Pass[]}
 */
function passesOf(accesses, bytes, alone) {
  /** @type {Map<number, ServedWord[]>} */
  const queues = new Map();
  /** @type {Map<number, ServedWord>} */
  const known = new Map();
  const byAddress = [...accesses].sort((a, b) => a.address - b.address || a.lane - b.lane);
  for (const access of byAddress) {
    const last = Math.floor((access.address + bytes - 1) / bankBytes);
    for (let word = Math.floor(access.address / bankBytes); word <= last; ++word) {
      const earlier = known.get(word);
      if (earlier && !alone) {
        earlier.lanes.push(access.lane);
        continue;
      }
      const bank = ((word % bankCount) + bankCount) % bankCount;
      const offset = access.offset + word * bankBytes - access.address;
      const served = {word, lanes: [access.lane], array: access.array, offset};
      known.set(word, served);
      const queue = queues.get(bank);
      if (queue)
        queue.push(served);
      else
        queues.set(bank, [served]);
    }
  }
  /** @type {Pass[]} */
  const passes = [];
  for (const [bank, queue] of queues)
    queue.forEach((served, pass) => {
      while (passes.length <= pass) passes.push(new Map());
      passes[pass].set(bank, served);
    });
  return passes;
}

/**
 * The wavefronts of a request to the block's own shared memory. Whether atomic updates of one word are served one by
 * one depends on the instruction, which the trace does not name: the cost in the trace decides.
 * @param {Request} request
 * @returns {SharedService}
 */
export function sharedService(request) {
  const own = request.accesses.filter((access) => access.owner === request.block);
  const accesses = own.length > 0 ? own : request.accesses;
  /** @param {boolean} alone */
  const serve = (alone) => {
    const groups = groupsOf({...request, accesses}).map((group) => ({
                                                          lanes: group.map((access) => access.lane),
                                                          passes: passesOf(group, request.bytes, alone),
                                                        }));
    const cost = groups.reduce((sum, group) => sum + group.passes.length, 0);
    return {groups, cost, least: groups.length, alone};
  };
  if (request.kind !== "atomic") return serve(false);
  const together = serve(false);
  const apart = serve(true);
  return together.cost === request.cost && apart.cost !== request.cost ? together : apart;
}

/**
 * The distance in bytes between neighbouring lanes where it is the same for all; otherwise null.
 * @param {Request} request
 */
export function distanceOf(request) {
  const [first, second] = request.accesses;
  if (!second) return null;
  const distance = (second.address - first.address) / (second.lane - first.lane);
  const even = request.accesses.every(
      (access) => access.address === first.address + (access.lane - first.lane) * distance);
  return even ? distance : null;
}

/**
 * How a request with conflicts would be served if each row of its array had one word more; null where the lanes are not
 * evenly spaced, where there are no rows, or where it would still cost more than the least.
 * @param {import("./model.js").Trace} trace
 * @param {Request} request
 * @returns {Padded | null}
 */
export function paddedRequest(trace, request) {
  const number = request.accesses[0].array;
  const array = trace.arrays[number];
  const distance = distanceOf(request);
  if (request.space !== "shared" || request.remote || request.kind === "atomic" ||
      request.bytes !== bankBytes || array?.element_bytes !== bankBytes || distance === null ||
      request.accesses.some((access) => access.array !== number))
    return null;
  const service = sharedService(request);
  if (service.cost <= service.least) return null;
  const extents = array.extents ?? [];
  const step = Math.abs(distance) / bankBytes;
  const row = extents.length > 1 ? extents[extents.length - 1] : step >= bankCount ? step : 0;
  if (row < 2) return null;
  const accesses = request.accesses.map((access) => {
    const further = Math.floor(access.offset / bankBytes / row) * bankBytes;
    return {...access, offset: access.offset + further, address: access.address + further};
  });
  const {groups, cost, least} = sharedService({...request, accesses});
  const banks = accesses.map(({address}) => Math.floor(address / bankBytes) % bankCount);
  return cost === least ? {row, banks, cost, groups} : null;
}

/**
 * How many sectors the lanes of a request that moves too many would move if they took neighbouring elements from the
 * beginning of a sector on; null where that would not be the least, or where they do so but for the beginning.
 * @param {Request} request
 * @returns {number | null}
 */
export function neighbouringSectors(request) {
  const sectors = Math.ceil((request.accesses.length * request.bytes) / sectorBytes);
  const distance = Math.abs(distanceOf(request) ?? 0);
  return request.space === "global" && request.kind !== "atomic" && request.cost > request.least &&
          distance !== request.bytes && sectors === request.least ?
      sectors :
      null;
}
