import { controlFor } from './controls/index.js';
import { element, icon } from './dom.js';
import { isNumber } from './request.js';
import { hintOf, labelOf } from './words.js';

const back = 'M3 8a5 5 0 1 0 1.600-3.700M3 2.500v3h3';
let count = 0;

/** One parameter: its label, its control, its default a click away, and what is wrong with it. */
export class Field {
  #control;
  #problem;
  #reset;

  /** @param options what controls need besides the definition: `changed`, `fonts`, `titles`. */
  constructor(definition, options) {
    const id = `field-${count += 1}`;
    const label = labelOf(definition.name);
    this.definition = definition;
    this.label = label;
    this.hint = hintOf(definition);
    this.#control = controlFor(definition, { ...options, id, label });

    const hint = element('p', { id: `${id}-hint`, class: 'unseen' }, this.hint);
    this.#problem = element('p', { id: `${id}-problem`, class: 'problem', hidden: true });
    this.#reset = element('button', {
      type: 'button', class: 'reset', hidden: true, title: 'Back to the default',
      'aria-label': `${label}: back to the default`,
      onclick: () => {
        this.write(undefined);
        this.#control.inputs.at(-1).focus();
        options.changed(definition.name);
      },
    }, icon(back));
    this.root = element(
      'div', { class: 'field', dataset: { parameter: definition.name } },
      element('div', { class: 'field-head' }, element('label', { htmlFor: id }, label), this.#reset),
      element('div', { class: 'field-control' }, this.#control.root), this.#problem, hint);
    this.show(null);
  }

  /** The value as a query carries it; undefined where it is the default. */
  read() {
    const text = this.#control.read();
    return isDefault(text, this.definition) ? undefined : text;
  }

  write(text) {
    this.#control.write(text);
    this.refresh();
  }

  /** The value, default or not, for controls that depend on it. */
  get value() {
    return this.#control.read();
  }

  follow(values) {
    this.#control.follow?.(values);
  }

  /** Brings what depends on the value in line with it. */
  refresh() {
    this.#reset.hidden = this.definition.name === 'text' || this.read() === undefined;
  }

  /** Shows a message beside the control, or takes it away. */
  show(message) {
    const { id } = this.#problem;
    this.#problem.textContent = message ?? '';
    this.#problem.hidden = !message;
    this.root.classList.toggle('wrong', Boolean(message));
    const described = [message ? id : null, id.replace('problem', 'hint')].filter(Boolean);
    for (const input of this.#control.inputs) {
      input.setAttribute('aria-describedby', described.join(' '));
      if (message) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    }
  }
}

function isDefault(text, { name, type, default: standard }) {
  if (name === 'text') return false;
  if (text === '') return true;
  if (standard === null || standard === undefined) return false;
  if (typeof standard === 'number') return isNumber(text) && Number(text) === standard;
  if (type === 'color') return text.toLowerCase() === standard;
  return text === String(standard);
}
