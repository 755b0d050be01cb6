/** Live captions: each word is a card, so a word that is said again is not fetched again. */

import { cardOf, drawn } from './cards.mjs';

/** The seconds without a word after which a page ends, and those for which it stands after its last word. */
const PAUSE = 1.5;

/** The characters of a page: about two lines. */
const LONGEST = 60;

/** Seconds that end every motion of a card. */
const END = 60;

const LOOK = {
  size: 40, weight: 600, padding: 2, effect: 'rise', distance: 0.3, duration: 0.2, by: 'all', hold: 0,
  start: 'manual', poster: 'start', controls: 'none',
};

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Captions {
  element = document.createElement('div');
  /** Those of the page that is shown, and later ones, by their instants; each has a card once it is shown. */
  #words = [];
  #look;
  #timer;

  constructor() {
    // The first word says which side a line begins at.
    this.element.dir = 'auto';
    // Above the lines of the graphic, which stay where they are.
    this.element.style.cssText = `order: -1; box-sizing: border-box; max-width: min(24em, 90vw); margin-bottom: 0.3em;
      padding: 0.2em 0.4em; border-radius: 0.2em; background: #000a; font-size: 40px; line-height: 1.3`;
    this.clear();
  }

  /** The attributes that words have from now on, beside those that all have: their service and colour. */
  set look(look) {
    this.#look = { ...LOOK, ...look };
    this.element.style.color = look.color;
  }

  /** Takes a word that is said at an instant, in seconds. */
  add(word, at) {
    const next = this.#words.findIndex((other) => other.at > at);
    this.#words.splice(next < 0 ? this.#words.length : next, 0, { word, at });
  }

  get isEmpty() {
    return this.#words.length === 0;
  }

  clear() {
    clearTimeout(this.#timer);
    this.#words = [];
    this.#lay([]);
  }

  /** Shows what is said by the clock, a function that returns its seconds, and goes on with it. */
  play(clock) {
    clearTimeout(this.#timer);
    const time = clock();
    const page = this.#pageAt(time);
    // What was said before is not shown again.
    const first = page[0] ?? this.#words.find(({ at }) => at > time);
    this.#words = this.#words.slice(first ? this.#words.indexOf(first) : this.#words.length);
    this.#lay(page);
    for (const word of page) {
      if (word.at > time || word.hasBegun) continue;
      word.hasBegun = true;
      if (isStill()) word.card.seek(END);
      else word.card.play();
    }
    const changes = [...this.#words.map(({ at }) => at), (page.at(-1)?.at ?? 0) + PAUSE].filter((change) => change > time);
    if (changes.length > 0) this.#timer = setTimeout(() => this.play(clock), (Math.min(...changes) - time) * 1000);
  }

  /** Shows an instant, and comes back once it is drawn. */
  async draw(time) {
    const page = this.#pageAt(time);
    this.#lay(page);
    for (const { at, card } of page) card.seek(time < at ? 0 : isStill() ? END : time - at);
    await Promise.all(page.map(({ drawn }) => drawn));
  }

  /** The words that are said together with those of an instant. */
  #pageAt(time) {
    let page = [];
    let length = 0;
    for (const one of this.#words) {
      length += one.word.length + 1;
      if (page.length > 0 && (one.at - page.at(-1).at > PAUSE || length > LONGEST)) {
        if (one.at > time) break;
        page = [];
        length = one.word.length;
      }
      page.push(one);
    }
    return page.length > 0 && page[0].at <= time && time < page.at(-1).at + PAUSE ? page : [];
  }

  #lay(page) {
    for (const one of page) {
      if (one.card) continue;
      one.card = Object.assign(cardOf(this.#look), { textContent: one.word });
      // A word that cannot be drawn is there as text.
      one.drawn = drawn(one.card).catch(() => {});
    }
    this.element.hidden = page.length === 0;
    const cards = page.map(({ card }) => card);
    const shown = [...this.element.children];
    if (shown.length === cards.length && shown.every((card, index) => card === cards[index])) return;
    this.element.replaceChildren(...cards.flatMap((card) => [card, ' ']));
  }
}
