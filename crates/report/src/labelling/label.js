/** @file Labels of crashes: chosen by key or pointer, kept in the browser, saved as JSON. Text of crashes stays in the page's elements. */
"use strict";

/** @typedef {Record<string, string | number>} Labels */

/** The element of the page with an id. @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
/** @type {HTMLElement[]} */
const crashes = [...document.querySelectorAll(".crash")];
/** @type {any[]} */
const dimensions = [...document.querySelectorAll(".dimension")];
const rater = byId("rater").textContent;
const ids = crashes.map((crash) => crash.dataset.id);
const store = `nbrevive labels ${JSON.stringify([rater, ids])}`;

/** The dimension that says why a case is no crash. @type {string} */
const EXCLUDED = "excluded";
/** What was said of each crash, by id. @type {Map<string, Labels>} */
const said = new Map();
let place = 0;
let since = performance.now();
let isSeen = !document.hidden;

/** What is said of the crash that is shown. @returns {Labels} */
function current() {
  const id = String(ids[place]);
  if (!said.has(id)) said.set(id, { id, note: "", seconds: 0 });
  return /** @type {Labels} */ (said.get(id));
}

/** The file of this rater. */
function file() {
  return JSON.stringify({ rater, labels: ids.filter((id) => said.has(String(id))).map((id) => said.get(String(id))) }, null, 1);
}

/** Takes labels of a file: crashes of this page, and words alone. @param {any} saved */
function take(saved) {
  if (!Array.isArray(saved?.labels)) throw new Error("it has no list of labels");
  for (const one of saved.labels) {
    if (typeof one?.id !== "string" || !ids.includes(one.id)) continue;
    /** @type {Labels} */
    const labels = { id: one.id, note: String(one.note ?? ""), seconds: Number(one.seconds) || 0 };
    for (const { dataset } of dimensions) labels[dataset.dimension] = String(one[dataset.dimension] ?? "");
    said.set(one.id, labels);
  }
}

function isDone(/** @type {string | undefined} */ id) {
  const labels = said.get(String(id));
  if (labels === undefined) return false;
  // What is no crash needs no other label, and a crash has no reason to be left out.
  return Boolean(labels[EXCLUDED]) || dimensions.every(({ dataset }) => dataset.dimension === EXCLUDED || labels[dataset.dimension]);
}

/** Counts the time since the last call, if the page was seen, and keeps all in the browser. */
function keep() {
  const now = performance.now();
  if (isSeen) current().seconds = Math.round((Number(current().seconds) + (now - since) / 1000) * 10) / 10;
  [since, isSeen] = [now, !document.hidden];
  try {
    localStorage.setItem(store, file());
  } catch {
    // Where a browser keeps nothing, the saved file is all there is.
  }
  tell("");
}

/** Says how far it is, and what came of a key that changes nothing to be seen. @param {string} news */
function tell(news) {
  byId("progress").textContent = `crash ${place + 1} of ${ids.length}, ${ids.filter(isDone).length} labelled${news}`;
}

/** Shows what is said of the crash in the form. */
function fill() {
  const labels = current();
  for (const dimension of dimensions) {
    const word = String(labels[dimension.dataset.dimension] ?? "");
    const radios = [...dimension.querySelectorAll("[type=radio]")];
    for (const radio of radios) radio.checked = radio.value === word;
    dimension.querySelector("[type=text]").value = radios.some((radio) => radio.checked) ? "" : word;
  }
  byId("note").value = labels.note;
}

/** Words that were made up so far, for the next time. */
function offer() {
  for (const dimension of dimensions) {
    const known = new Set([...dimension.querySelectorAll("[type=radio]")].map((radio) => radio.value));
    const words = new Set([...said.values()].map((labels) => String(labels[dimension.dataset.dimension] ?? "")));
    const options = [...words].filter((word) => word && !known.has(word)).map((word) => {
      const option = document.createElement("option");
      option.value = word;
      return option;
    });
    dimension.querySelector("datalist").replaceChildren(...options);
  }
}

function show(/** @type {number} */ number) {
  if (number < 0 || number >= crashes.length) return tell(number < 0 ? ": the first one" : ": the last one, s saves them");
  keep();
  crashes[place].hidden = true;
  place = number;
  crashes[place].hidden = false;
  fill();
  offer();
  keep();
  window.scrollTo(0, 0);
  crashes[place].querySelector("h2")?.focus();
}

/** The next crash that lacks a label, from here on and round. */
function showOpen() {
  const order = ids.map((_, step) => (place + 1 + step) % ids.length);
  const open = order.find((number) => !isDone(ids[number]));
  if (open !== undefined) show(open);
}

function save() {
  keep();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([file()], { type: "application/json" }));
  link.download = `labels-${rater.replace(/[^\w-]+/g, "_")}.json`;
  link.click();
  tell(`: saved as ${link.download}`);
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function choose(/** @type {any} */ radio) {
  radio.checked = true;
  const dimension = radio.closest(".dimension");
  dimension.querySelector("[type=text]").value = "";
  current()[dimension.dataset.dimension] = radio.value;
  keep();
}

/** @type {Record<string, () => void>} */
const actions = {
  n: () => show(place + 1),
  b: () => show(place - 1),
  o: showOpen,
  s: save,
  c: () => crashes[place].querySelector(".crashed")?.scrollIntoView({ block: "center" }),
};

function press(/** @type {any} */ event) {
  const isWriting = event.target.matches?.("textarea, [type=text]");
  if (event.key === "Escape" && isWriting) event.target.blur();
  if (isWriting || event.ctrlKey || event.altKey || event.metaKey || !byId("keys").checked) return;
  const radio = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (radio) choose(radio);
  else if (Object.hasOwn(actions, event.key)) actions[event.key]();
  else return;
  event.preventDefault();
}

function listen() {
  document.addEventListener("keydown", press);
  for (const dimension of dimensions) {
    dimension.addEventListener("change", (/** @type {any} */ event) => event.target.type === "radio" && choose(event.target));
    dimension.querySelector("[type=text]").addEventListener("input", (/** @type {any} */ event) => {
      for (const radio of dimension.querySelectorAll("[type=radio]")) radio.checked = false;
      current()[dimension.dataset.dimension] = event.target.value.trim();
      keep();
    });
  }
  byId("note").addEventListener("input", (/** @type {any} */ event) => ((current().note = event.target.value), keep()));
  byId("labels").addEventListener("submit", (/** @type {any} */ event) => event.preventDefault());
  for (const [id, key] of [["back", "b"], ["next", "n"], ["crashed", "c"], ["open", "o"], ["save", "s"]]) byId(id).addEventListener("click", actions[key]);
  document.addEventListener("visibilitychange", keep);
  byId("load").addEventListener("change", async (/** @type {any} */ event) => {
    byId("failure").hidden = true;
    try {
      take(JSON.parse(await event.target.files[0].text()));
      fill();
      keep();
    } catch (error) {
      byId("failure").textContent = `This file cannot be gone on with: ${error}`;
      byId("failure").hidden = false;
    }
  });
}

function start() {
  try {
    const earlier = byId("earlier").textContent;
    if (earlier) take(JSON.parse(earlier));
    const kept = localStorage.getItem(store);
    if (kept) take(JSON.parse(kept));
  } catch {
    // What cannot be read again is not there.
  }
  listen();
  if (crashes.length > 0) show(0);
  document.documentElement.dataset.ready = "";
}

start();
