import { element } from '../dom.js';
import { capitalised } from '../words.js';

/** A menu of fixed values. */
export function choiceControl(definition, { id, changed, titles }) {
  const menu = element('select', { id, name: definition.name, onchange: changed });
  offer(menu, definition.values.map((value) => [value, titles?.get(value) ?? capitalised(value)]));
  return {
    root: menu,
    inputs: [menu],
    read: () => menu.value,
    write: (text) => choose(menu, text ?? definition.default ?? ''),
  };
}

/** Fills a menu with pairs of value and title. */
export function offer(menu, pairs) {
  menu.replaceChildren(...pairs.map(([value, title]) => element('option', { value }, title)));
}

/** Chooses a value, as an entry of its own when the menu does not have it. */
export function choose(menu, value) {
  menu.querySelector('[data-foreign]')?.remove();
  menu.value = value;
  if (menu.value === value) return;
  menu.append(element('option', { value, dataset: { foreign: '' } }, value));
  menu.value = value;
}
