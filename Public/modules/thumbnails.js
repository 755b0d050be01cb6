import { element } from './controls.js';
import { graphemeSegmenter, readableAddress, svg, wordSegmenter } from './request.js';

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
  #restsUntil = 0;
  #timer = 0;

  /**
   * Fetches a file at its turn, or before all others.
   *
   * @returns the `file`, null if the server does not have it or the signal aborts; the `duration` of
   *   its cycle in seconds; and the `faults` for which the server refuses the request.
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
    while (this.#restsUntil === 0 && this.#fetching < mostFetched && this.#waiting.length > 0) {
      this.#run(this.#waiting.shift());
    }
  }

  async #run(job) {
    const { address, signal, resolve } = job;
    if (signal.aborted) {
      resolve(nothing);
      return;
    }
    this.#fetching += 1;
    try {
      const response = await fetch(address, { signal, priority: 'low' });
      if (response.status === 429 || response.status === 503) {
        this.#waiting.unshift(job);
        const seconds = Number(response.headers.get('Retry-After')) || 0;
        this.rest(Math.max(seconds, shortestRest) * 1000);
      } else {
        resolve(await answerOf(response));
      }
    } catch {
      resolve(nothing);
    }
    this.#fetching -= 1;
    this.#next();
  }

  /** Begins no request for so many milliseconds. */
  rest(milliseconds) {
    const now = performance.now();
    this.#restsUntil = Math.max(this.#restsUntil, now + milliseconds);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#restsUntil = 0;
      this.#next();
    }, this.#restsUntil - now);
  }
}

const nothing = { file: null, duration: 0, faults: [] };

async function answerOf(response) {
  if (response.ok) {
    const duration = Number(response.headers.get('Titlecard-Duration'));
    return { file: await response.blob(), duration, faults: [] };
  }
  const isAtFault = response.status === 400 || response.status === 422;
  return { ...nothing, faults: isAtFault ? (await response.json()).errors ?? [] : [] };
}

const queue = new Queue();

/** Fetches no thumbnails for so many milliseconds, in which the picture itself comes first. */
export function holdThumbnails(milliseconds) {
  queue.rest(milliseconds);
}

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
  #moving = null;
  #stillAt = null;
  /** True while it shows what it should. */
  #isUpToDate = false;
  /** Answers by address, so that a motion starts again without a request. */
  #answers = new Map();
  #fetched = new AbortController();
  /** Called when it has come into view or left it, or has another picture. */
  onchange = () => {};
  /** Called with the faults for which the server refuses the picture, none if it has it. */
  onanswer = () => {};

  constructor() {
    thumbnailsByRoot.set(this.root, this);
    observer.observe(this.root);
  }

  get isInView() {
    return this.#isInView;
  }

  set isInView(isInView) {
    this.#isInView = isInView;
    if (!this.#isWanted) this.#fetched.abort();
    if (isInView && !this.#isUpToDate) this.#load();
    this.onchange();
  }

  /** True unless someone scrolls past; out of view nothing may go on moving. */
  get #isWanted() {
    const hasNotStopped = this.#stillAt && !this.#isPlaying && this.#image.dataset.state === 'moving';
    return this.#isInView || hasNotStopped;
  }

  /** The seconds of its cycle; 0 before it has been fetched. */
  get duration() {
    return this.#answers.get(this.#moving)?.duration ?? 0;
  }

  /**
   * Sets the address of the picture.
   *
   * @param stillAt returns the address of the picture that stands while it does not play, for the
   *   seconds of a cycle; null where it is the same picture, which plays once.
   */
  show(moving, stillAt = null) {
    if (moving === this.#moving) return;
    this.#moving = moving;
    this.#stillAt = stillAt;
    this.#answers.clear();
    // Nothing is known of it yet.
    this.onanswer([]);
    this.#load();
  }

  /** Plays it from its start. */
  play() {
    this.#isPlaying = true;
    this.#load(true);
  }

  /** Shows it at rest again. */
  rest() {
    if (!this.#isPlaying) return;
    this.#isPlaying = false;
    if (this.#stillAt) this.#load();
  }

  async #load(isUrgent = false) {
    this.#fetched.abort();
    this.#isUpToDate = false;
    if (!this.#isWanted || this.#moving === null) return;
    const { signal } = this.#fetched = new AbortController();
    const moving = await this.#fetch(this.#moving, signal, isUrgent);
    const isStill = this.#stillAt && !this.#isPlaying && moving.file && !signal.aborted;
    const { file, faults } = isStill
      ? await this.#fetch(this.#stillAt(moving.duration), signal, isUrgent) : moving;
    if (signal.aborted) return;
    this.#isUpToDate = true;
    this.onanswer(faults);
    // Each address of its own plays from the start.
    URL.revokeObjectURL(this.#image.dataset.address);
    this.#image.hidden = file === null;
    if (file === null) return;
    const address = URL.createObjectURL(file);
    this.#image.dataset.address = address;
    this.#image.dataset.state = isStill ? 'still' : 'moving';
    this.#image.srcset = `${address} ${isStill ? stillDensity : 1}x`;
    this.onchange();
  }

  async #fetch(address, signal, isUrgent) {
    const answer = this.#answers.get(address) ?? await queue.fetch(address, signal, isUrgent);
    if (answer.file) this.#answers.set(address, answer);
    return answer;
  }
}

/** Pixels in a CSS pixel of pictures that stand still. */
const stillDensity = 2;

const prefersStill = matchMedia('(prefers-reduced-motion: reduce)');

/** Milliseconds between one thumbnail's turn and the next one's. */
const betweenTurns = 400;

/** Plays thumbnails in turn while they are in view, one at a time. */
export class Turns {
  #thumbnails;
  #playing = null;
  #timer = 0;
  #isPaused = false;
  #isHeld = false;

  constructor(thumbnails) {
    this.#thumbnails = thumbnails;
    for (const thumbnail of thumbnails) thumbnail.onchange = () => this.#wake();
    document.addEventListener('visibilitychange', () => this.#wake());
    prefersStill.addEventListener('change', () => this.#wake());
  }

  /** True if nothing plays until someone wants it again. */
  get isPaused() {
    return this.#isPaused;
  }

  set isPaused(isPaused) {
    this.#isPaused = isPaused;
    this.#stop();
    this.#wake();
  }

  /** True while something else plays. */
  set isHeld(isHeld) {
    this.#isHeld = isHeld;
    this.#stop();
    this.#wake();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#playing?.rest();
  }

  /** Goes on after a while, unless that is already to come. */
  #wake() {
    if (this.#isPaused || this.#isHeld || document.hidden || prefersStill.matches) return;
    this.#timer ||= setTimeout(() => this.#next(), betweenTurns);
  }

  #next() {
    this.#stop();
    const after = this.#thumbnails.indexOf(this.#playing) + 1;
    const inOrder = [...this.#thumbnails.slice(after), ...this.#thumbnails.slice(0, after)];
    this.#playing = inOrder.find(({ isInView, duration }) => isInView && duration > 0) ?? null;
    if (!this.#playing) return;
    this.#playing.play();
    this.#timer = setTimeout(() => {
      this.#stop();
      this.#wake();
    }, this.#playing.duration * 1000);
  }
}

/**
 * Plays a thumbnail while its card is pointed at or has the focus.
 *
 * @param turns those that wait meanwhile, if there are any.
 */
export function playOnDemand(card, thumbnail, turns = null) {
  const play = () => {
    if (turns) turns.isHeld = true;
    thumbnail.play();
  };
  const rest = () => {
    thumbnail.rest();
    if (turns) turns.isHeld = false;
  };
  card.addEventListener('pointerenter', play);
  card.addEventListener('pointerleave', rest);
  card.addEventListener('focusin', (event) => {
    if (event.target.matches(':focus-visible')) play();
  });
  card.addEventListener('focusout', rest);
}

/** Returns the address of a rendering of some texts with the values that are not undefined. */
export function thumbnailAddress(texts, values, format = svg) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return readableAddress(
    { blocks: texts.map((text) => ({ text })), ...Object.fromEntries(given) }, format);
}

/** Returns the address of such a rendering as it stands at an instant, in seconds. */
export function stillAddress(texts, values, format, seconds) {
  return thumbnailAddress(
    texts, { ...values, scale: String(stillDensity), time: seconds.toFixed(3) }, format);
}

/** The least size of letters that are legible in a thumbnail, in its pixels. */
const leastSize = 9;

/** Between texts that are looked at as one; it is in no text. */
const separator = '\u001f';

const pen = document.createElement('canvas').getContext('2d');
pen.font = '700 100px sans-serif';

/** Returns the most pixels of a picture whose letters of a size are legible in a tile. */
export function legibleMeasures(size, { width, height }) {
  const factor = size / leastSize;
  return { width: Math.floor(width * factor), height: Math.floor(height * factor) };
}

/**
 * Returns the first words of texts that are legible in a tile; of a first word that is too long for it,
 * its beginning and an ellipsis.
 *
 * @param look the `size` of letters, the `padding`, the room `above` and `beside` the text that
 *   something else takes, and the `width` and `height` of the picture or the `maxWidth` at which lines
 *   break, all in its pixels; and the `lineHeight`, in that of letters.
 * @param tile its `width` and `height`.
 */
export function firstWords(texts, look, tile) {
  const given = texts.join(separator).trim();
  let beginning = '';
  let legible = '';
  for (const { segment } of wordSegmenter.segment(given)) {
    beginning += segment;
    if (!/\S/.test(segment) || segment === separator) continue;
    if (!isLegible(beginning, look, tile)) break;
    legible = beginning;
  }
  return (legible || firstLetters(given, look, tile)).split(separator);
}

function firstLetters(text, look, tile) {
  let legible = '';
  for (const { segment } of graphemeSegmenter.segment(text)) {
    if (legible && !isLegible(`${legible}${segment}…`, look, tile)) break;
    legible += segment;
  }
  return legible && `${legible}…`;
}

function isLegible(text, look, tile) {
  const { size, padding, above = 0, beside = 0, lineHeight = 1.2 } = look;
  const margin = 2 * padding + beside;
  const room = (look.width ?? look.maxWidth ?? Infinity) - margin;
  const widths = text.split(/[\n\u001f]/).map((line) => widthOf(line) * size);
  // Lines that break leave some of their room.
  const count = widths.reduce(
    (sum, width) => sum + (width <= room ? 1 : Math.ceil(width * 1.15 / room)), 0);
  const needed = count * size * lineHeight + 2 * padding + above;
  const width = look.width ?? Math.min(Math.max(...widths), room) + margin;
  const height = look.height ?? needed;
  return needed <= height && text.split(/\s|\u001f/).every((word) => widthOf(word) * size <= room)
    && size * Math.min(tile.width / width, tile.height / height) >= leastSize;
}

/** Returns the width of a text of size 1 in a wide family. */
function widthOf(text) {
  return pen.measureText(text).width / 100 * 1.05;
}
