import { Refusal, render } from './render.js';

/** Milliseconds without a change before the server is asked. */
const pause = 150;
/** While a slider moves the picture follows at this pace. */
const longestWait = 400;

/**
 * Asks for renderings as the request changes: waits for a pause, drops answers that are no
 * longer wanted, and asks again when the server was busy.
 */
export class Live {
  #timer = 0;
  #waitingSince = null;
  #controller = null;
  #answered;
  #refused;

  /** The types of parameters by name, once they are known. */
  types = new Map();

  constructor({ answered, refused }) {
    this.#answered = answered;
    this.#refused = refused;
  }

  /** Asks for what `request()` says once changes have paused. */
  schedule(request) {
    clearTimeout(this.#timer);
    const now = performance.now();
    this.#waitingSince ??= now;
    const wait = Math.min(pause, Math.max(this.#waitingSince + longestWait - now, 0));
    this.#timer = setTimeout(() => this.ask(request()), wait);
  }

  async ask(request) {
    clearTimeout(this.#timer);
    this.#waitingSince = null;
    this.#controller?.abort();
    const controller = this.#controller = new AbortController();
    try {
      const rendering = await render(request, this.types, controller.signal);
      if (!controller.signal.aborted) await this.#answered(request, rendering, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#refused(error instanceof Refusal
        ? error : new Refusal(0, 'The server cannot be reached.', [], 3));
      if (error.retryAfter !== null) this.#again(request, error.retryAfter ?? 3);
    }
  }

  #again(request, seconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.ask(request), Math.min(seconds, 30) * 1000);
  }
}
