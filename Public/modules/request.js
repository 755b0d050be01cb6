/**
 * A request is a plain object of the strings that a query would carry, defaults left out:
 * `{ text: 'Hello', effect: 'slide', interval: '0.05' }`. It is the page's whole state.
 */

/** What a visitor sees first. */
export const example = {
  text: 'Who you\ngonna call?', effect: 'birdman', size: '64', weight: '700',
  darkColor: '#f0f6fc',
};

/** Longer queries are posted: proxies and logs cut long addresses. */
const longestQuery = 1500;

export function toQuery(request) {
  return new URLSearchParams(request).toString();
}

export function fromQuery(query) {
  const request = Object.fromEntries(new URLSearchParams(query));
  delete request.format;
  return request;
}

/** The readable address of a rendering. */
export function readableAddress(request, extension) {
  return `/render.${extension}?${toQuery(request)}`;
}

/** Whether a request is asked for by its query, where types do not matter. */
export function isShort(request) {
  return toQuery(request).length <= longestQuery;
}

/** The arguments of `fetch` for a request. */
export function toFetch(request, definitions) {
  if (isShort(request)) return [readableAddress(request, 'svg'), {}];
  return ['/render.svg', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(toJSON(request, definitions)),
  }];
}

/** Numbers and booleans as JSON wants them; what is neither stays text, and the server says so. */
function toJSON(request, definitions) {
  return Object.fromEntries(Object.entries(request).map(([name, text]) => {
    const type = definitions(name)?.type;
    if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true'];
    if ((type === 'number' || type === 'integer') && isNumber(text)) return [name, Number(text)];
    return [name, text];
  }));
}

/** A number in JSON's grammar. */
export function isNumber(text) {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}
