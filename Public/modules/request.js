/**
 * A request is a plain object of the strings that a query carries, without defaults:
 * `{ text: 'Hello', effect: 'slide', interval: '0.05' }`. It is the page's whole state, and the
 * part of the page's address behind `#`.
 *
 * Several texts are in `blocks`, each an object of the same kind with the values that it does not
 * inherit: `{ effect: 'slide', blocks: [{ text: 'One' }, { text: 'Two', effect: 'fade' }] }`.
 */

/**
 * Requests to begin with, of which a first visit shows the first; servers that take presets only take
 * them too.
 */
export const examples = [
  { text: 'Who you\ngonna call?', preset: 'banner' },
  { text: 'Open all night', preset: 'neon' },
  { text: '$ swift run\nHello, world!', preset: 'terminal' },
  { text: 'Small words,\nlarge letters', preset: 'gradient' },
  { text: 'One evening in the rain', preset: 'film-title' },
  { text: 'Fresh bread!', preset: 'sticker' },
  { text: 'Yours, as ever', preset: 'handwriting' },
  { text: 'Access granted', preset: 'decode' },
  { text: 'The tests are green, and so is the light', preset: 'card,everforest' },
];

/**
 * The default format, an entry of `GET /formats`.
 *
 * Known without asking, because the first picture does not wait for the catalogue, and because
 * the page previews all formats that are no images with it.
 */
export const svg = {
  name: 'svg', title: 'SVG', mediaType: 'image/svg+xml', extension: 'svg', animated: true,
  darkColors: true, parameters: [],
};

export const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
export const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The longest query that is sent by GET: proxies and logs cut longer addresses. */
const longestQuery = 1500;

/** The longest address that every server and proxy takes. */
const longestAddress = 8000;

// Formats.

/** Returns the format that a request asks for; undefined if none has its name. */
export function formatOf(request, formats) {
  return formats.find(({ name }) => name === (request.format ?? svg.name));
}

/** True if a `<video>` plays files of the format. */
export function isVideo({ mediaType }) {
  return /^video\/\w+$/.test(mediaType);
}

/** True if files of the format take seconds, so that they are made only when someone asks for one. */
export function isMadeOnRequest(format) {
  return isVideo(format) || format.name === 'avif';
}

/** True if an `<img>` shows files of the format. */
export function isImage({ mediaType }) {
  return mediaType.startsWith('image/');
}

/** True for an image of one instant. */
export function isStill(format) {
  return isImage(format) && !format.animated;
}

// Requests.

/** Pairs of which a request may have only one. */
export const exclusive = { speed: 'cycle', cycle: 'speed' };

/** True for a parameter that counts in the dark only: formats without dark colours ignore it. */
export function isForDark(name) {
  return /^dark[A-Z]/.test(name);
}

/** Returns the name of the parameter that counts where one for the dark is not given. */
export function inLight(name) {
  return name.charAt(4).toLowerCase() + name.slice(5);
}

/** Returns the name of the parameter that counts in the dark in place of one. */
export function inDark(name) {
  return `dark${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Returns the request with a single block merged into the top, and `markup` beside each text. */
export function normalized({ blocks, ...top }) {
  if (blocks === undefined) return top;
  if (blocks.length === 1) return { ...top, ...blocks[0] };
  const { markup, ...rest } = top;
  if (markup === undefined) return { ...top, blocks };
  return { ...rest, blocks: blocks.map((block) => ({ markup, ...block })) };
}

/** True if a request has what its effect cannot do without; the form begins with an example. */
export function isComplete({ effect, keyframes }) {
  return effect !== 'custom' || keyframes !== undefined;
}

/** Returns all texts of a request without their markup. */
export function plainTextOf({ blocks, captions, ...top }) {
  if (captions !== undefined) return 'captions';
  return (blocks ?? [top]).map(({ text = '', markup = top.markup }) => markup === 'true'
    ? new DOMParser().parseFromString(text, 'text/html').body.textContent : text).join('\n');
}

/**
 * Returns the index of the first text that is empty or white space, 0 if there is only one; -1 if
 * all texts have something to show.
 */
export function emptyTextIn({ blocks, text, captions }) {
  if (captions !== undefined) return -1;
  return (blocks ?? [{ text }]).findIndex((block) => !/\S/.test(block.text ?? ''));
}

/** True for a number in JSON's grammar. */
export function isNumber(text) {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

// The page's address: neither the server's limit on targets nor its log reaches beyond `#`.

/** Returns the request in the page's address; null if there is none. */
export function requestInAddress() {
  const request = fromQuery(location.hash.slice(1));
  return Object.keys(request).length ? request : null;
}

/** Writes a request into the page's address, in an entry of the browser's history of its own or not. */
export function keepInAddress({ captions, ...request }, isEntry = false) {
  // A file is too long for an address.
  const address = `#${toQuery(request)}`;
  if (isEntry && address !== location.hash) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
}

/** Calls back when someone goes back or forth, or follows or types another address of this page. */
export function watchAddress(changed) {
  addEventListener('hashchange', () => changed(requestInAddress()));
}

/** Returns a request as a query; the second block's parameters are `2.text`, `2.effect`. */
export function toQuery({ blocks = [], ...top }) {
  const own = blocks.flatMap((block, index) => Object.entries(block)
    .map(([name, value]) => [`${index + 1}.${name}`, value]));
  return new URLSearchParams([...own, ...Object.entries(top)]).toString();
}

/** Reads such a query, or one of the API's, in which `text` may be repeated. */
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

/** True if a query carries the request, in which values have no types. */
export function isShort(request) {
  return !request.blocks && request.captions === undefined && toQuery(request).length <= longestQuery;
}

/**
 * Returns the readable address of a rendering; null if it is too long, or if no query can express
 * the parameters of single blocks.
 */
export function readableAddress({ blocks, format, captions, ...top }, { extension }) {
  if (captions !== undefined) return null;
  const texts = textsOf(blocks ?? []);
  if (!texts) return null;
  // In the order of the server's own addresses: texts first, then by name.
  const { text, ...others } = top;
  if (text !== undefined) texts.push(['text', text]);
  const values = Object.entries(others).sort(([one], [other]) => (one < other ? -1 : 1));
  const query = new URLSearchParams([...texts, ...values]);
  const address = `/render.${extension}?${query}`;
  return address.length <= longestAddress ? address : null;
}

/** Returns the permalink of the same animation in another format. */
export function inFormat(permalink, { extension }) {
  return permalink.replace(/\.\w+(?=$|\?)/, `.${extension}`);
}

/**
 * Returns the arguments of `fetch` for a request in a format. Without a format the request is sent
 * unchanged, and the server's answer names the fault in its `format`.
 *
 * @param types the types of parameters by name, which JSON distinguishes.
 */
export function toFetch(request, types, format) {
  if (!format) return [`/render?${toQuery(request)}`, {}];
  if (isShort(request)) return [readableAddress(request, format), {}];
  const { format: named, ...rest } = request;
  return posted(`/render.${format.extension}`, rest, types);
}

/** Returns the arguments of `fetch` for the code that embeds the rendering of a request. */
export function toEmbed(request, types) {
  return isShort(request) ? [`/embed?${toQuery(request)}`, {}] : posted('/embed', request, types);
}

/** True if blocks have nothing but their texts, as a query can express them. */
export function areTexts(blocks) {
  return blocks.every((block) => Object.keys(block).join() === 'text');
}

/** Returns the parameters `text` of blocks; null if any has others. */
function textsOf(blocks) {
  return areTexts(blocks) ? blocks.map(({ text }) => ['text', text]) : null;
}

/** The media type of captions whose format the server tells by their content. */
const captionType = 'application/vnd.titlecard.captions+json';

function posted(path, request, types) {
  const { blocks, captions, ...top } = request;
  // A file by itself may have more bytes than a request.
  const query = captions === undefined ? '' : toQuery(top);
  if (captions !== undefined && query.length <= longestQuery) {
    return [`${path}?${query}`, { method: 'POST', headers: { 'Content-Type': captionType }, body: captions }];
  }
  const texts = blocks ? textsOf(blocks) : null;
  // As in a query, texts after the first are subtitles where a look has such; as blocks they are not.
  if (texts) {
    return [path, { method: 'POST', body: new URLSearchParams([...texts, ...Object.entries(top)]) }];
  }
  return [path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(toJSON(request, types)),
  }];
}

/**
 * Gives numbers, booleans and arrays their types; other values stay strings, for the server to
 * judge.
 */
function toJSON({ blocks, ...values }, types) {
  const entries = Object.entries(values).map(([name, text]) => {
    const type = types.get(name);
    if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true'];
    if ((type === 'number' || type === 'integer') && isNumber(text)) return [name, Number(text)];
    if (type === 'array') return [name, parsedJSON(text)];
    return [name, text];
  });
  if (blocks) entries.push(['blocks', blocks.map((block) => toJSON(block, types))]);
  return Object.fromEntries(entries);
}

/** Returns the value of JSON, or the text itself if it is none. */
export function parsedJSON(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
