// A trace as docs/trace-format.md describes it, and what follows from it: requests, cost rows, logical time.

/**
 * @typedef {{version: number, title: string, call?: string, file?: string, submission?: string, made?: string,
 *   schedule?: string, verdict?: string, numbers?: Record<string, string | number>}} TraceInfo
 * @typedef {{path: string, text: string}} SourceFile
 * @typedef {{kernel: string, grid: number[], block: number[], cluster?: number[], shared_bytes?: number, depth?: number,
 *   parent?: {launch: number, block: number, thread: number}}} Launch
 * @typedef {{name: string, space: "global" | "shared", bytes: number, element_bytes: number, extents?: number[],
 *   address: number}} TracedArray
 * @typedef {{file?: number, line?: number, kernel: string}} Site
 * @typedef {{kind: string, launch: number, block: number, thread: number, lanes: number, site?: number, array?: number,
 *   bytes?: number, at?: number[], from?: number, by?: number, cost?: number, least?: number, owner?: number,
 *   joined?: boolean, scope?: string, phase?: number, ended?: boolean, child?: number, first?: number,
 *   last?: number}} Step
 * @typedef {{file?: number, line?: number, space: string, access: string, requests: number, cost?: number, least?: number,
 *   lanes: number, bytes: number, remote?: boolean, given?: boolean}} LineTotals
 * @typedef {{file: number, line: number, launch?: number, block?: number, thread?: number, access?: string}} Place
 * @typedef {{id: string, sentence: string, details?: string[], places: Place[]}} Finding
 * @typedef {{info: TraceInfo, files: SourceFile[], launches: Launch[], arrays: TracedArray[], sites: Site[], steps: Step[],
 *   lines: LineTotals[], findings: Finding[], end: {steps: number, left_out: number} | null}} Trace
 */

/**
 * One lane's access. `address` tells sectors, banks and equality: it is the offset from a place of the array's own
 * that has the right remainder modulo 128.
 * @typedef {{lane: number, array: number, offset: number, address: number, owner: number}} LaneAccess
 */

/**
 * What one instruction of a warp asks of memory: a step, with those that are joined to it.
 * @typedef {{number: number, kind: string, launch: number, block: number, thread: number, lanes: number, file: number,
 *   line: number, space: string, remote: boolean, bytes: number, accesses: LaneAccess[], cost: number, least: number, tick: number,
 *   repeat: number}} Request
 */

/**
 * A row of cost beside the source: the requests that one line makes to one space in one way. `space` is `remote` for
 * the shared memory of other blocks; `file` is -1 where the place is not known.
 * @typedef {{file: number, line: number, space: string, access: string, requests: number, cost: number, least: number,
 *   lanes: number, bytes: number, given?: boolean, number: number, requestNumbers: number[]}} CostRow
 */

/**
 * One thing that a warp does, at its logical time. `request` is -1 if it is no access, `barrier` likewise.
 * @typedef {{kind: string, launch: number, block: number, thread: number, tick: number, lanes: number, request: number,
 *   barrier: number, child: number, file: number, line: number}} TimeEvent
 */

/**
 * @typedef {{number: number, scope: string, launch: number, block: number, phase: number, ended: boolean, tick: number,
 *   expected: number, waiting: WarpTrack[]}} Barrier
 * @typedef {{launch: number, block: number, thread: number, events: TimeEvent[], tick: number, next: number}} WarpTrack
 * @typedef {{launch: number, first: number, last: number, warps: WarpTrack[], blocks: number[]}} GridTime
 */

/**
 * @typedef {{trace: Trace, requests: Request[], rows: CostRow[], warps: Map<string, WarpTrack>, barriers: Barrier[],
 *   grids: GridTime[], lastTick: number}} Model
 */

export const lanesPerWarp = 32;

/** Distance between the addresses of two arrays: more than any of them is long, and a multiple of 128. */
const arrayDistance = 2 ** 42;

/**
 * @param {Record<string, any>[]} records
 * @returns {Trace}
 */
export function traceOfRecords(records) {
  /** @type {Trace} */
  const trace = {
    info: {version: 0, title: ""},
    files: [],
    launches: [],
    arrays: [],
    sites: [],
    steps: [],
    lines: [],
    findings: [],
    end: null,
  };
  for (const record of records) {
    if (record.trace)
      trace.info = record.trace;
    else if (record.file)
      trace.files.push(record.file);
    else if (record.launch)
      trace.launches.push(record.launch);
    else if (record.array)
      trace.arrays.push(record.array);
    else if (record.site)
      trace.sites.push(record.site);
    else if (record.step)
      trace.steps.push(record.step);
    else if (record.line)
      trace.lines.push(record.line);
    else if (record.finding)
      trace.findings.push(record.finding);
    else if (record.end)
      trace.end = record.end;
  }
  if (trace.info.version !== 1)
    throw new Error(`The trace has version ${trace.info.version}, and this page reads version 1.`);
  return trace;
}

/**
 * @param {string} text JSON Lines
 * @returns {Trace}
 */
export function traceOfText(text) {
  return traceOfRecords(
      text.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line)),
  );
}

/**
 * @param {number} mask
 * @returns {number[]} the lanes in it, lowest first
 */
export function lanesOf(mask) {
  const lanes = [];
  for (let lane = 0; lane < lanesPerWarp; ++lane)
    if ((mask >>> lane) & 1) lanes.push(lane);
  return lanes;
}

/**
 * @param {number} launch
 * @param {number} block
 * @param {number} thread
 */
export function warpKey(launch, block, thread) { return `${launch}:${block}:${thread}`; }

/**
 * @param {number[]} extents x, y, z
 */
export function volume(extents) { return extents.reduce((product, extent) => product * extent, 1); }

/**
 * The linear number of the cluster that a block is in.
 * @param {Launch} launch
 * @param {number} block
 */
export function clusterOf(launch, block) {
  const [width, height] = launch.grid;
  const [x, y, z] = [block % width, Math.floor(block / width) % height, Math.floor(block / (width * height))];
  const [clusterX, clusterY, clusterZ] = launch.cluster ?? [1, 1, 1];
  const across = Math.ceil(width / clusterX);
  const down = Math.ceil(height / clusterY);
  return Math.floor(x / clusterX) + across * (Math.floor(y / clusterY) + down * Math.floor(z / clusterZ));
}

/**
 * @param {Trace} trace
 * @param {Step} step
 * @returns {LaneAccess[]}
 */
function accessesOf(trace, step) {
  const array = step.array ?? -1;
  const start = (array + 1) * arrayDistance + (array < 0 ? 0 : trace.arrays[array].address);
  return lanesOf(step.lanes).map((lane, place) => {
    const offset = step.at ? step.at[place] : (step.from ?? 0) + place * (step.by ?? 0);
    return {lane, array, offset, address: start + offset, owner: step.owner ?? step.block};
  });
}

/** @param {string} kind */
function isAccess(kind) { return kind === "read" || kind === "write" || kind === "atomic"; }

/**
 * @param {Trace} trace
 * @param {Request} request
 * @param {Step} step
 */
function addToRequest(trace, request, step) {
  const accesses = accessesOf(trace, step);
  request.accesses = [...request.accesses, ...accesses].sort((a, b) => a.lane - b.lane);
  request.lanes = (request.lanes | step.lanes) >>> 0;
  if (accesses.some((access) => access.owner !== request.block)) request.remote = true;
  if (step.array !== undefined && request.space === "") request.space = trace.arrays[step.array].space;
}

/**
 * The rows of cost, by file and line, each with its requests.
 * @param {Trace} trace
 * @param {Request[]} requests
 * @returns {CostRow[]}
 */
function costRows(trace, requests) {
  /** @type {Map<string, CostRow>} */
  const rows = new Map();
  const key =
      (/** @type {{file: number, line: number}} */ at, /** @type {string} */ space,
       /** @type {string} */ access) => `${at.file}:${at.line}:${space}:${access}`;
  for (const {
         file = -1,
        line = 0,
        space,
        access,
        requests,
        cost = 0,
        least = 0,
        lanes,
        bytes,
        remote = false,
        given = false
       } of trace.lines) {
    const named = remote ? "remote" : space;
    rows.set(key({file, line}, named, access), {
      file,
      line,
      space: named,
      access,
      requests,
      cost,
      least,
      lanes,
      bytes,
      given,
      number: 0,
      requestNumbers: []
    });
  }
  const told = new Set(rows.keys());
  for (const request of requests) {
    const spaces = request.space === "shared" && request.remote ? ["remote"] : [request.space];
    if (request.remote && request.accesses.some((access) => access.owner === request.block))
      spaces.push("shared");
    for (const space of spaces) {
      const name = key(request, space, request.kind);
      let row = rows.get(name);
      if (!row) {
        const {file, line} = request;
        row = {
          file,
          line,
          space,
          access: request.kind,
          requests: 0,
          cost: 0,
          least: 0,
          lanes: 0,
          bytes: 0,
          number: 0,
          requestNumbers: []
        };
        rows.set(name, row);
      }
      row.requestNumbers.push(request.number);
      if (!told.has(name)) {
        row.requests += 1;
        row.cost += request.cost;
        row.least += request.least;
        row.lanes += request.accesses.length;
        row.bytes += request.accesses.length * request.bytes;
      }
    }
  }
  const sorted = [...rows.values()].sort((a, b) => a.file - b.file || a.line - b.line);
  const place = (/** @type {number} */ number) => requests[number];
  sorted.forEach((row, number) => {
    row.number = number;
    row.requestNumbers.sort(
        (a, b) => place(a).launch - place(b).launch || place(a).block - place(b).block ||
            place(a).thread - place(b).thread || a - b);
  });
  return sorted;
}

/**
 * @param {Launch} launch
 * @param {Step} step
 */
function barrierKey(launch, step) {
  if (step.scope === "grid") return `grid:${step.launch}:${step.phase}`;
  if (step.scope === "cluster")
    return `cluster:${step.launch}:${clusterOf(launch, step.block)}:${step.phase}`;
  return `block:${step.launch}:${step.block}:${step.phase}`;
}

/**
 * Gives every event of the warps its logical time: each request takes one tick, and a barrier's warps go on together.
 * @param {WarpTrack[]} warps of one launch
 * @param {Barrier[]} barriers
 */
function setTicks(warps, barriers) {
  /** @param {Barrier} barrier */
  const release = (barrier) => {
    barrier.tick = Math.max(...barrier.waiting.map((warp) => warp.tick));
    for (const warp of barrier.waiting) {
      warp.events[warp.next].tick = barrier.tick;
      warp.tick = barrier.tick + 1;
      warp.next += barrier.ended ? 1 : warp.events.length;
    }
    barrier.waiting = [];
  };
  for (;;) {
    let moved = false;
    for (const warp of warps) {
      while (warp.next < warp.events.length) {
        const event = warp.events[warp.next];
        if (event.barrier >= 0) {
          const barrier = barriers[event.barrier];
          if (!barrier.waiting.includes(warp)) {
            barrier.waiting.push(warp);
            moved = true;
          }
          if (barrier.waiting.length < barrier.expected) break;
          release(barrier);
        } else {
          event.tick = warp.tick++;
          ++warp.next;
        }
        moved = true;
      }
    }
    if (moved) continue;
    // Only a trace whose barriers do not fit together comes here: its warps go on as they are.
    const stuck = barriers.find((barrier) => barrier.waiting.length > 0);
    if (!stuck) return;
    release(stuck);
  }
}

/**
 * @param {Trace} trace
 * @returns {Model}
 */
export function modelOf(trace) {
  /** @type {Request[]} */
  const requests = [];
  /** @type {Map<string, WarpTrack>} */
  const warps = new Map();
  /** @type {Barrier[]} */
  const barriers = [];
  /** @type {Map<string, number>} */
  const barrierNumbers = new Map();
  /** @type {Map<string, number>} */
  const repeats = new Map();

  for (const step of trace.steps) {
    if (step.kind === "host") continue;
    if (step.joined) {
      addToRequest(trace, requests[requests.length - 1], step);
      continue;
    }
    const key = warpKey(step.launch, step.block, step.thread);
    let warp = warps.get(key);
    if (!warp) {
      warp = {launch: step.launch, block: step.block, thread: step.thread, events: [], tick: 0, next: 0};
      warps.set(key, warp);
    }
    const site = step.site === undefined ? undefined : trace.sites[step.site];
    /** @type {TimeEvent} */
    const event = {
      kind: step.kind,
      launch: step.launch,
      block: step.block,
      thread: step.thread,
      tick: 0,
      lanes: step.lanes ?? 0,
      request: -1,
      barrier: -1,
      child: step.child ?? -1,
      file: site?.file ?? -1,
      line: site?.line ?? 0,
    };
    if (isAccess(step.kind)) {
      event.request = requests.length;
      /** @type {Request} */
      const request = {
        number: requests.length,
        kind: step.kind,
        launch: step.launch,
        block: step.block,
        thread: step.thread,
        lanes: 0,
        file: event.file,
        line: event.line,
        space: "",
        remote: false,
        bytes: step.bytes ?? 4,
        accesses: [],
        cost: step.cost ?? 0,
        least: step.least ?? 0,
        tick: 0,
        repeat: 0,
      };
      addToRequest(trace, request, step);
      requests.push(request);
    } else if (step.kind === "barrier") {
      const name = barrierKey(trace.launches[step.launch], step);
      let number = barrierNumbers.get(name);
      if (number === undefined) {
        number = barriers.length;
        barrierNumbers.set(name, number);
        barriers.push({
          number,
          scope: step.scope ?? "block",
          launch: step.launch,
          block: step.block,
          phase: step.phase ?? 0,
          ended: step.ended !== false,
          tick: 0,
          expected: 0,
          waiting: [],
        });
      }
      if (step.ended === false) barriers[number].ended = false;
      barriers[number].expected += 1;
      event.barrier = number;
    }
    warp.events.push(event);
  }

  for (const request of requests) {
    if (request.space === "") request.space = "global";
    const key = `${warpKey(request.launch, request.block, request.thread)}:${request.file}:${request.line}:${
        request.space}:${request.kind}`;
    request.repeat = repeats.get(key) ?? 0;
    repeats.set(key, request.repeat + 1);
  }

  const grids = gridTimes(trace, [...warps.values()], barriers, requests);
  return {
    trace,
    requests,
    rows: costRows(trace, requests),
    warps,
    barriers,
    grids,
    lastTick: Math.max(0, ...grids.map((grid) => grid.last)),
  };
}

/**
 * The logical time of every grid: those of the host follow each other, a child begins after the event that launched it.
 * @param {Trace} trace
 * @param {WarpTrack[]} warps
 * @param {Barrier[]} barriers
 * @param {Request[]} requests
 * @returns {GridTime[]}
 */
function gridTimes(trace, warps, barriers, requests) {
  /** @type {WarpTrack[][]} */
  const warpsOf = trace.launches.map(() => []);
  for (const warp of warps) warpsOf[warp.launch].push(warp);
  /** @type {Barrier[][]} */
  const barriersOf = trace.launches.map(() => []);
  for (const barrier of barriers) barriersOf[barrier.launch].push(barrier);
  /** @type {Map<number, number>} */
  const launchedAt = new Map();
  let latest = -1;
  return trace.launches.map((launch, number) => {
    setTicks(warpsOf[number], barriers);
    const first = (launch.parent && launchedAt.get(number)) ?? latest + 1;
    let last = first;
    for (const barrier of barriersOf[number]) barrier.tick += first;
    for (const warp of warpsOf[number]) {
      warp.events.sort((a, b) => a.tick - b.tick);
      for (const event of warp.events) {
        event.tick += first;
        last = Math.max(last, event.tick);
        if (event.request >= 0) requests[event.request].tick = event.tick;
        if (event.child >= 0) launchedAt.set(event.child, event.tick + 1);
      }
    }
    latest = Math.max(latest, last);
    const blocks = [...new Set(warpsOf[number].map((warp) => warp.block))].sort((a, b) => a - b);
    return {launch: number, first, last, warps: warpsOf[number], blocks};
  });
}

/**
 * The requests that fit a finding's place, earliest first.
 * @param {Model} model
 * @param {Place} place
 */
export function requestsAt(model, place) {
  return model.requests.filter(
      (request) => request.file === place.file && request.line === place.line &&
          (place.launch === undefined || request.launch === place.launch) &&
          (place.block === undefined || request.block === place.block) &&
          (place.access === undefined || request.kind === place.access) &&
          (place.thread === undefined ||
           request.accesses.some((access) => request.thread + access.lane === place.thread)),
  );
}

/**
 * Whether two requests use a byte in common. Where a place names the thread, only its access counts.
 * @param {Request} one
 * @param {Request} other
 * @param {number | undefined} oneThread
 * @param {number | undefined} otherThread
 */
function overlap(one, other, oneThread, otherThread) {
  const mine =
      one.accesses.filter((access) => oneThread === undefined || one.thread + access.lane === oneThread);
  const theirs = other.accesses.filter(
      (access) => otherThread === undefined || other.thread + access.lane === otherThread);
  return mine.some(
      (a) => theirs.some(
          (b) => a.array === b.array && a.owner === b.owner && a.offset < b.offset + other.bytes &&
              b.offset < a.offset + one.bytes,
          ),
  );
}

/**
 * The two requests that a finding is about, or the one; empty where the trace does not hold them.
 * @param {Model} model
 * @param {Finding} finding
 * @returns {Request[]}
 */
export function requestsOfFinding(model, finding) {
  const [first, second] = finding.places;
  if (!first) return [];
  const ones = requestsAt(model, first).slice(0, 400);
  if (!second) {
    const outside = ones.find((request) => request.accesses.some((access) => isOutside(model.trace, access)));
    return outside && finding.id === "out-of-bounds" ? [outside] : ones.slice(0, 1);
  }
  const others = requestsAt(model, second).slice(0, 400);
  let best = null;
  for (const one of ones)
    for (const other of others) {
      if (one === other || !overlap(one, other, first.thread, second.thread)) continue;
      const distance = Math.abs(one.tick - other.tick);
      if (!best || distance < best.distance) best = {distance, pair: [one, other]};
    }
  return best ? best.pair : ones.slice(0, 1);
}

/**
 * What a finding's places did that is no access, such as waiting at a barrier.
 * @param {Model} model
 * @param {Finding} finding
 * @returns {TimeEvent[]}
 */
export function eventsOfFinding(model, finding) {
  /** @type {TimeEvent[]} */
  const events = [];
  for (const place of finding.places) {
    const found =
        [...model.warps.values()]
            .flatMap((warp) => warp.events)
            .find(
                (event) => event.request < 0 && event.file === place.file && event.line === place.line &&
                    (place.launch === undefined || event.launch === place.launch) &&
                    (place.block === undefined || event.block === place.block) &&
                    (place.thread === undefined ||
                     (place.thread >= event.thread && place.thread < event.thread + lanesPerWarp)),
            );
    if (found) events.push(found);
  }
  return events;
}

/**
 * The lines at which the warps of a barrier wait; more than one is a divergence.
 * @param {Model} model
 * @param {Barrier} barrier
 */
export function linesOfBarrier(model, barrier) {
  const lines = model.grids[barrier.launch]
                    .warps.flatMap((warp) => warp.events)
                    .filter((event) => event.barrier === barrier.number && event.line > 0);
  return [...new Set(lines.map((event) => event.line))].sort((a, b) => a - b);
}

/**
 * Whether an access lies outside its array.
 * @param {Trace} trace
 * @param {LaneAccess} access
 */
export function isOutside(trace, access) {
  return access.array < 0 || access.offset < 0 || access.offset >= trace.arrays[access.array].bytes;
}

/**
 * How far a row of cost is above its least: 1 is the least. Given code of a file that is right counts as that.
 * @param {{cost: number, least: number, given?: boolean}} row
 */
export function excess(row) { return row.least > 0 && !row.given ? row.cost / row.least : 1; }

/** @param {CostRow} row */
export function unitOf(row) { return row.space === "global" ? "sectors" : "wavefronts"; }
