import { capitalized, copy, element, fillTrack, icon, linkTo } from './controls.js';
import { Download, fileNameOf, fileSizeOf, timeOf } from './delivery.js';
import {
  inFormat, isImage, isMadeOnRequest, isStill, isVideo, plainTextOf, readableAddress, svg,
} from './request.js';

/** Milliseconds that a rendering may take before its progress is shown. */
const progressDelay = 400;

/** The picture with its player, its measures, its download and its notices. */
export class Preview {
  #root;
  #stage = new Stage();
  #facts = new Facts();
  #progress;
  #rendering = null;
  #player = new Player(() => this.#showAgain(true));
  #reader = new ReaderPreferences((anew) => {
    this.#stage.reader = this.#reader.preferences;
    if (anew || this.#stage.lacksFrames) this.#showAgain(anew);
  });
  #notices = new Notices();
  #told = element('p', { class: 'note told-note', role: 'status' });
  /** Ends the making of a file; null while none is made. */
  #making = null;
  download = new Download(() => this.#make());
  /** Buttons that take the picture away. */
  actions = element('div', { class: 'actions' }, this.download.root);

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
          this.actions),
        this.#told, this.#reader.note, this.#notices.root));
    new ResizeObserver(() => this.#measure()).observe(this.#stage.root);
  }

  /** Marks the entrances and exits of the JSON rendering's blocks on the timeline. */
  set phases(blocks) {
    this.#player.phases = this.#isDocument(this.#rendering) ? blocks : [];
  }

  /** Shows that a rendering in this format has begun, which takes the place of one that is made. */
  wait(title) {
    this.#making?.abort();
    this.#making = null;
    this.#progress.begin(title);
  }

  /** Has the file of the rendering made, and promises true once it is there. */
  async #make() {
    const rendering = this.#rendering;
    if (this.#making || !rendering?.make) return false;
    const controller = this.#making = new AbortController();
    const { signal } = controller;
    const { title } = rendering.format;
    this.tell('');
    this.#progress.begin(title, { estimate: rendering.estimate, cancel: () => controller.abort() });
    try {
      const { file, wireBytes, milliseconds, isCached } = await rendering.make(signal);
      if (signal.aborted) return false;
      this.#rendering = { ...rendering, file, wireBytes, milliseconds, isCached };
      this.#facts.rendering = this.#rendering;
      this.download.rendering = this.#rendering;
      return true;
    } catch (error) {
      this.tell(signal.aborted ? `The ${title} was not made.` : `${error.message}.`);
      return false;
    } finally {
      // Another picture may have come meanwhile.
      if (this.#making === controller) {
        this.#making = null;
        this.#progress.end();
      }
    }
  }

  /** Tells what has become of the picture, until there is another one. */
  tell(words) {
    this.#told.textContent = words;
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
   * Shows warnings: a `message`, the index of its `block`, and an `action` that mends it, whose
   * `words` are on a button that calls `act()`; all but the message may be left out.
   *
   * @param several true if a warning names its text.
   */
  warn(warnings, several) {
    this.#notices.warn(warnings, several);
  }

  /**
   * Shows a rendering: from its start, or from the instant that the last one had reached.
   *
   * @param rendering with its number of `cycles`, the `scale` of its pixels, the `time` of a still,
   *   the `text` that names its file, and the `place` where it goes or null.
   * @returns the rendering with its `width` and `height`; null if a newer one has replaced it
   *   meanwhile.
   */
  async show(rendering, fromStart) {
    const moment = momentOf(rendering);
    const size = await this.#stage.show(this.#pictureOf(rendering), (documents) => {
      this.#reader.format = rendering.format;
      this.#stage.reader = this.#reader.preferences;
      this.#player.attach(documents, { ...rendering, moment }, fromStart);
    });
    if (!size) return null;
    const measured = { ...rendering, ...size };
    const marksHold = this.#isDocument(rendering)
      && this.#rendering?.duration === rendering.duration;
    this.#rendering = measured;
    if (!marksHold) this.phases = [];
    this.#facts.rendering = measured;
    this.download.rendering = measured;
    const { place } = rendering;
    this.actions.dataset.takes = place && !place.takesCode ? 'file' : 'code';
    this.tell('');
    this.#measure();
    this.#root.classList.remove('stale');
    this.#progress.end();
    return measured;
  }

  /** Shows the SVG of a rendering until its file is there. */
  async outline({ format, permalink, duration, cycles }, fromStart, signal) {
    const picture = {
      address: inFormat(permalink, svg), source: null,
      file: async () => (await fetch(inFormat(permalink, svg), { signal })).blob(),
      caption: `Shown as SVG until the ${format.title} is there.`,
    };
    await this.#stage.show(picture, (documents) => {
      this.#reader.format = svg;
      this.#stage.reader = this.#reader.preferences;
      this.#player.attach(documents, { format: svg, duration, cycles, moment: null }, fromStart);
    }).catch(() => null);
  }

  /** Shows it in light and in dark, unless someone has chosen between them. */
  compare() {
    this.#reader.compare();
  }

  /** Shows the picture's end, unless it is paused. */
  rest() {
    this.#player.rest();
  }

  /** Plays the picture from its start, unless it is paused. */
  replay() {
    this.#player.replay();
  }

  /** Shows an instant of the picture, if it can be sought. */
  seek(seconds) {
    this.#player.seek(seconds);
  }

  /**
   * Returns the picture of a rendering for `Stage.show`: its own file if that is an image, else
   * the SVG of the same animation, which also replaces moving images under reduced motion.
   */
  #pictureOf(rendering) {
    const { format, permalink, address, scale, file } = rendering;
    const isSVG = format.name === svg.name;
    if (!this.#isDocument(rendering)) {
      return { address: null, file: () => file, density: scale };
    }
    return {
      address: permalink ? inFormat(permalink, svg) : isSVG ? address : null,
      source: isSVG ? file : null,
      file: () => rendering.fileIn(svg),
      caption: isSVG ? null : `Previewed as SVG; the download is ${format.title}.`,
    };
  }

  /** True if the rendering is shown as an SVG document, which can be sought. */
  #isDocument({ format }) {
    const isHeld = this.#reader.preferences.still && !isStill(format);
    return format.name === svg.name || !isImage(format) || isMadeOnRequest(format) || isHeld;
  }

  #measure() {
    if (this.#rendering) this.#facts.zoom = this.#stage.shownWidth / this.#rendering.width;
  }

  #showAgain(fromStart) {
    if (this.#rendering) this.show(this.#rendering, fromStart);
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

  warn(warnings, several = false) {
    this.#warnings.replaceChildren(...warnings.map(({ message, block, action }) => element(
      'li', {}, several && block !== undefined ? `Text ${block + 1}: ${message}` : message,
      ...action ? [' ', element(
        'button', { type: 'button', class: 'link', onclick: action.act }, action.words)] : [])));
  }
}

/** Returns a fault as text, with a link to its field, or a button that removes the value. */
function problem({ parameter, message, label, follow, remove }) {
  const about = follow
    ? linkTo(label, follow)
    : element('code', {}, parameter);
  const button = remove
    ? element('button', { type: 'button', class: 'link', onclick: remove }, 'Remove') : null;
  return [about, `: ${message} `, button];
}

/** Shows the time that a slow rendering has taken so far, and a button that gives it up. */
class Progress {
  #preview;
  #timer = 0;
  #clock = 0;
  #start = 0;
  #title = '';
  #estimate = null;
  #words = element('span');
  #time = element('span', { class: 'waiting-time' });
  #cancel = element('button', { type: 'button', class: 'link', hidden: true }, 'Cancel');
  root = element(
    'p', { class: 'waiting' },
    element('span', { 'aria-hidden': 'true' }, this.#words, ' ', this.#time), ' ', this.#cancel);
  /** The same for screen readers. */
  status = element('p', { class: 'unseen', role: 'status' });

  /** @param preview the element that has the class `waits` while the time is shown. */
  constructor(preview) {
    this.#preview = preview;
  }

  /**
   * Starts the time of a rendering, which replaces an unfinished one.
   *
   * @param making the `estimate` of its seconds and `cancel`, which gives it up; left out for a
   *   rendering that the next one replaces.
   */
  begin(title, { estimate = null, cancel = null } = {}) {
    this.#start = performance.now();
    this.#title = title;
    this.#estimate = estimate;
    this.#cancel.hidden = cancel === null;
    this.#cancel.onclick = cancel;
    if (this.#isShown || cancel) this.#show();
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
    const words = this.#estimate === null
      ? `Rendering the ${this.#title}`
      : `Making the ${this.#title}, ${timeOf(this.#estimate)}:`;
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
/** Light and dark have room beside each other. */
const isWide = matchMedia('(min-width: 900px)');

/**
 * Settings of a reader's system: the colour scheme, of which one or both can be chosen, and reduced
 * motion.
 */
class ReaderPreferences {
  #changed;
  #isChosen = false;
  #isComparing = false;
  #playAnyway = false;
  #format = svg;
  #reason = element('span');
  #note = element('p', { class: 'note', hidden: true }, this.#reason);
  #schemes = ['light', 'dark', 'both'].map((scheme) => element('input', {
    type: 'radio', name: 'backdrop', value: scheme, onchange: () => {
      this.#isChosen = true;
      this.#changed();
    },
  }));
  root = element(
    'fieldset', { class: 'backdrop' },
    element('legend', { class: 'unseen' }, 'Preview for readers in'),
    ...this.#schemes.map((input) => element(
      'label', {}, input, element('span', {}, capitalized(input.value)))));

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
   * The format that is shown. Only SVG follows a reader's preference for reduced motion, and one
   * without dark colours is the same for all readers, so it is shown on light and dark.
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

  /** Chooses both schemes, unless someone has chosen. */
  compare() {
    const [, , both] = this.#schemes;
    if (this.#isChosen || this.#isComparing) return;
    this.#isComparing = both.checked = true;
    this.#changed();
  }

  /** The settings as `Stage.reader` takes them. */
  get preferences() {
    const { value } = this.#schemes.find((input) => input.checked);
    return {
      schemes: value === 'both' ? ['light', 'dark'] : [value],
      still: prefersStill.matches && !this.#playAnyway,
    };
  }

  #choose() {
    if (this.#isChosen || this.#isComparing) return;
    const [light, dark, both] = this.#schemes;
    const own = prefersDark.matches ? dark : light;
    (isWide.matches || !this.#format.darkColors ? both : own).checked = true;
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
    const { file, duration, cycles, estimate, milliseconds, isCached } = this.#rendering;
    const facts = [
      ...file ? [
        ['Size', fileSizeOf(this.#rendering)],
        [isCached ? 'From cache in' : 'Rendered in', elapsed(milliseconds)],
      ] : [['Takes', timeOf(estimate)]],
      ['Duration', seconds(duration) + repeated(cycles)],
      ['Canvas', canvasOf(this.#rendering, Math.round(this.#zoom * 100))],
    ];
    this.root.replaceChildren(...facts.map(([name, value]) => element(
      'div', {}, element('dt', {}, name), element('dd', {}, value))));
  }
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

// The picture.

/**
 * Shows pictures one after another without a flash: the next one loads invisibly, and replaces the
 * last one once it has loaded. A picture has a frame for each colour scheme that is shown.
 */
class Stage {
  #shown = [];
  #incoming = [];
  #turn = 0;
  #reader = { schemes: ['light'], still: false };
  #size = null;
  #isLoading = false;
  #caption = element('p', { class: 'stage-caption' });
  root = element('div', { class: 'stage' }, this.#caption);

  constructor() {
    new ResizeObserver(() => this.#arrange()).observe(this.root);
  }

  /** The width of the picture in the page, at most its own. */
  get shownWidth() {
    return this.#shown[0]?.getBoundingClientRect().width ?? 0;
  }

  /** True if the picture has to be shown again for the schemes of the reader. */
  get lacksFrames() {
    return !this.#isLoading && !this.#hasAll(this.#shown);
  }

  /** The reader's settings: the `schemes` that are shown, and whether all stands `still`. */
  set reader(reader) {
    this.#reader = reader;
    this.#adapt(this.#shown);
    this.#adapt(this.#incoming);
    this.#dress();
  }

  /**
   * Loads a picture and shows it.
   *
   * @param picture the `address` of an SVG, or null; its `source`, a blob, or null; the `file()`
   *   that is shown without an address, with `density` pixels in a CSS pixel; and a `caption`.
   * @param prepare called before the picture is visible with the documents of its frames, none for
   *   images; sets the `reader`.
   * @returns the picture's own size in CSS pixels; null if another one has replaced it meanwhile.
   */
  async show({ address, source, file, density, caption }, prepare) {
    const turn = this.#turn += 1;
    this.#isLoading = true;
    drop(this.#incoming);
    this.#incoming = [];
    const text = address && source ? await source.text() : null;
    const image = address ? null : await file();
    if (turn !== this.#turn) return null;
    if (text !== null && this.#showsDocuments && redraw(this.#shown, text, address)) {
      prepare(this.#shown.map((frame) => frame.contentDocument));
      // The schemes may have changed with the format.
      if (this.#hasAll(this.#shown)) return this.#finish(this.#shown, caption);
    }
    const frames = this.#reader.schemes.map(
      () => address ? objectOf(address) : imageOf(image, density));
    this.#incoming = frames;
    this.root.append(...frames);
    const loaded = await Promise.all(frames.map(hasLoaded));
    if (turn !== this.#turn) return null;
    if (loaded.includes(false) && address) {
      return this.show({ address: null, file, density, caption }, prepare);
    }
    prepare(frames.map((frame) => frame.contentDocument).filter(Boolean));
    // The schemes may have changed meanwhile, or with the format.
    if (!this.#hasAll(frames)) return this.show({ address, file, density, caption }, prepare);
    drop(this.#shown);
    for (const frame of frames) frame.classList.remove('incoming');
    this.#shown = frames;
    this.#incoming = [];
    return this.#finish(frames, caption);
  }

  #finish([frame], caption) {
    this.#caption.textContent = caption ?? '';
    this.#isLoading = false;
    this.#size = ownSizeOf(frame);
    this.#dress();
    return this.#size;
  }

  /** True if SVG documents are shown, all that there should be. */
  get #showsDocuments() {
    return this.#hasAll(this.#shown) && this.#shown.every((frame) => frame.contentDocument);
  }

  /** Draws the ground of the schemes, unless the frames for them are still to come. */
  #dress() {
    const { schemes } = this.#reader;
    if (this.#shown.length > 0 && !this.#hasAll(this.#shown)) return;
    this.root.dataset.scheme = schemes.length > 1 ? 'both' : schemes[0];
    this.#arrange();
  }

  /** Puts two frames beside each other, or one below the other where they are larger that way. */
  #arrange() {
    if (!this.#size) return;
    const { width, height } = this.#size;
    const { clientWidth, clientHeight } = this.root;
    const beside = Math.min(clientWidth / 2 / width, clientHeight / height);
    const below = Math.min(clientWidth / width, clientHeight / 2 / height);
    this.root.classList.toggle('stacked', beside < 1 && below > beside);
  }

  #hasAll(frames) {
    return frames.length === this.#reader.schemes.length;
  }

  #adapt(frames) {
    if (!this.#hasAll(frames)) return;
    frames.forEach((frame, index) => {
      const scheme = this.#reader.schemes[index];
      if (frame.contentDocument) emulateMedia(frame.contentDocument, scheme, this.#reader.still);
      else frame.style.colorScheme = scheme;
      frame.dataset.scheme = scheme;
    });
  }
}

/** Creates an object, whose document can be sought; the page's policy forbids inline renderings. */
function objectOf(address) {
  return element('object', {
    class: 'rendering incoming', type: 'image/svg+xml', data: address, tabIndex: -1,
    'aria-label': 'Preview', dataset: { source: address },
  });
}

/**
 * Draws an SVG in the documents of objects, which takes a fraction of the time of loading others.
 *
 * @returns false if it has pictures, which would come later than the rest.
 */
function redraw(frames, source, address) {
  const drawings = frames.map(({ contentWindow }) => {
    // A parser of the page would apply the page's policy to the style sheet.
    const parser = new contentWindow.DOMParser();
    return parser.parseFromString(source, 'image/svg+xml').documentElement;
  });
  if (drawings.some((root) => root.tagName !== 'svg' || root.querySelector('image'))) return false;
  frames.forEach((frame, index) => {
    // The root stays: the size of the object is its own.
    const { documentElement: root } = frame.contentDocument;
    const drawing = drawings[index];
    for (const { name } of [...root.attributes]) {
      if (!drawing.hasAttribute(name)) root.removeAttribute(name);
    }
    for (const { name, value } of drawing.attributes) root.setAttribute(name, value);
    root.replaceChildren(...drawing.childNodes);
    rulesByDocument.delete(frame.contentDocument);
    frame.dataset.source = address;
  });
  return true;
}

/** Creates an image, which cannot be sought, but plays from its start: its address is its own. */
function imageOf(file, density = 1) {
  const address = URL.createObjectURL(file);
  return element('img', {
    class: 'rendering incoming', srcset: `${address} ${density}x`, alt: 'Preview',
    dataset: { address },
  });
}

function drop(frames) {
  for (const frame of frames) {
    frame.remove();
    if (frame.dataset.address) URL.revokeObjectURL(frame.dataset.address);
  }
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
function emulateMedia(document, scheme, still) {
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

// Playback.

const playerIcons = {
  play: 'M5 3l8 5-8 5z', pause: 'M5.500 3v10M10.500 3v10', restart: 'M4 3v10M13 3L6.500 8l6.500 5z',
};

/** Seconds before a cycle's end at which its end is shown; at the end the next cycle begins. */
const justBefore = 0.00001;

/** The most rows of marks below the timeline. */
const mostRows = 3;

function seconds(value) {
  return `${value.toFixed(2)} s`;
}

/** Controls for playback: play, pause, restart, and a timeline with marks. */
class Player {
  #clock = new AnimationClock();
  #resume = false;
  #toggle = element('button', { type: 'button', class: 'tool' });
  #restart = element(
    'button', { type: 'button', class: 'tool', 'aria-label': 'Restart', title: 'Restart' },
    icon(playerIcons.restart));
  #slider = element('input', {
    type: 'range', class: 'timeline', min: 0, max: 1, step: 'any', value: 0,
    'aria-label': 'Time',
  });
  #phases = new Phases();
  #now = element('output');
  #whole = element('span', { class: 'whole' });
  #moment = element('p', { class: 'moment', hidden: true });
  #playback = element(
    'div', { class: 'playback', role: 'group', 'aria-label': 'Playback' },
    this.#toggle, this.#restart,
    element('div', { class: 'track' }, this.#slider, this.#phases.root),
    element('span', { class: 'clock' }, this.#now, this.#whole));
  root = element('div', { class: 'transport' }, this.#playback, this.#moment);

  /** @param replay called to restart a picture that cannot be sought, which is shown again. */
  constructor(replay) {
    const clock = this.#clock;
    clock.addEventListener('time', () => this.#refresh());
    this.#toggle.onclick = () => clock.playing ? clock.pause() : clock.play();
    this.#restart.onclick = () => clock.moves ? clock.restart() : replay();
    this.#slider.oninput = () => clock.seek(Number(this.#slider.value) * clock.duration);
    this.#slider.onkeydown = (event) => this.#step(event);
    this.#slider.onpointerdown = () => { this.#resume = clock.playing; };
    this.#slider.onchange = () => { if (this.#resume) clock.play(); this.#resume = false; };
    this.#refresh();
  }

  /**
   * Controls a picture that has just loaded: from its start, or from the instant that the last one
   * had reached.
   *
   * @param documents the picture's; none for an image, which plays but cannot be sought.
   * @param picture its `duration` and `cycles`, and `moment`: for a still its instant in words,
   *   else null.
   */
  attach(documents, { duration, cycles, moment }, fromStart) {
    const { ended, playing, elapsed } = this.#clock;
    const anew = fromStart || documents.length === 0 || !this.#moment.hidden;
    const at = ended && cycles < Infinity ? duration * cycles : elapsed;
    this.#clock.attach(documents, {
      duration, cycles, ...anew ? { at: 0, playing: moment === null } : { at, playing },
    });
    this.#playback.hidden = moment !== null;
    this.#moment.hidden = moment === null;
    this.#moment.textContent = moment ?? '';
  }

  /** Goes to the end, unless it is paused or plays for ever. */
  rest() {
    const { moves, playing, cycles } = this.#clock;
    if (moves && playing && cycles < Infinity) this.#clock.finish();
  }

  /** Plays from the start, unless it is paused. */
  replay() {
    const { moves, playing, ended } = this.#clock;
    if (moves && (playing || ended)) this.#clock.restart();
  }

  /** Stops at an instant of the cycle. */
  seek(seconds) {
    if (this.#clock.moves) this.#clock.seek(seconds);
  }

  /** Marks the entrances and exits of the JSON rendering's blocks. */
  set phases(blocks) {
    this.#phases.show(blocks, this.#clock.duration);
    this.#refresh();
  }

  #refresh() {
    const { playing, time, duration, moves } = this.#clock;
    const state = playing ? 'pause' : 'play';
    if (this.#toggle.dataset.state !== state) {
      this.#toggle.dataset.state = state;
      this.#toggle.title = playing ? 'Pause' : 'Play';
      this.#toggle.setAttribute('aria-label', this.#toggle.title);
      this.#toggle.replaceChildren(icon(playerIcons[state]));
    }
    this.#toggle.disabled = this.#slider.disabled = !moves;
    this.#restart.disabled = duration === 0;
    this.#slider.value = duration > 0 ? time / duration : 0;
    this.#slider.setAttribute(
      'aria-valuetext',
      [`${seconds(time)} of ${seconds(duration)}`, ...this.#phases.at(time)].join(', '));
    fillTrack(this.#slider);
    this.#now.value = time.toFixed(2);
    this.#whole.textContent = ` / ${seconds(duration)}`;
  }

  /** Arrow keys step by a frame of 0.04 s, with Shift by ten: `step="any"` defines no step. */
  #step(event) {
    const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    this.#clock.seek(this.#clock.time + direction * (event.shiftKey ? 0.4 : 0.04));
  }
}

/**
 * Plays and seeks all animations of a rendering's documents. They are collected once, because a
 * document no longer lists animations that have finished.
 *
 * Dispatches `time` when the shown instant or the state has changed.
 */
class AnimationClock extends EventTarget {
  #animations = [];
  #startedAt = 0;
  #at = 0;
  #frame = 0;

  /** Seconds of one cycle. */
  duration = 0;
  /** Number of cycles, or Infinity. */
  cycles = 1;
  playing = false;

  /**
   * Controls documents that have just loaded, from an instant, playing or paused. Without a
   * document (an image, which cannot be sought) only the clock runs.
   */
  attach(documents, { duration, cycles, at, playing }) {
    this.#animations = documents.flatMap((document) => document.getAnimations());
    const isStatic = documents.length > 0 && !this.moves;
    this.duration = duration;
    this.cycles = isStatic ? 1 : cycles;
    if (playing && !isStatic && at < this.#end) this.#run(at);
    else this.#stopAt(isStatic ? duration : at);
  }

  /** True if there are animations to seek. */
  get moves() {
    return this.#animations.length > 0;
  }

  /** Seconds since the start of the first cycle, at most those of all cycles. */
  get elapsed() {
    if (!this.playing) return this.#at;
    return Math.min((performance.now() - this.#startedAt) / 1000, this.#end);
  }

  /** Seconds within the cycle. */
  get time() {
    return Math.min(this.elapsed - this.#start, this.duration);
  }

  get ended() {
    return !this.playing && this.#at >= this.#end;
  }

  play() {
    this.#run(this.ended ? 0 : this.elapsed);
  }

  restart() {
    this.#run(0);
  }

  pause() {
    this.#stopAt(this.elapsed);
  }

  /** Stops at the end of all cycles. */
  finish() {
    this.#stopAt(this.#end);
  }

  /** Stops at an instant of the cycle that is shown, its end included. */
  seek(seconds) {
    const start = this.#start;
    const within = Math.min(Math.max(seconds, 0), this.duration);
    const isNext = within === this.duration && start < this.#lastStart;
    this.#stopAt(start + within - (isNext ? justBefore : 0));
  }

  /** The end of all cycles, in seconds; an animation of no duration does not repeat. */
  get #end() {
    return this.duration > 0 ? this.duration * this.cycles : 0;
  }

  /** The start of the last cycle, in seconds. */
  get #lastStart() {
    return this.duration > 0 ? this.duration * (this.cycles - 1) : 0;
  }

  /** The start of the cycle that is shown, in seconds. */
  get #start() {
    if (this.duration === 0) return 0;
    return Math.min(Math.floor(this.elapsed / this.duration) * this.duration, this.#lastStart);
  }

  #stopAt(at) {
    this.#stop(Math.min(Math.max(at, 0), this.#end));
    for (const animation of this.#animations) {
      animation.pause();
      animation.currentTime = this.#at * 1000;
    }
    this.#dispatch();
  }

  #run(from) {
    this.#stop(from);
    // `play()` would take finished animations back to their start; a start time does not.
    for (const animation of this.#animations) {
      animation.startTime = animation.timeline.currentTime - from * 1000;
    }
    this.#startedAt = performance.now() - from * 1000;
    this.playing = true;
    this.#dispatch();
    this.#tick();
  }

  #stop(at) {
    cancelAnimationFrame(this.#frame);
    this.playing = false;
    this.#at = at;
  }

  #tick() {
    this.#frame = requestAnimationFrame(() => {
      if (this.elapsed >= this.#end) this.#stop(this.#end);
      else this.#tick();
      this.#dispatch();
    });
  }

  #dispatch() {
    this.dispatchEvent(new Event('time'));
  }
}

/** Marks of the texts' entrances and exits along the timeline. */
class Phases {
  #texts = [];
  root = element('div', { class: 'phases', 'aria-hidden': 'true' });

  /** @param blocks the blocks of the JSON rendering, a cycle of which takes `duration` seconds. */
  show(blocks, duration) {
    this.#texts = duration > 0 ? blocks.map(phasesOf) : [];
    const rows = [];
    this.root.replaceChildren(...this.#texts.flatMap((phases) => {
      const row = rowFor(phases, rows);
      return phases.map((phase) => markOf(phase, row, duration));
    }));
  }

  /** Returns the entrances and exits at an instant, in words. */
  at(time) {
    return this.#texts.flatMap((phases, index) => phases
      .filter(({ start, end }) => start <= time && time < end)
      .map(({ kind }) => `text ${index + 1} ${kind === 'enter' ? 'comes' : 'goes'}`));
  }
}

function phasesOf({ enterStart, enterEnd, exitStart, exitEnd }) {
  return [
    { kind: 'enter', start: enterStart, end: enterEnd },
    { kind: 'exit', start: exitStart, end: exitEnd },
  ].filter(({ start, end }) => start !== null && end > start);
}

/** Returns the first row without an overlap, or the last one if there is none. */
function rowFor(phases, rows) {
  const overlaps = (row) => row.some(
    (other) => phases.some(({ start, end }) => start < other.end && other.start < end));
  const free = rows.findIndex((row) => !overlaps(row));
  const index = free >= 0 ? free : Math.min(rows.length, mostRows - 1);
  rows[index] = [...rows[index] ?? [], ...phases];
  return index;
}

function markOf({ kind, start, end }, row, duration) {
  const bar = element('span', { class: `phase ${kind}` });
  const percent = (seconds) => `${seconds / duration * 100}%`;
  bar.style.left = percent(start);
  bar.style.width = percent(end - start);
  bar.style.top = `${row * 4}px`;
  return bar;
}

// Snippets.

/** Hosts of one's own computer or network, which services such as GitHub's do not reach. */
const localHosts = new RegExp('^('
  + 'localhost|.*\\.(localhost|local|internal)|0\\.0\\.0\\.0|127\\.[\\d.]+|10\\.[\\d.]+'
  + '|192\\.168\\.[\\d.]+|172\\.(1[6-9]|2\\d|3[01])\\.[\\d.]+|\\[(::1|f[cd].*|fe80:.*)\\])$');

/** What to do where others cannot load the picture from its address: to take the file along. */
class LocalFile {
  #host = element('code');
  #way;
  #rows = new Rows('snippet');
  root;

  /** @param save saves the file that is shown. */
  constructor(save) {
    this.#way = element(
      'div', { class: 'local-file' },
      element(
        'p', {}, element('button', { type: 'button', class: 'link', onclick: save }, 'Save the file'),
        ' beside your README, and write:'),
      this.#rows.root);
    this.root = element(
      'div', { class: 'local', hidden: true },
      element('p', {}, 'Others cannot load pictures from ', this.#host, '.'), this.#way);
  }

  /** Shows a rendering whose addresses are of a host. */
  show({ format, text }, hostname, alt) {
    this.root.hidden = !localHosts.test(hostname);
    this.#host.textContent = hostname;
    // It keeps its room, so that no format moves the picture.
    this.#way.classList.toggle('without', !isImage(format));
    const code = isImage(format)
      ? `![${escapedMarkdown(alt)}](${fileNameOf(text, format)})` : null;
    this.#rows.show(titled([['File', code]]));
  }

  /** The rows to copy from where the address is of no use to others; null elsewhere. */
  get rows() {
    return this.root.hidden || this.#way.classList.contains('without') ? null : this.#rows;
  }
}

/** Code that embeds a rendering, to copy. */
export class Snippets {
  #root;
  #local;
  #save;
  #tell;
  #rendering = null;
  #rows = new Rows('snippet');
  /** What only the server writes, in a part that is closed at first: nothing moves when it comes. */
  #more = new Rows('snippet');
  #moreRoot = element(
    'details', {}, element('summary', {}, 'Picture, CSS, curl'), this.#more.root);
  /** A part that few open, which is made then. */
  #typing;
  /** A button that copies the first snippet, to be placed near the picture. */
  copyButton = element('button', { type: 'button', class: 'button copy', hidden: true });

  /**
   * @param callbacks `save()` saves the file that is shown; `tell(words)` says beside the picture what
   *   has become of it; `makeTyping()` makes the field for links to readme-typing-svg, and promises its
   *   element.
   */
  constructor(root, { save, tell, makeTyping }) {
    this.#save = save;
    this.#tell = tell;
    this.#local = new LocalFile(save);
    this.#typing = element('details', {
      ontoggle: async () => {
        this.#typing.ontoggle = null;
        this.#typing.append(await makeTyping());
      },
    }, element('summary', {}, 'From readme-typing-svg'));
    // Invisible but laid out, so that nothing moves when it appears.
    root.classList.add('empty');
    this.#root = root;
    root.replaceChildren(
      element('h2', { id: 'embed-title' }, 'Embed'), this.#local.root, this.#rows.root,
      this.#moreRoot, this.#typing);
  }

  /** Shows the snippets of a rendering that the page can write itself. */
  show(request, rendering) {
    this.#root.classList.remove('empty');
    this.#more.replace(
      element('p', { class: 'remark' }, 'The server writes these once nothing changes.'));
    const { format } = rendering;
    const alt = (request.title ?? plainTextOf(request)).replace(/\s+/g, ' ').trim();
    this.#rendering = rendering;
    this.#local.show(rendering, location.hostname, alt);
    const query = readableAddress(request, format);
    this.#moreRoot.hidden = rendering.permalink === null && query === null;
    if (this.#moreRoot.hidden) {
      this.copyButton.hidden = true;
      this.#rows.replace(element(
        'p', { class: 'note' }, 'This is more than an address can hold. ',
        `POST it to /render.${format.extension}, or take shorter texts.`));
      return;
    }
    this.#showFirst(snippetsOf({
      ...rendering,
      permalink: rendering.permalink && location.origin + rendering.permalink,
      query: query && location.origin + query,
      alt,
    }));
  }

  /** Shows all snippets of the same rendering, with the members of `GET /embed`. */
  complete({ url, permalink, markdown, html, picture, css, curl, alt }) {
    if (url === null && permalink === null) return;
    // The server may have an address of its own.
    this.#local.show(this.#rendering, new URL(permalink ?? url).hostname, alt);
    this.#showFirst(snippetList({ markdown, html, permalink, query: url }));
    this.#more.show(titled([['Picture', picture], ['CSS', css], ['curl', curl]]));
  }

  #showFirst(snippets) {
    this.#rows.show(snippets);
    const [{ title }] = snippets;
    this.copyButton.hidden = false;
    const words = this.copyButton.textContent = `Copy ${title === 'Editable URL' ? 'URL' : title}`;
    const file = title === 'Markdown' ? this.#local.rows : null;
    this.copyButton.title = file ? 'The file is downloaded too' : '';
    this.copyButton.onclick = () => {
      if (file) this.#takeAlong(words, file);
      else this.#rows.copy(title, this.copyButton, words);
    };
  }

  /** Saves the file that others cannot load, and copies the line that shows it. */
  #takeAlong(words, rows) {
    const { text, format } = this.#rendering;
    rows.copy('File', this.copyButton, words);
    this.#save();
    this.#tell(`${fileNameOf(text, format)} is downloaded, since others cannot reach this address. `
      + 'Put it beside your README, and paste the line there.');
  }
}

/** Rows with a snippet each, and the button that copies it. */
export class Rows {
  #prefix;
  #rows = new Map();
  #list = element('div', { class: 'snippets' });
  #status = element('p', { class: 'unseen', role: 'status' });
  root = element('div', {}, this.#list, this.#status);

  /** @param prefix what the ids of the fields begin with. */
  constructor(prefix) {
    this.#prefix = prefix;
  }

  /** Shows snippets: a `title` and the `code`. A row that stays keeps the focus. */
  show(snippets) {
    const titles = snippets.map(({ title }) => title);
    if (titles.join() !== [...this.#rows.keys()].join()) {
      this.#rows = new Map(
        titles.map((title) => [title, new Row(title, this.#prefix, this.#status)]));
      this.#list.replaceChildren(...[...this.#rows.values()].map(({ root }) => root));
    }
    for (const { title, code } of snippets) this.#rows.get(title).code = code;
  }

  /** Shows something else in place of snippets. */
  replace(other) {
    this.#rows = new Map();
    this.#list.replaceChildren(other);
  }

  /** Copies a snippet, and says so on a button that has these words. */
  copy(title, button, words) {
    this.#rows.get(title)?.copyBy(button, words);
  }
}

class Row {
  #title;
  #status;
  #code = '';
  #field = element(
    'input', { type: 'text', readOnly: true, onfocus: () => this.#field.select() });
  #button = element(
    'button', { type: 'button', onclick: () => this.copyBy(this.#button, 'Copy') }, 'Copy');
  root;

  /** @param status the element in which screen readers are told what was copied. */
  constructor(title, prefix, status) {
    this.#title = title;
    this.#status = status;
    this.#field.id = `${prefix}-${title.toLowerCase().replaceAll(' ', '-')}`;
    this.#button.ariaLabel = `Copy ${title}`;
    this.root = element(
      'div', { class: 'snippet' },
      element('label', { htmlFor: this.#field.id }, title), this.#field, this.#button);
  }

  set code(code) {
    if (code === this.#code) return;
    this.#code = code;
    this.#field.value = code;
  }

  /** Copies the code, and says so for a moment on a button that has these words. */
  async copyBy(pressed, words) {
    const copied = await copy(this.#code, this.#field);
    this.#status.textContent = copied ? `${this.#title} copied` : 'The browser refused to copy';
    pressed.textContent = copied ? 'Copied' : 'Select it';
    setTimeout(() => {
      pressed.textContent = words;
      this.#status.textContent = '';
    }, 1600);
  }
}

/**
 * Returns the snippets of a rendering with the addresses `permalink` and `query`, of which one may be
 * null. The query, which people can read, goes before, as the server has it.
 */
function snippetsOf({ permalink, query, alt, width, height, format }) {
  if (!isImage(format) && !isVideo(format)) return snippetList({ permalink, query });
  const address = query ?? permalink;
  if (isVideo(format)) {
    return snippetList({ html: videoCode({ address, width, height, alt }), permalink, query });
  }
  return snippetList({
    markdown: `![${escapedMarkdown(alt)}](${address})`,
    html: imageCode({ address, width, height, alt }),
    permalink,
    query,
  });
}

function snippetList({ markdown = null, html = null, permalink, query }) {
  return titled([
    ['Markdown', markdown], ['HTML', html],
    ['Editable URL', query], ['Permalink', permalink],
  ]);
}

/** Returns the snippets that there are, of pairs of a title and code or null. */
export function titled(pairs) {
  return pairs.filter(([, code]) => code !== null).map(([title, code]) => ({ title, code }));
}

/** Returns an image as HTML. */
export function imageCode({ address, width, height, alt }) {
  return `<img src="${escapedHTML(address)}" width="${width}" height="${height}" `
    + `alt="${escapedHTML(alt)}">`;
}

/** Returns a video as HTML, which plays by itself and over again. */
function videoCode({ address, width, height, alt }) {
  return `<video src="${escapedHTML(address)}" width="${width}" height="${height}" autoplay loop muted `
    + `playsinline aria-label="${escapedHTML(alt)}"></video>`;
}

/** Returns text of one line for Markdown. */
export function escapedMarkdown(text) {
  return text.replace(/[\\`*_[\]<>&!~|$:@#]/g, '\\$&');
}

function escapedHTML(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character]);
}
