import { choiceControl } from './choice.js';
import { colorControl } from './color.js';
import { easingControl } from './easing.js';
import { fontControl } from './font.js';
import { numberControl } from './number.js';
import { seedControl } from './seed.js';
import { linesControl, textControl } from './text.js';
import { toggleControl } from './toggle.js';
import { weightControl } from './weight.js';

/** A parameter's type decides its control; a new type is one line here. */
const byType = {
  number: numberControl, integer: numberControl, boolean: toggleControl, choice: choiceControl,
  easing: easingControl, color: colorControl, string: textControl,
};

/** A few parameters deserve a control of their own. */
const byName = {
  text: linesControl, font: fontControl, weight: weightControl, seed: seedControl,
};

/**
 * The control of a parameter: `root` to show, `inputs` that take focus (the last one is the
 * parameter's own, the one that a message is about), `read()` and `write(text)` in a query's
 * strings, and perhaps `follow(values)`, called when another parameter has changed.
 */
export function controlFor(definition, options) {
  const make = byName[definition.name] ?? byType[definition.type] ?? textControl;
  return make(definition, options);
}
