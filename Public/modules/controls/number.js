import { element } from '../dom.js';
import { isNumber } from '../request.js';
import { Scale, fillTrack } from '../slider.js';

/** Beyond this a slider could not reach single values. */
const widestSlider = 1e6;

/** A field for the number, a slider where range and default are known, a box for a word. */
export function numberControl(definition, { id, label, changed }) {
  const field = element('input', {
    id, name: definition.name, type: 'text', inputMode: 'decimal', spellcheck: false,
  });
  const slider = hasSlider(definition) ? sliderFor(definition, label) : null;
  const word = definition.word ? wordBox(definition.word) : null;

  const follow = () => {
    const text = field.value.trim();
    if (slider) slider.show(isNumber(text) ? Number(text) : definition.default);
    if (word) word.box.checked = text === word.text;
  };
  field.oninput = () => { follow(); changed(); };
  field.onkeydown = (event) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    field.value = stepped(field.value.trim(), direction * (event.shiftKey ? 10 : 1), definition);
    follow();
    changed();
  };
  if (slider) slider.input.oninput = () => { field.value = slider.read(); changed(); };
  if (word) {
    word.box.onchange = () => {
      field.value = word.box.checked ? word.text : definition.minimum;
      follow();
      changed();
    };
  }

  const unit = definition.unit ? element('span', { class: 'unit' }, definition.unit) : null;
  return {
    root: element('div', { class: 'number' }, slider?.input, word?.root,
      element('span', { class: 'number-field' }, field, unit)),
    inputs: [slider?.input, word?.box, field].filter(Boolean),
    read: () => field.value.trim(),
    write(text) {
      field.placeholder = definition.default ?? 'auto';
      field.value = text ?? definition.default ?? '';
      follow();
    },
  };
}

function hasSlider({ minimum, maximum, default: standard, word }) {
  return !word && typeof standard === 'number' && maximum - minimum < widestSlider;
}

function sliderFor(definition, label) {
  const scale = new Scale(definition);
  const input = element('input', {
    type: 'range', min: 0, max: 1, step: 0.005, 'aria-label': `${label}, slider`,
  });
  const describe = (value) => {
    input.setAttribute('aria-valuetext', `${value} ${definition.unit ?? ''}`.trim());
    fillTrack(input);
  };
  return {
    input,
    read() {
      const value = scale.value(Number(input.value));
      describe(value);
      return String(value);
    },
    show(value) {
      input.value = scale.position(value);
      describe(value);
    },
  };
}

function wordBox(text) {
  const box = element('input', { type: 'checkbox' });
  return { text, box, root: element('label', { class: 'word' }, box, text) };
}

/** One step up or down: a tenth of the leading digit's weight, a whole for integers. */
function stepped(text, steps, { type, default: standard, minimum, maximum }) {
  const usual = typeof standard === 'number' ? standard : minimum ?? 0;
  const value = isNumber(text) ? Number(text) : usual;
  const size = Math.max(Math.abs(value), 0.01);
  const step = type === 'integer' ? 1 : 10 ** Math.floor(Math.log10(size) - 0.5);
  const next = Number((value + steps * step).toPrecision(12));
  return String(Math.min(Math.max(next, minimum ?? next), maximum ?? next));
}
