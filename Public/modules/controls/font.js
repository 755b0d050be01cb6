import { element } from '../dom.js';
import { choose } from './choice.js';

const list = '\u0000list';

/** A menu of the installed families, and a field for a list of several. */
export function fontControl(definition, { id, label, changed, fonts }) {
  const menu = element('select', { id, name: definition.name });
  const field = element('input', {
    type: 'text', spellcheck: false, maxLength: definition.maxLength,
    'aria-label': `${label}, list of families`,
  });
  const group = (title, monospace) => element(
    'optgroup', { label: title },
    ...fonts.filter((font) => font.monospace === monospace)
      .map(({ family }) => element('option', { value: family }, family)));
  menu.append(
    element('option', { value: list }, 'Several families…'),
    group('Proportional', false), group('Monospace', true));

  const follow = () => { field.hidden = menu.value !== list; };
  menu.onchange = () => {
    if (menu.value === list) {
      field.value ||= definition.default;
      follow();
      field.focus();
      return;
    }
    follow();
    changed();
  };
  field.oninput = changed;

  return {
    root: element('div', { class: 'font' }, menu, field),
    inputs: [menu, field],
    read: () => menu.value === list ? field.value.trim() : menu.value,
    write(text) {
      const value = text ?? definition.default;
      if (value.includes(',')) {
        field.value = value;
        menu.value = list;
      } else {
        field.value = '';
        choose(menu, value);
      }
      follow();
    },
  };
}
