import {
  addButton, capitalized, colorControl, copy, dragPause, element, exampleKeyframes, fillTrack,
  formatted, icon, markInvalid, named, numberControl, partOf, removeButton, textControl,
} from './controls.js';
import { EasingEditor } from './easing-editor.js';
import { channelsOf, colorAt, imageOf, rounded } from './paint.js';
import { isNumber } from './request.js';

/** Keyframes to begin with, by their name. */
const startingPoints = new Map([
  ['Fade in', [{ opacity: 0 }]],
  ['Rise', exampleKeyframes],
  ['Pop', [{ opacity: 0, scale: 0.3, easing: 'spring(0.4)' }, { offset: 0.4, opacity: 1 }]],
]);

/** Milliseconds within which changes of one value are undone together. */
const undoPause = 1000;

/** The most changes that can be undone. */
const mostUndone = 100;

const plusIcon = 'M8 3.500v9M3.500 8h9';

// Keyframes.

let keyframeCount = 0;

/** One keyframe: the members of its JSON object, and its place, a share of the time. */
class Keyframe {
  id = keyframeCount += 1;

  constructor(members, place) {
    this.members = members;
    this.place = place;
  }

  get percent() {
    return rounded(this.place * 100);
  }

  has(property) {
    return Object.hasOwn(this.members, property.name);
  }
}

/** Returns the places of offsets: those that are left out lie evenly between their neighbours. */
function placesOf(offsets) {
  const places = [...offsets];
  places[0] ??= 0;
  places[places.length - 1] ??= 1;
  let last = 0;
  places.forEach((place, index) => {
    if (place === undefined) return;
    for (let between = last + 1; between < index; between += 1) {
      places[between] = places[last] + (place - places[last]) * (between - last) / (index - last);
    }
    last = index;
  });
  return places;
}

/**
 * Sorts keyframes by their places and writes their offsets. One that was left out stays so while it
 * means the same.
 */
function settle(keyframes) {
  for (const one of keyframes) if ('offset' in one.members) one.members.offset = one.place;
  for (;;) {
    keyframes.sort((one, other) => one.place - other.place);
    const places = placesOf(keyframes.map(({ members }) => members.offset));
    const moved = keyframes.find(({ place }, index) => Math.abs(place - places[index]) > 1e-9);
    if (!moved) return;
    moved.place = rounded(moved.place);
    moved.members = { offset: moved.place, ...moved.members };
  }
}

/** Reads the JSON of keyframes; null if it is none, or if rows cannot show all of it. */
function readKeyframes(text, properties, most) {
  const isKnown = ([name, value]) => {
    if (name === 'offset') return typeof value === 'number' && value >= 0 && value <= 1;
    if (name === 'easing') return typeof value === 'string';
    if (typeof value === 'object') return properties.get(name)?.isAxes && isSettings(value);
    return properties.has(name) && (typeof value === 'number' || typeof value === 'string');
  };
  const isKeyframe = (one) => one !== null && typeof one === 'object' && !Array.isArray(one)
    && Object.entries(one).every(isKnown);
  let list;
  try {
    list = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(list) || list.length > most || !list.every(isKeyframe)) return null;
  if (list.length === 0) return [];
  const places = placesOf(list.map(({ offset }) => offset));
  const isSorted = places.every((place, index) => index === 0 || place >= places[index - 1]);
  return isSorted ? list.map((members, index) => new Keyframe(members, places[index])) : null;
}

/** Returns true for an object of numbers, such as the coordinates of axes. */
function isSettings(value) {
  return value !== null && !Array.isArray(value)
    && Object.values(value).every((number) => typeof number === 'number');
}

/**
 * Returns where in the JSON of keyframes a value begins and ends, `[1].blur` or `[1]`; null if it is
 * not there.
 */
function rangeOf(json, place) {
  const [, index, name] = /^\[(\d+)\](?:\.(\w+))?$/.exec(place) ?? [];
  let [depth, count, key, start] = [0, 0, null, null];
  for (const token of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const [text] = token;
    const isHere = count === Number(index);
    const isObject = text === '{' && depth === 1;
    if (isHere && isObject && name === undefined) start = token.index;
    if (text === '{' || text === '[') depth += 1;
    if (text === '}' || text === ']') depth -= 1;
    const end = token.index + text.length;
    if (text === '}' && depth === 1 && start !== null) return [start, end];
    if (text === ',' && depth === 1) count += 1;
    if (depth !== 2) continue;
    if (isObject || text === ',') key = null;
    else if (key === null) key = text;
    else if (text !== ':' && isHere && key === `"${name}"`) return [token.index, end];
  }
  return null;
}

/** A property that keyframes set, as the schema of requests describes it. */
class Property {
  constructor(name, schema) {
    this.name = name;
    this.title = capitalized(name.replace(/[A-Z]/g, (letter) => ` ${letter}`));
    this.description = schema.description;
    this.isColor = schema.format === 'color';
    /** True for coordinates of axes, an object of tags with numbers. */
    this.isAxes = schema.format === 'axes';
    /** The value of a text as it was typeset; undefined for colours and axes. */
    this.rest = schema['x-rest'];
    this.example = schema.examples?.[0] ?? this.rest;
    /** The ranges of its numbers, the usual unit's first. */
    this.ranges = (schema.anyOf ?? [schema]).map((one) => ({
      unit: one['x-unit'] ?? '',
      minimum: one.minimum ?? one['x-minimum'],
      maximum: one.maximum ?? one['x-maximum'],
    }));
  }

  /** Returns a value as the text that a field shows. */
  text(value) {
    if (!this.isAxes || typeof value !== 'object') return String(value);
    return Object.entries(value).map(([tag, number]) => `${tag}=${number}`).join(', ');
  }

  /** Returns the coordinates in a text such as `wght=900`; another text stays one. */
  axes(text) {
    const settings = text.split(',').map((one) => one.split('=').map((part) => part.trim()));
    const isRight = settings.every(([tag, number, ...more]) => /^[A-Za-z0-9]{4}$/.test(tag)
      && isNumber(number ?? '') && more.length === 0);
    if (!isRight) return text;
    return Object.fromEntries(settings.map(([tag, number]) => [tag, Number(number)]));
  }

  /** Returns the number of a value as a text, and its range. */
  parts(value) {
    const text = String(value);
    const percent = text.endsWith('%') && this.ranges.find(({ unit }) => unit === '%');
    return percent ? { text: text.slice(0, -1), range: percent } : { text, range: this.ranges[0] };
  }

  /** Returns the value of a text in a unit; what is no number stays a text that the server judges. */
  value(text, unit) {
    // Of those that are percentages throughout a number is one.
    if (unit === '%' && this.ranges[0].unit !== '%' && !text.endsWith('%')) return `${text}%`;
    return isNumber(text) ? Number(text) : text;
  }

  /**
   * Returns the value between two; undefined stands for the text as it was typeset. Values that do
   * not mix give the nearer one.
   */
  mixed(from, to, share) {
    const nearer = share < 0.5 ? from ?? to : to ?? from;
    if (this.isAxes) return nearer;
    if (this.isColor) {
      if (!channelsOf(from ?? '') || !channelsOf(to ?? '')) return nearer;
      return colorAt([{ color: from, percent: 0 }, { color: to, percent: 1 }], share);
    }
    const unit = this.parts(nearer).range.unit;
    const [start, end] = [from, to].map((value) => {
      if (value === undefined) return this.rest;
      const { text, range } = this.parts(value);
      return isNumber(text) && (range.unit === unit || Number(text) === 0) ? Number(text) : NaN;
    });
    const number = start + (end - start) * share;
    if (Number.isNaN(number)) return nearer;
    return this.value(String(Number(number.toPrecision(3))), unit);
  }
}

/** Maps a number to a slider's position, which is the finer the closer to the value at rest. */
class RestScale {
  constructor({ minimum, maximum }, rest) {
    this.rest = rest;
    this.below = rest - minimum;
    this.above = maximum - rest;
    this.first = this.below > 0 ? -1 : 0;
    this.last = this.above > 0 ? 1 : 0;
  }

  position(number) {
    const [length, sign] = number < this.rest ? [this.below, -1] : [this.above, 1];
    if (length === 0) return 0;
    const share = Math.min(Math.abs(number - this.rest) / length, 1);
    return sign * share ** (1 / this.#exponent(length));
  }

  /** Returns the number at a position, its distance from the rest to two significant digits. */
  number(position) {
    const length = position < 0 ? this.below : this.above;
    const distance = Math.abs(position) ** this.#exponent(length) * length;
    return rounded(this.rest + Math.sign(position) * Number(distance.toPrecision(2)));
  }

  #exponent(length) {
    return length > 1 ? 3 : 1;
  }
}

// The editor.

/**
 * Keyframes as rows on a time line: one of handles for all, and one of diamonds for each property.
 * Below are the values of the chosen keyframe and the easing from it on. The JSON in a text area
 * stays the value: rows show what it says, and write into it.
 */
export class KeyframeEditor {
  #area;
  #changed;
  #moved;
  #properties;
  #most;
  #keyframes = [];
  /** The keyframe whose values are shown, or null. */
  #chosen = null;
  #handles = [];
  #lines = [];
  #faults = [];
  #inherited = 'linear';
  /** The field of the chosen keyframe's place, and the controls of its easing. */
  #place = null;
  #easing = null;
  #isJSON = false;
  /** True if someone has asked for the JSON, which is shown until they ask for rows. */
  #wantsJSON = false;
  /** The text when it was last shown as JSON. */
  #beforeJSON = null;
  /** The texts before changes, for undoing them, and the last change. */
  #former = [];
  #lastChange = { kind: null, time: 0 };
  #lastDrag = 0;

  #starts = [...startingPoints].map(([name, keyframes]) => ({
    text: formatted(keyframes),
    button: element('button', {
      type: 'button', class: 'chip', onclick: () => this.#start(formatted(keyframes)),
    }, name),
  }));
  #rows = element('div', { class: 'keyframe-rows' });
  #add = addButton('Keyframe', () => this.#addInGap());
  #addProperty = addButton('Property', () => this.#toggleUnused());
  #unused = element('div', { class: 'keyframe-unused', role: 'group', hidden: true });
  #undo = element('button', { type: 'button', class: 'text-tool', onclick: () => this.#putBack() },
    'Undo');
  #values = element('div', { class: 'keyframe-values', role: 'group' });
  #copy = element('button', { type: 'button', class: 'text-tool', onclick: () => this.#copyText() },
    'Copy as JSON');
  #mode = element('button', { type: 'button', class: 'text-tool', onclick: () => this.#switch() });
  #note = element('p', { class: 'keyframe-note' }, 'Rows cannot show what is written here.');
  #status = element('p', { class: 'unseen', role: 'status' });
  #inRows;
  root;

  /**
   * @param area the text area with the JSON.
   * @param definition the parameter's, with the schemas of `members`.
   * @param options the `label`; `changed`, called when the user has changed the JSON; and `moved`,
   *   called when the places have changed at which faults are shown.
   */
  constructor(area, definition, { label, changed, moved }) {
    const isInUse = area === document.activeElement;
    this.#area = area;
    this.#changed = changed;
    this.#moved = moved;
    this.#most = definition.most;
    this.#properties = new Map(Object.entries(definition.members)
      .filter(([name]) => name !== 'offset' && name !== 'easing')
      .map(([name, schema]) => [name, new Property(name, schema)]));
    this.#add.setAttribute('aria-label', 'Add a keyframe');
    this.#addProperty.setAttribute('aria-label', 'Add a property');
    this.#unused.setAttribute('aria-label', 'Properties to add');
    const starts = element(
      'div', { class: 'keyframe-starts', role: 'group', 'aria-label': 'Start from' },
      element('span', { 'aria-hidden': 'true' }, 'Start from'),
      ...this.#starts.map((start) => start.button));
    this.#inRows = element(
      'div', { class: 'keyframe-editor' }, starts, this.#rows,
      element('div', { class: 'keyframe-tools' }, this.#add, this.#addProperty), this.#unused,
      this.#values);
    this.root = element(
      'div', { class: 'keyframes', role: 'group', 'aria-label': label },
      this.#inRows, area, this.#note,
      element('div', { class: 'keyframe-tools' }, this.#mode, this.#copy, this.#undo),
      this.#status);
    this.root.addEventListener('keydown', (event) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      // Fields undo what is typed in them.
      if (!isUndo || event.target.matches('input[type="text"], textarea')) return;
      // What was before it is undone by the form.
      if (this.#former.length === 0) return;
      event.preventDefault();
      this.#putBack();
    });
    area.addEventListener('input', () => this.#describe());
    // Who is writing in it stays there.
    this.#wantsJSON = isInUse;
    this.show();
    if (isInUse) setTimeout(() => area.focus());
  }

  /** Shows what the text area says. */
  show() {
    const keyframes = readKeyframes(this.#area.value, this.#properties, this.#most);
    this.#isJSON = this.#wantsJSON || keyframes === null;
    if (!this.#isJSON) {
      const index = Math.max(this.#keyframes.indexOf(this.#chosen), 0);
      this.#keyframes = keyframes;
      this.#chosen = keyframes[Math.min(index, keyframes.length - 1)] ?? null;
      this.#faults = [];
      this.#build();
    }
    this.#area.hidden = !this.#isJSON;
    this.#inRows.hidden = this.#isJSON;
    this.#describe();
  }

  /** Shows what the text area says instead of what it has said; nothing of that can be undone. */
  replace() {
    this.#former = [];
    this.#beforeJSON = null;
    this.show();
  }

  /** Takes over the values of other parameters. */
  follow({ easing }) {
    if (easing === undefined || easing === this.#inherited) return;
    this.#inherited = easing;
    this.#easing?.show(this.#chosen.members.easing, easing);
  }

  /**
   * Shows faults at the values that they name.
   *
   * @param faults each with its `message`, and the `rest` of its parameter's name, `[1].blur`.
   * @returns those that are not shown.
   */
  mark(faults) {
    const found = faults.map((fault) => {
      const [, index, name] = /^\[(\d+)\](?:\.(\w+)(?:\.\w+)?)?$/.exec(fault.rest) ?? [];
      const keyframe = this.#isJSON ? undefined : this.#keyframes[index];
      const row = name === 'offset' || name === 'easing' ? null : this.#properties.get(name);
      const isShown = keyframe && row !== undefined && (row === null || keyframe.has(row));
      return { fault, name, row, keyframe: isShown ? keyframe : undefined };
    });
    const shown = found.filter(({ keyframe }) => keyframe);
    if (shown.length > 0 || this.#faults.length > 0) {
      this.#faults = shown;
      this.#showFaults();
    }
    return found.filter(({ keyframe }) => !keyframe).map(({ fault }) => fault);
  }

  /** The messages of the faults that are shown. */
  get messages() {
    return this.#isJSON ? [] : [...this.#rows.querySelectorAll('.row-problem')];
  }

  /** Gives the focus to the value that the rest of a fault's name says, or to what is first. */
  focus(rest = '') {
    if (this.#isJSON) {
      this.#area.focus();
      const range = rangeOf(this.#area.value, rest);
      if (range) this.#area.setSelectionRange(...range);
      return;
    }
    const fault = this.#faults.find((one) => one.fault.rest === rest);
    if (fault) {
      this.#choose(fault.keyframe);
      const input = this.#values.querySelector(`[data-key="value:${fault.name}"]`);
      (input ?? this.#handleOf(fault.keyframe)).focus();
    } else if (this.#chosen) {
      this.#handleOf(this.#chosen).focus();
    } else {
      this.#starts[0].button.focus();
    }
  }

  // Changes.

  /** Writes the keyframes into the text area; changes of one kind in a row are undone together. */
  #commit(kind) {
    settle(this.#keyframes);
    const text = formatted(this.#keyframes.map(({ members }) => members));
    if (text === this.#area.value) return;
    const now = performance.now();
    const last = this.#lastChange;
    if (kind === undefined || kind !== last.kind || now - last.time > undoPause) {
      this.#remember(this.#area.value);
    }
    this.#lastChange = { kind, time: now };
    this.#area.value = text;
    this.#describe();
    this.#changed();
  }

  /** Keeps a text for undoing what follows. */
  #remember(text) {
    this.#former.push(text);
    if (this.#former.length > mostUndone) this.#former.shift();
  }

  /** Commits a change of what rows and handles there are. */
  #restructure(words) {
    this.#commit();
    this.#build();
    this.#announce(words);
  }

  #putBack() {
    this.#area.value = this.#former.pop();
    this.#lastChange = { kind: null, time: 0 };
    this.show();
    this.#announce('Undone.');
    this.#changed();
    const focused = document.activeElement;
    if (this.#undo.hidden && (focused === this.#undo || focused === document.body)) this.focus();
  }

  #announce(words) {
    this.#status.textContent = words;
  }

  /** Replaces all by keyframes to begin with. */
  #start(text) {
    if (text === this.#area.value) return;
    this.#remember(this.#area.value);
    this.#area.value = text;
    this.#chosen = null;
    this.show();
    this.#changed();
  }

  /** Adds a keyframe in the middle of the widest gap, with all values as they are there. */
  #addInGap() {
    const places = [0, ...this.#keyframes.map(({ place }) => place), 1];
    const gaps = places.slice(1).map((place, index) => ({
      size: place - places[index], middle: (place + places[index]) / 2,
    }));
    const widest = gaps.reduce((one, other) => other.size > one.size ? other : one);
    this.#addAt(Math.round(widest.middle * 100) / 100, this.#used);
  }

  /** Adds values of properties at a place, to its keyframe or to one of their own. */
  #addAt(place, properties) {
    let keyframe = this.#keyframes.find((one) => Math.abs(one.place - place) < 0.005);
    if (!keyframe && this.#keyframes.length >= this.#most) return;
    const values = properties.filter((one) => !keyframe?.has(one))
      .map((one) => [one.name, this.#valueAt(one, place)]);
    if (!keyframe) {
      keyframe = new Keyframe({ offset: place }, place);
      this.#keyframes.push(keyframe);
    }
    Object.assign(keyframe.members, Object.fromEntries(values));
    this.#chosen = keyframe;
    this.#restructure(`Keyframe at ${keyframe.percent} % added.`);
    this.#handleOf(keyframe).focus();
  }

  /** Returns the value of a property at a place between its keyframes. */
  #valueAt(property, place) {
    const given = this.#keyframes.filter((one) => one.has(property));
    const before = given.findLast((one) => one.place <= place);
    const after = given.find((one) => one.place > place);
    const [start, end] = [before?.place ?? 0, after?.place ?? 1];
    const share = end > start ? (place - start) / (end - start) : 1;
    return property.mixed(
      before?.members[property.name], after?.members[property.name], share);
  }

  #remove(keyframe) {
    const index = this.#keyframes.indexOf(keyframe);
    this.#keyframes.splice(index, 1);
    this.#chosen = this.#keyframes[Math.min(index, this.#keyframes.length - 1)] ?? null;
    this.#restructure(`Keyframe at ${keyframe.percent} % removed.`);
    this.focus();
  }

  #set(keyframe, property, value) {
    keyframe.members[property.name] = value;
    this.#draw();
    this.#commit(`${property.name} ${keyframe.id}`);
  }

  /** Adds a property that no keyframe has, to the chosen one unless the text is at rest there. */
  #addUnused(property) {
    const [first] = this.#keyframes;
    const keyframe = this.#chosen.place < 1 ? this.#chosen : first;
    this.#chosen = keyframe;
    keyframe.members[property.name] = keyframe.place < 1
      ? property.example : property.rest ?? property.example;
    this.#restructure(`${property.title} added.`);
    this.#focusKey(`value:${property.name}`);
  }

  #addValue(property) {
    this.#chosen.members[property.name] = this.#valueAt(property, this.#chosen.place);
    this.#restructure(`${property.title} set at ${this.#chosen.percent} %.`);
    this.#focusKey(`value:${property.name}`);
  }

  #removeValue(keyframe, property) {
    delete keyframe.members[property.name];
    this.#restructure(`${property.title} at ${keyframe.percent} % removed.`);
    this.#focusKey(`set:${property.name}`);
  }

  #removeProperty(property) {
    const index = this.#used.indexOf(property);
    for (const { members } of this.#keyframes) delete members[property.name];
    this.#restructure(`${property.title} removed.`);
    const next = this.#used[Math.min(index, this.#used.length - 1)];
    if (next) this.#focusKey(`row:${next.name}`);
    else this.#addProperty.focus();
  }

  /** The properties that a keyframe has, in the order of the schema. */
  get #used() {
    return [...this.#properties.values()]
      .filter((property) => this.#keyframes.some((one) => one.has(property)));
  }

  // What is shown.

  /** Makes rows, handles and controls anew; the focus stays where it is. */
  #build() {
    const focused = this.root.contains(document.activeElement) ? document.activeElement : null;
    const isEmpty = this.#keyframes.length === 0;
    this.#handles = [];
    this.#lines = [];
    this.#rows.hidden = isEmpty;
    this.#add.hidden = isEmpty || this.#keyframes.length >= this.#most;
    this.#rows.replaceChildren(this.#row(null), ...this.#used.map((one) => this.#row(one)));
    this.#buildUnused();
    this.#showValues();
    this.#draw();
    this.#showFaults();
    if (!focused || focused.isConnected) return;
    const { dataset: { key }, ariaLabel } = focused;
    this.root.querySelector(key ? `[data-key="${key}"]` : `[aria-label="${ariaLabel}"]`)?.focus();
  }

  /** Shows the order of the keyframes if it has changed. */
  #reorder() {
    const shown = this.#handles.filter(({ property }) => !property);
    if (shown.every(({ keyframe }, index) => keyframe === this.#keyframes[index])) this.#draw();
    else this.#build();
  }

  /** Gives an element the focus, or if there is none of this key, the chosen keyframe's handle. */
  #focusKey(key) {
    const found = this.root.querySelector(`[data-key="${key}"]`);
    if (found) found.focus();
    else this.focus();
  }

  #buildUnused() {
    const used = this.#used;
    const unused = [...this.#properties.values()].filter((property) => !used.includes(property));
    this.#addProperty.hidden = this.#keyframes.length === 0 || unused.length === 0;
    this.#unused.hidden ||= this.#addProperty.hidden;
    this.#addProperty.setAttribute('aria-expanded', !this.#unused.hidden);
    this.#unused.replaceChildren(...unused.map((property) => element('button', {
      type: 'button', class: 'chip', title: property.description,
      onclick: () => this.#addUnused(property),
    }, property.title)));
  }

  #toggleUnused() {
    this.#unused.hidden = !this.#unused.hidden;
    this.#addProperty.setAttribute('aria-expanded', !this.#unused.hidden);
    this.#unused.querySelector('button')?.focus();
  }

  /** The row of a property; null is the one that moves keyframes with all of their values. */
  #row(property) {
    const track = element('div', { class: 'keyframe-track' });
    const bar = element('div', { class: 'keyframe-bar' }, track);
    const row = element(
      'div', { class: property ? 'keyframe-row' : 'keyframe-row keyframe-moments' },
      element('span', { class: 'row-name', title: property?.description ?? null },
        property?.title ?? 'Time'),
      bar);
    if (property) {
      const line = element('span', { class: 'row-line' });
      const ends = [0, 1].map((place) => ({
        place, mark: element('span', { class: 'row-rest', title: 'As typeset' }),
      }));
      ends.forEach(({ place, mark }) => mark.style.setProperty('--place', `${place * 100}%`));
      track.append(line, ...ends.map(({ mark }) => mark));
      this.#lines.push({ property, ends });
      const remove = removeButton(() => this.#removeProperty(property));
      remove.setAttribute('aria-label', `Remove ${property.title}`);
      remove.dataset.key = `row:${property.name}`;
      row.append(remove);
    }
    for (const keyframe of this.#keyframes) {
      if (property && !keyframe.has(property)) continue;
      const handle = this.#handle(keyframe, property);
      this.#handles.push({ handle, keyframe, property });
      track.append(handle);
    }
    bar.onclick = (event) => {
      if (event.target.closest('.keyframe-handle')) return;
      this.#addAt(this.#placeAt(track, event.clientX), property ? [property] : this.#used);
    };
    return row;
  }

  /** Returns the place on a track, to a hundredth. */
  #placeAt(track, clientX) {
    const { left, width } = track.getBoundingClientRect();
    return Math.round(Math.min(Math.max((clientX - left) / width, 0), 1) * 100) / 100;
  }

  /** A handle of a keyframe in a row. Tab passes over the diamonds: all moves are in the first row. */
  #handle(keyframe, property) {
    const handle = element('button', {
      type: 'button', role: 'slider', 'aria-valuemin': 0, 'aria-valuemax': 100,
      class: property ? 'keyframe-handle diamond' : 'keyframe-handle', tabIndex: property ? -1 : 0,
      'aria-keyshortcuts': 'Delete',
      dataset: { key: `handle:${property?.name ?? ''}:${keyframe.id}` },
    });
    /**
     * Where the pointer has taken the handle: `x` in pixels from its middle, and `from`, where that
     * was on the page, until it has moved; null while it has not.
     */
    let grip = null;
    handle.onfocus = () => this.#choose(keyframe);
    handle.onpointerdown = (event) => {
      if (event.button !== 0) return;
      const { left, width } = handle.getBoundingClientRect();
      grip = { x: event.clientX - left - width / 2, from: event.clientX };
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    };
    handle.onpointermove = (event) => {
      // A click may tremble.
      if (!grip || (grip.from !== null && Math.abs(event.clientX - grip.from) < 3)) return;
      grip.from = null;
      keyframe.place = this.#placeAt(handle.parentElement, event.clientX - grip.x);
      this.#draw();
      if (performance.now() - this.#lastDrag < dragPause) return;
      this.#lastDrag = performance.now();
      this.#commit(`drag ${keyframe.id}`);
    };
    handle.onlostpointercapture = () => {
      const isMoved = grip?.from === null;
      grip = null;
      if (!isMoved) return;
      this.#commit(`drag ${keyframe.id}`);
      this.#lastChange.kind = null;
      // The click that follows goes to the handle.
      setTimeout(() => this.#reorder());
    };
    handle.onkeydown = (event) => {
      const place = stepped(keyframe.place, event);
      const isRemoval = event.key === 'Delete' || event.key === 'Backspace';
      if (place === null && !isRemoval) return;
      event.preventDefault();
      if (!isRemoval) {
        keyframe.place = place;
        this.#commit(`step ${keyframe.id}`);
        this.#reorder();
      } else if (property) {
        this.#removeValue(keyframe, property);
        this.#handleOf(keyframe).focus();
      } else {
        this.#remove(keyframe);
      }
    };
    return handle;
  }

  /** The handle of a keyframe among those of all. */
  #handleOf(keyframe) {
    return this.#handles.find((one) => one.keyframe === keyframe && !one.property).handle;
  }

  #choose(keyframe) {
    if (keyframe === this.#chosen) return;
    this.#chosen = keyframe;
    this.#showValues();
    this.#draw();
    this.#showFaults();
  }

  /** Draws handles and lines where they are now. */
  #draw() {
    const sorted = [...this.#keyframes].sort((one, other) => one.place - other.place);
    for (const { handle, keyframe, property } of this.#handles) {
      const name = `Keyframe ${sorted.indexOf(keyframe) + 1}`;
      const value = property?.text(keyframe.members[property.name]);
      handle.style.setProperty('--place', `${keyframe.percent}%`);
      handle.classList.toggle('chosen', keyframe === this.#chosen);
      handle.setAttribute('aria-valuenow', keyframe.percent);
      handle.setAttribute(
        'aria-valuetext', `${keyframe.percent} %${property ? `, ${value}` : ''}`);
      handle.setAttribute('aria-label', property ? `${name}, ${property.title}` : name);
      if (!property) handle.textContent = sorted.indexOf(keyframe) + 1;
      handle.classList.toggle('colored', property?.isColor === true);
      if (property?.isColor) handle.style.setProperty('--swatch', imageOf(value));
    }
    for (const { property, ends } of this.#lines) {
      const places = sorted.filter((one) => one.has(property)).map(({ place }) => place);
      for (const { place, mark } of ends) mark.hidden = places.includes(place);
    }
    this.#drawChosen();
  }

  #drawChosen() {
    if (!this.#place) return;
    const { place, percent, members } = this.#chosen;
    const field = this.#place.inputs.at(-1);
    if (document.activeElement !== field) this.#place.write(String(percent));
    // Nothing follows on the end.
    this.#easing.root.parentElement.hidden = place === 1 && !('easing' in members);
  }

  #showFaults() {
    for (const message of this.#rows.querySelectorAll('.row-problem')) message.remove();
    const current = this.#faults.filter(({ keyframe }) => this.#keyframes.includes(keyframe));
    const rows = [null, ...this.#used];
    for (const [index, row] of [...rows.entries()].reverse()) {
      const here = current.filter((one) => one.row === row);
      if (here.length === 0) continue;
      const lines = here.map(({ keyframe, name, fault }) => {
        const number = this.#keyframes.indexOf(keyframe) + 1;
        return `Keyframe ${number}${row ? '' : `, ${name}`}: ${fault.message}`;
      });
      this.#rows.children[index].after(element('p', { class: 'row-problem' }, lines.join('\n')));
    }
    for (const { handle, keyframe, property } of this.#handles) {
      handle.classList.toggle('wrong', current.some((one) => one.keyframe === keyframe
        && (property === null || one.row === property)));
    }
    for (const input of this.#values.querySelectorAll('[data-key^="value:"]')) {
      const isWrong = current.some(({ keyframe, name }) => keyframe === this.#chosen
        && input.dataset.key === `value:${name}`);
      markInvalid(input, isWrong);
    }
  }

  // The chosen keyframe.

  #showValues() {
    const keyframe = this.#chosen;
    this.#place = this.#easing = null;
    this.#values.hidden = keyframe === null;
    if (!keyframe) return;
    const name = `Keyframe ${this.#keyframes.indexOf(keyframe) + 1}`;
    this.#values.setAttribute('aria-label', name);
    const remove = removeButton(() => this.#remove(keyframe));
    remove.setAttribute('aria-label', `Remove ${name.toLowerCase()}`);
    remove.dataset.key = 'remove';
    this.#values.replaceChildren(
      element('div', { class: 'value-head' },
        element('strong', {}, name), this.#placeField(keyframe), remove),
      ...this.#used.map((property) => this.#valueRow(keyframe, property)));
    this.#showEasing(keyframe);
  }

  #placeField(keyframe) {
    const control = numberControl(
      partOf({ type: 'number', minimum: 0, maximum: 100, unit: '%' }), { changed: () => {
        const percent = control.read();
        const isPlace = isNumber(percent) && percent >= 0 && percent <= 100;
        markInvalid(input, !isPlace);
        if (!isPlace) return;
        keyframe.place = rounded(percent / 100);
        this.#draw();
        this.#commit(`place ${keyframe.id}`);
      } });
    const input = control.inputs.at(-1);
    named(control, 'Keyframe, percent of the time');
    input.dataset.key = 'value:offset';
    control.write(String(keyframe.percent));
    // The keyframe may belong elsewhere now; the focus may be on its way to another field.
    input.onchange = () => setTimeout(() => {
      markInvalid(input, false);
      control.write(String(keyframe.percent));
      this.#reorder();
    });
    this.#place = control;
    return control.root;
  }

  /** The controls of a property's value; where it has none, a button that gives it one. */
  #valueRow(keyframe, property) {
    const { title, name } = property;
    const row = (control, button) => element(
      'div', { class: 'value-row', dataset: { property: name } },
      element('span', { class: 'row-name', 'aria-hidden': 'true' }, title), control, button);
    if (!keyframe.has(property)) {
      const set = element('button', {
        type: 'button', class: 'quiet remove', title: 'Set it here',
        'aria-label': `Set ${title} here`, dataset: { key: `set:${name}` },
        onclick: () => this.#addValue(property),
      }, icon(plusIcon));
      return row(element('span', { class: 'value-none' }, 'not set here'), set);
    }
    const remove = removeButton(() => this.#removeValue(keyframe, property));
    remove.setAttribute('aria-label', `Remove ${title} here`);
    const control = this.#control(keyframe, property);
    named(control, title);
    control.inputs.at(-1).dataset.key = `value:${name}`;
    return row(control.root, remove);
  }

  #control(keyframe, property) {
    if (property.isColor) return this.#colorControl(keyframe, property);
    if (property.isAxes) return this.#axesControl(keyframe, property);
    return this.#lengthControl(keyframe, property);
  }

  /** A field for tags with values. */
  #axesControl(keyframe, property) {
    const control = textControl(partOf({}), {
      changed: () => this.#set(keyframe, property, property.axes(control.read())),
    });
    control.write(property.text(keyframe.members[property.name]));
    return control;
  }

  #colorControl(keyframe, property) {
    const control = colorControl(partOf({}), {
      label: property.title,
      changed: () => this.#set(keyframe, property, control.read()),
    });
    control.write(String(keyframe.members[property.name]));
    return control;
  }

  /** A slider, a field, and a menu of the units if there are several. */
  #lengthControl(keyframe, property) {
    const { title, rest, ranges } = property;
    let { text, range } = property.parts(keyframe.members[property.name]);
    const slider = element('input', {
      type: 'range', step: 0.01, 'aria-label': `${title}, slider`,
    });
    const menu = ranges.length > 1 ? element(
      'select', { 'aria-label': `${title}, unit`, class: 'value-unit' },
      ...ranges.map(({ unit }) => element('option', { value: unit }, unit))) : null;
    const control = numberControl(
      partOf({ type: 'number', ...range, unit: menu ? '' : range.unit }),
      { changed: () => { follow(); set(); } });

    let scale;
    const follow = () => {
      scale = new RestScale(range, rest);
      Object.assign(slider, { min: scale.first, max: scale.last });
      const number = Number(control.read());
      slider.value = scale.position(Number.isNaN(number) ? rest : number);
      slider.setAttribute('aria-valuetext', `${control.read()} ${range.unit}`.trim());
      fillTrack(slider);
    };
    const set = () => this.#set(keyframe, property, property.value(control.read(), range.unit));
    slider.oninput = () => {
      control.write(String(scale.number(Number(slider.value))));
      follow();
      set();
    };
    if (menu) {
      menu.value = range.unit;
      menu.onchange = () => {
        range = ranges.find(({ unit }) => unit === menu.value);
        const number = Number(control.read());
        const nearest = Math.min(Math.max(number, range.minimum), range.maximum);
        // 1000 % is a length, 1000 em is none.
        if (nearest !== number && !Number.isNaN(number)) control.write(String(nearest));
        follow();
        set();
      };
    }
    control.write(text);
    follow();
    control.root.prepend(slider);
    if (menu) control.root.append(menu);
    return control;
  }

  #showEasing(keyframe) {
    const editor = new EasingEditor('Easing', (easing) => {
      if (easing === undefined) delete keyframe.members.easing;
      else keyframe.members.easing = easing;
      this.#commit(`easing ${keyframe.id}`);
    });
    editor.show(keyframe.members.easing, this.#inherited);
    editor.menu.dataset.key = 'value:easing';
    this.#easing = editor;
    this.#values.append(element(
      'div', { class: 'value-easing' },
      element('p', { 'aria-hidden': 'true' }, 'Easing from here on'), editor.root));
  }

  // JSON.

  /** Updates what depends on the text. */
  #describe() {
    for (const { text, button } of this.#starts) {
      button.setAttribute('aria-pressed', text === this.#area.value);
    }
    const canShowRows = !this.#isJSON
      || readKeyframes(this.#area.value, this.#properties, this.#most) !== null;
    this.#mode.textContent = this.#isJSON ? 'Edit in rows' : 'Edit as JSON';
    this.#mode.disabled = !canShowRows;
    this.#note.hidden = canShowRows;
    this.#undo.hidden = this.#former.length === 0 || this.#isJSON;
  }

  #switch() {
    const [before, text] = [this.#beforeJSON, this.#area.value];
    this.#wantsJSON = !this.#isJSON;
    if (this.#wantsJSON) this.#beforeJSON = text;
    else if (before !== null && before !== text) this.#remember(before);
    this.show();
    this.#moved();
    this.focus();
  }

  async #copyText() {
    // Where the text has to be selected for it, it must not be hidden.
    this.#area.classList.toggle('unseen', !this.#isJSON);
    this.#area.hidden = false;
    const isCopied = await copy(this.#area.value, this.#area);
    this.#area.hidden = !this.#isJSON;
    this.#area.classList.remove('unseen');
    this.#copy.focus();
    this.#announce(isCopied ? 'Copied.' : 'Copying is not allowed.');
    this.#copy.textContent = isCopied ? 'Copied' : 'Copying failed';
    setTimeout(() => { this.#copy.textContent = 'Copy as JSON'; }, 2000);
  }
}

/** Returns the place to which a key moves a keyframe; null if it is no key that does. */
function stepped(place, { key, shiftKey }) {
  const size = shiftKey ? 0.1 : 0.01;
  const next = {
    Home: 0, End: 1, PageDown: place - 0.1, PageUp: place + 0.1,
    ArrowLeft: place - size, ArrowDown: place - size,
    ArrowRight: place + size, ArrowUp: place + size,
  }[key];
  return next === undefined ? null : rounded(Math.min(Math.max(next, 0), 1));
}
