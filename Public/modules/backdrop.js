import { element } from './dom.js';
import { svg } from './formats.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Chooses how the reader of a rendering has set the system: light or dark, still or moving. */
export class Backdrop {
  #changed;
  #isChosen = false;
  #playAnyway = false;
  #format = svg;
  #why = element('span');
  #note = element('p', { class: 'note', hidden: true }, this.#why);
  #schemes = ['light', 'dark'].map((scheme) => element('input', {
    type: 'radio', name: 'backdrop', value: scheme, onchange: () => {
      this.#isChosen = true;
      this.#changed();
    },
  }));
  root = element(
    'fieldset', { class: 'backdrop' }, element('legend', { class: 'unseen' }, 'Preview for readers in'),
    ...this.#schemes.map((input) => element(
      'label', {}, input, element('span', {}, input.value === 'dark' ? 'Dark' : 'Light'))));

  /** @param changed called with `true` when the animation has to start anew. */
  constructor(changed) {
    this.#changed = () => changed(false);
    this.#choose();
    const play = element('button', {
      type: 'button', class: 'link',
      onclick: () => { this.#playAnyway = true; this.#tellStill(); changed(true); },
    }, 'Play it here');
    this.#note.append(' ', play);
    still.addEventListener('change', () => { this.#tellStill(); changed(true); });
    this.#tellStill();
  }

  /**
   * The format of what is shown: only SVG moves or not as its readers' systems ask, and what has
   * no colours for the dark is shown in light unless someone wants to see.
   */
  set format(format) {
    this.#format = format;
    this.#choose();
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

  #choose() {
    if (!this.#isChosen) this.#schemes[dark.matches && this.#format.hasDark ? 1 : 0].checked = true;
  }

  #tellStill() {
    this.#note.hidden = !this.reader.still || this.#format.isStill;
    this.#why.textContent = this.#format.name === svg.name
      ? 'Your system asks for reduced motion, so the text stands still, '
        + 'as it will for everyone who asks for that.'
      : 'Your system asks for reduced motion, so the text stands still here; '
        + 'of all formats, only SVG does so everywhere.';
  }
}
