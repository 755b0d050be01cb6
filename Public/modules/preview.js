import { Backdrop } from './backdrop.js';
import { element } from './dom.js';
import { Download } from './download.js';
import { Facts } from './facts.js';
import { inFormat, svg } from './formats.js';
import { Notices } from './notices.js';
import { Player } from './player.js';
import { Stage } from './stage.js';
import { Transport } from './transport.js';
import { Waiting } from './waiting.js';

/** The picture with all that plays, measures and comments it. */
export class Preview {
  #root;
  #stage = new Stage();
  #player = new Player();
  #facts = new Facts();
  #download = new Download();
  #waiting;
  #rendering = null;
  #transport = new Transport(this.#player, () => this.#showAgain());
  #backdrop = new Backdrop((anew) => {
    this.#stage.reader = this.#backdrop.reader;
    if (anew) this.#showAgain();
  });
  notices = new Notices();

  constructor(root) {
    this.#root = root;
    this.#waiting = new Waiting(root);
    this.#stage.reader = this.#backdrop.reader;
    root.replaceChildren(
      this.#stage.root,
      element('div', { class: 'deck' }, this.#transport.root, this.#backdrop.root),
      element(
        'div', { class: 'remarks' },
        element(
          'div', { class: 'about' },
          element('div', { class: 'told' }, this.#facts.root, this.#waiting.root),
          this.#waiting.status,
          this.#download.root),
        this.#backdrop.note, this.notices.root));
    new ResizeObserver(() => this.#measure()).observe(this.#stage.root);
  }

  /** Whether there is a picture at all. */
  get isEmpty() {
    return this.#rendering === null;
  }

  /** Marks the picture as older than the request beside it. */
  set stale(stale) {
    this.#root.classList.toggle('stale', stale);
    if (stale) this.#waiting.end();
  }

  /** Marks on the timeline when the texts come and go. */
  set phases(blocks) {
    this.#transport.phases = this.#isDocument(this.#rendering) ? blocks : [];
  }

  /** A rendering of this title is on its way. */
  wait(title) {
    this.#waiting.begin(title);
  }

  /**
   * Shows a rendering: from its start, or as far on as the last one.
   *
   * @param rendering with the `cycles` that it plays, the `scale` of its pixels, the `time` of a
   *   still, and the `name` of its file.
   * @returns the rendering with its `width` and `height`, or null when another one has come in
   *   between.
   */
  async show(rendering, fromStart) {
    const size = await this.#stage.show(this.#pictureOf(rendering), (document) => {
      this.#backdrop.format = rendering.format;
      this.#stage.reader = this.#backdrop.reader;
      this.#player.attach(document, this.#position(rendering, fromStart || document === null));
    });
    if (!size) return null;
    const measured = { ...rendering, ...size };
    const marksHold = this.#isDocument(rendering)
      && this.#rendering?.duration === rendering.duration;
    this.#rendering = measured;
    if (!marksHold) this.phases = [];
    this.#transport.still = momentOf(rendering);
    this.#facts.rendering = measured;
    this.#download.rendering = measured;
    this.#measure();
    this.stale = false;
    this.#waiting.end();
    return measured;
  }

  /** Plays the picture from its start, unless someone has stopped it somewhere. */
  replay() {
    if (this.#player.moves && (this.#player.playing || this.#player.ended)) this.#player.restart();
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
    const stands = this.#backdrop.reader.still && !format.isStill;
    return format.name === svg.name || !format.isImage || stands;
  }

  #measure() {
    if (this.#rendering) this.#facts.zoom = this.#stage.shownWidth / this.#rendering.width;
  }

  #showAgain() {
    if (this.#rendering) this.show(this.#rendering, true);
  }

  #position({ duration, cycles, format }, fromStart) {
    const { ended, playing, elapsed } = this.#player;
    if (fromStart || !this.#rendering || this.#rendering.format.isStill) {
      return { duration, cycles, at: 0, playing: !format.isStill };
    }
    const at = ended && cycles < Infinity ? duration * cycles : elapsed;
    return { duration, cycles, at, playing };
  }
}

/** What a still picture shows of the animation; null for what moves. */
function momentOf({ format, time }) {
  if (!format.isStill) return null;
  return time === 'end' ? 'One frame: the finished text' : `One frame, at ${time} s`;
}
