/** @file The study: its columns, what comes out at a threshold, and the stories of versions, unpacked when they are asked for. */

/** Unpacks a block of the page. @param {string} id @returns {Promise<any>} */
async function unpack(id) {
  const packed = byId(id).textContent;
  // @ts-ignore: browsers of 2025 have it.
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(packed) : Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** A column of words. @param {{ words: string[], codes: number[] }} column @param {number} place @returns {string | null} */
function word(column, place) {
  const code = column.codes[place];
  return code < 0 ? null : column.words[code];
}

class Study {
  constructor(/** @type {any} */ core) {
    Object.assign(this, core.index);
    this.settings = core.study;
    this.leftOut = core.left_out;
    this.errors = core.errors;
    this.block = core.block;
    /** How many versions there are. */
    this.size = core.index.version.length;
    for (const condition of core.index.conditions) {
      // Null is no score; -1 an infinite deviation, which JSON cannot say.
      condition.deviation = Float64Array.from(condition.deviation, (one) => (one === null ? NaN : one < 0 ? Infinity : one));
      condition.recorded = Int8Array.from(condition.outcome);
      condition.outcome = condition.recorded.slice();
    }
    this.conditions = core.index.conditions;
    /** What the search looks at. @type {string[]} */
    this.texts = core.index.version.map((/** @type {string} */ slug, /** @type {number} */ place) =>
      `${slug}\n${core.index.title[place] ?? ""}\n${word(core.index.competition, place) ?? ""}`.toLowerCase(),
    );
    /** @type {Map<number, Promise<any>>} */
    this.blocks = new Map();
  }

  /** The condition of a role. @param {string} role @returns {any} */
  ofRole(role) {
    return this.conditions.find((/** @type {any} */ one) => one.role === role);
  }

  /** Whether executions have scores to reach; where they have none, the study says what else is asked of them. */
  get asksScores() {
    return this.settings.judge === undefined;
  }

  /** The study's own threshold in percent, rounded as its tables say it. */
  get ownTau() {
    return Math.round(this.settings.tau * 1e8) / 1e6;
  }

  /**
   * What every run came to at a threshold: at the study's own what was recorded; elsewhere a run is reproducible when its deviation
   * is at most τ, and has errors or none as it had; what failed has failed.
   * @param {number} tau in percent
   */
  judge(tau) {
    const isOwn = tau === this.ownTau;
    for (const condition of this.conditions) {
      for (let place = 0; place < this.size; place += 1) {
        const recorded = condition.recorded[place];
        if (isOwn || recorded < 0 || recorded === 4) {
          condition.outcome[place] = recorded;
        } else {
          const hasErrors = recorded % 2;
          condition.outcome[place] = (condition.deviation[place] <= tau / 100 ? 0 : 2) + hasErrors;
        }
      }
    }
  }

  /** How many versions have each outcome. @param {any} condition @returns {number[]} */
  counts(condition) {
    const counts = [0, 0, 0, 0, 0];
    for (const outcome of condition.outcome) if (outcome >= 0) counts[outcome] += 1;
    return counts;
  }

  /** How many versions go from each outcome to each. @param {any} from @param {any} to @returns {number[][]} */
  flows(from, to) {
    const flows = OUTCOMES.map(() => [0, 0, 0, 0, 0]);
    for (let place = 0; place < this.size; place += 1) {
      if (from.outcome[place] >= 0 && to.outcome[place] >= 0) flows[from.outcome[place]][to.outcome[place]] += 1;
    }
    return flows;
  }

  /** What only one version shows, and the environments that it names. @param {number} place @returns {Promise<{ story: any, environments: any }>} */
  async story(place) {
    const block = Math.floor(place / this.block);
    let packed = this.blocks.get(block);
    if (!packed) {
      packed = unpack(`block-${block}`);
      this.blocks.set(block, packed);
      // A few blocks are kept; a map keeps the order in which they came.
      if (this.blocks.size > 8) this.blocks.delete([...this.blocks.keys()][0]);
    }
    const { versions, environments } = await packed;
    return { story: versions[place % this.block], environments };
  }
}
