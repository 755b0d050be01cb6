/**
 * Paints and shadows in CSS's syntax, as the API takes them, and how well a text in them can be
 * read. A gradient is `{ direction, stops }`: degrees clockwise from upwards, or a word such as
 * `to top left`, and stops of a `color` and a `percent`. A shadow is `{ x, y, blur, color }`.
 */

import { inDark } from './request.js';

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

/** The contrasts that small text and lines need (WCAG 2.2, 1.4.3 and 1.4.11). */
const textContrast = 4.5;
const lineContrast = 3;

/**
 * Returns in words that a text is hard to read for readers in light or in dark; null if it is not
 * (WCAG 2.2, 1.4.3). An outline that stands out counts too.
 *
 * @param given the texts of a request's values by name.
 * @param scheme `light` or `dark`.
 */
export function readingTrouble(given, scheme) {
  const values = withInk(given);
  const { color, ratio } = worstOf(values, scheme);
  const isLarge = values.size >= 24 || (values.size >= 18.66 && values.weight >= 700);
  const needed = isAutomatic(given) ? inkContrast : textContrast;
  if (ratio >= (isLarge ? lineContrast : needed)) return null;
  const place = isGradient(valueIn(values, 'color', scheme)) ? ` at ${color}` : '';
  return `Hard to read on ${scheme}${place}: ${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`;
}

/** The colours of texts that name none: one for any ground, and two for grounds that are known. */
const inks = { anyGround: '#2277dd', dark: '#24292f', light: '#f0f6fc' };

/** The contrast that such a colour has: none has more than 4.35 with both light and dark pages. */
const inkContrast = 4.2;

/** True if it is left to the picture which colour a text has. */
function isAutomatic({ color }) {
  return color === 'auto';
}

/**
 * Returns a request's values with the colours that they leave open, as the service chooses them:
 * `color` where it is `auto`, and `darkColor` where another one is then read in the dark.
 */
export function withInk(values) {
  if (!isAutomatic(values)) return values;
  const color = inkIn('light', values);
  const darkColor = inkIn('dark', values);
  return { ...values, color, ...!values.darkColor && darkColor !== color && { darkColor } };
}

function inkIn(scheme, values) {
  const ground = besideText(values, scheme);
  if (ground.length > 0) {
    const contrast = (ink) => Math.min(...ground.map((one) => ratioOf(channelsOf(ink), one)));
    return contrast(inks.light) > contrast(inks.dark) ? inks.light : inks.dark;
  }
  if ((values.codeLanguage ?? 'none') === 'none') return inks.anyGround;
  return valueIn(values, 'codeTheme', scheme) === 'dark' ? inks.light : inks.dark;
}

/** Returns the channels of what lies next to letters: their outline, or the card; none without either. */
function besideText(values, scheme) {
  const seen = (name) => {
    const colors = colorsOf(valueIn(values, name, scheme));
    return colors[0]?.[3] > 0 ? colors : [];
  };
  const outline = Number(values.outlineWidth) > 0 ? seen('outlineColor') : [];
  return outline.length > 0 ? outline : seen('background');
}

/** Returns the colour of the text that stands out least, and its contrast. */
function worstOf(values, scheme) {
  const behind = behindText(values, scheme);
  const outline = Number(values.outlineWidth) >= seenOutline
    ? colorsOf(valueIn(values, 'outlineColor', scheme)) : [];
  return colorsOf(valueIn(values, 'color', scheme)).map((fill) => ({
    color: hexOf(fill),
    ratio: Math.min(...behind.map((ground) => Math.max(
      ...[fill, ...outline].map((one) => ratioOf(over(one, ground), ground))))),
  })).reduce((one, other) => other.ratio < one.ratio ? other : one, { ratio: Infinity });
}

/** Returns a value as it counts in a scheme. */
function valueIn(values, name, scheme) {
  return (scheme === 'dark' && values[inDark(name)]) || values[name] || '';
}

/** Returns the opaque colours that a text has behind it. */
function behindText(values, scheme) {
  const ground = groundIn(scheme);
  return colorsOf(valueIn(values, 'background', scheme)).map((one) => over(one, ground));
}

function groundIn(scheme) {
  return channelsOf(grounds[scheme]).slice(0, 3);
}

/** Returns the channels of a paint's colours, or of a list of shadows'; none if it is neither. */
function colorsOf(paint) {
  const parts = isGradient(paint) ? readGradient(paint)?.stops : readShadows(paint);
  const colors = parts?.map(({ color }) => color) ?? [paint];
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

// Twins: what a colour for the light is in the dark.

/**
 * Returns the twin of a paint or of shadows that are not seen in the dark as in the light, and for
 * which no others are given there; of the text's colour also one for the light, if that one is made
 * for the dark. Null if none is needed.
 *
 * @param name the parameter's name in the light.
 * @param given the texts of a request's values by name.
 * @returns `words` on what is wrong, and the `values` by name that mend it, the twin first.
 */
export function twinFor(name, given) {
  const values = withInk(given);
  if (name === 'color' && readingTrouble(given, 'light')) {
    const twin = twinOf(values.color, textContrast, {
      from: behindText(values, 'dark'), to: behindText(values, 'light'),
    });
    // What can be read in the dark stays there.
    const stays = !values.darkColor && !readingTrouble(given, 'dark');
    return {
      words: `${troubleWords(worstOf(values, 'light').ratio)} on light pages`,
      values: { color: twin, ...stays && { darkColor: values.color } },
    };
  }
  if (values[inDark(name)]) return null;
  const words = troubleInDark(name, given);
  return words && { words: `${words} on dark pages`, values: darkTwins(name, given) };
}

function troubleWords(ratio) {
  return ratio < 1.5 ? 'Invisible' : 'Hard to read';
}

function troubleInDark(name, values) {
  if (name === 'color') {
    return readingTrouble(values, 'dark') && troubleWords(worstOf(withInk(values), 'dark').ratio);
  }
  if (name === 'background') {
    const ground = groundIn('dark');
    const ratios = colorsOf(values.background).map((one) => ratioOf(over(one, ground), ground));
    return Math.max(...ratios) >= textContrast ? 'Bright' : null;
  }
  const behind = behindText(values, 'dark');
  const isSeen = colorsOf(values[name]).every((one) => behind.some(
    (ground) => ratioOf(over(one, ground), ground) >= lineContrast));
  return isSeen ? null : 'Hard to see';
}

function darkTwins(name, values) {
  const twins = (least, from, to) => twinOf(withInk(values)[name], least, { from, to });
  if (name !== 'background') {
    const least = name === 'color' ? textContrast : lineContrast;
    const twin = twins(least, behindText(values, 'light'), behindText(values, 'dark'));
    return { [inDark(name)]: twin };
  }
  const darkBackground = twins(1, [groundIn('light')], [groundIn('dark')]);
  // The text may have been dark on what was bright.
  const text = twinFor('color', { ...values, darkBackground });
  return { darkBackground, ...text?.values.darkColor && { darkColor: text.values.darkColor } };
}

/**
 * Returns a paint, or shadows, of the same hues, in which each colour stands out from other grounds
 * as it does from its own, but at least by a contrast.
 */
function twinOf(paint, least, grounds) {
  const twin = (part) => ({ ...part, color: colorTwin(part.color, least, grounds) });
  if (isGradient(paint)) {
    const { direction, stops } = readGradient(paint);
    return gradientText({ direction, stops: stops.map(twin) });
  }
  const shadows = channelsOf(paint) ? null : readShadows(paint);
  return shadows ? shadowsText(shadows.map(twin)) : colorTwin(paint, least, grounds);
}

function colorTwin(text, least, { from, to }) {
  const color = channelsOf(text);
  const contrast = (one, behind) => Math.min(
    ...behind.map((ground) => ratioOf(over(one, ground), ground)));
  const wanted = Math.max(contrast(color, from), least);
  const candidates = withLightnesses(color).map((one) => ({ one, ratio: contrast(one, to) }));
  const enough = candidates.filter(({ ratio }) => ratio >= wanted);
  const best = enough.length > 0
    ? enough.reduce((one, other) => other.ratio < one.ratio ? other : one)
    : candidates.reduce((one, other) => other.ratio > one.ratio ? other : one);
  return hexOf(best.one);
}

/** Returns a colour's hue and saturation in all lightnesses. */
function withLightnesses([red, green, blue, alpha]) {
  const [most, fewest] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const lightness = (most + fewest) / 510;
  const room = 1 - Math.abs(2 * lightness - 1);
  const saturation = room > 0 ? (most - fewest) / 255 / room : 0;
  const shares = [red, green, blue].map(
    (part) => most > fewest ? (part - fewest) / (most - fewest) : 0);
  return Array.from({ length: 256 }, (_, index) => {
    const light = index / 255;
    const chroma = saturation * (1 - Math.abs(2 * light - 1));
    const parts = shares.map((share) => 255 * (light - chroma / 2 + share * chroma));
    return [...parts.map((part) => Math.min(Math.max(part, 0), 255)), alpha];
  });
}
