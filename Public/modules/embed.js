import { element } from './dom.js';
import { plainTextOf, readableAddress } from './request.js';

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
      text: request.title ?? plainTextOf(request),
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

/** What a README's author pastes; `readable` is null where no query can tell it all. */
function snippets({ address, readable, text, width, height, isImage }) {
  const alt = text.replace(/\s+/g, ' ').trim();
  const links = [
    { title: 'URL', code: address },
    ...readable ? [{ title: 'Query URL', code: readable }] : [],
  ];
  if (!isImage) return links;
  return [
    { title: 'Markdown', code: `![${escapedMarkdown(alt)}](${address})` },
    {
      title: 'HTML',
      code: `<img src="${escapedHTML(address)}" width="${width}" height="${height}" `
        + `alt="${escapedHTML(alt)}">`,
    },
    ...links,
  ];
}

function escapedMarkdown(text) {
  return text.replace(/[\\`*_[\]<>&!]/g, '\\$&');
}

function escapedHTML(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character]);
}

/** Copies text; without a secure context, where the clipboard is out of reach, by selection. */
async function copy(text, field) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused: the selection may still be allowed.
    }
  }
  field.focus();
  field.select();
  return document.execCommand('copy');
}
