import { element, fillTrack, icon } from './controls.js';

const icons = {
  play: 'M5 3l8 5-8 5z', pause: 'M5.500 3v10M10.500 3v10', restart: 'M4 3v10M13 3L6.500 8l6.500 5z',
};

/** Seconds before a cycle's end at which its end is shown; at the end the next cycle begins. */
const justBefore = 0.00001;

/** The most rows of marks below the timeline. */
const mostRows = 3;

export function seconds(value) {
  return `${value.toFixed(2)} s`;
}

/** Controls for playback: play, pause, restart, and a timeline with marks. */
export class Player {
  #clock = new AnimationClock();
  #resume = false;
  #toggle = element('button', { type: 'button', class: 'tool' });
  #restart = element(
    'button', { type: 'button', class: 'tool', 'aria-label': 'Restart', title: 'Restart' },
    icon(icons.restart));
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
   * @param document the picture's; null for an image, which plays but cannot be sought.
   * @param picture its `duration` and `cycles`, and `moment`: for a still its instant in words,
   *   else null.
   */
  attach(document, { duration, cycles, moment }, fromStart) {
    const { ended, playing, elapsed, isAttached } = this.#clock;
    const anew = fromStart || document === null || !isAttached || !this.#moment.hidden;
    const at = ended && cycles < Infinity ? duration * cycles : elapsed;
    this.#clock.attach(document, {
      duration, cycles, ...anew ? { at: 0, playing: moment === null } : { at, playing },
    });
    this.#playback.hidden = moment !== null;
    this.#moment.hidden = moment === null;
    this.#moment.textContent = moment ?? '';
  }

  /** Plays from the start, unless it is paused. */
  replay() {
    const { moves, playing, ended } = this.#clock;
    if (moves && (playing || ended)) this.#clock.restart();
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
      this.#toggle.replaceChildren(icon(icons[state]));
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
 * Plays and seeks all animations of a rendering's document. They are collected once, because a
 * document no longer lists animations that have finished.
 *
 * Dispatches `time` when the shown instant or the state has changed.
 */
class AnimationClock extends EventTarget {
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
  /** True once there has been a picture. */
  isAttached = false;

  /**
   * Controls a document that has just loaded, from an instant, playing or paused. Without a
   * document (an image, which cannot be sought) only the clock runs.
   */
  attach(document, { duration, cycles, at, playing }) {
    this.#animations = document?.getAnimations() ?? [];
    this.#timeline = document?.timeline ?? null;
    this.isAttached = true;
    const isStatic = document !== null && !this.moves;
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
      animation.startTime = this.#timeline.currentTime - from * 1000;
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
