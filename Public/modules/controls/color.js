import { cssColor, opaqueHex } from '../color.js';
import { element } from '../dom.js';

/** A swatch that opens the browser's picker, and a field for any colour that the API takes. */
export function colorControl(definition, { id, label, changed }) {
  const field = element('input', {
    id, name: definition.name, type: 'text', spellcheck: false,
  });
  const picker = element('input', { type: 'color', 'aria-label': `${label}, picker` });
  const swatch = element('span', { class: 'swatch' }, picker);

  const follow = () => {
    const text = field.value.trim() || definition.default || '';
    swatch.style.setProperty('--swatch', text ? cssColor(text) : 'transparent');
    swatch.classList.toggle('unset', !field.value.trim() && !definition.default);
    picker.value = opaqueHex(text) ?? '#808080';
  };
  field.oninput = () => { follow(); changed(); };
  picker.oninput = () => { field.value = picker.value; follow(); changed(); };

  return {
    root: element('div', { class: 'color' }, swatch, field),
    inputs: [picker, field],
    read: () => field.value.trim(),
    write(text) {
      field.placeholder = definition.default ?? 'the same';
      field.value = text ?? definition.default ?? '';
      follow();
    },
  };
}
