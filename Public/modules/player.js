/**
 * Plays a rendering: seeks every animation of its document, which are collected once, since a
 * document forgets animations that are done.
 *
 * Fires `time` whenever the shown instant or the state has changed.
 */
export class Player extends EventTarget {
  #animations = [];
  #timeline = null;
  #startedAt = 0;
  #at = 0;
  #frame = 0;

  /** Seconds of one cycle. */
  duration = 0;
  /** Number of cycles, or Infinity. */
  cycles = 1;
  playing = false;

  /**
   * Takes over a document that has just loaded, at an instant, playing or not. Without a document
   * (an image plays, but cannot be sought) the clock alone runs.
   */
  attach(document, { duration, cycles, at, playing }) {
    this.#animations = document?.getAnimations() ?? [];
    this.#timeline = document?.timeline ?? null;
    this.duration = duration;
    this.cycles = cycles;
    const stands = document !== null && !this.moves;
    if (playing && !stands && at < this.#end) this.#run(at);
    else this.seek(stands ? this.#end : at);
  }

  /** Whether there is anything to seek. */
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
    const { elapsed } = this;
    if (elapsed >= this.#end) return this.duration;
    return this.duration > 0 ? elapsed % this.duration : 0;
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
    this.seek(this.elapsed);
  }

  /** Stops at an instant. */
  seek(seconds) {
    this.#stop(Math.min(Math.max(seconds, 0), this.#end));
    for (const animation of this.#animations) {
      animation.pause();
      animation.currentTime = this.#at * 1000;
    }
    this.#tell();
  }

  get #end() {
    return this.duration * this.cycles;
  }

  #run(from) {
    this.#stop(from);
    // `play()` would take finished animations back to their start; a start time does not.
    for (const animation of this.#animations) {
      animation.startTime = this.#timeline.currentTime - from * 1000;
    }
    this.#startedAt = performance.now() - from * 1000;
    this.playing = true;
    this.#tell();
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
      this.#tell();
    });
  }

  #tell() {
    this.dispatchEvent(new Event('time'));
  }
}
