import { element } from '../dom.js';

/** A switch for what is true or false. */
export function toggleControl(definition, { id, changed }) {
  const box = element('input', {
    id, name: definition.name, type: 'checkbox', role: 'switch', class: 'switch', onchange: changed,
  });
  // An address may hold what is neither; it stays until the switch is touched.
  let odd = null;
  box.addEventListener('change', () => { odd = null; }, true);
  return {
    root: box,
    inputs: [box],
    read: () => odd ?? String(box.checked),
    write(text) {
      const value = text ?? String(definition.default);
      odd = value === 'true' || value === 'false' ? null : value;
      box.checked = value === 'true';
    },
  };
}
