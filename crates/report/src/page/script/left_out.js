/** @file Who was left out, and why: one line a step, as wide as what was left after it. */

/** @param {Study} study */
function showLeftOut(study) {
  const { funnel, exclusions, conditions } = study.leftOut;
  const excluded = sum(Object.values(exclusions));
  /** @type {{ name: string, kept: number, reasons: [string, number][] }[]} */
  const steps = funnel.map((/** @type {any} */ step) => ({
    name: label(step.step),
    kept: step.kept,
    reasons: Object.entries(step.reasons),
  }));
  steps.push({ name: "Versions looked at", kept: study.size, reasons: [] });
  steps.push({ name: "Versions studied", kept: study.size - excluded, reasons: Object.entries(exclusions) });
  for (const condition of study.conditions) {
    const kept = sum(study.counts(condition));
    const reasons = Object.entries(conditions[condition.condition] ?? {});
    const rest = study.size - excluded - kept - sum(reasons.map(([, value]) => value));
    if (rest > 0)
      reasons.push([condition.repairs ? "no subject: at baseline it reproduced, failed, or did not run" : "without an outcome", rest]);
    steps.push({ name: `Run under ${label(condition.condition).toLowerCase()}`, kept, reasons });
  }
  const most = Math.max(1, ...steps.map((step) => step.kept));
  byId("funnel").append(
    element(
      "p",
      { class: "lead" },
      funnel.length === 0
        ? "This study's corpus was not mined, so no funnel stands before it."
        : "The funnel of the mined corpus, then the study.",
    ),
    element(
      "ol",
      { class: "steps" },
      ...steps.map((step) =>
        element(
          "li",
          {},
          element("span", { class: "name" }, step.name),
          bar(step.kept / most, "plain"),
          element("span", { class: "value" }, thousands(step.kept)),
          ...(step.reasons.length === 0
            ? []
            : [
                element(
                  "ul",
                  { class: "reasons" },
                  ...step.reasons.map(([why, value]) =>
                    element("li", {}, `${thousands(value)} left out: ${inert(why).replaceAll("-", " ")}`),
                  ),
                ),
              ]),
        ),
      ),
    ),
  );
}

/** @param {any[]} values */
function sum(values) {
  return values.reduce((whole, one) => whole + one, 0);
}
