import { element } from './dom.js';

/**
 * Shows pictures one after another without a flash: the next one loads unseen, and takes the last
 * one's place once it is there.
 */
export class Stage {
  #shown = null;
  #incoming = null;
  #turn = 0;
  #reader = { scheme: 'light', still: false };
  #caption = element('p', { class: 'stage-caption' });
  root = element('div', { class: 'stage' }, this.#caption);

  /** The width of the picture in the page, which may be smaller than its own. */
  get shownWidth() {
    return this.#shown?.getBoundingClientRect().width ?? 0;
  }

  /** How the reader's system is set, see `emulateMedia`. */
  set reader(reader) {
    this.#reader = reader;
    this.root.dataset.scheme = reader.scheme;
    for (const frame of [this.#shown, this.#incoming]) if (frame) this.#adapt(frame);
  }

  /**
   * Loads a picture and puts it in place. `prepare` gets its document before anyone sees it, or
   * null when it can only be shown as an image, and sets the `reader` that it is shown to.
   *
   * @param picture either the `address` of an SVG, or null; the `file()` to show where there is
   *   none, `density` pixels of which make a CSS pixel; and a `caption`.
   * @returns the picture's own size in CSS pixels, or null when another one has come in between.
   */
  async show({ address, file, density, caption }, prepare) {
    const turn = this.#turn += 1;
    drop(this.#incoming);
    this.#incoming = null;
    const frame = address ? objectOf(address) : imageOf(await file(), density);
    if (turn !== this.#turn) {
      drop(frame);
      return null;
    }
    this.#incoming = frame;
    this.root.append(frame);
    const loaded = await settled(frame);
    if (turn !== this.#turn) return null;
    if (!loaded && address) return this.show({ address: null, file, density, caption }, prepare);
    prepare(frame.contentDocument ?? null);
    drop(this.#shown);
    this.#caption.textContent = caption ?? '';
    frame.classList.remove('incoming');
    this.#shown = frame;
    this.#incoming = null;
    return sizeOf(frame);
  }

  #adapt(frame) {
    if (frame.contentDocument) emulateMedia(frame.contentDocument, this.#reader);
    else frame.style.colorScheme = this.#reader.scheme;
  }
}

/** The policy keeps renderings from being inlined; an object's document can still be sought. */
function objectOf(address) {
  return element('object', {
    class: 'rendering incoming', type: 'image/svg+xml', data: address, tabIndex: -1,
    'aria-label': 'Preview',
  });
}

/** It plays from its start, for no other image shares its address, but cannot be sought. */
function imageOf(file, density = 1) {
  const address = URL.createObjectURL(file);
  return element('img', {
    class: 'rendering incoming', srcset: `${address} ${density}x`, alt: 'Preview',
    dataset: { address },
  });
}

function drop(frame) {
  frame?.remove();
  if (frame?.dataset.address) URL.revokeObjectURL(frame.dataset.address);
}

/** Whether it has loaded; an object that was refused may load as an empty document. */
function settled(frame) {
  if (frame instanceof HTMLImageElement) return frame.decode().then(() => true, () => false);
  return new Promise((resolve) => {
    frame.onload = () => resolve(frame.contentDocument?.documentElement.tagName === 'svg');
    frame.onerror = () => resolve(false);
  });
}

function sizeOf(frame) {
  if (frame instanceof HTMLImageElement) {
    return { width: frame.naturalWidth, height: frame.naturalHeight };
  }
  const { width, height } = frame.contentDocument.documentElement;
  return { width: width.baseVal.value, height: height.baseVal.value };
}

/**
 * Makes a rendering's document answer the media queries as a reader's system would.
 *
 * `color-scheme` on the element that embeds it reaches an `<img>` but not an `<object>`, so the
 * conditions of its own style sheet are decided instead.
 *
 * @param scheme `light` or `dark`.
 * @param still whether the reader asks for reduced motion.
 */
function emulateMedia(document, { scheme, still }) {
  for (const rule of mediaRules(document)) {
    const { condition } = rule;
    if (condition.includes('prefers-color-scheme')) {
      rule.media.mediaText = condition.includes(scheme) ? 'all' : 'not all';
    } else if (condition.includes('prefers-reduced-motion')) {
      rule.media.mediaText = still ? 'all' : 'not all';
    }
  }
}

const rulesByDocument = new WeakMap();

/** The document's media rules with the conditions that they came with. */
function mediaRules(document) {
  if (!rulesByDocument.has(document)) {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof document.defaultView.CSSMediaRule)
      .map(({ media }) => ({ media, condition: media.mediaText }));
    rulesByDocument.set(document, rules);
  }
  return rulesByDocument.get(document);
}
