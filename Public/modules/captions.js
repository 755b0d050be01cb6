import {
  Typing, captionsOf, faultOfPage, faultOfWord, hasText, joined, pagesOf, readPages,
  replaced, secondsOf, shifted, split, timeText, toSRT, toVTT, withTime, withWord, withWordMoved,
} from './caption-pages.js';
import { element, fileChooser, formatted, markInvalid } from './controls.js';

/** Seconds by which a key moves a time, and with Shift in a field. */
const step = 0.05;
const wideStep = 0.5;

const soundIcon = 'M3 6.500v3h2.500L9 12.500v-9L5.500 6.500zM11.500 6a3 3 0 0 1 0 4';

/** The files that captions are saved as. */
const files = [
  { title: 'WebVTT', extension: 'vtt', mediaType: 'text/vtt', textOf: toVTT },
  { title: 'SubRip', extension: 'srt', mediaType: 'application/x-subrip', textOf: toSRT },
  {
    title: 'JSON', extension: 'json', mediaType: 'application/json',
    textOf: (pages) => `${formatted(captionsOf(pages))}\n`,
  },
];

const keys = [
  ['Enter', 'divides the page, and a word, at the caret'],
  ['Shift+Enter', 'begins a line'],
  ['Backspace at the start', 'joins the page with the one before'],
  ['Delete at the end', 'joins it with the next one'],
  ['Alt+← →', 'the word is said earlier or later'],
  ['Alt+Shift+← →', 'the page comes earlier or later'],
  ['Alt+↑ ↓', 'goes to the page before or after'],
  ['Alt+Enter', 'plays the page from the recording'],
  ['↑ ↓ in a time', 'later or earlier; with Shift ten times as much'],
];

let fieldCount = 0;

/** A field for a time, which shows what is wrong with one that it does not take. */
class TimeField {
  #faultOf;
  #taken;
  #time = 0;
  /** What is wrong, for below the field. */
  problem = element('p', { class: 'problem', id: `time-problem-${fieldCount += 1}`, hidden: true });
  input = element('input', {
    type: 'text', class: 'caption-time', inputMode: 'decimal', spellcheck: false,
    onchange: () => this.#take(secondsOf(this.input.value)), onkeydown: (event) => this.#takeKey(event),
  });

  /** @param callbacks `faultOf(time)`, an empty text for a time that can be `taken(time)`. */
  constructor({ faultOf, taken }) {
    this.#faultOf = faultOf;
    this.#taken = taken;
  }

  /** Shows a time, unless someone is writing one, or has one to correct. */
  show(time, label) {
    this.input.setAttribute('aria-label', label);
    const isWriting = time === this.#time && document.activeElement === this.input;
    this.#time = time;
    if (!this.#isWrong && !isWriting) this.#write();
  }

  /** Shows a time instead of one that is wrong, too. */
  replace(time) {
    this.#say('');
    this.#time = time;
    this.#write();
  }

  get #isWrong() {
    return this.input.hasAttribute('aria-invalid');
  }

  #write() {
    const text = timeText(this.#time);
    if (this.input.value !== text) this.input.value = text;
  }

  #take(time) {
    if (time === this.#time) {
      this.replace(time);
      return;
    }
    const fault = this.#faultOf(time);
    this.#say(fault);
    if (!fault) this.#taken(time);
  }

  #takeKey(event) {
    const { key, shiftKey, altKey } = event;
    const direction = { ArrowUp: 1, ArrowDown: -1 }[key];
    if (key === 'Escape' && this.#isWrong) {
      event.preventDefault();
      this.replace(this.#time);
    } else if (direction && !altKey) {
      event.preventDefault();
      const time = (secondsOf(this.input.value) ?? this.#time) + direction * (shiftKey ? wideStep : step);
      this.input.value = timeText(Math.max(time, 0));
      this.#take(secondsOf(this.input.value));
    }
  }

  #say(fault) {
    this.problem.hidden = !fault;
    this.problem.textContent = fault ? `${this.input.getAttribute('aria-label')} ${fault}; got “${this.input.value}”.` : '';
    markInvalid(this.input, fault);
    if (fault) this.input.setAttribute('aria-describedby', this.problem.id);
    else this.input.removeAttribute('aria-describedby');
  }
}

/** The fields for the start and the end of a page or a word. */
class TimeFields {
  #fields;
  /** The inputs, with what stands between them. */
  parts;
  /** What is wrong, for below the fields. */
  problems;

  /** @param callbacks `faultOf(name, time)`, an empty text for a time that can be `taken(name, time)`. */
  constructor({ faultOf, taken }) {
    this.#fields = ['at', 'until'].map((name) => new TimeField({
      faultOf: (time) => faultOf(name, time), taken: (time) => taken(name, time),
    }));
    const [at, until] = this.#fields;
    this.parts = [at.input, element('span', { 'aria-hidden': 'true' }, '–'), until.input];
    this.problems = [at.problem, until.problem];
  }

  get inputs() {
    return this.#fields.map(({ input }) => input);
  }

  /** Shows when a page or a word starts and ends; `label` says which one it is. */
  show({ at, until }, label) {
    this.#fields[0].show(at, `${label}, start`);
    this.#fields[1].show(until, `${label}, end`);
  }

  /** Shows times instead of those that are wrong, too. */
  replace({ at, until }) {
    this.#fields[0].replace(at);
    this.#fields[1].replace(until);
  }
}

/** A page in the list: its times and its text. */
class Row {
  #callbacks;
  #typing = null;
  #page = null;
  #times;
  #text = element('textarea', {
    class: 'caption-text', rows: 1, dir: 'auto', spellcheck: true, oninput: () => this.#type(),
  });
  root;

  /** @param callbacks `faultOf(row, name, time)`, `timed(row, name, time)`, and `typed(row)`. */
  constructor(callbacks) {
    this.#callbacks = callbacks;
    this.#times = new TimeFields({
      faultOf: (name, time) => callbacks.faultOf(this, name, time),
      taken: (name, time) => callbacks.timed(this, name, time),
    });
    this.root = element(
      'li', { class: 'caption-page' }, element('div', { class: 'caption-times' }, ...this.#times.parts),
      this.#text, ...this.#times.problems);
  }

  get page() {
    return this.#page;
  }

  /** The field of the text. */
  get area() {
    return this.#text;
  }

  /** Where the caret is in the text. */
  get caret() {
    return this.#text.selectionStart;
  }

  /** The fields in their order, for keys that go from page to page. */
  get fields() {
    return [...this.#times.inputs, this.#text];
  }

  /** Shows a page with its number; one that is typed in stays as it is. */
  show(page, number) {
    if (page !== this.#page && page !== this.#typing?.page) this.#typing = null;
    this.#page = page;
    this.#times.show(page, `Page ${number}`);
    this.#text.setAttribute('aria-label', `Page ${number}, text`);
    if (this.#text.value !== page.text) this.#text.value = page.text;
  }

  /** Gives up times that are not taken. */
  forget() {
    this.#times.replace(this.#page);
  }

  /** Gives the focus to the text, with the caret at a place. */
  focus(place = this.caret) {
    this.#text.focus();
    this.#text.setSelectionRange(place, place);
  }

  #type() {
    this.#typing ??= new Typing(this.#page);
    this.#page = this.#typing.type(this.#text.value);
    this.#callbacks.typed(this);
  }
}

/** The pages of captions, to be corrected, divided, joined, and moved, beside a recording. */
export class CaptionEditor {
  #callbacks;
  /** The captions of the request, and their pages. */
  #captions = '';
  #pages = [];
  /** True while the pages are those that the service has made of a file. */
  #areRead = false;
  /** The captions that the service has read last, with their pages. */
  #read = { captions: '', pages: [] };
  /** The captions that are in a file as they are. */
  #saved = '';
  #rows = [];
  /** The row whose tools are shown, or null. */
  #current = null;
  /** The index of its word at the caret. */
  #word = 0;
  #recording;
  #list = element('ol', { class: 'caption-pages', 'aria-label': 'Pages' });
  #wordName = element('bdi', { class: 'caption-word' });
  #wordTimes = new TimeFields({
    faultOf: (name, time) => faultOfWord(this.#current.page, this.#word, name, time),
    taken: (name, time) => this.#change(
      withWord(this.#pages, this.#index, this.#word, { [name]: time }), `${this.#place}.times`),
  });
  #wordRow;
  #withRest = element('input', { type: 'checkbox' });
  #play = this.#tool('Play', 'Play the page', () => this.#playPage());
  #tools;
  #body;
  #status = element('p', { class: 'unseen', role: 'status' });
  root;

  /**
   * @param callbacks `changed(captions, name, isFirst)` with the JSON of the pages, the name of the change,
   *   null for one that is a step of its own, and true if the service had made the pages before; and
   *   `reached(seconds)` with the instant to look at.
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
    this.#recording = new Recording({
      reached: (seconds) => this.#follow(seconds), changed: () => this.#showParts(),
      tell: (words) => this.#announce(words),
    });
    this.#wordRow = element(
      'div', { class: 'caption-word-row', role: 'group', 'aria-label': 'Word at the caret' }, this.#wordName,
      ...this.#wordTimes.parts, ...this.#wordTimes.problems);
    this.#tools = element(
      'div', { class: 'caption-current' },
      this.#wordRow,
      element(
        'div', { class: 'caption-tools' },
        this.#tool('Divide', 'Divide the page at the caret', () => this.#split()),
        this.#tool('Join', 'Join with the next page', () => this.#join(this.#index)),
        this.#tool('Earlier', 'The page comes earlier', () => this.#shift(-step)),
        this.#tool('Later', 'The page comes later', () => this.#shift(step)),
        this.#play,
        element('label', { class: 'word' }, this.#withRest, 'and all after it')));
    this.#body = element('div', {}, this.#list, this.#saveTools(), keyTable());
    this.root = element(
      'div', { class: 'caption-editor', role: 'group', 'aria-label': 'Editor of the captions' },
      this.#recording.root, this.#body, this.#status);
    this.#showParts();
    // The address of the page has no captions.
    addEventListener('beforeunload', (event) => { if (this.areUnsaved) event.preventDefault(); });
    this.#list.addEventListener('focusin', ({ target }) => this.#enter(target));
    this.#list.addEventListener('focusout', () => setTimeout(() => this.#dropEmpty()));
    this.#list.addEventListener('keydown', (event) => this.#takeKey(event));
    for (const name of ['keyup', 'click', 'input']) {
      this.#list.addEventListener(name, () => this.#showWord());
    }
  }

  /** The name of the file without its extension, for those that are saved. */
  name = 'captions';

  /** True if the pages are in no file as they are. */
  get areUnsaved() {
    return !this.#areRead && ![this.#saved, ''].includes(this.#captions);
  }

  /** Takes the text of a file, which may have pages as they are. */
  set saved(text) {
    this.#saved = text;
  }

  /** Plays a file of sound or of moving pictures beside the pages. It is never sent. */
  play(file) {
    this.#recording.play(file);
  }

  /** Shows the captions of a request; those of a file once the service has read them. */
  set captions(captions) {
    if (captions === this.#captions) return;
    this.#captions = captions;
    const pages = readPages(captions);
    this.#areRead = pages === null;
    this.#announce('');
    const shown = this.#pages;
    const wasInside = this.#list.contains(document.activeElement);
    this.#show(pages ?? (captions === this.#read.captions ? this.#read.pages : []));
    if (wasInside) this.#focusChange(shown);
  }

  /**
   * Takes the pages that captions have in a JSON rendering, unless they have their own.
   *
   * @param usual the `align` and `valign` of the request.
   */
  takeRendering(captions, rendering, usual) {
    if (captions === this.#captions && !this.#areRead) return;
    const pages = pagesOf(rendering, usual);
    const isKnown = JSON.stringify(pages) === JSON.stringify(this.#pages);
    this.#read = { captions, pages };
    if (captions === this.#captions && !isKnown) this.#show(pages);
  }

  /** Leads to a page by its index. */
  focus(index) {
    this.#rows[Math.min(index, this.#rows.length - 1)]?.focus();
  }

  // Rows.

  /** Puts the caret where the text of a page differs from one that was shown before. */
  #focusChange(before) {
    const index = this.#pages.findIndex(({ text }, at) => text !== before[at]?.text);
    if (index < 0) return;
    const [text, other] = [this.#pages[index].text, before[index]?.text ?? ''];
    let place = 0;
    while (place < text.length && text[place] === other[place]) place += 1;
    this.#rows[index].focus(place);
  }

  #show(pages) {
    const wasInside = this.#list.contains(document.activeElement);
    this.#pages = pages;
    while (this.#rows.length > pages.length) this.#remove(this.#rows.length - 1);
    while (this.#rows.length < pages.length) this.#insert(this.#rows.length);
    this.#showRows();
    for (const row of this.#rows) row.forget();
    this.#showParts();
    if (wasInside && !this.#list.contains(document.activeElement)) this.#rows.at(-1)?.focus();
  }

  /** Shows what there are pages or a recording for. */
  #showParts() {
    this.#body.hidden = this.#pages.length === 0;
    this.#play.hidden = !this.#recording.isThere;
    this.root.hidden = this.#body.hidden && !this.#recording.isThere;
  }

  get #index() {
    return this.#rows.indexOf(this.#current);
  }

  /** The name of the current page in the request. */
  get #place() {
    return `captions[${this.#index}]`;
  }

  #insert(index) {
    const row = new Row({
      faultOf: (one, name, time) => faultOfPage(this.#pages, this.#rows.indexOf(one), name, time),
      timed: (one, name, time) => {
        const at = this.#rows.indexOf(one);
        this.#change(withTime(this.#pages, at, name, time), `captions[${at}].${name}`);
      },
      typed: (one) => this.#typed(one),
    });
    this.#rows.splice(index, 0, row);
    this.#list.insertBefore(row.root, this.#list.children[index] ?? null);
  }

  #remove(index) {
    const [row] = this.#rows.splice(index, 1);
    if (row === this.#current) {
      this.#tools.remove();
      this.#current = null;
    }
    row.root.remove();
  }

  #showRows() {
    this.#pages.forEach((page, index) => this.#rows[index].show(page, index + 1));
    this.#showWord();
  }

  /** Makes the row of an element the current one; what is pointed at stays where it is. */
  #enter(target) {
    const row = this.#rows.find(({ root }) => root.contains(target));
    if (!row || row === this.#current) return;
    const { top } = row.root.getBoundingClientRect();
    this.#current?.root.classList.remove('current');
    this.#current = row;
    row.root.classList.add('current');
    row.root.append(this.#tools);
    this.#list.scrollTop += row.root.getBoundingClientRect().top - top;
    this.#word = -1;
    this.#showWord();
  }

  /** Shows the word at the caret, and its instant in the picture. */
  #showWord() {
    const { page, caret } = this.#current ?? {};
    this.#wordRow.hidden = !page?.words.length;
    if (this.#wordRow.hidden || this.#wordRow.contains(document.activeElement)) {
      this.#word = Math.min(this.#word, (page?.words.length ?? 0) - 1);
      this.#showWordTimes();
      return;
    }
    const index = page.words.findLastIndex(({ start }) => start <= caret);
    const isOther = index !== this.#word;
    this.#word = Math.max(index, 0);
    this.#showWordTimes(isOther);
    if (isOther) {
      const { at, until } = page.words[this.#word];
      this.#callbacks.reached((at + until) / 2);
    }
  }

  #showWordTimes(isOther = false) {
    const word = this.#current?.page.words[this.#word];
    if (!word) return;
    const text = this.#current.page.text.slice(word.start, word.end);
    this.#wordName.textContent = text;
    this.#wordTimes.show(word, `Word “${text}”`);
    if (isOther) this.#wordTimes.replace(word);
  }

  // Changes.

  /** Takes pages over, and tells of them. */
  #change(pages, name, words = '') {
    this.#pages = pages;
    this.#showRows();
    if (words) this.#announce(words);
    this.#captions = JSON.stringify(captionsOf(pages));
    const isFirst = this.#areRead;
    this.#areRead = false;
    this.#callbacks.changed(this.#captions, name, isFirst);
  }

  #typed(row) {
    const index = this.#rows.indexOf(row);
    const pages = replaced(this.#pages, index, [row.page]);
    if (!pages.some(hasText)) {
      this.#announce('The last page needs a text.');
      return;
    }
    this.#change(pages, `captions[${index}].text`);
  }

  /** Removes pages without a text that nobody is writing in. */
  #dropEmpty() {
    const isEmpty = (row) => !hasText(row.page) && !row.root.contains(document.activeElement);
    const index = this.#rows.findIndex(isEmpty);
    if (index < 0) return;
    if (this.#rows.length === 1 || !this.#pages.some(hasText)) {
      // Nothing was taken: the page has the text that it had.
      this.#showRows();
      return;
    }
    this.#remove(index);
    this.#pages = this.#pages.filter((_, one) => one !== index);
    this.#showRows();
    this.#dropEmpty();
  }

  #split() {
    const index = this.#index;
    const halves = split(this.#current.page, this.#current.caret);
    if (!halves) {
      this.#announce('There is nothing to divide at the caret.');
      return;
    }
    this.#insert(index + 1);
    this.#change(replaced(this.#pages, index, halves), null, `Page ${index + 1} is divided.`);
    this.#rows[index + 1].focus(0);
  }

  /** Joins a page with the next one; the caret stays between their texts. */
  #join(index) {
    const [page, next] = this.#pages.slice(index, index + 2);
    if (index < 0 || !next) {
      this.#announce('There is no page to join with.');
      return;
    }
    this.#remove(index + 1);
    const whole = joined(page, next);
    this.#change(
      replaced(this.#pages, index, [whole], 2), null, `Pages ${index + 1} and ${index + 2} are joined.`);
    this.#rows[index].focus(page.text.trimEnd().length);
  }

  #shift(seconds) {
    const pages = shifted(this.#pages, this.#index, seconds, this.#withRest.checked);
    const name = `${this.#place}.shift`;
    if (pages) this.#change(pages, name, `The page comes at ${timeText(pages[this.#index].at)}.`);
    else this.#announce('There is no room for the page.');
  }

  #shiftWord(seconds) {
    const pages = withWordMoved(this.#pages, this.#index, this.#word, seconds);
    const name = `${this.#place}.times`;
    if (!pages) {
      this.#announce('There is no room for the word.');
      return;
    }
    const { at } = pages[this.#index].words[this.#word];
    this.#change(pages, name, `The word is said at ${timeText(at)}.`);
  }

  #takeKey(event) {
    if (event.isComposing || !this.#current || event.ctrlKey || event.metaKey) return;
    const { key, altKey, shiftKey, target } = event;
    const isText = target === this.#current.area;
    const isRow = this.#current.fields.includes(target);
    const act = altKey ? this.#actOfAlt(key, shiftKey, target, { isText, isRow })
      : isText ? this.#actInText(key, shiftKey, target) : null;
    if (!act) return;
    event.preventDefault();
    act();
  }

  #actOfAlt(key, shiftKey, target, { isText, isRow }) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const rows = { ArrowUp: -1, ArrowDown: 1 }[key];
    const isWord = isText || this.#wordRow.contains(target);
    // Elsewhere too: a browser would leave the page.
    if (direction && (shiftKey || !isWord)) return () => this.#shift(direction * step);
    if (direction) return () => this.#shiftWord(direction * step);
    if (rows && isRow) return () => this.#goTo(this.#index + rows, this.#current.fields.indexOf(target));
    return key === 'Enter' && this.#recording.isThere ? () => this.#playPage() : null;
  }

  #actInText(key, shiftKey, { selectionStart, selectionEnd, value }) {
    if (selectionStart !== selectionEnd) return null;
    if (key === 'Enter' && !shiftKey) return () => this.#split();
    if (key === 'Backspace' && selectionEnd === 0) return () => this.#join(this.#index - 1);
    const isJoin = key === 'Delete' && selectionStart === value.length;
    return isJoin ? () => this.#join(this.#index) : null;
  }

  #goTo(index, field) {
    const input = this.#rows[index]?.fields[field];
    input?.focus();
    if (input?.matches('input')) input.select();
  }

  // The recording.

  #playPage() {
    const { at, until } = this.#current.page;
    this.#recording.playSpan(at, until);
  }

  /** Marks the pages that are said, and shows the instant in the picture. */
  #follow(seconds) {
    for (const { page, root } of this.#rows) {
      root.classList.toggle('said', page.at <= seconds && seconds < page.until);
    }
    this.#callbacks.reached(seconds);
  }

  // Saving.

  #saveTools() {
    return element(
      'div', { class: 'caption-tools', role: 'group', 'aria-label': 'Save the captions' },
      element('span', { 'aria-hidden': 'true' }, 'Save as'),
      ...files.map((file) => this.#tool(file.title, `Save as ${file.title}`, () => this.#save(file))));
  }

  #save({ extension, mediaType, textOf }) {
    const address = URL.createObjectURL(new Blob([textOf(this.#pages)], { type: mediaType }));
    const name = `${this.name}.${extension}`;
    element('a', { href: address, download: name }).click();
    // The browser has taken the file over by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    this.#saved = this.#captions;
    this.#announce(`${name} is saved.`);
  }

  #tool(words, label, onclick) {
    return element(
      'button', { type: 'button', class: 'text-tool', title: label, 'aria-label': label, onclick }, words);
  }

  #announce(words) {
    this.#status.textContent = words;
  }
}

/** A recording that the browser plays from the file itself. */
class Recording {
  #callbacks;
  #player = null;
  #address = null;
  #end = Infinity;
  #frame = 0;
  #name = element('span', { class: 'recording-name' });
  #stage = element('div', { class: 'recording', hidden: true });
  #chooser = fileChooser({
    label: 'A recording', accept: 'audio/*,video/*', path: soundIcon,
    title: 'Or drop it on the page. It stays in this browser.', taken: (file) => this.play(file),
  });
  #remove = element(
    'button', { type: 'button', class: 'text-tool', onclick: () => this.#takeOut() }, 'Remove the recording');
  root = element(
    'div', { class: 'recording-part' },
    this.#stage, element('div', { class: 'caption-tools' }, ...this.#chooser.parts, this.#remove));

  /**
   * @param callbacks `reached(seconds)` while it plays or is sought, `changed()` when there is another one
   *   or none, and `tell(words)`.
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
    this.#describe();
  }

  get isThere() {
    return this.#player !== null;
  }

  play(file) {
    this.#clear();
    this.#address = URL.createObjectURL(file);
    const isVideo = file.type.startsWith('video/');
    this.#player = element(isVideo ? 'video' : 'audio', {
      controls: true, src: this.#address, preload: 'auto', playsInline: true, 'aria-label': file.name,
      onplay: () => this.#tick(), onseeked: () => this.#callbacks.reached(this.#player?.currentTime ?? 0),
      onloadedmetadata: () => this.#callbacks.tell(`${file.name} can be played.`),
      onerror: () => {
        this.#name.textContent = `${file.name} cannot be played here.`;
        this.#callbacks.tell(this.#name.textContent);
      },
    });
    this.#name.textContent = `${file.name} stays in this browser.`;
    this.#stage.replaceChildren(this.#player, this.#name);
    this.#describe();
    this.#callbacks.changed();
  }

  /** Plays a part; if that plays already, pauses. */
  playSpan(at, until) {
    const player = this.#player;
    if (!player.paused) {
      player.pause();
      return;
    }
    player.currentTime = at;
    this.#end = until;
    player.play().catch(() => { /* The player says why. */ });
  }

  #tick() {
    cancelAnimationFrame(this.#frame);
    const player = this.#player;
    if (!player || player.paused) {
      this.#end = Infinity;
      return;
    }
    if (player.currentTime >= this.#end) player.pause();
    this.#callbacks.reached(Math.min(player.currentTime, this.#end));
    this.#frame = requestAnimationFrame(() => this.#tick());
  }

  #takeOut() {
    this.#clear();
    this.#callbacks.tell('The recording is removed.');
    const [button] = this.#chooser.parts;
    button.focus();
  }

  #clear() {
    cancelAnimationFrame(this.#frame);
    this.#player?.pause();
    this.#player = null;
    this.#stage.replaceChildren();
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = null;
    this.#describe();
    this.#callbacks.changed();
  }

  #describe() {
    this.#stage.hidden = this.#remove.hidden = !this.isThere;
    this.#chooser.say(this.isThere ? 'Another recording' : 'Play a recording beside it');
  }
}

function keyTable() {
  return element(
    'details', { class: 'caption-keys' }, element('summary', {}, 'Keys'),
    element('dl', {}, ...keys.map(([name, deed]) => element(
      'div', {}, element('dt', {}, name), element('dd', {}, deed)))));
}
