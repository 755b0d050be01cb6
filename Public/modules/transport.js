import { element, icon } from './dom.js';
import { Phases } from './phases.js';
import { fillTrack } from './slider.js';
import { seconds } from './words.js';

const icons = {
  play: 'M5 3l8 5-8 5z', pause: 'M5.500 3v10M10.500 3v10', restart: 'M4 3v10M13 3L6.500 8l6.500 5z',
};

/** Play, pause, restart and a timeline to scrub. */
export class Transport {
  #player;
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
  #still = element('p', { class: 'moment', hidden: true });
  #playback = element(
    'div', { class: 'playback', role: 'group', 'aria-label': 'Playback' },
    this.#toggle, this.#restart,
    element('div', { class: 'track' }, this.#slider, this.#phases.root),
    element('span', { class: 'clock' }, this.#now, this.#whole));
  root = element('div', { class: 'transport' }, this.#playback, this.#still);

  /** @param replay called when the animation cannot be sought and has to be shown anew. */
  constructor(player, replay) {
    this.#player = player;
    player.addEventListener('time', () => this.refresh());
    this.#toggle.onclick = () => player.playing ? player.pause() : player.play();
    this.#restart.onclick = () => player.moves ? player.restart() : replay();
    this.#slider.oninput = () => player.seek(Number(this.#slider.value) * player.duration);
    this.#slider.onkeydown = (event) => this.#step(event);
    this.#slider.onpointerdown = () => { this.#resume = player.playing; };
    this.#slider.onchange = () => { if (this.#resume) player.play(); this.#resume = false; };
    this.refresh();
  }

  /** The texts with their phases, as the JSON rendering has them. */
  set phases(blocks) {
    this.#phases.show(blocks, this.#player.duration);
    this.refresh();
  }

  /** What a picture shows in which nothing moves, instead of the controls; else null. */
  set still(moment) {
    this.#playback.hidden = moment !== null;
    this.#still.hidden = moment === null;
    this.#still.textContent = moment ?? '';
  }

  refresh() {
    const { playing, time, duration, moves } = this.#player;
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
    this.#player.seek(this.#player.time + direction * (event.shiftKey ? 0.4 : 0.04));
  }
}
