/** @file The start: unpacks the study, builds the sections, ties them to the settings. */

/** Light, dark, or as the system has it. */
function showTheme() {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const update = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    update();
  });
  system.addEventListener("change", update);
  button.hidden = false;
  update();
}

/** Links within the page move the focus and leave the settings in the address alone. */
function tieLinks() {
  document.addEventListener("click", (/** @type {any} */ event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    goTo(link.getAttribute("href").slice(1));
  });
}

async function start() {
  showTheme();
  tieLinks();
  const core = await unpack("core");
  const study = new Study(core);
  const index = core.index;
  state = settingsInAddress();
  study.judge(currentTau(study));
  // The first watcher: all others count what it judged.
  watch((names) => names.has("tau") && study.judge(currentTau(study)));
  if (study.asksScores) showThreshold(study);
  showHeadline(study);
  if (study.asksScores) showCurve(study);
  byId("threshold").hidden = byId("curve").hidden = !study.asksScores;
  showFlow(study);
  showLeftOut(study);
  showErrors(study);
  showFilters(study, index);
  const list = new List(study, index);
  list.filter();
  watch((names) => {
    if ([...names].some((name) => name !== "version" && name !== "flow")) list.filter();
    else if (names.has("version")) list.again();
    if (names.has("version") || names.has("tau")) showVersion(study, index).catch(fail);
  });
  byId("download").addEventListener("click", () => save("versions.csv", list.csv()));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    byId("tip").hidden = true;
    if (state.version !== undefined && byId("versions").contains(document.activeElement)) closeVersion();
  });
  addEventListener(
    "scroll",
    () => {
      byId("tip").hidden = true;
    },
    { passive: true },
  );
  await showVersion(study, index);
  if (state.version !== undefined) goTo("versions");
  else if (location.hash.length > 1 && !location.hash.includes("=") && byId(location.hash.slice(1))) goTo(location.hash.slice(1));
  document.documentElement.dataset.ready = "";
  performance.mark("ready");
}

/** Says in the page why it does not go on. @param {unknown} error */
function fail(error) {
  byId("failure").textContent = `This page could not be shown whole: ${error}. It needs a browser of 2023 or newer.`;
  byId("failure").hidden = false;
  throw error;
}

start().catch(fail);
