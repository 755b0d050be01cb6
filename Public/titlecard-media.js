/**
 * Has `<title-card video="ID">` follow a `<video>` or `<audio>`: docs/component.md, *Captions over a video*.
 *
 * `titlecard.js` loads it for the first element that has the attribute.
 */

/** The seconds by which a picture that plays may be off: a frame at 25 Hz. Each correction restarts its animations. */
const TOLERANCE = 0.04;

const MEDIA_EVENTS = [
  'play', 'playing', 'pause', 'waiting', 'seeking', 'seeked', 'ratechange', 'timeupdate', 'ended', 'emptied',
  'loadedmetadata', 'resize', 'enterpictureinpicture', 'leavepictureinpicture',
];

const motion = matchMedia('(prefers-reduced-motion: reduce)');

/** The followers by their elements. */
const followers = new WeakMap();

/** Has an element follow the medium that its attribute names now, or none. */
export function follow(card) {
  const id = card.isConnected ? card.getAttribute('video') : null;
  const named = id === null ? null : card.getRootNode().getElementById(id);
  const media = named instanceof HTMLMediaElement ? named : null;
  const former = followers.get(card);
  // An error is told once, as one who hears it may change the element.
  if (former && former.id === id && former.media === media) return former.follower?.sync();
  former?.follower?.stop();
  followers.set(card, { id, media, follower: media && new Follower(card, media) });
  if (id !== null && !media) {
    card.dispatchEvent(new ErrorEvent('error', { message: `video: there is no <video> or <audio> with the id "${id}".` }));
  }
}

/** The part of a video's box that its picture covers, from the outer edge of its border. */
function pictureOf(video) {
  const { clientLeft, clientTop, clientWidth, clientHeight, videoWidth, videoHeight } = video;
  let [width, height] = [clientWidth, clientHeight];
  if (videoWidth > 0 && getComputedStyle(video).objectFit === 'contain') {
    const scale = Math.min(width / videoWidth, height / videoHeight);
    [width, height] = [videoWidth * scale, videoHeight * scale];
  }
  return { x: clientLeft + (clientWidth - width) / 2, y: clientTop + (clientHeight - height) / 2, width, height };
}

class Follower {
  #card;
  #media;
  #root;
  /** Hides the cues that the browser would draw in the place of the element's. */
  #sheet = new CSSStyleSheet();
  #listening = new AbortController();
  #sizes = new ResizeObserver(() => this.sync());
  /** True while tracks say whether the element is `hidden`. */
  #isSwitched = false;
  /** What the element's own style had before it was placed. */
  #unplaced;

  constructor(card, media) {
    [this.#card, this.#media, this.#root] = [card, media, card.getRootNode()];
    this.#sheet.replaceSync(`#${CSS.escape(media.id)}::cue { visibility: hidden }`);
    const hear = (target, ...names) => {
      for (const name of names) target.addEventListener(name, () => this.sync(), { signal: this.#listening.signal });
    };
    hear(media, ...MEDIA_EVENTS);
    hear(media.textTracks, 'change', 'addtrack', 'removetrack');
    hear(card, 'ready', 'error');
    hear(document, 'fullscreenchange');
    hear(window, 'resize');
    hear(motion, 'change');
    for (const element of [media, document.documentElement]) this.#sizes.observe(element);
    this.sync();
  }

  stop() {
    this.#listening.abort();
    this.#sizes.disconnect();
    this.#unswitch();
    this.#place(false);
    this.#card.pause();
  }

  sync() {
    const isShown = this.#show();
    this.#place(isShown && this.#media.localName === 'video');
    if (this.#isReady) this.#move();
  }

  get #isReady() {
    return this.#card.duration >= 0;
  }

  /** The tracks that may say whether the element is seen. */
  get #tracks() {
    const id = this.#card.getAttribute('track');
    return [...this.#media.textTracks].filter((track) => (
      /captions|subtitles/.test(track.kind) && (!id || track.id === id)));
  }

  /** Shows the element, or leaves its place to the cues of the browser; returns whether it is seen. */
  #show() {
    const [card, media, root] = [this.#card, this.#media, this.#root];
    if (!card.hasAttribute('track')) {
      this.#unswitch();
      return this.#isReady && !card.hidden;
    }
    this.#isSwitched = true;
    const showing = this.#tracks.filter(({ mode }) => mode === 'showing');
    // Nothing of the page is seen over a video there.
    const isApart = [root.fullscreenElement, root.pictureInPictureElement].includes(media);
    const isStill = motion.matches && showing.some(({ cues }) => cues?.length > 0);
    const isShown = this.#isReady && showing.length > 0 && !isApart && !isStill;
    if (card.hidden === isShown) card.hidden = !isShown;
    this.#replaceCues(isShown);
    return isShown;
  }

  #unswitch() {
    this.#replaceCues(false);
    if (this.#isSwitched) this.#card.hidden = false;
    this.#isSwitched = false;
  }

  #replaceCues(isReplaced) {
    const others = this.#root.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    if (isReplaced === others.length < this.#root.adoptedStyleSheets.length) return;
    this.#root.adoptedStyleSheets = isReplaced ? [...others, this.#sheet] : others;
  }

  /** Lays the element over the picture of the video, at its lower edge if it is less high, or back into the page. */
  #place(isPlaced) {
    const { style } = this.#card;
    if (!isPlaced) {
      Object.assign(style, this.#unplaced);
      this.#unplaced = undefined;
      return;
    }
    if (!this.#unplaced) {
      const { position, margin, pointerEvents, left, top, width, height } = style;
      this.#unplaced = { position, margin, pointerEvents, left, top, width, height };
      Object.assign(style, { position: 'absolute', margin: 0, pointerEvents: 'none', left: 0, top: 0 });
    }
    const picture = pictureOf(this.#media);
    const canvas = this.#card.shadowRoot.querySelector('svg').viewBox.baseVal;
    const { width } = picture;
    const height = Math.min(width * canvas.height / canvas.width, picture.height);
    // Both boxes are measured with what transforms the page.
    const [box, own] = [this.#media, this.#card].map((element) => element.getBoundingClientRect());
    const scale = box.width / this.#media.offsetWidth || 1;
    const left = parseFloat(style.left) + (box.left - own.left) / scale + picture.x;
    const top = parseFloat(style.top) + (box.top - own.top) / scale + picture.y + picture.height - height;
    for (const [name, value] of Object.entries({ left, top, width, height })) {
      // Browsers round: what is set anew at each look would never rest.
      if (!(Math.abs(parseFloat(style[name]) - value) < 0.1)) style[name] = `${value.toFixed(2)}px`;
    }
  }

  /** Has the element show the instant of the medium, and go on as it does. */
  #move() {
    const [card, { currentTime, playbackRate, paused, ended, seeking, readyState, HAVE_FUTURE_DATA }] = [this.#card, this.#media];
    const isMoving = !paused && !ended && !seeking && readyState >= HAVE_FUTURE_DATA && playbackRate > 0
      && currentTime < card.duration;
    if (isMoving && card.playbackRate !== playbackRate) card.playbackRate = playbackRate;
    const isOff = Math.abs(card.currentTime - currentTime) > TOLERANCE * playbackRate;
    if (!isMoving || card.paused || isOff) card.seek(currentTime);
    if (isMoving) card.play();
    else card.pause();
  }
}
