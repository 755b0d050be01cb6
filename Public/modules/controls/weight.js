import { element } from '../dom.js';
import { choose, offer } from './choice.js';

const names = {
  100: 'Thin', 200: 'Extra light', 300: 'Light', 400: 'Regular', 500: 'Medium', 600: 'Semibold',
  700: 'Bold', 800: 'Extra bold', 900: 'Black', 1000: 'Extra black',
};

/** A menu of the weights that the chosen family has. */
export function weightControl(definition, { id, changed, fonts }) {
  const menu = element('select', { id, name: definition.name, onchange: changed });
  const show = (weights, chosen) => {
    const titled = (weight) => names[weight] ? `${names[weight]} ${weight}` : String(weight);
    offer(menu, weights.map((weight) => [String(weight), titled(weight)]));
    choose(menu, chosen);
  };
  show([definition.default], String(definition.default));
  return {
    root: menu,
    inputs: [menu],
    read: () => menu.value,
    write: (text) => choose(menu, text ?? String(definition.default)),
    follow(values) {
      const first = values.font.split(',')[0].trim();
      const family = fonts.find((font) => font.family === first);
      show(family?.weights ?? Object.keys(names), menu.value);
    },
  };
}
