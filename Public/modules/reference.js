import { element } from './controls.js';
import { loadCatalogue } from './server.js';
import { ink, thumbnailAddress } from './thumbnails.js';

// The page of what there is: effects, looks, fonts, and the API, from the server's own documents.

const main = document.querySelector('#reference');

/** Returns a section that the header leads to. */
function section(id, title, summary, ...children) {
  return element(
    'section', { 'aria-labelledby': id }, element('h2', { id }, title), element('p', {}, summary),
    ...children);
}

function table(heads, rows) {
  const row = (tag, cells) => element('tr', {}, ...cells.map((cell) => element(tag, {}, ...[cell].flat())));
  return element(
    // It is wider than a telephone, and scrolls by keys too.
    'div', { class: 'table', tabIndex: 0, role: 'group', 'aria-label': heads.join(', ') },
    element(
      'table', {}, element('thead', {}, row('th', heads)),
      element('tbody', {}, ...rows.map((cells) => row('td', cells)))));
}

function code(text) {
  return element('code', {}, text);
}

/** Returns a picture that is loaded once it is in view. */
function picture(text, values) {
  return element('img', {
    class: 'sample', loading: 'lazy', alt: '', src: thumbnailAddress([text], values),
  });
}

/** Returns an address of the page of controls with a request. */
function studio(request) {
  return `/#${new URLSearchParams(request)}`;
}

function parameterTable(parameters) {
  return table(
    ['Parameter', 'Takes', 'Default', 'Meaning'],
    parameters.map((one) => [code(one.name), takes(one), defaultOf(one), one.description]));
}

/** Returns what a parameter takes, in words. */
function takes({ type, values, minimum, maximum, unit, words, apart, maxLength }) {
  if (values) return values.flatMap((value) => [code(value), ' ']);
  if (type === 'boolean') return [code('true'), ' ', code('false')];
  const others = [...words, apart].filter((one) => one !== undefined)
    .flatMap((one) => [' or ', code(one)]);
  if (minimum !== undefined) {
    const suffix = unit ? (unit === '°' ? unit : ` ${unit}`) : '';
    const range = maximum < 1e6 ? `${minimum} to ${maximum}${suffix}` : `${minimum} and more`;
    const kind = type === 'integer' ? 'whole number, ' : '';
    return [kind + range, ...others];
  }
  if (maxLength !== undefined) return `text of 1 to ${maxLength} characters`;
  return [kinds[type] ?? type, ...others];
}

const kinds = {
  string: 'text', color: 'colour', paint: 'colour or gradient', array: 'list', easing: 'easing',
};

function defaultOf({ default: standard }) {
  return standard === null || standard === undefined ? 'none' : code(String(standard));
}

function effectsSection({ effects }) {
  return section(
    'effects', 'Effects', 'How a text comes alive. Most of them also play in reverse, as exits.',
    ...effects.map(({ name, title, parameters }) => {
      const isComplete = parameters.every(({ type }) => type !== 'keyframes');
      return element(
        'article', { class: 'entry' },
        element('h3', { id: `effect-${name}` }, title, ' ', code(`effect=${name}`)),
        isComplete ? picture(title, { effect: name, padding: '12', ...ink }) : null,
        element('p', {}, element('a', { href: studio({ text: title, effect: name }) }, `Try ${title}`)),
        parameters.length > 0 ? parameterTable(parameters) : null);
    }));
}

function looksSection({ presets }) {
  if (presets.length === 0) return null;
  return section(
    'looks', 'Looks', 'Values to start from. One of each kind can be chosen: preset=og,nord.',
    element('ul', { class: 'samples' }, ...presets.map(({ name, title, summary }) => element(
      'li', {}, picture(title, { preset: name }),
      element('a', { href: studio({ text: title, preset: name }) }, title), ' ', code(name),
      summary ? element('p', {}, summary) : null))));
}

function fontsSection({ fonts }) {
  return section(
    'fonts', 'Fonts', 'The families on this server. Others are replaced, with a warning.',
    table(['Family', 'Weights', 'Axes', 'Features'], fonts.map(({
      family, monospace, weights, axes, features,
    }) => [
      [code(family), monospace ? ' monospace' : ''], weights.join(' '),
      axes.map(({ tag, minimum, maximum }) => `${tag} ${minimum} to ${maximum}`).join(', '),
      features.join(' '),
    ])));
}

function apiSection({ parameters, formats }, { paths }) {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods)
    .filter(([, { summary }]) => summary)
    .map(([method, { summary }]) => [code(`${method.toUpperCase()} ${path}`), summary]));
  const command = `curl '${location.origin}/render.svg?text=Hello&effect=slide' -o hello.svg`;
  const raw = ['/openapi.json', '/parameters', '/effects', '/formats', '/presets', '/fonts'];
  return section(
    'api', 'API', 'One request, the same names in a query, a form, and JSON.',
    element('pre', { tabIndex: 0 }, code(command)),
    table(['Endpoint', 'Answer'], endpoints),
    element('h3', { id: 'parameters' }, 'Parameters'),
    parameterTable(parameters.filter(({ formats: readers }) => readers === null)),
    element('h3', { id: 'formats' }, 'Formats'),
    table(
      ['Format', 'Name', 'Media type', 'Moves', 'Colours for the dark'],
      formats.map(({ name, title, mediaType, animated, darkColors }) => [
        title, code(name), code(mediaType), animated ? 'yes' : 'no', darkColors ? 'yes' : 'no',
      ])),
    element('p', {}, 'Parameters of formats:'),
    table(
      ['Parameter', 'Formats', 'Takes', 'Default', 'Meaning'],
      parameters.filter(({ formats: readers }) => readers !== null).map((one) => [
        code(one.name), one.formats.map(({ title }) => title).join(', '), takes(one), defaultOf(one),
        one.description,
      ])),
    element('p', {}, 'The same for programs: ', ...raw.flatMap(
      (path) => [element('a', { href: path }, path), ' '])));
}

async function start() {
  const say = ({ message, retryAfter }) => show(
    `This cannot be loaded yet. ${message}. Trying again in ${retryAfter} s.`);
  const catalogue = await loadCatalogue(say);
  const api = await (await fetch('/openapi.json')).json();
  main.replaceChildren(...[
    effectsSection(catalogue), looksSection(catalogue), fontsSection(catalogue),
    apiSection(catalogue, api),
  ].filter(Boolean));
  // The place that the address names is there only now.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function show(words) {
  main.replaceChildren(element('p', { class: 'loading', role: 'status' }, words));
}

start().catch((error) => show(`This could not be loaded. ${error.message}.`));
