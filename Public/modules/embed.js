import { copy } from './clipboard.js';
import { element } from './dom.js';
import { withExtension } from './render.js';
import { readableAddress, wordsOf } from './request.js';
import { snippets } from './snippets.js';

/** Snippets to copy and the file to download, in any of the server's formats. */
export class Embed {
  #root;
  #formats;
  #shown = null;
  #menu = element('select', { id: 'embed-format', onchange: () => this.#refresh() });
  #download = element('a', { class: 'button' }, 'Download');
  #rows = element('div', { class: 'snippets' });
  #said = element('p', { class: 'unseen', role: 'status' });

  constructor(root) {
    root.hidden = true;
    this.#root = root;
    root.replaceChildren(
      element(
        'div', { class: 'embed-head' }, element('h2', { id: 'embed-title' }, 'Embed'),
        element('label', { htmlFor: 'embed-format', class: 'unseen' }, 'Format'), this.#menu,
        this.#download),
      this.#rows, this.#said);
  }

  set formats(formats) {
    this.#formats = formats;
    this.#menu.replaceChildren(...formats.map(({ extension }) => element(
      'option', { value: extension }, extension.toUpperCase())));
    this.#menu.value = 'svg';
    this.#refresh();
  }

  /** Shows the snippets of a rendering. */
  show(request, rendering) {
    this.#shown = { request, rendering };
    this.#refresh();
  }

  #refresh() {
    if (!this.#shown || !this.#formats) return;
    this.#root.hidden = false;
    const { request, rendering } = this.#shown;
    const { extension, mediaType } = this.#formats.find((one) => one.extension === this.#menu.value);
    const query = readableAddress(request, extension);
    const path = rendering.permalink ? withExtension(rendering.permalink, extension) : query;
    this.#download.hidden = this.#menu.hidden = path === null;
    if (path === null) {
      this.#rows.replaceChildren(element(
        'p', { class: 'note' }, 'This is more than an address can hold. ',
        'POST it to /render, or take shorter texts.'));
      return;
    }
    const text = wordsOf(request);
    const address = location.origin + path;
    this.#download.href = address;
    this.#download.download = `${fileName(text)}.${extension}`;
    const isImage = mediaType.startsWith('image/');
    const readable = query && location.origin + query;
    const entries = snippets({ ...rendering, address, readable, text, isImage });
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

function fileName(text) {
  return text.normalize('NFKD').toLowerCase().match(/[a-z0-9]+/g)?.slice(0, 6).join('-') ?? 'title';
}
