/** A lower third for renderers of OGraf graphics (EBU OGraf v1), which shows captions while somebody speaks. */

import { Captions } from './captions.mjs';
import { cardOf, drawn } from './cards.mjs';

/** The seconds for which a finished text stands: longer than any pause between entrance and exit needs. */
const HOLD = 10;

const DEFAULTS = {
  name: 'Ada Lovelace', role: 'Mathematician', color: '#ffffff', service: 'http://localhost:8080/',
};

/** The lines, and how they are drawn: an exit is its entrance, backwards. */
const LINES = {
  name: { size: 64, weight: 700, effect: 'rise', mask: 'item' },
  role: { size: 36, effect: 'slide', direction: 'right', delay: 0.2 },
};

const OK = { statusCode: 200 };

function seconds(count) {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}

/** The seconds of a card's entrance, and of its exit. */
function entrance(card) {
  return (card.duration - HOLD) / 2;
}

export default class LowerThird extends HTMLElement {
  #loaded = {};
  #data = {};
  #cards = {};
  #schedule = [];
  /** 0 while it is on air; undefined before and afterwards. */
  #step;
  /** The number of the last motion that began: it ends those before. */
  #motion = 0;
  #captions = new Captions();
  /** The milliseconds of the page at which it was loaded: instants of words are seconds since then. */
  #origin = 0;

  async load({ data }) {
    this.#loaded = { ...DEFAULTS, ...data };
    this.style.cssText = 'position: absolute; left: 5%; bottom: 8%; display: flex; flex-direction: column;'
      + 'align-items: flex-start';
    try {
      await import(new URL('titlecard.js', this.#loaded.service).href);
    } catch (error) {
      return { statusCode: 502, statusMessage: error.message };
    }
    for (const [line, look] of Object.entries(LINES)) {
      this.#cards[line] = cardOf({
        ...look, src: this.#loaded.service, start: 'manual', poster: 'start', controls: 'none', exit: 'auto', hold: HOLD,
        padding: 8,
      });
    }
    this.#captions.clear();
    this.#origin = performance.now();
    this.replaceChildren(...Object.values(this.#cards));
    return this.#draw(this.#loaded);
  }

  async dispose() {
    this.#motion += 1;
    this.#step = undefined;
    this.#captions.clear();
    this.#cards = {};
    this.#data = {};
    this.replaceChildren();
    return OK;
  }

  async playAction({ delta = 1, goto, skipAnimation = false } = {}) {
    const step = goto ?? (this.#step ?? -1) + delta;
    if (step !== 0) {
      const answer = await this.stopAction({ skipAnimation: skipAnimation || step < 0 });
      return { ...answer, currentStep: undefined };
    }
    this.#step = 0;
    this.#caption();
    await this.#move((card) => ({ from: 0, to: entrance(card), end: card.duration / 2 }), skipAnimation);
    return { ...OK, currentStep: this.#step };
  }

  async stopAction({ skipAnimation = false } = {}) {
    if (this.#step === undefined) return OK;
    this.#step = undefined;
    this.#captions.clear();
    await this.#move(
      (card) => ({ from: card.duration - entrance(card), to: card.duration, end: card.duration }), skipAnimation);
    return OK;
  }

  async updateAction({ data }) {
    const answer = await this.#draw({ ...this.#data, ...data });
    if (this.#step === 0) await this.#move((card) => ({ end: card.duration / 2 }), true);
    return answer;
  }

  async customAction({ id, payload, skipAnimation }) {
    if (id === 'say') return this.say(payload?.word, payload?.at);
    if (id !== 'replay') return { statusCode: 404, statusMessage: `There is no action "${id}".` };
    const { statusCode } = await this.playAction({ goto: 0, skipAnimation });
    return { statusCode };
  }

  /** Shows a word while the graphic is on air: at once, or at an instant, in seconds since it was loaded. */
  async say(word, at = this.#now) {
    const answer = this.#take(word, at);
    this.#caption();
    return answer;
  }

  /** Keeps a word for its instant, or says what is wrong with it. */
  #take(word, at) {
    const text = String(word ?? '').trim();
    if (text === '') return { statusCode: 400, statusMessage: 'word: is empty' };
    if (!Number.isFinite(at)) return { statusCode: 400, statusMessage: `at: must be a number of seconds; got "${at}"` };
    this.#captions.add(text, at);
    return OK;
  }

  get #now() {
    return (performance.now() - this.#origin) / 1000;
  }

  #caption() {
    if (this.#step !== 0 || this.#captions.isEmpty) return;
    if (!this.#captions.element.isConnected) this.append(this.#captions.element);
    this.#captions.play(() => this.#now);
  }

  // MARK: Not in real time

  async setActionsSchedule({ schedule }) {
    this.#schedule = [...schedule].sort((one, other) => one.timestamp - other.timestamp);
    return OK;
  }

  /** Shows what an instant, in milliseconds, has come to by the actions before it. */
  async goToTime({ timestamp }) {
    let data = this.#loaded;
    let last;
    this.#captions.clear();
    for (const { timestamp: start, action: { type, params } } of this.#schedule) {
      if (start > timestamp) break;
      if (type === 'updateAction') data = { ...data, ...params.data };
      else if (params?.id === 'say') this.#take(params.payload?.word, params.payload?.at ?? start / 1000);
      else last = { isEntrance: type !== 'stopAction', start, isCut: params?.skipAnimation };
    }
    const answer = await this.#draw(data);
    await this.#move((card) => {
      if (!last) return { end: 0 };
      const time = last.isCut ? Infinity : (timestamp - last.start) / 1000;
      if (last.isEntrance) return { end: time < entrance(card) ? time : card.duration / 2 };
      return { end: Math.min(card.duration - entrance(card) + time, card.duration) };
    }, true);
    if (last?.isEntrance && !this.#captions.isEmpty) {
      this.append(this.#captions.element);
      await this.#captions.draw(timestamp / 1000);
    }
    await new Promise(requestAnimationFrame);
    return answer;
  }

  // MARK: Cards

  /** Draws the lines that differ from what is shown. */
  async #draw(data) {
    this.#captions.look = { src: this.#loaded.service, color: data.color };
    const pending = [];
    for (const [line, card] of Object.entries(this.#cards)) {
      const text = String(data[line] ?? '');
      card.hidden = text.trim() === '';
      if (text === card.textContent && data.color === card.getAttribute('color')) continue;
      if (!card.hidden) pending.push(drawn(card));
      card.setAttribute('color', data.color);
      card.textContent = text;
    }
    this.#data = data;
    try {
      await Promise.all(pending);
      return OK;
    } catch (error) {
      return { statusCode: 400, statusMessage: error.message };
    }
  }

  /** Plays all cards from an instant to another one; then they stand at a third. */
  async #move(plan, isCut) {
    this.#motion += 1;
    const motion = this.#motion;
    await Promise.all(Object.values(this.#cards).filter((card) => card.duration > 0).map(async (card) => {
      const { from, to, end } = plan(card);
      if (!isCut) {
        card.seek(from);
        card.play();
        await seconds(to - from);
        if (motion !== this.#motion) return;
      }
      card.pause();
      card.seek(end);
    }));
  }
}
