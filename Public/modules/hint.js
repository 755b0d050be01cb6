import { element } from './dom.js';

/** A line below the controls that explains the one in hand, so that nothing jumps for it. */
export function explain(form, controls) {
  const line = element('p', { class: 'hint', 'aria-hidden': 'true' });
  const show = (event) => {
    const name = event.target.closest?.('.field')?.dataset.parameter;
    const field = name && form.field(name);
    if (!field) return;
    line.replaceChildren(element('strong', {}, field.label), ` ${field.hint}`);
  };
  controls.addEventListener('focusin', show);
  controls.addEventListener('pointerover', show);
  return line;
}
