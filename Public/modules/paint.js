/**
 * Paints and shadows in CSS's syntax, as the API takes them, and how well a text in them can be
 * read. A gradient is `{ direction, stops }`: degrees clockwise from upwards, or a word such as
 * `to top left`, and stops of a `color` and a `percent`. A shadow is `{ x, y, blur, color }`.
 */

export const fewestStops = 2;
export const mostStops = 8;
export const mostShadows = 4;

/** Percent at which a stop may be. */
export const positions = { minimum: -1000, maximum: 1000 };

// Colours.

const canvas = document.createElement('canvas').getContext('2d');

/** Returns the colour in CSS's syntax: a query may leave out the `#`. */
function cssColor(text) {
  const color = text.trim();
  return /^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(color) ? `#${color}` : color;
}

/** Returns red, green and blue, 0 to 255, and alpha, 0 to 1; null if the text is no colour. */
export function channelsOf(text) {
  const css = cssColor(text);
  if (!/^#?\w+$/.test(css)) return null;
  // What is no colour changes nothing.
  const [one, other] = ['#000000', '#ffffff'].map((before) => {
    canvas.fillStyle = before;
    canvas.fillStyle = css;
    return canvas.fillStyle;
  });
  if (one !== other) return null;
  if (!one.startsWith('#')) {
    const [red, green, blue, alpha] = one.match(/[\d.]+/g).map(Number);
    return [red, green, blue, Math.round(alpha * 255) / 255];
  }
  return [...[1, 3, 5].map((start) => parseInt(one.slice(start, start + 2), 16)), 1];
}

/** Returns the colour of channels as `#rrggbb`, or `#rrggbbaa` unless it is opaque. */
export function hexOf([red, green, blue, alpha]) {
  const parts = [red, green, blue, ...alpha < 1 ? [alpha * 255] : []];
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

// Gradients.

/** The directions that have words, and the degrees of a square's. */
export const directions = new Map([
  ['to top', 0], ['to top right', 45], ['to right', 90], ['to bottom right', 135],
  ['to bottom', 180], ['to bottom left', 225], ['to left', 270], ['to top left', 315],
]);

const number = '[-+]?(?:\\d*\\.)?\\d+';
const angleText = new RegExp(`^(${number})deg$`);
const stopText = new RegExp(`^(\\S+)(?: +(${number})%)?$`);

/** True if a text begins as a gradient, even if it is none. */
export function isGradient(text) {
  return /^\s*linear-gradient\(/i.test(text);
}

/** Reads a gradient; null if the text is none. */
export function readGradient(text) {
  const [, inside] = /^linear-gradient\((.*)\)$/is.exec(text.trim()) ?? [];
  const parts = inside?.split(',').map((part) => part.trim().replace(/\s+/g, ' ')) ?? [];
  const direction = readDirection(parts[0] ?? '');
  if (direction !== null) parts.shift();
  const stops = parts.map(readStop);
  if (stops.includes(null) || stops.length < fewestStops || stops.length > mostStops) return null;
  return { direction: direction ?? 180, stops: placed(stops) };
}

function readDirection(text) {
  const [to, ...sides] = text.toLowerCase().split(' ');
  // The two words of a corner come in either order.
  if (/^(left|right)$/.test(sides[0])) sides.reverse();
  const name = [to, ...sides].join(' ');
  if (directions.has(name)) return name;
  const [, degrees] = angleText.exec(text) ?? [];
  return degrees === undefined ? null : Number(degrees);
}

function readStop(text) {
  const [, color, percent] = stopText.exec(text) ?? [];
  if (color === undefined || !channelsOf(color)) return null;
  return { color, percent: percent === undefined ? null : Number(percent) };
}

/** Returns stops that all have a percent, none below one before it (CSS Images 3, 3.4.3). */
function placed(stops) {
  const percents = stops.map(({ percent }) => percent);
  percents[0] ??= 0;
  percents[percents.length - 1] ??= 100;
  let last = 0;
  percents.forEach((percent, index) => {
    if (percent === null) return;
    percents[index] = Math.max(percent, percents[last]);
    for (let between = last + 1; between < index; between += 1) {
      percents[between] = percents[last]
        + (percents[index] - percents[last]) * (between - last) / (index - last);
    }
    last = index;
  });
  return stops.map(({ color }, index) => ({ color, percent: rounded(percents[index]) }));
}

/** Returns a number with the four decimals that a percent has at most. */
export function rounded(value) {
  return Math.round(value * 1e4) / 1e4;
}

/** Returns the gradient's text; parts may be texts that someone has typed. */
export function gradientText({ direction, stops }) {
  const first = directions.has(direction) ? direction : `${direction}deg`;
  return `linear-gradient(${[first, ...stops.map(stopWords)].join(', ')})`;
}

function stopWords({ color, percent }) {
  return `${color} ${percent}%`;
}

/** Returns the colour at a percent of stops, mixed as CSS mixes: premultiplied. */
export function colorAt(stops, percent) {
  const next = stops.findIndex((stop) => stop.percent > percent);
  if (next <= 0) return (next < 0 ? stops.at(-1) : stops[0])?.color ?? '#808080';
  const [from, to] = [stops[next - 1], stops[next]];
  const share = (percent - from.percent) / (to.percent - from.percent);
  const [start, end] = [from, to].map(({ color }) => premultiplied(channelsOf(color)));
  const mixed = start.map((part, index) => part + (end[index] - part) * share);
  const alpha = mixed[3];
  return hexOf([...mixed.slice(0, 3).map((part) => alpha > 0 ? part / alpha : 0), alpha]);
}

function premultiplied([red, green, blue, alpha]) {
  return [red * alpha, green * alpha, blue * alpha, alpha];
}

/** Returns the image of CSS that shows a paint; `none` if the text is no paint. */
export function imageOf(paint) {
  if (isGradient(paint)) {
    const gradient = readGradient(paint);
    return gradient ? gradientText({
      ...gradient,
      stops: gradient.stops.map((stop) => ({ ...stop, color: cssColor(stop.color) })),
    }) : 'none';
  }
  return channelsOf(paint) ? `linear-gradient(${cssColor(paint)} 0 0)` : 'none';
}

// Shadows.

const lengthText = new RegExp(`^(?:(${number})px|[-+]?0*\\.?0+)$`, 'i');

/** Reads a list of shadows, which may be empty; null if the text is none. */
export function readShadows(text) {
  if (/^\s*(none)?\s*$/i.test(text)) return [];
  const shadows = text.split(',').map(readShadow);
  return shadows.includes(null) || shadows.length > mostShadows ? null : shadows;
}

function readShadow(text) {
  const words = text.trim().split(/\s+/);
  // The colour stands first or last.
  const color = lengthText.test(words[0]) ? words.pop() : words.shift();
  const lengths = words.map((word) => lengthText.exec(word))
    .map((match) => match && Number(match[1] ?? 0));
  if (!channelsOf(color ?? '') || lengths.includes(null)) return null;
  if (lengths.length < 2 || lengths.length > 3) return null;
  const [x, y, blur = 0] = lengths;
  return { x, y, blur, color };
}

/** Returns the list's text; parts may be texts that someone has typed. */
export function shadowsText(shadows) {
  const texts = shadows.map(({ x, y, blur, color }) => `${x}px ${y}px ${blur}px ${color}`);
  return texts.join(', ') || 'none';
}

// How well a text can be read.

/** What GitHub has behind a picture that is transparent. */
const grounds = { light: '#ffffff', dark: '#0d1117' };

/** The narrowest outline, in pixels, that is seen around its letter. */
const seenOutline = 2;

/**
 * Returns in words that a text is hard to read for readers in light or in dark; null if it is not
 * (WCAG 2.2, 1.4.3). An outline that stands out counts too.
 *
 * @param values the texts of a request's values by name.
 * @param scheme `light` or `dark`.
 */
export function readingTrouble(values, scheme) {
  const value = (name) => {
    const dark = values[`dark${name.charAt(0).toUpperCase()}${name.slice(1)}`];
    return (scheme === 'dark' && dark) || values[name] || '';
  };
  const behind = colorsOf(value('background')).map((one) => over(one, channelsOf(grounds[scheme])));
  const outline = Number(values.outlineWidth) >= seenOutline ? colorsOf(value('outlineColor')) : [];
  const worst = colorsOf(value('color')).map((fill) => ({
    color: hexOf(fill),
    ratio: Math.min(...behind.map((ground) => Math.max(
      ...[fill, ...outline].map((one) => ratioOf(over(one, ground), ground))))),
  })).reduce((one, other) => other.ratio < one.ratio ? other : one, { ratio: Infinity });
  const isLarge = values.size >= 24 || (values.size >= 18.66 && values.weight >= 700);
  if (worst.ratio >= (isLarge ? 3 : 4.5)) return null;
  const place = isGradient(value('color')) ? ` at ${worst.color}` : '';
  return `Hard to read on ${scheme}${place}: ${(Math.floor(worst.ratio * 10) / 10).toFixed(1)} : 1`;
}

/** Returns the channels of a paint's colours; none if it is no paint. */
function colorsOf(paint) {
  const colors = isGradient(paint)
    ? readGradient(paint)?.stops.map(({ color }) => color) ?? [] : [paint];
  return colors.map(channelsOf).filter((one) => one !== null);
}

function over([red, green, blue, alpha], ground) {
  return [red, green, blue].map((part, index) => part * alpha + ground[index] * (1 - alpha));
}

/** Returns the contrast of two opaque colours, 1 to 21. */
function ratioOf(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(channels) {
  const [red, green, blue] = channels.map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
