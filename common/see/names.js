// The names of things, as the reader's program has them.

/** @typedef {import("./model.js").Trace} Trace */
/** @typedef {import("./model.js").Request} Request */
/** @typedef {import("./model.js").LaneAccess} LaneAccess */
/** @typedef {import("./model.js").TracedArray} TracedArray */

import {lanesPerWarp} from "./model.js";

/**
 * @param {Trace} trace
 * @param {number} array
 */
export function arrayName(trace, array) {
  if (array < 0) return "memory of no known array";
  return trace.arrays[array].name || `unnamed array ${array}`;
}

/**
 * An element's index by dimension, rows first. Behind the last row it goes on as the addresses do.
 * @param {TracedArray} array
 * @param {number} element
 */
export function indexOf(array, element) {
  const extents = array.extents && array.extents.length > 1 ? array.extents : [];
  const index = [];
  let rest = element;
  for (let i = extents.length - 1; i > 0; --i) {
    index.unshift(((rest % extents[i]) + extents[i]) % extents[i]);
    rest = Math.floor(rest / extents[i]);
  }
  return [rest, ...index];
}

/**
 * @param {TracedArray} array
 * @param {number} element
 */
export function indexText(array, element) { return indexOf(array, element).map((i) => `[${i}]`).join(""); }

/**
 * `tile[5][0]`, with the byte where it is not the element's first.
 * @param {Trace} trace
 * @param {number} arrayNumber
 * @param {number} offset in bytes
 */
export function elementName(trace, arrayNumber, offset) {
  if (arrayNumber < 0) return `address ${offset}`;
  const array = trace.arrays[arrayNumber];
  if (!array.element_bytes) return `${arrayName(trace, arrayNumber)} + ${offset} bytes`;
  const element = Math.floor(offset / array.element_bytes);
  const byte = offset - element * array.element_bytes;
  return `${arrayName(trace, arrayNumber)}${indexText(array, element)}${byte > 0 ? ` + ${byte} bytes` : ""}`;
}

/** @param {number} value */
export function grouped(value) { return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ","); }

/** @param {number} value */
export function ratio(value) { return value.toFixed(2); }

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** @param {number[]} numbers increasing */
export function ranges(numbers) {
  const parts = [];
  for (let i = 0; i < numbers.length;) {
    let end = i;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) ++end;
    parts.push(
        end === i ? `${numbers[i]}` :
            end === i + 1 ? `${numbers[i]}, ${numbers[end]}` :
                            `${numbers[i]}–${numbers[end]}`);
    i = end + 1;
  }
  if (parts.length > 6) return `${parts.slice(0, 5).join(", ")}, … ${parts[parts.length - 1]}`;
  return parts.join(", ");
}

/** @param {number[]} lanes */
export function laneWords(lanes) {
  return lanes.length === 1 ? `lane ${lanes[0]}` : `lanes ${ranges(lanes)}`;
}

/** @param {number} thread the linear number in the block */
export function warpOf(thread) { return Math.floor(thread / lanesPerWarp); }

/**
 * A linear number as CUDA's index, where the grid or block has more than one dimension.
 * @param {number[]} extents
 * @param {number} linear
 */
export function coordinates(extents, linear) {
  const [width, height, depth] = extents;
  if (height === 1 && depth === 1) return `${linear}`;
  const xy = [linear % width, Math.floor(linear / width) % height];
  const index = depth === 1 ? xy : [...xy, Math.floor(linear / (width * height))];
  return `(${index.join(",")})`;
}

/**
 * @param {Trace} trace
 * @param {number} launch
 * @param {number} block
 */
export function blockName(trace, launch, block) {
  return `block ${coordinates(trace.launches[launch].grid, block)}`;
}

/**
 * @param {Trace} trace
 * @param {number} launch
 */
export function launchName(trace, launch) {
  const {kernel, grid, block} = trace.launches[launch];
  const extents = (/** @type {number[]} */ e) => e.slice(0, e[2] > 1 ? 3 : e[1] > 1 ? 2 : 1).join("×");
  return `${kernel}<<<${extents(grid)}, ${extents(block)}>>>`;
}

/** @param {string} kind */
export function verbOf(kind) { return kind === "read" ? "read" : kind === "write" ? "write" : "update"; }

/** @param {string} kind */
export function thirdPerson(kind) {
  return kind === "read" ? "reads" : kind === "write" ? "writes" : "updates";
}

/** @param {string} space */
export function spaceWords(space) { return space === "remote" ? "other blocks' shared" : space; }
