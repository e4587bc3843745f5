// Small traces made by hand: what the drawing code has to show, one each. `node traces.js FOLDER` writes them there.

import {mkdirSync, writeFileSync} from "node:fs";
import {argv} from "node:process";

const allLanes = 0xffffffff;

const lanesIn = (mask) => Array.from({length: 32}, (_, lane) => lane).filter((lane) => (mask >>> lane) & 1);

/** Collects the records of a trace. Costs are given by whoever writes the trace: they are what the code is tested against. */
class TraceMaker {
  constructor(title, source, more = {}) {
    this.info = {
      version: 1,
      title,
      call: `${title}()`,
      file: "kernel.cu",
      made: "2026-11-23T04:00:00Z",
      schedule: "forward",
      ...more
    };
    this.source = source;
    this.launches = [];
    this.arrays = [];
    this.sites = [];
    this.steps = [];
    this.lines = new Map();
    this.findings = [];
    this.leftOut = 0;
  }

  launch(grid, block, more = {}) {
    const full = (extents) => [...extents, 1, 1].slice(0, 3);
    this.launches.push({
      kernel: "kernel",
      grid: full(grid),
      block: full(block),
      cluster: [1, 1, 1],
      shared_bytes: 0,
      depth: 0,
      ...more
    });
    return this.launches.length - 1;
  }

  array(name, space, elements, more = {}) {
    const {element_bytes = 4} = more;
    this.arrays.push({name, space, bytes: elements * element_bytes, element_bytes, address: 0, ...more});
    return this.arrays.length - 1;
  }

  site(line) {
    const known = this.sites.findIndex((site) => site.line === line);
    if (known >= 0) return known;
    this.sites.push({file: 0, line, kernel: "kernel"});
    return this.sites.length - 1;
  }

  /** One request. `at(lane)` is the lane's offset in bytes; `cost` and `least` in sectors or wavefronts. */
  access(kind, {
    line,
    array,
    at,
    cost,
    least,
    launch = 0,
    block = 0,
    thread = 0,
    lanes = allLanes,
    bytes = 4,
    owner,
    joined
  }) {
    const step =
        {kind, launch, block, thread, lanes, site: this.site(line), array, bytes, at: lanesIn(lanes).map(at)};
    if (joined)
      step.joined = true;
    else
      Object.assign(step, {cost, least});
    if (owner !== undefined) step.owner = owner;
    const remote = owner !== undefined && owner !== block;
    const {space} = this.arrays[array];
    const key = `${line}:${space}:${kind}:${remote}`;
    const count = lanesIn(lanes).length;
    const known = this.lines.get(key) ?? {
      file: 0,
      line,
      space,
      access: kind,
      requests: 0,
      cost: 0,
      least: 0,
      lanes: 0,
      bytes: 0,
      ...(remote ? {remote} : {})
    };
    if (!joined) known.requests += 1;
    if (!joined && !remote) Object.assign(known, {cost: known.cost + cost, least: known.least + least});
    Object.assign(known, {lanes: known.lanes + count, bytes: known.bytes + count * bytes});
    this.lines.set(key, known);
    this.steps.push(step);
  }

  barrier({line, phase, launch = 0, block = 0, threads, scope = "block", ended = true}) {
    for (const thread of threads)
      this.steps.push({
        kind: "barrier",
        launch,
        block,
        thread,
        lanes: allLanes,
        site: this.site(line),
        scope,
        phase,
        ...(ended ? {} : {ended})
      });
  }

  other(kind, {line, launch = 0, block = 0, thread = 0, lanes = allLanes, ...more}) {
    this.steps.push({kind, launch, block, thread, lanes, site: this.site(line), ...more});
  }

  finding(id, sentence, places) {
    this.findings.push({id, sentence, details: [`What ${id} means.`], places});
  }

  records() {
    const of = (kind, list) => list.map((record) => ({[kind]: record}));
    return [
      {trace: this.info},
      {file: {path: "kernel.cu", text: this.source}},
      ...of("launch", this.launches),
      ...of("array", this.arrays),
      ...of("site", this.sites),
      ...of("step", this.steps),
      ...of("line", [...this.lines.values()]),
      ...of("finding", this.findings),
      {end: {steps: this.steps.length, left_out: this.leftOut}},
    ];
  }
}

/** 64 elements each in two blocks of two warps: 4 sectors for every request. */
function coalescedCopy() {
  const t = new TraceMaker(
      "coalesced copy",
      `#include <cuda_runtime.h>\n\n// Copies.\n__global__ void kernel(float* out, const float* in) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  out[i] = in[i];\n}\n\nint main() { return 0; } // </script> & "quotes"\n`,
      {verdict: "All items pass.", numbers: {n: "128"}});
  t.launch([2], [64]);
  const [input, output] = [t.array("in", "global", 128), t.array("out", "global", 128)];
  for (const block of [0, 1])
    for (const thread of [0, 32]) {
      const at = (lane) => (block * 64 + thread + lane) * 4;
      t.access("read", {line: 6, array: input, block, thread, at, cost: 4, least: 4});
      t.access("write", {line: 6, array: output, block, thread, at, cost: 4, least: 4});
    }
  return t.records();
}

/** Every lane 128 bytes from its neighbour: 32 sectors. Then one element further than a sector's beginning: 5. */
function strideCopy() {
  const t = new TraceMaker(
      "stride copy",
      "__global__ void kernel(float* out, const float* in) {\n  out[threadIdx.x + 1] = in[32 * threadIdx.x];\n}\n");
  t.launch([1], [32]);
  const [input, output] = [t.array("in", "global", 1024, {extents: [32, 32]}), t.array("out", "global", 64)];
  t.access("read", {line: 2, array: input, at: (lane) => lane * 128, cost: 32, least: 4});
  t.access("write", {line: 2, array: output, at: (lane) => 4 * lane + 4, cost: 5, least: 4});
  return t.records();
}

/** A tile that is written by rows and read by columns; its rows are `width` words long. */
function transpose(width) {
  const t = new TraceMaker(
      "transpose",
      `__global__ void kernel(float* out, const float* in) {\n  __shared__ float tile[32][${
          width}];\n  tile[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];\n  __syncthreads();\n  out[32 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n}\n`,
      {file: `tile_${width}.cu`});
  t.launch([1], [32, 32], {shared_bytes: 128 * width});
  const [input, tile, output] = [
    t.array("in", "global", 1024), t.array("tile", "shared", 32 * width, {extents: [32, width]}),
    t.array("out", "global", 1024)
  ];
  const threads = Array.from({length: 32}, (_, warp) => warp * 32);
  for (const thread of threads) {
    const row = thread / 32;
    t.access("read", {line: 3, array: input, thread, at: (lane) => row * 128 + lane * 4, cost: 4, least: 4});
    t.access(
        "write", {line: 3, array: tile, thread, at: (lane) => row * 4 * width + lane * 4, cost: 1, least: 1});
  }
  t.barrier({line: 4, phase: 0, threads});
  for (const thread of threads) {
    const row = thread / 32;
    t.access("read", {
      line: 5,
      array: tile,
      thread,
      at: (lane) => lane * 4 * width + row * 4,
      cost: width === 32 ? 32 : 1,
      least: 1
    });
    t.access(
        "write", {line: 5, array: output, thread, at: (lane) => row * 128 + lane * 4, cost: 4, least: 4});
  }
  if (width === 32)
    t.finding("bank-conflict", "Shared memory was read in 32 times as many wavefronts as needed.", []);
  return t.records();
}

/** Two warps hand each other elements without a barrier. */
function race() {
  const t = new TraceMaker(
      "race",
      "__global__ void kernel(int* a) {\n  __shared__ int piece[64];\n  piece[threadIdx.x] = a[threadIdx.x];\n  a[threadIdx.x] = piece[63 - threadIdx.x];\n}\n",
      {verdict: "It fails."});
  t.launch([1], [64]);
  const [a, piece] = [t.array("a", "global", 64), t.array("piece", "shared", 64)];
  for (const thread of [0, 32]) {
    t.access("read", {line: 3, array: a, thread, at: (lane) => (thread + lane) * 4, cost: 4, least: 4});
    t.access("write", {line: 3, array: piece, thread, at: (lane) => (thread + lane) * 4, cost: 1, least: 1});
    t.access(
        "read", {line: 4, array: piece, thread, at: (lane) => (63 - thread - lane) * 4, cost: 1, least: 1});
    t.access("write", {line: 4, array: a, thread, at: (lane) => (thread + lane) * 4, cost: 4, least: 4});
  }
  t.finding("shared-race", "Two threads use piece[63] and nothing orders them.", [
    {file: 0, line: 4, launch: 0, block: 0, thread: 0, access: "read"},
    {file: 0, line: 3, launch: 0, block: 0, thread: 63, access: "write"},
  ]);
  return t.records();
}

/** 40 elements in two warps: the second has 8 lanes on. */
function tail() {
  const t = new TraceMaker(
      "tail", "__global__ void kernel(int* a, int n) {\n  if (threadIdx.x < n) a[threadIdx.x] += 1;\n}\n");
  t.launch([1], [64]);
  const a = t.array("a", "global", 40);
  for (const [thread, lanes, cost] of [[0, allLanes, 4], [32, 0xff, 1]])
    for (const kind of ["read", "write"])
      t.access(
          kind, {line: 2, array: a, thread, lanes, at: (lane) => (thread + lane) * 4, cost, least: cost});
  return t.records();
}

/** The same without the `if`, and one element before the array. */
function outOfBounds() {
  const t = new TraceMaker(
      "out of bounds", "__global__ void kernel(int* a) {\n  a[threadIdx.x] += 1;\n  a[-1] = 0;\n}\n",
      {verdict: "It fails."});
  t.launch([1], [64]);
  const a = t.array("a", "global", 40);
  for (const thread of [0, 32])
    for (const kind of ["read", "write"])
      t.access(kind, {line: 2, array: a, thread, at: (lane) => (thread + lane) * 4, cost: 4, least: 4});
  t.access("write", {line: 3, array: a, lanes: 1, at: () => -4, cost: 1, least: 1});
  t.finding(
      "out-of-bounds", "A thread writes 4 bytes behind the end of a.",
      [{file: 0, line: 2, launch: 0, block: 0, thread: 40, access: "write"}]);
  return t.records();
}

/** Two blocks of a cluster that count in each other's shared memory; some lanes stay at home. */
function clusterExchange() {
  const t = new TraceMaker(
      "cluster",
      "__global__ void kernel(int* out) {\n  __shared__ int counts[32];\n  counts[threadIdx.x] = 0;\n  cluster.sync();\n  atomicAdd(cluster.map_shared_rank(counts, threadIdx.x % 2) + threadIdx.x / 2, 1);\n  cluster.sync();\n  out[threadIdx.x] = counts[threadIdx.x];\n}\n");
  t.launch([4], [32], {cluster: [2, 1, 1], shared_bytes: 128});
  const [counts, out] = [t.array("counts", "shared", 32), t.array("out", "global", 128)];
  for (const first of [0, 2]) {
    const blocks = [first, first + 1];
    for (const block of blocks)
      t.access("write", {line: 3, array: counts, block, at: (lane) => lane * 4, cost: 1, least: 1});
    for (const block of blocks) t.barrier({line: 4, phase: 0, block, threads: [0], scope: "cluster"});
    for (const block of blocks) {
      const even = 0x55555555;
      const home = block === first ? even : (even << 1) >>> 0;
      t.access("atomic", {
        line: 5,
        array: counts,
        block,
        lanes: home,
        at: (lane) => Math.floor(lane / 2) * 4,
        cost: 1,
        least: 1
      });
      t.access("atomic", {
        line: 5,
        array: counts,
        block,
        lanes: ~home >>> 0,
        owner: block === first ? first + 1 : first,
        at: (lane) => Math.floor(lane / 2) * 4,
        joined: true
      });
    }
    for (const block of blocks) t.barrier({line: 6, phase: 1, block, threads: [0], scope: "cluster"});
    for (const block of blocks) {
      t.access("read", {line: 7, array: counts, block, at: (lane) => lane * 4, cost: 1, least: 1});
      t.access(
          "write", {line: 7, array: out, block, at: (lane) => (block * 32 + lane) * 4, cost: 4, least: 4});
    }
  }
  return t.records();
}

/** A grid that launches a grid that launches two. */
function childGrids() {
  const t = new TraceMaker(
      "children",
      "__global__ void kernel(int* a, int depth) {\n  a[blockIdx.x * 32 + threadIdx.x] += depth;\n  if (threadIdx.x == 0) kernel<<<1, 32>>>(a, depth + 1);\n}\n");
  t.launch([1], [32]);
  t.launch([1], [32], {depth: 1, parent: {launch: 0, block: 0, thread: 0}});
  for (let i = 0; i < 2; ++i) t.launch([1], [32], {depth: 2, parent: {launch: 1, block: 0, thread: 0}});
  const a = t.array("a", "global", 32);
  const work = (launch) => {
    for (const kind of ["read", "write"])
      t.access(kind, {line: 2, array: a, launch, at: (lane) => lane * 4, cost: 4, least: 4});
  };
  work(0);
  t.other("launch", {line: 3, lanes: 1, child: 1});
  work(1);
  for (const child of [2, 3]) t.other("launch", {line: 3, launch: 1, lanes: 1, child});
  work(2);
  work(3);
  return t.records();
}

/** A sum by shuffles, and 32 atomic updates of one element in global and in shared memory. */
function sumWithShuffles() {
  const t = new TraceMaker(
      "sum",
      "__global__ void kernel(int* sum, const int* in) {\n  __shared__ int counts[1];\n  int value = in[threadIdx.x];\n  for (int k = 16; k > 0; k /= 2) value += __shfl_down_sync(~0u, value, k);\n  if (threadIdx.x == 0) atomicAdd(sum, value);\n  atomicAdd(sum + 1, value);\n  atomicAdd(counts, value);\n  atomicAdd(counts, 1);\n}\n");
  t.launch([1], [32], {shared_bytes: 4});
  const [input, sum, counts] =
      [t.array("in", "global", 32), t.array("sum", "global", 2), t.array("counts", "shared", 1)];
  t.access("read", {line: 3, array: input, at: (lane) => lane * 4, cost: 4, least: 4});
  for (let i = 0; i < 5; ++i) t.other("exchange", {line: 4});
  t.access("atomic", {line: 5, array: sum, lanes: 1, at: () => 0, cost: 1, least: 1});
  t.access("atomic", {line: 6, array: sum, at: () => 4, cost: 32, least: 1});
  t.access("atomic", {line: 7, array: counts, at: () => 0, cost: 32, least: 1});
  t.access("atomic", {line: 8, array: counts, at: () => 0, cost: 1, least: 1});
  return t.records();
}

/** Wide accesses: 8 bytes in two groups, 16 bytes in four, conflicts in each; bytes; a broadcast; pairs that share. */
function wideAccesses() {
  const t =
      new TraceMaker("wide", "__global__ void kernel() {\n  // 2\n  double a;\n  float4 b;\n  char c;\n}\n");
  t.launch([1], [32], {shared_bytes: 4096});
  const [s, g] = [t.array("s", "shared", 1024), t.array("g", "global", 1024)];
  t.access("read", {line: 3, array: s, bytes: 8, at: (lane) => lane * 8, cost: 2, least: 2});
  t.access("read", {line: 3, array: s, bytes: 8, at: (lane) => Math.floor(lane / 2) * 8, cost: 1, least: 1});
  t.access("write", {line: 3, array: s, bytes: 8, at: (lane) => lane * 16, cost: 4, least: 2});
  t.access("read", {line: 4, array: s, bytes: 16, at: (lane) => lane * 16, cost: 4, least: 4});
  t.access("read", {line: 4, array: s, bytes: 16, at: (lane) => lane * 128, cost: 32, least: 4});
  t.access("read", {line: 4, array: s, bytes: 16, at: () => 16, cost: 2, least: 2});
  t.access("read", {line: 5, array: s, bytes: 1, at: (lane) => lane, cost: 1, least: 1});
  t.access("read", {line: 5, array: s, bytes: 4, at: () => 12, cost: 1, least: 1});
  t.access("read", {line: 4, array: g, bytes: 16, at: (lane) => lane * 16, cost: 16, least: 16});
  t.access("read", {line: 5, array: g, bytes: 1, at: (lane) => lane + 5, cost: 2, least: 1});
  t.access("read", {line: 5, array: g, bytes: 2, at: (lane) => 62 - 2 * lane, cost: 2, least: 2});
  return t.records();
}

/** Two warps wait at different barriers, and another barrier never completes. */
function brokenBarriers() {
  const t = new TraceMaker(
      "broken barriers",
      "__global__ void kernel(int* a) {\n  if (threadIdx.x < 32) __syncthreads();\n  a[threadIdx.x] = 1;\n  __syncthreads();\n}\n",
      {verdict: "It fails."});
  t.launch([1], [96]);
  const a = t.array("a", "global", 96);
  t.access("write", {line: 3, array: a, thread: 32, at: (lane) => (32 + lane) * 4, cost: 4, least: 4});
  t.barrier({line: 2, phase: 0, threads: [0]});
  t.barrier({line: 4, phase: 0, threads: [32, 64]});
  t.access("write", {line: 3, array: a, at: (lane) => lane * 4, cost: 4, least: 4});
  t.barrier({line: 4, phase: 1, threads: [0], ended: false});
  t.finding("barrier-divergence", "Threads of one block wait at different barriers.", [
    {file: 0, line: 2, launch: 0, block: 0, thread: 0},
    {file: 0, line: 4, launch: 0, block: 0, thread: 32},
  ]);
  return t.records();
}

/** Many blocks on a large matrix: more than a page holds, and more than a picture has cells for. */
function large(blocks = 2000) {
  const t = new TraceMaker(
      "large", "__global__ void kernel(float* a) {\n  a[blockIdx.x * 256 + threadIdx.x] *= 2;\n}\n");
  t.launch([blocks], [256]);
  const a = t.array("a", "global", blocks * 256, {extents: [blocks / 2, 512]});
  for (let block = 0; block < blocks; ++block)
    for (let thread = 0; thread < 256; thread += 32)
      for (const kind of ["read", "write"])
        t.access(kind, {
          line: 2,
          array: a,
          block,
          thread,
          at: (lane) => (block * 256 + thread + lane) * 4,
          cost: 4,
          least: 4
        });
  t.finding("global-race", "Two threads of different blocks use a[0].", [
    {file: 0, line: 2, launch: 0, block: 777, thread: 0, access: "write"},
    {file: 0, line: 2, launch: 0, block: 778, thread: 0, access: "write"},
  ]);
  return t.records();
}

/** All of them, by name. */
export const traces = {
  coalesced_copy: coalescedCopy(),
  stride_copy: strideCopy(),
  transpose_32: transpose(32),
  transpose_33: transpose(33),
  race: race(),
  tail: tail(),
  out_of_bounds: outOfBounds(),
  cluster: clusterExchange(),
  children: childGrids(),
  sum: sumWithShuffles(),
  wide: wideAccesses(),
  broken_barriers: brokenBarriers(),
};

export const largeTrace = large;

/** @param {Record<string, any>[]} records */
export const textOf = (records) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

if (argv[1]?.endsWith("traces.js")) {
  mkdirSync(argv[2], {recursive: true});
  for (const [name, records] of Object.entries({...traces, matrix: large(64), large: large()}))
    writeFileSync(`${argv[2]}/${name}.jsonl`, textOf(records));
}
