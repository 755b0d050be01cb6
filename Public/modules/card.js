import { isOpen } from './catalogue.js';
import { element, icon } from './dom.js';
import { Fields } from './fields.js';

const icons = {
  up: 'M8 13V3M4 7l4-4 4 4', down: 'M8 3v10M4 9l4 4 4-4', remove: 'M4 4l8 8M12 4l-8 8',
};
let count = 0;

/** One of several texts: a line that tells which, and its settings when it is open. */
export class Card {
  #fields;
  #catalogue;
  #number = element('span', { class: 'card-number' });
  #excerpt = element('span', { class: 'card-excerpt' });
  #motion = element('span', { class: 'card-effect' });
  #fault = element('span', { class: 'unseen' });
  #toggle;
  #up;
  #down;
  #remove;
  #body;

  /**
   * @param deeds what the card asks for: `changed(name)`, `toggled(card)`, `moved(card, steps)`,
   *   `removed(card)`.
   */
  constructor(catalogue, deeds) {
    const id = `card-${count += 1}`;
    this.#catalogue = catalogue;
    this.#fields = new Fields(catalogue, {
      back: 'as for all texts',
      changed: (name) => { this.#describe(); deeds.changed(name); },
    });
    const tool = (name, act) => element(
      'button', { type: 'button', class: 'quiet', onclick: act }, icon(icons[name]));
    this.#toggle = element(
      'button', {
        type: 'button', class: 'card-toggle', 'aria-expanded': 'false', 'aria-controls': id,
        'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown',
        title: 'Alt with an arrow up or down moves it', onclick: () => deeds.toggled(this),
      }, this.#number, this.#excerpt, this.#motion, this.#fault);
    this.#up = tool('up', () => deeds.moved(this, -1));
    this.#down = tool('down', () => deeds.moved(this, 1));
    this.#remove = tool('remove', () => deeds.removed(this));
    const head = element(
      'div', { class: 'card-head' }, this.#toggle,
      element('span', { class: 'card-tools' }, this.#up, this.#down, this.#remove));
    head.addEventListener('keydown', (event) => {
      const steps = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!steps) return;
      event.preventDefault();
      deeds.moved(this, steps);
    });
    this.#body = element(
      'div', { id, class: 'card-body', role: 'group', hidden: true }, ...this.#sections());
    this.root = element('li', { class: 'card' }, head, this.#body);
  }

  /** What this text does not inherit. */
  read() {
    return this.#fields.read();
  }

  write(block) {
    this.#fields.write(block);
    this.#describe();
  }

  inherit(outer) {
    this.#fields.inherit(outer);
    this.#describe();
  }

  field(name) {
    return this.#fields.get(name);
  }

  forget(name) {
    this.#fields.forget(name);
  }

  get effectParameters() {
    return this.#fields.effectParameters;
  }

  /** The first line of the text, for the ear. */
  get name() {
    return this.#excerpt.textContent;
  }

  get isOpen() {
    return !this.#body.hidden;
  }

  set isOpen(open) {
    this.#body.hidden = !open;
    this.root.classList.toggle('open', open);
    this.#toggle.setAttribute('aria-expanded', open);
  }

  /** Whether a hand is at work on the open card, or has just opened it. */
  get isInUse() {
    return this.isOpen && this.root.contains(document.activeElement);
  }

  show(messages) {
    this.#fields.show(messages);
    this.root.classList.toggle('wrong', messages.size > 0);
    this.#fault.textContent = messages.size > 0 ? ', something is wrong in it' : '';
  }

  /** Tells the card where it stands among `total`, counted from 0. */
  place(index, total) {
    const number = index + 1;
    this.#number.textContent = number;
    this.#body.setAttribute('aria-label', `Text ${number}`);
    for (const [button, words] of [
      [this.#up, 'Move up'], [this.#down, 'Move down'], [this.#remove, 'Remove'],
    ]) {
      button.title = words;
      button.setAttribute('aria-label', `${words} text ${number}`);
    }
    this.#up.disabled = index === 0;
    this.#down.disabled = index === total - 1;
  }

  focus() {
    this.#toggle.focus();
  }

  /** Which of the head's buttons has the focus, for `keepFocus`. */
  get focused() {
    return [this.#up, this.#down, this.#toggle].find((one) => one === document.activeElement);
  }

  /** Gives the focus back once the card stands in another place. */
  keepFocus(button) {
    if (button === this.#up && this.#up.disabled) this.#down.focus();
    else if (button === this.#down && this.#down.disabled) this.#up.focus();
    else (button ?? this.#toggle).focus();
  }

  #sections() {
    const { parameters, blockNames } = this.#catalogue;
    const definition = (name) => parameters.find((one) => one.name === name);
    const apart = ['text', 'markup', 'effect'];
    const [text, markup, effect] = apart.map((name) => this.#fields.add(definition(name)));
    const style = parameters.filter(
      (one) => blockNames.has(one.name) && isOpen(one) && !apart.includes(one.name));
    const part = (title, ...children) => element(
      'details', { class: 'part' }, element('summary', {}, title), ...children);
    return [
      text.root, markup.root, effect.root,
      part('Effect in detail', this.#fields.effectRoot),
      part('Type and colour', ...style.map((one) => this.#fields.add(one).root)),
    ];
  }

  #describe() {
    const text = this.#fields.get('text').value;
    const effect = this.#fields.get('effect').read();
    const lines = text.split('\n').map((line) => line.trim());
    this.#excerpt.textContent = lines.find((line) => line !== '') ?? 'Empty';
    this.#motion.textContent = this.#catalogue.effects
      .find(({ name }) => name === effect)?.title ?? effect ?? '';
    // An effect without parameters has no details.
    this.#fields.effectRoot.parentElement?.toggleAttribute(
      'hidden', this.#fields.effectParameters.length === 0);
  }
}
