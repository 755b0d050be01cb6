/** Milliseconds without a change after which a request counts as settled. */
const settling = 700;

/** Does things once nothing has changed for a while. */
export class Calm {
  #timer = 0;
  #deeds = new Map();

  /** Does `deed` when all is calm; one of each name. */
  then(name, deed) {
    this.#deeds.set(name, deed);
    this.disturb();
  }

  /** Starts the waiting anew. */
  disturb() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const deeds = [...this.#deeds.values()];
      this.#deeds.clear();
      for (const deed of deeds) deed();
    }, settling);
  }

  forget(name) {
    this.#deeds.delete(name);
  }
}
