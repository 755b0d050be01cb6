import { element } from './controls.js';
import { areTexts, exclusive, isComplete } from './request.js';
import {
  Thumbnail, firstWords, ink, legibleMeasures, playOnDemand, thumbnailAddress,
} from './thumbnails.js';

/**
 * The groups of presets, of each of which one may be chosen; later ones go before earlier ones. The
 * first card of a group is `none` of them. The `first` cards, two rows, show until all are asked for.
 * A `tile` is the least room that there is for a picture, in CSS pixels.
 */
const groups = [
  {
    name: 'shapes', title: 'Shapes', first: 6, tile: { width: 96, height: 50 },
    none: { title: 'Plain', summary: 'The text as the controls below say.' },
  },
  {
    name: 'colors', title: 'Colours', first: 8, tile: { width: 76, height: 50 },
    none: { title: 'As it is', summary: 'The colours of the shape, or those of the controls below.' },
  },
  {
    name: 'own', title: 'Own', first: 6, tile: { width: 96, height: 50 },
    none: { title: 'None', summary: 'None of the looks of this server.' },
  },
];

/** Seconds of a thumbnail's cycle, by which a row of them comes to rest at about the same time. */
const cycle = '4';

/** The most texts in a thumbnail. */
const mostTexts = 3;

/** The height of a window's title bar in a picture, in its pixels. */
const titleBarHeight = 40;

/** Returns the names in the value of `preset`. */
function namesIn(text) {
  return (text ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '');
}

/** Returns the name of a parameter's twin for dark. */
const darkTwin = (name) => `dark${name[0].toUpperCase()}${name.slice(1)}`;

/** Returns the presets of names, in their order. */
function presetsOf(text, presets) {
  return namesIn(text).map((name) => presets.find((one) => one.name === name)).filter(Boolean);
}

/**
 * Returns paints of a look in the colours of a palette, with the twins for dark, which are among the
 * `values` of the look's own colours.
 */
function filled(paints, values, { dark: isDark }, { light, dark, common }) {
  const fill = (template, roles) => template.replace(/\{(\w+)\}/g, (_, role) => roles[role]);
  return Object.fromEntries(Object.entries(paints).flatMap(([name, template]) => (
    Object.hasOwn(values, darkTwin(name)) ? [
      [name, fill(template, isDark ? dark : light)], [darkTwin(name), fill(template, dark)],
    ] : [[name, fill(template, common)]])));
}

/** Returns the palette that fills looks: the last one of the names, if there is one. */
function paletteOf(text, presets) {
  return presetsOf(text, presets).findLast(({ roles }) => roles)?.roles;
}

/** Returns the values by parameter that presets stand for, as a query carries them. */
export function valuesOf(text, presets) {
  const roles = paletteOf(text, presets);
  const values = {};
  /** The parameters that a look paints, which palettes fill rather than replace. */
  const painted = new Set();
  for (const preset of presetsOf(text, presets)) {
    const { paints, parameters } = preset;
    const colors = paints && roles ? filled(paints, parameters, preset, roles) : {};
    for (const [name, value] of Object.entries({ ...parameters, ...colors })) {
      if (preset.roles && painted.has(name)) continue;
      delete values[exclusive[name]];
      values[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
      painted.delete(name);
    }
    for (const name of Object.keys(paints ?? {})) painted.add(name).add(darkTwin(name));
  }
  return values;
}

/**
 * Returns a request whose texts after the first are subtitles where its look has such, as they are
 * in a query: blocks without a value of their own get the look's.
 */
export function withSubtitles(request, { presets, parameters, blockNames }) {
  const { blocks, preset } = request;
  if (!blocks || areTexts(blocks)) return request;
  const look = presetsOf(preset, presets).findLast(({ paints }) => paints);
  const { subtitles = [] } = look ?? {};
  const values = { ...valuesOf(preset, presets), ...request };
  if (!subtitles.length || values.sequence === 'replace') return request;
  const size = values.size ?? parameters.find(({ name }) => name === 'size')?.default;
  const roles = paletteOf(preset, presets);
  const styles = subtitles.map((subtitle) => {
    const own = {
      ...subtitle.parameters,
      ...roles && filled(subtitle.paints, subtitle.parameters, look, roles),
      size: Math.max(Math.round(size * subtitle.size * 4) / 4, 4),
    };
    const isGiven = (name) => name !== 'size' && (Object.hasOwn(request, name)
      // With another effect than the look's, its parameters are not the look's either.
      || Object.hasOwn(request, 'effect') && !blockNames.has(name));
    return Object.fromEntries(Object.entries(own)
      .filter(([name]) => !isGiven(name)).map(([name, value]) => [name, String(value)]));
  });
  return {
    ...request,
    blocks: blocks.map((block, index) => (index === 0
      ? block : { ...styles[Math.min(index, styles.length) - 1], ...block })),
  };
}

/** Moving pictures of the presets, grouped; each is a button that is pressed while it is chosen. */
export function presetControl(definition, { label, changed, catalogue, sample }) {
  const { presets } = catalogue;
  let chosen = [];
  const isChosen = ({ name, group }) => name
    ? chosen.includes(name) : !presets.some((one) => one.group === group && isChosen(one));
  const used = groups.filter(({ name }) => presets.some(({ group }) => group === name));
  const cards = used.flatMap((group) => {
    const none = { ...group.none, name: null, group: group.name, parameters: {} };
    return [none, ...presets.filter((preset) => preset.group === group.name)].map(
      (preset) => new PresetCard(preset, group, catalogue, () => {
        if (isChosen(preset)) return;
        chosen = withPreset(chosen, preset, presets);
        show();
        changed();
      }));
  });
  const show = () => {
    for (const card of cards) card.isChosen = isChosen(card.preset);
  };
  const sections = used.map((group) => sectionOf(
    group, cards.filter(({ preset }) => preset.group === group.name)));
  return {
    root: element(
      'div', { class: 'presets', role: 'group', 'aria-label': label },
      ...sections),
    isGroup: true,
    get inputs() {
      return [cards.find(({ preset }) => isChosen(preset)).root];
    },
    read: () => chosen.join(','),
    write(text) {
      chosen = namesIn(text);
      show();
    },
    illustrate() {
      const shown = sample();
      for (const card of cards) card.illustrate(shown);
    },
  };
}

/** Returns a group's heading and cards. */
function sectionOf({ name, title, first }, cards) {
  const toolbar = element(
    'div', { class: `preset-cards ${name}`, role: 'toolbar', 'aria-label': title },
    ...cards.map(({ root }) => root));
  rove(toolbar);
  const rest = cards.slice(first);
  const showRest = (isShown) => {
    for (const card of rest) card.root.hidden = !isShown && !card.isChosen;
    if (toolbar.querySelector('[tabindex="0"]').hidden) makeStop(toolbar.firstElementChild);
    all.setAttribute('aria-expanded', isShown);
    all.textContent = isShown ? 'Show fewer' : `Show all ${cards.length - 1}`;
  };
  const all = element('button', {
    type: 'button', class: 'link', 'aria-label': `${title}: all ${cards.length - 1}`,
    onclick: () => showRest(all.getAttribute('aria-expanded') !== 'true'),
  });
  showRest(false);
  return element(
    'div', { class: 'preset-group' },
    element('div', { class: 'preset-head' }, element('h3', {}, title), ...rest.length ? [all] : []),
    toolbar);
}

/** Returns the chosen names with that of a preset in place of another of its group, or with none. */
function withPreset(chosen, { name, group }, presets) {
  const groupOf = (one) => presets.find((preset) => preset.name === one)?.group;
  const order = (one) => groups.findIndex((other) => other.name === groupOf(one));
  return [...chosen.filter((other) => groupOf(other) !== group), ...name ? [name] : []]
    .sort((one, other) => order(one) - order(other));
}

/** A preset as a moving picture of the person's own text. */
class PresetCard {
  #thumbnail = new Thumbnail();
  #tile;
  #catalogue;
  root;

  /** @param preset one of the catalogue's, or that of no name, which stands for none of its group. */
  constructor(preset, { tile }, catalogue, clicked) {
    this.preset = preset;
    this.#tile = tile;
    this.#catalogue = catalogue;
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

  /** Shows texts in this preset, with what a choice of it would leave of the look of letters. */
  illustrate({ texts, own, look }) {
    const { name, group, parameters } = this.preset;
    const { types } = this.#catalogue;
    const { keyframes, ...left } = { ...group === 'colors' ? look : own, cycle };
    if (!isComplete(left)) delete left.effect;
    const canvas = this.#canvas;
    for (const parameter of Object.keys(left)) {
      if (Object.hasOwn(parameters, parameter)) delete left[parameter];
    }
    // The card for no colours is neutral: the colour of a text that names none would be one of them.
    const colors = group === 'colors' ? ink : {};
    const values = Object.fromEntries(Object.entries({
      ...left, ...canvas.values, ...name ? { preset: name } : colors,
    }).filter(([parameter]) => types.has(parameter)));
    this.#thumbnail.show(thumbnailAddress(
      firstWords(texts.slice(0, mostTexts), canvas, this.#tile), values));
  }

  /**
   * The canvas of the tile: no larger than one on which letters of the preset's size are legible, with
   * less padding. Its `values` are those of parameters.
   */
  get #canvas() {
    const { parameters } = this.preset;
    // A server that takes presets only does not tell its defaults.
    const valueOf = (name, standard) => parameters[name]
      ?? this.#catalogue.parameters.find((one) => one.name === name)?.default ?? standard;
    const size = valueOf('size', 40);
    const padding = Math.min(valueOf('padding', 16), Math.round(size / 2));
    const most = legibleMeasures(size, this.#tile);
    const { width, height, maxWidth = Infinity } = parameters;
    const measures = {
      ...width ? { width: Math.min(width, most.width) } : { maxWidth: Math.min(maxWidth, most.width) },
      ...height && { height: Math.min(height, most.height) },
    };
    const values = Object.fromEntries(
      Object.entries({ padding, ...measures }).map(([name, value]) => [name, String(value)]));
    const { lineHeight, lineNumbers, titleBar } = parameters;
    return {
      size, padding, lineHeight, ...measures, values,
      above: titleBar ? titleBarHeight : 0, beside: lineNumbers ? 2 * size : 0,
    };
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
