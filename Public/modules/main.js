import { keepInAddress, requestInAddress, watchAddress } from './address.js';
import { loadCatalogue } from './catalogue.js';
import { Embed } from './embed.js';
import { Form } from './form.js';
import { explain } from './hint.js';
import { Live } from './live.js';
import { Preview } from './preview.js';
import { warningsOf } from './render.js';
import { example } from './request.js';

/** Milliseconds without a change before what costs another request is asked for. */
const settling = 700;

/** A change of these is seen in the finished text: the picture keeps its instant. */
const standing = new Set([
  'markup', 'font', 'size', 'weight', 'italic', 'letterSpacing', 'lineHeight', 'color',
  'darkColor', 'background', 'darkBackground', 'width', 'height', 'padding', 'align', 'valign',
  'title',
]);

const controls = document.querySelector('#controls');
const preview = new Preview(document.querySelector('#preview'));
const embed = new Embed(document.querySelector('#embed'));
let form = null;
let fromStart = true;
let settled = 0;

const live = new Live({
  definition: (name) => form?.definition(name),
  async answered(request, rendering, signal) {
    form?.show([]);
    preview.notices.accept();
    const cycles = request.loop === 'infinite' ? Infinity : Number(request.loop ?? 1);
    await preview.show(rendering, { cycles, fromStart });
    fromStart = false;
    embed.show(request, rendering);
    if (rendering.permalink) whenSettled(() => showWarnings(rendering.permalink, signal));
  },
  refused(refusal) {
    const rest = form?.show(refusal.faults) ?? refusal.faults;
    const hasFields = rest.length < refusal.faults.length;
    preview.stale = true;
    preview.notices.refuse(
      hasFields ? 'This is the last good picture; see the marked fields.' : refusal.message,
      rest, (name) => { form?.forget(name); changed(name); });
  },
});

function changed(name) {
  if (name !== 'text' && !standing.has(name)) fromStart = true;
  keepInAddress(form.read());
  live.schedule(() => form.read());
  // New words stand at once while one types, and are played when one stops.
  if (name === 'text') typed = true;
  whenSettled(() => {});
}

let typed = false;

function whenSettled(then) {
  clearTimeout(settled);
  settled = setTimeout(() => {
    if (typed) preview.restart();
    typed = false;
    then();
  }, settling);
}

async function showWarnings(permalink, signal) {
  const warnings = await warningsOf(permalink, signal).catch(() => []);
  if (!signal.aborted) preview.notices.warn(warnings);
}

/** Shows a request from outside: the address, or the example. */
function open(request) {
  fromStart = true;
  form?.write(request);
  live.ask(request);
}

async function start() {
  const request = requestInAddress() ?? example;
  open(request);
  const catalogue = await loadCatalogue();
  form = new Form(controls, catalogue, changed);
  form.write(request);
  controls.append(explain(form, controls));
  embed.formats = catalogue.formats;
  watchAddress((next) => open(next ?? example));
}

start().catch((error) => {
  controls.replaceChildren(`The controls could not be loaded: ${error.message}`);
});
