/** @file Which errors the fixes took away: types by the number of fixes, and before and after each type of fix. */

/** Types with a colour of their own; the others share one. */
const NAMED = 5;

/** @param {Study} study */
function showErrors(study) {
  const box = byId("repairs");
  const errors = study.errors;
  if (!errors || errors.by_fix.length === 0) {
    box.append(
      element(
        "p",
        {},
        "No version was modernized, or the executions and their cells were not exported: nothing is known of errors along the fixes.",
      ),
    );
    return;
  }
  const sums = new Map();
  for (const types of errors.by_fix)
    for (const [name, value] of Object.entries(types)) sums.set(name, (sums.get(name) ?? 0) + value);
  const named = [...sums]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, NAMED)
    .map(([name]) => name);
  box.append(byNumber(errors, named), ...errors.by_type.filter((/** @type {any} */ one) => one.fixes > 0).map(byType));
}

/** Bars of errors after each number of fixes. @param {any} errors @param {string[]} named */
function byNumber(errors, named) {
  const totals = errors.by_fix.map((/** @type {any} */ types) => sum(Object.values(types)));
  const most = Math.max(1, ...totals);
  const rows = errors.by_fix.map((/** @type {any} */ types, /** @type {number} */ fixes) => {
    const others = totals[fixes] - sum(named.map((name) => types[name] ?? 0));
    const parts = [
      ...named.map((name, place) => ({ name, place, value: types[name] ?? 0 })),
      { name: "Others", place: NAMED, value: others },
    ].filter((one) => one.value > 0);
    const bars = parts.map((one) => {
      const part = element("span", { class: `part series-${one.place}` });
      part.style.inlineSize = `${(one.value / most) * 100}%`;
      explain(part, `${plural(one.value, "cell")} raised ${inert(one.name)} after ${plural(fixes, "fix")}`);
      return part;
    });
    const words = parts.map((one) => `${thousands(one.value)} ${inert(one.name)}`).join(", ") || "none";
    return element(
      "li",
      {},
      element("span", { class: "name" }, fixes === 0 ? "At baseline" : `After ${plural(fixes, "fix")}`),
      element("span", { class: "stack", role: "img", "aria-label": words }, ...bars),
      element("span", { class: "value" }, `${thousands(totals[fixes])} in ${plural(errors.notebooks[fixes], "version")}`),
    );
  });
  const entries = [...named, "Others"].map((name, place) =>
    element("span", { class: "entry" }, element("span", { class: `swatch series-${place}` }), inert(name)),
  );
  return element(
    "div",
    { class: "figure" },
    element("h3", {}, "Cells that raised, by type of error"),
    element("ol", { class: "steps stacked" }, ...rows),
    element("div", { class: "legend", "aria-hidden": "true" }, ...entries),
    element("p", { class: "note" }, "Versions whose loop has stopped count no more."),
  );
}

/** What one type of fix changed. @param {any} one */
function byType(one) {
  const errors = Object.entries(one.errors).sort((a, b) => b[1][0] - a[1][0] || b[1][1] - a[1][1] || (a[0] < b[0] ? -1 : 1));
  const title = `${label(one.fix_type)}: cells that raised, before and after ${plural(one.fixes, "fix")}`;
  if (errors.length === 0)
    return element("div", {}, element("h3", {}, title), element("p", {}, "No cell raised before or after."));
  const most = Math.max(1, ...errors.flatMap(([, ends]) => ends));
  const rows = errors.map(([name, [before, after]]) => [
    inert(name),
    element("span", { class: "pair" }, bar(before / most, "before"), bar(after / most, "after")),
    thousands(before),
    thousands(after),
  ]);
  return element(
    "div",
    {},
    element("h3", {}, title),
    table(title, ["Type of error", "Before (above), after (below)", "Before", "After"], rows, 2),
  );
}
