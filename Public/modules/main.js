import { element } from './controls.js';
import { placeOf } from './delivery.js';
import { Form } from './form.js';
import { StepControls, Steps, isChoice } from './history.js';
import { valuesOf } from './presets.js';
import {
  emptyTextIn, examples, formatOf, isComplete, isForDark, isImage, isNumber, isShort, keepInAddress,
  plainTextOf, requestInAddress, toQuery, watchAddress,
} from './request.js';
import { LiveRendering, ServerError, detailsOf, embeddingOf, loadCatalogue } from './server.js';
import { holdThumbnails } from './thumbnails.js';

/** Parameters that show in the finished text: while they change, the picture is at its end. */
const seenAtRest = new Set([
  'text', 'markup', 'font', 'size', 'weight', 'italic', 'fontFeatures', 'fontVariations',
  'letterSpacing', 'lineHeight', 'color', 'darkColor', 'gradientBox', 'outlineWidth',
  'outlineColor', 'darkOutlineColor', 'shadow', 'darkShadow', 'mark', 'markColor', 'darkMarkColor',
  'markLayer', 'markWidth', 'markStrokes', 'markPadding', 'background', 'darkBackground',
  'cornerRadius', 'borderWidth', 'borderColor', 'darkBorderColor', 'bar', 'barColor', 'darkBarColor',
  'barWidth', 'barGap', 'width', 'height', 'padding',
  'align', 'valign', 'card', 'safeArea', 'spacing', 'flow', 'title', 'format', 'codeLanguage', 'codeTheme', 'darkCodeTheme',
  'lineNumbers', 'firstLine', 'titleBar', 'windowTitle', 'path', 'pathAlign', 'pathOffset', 'pathSide',
  'pathRotate', 'pictures', 'backdrop', 'backdropFit', 'backdropDim',
]);

/** Milliseconds without a change after which a request counts as settled. */
const settlingTime = 700;

/** The same for galleries, whose pictures would hold up that of the next key. */
const calmTime = 1500;

/** The width of a README's text on GitHub, in CSS pixels. */
const readmeWidth = 830;

/** Calls back once nothing has changed for a while. */
class Debouncer {
  #pause;
  #timer = 0;
  #callbacks = new Map();

  /** @param pause the milliseconds without a change. */
  constructor(pause) {
    this.#pause = pause;
  }

  /** Calls back after the next pause; a later callback replaces an earlier one of its name. */
  then(name, callback) {
    this.#callbacks.set(name, callback);
    this.restart();
  }

  /** Restarts the pause. */
  restart() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const callbacks = [...this.#callbacks.values()];
      this.#callbacks.clear();
      for (const callback of callbacks) callback();
    }, this.#pause);
  }

  cancel(name) {
    this.#callbacks.delete(name);
  }
}

const controls = document.querySelector('#controls');
const settled = new Debouncer(settlingTime);
const calm = new Debouncer(calmTime);
const live = new LiveRendering({ started, outlined, rendered, failed });
/** The preview and the snippets. A slow line loads them after the controls, which need neither. */
const views = loadViews();
let form = null;
/** The steps that can be undone, once there is a form. */
let steps = null;
/** True once there has been a picture; those of effects and presets come after it. */
let hasPicture = false;
/** True where the next picture plays from its start; else it keeps the instant. */
let fromStart = true;
/** The error of the last request, or null. */
let lastError = null;
/** True while the request is that of an address whose captions are not there. */
let lacksCaptions = false;
/** The example that was shown last. */
let exampleIndex = 0;

async function loadViews() {
  const { Preview, Snippets } = await import('./preview.js');
  const preview = new Preview(document.querySelector('#preview'));
  const snippets = new Snippets(document.querySelector('#embed'), {
    save: () => preview.download.save(),
    tell: (words) => preview.tell(words),
    async makeTyping() {
      const { TypingLink } = await import('./typing.js');
      return new TypingLink().root;
    },
  });
  preview.actions.append(snippets.copyButton);
  return { preview, snippets };
}

async function started(request) {
  const { preview } = await views;
  preview.wait(formatOf(request, live.catalogue.formats)?.title ?? request.format);
}

async function outlined(request, outline, signal) {
  const { preview } = await views;
  if (signal.aborted) return;
  const { loop = 1 } = { ...valuesOf(request.preset, live.catalogue.presets ?? []), ...request };
  const cycles = loop === 'infinite' ? Infinity : Number(loop);
  preview.outline({ ...outline, cycles }, fromStart, signal);
}

async function rendered(request, rendering, signal) {
  const { preview, snippets } = await views;
  if (signal.aborted) return;
  lastError = null;
  form?.show([]);
  preview.clearError();
  if (form) form.duration = rendering.duration;
  const presets = live.catalogue?.presets ?? [];
  const { loop = 1, scale = 1, time = 'end' } = {
    ...valuesOf(request.preset, presets), ...request,
  };
  const shown = await preview.show({
    ...rendering,
    cycles: loop === 'infinite' ? Infinity : Number(loop),
    scale: Number(scale),
    time,
    text: plainTextOf(request),
    place: placeOf(request, live.catalogue),
  }, fromStart);
  if (!shown) return;
  fromStart = false;
  snippets.show(request, shown);
  if (hasPicture) calm.then('illustrate', () => form?.illustrate());
  else form?.illustrate();
  hasPicture = true;
  settled.then('details', () => showDetails(preview, request, rendering, signal));
  settled.then('embed', () => showEmbedding(snippets, request, signal));
}

async function failed(error) {
  lastError = error;
  const { preview } = await views;
  // Another answer may have come meanwhile.
  if (lastError !== error) return;
  settled.cancel('replay');
  preview.showError(error, form?.show(error.faults) ?? error.faults);
  const isTooWide = error.faults.some(({ parameter }) => parameter === 'width');
  if (isTooWide && form?.values.width === '') {
    preview.warn([{ message: 'The text is wider than any picture.', action: fitInReadme() }]);
  }
}

async function showDetails(preview, { captions }, rendering, signal) {
  try {
    const details = await detailsOf(rendering, live.catalogue, signal);
    if (signal.aborted) return;
    const { warnings, blocks } = details;
    preview.warn([
      ...form?.advice ?? [], ...adviceOnWidth(rendering, details),
      ...warnings.map((warning) => withAction(warning, details)),
    ], blocks.length > 1);
    preview.phases = blocks;
    form?.takeRendering(captions, details);
  } catch (error) {
    if (signal.aborted) return;
    preview.warn([{ message: `The warnings of this picture are unknown: ${error.message}.` }]);
    preview.phases = [];
  }
}

/** Shows the server's own code; while there is none, that of the page stays. */
async function showEmbedding(snippets, request, signal) {
  const embedding = await embeddingOf(request, live.catalogue, signal).catch(() => null);
  if (embedding && !signal.aborted) snippets.complete(embedding);
}

/** Adds to a warning what mends it, if that is a padding or another size of the text. */
function withAction({ padding, ...warning }, details) {
  if (padding !== undefined) {
    const values = { padding: String(padding) };
    return { ...warning, action: setting(`Set padding to ${padding} px`, values, 'padding') };
  }
  const isCutOff = warning.code === 'clipped' && isLargerThanCanvas(details);
  return isCutOff ? { ...warning, action: setting('Make it fit', { fit: 'shrink' }, 'fit') } : warning;
}

/** Returns advice on a picture that is as wide as its text, and wider than a README. */
function adviceOnWidth({ format }, { width }) {
  const isGiven = ['width', 'maxWidth'].some((name) => isNumber(form?.values[name] ?? ''));
  if (!form || isGiven || width <= readmeWidth || !isImage(format)) return [];
  return [{
    message: `A README is ${readmeWidth} px wide, and shows this smaller.`, action: fitInReadme(),
  }];
}

function fitInReadme() {
  return setting('Make it fit', { fit: 'shrink', maxWidth: String(readmeWidth) }, 'fit');
}

/** Returns the action that gives parameters values. */
function setting(words, values, name) {
  return { words, act: () => form?.set(values, name) };
}

/** True if a text at rest goes past the edges of the JSON rendering's canvas. */
function isLargerThanCanvas({ width, height, blocks }) {
  return blocks.some(({ rect }) => rect.x < 0 || rect.y < 0
    || rect.x + rect.width > width || rect.y + rect.height > height);
}

/** Handles a parameter that the user has changed, or a part of captions, whose instant is in view. */
function changed(name) {
  lacksCaptions = false;
  const isPart = name === null || name.startsWith('captions[');
  if (seenAtRest.has(name)) {
    // What someone types or drags is seen whole; it plays once they pause.
    views.then(({ preview }) => preview.rest());
    settled.then('replay', async () => (await views).preview.replay());
  } else {
    fromStart ||= !isPart;
    settled.restart();
  }
  if (name === 'text') holdThumbnails(calmTime);
  calm.restart();
  if (isForDark(name)) views.then(({ preview }) => preview.compare());
  steps.add(form.state, name);
  keepInAddress(form.read(), isChoice(name));
  refresh();
}

/** Renders what the form says; where a text is empty there is nothing to render. */
function refresh() {
  const request = form.read();
  const empty = emptyTextIn(request);
  if (empty < 0) {
    live.schedule(() => form.read());
    return;
  }
  live.cancel();
  if (lacksCaptions) {
    const message = 'is not in the address: choose it again, or type something';
    failed(new ServerError('The captions are missing', [{ parameter: 'captions', message }]));
    return;
  }
  const parameter = request.blocks ? `blocks[${empty}].text` : 'text';
  failed(new ServerError('Type something', [{ parameter, message: 'Type something.' }]));
}

/** Shows a request from outside: the address's, or an example. */
function open(request) {
  fromStart = true;
  lacksCaptions = isOfMissingCaptions(request);
  form.write(request);
  steps.add(form.state, null);
  refresh();
}

/** True for a request that an address has of captions: without them, and without a text. */
function lacksTexts({ text, blocks, captions }) {
  return [text, blocks, captions].every((one) => one === undefined);
}

function isOfMissingCaptions(request) {
  return lacksTexts(request) && (request.preset ?? '').startsWith('captions');
}

/** Adds the captions of the form to a request of the address, if that has no text, or they would be lost. */
function withCaptions(request) {
  const { captions } = form.read();
  if (captions === undefined || !lacksTexts(request) && !form.hasUnsavedCaptions) return request;
  const { text, markup, blocks, ...rest } = request;
  return { ...rest, captions };
}

/** Shows the next example that is not shown already. */
function showExample() {
  const shown = toQuery(form.read());
  do exampleIndex = (exampleIndex + 1) % examples.length;
  while (toQuery(examples[exampleIndex]) === shown);
  keepInAddress(examples[exampleIndex], true);
  open(examples[exampleIndex]);
}

/** Goes a step back (-1) or forth (1). */
function go(step) {
  const state = steps.go(step);
  if (!state) return;
  fromStart = true;
  form.write(state);
  keepInAddress(form.read());
  refresh();
}

/** True if a request can be sent, and its picture shown, before the catalogue is known. */
function needsNoCatalogue(request) {
  const isKnown = request === examples[0] || request.preset === undefined;
  const isUsual = request.format === undefined && request.for === undefined;
  return isKnown && isUsual && isShort(request) && isComplete(request) && emptyTextIn(request) < 0;
}

function showStatus(words) {
  controls.replaceChildren(element('p', { class: 'loading', role: 'status' }, words));
}

async function start() {
  const request = requestInAddress() ?? examples[0];
  if (needsNoCatalogue(request)) live.render(request);
  const catalogue = await loadCatalogue(({ message, retryAfter }) => {
    showStatus(`The controls cannot be loaded yet. ${message}. Trying again in ${retryAfter} s.`);
  });
  live.catalogue = catalogue;
  form = new Form(controls, catalogue, changed, async (seconds) => (await views).preview.seek(seconds));
  lacksCaptions = isOfMissingCaptions(request);
  form.write(request);
  steps = new Steps(form.state);
  new StepControls(document.querySelector('#steps'), steps, {
    owns: (target) => controls.contains(target) || form.output.contains(target), go,
  });
  views.then(({ preview }) => { preview.download.fields = form.output; });
  if (!needsNoCatalogue(request)) refresh();
  if (hasPicture) form.illustrate();
  if (lastError) failed(lastError);
  watchAddress((next) => open(withCaptions(next ?? examples[0])));
  document.querySelector('#example').onclick = showExample;
}

// The part of the address behind `#` is the request.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.querySelector('#embed').focus();
});

start().catch((error) => showStatus(`The controls could not be loaded. ${error.message}.`));
views.catch((error) => {
  document.querySelector('#preview').textContent
    = `The preview could not be loaded. ${error.message}.`;
});
