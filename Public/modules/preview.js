import { element, icon } from './controls.js';
import { Player, seconds } from './player.js';
import { inFormat, isImage, isStill, plainTextOf, readableAddress, svg } from './request.js';

const downloadIcon = 'M8 2.500v8M4.500 7L8 10.500 11.500 7M3 13.500h10';

/** Milliseconds that a rendering may take before its progress is shown. */
const progressDelay = 400;

/** The picture with its player, its measures, its download and its notices. */
export class Preview {
  #root;
  #stage = new Stage();
  #facts = new Facts();
  #download = new Download();
  #progress;
  #rendering = null;
  #player = new Player(() => this.#showAgain());
  #reader = new ReaderPreferences((anew) => {
    this.#stage.reader = this.#reader.preferences;
    if (anew) this.#showAgain();
  });
  #notices = new Notices();

  constructor(root) {
    this.#root = root;
    this.#progress = new Progress(root);
    this.#stage.reader = this.#reader.preferences;
    root.replaceChildren(
      this.#stage.root,
      element('div', { class: 'deck' }, this.#player.root, this.#reader.root),
      element(
        'div', { class: 'remarks' },
        element(
          'div', { class: 'about' },
          element('div', { class: 'told' }, this.#facts.root, this.#progress.root),
          this.#progress.status,
          this.#download.root),
        this.#reader.note, this.#notices.root));
    new ResizeObserver(() => this.#measure()).observe(this.#stage.root);
  }

  /** Marks the entrances and exits of the JSON rendering's blocks on the timeline. */
  set phases(blocks) {
    this.#player.phases = this.#isDocument(this.#rendering) ? blocks : [];
  }

  /** Shows that a rendering in this format has begun. */
  wait(title) {
    this.#progress.begin(title);
  }

  /** Removes the last error. */
  clearError() {
    this.#notices.clearError();
  }

  /**
   * Shows a `ServerError`; the last picture, if any, stays.
   *
   * @param faults the request's faults that no field shows, as `Form.show` returns them.
   */
  showError(error, faults) {
    this.#root.classList.add('stale');
    this.#progress.end();
    this.#notices.showError(error, faults, this.#rendering === null);
  }

  /**
   * @param several true if a warning names its text.
   * @param setPadding called with the padding that mends a warning, if the user wants it.
   */
  warn(warnings, several, setPadding) {
    this.#notices.warn(warnings, several, setPadding);
  }

  /**
   * Shows a rendering: from its start, or from the instant that the last one had reached.
   *
   * @param rendering with its number of `cycles`, the `scale` of its pixels, the `time` of a still,
   *   and the `text` that names its file.
   * @returns the rendering with its `width` and `height`; null if a newer one has replaced it
   *   meanwhile.
   */
  async show(rendering, fromStart) {
    const moment = momentOf(rendering);
    const size = await this.#stage.show(this.#pictureOf(rendering), (document) => {
      this.#reader.format = rendering.format;
      this.#stage.reader = this.#reader.preferences;
      this.#player.attach(document, { ...rendering, moment }, fromStart);
    });
    if (!size) return null;
    const measured = { ...rendering, ...size };
    const marksHold = this.#isDocument(rendering)
      && this.#rendering?.duration === rendering.duration;
    this.#rendering = measured;
    if (!marksHold) this.phases = [];
    this.#facts.rendering = measured;
    this.#download.rendering = measured;
    this.#measure();
    this.#root.classList.remove('stale');
    this.#progress.end();
    return measured;
  }

  /** Plays the picture from its start, unless it is paused. */
  replay() {
    this.#player.replay();
  }

  /**
   * Returns the picture of a rendering for `Stage.show`: its own file if that is an image, else
   * the SVG of the same animation, which also replaces moving images under reduced motion.
   */
  #pictureOf(rendering) {
    const { format, permalink, scale } = rendering;
    if (!this.#isDocument(rendering)) {
      return { address: null, file: () => rendering.file, density: scale };
    }
    const isSVG = format.name === svg.name;
    return {
      address: permalink && inFormat(permalink, svg),
      file: () => rendering.fileIn(svg),
      caption: isSVG ? null : `Previewed as SVG; the download is ${format.title}.`,
    };
  }

  /** True if the rendering is shown as an SVG document, which can be sought. */
  #isDocument({ format }) {
    const isHeld = this.#reader.preferences.still && !isStill(format);
    return format.name === svg.name || !isImage(format) || isHeld;
  }

  #measure() {
    if (this.#rendering) this.#facts.zoom = this.#stage.shownWidth / this.#rendering.width;
  }

  #showAgain() {
    if (this.#rendering) this.show(this.#rendering, true);
  }
}

/** Returns the instant that a still shows, in words; null for an animation. */
function momentOf({ format, time }) {
  if (!isStill(format)) return null;
  return time === 'end' ? 'One frame: the finished text' : `One frame, at ${time} s`;
}

/** Messages about the picture: errors, faults that no field shows, and warnings. */
class Notices {
  #problems = element('ul', { class: 'problems' });
  #warnings = element('ul', { class: 'warnings' });
  /** The message that screen readers announce. */
  #status = element('p', { class: 'status', role: 'status' });
  root = element('div', { class: 'notices' }, this.#status, this.#problems, this.#warnings);

  showError({ message, faults: all, retryAfter }, faults, isEmpty) {
    const picture = isEmpty ? 'There is no picture yet' : 'This is the last good picture';
    const areMarked = all.length > 0 && faults.length === 0;
    const again = retryAfter === null ? [] : [`Trying again in ${Math.ceil(retryAfter)} s.`];
    this.#status.textContent = areMarked
      ? `${picture}: see the marked fields.` : [`${message}.`, ...again, `${picture}.`].join(' ');
    this.#problems.replaceChildren(...faults.map((fault) => element('li', {}, ...problem(fault))));
    this.warn([]);
  }

  clearError() {
    if (this.#status.textContent) this.#status.textContent = '';
    this.#problems.replaceChildren();
  }

  warn(warnings, several = false, setPadding = null) {
    this.#warnings.replaceChildren(...warnings.map(({ message, block, padding }) => element(
      'li', {}, several && block !== undefined ? `Text ${block + 1}: ${message}` : message,
      ...(padding === undefined ? [] : [' ', element(
        'button', { type: 'button', class: 'link', onclick: () => setPadding(padding) },
        `Set padding to ${padding} px`)]))));
  }
}

/** Returns a fault as text, with a link to its field, or a button that removes the value. */
function problem({ parameter, message, label, follow, remove }) {
  const about = follow
    ? element('a', {
      href: location.href, class: 'link', onclick: (event) => { event.preventDefault(); follow(); },
    }, label)
    : element('code', {}, parameter);
  const button = remove
    ? element('button', { type: 'button', class: 'link', onclick: remove }, 'Remove') : null;
  return [about, `: ${message} `, button];
}

/** Shows the time that a slow rendering has taken so far. */
class Progress {
  #preview;
  #timer = 0;
  #clock = 0;
  #start = 0;
  #title = '';
  #words = element('span');
  #time = element('span', { class: 'waiting-time' });
  root = element('p', { class: 'waiting', 'aria-hidden': 'true' }, this.#words, ' ', this.#time);
  /** The same for screen readers. */
  status = element('p', { class: 'unseen', role: 'status' });

  /** @param preview the element that has the class `waits` while the time is shown. */
  constructor(preview) {
    this.#preview = preview;
  }

  /** Starts the time of a rendering, which replaces an unfinished one. */
  begin(title) {
    this.#start = performance.now();
    this.#title = title;
    if (this.#isShown) this.#show();
    else this.#timer ||= setTimeout(() => this.#show(), progressDelay);
  }

  end() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    clearInterval(this.#clock);
    this.#preview.classList.remove('waits');
    this.status.textContent = '';
  }

  get #isShown() {
    return this.#preview.classList.contains('waits');
  }

  #show() {
    const words = `Rendering the ${this.#title}`;
    this.#words.textContent = words;
    if (this.status.textContent !== words) this.status.textContent = words;
    this.#preview.classList.add('waits');
    clearInterval(this.#clock);
    this.#clock = setInterval(() => this.#tick(), 100);
    this.#tick();
  }

  #tick() {
    this.#time.textContent = `${((performance.now() - this.#start) / 1000).toFixed(1)} s`;
  }
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const prefersStill = matchMedia('(prefers-reduced-motion: reduce)');

/** Settings of a reader's system: the colour scheme, which can be chosen, and reduced motion. */
class ReaderPreferences {
  #changed;
  #isChosen = false;
  #playAnyway = false;
  #format = svg;
  #reason = element('span');
  #note = element('p', { class: 'note', hidden: true }, this.#reason);
  #schemes = ['light', 'dark'].map((scheme) => element('input', {
    type: 'radio', name: 'backdrop', value: scheme, onchange: () => {
      this.#isChosen = true;
      this.#changed();
    },
  }));
  root = element(
    'fieldset', { class: 'backdrop' },
    element('legend', { class: 'unseen' }, 'Preview for readers in'),
    ...this.#schemes.map((input) => element(
      'label', {}, input, element('span', {}, input.value === 'dark' ? 'Dark' : 'Light'))));

  /** @param changed called with true if the animation has to restart. */
  constructor(changed) {
    this.#changed = () => changed(false);
    this.#choose();
    const play = element('button', {
      type: 'button', class: 'link',
      onclick: () => { this.#playAnyway = true; this.#updateNote(); changed(true); },
    }, 'Play it here');
    this.#note.append(' ', play);
    prefersStill.addEventListener('change', () => { this.#updateNote(); changed(true); });
    this.#updateNote();
  }

  /**
   * The format that is shown. Only SVG follows a reader's preference for reduced motion, and a
   * format without dark colours is shown in light until someone chooses.
   */
  set format(format) {
    this.#format = format;
    this.#choose();
    this.#updateNote();
  }

  /** A note that explains why nothing moves. */
  get note() {
    return this.#note;
  }

  /** The settings as `Stage.reader` takes them. */
  get preferences() {
    return {
      scheme: this.#schemes.find((input) => input.checked).value,
      still: prefersStill.matches && !this.#playAnyway,
    };
  }

  #choose() {
    if (this.#isChosen) return;
    this.#schemes[prefersDark.matches && this.#format.darkColors ? 1 : 0].checked = true;
  }

  #updateNote() {
    this.#note.hidden = !this.preferences.still || isStill(this.#format);
    this.#reason.textContent = this.#format.name === svg.name
      ? 'Your system asks for reduced motion, so the text stands still, '
        + 'as it will for everyone who asks for that.'
      : 'Your system asks for reduced motion, so the text stands still here; '
        + 'of all formats, only SVG does so everywhere.';
  }
}

/** The sizes and times of a rendering, in one line. */
class Facts {
  #rendering = null;
  #zoom = 1;
  root = element('dl', { class: 'facts' });

  set rendering(rendering) {
    this.#rendering = rendering;
    this.#refresh();
  }

  /** The factor by which the picture is scaled in the page; 1 is its own size. */
  set zoom(zoom) {
    this.#zoom = zoom;
    this.#refresh();
  }

  #refresh() {
    if (!this.#rendering) return;
    const { duration, cycles, milliseconds, isCached } = this.#rendering;
    const facts = [
      ['Size', fileSizeOf(this.#rendering)],
      [isCached ? 'From cache in' : 'Rendered in', elapsed(milliseconds)],
      ['Duration', seconds(duration) + repeated(cycles)],
      ['Canvas', canvasOf(this.#rendering, Math.round(this.#zoom * 100))],
    ];
    this.root.replaceChildren(...facts.map(([name, value]) => element(
      'div', {}, element('dt', {}, name), element('dd', {}, value))));
  }
}

/** Returns the file's size, and that of the transfer if it was compressed. */
function fileSizeOf({ file, wireBytes }) {
  const isCompressed = wireBytes > 0 && wireBytes < file.size;
  return bytes(file.size) + (isCompressed ? `, ${bytes(wireBytes)} gzipped` : '');
}

function canvasOf({ width, height, scale, format }, percent) {
  const density = isImage(format) && scale !== 1 ? ` at ${scale}×` : '';
  return `${width} × ${height} px${density}${percent < 100 ? `, shown at ${percent} %` : ''}`;
}

function repeated(cycles) {
  if (cycles === Infinity) return ' × ∞';
  return cycles > 1 ? ` × ${cycles}` : '';
}

/** Returns a duration in words, without digits beyond its precision. */
function elapsed(milliseconds) {
  return milliseconds < 1000
    ? `${Math.max(Math.round(milliseconds), 1)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function bytes(count) {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`;
}

/** A link that saves the file that is shown, without another request. */
class Download {
  #address = null;
  #title = element('span');
  root = element(
    'a', { class: 'button download', hidden: true }, icon(downloadIcon),
    element('span', { class: 'download-word' }, 'Download'), this.#title);

  set rendering({ file, format, text }) {
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(file);
    this.#title.textContent = format.title;
    this.root.hidden = false;
    this.root.setAttribute('aria-label', `Download ${format.title}`);
    this.root.href = this.#address;
    this.root.download = this.root.title = `${fileNameOf(text)}.${format.extension}`;
  }
}

/** Returns a file name of the first words of a text, in any script. */
function fileNameOf(text) {
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').normalize('NFC');
  const words = plain.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, 6) ?? ['titlecard'];
  return [...words.join('-')].slice(0, 60).join('');
}

// The picture.

/**
 * Shows pictures one after another without a flash: the next one loads invisibly, and replaces the
 * last one once it has loaded.
 */
class Stage {
  #shown = null;
  #incoming = null;
  #turn = 0;
  #reader = { scheme: 'light', still: false };
  #caption = element('p', { class: 'stage-caption' });
  root = element('div', { class: 'stage' }, this.#caption);

  /** The width of the picture in the page, at most its own. */
  get shownWidth() {
    return this.#shown?.getBoundingClientRect().width ?? 0;
  }

  /** The settings of the reader's system, the arguments of `emulateMedia`. */
  set reader(reader) {
    this.#reader = reader;
    this.root.dataset.scheme = reader.scheme;
    for (const frame of [this.#shown, this.#incoming]) if (frame) this.#adapt(frame);
  }

  /**
   * Loads a picture and shows it.
   *
   * @param picture the `address` of an SVG, or null; the `file()` that is shown without an
   *   address, with `density` pixels in a CSS pixel; and a `caption`.
   * @param prepare called before the picture is visible with its document, or null for an image;
   *   sets the `reader`.
   * @returns the picture's own size in CSS pixels; null if another one has replaced it meanwhile.
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
    const loaded = await hasLoaded(frame);
    if (turn !== this.#turn) return null;
    if (!loaded && address) return this.show({ address: null, file, density, caption }, prepare);
    prepare(frame.contentDocument ?? null);
    drop(this.#shown);
    this.#caption.textContent = caption ?? '';
    frame.classList.remove('incoming');
    this.#shown = frame;
    this.#incoming = null;
    return ownSizeOf(frame);
  }

  #adapt(frame) {
    if (frame.contentDocument) emulateMedia(frame.contentDocument, this.#reader);
    else frame.style.colorScheme = this.#reader.scheme;
  }
}

/** Creates an object, whose document can be sought; the page's policy forbids inline renderings. */
function objectOf(address) {
  return element('object', {
    class: 'rendering incoming', type: 'image/svg+xml', data: address, tabIndex: -1,
    'aria-label': 'Preview',
  });
}

/** Creates an image, which cannot be sought, but plays from its start: its address is its own. */
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

/** Resolves to true if it has loaded; an object's error may load as an empty document. */
function hasLoaded(frame) {
  if (frame instanceof HTMLImageElement) return frame.decode().then(() => true, () => false);
  return new Promise((resolve) => {
    frame.onload = () => resolve(frame.contentDocument?.documentElement.tagName === 'svg');
    frame.onerror = () => resolve(false);
  });
}

function ownSizeOf(frame) {
  if (frame instanceof HTMLImageElement) {
    return { width: frame.naturalWidth, height: frame.naturalHeight };
  }
  const { width, height } = frame.contentDocument.documentElement;
  return { width: width.baseVal.value, height: height.baseVal.value };
}

/**
 * Sets the media queries of a rendering's document as a reader's system would evaluate them.
 *
 * `color-scheme` of the embedding element reaches an `<img>` but not an `<object>`, so the
 * conditions in its style sheet are replaced.
 *
 * @param scheme `light` or `dark`.
 * @param still true if the reader prefers reduced motion.
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

/** Returns the document's media rules with their original conditions. */
function mediaRules(document) {
  if (!rulesByDocument.has(document)) {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof document.defaultView.CSSMediaRule)
      .map(({ media }) => ({ media, condition: media.mediaText }));
    rulesByDocument.set(document, rules);
  }
  return rulesByDocument.get(document);
}

// Snippets.

/** Code that embeds a rendering, to copy. */
export class Snippets {
  #root;
  #rows = element('div', { class: 'snippets' });
  #status = element('p', { class: 'unseen', role: 'status' });

  constructor(root) {
    // Invisible but laid out, so that nothing moves when it appears.
    root.classList.add('empty');
    this.#root = root;
    root.replaceChildren(
      element('h2', { id: 'embed-title' }, 'Embed'), this.#rows, this.#status);
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
    const entries = snippetsOf({
      ...rendering,
      address: location.origin + path,
      readable: query !== null && query !== path ? location.origin + query : null,
      text: request.title ?? plainTextOf(request),
    });
    this.#rows.replaceChildren(...entries.map((entry) => this.#row(entry)));
  }

  #row({ title, code }) {
    const id = `snippet-${title.toLowerCase().replace(' ', '-')}`;
    const field = element('input', { id, type: 'text', readOnly: true, value: code });
    const button = element('button', {
      type: 'button', 'aria-label': `Copy ${title}`, onclick: async () => {
        const copied = await copy(code, field);
        this.#status.textContent = copied ? `${title} copied` : 'The browser refused to copy';
        button.textContent = copied ? 'Copied' : 'Select it';
        setTimeout(() => { button.textContent = 'Copy'; this.#status.textContent = ''; }, 1600);
      },
    }, 'Copy');
    field.onfocus = () => field.select();
    return element(
      'div', { class: 'snippet' }, element('label', { htmlFor: id }, title), field, button);
  }
}

/** Returns the snippets of a rendering; `readable` is null if no query expresses the request. */
function snippetsOf({ address, readable, text, width, height, format }) {
  const alt = text.replace(/\s+/g, ' ').trim();
  const links = [
    { title: 'URL', code: address },
    ...readable ? [{ title: 'Query URL', code: readable }] : [],
  ];
  if (!isImage(format)) return links;
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

/** Copies text; by selection without a secure context, which the clipboard requires. */
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
