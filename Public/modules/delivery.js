import { element, icon } from './controls.js';
import { svg } from './request.js';

/**
 * Where pictures go, with the format and the scale that suit the place. One whose format the server
 * does not have is left out.
 */
const purposes = [
  {
    title: 'README, web page', reason: 'Sharp at any size, follows light and dark',
    format: 'svg',
  },
  {
    title: 'Chat, e-mail, slides', reason: 'Plays everywhere',
    format: 'gif', scale: '2',
  },
  {
    title: 'Sticker, overlay', reason: 'Soft edges on any ground',
    format: 'webp', scale: '2',
  },
  {
    title: 'Still, print', reason: 'One frame in four times the size',
    format: 'png', scale: '4',
  },
  {
    title: 'App', reason: 'Plays on iOS, Android and the web',
    format: 'lottie',
  },
  {
    title: 'Your own code', reason: 'Keyframes of every glyph',
    format: 'json',
  },
];

/** The places that a picture may go to, as radio buttons. */
export class Purposes {
  #options;
  root;

  /** @param choose called with the values by parameter that suit the place that has been chosen. */
  constructor({ formats, types }, choose) {
    this.#options = purposes.flatMap(({ scale, ...purpose }) => {
      const format = formats.find(({ name }) => name === purpose.format);
      if (!format) return [];
      // A server that takes presets only takes no scale.
      const values = { format: format.name, scale: types.has('scale') ? scale : undefined };
      const input = element('input', {
        type: 'radio', name: 'purpose', onchange: () => choose(values),
      });
      const root = element(
        'label', { class: 'purpose' }, input,
        element('span', { class: 'purpose-title' }, purpose.title),
        element('span', { class: 'purpose-reason' }, `${format.title}. ${purpose.reason}.`));
      return [{ values, input, root }];
    });
    this.root = element(
      'fieldset', { class: 'purposes' }, element('legend', {}, 'Where does it go?'),
      ...this.#options.map(({ root }) => root));
  }

  /** Marks the place that a request suits, if there is one. */
  show({ format = svg.name, scale }) {
    for (const { input, values } of this.#options) {
      input.checked = values.format === format && values.scale === scale;
    }
  }
}

const downloadIcon = 'M8 2.500v8M4.500 7L8 10.500 11.500 7M3 13.500h10';
const chevron = 'M4 6l4 4 4-4';

/** Pixels between the menu and what is around it. */
const margin = 8;

/**
 * A link that saves the file that is shown, without another request; beside it the file's size, on
 * a button that opens a menu of what decides it.
 */
export class Download {
  #address = null;
  #title = element('span');
  #size = element('span', {}, 'Format');
  #link = element(
    'a', { class: 'button download', hidden: true }, icon(downloadIcon),
    element('span', { class: 'download-word' }, 'Download'), this.#title);
  #toggle = element(
    'button', {
      type: 'button', class: 'button delivery-toggle', title: 'Where does it go?',
    }, this.#size, icon(chevron));
  #fileName = element('span', { class: 'save-name' });
  #fileSize = element('span');
  #save = element(
    'a', { class: 'button save', hidden: true }, icon(downloadIcon), this.#fileName, this.#fileSize);
  #fields = element('div', { class: 'delivery-fields' });
  #menu = element(
    'div', {
      id: 'delivery', class: 'delivery', popover: 'auto', role: 'dialog',
      'aria-label': 'Format, scale and size',
    }, this.#fields, this.#save);
  root = element('div', { class: 'delivered' }, this.#link, this.#toggle, this.#menu);

  constructor() {
    this.#toggle.popoverTargetElement = this.#menu;
    this.#menu.ontoggle = () => this.#place();
    new ResizeObserver(() => this.#place()).observe(this.#menu);
    addEventListener('resize', () => this.#place());
  }

  /** Saves the file that is shown. */
  save() {
    this.#save.click();
  }

  /** Takes the controls of the format into the menu. */
  set fields(fields) {
    this.#fields.replaceChildren(fields);
  }

  set rendering({ file, wireBytes, format, text }) {
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(file);
    const name = fileNameOf(text, format);
    const size = bytes(file.size);
    for (const link of [this.#link, this.#save]) {
      link.hidden = false;
      link.href = this.#address;
      link.download = link.title = name;
    }
    this.#title.textContent = format.title;
    this.#link.setAttribute('aria-label', `Download ${format.title}`);
    this.#save.setAttribute('aria-label', `Download ${name}, ${size}`);
    this.#size.textContent = size;
    this.#toggle.setAttribute('aria-label', `${size}: where does it go?`);
    this.#fileName.textContent = name;
    this.#fileSize.textContent = fileSizeOf({ file, wireBytes });
  }

  /** Puts the open menu below its button, or as far above as it needs to be seen whole. */
  #place() {
    const { right, bottom } = this.#toggle.getBoundingClientRect();
    const top = Math.min(bottom + margin, innerHeight - this.#menu.offsetHeight - margin);
    this.#menu.style.setProperty('--top', `${Math.max(top, margin)}px`);
    this.#menu.style.setProperty('--right', `${Math.max(innerWidth - right, margin)}px`);
  }
}

/** Returns a file name of the first words of a text, in any script. */
export function fileNameOf(text, { extension }) {
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').normalize('NFC');
  const words = plain.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, 6) ?? ['titlecard'];
  return `${[...words.join('-')].slice(0, 60).join('')}.${extension}`;
}

/** Returns the file's size, and that of the transfer if it was compressed. */
export function fileSizeOf({ file, wireBytes }) {
  const isCompressed = wireBytes > 0 && wireBytes < file.size;
  return bytes(file.size) + (isCompressed ? `, ${bytes(wireBytes)} gzipped` : '');
}

function bytes(count) {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`;
}
