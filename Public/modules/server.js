import { withSubtitles } from './presets.js';
import {
  formatOf, inFormat, isForDark, isImage, isMadeOnRequest, isShort, isStill, svg, toEmbed, toFetch,
} from './request.js';

/** Seconds before the next attempt if the server names no delay. */
const defaultRetryDelay = 3;

/**
 * Milliseconds from one request for a rendering to the next: as long as the last one took, within
 * these bounds. The first change after a rest is rendered at once.
 */
const shortestInterval = 80;
const longestInterval = 1000;

/** Milliseconds that a picture may take until an SVG stands in for it. */
const patience = 300;

/** The server did not answer, or answered with an error. */
export class ServerError extends Error {
  /**
   * @param faults the invalid parameters, as `{ parameter, message }`.
   * @param retryAfter seconds after which another attempt may succeed, or null.
   */
  constructor(message, faults = [], retryAfter = null) {
    super(message);
    this.faults = faults;
    this.retryAfter = retryAfter;
  }
}

/**
 * Fetches a successful response.
 *
 * @throws a `ServerError` unless it succeeds; when aborted, the error of `fetch`.
 */
async function fetchOK(address, options = {}) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ServerError('The server cannot be reached', [], defaultRetryDelay);
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** Reads a problem document (RFC 9457), or the state that `/health` gives. */
async function errorOf(response) {
  const { status } = response;
  const problem = await response.json().catch(() => null) ?? {};
  const state = typeof problem.status === 'string' ? `: ${problem.status}` : '';
  const title = problem.title ?? `The server answered ${status}${state}`;
  const reasons = [].concat(problem.detail ?? [], problem.reasons ?? []);
  const wait = response.headers.get('Retry-After');
  const isTemporary = wait !== null || status === 429 || status === 503;
  return new ServerError(
    [title, ...reasons].join('. '), [].concat(problem.errors ?? []),
    isTemporary ? Math.max(Number(wait), 0) || defaultRetryDelay : null);
}

/** Reads a body; a file that is streamed while it is encoded may break off. */
async function bodyOf(response, signal) {
  try {
    return await response.blob();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServerError('The server broke off before the end');
  }
}

function delay(seconds) {
  return new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
}

// The catalogue.

/**
 * Loads the server's effects, formats, presets, targets, parameters and fonts from its own documents, so
 * that the page shows a new one by itself. A server that takes presets only has the parameters
 * `text`, `preset`, `for` and `format`.
 *
 * A parameter's definition has the shape of an entry of `GET /effects`, with members that its schema
 * has in place of the schema.
 *
 * @param waiting called with a `ServerError` before each further attempt.
 */
export async function loadCatalogue(waiting) {
  const [{ effects }, { formats }, { presets }, { targets }, { parameters: general }, { fonts }] =
    await Promise.all(
      ['/effects', '/formats', '/presets', '/targets', '/parameters', '/fonts']
        .map((path) => loadJSON(path, waiting)));
  const effectTitles = titlesOf(effects);
  const parameters = general.map((entry) => definition(entry, formats));
  const known = [...effects.flatMap((effect) => effect.parameters), ...general];
  return {
    effects: effects.map((effect) => ({
      ...effect, parameters: effect.parameters.map(withConstraints),
    })),
    fonts,
    formats,
    presets,
    targets,
    parameters,
    /** The titles of menu entries by value, by the parameter's name. */
    titles: {
      card: new Map([['canvas', 'The whole picture'], ['fit', 'The text']]),
      effect: effectTitles,
      exit: new Map([...effectTitles, ...exitTitles]),
      flow: new Map([['column', 'Below each other'], ['row', 'Beside each other']]),
      format: titlesOf(formats),
      for: new Map([['', 'Anywhere'], ...titlesOf(targets)]),
    },
    types: new Map(known.map(({ name, schema }) => [name, schema.type ?? schema.anyOf[0].type])),
    blockNames: new Set(general.filter(({ block }) => block).map(({ name }) => name)),
    mostBlocks: parameters.find(({ name }) => name === 'blocks')?.most ?? 1,
  };
}

/** The titles of exits that are no effects. */
const exitTitles = [
  ['between', 'To make room for the next'], ['auto', 'Always'], ['none', 'Never'],
];

/** Loads a document, with further attempts while the server refuses it for a time. */
async function loadJSON(path, waiting) {
  for (;;) {
    try {
      return await (await fetchOK(path)).json();
    } catch (error) {
      if (!(error instanceof ServerError) || error.retryAfter === null) throw error;
      waiting(error);
      await delay(error.retryAfter);
    }
  }
}

function titlesOf(entries) {
  return new Map(entries.map(({ name, title }) => [name, title]));
}

/** Returns a parameter that all effects have, with the formats that read it. */
function definition(entry, formats) {
  return {
    ...withConstraints(entry),
    default: entry.default ?? (entry.name === 'format' ? formats[0].name : null),
    formats: formatsReading(entry.name, formats),
  };
}

/** Returns an entry of a catalogue, with what only the schema of its values says. */
function withConstraints({ schema, ...entry }) {
  const constants = (schema.anyOf ?? []).map((one) => one.const);
  return {
    ...entry,
    maxLength: schema.maxLength,
    /** The schemas of what objects of an array may have, by name, and the most objects. */
    members: schema.items?.properties,
    most: schema.maxItems,
    /** Words that are accepted in place of a number or a paint, the default first. */
    words: constants.filter((one) => typeof one === 'string')
      .sort((one, other) => (other === entry.default) - (one === entry.default)),
    /** A single number that is accepted outside the range. */
    apart: constants.find((one) => typeof one === 'number'),
  };
}

/** Returns the formats that read a parameter; null for one that all animations have. */
function formatsReading(name, formats) {
  const readers = formats.filter(({ darkColors, parameters }) => isForDark(name)
    ? darkColors : parameters.some((parameter) => parameter.name === name));
  return readers.length > 0 ? readers : null;
}

// Renderings.

/**
 * Renders a request in its format.
 *
 * The rendering has its `file`; its `permalink` and the `address` that it was asked for at, each or
 * null; and `fileIn`, which fetches the same animation in another format. One that is made only when
 * someone asks for it has the `estimate` of the seconds that this takes, and null for `file`; `make`
 * promises the rendering with its file.
 */
async function render(given, catalogue, signal) {
  const { types, formats } = catalogue;
  const request = withSubtitles(given, catalogue);
  const format = formatOf(request, formats);
  if (format && isMadeOnRequest(format)) return outline(request, format, catalogue, signal);
  return made(request, format, catalogue, signal);
}

async function made(request, format, { types }, signal) {
  const start = performance.now();
  const [address, options] = toFetch(request, types, format);
  const response = await fetchOK(address, { ...options, signal });
  const file = await bodyOf(response, signal);
  const permalink = permalinkOf(response);
  return {
    format, file, permalink,
    address: options.method ? null : address,
    duration: Number(response.headers.get('Titlecard-Duration')),
    ...transferOf(response.url, start),
    async fileIn(other, signal) {
      if (other.name === format.name) return file;
      const target = permalink
        ? [inFormat(permalink, other), {}] : toFetch(request, types, other);
      return bodyOf(await fetchOK(...withSignal(target, signal)), signal);
    },
  };
}

/**
 * Returns the SVG that stands in for a picture until its file is there: the rendering without its
 * `file`, with the `permalink` or the `address` of the SVG. Null where none can.
 */
async function standIn(given, catalogue, signal) {
  const request = withSubtitles(given, catalogue);
  const format = formatOf(request, catalogue.formats);
  if (!format || format.name === svg.name || !isImage(format) || isStill(format)) return null;
  if (!isShort(request)) return null;
  const [address] = toFetch(request, catalogue.types, format);
  const response = await fetchOK(address, { method: 'HEAD', signal });
  // A browser breaks off an answer that is not read.
  await response.text();
  const permalink = permalinkOf(response);
  const duration = Number(response.headers.get('Titlecard-Duration'));
  return permalink && { format, permalink, duration };
}

/** Returns a rendering whose file is not made yet. */
async function outline(request, format, catalogue, signal) {
  const start = performance.now();
  const { permalink, duration, estimate } = await embedding(request, catalogue, signal);
  const path = permalink && new URL(permalink).pathname;
  return {
    format, file: null, permalink: path, address: null, duration, estimate,
    wireBytes: 0, milliseconds: performance.now() - start, isCached: false,
    async fileIn(other, signal) {
      // A place takes one format only.
      const { for: place, format: named, ...rest } = request;
      const target = path
        ? [inFormat(path, other), {}] : toFetch(rest, catalogue.types, other);
      return bodyOf(await fetchOK(...withSignal(target, signal)), signal);
    },
    make: (signal) => made(request, format, catalogue, signal),
  };
}

function withSignal([address, options], signal) {
  return [address, { ...options, signal }];
}

/** Returns the permalink, a path of this origin, or null. */
function permalinkOf(response) {
  const path = response.headers.get('Content-Location');
  return path?.startsWith('/r/') ? path : null;
}

/**
 * Returns the transfer of a file: its bytes over the wire, compressed if they were (0 if unknown),
 * and the milliseconds from the request, made at `start`, to the last byte.
 */
function transferOf(address, start) {
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
 * Loads a rendering's JSON, which alone has its warnings, and the times of its blocks.
 * While the server refuses it for a time there are further attempts, until the signal aborts.
 */
export async function detailsOf(rendering, { formats }, signal) {
  const json = formats.find(({ name }) => name === 'json');
  for (;;) {
    try {
      const file = await rendering.fileIn(json, signal);
      return JSON.parse(await file.text());
    } catch (error) {
      if (signal.aborted || !error.retryAfter) throw error;
      await delay(error.retryAfter);
      signal.throwIfAborted();
    }
  }
}

/** Loads the code that embeds the rendering of a request: the members of `GET /embed`. */
export function embeddingOf(request, catalogue, signal) {
  return embedding(withSubtitles(request, catalogue), catalogue, signal);
}

async function embedding(request, { types }, signal) {
  const target = toEmbed(request, types);
  const response = await fetchOK(...withSignal(target, signal));
  const text = await response.text();
  // Behind a proxy a server without --public-url cannot know that its address begins with https.
  return JSON.parse(text.replaceAll(`http://${location.host}/`, `${location.origin}/`));
}

/**
 * Loads a picture of lines that are typed, as readme-typing-svg would draw it.
 *
 * @param query the query of such a link.
 * @returns its `file`, and its `address` in canonical form; a picture of what is wrong has none.
 */
export async function typingOf(query) {
  const path = `/typing?${query}`;
  let response;
  try {
    response = await fetch(path);
  } catch {
    throw new ServerError('The server cannot be reached');
  }
  if (!response.headers.get('Content-Type')?.startsWith('image/')) throw await errorOf(response);
  const address = response.ok ? response.headers.get('Content-Location') ?? path : null;
  return { file: await bodyOf(response), address };
}

/**
 * Requests renderings as the request changes: one after another, drops answers that are out of date,
 * and tries again if the server was busy.
 */
export class LiveRendering {
  #timer = 0;
  #retry = 0;
  /** Returns the request that is to be rendered next; null where the last one is up to date. */
  #next = null;
  #controller = null;
  #isBusy = false;
  #startedAt = -Infinity;
  #interval = shortestInterval;
  #callbacks;

  /** The known part of the catalogue: the types of parameters by name, and the formats. */
  catalogue = { types: new Map(), formats: [svg] };

  /**
   * @param callbacks `started(request)`, `outlined(request, standIn, signal)` where a picture takes
   *   long, and then `rendered(request, rendering, signal)` or `failed(error)`, unless a newer request
   *   has replaced it.
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
  }

  /**
   * Renders the result of `request()` as soon as the last rendering is shown, and its interval is
   * over; one that takes long is given up.
   */
  schedule(request) {
    this.#next = request;
    clearTimeout(this.#timer);
    const interval = this.#isBusy ? longestInterval : this.#interval;
    const wait = Math.max(this.#startedAt + interval - performance.now(), 0);
    // A timer would wait for the page to be laid out.
    if (wait === 0) this.render(request());
    else this.#timer = setTimeout(() => this.render(request()), wait);
  }

  /** Renders a request at once. */
  async render(request) {
    this.cancel();
    const { signal } = this.#controller = new AbortController();
    this.#isBusy = true;
    this.#startedAt = performance.now();
    this.#callbacks.started(request);
    const outlining = new AbortController();
    signal.addEventListener('abort', () => outlining.abort());
    const early = setTimeout(() => this.#outline(request, outlining.signal), patience);
    const isThere = () => { clearTimeout(early); outlining.abort(); };
    try {
      const rendering = await render(request, this.catalogue, signal).finally(isThere);
      if (signal.aborted) return;
      this.#interval = Math.min(
        Math.max(rendering.milliseconds, shortestInterval), longestInterval);
      await this.#callbacks.rendered(request, rendering, signal);
    } catch (reason) {
      if (signal.aborted) return;
      const error = reason instanceof ServerError
        ? reason : new ServerError(`The picture cannot be shown. ${reason.message}`);
      this.#callbacks.failed(error);
      if (error.retryAfter !== null) {
        this.#interval = longestInterval;
        this.#retry = setTimeout(() => this.render(request), error.retryAfter * 1000);
      }
    }
    if (signal.aborted) return;
    this.#isBusy = false;
    if (this.#next) this.schedule(this.#next);
  }

  async #outline(request, signal) {
    // What is wrong with it is said where the picture itself fails.
    const outline = await standIn(request, this.catalogue, signal).catch(() => null);
    if (outline && !signal.aborted) this.#callbacks.outlined(request, outline, signal);
  }

  /** Gives up the rendering that is under way, and those that are to come. */
  cancel() {
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    this.#next = null;
    this.#isBusy = false;
    this.#controller?.abort();
  }
}
