import { element } from './dom.js';
import { Field } from './field.js';
import { arrange } from './sections.js';

/** The controls of a request, built from the catalogue. */
export class Form {
  #fields = new Map();
  /** What no field stands for: names from an address that this server may not know. */
  #foreign = {};
  /** The parameters of effects that were left, for when one comes back to them. */
  #remembered = new Map();
  #catalogue;
  #changed;
  #effectFields = element('div', { class: 'effect-fields' });
  #effect;

  /** @param changed called with the name of the parameter that a hand has changed. */
  constructor(root, catalogue, changed) {
    this.#catalogue = catalogue;
    this.#changed = changed;
    const definitions = new Map(catalogue.parameters.map((one) => [one.name, one]));
    const titles = new Map(catalogue.effects.map(({ name, title }) => [name, title]));
    const add = (name, options) => this.#add(definitions.get(name), options).root;

    root.replaceChildren(
      element('div', { class: 'section text-section' }, add('text'), add('markup')),
      element('div', { class: 'section' }, add('effect', { titles }), this.#effectFields),
      ...arrange(catalogue.parameters).map((section) => element(
        'details', { class: 'section', open: section.open ?? false },
        element('summary', {}, section.title),
        ...section.definitions.map((one) => this.#add(one).root))));
    root.addEventListener('submit', (event) => event.preventDefault());
    this.#showEffect();
  }

  /** The field of a parameter that the form shows. */
  field(name) {
    return this.#fields.get(name);
  }

  /** The definition of a parameter of this request. */
  definition(name) {
    return this.#fields.get(name)?.definition;
  }

  /** The request without defaults. */
  read() {
    const request = {};
    for (const [name, field] of this.#fields) {
      const value = field.read();
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

  /** Drops a name that no field stands for. */
  forget(name) {
    delete this.#foreign[name];
  }

  /** Shows messages beside the fields that they name; answers those that name none. */
  show(faults) {
    const rest = [];
    const messages = new Map();
    for (const fault of faults) {
      const name = fault.parameter.replace(/^blocks\[0\]\./, '');
      if (this.#fields.has(name)) messages.set(name, fault.message);
      else rest.push(fault);
    }
    for (const [name, field] of this.#fields) {
      const message = messages.get(name) ?? null;
      field.show(message);
      const section = field.root.closest('details');
      if (message && section) section.open = true;
    }
    return rest;
  }

  #add(definition, options = {}) {
    const { name } = definition;
    const field = new Field(definition, {
      ...options,
      fonts: this.#catalogue.fonts,
      changed: () => {
        field.refresh();
        if (name === 'effect') this.#switchEffect();
        this.#follow();
        this.#changed(name);
      },
    });
    this.#fields.set(name, field);
    return field;
  }

  #follow() {
    const values = Object.fromEntries(
      [...this.#fields].map(([name, field]) => [name, field.value]));
    for (const field of this.#fields.values()) field.follow(values);
  }

  #effectDefinitions() {
    return this.#catalogue.effects.find(({ name }) => name === this.#effect)?.parameters ?? [];
  }

  /** Another effect was chosen: the old one's values are kept for when one comes back. */
  #switchEffect() {
    const values = this.#effectDefinitions().map(
      ({ name }) => [name, this.#fields.get(name).read()]);
    this.#remembered.set(this.#effect, Object.fromEntries(values));
    this.#showEffect(this.#remembered.get(this.#fields.get('effect').value));
  }

  #showEffect(values = {}) {
    for (const { name } of this.#effectDefinitions()) this.#fields.delete(name);
    this.#effect = this.#fields.get('effect').value;
    const fields = this.#effectDefinitions().map((one) => this.#add(one));
    for (const field of fields) field.write(values[field.definition.name]);
    this.#effectFields.replaceChildren(...fields.map(({ root }) => root));
  }
}
