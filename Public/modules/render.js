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

/** Renders a request; throws a `Refusal`, or what `fetch` throws. */
export async function render(request, types, signal) {
  const [address, options] = toFetch(request, types);
  const response = await fetch(address, { ...options, signal });
  if (!response.ok) throw await refusal(response);
  const svg = await response.text();
  return {
    svg,
    permalink: permalink(response),
    duration: Number(response.headers.get('Titlecard-Duration')),
    ...canvas(svg),
    plainBytes: new Blob([svg]).size,
    wireBytes: transferred(response.url),
  };
}

/** What only the rendering's JSON has: its warnings, and when its texts come and go. */
export async function detailsOf(request, { permalink }, types, signal) {
  const [address, options] = permalink
    ? [withExtension(permalink, 'json'), {}] : toFetch(request, types, 'json');
  const response = await fetch(address, { ...options, signal });
  if (!response.ok) return { warnings: [], blocks: [] };
  const { warnings, blocks } = await response.json();
  return { warnings, blocks };
}

/** The same animation in another format. */
export function withExtension(permalink, extension) {
  return permalink.replace(/\.svg(?=$|\?)/, `.${extension}`);
}

async function refusal(response) {
  const problem = await response.json().catch(() => ({}));
  const wait = response.headers.get('Retry-After');
  return new Refusal(
    response.status, problem.title ?? `The server answered ${response.status}`,
    problem.errors ?? [], wait === null ? null : Number(wait) || 1);
}

/** Only a path of this origin goes into the page. */
function permalink(response) {
  const path = response.headers.get('Content-Location');
  return path?.startsWith('/r/') ? path : null;
}

function canvas(svg) {
  const [, width, height] = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}

/** Bytes of the body as they came over the wire, compressed where they were; 0 if unknown. */
function transferred(address) {
  const entry = performance.getEntriesByName(address, 'resource').at(-1);
  performance.clearResourceTimings();
  return entry?.encodedBodySize ?? 0;
}
