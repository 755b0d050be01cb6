import { element } from './dom.js';
import { elapsed } from './words.js';

/** Milliseconds that nobody notices. */
const unnoticed = 400;

/** Says that a rendering is on its way, and for how long already, when it takes its time. */
export class Waiting {
  #preview;
  #timer = 0;
  #clock = 0;
  #start = 0;
  #what = element('span', { role: 'status' });
  #time = element('span', { class: 'waiting-time', 'aria-hidden': 'true' });
  root = element('p', { class: 'waiting' }, this.#what, ' ', this.#time);

  /** @param preview gets the class `waits` meanwhile. */
  constructor(preview) {
    this.#preview = preview;
  }

  /** A rendering begins; one that was on its way has been given up for it. */
  begin(title) {
    this.#start = performance.now();
    clearTimeout(this.#timer);
    if (this.#isShown) this.#say(title);
    else this.#timer = setTimeout(() => this.#say(title), unnoticed);
  }

  end() {
    clearTimeout(this.#timer);
    clearInterval(this.#clock);
    this.#preview.classList.remove('waits');
    this.#what.textContent = '';
  }

  get #isShown() {
    return this.#preview.classList.contains('waits');
  }

  #say(title) {
    const words = `Rendering the ${title}`;
    if (this.#what.textContent !== words) this.#what.textContent = words;
    this.#preview.classList.add('waits');
    clearInterval(this.#clock);
    this.#clock = setInterval(() => this.#tick(), 100);
    this.#tick();
  }

  #tick() {
    this.#time.textContent = elapsed(performance.now() - this.#start);
  }
}
