import { svgElement } from './dom.js';

/** CSS's named easings, and the one that overshoots, as control points. */
export const namedEasings = {
  'linear': [0, 0, 1, 1],
  'ease': [0.25, 0.1, 0.25, 1],
  'ease-in': [0.42, 0, 1, 1],
  'ease-out': [0, 0, 0.58, 1],
  'ease-in-out': [0.42, 0, 0.58, 1],
  'back-out': [0.34, 1.56, 0.64, 1],
};

/** The four numbers of an easing, or null when it is none. */
export function controlPoints(text) {
  if (namedEasings[text]) return namedEasings[text];
  const inside = /^cubic-bezier\((.*)\)$/.exec(text.trim());
  const numbers = inside?.[1].split(',').map((part) => part.trim() === '' ? NaN : Number(part));
  return numbers?.length === 4 && numbers.every(Number.isFinite) ? numbers : null;
}

/** A small drawing of an easing, time to the right and progress up. */
export class Curve {
  #path = svgElement('path', { class: 'curve-line' });
  root = svgElement(
    'svg', { viewBox: '-2 -10 28 44', class: 'curve', 'aria-hidden': 'true' },
    svgElement('path', { class: 'curve-frame', d: 'M0 0H24M0 24H24' }), this.#path);

  draw(points) {
    const [x1, y1, x2, y2] = points ?? [0, 0, 0, 0];
    const at = (x, y) => `${x * 24} ${24 - y * 24}`;
    this.#path.setAttribute('d', points ? `M0 24C${at(x1, y1)} ${at(x2, y2)} 24 0` : '');
  }
}
