import { element, fillMenu, icon, numberControl, select } from './controls.js';

/** Makers of the controls of type by the parameter's name, as `controlFor` in controls.js. */
export const fontControls = { font: familyControl, weight: weightControl };

/** The families that stand for what the server has of a kind (CSS Fonts 4, 2.1.4). */
const genericFamilies = ['sans-serif', 'serif', 'monospace'];

/** Returns the entry of `GET /fonts` for the first family of a list; undefined for another. */
function firstFamily(list, fonts) {
  const first = list.split(',')[0].trim().toLowerCase();
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
  let value = '';
  let list = null;

  const isOpen = () => list?.isOpen ?? false;
  const commit = (text) => {
    field.value = text;
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
    // Without a search the list answers the whole field.
    commit((list.isSearched ? [...before, family] : [family]).join(', '));
    close();
  };
  const open = (search = null) => {
    // Most pages never open most lists.
    if (!list) {
      list = new FamilyList(fonts, { label: `${label}, families`, taken: take });
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
    commit(isSearch ? value : parts.join(', ') || definition.default);
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
      if (!isOpen() && field.value === value) return;
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
  root.onpointerdown = (event) => { if (event.target !== field) event.preventDefault(); };
  root.onmousedown = root.onpointerdown;
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
      value = field.value = text ?? definition.default;
    },
  };
}

/** Returns the last family of a list, trimmed. */
function lastOf(list) {
  return list.split(',').at(-1).trim();
}

/** Milliseconds that a row has to stay in view before its picture is asked for. */
const pictureDelay = 120;

/** The rows that a press of Page Down goes on. */
const pageRows = 8;

/** The families in groups, those that set Latin text each in its own face. */
class FamilyList {
  #options = [];
  #shown = [];
  #groups;
  #none = element('p', { class: 'families-none', hidden: true }, 'No such family here');
  #taken;
  #pictures;
  /** The option that Enter takes; null without one. */
  active = null;
  /** True if it shows what matches a search. */
  isSearched = false;
  root;

  /** @param taken called with the family that has been chosen. */
  constructor(fonts, { label, taken }) {
    const id = `families-${listCount += 1}`;
    this.#taken = taken;
    const group = (title, families, isDrawn) => {
      const options = families.map((family) => this.#option(`${id}-${this.#options.length}`, family, isDrawn));
      return element(
        'div', { role: 'group', class: 'families-group', 'aria-label': title },
        element('p', { class: 'families-title', 'aria-hidden': 'true' }, title), ...options);
    };
    const others = fonts.filter(({ family }) => !genericFamilies.includes(family.toLowerCase()));
    const named = (isText) => others.filter((font) => isOfText(font) === isText)
      .map(({ family }) => family);
    this.#groups = [
      group('Text', named(true), true), group('Generic', genericFamilies, true),
      group('Other scripts', named(false), false),
    ];
    this.root = element(
      'div', { id, role: 'listbox', class: 'families-list', hidden: true, 'aria-label': label },
      ...this.#groups, this.#none);
    this.root.onclick = (event) => {
      const option = event.target.closest('[role="option"]');
      if (option) this.#taken(option.dataset.family);
    };
    this.#pictures = new Pictures(this.root);
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
      option.hidden = !matches(option.dataset.family, wanted);
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
    if (isOpening) {
      this.#pictures.begin(this.#options);
      this.root.scrollIntoView({ block: 'nearest' });
    }
    if (!this.active) this.root.scrollTop = 0;
    return this.#shown.length;
  }

  close() {
    this.root.hidden = true;
    this.#pictures.end();
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

  #option(id, family, isDrawn) {
    const option = element(
      'div', { id, role: 'option', class: 'family', dataset: { family } },
      element('span', { class: 'family-name' }, family));
    if (isDrawn) option.dataset.drawn = '';
    this.#options.push(option);
    return option;
  }

  /** Returns the first family that begins with a search, else the first one that has it. */
  #best(wanted) {
    return this.#shown.find(({ dataset }) => dataset.family.toLowerCase().startsWith(wanted))
      ?? this.#shown[0] ?? null;
  }

  #point(option) {
    this.active?.classList.remove('active');
    this.active = option;
    option?.classList.add('active');
    option?.scrollIntoView({ block: 'nearest' });
  }
}

/** Those of Noto's families that are no single script's. */
const notoText = ['Noto Sans', 'Noto Sans Display', 'Noto Sans Mono', 'Noto Serif', 'Noto Serif Display'];

/** True if a family sets Latin text, as far as its entry or its name tells. */
function isOfText({ family, latin }) {
  return latin ?? (!family.startsWith('Noto ') || notoText.includes(family));
}

function sameFamily(one, other) {
  return one.toLowerCase() === other.toLowerCase();
}

/** True if a family's name has each word of a search. */
function matches(family, wanted) {
  const name = family.toLowerCase();
  return wanted.split(/\s+/).every((word) => name.includes(word));
}

/** The colours of the pictures, as the style sheet's. */
const inks = { color: '#1d1e20', darkColor: '#eae8e3' };

/** Pictures of families' names, asked for once their rows stay in view. */
class Pictures {
  #inView = new Set();
  #timer = 0;
  #observer;
  /** True once the server has refused one: the others would be refused too. */
  #isRefused = false;

  /** @param list the element in which the rows scroll. */
  constructor(list) {
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.#inView.add(target);
        else this.#inView.delete(target);
      }
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(), pictureDelay);
    }, { root: list });
  }

  begin(rows) {
    this.#isRefused = false;
    for (const row of rows) if (row.dataset.drawn === '') this.#observer.observe(row);
  }

  end() {
    clearTimeout(this.#timer);
    this.#observer.disconnect();
    this.#inView.clear();
  }

  #ask() {
    for (const row of this.#inView) {
      if (this.#isRefused) return;
      this.#observer.unobserve(row);
      this.#inView.delete(row);
      this.#show(row);
    }
  }

  #show(row) {
    const { family } = row.dataset;
    const query = new URLSearchParams({
      text: family, font: family, size: 20, padding: 2, animate: false, ...inks,
    });
    const picture = element('img', { alt: '', src: `/render.svg?${query}` });
    row.append(picture);
    picture.onload = () => { row.dataset.drawn = 'true'; };
    // The name stays, and the picture is asked for when the list opens again.
    picture.onerror = () => {
      this.#isRefused = true;
      picture.remove();
    };
  }
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
  /** The control of a variable family; null for others. */
  let number = null;

  const read = () => number ? number.read() : menu.value;
  const write = (text) => {
    const axis = font?.axes?.find(({ tag }) => tag === 'wght');
    if (axis) {
      const { minimum, maximum } = axis;
      number = numberControl({ ...definition, minimum, maximum }, options);
      number.write(text);
    } else {
      number = null;
      const weights = font?.weights ?? Object.keys(weightNames);
      fillMenu(menu, weights.map((weight) => [
        String(weight), [weightNames[weight], weight].filter(Boolean).join(' '),
      ]));
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
      if (next === font) return;
      const weight = read();
      font = next;
      write(weight);
    },
  };
}
