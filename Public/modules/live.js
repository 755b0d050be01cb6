import { svg } from './formats.js';
import { Refusal, render } from './render.js';

/** Milliseconds without a change before the server is asked: as many as it last took, within… */
const pauses = { shortest: 150, longest: 1000 };
/** While a slider moves the picture follows: after the pause and so many milliseconds. */
const longestExtra = 250;

/**
 * Asks for renderings as the request changes: waits for a pause, drops answers that are no
 * longer wanted, and asks again when the server was busy.
 */
export class Live {
  #timer = 0;
  #waitingSince = null;
  #controller = null;
  #pause = pauses.shortest;
  #asked;
  #answered;
  #refused;

  /** What is known of the server: the types of parameters by name, and the formats. */
  catalogue = { types: new Map(), formats: [svg] };

  /**
   * @param deeds `asked(request)`, and then `answered(request, rendering, signal)` or
   *   `refused(refusal)`, unless a newer request has taken the older one's place.
   */
  constructor({ asked, answered, refused }) {
    this.#asked = asked;
    this.#answered = answered;
    this.#refused = refused;
  }

  /** Asks for what `request()` says once changes have paused. */
  schedule(request) {
    clearTimeout(this.#timer);
    const now = performance.now();
    this.#waitingSince ??= now;
    const latest = this.#waitingSince + this.#pause + longestExtra;
    const wait = Math.min(this.#pause, Math.max(latest - now, 0));
    this.#timer = setTimeout(() => this.ask(request()), wait);
  }

  async ask(request) {
    clearTimeout(this.#timer);
    this.#waitingSince = null;
    this.#controller?.abort();
    const controller = this.#controller = new AbortController();
    this.#asked(request);
    try {
      const rendering = await render(request, this.catalogue, controller.signal);
      if (controller.signal.aborted) return;
      const took = rendering.milliseconds;
      this.#pause = Math.min(Math.max(took, pauses.shortest), pauses.longest);
      await this.#answered(request, rendering, controller.signal);
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
