import { element, icon } from './dom.js';

const arrow = 'M8 2.500v8M4.500 7L8 10.500 11.500 7M3 13.500h10';

/** The file of the rendering that is shown, at once: its bytes are here already. */
export class Download {
  #address = null;
  #title = element('span');
  root = element(
    'a', { class: 'button download', hidden: true }, icon(arrow),
    element('span', { class: 'download-word' }, 'Download'), this.#title);

  set rendering({ file, format, name }) {
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(file);
    this.#title.textContent = format.title;
    this.root.hidden = false;
    this.root.setAttribute('aria-label', `Download ${format.title}`);
    this.root.href = this.#address;
    this.root.download = this.root.title = `${name}.${format.extension}`;
  }
}
