import { element } from './dom.js';
import { bytes, seconds } from './words.js';

/** What a rendering weighs and measures, in one line. */
export class Facts {
  root = element('dl', { class: 'facts' });

  show({ width, height, duration, plainBytes, wireBytes }) {
    const packed = wireBytes > 0 && wireBytes < plainBytes;
    const facts = [
      ['Canvas', `${width} × ${height} px`],
      ['Duration', seconds(duration)],
      ['Transferred', packed ? `${bytes(wireBytes)} gzipped` : bytes(plainBytes)],
      ...packed ? [['File', bytes(plainBytes)]] : [],
    ];
    this.root.replaceChildren(...facts.map(([name, value]) => element(
      'div', {}, element('dt', {}, name), element('dd', {}, value))));
  }
}
