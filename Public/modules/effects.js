import { capitalized, element, exampleKeyframes, icon } from './controls.js';
import { isGradient } from './paint.js';
import { isStill } from './request.js';
import {
  Thumbnail, Turns, firstWords, ink, playOnDemand, stillAddress, thumbnailAddress,
} from './thumbnails.js';

/** The groups of effects in their order; others follow under their own names. */
const groups = ['typing', 'color', 'fading', 'moving', 'focus', 'playful', 'other', 'own'];
const titles = { color: 'Colour', own: 'Your own' };

/** The text in a thumbnail, and the least room that there is for its picture, in CSS pixels. */
const letters = { size: 28, padding: 10 };
const tile = { width: 96, height: 38 };

/** Seconds that the finished text stands in a thumbnail. */
const hold = 0.6;

/** The share of the motion that has passed in a thumbnail that stands still. */
const stillAt = 0.45;

/** Effects that do what they are called as texts leave; thumbnails of others show how texts come. */
const leaving = new Set(['fall', 'scroll']);

/** The share of the cycle that has passed in a still of theirs, in which texts leave last. */
const leavingAt = 0.76;

const chevron = 'M4 6l4 4 4-4';
const turnIcons = { pause: 'M5.500 3v10M10.500 3v10', play: 'M5 3l8 5-8 5z' };

const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/**
 * The effects as cards in groups, each with the person's own text, below a button that names the
 * chosen one and shows or hides them.
 */
export function effectControl(definition, { id, label, changed, catalogue, sample, isOpen }) {
  let value = definition.default;
  /** The values of other parameters that go with the choice; those of the last one go again. */
  let brought = {};
  let gallery = null;
  const title = element('span');
  const button = element('button', {
    id, type: 'button', name: definition.name, class: 'disclosure', 'aria-expanded': 'false',
    onclick: () => open(button.getAttribute('aria-expanded') === 'false'),
  }, title, icon(chevron));
  const root = element('div', { class: 'effect' }, button);

  const show = () => {
    const { title: words = value } = catalogue.effects.find(({ name }) => name === value) ?? {};
    button.value = value;
    title.textContent = words;
    button.setAttribute('aria-label', `${label}: ${words}`);
    gallery?.choose(value);
  };
  const choose = (name) => {
    if (leaving.has(name)) brought = { exit: 'auto' };
    else brought = leaving.has(value) ? { exit: undefined } : {};
    value = name;
    show();
    changed();
  };
  const open = (isWanted) => {
    button.setAttribute('aria-expanded', isWanted);
    if (isWanted && !gallery) {
      gallery = new EffectGallery(catalogue, { label, name: id, choose });
      gallery.choose(value);
      root.append(gallery.root);
    }
    if (gallery) gallery.root.hidden = !isWanted;
    illustrate();
  };
  const illustrate = () => {
    if (gallery && !gallery.root.hidden) gallery.illustrate(sample());
  };
  if (isOpen) open(true);
  return {
    root,
    inputs: [button],
    read: () => value,
    get brought() {
      return brought;
    },
    write(text) {
      value = text ?? definition.default;
      show();
    },
    illustrate,
  };
}

/** Radio buttons in groups, one for each effect; the browser moves between all of them by arrow keys. */
class EffectGallery {
  #cards;
  #turns;
  #sample = null;
  #pause = element('button', {
    type: 'button', class: 'quiet turns',
    onclick: () => {
      this.#turns.isPaused = !this.#turns.isPaused;
      this.#showTurns();
    },
  });
  root;

  /** @param options the `label`; the `name` of the radio group; `choose(name)`. */
  constructor({ effects, formats }, { label, name, choose }) {
    const still = formats.find(isStill);
    this.#cards = effects.map((effect) => new EffectCard(effect, still, name, choose));
    this.#turns = new Turns(this.#cards.map(({ thumbnail }) => thumbnail));
    for (const { root, thumbnail } of this.#cards) playOnDemand(root, thumbnail, this.#turns);
    this.#showTurns();
    prefersDark.addEventListener('change', () => this.illustrate(this.#sample));
    const named = [...groups, ...effects.map(({ group }) => group)];
    const inGroups = [...new Set(named)].flatMap((group) => {
      const members = this.#cards.filter((card) => card.effect.group === group);
      if (members.length === 0) return [];
      const fieldset = element(
        'fieldset', { class: 'effect-group', role: 'radiogroup' },
        element('legend', {}, titles[group] ?? capitalized(group)),
        element('div', { class: 'effect-cards' }, ...members.map(({ root }) => root)));
      // Small groups share a row.
      fieldset.style.setProperty('--cards', members.length);
      return fieldset;
    });
    this.root = element(
      'div', { class: 'effects', role: 'group', 'aria-label': `${label}, gallery` },
      this.#pause, ...inGroups);
  }

  /** Checks an effect; none if there is none of this name. */
  choose(name) {
    for (const card of this.#cards) card.isChosen = card.effect.name === name;
  }

  /** Shows a text in all effects. */
  illustrate(sample) {
    this.#sample = sample;
    for (const card of this.#cards) card.illustrate(sample);
  }

  #showTurns() {
    const { isPaused } = this.#turns;
    const words = isPaused ? 'Play them in turn' : 'Pause';
    this.#pause.setAttribute('aria-label', `Pictures of effects: ${words.toLowerCase()}`);
    this.#pause.title = words;
    this.#pause.replaceChildren(icon(isPaused ? turnIcons.play : turnIcons.pause));
  }
}

/**
 * An effect with a picture of the text, which stands still in the midst of its motion until it plays.
 * One that the server refuses for this text cannot be chosen, and says why.
 */
class EffectCard {
  #input;
  #still;
  #reason = element('span', { class: 'effect-reason', hidden: true });
  thumbnail = new Thumbnail();
  root;

  /** @param still the format of pictures that stand still; without one they do so at their end. */
  constructor(effect, still, name, choose) {
    this.effect = effect;
    this.#still = still;
    this.#input = element('input', {
      type: 'radio', name, value: effect.name, onchange: () => choose(effect.name),
    });
    this.root = element(
      'label', { class: 'effect-card' }, this.#input, this.thumbnail.root,
      element('span', { class: 'card-title' }, effect.title));
    this.thumbnail.root.append(this.#reason);
    this.thumbnail.onanswer = (faults) => this.#show(faults);
  }

  set isChosen(isChosen) {
    this.#input.checked = isChosen;
  }

  illustrate({ texts: [text], look: { effect, keyframes, ...look }, paint }) {
    const [first] = firstWords([text.replace(/\s+/g, ' ')], letters, tile);
    const words = first || this.effect.title;
    // Not every effect takes a gradient.
    const isPainted = isGradient(paint.color) || isGradient(paint.darkColor);
    const leaves = leaving.has(this.effect.name);
    const values = {
      ...look, effect: this.effect.name, exit: leaves ? 'auto' : undefined, size: String(letters.size),
      padding: String(letters.padding), hold: String(hold),
      ...isPainted ? paint : ink,
    };
    if (this.effect.parameters.some(({ type }) => type === 'keyframes')) {
      values.keyframes = keyframes ?? JSON.stringify(exampleKeyframes);
    }
    const scheme = prefersDark.matches ? 'dark' : 'light';
    this.thumbnail.show(thumbnailAddress([words], { ...values, scheme }), (duration) => {
      const seconds = leaves ? duration * leavingAt : Math.max(duration - hold, 0) * stillAt;
      return this.#still
        ? stillAddress([words], { ...values, scheme }, this.#still, seconds)
        : thumbnailAddress([words], { ...values, animate: 'false' });
    });
  }

  #show(faults) {
    const reason = faults.map(({ parameter, message }) => `${parameter} ${message}`).join('. ');
    this.#input.disabled = faults.length > 0;
    this.#reason.hidden = faults.length === 0;
    this.#reason.textContent = this.root.title = reason;
  }
}
