import { element, icon } from '../dom.js';
import { numberControl } from './number.js';

const dice = 'M3.500 2.500h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z'
  + 'M5.500 5.500h.01M10.500 5.500h.01M8 8h.01M5.500 10.500h.01M10.500 10.500h.01';

/** A number with a button that throws another. */
export function seedControl(definition, options) {
  const number = numberControl(definition, options);
  const button = element('button', {
    type: 'button', class: 'quiet', 'aria-label': 'Another seed', title: 'Another seed',
    onclick() {
      number.write(String(1 + Math.floor(Math.random() * 9999)));
      options.changed();
    },
  }, icon(dice));
  number.root.prepend(button);
  number.root.classList.add('seed');
  return number;
}
