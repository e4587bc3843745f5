// What the pages do by themselves: theme, menu, search, copying, and a student's progress. Without it they can be read all the same.
(function () {
  "use strict";

  const page = document.documentElement;
  const root = page.dataset.root;
  const labs = window.warpbookLabs || {};
  const { numberOf, judge, near, say } = window.warpbookAnswers;

  /** An element with properties, and with children that are texts or elements. */
  function make(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  // ---- what is kept in this browser ----

  const PROGRESS = "warpbook-progress";
  const THEME = "warpbook-theme";

  function kept(key) {
    try { return localStorage.getItem(key); } catch { return null; } // some browsers deny it to pages on disk
  }

  function keep(key, value) {
    try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { /* it lasts as long as the page */ }
  }

  function readProgress() {
    try {
      const said = JSON.parse(kept(PROGRESS));
      return said && typeof said === "object" ? said : {};
    } catch { return {}; }
  }

  let progress = readProgress();

  /** What is kept of a lab: {ticked: {section: true}, answers: {question: [numbers]}}. */
  function ofLab(lab) {
    const entry = progress[lab] && typeof progress[lab] === "object" ? progress[lab] : {};
    return { ticked: { ...entry.ticked }, answers: { ...entry.answers } };
  }

  function change(lab, how) {
    progress = readProgress(); // another page may have written meanwhile
    const entry = ofLab(lab);
    how(entry);
    progress[lab] = entry;
    keep(PROGRESS, JSON.stringify(progress));
    showProgress();
  }

  const isRight = ([answer, tolerance], given) => Array.isArray(given) && given.length > 0 && near(given[given.length - 1], answer, tolerance);

  function counts(lab) {
    const { ticked, answers } = ofLab(lab);
    const { sections, questions } = labs[lab];
    const names = Object.keys(questions);
    return { ticked: sections.filter((name) => ticked[name]).length, sections: sections.length,
             right: names.filter((name) => isRight(questions[name], answers[name])).length, questions: names.length };
  }

  function showProgress() {
    let any = false;
    for (const link of document.querySelectorAll("#pages a[data-lab]")) {
      const lab = labs[link.dataset.lab];
      if (!lab) continue;
      const { ticked, sections, right, questions } = counts(link.dataset.lab);
      link.querySelector(".count")?.remove();
      if (ticked + right > 0) {
        any = true;
        link.append(make("span", { className: "count" }, say("{done} of {all}", { done: ticked + right, all: sections + questions })));
      }
    }
    const line = document.querySelector(".progress");
    if (line) {
      const { ticked, sections, right, questions } = counts(page.dataset.lab);
      line.textContent = questions ? say("Your progress: {ticked} of {sections} sections ticked, {right} of {questions} questions answered.", { ticked, sections, right, questions })
                                   : say("Your progress: {ticked} of {sections} sections ticked.", { ticked, sections });
    }
    document.querySelector(".kept").hidden = !any;
  }

  function addTicks() {
    const lab = page.dataset.lab;
    if (!lab || !labs[lab]) return;
    const first = document.querySelector("article h1");
    first?.after(make("p", { className: "progress" }));
    for (const name of labs[lab].sections) {
      const heading = document.getElementById(name);
      const box = make("input", { type: "checkbox", checked: !!ofLab(lab).ticked[name] });
      box.addEventListener("change", () => change(lab, ({ ticked }) => { if (box.checked) ticked[name] = true; else delete ticked[name]; }));
      heading?.after(make("label", { className: "tick" }, box, heading.textContent.includes("TODO(") ? say("Done") : say("Read")));
    }
  }

  // ---- questions ----

  function addQuestions() {
    for (const place of document.querySelectorAll(".question")) {
      const question = JSON.parse(place.querySelector("script").textContent);
      const input = make("input", { type: "text", autocomplete: "off" });
      input.setAttribute("aria-labelledby", `ask-${question.id}`);
      const feedback = make("p", { className: "feedback" });
      feedback.setAttribute("role", "status");
      const form = make("form", {}, input, ...(question.unit ? [question.unit] : []), make("button", { type: "submit" }, say("Check")));
      const show = (value) => {
        const { right, why } = judge(question, value);
        feedback.className = `feedback ${right ? "right" : "wrong"}`;
        feedback.innerHTML = `${right ? say("✓ Right.") : say("✗ Not yet.")} ${why}`; // made by the site's builder, escaped
      };
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (!input.value.trim()) return;
        const { value, problem } = numberOf(input.value, ...question.units);
        if (problem) {
          feedback.className = "feedback";
          feedback.textContent = problem;
          return;
        }
        show(value);
        change(question.lab, ({ answers }) => { answers[question.id] = [...(Array.isArray(answers[question.id]) ? answers[question.id] : []), value]; });
      });
      place.querySelector(".ask").after(form, feedback);
      const given = ofLab(question.lab).answers[question.id];
      if (Array.isArray(given) && given.length) {
        input.value = String(given[given.length - 1]);
        show(given[given.length - 1]);
      }
    }
  }

  // ---- theme and menu ----

  function addTheme() {
    const button = document.querySelector(".theme");
    const named = { auto: say("Theme: auto"), light: say("Theme: light"), dark: say("Theme: dark") };
    const themes = Object.keys(named);
    const show = () => { button.textContent = named[page.dataset.theme]; };
    if (!themes.includes(page.dataset.theme)) page.dataset.theme = "auto";
    button.hidden = false;
    button.addEventListener("click", () => {
      page.dataset.theme = themes[(themes.indexOf(page.dataset.theme) + 1) % themes.length];
      keep(THEME, page.dataset.theme);
      show();
    });
    show();
  }

  function addMenu() {
    const button = document.querySelector(".menu");
    const pages = document.getElementById("pages");
    button.addEventListener("click", () => {
      const open = pages.classList.toggle("open");
      button.setAttribute("aria-expanded", String(open));
      if (open) {
        window.scrollTo(0, 0);
        pages.querySelector("a")?.focus();
      }
    });
    const current = pages.querySelector("[aria-current]");
    if (current && pages.scrollHeight > pages.clientHeight) pages.scrollTop = current.offsetTop - pages.clientHeight / 2;
  }

  // ---- code and tables ----

  /** What a reader wants of a block: of a terminal's text the commands alone. */
  function copied(text) {
    const commands = text.split("\n").filter((line) => line.startsWith("$ "));
    return commands.length ? commands.map((line) => line.slice(2)).join("\n") + "\n" : text;
  }

  async function toClipboard(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { // not allowed to a page on disk
      const area = make("textarea", { value: text });
      area.setAttribute("aria-label", say("Text to copy"));
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  }

  function copyButton(text) {
    const button = make("button", { type: "button", className: "copy" }, say("Copy"));
    button.addEventListener("click", async () => {
      button.textContent = await toClipboard(text()) ? say("Copied") : say("Not allowed");
      button.classList.add("said");
      setTimeout(() => { button.textContent = say("Copy"); button.classList.remove("said"); }, 1500);
    });
    return button;
  }

  function addCopying() {
    for (const frame of document.querySelectorAll(".code-block")) {
      const block = frame.querySelector("pre[data-copied]");
      if (!block) continue;
      frame.append(copyButton(() => copied(block.textContent)));
    }
    for (const code of document.querySelectorAll("article p > strong:first-child + code")) { // "Check it now: a command"
      if (code.textContent.startsWith("./warpbook ")) code.after(" ", copyButton(() => code.textContent));
    }
  }

  /** What is wider than the page can be scrolled by keyboard, too. */
  function addScrolling() {
    const wide = [...document.querySelectorAll("article pre, article .table")];
    const update = () => {
      for (const each of wide) {
        if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
        else each.removeAttribute("tabindex");
      }
    };
    new ResizeObserver(update).observe(document.querySelector("article"));
    document.addEventListener("toggle", update, true); // what was folded has a width now
    update();
  }

  // ---- search ----

  const MOST = 30; // results shown

  const HAN = /\p{Script=Han}+/u;

  /** The words of what was typed. Chinese has no blanks between them: each run of its characters is one. */
  function wordsOf(typed) {
    return typed.toLowerCase().split(/\s+/).flatMap((word) => word.split(/(\p{Script=Han}+)/u)).filter(Boolean);
  }

  /** What is looked for of a word: the word, or else the pairs of characters of a Chinese one, which may be several words. */
  function partsOf(word) {
    const characters = HAN.test(word) ? [...word] : [];
    return characters.length < 3 ? [word] : [word, ...characters.slice(1).map((character, place) => characters[place] + character)];
  }

  /** The sections that have all words, the best first: those with the words in their headings. */
  function found(words) {
    const results = [];
    for (const [address, title, heading, text] of window.warpbookIndex) {
      const [low, name, of] = [text.toLowerCase(), heading.toLowerCase(), title.toLowerCase()];
      const worthOf = (word) => (name.includes(word) ? 30 : 0) + (of.includes(word) ? (heading ? 4 : 30) : 0) + Math.min(low.split(word).length - 1, 5);
      let score = 0;
      for (const word of words) {
        let worth = worthOf(word);
        const pairs = worth ? [] : partsOf(word).slice(1).map(worthOf);
        if (pairs.filter(Boolean).length >= 0.6 * pairs.length) worth += pairs.reduce((sum, each) => sum + each, 0) / (pairs.length || 1);
        if (!worth) { score = 0; break; }
        score += worth;
      }
      if (words.length > 1 && `${name} ${low}`.includes(words.join(" "))) score += 20;
      if (score) results.push({ address, title, heading, text, score });
    }
    return results.sort((a, b) => b.score - a.score);
  }

  /** The text around the first of the words, with each word marked. */
  function snippet(text, typed) {
    const words = typed.flatMap(partsOf);
    const low = text.toLowerCase();
    const first = Math.min(...words.map((word) => { const at = low.indexOf(word); return at < 0 ? Infinity : at; }));
    const start = Number.isFinite(first) ? Math.max(0, first - 60) : 0;
    const shown = `${start ? "… " : ""}${text.slice(start, start + 180)}${text.length > start + 180 ? " …" : ""}`;
    const line = make("span", {});
    const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
    shown.split(pattern).forEach((part, index) => line.append(index % 2 ? make("mark", {}, part) : part));
    return line;
  }

  function addSearch() {
    const input = document.getElementById("search");
    const panel = document.getElementById("found");
    const [status, list] = [panel.querySelector("p"), panel.querySelector("ol")];
    let asked = false;

    const search = () => {
      const words = wordsOf(input.value);
      panel.hidden = !words.length;
      if (!words.length || !window.warpbookIndex) return;
      const results = found(words);
      status.textContent = results.length === 0 ? say("Nothing has all these words.") : results.length > MOST ? say("{count} sections; the first {most}:", { count: results.length, most: MOST })
        : results.length > 1 ? say("{count} sections:", { count: results.length }) : say("1 section:");
      list.replaceChildren(...results.slice(0, MOST).map(({ address, title, heading, text }) =>
        make("li", {}, make("a", { href: `${root}/${address}` }, make("b", {}, heading ? `${heading} – ${title}` : title), snippet(text, words)))));
    };
    const load = () => { // the index is large: it comes when it is needed, as a script, because pages on disk cannot fetch
      if (asked) return;
      asked = true;
      document.head.append(make("script", { src: `${root}/assets/search-index${page.dataset.spoken}.js`, onload: search }));
    };
    const close = () => { panel.hidden = true; };

    input.addEventListener("focus", load);
    input.addEventListener("input", () => { load(); search(); });
    input.form.addEventListener("submit", (event) => {
      event.preventDefault();
      list.querySelector("a")?.click();
    });
    list.addEventListener("click", close);
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input, textarea, select");
      const links = [...list.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        input.focus();
      } else if (event.key === "Escape" && !panel.hidden) {
        close();
        input.focus();
      } else if (!panel.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp") && (at >= 0 || event.target === input)) {
        event.preventDefault();
        (links[at + (event.key === "ArrowDown" ? 1 : -1)] || input).focus();
      }
    });
    document.addEventListener("click", (event) => { if (!panel.contains(event.target) && event.target !== input) close(); });
  }

  /** The switch of languages leads to the section that is being read. */
  function addLanguages() {
    for (const link of document.querySelectorAll(".languages a")) link.addEventListener("click", () => { link.hash = location.hash; });
  }

  addTheme();
  addLanguages();
  addMenu();
  addCopying();
  addScrolling();
  addSearch();
  addTicks();
  addQuestions();
  document.querySelector(".forget").addEventListener("click", () => {
    keep(PROGRESS, null);
    location.reload();
  });
  showProgress();
})();
