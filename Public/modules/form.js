import { element, icon } from './dom.js';
import { Fields } from './fields.js';
import { settled } from './request.js';
import { arrange, ofFormats, ofSeveral } from './sections.js';
import { Texts } from './texts.js';

const plus = 'M8 3.500v9M3.500 8h9';

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

  /** @param changed called with the name of the parameter that a hand has changed. */
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
    const several = ofSeveral(catalogue.parameters);
    this.#sequence = section(several);
    this.#sequenceNames = several.definitions.map(({ name }) => name);
    root.replaceChildren(
      element('div', { class: 'section text-section' }, this.#one, this.#texts.root,
        element('div', { class: 'text-tools' }, this.#add, this.#undo), this.#texts.status),
      this.#sequence, this.#caption,
      element('div', { class: 'section' }, add(definitions.get('effect')), this.#top.effectRoot),
      element('div', { class: 'section' }, add(definitions.get('format')),
        element('div', { class: 'format-fields' }, ...ofFormats(catalogue.parameters).map(add))),
      ...arrange(catalogue.parameters).map(section));
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
    const { blocks = [], ...top } = settled(request);
    this.#top.write(top);
    this.#texts.write(blocks, this.#outer());
    this.#undo.hidden = true;
    this.#show();
  }

  /** Gives up what a fault names. */
  forget(parameter) {
    const { index, name } = placeOf(parameter);
    if (index === null || !this.#hasSeveral) this.#top.forget(name);
    else this.#texts.forget(index, name);
  }

  /** Shows messages beside the fields that they name; answers those that name none. */
  show(faults) {
    const top = new Map();
    const texts = Array.from({ length: this.#texts.count }, () => new Map());
    const rest = [];
    for (const fault of faults) {
      const { index, name } = placeOf(fault.parameter);
      const isTop = index === null || !this.#hasSeveral;
      if (isTop && this.#shows(name)) top.set(name, fault.message);
      else if (!isTop && this.#texts.has(index, name)) texts[index].set(name, fault.message);
      else rest.push(fault);
    }
    this.#top.show(top);
    this.#texts.show(texts);
    return rest;
  }

  get #hasSeveral() {
    return this.#texts.count > 0;
  }

  /** What texts inherit; a text of its own the top has only while it is the only one. */
  #outer() {
    const { text, markup, ...rest } = this.#top.read();
    return rest;
  }

  #shows(name) {
    const field = this.#top.get(name);
    return field !== undefined && !field.waits && field.root.closest('[hidden]') === null;
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
    this.#texts.focus(index);
    this.#changed('blocks');
  }

  #show() {
    const several = this.#hasSeveral;
    this.#one.hidden = several;
    this.#sequence.hidden = this.#caption.hidden = !several;
    this.#add.hidden = Math.max(this.#texts.count, 1) >= this.#mostTexts;
  }
}

/** `blocks[1].interval` names the second text's interval. */
function placeOf(parameter) {
  const [, index, name] = /^blocks\[(\d+)\]\.(.+)$/s.exec(parameter) ?? [];
  return name === undefined ? { index: null, name: parameter } : { index: Number(index), name };
}
