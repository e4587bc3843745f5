// One request: its lanes on top, and below them the sectors that it touches or the banks that serve it.

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Request} Request */
/** @typedef {import("./model.js").LaneAccess} LaneAccess */
/** @typedef {import("./svg.js").Picture} Picture */

import {isOutside, lanesPerWarp} from "./model.js";
import {blockName, counted, elementName, laneWords, ranges} from "./names.js";
import {
  bankCount,
  globalService,
  neighbouringSectors,
  paddedRequest,
  sectorBytes,
  sharedService
} from "./service.js";
import {box, element, label, path, tip} from "./svg.js";
import {paddedWords, requestCaption, requestCostWords, requestName} from "./words.js";

const marginLeft = 96;
const marginRight = 116;
const laneHeight = 20;
const rowHeight = 20;
/** Of boxes in what a request would be. */
const smallHeight = 15;
const lineGap = 44;
/** Up to so many rows of memory lines are drawn over them; with more they pass behind. */
const rowsInFront = 4;

/** @param {number} width */
function columnWidth(width) {
  return Math.max(14, Math.min(30, Math.floor((width - marginLeft - marginRight) / lanesPerWarp)));
}

/**
 * The lanes: boxes with numbers; those that are off are empty and crossed out.
 * @param {Request} request
 * @param {number} column
 * @param {number} top
 * @param {Set<number>} outside
 */
function drawLanes(request, column, top, outside) {
  let body = label(marginLeft - 8, top + 14, "lane", "end quiet");
  for (let lane = 0; lane < lanesPerWarp; ++lane) {
    const x = marginLeft + lane * column;
    if ((request.lanes >>> lane) & 1) {
      body += box(x + 1, top, column - 2, laneHeight, outside.has(lane) ? "stray" : "plain");
      body += label(x + column / 2, top + 14, lane, column >= 18 ? "mid small" : "mid tiny");
    } else {
      body += box(x + 1, top, column - 2, laneHeight, "idle");
      body += path([x + 1, top, x + column - 1, top + laneHeight], "cross");
      body += path([x + column - 1, top, x + 1, top + laneHeight], "cross");
    }
  }
  return body;
}

/**
 * Boxes of a legend, in a row as far as it goes. A kind can have a second one, which lies over it: `c1|s1`.
 * @param {[kind: string, words: string][]} entries
 * @param {number} left
 * @param {number} top
 * @param {number} width
 */
export function drawLegend(entries, left, top, width) {
  let x = left;
  let y = top;
  let body = "";
  for (const [kind, words] of entries) {
    const space = 20 + words.length * 5.9 + 16;
    if (x > left && x + space > width) {
      x = left;
      y += 18;
    }
    body += kind === "off" ? box(x, y, 13, 12, "idle") + path([x, y, x + 13, y + 12], "cross") +
            path([x + 13, y, x, y + 12], "cross") :
                             kind.split("|").map((layer) => box(x, y, 13, 12, layer)).join("");
    body += label(x + 19, y + 10, words, "quiet");
    x += space;
  }
  return {body, bottom: y + 18};
}

/**
 * @param {Model} model
 * @param {Request} request
 * @param {number} width that there is; the picture may need more
 * @returns {Picture}
 */
export function drawRequest(model, request, width) {
  const drawn =
      request.space === "global" ? drawGlobal(model, request, width) : drawShared(model, request, width);
  return {
    ...drawn,
    title: `One request: ${requestName(model, request)}`,
    description: `${requestCostWords(request)}. ${requestCaption(model, request).join(" ")}`,
  };
}

/**
 * @param {Model} model
 * @param {Request} request
 * @param {number} width
 */
function drawGlobal(model, request, width) {
  const {trace} = model;
  const column = columnWidth(width);
  const across = column * lanesPerWarp;
  const service = globalService(request);
  const rowBytes = request.bytes === 1 ? 32 : request.bytes === 2 ? 64 : 128;
  const sectorsPerRow = rowBytes / sectorBytes;
  const sectorWidth = across / sectorsPerRow;
  const byteWidth = across / rowBytes;
  const outside =
      new Set(request.accesses.filter((access) => isOutside(trace, access)).map((access) => access.lane));

  const inRows = new Set(service.sectors.map((sector) => Math.floor(sector / sectorsPerRow))).size;
  /** @type {[string, string][]} */
  const entries = [
    [
      "used",
      `${
          request.kind === "read"      ? "read" :
              request.kind === "write" ? "written" :
                                         "updated"}, with the lane's number`
    ],
    ["unused", "moved with its sector, not used"],
  ];
  if (service.sectors.length < inRows * sectorsPerRow) entries.push(["dash", "not moved"]);
  if (request.accesses.length < lanesPerWarp) entries.push(["off", "lane off"]);
  if (outside.size > 0) entries.push(["stray", "outside the array"]);
  const legend = drawLegend(entries, marginLeft, 4, marginLeft + across + marginRight);
  const lanesTop = legend.bottom + 6;
  let body = legend.body + drawLanes(request, column, lanesTop, outside);
  let lanesBottom = lanesTop + laneHeight;
  if (request.kind === "atomic" && service.roundCount > 1) {
    body += label(marginLeft - 8, lanesBottom + 16, "round", "end quiet");
    for (const [lane, round] of service.rounds) {
      const x = marginLeft + lane * column;
      body += box(x + 1, lanesBottom + 2, column - 2, laneHeight, "c1 edged");
      body += label(x + column / 2, lanesBottom + 16, round + 1, column >= 18 ? "mid small" : "mid tiny");
    }
    lanesBottom += laneHeight + 2;
  }

  const rowNumbers = [...new Set(service.sectors.map((sector) => Math.floor(sector / sectorsPerRow)))];
  /** @type {Map<number, number>} */
  const rowTop = new Map();
  let y = lanesBottom + lineGap + 16;
  rowNumbers.forEach((row, place) => {
    if (place > 0) y += rowNumbers[place - 1] + 1 === row ? 6 : 12;
    rowTop.set(row, y);
    y += rowHeight;
  });
  const memoryTop = lanesBottom + lineGap + 16;

  let rows = "";
  const touched = new Set(service.sectors);
  for (let sector = 0; sector < sectorsPerRow; ++sector) {
    const x = marginLeft + sector * sectorWidth;
    rows += path(
        [
          x + 2, memoryTop - 4, x + 2, memoryTop - 8, x + sectorWidth - 2, memoryTop - 8, x + sectorWidth - 2,
          memoryTop - 4
        ],
        "outline");
  }
  rows += label(marginLeft - 8, memoryTop - 5, "32-byte sectors", "end quiet");
  rowNumbers.forEach((row, place) => {
    const top = rowTop.get(row) ?? 0;
    if (place > 0 && rowNumbers[place - 1] + 1 !== row)
      rows += label(marginLeft + across / 2, top - 2, "⋯", "mid quiet");
    const here = request.accesses.filter((access) => Math.floor(access.address / rowBytes) === row);
    const [lowest] = [...here].sort((a, b) => a.address - b.address);
    let fetched = 0;
    for (let sector = 0; sector < sectorsPerRow; ++sector) {
      const isTouched = touched.has(row * sectorsPerRow + sector);
      if (isTouched) ++fetched;
      rows +=
          box(marginLeft + sector * sectorWidth + 2, top, sectorWidth - 4, rowHeight,
              isTouched ? "unused" : "dash");
    }
    rows += drawUsed(model, request, here, {row, rowBytes, top, byteWidth, sectorWidth});
    if (lowest)
      rows += label(
          marginLeft - 8, top + 14, shortName(elementName(trace, lowest.array, lowest.offset)),
          "end mono small");
    const used =
        new Set(here.flatMap((access) => Array.from({length: request.bytes}, (_, i) => access.address + i)))
            .size;
    rows +=
        label(marginLeft + across + 8, top + 14, `${used} of ${fetched * sectorBytes} bytes`, "small quiet");
  });
  if (rowNumbers.length > 1) rows += label(marginLeft + across + 8, memoryTop - 5, "used", "small quiet");

  let links = "";
  for (const access of request.accesses) {
    const top = rowTop.get(Math.floor(access.address / rowBytes)) ?? memoryTop;
    const x = marginLeft + access.lane * column + column / 2;
    links += path(
        [
          x, lanesBottom + 1, byteX(access.address, rowBytes, byteWidth) + (request.bytes * byteWidth) / 2,
          top
        ],
        rowNumbers.length > rowsInFront ? "link many" : "link");
  }
  body += rowNumbers.length > rowsInFront ? links + rows : rows + links;

  const good = drawNeighbours(request, column, y + 14);
  return {width: marginLeft + across + marginRight, height: good.bottom, body: body + good.body};
}

/**
 * The frame of what a request would be, which is no part of the run.
 * @param {string} words
 * @param {number} top
 * @param {number} bottom
 * @param {number} across
 */
function drawInstead(words, top, bottom, across) {
  return box(marginLeft - 88, top, across + 88 + marginRight - 4, bottom - top, "dash") +
      label(marginLeft - 80, top + 15, `Not this run, but what it would be: ${words}`, "strong");
}

/**
 * Lanes and what they would find right below them.
 * @param {number[]} lanes
 * @param {number} column
 * @param {number} top
 */
function drawSmallLanes(lanes, column, top) {
  return label(marginLeft - 8, top + 11, "lane", "end small quiet") +
      lanes
          .map(
              (lane) => box(marginLeft + lane * column + 1, top, column - 2, smallHeight, "plain") +
                  label(marginLeft + lane * column + column / 2, top + 11, lane, "mid tiny"))
          .join("");
}

/**
 * A request that moves too many sectors, with its lanes on neighbouring elements.
 * @param {Request} request
 * @param {number} column
 * @param {number} top
 */
function drawNeighbours(request, column, top) {
  const sectors = neighbouringSectors(request);
  if (sectors === null) return {body: "", bottom: top};
  const lanes = request.accesses.map((access) => access.lane);
  const lanesTop = top + 24;
  const memoryTop = lanesTop + smallHeight + 28;
  const inSector = sectorBytes / request.bytes;
  const sectorWidth = inSector * column;
  let body = drawSmallLanes(lanes, column, lanesTop);
  body += label(marginLeft - 8, memoryTop + 11, counted(sectors, "sector"), "end small quiet");
  for (let sector = 0; sector < sectors; ++sector)
    body += box(marginLeft + sector * sectorWidth + 2, memoryTop, sectorWidth - 4, smallHeight, "unused");
  lanes.forEach((lane, place) => {
    const x = marginLeft + place * column;
    const [first, last] = [place % inSector === 0 ? 2 : 0, place % inSector === inSector - 1 ? 2 : 0];
    body += box(x + first, memoryTop, column - first - last, smallHeight, "used") +
        label(x + column / 2, memoryTop + 11, lane, "mid tiny") +
        path([marginLeft + lane * column + column / 2, lanesTop + smallHeight + 1, x + column / 2, memoryTop],
             "link");
  });
  const bottom = memoryTop + smallHeight + 8;
  const words = `${counted(lanes.length, "lane")} on neighbouring elements: ${counted(sectors, "sector")}.`;
  return {body: drawInstead(words, top, bottom, column * lanesPerWarp) + body, bottom: bottom + 2};
}

/**
 * A request with bank conflicts, with one word more in each row of the array.
 * @param {Model} model
 * @param {Request} request
 * @param {number} column
 * @param {number} top
 */
function drawPadded(model, request, column, top) {
  const padded = paddedRequest(model.trace, request);
  if (!padded) return {body: "", bottom: top};
  const lanesTop = top + 40;
  const banksTop = lanesTop + smallHeight + 26;
  let body = label(marginLeft - 80, top + 30, paddedWords(padded), "");
  body += drawSmallLanes(request.accesses.map((access) => access.lane), column, lanesTop);
  body += label(marginLeft - 8, banksTop + 10, "bank", "end small quiet");
  for (let bank = 0; bank < bankCount; ++bank)
    body += label(marginLeft + bank * column + column / 2, banksTop + 10, bank, "mid tiny quiet");
  let y = banksTop + 14;
  let number = 0;
  for (const pass of padded.groups.flatMap((group) => group.passes)) {
    body += label(marginLeft - 8, y + 11, `wavefront ${++number}`, "end small quiet");
    for (let bank = 0; bank < bankCount; ++bank) {
      const x = marginLeft + bank * column;
      const lanes = pass.get(bank)?.lanes ?? [];
      body +=
          box(x + 1, y, column - 2, smallHeight,
              lanes.length === 0   ? "faint" :
                  lanes.length > 1 ? "shared-by" :
                                     "used");
      if (lanes.length > 0)
        body += label(x + column / 2, y + 11, lanes.length > 1 ? `${lanes.length}×` : lanes[0], "mid tiny");
      for (const lane of lanes)
        body += path(
            [marginLeft + lane * column + column / 2, lanesTop + smallHeight + 1, x + column / 2, banksTop],
            "link");
    }
    y += smallHeight + 3;
  }
  const words = `with one more word in each row (${padded.row + 1} in place of ${padded.row}).`;
  return {body: drawInstead(words, top, y + 6, column * lanesPerWarp) + body, bottom: y + 8};
}

/**
 * @param {number} address
 * @param {number} rowBytes
 * @param {number} byteWidth
 */
function byteX(address, rowBytes, byteWidth) {
  return marginLeft + (((address % rowBytes) + rowBytes) % rowBytes) * byteWidth;
}

/**
 * What of a row of memory the lanes use.
 * @param {Model} model
 * @param {Request} request
 * @param {LaneAccess[]} here
 * @param {{row: number, rowBytes: number, top: number, byteWidth: number, sectorWidth: number}} place
 */
function drawUsed(model, request, here, {rowBytes, top, byteWidth}) {
  /** @type {Map<number, LaneAccess[]>} */
  const byAddress = new Map();
  for (const access of here)
    byAddress.set(access.address, [...(byAddress.get(access.address) ?? []), access]);
  let body = "";
  for (const [address, accesses] of byAddress) {
    const x = byteX(address, rowBytes, byteWidth);
    const cell = Math.max(3, request.bytes * byteWidth);
    const stray = isOutside(model.trace, accesses[0]);
    const lanes = accesses.map((access) => access.lane);
    const words = `${laneWords(lanes)}: ${elementName(model.trace, accesses[0].array, accesses[0].offset)}`;
    const text = lanes.length === 1 ? `${lanes[0]}` : cell >= 26 ? `×${lanes.length}` : `${lanes.length}×`;
    body += element(
        "g", {}, tip(words),
        box(x + 0.5, top + 1, cell - 1, rowHeight - 2,
            stray                ? "stray" :
                lanes.length > 1 ? "shared-by" :
                                   "used"),
        cell >= 12 ? label(x + cell / 2, top + 14, text, cell >= 18 ? "mid small" : "mid tiny") : "");
  }
  return body;
}

/**
 * Names that fit the margin: the front is left out where they are long.
 * @param {string} name
 */
function shortName(name) { return name.length <= 14 ? name : `…${name.slice(-13)}`; }

/**
 * @param {Model} model
 * @param {Request} request
 * @param {number} width
 */
function drawShared(model, request, width) {
  const {trace} = model;
  const column = columnWidth(width);
  const across = column * bankCount;
  const outside =
      new Set(request.accesses.filter((access) => isOutside(trace, access)).map((access) => access.lane));
  const local = request.accesses.filter((access) => access.owner === request.block);
  const remote = request.accesses.filter((access) => access.owner !== request.block);
  const groups = local.length > 0 ? sharedService(request).groups : [];
  const multiple = groups.some(
      (group) => group.passes.some((pass) => [...pass.values()].some((word) => word.lanes.length > 1)));
  /** @type {[string, string][]} */
  const entries = [];
  if (local.length > 0) entries.push(["used", "a word, for the lane in it"]);
  if (multiple) entries.push(["shared-by", "one word for several lanes (×2: two)"]);
  if (local.length > 0) entries.push(["faint", "bank idle"]);
  if (remote.length > 0) entries.push(["c1 edged", "another block's memory, for the lane in it"]);
  if (request.accesses.length < lanesPerWarp) entries.push(["off", "lane off"]);
  if (outside.size > 0) entries.push(["stray", "outside the array"]);
  const legend = drawLegend(entries, marginLeft, 4, marginLeft + across + marginRight);
  const lanesTop = legend.bottom + 6;
  let body = legend.body + drawLanes(request, column, lanesTop, outside);
  const lanesBottom = lanesTop + laneHeight;
  const banksTop = lanesBottom + lineGap;
  let rows = local.length > 0 ? label(marginLeft - 8, banksTop + 12, "bank", "end quiet") : "";
  for (let bank = 0; bank < bankCount && local.length > 0; ++bank)
    rows += label(marginLeft + bank * column + column / 2, banksTop + 12, bank, "mid tiny quiet");

  let links = "";
  let y = banksTop + 18;
  let number = 0;
  for (const group of groups) {
    if (groups.length > 1) {
      rows += label(marginLeft, y + 12, `group of ${laneWords(group.lanes)}`, "quiet");
      y += 17;
    }
    for (const pass of group.passes) {
      ++number;
      rows += label(marginLeft - 8, y + 14, `wavefront ${number}`, "end quiet");
      for (let bank = 0; bank < bankCount; ++bank) {
        const x = marginLeft + bank * column;
        const served = pass.get(bank);
        if (!served) {
          rows += box(x + 1, y, column - 2, rowHeight, "faint");
          continue;
        }
        const {lanes} = served;
        const name = elementName(trace, served.array, served.offset);
        const stray = lanes.some((lane) => outside.has(lane));
        rows += element(
            "g",
            {},
            tip(`bank ${bank}, wavefront ${number}: ${name} for ${laneWords(lanes)}`),
            box(x + 1, y, column - 2, rowHeight,
                stray                ? "stray" :
                    lanes.length > 1 ? "shared-by" :
                                       "used"),
            label(
                x + column / 2, y + 14,
                lanes.length === 1 ? lanes[0] :
                    column >= 20   ? `×${lanes.length}` :
                                     `${lanes.length}×`,
                column >= 20 ? "mid small" : "mid tiny"),
        );
        for (const lane of lanes) {
          const from = marginLeft + lane * column + column / 2;
          links += path([from, lanesBottom + 1, x + column / 2, banksTop], "link");
        }
      }
      rows += label(marginLeft + across + 8, y + 14, wordsOfPass(model, pass), "mono small");
      y += rowHeight + 3;
    }
  }
  const owners = [...new Set(remote.map((access) => access.owner))].sort((a, b) => a - b);
  if (local.length > 0 && owners.length > 0) {
    rows += label(marginLeft, y + 14, "and in other blocks' shared memory:", "quiet");
    y += 20;
  }
  for (const owner of owners) {
    rows += label(marginLeft - 8, y + 14, blockName(trace, request.launch, owner), "end quiet");
    for (const access of remote.filter((one) => one.owner === owner)) {
      const x = marginLeft + access.lane * column;
      rows += element(
          "g", {},
          tip(`lane ${access.lane}: ${elementName(trace, access.array, access.offset)} of ${
              blockName(trace, request.launch, owner)}`),
          box(x + 1, y, column - 2, rowHeight, "c1 edged"),
          label(x + column / 2, y + 14, access.lane, column >= 20 ? "mid small" : "mid tiny"));
      links += path(
          [
            x + column / 2, lanesBottom + 1, x + column / 2,
            local.length > 0 || owners.length > rowsInFront ? y : banksTop + 18
          ],
          local.length > 0 || owners.length > rowsInFront ? "link many" : "link");
    }
    const names =
        remote.filter((one) => one.owner === owner).map((one) => elementName(trace, one.array, one.offset));
    rows += label(
        marginLeft + across + 8, y + 14,
        names.length === 1 ? shortName(names[0]) : counted(names.length, "lane"), "mono small");
    y += rowHeight + 3;
  }
  body += links + rows;
  const good = drawPadded(model, request, column, y + 10);
  return {width: marginLeft + across + marginRight, height: good.bottom, body: body + good.body};
}

/**
 * The words that a wavefront serves: one by name, several as their banks.
 * @param {Model} model
 * @param {import("./service.js").Pass} pass
 */
function wordsOfPass(model, pass) {
  const words = [...pass.values()];
  if (words.length === 1) return shortName(elementName(model.trace, words[0].array, words[0].offset));
  if (words.length === bankCount) return "32 words";
  const banks = [...pass.keys()].sort((a, b) => a - b);
  const told = `banks ${ranges(banks)}`;
  return told.length <= 16 ? told : `${words.length} words`;
}
