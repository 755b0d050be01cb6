import {
  dragPause, element, fillMenu, named, numberControl, partOf, select, svgElement,
} from './controls.js';
import {
  cubicOf, easingCall, easingExamples, easingPath, easingRanges, namedEasings,
} from './easing.js';
import { rounded } from './paint.js';

/** The part of the plane that the drawing shows, progress up; curves may go beyond. */
const view = { left: -0.1, top: 1.45, width: 1.2, height: 1.9 };

/** The words for the control points of a cubic curve. */
const ordinals = ['first', 'second'];

/**
 * An easing: a menu, a drawing, and controls of what the chosen kind has: the control points of a
 * cubic curve, which can be dragged too, the bounce of a spring, a number of steps, or a text.
 */
export class EasingEditor {
  #label;
  #changed;
  #inherited = 'linear';
  /** The easing's text; undefined for the inherited one. */
  #easing;
  /** The menu of kinds, which messages concern. */
  menu;
  #path = svgElement('path', {
    class: 'curve-line', transform: 'scale(1 -1)', 'vector-effect': 'non-scaling-stroke',
  });
  #arms = ordinals.map(() => svgElement(
    'path', { class: 'curve-arm', 'vector-effect': 'non-scaling-stroke' }));
  #handles;
  #details = element('div', { class: 'easing-details' });
  /** Shows the values of the control points in their fields; set while there are such fields. */
  #showPoints = null;
  #lastChange = 0;
  root;

  /** @param changed called with the easing's text, or with undefined for the inherited one. */
  constructor(label, changed) {
    this.#label = label;
    this.#changed = changed;
    this.menu = element('select', { 'aria-label': label, onchange: () => this.#switch() });
    this.#handles = ordinals.map((words, index) => this.#handle(words, index));
    const drawing = svgElement(
      'svg', {
        viewBox: `${view.left} ${-view.top} ${view.width} ${view.height}`,
        preserveAspectRatio: 'none', 'aria-hidden': 'true',
      },
      svgElement(
        'path',
        { class: 'curve-frame', d: 'M0 0H1V-1H0Z', 'vector-effect': 'non-scaling-stroke' }),
      ...this.#arms, this.#path);
    this.root = element(
      'div', { class: 'easing-editor' }, this.menu,
      element('div', { class: 'easing-plot' }, drawing, ...this.#handles), this.#details);
  }

  /** Shows an easing, or the inherited one if it is undefined. */
  show(easing, inherited) {
    this.#easing = easing;
    this.#inherited = inherited;
    fillMenu(this.menu, [
      ['', `As the effect: ${inherited}`], ...namedEasings.map((name) => [name, name]),
      ...Object.keys(easingExamples).map((name) => [`${name}()`, `${name}(…)`]),
    ]);
    const call = easingCall(easing ?? '');
    select(this.menu, call ? `${call.name}()` : easing ?? '');
    this.#showDetails();
    this.#draw();
  }

  get #effective() {
    return this.#easing ?? this.#inherited;
  }

  /** Takes over what the menu says; a curve of one's own begins as the one before it. */
  #switch() {
    const choice = this.menu.value;
    const name = choice.endsWith('()') ? choice.slice(0, -2) : null;
    const points = name === 'cubic-bezier' && cubicOf(this.#effective);
    if (points) this.#easing = cubicText(points);
    else if (name) this.#easing = easingExamples[name];
    else this.#easing = choice || undefined;
    this.#showDetails();
    this.#draw();
    this.#changed(this.#easing);
  }

  #set(easing) {
    this.#easing = easing;
    this.#draw();
    this.#changed(easing);
  }

  // The controls of each kind.

  #showDetails() {
    const { name, parts } = easingCall(this.#easing ?? '') ?? {};
    this.#showPoints = null;
    const show = {
      'cubic-bezier': () => this.#pointFields(parts),
      spring: () => this.#numberField('Bounce', { type: 'number', default: 0.3 }, name, parts),
      steps: () => this.#numberField('Steps', { type: 'integer', default: 6 }, name, parts),
      linear: () => this.#textField(),
    }[name];
    this.#details.replaceChildren(...show?.() ?? this.#advice());
  }

  #advice() {
    if (!cubicOf(this.#effective)) return [];
    return [element('p', {}, 'Drag a point for a curve of your own.')];
  }

  #pointFields(parts) {
    const { x, y } = easingRanges['cubic-bezier'];
    const names = ['x1', 'y1', 'x2', 'y2'];
    const fields = names.map((name) => {
      const control = numberControl(
        partOf({ type: 'number', ...name.startsWith('x') ? x : y }), { changed: () => {
          this.#set(callText('cubic-bezier', fields.map((field) => field.read())));
        } });
      named(control, `${this.#label}, ${name}`);
      return control;
    });
    this.#showPoints = (points) => {
      fields.forEach((field, index) => field.write(String(points[index] ?? '')));
    };
    this.#showPoints(parts);
    return fields.map((field, index) => element(
      'div', { class: 'easing-point' },
      element('span', { 'aria-hidden': 'true' }, names[index]), field.root));
  }

  #numberField(words, definition, name, parts) {
    const label = `${this.#label}, ${words.toLowerCase()}`;
    const control = numberControl(partOf({ ...definition, ...easingRanges[name] }), {
      label, changed: () => this.#set(callText(name, [control.read()])),
    });
    named(control, label);
    control.write(parts.join(', '));
    return [element('span', { class: 'easing-words', 'aria-hidden': 'true' }, words), control.root];
  }

  #textField() {
    const field = element('input', {
      type: 'text', spellcheck: false, class: 'code', value: this.#easing,
      'aria-label': `${this.#label}, points`, oninput: () => this.#set(field.value.trim()),
    });
    return [field];
  }

  // The drawing.

  #draw() {
    const points = cubicOf(this.#effective);
    this.#path.setAttribute('d', easingPath(this.#effective) ?? '');
    for (const [index, handle] of this.#handles.entries()) {
      handle.hidden = points === null;
      this.#arms[index].setAttribute('d', '');
      if (!points) continue;
      const [x, y] = points.slice(2 * index, 2 * index + 2);
      this.#arms[index].setAttribute('d', `M${index} ${-index}L${x} ${-y}`);
      handle.style.setProperty('--x', `${(x - view.left) / view.width * 100}%`);
      // A point beyond the drawing stays at its edge.
      const share = Math.min(Math.max((view.top - y) / view.height, 0), 1);
      handle.style.setProperty('--y', `${share * 100}%`);
      handle.setAttribute('aria-valuenow', x);
      handle.setAttribute('aria-valuetext', `x ${x}, y ${y}`);
    }
  }

  /** A control point that is dragged; keys move it to either side, up and down. */
  #handle(words, index) {
    const handle = element('button', {
      type: 'button', class: 'easing-handle', role: 'slider', 'aria-valuemin': 0,
      'aria-valuemax': 1, 'aria-label': `${this.#label}, ${words} point`,
    });
    let grip = null;
    handle.onpointerdown = (event) => {
      if (event.button !== 0) return;
      const { left, top, width, height } = handle.getBoundingClientRect();
      grip = [event.clientX - left - width / 2, event.clientY - top - height / 2];
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    };
    handle.onpointermove = (event) => {
      if (!grip) return;
      const { left, top, width, height } = handle.parentElement.getBoundingClientRect();
      const [x, y] = [event.clientX - grip[0] - left, event.clientY - grip[1] - top];
      this.#move(
        index, view.left + x / width * view.width,
        view.top - Math.min(Math.max(y / height, 0), 1) * view.height, { isDrag: true });
    };
    handle.onlostpointercapture = () => {
      grip = null;
      this.#changed(this.#easing);
    };
    handle.onkeydown = (event) => {
      const size = event.shiftKey ? 0.1 : 0.01;
      const step = {
        ArrowLeft: [-size, 0], ArrowRight: [size, 0], ArrowUp: [0, size], ArrowDown: [0, -size],
      }[event.key];
      if (!step) return;
      event.preventDefault();
      const [x, y] = cubicOf(this.#effective).slice(2 * index, 2 * index + 2);
      this.#move(index, x + step[0], y + step[1]);
    };
    return handle;
  }

  /** Moves a control point; a curve with a name becomes one of one's own. */
  #move(index, x, y, { isDrag = false } = {}) {
    const points = cubicOf(this.#effective);
    const ranges = easingRanges['cubic-bezier'];
    points[2 * index] = within(ranges.x, x);
    points[2 * index + 1] = within(ranges.y, y);
    this.#easing = cubicText(points);
    if (this.#showPoints) {
      this.#showPoints(points);
    } else {
      this.menu.value = 'cubic-bezier()';
      this.#showDetails();
    }
    this.#draw();
    if (isDrag && performance.now() - this.#lastChange < dragPause) return;
    this.#lastChange = performance.now();
    this.#changed(this.#easing);
  }
}

/** Returns a number within a range, with two decimals. */
function within({ minimum, maximum }, value) {
  return rounded(Math.round(Math.min(Math.max(value, minimum), maximum) * 100) / 100);
}

function callText(name, parts) {
  return `${name}(${parts.join(', ')})`;
}

function cubicText(points) {
  return callText('cubic-bezier', points);
}
