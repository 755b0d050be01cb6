import { keepInAddress, requestInAddress, watchAddress } from './address.js';
import { Calm } from './calm.js';
import { loadCatalogue } from './catalogue.js';
import { Embed } from './embed.js';
import { Form } from './form.js';
import { formatOf } from './formats.js';
import { explain } from './hint.js';
import { Live } from './live.js';
import { Preview } from './preview.js';
import { detailsOf } from './render.js';
import { example, isShort, wordsOf } from './request.js';
import { fileNameOf } from './words.js';

/** A change of these is seen in the finished text: the picture keeps its instant. */
const standing = new Set([
  'text', 'markup', 'font', 'size', 'weight', 'italic', 'letterSpacing', 'lineHeight', 'color',
  'darkColor', 'background', 'darkBackground', 'width', 'height', 'padding', 'align', 'valign',
  'spacing', 'title', 'format',
]);

const controls = document.querySelector('#controls');
const preview = new Preview(document.querySelector('#preview'));
const embed = new Embed(document.querySelector('#embed'));
const calm = new Calm();
const live = new Live({ asked, answered, refused });
let form = null;
let fromStart = true;
let refusal = null;

function asked(request) {
  preview.wait(formatOf(request, live.catalogue.formats)?.title ?? request.format);
}

async function answered(request, rendering, signal) {
  refusal = null;
  form?.show([]);
  preview.notices.accept();
  const shown = await preview.show({
    ...rendering,
    cycles: request.loop === 'infinite' ? Infinity : Number(request.loop ?? 1),
    scale: Number(request.scale ?? 1),
    time: request.time ?? 'end',
    name: fileNameOf(wordsOf(request)),
  }, fromStart);
  if (!shown) return;
  fromStart = false;
  embed.show(request, shown);
  calm.then('details', () => showDetails(rendering, signal));
}

function refused(latest) {
  refusal = latest;
  calm.forget('replay');
  const rest = form?.show(latest.faults) ?? [];
  preview.stale = true;
  preview.notices.refuse(remark(latest, rest), rest, (name) => {
    form.forget(name);
    changed(name);
  });
}

function remark({ message, faults }, rest) {
  if (rest.length === faults.length) return message;
  return preview.isEmpty
    ? 'There is no picture yet: see the marked fields.'
    : 'This is the last good picture: see the marked fields.';
}

async function showDetails(rendering, signal) {
  const { warnings, blocks } = await detailsOf(rendering, live.catalogue, signal)
    .catch(() => ({ warnings: [], blocks: [] }));
  if (signal.aborted) return;
  preview.notices.warn(warnings, blocks.length > 1);
  preview.phases = blocks;
}

/** A hand has changed a parameter. */
function changed(name) {
  if (!standing.has(name)) fromStart = true;
  // New words stand at once while one types, and play when one stops.
  if (name === 'text') calm.then('replay', () => preview.replay());
  else calm.disturb();
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

async function start() {
  const request = requestInAddress() ?? example;
  // The picture need not wait for the controls, unless types or formats matter.
  if (isPlain(request)) live.ask(request);
  const catalogue = await loadCatalogue();
  live.catalogue = catalogue;
  form = new Form(controls, catalogue, changed);
  form.write(request);
  controls.append(explain(controls));
  if (!isPlain(request)) live.ask(form.read());
  if (refusal) refused(refusal);
  watchAddress((next) => open(next ?? example));
}

start().catch((error) => {
  controls.replaceChildren(`The controls could not be loaded. ${error.message}`);
});
