import { copy } from './clipboard.js';
import { element } from './dom.js';
import { readableAddress, wordsOf } from './request.js';
import { snippets } from './snippets.js';

/** Snippets to copy. */
export class Embed {
  #root;
  #rows = element('div', { class: 'snippets' });
  #said = element('p', { class: 'unseen', role: 'status' });

  constructor(root) {
    // Unseen, but in its place, so that nothing moves for it.
    root.classList.add('empty');
    this.#root = root;
    root.replaceChildren(
      element('h2', { id: 'embed-title' }, 'Embed'), this.#rows, this.#said);
  }

  /** Shows the snippets of a rendering. */
  show(request, rendering) {
    this.#root.classList.remove('empty');
    const { format } = rendering;
    const query = readableAddress(request, format);
    const path = rendering.permalink ?? query;
    if (path === null) {
      this.#rows.replaceChildren(element(
        'p', { class: 'note' }, 'This is more than an address can hold. ',
        `POST it to /render.${format.extension}, or take shorter texts.`));
      return;
    }
    const entries = snippets({
      ...rendering,
      address: location.origin + path,
      readable: query !== null && query !== path ? location.origin + query : null,
      text: request.title ?? wordsOf(request),
      isImage: format.isImage,
    });
    this.#rows.replaceChildren(...entries.map((entry) => this.#row(entry)));
  }

  #row({ title, code }) {
    const id = `snippet-${title.toLowerCase().replace(' ', '-')}`;
    const field = element('input', { id, type: 'text', readOnly: true, value: code });
    const button = element('button', {
      type: 'button', 'aria-label': `Copy ${title}`, onclick: async () => {
        const copied = await copy(code, field);
        this.#said.textContent = copied ? `${title} copied` : 'The browser refused to copy';
        button.textContent = copied ? 'Copied' : 'Select it';
        setTimeout(() => { button.textContent = 'Copy'; this.#said.textContent = ''; }, 1600);
      },
    }, 'Copy');
    field.onfocus = () => field.select();
    return element(
      'div', { class: 'snippet' }, element('label', { htmlFor: id }, title), field, button);
  }
}
