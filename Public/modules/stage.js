import { element } from './dom.js';
import { pretend } from './media.js';

/**
 * Shows renderings one after another without a flash: the next one loads unseen, and takes the
 * last one's place once it is there.
 */
export class Stage {
  #shown = null;
  #incoming = null;
  #reader = { scheme: 'light', still: false };
  root = element('div', { class: 'stage' });

  /** The shown rendering's document, when the browser lets us have it. */
  get document() {
    return this.#shown?.contentDocument ?? null;
  }

  /** The width of the picture in the page, which may be smaller than its own. */
  get shownWidth() {
    return this.#shown?.getBoundingClientRect().width ?? 0;
  }

  /** How the reader's system is set, as `pretend` takes it. */
  set reader(reader) {
    this.#reader = reader;
    this.root.dataset.scheme = reader.scheme;
    if (this.#shown) this.#adapt(this.#shown);
  }

  /**
   * Loads a rendering and puts it in place. `prepare` gets its document before anyone sees it,
   * or null when it can only be shown as an image.
   *
   * @returns false when another one has come in between.
   */
  async show(rendering, prepare) {
    this.#incoming?.remove();
    const frame = rendering.permalink ? objectOf(rendering) : imageOf(rendering);
    this.#incoming = frame;
    this.root.append(frame);
    const loaded = await settled(frame);
    if (this.#incoming !== frame) return false;
    if (!loaded && rendering.permalink) {
      return this.show({ ...rendering, permalink: null }, prepare);
    }
    this.#adapt(frame);
    prepare(frame.contentDocument ?? null);
    this.#shown?.remove();
    frame.classList.remove('incoming');
    this.#shown = frame;
    this.#incoming = null;
    return true;
  }

  #adapt(frame) {
    if (frame.contentDocument) pretend(frame.contentDocument, this.#reader);
    else frame.style.colorScheme = this.#reader.scheme;
  }
}

/** The policy keeps renderings from being inlined; an object's document can still be sought. */
function objectOf({ permalink }) {
  return element('object', {
    class: 'rendering incoming', type: 'image/svg+xml', data: permalink, tabIndex: -1,
    'aria-label': 'Preview',
  });
}

/** For a rendering without an address of its own: it plays, but cannot be sought. */
function imageOf({ svg }) {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const image = element('img', { class: 'rendering incoming', src: address, alt: 'Preview' });
  image.addEventListener('load', () => URL.revokeObjectURL(address));
  return image;
}

/** Whether it has loaded; an object that was refused may load as an empty document. */
function settled(frame) {
  return new Promise((resolve) => {
    frame.onload = () => resolve(
      frame instanceof HTMLImageElement || frame.contentDocument?.documentElement.tagName === 'svg');
    frame.onerror = () => resolve(false);
  });
}
