import { element } from '../dom.js';

/** One line of text. */
export function textControl(definition, { id, changed }) {
  const field = element('input', {
    id, name: definition.name, type: 'text', spellcheck: false, oninput: changed,
    placeholder: definition.default ?? 'auto',
  });
  return {
    root: field,
    inputs: [field],
    read: () => field.value,
    write: (text) => { field.value = text ?? definition.default ?? ''; },
  };
}

/** Text of several lines, as high as it needs. */
export function linesControl(definition, { id, changed }) {
  const area = element('textarea', { id, name: definition.name, rows: 2, oninput: changed });
  return {
    root: area,
    inputs: [area],
    read: () => area.value,
    write: (text) => { area.value = text ?? ''; },
  };
}
