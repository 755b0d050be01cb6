import { hintOf, labelOf } from './catalogue.js';
import { controlFor } from './controls.js';
import { element, icon } from './dom.js';
import { isNumber, svg } from './request.js';

const resetIcon = 'M3 8a5 5 0 1 0 1.600-3.700M3 2.500v3h3';

/** Of these only one may be given. */
const exclusive = { speed: 'cycle', cycle: 'speed' };

/** Hidden, unless given, where they could not be seen. */
const invisible = { cursorBlink: ({ cursor }) => cursor === 'none' };

const fieldsByRoot = new WeakMap();
let count = 0;

/** One parameter: its label, its control, its default a click away, and what is wrong with it. */
class Field {
  #control;
  #problem;
  #hint;
  #reset;
  /** What holds when nothing else does; `definition.default` may be an outer level's value. */
  #standard;
  #own = false;
  #unused = false;
  #only;

  /**
   * @param options what controls need besides the definition: `changed`, `fonts`, `titles`; and
   *   `back`, what giving up the value means.
   */
  constructor(definition, options) {
    const id = `field-${count += 1}`;
    const label = labelOf(definition.name);
    const giveUp = options.back ?? 'back to the default';
    this.definition = { ...definition };
    this.label = label;
    this.#standard = definition.default;
    const changed = () => {
      this.refresh();
      options.changed(definition.name);
    };
    this.#control = controlFor(this.definition, { ...options, id, label, changed });

    this.#hint = element('p', { id: `${id}-hint`, class: 'unseen' }, this.hint);
    this.#problem = element('p', { id: `${id}-problem`, class: 'problem', hidden: true });
    this.#reset = element('button', {
      type: 'button', class: 'reset', hidden: true,
      title: giveUp.charAt(0).toUpperCase() + giveUp.slice(1), 'aria-label': `${label}: ${giveUp}`,
      onclick: () => {
        this.write(undefined);
        this.focus();
        options.changed(definition.name);
      },
    }, icon(resetIcon));
    this.#only = element('p', { class: 'only', hidden: true }, onlyFor(definition.owners));
    this.root = element(
      'div', { class: 'field', dataset: { parameter: definition.name } },
      element('div', { class: 'field-head' }, element('label', { htmlFor: id }, label), this.#reset),
      element('div', { class: 'field-control' }, this.#control.root, this.#only),
      this.#problem, this.#hint);
    fieldsByRoot.set(this.root, this);
    this.show([]);
  }

  /** A sentence about the parameter. */
  get hint() {
    return hintOf(this.definition);
  }

  /** The label behind the titles of the sections around it. */
  get path() {
    const titles = this.#sections.map((section) => section.querySelector('summary').textContent);
    return [...titles, this.label].join(', ');
  }

  /** The value as a query carries it; undefined where it is the default. */
  read() {
    return this.#own ? this.#control.read() : undefined;
  }

  write(text) {
    this.#control.write(text);
    this.refresh();
  }

  /** The value, default or not, for controls that depend on it. */
  get value() {
    return this.#control.read();
  }

  /**
   * Takes an outer level's value in the default's place, or with undefined the default again; a
   * value of one's own stays, even where the two meet.
   */
  inherit(text) {
    const { definition } = this;
    const standard = text === undefined ? this.#standard : typed(text, definition.type);
    if (standard === definition.default) return;
    definition.default = standard;
    this.#hint.textContent = this.hint;
    if (this.#own) this.#control.write(this.#control.read());
    else this.write(undefined);
  }

  /** Whether the chosen format does not take the parameter: its value is kept for one that does. */
  get unused() {
    return this.#unused;
  }

  set unused(unused) {
    if (unused === this.#unused) return;
    this.#unused = unused;
    this.root.classList.toggle('unused', unused);
    this.#control.root.hidden = unused;
    this.#only.hidden = !unused;
    this.refresh();
  }

  follow(values) {
    this.#control.follow?.(values);
  }

  focus() {
    this.#input.focus();
  }

  /** Focus with all of the text chosen, so that typing replaces it. */
  select() {
    this.#input.select();
  }

  /** Opens the sections around it, brings it into view, and gives it the focus. */
  reveal() {
    for (const section of this.#sections) section.open = true;
    this.root.scrollIntoView({ block: 'center' });
    this.focus();
  }

  /** Brings what depends on the value in line with it. */
  refresh() {
    this.#own = !isDefault(this.#control.read(), this.definition);
    this.#reset.hidden = this.definition.name === 'text' || !this.#own || this.#unused;
  }

  /** Shows messages beside the control, or with none takes them away. */
  show(messages) {
    const { id } = this.#problem;
    const isWrong = messages.length > 0;
    this.#problem.textContent = messages.join('; ');
    this.#problem.hidden = !isWrong;
    this.root.classList.toggle('wrong', isWrong);
    const described = [isWrong ? id : null, this.#hint.id].filter(Boolean);
    for (const input of this.#control.inputs) {
      input.setAttribute('aria-describedby', described.join(' '));
      if (isWrong) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    }
    for (const section of isWrong ? this.#sections : []) section.open = true;
  }

  /** Whether the messages can be read at this moment: they are neither scrolled away nor covered. */
  get showsMessages() {
    const { x, y, width, height } = this.#problem.getBoundingClientRect();
    const topmost = document.elementFromPoint(x + width / 2, y + height / 2);
    return topmost !== null && this.#problem.contains(topmost);
  }

  /** The input that a message is about. */
  get #input() {
    return this.#control.inputs.findLast((input) => !input.hidden);
  }

  /** The sections around it that can be closed, from without. */
  get #sections() {
    const sections = [];
    for (let one = this.root.closest('details'); one; one = one.parentElement.closest('details')) {
      sections.unshift(one);
    }
    return sections;
  }
}

/** The fields of one level of a request: of its top, or of one of its texts. */
export class Fields {
  #fields = new Map();
  /** What no field stands for: names from an address that this server may not know. */
  #foreign = {};
  /** The parameters of effects that were left, for when one comes back to them. */
  #remembered = new Map();
  #outer = {};
  #catalogue;
  #options;
  #effect;
  /** Where the parameters of the chosen effect stand. */
  effectRoot = element('div', { class: 'effect-fields' });

  /** @param options `changed`, called with a parameter's name, and what else a `Field` takes. */
  constructor(catalogue, options) {
    this.#catalogue = catalogue;
    this.#options = options;
  }

  /** A further field. */
  add(definition) {
    const { name } = definition;
    const { titles, fonts } = this.#catalogue;
    const field = new Field(definition, {
      ...this.#options, fonts, titles: titles[name],
      changed: () => {
        if (name === 'effect') this.#switchEffect();
        if (field.read() !== undefined) this.#fields.get(exclusive[name])?.write(undefined);
        this.#follow();
        this.#options.changed(name);
      },
    });
    field.inherit(this.#outer[name]);
    this.#fields.set(name, field);
    if (name === 'effect') this.#showEffect();
    return field;
  }

  get(name) {
    return this.#fields.get(name);
  }

  /** Whether a value is given that no field stands for. */
  isForeign(name) {
    return Object.hasOwn(this.#foreign, name);
  }

  /** The values that are given here and that the chosen format takes. */
  read() {
    const request = {};
    for (const [name, field] of this.#fields) {
      const value = field.unused ? undefined : field.read();
      if (value !== undefined) request[name] = value;
    }
    return { ...request, ...this.#foreign };
  }

  write(request) {
    this.#foreign = {};
    this.#fields.get('effect').write(request.effect);
    this.#showEffect(request);
    for (const [name, field] of this.#fields) field.write(request[name]);
    this.#foreign = Object.fromEntries(
      Object.entries(request).filter(([name]) => !this.#fields.has(name)));
    this.#follow();
  }

  /** Takes the values of the level around this one where none are given here. */
  inherit(outer) {
    this.#outer = outer;
    for (const [name, field] of this.#fields) field.inherit(outer[name]);
    if (this.#fields.get('effect').value !== this.#effect) this.#switchEffect();
    this.#follow();
  }

  /** Gives a value up, of a field or of a name that has none. */
  forget(name) {
    delete this.#foreign[name];
    this.#fields.get(name)?.write(undefined);
    this.#follow();
  }

  /** Shows messages beside the fields: lists of them by the parameters' names. */
  show(messages) {
    for (const [name, field] of this.#fields) field.show(messages.get(name) ?? []);
  }

  /** The names of the chosen effect's parameters. */
  get effectParameters() {
    return this.#effectDefinitions().map(({ name }) => name);
  }

  #follow() {
    const values = Object.fromEntries(
      [...this.#fields].map(([name, field]) => [name, field.value]));
    const format = values.format ?? this.#outer.format ?? svg.name;
    for (const [name, field] of this.#fields) {
      field.follow(values);
      field.unused = field.definition.owners?.every((owner) => owner.name !== format) ?? false;
      if (invisible[name]) {
        field.root.hidden = invisible[name](values) && field.read() === undefined;
      }
    }
  }

  #effectDefinitions() {
    return this.#catalogue.effects.find(({ name }) => name === this.#effect)?.parameters ?? [];
  }

  /**
   * Another effect was chosen: the old one's values are kept for when one comes back. What had no
   * field may have one now.
   */
  #switchEffect() {
    const values = this.effectParameters.map((name) => [name, this.#fields.get(name).read()]);
    this.#remembered.set(this.#effect, Object.fromEntries(values));
    this.#showEffect({
      ...this.#foreign, ...this.#remembered.get(this.#fields.get('effect').value),
    });
    for (const name of this.effectParameters) delete this.#foreign[name];
  }

  #showEffect(values = {}) {
    for (const name of this.effectParameters) this.#fields.delete(name);
    this.#effect = this.#fields.get('effect').value;
    const fields = this.#effectDefinitions().map((one) => this.add(one));
    for (const field of fields) field.write(values[field.definition.name]);
    this.effectRoot.replaceChildren(...fields.map(({ root }) => root));
  }
}

/** A line below the fields that explains the one in use, in a place of its own: nothing moves. */
export function hintLine(root) {
  const line = element('p', { class: 'hint', 'aria-hidden': 'true' });
  const show = (event) => {
    const field = fieldsByRoot.get(event.target?.closest?.('.field'));
    if (!field) return;
    line.replaceChildren(element('strong', {}, field.label), ` ${field.hint}`);
  };
  root.addEventListener('focusin', show);
  root.addEventListener('pointerover', show);
  return line;
}

function onlyFor(owners) {
  return owners ? `${owners.map(({ title }) => title).join(', ')} only` : '';
}

function typed(text, type) {
  return (type === 'number' || type === 'integer') && isNumber(text) ? Number(text) : text;
}

function isDefault(text, { name, type, default: standard }) {
  if (name === 'text') return false;
  if (text === '') return true;
  if (standard === null || standard === undefined) return false;
  if (typeof standard === 'number') return isNumber(text) && Number(text) === standard;
  if (type === 'color') return text.toLowerCase() === String(standard).toLowerCase();
  return text === String(standard);
}
