import { element } from './controls.js';
import { Form } from './form.js';
import { valuesOf } from './presets.js';
import {
  example, formatOf, isComplete, isForDark, isShort, keepInAddress, plainTextOf, requestInAddress,
  watchAddress,
} from './request.js';
import { LiveRendering, detailsOf, embeddingOf, loadCatalogue } from './server.js';

/** Parameters that show in the finished text: after a change the picture keeps its instant. */
const seenAtRest = new Set([
  'text', 'markup', 'font', 'size', 'weight', 'italic', 'fontFeatures', 'fontVariations',
  'letterSpacing', 'lineHeight', 'color', 'darkColor', 'gradientBox', 'outlineWidth',
  'outlineColor', 'darkOutlineColor', 'shadow', 'darkShadow', 'background', 'darkBackground',
  'cornerRadius', 'borderWidth', 'borderColor', 'darkBorderColor', 'width', 'height', 'padding',
  'align', 'valign', 'spacing', 'title', 'format',
]);

/** Milliseconds without a change after which a request counts as settled. */
const settlingTime = 700;

/** Calls back once nothing has changed for a while. */
class Debouncer {
  #timer = 0;
  #callbacks = new Map();

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
    }, settlingTime);
  }

  cancel(name) {
    this.#callbacks.delete(name);
  }
}

const controls = document.querySelector('#controls');
const settled = new Debouncer();
const live = new LiveRendering({ started, rendered, failed });
/** The preview and the snippets. A slow line loads them after the controls, which need neither. */
const views = loadViews();
let form = null;
/** True once there has been a picture; those of effects and presets come after it. */
let hasPicture = false;
/** True where the next picture plays; else it keeps the instant, and the first one is at rest. */
let fromStart = true;
/** The error of the last request, or null. */
let lastError = null;

async function loadViews() {
  const { Preview, Snippets } = await import('./preview.js');
  const preview = new Preview(document.querySelector('#preview'));
  const snippets = new Snippets(document.querySelector('#embed'), async () => {
    const { TypingLink } = await import('./typing.js');
    return new TypingLink().root;
  });
  preview.actions.append(snippets.copyButton);
  return { preview, snippets };
}

async function started(request) {
  const { preview } = await views;
  preview.wait(formatOf(request, live.catalogue.formats)?.title ?? request.format);
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
  }, fromStart);
  if (!shown) return;
  fromStart = false;
  snippets.show(request, shown);
  if (hasPicture) settled.then('illustrate', () => form?.illustrate());
  else form?.illustrate();
  hasPicture = true;
  settled.then('details', () => showDetails(preview, rendering, signal));
  settled.then('embed', () => showEmbedding(snippets, request, signal));
}

async function failed(error) {
  lastError = error;
  const { preview } = await views;
  // Another answer may have come meanwhile.
  if (lastError !== error) return;
  settled.cancel('replay');
  preview.showError(error, form?.show(error.faults) ?? error.faults);
}

async function showDetails(preview, rendering, signal) {
  try {
    const { warnings, blocks } = await detailsOf(rendering, live.catalogue, signal);
    if (signal.aborted) return;
    preview.warn([...form?.advice ?? [], ...warnings.map(withAction)], blocks.length > 1);
    preview.phases = blocks;
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

/** Adds to a warning what mends it, if that is a padding. */
function withAction({ padding, ...warning }) {
  if (padding === undefined) return warning;
  const action = {
    words: `Set padding to ${padding} px`, act: () => form?.set('padding', String(padding)),
  };
  return { ...warning, action };
}

/** Handles a parameter that the user has changed. */
function changed(name) {
  if (!seenAtRest.has(name)) fromStart = true;
  // While someone types, the text is shown at rest; it plays once they pause.
  if (name === 'text') settled.then('replay', async () => (await views).preview.replay());
  else settled.restart();
  if (isForDark(name)) views.then(({ preview }) => preview.compare());
  keepInAddress(form.read());
  live.schedule(() => form.read());
}

/** Shows a request from outside: the address's, or the example. */
function open(request) {
  fromStart = true;
  form.write(request);
  live.render(form.read());
}

/** True if a request can be sent, and its picture shown, before the catalogue is known. */
function needsNoCatalogue(request) {
  const isKnown = request === example || request.preset === undefined;
  return isKnown && isShort(request) && request.format === undefined && isComplete(request);
}

function showStatus(words) {
  controls.replaceChildren(element('p', { class: 'loading', role: 'status' }, words));
}

async function start() {
  const request = requestInAddress() ?? example;
  // Nobody has asked for motion yet: the finished text is a better first sight than half of it.
  fromStart = request !== example;
  if (needsNoCatalogue(request)) live.render(request);
  const catalogue = await loadCatalogue(({ message, retryAfter }) => {
    showStatus(`The controls cannot be loaded yet. ${message}. Trying again in ${retryAfter} s.`);
  });
  live.catalogue = catalogue;
  form = new Form(controls, catalogue, changed);
  form.write(request);
  if (!needsNoCatalogue(request)) live.render(form.read());
  if (hasPicture) form.illustrate();
  if (lastError) failed(lastError);
  watchAddress((next) => open(next ?? example));
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
