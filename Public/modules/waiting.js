import { element } from './dom.js';

/** Milliseconds that nobody notices. */
const unnoticed = 400;

/** Says that a rendering is on its way, and for how long already, when it takes its time. */
export class Waiting {
  #preview;
  #timer = 0;
  #clock = 0;
  #start = 0;
  #title = '';
  #what = element('span');
  #time = element('span', { class: 'waiting-time' });
  root = element('p', { class: 'waiting', 'aria-hidden': 'true' }, this.#what, ' ', this.#time);
  /** The same for the ear. */
  status = element('p', { class: 'unseen', role: 'status' });

  /** @param preview gets the class `waits` meanwhile. */
  constructor(preview) {
    this.#preview = preview;
  }

  /** A rendering begins; one that was on its way has been given up for it. */
  begin(title) {
    this.#start = performance.now();
    this.#title = title;
    if (this.#isShown) this.#say();
    else this.#timer ||= setTimeout(() => this.#say(), unnoticed);
  }

  end() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    clearInterval(this.#clock);
    this.#preview.classList.remove('waits');
    this.status.textContent = '';
  }

  get #isShown() {
    return this.#preview.classList.contains('waits');
  }

  #say() {
    const words = `Rendering the ${this.#title}`;
    this.#what.textContent = words;
    if (this.status.textContent !== words) this.status.textContent = words;
    this.#preview.classList.add('waits');
    clearInterval(this.#clock);
    this.#clock = setInterval(() => this.#tick(), 100);
    this.#tick();
  }

  #tick() {
    this.#time.textContent = `${((performance.now() - this.#start) / 1000).toFixed(1)} s`;
  }
}
