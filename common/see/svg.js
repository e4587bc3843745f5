// SVG as text. Every attribute and every text is escaped here and nowhere else.

/**
 * A picture without its frame: `body` is SVG, `title` and `description` say in words what it shows.
 * @typedef {{width: number, height: number, body: string, title: string, description: string}} Picture
 * @typedef {Record<string, string | number | undefined>} Attributes
 */

/** @param {string | number} value */
export function escaped(value) {
  return String(value)
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll("\"", "&quot;");
}

/** @param {Attributes} attributes */
export function attributeText(attributes) {
  return Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(
          ([name, value]) => ` ${name}="${
              escaped(typeof value === "number" ? Math.round(value * 100) / 100 : value ?? "")}"`)
      .join("");
}

/**
 * @param {string} name
 * @param {Attributes} attributes
 * @param {...string} children markup
 */
export function element(name, attributes, ...children) {
  const content = children.join("");
  return content === "" ? `<${name}${attributeText(attributes)}/>` :
                          `<${name}${attributeText(attributes)}>${content}</${name}>`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} kind classes
 * @param {Attributes} [more]
 */
export function box(x, y, width, height, kind, more = {}) {
  return element("rect", {x, y, width, height, class: kind, ...more});
}

/**
 * @param {number} x
 * @param {number} y of the base line
 * @param {string | number} words
 * @param {string} [kind] classes: `mid` and `end` set the anchor
 * @param {Attributes} [more]
 */
export function label(x, y, words, kind = "", more = {}) {
  return element("text", {x, y, class: `t ${kind}`.trim(), ...more}, escaped(words));
}

/**
 * @param {number[]} points x, y, x, y …
 * @param {string} kind classes
 */
export function path(points, kind) {
  let d = "";
  for (let i = 0; i < points.length; i += 2)
    d += `${i === 0 ? "M" : "L"}${Math.round(points[i] * 10) / 10} ${Math.round(points[i + 1] * 10) / 10}`;
  return element("path", {d, class: kind});
}

/** @param {string} words what a pointer that rests on the element shows */
export function tip(words) { return element("title", {}, escaped(words)); }

/**
 * A picture in its frame, for a page.
 * @param {Picture} picture
 * @param {string} name no other picture of the page has it
 */
export function framed(picture, name) {
  const {width, height, body, title, description} = picture;
  return (
      `<svg xmlns="http://www.w3.org/2000/svg" class="picture" width="${Math.ceil(width)}" height="${
          Math.ceil(height)}" ` +
      `viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" role="img" aria-labelledby="${name}-title ${
          name}-desc">` +
      `<title id="${name}-title">${escaped(title)}</title><desc id="${name}-desc">${
          escaped(description)}</desc>${body}</svg>`);
}
