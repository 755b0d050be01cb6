import { isOpen, ofFormats, sectionOfSeveral, sectionsOf } from './catalogue.js';
import { element, icon } from './dom.js';
import { Fields, hintLine } from './fields.js';
import { normalized } from './request.js';

const plus = 'M8 3.500v9M3.500 8h9';
const cardIcons = {
  up: 'M8 13V3M4 7l4-4 4 4', down: 'M8 3v10M4 9l4 4 4-4', remove: 'M4 4l8 8M12 4l-8 8',
};

let cardCount = 0;

/** The controls of a request, built from the catalogue. */
export class Form {
  #top;
  #texts;
  #changed;
  #one;
  #sequence;
  #sequenceNames;
  #caption = element('p', { class: 'caption', hidden: true }, 'For all texts');
  #add = element(
    'button', { type: 'button', class: 'text-tool add', onclick: () => this.#addText() },
    icon(plus), 'Add a text');
  #undo = element(
    'button', {
      type: 'button', class: 'text-tool undo', hidden: true, onclick: () => this.#putBack(),
    }, 'Undo');
  #mostTexts;
  /** The request before a text was removed, and where that stood. */
  #before = null;

  /** @param changed called with the name of the parameter that the user has changed. */
  constructor(root, catalogue, changed) {
    this.#changed = (name) => {
      this.#undo.hidden = true;
      changed(name);
    };
    this.#mostTexts = catalogue.mostBlocks;
    this.#top = new Fields(catalogue, {
      changed: (name) => {
        this.#texts.inherit(this.#outer());
        this.#changed(name);
      },
    });
    this.#texts = new Texts(catalogue, {
      changed: this.#changed,
      moved: () => this.#changed('blocks'),
      removing: (index) => { this.#before = { index, request: this.read() }; },
      removed: () => this.#removed(),
    });
    const definitions = new Map(catalogue.parameters.map((one) => [one.name, one]));
    const add = (definition) => this.#top.add(definition).root;
    const section = ({ title, open, definitions: listed }) => element(
      'details', { class: 'section', open: open ?? false },
      element('summary', {}, title), ...listed.map(add));

    this.#one = element(
      'div', { class: 'one' }, add(definitions.get('text')), add(definitions.get('markup')));
    const several = sectionOfSeveral(catalogue.parameters);
    this.#sequence = section(several);
    this.#sequenceNames = several.definitions.map(({ name }) => name);
    root.replaceChildren(
      element('div', { class: 'section text-section' }, this.#one, this.#texts.root,
        element('div', { class: 'text-tools' }, this.#add, this.#undo), this.#texts.status),
      this.#sequence, this.#caption,
      element('div', { class: 'section' }, add(definitions.get('effect')), this.#top.effectRoot),
      element('div', { class: 'section' }, add(definitions.get('format')),
        element('div', { class: 'format-fields' }, ...ofFormats(catalogue.parameters).map(add))),
      ...sectionsOf(catalogue.parameters).map(section), hintLine(root));
    root.addEventListener('submit', (event) => event.preventDefault());
    this.#show();
  }

  /** The request without defaults. */
  read() {
    if (!this.#hasSeveral) return this.#top.read();
    const request = this.#outer();
    const used = this.#texts.effectParameters;
    for (const name of this.#top.effectParameters) if (!used.has(name)) delete request[name];
    return { ...request, blocks: this.#texts.read() };
  }

  write(request) {
    const { blocks = [], ...top } = normalized(request);
    this.#top.write(top);
    this.#texts.write(blocks, this.#outer());
    this.#undo.hidden = true;
    this.#show();
  }

  /**
   * Shows the messages of faults beside the fields that they name, and opens what these stand in.
   *
   * @returns the faults whose messages cannot be read there at this moment, each as its `message`
   *   and either the `label` of what it is about with `follow()`, which leads there, or the
   *   `parameter` with `remove()` where that takes a value out of the request.
   */
  show(faults) {
    const found = faults.map((fault) => ({ ...fault, ...this.#find(fault.parameter) }));
    const messages = new Map([[null, new Map()]]);
    for (let index = 0; index < this.#texts.count; index += 1) messages.set(index, new Map());
    for (const { index, field, parameter, message, rest } of found) {
      if (!field) continue;
      const level = messages.get(index);
      const { name } = field.definition;
      level.set(name, [...level.get(name) ?? [], rest ? `${parameter} ${message}` : message]);
    }
    this.#top.show(messages.get(null));
    messages.delete(null);
    this.#texts.show([...messages.values()]);
    return found.filter(({ field }) => !field?.showsMessages);
  }

  get #hasSeveral() {
    return this.#texts.count > 0;
  }

  /** What texts inherit; a text of its own the top has only while it is the only one. */
  #outer() {
    const { text, markup, ...rest } = this.#top.read();
    return rest;
  }

  /**
   * What a fault is about: `blocks[1].interval` is the second text's interval.
   *
   * @returns the `field` with the `index` of its text, null at the top, and the `rest` of the name
   *   where it goes into the value, as in `keyframes[1].blur`; `label` and `follow()`, or
   *   `remove()`; nothing where the page has no part in it.
   */
  #find(parameter) {
    if (!this.#hasSeveral) return this.#findField(parameter, this.#top, null);
    if (parameter === 'blocks' || parameter === 'text') {
      return { label: 'Texts', follow: () => this.#follow(this.#texts.longest) };
    }
    const [, digits, name] = /^blocks\[(\d+)\](?:\.(.+))?$/s.exec(parameter) ?? [];
    const card = this.#texts.at(Number(digits));
    if (!card) return this.#findField(parameter, this.#top, null);
    const title = `Text ${Number(digits) + 1}`;
    if (name === undefined) return { label: title, follow: () => this.#follow(card) };
    return this.#findField(name, card.fields, Number(digits), title);
  }

  #findField(name, fields, index, title) {
    const remove = () => {
      fields.forget(name);
      this.#changed(name);
    };
    if (fields.isForeign(name)) return { remove };
    const [stem] = name.split(/[.[]/, 1);
    const field = fields.get(name) ?? fields.get(stem);
    if (!field) return {};
    const isHidden = field.root.hidden || (index === null && field.root.closest('[hidden]'));
    if (field.unused || isHidden) return { remove };
    const card = index === null ? null : this.#texts.at(index);
    return {
      field, index, rest: name.slice(field.definition.name.length),
      label: [title, field.path].filter(Boolean).join(', '),
      follow: () => this.#follow(card, field),
    };
  }

  /** Leads to a field, of a card where there is one; without a field to the card's text. */
  #follow(card, field = card.fields.get('text')) {
    if (card) this.#texts.open(card);
    field.reveal();
  }

  #addText() {
    if (!this.#hasSeveral) {
      const { text, markup } = this.read();
      this.#texts.write([markup === undefined ? { text } : { text, markup }], this.#outer());
    }
    this.#texts.add({ text: 'Another text' });
    this.#show();
    this.#changed('blocks');
  }

  /** With one text left it stands alone again. */
  #removed() {
    if (this.#texts.count === 1) {
      const request = this.read();
      for (const name of this.#sequenceNames) delete request[name];
      this.write(request);
      this.#top.get('text').focus();
    }
    this.#show();
    this.#changed('blocks');
    this.#undo.hidden = false;
  }

  #putBack() {
    const { index, request } = this.#before;
    this.write(request);
    this.#texts.at(index).focus();
    this.#changed('blocks');
  }

  #show() {
    const several = this.#hasSeveral;
    this.#one.hidden = several;
    this.#sequence.hidden = this.#caption.hidden = !several;
    this.#add.hidden = Math.max(this.#texts.count, 1) >= this.#mostTexts;
  }
}

/** Several texts as a list of cards, one open at a time. */
class Texts {
  #cards = [];
  #list = element('ol', { class: 'cards', 'aria-label': 'Texts' });
  #catalogue;
  #callbacks;
  #outer = {};
  root = element('div', { class: 'texts', hidden: true }, this.#list);
  /** What has happened, for the ear. */
  status = element('p', { class: 'unseen', role: 'status' });

  /**
   * @param callbacks `changed(name)` when the user has changed a setting, `moved()`, and `removing(index)`
   *   and `removed()` before and after a text goes.
   */
  constructor(catalogue, callbacks) {
    this.#catalogue = catalogue;
    this.#callbacks = callbacks;
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
    card.fields.get('text').select();
    this.#say(`Text ${this.#cards.length} added.`);
  }

  at(index) {
    return this.#cards[index];
  }

  /** The card with the longest text. */
  get longest() {
    const length = (card) => card.fields.get('text').value.length;
    return this.#cards.reduce((one, other) => length(other) > length(one) ? other : one);
  }

  /** Opens a card and closes the others; null closes all. */
  open(card) {
    for (const one of this.#cards) one.isOpen = one === card;
  }

  /**
   * Shows messages, one map of names for each text. A card with one opens, but not while the
   * focus is in another.
   */
  show(messages) {
    this.#cards.forEach((card, index) => card.show(messages[index]));
    const wrong = this.#cards.filter((_, index) => messages[index].size > 0);
    const stays = this.#cards.some((card) => card.isInUse || (card.isOpen && wrong.includes(card)));
    if (wrong.length > 0 && !stays) this.open(wrong[0]);
  }

  #card(block) {
    const card = new Card(this.#catalogue, {
      changed: this.#callbacks.changed,
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
    this.#callbacks.moved();
  }

  #remove(card) {
    const index = this.#cards.indexOf(card);
    this.#callbacks.removing(index);
    this.#cards.splice(index, 1);
    this.#arrange();
    this.#cards[Math.min(index, this.#cards.length - 1)].focus();
    this.#say(`“${card.name}” removed. Undo brings it back.`);
    this.#callbacks.removed();
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

/** One of several texts: a line that tells which, and its settings when it is open. */
class Card {
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
  fields;

  /**
   * @param callbacks what the card reports: `changed(name)`, `toggled(card)`, `moved(card, steps)`,
   *   `removed(card)`.
   */
  constructor(catalogue, callbacks) {
    const id = `card-${cardCount += 1}`;
    this.#catalogue = catalogue;
    this.fields = new Fields(catalogue, {
      back: 'as for all texts',
      changed: (name) => { this.#describe(); callbacks.changed(name); },
    });
    const tool = (name, act) => element(
      'button', { type: 'button', class: 'quiet', onclick: act }, icon(cardIcons[name]));
    this.#toggle = element(
      'button', {
        type: 'button', class: 'card-toggle', 'aria-expanded': 'false', 'aria-controls': id,
        'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown',
        title: 'Alt with an arrow up or down moves it', onclick: () => callbacks.toggled(this),
      }, this.#number, this.#excerpt, this.#motion, this.#fault);
    this.#up = tool('up', () => callbacks.moved(this, -1));
    this.#down = tool('down', () => callbacks.moved(this, 1));
    this.#remove = tool('remove', () => callbacks.removed(this));
    const head = element(
      'div', { class: 'card-head' }, this.#toggle,
      element('span', { class: 'card-tools' }, this.#up, this.#down, this.#remove));
    head.addEventListener('keydown', (event) => {
      const steps = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!steps) return;
      event.preventDefault();
      callbacks.moved(this, steps);
    });
    this.#body = element(
      'div', { id, class: 'card-body', role: 'group', hidden: true }, ...this.#sections());
    this.root = element('li', { class: 'card' }, head, this.#body);
  }

  /** What this text does not inherit. */
  read() {
    return this.fields.read();
  }

  write(block) {
    this.fields.write(block);
    this.#describe();
  }

  inherit(outer) {
    this.fields.inherit(outer);
    this.#describe();
  }

  get effectParameters() {
    return this.fields.effectParameters;
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

  /** Whether it is open and has the focus. */
  get isInUse() {
    return this.isOpen && this.root.contains(document.activeElement);
  }

  show(messages) {
    this.fields.show(messages);
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
    const [text, markup, effect] = apart.map((name) => this.fields.add(definition(name)));
    const style = parameters.filter(
      (one) => blockNames.has(one.name) && isOpen(one) && !apart.includes(one.name));
    const part = (title, ...children) => element(
      'details', { class: 'part' }, element('summary', {}, title), ...children);
    return [
      text.root, markup.root, effect.root,
      part('Effect in detail', this.fields.effectRoot),
      part('Type and colour', ...style.map((one) => this.fields.add(one).root)),
    ];
  }

  #describe() {
    const text = this.fields.get('text').value;
    const effect = this.fields.get('effect').read();
    const lines = text.split('\n').map((line) => line.trim());
    this.#excerpt.textContent = lines.find((line) => line !== '') ?? 'Empty';
    this.#motion.textContent = this.#catalogue.effects
      .find(({ name }) => name === effect)?.title ?? effect ?? '';
    // An effect without parameters has no details.
    this.fields.effectRoot.parentElement?.toggleAttribute(
      'hidden', this.fields.effectParameters.length === 0);
  }
}
