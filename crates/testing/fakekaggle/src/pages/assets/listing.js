"use strict";
// The code tab of a competition.
(async () => {
  const { make, call, ago, show, fail } = window.page;
  const query = new URLSearchParams(location.search);
  const pageSize = 20;

  const score = (kernel) => (kernel.bestPublicScore ? `Score: ${kernel.bestPublicScore} · ` : "");

  const item = (kernel, competition) => {
    const parent = kernel.forkParentInfo;
    const copied = parent
      ? [
          kernel.forkDiffLinesInserted || kernel.forkDiffLinesDeleted
            ? "Notebook copied with edits from "
            : "Notebook copied from ",
          make("a", { href: parent.kernelUrl }, parent.authorDisplayName),
          " · ",
        ]
      : [];
    const others = (kernel.dataSources || kernel.inputSources || []).length - 1;
    const more = others > 0 ? ` +${others}` : "";
    const medal = kernel.medal ? make("img", { alt: `${kernel.medal.toLowerCase()} medal`, src: "data:," }) : null;
    return make(
      "li",
      {},
      make("a", { href: kernel.scriptUrl, "aria-label": `${kernel.title}` }, make("div", {}, kernel.title)),
      make("span", {}, ...copied, `Updated ${ago(new Date(kernel.lastRunTime))}`),
      make("span", {}, `${score(kernel)}${kernel.totalComments || 0} comments · ${competition.title}${more}`),
      make("button", { "aria-label": `${kernel.totalVotes || 0} votes` }, String(kernel.totalVotes || 0)),
      medal,
    );
  };

  const load = async (competition, number) => {
    const answer = await call("kernels.KernelsService/ListKernels", {
      kernelFilterCriteria: {
        search: query.get("searchQuery") || "",
        listRequest: {
          competitionId: competition.id,
          sortBy: (query.get("sortBy") || "hotness").replace(/([A-Z])/g, "_$1").toUpperCase(),
          language: (query.get("language") || "").toLowerCase(),
          pageSize,
          group: "EVERYONE",
          page: number,
        },
      },
      detailFilterCriteria: { deletedAccessBehavior: "RETURN_NOTHING", unauthorizedAccessBehavior: "RETURN_NOTHING" },
      readMask: "pinnedKernels",
    });
    const kernels = answer.kernels || answer.kernelItems || [];
    const next = make("button", { "aria-label": "Go to next page" }, "›");
    next.disabled = number * pageSize >= (answer.totalCount || 0);
    next.addEventListener("click", () => load(competition, number + 1).catch(fail));
    const list = make("ul", {}, kernels.map((kernel) => item(kernel, competition)));
    show(
      make("h1", {}, competition.title),
      make("div", { id: window.page.layout === "changed" ? "list" : "results", "data-page": String(number) }, list),
      next,
    );
  };

  try {
    const state = window.__route || window.Kaggle.State[0];
    const competition = await call("competitions.CompetitionService/GetCompetition", state);
    await load(competition, Number(query.get("page") || 1));
  } catch (error) {
    fail(error);
  }
})();
