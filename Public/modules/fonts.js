import { element, fillMenu, icon, named, numberControl, select } from './controls.js';
import { Thumbnail, ink, thumbnailAddress } from './thumbnails.js';

/** Makers of the controls of type by the parameter's name, as `controlFor` in controls.js. */
export const fontControls = {
  font: familyControl, weight: weightControl, fontFeatures: featuresControl,
  fontVariations: axesControl,
};

/** The families that stand for what the server has of a kind (CSS Fonts 4, 2.1.4). */
const genericFamilies = ['sans-serif', 'serif', 'monospace'];

/** The word that leaves the families to the server. */
const automatic = 'auto';

/** The families that it then uses, the first that it has, and the weights of texts that name none. */
const automaticFamilies = [{ family: 'Inter', weight: 600 }, { family: 'DejaVu Sans', weight: 400 }];

/** The weight of texts that name a family and no weight. */
const regular = 400;

/** Returns the family and the weight that `auto` stands for. */
function automaticFamily(fonts) {
  return automaticFamilies.find(({ family }) => fonts.some((font) => font.family === family))
    ?? automaticFamilies.at(-1);
}

/** Returns the entry of `GET /fonts` for the first family of a list; undefined for another. */
function firstFamily(list, fonts) {
  const named = list === automatic ? automaticFamily(fonts).family : list;
  const first = named.split(',')[0].trim().toLowerCase();
  return fonts.find(({ family }) => family.toLowerCase() === first);
}

// Families.

let listCount = 0;

/**
 * A field for a family, or for several with commas, and a list of all families to choose from (the
 * combobox of ARIA 1.2 with a list). Typing narrows the list down by the last family of the field.
 */
function familyControl(definition, { id, label, changed, fonts }) {
  const field = element('input', {
    id, name: definition.name, type: 'text', role: 'combobox', spellcheck: false,
    autocomplete: 'off', maxLength: definition.maxLength, 'aria-autocomplete': 'list',
    'aria-expanded': 'false', 'aria-haspopup': 'listbox',
  });
  const button = element('button', {
    type: 'button', class: 'quiet', tabIndex: -1, 'aria-label': `${label}, list of families`,
  }, icon('M4 6l4 4 4-4'));
  const status = element('p', { class: 'unseen', role: 'status' });
  const root = element(
    'div', { class: 'families' }, element('div', { class: 'families-field' }, field, button));
  const automaticWords = `Automatic: ${automaticFamily(fonts).family}`;
  let value = '';
  let list = null;

  const shownAs = (text) => text === automatic ? automaticWords : text;
  const isOpen = () => list?.isOpen ?? false;
  const commit = (text) => {
    field.value = shownAs(text);
    if (text === value) return;
    value = text;
    changed();
  };
  const close = () => {
    list?.close();
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
    status.textContent = '';
  };
  const point = (option) => {
    if (option) field.setAttribute('aria-activedescendant', option.id);
    else field.removeAttribute('aria-activedescendant');
  };
  const take = (family) => {
    const before = field.value.split(',').slice(0, -1).map((one) => one.trim());
    // Without a search the list answers the whole field; the automatic families stand alone.
    const isOneOfSeveral = list.isSearched && family !== automatic;
    commit((isOneOfSeveral ? [...before, family] : [family]).join(', '));
    close();
  };
  const open = (search = null) => {
    // Most pages never open most lists.
    if (!list) {
      list = new FamilyList(fonts, { label: `${label}, families`, automaticWords, taken: take });
      root.append(list.root, status);
      field.setAttribute('aria-controls', list.root.id);
    }
    const found = list.open(search, lastOf(search ?? value));
    field.setAttribute('aria-expanded', 'true');
    point(list.active);
    status.textContent = search === null ? '' : `${found} ${found === 1 ? 'family' : 'families'}`;
  };
  /** Takes over what is typed, unless it is a search that has not come to its end. */
  const settle = () => {
    const parts = field.value.split(',').map((one) => one.trim()).filter(Boolean);
    const isSearch = isOpen() && list.isSearched && list.active && !list.knows(lastOf(field.value));
    const isKept = isSearch || field.value === shownAs(value);
    commit(isKept ? value : parts.join(', ') || definition.default);
    close();
  };

  field.oninput = () => open(lastOf(field.value));
  field.onclick = () => {
    if (isOpen()) return;
    field.inputMode = 'text';
    field.select();
    open();
  };
  field.onblur = settle;
  field.onkeydown = (event) => {
    if (event.key === 'Escape') {
      if (!isOpen() && field.value === shownAs(value)) return;
      commit(value);
      close();
    } else if (event.key === 'Enter') {
      if (isOpen() && list.active) take(list.active.dataset.family);
      else settle();
    } else if (!isOpen() && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      open();
    } else if (isOpen() && list.step(event.key)) {
      point(list.active);
    } else {
      return;
    }
    event.preventDefault();
  };
  // The focus stays in the field.
  root.onmousedown = (event) => { if (event.target !== field) event.preventDefault(); };
  button.onclick = () => {
    if (isOpen()) {
      close();
      return;
    }
    // A telephone's keyboard would cover the list.
    field.inputMode = 'none';
    field.focus();
    open();
  };

  return {
    root,
    inputs: [field],
    read: () => value,
    write(text) {
      value = text ?? definition.default;
      field.value = shownAs(value);
    },
  };
}

/** Returns the last family of a list, trimmed. */
function lastOf(list) {
  return list.split(',').at(-1).trim();
}

/** The rows that a press of Page Down goes on. */
const pageRows = 8;

/** The families in groups, those that set Latin text each in its own face. */
class FamilyList {
  #options = [];
  #shown = [];
  #groups;
  #none = element('p', { class: 'families-none', hidden: true }, 'No such family here');
  #taken;
  /** The option that Enter takes; null without one. */
  active = null;
  /** True if it shows what matches a search. */
  isSearched = false;
  root;

  /**
   * @param options `automaticWords`, which name what `auto` stands for; `taken`, called with the family
   *   that has been chosen.
   */
  constructor(fonts, { label, automaticWords, taken }) {
    const id = `families-${listCount += 1}`;
    this.#taken = taken;
    const group = (title, families, isDrawn, words = null) => {
      const options = families.map((family) => this.#option(
        `${id}-${this.#options.length}`, family, words ?? family, isDrawn));
      return element(
        'div', { role: 'group', class: 'families-group', 'aria-label': title },
        element('p', { class: 'families-title', 'aria-hidden': 'true' }, title), ...options);
    };
    const others = fonts.filter(({ family }) => !genericFamilies.includes(family.toLowerCase()));
    const [text, scripts] = [true, false].map((isLatin) => others
      .filter(({ latin }) => latin === isLatin).map(({ family }) => family));
    this.#groups = [
      group('Default', [automatic], true, automaticWords), group('Text', text, true),
      group('Generic', genericFamilies, true),
      group('Other scripts', scripts, false),
    ];
    this.root = element(
      'div', { id, role: 'listbox', class: 'families-list', hidden: true, 'aria-label': label },
      ...this.#groups, this.#none);
    this.root.onclick = (event) => {
      const option = event.target.closest('[role="option"]');
      if (option) this.#taken(option.dataset.family);
    };
  }

  get isOpen() {
    return !this.root.hidden;
  }

  /**
   * Shows all families, or those that match a search.
   *
   * @param chosen the family that the field holds.
   * @returns the number of families.
   */
  open(search, chosen) {
    const wanted = (search ?? '').toLowerCase();
    this.isSearched = search !== null;
    for (const option of this.#options) {
      option.hidden = !matches(nameOf(option), wanted);
      option.setAttribute('aria-selected', sameFamily(option.dataset.family, chosen));
    }
    this.#shown = this.#options.filter(({ hidden }) => !hidden);
    for (const group of this.#groups) {
      group.hidden = !group.querySelector('[role="option"]:not([hidden])');
    }
    this.#none.hidden = this.#shown.length > 0;
    const isOpening = !this.isOpen;
    this.root.hidden = false;
    const exact = this.#shown.find(({ dataset }) => sameFamily(dataset.family, chosen));
    this.#point(exact ?? (wanted ? this.#best(wanted) : null));
    if (isOpening) this.root.scrollIntoView({ block: 'nearest' });
    if (isOpening || !this.active) {
      const { offsetTop = 0 } = this.active ?? {};
      this.root.scrollTop = offsetTop - this.root.clientHeight / 2;
    }
    return this.#shown.length;
  }

  close() {
    this.root.hidden = true;
    this.#point(null);
  }

  knows(family) {
    return this.#options.some(({ dataset }) => sameFamily(dataset.family, family));
  }

  /** Makes another option the active one as a key says; returns true if it is a key that does. */
  step(key) {
    const { length } = this.#shown;
    const index = this.#shown.indexOf(this.active);
    const next = {
      ArrowDown: index < length - 1 ? index + 1 : 0, ArrowUp: index > 0 ? index - 1 : length - 1,
      Home: 0, End: length - 1,
      PageDown: Math.min(index + pageRows, length - 1), PageUp: Math.max(index - pageRows, 0),
    }[key];
    if (next === undefined || length === 0) return false;
    this.#point(this.#shown[next]);
    return true;
  }

  #option(id, family, words, isDrawn) {
    const option = element(
      'div', { id, role: 'option', class: 'family', 'aria-label': words, dataset: { family } },
      element('span', { class: 'family-name' }, words));
    if (isDrawn) option.append(faceOf(family, words));
    this.#options.push(option);
    return option;
  }

  /** Returns the first family that begins with a search, else the first one that has it. */
  #best(wanted) {
    return this.#shown.find((option) => nameOf(option).toLowerCase().startsWith(wanted))
      ?? this.#shown[0] ?? null;
  }

  #point(option) {
    this.active?.classList.remove('active');
    this.active = option;
    option?.classList.add('active');
    option?.scrollIntoView({ block: 'nearest' });
  }
}

/** Returns the words of an option: the family's name, or those for `auto`. */
function nameOf(option) {
  return option.getAttribute('aria-label');
}

/** Returns a picture of words in a family, fetched once it is in view. */
function faceOf(family, words) {
  const face = new Thumbnail();
  const address = thumbnailAddress(
    [words], { font: family, size: '20', padding: '2', animate: 'false', ...ink });
  face.show(address);
  return face.root;
}

function sameFamily(one, other) {
  return one.toLowerCase() === other.toLowerCase();
}

/** True if a name has each word of a search. */
function matches(name, wanted) {
  return wanted.split(/\s+/).every((word) => name.toLowerCase().includes(word));
}

// Weights.

const weightNames = {
  100: 'Thin', 200: 'Extra light', 300: 'Light', 400: 'Regular', 500: 'Medium', 600: 'Semibold',
  700: 'Bold', 800: 'Extra bold', 900: 'Black', 1000: 'Extra black',
};

/** A menu of the weights that the chosen family has; of a variable one a slider of all. */
function weightControl(definition, options) {
  const menu = element(
    'select', { id: options.id, name: definition.name, onchange: options.changed });
  const root = element('div', { class: 'weight' }, menu);
  let font;
  /** The weight that `auto` stands for. */
  let usual = regular;
  /** The control of a variable family; null for others. */
  let number = null;

  const read = () => number ? number.read() : menu.value;
  const write = (text) => {
    const axis = font?.axes?.find(({ tag }) => tag === 'wght');
    if (axis) {
      const { minimum, maximum } = axis;
      number = numberControl({ ...definition, minimum, maximum, usual }, options);
      number.write(text);
    } else {
      number = null;
      const weights = font?.weights ?? Object.keys(weightNames);
      const titleOf = (weight) => [weightNames[weight], weight].filter(Boolean).join(' ');
      fillMenu(menu, [
        [automatic, `Automatic: ${titleOf(usual)}`],
        ...weights.map((weight) => [String(weight), titleOf(weight)]),
      ]);
      select(menu, text ?? String(definition.default));
    }
    root.replaceChildren(number?.root ?? menu);
  };
  write();

  return {
    root,
    get inputs() { return number?.inputs ?? [menu]; },
    read,
    write,
    follow(values) {
      const next = firstFamily(values.font, options.fonts);
      const nextUsual = values.font === automatic ? automaticFamily(options.fonts).weight : regular;
      if (next === font && nextUsual === usual) return;
      const weight = read();
      font = next;
      usual = nextUsual;
      write(weight);
    },
  };
}

// Features and axes of variation.

/** The features that people choose, and whether letters have them by themselves. */
const features = new Map(Object.entries({
  liga: { words: 'Ligatures', isUsual: true }, calt: { words: 'Contextual forms', isUsual: true },
  kern: { words: 'Kerning', isUsual: true }, dlig: { words: 'Rare ligatures' },
  hlig: { words: 'Old ligatures' }, tnum: { words: 'Digits of equal width' },
  pnum: { words: 'Proportional digits' }, lnum: { words: 'Lining digits' },
  onum: { words: 'Old-style digits' }, zero: { words: 'Slashed zero' },
  frac: { words: 'Fractions' }, ordn: { words: 'Ordinals' }, sups: { words: 'Superscript' },
  subs: { words: 'Subscript' }, smcp: { words: 'Small capitals' },
  c2sc: { words: 'Small capitals for capitals' }, case: { words: 'Signs for capitals' },
  swsh: { words: 'Swashes' }, salt: { words: 'Alternates' }, titl: { words: 'Titling' },
}));

const axisNames = {
  wdth: 'Width', opsz: 'Optical size', slnt: 'Slant', ital: 'Italic', GRAD: 'Grade',
};

/** Returns the words of a feature; undefined for one that shaping needs, and nobody chooses. */
function wordsOf(tag) {
  const [, kind, number] = /^(ss|cv)(\d\d)$/.exec(tag) ?? [];
  if (kind) return `${kind === 'ss' ? 'Style' : 'Variant'} ${Number(number)}`;
  return features.get(tag)?.words;
}

/** A field for features, and a box for each that the chosen family has. */
function featuresControl(definition, options) {
  const control = settingsControl(definition, options, (font, set) => {
    const all = font?.features ?? [];
    const offered = [
      ...[...features.keys()].filter((tag) => all.includes(tag)),
      ...all.filter((tag) => !features.has(tag) && wordsOf(tag)),
    ];
    return offered.map((tag) => {
      const isUsual = features.get(tag)?.isUsual ?? false;
      const box = element('input', {
        type: 'checkbox',
        onchange: () => set(tag, box.checked === isUsual ? null : isUsual ? '0' : ''),
      });
      return {
        root: element('label', { class: 'feature', title: tag }, box, wordsOf(tag)),
        show(settings) {
          box.checked = settings.has(tag) ? settings.get(tag) !== '0' : isUsual;
        },
      };
    });
  });
  // A font has dozens, of which most people want none.
  control.root.append(element(
    'details', { class: 'font-features' }, element('summary', {}, 'Those of the font'),
    control.list));
  return control;
}

/** A field for axes of variation, and a slider for each of the chosen family but the weight's. */
function axesControl(definition, options) {
  return settingsControl(definition, options, (font, set) => {
    const axes = (font?.axes ?? []).filter(({ tag }) => tag !== 'wght');
    return axes.map(({ tag, minimum, maximum, default: standard }) => {
      const label = axisNames[tag] ?? tag;
      const number = numberControl({ type: 'number', minimum, maximum, default: standard }, {
        label,
        changed() {
          const value = number.read();
          set(tag, value === '' || Number(value) === standard ? null : value);
        },
      });
      named(number, label);
      return {
        root: element(
          'div', { class: 'axis' }, element('span', { 'aria-hidden': 'true' }, label), number.root),
        show(settings) {
          const value = settings.get(tag) ?? String(standard);
          if (number.read() !== value) number.write(value);
        },
      };
    });
  });
}

/**
 * A field for tags with values, and controls for those that the chosen family has.
 *
 * @param partsOf returns these for the family's entry of `GET /fonts`, each with its `root` and
 *   `show(settings)`, which takes values by tag; they call `set(tag, value)`, with null to leave
 *   a tag out.
 * @returns the control, with the `list` in which these stand.
 */
function settingsControl(definition, { id, changed, fonts }, partsOf) {
  const field = element('input', {
    id, name: definition.name, type: 'text', spellcheck: false, class: 'code',
  });
  const list = element('div', { class: 'font-settings', hidden: true });
  let font = null;
  let parts = [];

  const show = () => {
    const settings = settingsOf(field.value);
    for (const part of parts) part.show(settings);
  };
  const set = (tag, value) => {
    const settings = settingsOf(field.value);
    if (value === null) settings.delete(tag);
    else settings.set(tag, value);
    field.value = settingsText(settings);
    changed();
  };
  field.oninput = () => { show(); changed(); };

  return {
    root: element('div', {}, field, list),
    list,
    inputs: [field],
    read: () => field.value.trim(),
    write(text) {
      field.placeholder = definition.default;
      field.value = text ?? definition.default;
      show();
    },
    follow(values) {
      const next = firstFamily(values.font, fonts);
      if (next === font) return;
      font = next;
      parts = partsOf(font, set);
      list.replaceChildren(...parts.map(({ root }) => root));
      list.hidden = parts.length === 0;
      show();
    },
    /** True if the family is known to have nothing that could be set. */
    get isIdle() {
      return font !== undefined && parts.length === 0;
    },
  };
}

/** Returns the values by tag of a list such as `ss01, liga=0`; a tag alone has an empty value. */
function settingsOf(text) {
  if (text.trim() === 'none') return new Map();
  const settings = text.split(',').map((one) => one.trim()).filter(Boolean);
  return new Map(settings.map((one) => {
    const [tag, ...value] = one.split('=');
    return [tag.trim(), value.join('=').trim()];
  }));
}

function settingsText(settings) {
  const texts = [...settings].map(([tag, value]) => value === '' ? tag : `${tag}=${value}`);
  return texts.join(', ') || 'none';
}
