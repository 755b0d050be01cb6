import { element, icon } from './controls.js';

const fileIcon = 'M4 2.500h5l3 3v8H4zM9 2.500v3h3M6 8.500h4M6 11h4';

/** The values that captions begin with unless the request has a look of captions already. */
export const usualValues = { preset: 'captions-karaoke', width: '1280', height: '720' };

/** The files that a dialog offers; the server tells by the content what one is. */
const extensions = '.srt,.vtt,.ass,.ssa,.json';

/** Returns the text of a file: in UTF-16 if it begins so, else in UTF-8. */
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  const coding = { '255,254': 'utf-16le', '254,255': 'utf-16be' }[`${first},${second}`] ?? 'utf-8';
  return new TextDecoder(coding).decode(bytes);
}

/** True if something that is dragged is a file. */
function isFile(event) {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** A file of captions in the place of texts, which is chosen, or dropped on the page. */
export class Captions {
  #callbacks;
  #text = '';
  #name = '';
  #file;
  #description = element('p', { class: 'captions-file' });
  #remove = element(
    'button', { type: 'button', class: 'text-tool', onclick: () => this.#callbacks.removed() },
    'Remove the captions');
  #choose;
  /** Announces a file to screen readers. */
  #status = element('p', { class: 'unseen', role: 'status' });
  root;

  /** @param callbacks `taken(text)` with the text of a file, and `removed()`. */
  constructor(callbacks) {
    this.#callbacks = callbacks;
    this.#file = element('input', {
      type: 'file', accept: extensions, hidden: true, onchange: () => {
        const [file] = this.#file.files;
        this.#file.value = '';
        if (file) this.take(file);
      },
    });
    this.#choose = element(
      'button', {
        type: 'button', class: 'text-tool captions-choose', title: 'Or drop the file on the page',
        onclick: () => this.#file.click(),
      }, icon(fileIcon), 'Captions from a file');
    this.root = element(
      'div', { class: 'captions' }, this.#description, this.#choose, this.#remove, this.#file,
      this.#status);
    addEventListener('dragover', (event) => { if (isFile(event)) event.preventDefault(); });
    addEventListener('drop', (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.take(file);
    });
    this.#show();
  }

  /** The text of the file; empty if there is none. */
  get text() {
    return this.#text;
  }

  set text(text) {
    if (text === this.#text) return;
    this.#text = text;
    this.#show();
  }

  /** The number of pages that the file makes. */
  set pages(count) {
    if (!this.#text) return;
    const pages = count === 1 ? '1 page' : `${count} pages`;
    this.#description.textContent = `${this.#name || 'Captions'}: ${pages}.`;
  }

  /** Takes the text of a file. */
  async take(file) {
    const text = await textOf(file);
    this.#name = file.name;
    this.#status.textContent = `${file.name} is read.`;
    this.#callbacks.taken(text);
  }

  #show() {
    const hasFile = this.#text !== '';
    this.#description.hidden = this.#remove.hidden = !hasFile;
    this.#description.textContent = hasFile ? `${this.#name || 'Captions'}.` : '';
    this.#choose.lastChild.textContent = hasFile ? 'Another file' : 'Captions from a file';
  }
}
