import { element } from './dom.js';
import { bytes, elapsed, seconds } from './words.js';

/** What a rendering weighs, costs and measures, in one line. */
export class Facts {
  #rendering = null;
  #zoom = 1;
  root = element('dl', { class: 'facts' });

  set rendering(rendering) {
    this.#rendering = rendering;
    this.#refresh();
  }

  /** How large the picture is shown; 1 is its own size. */
  set zoom(zoom) {
    this.#zoom = zoom;
    this.#refresh();
  }

  #refresh() {
    if (!this.#rendering) return;
    const { duration, cycles, milliseconds, isCached } = this.#rendering;
    const facts = [
      ['Size', sizeOf(this.#rendering)],
      [isCached ? 'From cache in' : 'Rendered in', elapsed(milliseconds)],
      ['Duration', seconds(duration) + repeated(cycles)],
      ['Canvas', canvasOf(this.#rendering, Math.round(this.#zoom * 100))],
    ];
    this.root.replaceChildren(...facts.map(([name, value]) => element(
      'div', {}, element('dt', {}, name), element('dd', {}, value))));
  }
}

/** The file's bytes, and those that came where it was compressed on its way. */
function sizeOf({ file, wireBytes }) {
  const isPacked = wireBytes > 0 && wireBytes < file.size;
  return bytes(file.size) + (isPacked ? `, ${bytes(wireBytes)} gzipped` : '');
}

function canvasOf({ width, height, scale, format }, percent) {
  const density = format.isImage && scale !== 1 ? ` at ${scale}×` : '';
  return `${width} × ${height} px${density}${percent < 100 ? `, shown at ${percent} %` : ''}`;
}

function repeated(cycles) {
  if (cycles === Infinity) return ' × ∞';
  return cycles > 1 ? ` × ${cycles}` : '';
}
