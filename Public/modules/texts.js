import { Card } from './card.js';
import { element } from './dom.js';

/** Several texts as a list of cards, one open at a time. */
export class Texts {
  #cards = [];
  #list = element('ol', { class: 'cards', 'aria-label': 'Texts' });
  #catalogue;
  #deeds;
  #outer = {};
  root = element('div', { class: 'texts', hidden: true }, this.#list);
  /** What has happened, for the ear. */
  status = element('p', { class: 'unseen', role: 'status' });

  /**
   * @param deeds `changed(name)` when a hand has changed a setting, `moved()`, and `removing(index)`
   *   and `removed()` before and after a text goes.
   */
  constructor(catalogue, deeds) {
    this.#catalogue = catalogue;
    this.#deeds = deeds;
  }

  get count() {
    return this.#cards.length;
  }

  read() {
    return this.#cards.map((card) => card.read());
  }

  /** Shows other texts, all closed, or none at all. */
  write(blocks, outer) {
    this.#outer = outer;
    this.#cards = blocks.map((block) => this.#card(block));
    this.#arrange();
  }

  inherit(outer) {
    this.#outer = outer;
    for (const card of this.#cards) card.inherit(outer);
  }

  /** The parameters that the effect of any text has. */
  get effectParameters() {
    return new Set(this.#cards.flatMap((card) => card.effectParameters));
  }

  /** Appends a text; its card opens, ready to be written in. */
  add(block) {
    const card = this.#card(block);
    this.#cards.push(card);
    this.#arrange();
    this.open(card);
    card.field('text').select();
    this.#say(`Text ${this.#cards.length} added.`);
  }

  focus(index) {
    this.#cards[index].focus();
  }

  /** Opens a card and closes the others; null closes all. */
  open(card) {
    for (const one of this.#cards) one.isOpen = one === card;
  }

  has(index, name) {
    return this.#cards[index]?.field(name) !== undefined;
  }

  forget(index, name) {
    this.#cards[index]?.forget(name);
  }

  /**
   * Shows messages, one map of names for each text. A card with one opens, but not under the
   * hands of someone who writes in another.
   */
  show(messages) {
    this.#cards.forEach((card, index) => card.show(messages[index] ?? new Map()));
    const wrong = this.#cards.filter((_, index) => messages[index]?.size > 0);
    const stays = this.#cards.some((card) => card.isInUse || (card.isOpen && wrong.includes(card)));
    if (wrong.length > 0 && !stays) this.open(wrong[0]);
  }

  #card(block) {
    const card = new Card(this.#catalogue, {
      changed: this.#deeds.changed,
      toggled: (one) => this.open(one.isOpen ? null : one),
      moved: (one, steps) => this.#move(one, steps),
      removed: (one) => this.#remove(one),
    });
    card.inherit(this.#outer);
    card.write(block);
    return card;
  }

  #move(card, steps) {
    const from = this.#cards.indexOf(card);
    const to = from + steps;
    if (to < 0 || to >= this.#cards.length) return;
    const { focused } = card;
    this.#cards.splice(from, 1);
    this.#cards.splice(to, 0, card);
    this.#arrange();
    card.keepFocus(focused);
    this.#say(`“${card.name}” is now text ${to + 1} of ${this.#cards.length}.`);
    this.#deeds.moved();
  }

  #remove(card) {
    const index = this.#cards.indexOf(card);
    this.#deeds.removing(index);
    this.#cards.splice(index, 1);
    this.#arrange();
    this.#cards[Math.min(index, this.#cards.length - 1)].focus();
    this.#say(`“${card.name}” removed. Undo brings it back.`);
    this.#deeds.removed();
  }

  #arrange() {
    this.#list.replaceChildren(...this.#cards.map(({ root }) => root));
    this.#cards.forEach((card, index) => card.place(index, this.#cards.length));
    this.root.hidden = this.#cards.length === 0;
  }

  #say(words) {
    this.status.textContent = words;
  }
}
