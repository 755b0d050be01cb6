import { formatOf, inFormat } from './formats.js';
import { toFetch } from './request.js';

/** The server refused: its faults by parameter. */
export class Refusal extends Error {
  constructor(status, title, faults, retryAfter) {
    super(title);
    this.status = status;
    this.faults = faults;
    /** Seconds after which another try may succeed, or null. */
    this.retryAfter = retryAfter;
  }
}

/**
 * Renders a request in its format; throws a `Refusal`, or what `fetch` throws.
 *
 * The rendering has its `file`, its `permalink` or null, and a way to `fileIn` another format.
 */
export async function render(request, catalogue, signal) {
  const format = formatOf(request, catalogue.formats);
  const [address, options] = toFetch(request, catalogue.types, format);
  const start = performance.now();
  const response = await fetch(address, { ...options, signal });
  if (!response.ok) throw await refusal(response);
  const file = await bodyOf(response, signal);
  const permalink = permalinkOf(response);
  return {
    format, file, permalink,
    duration: Number(response.headers.get('Titlecard-Duration')),
    ...deliveryOf(response.url, start),
    async fileIn(other, signal) {
      if (other === format) return file;
      const [address, options] = permalink
        ? [inFormat(permalink, other), {}] : toFetch(request, catalogue.types, other);
      const response = await fetch(address, { ...options, signal });
      if (!response.ok) throw await refusal(response);
      return response.blob();
    },
  };
}

/** What only the rendering's JSON has: its warnings, and when its texts come and go. */
export async function detailsOf(rendering, { formats }, signal) {
  const json = formats.find(({ name }) => name === 'json');
  const file = await rendering.fileIn(json, signal);
  const { warnings, blocks } = JSON.parse(await file.text());
  return { warnings, blocks };
}

/** A file that is sent while it is made may break off. */
async function bodyOf(response, signal) {
  try {
    return await response.blob();
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refusal(0, 'The server broke off before the end.', [], null);
  }
}

async function refusal(response) {
  const problem = await response.json().catch(() => ({}));
  const wait = response.headers.get('Retry-After');
  return new Refusal(
    response.status, problem.title ?? `The server answered ${response.status}`,
    problem.errors ?? [], wait === null ? null : Number(wait) || 1);
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
