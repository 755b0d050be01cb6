import { element } from './dom.js';

/** As many rows as the timeline has room for below it. */
const mostRows = 3;

/** Quiet marks along the timeline: when each text comes, and when it goes. */
export class Phases {
  #texts = [];
  root = element('div', { class: 'phases', 'aria-hidden': 'true' });

  /** @param blocks those of the JSON rendering, one cycle of which lasts `duration` seconds. */
  show(blocks, duration) {
    this.#texts = duration > 0 ? blocks.map(phasesOf) : [];
    const rows = [];
    this.root.replaceChildren(...this.#texts.flatMap((phases) => {
      const row = rowFor(phases, rows);
      return phases.map((phase) => mark(phase, row, duration));
    }));
  }

  /** What comes or goes at an instant, in words. */
  at(time) {
    return this.#texts.flatMap((phases, index) => phases
      .filter(({ start, end }) => start <= time && time < end)
      .map(({ kind }) => `text ${index + 1} ${kind === 'enter' ? 'comes' : 'goes'}`));
  }
}

function phasesOf({ enterStart, enterEnd, exitStart, exitEnd }) {
  return [
    { kind: 'enter', start: enterStart, end: enterEnd },
    { kind: 'exit', start: exitStart, end: exitEnd },
  ].filter(({ start, end }) => start !== null && end > start);
}

/** The first row where nothing overlaps; the last one takes what fits nowhere. */
function rowFor(phases, rows) {
  const overlaps = (row) => row.some(
    (other) => phases.some(({ start, end }) => start < other.end && other.start < end));
  const free = rows.findIndex((row) => !overlaps(row));
  const index = free >= 0 ? free : Math.min(rows.length, mostRows - 1);
  rows[index] = [...rows[index] ?? [], ...phases];
  return index;
}

function mark({ kind, start, end }, row, duration) {
  const bar = element('span', { class: `phase ${kind}` });
  const percent = (seconds) => `${seconds / duration * 100}%`;
  bar.style.left = percent(start);
  bar.style.width = percent(end - start);
  bar.style.top = `${row * 4}px`;
  return bar;
}
