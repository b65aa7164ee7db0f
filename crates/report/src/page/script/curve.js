/** @file The share that reproduces, along τ, one line a condition. */

/** @param {Study} study */
function showCurve(study) {
  const box = byId("curve");
  if (study.conditions.length === 0) return;
  const steps = Array.from({ length: LARGEST_TAU * 2 + 1 }, (_, step) => step / 2);
  const lines = study.conditions.map((/** @type {any} */ condition) => {
    const known = condition.deviation.filter((/** @type {number} */ one) => !Number.isNaN(one)).sort();
    const whole = condition.recorded.reduce(
      (/** @type {number} */ sum, /** @type {number} */ one) => sum + (one >= 0 ? 1 : 0),
      0,
    );
    let part = 0;
    const shares = steps.map((tau) => {
      while (part < known.length && known[part] <= tau / 100) part += 1;
      return part / whole;
    });
    return { name: condition.condition, shares };
  });
  const draw = () => {
    const width = Math.max(280, box.clientWidth);
    const room = { left: 54, right: width - 12, top: 14, bottom: 210 };
    const x = (/** @type {number} */ tau) => room.left + (tau / LARGEST_TAU) * (room.right - room.left);
    const y = (/** @type {number} */ share) => room.bottom - share * (room.bottom - room.top);
    const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      drawing("line", { x1: room.left, x2: room.right, y1: y(share), y2: y(share), class: share === 0 ? "axis" : "grid" }),
      drawing("text", { x: room.left - 8, y: y(share) + 4, "text-anchor": "end" }, `${share * 100} %`),
    ]);
    const scale = (width < 480 ? [0, 25, 50] : [0, 10, 20, 30, 40, 50]).map((tau) =>
      drawing(
        "text",
        { x: x(tau), y: room.bottom + 20, "text-anchor": tau === 50 ? "end" : "middle" },
        tau === 0 ? "τ = 0" : `${tau} %`,
      ),
    );
    const paths = lines.map((/** @type {any} */ line) =>
      drawing("polyline", {
        class: `line line-${line.name}`,
        fill: "none",
        points: line.shares
          .flatMap((/** @type {number} */ share, /** @type {number} */ step) => [
            `${x(steps[step])},${y(line.shares[Math.max(0, step - 1)])}`,
            `${x(steps[step])},${y(share)}`,
          ])
          .join(" "),
      }),
    );
    const at = drawing("line", {
      class: "marker",
      y1: room.top,
      y2: room.bottom,
      x1: x(currentTau(study)),
      x2: x(currentTau(study)),
    });
    const words = lines.map(
      (/** @type {any} */ line) =>
        `${label(line.name)} from ${percent(line.shares[0], 1)} at 0 to ${percent(line.shares[steps.length - 1], 1)} at 50 %`,
    );
    const picture = drawing(
      "svg",
      {
        viewBox: `0 0 ${width} 240`,
        width,
        height: 240,
        role: "img",
        "aria-label": `The share that reproduces, by τ: ${words.join("; ")}.`,
      },
      ...grid,
      ...scale,
      ...paths,
      at,
    );
    const key = element(
      "div",
      { class: "legend", "aria-hidden": "true" },
      ...lines.map((/** @type {any} */ line) =>
        element(
          "span",
          { class: "entry" },
          drawing(
            "svg",
            { width: 34, height: 12 },
            drawing("line", { x1: 1, x2: 33, y1: 6, y2: 6, class: `line line-${line.name}` }),
          ),
          label(line.name),
        ),
      ),
    );
    box.replaceChildren(element("h3", {}, "The share that reproduces, by τ"), picture, key);
  };
  watch((names) => names.has("tau") && draw());
  onWidth(box, draw);
}

/** Draws now, and whenever the room has another width. @param {Element} box @param {() => void} draw */
function onWidth(box, draw) {
  let width = -1;
  new ResizeObserver(() => {
    if (box.clientWidth === width) return;
    width = box.clientWidth;
    draw();
  }).observe(box);
}
