/**
 * A request is a plain object of the strings that a query would carry, defaults left out:
 * `{ text: 'Hello', effect: 'slide', interval: '0.05' }`. It is the page's whole state, and the
 * part of the page's address behind `#`.
 *
 * Several texts stand in `blocks`, each an object of the same kind with what it does not inherit:
 * `{ effect: 'slide', blocks: [{ text: 'One' }, { text: 'Two', effect: 'fade' }] }`.
 */

/** What a visitor sees first. */
export const example = {
  text: 'Who you\ngonna call?', effect: 'birdman', size: '64', weight: '700',
  darkColor: '#f0f6fc',
};

/**
 * A format: `name` is what requests call it, `title` what people do.
 *
 * SVG is what the service answers unless asked, and what the page draws its previews with.
 */
export const svg = {
  name: 'svg', extension: 'svg', mediaType: 'image/svg+xml', title: 'SVG', isImage: true,
  isStill: false, hasDark: true,
};

/** Longer queries are posted: proxies and logs cut long addresses. */
const longestQuery = 1500;

/** What any server and proxy takes as an address. */
const longestAddress = 8000;

// What a request says.

/** The format that a request asks for; undefined when none has that name. */
export function formatOf(request, formats) {
  return formats.find(({ name }) => name === (request.format ?? svg.name));
}

/** The same request with one text at the top, where it can stand there; `markup` beside its text. */
export function normalized({ blocks, ...top }) {
  if (blocks === undefined) return top;
  if (blocks.length === 1) return { ...top, ...blocks[0] };
  const { markup, ...rest } = top;
  if (markup === undefined) return { ...top, blocks };
  return { ...rest, blocks: blocks.map((block) => ({ markup, ...block })) };
}

/** All that a request lets one read, without its markup. */
export function plainTextOf({ blocks, ...top }) {
  return (blocks ?? [top]).map(({ text = '', markup = top.markup }) => markup === 'true'
    ? new DOMParser().parseFromString(text, 'text/html').body.textContent : text).join('\n');
}

/** A number in JSON's grammar. */
export function isNumber(text) {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

// The page's address: neither the server's limit on targets nor its log reaches what is behind `#`.

export function requestInAddress() {
  const request = fromQuery(location.hash.slice(1));
  return Object.keys(request).length ? request : null;
}

/** Writes a request into the address without a step in the history. */
export function keepInAddress(request) {
  history.replaceState(null, '', `#${toQuery(request)}`);
}

/** Calls back when someone follows or types another address of this page. */
export function watchAddress(changed) {
  addEventListener('hashchange', () => changed(requestInAddress()));
}

/** A request as a query; what belongs to the second text is named `2.text`, `2.effect`. */
function toQuery({ blocks = [], ...top }) {
  const own = blocks.flatMap((block, index) => Object.entries(block)
    .map(([name, value]) => [`${index + 1}.${name}`, value]));
  return new URLSearchParams([...own, ...Object.entries(top)]).toString();
}

/** A request from such a query, or from one of the API's, where `text` may come several times. */
function fromQuery(query) {
  const parameters = new URLSearchParams(query);
  const texts = parameters.getAll('text');
  const top = new Map();
  const blocks = new Map();
  for (const [name, value] of parameters) {
    const [, number, inner] = /^([1-9]\d{0,3})\.(.+)$/s.exec(name) ?? [];
    if (number === undefined) {
      top.set(name, value);
    } else {
      if (!blocks.has(Number(number))) blocks.set(Number(number), []);
      blocks.get(Number(number)).push([inner, value]);
    }
  }
  // The API knows the name in JSON only.
  top.delete('blocks');
  if (texts.length > 1 && blocks.size === 0) {
    top.delete('text');
    texts.forEach((text, index) => blocks.set(index, [['text', text]]));
  }
  const ordered = [...blocks].sort(([one], [other]) => one - other);
  const request = Object.fromEntries(top);
  if (ordered.length === 0) return request;
  return normalized({
    ...request, blocks: ordered.map(([, entries]) => Object.fromEntries(entries)),
  });
}

// The server's addresses.

/** Whether a request is asked for by its query, where types do not matter. */
export function isShort(request) {
  return !request.blocks && toQuery(request).length <= longestQuery;
}

/**
 * The readable address of a rendering; null when it would be too long, or texts have settings that
 * no query can tell.
 */
export function readableAddress({ blocks, format, ...top }, { extension }) {
  if (blocks?.some((block) => Object.keys(block).join() !== 'text')) return null;
  const texts = blocks?.map(({ text }) => ['text', text]) ?? [];
  const query = new URLSearchParams([...texts, ...Object.entries(top)]);
  const address = `/render.${extension}?${query}`;
  return address.length <= longestAddress ? address : null;
}

/** A permalink of the same animation in another format. */
export function inFormat(permalink, { extension }) {
  return permalink.replace(/\.\w+(?=$|\?)/, `.${extension}`);
}

/**
 * The arguments of `fetch` for a request in a format; without one the request goes as it is, and
 * the server says what is wrong with its `format`.
 *
 * @param types the types of parameters by name, which JSON has to tell apart.
 */
export function toFetch(request, types, format) {
  if (!format) return [`/render?${toQuery(request)}`, {}];
  if (isShort(request)) return [readableAddress(request, format), {}];
  const { format: named, ...rest } = request;
  return [`/render.${format.extension}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(toJSON(rest, types)),
  }];
}

/** Numbers and booleans as JSON wants them; what is neither stays text, and the server says so. */
function toJSON({ blocks, ...values }, types) {
  const entries = Object.entries(values).map(([name, text]) => {
    const type = types.get(name);
    if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true'];
    if ((type === 'number' || type === 'integer') && isNumber(text)) return [name, Number(text)];
    return [name, text];
  });
  if (blocks) entries.push(['blocks', blocks.map((block) => toJSON(block, types))]);
  return Object.fromEntries(entries);
}
