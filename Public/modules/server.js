import { formatOf, inFormat, svg, toFetch } from './request.js';

/** Seconds after which a server is asked again that did not say when. */
const usualDelay = 3;

/** Milliseconds without a change before a rendering is asked for: as many as the last one took… */
const shortestPause = 150;
/** …but no more than these. */
const longestPause = 1000;
/** Milliseconds beyond the pause after which changes that go on get a rendering all the same. */
const longestExtra = 250;

/** The server gave no answer, or one that is an error. */
export class Refusal extends Error {
  /**
   * @param faults what is wrong with parameters, as `{ parameter, message }`.
   * @param retryAfter seconds after which another try may succeed, or null.
   */
  constructor(message, faults = [], retryAfter = null) {
    super(message);
    this.faults = faults;
    this.retryAfter = retryAfter;
  }
}

/** Fetches, and throws a `Refusal` unless the answer is good; when aborted what `fetch` throws. */
async function ask(address, options = {}) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Refusal('The server cannot be reached', [], usualDelay);
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** What an error says: a problem document (RFC 9457), or the state that `/health` gives. */
async function refusalOf(response) {
  const { status } = response;
  const problem = await response.json().catch(() => null) ?? {};
  const state = typeof problem.status === 'string' ? `: ${problem.status}` : '';
  const title = problem.title ?? `The server answered ${status}${state}`;
  const reasons = [].concat(problem.detail ?? [], problem.reasons ?? []);
  const wait = response.headers.get('Retry-After');
  const mayPass = wait !== null || status === 429 || status === 503;
  return new Refusal(
    [title, ...reasons].join('. '), [].concat(problem.errors ?? []),
    mayPass ? Math.max(Number(wait), 0) || usualDelay : null);
}

/** A file that is sent while it is made may break off. */
async function bodyOf(response, signal) {
  try {
    return await response.blob();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal('The server broke off before the end');
  }
}

/**
 * A document of the server's. A server that refuses it for a time is asked again.
 *
 * @param waiting called with the refusal before each wait.
 */
export async function loadJSON(path, waiting) {
  for (;;) {
    try {
      return await (await ask(path)).json();
    } catch (error) {
      if (!(error instanceof Refusal) || error.retryAfter === null) throw error;
      waiting(error);
      await delay(error.retryAfter);
    }
  }
}

/**
 * Renders a request in its format.
 *
 * The rendering has its `file`, its `permalink` or null, and a way to `fileIn` another format.
 */
async function render(request, { types, formats }, signal) {
  const format = formatOf(request, formats);
  const start = performance.now();
  const response = await ask(...signalled(toFetch(request, types, format), signal));
  const file = await bodyOf(response, signal);
  const permalink = permalinkOf(response);
  return {
    format, file, permalink,
    duration: Number(response.headers.get('Titlecard-Duration')),
    ...deliveryOf(response.url, start),
    async fileIn(other, signal) {
      if (other === format) return file;
      const target = permalink
        ? [inFormat(permalink, other), {}] : toFetch(request, types, other);
      return bodyOf(await ask(...signalled(target, signal)), signal);
    },
  };
}

function signalled([address, options], signal) {
  return [address, { ...options, signal }];
}

/** Only a path of this origin goes into the page. */
function permalinkOf(response) {
  const path = response.headers.get('Content-Location');
  return path?.startsWith('/r/') ? path : null;
}

/**
 * How a file came: bytes over the wire, compressed where they were (0 if unknown), and the
 * milliseconds from the request, made at `start`, to the last byte.
 */
function deliveryOf(address, start) {
  const entry = performance.getEntriesByName(address, 'resource').at(-1);
  performance.clearResourceTimings();
  return {
    wireBytes: entry?.encodedBodySize ?? 0,
    milliseconds: entry?.requestStart > 0
      ? entry.responseEnd - entry.requestStart : performance.now() - start,
    isCached: entry !== undefined && entry.transferSize === 0 && entry.encodedBodySize > 0,
  };
}

/**
 * What only the rendering's JSON has: its warnings, and when its texts come and go. A server that
 * refuses it for a time is asked again until the signal aborts.
 */
export async function detailsOf(rendering, { formats }, signal) {
  const json = formats.find(({ name }) => name === 'json');
  for (;;) {
    try {
      const file = await rendering.fileIn(json, signal);
      const { warnings, blocks } = JSON.parse(await file.text());
      return { warnings, blocks };
    } catch (error) {
      if (signal.aborted || !error.retryAfter) throw error;
      await delay(error.retryAfter);
      signal.throwIfAborted();
    }
  }
}

function delay(seconds) {
  return new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
}

/**
 * Asks for renderings as the request changes: waits for a pause, drops answers that are no
 * longer wanted, and asks again when the server was busy.
 */
export class LiveRendering {
  #timer = 0;
  #waitingSince = null;
  #controller = null;
  #pause = shortestPause;
  #callbacks;

  /** What is known of the server: the types of parameters by name, and the formats. */
  catalogue = { types: new Map(), formats: [svg] };

  /**
   * @param callbacks `asked(request)`, and then `answered(request, rendering, signal)` or
   *   `refused(refusal)`, unless a newer request has taken the older one's place.
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
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
    const { signal } = this.#controller = new AbortController();
    this.#callbacks.asked(request);
    try {
      const rendering = await render(request, this.catalogue, signal);
      if (signal.aborted) return;
      this.#pause = Math.min(Math.max(rendering.milliseconds, shortestPause), longestPause);
      await this.#callbacks.answered(request, rendering, signal);
    } catch (error) {
      if (signal.aborted) return;
      const refusal = error instanceof Refusal
        ? error : new Refusal(`The picture cannot be shown. ${error.message}`);
      this.#callbacks.refused(refusal);
      if (refusal.retryAfter !== null) {
        this.#timer = setTimeout(() => this.ask(request), refusal.retryAfter * 1000);
      }
    }
  }
}
