/** @file What is shown, in the part of the address behind #, so that it can be kept and sent. */

/** The settings: τ in percent, the flow, the open version, and the filters by name. @type {Record<string, string>} */
let state = {};
/** Called with the names of the settings that changed. @type {((names: Set<string>) => void)[]} */
const watchers = [];

/** The settings in the address; a mere name of a section is none. */
function settingsInAddress() {
  const text = location.hash.slice(1);
  return text.includes("=") ? Object.fromEntries(new URLSearchParams(text)) : {};
}

/** Tells everybody what is other than before. @param {Record<string, string>} next */
function take(next) {
  const names = new Set([...Object.keys(state), ...Object.keys(next)].filter((name) => state[name] !== next[name]));
  state = next;
  if (names.size > 0) watchers.forEach((watcher) => watcher(names));
}

/** When the address follows the settings: browsers refuse hundreds of changes in a row, as a slider makes them. */
let following = 0;

/** Changes settings; an empty one goes. @param {Record<string, string | null>} patch @param {boolean} isStep whether "back" leads before it */
function change(patch, isStep = false) {
  const next = { ...state };
  for (const [name, value] of Object.entries(patch)) {
    if (value) next[name] = value;
    else delete next[name];
  }
  const address = `#${new URLSearchParams(next)}`;
  clearTimeout(following);
  if (isStep) history.pushState(null, "", address);
  else following = setTimeout(() => history.replaceState(null, "", address), 150);
  take(next);
}

/** Watches the settings. @param {(names: Set<string>) => void} watcher */
function watch(watcher) {
  watchers.push(watcher);
}

addEventListener("hashchange", () => {
  if (location.hash.includes("=") || location.hash.length < 2) take(settingsInAddress());
});

/** Goes to a section: into view, and with the focus on its title. @param {string} id */
function goTo(id) {
  const title = byId(`${id}-title`) ?? byId(id);
  title.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "start" });
  title.focus({ preventScroll: true });
}
