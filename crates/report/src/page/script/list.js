/** @file The list of versions. Only the rows in view are elements; they are used again as the list scrolls. */

/** Height of a row in pixels; the style has the same. */
const ROW = 64;
/** Rows beyond the edges of the view, so that a step of the wheel shows no gap. */
const BEYOND = 6;

class List {
  constructor(/** @type {Study} */ study, /** @type {any} */ index) {
    this.study = study;
    this.index = index;
    /** @type {number[]} */
    this.places = [];
    /** The row with the mark of the keyboard, in the list; -1 for none. */
    this.active = -1;
    this.box = byId("list");
    this.room = element("div", { class: "room", role: "presentation" });
    this.box.append(this.room);
    /** @type {Map<number, any>} */
    this.rows = new Map();
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    this.box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.box.addEventListener("focus", () => {
      if (this.active < 0 && this.places.length > 0) this.mark(0, false);
    });
    this.room.addEventListener("click", (/** @type {any} */ event) => {
      const row = event.target.closest("[data-row]");
      if (row) this.open(Number(row.dataset.row));
    });
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  /** Filters again. */
  filter() {
    const marked = this.places[this.active];
    this.places = filtered(this.study, this.index);
    this.active = marked === undefined ? -1 : this.places.indexOf(marked);
    this.room.style.blockSize = `${this.places.length * ROW}px`;
    // No higher than its rows and its borders.
    this.box.style.maxBlockSize = `${this.places.length * ROW + 2}px`;
    this.box.hidden = this.places.length === 0;
    byId("found").textContent =
      this.places.length === this.study.size
        ? plural(this.study.size, "version")
        : `${thousands(this.places.length)} of ${plural(this.study.size, "version")}`;
    byId("download").hidden = this.places.length === 0;
    this.again();
  }

  /** Draws every row anew. */
  again() {
    this.rows.forEach((row) => row.remove());
    this.rows.clear();
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - BEYOND);
    const last = Math.min(this.places.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + BEYOND);
    const spare = [];
    for (const [row, node] of this.rows) {
      if (row >= first && row < last) continue;
      spare.push(node);
      this.rows.delete(row);
    }
    for (let row = first; row < last; row += 1) {
      if (this.rows.has(row)) continue;
      const node = spare.pop() ?? this.empty();
      this.fill(node, row);
      this.rows.set(row, node);
      if (!node.isConnected) this.room.append(node);
    }
    spare.forEach((node) => node.remove());
  }

  /** A row without content. */
  empty() {
    const chips = this.study.conditions.map((/** @type {any} */ one) =>
      element(
        "span",
        { class: "chip" },
        element("span", { class: "which", "aria-hidden": "true" }, label(one.condition).replace("Modernize, cell level", "Cell")),
        element("span", { class: "swatch" }),
        element("span", { class: "what" }),
      ),
    );
    return element(
      "div",
      { class: "row", role: "option" },
      element("span", { class: "title" }),
      element("span", { class: "under" }),
      element("span", { class: "chips" }, ...chips),
    );
  }

  /** @param {any} node @param {number} row */
  fill(node, row) {
    const place = this.places[row];
    const { version, title, competition, submitted } = this.index;
    const [name, under, chips] = node.children;
    name.textContent = inert(title[place] ?? version[place]).slice(0, 200);
    under.textContent = [inert(word(competition, place)), submitted[place] ? inert(submitted[place]) : null]
      .filter(Boolean)
      .join(" · ");
    this.study.conditions.forEach((/** @type {any} */ condition, /** @type {number} */ at) => {
      const code = condition.outcome[place];
      const [, swatch, what] = chips.children[at].children;
      swatch.className = code < 0 ? "swatch none" : `swatch outcome-${code}`;
      what.textContent = code < 0 ? NOTHING : OUTCOMES[code].short;
    });
    const outcomes = this.study.conditions.map(
      (/** @type {any} */ one) =>
        `${one.condition}: ${one.outcome[place] < 0 ? "not run" : OUTCOMES[one.outcome[place]].label.toLowerCase()}`,
    );
    attach(node, {
      id: `row-${row}`,
      "aria-label": [name.textContent, ...outcomes].join("; "),
      "data-row": row,
      "aria-setsize": this.places.length,
      "aria-posinset": row + 1,
      "aria-selected": String(version[place] === state.version),
    });
    node.classList.toggle("active", row === this.active);
    // A transform, not a place in the flow: rows then move without a new layout.
    node.style.transform = `translateY(${row * ROW}px)`;
  }

  /** Marks a row and brings it into view. @param {number} row @param {boolean} isScrolled */
  mark(row, isScrolled = true) {
    this.active = Math.max(0, Math.min(this.places.length - 1, row));
    const top = this.active * ROW;
    if (isScrolled && top < this.box.scrollTop) this.box.scrollTop = top;
    if (isScrolled && top + ROW > this.box.scrollTop + this.box.clientHeight)
      this.box.scrollTop = top + ROW - this.box.clientHeight;
    this.draw();
    this.rows.forEach((node, at) => node.classList.toggle("active", at === this.active));
    this.box.setAttribute("aria-activedescendant", `row-${this.active}`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 1);
    const moves = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.places.length - 1,
    };
    if (event.altKey || event.ctrlKey || event.metaKey || this.places.length === 0) return;
    if (event.key in moves) this.mark(moves[/** @type {keyof typeof moves} */ (event.key)]);
    else if ((event.key === "Enter" || event.key === " ") && this.active >= 0) this.open(this.active);
    else return;
    event.preventDefault();
  }

  /** Opens the version of a row. @param {number} row */
  open(row) {
    this.mark(row, false);
    change({ version: this.index.version[this.places[row]] }, true);
    byId("version").focus({ preventScroll: true });
  }

  /** The listed rows as CSV, outcomes at the τ that is shown. */
  csv() {
    const conditions = this.study.conditions;
    const head = [
      "version",
      "competition",
      "title",
      "submitted",
      "target_score",
      "tau_percent",
      ...conditions.flatMap((/** @type {any} */ one) =>
        ["outcome", "failure", "score", "deviation", "fixes", "seconds"].map((name) => `${one.condition}_${name}`),
      ),
    ];
    const index = this.index;
    const rows = this.places.map((place) => [
      index.version[place],
      word(index.competition, place),
      index.title[place],
      index.submitted[place],
      index.target[place],
      currentTau(this.study),
      ...conditions.flatMap((/** @type {any} */ one) =>
        one.outcome[place] < 0
          ? ["", "", "", "", "", ""]
          : [
              OUTCOMES[one.outcome[place]].word,
              index.words.failures[one.failure[place]] ?? "",
              one.score[place],
              Number.isNaN(one.deviation[place]) ? "" : one.deviation[place],
              one.fixes[place],
              one.seconds[place],
            ],
      ),
    ]);
    return [head, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
  }
}

/** A field of CSV (RFC 4180); text that a spreadsheet would take for a formula begins with an apostrophe. @param {any} value */
function field(value) {
  if (typeof value === "number") return String(value);
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Hands a text over as a file. @param {string} name @param {string} text */
function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
