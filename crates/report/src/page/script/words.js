/** @file Words and numbers as people read them; numbers as the tables print them. */

/** Outcomes in the order of their codes: label, abbreviation, name of the colour. */
const OUTCOMES = [
  { word: "error-free-reproducible", label: "Error-free reproducible", short: "EF-R" },
  { word: "error-reproducible", label: "Error reproducible", short: "E-R" },
  { word: "error-free-non-reproducible", label: "Error-free non-reproducible", short: "EF-NR" },
  { word: "error-non-reproducible", label: "Error non-reproducible", short: "E-NR" },
  { word: "failed", label: "Failed", short: "Failed" },
];

/** What stands where there is nothing to say. */
const NOTHING = "–";

/** The quantile of the normal distribution that a 95 % interval takes. */
const Z = 1.959963984540054;

/** A word of the glossary as a label. @param {string} word */
function label(word) {
  const outcome = OUTCOMES.find((one) => one.word === word);
  if (outcome) return outcome.label;
  const text =
    word === "modernize-cell"
      ? "modernize, cell level"
      : word.replaceAll("-", word.includes("repair") || word.includes("reduction") || word.includes("calibration") ? "-" : " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A count with commas between thousands. @param {number} value */
function thousands(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A count with its noun. @param {number} value @param {string} noun */
function plural(value, noun) {
  const ending = value === 1 ? "" : noun.endsWith("x") ? "es" : "s";
  return `${thousands(value)} ${noun}${ending}`;
}

/** One decimal, ties to even, as the tables have it. @param {number} value not negative */
function tenths(value) {
  const quarters = value * 4;
  const isTieDown = Number.isInteger(quarters) && quarters % 4 === 1;
  return isTieDown ? `${Math.floor(value)}.2` : value.toFixed(1);
}

/** A share in percent; one that is not quite nothing or all does not look so. @param {number} part @param {number} whole */
function percent(part, whole) {
  if (!(whole > 0)) return NOTHING;
  const share = part / whole;
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  if (share >= 0.9995 && share < 1) return "> 99.9 %";
  return `${tenths(share * 100)} %`;
}

/** Wilson's 95 % interval of a share (Wilson, JASA 22, 1927). @param {number} part @param {number} whole @returns {[number, number] | null} */
function wilson(part, whole) {
  if (!(whole > 0)) return null;
  const share = part / whole;
  const scale = 1 + (Z * Z) / whole;
  const centre = (share + (Z * Z) / (2 * whole)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / whole + (Z * Z) / (4 * whole * whole))) / scale;
  return [part === 0 ? 0 : Math.max(0, centre - half), part === whole ? 1 : Math.min(1, centre + half)];
}

/** An interval in percent. @param {[number, number] | null} ends */
function range(ends) {
  return ends ? `${tenths(ends[0] * 100)}–${tenths(ends[1] * 100)} %` : NOTHING;
}

/** A score, or another number of any size. @param {number | null | undefined} value */
function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return NOTHING;
  if (!Number.isFinite(value)) return "infinite";
  return String(Number(value.toPrecision(6)));
}

/** A deviation in percent. @param {number} value */
function deviation(value) {
  if (Number.isNaN(value)) return NOTHING;
  if (!Number.isFinite(value)) return "infinite (the target is 0)";
  return value > 0 && value < 0.0005
    ? "< 0.1 %"
    : `${value >= 1000 ? thousands(Math.round(value * 100)) : tenths(value * 100)} %`;
}

/** Seconds. @param {number | null | undefined} value */
function seconds(value) {
  return value === null || value === undefined ? NOTHING : `${value.toFixed(1)} s`;
}

/** Escape sequences of terminals, which colour tracebacks. */
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/g;
/** Characters that turn the direction of text, or hide in it. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Text from a notebook: nothing in it moves, hides or colours what stands beside it. @param {string | null | undefined} text */
function inert(text) {
  const code = (/** @type {string} */ one) => `⟨U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  return (text ?? "").replaceAll("\r\n", "\n").replace(ESCAPES, "").replace(INVISIBLE, code);
}
