"use strict";
// The page of one version of a notebook, in three layouts: the current one, the one before 2023 (state in the page), and one
// that has changed in every mark that a scraper could hold on to.
(async () => {
  const { layout, make, call, ago, show, fail } = window.page;
  const isOld = layout === "embedded";
  const isChanged = layout === "changed";
  const heading = (text, changed) => make(isChanged ? "h3" : "h2", {}, isChanged ? changed : text);
  const ACCELERATORS = { 1: "GPU K80", 2: "GPU P100", 8: "GPU T4 x2", 9: "TPU VM v3-8" };
  const LANGUAGES = { PYTHON: "Python", R: "R", RMARKDOWN: "R Markdown", JULIA: "Julia", SQLITE: "SQLite" };
  const STATUSES = { COMPLETE: "Succeeded", ERROR: "Failed", CANCEL_ACKNOWLEDGED: "Cancelled", RUNNING: "Running" };

  const duration = (seconds) => {
    const whole = Math.floor(seconds);
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    const parts = [hours && `${hours}h`, minutes && `${minutes}m`, `${whole % 60}s`];
    return parts.filter(Boolean).join(" ");
  };

  const runtime = (run, info) => {
    if (!info || info.runTimeSeconds === undefined) return [];
    const accelerator = ACCELERATORS[run.acceleratorType];
    if (isOld) {
      const text = `${info.runTimeSeconds.toFixed(1)}s${accelerator ? ` - ${accelerator}` : ""}`;
      return [make("div", {}, make("span", {}, "Run"), make("span", {}, text))];
    }
    const text = duration(info.runTimeSeconds) + (accelerator ? ` · ${accelerator}` : "");
    return [make("div", {}, heading("Runtime", "Execution time"), make("p", {}, text))];
  };

  const facts = (label, changed, content) => make("div", {}, heading(label, changed), content);

  const copyMark = (kernel) => {
    const parent = kernel.forkParent;
    if (!parent) return null;
    const { linesInserted = 0, linesDeleted = 0 } = parent.diff || {};
    const link = make("a", { href: `${parent.url}?scriptVersionId=${parent.runId}` }, parent.title);
    return make("span", {}, isChanged ? "Remix of " : "Copied from ", link, ` (+${linesInserted},-${linesDeleted})`);
  };

  const scores = (both, best) => {
    const row = (label, value) => (value ? make("div", {}, make("span", {}, label), make("span", {}, value)) : null);
    const link = best
      ? make("div", {}, make("span", {}, "Best Score"), make("span", {}, best.scoreFormatted),
          make("a", { href: best.kernelSessionUrl }, `V${best.kernelVersionNumber}`))
      : null;
    const names = isChanged ? ["Hidden result", "Open result"] : ["Private Score", "Public Score"];
    return make("section", {}, row(names[0], both.private), row(names[1], both.public), link);
  };

  const dateText = (moment) =>
    moment.toLocaleString("en-US", { month: "short", day: "numeric", year: "numeric", hour: "numeric", minute: "2-digit" });

  const versionRow = (entry) => {
    const run = entry.run || entry.execution;
    const { versionNumber, versionName, linesInserted = 0, linesDeleted = 0 } = entry.version;
    const status = STATUSES[run.status] || run.status;
    const href = isChanged ? `/code/history/${run.id}` : entry.viewerUrl;
    return make("li", {},
      make("a", { href }, make("span", { role: "img", "aria-label": status }, status === "Succeeded" ? "✓" : "✗"),
        make("span", {}, entry.isForkParent ? `Copied from ${entry.currentUrlSlug}` : versionName || `Version ${versionNumber}`),
        make("span", {}, status), make("span", {}, dateText(new Date(run.dateCreated))),
        make("span", {}, `+${linesInserted} -${linesDeleted}`)));
  };

  const openDrawer = async (kernelId, button) => {
    const answer = await call("kernels.KernelsService/ListKernelVersions", {
      kernelId, sortOption: "VERSION_ID", pageSize: 1000,
    });
    const rows = (answer.items || answer.versionItems || []).map(versionRow);
    button.after(make("aside", { "aria-label": "Version history" }, make("ul", {}, rows)));
  };

  const drawer = (model) => {
    const label = isChanged
      ? `History (${model.totalVersionCount})`
      : `Version ${model.currentVersionNumber} of ${model.totalVersionCount}`;
    const button = make("button", {}, label);
    button.addEventListener("click", () => openDrawer(model.kernel.id, button).catch(fail), { once: true });
    return button;
  };

  // The pane of 2019 and 2020: a table whose rows are not rows.
  const oldPane = (state) => {
    const box = make("div", {}, `Version ${state.currentVersionNumber} of ${state.totalVersionCount}`);
    box.className = "VersionsInfoBox_Box-sc-1xyz";
    box.addEventListener("click", () => {
      const rows = (state.versions || []).map((version) => {
        const seconds = (version.runInfo || {}).runTimeSeconds;
        const link = (text) => make("a", { href: version.url }, text);
        const icon = make("i", { "data-icon": version.status === "complete" ? "check-circle" : "times-circle" });
        const name = version.isForkParent ? "Copied from" : `Version ${version.versionNumber}`;
        const time = dateText(new Date(version.lastRunTime));
        return make("div", {}, link(icon), link(name), link(time), link(seconds === undefined ? "" : `${seconds.toFixed(1)}s`),
          make("span", {}, time), make("span", {}, `+${version.linesInsertedFromPrevious || 0}`),
          make("span", {}, `-${version.linesDeletedFromPrevious || 0}`));
      });
      const table = make("table", {}, make("tbody", {}, rows));
      table.className = "VersionsPaneContent_IdeVersionsTable-sc-2abc";
      box.after(table);
    }, { once: true });
    return box;
  };

  const menu = (run) => {
    const open = () => {
      const href = `/kernels/scriptcontent/${run.id}/download`;
      const items = ["Copy & edit", "Bookmark", null].map((text) =>
        make("li", {}, text || make("a", { href }, "Download code")));
      const surface = make("div", {}, make("ul", {}, items));
      surface.className = isChanged ? "popup" : "mdc-menu-surface mdc-menu-surface--open";
      document.body.append(surface);
    };
    return make("button", { "aria-label": "More options for this notebook", onclick: open }, "⋮");
  };

  const head = (model, run) => {
    const { kernel, author } = model;
    const created = new Date(run.dateCreated);
    const medal = kernel.medal ? make("img", { alt: `${kernel.medal.toLowerCase()} medal`, src: "data:," }) : null;
    const comments = ((model.menuLinks || [])[0] || {}).count || 0;
    const date = make("span", { "aria-label": ago(created), title: created.toString() }, ago(created));
    const views = (kernel.viewCount || 0).toLocaleString("en-US");
    return make("header", {}, make("h1", {}, kernel.title), make("a", { href: author.profileUrl }, author.displayName),
      make("div", {}, date, ` · ${views} views`), copyMark(kernel), medal,
      make("button", { "aria-label": `${kernel.upvoteCount || 0} votes` }, String(kernel.upvoteCount || 0)),
      make("span", { "aria-label": `${kernel.forkCount || 0} copies` }, "Copy & Edit"),
      make("a", { "aria-label": `Comments (${comments} comments)`, href: `${model.baseUrl}/comments` }, String(comments)),
      menu(run));
  };

  const inputs = (model) => {
    const sources = model.dataSources || model.inputSources || [];
    const links = sources.map((source) => make("li", {}, make("a", { href: source.dataSourceUrl }, source.name)));
    return facts("Input (12.3 MB)", "Attached data", make("ul", {}, links));
  };

  const render = (model, both, tab) => {
    const run = model.kernelRun || model.kernelExecution;
    const info = run.runInfo || run.executionInfo;
    const language = LANGUAGES[run.language.replace("LANGUAGE_", "")];
    const failure = info && info.failureMessage ? make("p", { role: "alert" }, info.failureMessage) : null;
    show(head(model, run), isOld ? oldPane(model) : drawer(model), tab === "input" ? inputs(model) : "",
      make("div", {}, runtime(run, info), facts("Language", "Written in", make("p", {}, language)),
        facts("Tags", "Topics", make("a", { href: "/code?tagIds=13208" }, "Tabular"))),
      scores(both, model.bestSubmissionScore), failure || "");
    // The tab with this address opens the version list by itself.
    const opener = document.querySelector("header + button, header + div");
    if (tab === "versions") opener.click();
  };

  try {
    if (isOld) {
      const state = window.Kaggle.State[0];
      const submission = state.submission || {};
      const hidden = submission.scoreIsPrivate ? submission.scoreFormatted : undefined;
      render(state, { public: submission.publicScore, private: hidden }, location.pathname.split("/").pop());
      return;
    }
    const route = window.__route;
    const model = await call("kernels.LegacyKernelsService/GetKernelViewModel", {
      authorUserName: route.authorUserName, kernelSlug: route.kernelSlug, kernelVersionId: route.scriptVersionId,
      tab: route.tab,
    });
    const both = await (await fetch(`/_page/scores?scriptVersionId=${route.scriptVersionId}`)).json();
    render(model, both, route.tab);
  } catch (error) {
    fail(error);
  }
})();
