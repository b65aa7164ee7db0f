/** @file The headline: the slider of τ, and for each condition the share that reproduces. */

/** The largest τ of the slider, in percent. */
const LARGEST_TAU = 50;

/** τ in percent: the one in the address, or the study's. @param {Study} study */
function currentTau(study) {
  const tau = Number(state.tau);
  return study.asksScores && state.tau && tau >= 0 && tau <= LARGEST_TAU ? tau : study.ownTau;
}

/** @param {Study} study */
function showThreshold(study) {
  const slider = element("input", {
    type: "range",
    id: "tau",
    min: 0,
    max: LARGEST_TAU,
    step: 0.5,
    "aria-describedby": "tau-note",
  });
  const output = element("output", { for: "tau", id: "tau-value" });
  const own = element("button", { type: "button", click: () => change({ tau: null }) }, `Back to the study's ${study.ownTau} %`);
  const note = element("p", { class: "note", id: "tau-note" });
  const update = () => {
    const tau = currentTau(study);
    slider.value = String(tau);
    slider.setAttribute("aria-valuetext", `${tau} percent`);
    output.textContent = `${tau} %`;
    // Not hidden, so that nothing moves under the pointer.
    own.disabled = tau === study.ownTau;
    note.textContent =
      tau === study.ownTau
        ? "This is the study's τ. Move the slider: headline, flows and versions follow."
        : `The runs were made at τ = ${study.ownTau} %: a modernize loop that stopped there might have gone on at a smaller τ, and stopped earlier at a larger one.`;
  };
  slider.addEventListener("input", () => change({ tau: Number(slider.value) === study.ownTau ? null : slider.value }));
  watch((names) => names.has("tau") && update());
  byId("threshold").append(
    element("label", { for: "tau" }, "τ, the largest deviation that counts as reproducible"),
    slider,
    output,
    own,
    note,
  );
  update();
}

/** What a condition is. @param {string} role @param {any} settings */
function meaning(role, settings) {
  switch (role) {
    case "baseline":
      // Where outputs are compared it is often an environment of each repository.
      if (settings.judge === "outputs") return "what the other conditions are compared with";
      return `their own code in today's environment (${settings.baseline_environment}, Python ${settings.baseline_python})`;
    case "backport":
      return "their own code in environments of their dates";
    case "modernize":
      return `of those that ran at baseline without reproducing, repaired with at most ${plural(settings.max_fixes, "fix")}`;
    case "ablation":
      return "of those that raised at baseline without reproducing, with error repair cell by cell";
    default:
      return "by the recipe of the study's file";
  }
}

/** One card. @param {Study} study @param {any} condition */
function card(study, condition) {
  const share = element("p", { class: "share" });
  const words = element("p", { class: "of" });
  const whisker = element("span", { class: "whisker" });
  const dot = element("span", { class: "dot" });
  const parts = element("div", { class: "parts" });
  const update = () => {
    const counts = study.counts(condition);
    const whole = counts.reduce((sum, one) => sum + one, 0);
    const part = counts[0] + counts[1];
    const ends = wilson(part, whole);
    share.textContent = percent(part, whole);
    words.replaceChildren(
      whole === 0 ? "no version was run" : `${thousands(part)} of ${plural(whole, "version")}; `,
      element("span", { class: "whole" }, whole === 0 ? "" : `95 % interval ${range(ends)}`),
    );
    whisker.hidden = dot.hidden = !ends;
    if (ends) {
      whisker.style.insetInlineStart = `${ends[0] * 100}%`;
      whisker.style.inlineSize = `${(ends[1] - ends[0]) * 100}%`;
      dot.style.insetInlineStart = `${(part / whole) * 100}%`;
    }
    parts.replaceChildren(...counts.flatMap((value, code) => (value === 0 ? [] : [partOf(condition, code, value, whole)])));
  };
  watch((names) => names.has("tau") && update());
  update();
  return element(
    "article",
    { class: "card", id: `card-${condition.condition}` },
    element("h3", {}, label(condition.condition)),
    share,
    words,
    element("div", { class: "scale", "aria-hidden": "true" }, whisker, dot),
    parts,
    element("p", { class: "note" }, meaning(condition.role, study.settings)),
  );
}

/** One outcome of a card, as wide as its share. @param {any} condition @param {number} code @param {number} value @param {number} whole */
function partOf(condition, code, value, whole) {
  const part = element("span", { class: `part outcome-${code}` });
  part.style.flexGrow = String(value);
  const text = `${label(condition.condition)}: ${plural(value, "version")} (${percent(value, whole)}) ${OUTCOMES[code].label.toLowerCase()}`;
  pressable(part, text, () => listOnly({ [condition.condition]: OUTCOMES[code].word }));
  return part;
}

/** @param {Study} study */
function showHeadline(study) {
  const swatch = (/** @type {any} */ outcome, /** @type {number} */ code) =>
    element(
      "span",
      { class: "entry" },
      element("span", { class: `swatch outcome-${code}` }),
      `${outcome.label}${outcome.short === outcome.label ? "" : ` (${outcome.short})`}`,
    );
  byId("cards").append(...study.conditions.map((/** @type {any} */ condition) => card(study, condition)));
  byId("legend").append(...OUTCOMES.map(swatch));
  if (study.conditions.length === 0) byId("cards").append(element("p", {}, "No version has an outcome yet."));
}
