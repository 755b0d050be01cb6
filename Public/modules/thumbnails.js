import { element } from './controls.js';
import { readableAddress, svg } from './request.js';

/** The page's own ink, as values of a request. */
export const ink = { color: '#1b1c1f', darkColor: '#edebe6' };

/** The most files that are fetched at a time: the picture itself needs a connection too. */
const mostFetched = 2;

/** The least seconds without a request after the server has refused one for a time. */
const shortestRest = 10;

/** Fetches files for thumbnails, a few at a time. */
class Queue {
  #waiting = [];
  #fetching = 0;
  #isResting = false;

  /**
   * Fetches a file at its turn, or before all others.
   *
   * @returns the file; null if the server does not have it, or the signal aborts.
   */
  fetch(address, signal, isUrgent) {
    return new Promise((resolve) => {
      const job = { address, signal, resolve };
      if (isUrgent) this.#waiting.unshift(job);
      else this.#waiting.push(job);
      this.#next();
    });
  }

  #next() {
    while (!this.#isResting && this.#fetching < mostFetched && this.#waiting.length > 0) {
      this.#run(this.#waiting.shift());
    }
  }

  async #run(job) {
    const { address, signal, resolve } = job;
    if (signal.aborted) {
      resolve(null);
      return;
    }
    this.#fetching += 1;
    try {
      const response = await fetch(address, { signal, priority: 'low' });
      if (response.status === 429 || response.status === 503) {
        this.#waiting.unshift(job);
        this.#rest(Number(response.headers.get('Retry-After')) || 0);
      } else {
        resolve(response.ok ? await response.blob() : null);
      }
    } catch {
      resolve(null);
    }
    this.#fetching -= 1;
    this.#next();
  }

  #rest(seconds) {
    if (this.#isResting) return;
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      this.#next();
    }, Math.max(seconds, shortestRest) * 1000);
  }
}

const queue = new Queue();

const thumbnailsByRoot = new WeakMap();
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    thumbnailsByRoot.get(target).isInView = isIntersecting;
  }
}, { rootMargin: '80px' });

/** A small rendering, which is fetched once it is in view. */
export class Thumbnail {
  #image = element('img', { alt: '', hidden: true, draggable: false });
  root = element('span', { class: 'thumbnail' }, this.#image);
  #isInView = false;
  #isPlaying = false;
  #still = null;
  #moving = null;
  /** Files by address, so that a motion starts again without a request. */
  #files = new Map();
  #fetched = new AbortController();

  constructor() {
    thumbnailsByRoot.set(this.root, this);
    observer.observe(this.root);
  }

  set isInView(isInView) {
    this.#isInView = isInView;
    // Who scrolls past does not want it.
    if (!isInView) this.#fetched.abort();
    if (isInView && this.#image.dataset.address !== this.#wanted) this.#load();
  }

  /** Sets the addresses of the picture at rest and in motion, which may be the same. */
  show(still, moving) {
    if (still === this.#still && moving === this.#moving) return;
    this.#still = still;
    this.#moving = moving;
    this.#files.clear();
    this.#load();
  }

  /** Plays it from its start. */
  play() {
    this.#isPlaying = true;
    this.#load(true);
  }

  /** Shows it at rest again. */
  rest() {
    this.#isPlaying = false;
    if (this.#still !== this.#moving) this.#load();
  }

  get #wanted() {
    return this.#isPlaying ? this.#moving : this.#still;
  }

  async #load(isUrgent = false) {
    this.#fetched.abort();
    const address = this.#wanted;
    if (!this.#isInView || address === null) return;
    const { signal } = this.#fetched = new AbortController();
    const file = this.#files.get(address) ?? await queue.fetch(address, signal, isUrgent);
    if (signal.aborted) return;
    URL.revokeObjectURL(this.#image.src);
    this.#image.dataset.address = address;
    this.#image.hidden = file === null;
    if (file === null) return;
    this.#files.set(address, file);
    // Each address of its own plays from the start.
    this.#image.src = URL.createObjectURL(file);
  }
}

/** Plays a thumbnail while its card is pointed at or has the focus. */
export function playOnDemand(card, thumbnail) {
  card.addEventListener('pointerenter', () => thumbnail.play());
  card.addEventListener('pointerleave', () => thumbnail.rest());
  card.addEventListener('focusin', (event) => {
    if (event.target.matches(':focus-visible')) thumbnail.play();
  });
  card.addEventListener('focusout', () => thumbnail.rest());
}

/** Returns the address of a rendering of some texts with the values that are not undefined. */
export function thumbnailAddress(texts, values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return readableAddress(
    { blocks: texts.map((text) => ({ text })), ...Object.fromEntries(given) }, svg);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns a text, or its beginning with an ellipsis if it is longer than so many graphemes. */
export function excerpt(text, most) {
  const beginning = [];
  for (const { segment } of graphemes.segment(text)) {
    if (beginning.length === most) return `${beginning.slice(0, -1).join('').trimEnd()}…`;
    beginning.push(segment);
  }
  return text;
}
