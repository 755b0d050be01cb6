import { element } from './dom.js';
import { Field } from './field.js';
import { svg } from './formats.js';

/** Of these only one may be given. */
const rivals = { speed: 'cycle', cycle: 'speed' };

/** Hidden, unless given, where they could not be seen. */
const idle = { cursorBlink: ({ cursor }) => cursor === 'none' };

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
        if (field.read() !== undefined) this.#fields.get(rivals[name])?.write(undefined);
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

  /** The values that are given here and that the chosen format takes. */
  read() {
    const request = {};
    for (const [name, field] of this.#fields) {
      const value = field.waits ? undefined : field.read();
      if (value !== undefined) request[name] = value;
    }
    return { ...request, ...this.#foreign };
  }

  write(request) {
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

  /** Shows messages beside the fields, by their parameters' names. */
  show(messages) {
    for (const [name, field] of this.#fields) {
      const message = messages.get(name) ?? null;
      field.show(message);
      const section = field.root.closest('details');
      if (message && section) section.open = true;
    }
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
      field.waits = field.definition.owners?.every((owner) => owner.name !== format) ?? false;
      if (idle[name]) field.root.hidden = idle[name](values) && field.read() === undefined;
    }
  }

  #effectDefinitions() {
    return this.#catalogue.effects.find(({ name }) => name === this.#effect)?.parameters ?? [];
  }

  /** Another effect was chosen: the old one's values are kept for when one comes back. */
  #switchEffect() {
    const values = this.effectParameters.map((name) => [name, this.#fields.get(name).read()]);
    this.#remembered.set(this.#effect, Object.fromEntries(values));
    this.#showEffect(this.#remembered.get(this.#fields.get('effect').value));
  }

  #showEffect(values = {}) {
    for (const name of this.effectParameters) this.#fields.delete(name);
    this.#effect = this.#fields.get('effect').value;
    const fields = this.#effectDefinitions().map((one) => this.add(one));
    for (const field of fields) field.write(values[field.definition.name]);
    this.effectRoot.replaceChildren(...fields.map(({ root }) => root));
  }
}
