import { element } from './dom.js';
import { fieldAt } from './field.js';

/** A line below the controls that explains the one in hand, so that nothing jumps for it. */
export function explain(controls) {
  const line = element('p', { class: 'hint', 'aria-hidden': 'true' });
  const show = (event) => {
    const field = fieldAt(event.target);
    if (!field) return;
    line.replaceChildren(element('strong', {}, field.label), ` ${field.hint}`);
  };
  controls.addEventListener('focusin', show);
  controls.addEventListener('pointerover', show);
  return line;
}
