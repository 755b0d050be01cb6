import { element, fillTrack, icon } from './dom.js';

const icons = {
  play: 'M5 3l8 5-8 5z', pause: 'M5.500 3v10M10.500 3v10', restart: 'M4 3v10M13 3L6.500 8l6.500 5z',
};

/** Seconds before a cycle's end that still show it: at the end itself the next one begins. */
const justBefore = 0.00001;

/** As many rows of marks as the timeline has room for below it. */
const mostRows = 3;

export function seconds(value) {
  return `${value.toFixed(2)} s`;
}

/** Plays a rendering: play, pause, restart, and a timeline to scrub with marks along it. */
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

  /** @param replay called when the animation cannot be sought and has to be shown anew. */
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
   * Takes over a picture that has just loaded: from its start, or as far on as the last one.
   *
   * @param document the picture's, or null for an image, which plays but cannot be sought.
   * @param picture its `duration` and `cycles`, and the `moment` that it shows in words where
   *   nothing in it moves, else null.
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

  /** Plays from the start, unless someone has stopped it somewhere. */
  replay() {
    const { moves, playing, ended } = this.#clock;
    if (moves && (playing || ended)) this.#clock.restart();
  }

  /** Marks when the texts come and go, as the blocks of the JSON rendering tell. */
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

  /** `step="any"` gives the arrows no step of their own: a frame of 0.04 s, with Shift ten. */
  #step(event) {
    const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    this.#clock.seek(this.#clock.time + direction * (event.shiftKey ? 0.4 : 0.04));
  }
}

/**
 * Seeks every animation of a rendering's document, which are collected once, since a
 * document forgets animations that are done.
 *
 * Fires `time` whenever the shown instant or the state has changed.
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
  /** Whether there has been a picture. */
  isAttached = false;

  /**
   * Takes over a document that has just loaded, at an instant, playing or not. Without a document
   * (an image plays, but cannot be sought) the clock alone runs.
   */
  attach(document, { duration, cycles, at, playing }) {
    this.#animations = document?.getAnimations() ?? [];
    this.#timeline = document?.timeline ?? null;
    this.isAttached = true;
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

/** Marks along the timeline: when each text comes, and when it goes. */
class Phases {
  #texts = [];
  root = element('div', { class: 'phases', 'aria-hidden': 'true' });

  /** @param blocks those of the JSON rendering, one cycle of which lasts `duration` seconds. */
  show(blocks, duration) {
    this.#texts = duration > 0 ? blocks.map(phasesOf) : [];
    const rows = [];
    this.root.replaceChildren(...this.#texts.flatMap((phases) => {
      const row = rowFor(phases, rows);
      return phases.map((phase) => markOf(phase, row, duration));
    }));
  }

  /** What comes or goes at an instant, in words. */
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

/** The first row where nothing overlaps; the last one takes what fits nowhere. */
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
