import { element } from './dom.js';
import { bytes, seconds } from './words.js';

/** What a rendering weighs and measures, in one line. */
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
    const { width, height, duration, cycles, plainBytes, wireBytes } = this.#rendering;
    const packed = wireBytes > 0 && wireBytes < plainBytes;
    const percent = Math.round(this.#zoom * 100);
    const facts = [
      ['Canvas', `${width} × ${height} px${percent < 100 ? `, shown at ${percent} %` : ''}`],
      ['Duration', seconds(duration) + repeated(cycles)],
      ['Transferred', packed ? `${bytes(wireBytes)} gzipped` : bytes(plainBytes)],
      ...packed ? [['File', bytes(plainBytes)]] : [],
    ];
    this.root.replaceChildren(...facts.map(([name, value]) => element(
      'div', {}, element('dt', {}, name), element('dd', {}, value))));
  }
}

function repeated(cycles) {
  if (cycles === Infinity) return ', for ever';
  return cycles > 1 ? ` × ${cycles}` : '';
}
