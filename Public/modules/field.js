import { controlFor } from './controls/index.js';
import { element, icon } from './dom.js';
import { isNumber } from './request.js';
import { hintOf, labelOf } from './words.js';

const back = 'M3 8a5 5 0 1 0 1.600-3.700M3 2.500v3h3';
const known = new WeakMap();
let count = 0;

/** The field that a node stands in, if any. */
export function fieldAt(node) {
  return known.get(node?.closest?.('.field'));
}

/** One parameter: its label, its control, its default a click away, and what is wrong with it. */
export class Field {
  #control;
  #problem;
  #hint;
  #reset;
  /** What holds when nothing else does; `definition.default` may be an outer level's value. */
  #standard;
  #own = false;
  #waits = false;
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
        this.#control.inputs.at(-1).focus();
        options.changed(definition.name);
      },
    }, icon(back));
    this.#only = element('p', { class: 'only', hidden: true }, onlyFor(definition.owners));
    this.root = element(
      'div', { class: 'field', dataset: { parameter: definition.name } },
      element('div', { class: 'field-head' }, element('label', { htmlFor: id }, label), this.#reset),
      element('div', { class: 'field-control' }, this.#control.root, this.#only),
      this.#problem, this.#hint);
    known.set(this.root, this);
    this.show(null);
  }

  /** A sentence about the parameter. */
  get hint() {
    return hintOf(this.definition);
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

  /** Whether the chosen format has no use for the parameter: its value waits for one that has. */
  get waits() {
    return this.#waits;
  }

  set waits(waits) {
    if (waits === this.#waits) return;
    this.#waits = waits;
    this.root.classList.toggle('waits', waits);
    this.#control.root.hidden = waits;
    this.#only.hidden = !waits;
    this.refresh();
  }

  follow(values) {
    this.#control.follow?.(values);
  }

  focus() {
    this.#control.inputs.at(-1).focus();
  }

  /** Focus with all of the text chosen, so that typing replaces it. */
  select() {
    this.#control.inputs.at(-1).select();
  }

  /** Brings what depends on the value in line with it. */
  refresh() {
    this.#own = !isDefault(this.#control.read(), this.definition);
    this.#reset.hidden = this.definition.name === 'text' || !this.#own || this.#waits;
  }

  /** Shows a message beside the control, or takes it away. */
  show(message) {
    const { id } = this.#problem;
    this.#problem.textContent = message ?? '';
    this.#problem.hidden = !message;
    this.root.classList.toggle('wrong', Boolean(message));
    const described = [message ? id : null, this.#hint.id].filter(Boolean);
    for (const input of this.#control.inputs) {
      input.setAttribute('aria-describedby', described.join(' '));
      if (message) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    }
  }
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
