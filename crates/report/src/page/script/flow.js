/** @file The flow of versions from their outcome at baseline to that under another condition: bars, and ribbons as thick as their share. */

/** The least thickness of a ribbon: one version among thousands can be seen and pressed. */
const THINNEST = 5;
const BAR = 18;

/** @param {Study} study */
function showFlow(study) {
  const from = study.ofRole("baseline");
  const others = study.conditions.filter((/** @type {any} */ one) => one !== from);
  if (!from || others.length === 0) {
    byId("flow-lead").textContent = "A flow needs the baseline and one more condition; this study has not both.";
    byId("flow-table").closest("details").hidden = true;
    return;
  }
  const chosen = () =>
    others.find((/** @type {any} */ one) => one.condition === state.flow) ?? study.ofRole("modernize") ?? others[0];
  const buttons = others.map((/** @type {any} */ to) =>
    element(
      "button",
      { type: "button", click: () => change({ flow: to.condition }) },
      `Baseline to ${label(to.condition).toLowerCase()}`,
    ),
  );
  byId("flow-choice").append(...buttons);
  const draw = () => {
    const to = chosen();
    buttons.forEach((/** @type {any} */ button, /** @type {number} */ place) =>
      button.setAttribute("aria-pressed", String(others[place] === to)),
    );
    drawFlow(study.flows(from, to), from.condition, to.condition);
  };
  watch((names) => (names.has("tau") || names.has("flow")) && draw());
  onWidth(byId("flow"), draw);
}

/** @param {number[][]} flows @param {string} from @param {string} to */
function drawFlow(flows, from, to) {
  const total = flows.flat().reduce((sum, one) => sum + one, 0);
  const box = byId("flow");
  if (total === 0) {
    box.replaceChildren(element("p", {}, `No version has an outcome at ${from} and under ${to}.`));
    byId("flow-table").replaceChildren();
    return;
  }
  const width = Math.max(280, box.clientWidth);
  const layout = layFlow(flows, total, width);
  const name = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ value) =>
    `${plural(value, "version")} (${percent(value, total)}): ${OUTCOMES[a].label.toLowerCase()} at ${from}, ${OUTCOMES[b].label.toLowerCase()} under ${to}`;
  const ribbons = layout.ribbons.map((one) => {
    const path = drawing("path", { d: one.path, class: `ribbon outcome-${one.from}` });
    pressable(path, name(one.from, one.to, one.value), () =>
      listOnly({ [from]: OUTCOMES[one.from].word, [to]: OUTCOMES[one.to].word }),
    );
    return path;
  });
  const bars = layout.bars.flatMap((one) => {
    const condition = one.isLeft ? from : to;
    const shape = drawing("rect", { x: one.x, y: one.y, width: BAR, height: one.height, class: `node outcome-${one.code}` });
    pressable(
      shape,
      `${plural(one.value, "version")} (${percent(one.value, total)}) ${OUTCOMES[one.code].label.toLowerCase()} under ${condition}`,
      () => listOnly({ [condition]: OUTCOMES[one.code].word }),
    );
    return [
      shape,
      ...one.texts.map((/** @type {any} */ text) =>
        drawing("text", { x: text.x, y: text.y, "text-anchor": text.anchor, class: text.kind, "aria-hidden": "true" }, text.text),
      ),
    ];
  });
  const heads = layout.heads.map((one, side) =>
    drawing("text", { x: one.x, y: 18, "text-anchor": one.anchor, class: "head" }, label(side === 0 ? from : to)),
  );
  box.replaceChildren(
    drawing(
      "svg",
      {
        viewBox: `0 0 ${width} ${layout.height}`,
        width,
        height: layout.height,
        role: "group",
        "aria-label": `${plural(total, "version")} from ${from} to ${to}`,
      },
      ...ribbons,
      ...heads,
      ...bars,
    ),
  );
  const rows = layout.ribbons
    .toSorted((a, b) => b.value - a.value)
    .map((one) => [OUTCOMES[one.from].label, OUTCOMES[one.to].label, thousands(one.value), percent(one.value, total)]);
  byId("flow-table").replaceChildren(
    table(`Versions from ${from} to ${to}`, [`At ${from}`, `Under ${to}`, "Versions", "Share"], rows, 2),
  );
}

/** Where everything stands, in pixels. @param {number[][]} flows @param {number} total @param {number} width */
function layFlow(flows, total, width) {
  const isNarrow = width < 700;
  const gap = 34;
  const edge = isNarrow ? 0 : 220;
  const left = flows.map((row) => row.reduce((sum, one) => sum + one, 0));
  const right = OUTCOMES.map((_, code) => flows.reduce((sum, row) => sum + row[code], 0));
  const scale = isNarrow ? 300 : 360;
  const thickness = flows.map((row) => row.map((value) => (value === 0 ? 0 : Math.max(THINNEST, (value / total) * scale))));
  const heights = [
    left.map((_, code) => thickness[code].reduce((sum, one) => sum + one, 0)),
    right.map((_, code) => thickness.reduce((sum, row) => sum + row[code], 0)),
  ];
  const tall = heights.map((side) => side.reduce((sum, one) => sum + one, 0) + gap * side.filter((one) => one > 0).length);
  const height = Math.max(...tall) + 40;
  const tops = [left, right].map((counts, side) => {
    let y = 34 + gap / 2 + (height - 40 - tall[side]) / 2 + (isNarrow ? gap / 2 : 0);
    return counts.map((_, code) => {
      const top = y;
      if (heights[side][code] > 0) y += heights[side][code] + gap;
      return top;
    });
  });
  const starts = [edge, width - edge - BAR];
  const bars = [left, right].flatMap((counts, side) =>
    counts.flatMap((value, code) =>
      value === 0
        ? []
        : [
            {
              isLeft: side === 0,
              code,
              value,
              x: starts[side],
              y: tops[side][code],
              height: heights[side][code],
              texts: labels(
                isNarrow ? OUTCOMES[code].short : OUTCOMES[code].label,
                `${thousands(value)} (${percent(value, total)})`,
                side,
                starts[side],
                tops[side][code],
                heights[side][code],
                isNarrow,
              ),
            },
          ],
    ),
  );
  const next = tops.map((side) => side.slice());
  const ribbons = flows.flatMap((row, from) =>
    row.flatMap((value, to) => {
      if (value === 0) return [];
      const thick = thickness[from][to];
      const path = ribbonPath(starts[0] + BAR, next[0][from], starts[1], next[1][to], thick);
      next[0][from] += thick;
      next[1][to] += thick;
      return [{ from, to, value, path }];
    }),
  );
  const heads = [
    { x: isNarrow ? 0 : starts[0] + BAR, anchor: isNarrow ? "start" : "end" },
    { x: isNarrow ? width : starts[1], anchor: isNarrow ? "end" : "start" },
  ];
  return { bars, ribbons, heads, height };
}

/** The two lines beside a bar; one above it where there is no room beside. */
function labels(
  /** @type {string} */ name,
  /** @type {string} */ value,
  /** @type {number} */ side,
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ height,
  /** @type {boolean} */ isNarrow,
) {
  const isLeft = side === 0;
  if (isNarrow) {
    const at = { x: isLeft ? x : x + BAR, anchor: isLeft ? "start" : "end" };
    return [{ ...at, y: y - 6, text: `${name} ${value}`, kind: "name" }];
  }
  const at = { x: isLeft ? x - 10 : x + BAR + 10, anchor: isLeft ? "end" : "start" };
  const middle = y + height / 2;
  return [
    { ...at, y: middle - 3, text: name, kind: "name" },
    { ...at, y: middle + 14, text: value, kind: "value" },
  ];
}

/** A ribbon between two upper corners: it leaves and arrives level. */
function ribbonPath(
  /** @type {number} */ x1,
  /** @type {number} */ y1,
  /** @type {number} */ x2,
  /** @type {number} */ y2,
  /** @type {number} */ thick,
) {
  const middle = (x1 + x2) / 2;
  return `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}V${y2 + thick}C${middle},${y2 + thick} ${middle},${y1 + thick} ${x1},${y1 + thick}Z`;
}
