// What an answer to a question comes to, by the rules of common/command/questions.py, with which a test compares it.
(function (root) {
  "use strict";

  /** A sentence in the page's language; `values` are those of its {places}. */
  function say(english, values) {
    const text = (root.warpbookWords || {})[english] || english;
    return text.replace(/\{(\w+)\}/g, (place, name) => values && name in values ? String(values[name]) : place);
  }

  const NUMBER = /^([+-]?)(\d[\d,_]*\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,3}))?/;
  const GROUPS = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;

  /** The number at the start of `text`, and what follows it; null if there is none. */
  function one(text) {
    const match = NUMBER.exec(text);
    if (!match) return null;
    let digits = match[2].replaceAll("_", "");
    if (digits.includes(",")) {
      if (GROUPS.test(digits)) digits = digits.replaceAll(",", "");
      else if (digits.split(",").length === 2 && !digits.includes(".")) digits = digits.replace(",", ".");
      else return null;
    }
    return { value: Number(`${match[1]}${digits}e${match[3] || 0}`), rest: text.slice(match[0].length).trim() };
  }

  const plainUnit = (unit) => unit.trim().toLowerCase().replace(/[.。]+$/, "").replace(/\s+/g, " ").replace(/^[个次条块组]|(?<=[\p{L}\p{N}_])s$/gu, "").trim();

  /** Full-width forms of ASCII's signs, as Chinese keyboards type them, and signs that stand for others, as ASCII has them. */
  const inAscii = (text) => text.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xFEE0)).replaceAll("−", "-").replaceAll("×", "*");

  /** The number that a reader typed, as {value} or {problem: a sentence}. One of `units` may stand behind it. */
  function numberOf(text, ...units) {
    const typed = text.trim(), unit = units[0];
    const refused = { problem: say("'{typed}' is not a number. Type one like 8, 0.5, 3/4, 1024 or 2^10.", { typed }) };
    const first = one(inAscii(typed));
    if (!first) return refused;
    let { value, rest } = first;
    const operator = /^(\/|\^+|\*\*)/.exec(rest);
    if (operator) {
      const second = one(rest.replace(operator[0] === "/" ? /^\// : /^[\^*]+/, "").trim());
      if (!second || (operator[0] === "/" && second.value === 0)) return refused;
      value = operator[0] === "/" ? value / second.value : value ** second.value;
      rest = second.rest;
    }
    if (!Number.isFinite(value)) return { problem: say("'{typed}' is not a number that can be an answer.", { typed }) };
    if (!["", ...units.map(plainUnit)].includes(plainUnit(rest))) {
      return { problem: unit ? say("'{typed}' ends with '{rest}'. The answer is a number of {unit}: type the number alone.", { typed, rest, unit })
                             : say("'{typed}' ends with '{rest}'. The answer is a number without a unit: type the number alone.", { typed, rest }) };
    }
    return { value };
  }

  const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance + 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

  /** {right, why} of the answer `value`. The listed mistake that is nearest counts. */
  function judge(question, value) {
    if (near(value, question.answer, question.tolerance)) return { right: true, why: question.why };
    const mistakes = question.wrong.filter((each) => near(value, each.value, question.tolerance));
    mistakes.sort((a, b) => Math.abs(value - a.value) - Math.abs(value - b.value));
    return { right: false, why: mistakes.length ? mistakes[0].why : question.otherwise };
  }

  root.warpbookAnswers = { numberOf, judge, near, say };
})(typeof module === "object" ? module.exports : window);
