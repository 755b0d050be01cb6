/**
 * `<title-card>`: docs/component.md.
 *
 * The shadow root has the content, which is seen while there is no picture; the SVG; over it its words once more, unseen,
 * for pointers; and a button. All animations follow a clock.
 */

const SVG = 'http://www.w3.org/2000/svg';

/** The capitals within parameters' names. */
const CAPITALISED = new RegExp('(?<=.)(angle|after|command|background|bar|blink|box|case|chance|color|delay|distance|duration|' +
  'easing|features|gap|height|interval|language|layer|(?<=max|min)(bytes|cycle|frames|lines)|motion|(?<=line)numbers|(?<=^first)line|padding|step|pause|percent|' +
  'radius|rate|scale|(?<=lottie)version|opacity|shadow|size|spacing|spread|strokes|theme|ticks|(?<=window)title|variations|width|(?<=erase)order|' +
  '(?<=card|drop|page|path|safe).+|(?<=spoken|aption)..+|(?<=dark)(border|code|mark|outline))(?=$|color$|command$|motion$|theme$)', 'g');

/** Attributes that are no parameters. */
const OWN = new Set(
  ('boxes controls expires format ids pause-label play-label poster signature src start svg accesskey autofocus class ' +
    'contenteditable dir draggable exportparts hidden id inert is nonce part popover role slot spellcheck style ' +
    'tabindex track translate video').split(' '));
const FOREIGN = /^(on|item|data-|aria-)|[^a-z0-9-]/;

/** Asked for in place of `currentColor`. */
const MARKER = '#010203';

const LONGEST_QUERY = 6000;

/** The seconds of motion that need no button (WCAG 2.2.2). */
const FREE_MOTION = 5;

/** The milliseconds that a picture may take to come, once it is asked for. */
const PATIENCE = 3000;

/** The requests under way at a time: further ones would use up their time in the browser's own queue. */
const CONNECTIONS = 6;

/** What takes its name from its content, of which no button is a part. */
const NAMED = 'a, button, h1, h2, h3, h4, h5, h6, label, summary, [role=button], [role=heading], [role=link], ' +
  '[role=menuitem], [role=option], [role=tab]';

/** What begins a line of its own. */
const BLOCKS = 'article, aside, blockquote, dd, div, dt, figcaption, footer, h1, h2, h3, h4, h5, h6, header, li, main, nav, ' +
  'ol, p, pre, section, tr, ul';

/** What is not read. */
const UNREAD = 'noscript, script, style, template, [hidden]';

/** What an SVG may have: all that the service draws with. */
const ELEMENTS = new Set(
  ('clipPath defs feColorMatrix feComponentTransfer feFuncA feGaussianBlur filter g image linearGradient mask path ' +
    'pattern radialGradient rect stop svg use').split(' '));

const ATTRIBUTES = new Set(
  ('class clip-path color color-interpolation-filters cx cy d display fill fill-opacity fill-rule filter ' +
    'gradientTransform gradientUnits height href id lang mask mask-type maskUnits offset opacity pathLength ' +
    'patternTransform patternUnits r rx shape-rendering slope spreadMethod stdDeviation stop-color stop-opacity stroke ' +
    'stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width transform type values viewBox width x ' +
    'x1 x2 y y1 y2').split(' '));

const STYLE = `
:host { display: inline-block; position: relative }
:host([hidden]) { display: none }
svg { display: block; width: 100%; height: 100% }
svg[data-still], svg[data-still] * { animation: none !important }
slot { display: block }
::slotted(*) { margin: 0 !important; padding: 0 !important; font-size: inherit !important; line-height: inherit !important;
  list-style: none }
.text { box-sizing: border-box; max-width: calc(830px + 2px * var(--padding, 16));
  padding: calc(1px * var(--padding, 16)); font-size: clamp(8px, 1px * var(--size, 40), 400px); line-height: 1.2 }
svg ~ .text { display: grid; align-content: center; min-height: 0; max-width: none; padding-block: 0;
  aspect-ratio: var(--width) / var(--height); margin-top: calc(-100% * var(--height) / var(--width)) }
svg ~ .text.drawn { position: absolute; inset: 0; margin: 0; overflow: clip; opacity: 0; pointer-events: none;
  -webkit-user-select: none; user-select: none }
.cover { position: absolute; inset: 0; container-type: size; display: grid; place-content: center }
.text:not(.drawn) ~ div { display: none }
.layer { all: initial; cursor: inherit; pointer-events: inherit; position: relative; container-type: size; display: block;
  width: min(100cqw, 100cqh * var(--width) / var(--height)); aspect-ratio: var(--width) / var(--height);
  font: 1px sans-serif; white-space: pre; color: transparent; forced-color-adjust: none; -webkit-user-select: text;
  user-select: text }
.layer a { color: inherit; cursor: pointer }
.layer ::selection { background: #39f6; color: transparent }
.layer [data-focused] span { outline: auto Highlight }
.layer div { direction: ltr; text-align: left }
.layer span { display: inline-block; position: relative; height: 1em; margin-bottom: -1em; line-height: 1;
  vertical-align: top; transform-origin: 0 0 }
.plain { display: grid; align-content: center; box-sizing: border-box; white-space: pre-wrap;
  padding: 0 calc(100cqw * var(--padding, 16) / var(--width));
  font: calc(100cqw * var(--size, 40) / var(--width))/1.2 sans-serif }
.plain div { direction: inherit; text-align: inherit }
.plain span { display: inline; line-height: inherit }
.line { height: 0; margin-top: calc(-100% * var(--below)); padding-bottom: calc(100% * var(--below)); font-size: 0;
  line-height: 0 }
.line::before { content: ""; display: inline-block }
button { position: absolute; inset: auto 0 0 auto; box-sizing: border-box; width: 24px; height: 24px; margin: 0;
  padding: 6px; border: 1px solid; border-radius: 4px; background: Canvas; color: CanvasText; cursor: pointer }
button[hidden] { display: none }
button::before { content: ""; display: block; height: 100%; background: currentcolor; forced-color-adjust: none;
  clip-path: polygon(0 0, 100% 50%, 0 100%) }
button[data-moving]::before { clip-path: polygon(0 0, 35% 0, 35% 100%, 65% 100%, 65% 0, 100% 0, 100% 100%, 0 100%) }
@media print { button { display: none } }
`;

/** Lets the parser read SVGs where policies ask for trusted types. */
let trusted;
try {
  trusted = globalThis.trustedTypes?.createPolicy('titlecard', { createHTML: (markup) => markup });
} catch {
  // The page allows no policy of this name: its default policy is asked.
}

// MARK: Renderings

/** The renderings in use, by their key: equal ones are fetched once. */
const renderings = new Map();

/** Those of them that are not yet asked for, and how many are. */
const waiting = new Set();
let underWay = 0;

function take(request) {
  let entry = renderings.get(request.key);
  if (!entry) {
    const abort = new AbortController();
    const forget = () => renderings.get(request.key) === entry && renderings.delete(request.key);
    entry = { users: 0, isInView: false, release: () => {
      if (--entry.users > 0) return;
      forget();
      waiting.delete(entry);
      abort.abort();
    } };
    entry.rendering = new Promise((resolve) => {
      entry.send = resolve;
    }).then(() => {
      const timer = setTimeout(() => abort.abort(new Error(`No picture within ${PATIENCE / 1000} s.`)), PATIENCE);
      return load(request, abort.signal).finally(() => clearTimeout(timer));
    }).catch((error) => {
      forget();
      throw abort.signal.reason ?? error;
    });
    renderings.set(request.key, entry);
    waiting.add(entry);
    sendNext();
  }
  entry.users += 1;
  return entry;
}

/** Asks for what waits, first for what is in view. */
function sendNext() {
  while (waiting.size > 0 && underWay < CONNECTIONS) {
    const entry = [...waiting].find(({ isInView }) => isInView) ?? waiting.values().next().value;
    waiting.delete(entry);
    underWay += 1;
    entry.send();
    const end = () => {
      underWay -= 1;
      sendNext();
    };
    entry.rendering.then(end, end);
  }
}

async function load({ error, url, body, isRecoloured }, signal) {
  if (error) throw error;
  const response = await fetch(url, body ? { method: 'POST', body, signal } : { signal });
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    const faults = problem.errors?.map(({ parameter, message }) => `${parameter}: ${message}`);
    throw new Error(faults?.join('; ') || `${response.status} ${problem.title ?? response.statusText}`);
  }
  // Without namespaces it is plain XML: policies forbid styles in markup.
  const markup = (await response.text()).replace(/ xmlns="[^"]*"/g, '');
  const { documentElement } = new DOMParser().parseFromString(trusted?.createHTML(markup) ?? markup, 'text/xml');
  return renderingOf(documentElement, response.headers.get('Titlecard-Duration'), isRecoloured);
}

/** Returns what elements need of an SVG. */
function renderingOf(source, duration, isRecoloured) {
  if (source.localName !== 'svg') throw new Error('The answer is no SVG.');
  const text = [...source.querySelectorAll('style')].map((style) => style.textContent).join('');
  if (!isLocal(text)) throw new Error('The SVG is not self-contained.');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(recoloured(text, isRecoloured));
  let isMoving = false;
  let loops = 1;
  for (const rule of sheet.cssRules) {
    // The element decides what moves under reduced motion.
    if (rule.media?.mediaText.includes('reduced-motion')) rule.media.mediaText = 'print';
    // The animation of the root lasts a cycle, as often as it is played.
    if (rule.style?.animationName.endsWith('-end')) {
      const count = rule.style.animationIterationCount;
      isMoving = true;
      loops = count === 'infinite' ? Infinity : Number(count) || 1;
    }
  }
  const title = source.querySelector('title')?.textContent ?? '';
  const boxes = JSON.parse(source.getAttribute('data-boxes'));
  return { source, sheet, title, boxes, isRecoloured, isMoving, loops, duration: Number(duration) || 0 };
}

/** True if a value or a style sheet refers to nothing outside. */
function isLocal(value) {
  return !/\\|@import|image-set|src\(|url\((?!#)/i.test(value);
}

function recoloured(text, isRecoloured) {
  return isRecoloured ? text.replaceAll(MARKER, 'currentColor') : text;
}

/** Returns a copy with nothing but what pictures need. Policies allow scripts to set its styles. */
function copy(source, isRecoloured, part) {
  const element = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) {
    if (!(name === 'href' ? /^(#|data:image\/png;)/.test(value) : isLocal(value))) continue;
    if (name === 'style') {
      element.style.cssText = recoloured(value, isRecoloured);
    } else if (ATTRIBUTES.has(name)) {
      element.setAttribute(name, recoloured(value, isRecoloured));
    }
  }
  if (part && source.localName !== 'g') element.setAttribute('part', part);
  for (const child of source.children) {
    if (ELEMENTS.has(child.localName)) element.append(copy(child, isRecoloured, part ?? partOf(child)));
  }
  return element;
}

/** Has patterns draw what they refer to, which WebKit looks for outside of the shadow tree. */
function fillPatterns(svg) {
  for (const pattern of svg.querySelectorAll('pattern[href]')) {
    const origin = svg.querySelector(pattern.getAttribute('href'));
    const content = origin?.firstElementChild;
    if (!content) continue;
    content.id ||= origin.id + '-';
    pattern.removeAttribute('href');
    for (const { name, value } of origin.attributes) {
      if (!pattern.hasAttribute(name) && !/class|style/.test(name)) pattern.setAttribute(name, value);
    }
    pattern.appendChild(document.createElementNS(SVG, 'use')).setAttribute('href', '#' + content.id);
  }
}

/** Returns the name of the parts in an element of the root. */
function partOf(group) {
  if (group.localName !== 'g') return undefined;
  if (group.getAttribute('fill') === 'none') return 'outline';
  return /s\d+\b/.test(group.getAttribute('class')) ? 'shadow' : 'glyph';
}

// MARK: Text

const SPACE = /[ \t\r\n\f]+/g;

/** Returns the text of a node as pages show it, and for each of its UTF-16 code units its link or button. */
function contentOf(node) {
  const [units, links] = [[], []];
  const put = (unit, link) => {
    if (unit === ' ' && ' \n'.includes(units.at(-1) ?? ' ')) return;
    if (unit === '\n') {
      if (units.at(-1) === ' ') units.pop();
      if (units.length === 0) return;
    }
    links[units.push(unit) - 1] = link;
  };
  const breakLine = () => units.at(-1) === '\n' || put('\n');
  const read = (child, link) => {
    if (child.nodeType === Node.TEXT_NODE) {
      for (const unit of child.data.replace(SPACE, ' ').split('')) put(unit, link);
    } else if (child.localName === 'br') {
      put('\n');
    } else if (child === node || !child.matches?.(UNREAD)) {
      const isBlock = child !== node && child.matches?.(BLOCKS);
      if (isBlock) breakLine();
      for (const one of child.childNodes) read(one, child.matches?.('a[href], button') ? child : link);
      if (isBlock) breakLine();
    }
  };
  read(node);
  while (' \n'.includes(units.at(-1) ?? '.')) units.pop();
  return { text: units.join(''), links };
}

/** Returns the content of a node as Pango's markup. */
function markupOf(node) {
  const line = node.innerHTML.replace(/<!--.*?-->/gs, '').replace(SPACE, ' ');
  return line.replaceAll('&nbsp;', '\u00a0').replace(/<br\b[^>]*>/g, '\n')
    .replace(/ *\n */g, '\n').replace(/ +/g, ' ').replace(/^[ \n]+|[ \n]+$/g, '');
}

function add(parent, tag, properties) {
  return parent.appendChild(Object.assign(document.createElement(tag), properties));
}

function setVariables({ style }, values) {
  for (const [name, value] of Object.entries(values)) style.setProperty('--' + name, value);
}

let ruler;

/** Returns the width of a text in ems of the layer's font. */
function widthOf(text) {
  ruler ??= document.createElement('canvas').getContext('2d');
  ruler.font = '100px sans-serif';
  return ruler.measureText(text).width / 100 || 1;
}

/** Returns a text once more, its words in their boxes if these are known. */
function paragraphOf({ text, boxes }, links, canvas, originals) {
  const paragraph = document.createElement('div');
  let [holder, link] = [paragraph];
  /** Appends a part of the text; what has no box takes no room. */
  const put = (start, end, [x, y, width, size, isReversed] = [0, 0, 0, 1]) => {
    const whole = widthOf(text.slice(start, end));
    let before = 0;
    for (let from = start, to = start; from < end; from = to) {
      while (to < end && links[to] === links[from]) to += 1;
      if (links[from] !== link) {
        link = links[from];
        holder = paragraph;
        if (link) {
          const { href, target, rel } = link;
          // It is for pointers only.
          holder = add(paragraph, 'a', href ? { href, target, rel, tabIndex: -1 } : {});
          originals.set(holder, link);
        }
      }
      const word = add(holder, 'span', { textContent: text.slice(from, to), ...(link && { part: 'link' }) });
      if (!boxes) continue;
      const own = widthOf(word.textContent);
      const left = x + width * (isReversed ? whole - before - own : before) / whole;
      before += own;
      // They are inline, because browsers copy blocks as lines, and so without an advance.
      Object.assign(word.style, { width: `${own}em`, marginRight: `${-own}em`, left: `${100 * left / canvas.width}cqw`,
        top: `${100 * y / canvas.height}cqh`, fontSize: `${100 * size / canvas.height}cqh`,
        transform: `scaleX(${width / (whole * size)})`, direction: isReversed ? 'rtl' : 'ltr' });
    }
    return end;
  };
  let end = 0;
  for (const [start, length, ...box] of boxes ?? []) {
    put(end, start);
    end = put(start, start + length, box);
  }
  put(end, text.length);
  return paragraph;
}

// MARK: The element

const style = globalThis.CSSStyleSheet && new CSSStyleSheet();
style?.replaceSync(STYLE);
const motion = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');

let visibility;
let media;

/** Has an animation show an instant, in milliseconds, and go on if it moves: `play()` would rewind it. */
function drive(animation, time, moves, rate) {
  if (moves) {
    animation.playbackRate = rate;
    animation.startTime = document.timeline.currentTime - time / rate;
  } else {
    animation.pause();
    animation.currentTime = time;
  }
}

// Servers that import the module have no elements.
class TitleCard extends (globalThis.HTMLElement ?? Object) {
  #isConnected = false;
  /** The key and the entry of what is asked for, and the key of what is shown. */
  #key;
  #entry;
  #shown;
  #mutations;

  #text;
  #layer;
  #line;
  #button;
  /** The links and buttons of the content, by the links of the layer. */
  #originals = new Map();
  #hasFailed = false;
  #svg;
  #rendering;
  #beginning;

  /** The animations of the SVG; none while it rests. */
  #animations = [];
  #clock;
  /** The cycles before the clock's. */
  #cycle = 0;
  #rate = 1;
  #isRunning = false;
  #isInView = false;
  /** True once it has begun or was told what to do. */
  #hasBegun = false;
  #calls = [];
  #finished;
  /** Undefined once it is resolved. */
  #resolve;
  #frame = 0;

  // MARK: Life

  connectedCallback() {
    if (document.readyState !== 'loading') return this.#connect();
    // Until then the parser may add to the text, or attach a shadow root.
    document.addEventListener('DOMContentLoaded', () => this.isConnected && this.#connect(), { once: true });
  }

  disconnectedCallback() {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#mutations.disconnect();
    motion.removeEventListener('change', this);
    document.removeEventListener('keydown', this);
    visibility.unobserve(this);
    this.#follow();
    this.#animations = [];
    this.#set();
    // What is only moved is connected again by then.
    queueMicrotask(() => this.#isConnected || this.#release());
  }

  #connect() {
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#mutations ??= new MutationObserver((records) => this.#change(records));
    this.#mutations.observe(this, { attributes: true, characterData: true, childList: true, subtree: true });
    motion.addEventListener('change', this);
    document.addEventListener('keydown', this);
    visibility ??= new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) target.#see(isIntersecting);
    });
    visibility.observe(this);
    this.#renew();
    this.#update();
  }

  #release() {
    this.#entry?.release();
    this.#entry = undefined;
    // What has not arrived is asked for anew.
    this.#key = this.#shown;
  }

  #change(records) {
    // A value that is set again asks again for what has failed; what pages set on errors does not.
    if (this.#hasFailed && records.some((record) => this.#isAsked(record))) this.reload();
    else this.#update(records.some(({ type, target }) => type !== 'attributes' || target !== this));
  }

  /** Takes in the changes of this task. */
  #takeChanges() {
    const records = this.#mutations?.takeRecords() ?? [];
    if (records.length > 0) this.#change(records);
  }

  #isAsked({ type, target, attributeName: name }) {
    if (type !== 'attributes') return true;
    return target === this && (name === 'src' || !OWN.has(name) && !FOREIGN.test(name));
  }

  /** Hears the element, its button, keys, and preferences. */
  handleEvent(event) {
    const { type } = event;
    const isHovered = this.#start === 'hover' && !motion.matches;
    if (type === 'change') {
      this.#begin();
    } else if (type === 'keydown') {
      // A button that is a part of a name cannot be reached by keys.
      if (event.key === 'Escape' && !this.#button.hidden && this.#button.ariaHidden) this.#pause();
    } else if (type === 'click') {
      // The link around it is not followed.
      event.preventDefault();
      event.stopPropagation();
      if (this.paused) this.#play();
      else this.#pause();
    } else if (type === 'pointerenter' || type === 'focusin') {
      if (isHovered) this.play();
      this.#ring();
    } else if (type === 'focusout') {
      this.#ring();
    } else if (type === 'pointerleave') {
      if (isHovered && this.#rendering?.loops === Infinity) this.#pause();
    } else {
      // There is an event for each glyph.
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        this.#renew();
      });
    }
  }

  #see(isInView) {
    this.#isInView = isInView;
    if (this.#entry) this.#entry.isInView ||= isInView;
    this.#proceed();
    if (this.#isRunning && this.#rendering.loops === Infinity) this.#set();
  }

  // MARK: What is drawn

  get #start() {
    return this.hasAttribute('video') ? 'manual' : this.getAttribute('start') || 'visible';
  }

  /** The nodes that have a text each. */
  get #paragraphs() {
    const isRead = (node) => node.matches ? !node.matches(UNREAD) : node.nodeType === Node.TEXT_NODE && node.data.trim();
    const nodes = [...this.childNodes].filter(isRead);
    return nodes.length > 0 && nodes.every(({ localName }) => localName === 'p') ? nodes : [this];
  }

  /** Returns what is asked for; undefined without a text. */
  #request() {
    const src = this.getAttribute('src');
    let url;
    try {
      url = src === null ? new URL('.', import.meta.url) : new URL(src, document.baseURI);
    } catch (error) {
      return { error, key: src };
    }
    if (url.pathname.endsWith('.svg')) return { url, key: url.href };
    const query = new URLSearchParams();
    let isRecoloured = false;
    for (const { name, value } of this.attributes) {
      if (OWN.has(name) || FOREIGN.test(name)) continue;
      const plain = name.replaceAll('-', '');
      const isPaint = /background|color|shadow|keyframes/.test(plain) && /currentcolor/i.test(value);
      isRecoloured ||= isPaint;
      const sent = isPaint ? value.replace(/currentcolor/gi, MARKER) : value;
      const known = plain.replace(CAPITALISED, (word) => word[0].toUpperCase() + word.slice(1));
      query.set(known, sent || 'true');
    }
    if (!query.has('text') && !query.has('captions')) {
      const read = query.get('markup') === 'true' ? markupOf : (node) => contentOf(node).text;
      for (const text of this.#paragraphs.map(read)) {
        if (text) query.append('text', text);
      }
      if (!query.has('text')) return undefined;
    }
    query.set('boxes', 'true');
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    const target = new URL('render.svg', url);
    const key = `${target}?${query} ${isRecoloured}`;
    if (`${query}`.length > LONGEST_QUERY) return { url: target, body: query, key, isRecoloured };
    target.search = query;
    return { url: target, key, isRecoloured };
  }

  /** Shows what is asked for. */
  async #update(hasNewContent) {
    this.#follow();
    // An SVG that came with the page.
    const given = !this.#text && this.shadowRoot?.querySelector('svg');
    const request = this.#request();
    this.#build();
    this.#measure();
    this.#label();
    const beginning = this.#start + this.getAttribute('poster');
    const beginsAnew = beginning !== this.#beginning;
    this.#beginning = beginning;
    if (request?.key === this.#key && !given) {
      if (beginsAnew) this.#begin();
      if (hasNewContent && this.#svg) this.#lay();
      return;
    }
    const former = this.#entry;
    const entry = request && !given ? take(request) : undefined;
    if (entry) entry.isInView ||= this.#isInView;
    former?.release();
    this.#entry = entry;
    this.#key = request?.key;
    this.#renewPromise();
    if (!request && !given) return this.#clear();
    try {
      if (given) {
        const { top, bottom } = this.getBoundingClientRect();
        this.#isInView = top < innerHeight && bottom > 0;
        const time = given.getAnimations()[0]?.currentTime;
        this.#show(renderingOf(given, given.dataset.duration, request?.isRecoloured));
        // As it stood without script.
        this.#line.hidden = true;
        // What has been moving goes on from there.
        if (time && this.#isRunning) this.#set(time % (this.duration * 1000));
        return;
      }
      if (!this.#svg) this.#reserve();
      const rendering = await entry.rendering;
      if (this.hasAttribute('video')) await media;
      if (this.#entry === entry && this.#isConnected) this.#show(rendering);
    } catch (error) {
      if (this.#entry === entry && this.#isConnected) this.#fail(error);
    }
  }

  /** Follows a medium, or none. */
  #follow() {
    if (!media && !this.hasAttribute('video')) return;
    media ??= import('./titlecard-media.js');
    media.then(({ follow }) => follow(this));
  }

  #build() {
    if (this.#text) return;
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style];
    this.#text = add(root, 'div', { className: 'text' });
    add(this.#text, 'slot');
    const cover = add(root, 'div', { className: 'cover', ariaHidden: true });
    this.#layer = add(cover, 'div', { className: 'layer', onclick: (event) => this.#click(event) });
    this.#line = add(root, 'div', { className: 'line' });
    this.#button = add(root, 'button', { type: 'button', part: 'control' });
    this.#button.addEventListener('click', this);
    for (const name of ['animationstart', 'animationcancel']) root.addEventListener(name, this);
    for (const name of ['pointerenter', 'pointerleave', 'focusin', 'focusout']) this.addEventListener(name, this);
  }

  /** Has the text stand about as the picture's. */
  #measure() {
    for (const element of [this.#text, this.#layer]) {
      setVariables(element, { size: this.getAttribute('size'), padding: this.getAttribute('padding') });
      element.style.textAlign = this.getAttribute('align');
    }
  }

  /** Has an SVG under the text. */
  #place(svg) {
    svg.setAttribute('part', 'svg');
    this.shadowRoot.querySelector('svg')?.remove();
    this.shadowRoot.prepend(svg);
  }

  /** Takes the room of the picture, if its size is known. */
  #reserve() {
    const [width, height] = [this.getAttribute('width'), this.getAttribute('height')];
    if (!(width > 0 && height > 0)) return;
    const svg = document.createElementNS(SVG, 'svg');
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
      svg.setAttribute(name, value);
    }
    this.#place(svg);
    setVariables(this.#text, { width, height });
  }

  /** Lays the words over the picture. */
  #lay() {
    const { width, height } = this.#svg.viewBox.baseVal;
    const contents = this.#paragraphs.map(contentOf).filter(({ text }) => text);
    const { texts, baseline = height } = this.#rendering.boxes ?? { texts: contents };
    this.#layer.classList.toggle('plain', !this.#rendering.boxes);
    setVariables(this.#layer, { width, height });
    setVariables(this.#line, { below: Math.max(0, height - baseline) / width });
    this.#originals.clear();
    this.#layer.replaceChildren(...texts.map((text, index) => {
      const links = contents[index]?.text === text.text ? contents[index].links : [];
      return paragraphOf(text, links, { width, height }, this.#originals);
    }));
    this.#ring();
  }

  /** Clicks the original of a link or button. */
  #click(event) {
    const original = this.#originals.get(event.target.closest('a'));
    if (!original) return;
    event.preventDefault();
    event.stopPropagation();
    original.dispatchEvent(new MouseEvent('click', event));
  }

  /** Draws the focus of links around their words. */
  #ring() {
    for (const [link, original] of this.#originals) {
      link.toggleAttribute('data-focused', original.matches(':focus-visible'));
    }
  }

  #show(rendering) {
    const wasRunning = this.#isRunning;
    this.#stop();
    const svg = copy(rendering.source, rendering.isRecoloured);
    svg.classList.remove('paused');
    fillPatterns(svg);
    // The text is read where there is one.
    if (contentOf(this).text) {
      svg.setAttribute('aria-hidden', 'true');
    } else {
      svg.setAttribute('role', 'img');
      svg.setAttribute('aria-label', rendering.title);
    }
    // Policies may forbid pictures within it.
    svg.addEventListener('error', () => {
      if (this.#svg === svg) this.#fail(new Error('A picture in the text could not be shown.'));
    }, true);
    this.#place(svg);
    this.shadowRoot.adoptedStyleSheets = [style, rendering.sheet];
    this.#hasFailed = false;
    this.#text.classList.add('drawn');
    this.#line.hidden = false;
    this.#svg = svg;
    this.#shown = this.#key;
    this.#rendering = rendering;
    this.#lay();
    this.#clock = new Animation(new KeyframeEffect(null, null, rendering.duration * 1000));
    this.#prepare();
    this.dispatchEvent(new Event('ready'));
    // What hears that may have changed it.
    for (const call of this.#calls.splice(0)) this.#call(call);
    this.#proceed(wasRunning);
  }

  #clear() {
    this.#stop();
    this.#svg = this.#shown = this.#rendering = this.#clock = undefined;
    this.shadowRoot.querySelector('svg')?.remove();
    this.shadowRoot.adoptedStyleSheets = [style];
    this.#text.classList.remove('drawn');
    this.#label();
  }

  /** Shows the text as it is. */
  #fail(error) {
    this.#build();
    this.#clear();
    this.#reserve();
    this.#calls = [];
    this.#hasFailed = true;
    this.dispatchEvent(new ErrorEvent('error', { message: error.message, error }));
  }

  #label() {
    const controls = this.hasAttribute('video') ? 'none' : this.getAttribute('controls');
    const { isMoving, duration, loops } = this.#rendering ?? {};
    const isOffered = controls === null ? this.#isAutomatic && duration * loops > FREE_MOTION : controls !== 'none';
    this.#button.hidden = !(isMoving && isOffered);
    this.#button.toggleAttribute('data-moving', this.#isRunning);
    const isPart = this.closest(NAMED) !== null;
    this.#button.ariaHidden = isPart || null;
    this.#button.tabIndex = isPart ? -1 : 0;
    const action = this.#isRunning ? 'Pause' : 'Play';
    this.#button.setAttribute('aria-label', this.getAttribute(action + '-label') || action);
  }

  // MARK: Motion

  get #isAutomatic() {
    return this.#start === 'visible' || this.#start === 'load';
  }

  get #isResting() {
    return !this.#svg || this.#svg.hasAttribute('data-still');
  }

  get #isDone() {
    return this.#cycle + 1 >= this.#rendering.loops && this.#clock.currentTime >= this.#rendering.duration * 1000;
  }

  /** Stands at the beginning, or shows the finished text. */
  #prepare() {
    const poster = this.getAttribute('poster') ?? (this.#isAutomatic && !motion.matches ? 'start' : 'end');
    this.#cycle = 0;
    this.#isRunning = this.#hasBegun = false;
    this.#renewPromise();
    if (poster === 'start') {
      this.#wake();
    } else {
      this.#svg.setAttribute('data-still', '');
      this.#animations = [];
    }
    this.#set(0);
    this.#label();
  }

  /** Plays if it is to begin by itself. */
  #proceed(isAsked = false) {
    if (this.#hasBegun || !this.#rendering) return;
    const begins = this.#isAutomatic && !motion.matches && (this.#isInView || this.#start === 'load');
    if (isAsked || begins) this.#play();
  }

  #begin() {
    if (!this.#rendering) return;
    this.#prepare();
    this.#proceed();
  }

  #stop() {
    this.#isRunning = false;
    this.#animations = [];
    this.#set();
  }

  /** Has all animations begin anew, for browsers forget those that are done. */
  #wake() {
    this.#svg.setAttribute('data-still', '');
    this.#svg.getAnimations({ subtree: true });
    this.#svg.removeAttribute('data-still');
    this.#animations = this.#svg.getAnimations({ subtree: true });
  }

  /** Takes hold of new animations: after the SVG was moved, hidden, or printed. */
  #renew() {
    if (this.#isResting) return;
    const known = new Set(this.#animations);
    const areKnown = this.#svg.getAnimations({ subtree: true }).every((animation) => known.has(animation));
    if (areKnown && !this.#animations.some(({ playState }) => playState === 'idle')) return;
    this.#wake();
    this.#set();
  }

  /** Has all show an instant of the cycle, in milliseconds, and go on if it is running. */
  #set(time = this.#clock?.currentTime) {
    if (!this.#clock) return;
    const { duration, loops } = this.#rendering;
    // What loops waits while it is out of view.
    const rests = loops === Infinity && this.#start === 'visible' && !this.#isInView;
    const moves = this.#isRunning && this.#isConnected && !rests;
    // One that listens is never collected.
    this.#clock.onfinish = moves ? () => this.#turn() : null;
    drive(this.#clock, time, moves, this.#rate);
    for (const animation of this.#animations) {
      // What the browser has cancelled would come back.
      if (animation.playState === 'idle') continue;
      drive(animation, this.#cycle * duration * 1000 + time, moves, this.#rate);
    }
  }

  /** Goes on to the next cycle, or ends. */
  #turn() {
    if (!this.#isRunning || this.#clock.playState !== 'finished') return;
    const { duration, loops } = this.#rendering;
    const length = duration * 1000 / this.#rate;
    if (this.#cycle + 1 < loops && length > 0) {
      const passed = Math.floor((document.timeline.currentTime - this.#clock.startTime) / length) || 1;
      const cycle = Math.min(this.#cycle + passed, loops - 1);
      this.#clock.startTime += (cycle - this.#cycle) * length;
      this.#cycle = cycle;
      this.dispatchEvent(new Event('cycle'));
    } else {
      this.#isRunning = false;
      this.#label();
      this.#finished ??= Promise.resolve(this);
      this.#resolve?.(this);
      this.#resolve = undefined;
      this.dispatchEvent(new Event('finish'));
    }
  }

  /** Makes a call, if need be once it is ready. */
  #call(call) {
    this.#takeChanges();
    if (this.#rendering && this.#shown === this.#key) call();
    else this.#calls.push(call);
  }

  #renewPromise() {
    if (!this.#resolve) this.#finished = undefined;
  }

  #play() {
    if (this.#isRunning) return;
    if (this.#isDone) this.#cycle = this.#clock.currentTime = 0;
    this.#renewPromise();
    this.#hasBegun = this.#isRunning = true;
    if (this.#isResting) this.#wake();
    this.#set();
    this.#label();
    this.dispatchEvent(new Event('play'));
  }

  #pause() {
    this.#hasBegun = true;
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#set();
    this.#label();
    this.dispatchEvent(new Event('pause'));
  }

  #seek(seconds) {
    this.#hasBegun = true;
    this.#renewPromise();
    if (this.#isResting) this.#wake();
    this.#set(Math.min(Math.max(seconds, 0), this.duration) * 1000);
  }

  // MARK: Interface
  // component.d.ts describes it.

  reload() {
    if (!this.#isConnected) return;
    renderings.delete(this.#key);
    this.#key = this.#shown = undefined;
    this.#update();
  }

  play() {
    this.#call(() => this.#play());
  }

  pause() {
    this.#call(() => this.#pause());
  }

  seek(seconds) {
    if (!Number.isFinite(Number(seconds))) throw new TypeError('Not a number of seconds.');
    this.#call(() => this.#seek(seconds));
  }

  restart() {
    this.#call(() => {
      this.#cycle = 0;
      this.#seek(0);
      this.#play();
    });
  }

  get currentTime() {
    return (this.#clock?.currentTime ?? 0) / 1000;
  }

  set currentTime(seconds) {
    this.seek(seconds);
  }

  get duration() {
    return this.#rendering?.duration ?? NaN;
  }

  /** Some frameworks prefer properties to attributes. */
  set duration(value) {
    this.setAttribute('duration', value);
  }

  get paused() {
    return !this.#isRunning;
  }

  get playbackRate() {
    return this.#rate;
  }

  set playbackRate(rate) {
    if (!(rate > 0 && rate < Infinity)) throw new RangeError('Not a positive number.');
    const time = this.#clock?.currentTime;
    this.#rate = Number(rate);
    this.#set(time);
  }

  get finished() {
    this.#takeChanges();
    return this.#finished ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}

if (globalThis.customElements && !customElements.get('title-card')) customElements.define('title-card', TitleCard);

export { TitleCard };
