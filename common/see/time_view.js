// The order of a block's accesses: a row for each warp, logical time from left to right; and the grids of a call.

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Request} Request */
/** @typedef {import("./model.js").WarpTrack} WarpTrack */
/** @typedef {import("./model.js").TimeEvent} TimeEvent */
/** @typedef {import("./svg.js").Picture} Picture */

import {clusterOf, lanesOf, linesOfBarrier, volume} from "./model.js";
import {blockName, counted, launchName, thirdPerson, warpOf} from "./names.js";
import {box, element, label, path, tip} from "./svg.js";
import {requestCostWords} from "./words.js";

/**
 * `pair`: the accesses of a race. `marks`: what a finding names that is no access. `from`: the first tick shown; null: so that the selected request is seen.
 * @typedef {{launch: number, block: number, selected: Request | null, pair: Request[], marks: TimeEvent[], from: number | null}} TimeChoice
 */

const nameWidth = 72;
const leastTickWidth = 18;
const mostTickWidth = 26;
const trackHeight = 42;
const barTop = 13;
const barHeight = 14;
const glyphTop = 34;
const mostTracks = 32;
const mostTracksTogether = 24;

/**
 * The blocks that are drawn together: those of the cluster, and those of a race's two accesses.
 * @param {Model} model
 * @param {TimeChoice} choice
 */
export function blocksTogether(model, choice) {
  const launch = model.trace.launches[choice.launch];
  const grid = model.grids[choice.launch];
  const cluster = clusterOf(launch, choice.block);
  const blocks = new Set(
      volume(launch.cluster ?? [1, 1, 1]) > 1 ?
          grid.blocks.filter((block) => clusterOf(launch, block) === cluster) :
          [choice.block]);
  blocks.add(choice.block);
  if (choice.pair.some((request) => request.launch === choice.launch && request.block === choice.block))
    for (const request of choice.pair)
      if (request.launch === choice.launch) blocks.add(request.block);
  return [...blocks].sort((a, b) => a - b);
}

/**
 * @param {Model} model
 * @param {TimeChoice} choice
 * @param {number} width
 */
export function ticksShown(model, choice, width) {
  const blocks = blocksTogether(model, choice);
  const warps = model.grids[choice.launch].warps.filter((warp) => blocks.includes(warp.block));
  const first = model.grids[choice.launch].first;
  const last = Math.max(first, ...warps.flatMap((warp) => warp.events.map((event) => event.tick)));
  const room = width - nameWidth - 16;
  const tickWidth = Math.max(leastTickWidth, Math.min(mostTickWidth, Math.floor(room / (last - first + 1))));
  const count = Math.max(8, Math.floor(room / tickWidth));
  const fit = last - first + 1 <= count;
  const [one, other] = choice.pair.map((request) => request.tick);
  const wanted = choice.selected?.launch === choice.launch ? choice.selected.tick : first;
  let from = choice.from ??
      (other !== undefined && Math.abs(one - other) < count ?
           Math.min(one, other) - 2 :
           first + Math.floor((wanted - first) / count) * count);
  from = fit ? first : Math.max(first, Math.min(from, last - count + 1));
  return {first, last, from, count, fit, tickWidth};
}

/**
 * The mark of an event, about a point: filled for global memory, hollow for shared.
 * @param {string} kind
 * @param {boolean} hollow
 * @param {number} x
 * @param {number} y
 */
function glyph(kind, hollow, x, y) {
  const looks = hollow ? "glyph hollow" : "glyph";
  const shape = (/** @type {string} */ d) => element("path", {d, class: looks});
  switch (kind) {
    case "read":
      return element("circle", {cx: x, cy: y, r: 4, class: looks});
    case "write":
      return element("rect", {x: x - 4, y: y - 4, width: 8, height: 8, class: looks});
    case "atomic":
      return shape(`M${x} ${y - 5.5}L${x + 5.5} ${y}L${x} ${y + 5.5}L${x - 5.5} ${y}Z`);
    case "exchange":
      return shape(`M${x - 5} ${y - 4}L${x + 5} ${y + 4}L${x + 5} ${y - 4}L${x - 5} ${y + 4}Z`);
    default:
      return shape(`M${x - 4} ${y - 5}L${x + 5} ${y}L${x - 4} ${y + 5}Z`);
  }
}

/**
 * @param {Model} model
 * @param {TimeEvent} event
 */
function eventWords(model, event) {
  const lanes = lanesOf(event.lanes).length;
  const who = `tick ${event.tick}: warp ${warpOf(event.thread)} of ${
      blockName(model.trace, event.launch, event.block)}, ${counted(lanes, "lane")}`;
  if (event.request >= 0) {
    const request = model.requests[event.request];
    return `${who}, ${thirdPerson(event.kind)} ${request.space} memory, line ${event.line}: ${
        requestCostWords(request)}`;
  }
  if (event.kind === "exchange")
    return `${who}: values pass between lanes by a shuffle or a vote, line ${event.line}`;
  return `${who}: launches ${event.child >= 0 ? launchName(model.trace, event.child) : "a grid"}, line ${
      event.line}`;
}

/**
 * The warps that are drawn of each block; where there are too many, the first ones and those that matter.
 * @param {Model} model
 * @param {TimeChoice} choice
 */
function tracksShown(model, choice) {
  const blocks = blocksTogether(model, choice);
  const share =
      blocks.length === 1 ? mostTracks : Math.max(2, Math.floor(mostTracksTogether / blocks.length));
  const matters = [...choice.pair, ...choice.marks, ...(choice.selected ? [choice.selected] : [])];
  return blocks.map((block) => {
    const warps = model.grids[choice.launch]
                      .warps.filter((warp) => warp.block === block)
                      .sort((a, b) => a.thread - b.thread);
    const shown = warps.filter(
        (warp, place) => place < share ||
            matters.some(
                (one) => one.launch === warp.launch && one.block === block && one.thread === warp.thread));
    return {block, shown, hidden: warps.length - shown.length};
  });
}

/**
 * @param {Model} model
 * @param {TimeChoice} choice
 * @param {number} width
 * @returns {Picture}
 */
export function drawTime(model, choice, width) {
  const {from, count, last, tickWidth} = ticksShown(model, choice, width);
  const until = Math.min(from + count - 1, last);
  const x = (/** @type {number} */ tick) => nameWidth + (tick - from) * tickWidth;
  const right = x(until + 1);
  const visible = (/** @type {number} */ tick) => tick >= from && tick <= until;
  const groups = tracksShown(model, choice);

  let y = model.barriers.some(
              (barrier) => barrier.launch === choice.launch && linesOfBarrier(model, barrier).length > 1) ?
      32 :
      20;
  let back = "";
  let front = "";
  /** @type {Map<number, number>} */
  const headY = new Map();
  /** @type {Map<string, number>} */
  const trackY = new Map();
  const openBarriers = new Set();
  /** @type {Set<string>} */
  const marks = new Set();
  /** @type {Map<number, number[]>} */
  const split = new Map();
  for (let tick = from; tick <= until; ++tick)
    if ((tick - from) % 4 === 0) back += label(x(tick) + tickWidth / 2, 12, tick, "mid tiny quiet");
  back += label(nameWidth - 8, 12, "tick", "end small quiet");

  for (const {block, shown, hidden} of groups) {
    const barriers =
        model.barriers
            .filter(
                (barrier) => barrier.launch === choice.launch &&
                    shown.some((warp) => warp.events.some((event) => event.barrier === barrier.number)))
            .sort((a, b) => a.tick - b.tick);
    headY.set(block, y + 8);
    back += box(0, y, right, 16, "band");
    back += label(4, y + 12, blockName(model.trace, choice.launch, block), "strong small");
    const walls = barriers.map((barrier) => barrier.tick);
    const starts = [from, ...walls.map((tick) => tick + 1)];
    starts.forEach((start, phase) => {
      const end = walls[phase] ?? until + 1;
      const [a, b] = [Math.max(start, from), Math.min(end, until + 1)];
      if (b <= a || (phase > 0 && !(barriers[phase - 1]?.ended ?? true))) return;
      const words = (b - a) * tickWidth >= 52 ? `phase ${phase + 1}` :
          (b - a) * tickWidth >= 14 ? `${phase + 1}` :
                                      "";
      back += label((x(a) + x(b)) / 2, y + 12, words, "mid small quiet");
    });
    y += 20;
    const blockTop = y;
    for (const warp of shown) {
      trackY.set(`${block}:${warp.thread}`, y);
      back += label(nameWidth - 8, y + 25, `warp ${warpOf(warp.thread)}`, "end small");
      back += path([nameWidth, y + trackHeight - 1, right, y + trackHeight - 1], "faint");
      let previous = from - 1;
      for (const event of warp.events) {
        if (event.barrier >= 0) {
          const barrier = model.barriers[event.barrier];
          const [a, b] =
              [Math.max(previous + 1, from), Math.min(barrier.ended ? barrier.tick : until + 1, until + 1)];
          if (b > a) marks.add("wait");
          if (b > a)
            back += element(
                "g", {}, tip(`warp ${warpOf(warp.thread)} waits at the barrier`),
                box(x(a), y + barTop, (b - a) * tickWidth, barHeight, "wait"));
          if (!barrier.ended) openBarriers.add(barrier.number);
        } else if (visible(event.tick)) {
          front += drawEvent(model, event, x(event.tick), y, tickWidth, choice);
          const request = event.request >= 0 ? model.requests[event.request] : null;
          marks.add(request ? `${event.kind} ${request.space}` : event.kind);
          if (request && isAboveLeast(request)) marks.add("cost");
        }
        previous = event.tick;
      }
      y += trackHeight;
    }
    for (const barrier of barriers) {
      if (!visible(barrier.tick)) continue;
      const wall = x(barrier.tick) + tickWidth / 2;
      marks.add(barrier.scope === "block" ? "barrier" : "wide barrier");
      front += element(
          "g", {}, tip(barrier.ended ? `barrier of the ${barrier.scope}` : "a barrier that never completed"),
          path([wall, blockTop - 18, wall, y - 2], barrier.ended ? "wall" : "wall open"));
      if (barrier.scope !== "block")
        front += path([wall + 4, blockTop - 18, wall + 4, y - 2], barrier.ended ? "wall" : "wall open");
      const lines = linesOfBarrier(model, barrier);
      if (lines.length > 1) {
        split.set(barrier.number, lines);
        front += label(wall + 4, blockTop - 24, `✗ lines ${lines.join(" and ")}`, "alarm");
      }
      if (!barrier.ended)
        front += element("circle", {cx: wall, cy: blockTop - 10, r: 4, class: "ring alarm"});
    }
    if (hidden > 0) {
      back += label(nameWidth, y + 11, `and ${counted(hidden, "more warp")}`, "small quiet");
      y += 16;
    }
    y += 8;
  }
  const layout = {x, visible, trackY, headY, right, tickWidth};
  front += drawArrows(model, choice, groups.flatMap((group) => group.shown), layout);
  front += drawPair(choice, layout);
  for (const mark of choice.marks) {
    const top = trackY.get(`${mark.block}:${mark.thread}`);
    if (mark.launch === choice.launch && top !== undefined && visible(mark.tick)) {
      front += element(
          "circle", {cx: x(mark.tick) + tickWidth / 2, cy: top + barTop + 7, r: 8, class: "ring alarm"});
      front += label(x(mark.tick) + tickWidth / 2 + 12, top + barTop + 11, `line ${mark.line}`, "alarm");
    }
  }
  if (split.size > 0) {
    front += label(
        8, y + 10, "✗ at a barrier marked with two lines, threads of the block wait at different barriers",
        "alarm");
    y += 20;
  }
  if (openBarriers.size > 0) {
    front += label(
        8, y + 10, "✗ open circle and dashed line: this barrier never completed; its warps wait for ever",
        "alarm");
    y += 20;
  }
  const legend = drawTimeLegend(marks, 8, y + 4, Math.max(right, Math.min(width, 620)));
  return {
    width: Math.max(right + 8, Math.min(width, 620)),
    height: legend.bottom,
    body: back + front + legend.body,
    title: `The order of accesses in ${
        groups.map(({block}) => blockName(model.trace, choice.launch, block)).join(", ")} of ${
        launchName(model.trace, choice.launch)}`,
    description: timeCaption(model, choice, width).join(" "),
  };
}

/** @param {Request} request */
function isAboveLeast(request) { return request.least > 0 && request.cost > request.least; }

/**
 * @param {Model} model
 * @param {TimeEvent} event
 * @param {number} left
 * @param {number} top
 * @param {number} tickWidth
 * @param {TimeChoice} choice
 */
function drawEvent(model, event, left, top, tickWidth, choice) {
  const request = event.request >= 0 ? model.requests[event.request] : null;
  const lanes = lanesOf(event.lanes | (request?.lanes ?? 0)).length;
  const height = Math.max(1, (barHeight * lanes) / 32);
  const hollow = request ? request.space !== "global" : event.kind !== "launch";
  const above =
      request && isAboveLeast(request) ? label(left + tickWidth / 2, top + 10, request.cost, "mid tiny") : "";
  const ring = request && choice.selected?.number === request.number ?
      box(left + 1, top + 1.5, tickWidth - 2, trackHeight - 4, "cursor") :
      "";
  return element(
      "g",
      request ? {"data-request": request.number, class: "pick"} : {},
      tip(eventWords(model, event)),
      box(left + 3, top + barTop, tickWidth - 6, barHeight, "track"),
      box(left + 3, top + barTop + barHeight - height, tickWidth - 6, height, "bar"),
      glyph(event.kind, hollow, left + tickWidth / 2, top + glyphTop),
      above,
      ring,
  );
}

/**
 * @typedef {{x: (tick: number) => number, visible: (tick: number) => boolean, trackY: Map<string, number>,
 *   headY: Map<number, number>, right: number, tickWidth: number}} Layout
 */

/**
 * Accesses to other blocks' shared memory, as arrows to the block.
 * @param {Model} model
 * @param {TimeChoice} choice
 * @param {WarpTrack[]} warps
 * @param {Layout} layout
 */
function drawArrows(model, choice, warps, {x, visible, trackY, headY, tickWidth}) {
  let body = "";
  for (const warp of warps)
    for (const event of warp.events) {
      const request = event.request >= 0 ? model.requests[event.request] : null;
      if (!request?.remote || !visible(event.tick)) continue;
      for (const owner of new Set(request.accesses.map((access) => access.owner))) {
        const target = headY.get(owner);
        const source = trackY.get(`${warp.block}:${warp.thread}`);
        if (owner === warp.block || target === undefined || source === undefined) continue;
        const at = x(event.tick) + tickWidth - 1 - (warp.block % 2) * 3;
        const down = target > source;
        body += element("path", {
          d: `M${at} ${source + (down ? trackHeight - 2 : barTop)}L${at} ${target + (down ? -8 : 9)}`,
          class: "arrow",
          "marker-end": "url(#tip)"
        });
      }
    }
  return body;
}

/**
 * The two accesses of a race, and a line between them.
 * @param {TimeChoice} choice
 * @param {Layout} layout
 */
function drawPair(choice, {x, visible, trackY, right, tickWidth}) {
  if (choice.pair.length !== 2) return "";
  const places =
      choice.pair.map((request) => ({request, y: trackY.get(`${request.block}:${request.thread}`)}))
          .filter(
              ({request, y}) => request.launch === choice.launch && y !== undefined && visible(request.tick));
  let body = "";
  const points = places.map(({request, y}) => ({x: x(request.tick) + tickWidth / 2, y: (y ?? 0) + glyphTop}));
  for (const point of points)
    body += element("circle", {cx: point.x, cy: point.y, r: 9, class: "ring alarm"});
  if (points.length === 2) {
    const [one, other] = points;
    body += path([one.x, one.y, other.x, other.y], "arrow alarm");
    const words = "nothing orders them";
    const middle = Math.min((one.x + other.x) / 2 + 10, right - words.length * 5.6);
    const y = (one.y + other.y) / 2 - (one.y === other.y ? 12 : -2);
    body += box(middle - 3, y - 11, words.length * 5.9 + 6, 15, "ground") + label(middle, y, words, "alarm");
  }
  return body;
}

/**
 * The marks that occur.
 * @param {Set<string>} marks
 * @param {number} left
 * @param {number} top
 * @param {number} width
 */
function drawTimeLegend(marks, left, top, width) {
  let x = left;
  let y = top;
  let body = "";
  const add = (/** @type {string} */ mark, /** @type {string} */ words) => {
    const space = 18 + words.length * 5.8 + 14;
    if (x > left && x + space > width) {
      x = left;
      y += 18;
    }
    body += element("g", {transform: `translate(${x} ${y})`}, mark, label(16, 10, words, "quiet"));
    x += space;
  };
  for (const kind of ["read", "write", "atomic"])
    for (const space of ["global", "shared"])
      if (marks.has(`${kind} ${space}`))
        add(glyph(kind, space === "shared", 6, 6), `${kind} of ${space} memory`);
  if (marks.has("exchange")) add(glyph("exchange", true, 6, 6), "exchange between lanes");
  if (marks.has("launch")) add(glyph("launch", false, 6, 6), "launch of a grid");
  add(box(0, 0, 12, 12, "track") + box(0, 6, 12, 6, "bar"), "height: lanes that take part");
  if (marks.has("wait")) add(box(0, 0, 12, 12, "wait"), "waits at a barrier");
  if (marks.has("barrier")) add(path([6, -1, 6, 13], "wall"), "barrier of the block");
  if (marks.has("wide barrier"))
    add(path([4, -1, 4, 13], "wall") + path([8, -1, 8, 13], "wall"), "barrier of the cluster or grid");
  if (marks.has("cost")) add(label(0, 10, "32", "tiny"), "sectors or wavefronts, where above the least");
  return {body, bottom: y + 18};
}

/**
 * @param {Model} model
 * @param {TimeChoice} choice
 * @param {number} width
 */
export function timeCaption(model, choice, width) {
  const {from, count, first, last, fit} = ticksShown(model, choice, width);
  const own = model.grids[choice.launch].warps.filter((warp) => warp.block === choice.block);
  const barriers = model.barriers.filter(
      (barrier) => own.some((warp) => warp.events.some((event) => event.barrier === barrier.number)));
  const words = [
    "Each request takes one tick. Ticks are an order, not a time: only barriers order the warps, and between two barriers any warp may be before any other.",
  ];
  const ended = barriers.filter((barrier) => barrier.ended).length;
  if (barriers.length > 0)
    words.push(`${counted(ended, "barrier")} ${ended === 1 ? "divides" : "divide"} the work into ${
        counted(ended + 1, "phase")}.`);
  if (barriers.some((barrier) => !barrier.ended)) words.push("One barrier never completed.");
  if (!fit)
    words.push(`Shown are ticks ${from} to ${Math.min(from + count - 1, last)} of ${first} to ${last}.`);
  if (choice.pair.length === 2) {
    const [one, other] = choice.pair;
    const name = (/** @type {Request} */ request) =>
        `warp ${warpOf(request.thread)} of ${blockName(model.trace, request.launch, request.block)} ${
            thirdPerson(request.kind)} at tick ${request.tick} (line ${request.line})`;
    words.push(`The race: ${name(one)}, and ${
        name(other)}. Nothing orders the two: another run may have them the other way round.`);
  }
  return words;
}

/**
 * All grids of the call as rows, with an arrow from the thread that launched a child.
 * @param {Model} model
 * @param {number} selected launch
 * @param {number} width
 * @returns {Picture}
 */
export function drawGrids(model, selected, width) {
  const used = model.grids.filter((grid) => grid.warps.length > 0);
  const shown = used.slice(0, mostTracks);
  if (!shown.some((grid) => grid.launch === selected))
    shown.push(...used.filter((grid) => grid.launch === selected));
  const left = Math.min(300, Math.max(130, width * 0.3));
  const scale = (Math.max(width, 300) - left - 24) / (model.lastTick + 1);
  let y = 8;
  let body = "";
  let arrows = "";
  /** @type {Map<number, number>} */
  const top = new Map();
  for (const grid of shown) {
    const {depth = 0} = model.trace.launches[grid.launch];
    const indent = Math.min(depth, 8) * 6;
    top.set(grid.launch, y);
    const name = launchName(model.trace, grid.launch);
    const room = Math.floor((left - 48 - indent) / 6.1);
    const bar = Math.max(6, (grid.last - grid.first + 1) * scale);
    body += element(
        "g",
        {"data-launch": grid.launch, class: "pick"},
        tip(`grid ${grid.launch}: ${name}, ticks ${grid.first} to ${grid.last}`),
        label(28, y + 13, grid.launch, "end small quiet"),
        label(
            36 + indent, y + 13, name.length > room ? `${name.slice(0, Math.max(3, room - 1))}…` : name,
            "mono small"),
        box(left + grid.first * scale, y + 2, bar, 14, depth > 0 ? "cell c1 edged" : "cell c0 edged"),
        depth > 0 ? box(left + grid.first * scale, y + 2, bar, 14, "s1") : "",
        grid.launch === selected ? box(left + grid.first * scale - 2, y, bar + 4, 18, "cursor") : "",
    );
    y += 24;
  }
  for (const grid of shown) {
    const {parent} = model.trace.launches[grid.launch];
    const from = parent && top.get(parent.launch);
    const to = top.get(grid.launch);
    if (from === undefined || to === undefined) continue;
    const x = left + grid.first * scale + 3;
    arrows +=
        element("path", {d: `M${x} ${from + 16}L${x} ${to + 1}`, class: "arrow", "marker-end": "url(#tip)"});
  }
  if (used.length > shown.length) {
    body += label(8, y + 12, `and ${counted(used.length - shown.length, "more grid")}`, "quiet");
    y += 20;
  }
  return {
    width: Math.max(width, 300),
    height: y + 4,
    body: body + arrows,
    title: "The grids of the call",
    description: `${counted(used.length, "grid")}, in their order. ${
        counted(
            used.filter((grid) => model.trace.launches[grid.launch].parent).length,
            "grid")} launched by threads of other grids.`,
  };
}
