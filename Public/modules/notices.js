import { element } from './dom.js';

/** What the server has to say about the picture: refusals without a field, and warnings. */
export class Notices {
  #problems = element('ul', { class: 'problems' });
  #warnings = element('ul', { class: 'warnings' });
  #status = element('p', { class: 'status', role: 'status' });
  root = element('div', { class: 'notices' }, this.#status, this.#problems, this.#warnings);

  /**
   * @param status one line, spoken as well.
   * @param rest faults that no field shows.
   * @param remove called with the parameter's name to take it out of the request.
   */
  refuse(status, rest, remove) {
    this.#status.textContent = status;
    this.#problems.replaceChildren(...rest.map(({ parameter, message }) => element(
      'li', {}, element('code', {}, parameter), ` ${message} `, element('button', {
        type: 'button', class: 'link', onclick: () => remove(parameter),
      }, 'Remove'))));
    this.warn([]);
  }

  accept() {
    if (this.#status.textContent) this.#status.textContent = '';
    this.#problems.replaceChildren();
  }

  /** @param several whether a warning has to say which text it is about. */
  warn(warnings, several = false) {
    this.#warnings.replaceChildren(...warnings.map(({ message, block }) => element(
      'li', {}, several && block !== undefined ? `Text ${block + 1}: ${message}` : message)));
  }
}
