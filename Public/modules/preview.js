import { element, icon } from './dom.js';
import { Player, seconds } from './player.js';
import { inFormat, svg } from './request.js';
import { Stage } from './stage.js';

const downloadIcon = 'M8 2.500v8M4.500 7L8 10.500 11.500 7M3 13.500h10';

/** Milliseconds that a rendering may take before the page says that it is on its way. */
const unnoticed = 400;

/** The picture with all that plays, measures and comments it. */
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

  /** Marks on the timeline when the texts come and go. */
  set phases(blocks) {
    this.#player.phases = this.#isDocument(this.#rendering) ? blocks : [];
  }

  /** Says that a rendering in this format is on its way. */
  wait(title) {
    this.#progress.begin(title);
  }

  /** Takes back what was said of the last refusal. */
  accept() {
    this.#notices.accept();
  }

  /**
   * Says why there is no newer picture than the one that is shown, if any.
   *
   * @param faults what is wrong with the request, and said nowhere else, as `Form.show` returns it.
   */
  refuse(refusal, faults) {
    this.#root.classList.add('stale');
    this.#progress.end();
    this.#notices.refuse(refusal, faults, this.#rendering === null);
  }

  /** @param several whether a warning has to say which text it is about. */
  warn(warnings, several) {
    this.#notices.warn(warnings, several);
  }

  /**
   * Shows a rendering: from its start, or as far on as the last one.
   *
   * @param rendering with the `cycles` that it plays, the `scale` of its pixels, the `time` of a
   *   still, and the `text` that names its file.
   * @returns the rendering with its `width` and `height`, or null when another one has come in
   *   between.
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

  /** Plays the picture from its start, unless someone has stopped it somewhere. */
  replay() {
    this.#player.replay();
  }

  /**
   * Images are shown as they are; what is no image, and what would move before someone who asks
   * for no motion, as the SVG of the same animation.
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

  #isDocument({ format }) {
    const stands = this.#reader.preferences.still && !format.isStill;
    return format.name === svg.name || !format.isImage || stands;
  }

  #measure() {
    if (this.#rendering) this.#facts.zoom = this.#stage.shownWidth / this.#rendering.width;
  }

  #showAgain() {
    if (this.#rendering) this.show(this.#rendering, true);
  }
}

/** What a still picture shows of the animation; null for what moves. */
function momentOf({ format, time }) {
  if (!format.isStill) return null;
  return time === 'end' ? 'One frame: the finished text' : `One frame, at ${time} s`;
}

/** What there is to say about the picture: refusals, faults that no field shows, and warnings. */
class Notices {
  #problems = element('ul', { class: 'problems' });
  #warnings = element('ul', { class: 'warnings' });
  /** Spoken as well. */
  #status = element('p', { class: 'status', role: 'status' });
  root = element('div', { class: 'notices' }, this.#status, this.#problems, this.#warnings);

  refuse({ message, faults: all, retryAfter }, faults, isEmpty) {
    const picture = isEmpty ? 'There is no picture yet' : 'This is the last good picture';
    const areMarked = all.length > 0 && faults.length === 0;
    const again = retryAfter === null ? [] : [`Trying again in ${Math.ceil(retryAfter)} s.`];
    this.#status.textContent = areMarked
      ? `${picture}: see the marked fields.` : [`${message}.`, ...again, `${picture}.`].join(' ');
    this.#problems.replaceChildren(...faults.map((fault) => element('li', {}, ...problem(fault))));
    this.warn([]);
  }

  accept() {
    if (this.#status.textContent) this.#status.textContent = '';
    this.#problems.replaceChildren();
  }

  warn(warnings, several = false) {
    this.#warnings.replaceChildren(...warnings.map(({ message, block }) => element(
      'li', {}, several && block !== undefined ? `Text ${block + 1}: ${message}` : message)));
  }
}

/** A fault in words, with a link to what it is about, or a button that gives that up. */
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

/** Says that a rendering is on its way, and for how long already, when it takes its time. */
class Progress {
  #preview;
  #timer = 0;
  #clock = 0;
  #start = 0;
  #title = '';
  #what = element('span');
  #time = element('span', { class: 'waiting-time' });
  root = element('p', { class: 'waiting', 'aria-hidden': 'true' }, this.#what, ' ', this.#time);
  /** The same for the ear. */
  status = element('p', { class: 'unseen', role: 'status' });

  /** @param preview gets the class `waits` meanwhile. */
  constructor(preview) {
    this.#preview = preview;
  }

  /** A rendering begins; one that was on its way has been given up for it. */
  begin(title) {
    this.#start = performance.now();
    this.#title = title;
    if (this.#isShown) this.#say();
    else this.#timer ||= setTimeout(() => this.#say(), unnoticed);
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

  #say() {
    const words = `Rendering the ${this.#title}`;
    this.#what.textContent = words;
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

/** Chooses how the reader of a rendering has set the system: light or dark, still or moving. */
class ReaderPreferences {
  #changed;
  #isChosen = false;
  #playAnyway = false;
  #format = svg;
  #why = element('span');
  #note = element('p', { class: 'note', hidden: true }, this.#why);
  #schemes = ['light', 'dark'].map((scheme) => element('input', {
    type: 'radio', name: 'backdrop', value: scheme, onchange: () => {
      this.#isChosen = true;
      this.#changed();
    },
  }));
  root = element(
    'fieldset', { class: 'backdrop' }, element('legend', { class: 'unseen' }, 'Preview for readers in'),
    ...this.#schemes.map((input) => element(
      'label', {}, input, element('span', {}, input.value === 'dark' ? 'Dark' : 'Light'))));

  /** @param changed called with `true` when the animation has to start anew. */
  constructor(changed) {
    this.#changed = () => changed(false);
    this.#choose();
    const play = element('button', {
      type: 'button', class: 'link',
      onclick: () => { this.#playAnyway = true; this.#tellStill(); changed(true); },
    }, 'Play it here');
    this.#note.append(' ', play);
    prefersStill.addEventListener('change', () => { this.#tellStill(); changed(true); });
    this.#tellStill();
  }

  /**
   * The format of what is shown: only SVG moves or not as its readers' systems ask, and what has
   * no colours for the dark is shown in light unless someone wants to see.
   */
  set format(format) {
    this.#format = format;
    this.#choose();
    this.#tellStill();
  }

  /** A line that says why nothing moves. */
  get note() {
    return this.#note;
  }

  /** See `Stage.reader`. */
  get preferences() {
    return {
      scheme: this.#schemes.find((input) => input.checked).value,
      still: prefersStill.matches && !this.#playAnyway,
    };
  }

  #choose() {
    if (!this.#isChosen) this.#schemes[prefersDark.matches && this.#format.hasDark ? 1 : 0].checked = true;
  }

  #tellStill() {
    this.#note.hidden = !this.preferences.still || this.#format.isStill;
    this.#why.textContent = this.#format.name === svg.name
      ? 'Your system asks for reduced motion, so the text stands still, '
        + 'as it will for everyone who asks for that.'
      : 'Your system asks for reduced motion, so the text stands still here; '
        + 'of all formats, only SVG does so everywhere.';
  }
}

/** What a rendering weighs, costs and measures, in one line. */
class Facts {
  #rendering = null;
  #zoom = 1;
  root = element('dl', { class: 'facts' });

  set rendering(rendering) {
    this.#rendering = rendering;
    this.#refresh();
  }

  /** How large the picture is shown; 1 is its own size. */
  set zoom(zoom) {
    this.#zoom = zoom;
    this.#refresh();
  }

  #refresh() {
    if (!this.#rendering) return;
    const { duration, cycles, milliseconds, isCached } = this.#rendering;
    const facts = [
      ['Size', sizeOf(this.#rendering)],
      [isCached ? 'From cache in' : 'Rendered in', elapsed(milliseconds)],
      ['Duration', seconds(duration) + repeated(cycles)],
      ['Canvas', canvasOf(this.#rendering, Math.round(this.#zoom * 100))],
    ];
    this.root.replaceChildren(...facts.map(([name, value]) => element(
      'div', {}, element('dt', {}, name), element('dd', {}, value))));
  }
}

/** The file's bytes, and those that came where it was compressed on its way. */
function sizeOf({ file, wireBytes }) {
  const isPacked = wireBytes > 0 && wireBytes < file.size;
  return bytes(file.size) + (isPacked ? `, ${bytes(wireBytes)} gzipped` : '');
}

function canvasOf({ width, height, scale, format }, percent) {
  const density = format.isImage && scale !== 1 ? ` at ${scale}×` : '';
  return `${width} × ${height} px${density}${percent < 100 ? `, shown at ${percent} %` : ''}`;
}

function repeated(cycles) {
  if (cycles === Infinity) return ' × ∞';
  return cycles > 1 ? ` × ${cycles}` : '';
}

/** How long something took: no more digits than it can mean. */
function elapsed(milliseconds) {
  return milliseconds < 1000
    ? `${Math.max(Math.round(milliseconds), 1)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function bytes(count) {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`;
}

/** The file of the rendering that is shown, at once: its bytes are here already. */
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

/** A file's name from the first words of a text, in any script. */
function fileNameOf(text) {
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').normalize('NFC');
  const words = plain.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, 6) ?? ['titlecard'];
  return [...words.join('-')].slice(0, 60).join('');
}
