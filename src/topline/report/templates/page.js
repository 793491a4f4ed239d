"use strict";
// Sorting of tables, and the view of one topic, built from the JSON that the page carries.
// Every text enters the page through textContent: nothing a document holds is ever parsed as HTML.

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// --- tables ---------------------------------------------------------------------------------------------

function sortBy(table, column, ascending) {
  const body = table.tBodies[0];
  const key = (row) => {
    const cell = row.cells[column];
    const value = cell.dataset.value ?? cell.textContent.trim();
    if (value === "" || value === "–") return null;
    return Number.isNaN(Number(value)) ? value : Number(value);
  };
  const order = [...body.rows].map((row, at) => ({ row, at, key: key(row) }));
  order.sort((a, b) => {
    // what is missing comes last, whichever way the rest is sorted
    if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.at - b.at;
    const [x, y] = typeof a.key === typeof b.key ? [a.key, b.key] : [String(a.key), String(b.key)];
    return (x < y ? -1 : x > y ? 1 : 0) * (ascending ? 1 : -1) || a.at - b.at;
  });
  body.append(...order.map((entry) => entry.row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = element("button", { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const ascending = head.getAttribute("aria-sort") === "descending" || (column === 0 && !head.hasAttribute("aria-sort"));
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      sortBy(table, column, ascending);
    });
  });
}

// --- one topic ------------------------------------------------------------------------------------------

const view = document.getElementById("topic-view");
const chooser = document.getElementById("topic-choice");
const stored = new Map([...document.querySelectorAll("script.topic")].map((node) => [node.dataset.id, node]));
const opened = new Map();

function topicOf(id) {
  if (!opened.has(id)) opened.set(id, JSON.parse(stored.get(id).textContent));
  return opened.get(id);
}

// What is shown: a topic, a summary of it, and perhaps another one beside it.
const ORACLE = "oracle";
const TRIMMED = "trimmed";
const SYSTEM = "system:";
const shown = { topic: null, what: ORACLE, beside: "", number: 0 };

// What the tokenisers of text/tokens.py take for a word: characters of scripts without spaces stand alone.
const ALONE = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const WORDS = {
  rouge155: /[A-Za-z0-9]+/g,
  unicode: new RegExp(`[${ALONE}]\\p{M}*|(?:(?![${ALONE}])[\\p{L}\\p{M}\\p{N}])+`, "gu"),
};

/** A text cut into pieces: plain strings, and words with the number of their token (0: in no reference). */
function pieces(text, tokens) {
  const words = [...text.matchAll(WORDS[topicOf(shown.topic).tokenizer])];
  if (words.length !== tokens.length) return [text];
  const found = [];
  let from = 0;
  words.forEach((word, at) => {
    if (word.index > from) found.push(text.slice(from, word.index));
    found.push({ text: word[0], token: tokens[at] });
    from = word.index + word[0].length;
  });
  if (from < text.length) found.push(text.slice(from));
  return found;
}

const kept = (tokens) => tokens.filter((token) => token !== -1);

/** The n-grams that begin at each place; null where one holds a word of no reference. */
function grams(tokens, n) {
  const found = [];
  for (let at = 0; at + n <= tokens.length; at += 1) {
    const some = tokens.slice(at, at + n);
    found.push(some.includes(0) ? null : some.join(" "));
  }
  return found;
}

function counted(lists, n) {
  const counts = new Map();
  for (const tokens of lists) for (const gram of grams(kept(tokens), n)) if (gram) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  return counts;
}

/** Which words of a reference a summary covers, each n-gram as often as the summary holds it. */
function covered(tokens, available, n) {
  const left = new Map(available);
  const marks = new Set();
  grams(tokens, n).forEach((gram, at) => {
    const count = left.get(gram) ?? 0;
    if (!gram || count === 0) return;
    left.set(gram, count - 1);
    for (let k = 0; k < n; k += 1) marks.add(at + k);
  });
  return marks;
}

/** A run of words whose n-grams are looked up together: a source sentence, or a reference. */
const line = (tokens, source) => ({ tokens, source, words: [] });
let lines = [];

function wordNodes(text, tokens, run, marks = []) {
  return pieces(text, tokens).map((piece) => {
    if (typeof piece === "string") return document.createTextNode(piece);
    if (piece.token === -1) return document.createTextNode(piece.text);
    const at = run.words.length;
    const word = piece.token > 0 ? element("span", { class: "word" }, piece.text) : null;
    run.words.push(word);
    if (word === null) return document.createTextNode(piece.text);
    word.place = { run, at };
    for (const [name, places] of marks) if (places.has(at)) word.classList.add(name);
    return word;
  });
}

/** The kept words of a trimmed sentence as they are, the others struck through. */
function trimmedNodes(text, spans) {
  const nodes = [];
  let from = 0;
  for (const [start, end] of spans) {
    if (start > from) nodes.push(element("del", {}, text.slice(from, start)));
    nodes.push(document.createTextNode(text.slice(start, end)));
    from = end;
  }
  if (from < text.length) nodes.push(element("del", {}, text.slice(from)));
  return nodes;
}

/** A summary of the topic: its name, colour, source sentences, text and words. */
function summaryOf(topic, what) {
  const whole = (numbers) => ({ chosen: new Set(numbers), texts: numbers.map((number) => topic.sentences[number]), tokens: numbers.map((number) => topic.tokens[number]) });
  if (what === ORACLE) return { name: "best extract", the: "the best extract", kind: "oracle", ...whole(topic.optima.list[shown.number] ?? []) };
  if (what === TRIMMED) {
    const parts = topic.compressive.sentences;
    const spans = new Map(parts.map((one) => [one.sentence, one.kept]));
    return { name: "best trimmed summary", the: "the best trimmed summary", kind: "oracle", signature: topic.compressive.signature, spans, chosen: new Set(spans.keys()), texts: parts.map((one) => one.text), tokens: parts.map((one) => one.tokens) };
  }
  const name = what.slice(SYSTEM.length);
  const own = topic.systems[name];
  if (own.selected) return { name, kind: "system", ...whole(own.selected) };
  return { name, kind: "system", chosen: new Set(), texts: own.sentences, tokens: own.tokens };
}

function sentenceItem(topic, number, summaries) {
  const item = element("li", { class: "sentence", dir: "auto" });
  const often = topic.optima.membership[number];
  if (often > 0) item.style.backgroundColor = `rgba(var(--shade), ${(0.05 + 0.4 * often).toFixed(3)})`;
  item.append(element("span", { class: "number", "aria-hidden": "true" }, String(number)));
  const holders = summaries.filter((one) => one.chosen.has(number));
  const trimmed = holders.find((one) => one.spans);
  if (trimmed) item.append(...trimmedNodes(topic.sentences[number], trimmed.spans.get(number)));
  else {
    const run = line(kept(topic.tokens[number]), true);
    item.append(...wordNodes(topic.sentences[number], topic.tokens[number], run));
    lines.push(run);
  }
  holders.forEach((one) => {
    item.classList.add(`in-${one.kind}`);
    item.append(" ", element("span", { class: `tag tag-${one.kind}` }, one.name));
  });
  if (often > 0) item.append(" ", element("span", { class: "often" }, `in ${(100 * often).toFixed(often < 0.1 ? 1 : 0)} % of the best extracts`));
  return item;
}

function sourcePanel(topic, summaries) {
  const panel = element("div", { class: "panel source", tabindex: "0", role: "region", "aria-label": "Source sentences" });
  topic.documents.forEach((one, at) => {
    const end = topic.documents[at + 1]?.first ?? topic.sentences.length;
    panel.append(element("h4", { dir: "auto" }, [one.title || one.id, one.date].filter(Boolean).join(" · ")));
    const list = element("ol");
    for (let number = one.first; number < end; number += 1) list.append(sentenceItem(topic, number, summaries));
    panel.append(list);
  });
  return panel;
}

function referencePanel(topic, summaries) {
  const [first, second] = summaries.map((one) => counted(one.tokens, topic.n));
  return topic.references.map((one) => {
    const run = line(kept(one.tokens.flat()), false);
    const marks = [["hit", covered(run.tokens, first, topic.n)]];
    if (second) marks.push(["other", covered(run.tokens, second, topic.n)]);
    const paragraph = element("p", { dir: "auto" });
    one.sentences.forEach((text, at) => paragraph.append(...wordNodes(text, one.tokens[at], run, marks), " "));
    lines.push(run);
    return element("section", { class: "panel reference" }, element("h4", {}, `Reference ${one.id}`), paragraph);
  });
}

function textPanel(summary) {
  const texts = summary.texts.length ? summary.texts.map((text) => element("p", { dir: "auto" }, text)) : [element("p", { class: "quiet" }, "Empty.")];
  return element("section", { class: `panel text in-${summary.kind}` }, element("h4", {}, summary.name), ...texts, ...(summary.signature ? [signature(summary.signature)] : []));
}

function choice(id, label, options, value, change) {
  const select = element("select", { id });
  for (const [key, name] of options) select.append(element("option", { value: key }, name));
  select.value = value;
  select.addEventListener("change", () => { change(select.value); draw(); document.getElementById(id).focus(); });
  return element("label", { for: id }, label, select);
}

function controls(topic) {
  const options = [[ORACLE, "best extracts"], ...(topic.compressive ? [[TRIMMED, "best trimmed summary"]] : []), ...Object.keys(topic.systems).map((name) => [SYSTEM + name, name])];
  const bar = element("div", { class: "controls" }, choice("what", "Show", options, shown.what, (value) => Object.assign(shown, { what: value, number: 0 })));
  const others = [["", "nothing"], ...options.filter(([key]) => key !== shown.what)];
  bar.append(choice("beside", "Beside it", others, shown.beside, (value) => Object.assign(shown, { beside: value })));
  if (shown.what !== ORACLE && shown.beside !== ORACLE) return bar;
  const size = topic.optima.list.length;
  if (size < 2) return bar;
  const step = (id, label, by) => {
    const button = element("button", { type: "button", id }, label);
    button.addEventListener("click", () => { shown.number = (shown.number + by + size) % size; draw(); document.getElementById(id).focus(); });
    return button;
  };
  const more = topic.optima.count === String(size) ? "" : ` listed, of ${topic.optima.count} in all`;
  bar.append(step("oracle-back", "Previous best extract", -1), step("oracle-next", "Next best extract", 1), element("span", { role: "status" }, `${shown.number + 1} of ${size}${more}`));
  return bar;
}

function table(columns, rows, caption) {
  const head = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)));
  const lines = rows.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, value))));
  const made = element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines));
  if (caption) made.prepend(element("caption", {}, caption));
  return element("div", { class: "table", tabindex: "0", role: "region", "aria-label": caption || columns[0] }, made);
}

function scoreTable(topic) {
  const columns = ["summary", topic.metric, ...(topic.ranked ? ["percentile", "better extracts"] : [])];
  const rows = topic.scale.map((row) => [row.name, row.score.toFixed(4), ...(topic.ranked ? [row.percentile ?? "–", row.better ?? "–"] : [])]);
  return table(columns, rows, "Summaries of this topic, the best first");
}

/** Tables that are folded up; in a column all numbers have four digits behind the point, or none has. */
function explained(topic) {
  return topic.tables.map((one) => {
    const broken = one.columns.map((_, at) => one.rows.some((row) => typeof row[at] === "number" && !Number.isInteger(row[at])));
    const rows = one.rows.map((row) => row.map((value, at) => (value === null ? "" : broken[at] ? value.toFixed(4) : String(value))));
    return element("details", {}, element("summary", {}, one.title), table(one.columns, rows, one.title), signature(one.signature));
  });
}

const signature = (text) => element("p", { class: "signature" }, text);

function figureOf(topic) {
  const drawn = document.getElementById(`figure-${topic.place}`);
  if (!drawn) return [];
  return [element("figure", {}, element("div", { class: "drawing", tabindex: "0", role: "region", "aria-label": topic.spread }, drawn.content.cloneNode(true)), element("figcaption", {}, topic.spread))];
}

function legend(topic, summaries) {
  const [first, second] = summaries;
  const said = element("p", { class: "legend" });
  said.append("Shade: in how many of the best extracts a sentence stands. In the references: ", element("span", { class: "hit" }, `${topic.unit} that ${first.the ?? first.name} covers`));
  if (second) said.append(", ", element("span", { class: "other" }, `that ${second.the ?? second.name} covers`));
  said.append(". Point at a word to light it on the other side; click it in a reference to go there.");
  return said;
}

function draw() {
  const topic = topicOf(shown.topic);
  if (shown.beside === shown.what) shown.beside = "";
  const summaries = [shown.what, shown.beside].filter(Boolean).map((what) => summaryOf(topic, what));
  lines = [];
  view.replaceChildren(
    element("h3", { tabindex: "-1", id: "topic-title", dir: "auto" }, topic.title ? `${topic.id}: ${topic.title}` : topic.id),
    scoreTable(topic), signature(topic.signature + (topic.ranked ? `|extracts:${topic.extracts}` : "")), ...figureOf(topic),
    controls(topic), legend(topic, summaries),
    element("div", { class: "columns" }, sourcePanel(topic, summaries), element("div", {}, ...summaries.map(textPanel), ...referencePanel(topic, summaries))),
    ...explained(topic),
  );
  const [panel, first] = [view.querySelector(".source"), view.querySelector(`.sentence.in-${summaries[0].kind}`)];
  if (first) panel.scrollTop = first.offsetTop - 48;
}

function open(id, focus) {
  if (!stored.has(id)) return;
  const topic = topicOf(id);
  const known = (what) => what === ORACLE || (what === TRIMMED && topic.compressive) || (what.startsWith(SYSTEM) && Object.hasOwn(topic.systems, what.slice(SYSTEM.length)));
  const [first] = Object.keys(topic.systems);
  // what was looked at stays in view from topic to topic, as far as the next one has it
  if (!known(shown.what)) shown.what = ORACLE;
  if (shown.topic === null && first !== undefined) shown.beside = SYSTEM + first;
  if (shown.beside && !known(shown.beside)) shown.beside = "";
  Object.assign(shown, { topic: id, number: 0 });
  chooser.value = id;
  draw();
  if (focus) document.getElementById("topic-title").focus({ preventScroll: true });
}

/** The words of every n-gram at this place that both a reference and the source hold. */
function matched(place) {
  const { n } = topicOf(shown.topic);
  const from = Math.max(0, place.at - n + 1);
  const wanted = new Set(grams(place.run.tokens.slice(from, place.at + n), n).filter(Boolean));
  const sides = { true: [], false: [] };
  for (const run of lines) {
    grams(run.tokens, n).forEach((gram, at) => {
      if (wanted.has(gram)) sides[run.source].push({ gram, words: run.words.slice(at, at + n) });
    });
  }
  const both = new Set(sides.true.map((one) => one.gram).filter((gram) => sides.false.some((one) => one.gram === gram)));
  return [...sides.true, ...sides.false].filter((one) => both.has(one.gram)).flatMap((one) => one.words);
}

function glow(event) {
  for (const word of view.querySelectorAll(".glow")) word.classList.remove("glow");
  const place = event.type === "pointerout" ? undefined : event.target.place;
  if (place) for (const word of matched(place)) word.classList.add("glow");
}

/** Scroll the source to the first word that glows. */
function showInSource() {
  const [panel, word] = [view.querySelector(".source"), view.querySelector(".source .glow")];
  if (word) panel.scrollTop = word.closest(".sentence").offsetTop - panel.clientHeight / 3;
}

if (view && stored.size > 0) {
  chooser.addEventListener("change", () => { location.hash = `topic=${encodeURIComponent(chooser.value)}`; });
  const step = (by) => {
    const ids = [...stored.keys()];
    location.hash = `topic=${encodeURIComponent(ids[(ids.indexOf(shown.topic) + by + ids.length) % ids.length])}`;
  };
  document.getElementById("topic-back").addEventListener("click", () => step(-1));
  document.getElementById("topic-next").addEventListener("click", () => step(1));
  for (const kind of ["pointerover", "pointerout"]) view.addEventListener(kind, glow);
  view.addEventListener("click", (event) => { if (event.target.place && !event.target.place.run.source) showInSource(); });
  const follow = () => {
    const match = /^#topic=(.*)$/.exec(location.hash);
    if (!match) return;
    try {
      open(decodeURIComponent(match[1]), true);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      return;
    }
    document.getElementById("topics").scrollIntoView();
  };
  window.addEventListener("hashchange", follow);
  open(stored.keys().next().value, false);
  follow();
}
