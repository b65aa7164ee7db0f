/** @file Which versions are listed: a search, and one choice a filter. */

/** Settings that are filters, beside those named as conditions. */
const FILTERS = ["q", "competition", "failure", "fix", "error", "cause"];

/** What stands for "not run" in the choice of an outcome. */
const NOT_RUN = "not-run";

/** The conditions that ran, each a filter of its own. @type {string[]} */
let conditionFilters = [];

/** Lists the versions of some filters, and no others. @param {Record<string, string>} wanted */
function listOnly(wanted) {
  const empty = Object.fromEntries([...FILTERS, ...conditionFilters, "version"].map((name) => [name, null]));
  change({ ...empty, ...wanted }, true);
  goTo("versions");
}

/** Builds the form. @param {Study} study @param {any} index */
function showFilters(study, index) {
  conditionFilters = study.conditions.map((/** @type {any} */ one) => one.condition);
  /** @type {Map<string, any>} */
  const fields = new Map();
  const field = (/** @type {string} */ name, /** @type {string} */ text, /** @type {any} */ control) => {
    control.id = `filter-${name}`;
    fields.set(name, control);
    control.addEventListener("input", () => change({ [name]: control.value }));
    return element("label", {}, text, control);
  };
  const select = (/** @type {string} */ name, /** @type {string} */ text, /** @type {[string, string][]} */ options) =>
    field(
      name,
      text,
      element(
        "select",
        {},
        element("option", { value: "" }, "any"),
        ...options.map(([value, shown]) => element("option", { value }, shown)),
      ),
    );
  const words = (/** @type {string[]} */ all) => all.map((one) => /** @type {[string, string]} */ ([one, label(one)]));
  const plain = (/** @type {string[]} */ all) => all.map((one) => /** @type {[string, string]} */ ([one, inert(one)]));
  const outcomes = /** @type {[string, string][]} */ (OUTCOMES.map((one) => [one.word, one.label]));
  const choices = [
    select("competition", "Competition", plain(index.competition.words)),
    ...study.conditions.map((/** @type {any} */ one) =>
      select(one.condition, label(one.condition), [...outcomes, [NOT_RUN, "Not run"]]),
    ),
    select("failure", "Failed by", words(index.words.failures)),
    select("fix", "Had a fix of", words(index.words.fix_types)),
    select("error", "Raised at baseline", plain(index.raised.words)),
    select(
      "cause",
      "Why at baseline",
      index.caused.words.map((/** @type {string} */ one) => /** @type {[string, string]} */ ([one, `${one}: ${index.causes[one]}`])),
    ),
  ];
  const clear = element(
    "button",
    { type: "button", click: () => change(Object.fromEntries([...fields.keys()].map((name) => [name, null]))) },
    "Clear",
  );
  const more = element(
    "details",
    { class: "more", open: matchMedia("(min-width: 60rem)").matches },
    element("summary", {}, "Filters"),
    element("div", { class: "choices" }, ...choices, clear),
  );
  byId("filters").append(
    field(
      "q",
      "Search titles, names and competitions",
      element("input", { type: "search", autocomplete: "off", spellcheck: "false" }),
    ),
    more,
  );
  byId("filters").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
  const update = () =>
    fields.forEach((control, name) => {
      if (control.value !== (state[name] ?? "")) control.value = state[name] ?? "";
    });
  watch(update);
  update();
}

/** The places of the versions that the filters let through. @param {Study} study @param {any} index @returns {number[]} */
function filtered(study, index) {
  const query = (state.q ?? "").toLowerCase().trim();
  const competition = state.competition === undefined ? -1 : index.competition.words.indexOf(state.competition);
  const failure = index.words.failures.indexOf(state.failure);
  const fix = index.words.fix_types.indexOf(state.fix);
  const error = index.raised.words.indexOf(state.error);
  const cause = index.caused.words.indexOf(state.cause);
  const outcomes = study.conditions
    .filter((/** @type {any} */ one) => state[one.condition])
    .map((/** @type {any} */ one) => ({
      column: one.outcome,
      code: OUTCOMES.findIndex((outcome) => outcome.word === state[one.condition]),
    }));
  const places = [];
  for (let place = 0; place < study.size; place += 1) {
    const isIn =
      (!query || study.texts[place].includes(query)) &&
      (competition < 0 || index.competition.codes[place] === competition) &&
      outcomes.every((/** @type {any} */ one) => one.column[place] === one.code) &&
      (failure < 0 || study.conditions.some((/** @type {any} */ one) => one.failure[place] === failure)) &&
      (fix < 0 || (index.fix_types[place] & (1 << fix)) !== 0) &&
      (error < 0 || index.raised.codes[place].includes(error)) &&
      (cause < 0 || index.caused.codes[place].includes(cause));
    if (isIn) places.push(place);
  }
  return places;
}
