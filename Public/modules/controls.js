import { easingCall, easingExamples, easingPath, namedEasings } from './easing.js';
import { isNumber } from './request.js';

/** Makers of controls by the parameter's type; a new type is one line here. */
const byType = {
  number: numberControl, integer: numberControl, boolean: toggleControl, choice: choiceControl,
  easing: easingControl, color: colorControl, keyframes: keyframesControl, string: textControl,
};

/** Makers of controls for single parameters. */
const byName = {
  text: linesControl, font: fontControl, weight: weightControl, seed: seedControl,
};

/**
 * Makes the control of a parameter: its `root` element; its `inputs`, which take the focus and of
 * which messages concern the last one; `read()` and `write(text)` in a query's strings; and
 * optionally `follow(values)`, called when another parameter has changed, and `initial`, the value
 * with which a parameter begins that is required and has no default.
 */
export function controlFor(definition, options) {
  const make = byName[definition.name] ?? byType[definition.type] ?? textControl;
  return make(definition, options);
}

// Text.

/** One line of text. */
function textControl(definition, { id, changed }) {
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

/** Text of several lines; the style sheet fits its height. */
function linesControl(definition, { id, changed }) {
  const area = element('textarea', { id, name: definition.name, rows: 2, oninput: changed });
  return {
    root: area,
    inputs: [area],
    read: () => area.value,
    write: (text) => { area.value = text ?? ''; },
  };
}

// Menus.

/** A menu of fixed values. */
function choiceControl(definition, { id, changed, titles }) {
  const menu = element('select', { id, name: definition.name, onchange: changed });
  fillMenu(menu, definition.values.map(
    (value) => [value, titles?.get(value) ?? capitalized(value)]));
  return {
    root: menu,
    inputs: [menu],
    read: () => menu.value,
    write: (text) => select(menu, text ?? definition.default ?? ''),
  };
}

/** Fills a menu with pairs of value and title. */
function fillMenu(menu, pairs) {
  menu.replaceChildren(...pairs.map(([value, title]) => element('option', { value }, title)));
}

/** Selects a value, in an entry of its own if the menu does not have it. */
function select(menu, value) {
  menu.querySelector('[data-foreign]')?.remove();
  menu.value = value;
  if (menu.value === value) return;
  menu.append(element('option', { value, dataset: { foreign: '' } }, value));
  menu.value = value;
}

/** The menu's value while the field holds a list. */
const severalFamilies = '\u0000list';

/** A menu of the installed families, and a field for a list of several. */
function fontControl(definition, { id, label, changed, fonts }) {
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
    element('option', { value: severalFamilies }, 'Several families…'),
    group('Proportional', false), group('Monospace', true));

  const follow = () => { field.hidden = menu.value !== severalFamilies; };
  menu.onchange = () => {
    if (menu.value === severalFamilies) {
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
    read: () => menu.value === severalFamilies ? field.value.trim() : menu.value,
    write(text) {
      const value = text ?? definition.default;
      if (value.includes(',')) {
        field.value = value;
        menu.value = severalFamilies;
      } else {
        field.value = '';
        select(menu, value);
      }
      follow();
    },
  };
}

const weightNames = {
  100: 'Thin', 200: 'Extra light', 300: 'Light', 400: 'Regular', 500: 'Medium', 600: 'Semibold',
  700: 'Bold', 800: 'Extra bold', 900: 'Black', 1000: 'Extra black',
};

/** A menu of the weights that the chosen family has. */
function weightControl(definition, { id, changed, fonts }) {
  const menu = element('select', { id, name: definition.name, onchange: changed });
  const show = (weights, chosen) => {
    const titleOf = (weight) => [weightNames[weight], weight].filter(Boolean).join(' ');
    fillMenu(menu, weights.map((weight) => [String(weight), titleOf(weight)]));
    select(menu, chosen);
  };
  show([definition.default], String(definition.default));
  return {
    root: menu,
    inputs: [menu],
    read: () => menu.value,
    write: (text) => select(menu, text ?? String(definition.default)),
    follow(values) {
      const first = values.font.split(',')[0].trim();
      const family = fonts.find((font) => font.family === first);
      show(family?.weights ?? Object.keys(weightNames), menu.value);
    },
  };
}

// Switches.

/** A switch. */
function toggleControl(definition, { id, changed }) {
  const box = element('input', {
    id, name: definition.name, type: 'checkbox', role: 'switch', class: 'switch', onchange: changed,
  });
  // An address may hold neither true nor false; that stays until the switch is used.
  let invalid = null;
  box.addEventListener('change', () => { invalid = null; }, true);
  return {
    root: box,
    inputs: [box],
    read: () => invalid ?? String(box.checked),
    write(text) {
      const value = text ?? String(definition.default);
      invalid = value === 'true' || value === 'false' ? null : value;
      box.checked = value === 'true';
    },
  };
}

// Numbers.

/** The widest range of which a slider can reach single values. */
const widestSlider = 1e6;

/** A field for the number, a slider where range and default are known, a box for a word. */
function numberControl(definition, { id, label, changed }) {
  const field = element('input', {
    id, name: definition.name, type: 'text', inputMode: 'decimal', spellcheck: false,
  });
  const slider = hasSlider(definition) ? sliderFor(definition, label) : null;
  const word = definition.word ? wordBox(definition.word) : null;

  const follow = () => {
    const text = field.value.trim();
    if (slider) slider.show(isNumber(text) ? Number(text) : definition.default);
    if (word) word.box.checked = text === word.text;
  };
  field.oninput = () => { follow(); changed(); };
  field.onkeydown = (event) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    field.value = stepped(field.value.trim(), direction * (event.shiftKey ? 10 : 1), definition);
    follow();
    changed();
  };
  if (slider) slider.input.oninput = () => { field.value = slider.read(); changed(); };
  if (word) {
    word.box.onchange = () => {
      field.value = word.box.checked ? word.text : definition.minimum;
      follow();
      changed();
    };
  }

  const unit = definition.unit ? element('span', { class: 'unit' }, definition.unit) : null;
  return {
    root: element('div', { class: 'number' }, slider?.input, word?.root,
      element('span', { class: 'number-field' }, field, unit)),
    inputs: [slider?.input, word?.box, field].filter(Boolean),
    read: () => field.value.trim(),
    write(text) {
      field.placeholder = definition.default ?? 'auto';
      field.value = text ?? definition.default ?? '';
      follow();
    },
  };
}

function hasSlider({ minimum, maximum, default: standard, word }) {
  return !word && typeof standard === 'number' && maximum - minimum < widestSlider;
}

function sliderFor(definition, label) {
  const scale = new Scale(definition);
  const input = element('input', {
    type: 'range', min: 0, max: 1, step: 0.005, 'aria-label': `${label}, slider`,
  });
  const describe = (value) => {
    input.setAttribute('aria-valuetext', `${value} ${definition.unit ?? ''}`.trim());
    fillTrack(input);
  };
  return {
    input,
    read() {
      const value = scale.value(Number(input.value));
      describe(value);
      return String(value);
    },
    show(value) {
      input.value = scale.position(value);
      describe(value);
    },
  };
}

function wordBox(text) {
  const box = element('input', { type: 'checkbox' });
  return { text, box, root: element('label', { class: 'word' }, box, text) };
}

/** Returns a number some steps up or down: of 1 for integers, else of a leading digit's tenth. */
function stepped(text, steps, { type, default: standard, minimum, maximum }) {
  const usual = typeof standard === 'number' ? standard : minimum ?? 0;
  const value = isNumber(text) ? Number(text) : usual;
  const size = Math.max(Math.abs(value), 0.01);
  const step = type === 'integer' ? 1 : 10 ** Math.floor(Math.log10(size) - 0.5);
  const next = Number((value + steps * step).toPrecision(12));
  return String(Math.min(Math.max(next, minimum ?? next), maximum ?? next));
}

const dice = 'M3.500 2.500h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z'
  + 'M5.500 5.500h.01M10.500 5.500h.01M8 8h.01M5.500 10.500h.01M10.500 10.500h.01';

/** A number with a button that draws another at random. */
function seedControl(definition, options) {
  const number = numberControl(definition, options);
  const button = element('button', {
    type: 'button', class: 'quiet', 'aria-label': 'Another seed', title: 'Another seed',
    onclick() {
      number.write(String(1 + Math.floor(Math.random() * 9999)));
      options.changed();
    },
  }, icon(dice));
  number.root.prepend(button);
  number.root.classList.add('seed');
  return number;
}

/**
 * Maps values to positions on a slider, 0…1.
 *
 * Ranges reach far beyond usual values (an interval may last 10 s, but 0.1 s is usual), so the
 * scale is a power curve that puts the default at about a third.
 */
class Scale {
  constructor({ minimum, maximum, apart, default: standard, type }) {
    this.minimum = minimum;
    /** The value at the slider's start: the range's first, or a value outside of it. */
    this.first = apart ?? minimum;
    this.span = maximum - minimum;
    this.whole = type === 'integer';
    const share = ((standard ?? minimum) - minimum) / this.span;
    this.exponent = share > 0
      ? Math.min(Math.max(Math.log(share) / Math.log(0.35), 1), 4)
      : this.span > 2 ? 3 : 1;
  }

  position(value) {
    const share = (value - this.minimum) / this.span;
    return Math.min(Math.max(share, 0), 1) ** (1 / this.exponent);
  }

  /** Returns the value at a position, to two significant digits. */
  value(position) {
    const value = this.minimum + this.span * position ** this.exponent;
    if (position <= 0) return this.first;
    if (position >= 1) return this.minimum + this.span;
    if (this.whole) return Math.round(value);
    const rounded = Number(value.toPrecision(2));
    return Math.min(Math.max(rounded, this.minimum), this.minimum + this.span);
  }
}

// Colours.

/** A swatch that opens the browser's picker, and a field for any colour of the API's syntax. */
function colorControl(definition, { id, label, changed }) {
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

const canvas = document.createElement('canvas').getContext('2d');

/** Returns a colour of the API's syntax as `#rrggbb`; null if it is none, or transparent. */
function opaqueHex(text) {
  const css = cssColor(text);
  if (!css || !CSS.supports('color', css)) return null;
  canvas.fillStyle = css;
  const serialized = canvas.fillStyle;
  if (serialized.startsWith('#')) return serialized;
  const [red, green, blue, alpha] = serialized.match(/[\d.]+/g).map(Number);
  if (alpha === 0) return null;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the colour in CSS's syntax: a query may leave out the `#`. */
function cssColor(text) {
  const color = text.trim();
  return /^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(color) ? `#${color}` : color;
}

// Easings.

/** A menu of named easings and of functions, a field for a function's call, and a drawing. */
function easingControl(definition, { id, label, changed }) {
  const menu = element('select', { id, name: definition.name });
  const field = element('input', {
    type: 'text', spellcheck: false, class: 'easing-own', 'aria-label': `${label}, curve`,
  });
  const curve = new EasingCurve();
  fillMenu(menu, [
    ...namedEasings.map((name) => [name, name]),
    ...Object.keys(easingExamples).map((name) => [`${name}()`, `${name}(…)`]),
  ]);

  const hasCall = () => menu.value.endsWith('()');
  const read = () => hasCall() ? field.value.trim() : menu.value;
  const follow = () => {
    field.hidden = !hasCall();
    curve.draw(read());
  };
  menu.onchange = () => {
    const name = menu.value.slice(0, -2);
    if (hasCall() && easingCall(field.value)?.name !== name) field.value = easingExamples[name];
    follow();
    changed();
  };
  field.oninput = () => {
    const call = easingCall(field.value);
    if (call) menu.value = `${call.name}()`;
    follow();
    changed();
  };

  return {
    root: element('div', { class: 'easing' }, menu, curve.root, field),
    inputs: [menu, field],
    read,
    write(text) {
      const value = text ?? definition.default;
      const isNamed = namedEasings.includes(value);
      menu.value = isNamed ? value : `${easingCall(value)?.name ?? 'cubic-bezier'}()`;
      field.value = isNamed ? '' : value;
      follow();
    },
  };
}

/** A small drawing of an easing, time to the right and progress up. */
class EasingCurve {
  #path = svgElement('path', {
    class: 'curve-line', transform: 'matrix(24 0 0 -24 0 24)',
    'vector-effect': 'non-scaling-stroke',
  });
  root = svgElement(
    'svg', { viewBox: '-2 -10 28 44', class: 'curve', 'aria-hidden': 'true' },
    svgElement('path', { class: 'curve-frame', d: 'M0 0H24M0 24H24' }), this.#path);

  draw(easing) {
    this.#path.setAttribute('d', easingPath(easing) ?? '');
  }
}

// Keyframes.

/** The keyframes that stand in the field while none are given. */
const exampleKeyframes = [
  { y: '40%', opacity: 0 },
  { offset: 0.5, opacity: 1 },
];

/** The JSON of keyframes, one a line. */
function keyframesControl(definition, { id, changed }) {
  const area = element('textarea', {
    id, name: definition.name, rows: 4, spellcheck: false, class: 'code', oninput: changed,
  });
  const initial = JSON.stringify(exampleKeyframes);
  return {
    root: area,
    inputs: [area],
    initial,
    // Without white space, which would make the address longer.
    read: () => parsed(area.value, (keyframes) => JSON.stringify(keyframes)),
    write(text) {
      area.value = parsed(text ?? definition.default ?? initial, formatted);
    },
  };
}

/** Returns the text of what JSON means; the JSON itself, trimmed, if it is none. */
function parsed(json, textOf) {
  try {
    return textOf(JSON.parse(json));
  } catch {
    return json.trim();
  }
}

/** Returns keyframes as JSON, one a line. */
function formatted(keyframes) {
  if (!Array.isArray(keyframes)) return JSON.stringify(keyframes);
  const lines = keyframes.map((one) => JSON.stringify(one, null, 1)
    .replace(/([{[])\n +/g, '$1').replace(/\n *([}\]])/g, '$1').replace(/\n +/g, ' '));
  return `[\n${lines.map((line) => ` ${line}`).join(',\n')}\n]`;
}

// Elements.

/**
 * Creates an element. Properties of the element are set as such, `dataset` is merged, the others
 * become attributes; strings among the children become text, never markup.
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name === 'dataset') Object.assign(node.dataset, value);
    else if (name in node && !name.includes('-')) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Creates an SVG element, whose properties are all attributes. */
function svgElement(tag, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Draws an icon: strokes in a 16 px square, in the colour of the text around it. */
export function icon(path) {
  return svgElement(
    'svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'icon' },
    svgElement('path', { d: path }));
}

/** Lets the style sheet draw the part of a slider's track that lies before the thumb. */
export function fillTrack(slider) {
  const share = (slider.value - slider.min) / (slider.max - slider.min);
  slider.style.setProperty('--fill', `${share * 100}%`);
}

/** Returns words with the first letter in upper case. */
export function capitalized(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
