import { element, icon } from './controls.js';

/** The most states that are kept. */
export const mostStates = 200;

/** Milliseconds within which changes of one parameter are one step. */
const pause = 1000;

/** The parameters of which each choice is a step, and an entry of the browser's history. */
const choices = new Set(['preset', 'effect', 'format', 'for']);

/** What is always a step of its own: a file. */
const file = 'captions';

/** True for a parameter that is chosen rather than adjusted. */
export function isChoice(name) {
  return choices.has(name);
}

/**
 * The states that the form has had, one of which it has now; for undo and redo.
 *
 * Dispatches `change` when other steps are possible.
 */
export class Steps extends EventTarget {
  #states;
  #index = 0;
  #lastName = null;
  #lastTime = 0;

  constructor(state) {
    super();
    this.#states = [state];
  }

  get canUndo() {
    return this.#index > 0;
  }

  get canRedo() {
    return this.#index < this.#states.length - 1;
  }

  /**
   * Adds the state after a change of a parameter, or of everything with null; what could be redone is
   * gone.
   */
  add(state, name) {
    const now = performance.now();
    const isSameStep = name !== null && name === this.#lastName && !isChoice(name) && name !== file
      && now - this.#lastTime < pause && this.canUndo;
    this.#lastName = name;
    this.#lastTime = now;
    if (isEqual(state, this.#states[this.#index])) return;
    this.#states.splice(isSameStep ? this.#index : this.#index + 1, Infinity, state);
    if (this.#states.length > mostStates) this.#states.shift();
    this.#index = this.#states.length - 1;
    this.dispatchEvent(new Event('change'));
  }

  /** Goes a step back (-1) or forth (1); returns the state there, or null if there is none. */
  go(step) {
    const state = this.#states[this.#index + step] ?? null;
    if (state) this.#index += step;
    this.#lastName = null;
    this.dispatchEvent(new Event('change'));
    return state;
  }
}

function isEqual(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** The buttons, with the direction of their steps. */
const buttons = [
  {
    step: -1, words: 'Undo', done: 'Undone', keys: isMac ? '⌘Z' : 'Ctrl+Z',
    path: 'M6 3L2.500 6.500 6 10M3 6.500h6.500a3.500 3.500 0 0 1 0 7H7',
  },
  {
    step: 1, words: 'Redo', done: 'Redone', keys: isMac ? '⇧⌘Z' : 'Ctrl+Shift+Z',
    path: 'M10 3l3.500 3.500L10 10M13 6.500H6.500a3.500 3.500 0 0 0 0 7H9',
  },
];

/**
 * Undo and redo by buttons, by keys, or by a field's menu.
 *
 * A browser undoes what is typed in one field; here undo is that of the whole form, so that it is
 * the same wherever the focus is. Fields that are none of the form's keep the browser's own.
 */
export class StepControls {
  #steps;
  #owns;
  #go;
  #status = element('span', { class: 'unseen', role: 'status' });
  #buttons = buttons.map(({ step, words, keys, path }) => element('button', {
    type: 'button', class: 'quiet', title: `${words} (${keys})`, 'aria-label': words,
    onclick: () => this.#take(step),
  }, icon(path)));

  /** @param callbacks `owns(element)`, true for one of the form's, and `go(step)`. */
  constructor(root, steps, { owns, go }) {
    this.#steps = steps;
    this.#owns = owns;
    this.#go = go;
    root.append(...this.#buttons, this.#status);
    steps.addEventListener('change', () => this.#show());
    addEventListener('keydown', (event) => this.#takeKey(event));
    addEventListener('beforeinput', (event) => {
      const step = { historyUndo: -1, historyRedo: 1 }[event.inputType];
      if (!step || !owns(event.target)) return;
      event.preventDefault();
      this.#take(step);
    });
    this.#show();
  }

  #show() {
    const [undo, redo] = this.#buttons;
    // One that is disabled would lose the focus.
    undo.setAttribute('aria-disabled', !this.#steps.canUndo);
    redo.setAttribute('aria-disabled', !this.#steps.canRedo);
    this.#status.textContent = '';
  }

  #takeKey(event) {
    const { target } = event;
    const step = stepOf(event);
    const isOthers = target.matches('input, textarea') && !this.#owns(target);
    // A list that is open has a search in its field, which is no value yet.
    const isSearching = target.matches('[aria-expanded="true"][role="combobox"]');
    if (step === 0 || event.defaultPrevented || isOthers || isSearching) return;
    event.preventDefault();
    this.#take(step);
  }

  #take(step) {
    const isPossible = step < 0 ? this.#steps.canUndo : this.#steps.canRedo;
    if (!isPossible) return;
    this.#go(step);
    const index = buttons.findIndex((one) => one.step === step);
    // What had the focus may be gone.
    if (document.activeElement === document.body) this.#buttons[index].focus();
    this.#status.textContent = buttons[index].done;
  }
}

/** Returns the step for which a key asks, or 0. */
function stepOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  if (altKey || ctrlKey === metaKey) return 0;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 1 : -1;
  return letter === 'y' && ctrlKey && !shiftKey ? 1 : 0;
}
