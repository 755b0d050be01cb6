import { element, icon } from './controls.js';
import { svg } from './request.js';

/**
 * Places where pictures go, with the format and the scale that suit each. Places of the server's own,
 * its targets, follow them. One whose format the server does not have is left out.
 */
const common = [
  {
    title: 'README, web', reason: 'Sharp at any size, follows light and dark.',
    format: 'svg', takesCode: true,
  },
  { title: 'Chat', reason: 'Plays everywhere.', format: 'gif', scale: '2' },
  { title: 'Sticker, overlay', reason: 'Soft edges on any ground.', format: 'webp', scale: '2' },
  { title: 'Video', reason: 'Plays in every editor and player; made when you download it.', format: 'mp4' },
  { title: 'Still, print', reason: 'One frame in four times the size.', format: 'png', scale: '4' },
  { title: 'App', reason: 'Plays on iOS, Android and the web.', format: 'lottie' },
  { title: 'Your own code', reason: 'Keyframes of every glyph.', format: 'json', takesCode: true },
];

/** The targets that take code; others take the file. */
const targetsOfCode = new Set(['github-readme']);

/**
 * Returns the places: the `title`, a `reason`, the `format`, the `values` of parameters that suit it,
 * and `takesCode`, true where a picture is embedded by its address.
 */
function placesOf({ formats, targets = [], types }) {
  const places = [...common, ...targets.map(({ name, title, summary, format }) => ({
    target: name, title, reason: summary, format, takesCode: targetsOfCode.has(name),
  }))];
  return places.flatMap(({ format: name, scale, target, ...place }) => {
    const format = formats.find((one) => one.name === name);
    if (!format) return [];
    // A server that takes presets only takes no scale.
    const values = { for: target, format: name, scale: types.has('scale') ? scale : undefined };
    return [{ ...place, format, values }];
  });
}

/** Returns the place that a request suits, as `placesOf` does; null if there is none. */
export function placeOf(request, catalogue) {
  return placesOf(catalogue).find(({ values }) => values.for === (request.for || undefined)
    && values.format === (request.format ?? svg.name)
    && (values.scale ?? '1') === (request.scale ?? '1')) ?? null;
}

/** The places as radio buttons. Each brings values of other parameters along. */
export function placeControl(definition, { label, changed, catalogue }) {
  const places = placesOf(catalogue);
  let target = '';
  let brought = {};
  const reason = element('p', { class: 'explanation' });
  const inputs = places.map(({ values }) => element('input', {
    type: 'radio', name: definition.name, onchange: () => {
      ({ for: target = '', ...brought } = values);
      changed();
    },
  }));
  const root = element(
    'div', {},
    element(
      'div', { class: 'places', role: 'radiogroup', 'aria-label': label },
      ...places.map(({ title, format }, index) => element(
        'label', { class: 'place' }, inputs[index],
        element('span', { class: 'place-title' }, title), ' ',
        element('span', { class: 'place-format' }, format.title)))),
    reason);
  return {
    root, inputs,
    isGroup: true,
    read: () => target,
    write: (text) => { target = text ?? ''; },
    follow(values) {
      const chosen = placeOf(values, catalogue);
      places.forEach(({ title }, index) => { inputs[index].checked = title === chosen?.title; });
      reason.textContent = chosen?.reason ?? '';
    },
    get brought() {
      return brought;
    },
    focus: () => (inputs.find(({ checked }) => checked) ?? inputs[0]).focus(),
  };
}

const downloadIcon = 'M8 2.500v8M4.500 7L8 10.500 11.500 7M3 13.500h10';
const chevron = 'M4 6l4 4 4-4';

/** The controls have a column of their own, beside the picture. */
const isWide = matchMedia('(min-width: 900px)');

/**
 * A link that saves the file that is shown, without another request, or has it made before; beside it
 * a button that names where it goes, and opens a list of places with what decides the file.
 */
export class Download {
  #make;
  #address = null;
  #title = element('span');
  #place = element('span', { class: 'place-name' }, 'Where to?');
  #link = element(
    'a', { class: 'button download', hidden: true }, icon(downloadIcon),
    element('span', { class: 'download-word' }, 'Download'), this.#title);
  #toggle = element(
    'button', {
      type: 'button', class: 'button delivery-toggle', title: 'Where does it go?',
    }, this.#place, icon(chevron));
  #fileName = element('span', { class: 'save-name' });
  #fileSize = element('span');
  #save = element(
    'a', { class: 'button save', hidden: true }, icon(downloadIcon), this.#fileName, this.#fileSize);
  #fields = element('div', { class: 'delivery-fields' });
  #menu = element(
    'div', {
      id: 'delivery', class: 'delivery', popover: 'auto', role: 'dialog',
      'aria-label': 'Where does it go?',
    }, this.#fields, this.#save);
  root = element('div', { class: 'delivered' }, this.#toggle, this.#menu, this.#link);

  /** @param make has a file made that is not there yet, and promises true once it is. */
  constructor(make) {
    this.#make = make;
    for (const link of [this.#link, this.#save]) {
      link.onclick = (event) => {
        if (this.#address) return;
        event.preventDefault();
        this.#saveLater();
      };
    }
    this.#toggle.popoverTargetElement = this.#menu;
    this.#menu.onbeforetoggle = () => this.#arrange();
    addEventListener('resize', () => this.#arrange());
    addEventListener('scroll', () => this.#arrange(), { passive: true });
  }

  /** Saves the file that is shown. */
  save() {
    this.#save.click();
  }

  /** Takes the controls of the format into the menu. */
  set fields(fields) {
    this.#fields.replaceChildren(fields);
  }

  /** Takes a rendering with its `place`, or null. */
  set rendering({ file, estimate, wireBytes, format, text, place }) {
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = file && URL.createObjectURL(file);
    const name = fileNameOf(text, format);
    const size = file ? bytes(file.size) : timeOf(estimate);
    for (const link of [this.#link, this.#save]) {
      link.hidden = false;
      link.role = file ? null : 'button';
      // A link without an address would not take the focus.
      link.href = this.#address ?? location.href;
      link.download = name;
      link.title = file ? name : `${name}, ${size}`;
    }
    this.#title.textContent = format.title;
    this.#link.setAttribute('aria-label', `Download ${format.title}`);
    this.#save.setAttribute('aria-label', `Download ${name}, ${size}`);
    const title = place?.title ?? format.title;
    this.#place.textContent = title;
    this.#toggle.setAttribute('aria-label', `${title}: where does it go?`);
    this.#fileName.textContent = name;
    this.#fileSize.textContent = file ? fileSizeOf({ file, wireBytes }) : size;
  }

  async #saveLater() {
    if (await this.#make()) this.#save.click();
  }

  /** Puts the menu over the controls, or below the picture, which shows what a choice does. */
  #arrange() {
    const { left, top, width, bottom } = document.querySelector('#controls').getBoundingClientRect();
    const stage = document.querySelector('.stage').getBoundingClientRect();
    const edges = isWide.matches
      ? { top: Math.max(top, 0), left, width, bottom: Math.max(innerHeight - bottom, 0) }
      : { top: Math.max(stage.bottom, 0) };
    for (const [name, value] of Object.entries(edges)) {
      this.#menu.style.setProperty(`--${name}`, `${value}px`);
    }
  }
}

/** Returns the time that making a file takes, in words. */
export function timeOf(estimate) {
  const seconds = Math.max(Math.round(estimate), 1);
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
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
