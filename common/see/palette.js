// The colours, in light and dark, and what the pictures look like. No meaning depends on colour alone.

/** @type {Record<string, [light: string, dark: string]>} */
export const colours = {
  paper: ["#ffffff", "#16181b"],
  panel: ["#f6f6f4", "#1f2226"],
  ink: ["#1b1d20", "#e6e6e3"],
  muted: ["#5b6068", "#a3a8af"],
  rule: ["#d5d6d3", "#3b4046"],
  edge: ["#7d828a", "#858b93"],
  accent: ["#1f5fa8", "#7db4ef"],
  used: ["#bcd6ef", "#2c5a88"],
  waste: ["#8a8f96", "#7d838b"],
  good: ["#20683a", "#7fce98"],
  bad: ["#b02a1d", "#ff8f80"],
  badpaper: ["#fbe6e2", "#4a221d"],
  mark: ["#8a5a00", "#f0bf5a"],
  c0: ["#b9d4ec", "#2b5580"],
  c1: ["#f4cf9f", "#7a4f1c"],
  c2: ["#c3e2b7", "#39632f"],
  c3: ["#ecc0cb", "#7c384b"],
  c4: ["#d4c8ea", "#58437f"],
  c5: ["#ebe39b", "#665f1d"],
  c6: ["#b2dfdb", "#22625f"],
  c7: ["#dccfc1", "#5d5145"],
  r0: ["#edf3f9", "#1f2c39"],
  r1: ["#dce8f4", "#233648"],
  r2: ["#cbddee", "#274057"],
  r3: ["#b9d1e9", "#2b4b67"],
  r4: ["#a8c6e3", "#2f5576"],
  r5: ["#97badd", "#336086"],
  r6: ["#86afd8", "#376a95"],
  r7: ["#75a3d2", "#3b75a5"],
};

export const categoryCount = 8;
export const rampSteps = 8;

export const sansFonts = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";
export const monoFonts =
    "ui-monospace, 'SF Mono', Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace";

/**
 * The style of all pictures.
 * @param {(name: string) => string} colour
 */
export function pictureStyle(colour) {
  const numbered = (/** @type {string} */ prefix, /** @type {number} */ count) =>
      Array.from({length: count}, (_, i) => `.${prefix}${i}{fill:${colour(prefix + i)}}`).join("\n");
  return `
.t{fill:${colour("ink")};font:11px ${sansFonts}}
.t.mono{font-family:${monoFonts}}
.t.small{font-size:10px}
.t.tiny{font-size:9px}
.t.big{font-size:12px}
.t.strong{font-weight:600}
.t.mid{text-anchor:middle}
.t.end{text-anchor:end}
.t.quiet{fill:${colour("muted")}}
.t.alarm{fill:${colour("bad")};font-weight:600}
.t.told{fill:${colour("accent")}}
.plain{fill:${colour("paper")};stroke:${colour("edge")};stroke-width:1}
.outline{fill:none;stroke:${colour("edge")};stroke-width:1}
.faint{fill:none;stroke:${colour("rule")};stroke-width:1}
.dash{fill:none;stroke:${colour("rule")};stroke-width:1;stroke-dasharray:3 3}
.used{fill:${colour("used")};stroke:${colour("edge")};stroke-width:1}
.shared-by{fill:${colour("used")};stroke:${colour("ink")};stroke-width:2}
.unused{fill:url(#hatch);stroke:${colour("edge")};stroke-width:1}
.idle{fill:${colour("panel")};stroke:${colour("rule")};stroke-width:1;stroke-dasharray:2 2}
.cross{fill:none;stroke:${colour("edge")};stroke-width:1}
.stray{fill:${colour("badpaper")};stroke:${colour("bad")};stroke-width:1.5;stroke-dasharray:4 2}
.link{fill:none;stroke:${colour("accent")};stroke-width:1;opacity:.75}
.link.many{opacity:.4}
.arrow{fill:none;stroke:${colour("accent")};stroke-width:1.5}
.arrow.alarm{stroke:${colour("bad")};stroke-dasharray:5 3}
.head{fill:${colour("accent")}}
.ring{fill:none;stroke:${colour("ink")};stroke-width:2.5}
.ring.alarm{stroke:${colour("bad")}}
.cursor{fill:none;stroke:${colour("accent")};stroke-width:2.5}
.frame{fill:none;stroke:${colour("ink")};stroke-width:1.5}
.cell{stroke:${colour("paper")};stroke-width:1}
.never{fill:${colour("paper")};stroke:${colour("rule")};stroke-width:1}
.corner{fill:${colour("ink")}}
.edged{stroke:${colour("edge")};stroke-width:1}
.solid{fill:${colour("ink")}}
.bar{fill:${colour("used")}}
.track{fill:${colour("panel")}}
.wait{fill:url(#waiting)}
.wall{stroke:${colour("ink")};stroke-width:2;fill:none}
.wall.open{stroke:${colour("bad")};stroke-dasharray:3 3}
.glyph{fill:${colour("ink")};stroke:none}
.glyph.hollow{fill:none;stroke:${colour("ink")};stroke-width:1.5}
.band{fill:${colour("panel")}}
.pattern{stroke:${colour("ink")};stroke-opacity:.45;stroke-width:1;fill:none}
.hatching{stroke:${colour("waste")};stroke-width:1;fill:none}
.ground{fill:${colour("paper")}}
${numbered("c", categoryCount)}
${numbered("r", rampSteps)}
.s1{fill:url(#s1)}
.s2{fill:url(#s2)}
.s3{fill:url(#s3)}
.s4{fill:url(#s4)}
.s5{fill:url(#s5)}
.s6{fill:url(#s6)}
.s7{fill:url(#s7)}
`;
}

/** Patterns that the style refers to; once in a document. */
export function patternDefinitions() {
  const pattern =
      (/** @type {string} */ id, /** @type {number} */ size, /** @type {string} */ d, kind = "pattern",
       ground = "") => `<pattern id="${id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse">${
          ground}<path d="${d}" class="${kind}"/></pattern>`;
  const rising = "M-1 1L1 -1M0 6L6 0M5 7L7 5";
  const falling = "M-1 5L1 7M0 0L6 6M5 -1L7 1";
  return (
      "<defs>" +
      pattern("hatch", 6, rising, "hatching", "<rect width=\"6\" height=\"6\" class=\"ground\"/>") +
      pattern("waiting", 6, "M0 3L2 3", "hatching") + pattern("s1", 6, rising) + pattern("s2", 6, falling) +
      pattern("s3", 6, "M0 3L6 3") + pattern("s4", 6, "M3 0L3 6") + pattern("s5", 6, "M0 3L6 3M3 0L3 6") +
      pattern("s6", 6, `${rising}${falling}`) + pattern("s7", 6, "M2 3L4 3M3 2L3 4") +
      "<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">" +
      "<path d=\"M0 0L8 4L0 8Z\" class=\"head\"/></marker>" +
      "</defs>");
}

/** The two palettes as CSS variables; the reader's choice of theme goes before the system's. */
export function paletteStyle() {
  const set = (/** @type {0 | 1} */ theme) =>
      Object.entries(colours).map(([name, pair]) => `--${name}:${pair[theme]}`).join(";");
  return (
      `:root{${set(0)};color-scheme:light}\n` +
      `@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${set(1)};color-scheme:dark}}\n` +
      `:root[data-theme="dark"]{${set(1)};color-scheme:dark}\n`);
}
