import { easingCall, easingExamples, easingPath, namedEasings } from './easing.js';
import {
  channelsOf, colorAt, directions, fewestStops, gradientText, hexOf, imageOf, isGradient,
  mostShadows, mostStops, positions, readGradient, readShadows, rounded, shadowsText,
} from './paint.js';
import { inLight, isForDark, isNumber } from './request.js';

/** Makers of controls by the parameter's type; a new type is one line here. */
const byType = {
  number: numberControl, integer: numberControl, boolean: toggleControl, choice: choiceControl,
  easing: easingControl, color: colorControl, paint: paintControl, shadows: shadowsControl,
  string: textControl,
};

/** Makers of controls for single parameters. */
const byName = {
  text: linesControl, sequence: sequenceControl, seed: seedControl,
};

/**
 * Makes the control of a parameter: its `root` element; its `inputs`, which take the focus and of
 * which messages concern the last one; `read()` and `write(text)` in a query's strings.
 *
 * Optional are `follow(values)`, called when another parameter has changed; `use(text)`, called with
 * what is drawn where the value leaves that open; `illustrate()`, called when there is time for pictures
 * of the request; `initial`, the value with which a parameter begins that is required and has no
 * default; and of a value with parts `mark(faults)`, which shows faults at their parts and returns the
 * others, `messages`, the elements in which it shows them, and `focus(rest)`, which leads to a part.
 */
export function controlFor(definition, options) {
  const make = byName[definition.name] ?? byType[definition.type] ?? textControl;
  return make(definition, options);
}

// Text.

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

/** Text of several lines; the style sheet fits its height. */
function linesControl(definition, { id, changed }) {
  const area = element('textarea', {
    id, name: definition.name, rows: 2, placeholder: 'Type something', oninput: changed,
  });
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
  // What has no default may be left out.
  const values = definition.default == null ? ['', ...definition.values] : definition.values;
  fillMenu(menu, values.map(
    (value) => [value, titles?.get(value) ?? (value ? capitalized(value) : 'Auto')]));
  return {
    root: menu,
    inputs: [menu],
    read: () => menu.value,
    write: (text) => select(menu, text ?? definition.default ?? ''),
  };
}

/** The words and the drawing of each sequence; one that is not listed has its name alone. */
const sequences = {
  queue: { words: 'One below another, in turn', drawing: 'M4 5h24M4 12h24M4 19h24' },
  replace: { words: 'One after another, in one place', drawing: 'M10 3h20v7M6 7h20v7M2 11h20v10H2z' },
  rotate: { words: 'The first stays, the others take turns', drawing: 'M2 4h20M10 9h20v5M6 13h20v5M2 16h20v6H2z' },
  together: { words: 'All at once', drawing: 'M4 5h24M4 12h24M4 19h24' },
};

/** How several texts follow each other: a choice that is seen whole, each with a drawing. */
function sequenceControl(definition, { label, changed }) {
  // Texts have times in JSON and in files of captions only.
  const offered = definition.values.filter((value) => value !== 'timed');
  const inputs = offered.map((value) => element('input', {
    type: 'radio', name: definition.name, value, onchange: changed,
  }));
  /** A value that is none of them, from an address. */
  let foreign = null;
  for (const input of inputs) input.addEventListener('change', () => { foreign = null; }, true);
  return {
    root: element(
      'div', { class: 'sequence', role: 'radiogroup', 'aria-label': label },
      ...inputs.map((input) => {
        const { words = capitalized(input.value), drawing = '' } = sequences[input.value] ?? {};
        return element('label', {}, input, svgElement(
          'svg', { viewBox: '0 0 32 24', 'aria-hidden': 'true', class: `sequence-${input.value}` },
          ...drawing.split(/(?=M)/).map((d) => svgElement('path', { d }))),
        element('span', {}, words));
      })),
    inputs,
    read: () => foreign ?? inputs.find(({ checked }) => checked)?.value ?? '',
    write(text) {
      const value = text ?? definition.default;
      for (const input of inputs) input.checked = input.value === value;
      foreign = inputs.some(({ checked }) => checked) ? null : value;
    },
  };
}

/** Fills a menu with pairs of value and title. */
export function fillMenu(menu, pairs) {
  menu.replaceChildren(...pairs.map(([value, title]) => element('option', { value }, title)));
}

/** Selects a value, in an entry of its own if the menu does not have it. */
export function select(menu, value) {
  menu.querySelector('[data-foreign]')?.remove();
  menu.value = value;
  if (menu.value === value) return;
  menu.append(element('option', { value, dataset: { foreign: '' } }, value));
  menu.value = value;
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

/** Usual numbers of parameters whose default is a word, where the least number is none. */
const usualNumbers = { levels: 32, maxWidth: 830 };

/** A field for the number, a slider where range and usual number are known, a box for each word. */
export function numberControl(definition, { id, label, changed }) {
  const field = element('input', {
    id, name: definition.name, type: 'text', inputMode: 'decimal', spellcheck: false,
  });
  const slider = hasSlider(definition) ? sliderFor(definition, label) : null;
  const words = (definition.words ?? []).map(wordBox);

  const check = () => {
    for (const { text, box } of words) box.checked = field.value.trim() === text;
  };
  const follow = () => {
    const text = field.value.trim();
    if (slider) slider.show(isNumber(text) ? Number(text) : usualNumber(definition), text);
    check();
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
  if (slider) {
    slider.input.oninput = () => {
      field.value = slider.read();
      check();
      changed();
    };
  }
  for (const { text, box } of words) {
    box.onchange = () => {
      field.value = box.checked ? text : usualNumber(definition);
      follow();
      changed();
    };
  }

  const unit = definition.unit ? element('span', { class: 'unit' }, definition.unit) : null;
  return {
    root: element('div', { class: 'number' }, slider?.input, ...words.map(({ root }) => root),
      element('span', { class: 'number-field' }, field, unit)),
    inputs: [slider?.input, ...words.map(({ box }) => box), field].filter(Boolean),
    read: () => field.value.trim(),
    write(text) {
      field.placeholder = definition.default ?? 'auto';
      field.value = text ?? definition.default ?? '';
      follow();
    },
  };
}

/** A word such as `infinite` lies beyond what a slider reaches; `auto` is one of its numbers. */
function hasSlider({ words = [], ...definition }) {
  const { minimum, maximum } = definition;
  return words.every((word) => word === 'auto') && knownNumber(definition) !== undefined
    && maximum - minimum < widestSlider;
}

function sliderFor(definition, label) {
  const scale = new Scale({ ...definition, default: knownNumber(definition) });
  const input = element('input', {
    type: 'range', min: 0, max: 1, step: 0.005, 'aria-label': `${label}, slider`,
  });
  const describe = (value) => {
    const unit = isNumber(String(value)) ? definition.unit ?? '' : '';
    input.setAttribute('aria-valuetext', `${value} ${unit}`.trim());
    fillTrack(input);
  };
  return {
    input,
    read() {
      const value = scale.value(Number(input.value));
      describe(value);
      return String(value);
    },
    /** Shows a value; `words` say it where it is none of the numbers. */
    show(value, words) {
      input.value = scale.position(value);
      describe(definition.words?.includes(words) ? words : value);
    },
  };
}

function wordBox(text) {
  const box = element('input', { type: 'checkbox' });
  return { text, box, root: element('label', { class: 'word' }, box, text) };
}

/** Returns the number to begin with where there is none. */
function usualNumber(definition) {
  return knownNumber(definition) ?? usualNumbers[definition.name] ?? definition.minimum ?? 0;
}

/** Returns the default, or the number that its word is most often; undefined if neither is known. */
function knownNumber({ default: standard, usual, earlierDefault }) {
  return [standard, usual, earlierDefault].find((one) => typeof one === 'number');
}

/** Returns a number some steps up or down: of 1 for integers, else of a leading digit's tenth. */
function stepped(text, steps, definition) {
  const { type, minimum, maximum } = definition;
  const value = isNumber(text) ? Number(text) : usualNumber(definition);
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
export function colorControl(definition, { id, label, changed }) {
  const field = element('input', {
    id, name: definition.name, type: 'text', spellcheck: false,
  });
  const picker = element('input', { type: 'color', 'aria-label': `${label}, picker` });
  const swatch = element('span', { class: 'swatch' }, picker);
  /** The colour that is drawn where the field leaves it open. */
  let used = '';

  const follow = () => {
    const given = field.value.trim() || String(definition.default ?? '');
    const text = isOpen(given) ? used : given;
    const channels = channelsOf(text);
    field.placeholder = definition.default ?? (used ? 'auto' : 'the same');
    swatch.style.setProperty('--swatch', imageOf(text));
    swatch.classList.toggle('unset', text === '');
    // The picker has no gradients.
    picker.hidden = isGradient(text);
    picker.value = channels?.[3] > 0 ? hexOf([...channels.slice(0, 3), 1]) : '#808080';
  };
  field.oninput = () => { follow(); changed(); };
  picker.oninput = () => {
    // The picker has no alpha: that of a translucent colour stays.
    const alpha = channelsOf(field.value)?.[3];
    field.value = hexOf([...channelsOf(picker.value).slice(0, 3), alpha || 1]);
    follow();
    changed();
  };

  return {
    root: element('div', { class: 'color' }, swatch, field),
    inputs: [picker, field],
    read: () => field.value.trim(),
    write(text) {
      field.value = text ?? definition.default ?? '';
      follow();
    },
    use(color) {
      used = color;
      follow();
    },
  };
}

/** True for the text of a colour that leaves it to the picture which one is drawn. */
function isOpen(color) {
  return color === '' || color === 'auto';
}

/** Returns the definition of a part of a value: it has no name, and no default unless given. */
export function partOf(definition) {
  return { default: '', ...definition };
}

/** Gives the last input of a part's control a name that says which part it is. */
export function named(control, label) {
  control.inputs.at(-1).setAttribute('aria-label', label);
}

const removeIcon = 'M4 4l8 8M12 4l-8 8';

/** A button that takes a part away. */
export function removeButton(onclick) {
  return element('button', { type: 'button', class: 'quiet remove', onclick }, icon(removeIcon));
}

/** A button that adds a part. */
export function addButton(words, onclick) {
  return element(
    'button', { type: 'button', class: 'text-tool', onclick }, icon('M8 3.500v9M3.500 8h9'), words);
}

// Paints.

/** The second colour of a gradient that replaces a colour, and its first where there is none. */
const gradientColors = ['#0969da', '#a371f7'];

/** A colour, with a button that makes it a gradient, whose parts have controls. */
function paintControl(definition, { id, label, changed }) {
  const color = colorControl(definition, { id, label, changed: () => { follow(); changed(); } });
  const toggle = element('button', {
    type: 'button', class: 'quiet gradient-toggle', 'aria-pressed': 'false', title: 'Gradient',
    'aria-label': `${label}, gradient`, onclick: () => { switchKind(); changed(); },
  });
  const root = element(
    'div', { class: 'paint' }, element('div', { class: 'paint-row' }, color.root, toggle));
  const isDark = isForDark(definition.name);
  /** The gradient before it was made a colour. */
  let former = null;
  let inherited = '';
  let used = '';
  let editor = null;

  const follow = () => {
    const text = color.read();
    toggle.setAttribute('aria-pressed', isGradient(text));
    // Most paints never are gradients.
    if (!editor && isGradient(text)) {
      editor = new GradientEditor(label, (gradient) => { color.write(gradient); changed(); });
      root.append(editor.root);
    }
    editor?.show(text);
  };
  const switchKind = () => {
    const given = color.read() || inherited;
    const text = isOpen(given) ? used : given;
    if (isGradient(color.read())) {
      former = text;
      color.write(readGradient(text)?.stops[0].color);
    } else {
      color.write(former ?? (isGradient(text) ? text : gradientFrom(text)));
    }
    follow();
  };

  return {
    ...color,
    root,
    write(text) {
      former = null;
      color.write(text);
      follow();
    },
    follow(values) {
      if (isDark) inherited = values[inLight(definition.name)] ?? '';
    },
    use(paint) {
      used = paint;
      color.use(paint);
    },
  };
}

/** Returns a gradient that begins with a colour, if that is seen. */
function gradientFrom(color) {
  const isSeen = channelsOf(color)?.[3] > 0;
  const [first, second] = gradientColors;
  return gradientText({
    direction: 90,
    stops: [{ color: isSeen ? color : first, percent: 0 }, { color: second, percent: 100 }],
  });
}

/** Milliseconds between two changes while one drags: browsers limit changes of addresses. */
export const dragPause = 50;

/** A gradient's stops, as handles on a bar and as rows of fields, and its direction. */
class GradientEditor {
  #label;
  #changed;
  #stops = [];
  /** The text that is shown; a text of its own is not read again. */
  #text = '';
  #lastChange = 0;
  #track = element('div', { class: 'stop-track' });
  #rows = element('ol', { class: 'stop-rows' });
  #status = element('p', { class: 'unseen', role: 'status' });
  #menu;
  #angle;
  #add = addButton('Add a stop', () => this.#addStop());
  root;

  /** @param changed called with the gradient's text when the user has changed it. */
  constructor(label, changed) {
    this.#label = label;
    this.#changed = changed;
    this.#menu = element('select', {
      'aria-label': `${label}, direction`, onchange: () => this.#turn(),
    });
    fillMenu(this.#menu, [
      ['', 'Angle'], ...[...directions.keys()].map((words) => [words, capitalized(words)])]);
    this.#angle = numberControl(
      partOf({ type: 'integer', minimum: 0, maximum: 360, default: 180, unit: '°' }),
      { label: `${label}, angle`, changed: () => this.#emit() });
    named(this.#angle, `${label}, angle`);
    const bar = element('div', { class: 'stop-bar' }, this.#track);
    new ResizeObserver(() => this.#spread()).observe(this.#track);
    // A handle's own click bubbles too.
    bar.onclick = (event) => {
      if (!event.target.closest('.stop-handle')) this.#addStop(this.#percentAt(event.clientX));
    };
    this.root = element(
      'div', { class: 'gradient', role: 'group', 'aria-label': `${label}, gradient` },
      bar, this.#rows, this.#add,
      element('div', { class: 'direction' }, this.#menu, this.#angle.root), this.#status);
  }

  /** Shows a text's gradient; nothing if it is none. */
  show(text) {
    if (text === this.#text) return;
    this.#text = text;
    const gradient = readGradient(text);
    this.root.hidden = gradient === null;
    if (!gradient) return;
    const { direction, stops } = gradient;
    const hasWords = directions.has(direction);
    this.#menu.value = hasWords ? direction : '';
    const degrees = hasWords ? directions.get(direction) : direction;
    this.#angle.write(String(rounded(degrees - Math.floor(degrees / 360) * 360)));
    this.#angle.root.hidden = hasWords;
    this.#stops = stops.map((stop) => this.#control(stop));
    this.#arrange();
  }

  /** Takes over the direction that the menu says. */
  #turn() {
    const words = this.#menu.value;
    if (words) this.#angle.write(String(directions.get(words)));
    this.#angle.root.hidden = words !== '';
    this.#emit();
  }

  #control(stop) {
    return new GradientStop(stop, {
      changed: () => { this.#draw(); this.#emit(); },
      dragged: (one, clientX) => this.#drag(one, clientX),
      settled: () => this.#arrange(),
      removed: (one) => this.#remove(one),
    });
  }

  /** Returns the percent of the bar at a place, 0 to 100. */
  #percentAt(clientX) {
    const { left, width } = this.#track.getBoundingClientRect();
    return Math.round(Math.min(Math.max((clientX - left) / width, 0), 1) * 100);
  }

  #drag(stop, clientX) {
    stop.percent = this.#percentAt(clientX);
    this.#draw();
    if (performance.now() - this.#lastChange >= dragPause) this.#emit();
  }

  /** Adds a stop in the colour of its place: by default in the middle of the widest gap. */
  #addStop(percent = this.#widestGap()) {
    if (this.#stops.length >= mostStops) return;
    const stop = this.#control({ color: colorAt(this.#drawn, percent), percent });
    this.#stops.push(stop);
    this.#arrange();
    stop.handle.focus();
    this.#announce(`Stop added at ${percent} %.`);
    this.#emit();
  }

  #remove(stop) {
    if (this.#stops.length <= fewestStops) return;
    const index = this.#stops.indexOf(stop);
    this.#stops.splice(index, 1);
    this.#arrange();
    this.#stops[Math.min(index, this.#stops.length - 1)].handle.focus();
    this.#announce(`Stop at ${stop.percent} % removed.`);
    this.#emit();
  }

  /** The percent in the middle of the widest gap between two stops, or between one and an end. */
  #widestGap() {
    const inner = this.#sorted.map(({ percent }) => Math.min(Math.max(percent, 0), 100));
    const places = [0, ...inner, 100];
    const gaps = places.slice(1).map((place, index) => ({
      size: place - places[index], middle: Math.round((place + places[index]) / 2),
    }));
    return gaps.reduce((one, other) => other.size > one.size ? other : one).middle;
  }

  get #sorted() {
    return [...this.#stops].sort((one, other) => one.percent - other.percent);
  }

  /** The stops whose colour is one, in their order. */
  get #drawn() {
    return this.#sorted.filter(({ color }) => channelsOf(color));
  }

  /** Brings handles and rows into the order of the stops; the focus stays where it is. */
  #arrange() {
    const focused = document.activeElement;
    this.#stops = this.#sorted;
    const handles = this.#stops.map(({ handle }) => handle);
    const isArranged = handles.length === this.#track.children.length
      && handles.every((handle, index) => handle === this.#track.children[index]);
    if (!isArranged) {
      this.#track.replaceChildren(...handles);
      this.#rows.replaceChildren(...this.#stops.map(({ row }) => row));
      if (this.root.contains(focused)) focused.focus();
    }
    this.#stops.forEach((stop, index) => stop.name(
      `${this.#label}, stop ${index + 1}`, this.#stops.length > fewestStops));
    this.#add.hidden = this.#stops.length >= mostStops;
    this.#draw();
  }

  #draw() {
    const stops = this.#drawn;
    this.#track.style.setProperty('--stops', imageOf(gradientText({ direction: 90, stops })));
    for (const stop of this.#stops) stop.draw();
    this.#spread();
  }

  /** Moves handles that would cover each other apart, as far as there is room. */
  #spread() {
    const { clientWidth } = this.#track;
    const stops = this.#sorted;
    const places = stops.map(({ place }) => place / 100 * clientWidth);
    const apart = [];
    for (const place of places) apart.push(Math.max(place, (apart.at(-1) ?? -Infinity) + handleWidth));
    for (let index = apart.length - 1, most = clientWidth; index >= 0; index -= 1) {
      apart[index] = Math.min(apart[index], most);
      most = apart[index] - handleWidth;
    }
    stops.forEach((stop, index) => { stop.shift = apart[index] - places[index]; });
  }

  #emit() {
    this.#lastChange = performance.now();
    this.#text = gradientText({
      direction: this.#menu.value || this.#angle.read(), stops: this.#sorted,
    });
    this.#changed(this.#text);
  }

  #announce(words) {
    this.#status.textContent = words;
  }
}

/** The width of a handle on the bar, in pixels. */
const handleWidth = 24;

/** A stop of a gradient: a handle on the bar, and a row with its colour and its percent. */
class GradientStop {
  #color;
  #percent;
  #remove;
  /** Where the pointer has taken the handle, in pixels from its middle; null while it has not. */
  #grip = null;
  handle = element('button', {
    type: 'button', class: 'stop-handle', role: 'slider', 'aria-valuemin': positions.minimum,
    'aria-valuemax': positions.maximum, 'aria-keyshortcuts': 'Delete',
  });
  row;
  /** A number, also while what someone types is none. */
  percent;
  #shift = 0;

  /**
   * @param callbacks `changed()` when a value has changed, `dragged(stop, clientX)` while the handle
   *   is dragged, `settled()` once the stop may belong elsewhere, and `removed(stop)`.
   */
  constructor({ color, percent }, { changed, dragged, settled, removed }) {
    this.percent = percent;
    this.#color = colorControl(partOf({}), { label: 'Stop', changed });
    this.#percent = numberControl(
      partOf({ type: 'integer', ...positions, unit: '%' }),
      { label: 'Stop', changed: () => {
        if (isNumber(this.#percent.read())) this.percent = Number(this.#percent.read());
        changed();
      } });
    this.#remove = removeButton(() => removed(this));
    this.row = element(
      'li', { class: 'stop-row' }, this.#color.root, this.#percent.root, this.#remove);
    // The focus may be on its way to another field.
    this.row.addEventListener('change', () => setTimeout(settled));
    this.#color.write(color);
    this.#percent.write(String(percent));

    const { handle } = this;
    handle.onpointerdown = (event) => {
      if (event.button !== 0) return;
      const { left, width } = handle.getBoundingClientRect();
      this.#grip = event.clientX - left - width / 2 + this.#shift;
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    };
    handle.onpointermove = (event) => {
      if (this.#grip !== null) dragged(this, event.clientX - this.#grip);
    };
    handle.onlostpointercapture = () => {
      this.#grip = null;
      changed();
      settled();
    };
    handle.onkeydown = (event) => {
      const isRemoval = event.key === 'Delete' || event.key === 'Backspace';
      if (!isRemoval && !this.#step(event.key, event.shiftKey)) return;
      event.preventDefault();
      if (isRemoval) {
        removed(this);
      } else {
        changed();
        settled();
      }
    };
  }

  get color() {
    return this.#color.read();
  }

  /** The percent of the bar at which it stands. */
  get place() {
    return Math.min(Math.max(this.percent, 0), 100);
  }

  /** The pixels by which the handle stands beside its place. */
  set shift(pixels) {
    this.#shift = pixels;
    this.handle.style.setProperty('--shift', `${pixels}px`);
  }

  /** Sets its name, and whether it can be removed. */
  name(label, isRemovable) {
    this.handle.setAttribute('aria-label', label);
    for (const [control, part] of [[this.#color, 'colour'], [this.#percent, 'percent']]) {
      named(control, `${label}, ${part}`);
    }
    this.#color.inputs[0].setAttribute('aria-label', `${label}, picker`);
    this.#remove.setAttribute('aria-label', `Remove ${label}`);
    this.#remove.disabled = !isRemovable;
  }

  draw() {
    const { handle, percent, color } = this;
    if (Number(this.#percent.read()) !== percent) this.#percent.write(String(percent));
    handle.style.setProperty('--place', `${this.place}%`);
    handle.style.setProperty('--swatch', imageOf(color));
    handle.setAttribute('aria-valuenow', percent);
    handle.setAttribute('aria-valuetext', `${percent} %, ${color}`);
  }

  /** Moves it as a key says; returns true if it is a key that does. */
  #step(key, isWide) {
    const size = isWide ? 10 : 1;
    const { minimum, maximum } = positions;
    const next = {
      Home: 0, End: 100, PageDown: this.percent - 10, PageUp: this.percent + 10,
      ArrowLeft: this.percent - size, ArrowDown: this.percent - size,
      ArrowRight: this.percent + size, ArrowUp: this.percent + size,
    }[key];
    if (next === undefined) return false;
    this.percent = rounded(Math.min(Math.max(next, minimum), maximum));
    return true;
  }
}

// Shadows.

/** A shadow to begin with, under letters that are dark and under letters that are light. */
const firstShadow = { x: 2, y: 2, blur: 4, color: '#00000080' };
const firstGlow = { x: 0, y: 0, blur: 12, color: '#58a6ff' };

/** A field for the text of a list of shadows, and controls for the parts of each. */
function shadowsControl(definition, { id, label, changed }) {
  const field = element('input', {
    id, name: definition.name, type: 'text', spellcheck: false, class: 'code',
  });
  const list = element('ol', { class: 'shadow-list' });
  const add = addButton('Add a shadow', () => addShadow());
  let shadows = [];
  let shown = null;
  let inherited = '';

  const isDark = isForDark(definition.name);
  const read = () => field.value.trim();
  const edited = () => {
    field.value = shown = shadowsText(shadows);
    changed();
  };
  const arrange = () => {
    list.replaceChildren(...shadows.map(({ row }) => row));
    shadows.forEach((shadow, index) => shadow.name(`${label}, ${index + 1}`));
    add.hidden = shadows.length >= mostShadows;
  };
  const control = (values) => new ShadowParts(values, {
    changed: edited,
    removed: (one) => {
      shadows.splice(shadows.indexOf(one), 1);
      arrange();
      add.focus();
      edited();
    },
  });
  const follow = () => {
    if (read() === shown) return;
    shown = read();
    // What no list is has no parts, and nothing is added to it.
    const values = readShadows(shown);
    shadows = (values ?? []).map(control);
    arrange();
    if (!values) add.hidden = true;
  };
  const addShadow = () => {
    // Where none are given those for the light count, and one comes in addition.
    const own = read() ? [] : readShadows(inherited) ?? [];
    shadows.push(...own.slice(0, mostShadows - 1).map(control));
    shadows.push(control(isDark ? firstGlow : firstShadow));
    arrange();
    edited();
    shadows.at(-1).focus();
  };
  field.oninput = () => { follow(); changed(); };

  return {
    root: element('div', { class: 'shadows' }, field, list, add),
    inputs: [field],
    read,
    write(text) {
      field.placeholder = definition.default ?? 'the same';
      field.value = text ?? definition.default ?? '';
      follow();
    },
    follow(values) {
      if (isDark) inherited = values[inLight(definition.name)] ?? '';
    },
  };
}

/** The parts of one shadow. */
class ShadowParts {
  #color;
  #opacity;
  #lengths;
  #remove;
  row;

  /** @param callbacks `changed()` and `removed(shadow)`. */
  constructor({ color, ...lengths }, { changed, removed }) {
    this.#color = colorControl(partOf({}), {
      label: 'Shadow', changed: () => { this.#showOpacity(); changed(); },
    });
    this.#opacity = numberControl(
      partOf({ type: 'integer', minimum: 0, maximum: 100, default: 50, unit: '%' }),
      { label: 'Opacity', changed: () => { this.#mix(); changed(); } });
    this.#lengths = Object.fromEntries([
      ['x', -512, 512], ['y', -512, 512], ['blur', 0, 64],
    ].map(([name, minimum, maximum]) => [name, numberControl(
      partOf({ type: 'integer', minimum, maximum, unit: 'px' }), { changed })]));
    this.#remove = removeButton(() => removed(this));
    const part = (words, { root }) => element(
      'div', { class: 'shadow-part' }, element('span', { 'aria-hidden': 'true' }, words), root);
    const { x, y, blur } = this.#lengths;
    this.row = element(
      'li', { class: 'shadow' },
      element('div', { class: 'shadow-color' }, this.#color.root, this.#remove),
      element(
        'div', { class: 'shadow-lengths' }, part('Right', x), part('Down', y), part('Blur', blur)),
      part('Opacity', this.#opacity));
    this.#color.write(color);
    for (const [name, value] of Object.entries(lengths)) this.#lengths[name].write(String(value));
    this.#showOpacity();
  }

  get color() {
    return this.#color.read();
  }

  get x() {
    return this.#lengths.x.read();
  }

  get y() {
    return this.#lengths.y.read();
  }

  get blur() {
    return this.#lengths.blur.read();
  }

  /** Sets its name. */
  name(label) {
    const { x, y, blur } = this.#lengths;
    for (const [control, part] of [
      [this.#color, 'colour'], [this.#opacity, 'opacity'], [x, 'right'], [y, 'down'], [blur, 'blur'],
    ]) named(control, `${label}, ${part}`);
    this.#color.inputs[0].setAttribute('aria-label', `${label}, picker`);
    this.#opacity.inputs[0].setAttribute('aria-label', `${label}, opacity, slider`);
    this.#remove.setAttribute('aria-label', `Remove ${label}`);
  }

  focus() {
    this.#lengths.x.inputs[0].focus();
  }

  #showOpacity() {
    const alpha = channelsOf(this.color)?.[3];
    if (alpha !== undefined) this.#opacity.write(String(Math.round(alpha * 100)));
  }

  /** Gives the colour the opacity that the field says. */
  #mix() {
    const channels = channelsOf(this.color);
    const percent = this.#opacity.read();
    if (!channels || !isNumber(percent) || percent < 0 || percent > 100) return;
    this.#color.write(hexOf([...channels.slice(0, 3), percent / 100]));
  }
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
export const exampleKeyframes = [
  { y: '40%', opacity: 0 },
  { offset: 0.5, opacity: 1 },
];

/** Returns keyframes as JSON, one a line. */
export function formatted(keyframes) {
  if (!Array.isArray(keyframes)) return JSON.stringify(keyframes);
  const lines = keyframes.map((one) => JSON.stringify(one, null, 1)
    .replace(/([{[])\n +/g, '$1').replace(/\n *([}\]])/g, '$1').replace(/\n +/g, ' '));
  return `[\n${lines.map((line) => ` ${line}`).join(',\n')}\n]`;
}

// Elements.

/**
 * Makes a button that asks for a file: its `parts`, and `say(words)` for what stands on it.
 *
 * @param options the file's `label`, the types to `accept`, the `path` of the icon, the button's `title`,
 *   and `taken(file)`.
 */
export function fileChooser({ label, accept, path, title, taken }) {
  const field = element('input', {
    type: 'file', accept, hidden: true, 'aria-label': label, onchange: () => {
      const [file] = field.files;
      // The same file may be chosen again.
      field.value = '';
      if (file) taken(file);
    },
  });
  const words = document.createTextNode('');
  const button = element(
    'button', { type: 'button', class: 'text-tool', title, onclick: () => field.click() }, icon(path), words);
  return { parts: [button, field], say: (text) => { words.data = text; } };
}

/** Creates a link to a place of the page, which `follow()` leads to. */
export function linkTo(words, follow) {
  return element('a', {
    href: location.href, class: 'link', onclick: (event) => { event.preventDefault(); follow(); },
  }, words);
}

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
export function svgElement(tag, attributes = {}, ...children) {
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

/** Says of a field whether what it has is wrong. */
export function markInvalid(input, isInvalid) {
  if (isInvalid) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
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

/** Copies text; by selection without a secure context, which the clipboard requires. */
export async function copy(text, field) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused: the selection may still be allowed.
    }
  }
  field.focus();
  field.select();
  return document.execCommand('copy');
}
