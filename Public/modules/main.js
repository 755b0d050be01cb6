import { loadCatalogue } from './catalogue.js';
import { element } from './dom.js';
import { Form } from './form.js';
import {
  example, formatOf, isShort, keepInAddress, plainTextOf, requestInAddress, watchAddress,
} from './request.js';
import { LiveRendering, detailsOf } from './server.js';

/** A change of these is seen in the finished text: the picture keeps its instant. */
const seenAtRest = new Set([
  'text', 'markup', 'font', 'size', 'weight', 'italic', 'letterSpacing', 'lineHeight', 'color',
  'darkColor', 'background', 'darkBackground', 'width', 'height', 'padding', 'align', 'valign',
  'spacing', 'title', 'format',
]);

/** Milliseconds without a change after which a request counts as settled. */
const settling = 700;

/** Calls back once nothing has changed for a while. */
class Debouncer {
  #timer = 0;
  #callbacks = new Map();

  /** Calls back after the next pause; one callback of each name. */
  then(name, callback) {
    this.#callbacks.set(name, callback);
    this.restart();
  }

  /** Starts the waiting anew. */
  restart() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const callbacks = [...this.#callbacks.values()];
      this.#callbacks.clear();
      for (const callback of callbacks) callback();
    }, settling);
  }

  forget(name) {
    this.#callbacks.delete(name);
  }
}

const controls = document.querySelector('#controls');
const settled = new Debouncer();
const live = new LiveRendering({ asked, answered, refused });
/** What shows pictures. A slow line brings it after the controls, for which it is not needed. */
const viewers = loadViewers();
let form = null;
let fromStart = true;
let refusal = null;

async function loadViewers() {
  const [{ Preview }, { Embed }] = await Promise.all([
    import('./preview.js'), import('./embed.js'),
  ]);
  return {
    preview: new Preview(document.querySelector('#preview')),
    embed: new Embed(document.querySelector('#embed')),
  };
}

async function asked(request) {
  const { preview } = await viewers;
  preview.wait(formatOf(request, live.catalogue.formats)?.title ?? request.format);
}

async function answered(request, rendering, signal) {
  const { preview, embed } = await viewers;
  if (signal.aborted) return;
  refusal = null;
  form?.show([]);
  preview.accept();
  const shown = await preview.show({
    ...rendering,
    cycles: request.loop === 'infinite' ? Infinity : Number(request.loop ?? 1),
    scale: Number(request.scale ?? 1),
    time: request.time ?? 'end',
    text: plainTextOf(request),
  }, fromStart);
  if (!shown) return;
  fromStart = false;
  embed.show(request, shown);
  settled.then('details', () => showDetails(preview, rendering, signal));
}

async function refused(latest) {
  refusal = latest;
  const { preview } = await viewers;
  // Another answer may have come meanwhile.
  if (refusal !== latest) return;
  settled.forget('replay');
  preview.refuse(latest, form?.show(latest.faults) ?? latest.faults);
}

async function showDetails(preview, rendering, signal) {
  try {
    const { warnings, blocks } = await detailsOf(rendering, live.catalogue, signal);
    if (signal.aborted) return;
    preview.warn(warnings, blocks.length > 1);
    preview.phases = blocks;
  } catch (error) {
    if (signal.aborted) return;
    preview.warn([{ message: `The warnings of this picture are unknown: ${error.message}.` }]);
    preview.phases = [];
  }
}

/** The user has changed a parameter. */
function changed(name) {
  if (!seenAtRest.has(name)) fromStart = true;
  // A new text stands at once while someone types, and plays when they stop.
  if (name === 'text') settled.then('replay', async () => (await viewers).preview.replay());
  else settled.restart();
  keepInAddress(form.read());
  live.schedule(() => form.read());
}

/** Shows a request from outside: the address's, or the example. */
function open(request) {
  fromStart = true;
  form.write(request);
  live.ask(form.read());
}

/** Whether nothing need be known of the server to ask for it. */
function isPlain(request) {
  return isShort(request) && request.format === undefined;
}

function say(words) {
  controls.replaceChildren(element('p', { class: 'loading', role: 'status' }, words));
}

async function start() {
  const request = requestInAddress() ?? example;
  // The picture need not wait for the controls, unless types or formats matter.
  if (isPlain(request)) live.ask(request);
  const catalogue = await loadCatalogue(({ message, retryAfter }) => {
    say(`The controls cannot be loaded yet. ${message}. Trying again in ${retryAfter} s.`);
  });
  live.catalogue = catalogue;
  form = new Form(controls, catalogue, changed);
  form.write(request);
  if (!isPlain(request)) live.ask(form.read());
  if (refusal) refused(refusal);
  watchAddress((next) => open(next ?? example));
}

start().catch((error) => say(`The controls could not be loaded. ${error.message}.`));
viewers.catch((error) => {
  document.querySelector('#preview').textContent
    = `The preview could not be loaded. ${error.message}.`;
});
