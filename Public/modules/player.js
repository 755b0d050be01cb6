/** Seconds before a cycle's end that still show it: at the end itself the next one begins. */
const justBefore = 0.00001;

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
    const stands = document !== null && !this.moves;
    this.duration = duration;
    this.cycles = stands ? 1 : cycles;
    if (playing && !stands && at < this.#end) this.#run(at);
    else this.#stand(stands ? duration : at);
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
    this.#stand(this.elapsed);
  }

  /** Stops at an instant of the cycle that is shown, its end included. */
  seek(seconds) {
    const start = this.#start;
    const within = Math.min(Math.max(seconds, 0), this.duration);
    const isNext = within === this.duration && start < this.#lastStart;
    this.#stand(start + within - (isNext ? justBefore : 0));
  }

  /** The end of all cycles; nothing repeats what takes no time. */
  get #end() {
    return this.duration > 0 ? this.duration * this.cycles : 0;
  }

  /** When the last cycle starts. */
  get #lastStart() {
    return this.duration > 0 ? this.duration * (this.cycles - 1) : 0;
  }

  /** When the cycle that is shown started. */
  get #start() {
    if (this.duration === 0) return 0;
    return Math.min(Math.floor(this.elapsed / this.duration) * this.duration, this.#lastStart);
  }

  #stand(at) {
    this.#stop(Math.min(Math.max(at, 0), this.#end));
    for (const animation of this.#animations) {
      animation.pause();
      animation.currentTime = this.#at * 1000;
    }
    this.#tell();
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
