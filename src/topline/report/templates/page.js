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
    return value === "" || Number.isNaN(Number(value)) ? value : Number(value);
  };
  const order = [...body.rows].map((row, at) => ({ row, at, key: key(row) }));
  order.sort((a, b) => {
    const mixed = typeof a.key !== typeof b.key;
    const less = mixed ? String(a.key) < String(b.key) : a.key < b.key;
    const more = mixed ? String(a.key) > String(b.key) : a.key > b.key;
    return (less ? -1 : more ? 1 : 0) * (ascending ? 1 : -1) || a.at - b.at;
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

// What the tokenisers of text/tokens.py take for a word: characters of scripts without spaces stand alone.
const ALONE = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const WORDS = {
  rouge155: /[A-Za-z0-9]+/g,
  unicode: new RegExp(`[${ALONE}]\\p{M}*|(?:(?![${ALONE}])[\\p{L}\\p{M}\\p{N}])+`, "gu"),
};

/** A text cut into pieces: plain strings and words with the number of their token (0: in no reference). */
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

const grams = (tokens, n) => {
  const found = [];
  for (let at = 0; at + n <= tokens.length; at += 1) found.push(tokens.slice(at, at + n).join(" "));
  return found;
};

/** Which words of a reference the chosen sentences cover, each n-gram as often as they hold it. */
function covered(tokens, available, n) {
  const left = new Map(available);
  const marks = new Set();
  grams(tokens, n).forEach((gram, at) => {
    const count = left.get(gram) ?? 0;
    if (count > 0 && !gram.split(" ").includes("-1")) {
      left.set(gram, count - 1);
      for (let k = 0; k < n; k += 1) marks.add(at + k);
    }
  });
  return marks;
}

const kept = (tokens) => tokens.filter((token) => token !== -1);

function counted(lists, n) {
  const counts = new Map();
  for (const tokens of lists) for (const gram of grams(kept(tokens), n)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  return counts;
}

function wordNodes(text, tokens, marks) {
  let at = -1;
  let keptAt = -1;
  return pieces(text, tokens).map((piece) => {
    if (typeof piece === "string") return document.createTextNode(piece);
    at += 1;
    if (tokens[at] !== -1) keptAt += 1;
    if (piece.token <= 0) return document.createTextNode(piece.text);
    const word = element("span", { "data-token": String(piece.token) }, piece.text);
    if (marks && tokens[at] !== -1 && marks.has(keptAt)) word.className = "hit";
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

const shown = { topic: null, what: "oracle", number: 0 };

function selection(topic) {
  if (shown.what === "oracle") return topic.optima.list[shown.number] ?? topic.oracle.selected;
  if (shown.what === "compressive") return (topic.compressive?.sentences ?? []).map((one) => one.sentence);
  return topic.systems[shown.what]?.selected ?? [];
}

function sentenceItem(topic, number, chosen) {
  const tokens = topic.tokens[number];
  const item = element("li", { class: "sentence" });
  const often = topic.optima.membership[number];
  if (often > 0) item.style.backgroundColor = `rgba(var(--shade), ${(0.05 + 0.4 * often).toFixed(3)})`;
  if (chosen.has(number)) item.classList.add(shown.what === "oracle" || shown.what === "compressive" ? "chosen" : "system");
  item.append(element("span", { class: "number", "aria-hidden": "true" }, String(number)));
  const trimmed = shown.what === "compressive" && topic.compressive?.sentences.find((one) => one.sentence === number);
  item.append(...(trimmed ? trimmedNodes(topic.sentences[number], trimmed.kept) : wordNodes(topic.sentences[number], tokens)));
  if (chosen.has(number)) item.append(element("span", { class: "often" }, "chosen"));
  if (often > 0) item.append(element("span", { class: "often" }, `in ${(100 * often).toFixed(often < 0.1 ? 1 : 0)} % of the oracles`));
  return item;
}

function sourcePanel(topic, chosen) {
  const panel = element("div", { class: "panel source", tabindex: "0", role: "region", "aria-label": "Source sentences" });
  topic.documents.forEach((one, at) => {
    const end = topic.documents[at + 1]?.first ?? topic.sentences.length;
    panel.append(element("h4", {}, [one.title || one.id, one.date].filter(Boolean).join(" · ")));
    const list = element("ol");
    for (let number = one.first; number < end; number += 1) list.append(sentenceItem(topic, number, chosen));
    panel.append(list);
  });
  return panel;
}

function referencePanel(topic, available) {
  const panel = element("div");
  for (const one of topic.references) {
    const box = element("section", { class: "panel reference" }, element("h4", {}, `Reference ${one.id}`));
    const marks = covered(kept(one.tokens.flat()), available, topic.n);
    const paragraph = element("p");
    let before = 0;
    one.sentences.forEach((text, at) => {
      const size = kept(one.tokens[at]).length;
      const here = new Set([...marks].filter((mark) => mark >= before && mark < before + size).map((mark) => mark - before));
      paragraph.append(...wordNodes(text, one.tokens[at], here), " ");
      before += size;
    });
    box.append(paragraph);
    panel.append(box);
  }
  return panel;
}

function tokensShown(topic, chosen) {
  if (shown.what === "compressive") return topic.compressive.sentences.map((one) => one.tokens);
  const own = topic.systems[shown.what];
  return own && !own.selected ? own.tokens : [...chosen].map((number) => topic.tokens[number]);
}

function textPanel(topic) {
  const own = topic.systems[shown.what];
  const texts = shown.what === "compressive" ? topic.compressive?.sentences.map((one) => one.text) : own && !own.selected ? own.sentences : null;
  if (!texts) return [];
  return [element("div", { class: "panel" }, element("h4", {}, "The summary as text"), ...texts.map((text) => element("p", {}, text)))];
}

function controls(topic) {
  const select = element("select", { id: "what" });
  const options = [["oracle", "best extracts"], ...(topic.compressive ? [["compressive", "best trimmed summary"]] : []), ...Object.keys(topic.systems).map((name) => [name, name])];
  for (const [value, label] of options) select.append(element("option", { value }, label));
  select.value = shown.what;
  select.addEventListener("change", () => { shown.what = select.value; shown.number = 0; draw(); document.getElementById("what").focus(); });
  const bar = element("div", { class: "controls" }, element("label", {}, "Show", select));
  if (shown.what === "oracle" && topic.optima.list.length > 1) {
    const step = (by) => { const n = topic.optima.list.length; shown.number = (shown.number + by + n) % n; draw(); };
    const [back, next] = [element("button", { type: "button", id: "oracle-back" }, "Previous"), element("button", { type: "button", id: "oracle-next" }, "Next")];
    back.addEventListener("click", () => { step(-1); document.getElementById("oracle-back").focus(); });
    next.addEventListener("click", () => { step(1); document.getElementById("oracle-next").focus(); });
    const more = topic.optima.count === String(topic.optima.list.length) ? "" : ` listed, of ${topic.optima.count}`;
    bar.append(back, element("span", { role: "status" }, `best extract ${shown.number + 1} of ${topic.optima.list.length}${more}`), next);
  }
  return bar;
}

function scoreTable(topic) {
  const head = element("tr", {}, element("th", { scope: "col" }, "summary"), element("th", { scope: "col" }, topic.metric));
  if (topic.ranked) head.append(element("th", { scope: "col" }, "percentile"), element("th", { scope: "col" }, "better extracts"));
  const table = element("table", {}, element("caption", {}, topic.signature), element("thead", {}, head), element("tbody"));
  for (const row of topic.scale) {
    const line = element("tr", {}, element("td", {}, row.name), element("td", {}, row.score === null ? "–" : row.score.toFixed(4)));
    if (topic.ranked) line.append(element("td", {}, row.percentile ?? "–"), element("td", {}, row.better ?? "–"));
    table.tBodies[0].append(line);
  }
  return element("div", { class: "table" }, table);
}

function explained(topic) {
  return topic.tables.map((table) => {
    const head = element("tr", {}, ...table.columns.map((name) => element("th", { scope: "col" }, name)));
    const rows = table.rows.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, value))));
    return element("details", {}, element("summary", {}, table.title), element("div", { class: "table" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows))));
  });
}

function figureOf(topic) {
  const drawn = document.getElementById(`figure-${topic.place}`);
  if (!drawn) return [];
  return [element("figure", {}, element("div", { class: "drawing", tabindex: "0", role: "region", "aria-label": topic.spread }, drawn.content.cloneNode(true)), element("figcaption", {}, topic.spread))];
}

function draw() {
  const topic = topicOf(shown.topic);
  const chosen = new Set(selection(topic));
  const available = counted(tokensShown(topic, chosen), topic.n);
  const legend = element("p", { class: "legend" });
  legend.append("Shade: how many of the best extracts hold a sentence. ", element("span", { class: "hit" }, "Marked"), " in the references: n-grams that the chosen sentences cover. Point at a word to find it on the other side.");
  view.replaceChildren(
    element("h3", { tabindex: "-1", id: "topic-title" }, `${topic.id}: ${topic.title || "untitled"}`), scoreTable(topic), ...figureOf(topic), controls(topic), legend,
    element("div", { class: "columns" }, sourcePanel(topic, chosen), element("div", {}, ...textPanel(topic), referencePanel(topic, available))),
    ...explained(topic),
  );
  const [panel, first] = [view.querySelector(".source"), view.querySelector(".sentence.chosen, .sentence.system")];
  if (first) panel.scrollTop = first.offsetTop - panel.offsetTop - 48;
}

function open(id, focus) {
  if (!stored.has(id)) return;
  Object.assign(shown, { topic: id, what: "oracle", number: 0 });
  chooser.value = id;
  draw();
  if (focus) document.getElementById("topic-title").focus();
}

function glow(token, on) {
  for (const word of view.querySelectorAll(`[data-token="${token}"]`)) word.classList.toggle("glow", on);
}

if (view && stored.size > 0) {
  chooser.addEventListener("change", () => { location.hash = `topic=${encodeURIComponent(chooser.value)}`; });
  const step = (by) => {
    const ids = [...stored.keys()];
    location.hash = `topic=${encodeURIComponent(ids[(ids.indexOf(shown.topic) + by + ids.length) % ids.length])}`;
  };
  document.getElementById("topic-back").addEventListener("click", () => step(-1));
  document.getElementById("topic-next").addEventListener("click", () => step(1));
  view.addEventListener("pointerover", (event) => event.target.dataset?.token && glow(event.target.dataset.token, true));
  view.addEventListener("pointerout", (event) => event.target.dataset?.token && glow(event.target.dataset.token, false));
  const follow = () => {
    const match = /^#topic=(.*)$/.exec(location.hash);
    if (match) { open(decodeURIComponent(match[1]), true); document.getElementById("topics").scrollIntoView(); }
  };
  window.addEventListener("hashchange", follow);
  open(stored.keys().next().value, false);
  follow();
}
