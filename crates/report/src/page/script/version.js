/** @file One version: what came out under each condition, its fixes with the code before and after, its errors, its environments. */

/** Whether code stands side by side; null until somebody chose. @type {boolean | null} */
let isSplit = null;

/** Shows the open version, or what to do to open one. @param {Study} study @param {any} index */
async function showVersion(study, index) {
  const box = byId("version");
  const place = state.version === undefined ? -1 : index.version.indexOf(state.version);
  byId("browser").classList.toggle("is-open", place >= 0);
  if (place < 0) {
    const text =
      state.version === undefined
        ? "Choose a version to see what came out, and its code before and after."
        : `There is no version ${inert(state.version)} in this study.`;
    box.replaceChildren(element("p", { class: "hint" }, text));
    return;
  }
  const { story, environments } = await study.story(place);
  // Another version may have been opened meanwhile.
  if (state.version !== index.version[place]) return;
  const conditions = study.conditions.filter((/** @type {any} */ one) => one.outcome[place] >= 0);
  box.replaceChildren(
    element("button", { type: "button", class: "back", click: closeVersion }, "Back to the list"),
    element("h3", {}, inert(index.title[place] ?? index.version[place])),
    facts(index, place),
    ...(story.excluded || word(index.exclusion, place)
      ? [
          element(
            "p",
            { class: "notice" },
            `Left out of the study: ${inert(word(index.exclusion, place)).replaceAll("-", " ")}. ${inert(story.excluded)}`,
          ),
        ]
      : []),
    ...(story.left_out ?? []).map((/** @type {string[]} */ [condition, reason, detail]) =>
      element(
        "p",
        { class: "notice" },
        `Left out of ${inert(condition)}: ${inert(reason).replaceAll("-", " ")}. ${inert(detail)}`,
      ),
    ),
    ...(conditions.length === 0
      ? [element("p", {}, "No condition has an outcome for it.")]
      : [outcomesOf(conditions, place, story)]),
    ...conditions
      .filter((/** @type {any} */ one) => (story.fixes ?? []).some((/** @type {any} */ fix) => fix.condition === one.condition))
      .map((/** @type {any} */ one) => fixesOf(one, story)),
    ...conditions
      .filter((/** @type {any} */ one) => !one.repairs)
      .map((/** @type {any} */ one) => errorsOf(one.condition, 0, story, `What cells raised under ${one.condition}`))
      .filter(Boolean),
    ...environmentsOf(conditions, story, environments, study.settings),
  );
}

/** Closes the version; the focus goes back to the list. */
function closeVersion() {
  change({ version: null }, true);
  byId("list").focus();
}

/** @param {any} index @param {number} place */
function facts(index, place) {
  const all = [
    inert(index.version[place]),
    inert(word(index.competition, place)),
    index.submitted[place] ? `submitted ${inert(index.submitted[place])}` : null,
    index.cells[place] === null ? null : plural(index.cells[place], "code cell"),
    index.lines[place] === null ? null : plural(index.lines[place], "line"),
    index.target[place] === null ? null : `target score ${number(index.target[place])}`,
  ];
  return element("p", { class: "facts" }, all.filter(Boolean).join(" · "));
}

/** @param {any[]} conditions @param {number} place @param {any} story */
function outcomesOf(conditions, place, story) {
  const rows = conditions.map((one) => {
    const code = one.outcome[place];
    const ending = story.endings?.[one.condition] ?? {};
    const why = [
      inert(ending.reason),
      ending.cause ? inert(ending.cause).replaceAll("-", " ") : null,
      ending.loop_end && ending.loop_end !== "reproducible"
        ? `the loop stopped: ${inert(ending.loop_end).replaceAll("-", " ")}`
        : null,
    ];
    return [
      label(one.condition),
      element("span", { class: "outcome" }, element("span", { class: `swatch outcome-${code}` }), OUTCOMES[code].label),
      why.filter(Boolean).join("; ") || NOTHING,
      number(one.score[place]),
      deviation(one.deviation[place]),
      thousands(one.fixes[place]),
      seconds(one.seconds[place]),
    ];
  });
  return table("Outcomes of this version", ["Condition", "Outcome", "Why", "Score", "δs", "Fixes", "Time"], rows, 3);
}

/** The fixes of one condition, one below the other. @param {any} under @param {any} story */
function fixesOf(under, story) {
  const { condition, start } = under;
  const box = element("section", { class: "fixes" });
  const draw = () => {
    const side = isSplit ?? box.clientWidth > 640;
    const button = (/** @type {boolean} */ wanted, /** @type {string} */ text) =>
      element(
        "button",
        {
          type: "button",
          "aria-pressed": String(side === wanted),
          click: () => {
            isSplit = wanted;
            draw();
          },
        },
        text,
      );
    const least = (story.least ?? []).filter((/** @type {any} */ one) => one.condition === condition && one.patch);
    box.replaceChildren(
      element("h4", {}, `Fixes under ${condition}`),
      element(
        "div",
        { class: "choice", role: "group", "aria-label": "Code" },
        button(true, "Side by side"),
        button(false, "One column"),
      ),
      ...story.fixes
        .filter((/** @type {any} */ fix) => fix.condition === condition)
        .map((/** @type {any} */ fix) => fixOf(fix, start, story, side)),
      ...least.map((/** @type {any} */ one) =>
        element(
          "details",
          { class: "fold" },
          element("summary", {}, `The least patch: ${thousands(one.hunks_after)} of ${plural(one.hunks_before, "hunk")}`),
          diff(one.patch, side, "The least patch"),
        ),
      ),
    );
  };
  // Its width is known when it stands in the page.
  queueMicrotask(draw);
  return box;
}

/** @param {any} fix @param {string} start the condition whose run stands before the first fix @param {any} story @param {boolean} isSide */
function fixOf(fix, start, story, isSide) {
  const rules = fix.rules ? fix.rules.split(",") : [];
  const name = `Fix ${fix.number} of ${fix.condition}`;
  const facts = [
    `by ${inert(fix.provider)}`,
    fix.score === null ? "no score after it" : `score ${number(fix.score)} after it`,
    `similarity to the original ${number(fix.similarity)}`,
    fix.seconds === null ? null : `proposed in ${seconds(fix.seconds)}`,
  ];
  const before = errorsOf(fix.number === 1 ? start : fix.condition, fix.number - 1, story, `Raised before fix ${fix.number}`);
  const after = errorsOf(fix.condition, fix.number, story, `Still raised after fix ${fix.number}`);
  return element(
    "section",
    { class: "fix" },
    element("h5", {}, `${fix.number}. ${label(fix.fix_type)} → ${label(fix.led_to).toLowerCase()}`),
    element("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    ...(rules.length === 0
      ? []
      : [
          element(
            "p",
            { class: "rules" },
            "Rules: ",
            ...rules.flatMap((/** @type {string} */ rule) => [element("code", {}, inert(rule)), " "]),
          ),
        ]),
    ...(before ? [before] : []),
    fix.patch
      ? diff(fix.patch, isSide, `${name}: code before and after`)
      : element("p", { class: "note" }, "The patch is not in the exported rows."),
    ...(after ? [after] : []),
  );
}

/** What cells raised in one run; none when nothing was, or the run is not known. */
function errorsOf(
  /** @type {string} */ condition,
  /** @type {number} */ step,
  /** @type {any} */ story,
  /** @type {string} */ title,
) {
  const run = (story.runs ?? []).find((/** @type {any} */ one) => one.condition === condition && one.step === step);
  if (!run || run.raised.length === 0) return null;
  const one = (/** @type {any} */ raised) =>
    element(
      "li",
      {},
      element(
        "p",
        {},
        element("span", { class: "where" }, `Cell ${raised.cell}${raised.line ? `, line ${raised.line}` : ""}`),
        " ",
        element("strong", {}, raised.status === "error" ? inert(raised.ename) || "unknown error" : inert(raised.status)),
        ...(raised.why ? [" ", element("span", { class: "where" }, `(${raised.why})`)] : []),
      ),
      ...(raised.evalue ? [element("pre", { tabindex: 0 }, inert(raised.evalue))] : []),
      ...(raised.traceback
        ? [element("details", {}, element("summary", {}, "Traceback"), element("pre", { tabindex: 0 }, inert(raised.traceback)))]
        : []),
    );
  return element(
    "details",
    { class: "raised", open: run.raised.length <= 3 },
    element("summary", {}, `${title}: ${plural(run.raised.length, "cell")} of ${thousands(run.cells)}`),
    element("ol", {}, ...run.raised.map(one)),
  );
}

/** @param {any[]} conditions @param {any} story @param {any} environments @param {any} settings of the study, which name today's environment */
function environmentsOf(conditions, story, environments, settings) {
  const list = (/** @type {string} */ title, /** @type {string | null} */ text) =>
    text ? [element("h5", {}, title), element("pre", { tabindex: 0 }, inert(text.trim()))] : [];
  return conditions.flatMap((one) => {
    const key = story.endings?.[one.condition]?.environment;
    const built = key ? environments[key] : undefined;
    if (!built && one.role === "backport") return [];
    if (!built) {
      return [
        element(
          "details",
          { class: "fold" },
          element(
            "summary",
            {},
            `Environment under ${one.condition}: ${inert(settings.baseline_environment)}, Python ${inert(settings.baseline_python)}`,
          ),
          ...list("Main packages", settings.baseline_packages),
        ),
      ];
    }
    const failure = built.failure_class
      ? [
          element("p", { class: "notice" }, `It could not be built: ${inert(built.failure_class).replaceAll("-", " ")}.`),
          element("pre", { tabindex: 0 }, inert(built.failure_tail)),
        ]
      : [];
    return [
      element(
        "details",
        { class: "fold" },
        element("summary", {}, `Environment under ${one.condition}: Python ${inert(built.python) || "unknown"}`),
        element(
          "p",
          { class: "facts" },
          `${built.kind === "lock" ? "a lock of today" : "planned for the version's date"} · ${inert(key)}`,
        ),
        ...failure,
        ...list("Asked for", built.requirements),
        ...list("Installed", built.lock),
      ),
    ];
  });
}
