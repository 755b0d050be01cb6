import { element } from './controls.js';
import { Rows, escapedMarkdown, imageCode, titled } from './preview.js';
import { typingOf } from './server.js';

/** A field that takes a link to readme-typing-svg, and the same picture by this service. */
export class TypingLink {
  #latest = null;
  #field = element('input', {
    id: 'typing-link', type: 'text', spellcheck: false, autocomplete: 'off',
    placeholder: 'https://readme-typing-svg.demolab.com/?lines=…',
    'aria-describedby': 'typing-message', oninput: () => this.#read(),
  });
  #message = element('p', { id: 'typing-message', class: 'remark', role: 'status' });
  #picture = element('div', { class: 'typed', hidden: true });
  #rows = new Rows('typed');
  root = element(
    'div', { class: 'typing' },
    element('label', { htmlFor: 'typing-link' }, 'Paste a link, or the line of your README'),
    this.#field, this.#message, this.#picture, this.#rows.root);

  async #read() {
    const pasted = this.#field.value;
    const query = queryOfTyping(pasted);
    this.#latest = query;
    this.#show(null);
    if (query === null) {
      this.#message.textContent = pasted.trim()
        ? 'There is no link with “lines” in this.' : '';
      return;
    }
    try {
      const picture = await typingOf(query);
      if (this.#latest === query) await this.#show(picture, textOf(query));
    } catch (error) {
      if (this.#latest === query) this.#message.textContent = `${error.message}.`;
    }
  }

  /** Shows a picture with its snippets; one of what is wrong has no address, and null removes all. */
  async #show(picture, alt) {
    this.#message.textContent = '';
    this.#picture.hidden = true;
    this.#rows.show([]);
    if (picture === null) return;
    const image = element('img', { src: URL.createObjectURL(picture.file), alt });
    await image.decode().finally(() => URL.revokeObjectURL(image.src));
    this.#picture.replaceChildren(image);
    this.#picture.hidden = false;
    if (picture.address === null) return;
    const address = location.origin + picture.address;
    this.#rows.show(titled([
      ['Markdown', `![${escapedMarkdown(alt)}](${address})`],
      ['HTML', imageCode({ address, width: image.width, height: image.height, alt })],
      ['URL', address],
    ]));
  }
}

/**
 * Returns the query of the first address with `lines` in a text, as it stands there; null if there is
 * none. The text may be Markdown or HTML, and the host any.
 */
function queryOfTyping(text) {
  for (const [, before, found] of text.matchAll(/(^|[\s"'(<])[^\s"'(<>?]+\?([^\s"<>]+)/g)) {
    const query = upToEnd(found, before).split('#')[0].replaceAll('&amp;', '&');
    if (new URLSearchParams(query).get('lines')) return query;
  }
  return null;
}

/** Cuts an address off where what was opened before it is closed. */
function upToEnd(address, before) {
  if (before === "'") return address.split("'")[0];
  if (before !== '(') return address;
  let depth = 0;
  for (const [index, character] of [...address].entries()) {
    depth += { '(': 1, ')': -1 }[character] ?? 0;
    if (depth < 0) return [...address].slice(0, index).join('');
  }
  return address;
}

/** Returns the lines of such a query in one. */
function textOf(query) {
  const parameters = new URLSearchParams(query);
  const separator = parameters.get('separator') || ';';
  return parameters.getAll('lines').at(-1).split(separator).join(' ').replace(/\s+/g, ' ').trim();
}
