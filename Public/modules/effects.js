import { capitalized, element, exampleKeyframes, icon } from './controls.js';
import { Thumbnail, excerpt, ink, playOnDemand, thumbnailAddress } from './thumbnails.js';

/** The groups of effects in their order; others follow under their own names. */
const groups = ['typing', 'color', 'fading', 'moving', 'focus', 'playful', 'other', 'own'];
const titles = { color: 'Colour', own: 'Your own' };

/** The most graphemes of the text in a thumbnail. */
const longestText = 20;

const chevron = 'M4 6l4 4 4-4';

/**
 * The effects as cards in groups, each with the person's own text, below a button that names the
 * chosen one and shows or hides them.
 */
export function effectControl(definition, { id, label, changed, catalogue, sample, isOpen }) {
  let value = definition.default;
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
    write(text) {
      value = text ?? definition.default;
      show();
    },
    illustrate,
  };
}

/** A group of radio buttons, one for each effect; the browser moves between them by arrow keys. */
class EffectGallery {
  #cards;
  root;

  /** @param options the `label`; the `name` of the radio group; `choose(name)`. */
  constructor({ effects }, { label, name, choose }) {
    this.#cards = effects.map((effect) => new EffectCard(effect, name, choose));
    const named = [...groups, ...effects.map(({ group }) => group)];
    const inGroups = [...new Set(named)].flatMap((group) => {
      const members = this.#cards.filter((card) => card.effect.group === group);
      if (members.length === 0) return [];
      const fieldset = element(
        'fieldset', { class: 'effect-group' },
        element('legend', {}, titles[group] ?? capitalized(group)),
        element('div', { class: 'effect-cards' }, ...members.map(({ root }) => root)));
      // Small groups share a row.
      fieldset.style.setProperty('--cards', members.length);
      return fieldset;
    });
    this.root = element(
      'div', { class: 'effects', role: 'radiogroup', 'aria-label': `${label}, gallery` },
      ...inGroups);
  }

  /** Checks an effect; none if there is none of this name. */
  choose(name) {
    for (const card of this.#cards) card.isChosen = card.effect.name === name;
  }

  /** Shows a text in all effects. */
  illustrate(sample) {
    for (const card of this.#cards) card.illustrate(sample);
  }
}

/** An effect with a picture of the text that stands still until it is pointed at. */
class EffectCard {
  #input;
  #thumbnail = new Thumbnail();
  root;

  constructor(effect, name, choose) {
    this.effect = effect;
    this.#input = element('input', {
      type: 'radio', name, value: effect.name, onchange: () => choose(effect.name),
    });
    this.root = element(
      'label', { class: 'effect-card' }, this.#input, this.#thumbnail.root,
      element('span', { class: 'card-title' }, effect.title));
    playOnDemand(this.root, this.#thumbnail);
  }

  set isChosen(isChosen) {
    this.#input.checked = isChosen;
  }

  illustrate({ texts: [text], look: { effect, keyframes, ...letters } }) {
    const words = excerpt(text.replace(/\s+/g, ' ').trim(), longestText) || this.effect.title;
    const values = {
      ...letters, effect: this.effect.name, size: '28', padding: '10', ...ink,
    };
    if (this.effect.parameters.some(({ type }) => type === 'keyframes')) {
      values.keyframes = keyframes ?? JSON.stringify(exampleKeyframes);
    }
    this.#thumbnail.show(
      thumbnailAddress([words], { ...values, animate: 'false' }),
      thumbnailAddress([words], values));
  }
}
