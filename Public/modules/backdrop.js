import { element } from './dom.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Chooses how the reader of a rendering has set the system: light or dark, still or moving. */
export class Backdrop {
  #changed;
  #playAnyway = false;
  #note = element('p', { class: 'note', hidden: true });
  #schemes = ['light', 'dark'].map((scheme) => element('input', {
    type: 'radio', name: 'backdrop', value: scheme, onchange: () => this.#changed(),
  }));
  root = element(
    'fieldset', { class: 'backdrop' }, element('legend', { class: 'unseen' }, 'Preview for readers in'),
    ...this.#schemes.map((input) => element(
      'label', {}, input, element('span', {}, input.value === 'dark' ? 'Dark' : 'Light'))));

  /** @param changed called with `true` when the animation has to start anew. */
  constructor(changed) {
    this.#changed = () => changed(false);
    this.#schemes[dark.matches ? 1 : 0].checked = true;
    const play = element('button', {
      type: 'button', class: 'link',
      onclick: () => { this.#playAnyway = true; this.#tellStill(); changed(true); },
    }, 'Play it here');
    this.#note.append(
      'Your system asks for reduced motion, so the text stands still, ',
      'as it will for everyone who asks for that. ', play);
    still.addEventListener('change', () => { this.#tellStill(); changed(true); });
    this.#tellStill();
  }

  /** A line that says why nothing moves. */
  get note() {
    return this.#note;
  }

  /** As `pretend` takes it. */
  get reader() {
    return {
      scheme: this.#schemes.find((input) => input.checked).value,
      still: still.matches && !this.#playAnyway,
    };
  }

  #tellStill() {
    this.#note.hidden = !this.reader.still;
  }
}
