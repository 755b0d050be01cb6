/**
 * Pages of captions as values: `at` and `until` in seconds, a `text`, its `words`, and where the file puts
 * it: `align` and `valign`, if it says so. A word has `at` and `until` too, and is the part of the text
 * from `start` to before `end`, in UTF-16 code units. Every change makes another page.
 */

import { graphemeSegmenter, parsedJSON, wordSegmenter } from './request.js';

/** The latest second of a page. */
const latest = 86_400;

/** Seconds without a text that a page bridges, as the service does. */
const bridged = 0.5;

/** The fewest seconds that a word has which is moved, or written into a pause. */
const shortest = 0.02;
const shortestNew = 0.1;

/** Letters of scripts that put no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

// Reading and writing.

/**
 * Returns the pages of a JSON rendering.
 *
 * @param usual the `align` and `valign` of the request, which a page has unless its file says otherwise.
 */
export function pagesOf({ width, height, blocks, glyphs }, usual) {
  const pages = blocks.map(({ text, at, until, times = [], rect }) => settled({
    at: rounded(at), until: rounded(until), text, ...placeOf(rect, width, height, usual),
    words: times.map(({ at, until, first, last }) => {
      const { start } = glyphs[first].range;
      const end = glyphs[last].range.start + glyphs[last].range.length;
      // The space after a word is drawn with it.
      return {
        at: rounded(at), until: rounded(until), start, end: start + text.slice(start, end).trimEnd().length,
      };
    }),
  }));
  return pages.sort((one, other) => one.at - other.at);
}

/** Returns the place that a page has and others have not: the rendering says only where its box lies. */
function placeOf({ x, y, width, height }, wholeWidth, wholeHeight, usual) {
  const side = (before, after, whole, size, names) => {
    const middle = size < whole / 2 && Math.abs(before - after) < whole / 10 ? names[1] : null;
    return Math.abs(before - after) < whole / 10 ? middle : names[before < after ? 0 : 2];
  };
  const valign = side(y, wholeHeight - y - height, wholeHeight, height, ['top', 'middle', 'bottom']);
  const align = side(x, wholeWidth - x - width, wholeWidth, width, ['left', 'center', 'right']);
  return {
    ...valign && valign !== usual.valign ? { valign } : {},
    ...align && usual.align === 'center' && align !== 'center' ? { align } : {},
  };
}

/** Returns the pages of captions that are an array of them, as `captionsOf` writes it; else null. */
export function readPages(captions) {
  const array = parsedJSON(captions);
  const isPage = (one) => typeof one?.text === 'string' && /\S/.test(one.text)
    && isSpan(one) && (one.times === undefined || Array.isArray(one.times));
  if (!Array.isArray(array) || array.length === 0 || !array.every(isPage)) return null;
  const pages = array.map(({ times = [], ...page }) => {
    let end = 0;
    const words = times.map(({ at, until, text }) => {
      const start = typeof text === 'string' && text ? page.text.indexOf(text, end) : -1;
      end = start + (text?.length ?? 0);
      return { at, until, start, end };
    });
    return { ...page, words };
  });
  const areWords = pages.every(({ words }) => words.every((word) => word.start >= 0 && isSpan(word)));
  return areWords ? pages.map(settled) : null;
}

function isSpan({ at, until }) {
  return Number.isFinite(at) && Number.isFinite(until) && at >= 0 && at < until && until <= latest;
}

/** Returns pages as captions of a request; those without a text are left out. */
export function captionsOf(pages) {
  return pages.filter(hasText).map(({ words, ...page }) => ({
    ...page,
    times: words.map(({ at, until, start, end }) => ({ text: page.text.slice(start, end), at, until })),
  }));
}

export function hasText({ text }) {
  return /\S/.test(text);
}

/** Returns pages as WebVTT, with a time before each word. */
export function toVTT(pages) {
  const cues = pages.filter(hasText).map((page) => {
    const { at, until, text, valign, align } = page;
    const line = { top: ' line:0', middle: ' line:50%', bottom: ' line:-1' }[valign] ?? '';
    let [said, last, written] = ['', at, 0];
    for (const word of page.words) {
      if (word.at <= last || word.at >= until) continue;
      said += `${escaped(text.slice(written, word.start))}<${clock(word.at, '.')}>`;
      [last, written] = [word.at, word.start];
    }
    said += escaped(text.slice(written));
    const settings = `${line}${align ? ` align:${align}` : ''}`;
    return `${clock(at, '.')} --> ${clock(until, '.')}${settings}\n${withoutBlankLines(said)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Returns pages as SubRip, which has no times of words. */
export function toSRT(pages) {
  return pages.filter(hasText).map(({ at, until, text, valign, align }, index) => {
    const row = { middle: 4, top: 7 }[valign] ?? 1;
    const column = { left: 0, right: 2 }[align] ?? 1;
    const place = valign || align ? `{\\an${row + column}}` : '';
    return `${index + 1}\n${clock(at, ',')} --> ${clock(until, ',')}\n${place}${withoutBlankLines(text)}\n`;
  }).join('\n');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A blank line would end the cue. */
function withoutBlankLines(text) {
  return text.split('\n').map((line) => line.trim()).filter(Boolean).join('\n');
}

/** Returns a time as both formats write it: 00:01:02.500. */
function clock(seconds, point) {
  const milliseconds = Math.round(seconds * 1000);
  const part = (divisor, modulus, digits) => String(Math.floor(milliseconds / divisor) % modulus)
    .padStart(digits, '0');
  return `${part(3_600_000, 1000, 2)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}${point}${part(1, 1000, 3)}`;
}

// Times as people write them.

/** Returns seconds as text: 1:02.5, with hours where there are some. */
export function timeText(seconds) {
  const whole = Math.round(seconds * 1000);
  const [hours, minutes] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60];
  const rest = ((whole % 60_000) / 1000).toFixed(3).replace(/0{1,2}$/, '').padStart(4, '0');
  const padded = rest.indexOf('.') === 1 ? `0${rest}` : rest;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
}

/** Returns the seconds of such a text, or of a number; null if it is none. */
export function secondsOf(text) {
  const [, hours = 0, minutes = 0, seconds] = /^(?:(?:(\d{1,2}):)?(\d{1,4}):)?(\d{1,5}(?:[.,]\d*)?)$/
    .exec(text.trim()) ?? [];
  if (seconds === undefined) return null;
  return rounded(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.')));
}

// Texts.

/**
 * A page that someone types in.
 *
 * All that is typed in one place counts as one change of the page as it was: a word that is written anew
 * has the time of the one before it, however many keys that takes.
 */
export class Typing {
  #before;
  page;

  constructor(page) {
    this.#before = this.page = page;
  }

  /** Gives the page another text. */
  type(text) {
    const typed = difference(this.#before.text, this.page.text);
    const now = difference(this.page.text, text);
    const isElsewhere = now.start > typed.otherEnd || now.end < typed.start;
    if (isElsewhere) this.#before = this.page;
    this.page = retyped(this.#before, text);
    return this.page;
  }
}

/**
 * Returns a page with another text: words beside the change keep their times; those that it changes keep
 * theirs if they stay as many, and else share them by their graphemes.
 */
function retyped(page, text) {
  const { words } = page;
  const { start, end, otherEnd } = difference(page.text, text);
  const reach = reachOf(page, text, { start, end, otherEnd });
  let [first, last] = [reach.first, reach.last];
  const inPause = first === last && pauseFor(page, first, tokensOf(text.slice(start, otherEnd)));
  // A new word without a pause shares the time of the one before it.
  if (first === last && !inPause && /\S/.test(text.slice(start, otherEnd))) {
    if (first > 0) first -= 1; else last = Math.min(last + 1, words.length);
  }
  const old = words.slice(first, last);
  const from = Math.min(start, old[0]?.start ?? start);
  const shift = text.length - page.text.length;
  const tokens = tokensOf(text.slice(from, Math.max(end, old.at(-1)?.end ?? end) + shift))
    .map((token) => ({ start: token.start + from, end: token.end + from }));
  const span = inPause || (old.length > 0
    ? { at: old[0].at, until: endOf(old) } : page);
  const changed = tokens.length === old.length
    ? tokens.map((token, index) => ({ ...old[index], ...token }))
    : shared(tokens, text, span);
  const later = movedInText(words.slice(last), shift);
  return settled({ ...page, text, words: [...words.slice(0, first), ...changed, ...later] });
}

/** Returns the words, from `first` to before `last`, that a change touches. */
function reachOf({ text: before, words }, text, { start, end, otherEnd }) {
  const isLetter = (index) => /\S/.test(text.charAt(index));
  const hasNew = otherEnd > start;
  const hasJoined = /\s/.test(before.slice(start, end));
  let first = words.findIndex((word) => word.end > start);
  if (first < 0) first = words.length;
  let last = first;
  while (last < words.length && words[last].start < end) last += 1;
  if (last === first && words[first]?.start < start) last += 1;
  const isBeside = first > 0 && words[first - 1].end === start && isLetter(start);
  if (isBeside && (hasNew || hasJoined)) first -= 1;
  const isBefore = words[last]?.start === end && isLetter(otherEnd - 1) && otherEnd > 0;
  if (isBefore && (hasJoined || (hasNew && first === last))) last += 1;
  return { first, last };
}

/** Returns the pause before a word if new words fit in, else null. */
function pauseFor({ at, until, words }, index, tokens) {
  const pause = { at: words[index - 1]?.until ?? at, until: words[index]?.at ?? until };
  const isLong = pause.until - pause.at >= shortestNew * tokens.length;
  return tokens.length > 0 && isLong ? pause : null;
}

/** Returns where texts differ: from `start` to before `end` in one, to before `otherEnd` in the other. */
function difference(one, other) {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let same = 0;
  while (same < most - start && one[one.length - 1 - same] === other[other.length - 1 - same]) same += 1;
  return { start, end: one.length - same, otherEnd: other.length - same };
}

/** Returns the words of a text, by spaces; by dictionary in scripts that have none. */
function tokensOf(text) {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: run, index }) => {
    if (!unspaced.test(run)) return [{ start: index, end: index + run.length }];
    const tokens = [];
    for (const { segment, index: offset, isWordLike } of wordSegmenter.segment(run)) {
      const start = index + offset;
      // Punctuation belongs to the word before it.
      if (isWordLike || tokens.length === 0) tokens.push({ start, end: start + segment.length });
      else tokens.at(-1).end = start + segment.length;
    }
    return tokens;
  });
}

/** Returns words that share a time by their graphemes. */
function shared(tokens, text, { at, until }) {
  const counts = tokens.map(({ start, end }) => lengthOf(text.slice(start, end)));
  const whole = counts.reduce((sum, count) => sum + count, 0);
  let passed = 0;
  return tokens.map((token, index) => {
    const start = at + (until - at) * passed / whole;
    passed += counts[index];
    return { ...token, at: rounded(start), until: rounded(at + (until - at) * passed / whole) };
  });
}

function lengthOf(text) {
  return [...graphemeSegmenter.segment(text)].length;
}

/** Divides a page before a place in its text; returns two, or null if one would have no text. */
export function split(page, place) {
  const { text, words } = page;
  const [head, rest] = [text.slice(0, place).trimEnd(), text.slice(place)];
  const tail = rest.trimStart();
  if (!/\S/.test(head) || !tail) return null;
  const cut = words.flatMap((word) => word.start < place && word.end > place
    ? shared([{ start: word.start, end: place }, { start: place, end: word.end }], text, word) : [word]);
  const first = cut.filter(({ end }) => end <= place);
  const second = movedInText(cut.filter(({ start }) => start >= place), tail.length - text.length);
  const share = page.at + (page.until - page.at) * lengthOf(head) / lengthOf(head + tail);
  const at = second[0]?.at ?? rounded(share);
  const said = endOf(first) || at;
  const until = at - said < bridged ? at : said;
  return [
    settled({ ...page, text: head, until, words: first }),
    settled({ ...page, text: tail.trimEnd(), at, words: second }),
  ];
}

/** Joins a page with the next one. */
export function joined(page, next) {
  const [head, tail] = [page.text.trimEnd(), next.text.trimStart()];
  const isApart = !unspaced.test(head.slice(-1)) || !unspaced.test(tail.charAt(0));
  const text = `${head}${isApart ? ' ' : ''}${tail}`;
  const words = movedInText(next.words, text.length - next.text.length);
  return settled({
    ...page, text, until: Math.max(page.until, next.until), words: [...page.words, ...words],
  });
}

/** Returns words of a text that has other words before them. */
function movedInText(words, offset) {
  return words.map((word) => ({ ...word, start: word.start + offset, end: word.end + offset }));
}

// Times.

/** Returns what is wrong with a time between two, of which each has a reason, or an empty text. */
function faultOf(time, { least, leastReason, most = latest, mostReason = '' }) {
  if (time === null) return 'must be a time, such as 1:02.5';
  if (time < least) return `must not be before ${timeText(least)}${leastReason}`;
  return time > most ? `must not be after ${timeText(most)}${mostReason}` : '';
}

/** Returns what is wrong with a start or an end of a page or word among others, or an empty text. */
function faultOfSpan(spans, index, kind, name, time) {
  const { at, until } = spans[index];
  if (name === 'until') {
    return faultOf(time, { least: rounded(at + shortest), leastReason: ', just after the start' });
  }
  const { least, most } = roomOf(spans, index);
  const end = rounded(until - shortest);
  return faultOf(time, {
    least, leastReason: least > 0 ? `, when the ${kind} before starts` : '',
    most: Math.min(end, most), mostReason: end < most ? ', just before the end' : `, when the next ${kind} starts`,
  });
}

/** Returns what is wrong with a start (`at`) or an end (`until`) of a page, or an empty text. */
export function faultOfPage(pages, index, name, time) {
  return faultOfSpan(pages, index, 'page', name, time);
}

/** Returns what is wrong with a start or an end of a word, or an empty text. */
export function faultOfWord({ words }, index, name, time) {
  return faultOfSpan(words, index, 'word', name, time);
}

/** Returns between which starts a page or word may start. Pages of two speakers may be out of order already. */
function roomOf(spans, index, count = 1) {
  const { at } = spans[index];
  const next = spans[index + count]?.at ?? latest;
  return { least: Math.min(spans[index - 1]?.at ?? 0, at), most: Math.max(next, at) };
}

/**
 * Returns pages in which one has another start or end. Its words follow: they keep their share of the time,
 * unless it only stays longer.
 */
export function withTime(pages, index, name, time) {
  const page = pages[index];
  const [from, to] = [page.words[0]?.at ?? page.at, endOf(page.words) || page.until];
  const [at, until] = name === 'at' ? [time, page.until] : [page.at, time];
  const end = to > until || to <= at ? until : to;
  const moved = (instant) => rounded(at + (instant - from) * (end - at) / (to - from));
  const words = page.words.map((word) => ({ ...word, at: moved(word.at), until: moved(word.until) }));
  return replaced(pages, index, [settled({ ...page, at, until, words })]);
}

/** Returns pages moved by seconds, one or all from there on; null where there is no room. */
export function shifted(pages, index, seconds, withRest) {
  const last = withRest ? pages.length : index + 1;
  const at = pages[index].at + seconds;
  const { least, most } = roomOf(pages, index, last - index);
  const isOut = at < least || at > most
    || pages.slice(index, last).some((page) => page.at + seconds < 0 || page.until + seconds > latest);
  if (isOut) return null;
  const later = (span) => ({
    ...span, at: rounded(span.at + seconds), until: rounded(span.until + seconds),
  });
  const moved = pages.slice(index, last).map((page) => (
    { ...later(page), words: page.words.map(later) }));
  const next = pages[last]?.at;
  // One that stays until the next page comes still does.
  if (next === pages[last - 1].until) {
    const stays = moved.at(-1);
    moved[moved.length - 1] = { ...stays, until: Math.max(next, endOf(stays.words)) };
  }
  return replaced(pages, index, moved, last - index);
}

/** Returns pages in which a word has other times. */
export function withWord(pages, index, number, times) {
  const page = pages[index];
  const words = page.words.map((word, one) => (one === number ? { ...word, ...times } : word));
  const at = number === 0 ? words[0].at : page.at;
  return replaced(pages, index, [settled({ ...page, at, words })]);
}

/** Returns pages in which a word is said later by seconds; words beside it follow. Null without room. */
export function withWordMoved(pages, index, number, seconds) {
  const { words, until: end } = pages[index];
  const [before, word, after] = [words[number - 1], words[number], words[number + 1]];
  const [at, until] = [rounded(word.at + seconds), rounded(word.until + seconds)];
  const least = before ? before.at + shortest : roomOf(pages, index).least;
  const most = after ? after.until - shortest : Math.min(Math.max(end, word.until), latest);
  if (at < least || until > most) return null;
  let moved = withWord(pages, index, number, { at, until });
  const follows = before && (before.until === word.at || before.until > at);
  if (follows) moved = withWord(moved, index, number - 1, { until: at });
  if (after && (after.at === word.until || after.at < until)) {
    moved = withWord(moved, index, number + 1, { at: until });
  }
  return moved;
}

/** Returns pages with some in the place of others; the page before goes when the first one comes, as before. */
export function replaced(pages, index, others, count = 1) {
  const [before, next] = [pages[index - 1], others[0]];
  const result = [...pages];
  result.splice(index, count, ...others);
  if (before && next && before.until === pages[index].at && next.at !== before.until) {
    result[index - 1] = { ...before, until: Math.max(next.at, endOf(before.words)) };
  }
  return result;
}

/**
 * Returns a page that comes with its first word, and whose words end after they begin, and begin in order.
 * Words that have no times at all share those of the page.
 */
function settled(page) {
  const words = page.words.length > 0 ? page.words : shared(tokensOf(page.text), page.text, page);
  let last = 0;
  const ordered = words.map((word) => {
    const at = Math.max(word.at, last);
    last = at;
    return { ...word, at, until: Math.max(word.until, rounded(at + 0.001)) };
  });
  const at = ordered[0]?.at ?? page.at;
  const until = Math.max(page.until, endOf(ordered), rounded(at + 0.001));
  return { ...page, at, until, words: ordered };
}

/** Returns when the last of words ends; 0 if there are none. */
function endOf(words) {
  return Math.max(0, ...words.map(({ until }) => until));
}

/** Returns seconds to a millisecond. */
function rounded(seconds) {
  return Math.round(seconds * 1000) / 1000;
}
