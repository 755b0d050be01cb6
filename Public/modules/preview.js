import { Backdrop } from './backdrop.js';
import { element } from './dom.js';
import { Facts } from './facts.js';
import { Notices } from './notices.js';
import { Player } from './player.js';
import { Stage } from './stage.js';
import { Transport } from './transport.js';

/** The picture with all that plays, measures and comments it. */
export class Preview {
  #root;
  #stage = new Stage();
  #player = new Player();
  #facts = new Facts();
  #rendering = null;
  #transport = new Transport(this.#player, () => this.#showAgain());
  #backdrop = new Backdrop((anew) => {
    this.#stage.reader = this.#backdrop.reader;
    if (anew) this.#showAgain();
  });
  notices = new Notices();

  constructor(root) {
    this.#root = root;
    this.#stage.reader = this.#backdrop.reader;
    root.replaceChildren(
      this.#stage.root,
      element('div', { class: 'deck' }, this.#transport.root, this.#backdrop.root),
      element(
        'div', { class: 'remarks' },
        this.#facts.root, this.#backdrop.note, this.notices.root));
    new ResizeObserver(() => this.#measure()).observe(this.#stage.root);
  }

  /** Whether there is a picture at all. */
  get isEmpty() {
    return this.#rendering === null;
  }

  /** Marks the picture as older than the request beside it. */
  set stale(stale) {
    this.#root.classList.toggle('stale', stale);
  }

  /** Marks on the timeline when the texts come and go. */
  set phases(blocks) {
    this.#transport.phases = blocks;
  }

  /**
   * Shows a rendering, which plays `cycles` times: from its start, or as far on as the last one.
   *
   * @returns false when another one has come in between.
   */
  async show(rendering, fromStart) {
    const shown = await this.#stage.show(rendering, (document) => {
      this.#player.attach(document, this.#position(rendering, fromStart));
    });
    if (!shown) return false;
    if (this.#rendering?.duration !== rendering.duration) this.phases = [];
    this.#rendering = rendering;
    this.#facts.rendering = rendering;
    this.#measure();
    this.stale = false;
    return true;
  }

  /** Plays the picture from its start, unless someone has stopped it somewhere. */
  replay() {
    if (this.#player.moves && (this.#player.playing || this.#player.ended)) this.#player.restart();
  }

  #measure() {
    if (this.#rendering) this.#facts.zoom = this.#stage.shownWidth / this.#rendering.width;
  }

  #showAgain() {
    if (this.#rendering) this.show(this.#rendering, true);
  }

  #position({ duration, cycles }, fromStart) {
    const { ended, playing, elapsed } = this.#player;
    if (fromStart || this.isEmpty) return { duration, cycles, at: 0, playing: true };
    const at = ended && cycles < Infinity ? duration * cycles : elapsed;
    return { duration, cycles, at, playing };
  }
}
