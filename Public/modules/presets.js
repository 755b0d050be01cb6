import { element } from './controls.js';
import { areTexts, exclusive, isComplete } from './request.js';
import { Thumbnail, excerpt, playOnDemand, thumbnailAddress } from './thumbnails.js';

/**
 * The groups of presets, of each of which one may be chosen; later ones go before earlier ones. The
 * `first` cards of a group, two rows, show until all are asked for.
 */
const groups = [
  { name: 'shapes', title: 'Shapes', first: 6 }, { name: 'colors', title: 'Colours', first: 8 },
  { name: 'own', title: 'Own', first: 6 },
];

/** Seconds of a thumbnail's cycle, by which a row of them comes to rest at about the same time. */
const cycle = '4';

/** The most graphemes of each text in a thumbnail, and the most texts. */
const longestText = 60;
const mostTexts = 3;

/** Returns the names in the value of `preset`. */
function namesIn(text) {
  return (text ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '');
}

/** Returns the values by parameter that presets stand for, as a query carries them. */
export function valuesOf(text, presets) {
  const values = {};
  for (const one of namesIn(text)) {
    const { parameters = {} } = presets.find(({ name }) => name === one) ?? {};
    for (const [name, value] of Object.entries(parameters)) {
      delete values[exclusive[name]];
      values[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
    }
  }
  return values;
}

/**
 * Returns a request whose texts after the first are subtitles where its look has such, as they are
 * in a query: blocks without a size of their own get the look's.
 */
export function withSubtitles(request, { presets, parameters }) {
  const { blocks, preset } = request;
  if (!blocks || areTexts(blocks)) return request;
  const looks = namesIn(preset).map((name) => presets.find((one) => one.name === name))
    .filter((one) => one && one.group !== 'colors');
  const factor = looks.at(-1)?.subtitleSize;
  const values = { ...valuesOf(preset, presets), ...request };
  if (!factor || values.sequence === 'replace') return request;
  const size = values.size ?? parameters.find(({ name }) => name === 'size')?.default;
  const subtitle = String(Math.max(Math.round(size * factor * 4) / 4, 4));
  return {
    ...request,
    blocks: blocks.map((block, index) => (index === 0 ? block : { size: subtitle, ...block })),
  };
}

/** Moving pictures of the presets, grouped; each is a button that is pressed while it is chosen. */
export function presetControl(definition, { label, changed, catalogue, sample }) {
  let chosen = [];
  const cards = catalogue.presets.map((preset) => new PresetCard(preset, () => {
    chosen = toggled(chosen, preset, catalogue.presets);
    show();
    changed();
  }));
  const show = () => {
    for (const card of cards) card.isChosen = chosen.includes(card.preset.name);
  };
  const sections = groups.map((group) => sectionOf(
    group, cards.filter(({ preset }) => preset.group === group.name)));
  return {
    root: element(
      'div', { class: 'presets', role: 'group', 'aria-label': label },
      ...sections.filter((section) => section !== null)),
    isGroup: true,
    get inputs() {
      const { root } = cards.find(({ preset }) => chosen.includes(preset.name)) ?? cards[0];
      return [root];
    },
    read: () => chosen.join(','),
    write(text) {
      chosen = namesIn(text);
      show();
    },
    illustrate() {
      const shown = sample();
      for (const card of cards) card.illustrate(shown, catalogue.types);
    },
  };
}

/** Returns a group's heading and cards, or null for a group without any. */
function sectionOf({ name, title, first }, cards) {
  if (cards.length === 0) return null;
  const toolbar = element(
    'div', { class: `preset-cards ${name}`, role: 'toolbar', 'aria-label': title },
    ...cards.map(({ root }) => root));
  rove(toolbar);
  const rest = cards.slice(first);
  const showRest = (isShown) => {
    for (const card of rest) card.root.hidden = !isShown && !card.isChosen;
    if (toolbar.querySelector('[tabindex="0"]').hidden) makeStop(toolbar.firstElementChild);
    all.setAttribute('aria-expanded', isShown);
    all.textContent = isShown ? 'Show fewer' : `Show all ${cards.length}`;
  };
  const all = element('button', {
    type: 'button', class: 'link', 'aria-label': `${title}: all ${cards.length}`,
    onclick: () => showRest(all.getAttribute('aria-expanded') !== 'true'),
  });
  showRest(false);
  return element(
    'div', { class: 'preset-group' },
    element('div', { class: 'preset-head' }, element('h3', {}, title), ...rest.length ? [all] : []),
    toolbar);
}

/** Returns the chosen names after a click at a preset, which replaces another of its group. */
function toggled(chosen, { name, group }, presets) {
  if (chosen.includes(name)) return chosen.filter((other) => other !== name);
  const groupOf = (one) => presets.find((preset) => preset.name === one)?.group;
  const order = (one) => groups.findIndex((other) => other.name === groupOf(one));
  return [...chosen.filter((other) => groupOf(other) !== group), name]
    .sort((one, other) => order(one) - order(other));
}

/** A preset as a moving picture of the person's own text. */
class PresetCard {
  #thumbnail = new Thumbnail();
  root;

  constructor(preset, clicked) {
    this.preset = preset;
    this.root = element(
      'button', {
        type: 'button', class: 'preset', 'aria-pressed': 'false', onclick: clicked,
        dataset: preset.summary ? { hint: preset.summary } : {},
      }, this.#thumbnail.root, element('span', { class: 'card-title' }, preset.title));
    playOnDemand(this.root, this.#thumbnail);
    const { background, darkBackground = background } = preset.parameters;
    if (preset.group === 'colors' && background) {
      this.#thumbnail.root.style.backgroundColor = `light-dark(${background}, ${darkBackground})`;
    }
  }

  get isChosen() {
    return this.root.getAttribute('aria-pressed') === 'true';
  }

  set isChosen(isChosen) {
    this.root.setAttribute('aria-pressed', isChosen);
    if (!isChosen) return;
    this.root.hidden = false;
    makeStop(this.root);
  }

  /**
   * Shows texts in this preset, with what a choice of it would leave of the look of letters.
   *
   * @param taken has the parameters that the server takes.
   */
  illustrate({ texts, own, look }, taken) {
    const { name, group, parameters } = this.preset;
    const { keyframes, ...left } = { ...group === 'colors' ? look : own, cycle };
    if (!isComplete(left)) delete left.effect;
    for (const parameter of Object.keys(left)) {
      if (Object.hasOwn(parameters, parameter) || !taken.has(parameter)) delete left[parameter];
    }
    const address = thumbnailAddress(
      texts.slice(0, mostTexts).map((text) => excerpt(text, longestText)),
      { ...left, preset: name });
    this.#thumbnail.show(address);
  }
}

/** Makes a button of a toolbar the one at which Tab stops. */
function makeStop(stop) {
  for (const button of stop.parentElement.children) button.tabIndex = button === stop ? 0 : -1;
}

/** Makes the buttons of a toolbar one stop for Tab, within which arrow keys move the focus. */
function rove(toolbar) {
  makeStop(toolbar.firstElementChild);
  toolbar.addEventListener('focusin', ({ target }) => makeStop(target));
  toolbar.addEventListener('keydown', (event) => {
    const buttons = [...toolbar.children].filter(({ hidden }) => !hidden);
    const at = buttons.indexOf(event.target);
    const to = {
      ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1,
      Home: 0, End: buttons.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  });
}
