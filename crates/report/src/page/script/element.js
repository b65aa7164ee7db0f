/** @file Elements: text goes in as text, never as markup. */

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Properties */

/** Sets attributes; a function becomes a listener, true an empty attribute; false, null and undefined none. */
function attach(/** @type {Element} */ node, /** @type {Properties} */ properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
}

/** An element of HTML. @param {string} name @param {Properties} properties @param {(Node | string)[]} children @returns {any} */
function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  attach(node, properties);
  node.append(...children);
  return node;
}

/** An element of SVG. @param {string} name @param {Properties} properties @param {(Node | string)[]} children @returns {any} */
function drawing(name, properties = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  attach(node, properties);
  node.append(...children);
  return node;
}

/** The element of the page with an id. @param {string} id @returns {any} */
function byId(id) {
  return document.getElementById(id);
}

/** A bar as wide as a share of its room. @param {number} share 0 to 1 @param {string} kind class of its colour */
function bar(share, kind) {
  const filled = element("span", { class: `fill ${kind}` });
  // Through the object model, which the page's policy lets only its own script use.
  filled.style.inlineSize = `${Math.min(1, Math.max(0, share)) * 100}%`;
  return element("span", { class: "bar", "aria-hidden": "true" }, filled);
}

/** A table. @param {string} title @param {string[]} head @param {(string | Node)[][]} rows @param {number} words columns of words, from the left */
function table(title, head, rows, words) {
  const kind = (/** @type {number} */ column) => (column < words ? {} : { class: "number" });
  const cell = (/** @type {string | Node} */ content, /** @type {number} */ column) =>
    column === 0 ? element("th", { scope: "row" }, content) : element("td", kind(column), content);
  return element(
    "div",
    { class: "wide", role: "region", tabindex: 0, "aria-label": title },
    element(
      "table",
      {},
      element("caption", { class: "unseen" }, title),
      element(
        "thead",
        {},
        element("tr", {}, ...head.map((one, column) => element("th", { scope: "col", ...kind(column) }, one))),
      ),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))),
    ),
  );
}

/** What a thing under the pointer, or with the focus, is. @param {Element} node @param {string} text */
function explain(node, text) {
  const tip = byId("tip");
  const place = (/** @type {number} */ x, /** @type {number} */ y) => {
    tip.textContent = text;
    tip.hidden = false;
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(8, Math.min(x + 14, room))}px`;
    tip.style.top = `${Math.max(8, y - tip.offsetHeight - 12)}px`;
  };
  const hide = () => {
    tip.hidden = true;
  };
  node.addEventListener("pointermove", (/** @type {any} */ event) => place(event.clientX, event.clientY));
  node.addEventListener("pointerleave", hide);
  node.addEventListener("blur", hide);
  node.addEventListener("focus", () => {
    if (!node.matches(":focus-visible")) return;
    const box = node.getBoundingClientRect();
    place(box.left + box.width / 2, box.top + box.height / 2);
  });
}

/** Makes a shape work as a button does. @param {Element} node @param {string} text @param {() => void} press */
function pressable(node, text, press) {
  attach(node, { role: "button", tabindex: 0, "aria-label": text, click: press });
  node.addEventListener("keydown", (/** @type {any} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  });
  explain(node, text);
}
