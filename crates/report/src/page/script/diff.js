/** @file A patch (a unified diff) as a table, side by side or in one column. */

/** Characters of a line that are shown. */
const LONGEST_LINE = 2000;
/** Lines of a patch that are shown. */
const MOST_LINES = 5000;

/** @typedef {{ kind: string, before: number | null, after: number | null, text: string, other?: string }} Line */

/** The lines of a patch, each with its numbers before and after. @param {string} patch @returns {Line[]} */
function linesOf(patch) {
  /** @type {Line[]} */
  const lines = [];
  let before = 0;
  let after = 0;
  for (const text of inert(patch).split("\n").slice(0, MOST_LINES)) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      lines.push({ kind: "hunk", before: null, after: null, text });
    } else if (lines.length === 0 || text === "" || text.startsWith("\\")) {
      // File names, the end, and "no newline at the end" are no lines of code.
    } else if (text.startsWith("-")) {
      lines.push({ kind: "gone", before: before++, after: null, text: text.slice(1) });
    } else if (text.startsWith("+")) {
      lines.push({ kind: "new", before: null, after: after++, text: text.slice(1) });
    } else {
      lines.push({ kind: "same", before: before++, after: after++, text: text.slice(1) });
    }
  }
  return lines;
}

/** Pairs of lines that stand side by side; lines that went are beside those that came. @param {Line[]} lines @returns {[Line | null, Line | null][]} */
function pairsOf(lines) {
  /** @type {[Line | null, Line | null][]} */
  const pairs = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at].kind !== "gone" && lines[at].kind !== "new") {
      pairs.push([lines[at], lines[at]]);
      at += 1;
      continue;
    }
    const gone = [];
    const come = [];
    while (lines[at]?.kind === "gone") gone.push(lines[at++]);
    while (lines[at]?.kind === "new") come.push(lines[at++]);
    for (let row = 0; row < Math.max(gone.length, come.length); row += 1) {
      const [left, right] = [gone[row] ?? null, come[row] ?? null];
      if (left && right) [left.other, right.other] = [right.text, left.text];
      pairs.push([left, right]);
    }
  }
  return pairs;
}

/** The code of a line, with what differs from its partner marked. @param {Line} line */
function code(line) {
  const cut = (/** @type {string} */ text) =>
    text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)} … (${thousands(text.length)} characters)` : text;
  const { text, other } = line;
  if (other === undefined || text.length > LONGEST_LINE) return [cut(text)];
  let start = 0;
  while (start < text.length && start < other.length && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < text.length - start && end < other.length - start && text[text.length - 1 - end] === other[other.length - 1 - end])
    end += 1;
  // Nearly nothing in common: marks would only be noise.
  if (start + end < text.length / 4) return [text];
  return [text.slice(0, start), element("mark", {}, text.slice(start, text.length - end)), text.slice(text.length - end)];
}

const SIGNS = { gone: "−", new: "+", same: " ", hunk: "" };

/** @param {Line | null} line @param {"before" | "after"} side */
function half(line, side) {
  const kind = line?.kind ?? "absent";
  return [
    element("td", { class: `place ${kind}` }, String(line?.[side] ?? "")),
    element(
      "td",
      { class: `code ${kind}` },
      ...(line ? [element("span", { class: "sign" }, SIGNS[/** @type {keyof typeof SIGNS} */ (line.kind)]), ...code(line)] : []),
    ),
  ];
}

/** A patch as a table. @param {string} patch @param {boolean} isSplit @param {string} name */
function diff(patch, isSplit, name) {
  const lines = linesOf(patch);
  const pairs = pairsOf(lines);
  const hunk = (/** @type {Line} */ line) =>
    element("tr", {}, element("td", { class: "hunk", colspan: isSplit ? 4 : 3 }, line.text));
  const rows = isSplit
    ? pairs.map(([left, right]) =>
        left?.kind === "hunk" ? hunk(left) : element("tr", {}, ...half(left, "before"), ...half(right, "after")),
      )
    : lines.map((line) =>
        line.kind === "hunk"
          ? hunk(line)
          : element("tr", {}, element("td", { class: `place ${line.kind}` }, String(line.before ?? "")), ...half(line, "after")),
      );
  if (rows.length === 0) return element("p", { class: "note" }, "The patch is empty.");
  const heads = isSplit ? ["Line", "Before", "Line", "After"] : ["Before", "After", "Code"];
  return element(
    "div",
    { class: "wide", role: "region", tabindex: 0, "aria-label": name },
    element(
      "table",
      { class: isSplit ? "diff split" : "diff" },
      element("caption", { class: "unseen" }, name),
      // The first row, a hunk's, spans all columns; their widths stand here.
      element(
        "colgroup",
        {},
        ...heads.map((head) => element("col", { class: head === "Line" || (!isSplit && head !== "Code") ? "place" : "code" })),
      ),
      element("thead", { class: "unseen" }, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows),
    ),
  );
}
