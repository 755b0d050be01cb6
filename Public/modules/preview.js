import { Backdrop } from './backdrop.js';
import { element } from './dom.js';
import { Facts } from './facts.js';
import { Notices } from './notices.js';
import { Player } from './player.js';
import { Stage } from './stage.js';
import { Transport } from './transport.js';

/** The picture with all that plays, measures and comments it. */
export class Preview {
  #stage = new Stage();
  #player = new Player();
  #facts = new Facts();
  #rendering = null;
  #backdrop = new Backdrop((replay) => {
    this.#stage.reader = this.#backdrop.reader;
    if (replay) this.replay();
  });
  notices = new Notices();

  constructor(root) {
    this.#stage.reader = this.#backdrop.reader;
    const transport = new Transport(this.#player, () => this.replay());
    root.replaceChildren(
      this.#stage.root,
      element('div', { class: 'deck' }, transport.root, this.#backdrop.root),
      element('div', { class: 'remarks' }, this.#facts.root, this.#backdrop.note, this.notices.root));
    this.#root = root;
  }

  #root;

  /**
   * Shows a rendering, from its start or from where the last one was.
   *
   * @param cycles how often it plays.
   */
  async show(rendering, { cycles, fromStart }) {
    const shown = await this.#stage.show(rendering, (document) => {
      if (document) this.#player.attach(document, this.#position(rendering, cycles, fromStart));
    });
    if (!shown) return;
    this.#rendering = { ...rendering, cycles };
    this.#facts.show(rendering);
    this.stale = false;
  }

  /** Plays the shown rendering again. */
  replay() {
    if (this.#rendering) {
      this.show(this.#rendering, { cycles: this.#rendering.cycles, fromStart: true });
    }
  }

  /** Plays from the start what is there already. */
  restart() {
    if (this.#player.moves) this.#player.restart();
  }

  /** Whether the picture is older than the request beside it. */
  set stale(stale) {
    this.#root.classList.toggle('stale', stale);
  }

  #position({ duration }, cycles, fromStart) {
    const { ended, playing, elapsed } = this.#player;
    if (fromStart || !this.#rendering) return { duration, cycles, at: 0, playing: true };
    return { duration, cycles, at: ended ? duration * cycles : elapsed, playing };
  }
}
