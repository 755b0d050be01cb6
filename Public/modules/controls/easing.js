import { element } from '../dom.js';
import { Curve, controlPoints, namedEasings } from '../easing.js';
import { offer } from './choice.js';

const own = 'own';

/** A menu of named easings, a field for a curve of one's own, and the curve. */
export function easingControl(definition, { id, label, changed }) {
  const menu = element('select', { id, name: definition.name });
  const field = element('input', {
    type: 'text', spellcheck: false, class: 'easing-own', 'aria-label': `${label}, curve`,
  });
  const curve = new Curve();
  offer(menu, [...Object.keys(namedEasings).map((name) => [name, name]), [own, 'cubic-bezier…']]);

  const read = () => menu.value === own ? field.value.trim() : menu.value;
  const follow = () => {
    field.hidden = menu.value !== own;
    curve.draw(controlPoints(read()));
  };
  menu.onchange = () => {
    if (menu.value === own && !controlPoints(field.value)) {
      field.value = 'cubic-bezier(0.2, 0.8, 0.2, 1)';
    }
    follow();
    changed();
  };
  field.oninput = () => { follow(); changed(); };

  return {
    root: element('div', { class: 'easing' }, menu, curve.root, field),
    inputs: [menu, field],
    read,
    write(text) {
      const value = text ?? definition.default;
      menu.value = namedEasings[value] ? value : own;
      field.value = menu.value === own ? value : '';
      follow();
    },
  };
}
