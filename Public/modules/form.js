import {
  capitalized, controlFor, element, exampleKeyframes, fileChooser, formatted, icon, linkTo, markInvalid,
} from './controls.js';
import { placeControl } from './delivery.js';
import { effectControl } from './effects.js';
import { fontControls } from './fonts.js';
import { mostStates } from './history.js';
import { imageOf, isGradient, readingTrouble, twinFor, withInk } from './paint.js';
import { presetControl, valuesOf } from './presets.js';
import { exclusive, inDark, isNumber, normalized, plainTextOf, svg } from './request.js';

const plus = 'M8 3.500v9M3.500 8h9';
const cardIcons = {
  up: 'M8 13V3M4 7l4-4 4 4', down: 'M8 3v10M4 9l4 4 4-4', remove: 'M4 4l8 8M12 4l-8 8',
  handle: 'M6 3.500h.01M10 3.500h.01M6 8h.01M10 8h.01M6 12.500h.01M10 12.500h.01',
};

let cardCount = 0;

/** The controls of a request, built from the catalogue. */
export class Form {
  #top;
  #texts;
  #changed;
  #one;
  /** How several texts follow each other, beside them. */
  #sequence;
  #sequenceNames;
  #duration = element('p', { class: 'cycle-now' });
  /** Where the seconds of a cycle stand while there is one text. */
  #cyclePlace = document.createComment('');
  #caption = element('p', { class: 'caption', hidden: true }, 'For all texts');
  #add = element(
    'button', { type: 'button', class: 'text-tool add', onclick: () => this.#addText() },
    icon(plus), 'Add a text');
  #mostTexts;
  #targets;
  /** The file in the place of texts; null where the server takes none. */
  #captions = null;
  /** The parameters of captions. */
  #captionSection = null;
  /** The controls of the format, which the form does not show itself. */
  output;

  /**
   * @param changed called with the name of the parameter that the user has changed, or of a part of it;
   *   with null for a change that is a step of its own.
   * @param reached called with the seconds of the picture that the user looks at.
   */
  constructor(root, catalogue, changed, reached) {
    this.#changed = changed;
    this.#mostTexts = catalogue.mostBlocks;
    this.#targets = catalogue.targets;
    this.#top = new Fields(catalogue, {
      isWhole: true,
      isOpen: true,
      sample: () => this.#sample(),
      changed: (name) => {
        this.#texts.inherit(this.#outer());
        this.#changed(name);
      },
    });
    this.#texts = new Texts(catalogue, {
      changed: this.#changed,
      moved: () => this.#changed('blocks'),
      removed: () => this.#removed(),
    });
    const definitions = new Map(catalogue.parameters.map((one) => [one.name, one]));
    // A server that takes presets only has few parameters.
    const add = (definition) => definition ? this.#top.add(definition).root : null;
    const panel = (...children) => children.every((child) => child === null)
      ? null : element('div', { class: 'section' }, ...children);
    const section = ({ title, open, definitions: listed }) => element(
      'details', { class: 'section', open: open === true && wide.matches },
      element('summary', {}, title), ...listed.map(add));

    if (definitions.has('captionFormat')) {
      this.#captions = new Captions({
        taken: (text) => this.#takeCaptions(text), removed: () => this.#removeCaptions(), reached,
        edited: (name, isFirst) => this.set(isFirst ? editedValues : {}, name),
      });
    }
    const sections = sectionsOf(catalogue.parameters).map((one) => {
      const root = section(one);
      if (one.title === 'Captions') this.#captionSection = root;
      return root;
    });
    this.#one = element(
      'div', { class: 'one' }, add(definitions.get('text')), add(definitions.get('markup')));
    const several = ofSeveral.flatMap((name) => definitions.get(name) ?? []).filter(hasChoice);
    this.#sequence = element(
      'div', { class: 'several' }, ...several.map(add), this.#duration);
    this.#sequenceNames = several.map(({ name }) => name);
    const effect = add(definitions.get('effect'));
    root.replaceChildren(...[
      element('div', { class: 'section text-section' }, this.#one, this.#texts.root,
        this.#add, this.#sequence, this.#texts.status, this.#captions?.root ?? ''),
      panel(add(definitions.get('preset'))),
      this.#caption,
      panel(effect, effect && this.#top.effectRoot),
      ...sections, hintLine(root),
    ].filter(Boolean));
    this.output = element(
      'div', { class: 'output' }, add(definitions.get('for')),
      element(
        'details', {}, element('summary', {}, 'More formats and settings'),
        add(definitions.get('format')), element(
          'div', { class: 'format-fields' }, ...formatParameters(catalogue.parameters).map(add)),
        add(definitions.get('scheme'))));
    root.addEventListener('submit', (event) => event.preventDefault());
    this.#top.get('cycle')?.root.before(this.#cyclePlace);
    this.#show();
  }

  /** Takes the JSON rendering of the picture that is shown, with the captions that it has. */
  takeRendering(captions, rendering) {
    if (captions === undefined) return;
    const { align = 'start', valign = 'middle' } = this.#outer();
    this.#captions?.takeRendering(captions, rendering, { align, valign });
  }

  /** The seconds of a cycle of the picture that is shown. */
  set duration(seconds) {
    this.#duration.textContent = `Now it takes ${seconds.toFixed(2)} s.`;
  }

  /**
   * What makes texts hard to read, as a `message`, the index of its `block` if there are several,
   * and an `action` that mends it: its `words` and `act()`.
   */
  get advice() {
    if (!this.#hasSeveral) return this.#top.advice;
    const inherits = this.#texts.some(({ fields }) => !fields.hasOwnColor);
    return [
      ...inherits ? this.#top.advice : [],
      ...this.#texts.flatMap(({ fields }, block) => fields.hasOwnColor
        ? fields.advice.map((one) => ({ ...one, block })) : []),
    ];
  }

  /** Returns the request without defaults. */
  read() {
    return this.#read(false);
  }

  /** The request with the values that the chosen format does not read. */
  get state() {
    return this.#read(true);
  }

  /** All values of the whole request, even those that are defaults. */
  get values() {
    return this.#top.values;
  }

  /** True if pages of captions have been changed, and are in no file. */
  get hasUnsavedCaptions() {
    return this.#captions?.areUnsaved ?? false;
  }

  #read(withUnused) {
    if (this.#captions?.text) {
      const { text, markup, sequence, ...request } = this.#top.read(withUnused);
      return { ...request, captions: this.#captions.text };
    }
    if (!this.#hasSeveral) return this.#top.read(withUnused);
    const { text, markup, ...request } = this.#top.read(withUnused);
    const used = this.#texts.effectParameters;
    for (const name of this.#top.effectParameters) if (!used.has(name)) delete request[name];
    return { ...request, blocks: this.#texts.read() };
  }

  /** Shows the request in the pictures of effects and presets. */
  illustrate() {
    this.#top.illustrate();
    this.#texts.illustrate();
  }

  /**
   * Gives parameters of the whole request values, as if the user had; undefined is the default.
   *
   * @param name the parameter that counts as the one that has changed.
   */
  set(values, name) {
    this.#top.set(values);
    this.#texts.inherit(this.#outer());
    this.#changed(name);
  }

  write(request) {
    const { captions = '', ...others } = request;
    if (this.#captions) this.#captions.text = captions;
    const { blocks = [], ...top } = normalized(others);
    const target = this.#targets.find(({ name }) => name === top.for);
    this.#top.write(target ? { format: target.format, ...top } : top);
    this.#texts.write(blocks, this.#outer());
    this.#show();
  }

  /**
   * Shows the messages of faults beside the fields that they name, and opens the sections around.
   *
   * @returns the faults whose messages are not in view, each as its `message` and either the
   *   `label` of its field with `follow()`, which leads there, or the `parameter` with `remove()`,
   *   which takes the value out of the request, if that is possible.
   */
  show(faults) {
    const found = faults.map((fault) => ({ ...fault, ...this.#find(fault.parameter) }));
    const messages = new Map([[null, new Map()]]);
    for (let index = 0; index < this.#texts.count; index += 1) messages.set(index, new Map());
    for (const fault of found) {
      if (!fault.field) continue;
      const level = messages.get(fault.index);
      const { name } = fault.field.definition;
      level.set(name, [...level.get(name) ?? [], fault]);
    }
    this.#top.show(messages.get(null));
    messages.delete(null);
    this.#texts.show([...messages.values()]);
    this.#captions?.show(found.filter(({ isOfCaptions }) => isOfCaptions));
    return found.filter(({ field, isOfCaptions }) => !field?.showsMessages && !isOfCaptions);
  }

  get #hasSeveral() {
    return this.#texts.count > 0;
  }

  /** Returns the values that texts inherit. The top's own text is none of them. */
  #outer() {
    const { text, markup, ...rest } = { ...this.#top.inherited, ...this.#top.read() };
    return rest;
  }

  /**
   * Returns what pictures of the request show: its `texts` without markup, the `look` of its letters,
   * the part of the look that is its `own` and no preset's, and their `paint`.
   */
  #sample() {
    const { blocks, ...top } = this.read();
    const texts = (blocks ?? [top]).map((text) => plainTextOf({ markup: top.markup, ...text }));
    const outer = this.#outer();
    return { texts, own: lookOf(top), look: lookOf(outer), paint: paintOf(outer) };
  }

  /**
   * Finds the field that a fault names: `blocks[1].interval` is the second text's interval.
   *
   * @returns the `field` with the `index` of its text, null at the top, and the `rest` of the name
   *   if it names a part of the value, as in `keyframes[1].blur`; `label` and `follow()`, or
   *   `remove()`; `isOfCaptions`, true for what stands beside their file; nothing if the page does not
   *   know the name.
   */
  #find(parameter) {
    const ofCaptions = this.#captions && /^captions(?:\[(\d+)\]|$)/.exec(parameter);
    if (ofCaptions) {
      if (ofCaptions[1] === undefined) return { isOfCaptions: true };
      const page = Number(ofCaptions[1]);
      return { isOfCaptions: true, label: `Page ${page + 1}`, follow: () => this.#captions.focus(page) };
    }
    if (!this.#hasSeveral) return this.#findField(parameter, this.#top, null);
    if (parameter === 'blocks' || parameter === 'text') {
      return { label: 'Texts', follow: () => this.#follow(this.#texts.longest) };
    }
    const [, digits, name] = /^blocks\[(\d+)\](?:\.(.+))?$/s.exec(parameter) ?? [];
    const card = this.#texts.at(Number(digits));
    if (!card) return this.#findField(parameter, this.#top, null);
    const title = `Text ${Number(digits) + 1}`;
    if (name === undefined) return { label: title, follow: () => this.#follow(card) };
    return this.#findField(name, card.fields, Number(digits), title);
  }

  #findField(name, fields, index, title) {
    const remove = () => {
      fields.forget(name);
      this.#changed(name);
    };
    if (fields.isForeign(name)) return { remove };
    const [stem] = name.split(/[.[]/, 1);
    const field = fields.get(name) ?? fields.get(stem);
    if (!field) return {};
    const isHidden = field.root.hidden || (index === null && field.root.closest('[hidden]'));
    if (field.unused || isHidden) return { remove };
    const card = index === null ? null : this.#texts.at(index);
    const rest = name.slice(field.definition.name.length);
    return {
      field, index, rest,
      label: [title, field.path].filter(Boolean).join(', ') + rest,
      follow: () => this.#follow(card, field, rest),
    };
  }

  /**
   * Leads to a field, of the top or of a card, and to the part of its value that `rest` names; by
   * default to the card's text.
   */
  #follow(card, field = card.fields.get('text'), rest = '') {
    if (card) this.#texts.open(card);
    field.reveal(rest);
  }

  /** Puts captions in the place of all texts, in a look of captions. */
  #takeCaptions(captions) {
    const { text, markup, blocks, ...request } = this.read();
    const isLook = (request.preset ?? '').startsWith('captions');
    const kept = isLook ? request : { format: request.format, for: request.for };
    const given = Object.entries(kept).filter(([, value]) => value !== undefined);
    this.write({ ...isLook ? {} : captionValues, ...Object.fromEntries(given), captions });
    this.#changed('captions');
  }

  #removeCaptions() {
    const { captions, ...request } = this.read();
    this.write({ text: 'Your text', ...request });
    this.#top.get('text').focus();
    this.#changed('captions');
  }

  #addText() {
    if (!this.#hasSeveral) {
      const { text, markup } = this.read();
      this.#texts.write([markup === undefined ? { text } : { text, markup }], this.#outer());
    }
    this.#texts.add({ text: 'Another text' });
    this.#show();
    this.#changed('blocks');
  }

  /** Moves the values of the last text left to the top. */
  #removed() {
    if (this.#texts.count === 1) {
      const request = this.read();
      for (const name of this.#sequenceNames) delete request[name];
      this.write(request);
      this.#top.get('text').focus();
    }
    this.#show();
    this.#changed('blocks');
  }

  #show() {
    const several = this.#hasSeveral;
    const hasCaptions = Boolean(this.#captions?.text);
    this.#one.hidden = several || hasCaptions;
    this.#texts.root.hidden = !several || hasCaptions;
    this.#sequence.hidden = this.#caption.hidden = !several || hasCaptions;
    const cycle = this.#top.get('cycle')?.root;
    if (several && cycle) this.#duration.before(cycle);
    else if (cycle) this.#cyclePlace.after(cycle);
    if (this.#captionSection) this.#captionSection.hidden = !hasCaptions;
    this.#add.hidden = hasCaptions || Math.max(this.#texts.count, 1) >= this.#mostTexts;
  }
}

const fileIcon = 'M4 2.500h5l3 3v8H4zM9 2.500v3h3M6 8.500h4M6 11h4';

/** The values that captions begin with unless the request has a look of captions already. */
const captionValues = { preset: 'captions-karaoke', width: '1280', height: '720' };

/** The values that edited captions have: their pages stay as they are, and their times are those shown. */
const editedValues = {
  pageBreak: 'cue', captionFormat: undefined, captionUnit: undefined, offset: undefined,
};

/** The files that a dialog offers; the server tells by the content what one is. */
const captionFiles = '.srt,.vtt,.ass,.ssa,.lrc,.sbv,.ttml,.dfxp,.json,.json3';

/** Returns the text of a file: in UTF-16 if it begins so, else in UTF-8. */
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  const coding = { '255,254': 'utf-16le', '254,255': 'utf-16be' }[`${first},${second}`] ?? 'utf-8';
  return new TextDecoder(coding).decode(bytes);
}

/** True if something that is dragged is a file. */
function isFile(event) {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** A file of captions in the place of texts, which is chosen, or dropped on the page. */
class Captions {
  #callbacks;
  #text = '';
  /** The last file's text, which may be pages already, and its name. */
  #fileText = '';
  #name = '';
  /** The names of files by the captions that they have, and that were made of them. */
  #names = new Map();
  /** Promises the editor, once there is something for it. */
  #loading = null;
  #editor = null;
  #description = element('p', { class: 'captions-file' });
  #remove = element(
    'button', { type: 'button', class: 'text-tool', onclick: () => this.#callbacks.removed() },
    'Remove the captions');
  #chooser = fileChooser({
    label: 'A file of captions', accept: captionFiles, path: fileIcon, title: 'Or drop the file on the page',
    taken: (file) => this.take(file),
  });
  /** What is wrong with the captions. */
  #problem = element('p', { class: 'problem', hidden: true });
  /** Announces a file to screen readers. */
  #status = element('p', { class: 'unseen', role: 'status' });
  root;

  /**
   * @param callbacks `taken(text)` with the text of a file, `removed()`, `edited(name, isFirst)` after a
   *   change of the pages, the first of a file or not, and `reached(seconds)`.
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
    this.root = element(
      'div', { class: 'captions' }, this.#description, ...this.#chooser.parts, this.#remove, this.#problem,
      this.#status);
    addEventListener('dragover', (event) => { if (isFile(event)) event.preventDefault(); });
    addEventListener('drop', (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      this.#takeAll([...event.dataTransfer.files]);
    });
    this.#describe();
  }

  /** The text of the file; empty if there is none. */
  get text() {
    return this.#text;
  }

  set text(text) {
    if (text === this.#text) return;
    this.#text = text;
    this.#setName(this.#names.get(text) ?? this.#name);
    this.#describe();
    if (this.#editor) this.#editor.captions = text;
    else if (text) this.#edit();
  }

  /** True if pages have been changed, and are in no file. */
  get areUnsaved() {
    return this.#editor?.areUnsaved ?? false;
  }

  /** Shows what is wrong with the captions: faults, some with a `label` and what leads to their page. */
  show(faults) {
    this.#problem.hidden = faults.length === 0;
    this.#problem.replaceChildren(...faults.flatMap(({ message, label, follow }) => follow
      ? [linkTo(label, follow), `: ${message}. `]
      : [`${this.#name || 'The file'} ${message}. `]));
  }

  /** Takes the pages that captions have in a JSON rendering. */
  async takeRendering(captions, rendering, usual) {
    if (captions !== this.#text) return;
    const count = rendering.blocks.length;
    const pages = count === 1 ? '1 page' : `${count} pages`;
    this.#description.textContent = `${this.#name || 'Captions'}: ${pages}.`;
    (await this.#edit())?.takeRendering(captions, rendering, usual);
  }

  /** Leads to a page by its index. */
  async focus(index) {
    (await this.#edit())?.focus(index);
  }

  /** Takes the text of a file. */
  async take(file) {
    const text = await textOf(file);
    if (!/\S/.test(text)) {
      this.#problem.hidden = false;
      this.#problem.textContent = this.#status.textContent = `${file.name} is empty.`;
      return;
    }
    this.#fileText = text;
    this.#keepName(text, file.name);
    this.#setName(file.name);
    if (this.#editor) this.#editor.saved = text;
    this.#status.textContent = `${file.name} is read.`;
    this.#callbacks.taken(text);
  }

  #setName(name) {
    this.#name = name;
    if (this.#editor) this.#editor.name = this.#stem;
  }

  /** Keeps the name of a file for undo and redo, which have as many states. */
  #keepName(captions, name) {
    this.#names.delete(captions);
    this.#names.set(captions, name);
    if (this.#names.size > mostStates) this.#names.delete(this.#names.keys().next().value);
  }

  /** Takes files that were dropped: captions, and a recording that is played beside them. */
  async #takeAll(files) {
    const isSound = (file) => /^(audio|video)\//.test(file.type);
    const [file, recording] = [files.find((one) => !isSound(one)), files.find(isSound)];
    if (file) await this.take(file);
    if (recording) (await this.#edit())?.play(recording);
  }

  /** The name of the file without its extension. */
  get #stem() {
    return this.#name.replace(/\.[^.]*$/, '') || 'captions';
  }

  /** Promises the editor of the pages; null where it cannot be loaded. */
  #edit() {
    this.#loading ??= import('./captions.js').then(({ CaptionEditor }) => {
      this.#editor = new CaptionEditor({
        reached: this.#callbacks.reached,
        changed: (captions, name, wereRead) => {
          const isFirst = wereRead || this.#text === this.#fileText;
          this.#text = captions;
          this.#keepName(captions, this.#name);
          this.#callbacks.edited(name, isFirst);
        },
      });
      this.#editor.name = this.#stem;
      this.#editor.saved = this.#fileText;
      this.#editor.captions = this.#text;
      this.root.after(this.#editor.root);
      return this.#editor;
    }, () => {
      // Later, the line may be better.
      this.#loading = null;
      return null;
    });
    return this.#loading;
  }

  #describe() {
    const hasFile = this.#text !== '';
    this.#description.hidden = this.#remove.hidden = !hasFile;
    this.#description.textContent = hasFile ? `${this.#name || 'Captions'}.` : '';
    this.#chooser.say(hasFile ? 'Another file' : 'Captions from a file');
  }
}

/** Several texts as a list of cards, one open at a time. */
class Texts {
  #cards = [];
  #list = element('ol', { class: 'cards', 'aria-label': 'Texts' });
  #catalogue;
  #callbacks;
  #outer = {};
  #sorting = null;
  root = element('div', { class: 'texts', hidden: true }, this.#list);
  /** Announces changes to screen readers. */
  status = element('p', { class: 'unseen', role: 'status' });

  /**
   * @param callbacks `changed(name)` when the user has changed a parameter, `moved()`, and
   *   `removed()`.
   */
  constructor(catalogue, callbacks) {
    this.#catalogue = catalogue;
    this.#callbacks = callbacks;
  }

  get count() {
    return this.#cards.length;
  }

  some(condition) {
    return this.#cards.some(condition);
  }

  flatMap(transform) {
    return this.#cards.flatMap(transform);
  }

  read() {
    return this.#cards.map((card) => card.read());
  }

  /** Replaces the texts by others, or by none; cards that stay keep the focus. */
  write(blocks, outer) {
    this.inherit(outer);
    this.#cards = blocks.map((block, index) => {
      const card = this.#cards[index];
      if (!card) return this.#card(block);
      card.write(block);
      return card;
    });
    this.#arrange();
  }

  inherit(outer) {
    this.#outer = outer;
    for (const card of this.#cards) card.inherit(outer);
  }

  illustrate() {
    for (const card of this.#cards) card.fields.illustrate();
  }

  /** The parameters of all texts' effects. */
  get effectParameters() {
    return new Set(this.#cards.flatMap((card) => card.effectParameters));
  }

  /** Appends a text, opens its card and selects the text in it. */
  add(block) {
    const card = this.#card(block);
    this.#cards.push(card);
    this.#arrange();
    this.open(card);
    card.fields.get('text').select();
    this.#announce(`Text ${this.#cards.length} added.`);
  }

  at(index) {
    return this.#cards[index];
  }

  /** The card with the longest text. */
  get longest() {
    const length = (card) => card.fields.get('text').value.length;
    return this.#cards.reduce((one, other) => length(other) > length(one) ? other : one);
  }

  /** Opens a card and closes the others; null closes all. */
  open(card) {
    for (const one of this.#cards) one.isOpen = one === card;
  }

  /**
   * Shows faults, one map of names for each text. The first card with one opens, unless the
   * focus is in another.
   */
  show(messages) {
    this.#cards.forEach((card, index) => card.show(messages[index]));
    const wrong = this.#cards.filter((_, index) => messages[index].size > 0);
    const stays = this.#cards.some((card) => card.isInUse || (card.isOpen && wrong.includes(card)));
    if (wrong.length > 0 && !stays) this.open(wrong[0]);
  }

  #card(block) {
    const card = new Card(this.#catalogue, {
      changed: this.#callbacks.changed,
      toggled: (one) => this.open(one.isOpen ? null : one),
      moved: (one, steps) => this.#move(one, steps),
      removed: (one) => this.#remove(one),
    });
    card.inherit(this.#outer);
    card.write(block);
    return card;
  }

  #move(card, steps) {
    const from = this.#cards.indexOf(card);
    const to = from + steps;
    if (to < 0 || to >= this.#cards.length) return;
    const { focused } = card;
    this.#cards.splice(from, 1);
    this.#cards.splice(to, 0, card);
    this.#arrange();
    card.keepFocus(focused);
    this.#announce(`“${card.name}” is now text ${to + 1} of ${this.#cards.length}.`);
    this.#callbacks.moved();
  }

  #remove(card) {
    const index = this.#cards.indexOf(card);
    this.#cards.splice(index, 1);
    this.#arrange();
    this.#cards[Math.min(index, this.#cards.length - 1)].focus();
    this.#announce(`“${card.name}” removed. Undo brings it back.`);
    this.#callbacks.removed();
  }

  #arrange() {
    const { children } = this.#list;
    this.#cards.forEach((card, index) => {
      // What stays in its place keeps the focus, and costs nothing.
      if (children[index] !== card.root) this.#list.insertBefore(card.root, children[index] ?? null);
      card.setIndex(index, this.#cards.length);
    });
    while (children.length > this.#cards.length) this.#list.lastChild.remove();
    this.root.hidden = this.#cards.length === 0;
    if (this.#cards.length > 0) this.#makeSortable();
  }

  /** Lets cards be dragged, once there are any. */
  #makeSortable() {
    this.#sorting ??= import('./reorder.js').then(({ makeSortable }) => makeSortable(this.#list, {
      handles: '.card-handle', moved: (from, to) => this.#move(this.#cards[from], to - from),
    }), () => { /* They can be moved by buttons and keys. */ });
  }

  #announce(words) {
    this.status.textContent = words;
  }
}

/** One of several texts: its first line as a heading, and its parameters while it is open. */
class Card {
  #catalogue;
  #number = element('span', { class: 'card-number' });
  #excerpt = element('span', { class: 'card-excerpt' });
  #effect = element('span', { class: 'card-effect' });
  #fault = element('span', { class: 'unseen' });
  #toggle;
  #up;
  #down;
  #remove;
  #body;
  fields;

  /**
   * @param callbacks `changed(name)`, `toggled(card)`, `moved(card, steps)`, `removed(card)`.
   */
  constructor(catalogue, callbacks) {
    const id = `card-${cardCount += 1}`;
    this.#catalogue = catalogue;
    this.fields = new Fields(catalogue, {
      reset: 'as for all texts',
      sample: () => this.#sample(),
      changed: (name) => { this.#describe(); callbacks.changed(name); },
    });
    const tool = (name, act) => element(
      'button', { type: 'button', class: 'quiet', onclick: act }, icon(cardIcons[name]));
    this.#toggle = element(
      'button', {
        type: 'button', class: 'card-toggle', 'aria-expanded': 'false', 'aria-controls': id,
        'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown',
        title: 'Alt with an arrow up or down moves it', onclick: () => callbacks.toggled(this),
      }, this.#number, this.#excerpt, this.#effect, this.#fault);
    this.#up = tool('up', () => callbacks.moved(this, -1));
    this.#down = tool('down', () => callbacks.moved(this, 1));
    this.#remove = tool('remove', () => callbacks.removed(this));
    const handle = element(
      'span', { class: 'card-handle', 'aria-hidden': 'true', title: 'Drag it to another place' },
      icon(cardIcons.handle));
    const head = element(
      'div', { class: 'card-head' }, handle, this.#toggle,
      element('span', { class: 'card-tools' }, this.#up, this.#down, this.#remove));
    this.#body = element(
      'div', { id, class: 'card-body', role: 'group', hidden: true }, ...this.#sections());
    this.root = element('li', { class: 'card' }, head, this.#body);
    this.root.addEventListener('keydown', (event) => {
      const steps = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
      // They open a menu.
      const isMenu = event.target.matches('select, [role="combobox"]');
      if (!steps || isMenu || event.defaultPrevented) return;
      event.preventDefault();
      callbacks.moved(this, steps);
    });
  }

  /** Returns the values that this text does not inherit. */
  read() {
    return this.fields.read();
  }

  write(block) {
    this.fields.write(block);
    this.#describe();
  }

  inherit(outer) {
    this.fields.inherit(outer);
    this.#describe();
  }

  get effectParameters() {
    return this.fields.effectParameters;
  }

  #sample() {
    const values = this.fields.values;
    const all = { ...this.fields.inherited, ...values };
    return { texts: [plainTextOf(values)], look: lookOf(all), paint: paintOf(all) };
  }

  /** The first line of the text, for screen readers. */
  get name() {
    return this.#excerpt.textContent;
  }

  get isOpen() {
    return !this.#body.hidden;
  }

  set isOpen(open) {
    this.#body.hidden = !open;
    this.root.classList.toggle('open', open);
    this.#toggle.setAttribute('aria-expanded', open);
  }

  /** True while it is open and has the focus. */
  get isInUse() {
    return this.isOpen && this.root.contains(document.activeElement);
  }

  show(messages) {
    this.fields.show(messages);
    this.root.classList.toggle('wrong', messages.size > 0);
    this.#fault.textContent = messages.size > 0 ? ', something is wrong in it' : '';
  }

  /** Sets the card's index among `total` cards. */
  setIndex(index, total) {
    const number = index + 1;
    this.#number.textContent = number;
    this.#body.setAttribute('aria-label', `Text ${number}`);
    for (const [button, words] of [
      [this.#up, 'Move up'], [this.#down, 'Move down'], [this.#remove, 'Remove'],
    ]) {
      button.title = words;
      button.setAttribute('aria-label', `${words} text ${number}`);
    }
    this.#up.disabled = index === 0;
    this.#down.disabled = index === total - 1;
  }

  focus() {
    this.#toggle.focus();
  }

  /** The element in it that has the focus, for `keepFocus`; null without one. */
  get focused() {
    return this.root.contains(document.activeElement) ? document.activeElement : null;
  }

  /** Restores the focus after the card has moved. */
  keepFocus(focused) {
    if (focused === this.#up && this.#up.disabled) this.#down.focus();
    else if (focused === this.#down && this.#down.disabled) this.#up.focus();
    else (focused ?? this.#toggle).focus();
  }

  #sections() {
    const { parameters, blockNames } = this.#catalogue;
    const definition = (name) => parameters.find((one) => one.name === name);
    const first = ['text', 'markup', 'effect'];
    const [text, markup, effect] = first.map((name) => this.fields.add(definition(name)));
    const style = parameters.filter(
      (one) => blockNames.has(one.name) && hasChoice(one) && !first.includes(one.name));
    const part = (title, ...children) => element(
      'details', { class: 'part' }, element('summary', {}, title), ...children);
    return [
      text.root, markup.root, effect.root, this.fields.effectRoot,
      part('Type and colour', ...style.map((one) => this.fields.add(one).root)),
    ];
  }

  #describe() {
    const text = this.fields.get('text').value;
    const effect = this.fields.get('effect').read();
    const lines = text.split('\n').map((line) => line.trim());
    this.#excerpt.textContent = lines.find((line) => line !== '') ?? 'Empty';
    this.#effect.textContent = this.#catalogue.effects
      .find(({ name }) => name === effect)?.title ?? effect ?? '';
  }
}

// Fields.

const resetIcon = 'M3 8a5 5 0 1 0 1.600-3.700M3 2.500v3h3';

/** Conditions under which a parameter has no effect: its field is hidden, unless it is given. */
const ineffective = {
  cursorBlink: hasNoCursor, typoPause: ({ typos }) => Number(typos) === 0,
  gradientBox: ({ color, darkColor }) => !isGradient(color) && !isGradient(darkColor),
  paintMotion: hasNoGradient, paintDuration: hasNoPaintMotion, paintEasing: hasNoPaintMotion,
  outlineColor: hasNoOutline, darkOutlineColor: hasNoOutline,
  borderColor: hasNoBorder, darkBorderColor: hasNoBorder,
  card: hasNoSize, safeArea: hasNoSize, backdropFit: hasNoBackdrop, backdropDim: hasNoBackdrop,
  cardDuration: hasStillCard, cardEasing: hasStillCard,
  cardDirection: ({ cardEffect }) => cardEffect !== 'slide' && cardEffect !== 'wipe',
  barColor: hasNoBar, darkBarColor: hasNoBar, barWidth: hasNoBar, barGap: hasNoBar,
  markStrokes: hasNoMark, markPadding: hasNoMark, markDelay: hasNoMark, markDuration: hasNoMark,
  markColor: hasNoMark, darkMarkColor: hasNoMark, markLayer: hasNoMark, markWidth: hasNoMark,
  pathAlign: hasNoPath, pathOffset: hasNoPath, pathSide: hasNoPath, pathRotate: hasNoPath,
  codeTheme: hasNoCode, darkCodeTheme: hasNoCode, firstLine: hasNoLineNumbers,
  windowTitle: ({ titleBar }) => String(titleBar) !== 'true',
  gap: ({ sequence }) => sequence === 'together', spacing: ({ sequence }) => sequence === 'replace',
  flow: ({ sequence }) => sequence === 'replace', pauseAfterCommand: ({ prompt }) => !prompt,
};

/** Reasons for which a parameter cannot be given beside others, by its name; null where it can. */
const refusals = {
  mark: ({ path }) => !path || path === 'none' ? null : 'No mark is drawn on text along a path.',
  // Those of a look can be given up.
  lineNumbers: ({ path, lineNumbers }) => !path || path === 'none' || !hasNoLineNumbers({ lineNumbers })
    ? null : 'A line along a path has no number.',
  path: ({ mark, lineNumbers }) => {
    if (mark !== 'none') return 'Marked text runs along no path.';
    return hasNoLineNumbers({ lineNumbers }) ? null : 'Numbered lines run along no path.';
  },
};

function hasNoCursor({ cursor, effect }) {
  return cursor === 'none' || (cursor === 'auto' && effect !== 'typewriter');
}

function hasNoOutline({ outlineWidth }) {
  return Number(outlineWidth) === 0;
}

function hasNoGradient({ color, darkColor, background, darkBackground }) {
  return ![color, darkColor, background, darkBackground].some(isGradient);
}

function hasNoPaintMotion({ paintMotion }) {
  return paintMotion === 'none';
}

/** The text itself may have marks where it is markup. */
function hasNoMark({ mark, markup }) {
  return mark === 'none' && String(markup) !== 'true';
}

function hasNoPath({ path }) {
  return path === 'none';
}

function hasNoCode({ codeLanguage, lineNumbers }) {
  return codeLanguage === 'none' && hasNoLineNumbers({ lineNumbers });
}

function hasNoLineNumbers({ lineNumbers }) {
  return String(lineNumbers) !== 'true';
}

function hasNoBorder({ borderWidth }) {
  return Number(borderWidth) === 0;
}

function hasNoSize({ width, height }) {
  return !width && !height;
}

function hasNoBackdrop({ backdrop }) {
  return backdrop === 'none';
}

function hasStillCard({ cardEffect }) {
  return cardEffect === 'none';
}

function hasNoBar({ bar }) {
  return bar === 'none';
}

/** Makers of controls that show pictures of the request; see `controlFor`. */
const ownControls = {
  ...fontControls, preset: presetControl, effect: effectControl, for: placeControl,
};

/** The JSON of keyframes, one a line, and once it is loaded an editor that shows them in rows. */
function keyframesControl(definition, { id, label, changed, moved }) {
  const area = element('textarea', {
    id, name: definition.name, rows: 4, spellcheck: false, class: 'code', oninput: changed,
  });
  const root = element('div', {}, area);
  const initial = JSON.stringify(exampleKeyframes);
  let editor = null;
  let values = {};
  import('./keyframes.js').then(({ KeyframeEditor }) => {
    editor = new KeyframeEditor(area, definition, { label, changed, moved });
    root.append(editor.root);
    editor.follow(values);
    moved();
  }, () => { /* The JSON can be edited without it. */ });
  return {
    root,
    inputs: [area],
    initial,
    // Without white space, which would make the address longer.
    read: () => parsed(area.value, (keyframes) => JSON.stringify(keyframes)),
    write(text) {
      const value = parsed(text ?? definition.default ?? initial, formatted);
      if (value === area.value) return;
      area.value = value;
      editor?.replace();
    },
    follow(others) {
      values = others;
      editor?.follow(others);
    },
    mark: (faults) => editor?.mark(faults) ?? faults,
    get messages() {
      return editor?.messages ?? [];
    },
    focus(rest) {
      if (editor) editor.focus(rest);
      else area.focus();
    },
  };
}

/** Returns the text of what JSON means; the JSON itself, trimmed, if it is none. */
function parsed(json, textOf) {
  try {
    return textOf(JSON.parse(json));
  } catch {
    return json.trim();
  }
}

/** Where the controls have a column of their own, the sections of the most common are open. */
const wide = matchMedia('(min-width: 900px)');

/**
 * Returns what a target brings along that decides how a text is read, as the service does: some of it
 * only for texts to which nothing else gives a look.
 */
function colorsFrom({ parameters }, given) {
  const isOpen = (names) => names.every((name) => given[name] === undefined);
  const hasNoGround = isOpen([
    'preset', 'background', 'darkBackground', 'outlineWidth', 'outlineColor', 'darkOutlineColor',
  ]);
  const taken = {
    look: true, edge: hasNoGround,
    ink: hasNoGround && isOpen(['color', 'darkColor', 'codeLanguage', 'defaults']),
  };
  return Object.fromEntries(parameters.filter(({ rule }) => taken[rule])
    .map(({ name, value }) => [name, String(value)]));
}

/** Returns the values on which the look of letters depends. */
function lookOf({ font, weight, italic, fontFeatures, fontVariations, effect, keyframes }) {
  return { font, weight, italic, fontFeatures, fontVariations, effect, keyframes };
}

/** Returns the colours of letters, without those that are not given. */
function paintOf({ color, darkColor }) {
  return { color, ...darkColor && { darkColor } };
}

const fieldsByRoot = new WeakMap();
let fieldCount = 0;

/** One parameter: its label, its control, a button that resets it, and messages about it. */
class Field {
  #control;
  #problem;
  #advice;
  #offer = null;
  #hint;
  #reset;
  /** The parameter's own default; `definition.default` may be an inherited value. */
  #standard;
  #isOwn = false;
  #unused = false;
  #refusal = element('p', { class: 'only', hidden: true });
  #formats;
  #faults = [];

  /**
   * @param options the other arguments of controls: `changed`, `catalogue`, `fonts`, `titles`,
   *   `sample`, which returns what pictures show, and `isOpen` for a gallery that is; and `reset`,
   *   the words for giving up the value.
   */
  constructor(definition, options) {
    const id = `field-${fieldCount += 1}`;
    const label = labelOf(definition.name);
    const reset = options.reset ?? 'back to the default';
    this.definition = { ...definition };
    this.label = label;
    this.#standard = definition.default;
    const changed = () => {
      this.refresh();
      options.changed(definition.name);
    };
    // A control may come to show faults elsewhere.
    const moved = () => this.show(this.#faults);
    const make = ownControls[definition.name]
      ?? (definition.type === 'keyframes' ? keyframesControl : controlFor);
    this.#control = make(this.definition, { ...options, id, label, changed, moved });

    this.#hint = element('p', { id: `${id}-hint`, class: 'unseen' }, this.hint);
    // Screen readers have it in the hint.
    const explanation = explained.has(definition.name)
      ? element('p', { class: 'explanation', 'aria-hidden': 'true' }, definition.description) : null;
    this.#problem = element('p', { id: `${id}-problem`, class: 'problem', hidden: true });
    this.#advice = element('p', { id: `${id}-advice`, class: 'advice', hidden: true });
    this.#refusal.id = `${id}-refusal`;
    this.#reset = element('button', {
      type: 'button', class: 'reset', hidden: true,
      title: capitalized(reset), 'aria-label': `${label}: ${reset}`,
      onclick: () => {
        this.write(undefined);
        this.focus();
        options.changed(definition.name);
      },
    }, icon(resetIcon));
    this.#formats = element('p', { class: 'only', hidden: true }, onlyFor(definition.formats));
    this.root = element(
      'div', { class: 'field', dataset: { parameter: definition.name } },
      element(
        'div', { class: 'field-head' },
        this.#control.isGroup
          ? element('h2', {}, label) : element('label', { htmlFor: id }, label),
        this.#reset),
      element('div', { class: 'field-control' }, this.#control.root, this.#formats, this.#refusal),
      explanation, this.#problem, this.#advice, this.#hint);
    fieldsByRoot.set(this.root, this);
    this.show([]);
  }

  /** The parameter's description with range and default. */
  get hint() {
    return hintOf(this.definition);
  }

  /** The titles of the sections around it, then its label. */
  get path() {
    const titles = this.#sections.map((section) => section.querySelector('summary').textContent);
    return [...titles, this.label].join(', ');
  }

  /** Returns the value as a query carries it; undefined for the default. */
  read() {
    return this.#isOwn ? this.#control.read() : undefined;
  }

  write(text) {
    this.#control.write(text);
    this.refresh();
  }

  /** The value, even if it is the default. */
  get value() {
    return this.#control.read();
  }

  /**
   * Takes an inherited value as the default, or with undefined the parameter's own default. A
   * value that is given here stays, even if it equals the inherited one.
   */
  inherit(text) {
    const { definition } = this;
    const inherited = text === undefined ? this.#standard : typed(text, definition.type);
    if (inherited === definition.default) return;
    definition.default = inherited;
    this.#hint.textContent = this.hint;
    if (this.#isOwn) this.#control.write(this.#control.read());
    else this.write(undefined);
  }

  /** The default of version 0.3, as a query carries it; undefined where it is the same. */
  get earlierStandard() {
    const { earlierDefault } = this.definition;
    return earlierDefault === undefined ? undefined : String(earlierDefault);
  }

  /** True if the chosen format does not read the parameter; its value is kept for one that does. */
  get unused() {
    return this.#unused;
  }

  set unused(unused) {
    if (unused === this.#unused) return;
    this.#unused = unused;
    this.root.classList.toggle('unused', unused);
    this.#control.root.hidden = unused;
    this.#formats.hidden = !unused;
    this.refresh();
  }

  /** The values of other parameters, by name, that a choice of the value brings along. */
  get brought() {
    return this.#control.brought ?? {};
  }

  /** The reason for which a value cannot be given, beside the control that is disabled; null without. */
  set refusal(reason) {
    this.#refusal.hidden = reason === null;
    this.#refusal.textContent = reason ?? '';
    for (const input of this.#control.inputs) input.disabled = reason !== null;
    this.#describe();
  }

  /** True if the chosen family has nothing that the parameter could set. */
  get isIdle() {
    return this.#control.isIdle ?? false;
  }

  follow(values) {
    if (!this.#control.follow) return;
    this.#control.follow(values);
    // It may have other inputs now.
    this.#describe();
  }

  /** Shows what is drawn where the value leaves that open. */
  use(text) {
    this.#control.use?.(text);
  }

  illustrate() {
    this.#control.illustrate?.();
  }

  /** Focuses it, or the part of its value that `rest` names. */
  focus(rest) {
    if (this.#control.focus) this.#control.focus(rest);
    else this.#input.focus();
  }

  /** Focuses it and selects all of the text, so that typing replaces it. */
  select() {
    this.#input.select();
  }

  /** Opens the sections around it, brings it into view, and gives it the focus. */
  reveal(rest) {
    for (const section of this.#sections) section.open = true;
    const menu = this.root.closest('[popover]:not(:popover-open)');
    menu?.showPopover();
    this.root.scrollIntoView({ block: 'center' });
    this.focus(rest);
  }

  /** Updates the state that depends on the value. */
  refresh() {
    const value = this.#control.read();
    this.#isOwn = !isDefault(value, this.definition);
    const isUsual = !this.#isOwn || value === this.#control.initial;
    this.#reset.hidden = this.definition.name === 'text' || isUsual || this.#unused;
  }

  /**
   * Shows the messages of faults beside the control, or removes them if there are none.
   *
   * @param faults each with its `message`; one of a part of the value has the `rest` of its
   *   `parameter`, the part's name.
   */
  show(faults) {
    this.#faults = faults;
    const isWrong = faults.length > 0;
    const others = this.#control.mark?.(faults) ?? faults;
    this.#problem.textContent = others
      .map(({ rest, parameter, message }) => rest ? `${parameter} ${message}` : message)
      .join('\n');
    this.#problem.hidden = others.length === 0;
    this.root.classList.toggle('wrong', isWrong);
    for (const input of this.#control.inputs) markInvalid(input, isWrong);
    this.#describe();
    for (const section of isWrong ? this.#sections : []) section.open = true;
  }

  /** Shows advice beside the control, which keeps nothing from being rendered. */
  advise(advice) {
    this.#advice.textContent = advice.join('\n');
    this.#advice.hidden = advice.length === 0;
    this.#describe();
  }

  /**
   * Offers the twin of the value, or withdraws the offer with null.
   *
   * @param offer the `words` on what is wrong, the `twin`, and what `accept()` and `decline()` do.
   */
  offer(offer) {
    this.#offer?.remove();
    this.#offer = offer && offerOf(offer, `${this.#hint.id}-offer`);
    if (offer) this.#advice.after(this.#offer);
    this.#describe();
  }

  #describe() {
    const texts = [this.#problem, this.#advice, this.#refusal].filter(({ hidden }) => !hidden);
    const offered = this.#offer?.querySelector('[id]');
    const ids = [...texts, offered, this.#hint].filter(Boolean).map(({ id }) => id).join(' ');
    for (const input of this.#control.inputs) input.setAttribute('aria-describedby', ids);
  }

  /** True if the messages are in view: neither scrolled away nor covered. */
  get showsMessages() {
    const messages = [this.#problem, ...this.#control.messages ?? []];
    return messages.filter(({ hidden }) => !hidden).every((message) => {
      const { x, y, width, height } = message.getBoundingClientRect();
      const topmost = document.elementFromPoint(x + width / 2, y + height / 2);
      return topmost !== null && message.contains(topmost);
    });
  }

  /** The input that messages concern. */
  get #input() {
    return this.#control.inputs.findLast((input) => !input.hidden);
  }

  /** The sections around it that can be closed, the outermost first. */
  get #sections() {
    const sections = [];
    for (let one = this.root.closest('details'); one; one = one.parentElement.closest('details')) {
      sections.unshift(one);
    }
    return sections;
  }
}

/** Creates the line that offers a twin, with the id of its words. */
function offerOf({ words, twin, accept, decline }, id) {
  const swatch = element('span', { class: 'offer-swatch', 'aria-hidden': 'true' });
  swatch.style.setProperty('--swatch', imageOf(twin));
  return element(
    'p', { class: 'offer' }, element('span', { id }, `${words}?`), ' ',
    element('button', { type: 'button', class: 'link', onclick: accept }, swatch, takingOf(twin)),
    ' ',
    element('button', { type: 'button', class: 'link', onclick: decline }, 'Keep the same'));
}

/** Returns what a button says that takes a twin over; one of several colours has no short name. */
function takingOf(twin) {
  return /^#\w+$/.test(twin) ? `Use ${twin} there` : 'Use its twin there';
}

/** The fields of a request's top, or of one of its texts. */
class Fields {
  #fields = new Map();
  /** Values without a field: their names are from an address, and the server may not know them. */
  #foreign = {};
  /** The values of other effects' parameters by effect, for a return to it. */
  #remembered = new Map();
  #outer = {};
  /** The request's own values that presets have replaced. */
  #replaced = new Map();
  #catalogue;
  #options;
  #effect;
  /** The values by name for which a twin was declined. */
  #declined = new Map();
  /** The twins that are offered, by the name in the light. */
  #offers = new Map();
  #effectFields = element('div', { class: 'effect-fields' });
  /** The section of the chosen effect's fields. */
  effectRoot;

  /**
   * @param options `changed`, called with a parameter's name; `isWhole` for the request's top; and
   *   other options of a `Field`.
   */
  constructor(catalogue, options) {
    this.#catalogue = catalogue;
    this.#options = options;
    this.effectRoot = element(
      'details', { class: 'part', open: options.isWhole === true && wide.matches },
      element('summary', {}, 'Effect in detail'), this.#effectFields);
  }

  /** Adds a field. */
  add(definition) {
    const { name } = definition;
    const { titles, fonts } = this.#catalogue;
    const field = new Field(definition, {
      ...this.#options, catalogue: this.#catalogue, fonts, titles: titles[name],
      changed: () => {
        if (name === 'preset') this.#choosePresets();
        if (name === 'effect') this.#switchEffect();
        if (field.read() !== undefined) this.#fields.get(exclusive[name])?.write(undefined);
        for (const [other, value] of Object.entries(field.brought)) {
          this.#fields.get(other)?.write(value);
        }
        this.#follow();
        this.#options.changed(name);
      },
    });
    this.#inherit(field);
    this.#fields.set(name, field);
    if (name === 'effect') this.#showEffect();
    return field;
  }

  get(name) {
    return this.#fields.get(name);
  }

  /** True if a value of this name is given that has no field. */
  isForeign(name) {
    return Object.hasOwn(this.#foreign, name);
  }

  /**
   * Returns the values that are given here and that the chosen format reads.
   *
   * @param withUnused true for those too that it does not read.
   */
  read(withUnused = false) {
    const request = {};
    for (const [name, field] of this.#fields) {
      const value = field.unused && !withUnused ? undefined : field.read();
      if (value !== undefined) request[name] = value;
    }
    return { ...request, ...this.#foreign };
  }

  /** The values that count where none are given here, but for the parameters' own defaults. */
  get inherited() {
    return this.#outer;
  }

  /** All values, even those that are defaults. */
  get values() {
    return Object.fromEntries([...this.#fields].map(([name, field]) => [name, field.value]));
  }

  illustrate() {
    for (const field of this.#fields.values()) field.illustrate();
  }

  write(request) {
    const { defaults } = request;
    // The fields inherit by it.
    this.#foreign = defaults === undefined ? {} : { defaults };
    this.#replaced.clear();
    if (this.#fields.has('preset')) this.inherit(valuesOf(request.preset, this.#catalogue.presets));
    this.#fields.get('effect')?.write(request.effect);
    if (this.#fields.get('effect')?.value !== this.#effect) this.#showEffect();
    for (const [name, field] of this.#fields) field.write(request[name]);
    this.#foreign = Object.fromEntries(
      Object.entries(request).filter(([name]) => !this.#fields.has(name)));
    this.#follow();
  }

  /** Gives parameters values; undefined is the default, and names without a field are left out. */
  set(values) {
    for (const [name, value] of Object.entries(values)) this.#fields.get(name)?.write(value);
    this.#follow();
  }

  /** Takes the top's values as defaults. */
  inherit(outer) {
    this.#outer = outer;
    for (const field of this.#fields.values()) this.#inherit(field);
    if (this.#fields.get('effect')?.value !== this.#effect) this.#switchEffect();
    this.#follow();
  }

  #inherit(field) {
    const standard = this.#hasEarlierDefaults ? field.earlierStandard : undefined;
    field.inherit(this.#outer[field.definition.name] ?? standard);
  }

  /** True if what is not given has the defaults of version 0.3. */
  get #hasEarlierDefaults() {
    return { ...this.#outer, ...this.#foreign }.defaults === '0.3';
  }

  #standardOf({ default: standard, earlierDefault = standard }) {
    return this.#hasEarlierDefaults ? earlierDefault : standard;
  }

  /** Removes a value, with a field or without one. */
  forget(name) {
    delete this.#foreign[name];
    this.#fields.get(name)?.write(undefined);
    this.#follow();
  }

  /** Shows faults beside the fields, given as lists by the parameter's name. */
  show(faults) {
    for (const [name, field] of this.#fields) field.show(faults.get(name) ?? []);
  }

  /** The names of the chosen effect's parameters. */
  get effectParameters() {
    return this.#effectDefinitions().map(({ name }) => name);
  }

  /**
   * Takes the values of the chosen presets as defaults. Values of those that have just been chosen
   * replace the request's own, which are there again once the preset is given up.
   */
  #choosePresets() {
    const values = valuesOf(this.#fields.get('preset').value, this.#catalogue.presets);
    const isNew = (name) => values[name] !== undefined && values[name] !== this.#outer[name];
    for (const [name, field] of this.#fields) {
      const own = field.read();
      if (own === undefined || !isNew(name)) continue;
      this.#replaced.set(name, own);
      field.write(undefined);
    }
    this.inherit(values);
    for (const [name, own] of this.#replaced) {
      if (values[name] !== undefined) continue;
      this.#replaced.delete(name);
      this.#fields.get(name)?.write(own);
    }
    if (this.#fields.get('effect')?.value !== this.#effect) this.#switchEffect();
  }

  #follow() {
    const { values } = this;
    const format = values.format ?? this.#outer.format ?? svg.name;
    for (const [name, field] of this.#fields) {
      field.follow(values);
      field.unused = field.definition.formats?.every((reader) => reader.name !== format) ?? false;
      const isIdle = field.isIdle || (ineffective[name]?.(values) ?? false);
      field.root.hidden = isIdle && field.read() === undefined;
      // A value that is given already can be given up.
      if (refusals[name]) field.refusal = field.read() ? null : refusals[name](values);
    }
    this.#advise();
  }

  /** All values that count, with those that are inherited, that the target brings, or that are defaults. */
  get #counting() {
    const { parameters, targets } = this.#catalogue;
    const given = { ...this.#outer, ...this.read() };
    const target = targets.find(({ name }) => name === given.for);
    return {
      ...Object.fromEntries(parameters.map((one) => [one.name, this.#standardOf(one)])),
      ...target && colorsFrom(target, given), ...given,
    };
  }

  /** Says beside the text's colours which these are, and for whom it is hard to read. */
  #advise() {
    const values = this.#counting;
    const [color, darkColor] = ['color', 'darkColor'].map((name) => this.#fields.get(name));
    const ink = withInk(values);
    color?.use(ink.color);
    darkColor?.use(color?.value === 'auto' ? ink.darkColor ?? ink.color : '');
    const [light, dark] = ['light', 'dark'].map((scheme) => readingTrouble(values, scheme));
    const hasDark = darkColor !== undefined && !darkColor.unused;
    color?.advise([light, hasDark ? null : dark].filter(Boolean));
    darkColor?.advise([hasDark ? dark : null].filter(Boolean));
    this.#offer(values);
  }

  /** What makes the text hard to read, as `Form.advice` returns it. */
  get advice() {
    const offer = this.#offers.get('color');
    if (!offer) return [];
    const { words, twin, accept } = offer;
    return [{ message: `${words}.`, action: { words: takingOf(twin), act: accept } }];
  }

  /** True if the text's colour is given here. */
  get hasOwnColor() {
    return ['color', 'darkColor'].some((name) => this.#fields.get(name)?.read() !== undefined);
  }

  /** Offers twins of the colours that are given here, and of the text's default colour. */
  #offer(values) {
    this.#offers.clear();
    for (const [name, field] of this.#fields) {
      const dark = this.#fields.get(inDark(name));
      if (!dark) continue;
      const isAsked = field.read() !== undefined || (name === 'color' && this.#options.isWhole);
      const isSeen = !dark.unused && !field.root.hidden;
      const isDeclined = this.#declined.get(name) === values[name];
      const twin = isAsked && isSeen && !isDeclined ? twinFor(name, values) : null;
      if (twin) this.#offers.set(name, this.#offerOf(name, twin));
      field.offer(this.#offers.get(name) ?? null);
    }
  }

  #offerOf(name, { words, values }) {
    const field = this.#fields.get(name);
    const [twin] = Object.values(values);
    return {
      words, twin,
      accept: () => {
        for (const [one, value] of Object.entries(values)) this.#fields.get(one)?.write(value);
        this.#follow();
        field.focus();
        this.#options.changed(inDark(name));
      },
      decline: () => {
        this.#declined.set(name, field.value);
        this.#follow();
        field.focus();
      },
    };
  }

  #effectDefinitions() {
    return this.#catalogue.effects.find(({ name }) => name === this.#effect)?.parameters ?? [];
  }

  /**
   * Replaces the fields of the last effect by those of the chosen one, and remembers the last one's
   * values. A value that had no field may have one now.
   */
  #switchEffect() {
    const values = this.effectParameters.map((name) => [name, this.#fields.get(name).read()]);
    this.#remembered.set(this.#effect, Object.fromEntries(values));
    this.#showEffect({
      ...this.#foreign, ...this.#remembered.get(this.#fields.get('effect').value),
    });
    for (const name of this.effectParameters) delete this.#foreign[name];
  }

  #showEffect(values = {}) {
    for (const name of this.effectParameters) this.#fields.delete(name);
    this.#effect = this.#fields.get('effect')?.value;
    const fields = this.#effectDefinitions().map((one) => this.add(one));
    for (const field of fields) field.write(values[field.definition.name]);
    this.#effectFields.replaceChildren(...fields.map(({ root }) => root));
    this.effectRoot.hidden = fields.length === 0;
  }
}

/** Creates a line that explains the field in use; its room is reserved, so that nothing moves. */
function hintLine(root) {
  const line = element('p', { class: 'hint', 'aria-hidden': 'true' });
  const show = (event) => {
    const field = fieldsByRoot.get(event.target?.closest?.('.field'));
    if (!field) return;
    const card = event.target.closest('[data-hint]');
    const [label, hint] = card
      ? [card.textContent, card.dataset.hint] : [field.label, field.hint];
    line.replaceChildren(element('strong', {}, label), ` ${hint}`);
  };
  root.addEventListener('focusin', show);
  root.addEventListener('pointerover', show);
  return line;
}

function onlyFor(formats) {
  return formats ? `${formats.map(({ title }) => title).join(', ')} only` : '';
}

function typed(text, type) {
  return (type === 'number' || type === 'integer') && isNumber(text) ? Number(text) : text;
}

function isDefault(text, { name, type, default: standard }) {
  if (name === 'text') return false;
  if (text === '') return true;
  if (standard === null || standard === undefined) return false;
  if (typeof standard === 'number') return isNumber(text) && Number(text) === standard;
  const isColor = standard !== 'auto' && (type === 'color' || type === 'paint');
  if (isColor) return text.toLowerCase() === standard.toLowerCase();
  return text === String(standard);
}

// Layout: the sections of parameters, their labels and hints.

/** The sections below effect and format; a parameter of none of them is added to the last one. */
const sections = [
  { title: 'Type', open: true,
    names: [
      'font', 'size', 'weight', 'italic', 'letterSpacing', 'lineHeight', 'fontVariations',
      'fontFeatures',
    ] },
  { title: 'Captions', open: true,
    names: [
      'spoken', 'spokenColor', 'spokenScale', 'spokenWeight', 'spokenBox', 'spokenBoxMotion', 'upcomingOpacity', 'pastOpacity',
      'pastColor', 'pageBreak', 'pageWords', 'pageSeconds', 'pagePause', 'offset', 'captionFormat', 'captionUnit',
    ] },
  { title: 'Code', names: ['codeLanguage', 'codeTheme', 'darkCodeTheme', 'lineNumbers', 'firstLine'] },
  { title: 'Colour', open: true,
    names: [
      'color', 'darkColor', 'gradientBox', 'background', 'darkBackground', 'paintMotion', 'paintDuration',
      'paintEasing',
    ] },
  { title: 'Outline and shadow',
    names: ['outlineWidth', 'outlineColor', 'darkOutlineColor', 'shadow', 'darkShadow'] },
  { title: 'Mark',
    names: [
      'mark', 'markColor', 'darkMarkColor', 'markLayer', 'markWidth', 'markStrokes', 'markPadding', 'markDelay',
      'markDuration',
    ] },
  { title: 'Path', names: ['path', 'pathAlign', 'pathOffset', 'pathSide', 'pathRotate'] },
  { title: 'Card',
    names: [
      'card', 'cornerRadius', 'borderWidth', 'borderColor', 'darkBorderColor', 'cardEffect', 'cardDuration',
      'cardEasing', 'cardDirection', 'bar', 'barColor', 'darkBarColor', 'barWidth', 'barGap', 'titleBar',
      'windowTitle', 'backdrop', 'backdropFit', 'backdropDim',
    ] },
  { title: 'Playback', open: true,
    names: ['seed', 'delay', 'hold', 'speed', 'cycle', 'minCycle', 'maxCycle', 'cycleStep', 'loop', 'exit', 'cursor', 'cursorBlink'] },
  { title: 'Canvas',
    names: [
      'fit', 'minSize', 'maxLines', 'wrap', 'width', 'height', 'maxWidth', 'padding', 'room',
      'align', 'valign', 'safeArea',
    ] },
  { title: 'Output', names: ['title', 'animate'] },
];

const inSections = new Set(sections.flatMap((section) => section.names));

/** Parameters that matter for several texts only. */
const ofSeveral = ['sequence', 'flow', 'gap', 'spacing'];

/** Parameters above the sections. */
const aboveSections = new Set([
  'text', 'markup', 'preset', 'effect', 'blocks', 'captions', 'at', 'until', 'times', 'for', 'format', 'scheme', ...ofSeveral,
]);

/** Labels that differ from the parameter's name in words. */
const labels = {
  acceleration: 'Gets faster by', animate: 'Moves', borderColor: 'Border colour',
  backdrop: 'Picture behind', backdropDim: 'Picture dimmed by', backdropFit: 'Picture fits',
  bar: 'Bar beside the text', barColor: 'Bar colour', barGap: 'Bar distance', barWidth: 'Bar width',
  borderWidth: 'Border', boxes: 'Boxes of words', by: 'Moves as one', card: 'Card covers', cardDirection: 'Card moves', cardDuration: 'Card takes',
  cardEasing: 'Card easing', cardEffect: 'Card comes by', captionFormat: 'Format of the file', captionUnit: 'Unit of its times', chance: 'Later chance', charset: 'Stand-ins',
  codeLanguage: 'Language', codeTheme: 'Colours', color: 'Text', cornerRadius: 'Corners',
  cursorBlink: 'Cursor blinks', cycle: 'Total length', cycleStep: 'A multiple of',
  darkBackground: 'Background in dark', darkBarColor: 'Bar in dark', darkBorderColor: 'Border in dark',
  darkCodeTheme: 'Colours in dark', darkColor: 'Text in dark', darkMarkColor: 'Mark in dark',
  darkOutlineColor: 'Outline in dark', darkShadow: 'Shadow in dark', fadeDuration: 'Fading takes',
  description: 'Described as', fit: 'Size to fit', flow: 'Texts stand', for: 'Where does it go?', foldCase: 'Ignore case',
  fontVariations: 'Axes', fontFeatures: 'Features', format: 'File format', fps: 'Frame rate',
  fromScale: 'Size at the start', fromSpread: 'Spread at the start', frames: 'Size of frames', gap: 'Pause between', gradientBox: 'Gradient over',
  groupDelay: 'Letter pause', ids: 'Names begin with', jitter: 'Unevenness', lead: 'Flickers for',
  keepSize: 'Keep the size',
  letterSpacing: 'Letter spacing', levels: 'Levels of colour', lineHeight: 'Line height', loop: 'Repeats', lottieVersion: 'Version of Lottie', mark: 'Drawn by hand',
  markColor: 'Mark colour', markDelay: 'Mark waits', markDuration: 'Mark takes', markLayer: 'Mark lies',
  markPadding: 'Mark distance', markStrokes: 'Mark strokes', markWidth: 'Mark width', mask: 'Shows within',
  matte: 'Edges blend with',
  maxBytes: 'Most bytes', maxCycle: 'Longest', maxFrames: 'Most frames', minCycle: 'Shortest',
  maxLines: 'Most lines', maxTicks: 'Most steps', maxWidth: 'Widest', minFrames: 'Fewest frames',
  minSize: 'Smallest size', outlines: 'Shapes of glyphs',
  outlineColor: 'Outline colour', outlineWidth: 'Outline', paintDuration: 'A turn takes',
  paintEasing: 'How it turns', paintMotion: 'Gradients move',
  path: 'Runs along', pauseAfterCommand: 'Pause after a command', pathAlign: 'Place on the path', pathOffset: 'Moved along by',
  pageBreak: 'A page ends after', pagePause: 'A pause that ends it', pageSeconds: 'Most seconds of a page', pageWords: 'Most words of a page',
  offset: 'Everything comes later by', part: 'Frames of', pastColor: 'Colour of past words', pastOpacity: 'Opacity of past words', pathRotate: 'Letters turn', pathSide: 'Side of the path', poster: 'Stands as', preset: 'Look',
  quality: 'Picture quality', radius: 'Blur', room: 'Room for', scale: 'Pixel density', scheme: 'Colour scheme',
  sequence: 'How do they follow each other?',
  spacing: 'Space between', spoken: 'The spoken word has', spokenBox: 'Its box', spokenBoxMotion: 'Its box moves by', spokenColor: 'Its colour',
  spokenScale: 'It is larger by', spokenWeight: 'Its weight', strokeWidth: 'Line width', svg: 'Glyphs are drawn',
  upcomingOpacity: 'Opacity of coming words', tick: 'Step', time: 'Moment', timecode: 'Timecode of the start', title: 'Spoken name', valign: 'Vertical align', windowTitle: 'Title in the bar',
  wrap: 'Line breaks',
};

/** Parameters whose sentence stands below them, because a label does not say enough. */
const explained = new Set([
  'acceleration', 'backdrop', 'by', 'cardEffect', 'chance', 'charset', 'cycle', 'cycleStep', 'delay', 'erase', 'exit', 'firstChance', 'fit',
  'foldCase', 'fps', 'frames', 'gap', 'groupDelay', 'hold', 'jitter', 'keepSize', 'lead', 'levels', 'lottieVersion', 'markup', 'mask', 'matte',
  'maxBytes', 'maxCycle', 'maxFrames', 'maxTicks', 'maxWidth', 'minCycle', 'minSize', 'part', 'path', 'pathSide', 'poster', 'room', 'scale', 'scheme', 'seed',
  'spacing', 'tick', 'time', 'timecode', 'title', 'typos', 'wrap',
]);

/**
 * Returns the parameters below the menu of formats, each shown while a format that reads it is
 * chosen. Those of the most formats come first, and keep their position as formats change.
 */
function formatParameters(parameters) {
  return parameters
    .filter((one) => one.formats && hasChoice(one) && !inSections.has(one.name))
    .sort((one, other) => other.formats.length - one.formats.length);
}

/** Returns the sections with the definitions of their parameters. */
function sectionsOf(parameters) {
  const elsewhere = new Set([
    ...aboveSections, ...formatParameters(parameters).map(({ name }) => name),
  ]);
  const shown = parameters.filter((one) => hasChoice(one) && !elsewhere.has(one.name));
  return sections.map((section, index) => {
    const named = section.names.flatMap((name) => shown.filter((one) => one.name === name));
    const rest = shown.filter((one) => !inSections.has(one.name));
    const isLast = index === sections.length - 1;
    return { ...section, definitions: isLast ? [...named, ...rest] : named };
  }).filter((section) => section.definitions.length > 0);
}

/** True if a parameter has more than one valid value. */
function hasChoice({ values, minimum, maximum, words = [] }) {
  if (values) return values.length > 1;
  return minimum === undefined || minimum !== maximum || words.length > 0;
}

/** Returns a parameter's name as a label: `groupDelay` is "Group delay". */
function labelOf(name) {
  if (labels[name]) return labels[name];
  return capitalized(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase());
}

/** Returns a parameter's description with range and default. */
function hintOf({ description, unit, minimum, maximum, members, default: standard, type }) {
  const facts = [];
  const suffix = unit ? (unit === '°' ? unit : ` ${unit}`) : '';
  if (minimum !== undefined && maximum < 1e6) facts.push(`${minimum} to ${maximum}${suffix}`);
  if (members) facts.push(Object.keys(members).join(', '));
  if (standard !== null && type !== 'boolean' && !members) facts.push(`default ${standard}`);
  return facts.length ? `${description} ${facts.join(', ')}.` : description;
}
